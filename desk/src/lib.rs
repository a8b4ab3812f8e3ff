//! The rooms of nimwave that people read and run. Programs use the crate `nimwave`, whose page begins with
//! examples.

use nimwave_engine::{base, game, rules, space, sweep, table};
#[cfg(feature = "cli")]
use nimwave_engine::{search, verify, waves};
use nimwave_theory::{analysis, proof};

// The order of the data, which rustfmt would sort: hence the empty lines.
pub mod export;

pub mod plot;

pub mod batch;

pub mod report;

pub mod survey;

#[cfg(feature = "cli")]
pub mod bench;
