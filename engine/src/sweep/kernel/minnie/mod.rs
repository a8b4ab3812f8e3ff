//! The kernels of minnie and of the games whose moves are bounded by the smallest heap.

mod greedy;
mod mark;
mod or_row;
mod outcomes;
mod strips;
#[cfg(test)]
mod tests;
mod together;
mod values;
mod window;
mod windows;

pub use or_row::OrRow;
pub use outcomes::MinnieOutcomes;
pub use strips::MinnieStrips;
pub use values::MinnieValues;
pub use windows::MinnieWindows;
