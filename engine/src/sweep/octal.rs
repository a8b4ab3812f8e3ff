//! Nim-sequences as tables: from a code to a stored sequence.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::job::{Filled, Job, calibrate, growth, solve};
use super::kernel::Generic;
use super::kernel::octal::{Engine, EngineOptions, Method, SplitReport, Term, too_large};
use super::pace::{Checkpoints, Steps};
use super::run::run;
use crate::base::{Control, Error, Result};
use crate::game::Game;
use crate::game::theory::guy_smith::Drift;
use crate::game::theory::regularity::Regularity;
use crate::rules::{OctalGame, Play};
use crate::space::Line;
use crate::table::{IndexScheme, Quantity, Spec, Table, Width};
use crate::waves::OneByOne;

/// A period is looked for, each time the sequence is four times as long, in the terms below this: the look
/// takes four bytes a term.
const LOOK_MOST: usize = 1 << 22;

/// The nim-sequence G(0), …, G(terms − 1) of an octal game, to be computed. Once the terms prove a period or an
/// arithmetic period, the rest is copied.
#[derive(Debug, Clone)]
pub struct OctalJob {
    /// The game.
    pub game: OctalGame,
    /// The number of terms.
    pub terms: u64,
    /// How the engine works; the values do not depend on it.
    pub engine: EngineOptions,
}

impl OctalJob {
    /// The sequence of `game`, by the fastest way on the current threads.
    pub fn new(game: OctalGame, terms: u64) -> Self {
        let engine = EngineOptions { threads: rayon::current_num_threads(), ..EngineOptions::default() };
        Self { game, terms, engine }
    }

    /// Computes the sequence, in memory or in the folder `out`, where a shorter or unfinished one is
    /// continued.
    pub fn solve(&self, out: Option<&Path>, control: &Control<'_>) -> Result<Table> {
        solve(self, out, control)
    }

    fn fill_terms<T: Term>(
        &self,
        table: &mut Table,
        control: &Control<'_>,
        terms_of: impl Fn(&mut Table) -> Option<&mut [T]>,
        extend: impl Fn(&mut Engine, &mut [T], usize) -> Result<()>,
    ) -> Result<Filled> {
        let started = Instant::now();
        let seconds = || started.elapsed().as_secs_f64();
        let terms = table.spec().entries as usize;
        let earlier = table.waves_done() as usize;
        control.observer.begin(terms as u64, terms as u64, earlier as u64);
        table.check_resumed()?;
        let mut engine = Engine::new(&self.game, self.engine);
        let mut known = earlier;
        let mut checkpoints = Checkpoints::new(control);
        let mut steps = Steps::of(&self.game);
        let (mut proved, mut next_look): (Option<Regularity>, _) = (None, 0);
        while known < terms {
            let to = terms.min(known + steps.begin());
            let values = &mut terms_of(table).ok_or_else(too_narrow)?[..to];
            match proved {
                Some(Regularity { drift, .. }) => repeat(values, known, drift)?,
                None => extend(&mut engine, values, known)?,
            }
            let done = to - std::mem::replace(&mut known, to);
            if known >= next_look && proved.is_none() {
                next_look = if known < LOOK_MOST { 4 * known } else { usize::MAX };
                proved = Regularity::proved(&self.game, &values[..known.min(LOOK_MOST)]);
            }
            steps.end(done);
            control.observer.wave(known as u64, (known - earlier) as u64);
            if control.stopped() && known < terms {
                table.checkpoint(known as u64, seconds())?;
                return Err(Error::Interrupted { done: known as u64, total: terms as u64 });
            }
            if table.is_on_disk() && known < terms && checkpoints.is_due() {
                checkpoints.make(known as u64, || table.checkpoint(known as u64, seconds()))?;
            }
        }
        let results = results(terms_of(table).ok_or_else(too_narrow)?, engine.split());
        Ok(Filled { seconds: seconds(), results })
    }
}

impl Job for OctalJob {
    fn game(&self) -> Game {
        Game::octal(self.game.clone())
    }

    fn spec(&self) -> Result<Spec> {
        if self.terms == 0 {
            return Err(Error::Usage("a sequence needs at least one term".into()));
        }
        let game = self.game();
        Ok(Spec {
            game: game.name().into(),
            parameters: game.parameters().clone(),
            quantity: Quantity::Values,
            index: IndexScheme::line(),
            entries: self.terms,
            waves: self.terms,
        })
    }

