//! Tables of games on sorted heaps: from the rules to a finished table.

mod asked;
mod order;

use std::path::Path;
use std::sync::Arc;

use super::heap_results::count_results;
use super::job::{Filled, Job, calibrate, growth, solve};
use super::kernel::{
    Generic, Here, Kernel, LineValues, MinnieOutcomes, MinnieValues, RowKernel, RowsElsewhere,
};
use crate::base::{Control, Error, Isa, Result, machine};
use crate::game::{Family, Game, HeapGame, Lines};
use crate::rules::{HeapRules, Play};
use crate::space::{SortedHeaps, Space};
use crate::table::{IndexScheme, Quantity, Spec, Table, Width};
use crate::waves::{KeySum, RowBlock};

/// Which kernel fills a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KernelChoice {
    /// The fastest that the game has, with the instructions of this machine.
    #[default]
    Fastest,
    /// The fastest that the game has, with plain 64-bit instructions.
    Portable,
    /// The scalar kernel for any rules.
    Generic,
}

/// A table of a game on at most `heaps` heaps of at most `max` counters, to be filled.
#[derive(Clone)]
pub struct HeapJob {
    /// The game.
    pub game: Game,
    /// Its rules for heaps of this size.
    pub rules: Arc<HeapRules>,
    /// Which game of the family of minnie this is, if any, so that the kernels of the family apply.
    pub family: Option<Family>,
    /// The number of heaps.
    pub heaps: usize,
    /// The largest heap.
    pub max: u32,
    /// Outcomes or values.
    pub quantity: Quantity,
    /// The kernel.
    pub kernel: KernelChoice,
    /// Only the positions whose smallest heap, absent ones counted as 0, is at most this; see
    /// [`SortedHeaps::slice`].
    pub smallest: Option<u32>,
    /// Fill values of minnie by rows even where there is memory for windows: so do several machines.
    pub by_rows: bool,
}

impl HeapJob {
    /// A table of `game`, filled by the fastest kernel that it has.
    pub fn new(game: &Game, heaps: usize, max: u32, quantity: Quantity) -> Result<Self> {
        let on_heaps = game.on_heaps()?;
        let name = game.name();
        if !on_heaps.has_tables() {
            return Err(Error::Usage(format!(
                "{name} has no tables, because its moves also raise heaps; ask for single positions with query"
            )));
        }
        check_splits(game, on_heaps, heaps, quantity)?;
        if let Some(most) = on_heaps.most_heaps.filter(|&most| heaps > most) {
            return Err(Error::Usage(format!(
                "--heaps {heaps}: a position of {name} has at most {most} heaps"
            )));
        }
        let max = on_heaps.largest_heap().map_or(max, |largest| max.min(largest));
        let mut job = Self {
            game: game.clone(),
            rules: on_heaps.rules(max)?,
            family: on_heaps.family,
            heaps,
            max,
            quantity,
            kernel: KernelChoice::Fastest,
            smallest: None,
            by_rows: false,
        };
        if !job.has_fast_kernel() {
            job.kernel = KernelChoice::Generic;
        }
        Ok(job)
    }

    /// A table of minnie.
    pub fn minnie(heaps: usize, max: u32, play: Play, quantity: Quantity) -> Self {
        let minnie = Game::named("minnie").expect("the catalogue has minnie").in_play(play);
        Self::new(&minnie, heaps, max, quantity).expect("minnie has tables")
    }

    /// Whether there is another kernel than the generic one.
    pub fn has_fast_kernel(&self) -> bool {
        match self.quantity {
            Quantity::Outcomes => self.family.is_some(),
            Quantity::Values => self.family == Some(Family::Minnie) || self.lines().is_some(),
        }
    }

    /// The same job, by a kernel that needs less memory where the fastest would need more beside the table than
    /// `limit` (or what is available) leaves for it.
    pub fn kept_within(mut self, limit: Option<u64>, on_disk: bool) -> Result<Self> {
        let have = limit.or_else(machine::available_memory).unwrap_or(u64::MAX);
        let table = if on_disk { 0 } else { self.file_bytes()? };
        let fits = table.saturating_add(self.memory()) <= have;
        self.by_rows |= !fits && self.prefers_slabs()?;
        if !fits && self.line_values().is_some() {
            self.kernel = KernelChoice::Generic;
        }
        Ok(self)
    }

    /// The lines of the game, where there is memory for the values that are used up on each of them: 256 MiB,
    /// or half of what is available.
    fn lines(&self) -> Option<Lines> {
        let lines = self.game.on_heaps().ok()?.lines()?;
        let memory = LineValues::memory(lines, self.heaps, self.max);
        let fits = memory <= 256 << 20 || machine::available_memory().is_some_and(|have| memory <= have / 2);
        fits.then_some(lines)
    }

