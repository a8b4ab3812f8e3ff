//! The entries of a finished table, as they lie in its file.

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;

use super::Width;

/// The outcomes of a file: bit i, from the low bit of the first byte on, is entry i.
pub type Outcomes = BitSlice<u8, Lsb0>;

/// The entries of a finished table, in one file.
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
    /// The entries of a table of outcomes.
    #[inline]
    pub fn outcomes(&self) -> &'a Outcomes {
        debug_assert!(self.width.is_bit(), "only a table of outcomes has bits");
        &Outcomes::from_slice(self.data)[..self.len as usize]
    }

    /// Entry `index`: 1 or 0 for a P- or an N-position in a table of outcomes, otherwise the value.
    #[inline]
    pub fn value(&self, index: u64) -> u16 {
        let i = index as usize;
        match self.width {
            Width::Bit => u16::from(self.outcomes()[i]),
            Width::U8 => u16::from(self.data[i]),
            Width::U16 => u16::from_le_bytes([self.data[2 * i], self.data[2 * i + 1]]),
        }
    }

    /// Whether the entry at `index` says P.
    #[inline]
    pub fn is_p(&self, index: u64) -> bool {
        match self.width {
            Width::Bit => self.outcomes()[index as usize],
            Width::U8 | Width::U16 => self.value(index) == 0,
        }
    }

    /// The entries from `first` on that say P, in order: a table of outcomes is looked at 64 entries at a time.
    pub fn p_from(&self, first: u64) -> impl Iterator<Item = u64> + '_ {
        let chunks = (first..self.len).step_by(64);
        chunks.flat_map(move |at| {
            let here = (self.len - at).min(64);
            let mut places = match self.width {
                Width::Bit => self.outcomes_at(at) & super::cells::ones(here),
                Width::U8 | Width::U16 => {
                    (0..here).fold(0, |places, i| places | u64::from(self.is_p(at + i)) << i)
                }
            };
            std::iter::from_fn(move || {
                let place = (places != 0).then(|| at + u64::from(places.trailing_zeros()));
                places &= places.wrapping_sub(1);
                place
            })
        })
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
