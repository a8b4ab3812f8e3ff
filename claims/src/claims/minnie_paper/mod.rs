//! Todd Mullen and Richard Nowakowski, *The self-referential impartial game MINNIE*, 2020.

mod outcomes;
mod proofs;
mod survey;
mod values;

use super::Check;

/// The claims of the paper in the order of print.
pub(super) fn checks() -> Vec<Check> {
    [survey::checks(), outcomes::checks(), proofs::checks(), values::checks()].concat()
}
