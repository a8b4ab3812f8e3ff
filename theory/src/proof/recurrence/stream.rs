//! The sequence of a machine from any state on, without memory of what was before its window.

#[cfg(target_arch = "x86_64")]
use super::lanes::Lanes;
use super::machine::{Look, Machine, undecided};
use crate::base::Result;
use crate::base::simd::Isa;

/// How many bytes behind what is filled may be overwritten.
pub const SLACK: usize = 64;

/// Fills indices by condition (a) of the theorem: the least one that no look gives.
pub struct Stream<'a> {
    looks: &'a [Look],
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes>,
    /// Until then what is filled may look at an index of 16 or more.
    wide_until: u64,
    reach: u64,
}

impl<'a> Stream<'a> {
    /// A stream that continues `window`, which ends before heap `next`.
    pub fn new(machine: &'a Machine, isa: Isa, window: &[u8], next: u64) -> Self {
        #[cfg(not(target_arch = "x86_64"))]
        let _ = isa;
        let mut stream = Self {
            looks: &machine.looks,
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::new(&machine.looks, isa),
            wide_until: 0,
            reach: machine.width() as u64,
        };
        stream.note(window, next);
        stream
    }

    /// Whether something in `x`, which ends before heap `next`, is too wide for the lanes.
    fn note(&mut self, x: &[u8], next: u64) {
        if let Some(last) = x.iter().rposition(|&index| index >= 16) {
            self.wide_until = next - (x.len() - last) as u64 + self.reach + 1;
        }
    }

    /// Fills `x[from..to]`, of which the first is heap `n`. `x` must reach [`SLACK`] bytes further.
    pub fn fill(&mut self, x: &mut [u8], from: usize, to: usize, n: u64) -> Result<()> {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = &self.lanes
            && n >= self.wide_until
            && lanes.fill(x, from, to)
        {
            return Ok(());
        }
        one_by_one(self.looks, x, from, to)?;
        self.note(&x[from..to], n + (to - from) as u64);
        Ok(())
    }
}

/// The definition of condition (a).
fn one_by_one(looks: &[Look], x: &mut [u8], from: usize, to: usize) -> Result<()> {
    for n in from..to {
        let mut seen = [0u64; 4];
        for look in looks {
            let index = x[n - look.offset as usize] ^ look.with;
            seen[usize::from(index / 64)] |= 1 << (index % 64);
        }
        let full = seen.iter().take_while(|&&word| word == u64::MAX).count();
        let index = 64 * full as u32 + seen.get(full).map_or(0, |word| word.trailing_ones());
        if index >= 255 {
            return Err(undecided("its values grow"));
        }
        x[n] = index as u8;
    }
    Ok(())
}
