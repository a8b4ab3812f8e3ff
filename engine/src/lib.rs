//! The rooms of nimwave from the rules of a game to an answer about it: what is compiled for speed. Programs use
//! the crate `nimwave`, whose page begins with examples.

#[cfg(target_endian = "big")]
compile_error!(
    "nimwave's tables are little-endian and mapped as they are; big-endian machines are not supported"
);

// The order of the data, which rustfmt would sort: hence the empty lines.
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
