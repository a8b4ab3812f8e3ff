//! The one error type of the library.

use std::path::{Path, PathBuf};

use super::Exit;
use super::numbers::grouped;

/// Everything that can go wrong in the library. Each message says what was wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument that makes no sense, with the remedy.
    #[error("{0}")]
    Usage(String),

    /// The operating system refused something.
    #[error("{action} {}: {error}; {}", path.display(), remedy(action, error))]
    Io {
        /// What was being done, such as "cannot open".
        action: &'static str,
        /// The file or folder it was done to.
        path: PathBuf,
        /// The system's own error. It is part of the message, so that it must not be a `source` that `{:#}`
        /// repeats.
        error: std::io::Error,
    },

    /// A file of a table is damaged or not ours.
    #[error("{}: {problem}; {remedy}", path.display())]
    Corrupt {
        /// The damaged file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        remedy: String,
    },

    /// The table in this folder is not the one that was asked for.
    #[error("{}: {problem}; {remedy}", path.display())]
    Mismatch {
        /// The table's folder.
        path: PathBuf,
        /// How it differs.
        problem: String,
        /// What to do about it.
        remedy: String,
    },

    /// Another process is writing or verifying this table.
    #[error(
        "{}: another process is writing or verifying this table (`nimwave status` says which); wait for it to end, or choose another folder",
        path.display()
    )]
    Locked {
        /// The table's folder.
        path: PathBuf,
    },

    /// Commands that read what is finished of this table keep writers out.
    #[error(
        "{}: a command reads what is finished of this table, which must not change meanwhile; wait for it to end, or stop it, and run the same command again",
        path.display()
    )]
    BeingRead {
        /// The table's folder.
        path: PathBuf,
    },

    /// The job does not fit into memory, disk or time.
    #[error("{0}")]
    Budget(String),

    /// There is no answer within the time that was allowed, and nothing to resume.
    #[error("{0}")]
    Undecided(String),

    /// The ranks of a job do not fit together; every rank knows it.
    #[error("{0}")]
    Ranks(String),

    /// The run was stopped by the user; finished waves are kept.
    #[error("{}", interrupted(*done, *total))]
    Interrupted {
        /// Waves, terms or whatever it counts that are finished.
        done: u64,
        /// Those in all; at most 1 where nothing is counted.
        total: u64,
    },
}

/// The result of a library call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn interrupted(done: u64, total: u64) -> String {
    match total {
        0 | 1 => "interrupted".into(),
        _ => format!("interrupted with {} of {} done", grouped(done), grouped(total)),
    }
}

/// What to do about a system error.
fn remedy(action: &str, error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind as Kind;
    let writes = ["cannot create", "cannot write", "cannot replace", "cannot reserve disk space for"]
        .contains(&action);
    match error.kind() {
        Kind::NotFound if writes => "make the folder first, or choose another path",
        Kind::NotFound => "check the path, or restore the file from a copy",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem if writes => "choose a place that you may write to",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
            "get the right to read and write it, or choose another path"
        }
        Kind::FileTooLarge if writes => {
            "raise the limit of file sizes (ulimit -f) or choose another disk, and run the same command again"
        }
        Kind::InvalidInput | Kind::InvalidData | Kind::FileTooLarge => "check that it is the right file",
        Kind::StorageFull | Kind::QuotaExceeded => "free some space and run the same command again",
        Kind::AlreadyExists | Kind::NotADirectory | Kind::IsADirectory => {
            "check the path, or choose another one"
        }
        _ => "check the path and the disk, then run the same command again",
    }
}

impl Error {
    /// The exit code of a command that ends with this error.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Interrupted { .. } => Exit::Interrupted,
            Self::Undecided(_) => Exit::Undecided,
            _ => Exit::Error,
        }
    }

    /// For `map_err`: attaches the action and the path to a system error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::Io { action, path, error }
    }

    /// A value that no table can hold.
    pub(crate) fn too_wide() -> Self {
        Self::Usage(
            "a Grundy value above 65535 appeared, which tables cannot hold; lower the largest heap".into(),
        )
    }

    /// A damaged file.
    pub fn corrupt(path: &Path, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_path_buf(), problem: problem.into(), remedy: remedy.into() }
    }
}

/// "did you mean 'wynnie'? ", or nothing where no name is near.
pub fn suggestion<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    // Names are short; a long text is far from all of them.
    let name: String = name.chars().take(40).collect();
    names
        .map(|known| (strsim::levenshtein(&name, known), known))
        .filter(|(distance, known)| *distance <= 2 + known.len() / 5)
        .min()
        .map(|(_, known)| format!("did you mean '{known}'? "))
        .unwrap_or_default()
}
