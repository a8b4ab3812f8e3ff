//! What several documents share: plain solvers, checks of printed tables, and statements that more than one
//! of them makes.

pub(crate) mod automata_proof;
pub(crate) mod brute;
pub(crate) mod euclid;
pub(crate) mod fractal;
pub(crate) mod minnie;
pub(crate) mod minnie_proof;
pub(crate) mod octal;
pub(crate) mod printed;
pub(crate) mod small_games;
pub(crate) mod susen;
