//! Todd Mullen's thesis on self-referential games (Dalhousie University).
//!
//! Where the extracted text lost a sign (`≠` came out as `=` in Theorems 5.3, 5.14 and 5.15), the statement
//! notes the repair.

mod background;
mod cut;
mod mine;
mod minnie;
mod nimb;
mod open;
mod other_games;
mod wyg;
mod wynnie;

use super::Check;
pub(super) use background::partition_theorem;
pub(super) use other_games::greedy_nim;

/// The claims of the thesis in the order of print.
pub(super) fn checks() -> Vec<Check> {
    [
        background::checks(),
        other_games::checks(),
        nimb::checks(),
        wynnie::checks(),
        wyg::checks(),
        cut::checks(),
        minnie::checks(),
        mine::checks(),
        open::checks(),
    ]
    .concat()
}
