//! The compiled part of the Python package `nimwave`: calls of the library, and nothing else. What people see is
//! `python/nimwave`, which turns positions into text, JSON into objects and files into NumPy arrays.

mod errors;
mod game;
mod questions;
mod sequences;
mod table;
mod watch;

use pyo3::prelude::*;

/// The module `nimwave._core`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::errors::{Interrupted, Undecided};
    #[pymodule_export]
    use crate::game::{Game, games};
    #[pymodule_export]
    use crate::questions::{prove, query};
    #[pymodule_export]
    use crate::sequences::{octal, period};
    #[pymodule_export]
    use crate::table::{Table, solve};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
