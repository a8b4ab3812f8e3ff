//! Lecture slides on combinatorial games by Bernhard von Stengel, used by Steve Alpern.

mod games;
mod nim;
mod theory;

use super::Check;

/// The claims of the slides, by subject.
pub(super) fn checks() -> Vec<Check> {
    [nim::checks(), theory::checks(), games::checks()].concat()
}
