//! The entries of a finished table of sorted heaps, read from its files and not by the accessors of the
//! kernels.

use crate::base::Result;
use crate::space::{SortedHeaps, Space};
use crate::table::{Entries, Reader, Width};

/// The entries of a table of sorted heaps, in one file or in shards. A position's *place* is its number in
/// the files, one shard after the other; the places of a row follow each other.
#[derive(Debug)]
pub struct HeapEntries<'a> {
    files: Vec<FileEntries<'a>>,
    /// The width of an entry.
    pub width: Width,
    /// The number of entries.
    pub len: u64,
}

#[derive(Debug)]
struct FileEntries<'a> {
    /// The largest last heap of a key.
    last: u32,
    /// The place of its first entry.
    first: u64,
    space: SortedHeaps,
    entries: Entries<'a>,
}

impl<'a> HeapEntries<'a> {
    /// The entries of a table whose checksums are right, with the positions of `space`.
    pub fn of(reader: &'a Reader, space: &SortedHeaps) -> Result<Self> {
        let width = reader.manifest().width;
        let mut files: Vec<FileEntries<'a>> = Vec::new();
        let mut first = 0;
        let mut add = |space: &SortedHeaps, last, data| {
            let len = space.len();
            let entries = Entries { data, width, len };
            files.push(FileEntries { last, first, space: space.clone(), entries });
            first += len;
        };
        match reader.shards() {
            None => add(space, u32::MAX, reader.data_unchecked()),
            Some(shards) => shards.shards().for_each(|(space, last, data)| add(space, last, data)),
        }
        Ok(Self { files, width, len: reader.len() })
    }

    /// The place of a position.
    #[inline]
    pub fn place(&self, position: &[u32]) -> u64 {
        if position.is_sorted() {
            return self.place_of_sorted(position);
        }
        let mut sorted = position.to_vec();
        sorted.sort_unstable();
        self.place_of_sorted(&sorted)
    }

    /// The place of a position that is sorted.
    #[inline]
    pub fn place_of_sorted(&self, position: &[u32]) -> u64 {
        let file = match self.files.as_slice() {
            [only] => only,
            files => {
                let last = if position.len() > 1 { position[position.len() - 2] } else { 0 };
                &files[files.partition_point(|file| file.last < last)]
            }
        };
        file.first + file.space.rank_sorted(position)
    }

    /// Calls `visit` with the places of the positions in which heap `i` of the sorted `position` is lowered by 1, 2,
    /// ..., `by`.
    #[inline]
    pub fn for_each_lowered(&self, position: &[u32], i: usize, by: u32, mut visit: impl FnMut(u64)) {
        match self.files.as_slice() {
            [only] => only.space.for_each_lowered(position, i, by, |index| visit(only.first + index)),
            _ => {
                let mut lowered = position.to_vec();
                for heap in (position[i] - by..position[i]).rev() {
                    lowered[i] = heap;
                    visit(self.place(&lowered));
                }
            }
        }
    }

    /// The entries of the file that has `place`, and the number of the entry in it.
    #[inline]
    pub fn locate(&self, place: u64) -> (Entries<'a>, u64) {
        let file = match self.files.as_slice() {
            [only] => only,
            files => &files[files.partition_point(|file| file.first <= place) - 1],
        };
        (file.entries, place - file.first)
    }

    /// The value at `place`; outcomes have no value.
    #[inline]
    pub fn value(&self, place: u64) -> u16 {
        let (entries, index) = self.locate(place);
        entries.value(index)
    }

    /// Whether the entry at `place` says P.
    #[inline]
    pub fn is_p(&self, place: u64) -> bool {
        let (entries, index) = self.locate(place);
        entries.is_p(index)
    }
}
