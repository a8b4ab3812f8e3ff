//! What is found out about one game: a theorem by whichever method applies, or what was seen.

use super::Seen;
use crate::analysis::PeriodSearch;
use crate::base::numbers::counted;
use crate::base::{Control, Error, Result};
use crate::game::theory::guy_smith::observed;
use crate::game::theory::regularity::Regularity;
use crate::game::{Game, HeapSum, rule_file};
use crate::proof::automata::{Attempt, Numeration};
use crate::proof::octal_period::prove_regularity;
use crate::proof::theorem::{Theorem as QuotientTheorem, Verdict};
use crate::proof::{DIGITS, GapTheorem, Proof, Way, prove, prove_by_automata};
use crate::rules::notation::show_heaps;
use crate::rules::{OctalGame, Play};
use crate::sweep::HeapJob;
use crate::sweep::kernel::octal::EngineOptions;
use crate::table::Quantity;

/// Terms after which a nim-sequence is given up: of an octal game, of another rule, of one that splits heaps.
const OCTAL_TERMS: u64 = 1 << 17;
const TERMS: u32 = 2000;
const SPLIT_TERMS: u32 = 150;

/// How many P-positions stand for their classes in the words of a theorem.
const NAMED_CLASSES: usize = 6;

/// How far a survey looks at each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Heaps of the tables; also the most heaps of theorems about a fixed number of them.
    pub heaps: usize,
    /// The largest heap of the tables.
    pub max: u32,
}

/// A statement about all heap sizes, in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Theorem {
    /// The method: quotient, gaps, automata, period or nim.
    pub by: String,
    /// The most heaps; `None` for any number.
    pub heaps: Option<usize>,
    /// From this size on, heaps, gaps or values repeat.
    pub threshold: Option<u64>,
    /// With this period.
    pub period: Option<u64>,
    /// Classes of a quotient.
    pub classes: Option<usize>,
    /// States of an automaton.
    pub states: Option<usize>,
    /// One line about what it says.
    pub words: String,
}

/// What is known of a game.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    /// A theorem, if there is one.
    pub theorem: Option<Theorem>,
    /// Where there is none, why; and what else was seen.
    pub notes: Vec<String>,
    /// The P-positions up to a bound, unless even those take too much.
    pub seen: Option<Seen>,
    /// Whether the time was up before everything was tried.
    pub out_of_time: bool,
}

/// Finds out what can be said about `game` within the limits of `control`; an error is an interruption.
pub fn find(game: &Game, size: Size, control: &Control<'_>) -> Result<Finding> {
    let mut search = Search { game, size, control, finding: Finding::default() };
    search.seen()?;
    search.theorem()?;
    Ok(search.finding)
}

struct Search<'a> {
    game: &'a Game,
    size: Size,
    control: &'a Control<'a>,
    finding: Finding,
}

