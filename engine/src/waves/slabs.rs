//! Waves of tiles of slabs: an order in which little must be remembered at a time.
//!
//! The positions of exactly j heaps are *stage* j; the stages come one after the other. Those with smallest heap m
//! are a *slab*, and the rows of a slab whose second heap lies in a short range are a *tile*. A few slabs are
//! filled side by side, each a tile behind the one with a smaller m.
//!
//! Lemma. If every move lowers heaps and raises none, an option of a position lies in an earlier wave, or earlier in
//! the same tile, whose rows are taken in lexicographic order. Proof: sort the heaps of the option; then each is at most the
//! heap of the same place before the move. So it has fewer heaps, or a smaller heap m and a tile that is not
//! later, or the same m and an earlier tile, or it comes earlier in the same tile.

use super::Waves;
use crate::space::{MAX_HEAPS, SortedHeaps, Space};

/// So many slabs are filled side by side.
pub const SLABS: u32 = 16;

/// The tiles have about so many positions where rows are short, and otherwise one second heap.
const TILE: u64 = 1 << 13;

/// The positions of a space of sorted heaps by stages, slabs and tiles.
#[derive(Debug, Clone)]
pub struct Slabs {
    /// The spaces of 1, 2, ... heaps, each a prefix of the next; the last may be a slice.
    spaces: Vec<SortedHeaps>,
    /// For each stage and group of slabs its first wave, number of heaps and smallest m.
    groups: Vec<(u64, usize, u32)>,
    count: u64,
}

/// The rows of `heaps` heaps with smallest heap `slab` and second heap in `from..=to`. A single heap has one
/// row, and two heaps have one for each slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// The number of heaps, none of which is empty, except that a single one may be.
    pub heaps: usize,
    /// The smallest heap.
    pub slab: u32,
    /// The least second heap.
    pub from: u32,
    /// The largest second heap.
    pub to: u32,
}

impl Tile {
    /// Whether no tile of the same slab comes before.
    pub fn is_first(&self) -> bool {
        self.from == self.slab
    }
}

impl Slabs {
    /// All positions of a space, or of a slice of one.
    pub fn new(space: &SortedHeaps) -> Self {
        let spaces = (1..space.heaps())
            .map(|heaps| SortedHeaps::new(heaps, space.max()).expect("a part of the space"))
            .chain([space.clone()])
            .collect();
        let mut slabs = Self { spaces, groups: vec![(0, 1, 0)], count: 1 };
        for heaps in 2..=space.heaps() {
            for least in (1..=slabs.last_slab(heaps)).step_by(SLABS as usize) {
                slabs.groups.push((slabs.count, heaps, least));
                slabs.count += slabs.waves_of_group(heaps, least);
            }
        }
        slabs
    }

    /// The space of so many heaps.
    pub fn space(&self, heaps: usize) -> &SortedHeaps {
        &self.spaces[heaps - 1]
    }

    /// The number of heaps of the whole.
    pub fn heaps(&self) -> usize {
        self.spaces.len()
    }

    /// The largest heap.
    pub fn max(&self) -> u32 {
        self.spaces[0].max()
    }

    /// The last slab of a stage.
    pub fn last_slab(&self, heaps: usize) -> u32 {
        self.spaces[heaps - 1].smallest()
    }

    /// How many second heaps a tile has.
    fn tile(&self, heaps: usize) -> u32 {
        let positions = SortedHeaps::count(heaps - 2, self.max()).unwrap_or(u64::MAX);
        (TILE / positions).clamp(1, u64::from(self.max())) as u32
    }

    fn waves_of_group(&self, heaps: usize, least: u32) -> u64 {
        if heaps == 2 {
            return u64::from((self.last_slab(2) - least + 1).min(SLABS));
        }
        let tile = self.tile(heaps);
        u64::from(self.max() / tile - least / tile) + u64::from(SLABS)
    }

    /// Calls `visit` with the keys of the tile, none of whose heaps is empty, in lexicographic order.
    pub fn for_each_key(&self, tile: &Tile, mut visit: impl FnMut(&[u32])) {
        let parts = tile.heaps - 1;
        let mut key = [tile.slab; MAX_HEAPS];
        if parts < 2 {
            return visit(&key[..parts]);
        }
        let key = &mut key[..parts];
        key[1..].fill(tile.from);
        loop {
            visit(key);
            // The rightmost heap that can grow; those after it restart at its new size.
            let Some(i) = (1..parts).rfind(|&i| key[i] < if i == 1 { tile.to } else { self.max() }) else {
                return;
            };
            let grown = key[i] + 1;
            key[i..].fill(grown);
        }
    }

