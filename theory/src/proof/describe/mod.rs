//! What a proof says, in words for people.

pub mod automata;
pub mod gaps;
pub mod quotient;
