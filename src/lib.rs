//! nimwave enumerates impartial combinatorial games.
#![warn(missing_docs)]

#[cfg(target_endian = "big")]
compile_error!(
    "nimwave's tables are little-endian and mapped as they are; big-endian machines are not supported"
);

pub mod analysis;
pub mod bench;
pub mod claims;
pub mod cli;
pub mod error;
pub mod partizan;
pub mod rules;
pub mod space;
pub mod sweep;
pub mod table;
pub mod verify;
pub mod waves;

pub use error::{Error, Result};
