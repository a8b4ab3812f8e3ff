//! What can be exported of a game on heaps: a table, its P-positions, a row, a matrix.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{About, Choice, Dataset, Layout, Window};
use crate::base::{Error, Result};
use crate::game::Game;
use crate::rules::Play;
use crate::space::{SortedHeaps, Space};
use crate::table::Reader;

/// The entry of these heaps, or `None` where there is none.
type Entry<'a> = Box<dyn Fn(&[u32]) -> Result<Option<u16>> + 'a>;

/// A part of a table on sorted heaps, or of one that is not stored.
pub struct HeapData<'a> {
    game: Game,
    heaps: usize,
    outcomes: bool,
    choice: Choice,
    /// The sizes of the heaps that run.
    sizes: Range<u64>,
    /// Whether every size has an entry.
    whole: bool,
    entry: Entry<'a>,
    /// The table, of which all positions can be listed.
    table: Option<(&'a Reader, SortedHeaps)>,
}

impl<'a> HeapData<'a> {
    /// A row or a matrix of a game on `heaps` heaps of at most `max` counters.
    pub fn slice(
        game: Game,
        (heaps, max): (usize, u32),
        outcomes: bool,
        mut choice: Choice,
        window: Window,
        entry: Entry<'a>,
    ) -> Result<Self> {
        if let Some((free, fixed)) = choice.slice()
            && (fixed.len() + free > heaps || fixed.iter().any(|&heap| heap > max))
        {
            return Err(Error::Usage(if free > heaps {
                format!("a matrix has two heaps that run, and this table has {heaps}: choose --row \"\"")
            } else {
                format!(
                    "the table has {heaps} heaps of at most {max}: give at most {} fixed heaps of that size",
                    heaps - free
                )
            }));
        }
        match &mut choice {
            Choice::Row(fixed) => fixed.resize(heaps - 1, 0),
            Choice::Slice(fixed) => fixed.resize(heaps - 2, 0),
            Choice::All | Choice::PPositions => {}
        }
        let whole = game.on_heaps()?.has_all_heaps();
        let sizes = window.within(max.into())?;
        Ok(Self { game, heaps, outcomes, choice, sizes, whole, entry, table: None })
    }

    /// That part of a table; fixed heaps may be fewer than needed, the rest are absent.
    pub fn of_table(
        reader: &'a Reader,
        game: Game,
        space: SortedHeaps,
        choice: Choice,
        window: Window,
    ) -> Result<Self> {
        let (size, numbering) = ((space.heaps(), space.max()), space.clone());
        let entry: Entry<'a> = Box::new(move |heaps| {
            let index = numbering.is_in_slice(heaps).then(|| numbering.rank(heaps));
            index.filter(|&index| reader.holds(index)).map(|index| reader.get(index)).transpose()
        });
        let outcomes = reader.manifest().width.is_bit();
        let data = Self::slice(game, size, outcomes, choice, window, entry)?;
        let whole = data.whole && !space.is_slice() && reader.finished().is_none();
        Ok(Self { whole, table: Some((reader, space)), ..data })
    }

    /// "p" for outcomes (1 = P-position), "value" for values.
    fn entry_name(&self) -> String {
        if self.outcomes { "p" } else { "value" }.into()
    }

    /// Calls `visit` with the positions and entries of the whole table, or with its P-positions.
    fn listed(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        let Some((reader, space)) = &self.table else { return Ok(()) };
        let game = self.game.on_heaps()?;
        let mut position = Vec::new();
        let mut row = Vec::new();
        let mut visit = |index: u64, entry: Option<u16>| {
            space.unrank_into(index, &mut position);
            if !game.is_position(&position) {
                return Ok(());
            }
            row.clear();
            row.extend(position.iter().map(|&heap| u64::from(heap)).chain(entry.map(u64::from)));
            visit(&row)
        };
        match self.choice {
            Choice::All => (0..space.len())
                .filter(|&index| reader.holds(index))
                .try_for_each(|index| visit(index, Some(reader.get(index)?))),
            // Not put together in memory.
            _ if reader.shards().is_some() => (space.first_full()..space.len())
                .try_for_each(|index| if reader.is_p(index)? { visit(index, None) } else { Ok(()) }),
            _ => (reader.entries()?.p_from(space.first_full()).filter(|&index| reader.holds(index)))
                .try_for_each(|index| visit(index, None)),
        }
    }
}

impl Dataset for HeapData<'_> {
    fn columns(&self) -> Vec<String> {
        let heaps = || (1..=self.heaps).map(|i| format!("a{i}"));
        match &self.choice {
            Choice::All => heaps().chain([self.entry_name()]).collect(),
            Choice::PPositions => heaps().collect(),
            Choice::Row(_) => vec!["x".into(), self.entry_name()],
            Choice::Slice(_) => vec!["x".into(), "y".into(), self.entry_name()],
        }
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        let Some((free, fixed)) = self.choice.slice() else { return self.listed(visit) };
        let game = self.game.on_heaps()?;
        let mut position = [fixed, &[0, 0][..free]].concat();
        let at = fixed.len();
        let mut row = vec![0; free + 1];
        let mut look = |sizes: &[u64]| {
            for (i, &size) in sizes.iter().enumerate() {
                // The window lies below the largest heap.
                position[at + i] = size as u32;
                row[i] = size;
            }
            if !game.is_position(&position) {
                return Ok(());
            }
            let Some(entry) = (self.entry)(&position)? else { return Ok(()) };
            row[free] = entry.into();
            visit(&row)
        };
        self.sizes.clone().try_for_each(|x| match free {
            1 => look(&[x]),
            _ => self.sizes.clone().try_for_each(|y| look(&[x, y])),
        })
    }

    fn shape(&self) -> Option<Vec<u64>> {
        let side = self.sizes.end - self.sizes.start;
        match (&self.choice, &self.table) {
            // Entries that are not positions, or not finished, leave gaps: an array would have to hold something
            // there.
            (Choice::All, Some((reader, space)))
                if reader.finished().is_none()
                    && self.game.on_heaps().is_ok_and(|game| game.has_all_heaps()) =>
            {
                Some(vec![space.len()])
            }
            (Choice::Row(_), _) if self.whole => Some(vec![side]),
            (Choice::Slice(_), _) if self.whole => Some(vec![side, side]),
            _ => None,
        }
    }

    fn layout(&self) -> Layout {
        match &self.choice {
            Choice::Row(_) => Layout::Sequence(self.sizes.clone()),
            Choice::Slice(_) => Layout::Matrix(self.sizes.clone()),
            Choice::All | Choice::PPositions => Layout::List,
        }
    }

    fn about(&self) -> About {
        let (free, fixed) = self.choice.slice().unwrap_or_default();
        let fixed: Vec<u32> = fixed.iter().copied().filter(|&heap| heap > 0).collect();
        let letters: &[&str] = match free {
            0 => &["..."],
            1 => &["n"],
            _ => &["x", "y"],
        };
        let place: Vec<String> =
            fixed.iter().map(u32::to_string).chain(letters.iter().map(|&letter| letter.into())).collect();
        let play = if self.game.play() == Play::Misere { "misere" } else { "normal" };
        let mut facts = Map::from_iter([
            ("game".into(), Value::from(self.game.name())),
            ("parameters".into(), json!(self.game.parameters())),
            ("play".into(), play.into()),
        ]);
        if free > 0 {
            facts.insert("fixed".into(), json!(fixed));
        }
        About { game: self.game.caption(), place: place.join(", "), outcomes: self.outcomes, facts }
    }
}
