//! Condition (b) by AVX2, for indices below 16: a row per index has the bit of each heap with it, and a small
//! common heap covers a rare index wherever the row of the two indices' XOR, shifted, has a bit. What few
//! shifts leave open is looked at heap by heap, 32 small heaps at a time.

use std::arch::x86_64::*;

use super::cover::{Cover, SMALL, Unseen};
use super::machine::{Machine, RARE};
use crate::base::simd::{Isa, Level};

/// How far back the rows of a block reach.
pub const ROWS_BACK: usize = 1 << 13;
const ROWS: usize = 16;
/// So many heaps are checked at once.
pub const UNIT: usize = 1024;
/// Shifts that are chosen for a rare index at the most.
const MOST_SHIFTS: usize = 200;

/// The cover by rows.
pub struct Rows {
    /// The small heaps backwards; [`RARE`] where a heap takes no part.
    backwards: Vec<u8>,
    /// For both parities and each index the set of rare indices that it needs.
    need: [[u16; ROWS]; 2],
    /// For each rare index the chosen shifts, in bytes, and their rows.
    cover: Vec<Vec<(usize, usize)>>,
    /// 2^dropped indices are a group: they differ only below the mask.
    dropped: u32,
    /// For each group and both parities: whether a heap does not need the rare indices of its own group.
    spare: Vec<[bool; 2]>,
    /// The length of a row in bytes.
    bytes: usize,
    rows: Vec<u8>,
    planes: Vec<u32>,
}

impl Rows {
    /// Learns shifts from the heaps `x[from..]`, of which `x[at]` is heap `first + at`; blocks to be checked have the
    /// same length. `None` without AVX2, or where heaps do not need whole groups.
    pub fn new(
        machine: &Machine,
        cover: &Cover,
        isa: Isa,
        x: &[u8],
        from: usize,
        first: u64,
    ) -> Option<Self> {
        if isa.level() < Level::Avx2 {
            return None;
        }
        let mut backwards: Vec<u8> =
            cover.small.iter().rev().map(|&index| if index < 16 { index } else { RARE }).collect();
        backwards.extend([RARE; 64]);
        let set = |needed: &Vec<u8>| needed.iter().filter(|&&w| w < 16).fold(0u16, |set, w| set | 1 << w);
        let need = [0, 1].map(|odd| std::array::from_fn(|k| set(&cover.need[odd][k])));
        // The bit that the index leaves out depends on the higher bits and the parity only: a heap needs all rare
        // indices of lower groups, and either all or none of its own.
        let dropped = machine.dropped.min(4);
        let spare: Vec<[bool; 2]> = (0..16u32 >> dropped)
            .map(|g| [0, 1].map(|n| machine.value(n, g << dropped, true) >> machine.dropped & 1 == 0))
            .collect();
        for (odd, need) in need.iter().enumerate() {
            for (k, &need) in need.iter().enumerate() {
                let g = k >> dropped;
                let below = (1u32 << (g << dropped)) - 1;
                let own = if spare[g][odd] { 0 } else { ((1u32 << (1 << dropped)) - 1) << (g << dropped) };
                if u32::from(need) != (below | own) & 0xffff {
                    return None;
                }
            }
        }
        let heaps = ROWS_BACK + x.len() - from + UNIT;
        let bytes = heaps / 8 + 64;
        let (rows, planes) = (vec![0; ROWS * bytes], vec![0; heaps / 8 + 64]);
        let mut learned = Self { backwards, need, cover: Vec::new(), dropped, spare, bytes, rows, planes };
        learned.learn(cover, x, from, first);
        Some(learned)
    }

    /// Chooses for each rare index the shifts that cover the most of what is open, one after the other.
    fn learn(&mut self, cover: &Cover, x: &[u8], from: usize, first: u64) {
        let mut candidates = Vec::new();
        for a in 1..cover.small.len().min(ROWS_BACK) {
            for &i in &cover.splitting {
                // Shifts by whole bytes need one copy of a row only.
                if (a + i) % 8 == 0 && a + i <= ROWS_BACK && cover.small[a] < 16 {
                    candidates.push((a + i, cover.small[a]));
                }
            }
        }
        for w in 0..ROWS as u8 {
            let needs =
                |&at: &usize| self.need[((first + at as u64) % 2) as usize][usize::from(x[at])] >> w & 1 == 1;
            let mut open: Vec<usize> = (from..x.len()).filter(needs).collect();
            let mut chosen = Vec::new();
            while open.len() > 2 && chosen.len() < MOST_SHIFTS {
                let stride = open.len().div_ceil(1024);
                let gain = |&(shift, index): &(usize, u8)| {
                    open.iter().step_by(stride).filter(|&&at| x[at - shift] == index ^ w).count()
                };
                let Some((gain, (shift, index))) = candidates.iter().map(|c| (gain(c), *c)).max() else {
                    break;
                };
                // A shift costs a third of a cycle for 256 heaps, an exception some 200 cycles.
                if gain * stride <= 2 {
                    break;
                }
                open.retain(|&at| x[at - shift] != index ^ w);
                chosen.push((shift / 8, usize::from(index ^ w)));
            }
            self.cover.push(chosen);
        }
    }

