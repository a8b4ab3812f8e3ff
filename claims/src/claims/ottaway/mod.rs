//! Ottaway's thesis: octal games, vertex deletion, Grand Left/Right, cookie cutter.

mod cookie;
mod directed;
mod grand;
mod impartial;
mod naive;
mod open;
mod parity_games;
mod support;
mod theory;
mod undirected;

use super::Check;

/// The checks of the claims of this document.
pub(super) fn checks() -> Vec<Check> {
    [
        theory::CHECKS,
        parity_games::CHECKS,
        undirected::CHECKS,
        impartial::CHECKS,
        directed::CHECKS,
        grand::CHECKS,
        cookie::CHECKS,
        open::CHECKS,
    ]
    .concat()
}
