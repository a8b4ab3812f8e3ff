//! Todd Mullen and Richard Nowakowski, *The self-referential impartial game MINNIE*, 2020.

mod outcomes;
mod proofs;
mod survey;
mod values;

use super::Claim;

/// The claims of the paper in the order of print.
pub fn claims() -> Vec<Claim> {
    [survey::claims(), outcomes::claims(), proofs::claims(), values::claims()].concat()
}
