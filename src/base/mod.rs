//! What every room may use and that knows no game: errors, files, the machine, control, numbers.

pub mod control;
mod error;
pub mod files;
pub mod machine;
pub mod numbers;

pub use control::{Control, Observer, Silent};
pub use error::{Error, Result};
