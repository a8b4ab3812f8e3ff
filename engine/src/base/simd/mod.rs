//! The vectors of this machine: one detection, one vector trait, one dispatch.
//!
//! A loop is written once, for any [`Vector`], as a [`VectorLoop`]; [`Isa::run`] runs the build of it for the
//! instructions that the machine has. Loads from memory that other threads write meanwhile are in [`shared`]
//! and nowhere else.

pub mod block;
pub mod shared;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use vector::{Has, Vector, VectorLoop};

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::{Error, Result};

/// The variable of the environment that narrows what is detected, so that a test can force a narrower path.
const VARIABLE: &str = "NIMWAVE_ISA";

/// The instruction sets that have their own build of the loops, in the order of their power.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every machine has.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors, of words and bytes too (AVX-512 F and BW).
    Avx512,
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "portable" => Ok(Self::Portable),
            "avx2" => Ok(Self::Avx2),
            "avx512" => Ok(Self::Avx512),
            _ => Err(Error::Usage(format!(
                "{VARIABLE}={name} is not an instruction set; use portable, avx2 or avx512, or unset it"
            ))),
        }
    }
}

/// Instructions that this machine has. One above [`Isa::PORTABLE`] can be had from the detection only, so
/// that a value of this type is the proof that they may be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Isa(Level);

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Isa {
    /// The instructions that every machine has.
    pub const PORTABLE: Self = Self(Level::Portable);

    /// The best instructions of this machine, or what `NIMWAVE_ISA` narrows them to. A name that
    /// [`Self::check_environment`] refuses narrows nothing.
    pub fn detect() -> Self {
        static DETECTED: OnceLock<Isa> = OnceLock::new();
        *DETECTED.get_or_init(|| match from_environment() {
            Ok(Some(level)) => Self::best().at_most(level),
            Ok(None) | Err(_) => Self::best(),
        })
    }

    /// An error if `NIMWAVE_ISA` is set to a name that is not an instruction set.
    pub fn check_environment() -> Result<()> {
        from_environment().map(drop)
    }

    /// These instructions, or those of `level` if that is less.
    pub fn at_most(self, level: Level) -> Self {
        Self(self.0.min(level))
    }

    /// Which instructions these are.
    pub fn level(self) -> Level {
        self.0
    }

    /// Every choice that this machine has.
    pub fn available() -> Vec<Self> {
        let mut all =
            [Level::Portable, Level::Avx2, Level::Avx512].map(|level| Self::detect().at_most(level)).to_vec();
        all.dedup();
        all
    }

    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            return Self(if wide { Level::Avx512 } else { Level::Avx2 });
        }
        Self::PORTABLE
    }

    /// Runs the build of the loop for these instructions.
    #[inline]
    pub fn run<L: VectorLoop>(self, work: L) -> L::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an Isa of this level exists only where the machine has the instructions.
            Level::Avx512 => unsafe { x86::run_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Level::Avx2 => unsafe { x86::run_avx2(work) },
            _ => work.run(Has::portable()),
        }
    }
}

fn from_environment() -> Result<Option<Level>> {
    std::env::var_os(VARIABLE).map(|name| name.to_string_lossy().parse()).transpose()
}

#[cfg(test)]
mod tests;
