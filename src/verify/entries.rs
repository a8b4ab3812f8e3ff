//! The entries of a finished table as plain bytes, read without the table's own accessors.

use crate::error::Result;
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
