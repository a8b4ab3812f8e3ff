//! What is wrong with a rule: where, and what would be right.

use std::fmt;
use std::ops::Range;

use crate::base::Error;

/// A mistake in the text of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError {
    /// What the text is: a rule, or a claim.
    pub what: &'static str,
    /// The whole text.
    pub text: String,
    /// The place of the mistake, in bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub remedy: String,
}

impl RuleError {
    /// The line with the mistake and a line of carets below it; of a long text, only what is near.
    fn excerpt(&self) -> (String, String) {
        const BEFORE: usize = 60;
        const SHOWN: usize = 100;
        // One column for each character, whatever it was.
        let column = |byte: usize| self.text.char_indices().take_while(|(at, _)| *at < byte).count();
        let letters: Vec<char> =
            self.text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let (start, end) = (column(self.span.start), column(self.span.end));
        let from = if letters.len() > SHOWN { start.saturating_sub(BEFORE) } else { 0 };
        let to = letters.len().min(from + SHOWN);
        let (left, right) = (if from > 0 { "..." } else { "" }, if to < letters.len() { "..." } else { "" });
        let line: String = letters[from..to].iter().collect();
        let carets = end.min(to).saturating_sub(start).max(1);
        let blank = " ".repeat(left.len() + start - from);
        (format!("{left}{line}{right}"), format!("{blank}{}", "^".repeat(carets)))
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, carets) = self.excerpt();
        write!(f, "the {}: {}\n  {line}\n  {carets}\n  {}", self.what, self.message, self.remedy)
    }
}

impl std::error::Error for RuleError {}

impl From<RuleError> for Error {
    fn from(error: RuleError) -> Self {
        Self::Usage(error.to_string())
    }
}
