//! What can be exported of a table on sorted heaps.

use super::{Choice, Dataset};
use crate::base::{Error, Result};
use crate::game::Game;
use crate::space::{SortedHeaps, Space};
use crate::table::Reader;

/// A part of a table on sorted heaps.
pub struct HeapData<'a> {
    reader: &'a Reader,
    game: Game,
    space: SortedHeaps,
    choice: Choice,
}

impl<'a> HeapData<'a> {
    /// That part of the table; fixed heaps may be fewer than needed, the rest are absent.
    pub fn new(reader: &'a Reader, game: Game, space: SortedHeaps, mut choice: Choice) -> Result<Self> {
        let free = match choice {
            Choice::Row(_) => 1,
            Choice::Slice(_) => 2,
            _ => 0,
        };
        if let Choice::Row(fixed) | Choice::Slice(fixed) = &mut choice {
            if fixed.len() + free > space.heaps() || fixed.iter().any(|&heap| heap > space.max()) {
                return Err(Error::Usage(format!(
                    "the table has {} heaps of at most {}: give at most {} fixed heaps of that size",
                    space.heaps(),
                    space.max(),
                    space.heaps().saturating_sub(free)
                )));
            }
            fixed.resize(space.heaps() - free, 0);
        }
        Ok(Self { reader, game, space, choice })
    }

    /// "p" for outcomes (1 = P-position), "value" for values.
    fn entry_name(&self) -> String {
        if self.reader.manifest().width.is_bit() { "p" } else { "value" }.into()
    }
}

impl Dataset for HeapData<'_> {
    fn columns(&self) -> Vec<String> {
        let heaps = || (1..=self.space.heaps()).map(|i| format!("a{i}"));
        match &self.choice {
            Choice::All => heaps().chain([self.entry_name()]).collect(),
            Choice::PPositions => heaps().collect(),
            Choice::Row(_) => vec!["x".into(), self.entry_name()],
            Choice::Slice(_) => vec!["x".into(), "y".into(), self.entry_name()],
        }
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        let (space, reader, game) = (&self.space, self.reader, self.game.on_heaps()?);
        let is_there = |position: &[u32]| game.is_position(position) && space.is_in_slice(position);
        let mut position = Vec::new();
        let mut row = Vec::new();
        match &self.choice {
            Choice::All => (0..space.len()).try_for_each(|index| {
                space.unrank_into(index, &mut position);
                if !game.is_position(&position) {
                    return Ok(());
                }
                row.clear();
                row.extend(position.iter().map(|&heap| u64::from(heap)));
                row.push(u64::from(reader.get(index)?));
                visit(&row)
            }),
            Choice::PPositions => {
                let mut visit_p = |index: u64| {
                    space.unrank_into(index, &mut position);
                    if !game.is_position(&position) {
                        return Ok(());
                    }
                    row.clear();
                    row.extend(position.iter().map(|&heap| u64::from(heap)));
                    visit(&row)
                };
                if reader.shards().is_some() {
                    // Not put together in memory.
                    return (space.first_full()..space.len())
                        .try_for_each(|index| if reader.is_p(index)? { visit_p(index) } else { Ok(()) });
                }
                reader.entries()?.p_from(space.first_full()).try_for_each(visit_p)
            }
            Choice::Row(fixed) => (0..=space.max()).try_for_each(|x| {
                let position = [fixed.as_slice(), &[x]].concat();
                if !is_there(&position) {
                    return Ok(());
                }
                visit(&[u64::from(x), u64::from(reader.get(space.rank(&position))?)])
            }),
            Choice::Slice(fixed) => (0..=space.max()).try_for_each(|x| {
                (0..=space.max()).try_for_each(|y| {
                    let position = [fixed.as_slice(), &[x, y]].concat();
                    if !is_there(&position) {
                        return Ok(());
                    }
                    visit(&[u64::from(x), u64::from(y), u64::from(reader.get(space.rank(&position))?)])
                })
            }),
        }
    }

    fn shape(&self) -> Option<Vec<u64>> {
        let side = u64::from(self.space.max()) + 1;
        match &self.choice {
            // Entries that are not positions leave gaps: an array would have to hold something there.
            _ if self.game.on_heaps().is_ok_and(|game| !game.has_all_heaps()) => None,
            Choice::All => Some(vec![self.space.len()]),
            Choice::PPositions => None,
            Choice::Row(_) | Choice::Slice(_) if self.space.is_slice() => None,
            Choice::Row(_) => Some(vec![side]),
            Choice::Slice(_) => Some(vec![side, side]),
        }
    }
}