    /// Checks `x[from..]`, whose indices and those that they look at are below 16; `x[at]` is heap `first + at`.
    pub fn check(&mut self, cover: &Cover, x: &[u8], from: usize, first: u64) -> Result<(), Unseen> {
        let heaps = x.len() - from;
        assert!(from >= SMALL.max(ROWS_BACK) + 64 + cover.reach() - SMALL && heaps % UNIT == 0);
        assert!((heaps + ROWS_BACK) / 8 + 64 <= self.bytes);
        // SAFETY: `new` saw an Isa with AVX2.
        unsafe { self.make_rows(&x[from - ROWS_BACK..]) };
        let mut missing = [0u64; UNIT / 64];
        for unit in 0..heaps / UNIT {
            // SAFETY: as above; the rows reach from ROWS_BACK before the block to its end, as asserted.
            if !unsafe { self.unit(unit, (first + from as u64) % 2, &mut missing) } {
                continue;
            }
            for (j, &word) in missing.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    let at = from + unit * UNIT + j * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    // SAFETY: as above.
                    unsafe { self.one(cover, x, at, ((first + at as u64) % 2) as usize)? };
                }
            }
        }
        Ok(())
    }

    /// The rows of a block and what is before it: the four bits of the indices as planes, then all products.
    #[target_feature(enable = "avx2")]
    fn make_rows(&mut self, x: &[u8]) {
        let words = x.len() / 32;
        let (p0, rest) = self.planes.split_at_mut(words.next_multiple_of(8));
        let (p1, rest) = rest.split_at_mut(words.next_multiple_of(8));
        let (p2, rest) = rest.split_at_mut(words.next_multiple_of(8));
        let p3 = &mut rest[..words.next_multiple_of(8)];
        for (j, c) in x.chunks_exact(32).enumerate() {
            // SAFETY: a chunk has 32 bytes.
            let v = unsafe { _mm256_loadu_si256(c.as_ptr().cast()) };
            p0[j] = _mm256_movemask_epi8(_mm256_slli_epi16(v, 7)) as u32;
            p1[j] = _mm256_movemask_epi8(_mm256_slli_epi16(v, 6)) as u32;
            p2[j] = _mm256_movemask_epi8(_mm256_slli_epi16(v, 5)) as u32;
            p3[j] = _mm256_movemask_epi8(_mm256_slli_epi16(v, 4)) as u32;
        }
        for j in 0..words / 8 {
            // SAFETY: 8 words of each plane, 32 bytes of each row.
            unsafe {
                let b = [&*p0, &*p1, &*p2, &*p3].map(|p| _mm256_loadu_si256(p[j * 8..].as_ptr().cast()));
                let ones = _mm256_set1_epi8(-1);
                let n = b.map(|v| _mm256_xor_si256(v, ones));
                let low = [
                    _mm256_and_si256(n[1], n[0]),
                    _mm256_and_si256(n[1], b[0]),
                    _mm256_and_si256(b[1], n[0]),
                    _mm256_and_si256(b[1], b[0]),
                ];
                let high = [
                    _mm256_and_si256(n[3], n[2]),
                    _mm256_and_si256(n[3], b[2]),
                    _mm256_and_si256(b[3], n[2]),
                    _mm256_and_si256(b[3], b[2]),
                ];
                for h in 0..4 {
                    for l in 0..4 {
                        let to = self.rows.as_mut_ptr().add((h * 4 + l) * self.bytes + j * 32);
                        _mm256_storeu_si256(to.cast(), _mm256_and_si256(high[h], low[l]));
                    }
                }
            }
        }
    }

    /// The heaps of a unit that the shifts leave open; false if there are none. `odd` is the parity of the first.
    ///
    /// # Safety
    ///
    /// The machine has AVX2, and the rows hold the unit and ROWS_BACK heaps before it.
    #[target_feature(enable = "avx2")]
    unsafe fn unit(&self, unit: usize, odd: u64, miss: &mut [u64; UNIT / 64]) -> bool {
        // SAFETY: shifts are at most ROWS_BACK / 8 bytes, so that all loads are inside the rows.
        unsafe {
            let at = (ROWS_BACK + unit * UNIT) / 8;
            let zero = _mm256_setzero_si256();
            let ones = _mm256_set1_epi8(-1);
            let mut all = [ones; 4];
            let mut out = [zero; 4];
            let size = 1usize << self.dropped;
            for (g, spare) in self.spare.iter().enumerate() {
                let mut group = [ones; 4];
                let mut here = [zero; 4];
                for w in g * size..(g + 1) * size {
                    let mut acc = [zero; 4];
                    for &(back, row) in &self.cover[w] {
                        let from = self.rows.as_ptr().add(row * self.bytes + at - back);
                        for q in 0..4 {
                            acc[q] = _mm256_or_si256(acc[q], _mm256_loadu_si256(from.add(32 * q).cast()));
                        }
                    }
                    let own = self.rows.as_ptr().add(w * self.bytes + at);
                    for q in 0..4 {
                        group[q] = _mm256_and_si256(group[q], acc[q]);
                        here[q] = _mm256_or_si256(here[q], _mm256_loadu_si256(own.add(32 * q).cast()));
                    }
                }
                // Bit j is heap of parity odd ^ j & 1.
                let byte = |p: usize| if spare[p] { if p as u64 == odd { 0x55u8 } else { 0xaa } } else { 0 };
                let spared = _mm256_set1_epi8((byte(0) | byte(1)) as i8);
                for q in 0..4 {
                    let good = _mm256_and_si256(all[q], _mm256_or_si256(group[q], spared));
                    out[q] = _mm256_or_si256(out[q], _mm256_andnot_si256(good, here[q]));
                    all[q] = _mm256_and_si256(all[q], group[q]);
                }
            }
            let any = _mm256_or_si256(_mm256_or_si256(out[0], out[1]), _mm256_or_si256(out[2], out[3]));
            for q in 0..4 {
                _mm256_storeu_si256(miss.as_mut_ptr().add(4 * q).cast(), out[q]);
            }
            _mm256_testz_si256(any, any) == 0
        }
    }

    /// Heap x[at] by all small heaps, 32 at a time.
    #[target_feature(enable = "avx2")]
    fn one(&self, cover: &Cover, x: &[u8], at: usize, odd: usize) -> Result<(), Unseen> {
        let need = self.need[odd][x[at] as usize];
        let single = cover.single.iter().fold(0u16, |set, i| set | 1 << x[at - i]);
        let table = |f: &dyn Fn(u8) -> u8| {
            let a: [u8; 16] = std::array::from_fn(|i| f(i as u8));
            // SAFETY: 16 bytes.
            _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(a.as_ptr().cast()) })
        };
        let tlo = table(&|i| if i < 8 { 1 << i } else { 0 });
        let thi = table(&|i| if i >= 8 { 1 << (i - 8) } else { 0 });
        let mut lo = _mm256_setzero_si256();
        let mut hi = _mm256_setzero_si256();
        let total = cover.small.len();
        let mut seen = single;
        for a in (0..total).step_by(32) {
            let fixed = &self.backwards[total - 32 - a..][..32];
            for &i in &cover.splitting {
                let window = &x[at - i - a - 31..][..32];
                // SAFETY: both slices have 32 bytes.
                let v = unsafe {
                    _mm256_xor_si256(
                        _mm256_loadu_si256(fixed.as_ptr().cast()),
                        _mm256_loadu_si256(window.as_ptr().cast()),
                    )
                };
                lo = _mm256_or_si256(lo, _mm256_shuffle_epi8(tlo, v));
                hi = _mm256_or_si256(hi, _mm256_shuffle_epi8(thi, v));
            }
            if a % 128 == 96 || a + 32 >= total {
                let v = _mm256_or_si256(_mm256_unpacklo_epi64(lo, hi), _mm256_unpackhi_epi64(lo, hi));
                let v = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
                let low = _mm_cvtsi128_si64(v) as u64;
                let high = _mm_extract_epi64(v, 1) as u64;
                let fold = |v: u64| {
                    let v = v | v >> 32;
                    let v = v | v >> 16;
                    (v | v >> 8) as u8
                };
                seen |= u16::from(fold(low)) | u16::from(fold(high)) << 8;
                if need & !seen == 0 {
                    return Ok(());
                }
            }
        }
        Err(Unseen { at, index: (need & !seen).trailing_zeros() })
    }
}
