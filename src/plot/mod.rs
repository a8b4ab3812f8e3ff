//! Pictures.

pub mod cookie;
mod octal;

pub use octal::sequence;
