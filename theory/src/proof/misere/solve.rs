//! The partial quotients of an octal game, heap by heap, until the quotient of all heaps is proved.

use super::monoid::{Element, Monoid};
use super::partial::Partial;
use super::presentation::Presentation;
use crate::base::{Control, Error, Result};
use crate::rules::OctalGame;

/// The quotient of the heaps up to one of them.
#[derive(Debug, Clone)]
pub struct Step {
    /// The heap at which the quotient became this one.
    pub heap: usize,
    /// Its order.
    pub order: usize,
    /// The elements of P-positions, as monomials.
    pub p_portion: Vec<String>,
    /// Generators and relations.
    pub presentation: Presentation,
    /// The element of each heap up to this one, as monomials.
    pub pretending: Vec<String>,
    /// Whether it is the quotient of a tame game.
    pub tame: bool,
}

/// From `preperiod` on the pretending function has this period, for all heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first heap that repeats, at least 1.
    pub preperiod: usize,
    /// The period.
    pub period: usize,
}

/// Why the partial quotients end where they end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The quotient is that of all heaps.
    Proved(Period),
    /// All heaps that were asked for are done.
    Asked,
    /// A limit was reached; the text says which.
    Limit(String),
}

/// What is known of the misère play of an octal game.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The game.
    pub game: OctalGame,
    /// The largest heap that is done.
    pub heap: usize,
    /// Each change of the quotient, from the first heap with a move on.
    pub steps: Vec<Step>,
    /// The quotient of the heaps up to `heap`, its elements in the order of their normal forms.
    pub monoid: Monoid,
    /// The element of each heap up to `heap`.
    pub elements: Vec<Element>,
    /// Its generators and relations.
    pub presentation: Presentation,
    /// States of the exact check.
    pub states: usize,
    /// How it ended.
    pub end: End,
}

impl Solution {
    /// The proved period.
    pub fn period(&self) -> Option<Period> {
        match self.end {
            End::Proved(period) => Some(period),
            _ => None,
        }
    }

    /// The first heap whose partial quotient is not that of a tame game.
    pub fn first_wild(&self) -> Option<usize> {
        self.steps.iter().find(|step| !step.tame).map(|step| step.heap)
    }
}

/// How far the partial quotients are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The largest heap.
    pub heaps: usize,
    /// The most sums of heaps that the guess of one quotient looks at.
    pub sums: usize,
}

impl Default for Extent {
    /// Some seconds of work for games whose quotients keep growing.
    fn default() -> Self {
        Self { heaps: 1000, sums: 1 << 16 }
    }
}

/// Works out the quotients of the heaps 1, 2, 3, …, or until that of all heaps is proved.
///
/// A limit of `control` is not a failure: what is done until then is the result. An interruption is one.
pub fn solve(game: &OctalGame, extent: Extent, control: &Control<'_>) -> Result<Solution> {
    match solve_until_stopped(game, extent, control)? {
        Solution { end: End::Limit(_), .. } if control.is_interrupted() => {
            Err(Error::Interrupted { done: 0, total: 1 })
        }
        solution => Ok(solution),
    }
}

/// As [`solve`], but an interruption is a limit like others.
pub fn solve_until_stopped(game: &OctalGame, extent: Extent, control: &Control<'_>) -> Result<Solution> {
    let mut partial = Partial::new(game, extent.sums);
    let mut steps = Vec::new();
    let end = loop {
        if let Some(period) = period(game, partial.elements()) {
            break End::Proved(period);
        }
        if partial.heap() >= extent.heaps {
            break End::Asked;
        }
        control.observer.doing(&format!(
            "heap {}: the quotient has order {}",
            partial.heap() + 1,
            partial.monoid().order()
        ));
        match control.check().and_then(|()| partial.next_heap(control)) {
            Ok(true) => steps.push(step(&partial)),
            Ok(false) => {}
            // Whatever it says: the quotients before this heap stay as they are.
            Err(_) if control.is_interrupted() => break End::Limit("it was stopped".into()),
            Err(Error::Undecided(why)) => break End::Limit(why),
            Err(Error::Budget(_)) => {
                break End::Limit(
                    "the next quotient takes more memory than is allowed; allow more --memory".into(),
                );
            }
            Err(problem) => return Err(problem),
        }
    };
    let presentation = presentation(&partial);
    let mut number = vec![0; partial.monoid().order()];
    for (new, &old) in presentation.order.iter().enumerate() {
        number[old as usize] = new as Element;
    }
    Ok(Solution {
        game: game.clone(),
        heap: partial.heap(),
        steps,
        monoid: partial.monoid().renumbered(&presentation.order),
        elements: partial.elements().iter().map(|&x| number[x as usize]).collect(),
        presentation: Presentation {
            normal_forms: presentation
                .order
                .iter()
                .map(|&x| presentation.normal_forms[x as usize].clone())
                .collect(),
            order: partial.monoid().elements().collect(),
            ..presentation
        },
        states: partial.states(),
        end,
    })
}

fn presentation(partial: &Partial) -> Presentation {
    Presentation::new(partial.monoid(), partial.generators(), partial.elements())
}

fn step(partial: &Partial) -> Step {
    let (monoid, presentation) = (partial.monoid(), presentation(partial));
    let in_order = presentation.order.iter().filter(|&&x| monoid.is_p(x));
    Step {
        heap: partial.heap(),
        order: monoid.order(),
        p_portion: in_order.map(|&x| presentation.name(x)).collect(),
        pretending: partial.elements().iter().map(|&x| presentation.name(x)).collect(),
        tame: monoid.is_tame(),
        presentation,
    }
}

/// The largest heap that the theorem needs: see docs/PROOFS.md, section 13.
pub fn heaps_needed(game: &OctalGame, Period { preperiod, period }: Period) -> usize {
    let k = game.last_index();
    match game.splits() {
        true => 2 * preperiod + 2 * period + k - 1,
        false => preperiod + period + k - 1,
    }
}

/// The least period of all heaps that the elements of the heaps so far prove.
fn period(game: &OctalGame, elements: &[Element]) -> Option<Period> {
    // The theorem needs parts that may be equal.
    if game.unequal_parts() {
        return None;
    }
    let last = elements.len() - 1;
    (1..last).find_map(|period| {
        // The period must hold down to the preperiod, which is as small as it can be.
        let differs = (1..=last.saturating_sub(period)).rev().find(|&n| elements[n] != elements[n + period]);
        let found = Period { preperiod: differs.map_or(1, |n| n + 1), period };
        (heaps_needed(game, found) <= last).then_some(found)
    })
}
