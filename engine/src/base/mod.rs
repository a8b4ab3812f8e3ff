//! What every room may use and that knows no game: errors, files, the machine and its vectors, control,
//! numbers, mex.

pub mod control;
mod error;
mod exit;
pub mod files;
pub mod live;
pub mod machine;
mod mex;
pub mod numbers;
mod printable;
pub mod process;
pub mod shell;
pub mod simd;

pub use control::{Control, Counter, Observer, Silent};
pub use error::{Error, Result, suggestion};
pub use exit::Exit;
pub use mex::{Mex, mex};
pub use printable::printable;
pub use simd::{Isa, Level};
