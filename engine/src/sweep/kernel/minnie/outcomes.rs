//! Outcomes of minnie, and of its relatives mine and wynnie, by whole rows.
//!
//! Fix the key r = (a1, ..., a(k-1)); the row of r holds the outcomes of r and a last heap x, for x from the
//! largest heap of r to N, one bit each. Let m be the smallest non-empty heap of r. An option that lowers a
//! heap of r is bit x of another row, an option that lowers x is one of the m bits before x. So
//!
//! > P(r, x) holds exactly if no option row has bit x and none of the m bits before x is set:
//!
//! with c = NOT OR of the option rows, take the lowest bit of c, skip the m bits above it, and
//! repeat. The m positions below the row's first one lie in rows of smaller key sum; only the
//! highest P-position among them matters.
//!
//! **Covers.** The first heap a1 can be lowered to every i < a1. Once the rows (i, a2, ..., a(k-1)), i =
//! 0..=j, have been seen to cover every x, every row with the same a2, ..., a(k-1) and a1 > j is all N, with
//! the winning move in hand. The kernel remembers that j, one byte for each (a2, ..., a(k-1)), and such rows
//! then cost one look-up and no write. Nothing is assumed: where no cover was found all options are taken.
//!
//! **The family.** Wynnie has the moves of minnie and more, which are more option rows ([`super::together`]).
//! Mine has fewer: rows of keys with equal heaps are left out, and so is the P-position below x that equals a
//! heap of the key. The entries with equal heaps are not positions of mine, but they are filled as the rules
//! fill them: a move has to part the only pair of equal heaps, and where there are more there is no move.
//!
//! Cost of a row of n bits: at most m(k-1) passes of n/256 steps of two loads and seven instructions, then a
//! greedy pass that takes 8 bits a step (m <= 8) or one P-position a step; for covered rows one byte load.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::super::{FarRows, Here, Kernel, RowKernel, RowsElsewhere, TooWide};
use super::greedy::greedy;
use super::{OrRow, together};
use crate::base::Isa;
use crate::game::Family;
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::{Bits, Cells, ones};
use crate::waves::{KeySum, RowBlock};

/// Outcomes of minnie or a relative by whole rows.
pub struct MinnieOutcomes<'a> {
    waves: &'a KeySum<'a>,
    space: &'a SortedHeaps,
    play: Play,
    game: Family,
    or_row: OrRow,
    /// For each key without its first heap: the largest first heap of the rows that cover everything, or 255.
    covered_from: Vec<AtomicU8>,
    /// Numbers the keys without their first heap; `None` where there is only one (two heaps) or none.
    rests: Option<SortedHeaps>,
}

const NOT_COVERED: u8 = u8::MAX;

impl<'a> MinnieOutcomes<'a> {
    /// The kernel of minnie for the rows of `waves`.
    pub fn new(waves: &'a KeySum<'a>, play: Play, isa: Isa) -> Self {
        Self::of(Family::Minnie, waves, play, isa)
    }

    /// The kernel of `game` for the rows of `waves`.
    pub fn of(game: Family, waves: &'a KeySum<'a>, play: Play, isa: Isa) -> Self {
        let space = waves.space();
        let rests = (space.heaps() > 2).then(|| {
            SortedHeaps::with_last(space.heaps() - 2, space.max(), space.key_last().clone())
                .expect("smaller than the space itself")
        });
        let count = rests.as_ref().map_or(1, Space::len);
        let covered_from = (0..count).map(|_| AtomicU8::new(NOT_COVERED)).collect();
        Self { waves, space, play, game, or_row: OrRow::new(isa), covered_from, rests }
    }

    /// The bytes that the kernel keeps beside the table.
    pub fn memory(heaps: usize, max: u32) -> u64 {
        if heaps > 2 { SortedHeaps::count(heaps - 2, max).unwrap_or(u64::MAX) } else { 1 }
    }

    fn rest_of(&self, key: &[u32]) -> &AtomicU8 {
        let rest = self.rests.as_ref().map_or(0, |rests| rests.rank_sorted(&key[1..]));
        &self.covered_from[rest as usize]
    }