impl Search<'_> {
    /// What a method found within `share` of the time that is left; a method that fails says why in the
    /// notes.
    fn within<T>(
        &mut self,
        share: f64,
        method: impl FnOnce(&Game, &Control<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let time = self.control.remaining().map(|left| left.mul_f64(share));
        let control = self.control.with_time(time);
        match method(self.game, &control) {
            _ if control.is_interrupted() => Err(Error::Interrupted { done: 0, total: 1 }),
            Ok(found) => {
                self.finding.out_of_time |= control.stopped();
                Ok(Some(found))
            }
            Err(Error::Interrupted { .. } | Error::Undecided(_)) => {
                self.finding.out_of_time = true;
                Ok(None)
            }
            Err(error) => {
                self.note(error.to_string());
                Ok(None)
            }
        }
    }

    fn note(&mut self, text: String) {
        if !self.finding.notes.contains(&text) {
            self.finding.notes.push(text);
        }
    }

    fn proved(&mut self, theorem: Option<Theorem>) -> bool {
        let is_proved = theorem.is_some();
        if is_proved {
            self.finding.theorem = theorem;
        }
        is_proved
    }

    fn seen(&mut self) -> Result<()> {
        let Size { heaps, max } = self.size;
        self.finding.seen = self.within(0.25, |game, control| Seen::of(game, heaps, max, control))?;
        Ok(())
    }

    /// Tries the methods, those about any number of heaps first.
    fn theorem(&mut self) -> Result<()> {
        let on_heaps = self.game.on_heaps()?;
        if on_heaps.sum == Some(HeapSum::Nim) {
            let words = match self.game.play() {
                Play::Normal => "nim: a heap of n has value n",
                Play::Misere => "misère nim: as nim, except where no heap has more than 1",
            };
            self.proved(Some(Theorem { by: "nim".into(), words: words.into(), ..Theorem::default() }));
            return Ok(());
        }
        let octal = on_heaps.written.as_ref().and_then(|rules| rules.octal());
        if on_heaps.is_written_sum(self.game.play()) && self.sequence(octal.as_ref())? {
            return Ok(());
        }
        // What a rule says of misère play is what its octal code says.
        let game = match octal {
            Some(octal) if self.game.play() == Play::Misere => Game::octal(octal).in_play(Play::Misere),
            _ => self.game.clone(),
        };
        let way = match Way::of(&game, None) {
            Ok(way) => way,
            Err(error) => {
                self.note(error.to_string());
                return Ok(());
            }
        };
        let has_check = matches!(way, Way::Quotient(_));
        if has_check && self.quotient(&game, 0.5)? {
            return Ok(());
        }
        if self.fixed_heaps()? {
            return Ok(());
        }
        if matches!(way, Way::Classes) && !on_heaps.is_written_sum(self.game.play()) {
            self.quotient(&game, 1.0)?;
        }
        Ok(())
    }

    /// The values of single heaps, where the game is the sum of its heaps.
    fn sequence(&mut self, octal: Option<&OctalGame>) -> Result<bool> {
        if let Some(octal) = octal {
            let found = self.within(0.5, |_, control| {
                let search = PeriodSearch {
                    game: octal.clone(),
                    most_terms: OCTAL_TERMS,
                    most_time: control.remaining().map(|left| left.mul_f64(0.9)),
                    engine: EngineOptions { threads: 1, ..EngineOptions::default() },
                };
                prove_regularity(&search, control)
            })?;
            let Some((run, proved)) = found else { return Ok(false) };
            // The search keeps to its own time, and ends well before the deadline.
            self.finding.out_of_time |= proved.is_none() && (run.values.len() as u64) < OCTAL_TERMS;
            self.note(format!("the octal game {octal}: {}", sequence_words(&run.values)));
            return Ok(self.proved(proved.map(|Regularity { drift, .. }| Theorem {
                by: "period".into(),
                threshold: Some(drift.preperiod as u64),
                period: Some(drift.period as u64),
                words: format!("the octal game {octal}: {} from {} on", drift.equation(), drift.preperiod),
                ..Theorem::default()
            })));
        }
        let values = self.within(0.25, |game, control| {
            let terms = if game.on_heaps()?.splits() { SPLIT_TERMS } else { TERMS };
            let table = HeapJob::new(game, 1, terms, Quantity::Values)?.solve(None, control)?;
            let cells = table.cells();
            Ok((0..cells.len()).map(|heap| cells.get(heap)).collect::<Vec<u16>>())
        })?;
        if let Some(values) = values {
            self.note(format!("a sum of heaps: {}", sequence_words(&values)));
        }
        Ok(false)
    }

    /// A finite quotient, or how the classes grew.
    fn quotient(&mut self, game: &Game, share: f64) -> Result<bool> {
        let found = self.within(share, |_, control| prove(game, None, control))?;
        let Some(Proof::Quotient(Verdict { theorem, attempts })) = found else { return Ok(false) };
        if theorem.is_none()
            && let Some(last) = attempts.last()
        {
            self.note(format!("no finite quotient in tables up to {}: {}", last.max, last.problem));
        }
        Ok(self.proved(theorem.map(|theorem| quotient_in_short(&theorem))))
    }

    /// As many heaps as there is a theorem for: by gaps, or by automata with the digits that suit two heaps.
    fn fixed_heaps(&mut self) -> Result<bool> {
        if rule_file::of_game(self.game).is_none() || self.game.on_heaps()?.splits() {
            return Ok(false);
        }
        let mut digits: Vec<Numeration> = DIGITS.to_vec();
        let most = self.size.heaps;
        for heaps in 2.min(most)..=most {
            let before = self.finding.out_of_time;
            let Some(by) = self.so_many_heaps(heaps, &digits)? else {
                // That more heaps take more time is not what the budget was too small for.
                if self.finding.theorem.is_some() {
                    self.finding.out_of_time = before;
                }
                break;
            };
            digits = by.map_or(digits, |by| vec![by]);
        }
        Ok(self.finding.theorem.is_some())
    }

    /// Whether there is a theorem about so many heaps, and with which digits.
    fn so_many_heaps(&mut self, heaps: usize, digits: &[Numeration]) -> Result<Option<Option<Numeration>>> {
        if let Ok(Way::Gaps(..)) = Way::of(self.game, Some(heaps)) {
            let found = self.within(0.5, |game, control| prove(game, Some(heaps), control))?;
            if let Some(Proof::Gaps(_, _, Some(theorem))) = found {
                self.proved(Some(gaps_in_short(theorem, heaps)));
                return Ok(Some(None));
            }
        }
        for (i, &one) in digits.iter().enumerate() {
            let share = 0.9 / (digits.len() - i) as f64;
            let found =
                self.within(share, |game, control| prove_by_automata(game, heaps, &[one], 0, None, control))?;
            match found.and_then(|mut attempts| attempts.pop()) {
                Some((_, Attempt::Proved(theorem))) => {
                    let states = theorem.decided.sets[0].states();
                    let words = format!(
                        "P-positions of at most {heaps} heaps: an automaton with {} on {one} digits",
                        counted(states as u64, "state")
                    );
                    self.proved(Some(Theorem {
                        by: format!("automata {one}"),
                        heaps: Some(heaps),
                        states: Some(states),
                        words,
                        ..Theorem::default()
                    }));
                    return Ok(Some(Some(one)));
                }
                Some((_, Attempt::Open { .. })) | None => {}
            }
        }
        let digits: Vec<String> = digits.iter().map(ToString::to_string).collect();
        self.note(format!("no automaton for {heaps} heaps on {} digits", digits.join(", ")));
        Ok(None)
    }
}

