//! Positions of heap games whose options come from the rules, and whose values come from a table, a sweep or
//! a search.

use std::sync::Arc;

use serde_json::Value;

use super::oracle::{Heaps, Known, Way};
use super::{Source, check_time};
use crate::base::{Control, Error, Result, machine};
use crate::game::Game;
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play, Rules};
use crate::search::memo::Memo;
use crate::space::{SortedHeaps, Space};
use crate::sweep::{HeapJob, Job, KernelChoice};
use crate::table::{Quantity, Reader, Table};

/// Options that the generic kernel visits in a second, on few cores.
pub(super) const VISITS_PER_SECOND: f64 = 3.5e7;

/// Positions of a heap game whose options come from the rules.
pub(super) struct ByRules<'a> {
    rules: Arc<HeapRules>,
    values: Values<'a>,
}

enum Values<'a> {
    Stored(&'a Reader, SortedHeaps),
    Swept(Box<Table>, SortedHeaps),
    Searched(Play, Control<'a>),
}

impl<'a> ByRules<'a> {
    /// Reads from a finished table, which must be of this game and large enough.
    pub fn stored(game: &Game, position: &[u64], reader: &'a Reader) -> Result<Self> {
        let rules = Self::stored_rules(game, position, reader)?;
        Ok(Self { rules, values: Values::Stored(reader, reader.heap_table()?.1) })
    }

    /// The rules of a finished table, which must be of this game and large enough for the position.
    pub fn stored_rules(game: &Game, position: &[u64], reader: &Reader) -> Result<Arc<HeapRules>> {
        let (stored, space) = reader.heap_table()?;
        let rules = stored.on_heaps()?.rules(space.max())?;
        let mismatch = |problem: String, remedy: &str| Error::Mismatch {
            path: reader.folder().to_path_buf(),
            problem,
            remedy: remedy.into(),
        };
        let same_game = std::ptr::eq(stored.entry(), game.entry());
        if !same_game || stored.play() != game.play() {
            let play = if stored.play() == Play::Misere { "misère" } else { "normal" };
            let problem = format!("holds {} in {play} play", stored.name());
            return Err(mismatch(problem, "ask for that game, or give another table"));
        }
        let differs = |(key, value): &(&String, &Value)| stored.parameters().get(*key) != Some(value);
        if let Some((key, value)) = game.parameters().iter().find(differs) {
            let held = stored.parameters().get(key).map_or_else(|| "none".into(), Value::to_string);
            let problem = format!("holds {} with {key} {held}, not {value}", game.name());
            return Err(mismatch(problem, "ask with the table's parameters, or give another table"));
        }
        Self::check_size(&space, &game.on_heaps()?.normal(position), reader)?;
        Ok(rules)
    }

    /// Refuses a position, in normal form, that the table does not hold.
    pub fn check_size(space: &SortedHeaps, heaps: &[u64], reader: &Reader) -> Result<()> {
        let mismatch = |problem: String, remedy: &str| Error::Mismatch {
            path: reader.folder().to_path_buf(),
            problem,
            remedy: remedy.into(),
        };
        let full = heaps.len() == space.heaps();
        if let Some(&least) = heaps.first().filter(|&&least| full && least > space.smallest().into()) {
            let most = space.smallest();
            return Err(mismatch(
                format!("holds positions whose smallest heap is at most {most}, and here it is {least}"),
                "leave out --table to solve what is needed, or make a table without --smallest",
            ));
        }
        if heaps.len() > space.heaps() || heaps.last().is_some_and(|&heap| heap > u64::from(space.max())) {
            let (most, max) = (space.heaps(), space.max());
            let shown = show_heaps(heaps);
            return Err(mismatch(
                format!("holds at most {most} heaps of at most {max}, and {shown} is outside"),
                "leave out --table to solve what is needed, or make a larger table",
            ));
        }
        Ok(())
    }

    /// Fills a table of what the position can lead to: no larger heaps, no more heaps, no larger smallest
    /// heap. Values where that is not much work, otherwise outcomes.
    pub fn sweep(game: &Game, position: &[u64], control: &Control<'_>) -> Result<Self> {
        const MOST_VALUE_BYTES: u64 = 400_000_000;
        const MOST_VALUE_SECONDS: f64 = 60.0;
        let on_heaps = game.on_heaps()?;
        let heaps = on_heaps.normal(position);
        let what = format!("{} of {}", on_heaps.show(&heaps), game.name());
        let chips = heaps.iter().fold(0u64, |sum, &heap| sum.saturating_add(heap));
        let too_big = || {
            Error::Budget(format!(
                "{what} needs a table of more positions than can be numbered; ask for a smaller position"
            ))
        };
        let narrow = |heap: Option<&u64>| u32::try_from(heap.copied().unwrap_or(0)).map_err(|_| too_big());
        let (first, largest) = (narrow(heaps.first())?, narrow(heaps.last())?);
        let (count, largest) = (heaps.len().max(1), largest.max(1));
        // All positions without those whose smallest heap is larger than the one here.
        let entries = SortedHeaps::count_slice(count, largest, first).ok_or_else(too_big)?;
        let visits = entries as f64 * chips as f64 * on_heaps.more_options(largest.into());
        let by_visits = visits / VISITS_PER_SECOND;
        if on_heaps.lines().is_none() {
            // Before the rules, which may hold a number for every heap, are made.
            check_time(by_visits, &what, control)?;
        }
        let most_bytes = MOST_VALUE_BYTES.min(control.memory.unwrap_or(u64::MAX));
        let wanted = |quantity: Quantity| -> Result<(HeapJob, u64, f64)> {
            let job = HeapJob { smallest: Some(first), ..HeapJob::new(game, count, largest, quantity)? };
            let job = job.kept_within(Some(most_bytes), false)?;
            // A table of bytes that must be widened is there twice for a moment.
            let bytes = job.width().file_bytes(entries).saturating_mul(2).saturating_add(job.memory());
            let seconds = match job.kernel {
                KernelChoice::Generic => by_visits,
                _ => job.estimate_seconds()?.unwrap_or(0.0),
            };
            Ok((job, bytes, seconds))
        };
        // No value is larger than the number of counters, and a table holds 16 bits.
        let values = if chips <= u64::from(u16::MAX) { Some(wanted(Quantity::Values)?) } else { None };
        let most_seconds = control.remaining().map_or(MOST_VALUE_SECONDS, |left| left.as_secs_f64());
        let fit =
            |(_, bytes, seconds): &(HeapJob, u64, f64)| *bytes <= most_bytes && *seconds <= most_seconds;
        let (job, bytes, seconds) = match values {
            Some(values) if fit(&values) => values,
            _ => wanted(Quantity::Outcomes)?,
        };
        check_time(seconds, &what, control)?;
        machine::check_memory(
            bytes,
            control.memory,
            "solve a table with --out DIR and ask it with --table DIR",
        )?;
        if job.quantity == Quantity::Outcomes {
            control.observer.note(
                "Outcome only; for the value fill a table with solve --values --out DIR and ask it with --table DIR.",
            );
        }
        let table = job.solve(None, control)?;
        Ok(Self { rules: Arc::clone(&job.rules), values: Values::Swept(Box::new(table), job.space()?) })
    }

    /// Searches from the position. Every adding move may raise every heap, so that the positions below are
    /// bounded by those of the raised heaps.
    pub fn search(game: &Game, position: &[u64], control: &Control<'a>) -> Result<Self> {
        const MOST: f64 = 2e6;
        let (&additions, heaps) =
            position.split_first().ok_or_else(|| Error::Usage("no heap is given".into()))?;
        let rules = game.on_heaps()?.rules(0)?;
        // What an adding move adds at most: the largest option of an empty heap.
        let mut most = 0;
        rules.options(&[1, 0], &mut |option| most = most.max(option.last().copied().unwrap_or(0)));
        let positions = heaps.iter().fold(additions as f64 + 1.0, |product, &heap| {
            product * (heap as f64 + 1.0 + f64::from(most) * additions as f64)
        });
        if positions > MOST {
            return Err(Error::Budget(format!(
                "{} of {} may lead to {positions:.1e} positions; ask for smaller heaps or fewer adding moves",
                game.on_heaps()?.show(position),
                game.name()
            )));
        }
        Ok(Self { rules, values: Values::Searched(game.play(), *control) })
    }

    /// Searches from a position whose heaps may be split: what it leads to are multisets with at most as many
    /// counters.
    pub fn search_splits(game: &Game, position: &[u64], control: &Control<'a>) -> Result<Self> {
        /// Some 1.3 million multisets have at most so many counters.
        const MOST: u64 = 50;
        let counters = position.iter().fold(0u64, |sum, &heap| sum.saturating_add(heap));
        if counters > MOST {
            return Err(Error::Budget(format!(
                "{} has {counters} counters, and moves split its heaps, so that it is searched; the limit is {MOST} counters",
                game.on_heaps()?.show(position)
            )));
        }
        let rules = Arc::new(Normalised(game.on_heaps()?.rules(0)?));
        Ok(Self { rules, values: Values::Searched(game.play(), *control) })
    }

    /// The entries that the rules take, with empty heaps where a table has room for them.
    fn narrow(&self, position: &[u64]) -> Result<Vec<u32>> {
        let outside = || Error::Usage(format!("{} is outside of what was solved", show_heaps(position)));
        let mut heaps = position
            .iter()
            .map(|&heap| u32::try_from(heap))
            .collect::<Result<Vec<u32>, _>>()
            .map_err(|_| outside())?;
        if let Values::Stored(_, space) | Values::Swept(_, space) = &self.values {
            if heaps.len() > space.heaps() || heaps.iter().any(|&heap| heap > space.max()) {
                return Err(outside());
            }
            heaps.resize(space.heaps(), 0);
        }
        Ok(heaps)
    }
}

/// Rules whose options are in normal form: sorted, without empty heaps.
struct Normalised(Arc<HeapRules>);

impl Rules for Normalised {
    type Position = [u32];

    fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
        self.0.options(heaps, &mut |option| {
            let mut normal: Vec<u32> = option.iter().copied().filter(|&heap| heap > 0).collect();
            normal.sort_unstable();
            visit(&normal);
        });
    }
}

