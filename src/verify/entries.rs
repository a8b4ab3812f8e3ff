//! The entries of a finished table as plain bytes, read without the table's own accessors.

use crate::base::Result;
use crate::space::{SortedHeaps, Space};
use crate::table::{Reader, Width};

/// The entries of a table.
#[derive(Debug, Clone, Copy)]
pub struct Entries<'a> {
    /// The data without its header.
    pub data: &'a [u8],
    /// The width of an entry.
    pub width: Width,
    /// The number of entries.
    pub len: u64,
}

impl<'a> Entries<'a> {
    /// The entries of a table whose checksums are right.
    pub fn of(reader: &'a Reader) -> Result<Self> {
        Ok(Self { data: reader.data()?, width: reader.manifest().width, len: reader.len() })
    }

    /// The value at `index`; outcomes have no value.
    #[inline]
    pub fn value(&self, index: u64) -> u16 {
        let i = index as usize;
        match self.width {
            Width::U16 => u16::from_le_bytes([self.data[2 * i], self.data[2 * i + 1]]),
            Width::U8 => u16::from(self.data[i]),
            Width::Bit => unreachable!("outcomes have no value"),
        }
    }

    /// Whether the entry at `index` says P.
    #[inline]
    pub fn is_p(&self, index: u64) -> bool {
        match self.width {
            Width::Bit => self.data[(index / 8) as usize] >> (index % 8) & 1 == 1,
            Width::U8 | Width::U16 => self.value(index) == 0,
        }
    }

    /// The 64 outcomes from `index` on. The file has a spare word behind the last one.
    #[inline]
    pub fn outcomes_at(&self, index: u64) -> u64 {
        let (byte, shift) = ((index / 8) as usize, index % 8);
        let bytes: [u8; 8] = self.data[byte..byte + 8].try_into().expect("eight bytes");
        let low = u64::from_le_bytes(bytes) >> shift;
        if shift == 0 { low } else { low | u64::from(self.data[byte + 8]) << (64 - shift) }
    }
}

/// The entries of a table of sorted heaps, in one file or in shards. A position's *place* is its number in the files, one shard after
/// the other; the places of a row follow each other.
#[derive(Debug)]
pub struct HeapEntries<'a> {
    parts: Vec<Part<'a>>,
    /// The width of an entry.
    pub width: Width,
    /// The number of entries.
    pub len: u64,
}

#[derive(Debug)]
struct Part<'a> {
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
        let mut parts: Vec<Part<'a>> = Vec::new();
        let mut first = 0;
        let mut add = |space: &SortedHeaps, last, data| {
            let len = space.len();
            parts.push(Part { last, first, space: space.clone(), entries: Entries { data, width, len } });
            first += len;
        };
        match reader.shards() {
            None => add(space, u32::MAX, reader.data_unchecked()),
            Some(shards) => shards.parts().for_each(|(space, last, data)| add(space, last, data)),
        }
        Ok(Self { parts, width, len: reader.len() })
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
        let part = match self.parts.as_slice() {
            [only] => only,
            parts => {
                let last = if position.len() > 1 { position[position.len() - 2] } else { 0 };
                &parts[parts.partition_point(|part| part.last < last)]
            }
        };
        part.first + part.space.rank_sorted(position)
    }

    /// The entries of the file that has `place`, and the number of the entry in it.
    #[inline]
    pub fn locate(&self, place: u64) -> (Entries<'a>, u64) {
        let part = match self.parts.as_slice() {
            [only] => only,
            parts => &parts[parts.partition_point(|part| part.first <= place) - 1],
        };
        (part.entries, place - part.first)
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
