//! What can be exported of a table on sorted heaps.

use super::Dataset;
use crate::base::{Error, Result};
use crate::space::{SortedHeaps, Space};
use crate::table::Reader;

/// Which part of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeapChoice {
    /// Every entry, in the order of the index.
    All,
    /// The P-positions whose heaps are all non-empty.
    PPositions,
    /// One heap runs from 0 to the largest, the others are these.
    Row(Vec<u32>),
    /// Two heaps run from 0 to the largest, the others are these.
    Slice(Vec<u32>),
}

/// A part of a table on sorted heaps.
pub struct HeapData<'a> {
    reader: &'a Reader,
    space: SortedHeaps,
    choice: HeapChoice,
}

impl<'a> HeapData<'a> {
    /// That part of the table; fixed heaps may be fewer than needed, the rest are absent.
    pub fn new(reader: &'a Reader, space: SortedHeaps, mut choice: HeapChoice) -> Result<Self> {
        let free = match choice {
            HeapChoice::Row(_) => 1,
            HeapChoice::Slice(_) => 2,
            _ => 0,
        };
        if let HeapChoice::Row(fixed) | HeapChoice::Slice(fixed) = &mut choice {
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
        Ok(Self { reader, space, choice })
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
            HeapChoice::All => heaps().chain([self.entry_name()]).collect(),
            HeapChoice::PPositions => heaps().collect(),
            HeapChoice::Row(_) => vec!["x".into(), self.entry_name()],
            HeapChoice::Slice(_) => vec!["x".into(), "y".into(), self.entry_name()],
        }
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        let (space, reader) = (&self.space, self.reader);
        let mut position = Vec::new();
        let mut row = Vec::new();
        match &self.choice {
            HeapChoice::All => (0..space.len()).try_for_each(|index| {
                space.unrank_into(index, &mut position);
                row.clear();
                row.extend(position.iter().map(|&heap| u64::from(heap)));
                row.push(u64::from(reader.get(index)?));
                visit(&row)
            }),
            HeapChoice::PPositions => {
                let first = space.rank_sorted(&vec![1; space.heaps()]);
                (first..space.len()).try_for_each(|index| {
                    if !reader.is_p(index)? {
                        return Ok(());
                    }
                    space.unrank_into(index, &mut position);
                    row.clear();
                    row.extend(position.iter().map(|&heap| u64::from(heap)));
                    visit(&row)
                })
            }
            HeapChoice::Row(fixed) => (0..=space.max()).try_for_each(|x| {
                let position = [fixed.as_slice(), &[x]].concat();
                visit(&[u64::from(x), u64::from(reader.get(space.rank(&position))?)])
            }),
            HeapChoice::Slice(fixed) => (0..=space.max()).try_for_each(|x| {
                (0..=space.max()).try_for_each(|y| {
                    let position = [fixed.as_slice(), &[x, y]].concat();
                    visit(&[u64::from(x), u64::from(y), u64::from(reader.get(space.rank(&position))?)])
                })
            }),
        }
    }

    fn shape(&self) -> Option<Vec<u64>> {
        let side = u64::from(self.space.max()) + 1;
        match self.choice {
            HeapChoice::All => Some(vec![self.space.len()]),
            HeapChoice::PPositions => None,
            HeapChoice::Row(_) => Some(vec![side]),
            HeapChoice::Slice(_) => Some(vec![side, side]),
        }
    }
}