    /// The lines by which values are found, unless the game has another kernel or the generic one is wanted.
    fn line_values(&self) -> Option<Lines> {
        let other = self.kernel == KernelChoice::Generic || self.family == Some(Family::Minnie);
        if other || self.quantity == Quantity::Outcomes { None } else { self.lines() }
    }

    /// The space of the table.
    pub fn space(&self) -> Result<SortedHeaps> {
        let whole = SortedHeaps::new(self.heaps, self.max)?;
        Ok(match self.smallest {
            Some(smallest) => whole.slice(smallest),
            None => whole,
        })
    }

    /// The number of entries, or `None` where it exceeds 2^63.
    pub fn entries(&self) -> Option<u64> {
        SortedHeaps::count_slice(self.heaps, self.max, self.smallest.unwrap_or(self.max))
    }

    fn column_memory(&self) -> u64 {
        MinnieValues::column_memory(self.heaps, self.max, self.smallest.unwrap_or(self.max).min(self.max))
    }

    /// Columns are kept while they take no more than the table, or 256 MiB.
    fn uses_columns(&self) -> bool {
        if self.heaps < 2 {
            return false;
        }
        let columns = self.column_memory();
        let table = self.entries().unwrap_or(u64::MAX);
        self.heaps == 2 || columns <= table.max(256 << 20)
    }

    /// The family whose own kernel is used, unless the generic one is wanted.
    fn kernel_family(&self) -> Option<Family> {
        self.family.filter(|_| self.kernel != KernelChoice::Generic)
    }

    /// The waves of the rows of `space`, in blocks that suit the pace of the kernel: short enough to share a
    /// wave evenly, long enough to be worth handing out.
    pub fn waves<'a>(&self, space: &'a SortedHeaps) -> KeySum<'a> {
        let positions = match (self.quantity, self.kernel_family()) {
            (Quantity::Outcomes, Some(_)) => 1 << 14,
            (Quantity::Values, _) if self.kernel != KernelChoice::Generic => 1 << 9,
            _ => 1 << 6,
        };
        KeySum::new(space).in_blocks_of(positions)
    }

    /// The kernel of this job.
    pub fn kernel<'a>(
        &'a self,
        space: &'a SortedHeaps,
        waves: &'a KeySum<'a>,
    ) -> Box<dyn Kernel<RowBlock> + 'a> {
        self.kernel_within(space, waves, &Control::silent())
    }

    fn kernel_within<'a>(
        &'a self,
        space: &'a SortedHeaps,
        waves: &'a KeySum<'a>,
        control: &Control<'a>,
    ) -> Box<dyn Kernel<RowBlock> + 'a> {
        match (self.line_values(), self.game.on_heaps()) {
            (Some(lines), Ok(game)) => {
                Box::new(LineValues::new(waves, &*self.rules, self.game.play(), lines, game.distinct))
            }
            _ => self.kernel_of_parts(space, waves, control),
        }
    }

    /// A kernel that can fill parts of a table, because it finds what it needs in the rows that others have
    /// filled.
    pub fn kernel_of_parts<'a>(
        &'a self,
        space: &'a SortedHeaps,
        waves: &'a KeySum<'a>,
        control: &Control<'a>,
    ) -> Box<dyn Kernel<RowBlock> + 'a> {
        match self.row_kernel::<Here>(waves) {
            Some(kernel) => kernel,
            None => Box::new(Generic::new(&*self.rules, self.game.play(), space, waves).stopped_by(control)),
        }
    }

    /// The instructions that kernels may use.
    fn isa(&self) -> Isa {
        match self.kernel {
            KernelChoice::Fastest => Isa::detect(),
            KernelChoice::Portable | KernelChoice::Generic => Isa::PORTABLE,
        }
    }

    /// The kernel of this job that works by whole rows, where there is one. Only for minnie may rows be
    /// elsewhere: the other games lower several heaps at once, or have the rules look at any entry.
    pub fn row_kernel<'a, E: RowsElsewhere>(
        &'a self,
        waves: &'a KeySum<'a>,
    ) -> Option<Box<dyn RowKernel<E> + 'a>> {
        let (isa, play) = (self.isa(), self.game.play());
        match (self.quantity, self.kernel_family()?) {
            (Quantity::Outcomes, game) => Some(Box::new(MinnieOutcomes::of(game, waves, play, isa))),
            (Quantity::Values, Family::Minnie) => {
                Some(Box::new(MinnieValues::new(waves, play, isa, self.uses_columns())))
            }
            _ => None,
        }
    }

    /// Fills the table, in memory or in the folder `out`, or resumes where an earlier run stopped.
    pub fn solve(&self, out: Option<&Path>, control: &Control<'_>) -> Result<Table> {
        solve(self, out, control)
    }
}

