//! Games that are the sum of their heaps: the value of a position is the nim-sum of the values of its heaps.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::oracle::{Found, Heaps, Known, Way};
use super::quotient::{lowered, replaced};
use super::tables::ByRules;
use super::{More, Source, Theorem, check_time};
use crate::base::{Control, Error, Result, machine};
use crate::game::Game;
use crate::game::theory::regularity::{Regularity, Theorem as Theory};
use crate::rules::{HeapRules, OctalGame, Play};
use crate::sweep::{HeapJob, Job, OctalJob};
use crate::table::{Quantity, Reader, Table};

/// More terms than any machine has memory for.
const MOST_TERMS: u64 = 1 << 40;

/// Positions whose heaps are looked up one by one.
pub(super) struct HeapSums<'a> {
    heap: Heap,
    values: Values<'a>,
}

/// What may become of a single heap.
enum Heap {
    /// Any smaller one; the play matters here, because Bouton's theorem knows both.
    Nim(Play),
    /// As the rules say.
    Rules(Arc<HeapRules>),
    /// As an octal code says.
    Octal(OctalGame),
}

/// The values of single heaps.
enum Values<'a> {
    /// The value of a heap is its size.
    Sizes,
    /// A stored nim-sequence.
    Stored(&'a Reader),
    /// A sequence filled for the question.
    Swept(Box<Table>),
    /// The values up to the end of the first period, how they go on, and the number of values that proved it.
    Regular(Vec<u16>, Regularity, u64),
}

impl<'a> HeapSums<'a> {
    /// Nim, in either play.
    pub fn nim(play: Play) -> Self {
        Self { heap: Heap::Nim(play), values: Values::Sizes }
    }

    /// A heap game whose heaps have values of their own, in normal play: a table of single heaps is filled.
    pub fn heaps(game: &Game, position: &[u64], control: &Control<'_>) -> Result<Self> {
        let largest = position.iter().copied().max().unwrap_or(0).max(1);
        let narrow = u32::try_from(largest).map_err(|_| Error::Usage("heaps are below 2^32".into()))?;
        let visits = largest as f64 * largest as f64 * game.on_heaps()?.more_options(largest);
        check_time(visits / super::tables::VISITS_PER_SECOND, &format!("a heap of {largest}"), control)?;
        machine::check_memory(2 * (largest + 1), control.memory, "ask for smaller heaps")?;
        let job = HeapJob::new(game, 1, narrow, Quantity::Values)?;
        let table = job.solve(None, control)?;
        Ok(Self { heap: Heap::Rules(Arc::clone(&job.rules)), values: Values::Swept(Box::new(table)) })
    }

    /// The same from a stored table of single heaps.
    pub fn stored_heaps(game: &Game, position: &[u64], reader: &'a Reader) -> Result<Self> {
        let largest = position.iter().copied().max().unwrap_or(0);
        let rules = ByRules::stored_rules(game, &[largest], reader)?;
        Ok(Self { heap: Heap::Rules(rules), values: Values::Stored(reader) })
    }

    /// An octal game, from a stored sequence.
    pub fn stored(game: &OctalGame, position: &[u64], reader: &'a Reader) -> Result<Self> {
        let stored = reader.sequence()?;
        let largest = position.iter().copied().max().unwrap_or(0);
        let mismatch = |problem: String, remedy: &str| Error::Mismatch {
            path: reader.folder().to_path_buf(),
            problem,
            remedy: remedy.into(),
        };
        if stored != *game {
            let problem = format!("holds {stored}, not {game}");
            return Err(mismatch(problem, "ask for that game, or give another table"));
        }
        if largest >= reader.len() {
            let problem = format!("holds the heaps below {}, and {largest} is outside", reader.len());
            return Err(mismatch(
                problem,
                "leave out --table to compute what is needed, or solve more terms",
            ));
        }
        Ok(Self { heap: Heap::Octal(stored), values: Values::Stored(reader) })
    }

