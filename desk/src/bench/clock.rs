//! The clock of the processor, so that times can be told in cycles.

use std::sync::OnceLock;

/// Cycles a second of the clock that the processor counts at one rate whatever its cores do, where it has
/// one. A core that runs faster than this rate has more cycles of its own.
pub fn cycles_per_second() -> Option<f64> {
    static RATE: OnceLock<Option<f64>> = OnceLock::new();
    *RATE.get_or_init(measure)
}

#[cfg(target_arch = "x86_64")]
fn measure() -> Option<f64> {
    use std::time::{Duration, Instant};
    // SAFETY: every x86-64 processor has the instruction.
    let now = || (Instant::now(), unsafe { std::arch::x86_64::_rdtsc() });
    let (begun, first) = now();
    std::thread::sleep(Duration::from_millis(20));
    let (ended, last) = now();
    Some(last.wrapping_sub(first) as f64 / (ended - begun).as_secs_f64())
}

#[cfg(not(target_arch = "x86_64"))]
fn measure() -> Option<f64> {
    None
}
