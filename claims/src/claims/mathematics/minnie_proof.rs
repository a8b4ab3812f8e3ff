//! Statements on minnie for all heap sizes, from the certificate of its finite quotient.
//!
//! The brute force of the claims goes to a bound. Where it finds nothing, the proved quotient settles the
//! rest: a statement whose predicate depends on large heaps only modulo 8 is decided by the sizes up to one
//! full period beyond the threshold.

use crate::claims::{Finding, Verdict};
use crate::proof::corollaries;
use crate::proof::quotient::Quotient;
use crate::proof::strategy::embedded_minnie;
use crate::rules::Play;
use std::sync::OnceLock;

/// The quotient of minnie, if its certificate passes the whole finite check.
fn quotient() -> Option<&'static Quotient> {
    static PROVED: OnceLock<Option<Quotient>> = OnceLock::new();
    PROVED
        .get_or_init(|| {
            let certificate = embedded_minnie(Play::Normal);
            certificate.check().ok().map(|_| certificate.quotient)
        })
        .as_ref()
}

/// Turns "holds" into "proved" if the statement "in `scope`: in P exactly when `claimed`" agrees with the
/// quotient for every size.
///
/// Both sides must depend on heaps from 9 on only modulo 8; `heaps` are sorted and positive.
pub(crate) fn for_all_sizes(
    finding: Finding,
    heaps: usize,
    scope: impl Fn(&[u32]) -> bool,
    claimed: impl Fn(&[u32]) -> bool,
) -> Finding {
    let Some(quotient) = quotient().filter(|_| finding.verdict == Verdict::Holds) else { return finding };
    let letters = quotient.letters();
    let period = (1..).map(|k| k * letters.period()).find(|period| period % 8 == 0).unwrap_or(8);
    let last = letters.threshold().max(9) + period - 1;
    let agrees = |position: &[u32]| {
        let wide: Vec<u64> = position.iter().map(|&heap| heap.into()).collect();
        !scope(position) || claimed(position) == quotient.accepts_heaps(&wide)
    };
    if !all_sorted(&mut Vec::new(), heaps, last as u32, &agrees) {
        return Finding::fails(
            "a position beyond the bound",
            "the proved quotient contradicts the statement",
            finding.bound,
        );
    }
    Finding::proved(format!(
        "for all sizes: the certificate of minnie's quotient passed its finite check, and agrees on all residues; by brute force: {}",
        finding.bound
    ))
}

/// Whether `test` holds for every sorted position of `heaps` positive heaps up to `last`.
fn all_sorted(position: &mut Vec<u32>, heaps: usize, last: u32, test: &dyn Fn(&[u32]) -> bool) -> bool {
    if position.len() == heaps {
        return test(position);
    }
    (position.last().copied().unwrap_or(1)..=last).all(|heap| {
        position.push(heap);
        let good = all_sorted(position, heaps, last, test);
        position.pop();
        good
    })
}

/// Turns "holds" into "proved" for the conjecture on positions without small heaps, for every number of
/// heaps.
pub(crate) fn no_small_heap(finding: Finding) -> Finding {
    let Some(quotient) = quotient().filter(|_| finding.verdict == Verdict::Holds) else { return finding };
    let misere = embedded_minnie(Play::Misere).quotient;
    let corollaries = corollaries::minnie_normal(quotient, &misere);
    if corollaries.iter().any(|corollary| corollary.id == "conjecture-5.6" && corollary.proved) {
        Finding::proved(format!(
            "for every number of heaps and all sizes, from the checked certificate of minnie's quotient; by brute force: {}",
            finding.bound
        ))
    } else {
        finding
    }
}

/// The answer to "what are the P-positions on n heaps": those that the quotient accepts. `brute` compares it
/// with a table.
pub(crate) fn every_position(agrees: impl Fn(&Quotient) -> Option<Vec<u32>>, bound: &str) -> Finding {
    let Some(quotient) = quotient() else {
        return Finding::unchecked("the certificate of minnie's quotient does not pass its check");
    };
    match agrees(quotient) {
        Some(heaps) => Finding::fails(super::brute::show(&heaps), "quotient and brute force disagree", bound),
        None => Finding::proved(format!(
            "a quotient of {} classes ({} of them P), threshold {}, period {}; its certificate passed the finite check; by brute force: {bound}",
            quotient.classes(),
            quotient.accepted_classes(),
            quotient.letters().threshold(),
            quotient.letters().period()
        )),
    }
}
