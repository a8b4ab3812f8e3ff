//! What tables and searches say about a game.

pub mod connected_graphs;
pub mod memo;
pub mod vertex_deletion;
