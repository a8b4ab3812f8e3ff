//! nimwave enumerates impartial combinatorial games: it numbers the positions of a game densely, sweeps them in waves on
//! all cores, fills arrays of outcomes (bits) and Grundy values (bytes), and proves the result right.
//!
//! ```
//! use nimwave::rules::Play;
//! use nimwave::base::Control;
//! use nimwave::sweep::HeapJob;
//! use nimwave::table::Quantity;
//!
//! // All positions of minnie on at most three heaps of at most 20 counters.
//! let job = HeapJob::minnie(3, 20, Play::Normal, Quantity::Values);
//! let table = job.solve(None, &Control::silent())?;
//! let space = job.space()?;
//! assert_eq!(table.cells().get(space.rank_sorted(&[5, 5, 11])), 0); // [5, 5, 11] is a P-position
//! # Ok::<(), nimwave::Error>(())
//! ```
//!
//! # The way of the data
//!
//! ```text
//! rules  ->  space  ->  waves  ->  sweep(kernel)  ->  table  ->  verify  ->  analysis  ->  export
//! what a     dense      which      fills a wave       files,     other       answers,      CSV, NPY,
//! move is    index      go         on all cores       journal,   code,       conjectures   b-files
//!                       together                      checksums  same answer
//! ```
//!
//! Each word is a module. A module uses those to its left; [`verify`] does not use [`sweep`].
#![warn(missing_docs)]

#[cfg(target_endian = "big")]
compile_error!(
    "nimwave's tables are little-endian and mapped as they are; big-endian machines are not supported"
);

pub mod base;

pub mod rules;

pub mod game;

pub mod space;

pub mod waves;

pub mod table;

pub mod sweep;

pub mod cluster;

pub mod search;

pub mod verify;

pub mod partizan;

pub mod analysis;

pub mod proof;

pub mod answer;

pub mod claims;

pub mod export;

pub mod plot;

pub mod batch;

pub mod report;

pub mod bench;

#[cfg(feature = "cli")]
pub mod cli;

pub use base::{Error, Result};