    /// A heap of a game that never splits has an option for each number that may be taken, and its value is
    /// at most their number: often a byte is enough. Of other games no bound is known.
    fn width(&self) -> Width {
        let bounded = self.game.is_octal() && !self.game.splits();
        if bounded && self.game.leaving_one().len() < usize::from(u8::MAX) { Width::U8 } else { Width::U16 }
    }

    fn grows(&self) -> bool {
        true
    }

    /// Where a move leaves three heaps, the sums of two of them: at least a word for each m.
    fn memory(&self) -> u64 {
        if self.game.most_parts() == 3 { self.terms.saturating_mul(8) } else { 0 }
    }

    /// The time grows like a power of the length; short sequences give the power and the factor. A period
    /// that is proved in them is copied at the speed of memory.
    fn estimate_seconds(&self) -> Result<Option<f64>> {
        let short: u64 = if self.game.is_octal() { 1 << 17 } else { 1 << 12 };
        const COPIED_PER_SECOND: f64 = 5e8;
        if self.terms <= 8 * short {
            return Ok(None);
        }
        let mut copied = false;
        let measured = calibrate((10..=short.ilog2()).map(|log| 1 << log), |terms| {
            let job = Self { terms, ..self.clone() };
            let mut table = Table::in_memory(job.spec()?, job.width())?;
            let seconds = job.fill(&mut table, &Control::silent())?.seconds;
            let proved =
                table.values_mut().and_then(|values| Regularity::proved(&self.game, values)).is_some();
            copied = proved || (self.game.is_octal() && !self.game.splits());
            Ok(seconds)
        })?;
        let (terms, slow) = measured[1];
        if copied {
            return Ok(Some(slow + self.terms as f64 / COPIED_PER_SECOND));
        }
        Ok(Some(slow * (self.terms as f64 / terms as f64).powf(growth(measured, (1.0, 2.0)))))
    }

    fn fill(&self, table: &mut Table, control: &Control<'_>) -> Result<Filled> {
        if !self.game.is_octal() && [Method::Rows, Method::Marks].contains(&self.engine.method) {
            return Err(Error::Usage(format!(
                "--method rows and marks are for octal games, and {} is not one; leave it out",
                self.game
            )));
        }
        if self.engine.method == Method::Naive && self.terms <= u64::from(u32::MAX) {
            let (space, waves) = (Line::new(self.terms), OneByOne::new(self.terms));
            let seconds =
                run(table, &waves, &Generic::new(&self.game, Play::Normal, &space, &waves), control)?;
            let results = match table.values_mut() {
                Some(values) => results(values, None),
                None => results(table.bytes_mut().ok_or_else(too_narrow)?, None),
            };
            return Ok(Filled { seconds, results });
        }
        // A table that is there already may have two bytes for a value where one would do.
        match (table.manifest().width, self.width()) {
            (Width::U8, Width::U8) => self.fill_terms(table, control, Table::bytes_mut, Engine::extend_bytes),
            (Width::U16, _) => self.fill_terms(table, control, Table::values_mut, Engine::extend),
            _ => Err(too_narrow()),
        }
    }
}

/// Copies the terms from `known` on, as a period or an arithmetic period that is proved says.
fn repeat<T: Term>(values: &mut [T], known: usize, Drift { period, saltus, .. }: Drift) -> Result<()> {
    if saltus == 0 {
        (known..values.len()).for_each(|n| values[n] = values[n - period]);
        return Ok(());
    }
    for n in known..values.len() {
        let before: u16 = values[n - period].into();
        let value = u16::try_from(i64::from(before) + saltus).ok().and_then(|value| T::try_from(value).ok());
        values[n] = value.ok_or_else(|| too_large(n))?;
    }
    Ok(())
}

/// The error for a table that was not made with enough bits a value.
fn too_narrow() -> Error {
    Error::Usage(
        "the nim-sequence of this game has 16 bits a value, and this table has not; choose another --out"
            .into(),
    )
}

/// The facts that go into the manifest.
fn results<T: Term>(values: &[T], split: Option<SplitReport>) -> BTreeMap<String, Value> {
    let (max_value, max_at) = maximum(values);
    let rare = |split: SplitReport| {
        let heaps = values.iter().enumerate().skip(1);
        let rare = heaps.filter(|&(n, &value)| split.is_rare(value.into(), n)).map(|(n, _)| n);
        rare.fold((0, None), |(count, _), n| (count + 1, Some(n)))
    };
    let (rare_count, last_rare) = split.map(rare).unzip();
    BTreeMap::from([
        ("max_value".into(), json!(max_value)),
        ("max_at".into(), json!(max_at)),
        ("zeros".into(), json!(values.iter().filter(|&&value| value.into() == 0).count())),
        ("rare_mask".into(), json!(split.map(|split| split.mask))),
        ("rare_by_position".into(), json!(split.is_some_and(|split| split.by_position.is_some()))),
        ("rare_count".into(), json!(rare_count)),
        ("last_rare".into(), json!(last_rare.flatten())),
    ])
}

