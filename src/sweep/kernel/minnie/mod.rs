//! The kernels of minnie and of the games whose moves are bounded by the smallest heap.

mod greedy;
mod mark;
mod or_row;
mod outcomes;
mod together;
mod values;

pub use or_row::{OrRow, Simd};
pub use outcomes::MinnieOutcomes;
pub use values::MinnieValues;
