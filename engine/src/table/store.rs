//! The bytes of a data file, in memory or mapped.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64};

use memmap2::{Mmap, MmapMut, MmapOptions, MmapRaw};
use rustix::fs::{FallocateFlags, fallocate};

use super::npy::HEADER;
use super::{Bits, Cells, Width};
use crate::base::files;
use crate::base::{Error, Result};

/// A whole data file, header included, writable.
#[derive(Debug)]
pub struct Store {
    map: MmapRaw,
    width: Width,
    entries: u64,
}

impl Store {
    /// A new store of zeros in memory.
    pub fn in_memory(width: Width, entries: u64) -> Result<Self> {
        let length = width.file_bytes(entries);
        let mut map = MmapMut::map_anon(usize::try_from(length).unwrap_or(usize::MAX))
            .map_err(|e| Error::Budget(format!("cannot get {length} bytes of memory: {e}; use --out DIR")))?;
        // Waves jump through the whole table: large pages save most of the page faults. Only a wish.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        map[..HEADER].copy_from_slice(&width.header(entries));
        Ok(Self { map: map.into(), width, entries })
    }

    /// The file `path`, which is open as `file`, made anew with zeros and with all its blocks reserved: a
    /// mapped file that runs into a full disk would be killed by the system, so that space must be there
    /// before the start.
    pub fn create(file: &File, path: &Path, width: Width, entries: u64) -> Result<Self> {
        file.set_len(0).map_err(Error::io("cannot write", path))?;
        Self::grow(file, path, width, entries)
    }

    /// Maps an existing file, which must have exactly the header and length of `width` and `entries`.
    pub fn open(file: &File, path: &Path, width: Width, entries: u64) -> Result<Self> {
        check_file(file, path, width, entries)?;
        Self::map(file, path, width, entries)
    }

    /// As [`Self::open`], but what is written goes to a private copy and never to the file.
    pub fn open_private(file: &File, path: &Path, width: Width, entries: u64) -> Result<Self> {
        check_file(file, path, width, entries)?;
        // SAFETY: the pages are copied on their first write; the table's locks keep other nimwave processes
        // from changing the file, and its length was just checked.
        let map = unsafe { MmapOptions::new().map_copy(file) }.map_err(Error::io("cannot map", path))?;
        Ok(Self { map: map.into(), width, entries })
    }

    /// Makes an existing file longer, for more entries; the new ones are 0. Where that fails, the file has
    /// the length that it had.
    pub fn grow(file: &File, path: &Path, width: Width, entries: u64) -> Result<Self> {
        let before = file.metadata().map_err(Error::io("cannot read", path))?.len();
        let grown = reserve(file, before, width.file_bytes(entries))
            .map_err(Error::io("cannot reserve disk space for", path))
            .and_then(|()| {
                file.write_all_at(&width.header(entries), 0).map_err(Error::io("cannot write", path))
            })
            .and_then(|()| Self::map(file, path, width, entries));
        if grown.is_err() {
            let _ = file.set_len(before);
        }
        grown
    }

    fn map(file: &File, path: &Path, width: Width, entries: u64) -> Result<Self> {
        // The table's lock keeps other nimwave processes from changing the file; its length was just set or
        // checked, and its blocks are reserved.
        let map = MmapOptions::new().map_raw(file).map_err(Error::io("cannot map", path))?;
        if map.len() as u64 != width.file_bytes(entries) {
            return Err(Error::corrupt(
                path,
                "the file changed its length",
                "delete the folder and solve again",
            ));
        }
        Ok(Self { map, width, entries })
    }

