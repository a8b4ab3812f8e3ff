//! Solvers that search instead of sweeping.

pub mod cookie;
pub mod known;
pub mod memo;
pub mod vertex_deletion;