    /// An octal game: the sequence is computed until it proves a period, or up to the largest heap.
    pub fn octal(game: &OctalGame, position: &[u64], control: &Control<'_>) -> Result<Self> {
        /// A period is looked for in sequences of at most so many terms; the longest that any known octal
        /// game needs are not much longer, and every step takes four times as many.
        const LOOK_MOST: u64 = 1 << 22;
        const MORE_TIME: &str = ", or allow more --time";
        let largest = position.iter().copied().max().unwrap_or(0);
        let heap = Heap::Octal(game.clone());
        let what = format!("a heap of {largest} of {game}");
        let mut terms = if game.is_octal() { 1 << 14 } else { 1 << 9 };
        // Seconds and terms of the last step, and the power of the length by which the time grows, at most the
        // square.
        let mut last: Option<(f64, u64, f64)> = None;
        loop {
            let wanted = if largest < terms || terms > LOOK_MOST { largest.saturating_add(1) } else { terms };
            let in_time = last.map_or(Ok(()), |(seconds, terms, power)| {
                check_time(seconds * (wanted as f64 / terms as f64).powf(power), &what, control)
            });
            let too_large = |more: &str| {
                let known = last.map_or(0, |(_, terms, _)| terms);
                Error::Budget(format!(
                    "a heap of {largest} is too large: the first {known} terms of {game} prove no period; ask for heaps below 2^40{more}"
                ))
            };
            if largest >= MOST_TERMS && (in_time.is_err() || wanted >= MOST_TERMS) {
                return Err(too_large(if in_time.is_err() { MORE_TIME } else { "" }));
            }
            in_time?;
            let job = OctalJob::new(game.clone(), wanted);
            let remedy = "solve the sequence with --out DIR and ask it with --table DIR";
            machine::check_memory(job.file_bytes()?, control.memory, remedy)?;
            let begun = Instant::now();
            let table = job.solve(None, control).map_err(|error| match error {
                // The time was over before its estimate said so: on a busy machine.
                Error::Interrupted { .. } if largest >= MOST_TERMS && !control.stop.load(Relaxed) => {
                    too_large(MORE_TIME)
                }
                other => other,
            })?;
            if wanted > largest {
                return Ok(Self { heap, values: Values::Swept(Box::new(table)) });
            }
            let cells = table.cells();
            let mut values: Vec<u16> = (0..wanted).map(|n| cells.get(n)).collect();
            if let Some(proved) = Regularity::proved(game, &values) {
                let visits = match proved.theorem {
                    Theory::GuySmith => 0.0,
                    Theory::Arithmetic => (wanted as f64).powi(2) * (game.last_index() + 1) as f64,
                    Theory::Endless => largest as f64,
                };
                check_time(visits / super::tables::VISITS_PER_SECOND, &what, control)?;
                values.truncate(proved.terms());
                return Ok(Self { heap, values: Values::Regular(values, proved, wanted) });
            }
            let seconds = begun.elapsed().as_secs_f64().max(1e-6);
            let power = last.map_or(2.0, |(before, ..)| (seconds / before).log(4.0).clamp(1.0, 2.0));
            last = Some((seconds, wanted, power));
            terms *= 4;
        }
    }

    fn value(&self, heap: u64) -> Result<u64> {
        match &self.values {
            Values::Sizes => Ok(heap),
            Values::Stored(reader) => reader.get(heap).map(u64::from),
            Values::Swept(table) if heap < table.cells().len() => Ok(table.cells().get(heap).into()),
            Values::Swept(table) => Err(Error::Usage(format!(
                "the heaps below {} are known, and {heap} is not one of them",
                table.cells().len()
            ))),
            Values::Regular(values, proved, _) => proved
                .value(values, heap)
                .ok_or_else(|| Error::Budget(format!("the value of a heap of {heap} is beyond 2^63"))),
        }
    }

    fn nim_sum(&self, position: &[u64]) -> Result<u64> {
        let sum = position.iter().try_fold(0, |sum, &heap| Ok::<u64, Error>(sum ^ self.value(heap)?))?;
        // Bouton: misère nim is played like nim until all heaps are at most 1.
        let turned = matches!(self.heap, Heap::Nim(Play::Misere)) && position.iter().all(|&heap| heap <= 1);
        Ok(sum ^ u64::from(turned))
    }

    /// Calls `visit` with what a heap may become. Of a heap beyond a proved period the smaller part goes up
    /// to the end of the first period only: larger parts only repeat the values. Beyond an arithmetic period all
    /// parts but one go up to the number of values that proved it, and two larger ones differ by as much at most: among
    /// these every smaller value has an option (docs/PROOFS.md, section 12, (2) and (3)).
    fn options_of_heap(&self, heap: u64, visit: &mut dyn FnMut(&[u64])) {
        match &self.heap {
            Heap::Nim(_) => (0..heap).for_each(|to| visit(&[to])),
            Heap::Rules(rules) => {
                let narrow = u32::try_from(heap).unwrap_or(u32::MAX);
                rules.options(&[narrow], &mut |option| {
                    visit(&option.iter().map(|&to| to.into()).collect::<Heaps>())
                });
            }
            Heap::Octal(game) => match &self.values {
                Values::Regular(values, proved, reach) => match proved.theorem {
                    Theory::GuySmith => game.each_option(heap, values.len() as u64, visit),
                    Theory::Endless => game.each_option(heap, u64::MAX, visit),
                    Theory::Arithmetic => {
                        game.each_option(heap, *reach, visit);
                        each_option_with_two_large_parts(game, heap, *reach, visit);
                    }
                },
                _ => game.each_option(heap, u64::MAX, visit),
            },
        }
    }
}