    /// The entries, for all threads.
    pub fn cells(&self) -> Cells<'_> {
        let bytes = self.map.len() - HEADER;
        // SAFETY: the header is shorter than the mapping.
        let data = unsafe { self.map.as_mut_ptr().add(HEADER) };
        debug_assert_eq!(data as usize % 64, 0, "a mapping is page-aligned and the header is 128 bytes");
        match self.width {
            Width::Bit => {
                // SAFETY: the mapping lives as long as `self`, is aligned and long enough, every bit pattern
                // is valid, and while it is shared all access goes through atomics or raw loads.
                let words = unsafe { std::slice::from_raw_parts(data.cast::<AtomicU64>(), bytes / 8) };
                Cells::Bits(Bits::new(words, self.entries))
            }
            // SAFETY: as above.
            Width::U8 => Cells::U8(unsafe { std::slice::from_raw_parts(data.cast::<AtomicU8>(), bytes) }),
            Width::U16 => {
                // SAFETY: as above.
                Cells::U16(unsafe { std::slice::from_raw_parts(data.cast::<AtomicU16>(), bytes / 2) })
            }
        }
    }

    /// The whole file. The exclusive borrow keeps kernels out while it is read.
    pub fn file(&mut self) -> &mut [u8] {
        // SAFETY: the mapping lives as long as `self` and nobody else uses it during the exclusive borrow.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr(), self.map.len()) }
    }

    /// The data without the header.
    pub fn data(&mut self) -> &mut [u8] {
        &mut self.file()[HEADER..]
    }

    /// The width of an entry.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Waits until all changes are on the disk.
    pub fn flush(&self, path: &Path) -> Result<()> {
        self.map.flush().map_err(Error::io("cannot write", path))
    }
}

/// Reserves blocks for `length` bytes of a file that has `before`. File systems that cannot reserve, such as
/// those of some networks, get zeros: what is written has a place, unless they compress it.
fn reserve(file: &File, before: u64, length: u64) -> std::io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, length) {
        Ok(()) => file.set_len(length),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL) => {
            write_zeros(file, before, length)
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes the file `length` bytes long, with zeros from `before` on.
fn write_zeros(file: &File, before: u64, length: u64) -> std::io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut at = before;
    while at < length {
        let piece = (length - at).min(zeros.len() as u64);
        file.write_all_at(&zeros[..piece as usize], at)?;
        at += piece;
    }
    // What is only in the cache may still find the disk full.
    file.sync_data()?;
    file.set_len(length)
}

/// Checks the length and the header of a data file.
pub fn check_file(file: &File, path: &Path, width: Width, entries: u64) -> Result<()> {
    let remedy = "restore the file from a copy, or delete the table's folder and solve again";
    let length = file.metadata().map_err(Error::io("cannot read", path))?.len();
    let expected = width.file_bytes(entries);
    if length != expected {
        return Err(Error::corrupt(path, format!("{length} bytes instead of {expected}"), remedy));
    }
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).map_err(Error::io("cannot read", path))?;
    if header != width.header(entries) {
        return Err(Error::corrupt(
            path,
            "its .npy header is not the one that the manifest describes",
            remedy,
        ));
    }
    Ok(())
}

/// Maps a file for reading after checking its length and header.
pub fn map_checked(path: &Path, width: Width, entries: u64) -> Result<Mmap> {
    let file = files::open(path).map_err(Error::io("cannot open", path))?;
    check_file(&file, path, width, entries)?;
    // SAFETY: the file is only read; its length was just checked. A process that shortens the file while it
    // is mapped could still end this one, which no check can prevent.
    unsafe { Mmap::map(&file) }.map_err(Error::io("cannot map", path))
}

/// Maps the first `length` bytes of a file that may be longer, and that another process may be filling behind
/// them.
pub fn map_beginning(path: &Path, length: u64) -> Result<Mmap> {
    let file = files::open(path).map_err(Error::io("cannot open", path))?;
    let found = file.metadata().map_err(Error::io("cannot read", path))?.len();
    let mapped = usize::try_from(length).ok().filter(|_| found >= length && length >= HEADER as u64);
    let mapped = mapped.ok_or_else(|| {
        let remedy = "restore the file from a copy, or delete the table's folder and solve again";
        Error::corrupt(path, format!("{found} bytes, and {length} of them should be finished"), remedy)
    })?;
    // SAFETY: as above; what is mapped behind the header is finished, and a writer does not change it.
    unsafe { MmapOptions::new().len(mapped).map(&file) }.map_err(Error::io("cannot map", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_blocks_cannot_be_reserved_zeros_are_written() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"begun", 0).unwrap();
        let length = (5 << 20) + 17;
        write_zeros(&file, 5, length).unwrap();
        let metadata = file.metadata().unwrap();
        assert_eq!(metadata.len(), length);
        let mut bytes = vec![1; length as usize];
        file.read_exact_at(&mut bytes, 0).unwrap();
        assert!(bytes.starts_with(b"begun") && bytes[5..].iter().all(|&byte| byte == 0));
    }
}
