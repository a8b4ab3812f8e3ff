//! The orders of the tables of minnie. All tables can be filled by rows of equal key sum; values of minnie also by slabs, and its outcomes
//! on four heaps or more by strips.
//!
//! The number of waves of a table tells the orders apart, so that a run resumes in the order in which it was begun.

use super::super::kernel::{Generic, Kernel, MinnieStrips, MinnieWindows};
use super::super::run::run;
use super::{HeapJob, KernelChoice};
use crate::base::{Control, Result};
use crate::space::SortedHeaps;
use crate::table::{Table, slabs_of, strips_of};
use crate::waves::{Slabs, Strip, Strips, Tile, Waves};

impl HeapJob {
    /// The waves of slabs of this table, if it can be filled by them.
    fn slabs(&self, space: &SortedHeaps) -> Option<Slabs> {
        slabs_of(self.family, self.quantity, space)
    }

    /// The waves of strips of this table, if it can be filled by them.
    fn strips(&self, space: &SortedHeaps) -> Option<Strips> {
        strips_of(self.family, self.quantity, space)
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

    /// Whether a new table is filled by strips: wherever it can be.
    pub(super) fn prefers_strips(&self) -> bool {
        let wanted = !self.by_rows && self.kernel != KernelChoice::Generic;
        wanted && self.space().is_ok_and(|space| self.strips(&space).is_some())
    }

    /// The number of waves in the order of a new table, and in the other one.
    pub(super) fn wave_counts(&self, space: &SortedHeaps) -> Result<(u64, Option<u64>)> {
        let by_rows = self.waves(space).count();
        if let Some(strips) = self.strips(space) {
            let by_strips = strips.count();
            let preferred = self.prefers_strips();
            return Ok(if preferred { (by_strips, Some(by_rows)) } else { (by_rows, Some(by_strips)) });
        }
        let by_slabs = self.slabs(space).map(|slabs| slabs.count());
        Ok(match by_slabs {
            Some(by_slabs) if self.prefers_slabs()? => (by_slabs, Some(by_rows)),
            _ => (by_rows, by_slabs),
        })
    }

    /// Fills what is missing of the table, in the order in which it was begun. Returns the seconds.
    pub fn sweep(&self, table: &mut Table, control: &Control<'_>) -> Result<f64> {
        let space = self.space()?;
        let waves = table.spec().waves;
        if let Some(slabs) = self.slabs(&space).filter(|slabs| slabs.count() == waves) {
            return run(table, &slabs, &*self.kernel_by_slabs(&space, &slabs, control), control);
        }
        if let Some(strips) = self.strips(&space).filter(|strips| strips.count() == waves) {
            return run(table, &strips, &*self.kernel_by_strips(&space, &strips, control), control);
        }
        let waves = self.waves(&space);
        let kernel = self.kernel_within(&space, &waves, control);
        run(table, &waves, &*kernel, control)
    }

    fn kernel_by_strips<'a>(
        &'a self,
        space: &'a SortedHeaps,
        strips: &'a Strips,
        control: &Control<'a>,
    ) -> Box<dyn Kernel<Strip> + 'a> {
        let play = self.game.play();
        match self.kernel {
            KernelChoice::Generic => {
                Box::new(Generic::new(&*self.rules, play, space, strips).stopped_by(control))
            }
            _ => Box::new(MinnieStrips::new(strips, play, self.isa())),
        }
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
