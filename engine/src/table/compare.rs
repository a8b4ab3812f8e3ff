//! Whether, and where, two tables differ.

use super::{Entries, Positions, Reader, Width};
use crate::base::{Control, Error, Result};
use crate::rules::notation::show_heaps;
use crate::space::{SortedHeaps, Space};

/// A position at which two tables differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The position, for people.
    pub position: String,
    /// What the two tables say.
    pub entries: [u16; 2],
}

/// What comparing two tables has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The positions that both tables hold.
    pub compared: u64,
    /// Those at which they differ.
    pub different: u64,
    /// The first of these.
    pub listed: Vec<Difference>,
}

impl Comparison {
    fn add(&mut self, entries: [u16; 2], most: usize, position: impl FnOnce() -> String) {
        self.compared += 1;
        if entries[0] != entries[1] {
            self.different += 1;
            if self.listed.len() < most {
                self.listed.push(Difference { position: position(), entries });
            }
        }
    }
}

/// Bytes that are compared at once, and between two looks at the limits.
const CHUNK: usize = 1 << 16;

/// Compares two tables of the same game position by position, up to the smaller of their sizes, and lists at
/// most `most` differences. The blocks of both are checked first.
pub fn compare(first: &Reader, second: &Reader, most: usize, control: &Control<'_>) -> Result<Comparison> {
    let ((one, here), (other, there)) = (first.contents()?, second.contents()?);
    let unlike = |problem: String| Error::Mismatch {
        path: second.folder().to_path_buf(),
        problem,
        remedy: "compare tables of the same game, play and quantity".into(),
    };
    if first.spec().quantity != second.spec().quantity {
        return Err(unlike("one table holds outcomes and the other values".into()));
    }
    if !std::ptr::eq(one.entry(), other.entry())
        || one.title() != other.title()
        || one.words() != other.words()
    {
        let problem = format!("holds {}, not {}", other.title(), one.title());
        return Err(unlike(problem));
    }
    let pair = [first.entries()?, second.entries()?];
    match (here, there) {
        // A slice has the same ranks as the whole.
        (Positions::Heaps(a), Positions::Heaps(b)) if (a.heaps(), a.max()) == (b.heaps(), b.max()) => {
            along(pair, most, control, |n| show(&unranked(&a, n)))
        }
        (Positions::Heaps(a), Positions::Heaps(b)) => across([&a, &b], pair, most, control),
        (Positions::Line, Positions::Line) => along(pair, most, control, |n| show_heaps([n])),
        (Positions::Grid(a), Positions::Grid(b)) if (a.rows(), a.cols()) == (b.rows(), b.cols()) => {
            along(pair, most, control, |n| format!("board {n}"))
        }
        _ => Err(unlike("its positions are not those of the other table".into())),
    }
}

fn show(heaps: &[u32]) -> String {
    show_heaps(heaps.iter().filter(|&&heap| heap > 0))
}

fn unranked(space: &SortedHeaps, index: u64) -> Vec<u32> {
    let mut heaps = Vec::new();
    space.unrank_into(index, &mut heaps);
    heaps
}

/// Tables in which the same index is the same position.
fn along<'a>(
    [left, right]: [Entries<'a>; 2],
    most: usize,
    control: &Control<'_>,
    name: impl Fn(u64) -> String,
) -> Result<Comparison> {
    let total = left.len.min(right.len);
    let per_chunk = match left.width {
        Width::Bit => 8 * CHUNK as u64,
        Width::U8 => CHUNK as u64,
        Width::U16 => CHUNK as u64 / 2,
    };
    let mut found = Comparison::default();
    for (chunk, at) in (0..total).step_by(per_chunk as usize).enumerate() {
        if control.stopped() {
            return Err(Error::Interrupted { done: at, total });
        }
        let end = (at + per_chunk).min(total);
        let bytes = |entries: &Entries<'a>| entries.data.get(chunk * CHUNK..(chunk + 1) * CHUNK);
        // Whole chunks of the same bytes need no closer look.
        let same = left.width == right.width && end - at == per_chunk && bytes(&left) == bytes(&right);
        if same {
            found.compared += end - at;
            continue;
        }
        for n in at..end {
            found.add([left.value(n), right.value(n)], most, || name(n));
        }
    }
    Ok(found)
}

