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

use super::Claim;

/// The claims of this document.
pub fn claims() -> Vec<Claim> {
    [
        theory::CLAIMS,
        parity_games::CLAIMS,
        undirected::CLAIMS,
        impartial::CLAIMS,
        directed::CLAIMS,
        grand::CLAIMS,
        cookie::CLAIMS,
        open::CLAIMS,
    ]
    .concat()
}
