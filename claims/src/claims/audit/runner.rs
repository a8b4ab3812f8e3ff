//! Runs claims in parallel under a time budget.

use super::{Finding, Verdict, expected};
use crate::base::{Control, Error, Result};
use crate::claims::Claim;
use rayon::prelude::*;
use std::time::Instant;

/// How much work a check may do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort<'a> {
    /// Use the larger bounds.
    pub deep: bool,
    /// Stops the audit; a check that sees it reports what it reached.
    pub control: Control<'a>,
}

impl Effort<'_> {
    /// The bound to use: `default`, or `deep` with `--deep`.
    pub fn bound<T>(&self, default: T, deep: T) -> T {
        if self.deep { deep } else { default }
    }

    /// Whether a check should stop and report what it reached.
    pub fn is_over(&self) -> bool {
        self.control.stopped()
    }
}

/// What the runner tells its caller while it runs; calls may come from several threads.
#[derive(Debug)]
pub enum Event<'a> {
    /// A claim's check begins.
    Started(&'a Claim),
    /// A claim's check is done.
    Finished(&'a Outcome),
}

/// A claim with what its check found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The claim.
    pub claim: Claim,
    /// What was found.
    pub finding: Finding,
    /// Wall time of the check.
    pub seconds: f64,
    /// How the finding differs from `data/claims`, if it does.
    pub surprise: Option<String>,
}

/// The result of an audit, in the order of the claims.
#[derive(Debug, Clone)]
pub struct Audit {
    /// One entry per claim.
    pub outcomes: Vec<Outcome>,
    /// Whether it ran with the larger bounds.
    pub deep: bool,
}

impl Audit {
    /// How many claims got `verdict`.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.finding.verdict == verdict).count()
    }

    /// How many claims were tested.
    pub fn checked(&self) -> usize {
        self.outcomes.len() - self.count(Verdict::Unchecked)
    }

    /// The claims that should hold and do not.
    pub fn broken(&self) -> impl Iterator<Item = &Outcome> {
        self.surprises().filter(|outcome| {
            outcome.finding.verdict == Verdict::Fails
                && !matches!(expected(outcome.claim.id), Some(super::Expected::Fails { .. }))
        })
    }

    /// The claims that a computation decides, and that nobody had time for.
    pub fn undecided(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|outcome| {
            outcome.finding.verdict == Verdict::Unchecked
                && expected(outcome.claim.id) != Some(super::Expected::Unchecked)
        })
    }

    /// Everything that differs from `data/claims`, known failures that changed included.
    pub fn surprises(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.surprise.is_some())
    }
}

/// The claims whose id is one of `patterns` or begins with one that ends in `*` or `-`; all of them if there
/// is no pattern.
pub fn select(patterns: &[String]) -> Result<Vec<Claim>> {
    let claims = crate::claims::all();
    if patterns.is_empty() {
        return Ok(claims);
    }
    let matches = |pattern: &str, id: &str| match pattern.strip_suffix('*') {
        Some(prefix) => id.starts_with(prefix),
        None => id == pattern || (id.starts_with(pattern) && id[pattern.len()..].starts_with('-')),
    };
    for pattern in patterns {
        if !claims.iter().any(|claim| matches(pattern, claim.id)) {
            return Err(Error::Usage(format!(
                "no claim is called '{pattern}'; `nimwave audit --list` names them all, and 'mullen-4*' stands for all that begin with mullen-4"
            )));
        }
    }
    Ok(claims.into_iter().filter(|claim| patterns.iter().any(|p| matches(p, claim.id))).collect())
}

/// Checks `claims` in parallel.
pub fn run(claims: &[Claim], effort: &Effort, progress: &(dyn Fn(Event<'_>) + Sync)) -> Audit {
    let outcomes = claims
        .par_iter()
        .with_max_len(1)
        .map(|claim| {
            progress(Event::Started(claim));
            let start = Instant::now();
            let finding = if effort.is_over() {
                Finding::unchecked("the time was up before it was its turn")
            } else {
                (claim.check)(effort)
            };
            let surprise = match expected(claim.id) {
                Some(expected) => expected.surprise(&finding),
                None => Some("has no line in data/claims".into()),
            };
            let outcome =
                Outcome { claim: *claim, finding, seconds: start.elapsed().as_secs_f64(), surprise };
            progress(Event::Finished(&outcome));
            outcome
        })
        .collect();
    Audit { outcomes, deep: effort.deep }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    const NO_SUCH: Claim = Claim {
        id: "no-such",
        source: "nowhere",
        statement: "2 is 1",
        check: |_| Finding::fails("2", "2 is 2", "2"),
    };

    #[test]
    fn a_claim_without_an_expectation_is_a_surprise() {
        let calls = AtomicUsize::new(0);
        let audit = run(&[NO_SUCH], &Effort::default(), &|_| {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(calls.into_inner(), 2);
        assert_eq!(audit.count(Verdict::Fails), 1);
        assert_eq!((audit.surprises().count(), audit.broken().count()), (1, 1));
    }

    #[test]
    fn without_time_nothing_is_checked() {
        let control = Control::silent().with_time(Some(Duration::ZERO));
        let audit = run(&[NO_SUCH], &Effort { deep: false, control }, &|_| {});
        assert_eq!(audit.count(Verdict::Unchecked), 1);
    }

    #[test]
    fn an_unknown_id_is_refused_with_a_remedy() {
        let error = select(&["mullen-99".into()]).unwrap_err().to_string();
        assert!(error.contains("mullen-99") && error.contains("--list"), "{error}");
    }
}