/// The options of a finite code with two parts over `reach` that differ by at most as much, and a third one of at most
/// that.
fn each_option_with_two_large_parts(game: &OctalGame, heap: u64, reach: u64, visit: &mut dyn FnMut(&[u64])) {
    for taken in 0..=heap.min(game.last_index() as u64) {
        let (bits, rest) = (game.digit(taken).bits, heap - taken);
        for small in (0..=reach.min(rest)).filter(|&small| bits >> (2 + u8::from(small > 0)) & 1 == 1) {
            let both = rest - small;
            let (low, high) = (both.saturating_sub(reach).div_ceil(2).max(reach + 1), both / 2);
            for c in low..=high {
                let parts = [both - c, c, small];
                visit(if small > 0 { &parts } else { &parts[..2] });
            }
        }
    }
}

/// The different heaps of a position, which is sorted.
fn sizes(position: &[u64]) -> Heaps {
    let mut sizes = position.to_vec();
    sizes.dedup();
    sizes
}

impl Way for HeapSums<'_> {
    fn source(&self) -> Source {
        match self.values {
            Values::Stored(_) => Source::Table,
            Values::Regular(..) => Source::Theorem(Theorem::Period),
            Values::Sizes => Source::Theorem(Theorem::NimSum),
            Values::Swept(_) if matches!(self.heap, Heap::Octal(_)) => Source::Sweep,
            Values::Swept(_) => Source::Theorem(Theorem::NimSum),
        }
    }

    fn known(&self, positions: &[Heaps]) -> Result<Vec<Known>> {
        positions.iter().map(|position| self.nim_sum(position).map(Known::of_value)).collect()
    }

    fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>> {
        let mut options = Vec::new();
        if let Heap::Nim(_) = self.heap {
            let steps = sizes(position).into_iter().flat_map(|heap| (0..heap).map(move |to| (heap, to)));
            return Ok(steps.take(most).map(|(from, to)| replaced(position, from, &[to])).collect());
        }
        for heap in sizes(position) {
            self.options_of_heap(heap, &mut |to| {
                if options.len() < most {
                    options.push(replaced(position, heap, to));
                }
            });
        }
        Ok(options)
    }

    fn options_of_value(&self, position: &[u64], value: u64) -> Result<Found> {
        let sum = position.iter().try_fold(0, |sum, &heap| Ok::<u64, Error>(sum ^ self.value(heap)?))?;
        let mut options = Vec::new();
        for heap in sizes(position) {
            // The heap must become something of this value.
            let wanted = sum ^ self.value(heap)? ^ value;
            if let Heap::Nim(_) = self.heap {
                // In misère play an option may also be one whose heaps are all at most 1.
                let mut candidates = vec![wanted, 0, 1];
                candidates.dedup();
                for to in candidates.into_iter().filter(|&to| to < heap) {
                    let option = replaced(position, heap, &[to]);
                    if self.nim_sum(&option)? == value {
                        options.push(option);
                    }
                }
                continue;
            }
            let mut failure = Ok(());
            self.options_of_heap(heap, &mut |to| match self.nim_sum(to) {
                Ok(found) if found == wanted => options.push(replaced(position, heap, to)),
                Ok(_) => {}
                Err(error) => failure = Err(error),
            });
            failure?;
        }
        let more = match (&self.values, &self.heap) {
            // A heap that no move splits has few options, all of which were visited.
            (Values::Regular(values, proved, reach), Heap::Octal(game)) => {
                let beyond = |most: u64| game.splits() && position.iter().any(|&heap| heap / 2 > most);
                match proved.theorem {
                    Theory::GuySmith => {
                        beyond(values.len() as u64).then_some(More::Period(proved.drift.period as u64))
                    }
                    Theory::Arithmetic => beyond(*reach).then_some(More::Possible(true)),
                    Theory::Endless => None,
                }
            }
            _ => None,
        };
        Ok((options, more))
    }

    fn is_option(&self, from: &[u64], to: &[u64]) -> Option<bool> {
        matches!(self.heap, Heap::Nim(_)).then(|| lowered(from, to).is_some())
    }

    fn longest(&self, position: &[u64]) -> Result<Option<Heaps>> {
        if let Heap::Nim(_) = self.heap {
            return Ok(position.last().map(|&largest| replaced(position, largest, &[largest - 1])));
        }
        let mut options = self.options(position, usize::MAX)?;
        options.sort();
        Ok(options.into_iter().max_by_key(|option| option.iter().map(|&heap| u128::from(heap)).sum::<u128>()))
    }

    fn heap_values(&self, position: &[u64]) -> Result<Vec<u64>> {
        match self.heap {
            Heap::Octal(_) => position.iter().map(|&heap| self.value(heap)).collect(),
            _ => Ok(Vec::new()),
        }
    }
}
