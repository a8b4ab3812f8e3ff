//! The literature's theorems, tables and conjectures, and the audit that tests them.
//!
//! A [`Claim`] is one statement of one document, in our words but exactly as strong as it is printed, with a
//! predicate that recomputes it by brute force from the rules alone. The audit says of each claim whether it
//! is proved, holds up to a bound, or fails, and then with the smallest counterexample. What a claim says and
//! what we expect of it is data, not code: `data/claims/*.tsv`, one file per document. A change in either
//! direction is therefore noticed, and a known misprint does not hide a new one.

mod audit;
mod mathematics;
mod minnie_paper;
mod mullen;
mod mullen_graphs;
mod nim_on_graphs;
mod ottaway;
mod slides;

pub use audit::{
    Audit, Counterexample, Effort, Event, Expected, Finding, Outcome, Verdict, expected, json, markdown,
    markdown_row, run, select, table,
};

/// One statement of the literature that a computer can test.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// Its name on the command line, such as `mullen-4.10`: the document, then the number it has there.
    pub id: &'static str,
    /// Where it stands, for example "Mullen, Theorem 4.10".
    pub source: &'static str,
    /// The statement in our own words, as printed; repairs of lost symbols are noted.
    pub statement: &'static str,
    /// Tests the statement as far as the effort allows.
    pub check: fn(&Effort) -> Finding,
}

/// The name of a claim and its check.
type Check = (&'static str, fn(&Effort) -> Finding);

/// A claim whose check may run out of time.
macro_rules! claim {
    ($id:literal, $check:expr) => {
        ($id, |effort| $crate::claims::Finding::from($check(effort)))
    };
}
use claim;

/// Every claim, document by document in the order of print.
pub fn all() -> Vec<Claim> {
    let checks = [
        mullen::checks(),
        mullen_graphs::checks(),
        minnie_paper::checks(),
        ottaway::checks(),
        nim_on_graphs::checks(),
        slides::checks(),
    ];
    let claim = |(id, check)| {
        let [source, statement] = audit::printed(id);
        Claim { id, source, statement, check }
    };
    checks.concat().into_iter().map(claim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_claim_has_one_name_and_one_expectation() {
        let mut names = BTreeSet::new();
        for claim in all() {
            assert!(names.insert(claim.id), "two claims are called {}", claim.id);
            assert!(expected(claim.id).is_some(), "data/claims has no line for {}", claim.id);
            assert!(!claim.statement.is_empty() && !claim.source.is_empty());
        }
        for id in audit::ids() {
            assert!(names.contains(id), "data/claims speaks of {id}, which is not a claim");
        }
    }
}