/// Tables of different sizes: the positions of the one with fewer are looked up in the other.
fn across(
    [a, b]: [&SortedHeaps; 2],
    [left, right]: [Entries<'_>; 2],
    most: usize,
    control: &Control<'_>,
) -> Result<Comparison> {
    let smaller = if left.len <= right.len { a } else { b };
    let mut found = Comparison::default();
    let mut heaps = Vec::new();
    for n in 0..smaller.len() {
        if n % CHUNK as u64 == 0 && control.stopped() {
            return Err(Error::Interrupted { done: n, total: smaller.len() });
        }
        smaller.unrank_into(n, &mut heaps);
        if let (Some(i), Some(j)) = (place(a, &heaps), place(b, &heaps)) {
            found.add([left.value(i), right.value(j)], most, || show(&heaps));
        }
    }
    Ok(found)
}

/// The rank of sorted heaps in a space of perhaps more or fewer heaps, if it holds them.
fn place(space: &SortedHeaps, heaps: &[u32]) -> Option<u64> {
    let present = heaps.iter().copied().filter(|&heap| heap > 0);
    let absent = space.heaps().checked_sub(present.clone().count())?;
    let padded: Vec<u32> = std::iter::repeat_n(0, absent).chain(present).collect();
    let largest = padded.last().copied().unwrap_or(0);
    (largest <= space.max() && space.is_in_slice(&padded)).then(|| space.rank_sorted(&padded))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;
    use crate::table::{IndexScheme, Quantity, Spec, Table};

    /// A table of minnie, filled with the sums of the heaps but for `wrong` places.
    fn table(folder: &Path, heaps: usize, max: u32, wrong: &[u64]) -> Reader {
        let space = SortedHeaps::new(heaps, max).unwrap();
        let parameters: BTreeMap<String, Value> =
            [("heaps".into(), json!(heaps)), ("max".into(), json!(max)), ("misere".into(), json!(false))]
                .into();
        let spec = Spec {
            game: "minnie".into(),
            parameters,
            quantity: Quantity::Values,
            index: IndexScheme::sorted_heaps(),
            entries: space.len(),
            waves: 1,
        };
        let mut table = Table::in_folder(folder, spec, Width::U8).unwrap();
        let bytes = table.bytes_mut().unwrap();
        for n in 0..space.len() {
            bytes[n as usize] = unranked(&space, n).iter().sum::<u32>() as u8;
        }
        wrong.iter().for_each(|&n| bytes[n as usize] ^= 1);
        table.finish(BTreeMap::new(), 0.0).unwrap();
        drop(table);
        Reader::open(folder).unwrap()
    }

    #[test]
    fn every_difference_is_counted_and_the_first_are_listed() {
        let place = tempfile::tempdir().unwrap();
        // Three chunks and a little, so that a difference lies in the first, one inside, and the rest.
        let size = SortedHeaps::new(2, 650).unwrap().len();
        assert!(size > 3 * CHUNK as u64);
        let right = table(&place.path().join("right"), 2, 650, &[]);
        let wrong = table(&place.path().join("wrong"), 2, 650, &[5, CHUNK as u64, size - 1]);
        let silent = Control::silent();
        let found = compare(&right, &wrong, 2, &silent).unwrap();
        assert_eq!((found.compared, found.different, found.listed.len()), (size, 3, 2));
        assert_eq!(found.listed[0], Difference { position: "[5]".into(), entries: [5, 4] });
        let none = compare(&right, &right, 2, &silent).unwrap();
        assert_eq!((none.compared, none.different), (size, 0));
    }

    #[test]
    fn tables_of_different_sizes_are_compared_where_both_have_a_position() {
        let place = tempfile::tempdir().unwrap();
        let space = SortedHeaps::new(2, 40).unwrap();
        let wrong = [space.rank_sorted(&[3, 30]), space.rank_sorted(&[3, 10])];
        let wide = table(&place.path().join("wide"), 2, 40, &wrong);
        let deep = table(&place.path().join("deep"), 3, 20, &[]);
        let found = compare(&wide, &deep, 9, &Control::silent()).unwrap();
        // Two heaps of at most 20 are what both hold, and one of the wrong entries lies there.
        assert_eq!((found.compared, found.different), (231, 1));
        assert_eq!(found.listed, [Difference { position: "[3,10]".into(), entries: [12, 13] }]);
    }
}
