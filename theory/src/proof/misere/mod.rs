//! Misère quotients of octal games (docs/PROOFS.md, section 13).
//!
//! [`solve()`] works out the misère quotient of the heaps up to n, for one n after the other: either the
//! next heap behaves like an element that is there (`partial`), or a larger quotient is guessed (`learn`).
//! Each of them is proved by its `states`; the guess is never trusted. When the elements of the heaps repeat
//! long enough, the quotient is that of all heaps. `canonical` has the genus of single heaps.

mod canonical;
mod certificate;
mod learn;
mod monoid;
mod partial;
mod presentation;
mod reduced;
mod solve;
mod states;
#[cfg(test)]
mod tests;

pub use canonical::{Genus, HeapGenus, genus_sequence};
pub use monoid::{Element, IDENTITY, MAX_ORDER, Monoid};
pub use partial::Partial;
pub use presentation::{Presentation, generator_name};
pub use solve::{End, Extent, Period, Solution, Step, heaps_needed, solve, solve_until_stopped};