/// The largest value and the first heap that has it.
pub fn maximum<T: Term>(values: &[T]) -> (u16, usize) {
    let max = values.iter().copied().max().map_or(0, Into::into);
    (max, values.iter().position(|&value| value.into() == max).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::kernel::octal::naive_sequence;
    use super::*;
    use crate::table::{Cells, ValueCell};

    #[test]
    fn a_sequence_grows_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("officers");
        let game: OctalGame = "0.6".parse().unwrap();
        let blake3 = |table: &Table| table.manifest().checksums.clone().unwrap().blake3;
        for terms in [1u64, 5000, 5000, 12345] {
            let table = OctalJob::new(game.clone(), terms).solve(Some(&path), &Control::silent()).unwrap();
            let whole = OctalJob::new(game.clone(), terms).solve(None, &Control::silent()).unwrap();
            assert_eq!(blake3(&table), blake3(&whole), "{terms}");
        }
        let mut table = OctalJob::new(game.clone(), 12345).solve(Some(&path), &Control::silent()).unwrap();
        assert_eq!(table.values_mut().unwrap(), naive_sequence(&game, 12345).unwrap());
        let other = OctalJob::new("0.07".parse().unwrap(), 12345).solve(Some(&path), &Control::silent());
        drop(table);
        assert!(other.is_err(), "another game's folder must be refused");
    }

    /// Games that never split are stored in bytes, as long as they have few enough takes.
    #[test]
    fn values_that_are_proved_small_are_bytes() {
        let takes = |most: usize| OctalGame::subtraction(&(1..=most).collect::<Vec<_>>()).unwrap();
        let odd = "subtraction 2,5,11".parse().unwrap();
        for (game, width) in [(odd, Width::U8), (takes(254), Width::U8), (takes(255), Width::U16)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t");
            let expected = naive_sequence(&game, 3000).unwrap();
            for terms in [100, 700, 3000] {
                let table =
                    OctalJob::new(game.clone(), terms).solve(Some(&path), &Control::silent()).unwrap();
                assert_eq!(table.manifest().width, width, "{game}");
                let stored: Vec<u16> = match table.cells() {
                    Cells::U8(cells) => cells.iter().map(ValueCell::get).collect(),
                    Cells::U16(cells) => cells.iter().map(ValueCell::get).collect(),
                    Cells::Bits(_) => panic!("values"),
                };
                assert_eq!(stored, expected[..terms as usize], "{game}");
                assert_eq!(table.manifest().results["max_value"], maximum(&stored).0);
            }
        }
    }

    #[test]
    fn a_proved_period_is_copied_and_an_unproved_one_is_not() {
        for (code, periodic) in
            [("kayles", true), ("0.07", true), ("4.7", true), ("0.6", false), ("grundy", false)]
        {
            let game: OctalGame = code.parse().unwrap();
            let mut table = OctalJob::new(game.clone(), 40000).solve(None, &Control::silent()).unwrap();
            let values = table.values_mut().unwrap();
            assert_eq!(Regularity::proved(&game, &values[..1 << 14]).is_some(), periodic, "{code}");
            assert_eq!(values, naive_sequence(&game, 40000).unwrap(), "{code}");
        }
    }

    #[test]
    fn a_stopped_run_goes_on_with_the_same_bytes() {
        use std::sync::atomic::AtomicBool;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let job = OctalJob::new("0.007".parse().unwrap(), 30000);
        let stop = AtomicBool::new(true);
        let control = Control { stop: &stop, ..Control::silent() };
        let mut runs = 0;
        let table = loop {
            match job.solve(Some(&path), &control) {
                Ok(table) => break table,
                Err(Error::Interrupted { done, total }) => assert!(done < total),
                Err(other) => panic!("{other}"),
            }
            runs += 1;
        };
        assert!(runs > 0);
        let whole = job.solve(None, &Control::silent()).unwrap();
        assert_eq!(table.manifest().checksums, whole.manifest().checksums);
        assert_eq!(table.manifest().results["max_value"], whole.manifest().results["max_value"]);
    }
}
