//! Running the waves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crossbeam_utils::CachePadded;
use rayon::prelude::*;

use super::kernel::{Kernel, TooWide};
use super::pace::Checkpoints;
use crate::base::machine::human_bytes;
use crate::base::{Control, Error, Result};
use crate::table::{Table, Width};
use crate::waves::Waves;

/// A checkpoint of so many bytes may take longer than people expect after Ctrl-C.
const SLOW_TO_WRITE: u64 = 256 << 20;

enum WaveEnd {
    Done,
    Stopped,
    TooWide,
}

/// Fills the rest of `table` with `kernel`. On return every wave is finished, but the table is not yet marked
/// complete. Returns the seconds it took.
pub fn run<W: Waves>(
    table: &mut Table,
    waves: &W,
    kernel: &dyn Kernel<W::Block>,
    control: &Control<'_>,
) -> Result<f64> {
    let started = Instant::now();
    let total = waves.count();
    let mut wave = table.waves_done();
    control.observer.begin(total, table.spec().entries, wave);
    clear_unfinished(table, waves)?;
    recall(table, waves, kernel, wave, control);
    // Every thread adds to it: a cache line of its own, apart from what all of them read.
    let filled = CachePadded::new(AtomicU64::new(0));
    let mut checkpoints = Checkpoints::new(control);
    while wave < total {
        match run_wave(table, waves, kernel, wave, control, &filled) {
            WaveEnd::Done => {
                wave += 1;
                control.observer.wave(wave, filled.load(Relaxed));
            }
            WaveEnd::TooWide => {
                if table.manifest().width == Width::U16 {
                    return Err(Error::too_wide());
                }
                // The wave is done again. What the kernel remembers of its rows must go first: a row that saw
                // its own values as those of options would be filled with others.
                table.widen()?;
                clear_wave(table, waves, wave);
                kernel.forget();
                recall(table, waves, kernel, wave, control);
                table.checkpoint(wave, started.elapsed().as_secs_f64())?;
                continue;
            }
            WaveEnd::Stopped => {
                if table.is_on_disk() && table.bytes() >= SLOW_TO_WRITE {
                    control.observer.note(&format!(
                        "Stopping: the checkpoint of this table of {} waits for the disk. A second signal ends at once; then the last checkpoint before counts.",
                        human_bytes(table.bytes())
                    ));
                }
                clear_wave(table, waves, wave);
                table.checkpoint(wave, started.elapsed().as_secs_f64())?;
                return Err(Error::Interrupted { done: wave, total });
            }
        }
        if table.is_on_disk() && wave < total && checkpoints.is_due() {
            checkpoints.make(wave, || table.checkpoint(wave, started.elapsed().as_secs_f64()))?;
        }
    }
    Ok(started.elapsed().as_secs_f64())
}

/// Clears what lies beyond the last checkpoint, after a check that the rest is what it was.
pub fn clear_unfinished<W: Waves>(table: &mut Table, waves: &W) -> Result<()> {
    if table.is_resumed() {
        // The first time on a private copy: where the check fails, the file stays as it was.
        let unfinished = table.waves_done()..waves.count();
        unfinished.clone().for_each(|later| clear_wave(table, waves, later));
        if table.check_resumed()? {
            unfinished.for_each(|later| clear_wave(table, waves, later));
        }
    }
    Ok(())
}

/// Makes the kernel remember the waves before `wave`, unless `control` stops the run: then it fills nothing
/// more.
pub fn recall<W: Waves>(
    table: &Table,
    waves: &W,
    kernel: &dyn Kernel<W::Block>,
    wave: u64,
    control: &Control<'_>,
) {
    for done in (0..wave).take_while(|_| !control.stopped()) {
        waves.blocks(done).par_iter().for_each(|block| kernel.recall(&table.cells(), block));
    }
}

fn run_wave<W: Waves>(
    table: &Table,
    waves: &W,
    kernel: &dyn Kernel<W::Block>,
    wave: u64,
    control: &Control<'_>,
    filled: &AtomicU64,
) -> WaveEnd {
    let cells = table.cells();
    let blocks = waves.blocks(wave);
    let too_wide = AtomicBool::new(false);
    let fill = |block: &W::Block| {
        if control.stopped() || too_wide.load(Relaxed) {
            return;
        }
        match kernel.fill(&cells, block) {
            Ok(positions) => {
                filled.fetch_add(positions, Relaxed);
            }
            Err(TooWide) => too_wide.store(true, Relaxed),
        }
    };
    match blocks.as_slice() {
        // Not worth waking anybody.
        [only] => fill(only),
        all => all.par_iter().for_each(fill),
    }
    if too_wide.load(Relaxed) {
        WaveEnd::TooWide
    } else if control.stopped() {
        WaveEnd::Stopped
    } else {
        WaveEnd::Done
    }
}

/// Sets all entries of a wave to 0.
fn clear_wave<W: Waves>(table: &Table, waves: &W, wave: u64) {
    let cells = table.cells();
    waves.blocks(wave).par_iter().for_each(|block| {
        waves.for_each_range(block, &mut |first, length| cells.clear(first, length));
    });
}
