//! Grundy values of minnie by windows that remember where a value was last seen.
//!
//! **Idea.** The options of a position that lower one heap lie on a *line*, known by the other heaps O: they are
//! the last places of it, as many as the smallest heap m has. Each line keeps a bitset of the values in its
//! window, and the value of a position is the first zero of the OR of the bitsets of the lines through it. When a
//! value enters a line its place is kept beside its bit; when the place m back leaves, its bit is cleared unless the
//! value was seen again, at a later place. So a position costs a few words and two places per heap, and no option is
//! looked at.
//!
//! **Why little must be remembered.** While the lowered heap is the smallest of the position, nothing leaves
//! the line: bits are enough. Something leaves only where O holds the smallest heap m; such lines belong to the
//! slab m. So the places are kept for the slabs that are being filled ([`Slabs`] has the order), and made from
//! the table when a slab begins: from the rows (0, O), (1, O), ..., (m-1, O). When a slab is done its lines are
//! never read again. A line has the same bits in both roles, which is why the window of the next heap begins as
//! it must.
//!
//! **Threads.** The tiles of a wave are in different slabs. One of slab m writes lines of O with smallest heap m, and
//! lines of O whose smallest heap is the tile's second heap, which the slabs behind it reach in a later wave.
//! So no two threads meet on a line.

mod row;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use self::row::{Row, Scratch};
use super::super::{Kernel, TooWide};
use super::values::{fill_single_heaps, planes as all_planes};
use crate::rules::Play;
use crate::space::{SortedHeaps, Space};
use crate::table::{Cells, ValueCell};
use crate::waves::{SLABS, Slabs, Tile};

/// Grundy values of minnie; `P` holds a place modulo a number that is larger than the largest window.
pub struct MinnieWindows<'a, P> {
    slabs: &'a Slabs,
    play: Play,
    /// The lines of 2, 3, ... heaps.
    stages: Vec<Stage>,
    /// The places of the slabs that are being filled; slab m has place m modulo their number.
    places: Vec<Mutex<Vec<P>>>,
}

/// The place on a line, or enough of it.
pub trait Place: Copy + Default + PartialEq + Send {
    /// The place `place`.
    fn of(place: u32) -> Self;
}

impl Place for u8 {
    #[inline(always)]
    fn of(place: u32) -> Self {
        place as Self
    }
}

impl Place for u16 {
    #[inline(always)]
    fn of(place: u32) -> Self {
        place as Self
    }
}

/// The bits of all lines of the positions of so many heaps: O without its last heap is the *front*, and the
/// lines of a front lie in planes, of which plane w has the word of the values 64w..64w+63 for each last heap.
struct Stage {
    heaps: usize,
    /// The fronts; with two heaps there is one, which is empty.
    fronts: Option<SortedHeaps>,
    /// For each front where its planes begin and how many they are.
    starts: Vec<(usize, usize)>,
    bits: Vec<AtomicU64>,
}

/// The planes of a line whose positions have at most this smallest heap. A position of k heaps with smallest heap m has up
/// to km options, but its value is seldom beyond 2m: larger values are left out of the lines, and a position that
/// has all others among its options is looked at by itself.
fn planes(heaps: usize, smallest: u32) -> usize {
    all_planes(heaps, smallest).min((2 * smallest as usize + 8) / 64 + 1)
}

/// What is known of the values of a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// They are to be found.
    Fill,
    /// An earlier run has found them.
    Recall,
}

impl Stage {
    fn new(heaps: usize, max: u32, last_slab: u32) -> Self {
        let fronts = (heaps > 2).then(|| SortedHeaps::new(heaps - 2, max).expect("smaller than the space"));
        let mut total = 0;
        let mut front = Vec::new();
        let starts = (0..fronts.as_ref().map_or(1, |space| space.len()))
            .map(|rank| {
                if let Some(space) = &fronts {
                    space.unrank_into(rank, &mut front);
                }
                let smallest = front.first().map_or(last_slab, |&heap| heap.min(last_slab));
                // Fronts with an empty heap are of no position of this stage.
                let words = if front.first() == Some(&0) { 0 } else { planes(heaps, smallest) };
                let start = total;
                total += words * (max - front.last().copied().unwrap_or(0) + 1) as usize;
                (start, words)
            })
            .collect();
        let bits = (0..total).map(|_| AtomicU64::new(0)).collect();
        Self { heaps, fronts, starts, bits }
    }

    /// Where the planes of a front begin, and how many they are.
    #[inline]
    fn front(&self, front: &[u32]) -> (usize, usize) {
        self.starts[self.fronts.as_ref().map_or(0, |space| space.rank_sorted(front) as usize)]
    }

    /// The words before those of slab m, and those of it: its fronts begin with m.
    fn slab(&self, m: u32) -> (usize, usize) {
        let Some(fronts) = &self.fronts else { return (0, self.starts[0].1) };
        let first = |m: u32| {
            let rank =
                if m > fronts.max() { fronts.len() } else { fronts.rank_sorted(&vec![m; self.heaps - 2]) };
            self.starts.get(rank as usize).map_or(self.bits.len(), |start| start.0)
        };
        (first(m), first(m + 1) - first(m))
    }

