//! The rooms of nimwave that read values and prove: what else is compiled for speed. Programs use the crate
//! `nimwave`, whose page begins with examples.

use nimwave_engine::{base, game, rules, search, space, sweep, table};

// The order of the data, which rustfmt would sort: hence the empty lines.
pub mod partizan;

pub mod analysis;

pub mod proof;

pub mod answer;