    /// The wave of a position, given without its empty heaps.
    pub fn wave_of(&self, heaps: &[u32]) -> u64 {
        let (Some(&slab), Some(&second)) = (heaps.first(), heaps.get(1)) else { return 0 };
        let group =
            self.groups.partition_point(|&(_, stage, least)| (stage, least) <= (heaps.len(), slab)) - 1;
        let (start, stage, least) = self.groups[group];
        let behind = u64::from(slab - least);
        if stage == 2 {
            start + behind
        } else {
            start + behind + u64::from(second / self.tile(stage) - least / self.tile(stage))
        }
    }
}

impl Waves for Slabs {
    type Block = Tile;

    fn count(&self) -> u64 {
        self.count
    }

    fn blocks(&self, wave: u64) -> Vec<Tile> {
        let (start, heaps, least) = self.groups[self.groups.partition_point(|group| group.0 <= wave) - 1];
        let step = (wave - start) as u32;
        let max = self.max();
        match heaps {
            1 => vec![Tile { heaps, slab: 0, from: 0, to: max }],
            2 => vec![Tile { heaps, slab: least + step, from: least + step, to: max }],
            _ => {
                let size = self.tile(heaps);
                let last = self.last_slab(heaps).min(least + (SLABS - 1)).min(least + step);
                let tile = |slab: u32| {
                    let number = least / size + step - (slab - least);
                    let (from, to) = (number.checked_mul(size)?.max(slab), max.min((number + 1) * size - 1));
                    (from <= to).then_some(Tile { heaps, slab, from, to })
                };
                (least..=last).filter_map(tile).collect()
            }
        }
    }

    fn is_before(&self, earlier: u64, index: u64) -> bool {
        let space = self.space(self.heaps());
        let present = |index: u64| {
            let mut heaps = Vec::new();
            space.unrank_into(index, &mut heaps);
            heaps.retain(|&heap| heap > 0);
            heaps
        };
        let (a, b) = (present(earlier), present(index));
        let (wave, later) = (self.wave_of(&a), self.wave_of(&b));
        // Single heaps are one tile.
        let slab = |heaps: &[u32]| if heaps.len() < 2 { 0 } else { heaps[0] };
        wave < later || wave == later && slab(&a) == slab(&b) && earlier < index
    }

    fn for_each_range(&self, tile: &Tile, visit: &mut dyn FnMut(u64, u64)) {
        let space = self.space(tile.heaps);
        self.for_each_key(tile, |key| {
            visit(space.row_start(key), u64::from(space.max() - space.row_first(key)) + 1);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_tile_of_its_wave() {
        for (heaps, max) in [(1, 9), (2, 40), (3, 1), (3, 50), (4, 20), (5, 9), (6, 6)] {
            for limit in [0, 1, 5, max] {
                let space = SortedHeaps::new(heaps, max).unwrap().slice(limit);
                let slabs = Slabs::new(&space);
                let mut seen = vec![0u32; space.len() as usize];
                for wave in 0..slabs.count() {
                    for tile in slabs.blocks(wave) {
                        slabs.for_each_range(&tile, &mut |first, length| {
                            for index in first..first + length {
                                seen[index as usize] += 1;
                                let mut position = Vec::new();
                                space.unrank_into(index, &mut position);
                                position.retain(|&heap| heap > 0);
                                assert_eq!(slabs.wave_of(&position), wave, "{position:?}");
                            }
                        });
                    }
                }
                let mut position = Vec::new();
                for (index, times) in (0..).zip(seen) {
                    space.unrank_into(index, &mut position);
                    let inside = heaps == 1 || position[0] <= limit;
                    assert_eq!(times, u32::from(inside), "{position:?}, {heaps} heaps of {max}");
                }
            }
        }
    }

    #[test]
    fn lowered_positions_are_before() {
        let space = SortedHeaps::new(4, 12).unwrap();
        let slabs = Slabs::new(&space);
        let mut position = Vec::new();
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            for i in 0..4 {
                space.for_each_lowered(&position, i, position[i], |option| {
                    assert!(slabs.is_before(option, index) && !slabs.is_before(index, option));
                });
            }
        }
    }
}
