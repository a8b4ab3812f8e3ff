//! The two orders of the values of minnie: by rows of equal key sum, like all other tables, or by slabs.
//!
//! The number of waves of a table tells them apart, so that a run resumes in the order in which it was begun.

use super::super::kernel::{Generic, Kernel, MinnieWindows};
use super::super::run::run;
use super::{HeapJob, KernelChoice};
use crate::base::{Control, Result};
use crate::game::Family;
use crate::space::SortedHeaps;
use crate::table::{Quantity, Table};
use crate::waves::{Slabs, Tile, Waves};

impl HeapJob {
    /// The waves of slabs of this table, if it can be filled by them.
    fn slabs(&self, space: &SortedHeaps) -> Option<Slabs> {
        let values = self.quantity == Quantity::Values && self.family == Some(Family::Minnie);
        let fits = values && space.heaps() > 2 && space.max() <= u16::MAX.into();
        let slabs = fits.then(|| Slabs::new(space))?;
        (slabs.count() != self.waves(space).count()).then_some(slabs)
    }

    /// The bytes that windows take beside the table.
    pub(super) fn window_memory(&self) -> u64 {
        let last_slab = self.smallest.unwrap_or(self.max).min(self.max);
        if self.max < 256 {
            MinnieWindows::<u8>::memory(self.heaps, self.max, last_slab)
        } else {
            MinnieWindows::<u16>::memory(self.heaps, self.max, last_slab)
        }
    }

    /// Whether a new table is filled by slabs: where windows take no more than the table, or 256 MiB.
    pub(super) fn prefers_slabs(&self) -> Result<bool> {
        let wanted = !self.by_rows && self.kernel != KernelChoice::Generic;
        Ok(wanted
            && self.slabs(&self.space()?).is_some()
            && self.window_memory() <= self.entries().unwrap_or(0).max(256 << 20))
    }

    /// The number of waves in the order of a new table, and in the other one.
    pub(super) fn wave_counts(&self, space: &SortedHeaps) -> Result<(u64, Option<u64>)> {
        let by_rows = self.waves(space).count();
        let by_slabs = self.slabs(space).map(|slabs| slabs.count());
        Ok(match by_slabs {
            Some(by_slabs) if self.prefers_slabs()? => (by_slabs, Some(by_rows)),
            _ => (by_rows, by_slabs),
        })
    }

    /// Fills what is missing of the table, in the order in which it was begun. Returns the seconds.
    pub fn sweep(&self, table: &mut Table, control: &Control<'_>) -> Result<f64> {
        let space = self.space()?;
        let begun = |slabs: &Slabs| slabs.count() == table.spec().waves;
        if let Some(slabs) = self.slabs(&space).filter(begun) {
            return run(table, &slabs, &*self.kernel_by_slabs(&space, &slabs, control), control);
        }
        let waves = self.waves(&space);
        let kernel = self.kernel_within(&space, &waves, control);
        run(table, &waves, &*kernel, control)
    }

    fn kernel_by_slabs<'a>(
        &'a self,
        space: &'a SortedHeaps,
        slabs: &'a Slabs,
        control: &Control<'a>,
    ) -> Box<dyn Kernel<Tile> + 'a> {
        let play = self.game.play();
        match self.kernel {
            KernelChoice::Generic => {
                Box::new(Generic::new(&*self.rules, play, space, slabs).stopped_by(control))
            }
            _ if self.max < 256 => Box::new(MinnieWindows::<u8>::new(slabs, play)),
            _ => Box::new(MinnieWindows::<u16>::new(slabs, play)),
        }
    }
}
