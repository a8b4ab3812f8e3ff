//! Outcomes of minnie by strips: the rows of the last two heaps together.
//!
//! Fix the first heap a1 = m and the middle a2, ..., a(j-2). The strip has the positions of all pairs w <= x behind
//! them, row after row, w from the middle's last heap on ([`Strips`] has the order). An option that lowers a1 or a
//! heap of the middle is the same pair of another strip, and the pairs of a strip are contiguous. So all rows of the
//! strip take such an option by one OR of one run of bits. What is left goes row by row: lowering w is
//! one of the m rows before, and lowering x is one of the m bits before, by the greedy pass.
//!
//! **Covers.** The strips of a middle are filled in the order a1 = 1, 2, 3, ... with the OR of those before, the one of
//! a1 = 0 included: that is all that lowering a1 can reach. Once it has every bit, all strips of larger a1 are N, and
//! they stay as they are, zeros. Nothing is remembered from block to block, and nothing is assumed.
//!
//! Cost of a strip of n positions: at most m(j-3) + 1 passes of n/256 steps of two loads and seven instructions; for each
//! of its rows m shifted copies of the rows before, and the greedy pass, 8 bits a step where m <= 8.

use rayon::prelude::*;

use super::super::{Kernel, TooWide};
use super::greedy::Greedy;
use super::{MinnieOutcomes, OrRow};
use crate::base::Isa;
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::{Bits, Cells, ones};
use crate::waves::{KeySum, Strip, Strips, Waves};

/// Outcomes of minnie on four heaps or more by strips.
pub struct MinnieStrips<'a> {
    strips: &'a Strips,
    play: Play,
    isa: Isa,
}

/// The bits of a strip, from its first position on.
#[derive(Default)]
struct Scratch {
    /// What lowering a1 reaches.
    by_first: Vec<u64>,
    /// What lowering a1 or the middle reaches; one word more than the strip has.
    reached: Vec<u64>,
    /// The P-positions; one word more than the strip has.
    found: Vec<u64>,
    /// The last rows, each from its own x = w on.
    rows: Vec<u64>,
}

impl<'a> MinnieStrips<'a> {
    /// The kernel for the blocks of `strips`.
    pub fn new(strips: &'a Strips, play: Play, isa: Isa) -> Self {
        Self { strips, play, isa }
    }

    /// All positions of at most three heaps, by rows.
    fn fill_prefix(&self, cells: &Cells<'_>) {
        let rows = KeySum::new(self.strips.space(3));
        let kernel = MinnieOutcomes::new(&rows, self.play, self.isa);
        for wave in 0..rows.count() {
            rows.blocks(wave).par_iter().for_each(|block| {
                // Bits are never too wide.
                let _ = kernel.fill(cells, block);
            });
        }
    }

    fn fill_strips(&self, bits: &Bits<'_>, strip: &Strip) {
        let space = self.strips.space(strip.heaps);
        let length = self.strips.length(strip);
        let words = length.div_ceil(64) as usize;
        let or_row = OrRow::new(self.isa);
        let mut scratch = Scratch::default();
        scratch.by_first.resize(words, 0);
        if length % 64 != 0 {
            // Behind the end everything counts as reached.
            scratch.by_first[words - 1] = !ones(length % 64);
        }
        let mut position = [0; MAX_HEAPS];
        let position = self.strips.first_position(strip, 0, &mut position);
        let mut covered = or_row.or_into(&mut scratch.by_first, bits, space.rank_sorted(position));
        for a1 in self.strips.first_heaps(strip) {
            if covered {
                return;
            }
            position[0] = a1;
            scratch.reached.clone_from(&scratch.by_first);
            if or_lowered_middle(space, or_row, bits, position, &mut scratch.reached) {
                continue;
            }
            scratch.reached.push(0);
            find_p(space, or_row, bits, (strip.from, strip.to), position, &mut scratch);
            bits.set_row(space.rank_sorted(position), length, &scratch.found);
            covered = true;
            for (seen, &found) in scratch.by_first.iter_mut().zip(&scratch.found) {
                *seen |= found;
                covered &= *seen == u64::MAX;
            }
        }
    }
}