/// Refuses tables of games whose moves split heaps, unless they hold the values of single heaps.
fn check_splits(game: &Game, on_heaps: &HeapGame, heaps: usize, quantity: Quantity) -> Result<()> {
    if !on_heaps.splits()
        || (on_heaps.is_written_sum(game.play()) && heaps == 1 && quantity == Quantity::Values)
    {
        return Ok(());
    }
    let why = match (on_heaps.sum, game.play()) {
        (None, _) => {
            "its heaps interact: no number of heaps is enough for what the moves lead to; ask for single positions with query"
        }
        (_, Play::Misere) => "in misère play its values do not add up; ask for single positions with query",
        _ => "its heaps do not interact: a sequence of values says everything; ask for --heaps 1 --values",
    };
    Err(Error::Usage(format!(
        "there is no such table: a move of this {} may split a heap, and {why}",
        game.name()
    )))
}

impl Job for HeapJob {
    fn game(&self) -> Game {
        self.game.clone()
    }

    fn spec(&self) -> Result<Spec> {
        let space = self.space()?;
        let mut parameters = self.game.parameters().clone();
        parameters.insert("heaps".into(), self.heaps.into());
        parameters.insert("max".into(), self.max.into());
        if space.is_slice() {
            parameters.insert("smallest".into(), space.smallest().into());
        }
        Ok(Spec {
            game: self.game.name().into(),
            parameters,
            quantity: self.quantity,
            index: IndexScheme::sorted_heaps(),
            entries: space.len(),
            waves: self.wave_counts(&space)?.0,
        })
    }

    fn other_waves(&self) -> Option<u64> {
        self.wave_counts(&self.space().ok()?).ok()?.1
    }

    fn width(&self) -> Width {
        match self.quantity {
            Quantity::Outcomes => Width::Bit,
            // A single heap of n has value n: bytes would be widened at once, and both files be there for a while.
            Quantity::Values if self.family == Some(Family::Minnie) && self.max > u8::MAX.into() => {
                Width::U16
            }
            Quantity::Values => Width::U8,
        }
    }

    fn memory(&self) -> u64 {
        match (self.kernel, self.quantity) {
            (KernelChoice::Generic, _) => 0,
            (_, Quantity::Outcomes) => {
                let by_rows = if self.prefers_strips() { self.heaps.min(3) } else { self.heaps };
                MinnieOutcomes::memory(by_rows, self.max)
            }
            (_, Quantity::Values) => match self.line_values() {
                Some(lines) => LineValues::memory(lines, self.heaps, self.max),
                None if self.prefers_slabs().unwrap_or(false) => self.window_memory(),
                None if self.family == Some(Family::Minnie) && self.uses_columns() => self.column_memory(),
                None => 0,
            },
        }
    }

    /// The time grows like a power of the largest heap; small tables give the power and the factor.
    fn estimate_seconds(&self) -> Result<Option<f64>> {
        const SMALL: f64 = 2e8;
        let calibration = match (self.kernel, self.quantity) {
            (KernelChoice::Generic, _) => 1e5,
            (_, Quantity::Values) => 2e6,
            (_, Quantity::Outcomes) => 4e7,
        };
        let size = |max: u32| Self { max, ..self.clone() }.entries().unwrap_or(u64::MAX);
        // The generic kernel visits every option of every position.
        let on_heaps = self.game.on_heaps()?;
        let more = |max: u32| size(max) as f64 * on_heaps.more_options(max.into());
        let visits = match self.kernel {
            KernelChoice::Generic => more(self.max) * f64::from(self.max),
            _ => size(self.max) as f64,
        };
        if visits < SMALL {
            return Ok(None);
        }
        let sizes = std::iter::successors(Some(3u32), |max| Some(max + max.div_ceil(2)))
            .map(|max| max.min(self.max))
            .scan(false, |done, max| {
                let going_on = !*done;
                *done = max == self.max || more(max) >= calibration;
                going_on.then_some(u64::from(max))
            });
        let measured = calibrate(sizes, |max| {
            let job = Self { max: max as u32, ..self.clone() };
            let mut table = Table::in_memory(job.spec()?, job.width())?;
            Ok(job.fill(&mut table, &Control::silent())?.seconds)
        })?;
        // At least every row is visited, at most every option of every position is.
        let most = self.heaps as f64 + 1.0 + on_heaps.more_options(2).log2();
        let power = growth(measured, (self.heaps as f64 - 1.0, most));
        let (large, slow) = measured[1];
        Ok(Some(slow * (f64::from(self.max) / large as f64).powf(power)))
    }

    fn fill(&self, table: &mut Table, control: &Control<'_>) -> Result<Filled> {
        let seconds = self.sweep(table, control)?;
        Ok(Filled { seconds, results: count_results(&table.cells(), &self.space()?, self.game.on_heaps()?) })
    }
}

#[cfg(test)]
mod tests;
