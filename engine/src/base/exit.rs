//! The exit codes: one table, one meaning each, for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// What was asked for is done, proved or true.
    Done = 0,
    /// A claim is false, or a verification failed.
    Failed = 1,
    /// Bad usage, or the system refused something.
    Error = 2,
    /// Stopped, or out of time; the same command resumes.
    Interrupted = 3,
    /// The work came to its end, and the question is still open.
    Undecided = 4,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [Self::Done, Self::Failed, Self::Error, Self::Interrupted, Self::Undecided];

    /// The number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The one with this number.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|exit| i32::from(exit.code()) == code)
    }

    /// What it means, for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done, proved or true",
            Self::Failed => "a claim is false, or a verification or check failed",
            Self::Error => "bad usage, I/O or too little memory",
            Self::Interrupted => "interrupted, or out of time and resumable: the same command resumes",
            Self::Undecided => "not decided: no proof, no refutation, or no answer within the limits",
        }
    }

    /// [`Self::Done`] if `good`, otherwise [`Self::Failed`].
    pub const fn of(good: bool) -> Self {
        if good { Self::Done } else { Self::Failed }
    }

    /// The table for the help.
    pub fn table() -> String {
        let line = |exit: Self| format!("\n  {}  {}", exit.code(), exit.meaning());
        format!("Exit codes:{}", Self::ALL.map(line).concat())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_meaning_and_the_documents_have_the_table() {
        for (code, exit) in Exit::ALL.into_iter().enumerate() {
            assert_eq!(Exit::from_code(code as i32), Some(exit));
            let line = format!("| {code} | {} |", exit.meaning());
            assert!(include_str!("../../../docs/FORMAT.md").contains(&line), "docs/FORMAT.md lacks: {line}");
        }
        assert_eq!(Exit::from_code(5), None);
    }
}