    fn fill_row(&self, bits: &Bits<'_>, key: &[u32], elsewhere: &impl RowsElsewhere, row: &mut Vec<u64>) {
        let Some(smallest) = key.iter().position(|&heap| heap > 0) else {
            return self.fill_single_heaps(bits);
        };
        if self.game == Family::Mine {
            // Where the key has equal heaps, so has every entry of its row; otherwise only the first entry.
            let mut equal = (smallest + 1..key.len()).filter(|&i| key[i - 1] == key[i]);
            match (equal.next(), equal.next()) {
                (None, _) => self.fill_pair_at_the_end(bits, key, key[smallest]),
                (Some(pair), None) => return self.fill_row_of_a_pair(bits, key, smallest, pair - 1, row),
                (Some(_), Some(_)) => return self.fill_without_moves(bits, key, row),
            }
        }
        let rest = (smallest == 0).then(|| self.rest_of(key));
        let covered_from = rest.map_or(NOT_COVERED, |rest| rest.load(Relaxed));
        if covered_from != NOT_COVERED && u32::from(covered_from) < key[0] {
            return;
        }
        let m = key[smallest];
        let first = key[key.len() - 1];
        let length = u64::from(self.space.max() - first) + 1;

        // The options of the row's first position that lower a heap of the key are the first bits of the option
        // rows.
        let mut position = [0; MAX_HEAPS];
        let position = first_of_row(&mut position, key);

        row.clear();
        row.resize(length.div_ceil(64) as usize, 0);
        if length % 64 != 0 {
            // Behind the end everything counts as covered.
            *row.last_mut().expect("a row is not empty") = !ones(length % 64);
        }
        if self.game == Family::Mine {
            // The first entry is filled already.
            row[0] |= 1;
        }
        let far = elsewhere.far_rows(key, m);
        // Rows in which the key's last heap is lowered by more are elsewhere.
        let in_table = far.map_or(m, |far| far.in_table);
        if self.or_lowered_first(bits, position, smallest, row, rest, far) {
            return;
        }
        for i in smallest + 1..key.len() {
            if key[i] == key[i - 1] {
                continue;
            }
            let (mut full, mut heap) = (false, key[i]);
            let by = if i + 1 == key.len() { in_table } else { m };
            self.space.for_each_lowered(position, i, by, |start| {
                heap -= 1;
                full = full || (self.may_leave(key, heap) && self.or_row.or_into(row, bits, start));
            });
            if full {
                return;
            }
        }
        if let Family::Wynnie(together) = self.game
            && together::or_rows(self.space, self.or_row, together, bits, position, row)
        {
            return;
        }
        if let Some(far) = far.filter(|_| smallest + 1 < key.len())
            && far.starts(m).any(|start| self.or_row.or_into(row, far.bits(), start as u64))
        {
            return;
        }
        row.iter_mut().for_each(|word| *word = !*word);
        let blocked = match (self.highest_p_below(bits, position, m, in_table), far) {
            (0, Some(far)) => {
                (in_table + 1..=m).find(|&by| far.bits().get(far.start(by) as u64)).map_or(0, |by| m + 1 - by)
            }
            (blocked, _) => blocked,
        };
        greedy(row, m, blocked);
        bits.set_row(self.space.rank_sorted(position), length, row);
    }

    /// ORs the rows in which the smallest heap is lowered, to 0 first: small heaps cover most. Says whether
    /// they cover everything, and remembers it where the smallest heap is the key's first.
    fn or_lowered_first(
        &self,
        bits: &Bits<'_>,
        position: &[u32],
        smallest: usize,
        row: &mut [u64],
        rest: Option<&AtomicU8>,
        far: Option<FarRows<'_>>,
    ) -> bool {
        let mut lowered = [0; MAX_HEAPS];
        let lowered = &mut lowered[..position.len()];
        lowered.copy_from_slice(position);
        for heap in 0..position[smallest] {
            lowered[smallest] = heap;
            // The key's only heap may be lowered to a row that is elsewhere.
            let by = position[smallest] - heap;
            let far = far.filter(|far| smallest + 2 == position.len() && by > far.in_table);
            let full = match far {
                Some(far) => self.or_row.or_into(row, far.bits(), far.start(by) as u64),
                None => self.or_row.or_into(row, bits, self.space.rank_sorted(lowered)),
            };
            if full {
                if let (Some(rest), Ok(heap)) = (rest, u8::try_from(heap)) {
                    rest.store(heap, Relaxed);
                }
                return true;
            }
        }
        false
    }

    /// How many bits at the start of the row are ruled out by a P-position before the row: if the last heap
    /// lowered by s <= m is P, then so are none of the positions up to m above it.
    fn highest_p_below(&self, bits: &Bits<'_>, position: &[u32], m: u32, in_table: u32) -> u32 {
        let (mut by, mut blocked) = (0, 0);
        let last = position.len() - 1;
        self.space.for_each_lowered(position, last, in_table, |index| {
            by += 1;
            if blocked == 0 && self.may_leave(&position[..last], position[last] - by) && bits.get(index) {
                blocked = m + 1 - by;
            }
        });
        blocked
    }