/// ORs the strips in which a heap of the middle is lowered; says whether they reach everything.
fn or_lowered_middle(
    space: &SortedHeaps,
    or_row: OrRow,
    bits: &Bits<'_>,
    position: &[u32],
    reached: &mut [u64],
) -> bool {
    let mut full = false;
    for i in (1..position.len() - 2).filter(|&i| position[i] != position[i - 1]) {
        space.for_each_lowered(position, i, position[0], |start| {
            full = full || or_row.or_into(reached, bits, start);
        });
    }
    full
}

/// Finds the P-positions of the strip that begins with `position`, row by row.
fn find_p(
    space: &SortedHeaps,
    or_row: OrRow,
    bits: &Bits<'_>,
    (from, to): (u32, u32),
    position: &[u32],
    scratch: &mut Scratch,
) {
    let Scratch { reached, found, rows, .. } = scratch;
    let m = position[0];
    let greedy = Greedy::new(m);
    found.clear();
    found.resize(reached.len(), 0);
    // The last m rows and the new one, each with a word of zeros behind it.
    let stride = (space.max() - from) as usize / 64 + 2;
    let kept = m.min(to - from) as usize + 1;
    rows.clear();
    rows.resize(stride * kept, 0);
    let mut here = [0; MAX_HEAPS];
    let here = &mut here[..position.len()];
    here.copy_from_slice(position);
    let mut at = 0;
    for w in from..=to {
        let length = (space.max() - w) as usize + 1;
        let words = length.div_ceil(64);
        let slot = |w: u32| (w - from) as usize % kept * stride;
        let new = slot(w);
        for i in 0..words {
            let (word, shift) = (at / 64 + i, at % 64);
            rows[new + i] = reached[word] >> shift | reached[word + 1] << 1 << (63 - shift);
        }
        let mut blocked = 0;
        // The rows of this block are not in the table yet.
        let near = m.min(w - from);
        for by in 1..=near {
            let (row, by) = (slot(w - by), by as usize);
            let (skipped, shift) = (by / 64, by % 64);
            if blocked == 0 && rows[row + skipped] >> shift & 1 == 1 {
                blocked = m + 1 - by as u32;
            }
            for i in 0..words {
                let word = row + skipped + i;
                let above = if skipped + i + 1 < stride { rows[word + 1] } else { 0 };
                rows[new + i] |= rows[word] >> shift | above << 1 << (63 - shift);
            }
        }
        if near < m {
            here[position.len() - 2..].fill(w);
            let mut by = 0;
            space.for_each_lowered(here, position.len() - 2, m, |start| {
                by += 1;
                if by > near {
                    if blocked == 0 && bits.get(start) {
                        blocked = m + 1 - by;
                    }
                    or_row.or_into(&mut rows[new..new + words], bits, start);
                }
            });
        }
        let row = &mut rows[new..new + stride];
        row[..words].iter_mut().for_each(|word| *word = !*word);
        row[words - 1] &= ones((length - 1) as u64 % 64 + 1);
        row[words..].fill(0);
        greedy.keep(&mut row[..words], length, blocked);
        for (i, &word) in row[..words].iter().enumerate() {
            let (target, shift) = (at / 64 + i, at % 64);
            found[target] |= word << shift;
            found[target + 1] |= word >> 1 >> (63 - shift);
        }
        at += length;
    }
}

impl Kernel<Strip> for MinnieStrips<'_> {
    fn fill(&self, cells: &Cells<'_>, strip: &Strip) -> Result<u64, TooWide> {
        let Cells::Bits(bits) = cells else { panic!("the outcome kernel fills tables of bits") };
        if strip.is_prefix() {
            self.fill_prefix(cells);
            return Ok(self.strips.space(strip.heaps).len());
        }
        self.fill_strips(bits, strip);
        Ok(self.strips.length(strip) * self.strips.first_heaps(strip).count() as u64)
    }
}
