//! Lecture slides on combinatorial games by Bernhard von Stengel, used by Steve Alpern.

mod games;
mod nim;
mod theory;

use super::Claim;

/// The claims of the slides, by subject.
pub fn claims() -> Vec<Claim> {
    [nim::claims(), theory::claims(), games::claims()].concat()
}
