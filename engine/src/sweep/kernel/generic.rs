//! The scalar kernel for any rules on any space: the definition, entry by entry.
//!
//! Per position it visits every option, ranks it and loads its entry; for values it marks what it sees and
//! scans for the least unmarked number.

use super::{Kernel, TooWide};
use crate::base::Control;
use crate::rules::{Play, Rules};
use crate::space::Space;
use crate::table::{Bits, Cells, ValueCell};
use crate::waves::Waves;

/// The scalar kernel; `waves` says what a block is.
pub struct Generic<'a, R: ?Sized, S, W> {
    rules: &'a R,
    play: Play,
    space: &'a S,
    waves: &'a W,
    control: Control<'a>,
}

impl<'a, R, S, W> Generic<'a, R, S, W>
where
    R: Rules + ?Sized,
    S: Space<Position = R::Position>,
    W: Waves,
    <R::Position as ToOwned>::Owned: Default,
{
    /// The kernel that plays by `rules` in normal or misère play on `space` in the order of `waves`.
    pub fn new(rules: &'a R, play: Play, space: &'a S, waves: &'a W) -> Self {
        Self { rules, play, space, waves, control: Control::silent() }
    }

    /// The same, but what is left of a block is not filled once `control` has stopped the run, which clears
    /// it: a single row of long heaps may take minutes.
    pub fn stopped_by(self, control: &Control<'a>) -> Self {
        Self { control: *control, ..self }
    }

    fn each_position(&self, block: &W::Block, mut fill: impl FnMut(u64, &R::Position)) -> u64 {
        /// Positions between two looks at the clock.
        const LOOK_EVERY: u64 = 64;
        let mut position = Default::default();
        let mut count = 0;
        self.waves.for_each_range(block, &mut |first, length| {
            for index in first..first + length {
                if (index - first) % LOOK_EVERY == LOOK_EVERY - 1 && self.control.stopped() {
                    return;
                }
                self.space.unrank_into(index, &mut position);
                fill(index, std::borrow::Borrow::borrow(&position));
            }
            count += length;
        });
        count
    }

    /// The index `option`, which entry `index` reads; a debug build checks that it is finished.
    fn finished(&self, index: u64, option: u64) -> u64 {
        debug_assert!(
            self.waves.is_before(option, index),
            "entry {index} reads entry {option} before it is finished"
        );
        option
    }

    fn fill_outcomes(&self, bits: &Bits<'_>, block: &W::Block) -> u64 {
        self.each_position(block, |index, position| self.fill_outcome(bits, index, position))
    }

    /// Fills the entry `index` of `position`.
    pub(super) fn fill_outcome(&self, bits: &Bits<'_>, index: u64, position: &R::Position) {
        let (mut terminal, mut reaches_p) = (true, false);
        self.rules.options(position, &mut |option| {
            terminal = false;
            // One P option is enough: the others need not even be ranked.
            reaches_p = reaches_p || bits.get(self.finished(index, self.space.rank(option)));
        });
        let terminal_is_p = self.play.terminal_value() == 0;
        if if terminal { terminal_is_p } else { !reaches_p } {
            bits.set(index);
        }
    }

    fn fill_values<C: ValueCell>(&self, cells: &[C], block: &W::Block) -> Result<u64, TooWide> {
        // `marked[v] == turn` says that v is the value of an option of the position at hand.
        let mut marked: Vec<u64> = vec![0; usize::from(C::MAX) + 2];
        let mut turn = 0;
        let mut too_wide = false;
        let count = self.each_position(block, |index, position| {
            turn += 1;
            let mut terminal = true;
            self.rules.options(position, &mut |option| {
                terminal = false;
                let value = self.space.entry_of(option, |at| cells[self.finished(index, at) as usize].get());
                marked[usize::from(value)] = turn;
            });
            let value = if terminal {
                usize::from(self.play.terminal_value())
            } else {
                marked
                    .iter()
                    .position(|&mark| mark != turn)
                    .expect("one value more than fits is never marked")
            };
            if value > usize::from(C::MAX) {
                too_wide = true;
            } else {
                cells[index as usize].put(value as u16);
            }
        });
        if too_wide { Err(TooWide) } else { Ok(count) }
    }
}

impl<R, S, W> Kernel<W::Block> for Generic<'_, R, S, W>
where
    R: Rules + ?Sized,
    S: Space<Position = R::Position>,
    W: Waves,
    <R::Position as ToOwned>::Owned: Default,
{
    fn fill(&self, cells: &Cells<'_>, block: &W::Block) -> Result<u64, TooWide> {
        match cells {
            Cells::Bits(bits) => Ok(self.fill_outcomes(bits, block)),
            Cells::U8(cells) => self.fill_values(cells, block),
            Cells::U16(cells) => self.fill_values(cells, block),
        }
    }
}