    #[inline(always)]
    fn set(&self, word: usize, bit: usize) {
        let word = &self.bits[word];
        word.store(word.load(Relaxed) | 1 << bit, Relaxed);
    }
}

impl<'a, P: Place> MinnieWindows<'a, P> {
    /// The kernel for the tiles of `slabs`.
    pub fn new(slabs: &'a Slabs, play: Play) -> Self {
        let stages = (2..=slabs.heaps()).map(|heaps| Stage::new(heaps, slabs.max(), slabs.last_slab(heaps)));
        let places = (0..SLABS).map(|_| Mutex::new(Vec::new())).collect();
        Self { slabs, play, stages: stages.collect(), places }
    }

    /// The bytes beside the table: the bits of all lines, and the places of the slabs that are filled side by side.
    pub fn memory(heaps: usize, max: u32, last_slab: u32) -> u64 {
        let lines = |heaps: usize, m: u32| SortedHeaps::count(heaps - 2, max - m).unwrap_or(u64::MAX);
        let (mut bits, mut places) = (0u64, 0);
        for stage in 2..=heaps {
            let last_slab = if stage == heaps { last_slab } else { max };
            for m in 1..=max {
                let words = lines(stage, m).saturating_mul(planes(stage, m.min(last_slab)) as u64);
                bits = bits.saturating_add(8 * words);
                // Two heaps have one line with places in each slab.
                places = places.max(if stage > 2 && m <= last_slab { 64 * words } else { 0 });
            }
        }
        let size = size_of::<P>() as u64;
        places.saturating_mul(size * u64::from(SLABS)).saturating_add(bits)
    }

    fn tile<C: ValueCell>(&self, cells: &[C], tile: &Tile, task: Task) -> Result<u64, TooWide> {
        let space = self.slabs.space(tile.heaps);
        if tile.heaps == 1 {
            if task == Task::Fill {
                fill_single_heaps(&cells[..=space.max() as usize], self.play)?;
            }
            return Ok(space.len());
        }
        let stage = &self.stages[tile.heaps - 2];
        let mut places = self.places[(tile.slab % SLABS) as usize].lock().unwrap_or_else(|e| e.into_inner());
        if tile.is_first() {
            begin_slab(stage, space, cells, tile.slab, &mut places);
        }
        let mut scratch = Scratch::default();
        let mut positions = 0;
        let mut end = Ok(());
        let before = stage.slab(tile.slab).0;
        self.slabs.for_each_key(tile, |key| {
            if end.is_ok() {
                let row = Row::new(stage, space, cells, key, before);
                positions += row.len as u64;
                end = row.work(task, &mut places, &mut scratch);
            }
        });
        end.map(|()| positions)
    }
}

/// Finds the places of the lines of slab m, whose first m places have been entered.
fn begin_slab<C: ValueCell, P: Place>(
    stage: &Stage,
    space: &SortedHeaps,
    cells: &[C],
    m: u32,
    places: &mut Vec<P>,
) {
    let (before, words) = stage.slab(m);
    if places.len() < 64 * words {
        places.resize(64 * words, P::default());
    }
    let mut position = vec![m; stage.heaps];
    let Some(fronts) = &stage.fronts else {
        // One line, that of the slab's row.
        for place in 0..m {
            position[0] = place;
            let value = usize::from(cells[space.rank_sorted(&position) as usize].get());
            if value < 64 * words {
                places[value] = P::of(place);
            }
        }
        return;
    };
    let mut front = vec![m; stage.heaps - 2];
    let first = fronts.rank_sorted(&front);
    for rank in first.. {
        if rank >= fronts.len() {
            return;
        }
        fronts.unrank_into(rank, &mut front);
        if front[0] != m {
            return;
        }
        let (start, words) = stage.starts[rank as usize];
        let low = front[front.len() - 1];
        position[1..=front.len()].copy_from_slice(&front);
        position[front.len() + 1] = low;
        let length = (space.max() - low) as usize + 1;
        for place in 0..m {
            position[0] = place;
            let row = &cells[space.rank_sorted(&position) as usize..][..length];
            for (cell, line) in row.iter().zip(places[64 * (start - before)..].chunks_exact_mut(64 * words)) {
                if let Some(seen) = line.get_mut(usize::from(cell.get())) {
                    *seen = P::of(place);
                }
            }
        }
    }
}

impl<P: Place> Kernel<Tile> for MinnieWindows<'_, P> {
    fn fill(&self, cells: &Cells<'_>, tile: &Tile) -> Result<u64, TooWide> {
        match cells {
            Cells::U8(cells) => self.tile(cells, tile, Task::Fill),
            Cells::U16(cells) => self.tile(cells, tile, Task::Fill),
            Cells::Bits(_) => panic!("the value kernel fills tables of values"),
        }
    }

    fn forget(&self) {
        self.stages.iter().flat_map(|stage| &stage.bits).for_each(|word| word.store(0, Relaxed));
    }

    fn recall(&self, cells: &Cells<'_>, tile: &Tile) {
        let known = match cells {
            Cells::U8(cells) => self.tile(cells, tile, Task::Recall),
            Cells::U16(cells) => self.tile(cells, tile, Task::Recall),
            Cells::Bits(_) => Ok(0),
        };
        known.expect("values of a table fit into it");
    }
}