impl Way for ByRules<'_> {
    fn source(&self) -> Source {
        match self.values {
            Values::Stored(..) => Source::Table,
            Values::Swept(..) => Source::Sweep,
            Values::Searched(..) => Source::Search,
        }
    }

    fn known(&self, positions: &[Heaps]) -> Result<Vec<Known>> {
        let narrow = positions.iter().map(|position| self.narrow(position)).collect::<Result<Vec<_>>>()?;
        match &self.values {
            Values::Stored(reader, space) => {
                let has_values = !reader.manifest().width.is_bit();
                let known = |heaps: &Vec<u32>| {
                    let index = space.rank(heaps);
                    let value = if has_values { Some(reader.get(index)?.into()) } else { None };
                    Ok(Known { is_p: reader.is_p(index)?, value, above: None })
                };
                narrow.iter().map(known).collect()
            }
            Values::Swept(table, space) => {
                let cells = table.cells();
                let has_values = !table.spec().quantity.is_outcomes();
                let known = |heaps: &Vec<u32>| {
                    let index = space.rank(heaps);
                    if index >= cells.len() {
                        return Err(Error::Usage(format!(
                            "{} is outside of what was solved",
                            show_heaps(heaps)
                        )));
                    }
                    let value = has_values.then(|| cells.get(index).into());
                    Ok(Known { is_p: cells.is_p(index), value, above: None })
                };
                narrow.iter().map(known).collect()
            }
            Values::Searched(play, control) => {
                let mut memo = Memo::new(&*self.rules, *play);
                let mut known =
                    |heaps: &Vec<u32>| Ok(Known::of_value(memo.value_within(heaps, control)?.into()));
                narrow.iter().map(&mut known).collect()
            }
        }
    }

    fn options(&self, position: &[u64], most: usize) -> Result<Vec<Heaps>> {
        let mut options: Vec<Heaps> = Vec::new();
        self.rules.options(&self.narrow(position)?, &mut |option| {
            options.push(option.iter().map(|&heap| heap.into()).collect());
        });
        // The first ones in the order of the list.
        options.sort();
        options.dedup();
        options.truncate(most);
        Ok(options)
    }
}
