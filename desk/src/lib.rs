//! The rooms of nimwave that people read and run. Programs use the crate `nimwave`, whose page begins with
//! examples.

use nimwave_engine::{analysis, base, game, partizan, proof, rules, search, space, sweep, table};
#[cfg(feature = "cli")]
use nimwave_engine::{verify, waves};

// The order of the data, which rustfmt would sort: hence the empty lines.
pub mod claims;

pub mod export;

pub mod plot;

pub mod batch;

pub mod report;

pub mod survey;

#[cfg(feature = "cli")]
pub mod bench;