    /// Whether a heap of the key, or the last heap, may become this `heap`.
    #[inline]
    fn may_leave(&self, key: &[u32], heap: u32) -> bool {
        self.game != Family::Mine || heap == 0 || !key.contains(&heap)
    }

    /// The first entry of a row of mine, whose last heap equals the largest of the key: one of the two must move.
    fn fill_pair_at_the_end(&self, bits: &Bits<'_>, key: &[u32], m: u32) {
        let mut position = [0; MAX_HEAPS];
        let position = first_of_row(&mut position, key);
        let last = key.len();
        let (mut heap, mut moves, mut reaches_p) = (position[last], false, false);
        self.space.for_each_lowered(position, last, m, |option| {
            heap -= 1;
            if self.may_leave(key, heap) {
                moves = true;
                reaches_p |= bits.get(option);
            }
        });
        if if moves { !reaches_p } else { self.play == Play::Normal } {
            bits.set(self.space.rank_sorted(position));
        }
    }

    /// The row of a key of mine in which only the heaps at `pair` and behind it are equal: one of the two must
    /// move. With a last heap that equals one of the key there is no move.
    fn fill_row_of_a_pair(
        &self,
        bits: &Bits<'_>,
        key: &[u32],
        smallest: usize,
        pair: usize,
        row: &mut Vec<u64>,
    ) {
        let mut position = [0; MAX_HEAPS];
        let position = first_of_row(&mut position, key);
        let length = u64::from(self.space.max() - key[key.len() - 1]) + 1;
        row.clear();
        row.resize(length.div_ceil(64) as usize, 0);
        let (mut heap, mut moves) = (key[pair], false);
        self.space.for_each_lowered(position, pair, key[smallest], |start| {
            heap -= 1;
            if self.may_leave(key, heap) {
                moves = true;
                self.or_row.or_into(row, bits, start);
            }
        });
        if !moves {
            return self.fill_without_moves(bits, key, row);
        }
        row.iter_mut().for_each(|word| *word = !*word);
        if length % 64 != 0 {
            *row.last_mut().expect("a row is not empty") &= ones(length % 64);
        }
        match self.play {
            Play::Normal => row[0] |= 1,
            Play::Misere => row[0] &= !1,
        }
        bits.set_row(self.space.rank_sorted(position), length, row);
    }

    /// A row without a move: whoever has to move has lost, and in misère play won.
    fn fill_without_moves(&self, bits: &Bits<'_>, key: &[u32], row: &mut Vec<u64>) {
        if self.play == Play::Misere {
            return;
        }
        let mut position = [0; MAX_HEAPS];
        let position = first_of_row(&mut position, key);
        let length = u64::from(self.space.max() - key[key.len() - 1]) + 1;
        row.clear();
        row.resize(length.div_ceil(64) as usize, u64::MAX);
        if length % 64 != 0 {
            *row.last_mut().expect("a row is not empty") = ones(length % 64);
        }
        bits.set_row(self.space.rank_sorted(position), length, row);
    }

    /// The row of a single heap x, from which everything smaller can be reached.
    fn fill_single_heaps(&self, bits: &Bits<'_>) {
        let p = match self.play {
            Play::Normal => 0,
            Play::Misere => 1,
        };
        bits.set(p);
    }
}

/// The heaps of the row's first position.
fn first_of_row<'a>(position: &'a mut [u32; MAX_HEAPS], key: &[u32]) -> &'a [u32] {
    let position = &mut position[..=key.len()];
    position[..key.len()].copy_from_slice(key);
    position[key.len()] = key[key.len() - 1];
    position
}

impl Kernel<RowBlock> for MinnieOutcomes<'_> {
    fn fill(&self, cells: &Cells<'_>, block: &RowBlock) -> Result<u64, TooWide> {
        self.fill_with(cells, block, &Here)
    }
}

impl<E: RowsElsewhere> RowKernel<E> for MinnieOutcomes<'_> {
    fn fill_with(&self, cells: &Cells<'_>, block: &RowBlock, elsewhere: &E) -> Result<u64, TooWide> {
        let Cells::Bits(bits) = cells else { panic!("the outcome kernel fills tables of bits") };
        let mut row = Vec::new();
        let mut positions = 0;
        self.waves.for_each_key(block, |key| {
            self.fill_row(bits, key, elsewhere, &mut row);
            positions += u64::from(self.space.max() - self.space.row_first(key)) + 1;
        });
        Ok(positions)
    }
}