/// "G(n + 3) = G(n) + 1 is seen from 0 on".
fn sequence_words(values: &[u16]) -> String {
    let terms = values.len();
    match observed(values) {
        Some(seen) => format!("{} is seen from {} on in {terms} terms", seen.equation(), seen.preperiod),
        None => {
            let largest = values.iter().max().copied().unwrap_or(0);
            format!("no period is seen in {terms} terms, the largest value is {largest}")
        }
    }
}

fn quotient_in_short(theorem: &QuotientTheorem) -> Theorem {
    let quotient = &theorem.certificate.quotient;
    let words = theorem.closed_form().map_or_else(
        || {
            let accepted: Vec<String> = (0..)
                .zip(quotient.representatives())
                .filter(|&(class, _)| quotient.accepts(class))
                .map(|(_, heaps)| show_heaps(heaps))
                .collect();
            let more = if accepted.len() > NAMED_CLASSES { " ..." } else { "" };
            let shown = accepted[..accepted.len().min(NAMED_CLASSES)].join(" ");
            format!("{}: {shown}{more}", counted(accepted.len() as u64, "P class"))
        },
        |form| form.to_string().lines().next().unwrap_or_default().trim().to_string(),
    );
    Theorem {
        by: "quotient".into(),
        threshold: Some(quotient.letters().threshold()),
        period: Some(quotient.letters().period()),
        classes: Some(quotient.classes()),
        words,
        ..Theorem::default()
    }
}

fn gaps_in_short(GapTheorem { letters, largest_min, .. }: GapTheorem, heaps: usize) -> Theorem {
    let smallest =
        largest_min.map_or(String::new(), |m| format!(", and a P-position has a heap of at most {m}"));
    Theorem {
        by: "gaps".into(),
        heaps: Some(heaps),
        threshold: Some(letters.threshold()),
        period: Some(letters.period()),
        words: format!("at most {heaps} heaps: who wins depends on the smallest heap and the gaps{smallest}"),
        ..Theorem::default()
    }
}
