//! Errors of the library as Python exceptions.

use nimwave::Error;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    nimwave,
    Interrupted,
    PyException,
    "A run was stopped before its end, by its time limit or from another thread. What is finished of a table with out= is kept: the same call resumes."
);
pyo3::create_exception!(
    nimwave,
    Undecided,
    PyException,
    "The question is still open: there is no answer within the limits."
);

/// The exception for an error of the library.
pub fn raised(error: Error) -> PyErr {
    let message = with_keywords(&error.to_string());
    match error {
        Error::Usage(_) | Error::Mismatch { .. } => PyValueError::new_err(message),
        // With a number Python chooses the class, such as FileNotFoundError.
        Error::Io { error, .. } => match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, message)),
            None => PyOSError::new_err(message),
        },
        Error::Corrupt { .. } | Error::Locked { .. } | Error::BeingRead { .. } => PyOSError::new_err(message),
        Error::Budget(_) => PyMemoryError::new_err(message),
        Error::Undecided(_) => Undecided::new_err(message),
        Error::Interrupted { .. } => Interrupted::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// The message with the options of the command line as keywords: `--heaps 4` is `heaps=4`, `--out DIR` is `out=DIR`.
fn with_keywords(message: &str) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        if name.is_empty() || name.starts_with('-') {
            text = text + "--" + part;
            continue;
        }
        let is_value = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
        let value = rest.strip_prefix(' ').filter(|value| is_value(value));
        text = text + &name.replace('-', "_") + "=" + value.unwrap_or(rest);
    }
    text
}
