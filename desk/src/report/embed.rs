//! The data of the interactive parts.

use base64::Engine;
use serde_json::{Value, json};

use crate::base::Result;
use crate::game::{Game, HeapGame, RulesFor};
use crate::space::{SortedHeaps, Space};
use crate::table::{Reader, Width};

/// Columns and rows of the density beyond the exact terms of a sequence.
const COLUMNS: u64 = 2000;
const ROWS: u64 = 256;

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// The part of a heap table that fits into `bytes`: all positions with heaps up to a smaller bound, in the
/// order of the space with that bound. `None` for a table of one heap, for a slice, or where not even heaps of 1 fit.
pub fn heap_table(reader: &Reader, game: &Game, space: &SortedHeaps, bytes: u64) -> Result<Option<Value>> {
    let width = reader.manifest().width;
    let entries = match width {
        Width::Bit => bytes.saturating_mul(8),
        Width::U8 => bytes,
        Width::U16 => bytes / 2,
    };
    let on_heaps = game.on_heaps()?;
    let heaps = space.heaps();
    // The page draws a square of max + 1 cells a side; more than this do not fit on a screen.
    let fits = |max: u32| SortedHeaps::count(heaps, max).is_some_and(|count| count <= entries);
    let most = (1..=space.max().min(1200)).take_while(|&max| fits(max)).last();
    let Some(max) = most.filter(|_| heaps >= 2 && !space.is_slice()) else { return Ok(None) };
    let part = SortedHeaps::new(heaps, max)?;
    let mut data = Vec::with_capacity((part.len() * 2 / if width.is_bit() { 16 } else { 1 } + 8) as usize);
    // Which entries are positions, where not all are.
    let mut positions = Vec::new();
    let mut position = Vec::new();
    let mut failure = Ok(());
    let mut index = 0u64;
    part.for_each_key(|key| {
        if failure.is_err() {
            return;
        }
        position.clear();
        position.extend_from_slice(key);
        position.push(part.row_first(key));
        // A row of the part is the beginning of the row with the same key in the whole.
        let start = space.rank_sorted(&position);
        for i in 0..=u64::from(max - part.row_first(key)) {
            if !on_heaps.has_all_heaps() {
                position[heaps - 1] = part.row_first(key) + i as u32;
                push(&mut positions, Width::Bit, index, on_heaps.is_position(&position).into());
            }
            match reader.get(start + i) {
                Ok(entry) => push(&mut data, width, index, entry),
                Err(error) => {
                    failure = Err(error);
                    return;
                }
            }
            index += 1;
        }
    });
    failure?;
    let spec = reader.spec();
    let mut object = json!({
        "game": spec.game, "parameters": spec.parameters, "heaps": heaps, "max": max, "table_max": space.max(),
        "outcomes": width.is_bit(), "width": width.name(), "words": game.words(),
        "data": base64(&data),
    });
    if on_heaps.written.is_some() {
        let is_p = |index: u64| match width {
            Width::Bit => data[index as usize / 8] >> (index % 8) & 1 == 1,
            Width::U8 => data[index as usize] == 0,
            Width::U16 => data[2 * index as usize..][..2] == [0, 0],
        };
        let (max, moves) = winning_moves(on_heaps, &part, bytes, &is_p)?;
        object["moves_max"] = json!(max);
        object["moves"] = json!(base64(&moves));
    }
    if !on_heaps.has_all_heaps() {
        object["positions"] = json!(base64(&positions));
    }
    if matches!(on_heaps.rules, RulesFor::UpTo(_)) {
        // How many may be taken from a heap: as many as it has options.
        let rules = on_heaps.rules(max)?;
        let most = (0..=max).map(|heap| {
            let mut count = 0u32;
            rules.options(&[heap], &mut |_| count += 1);
            count
        });
        object["most"] = json!(most.collect::<Vec<_>>());
    }
    Ok(Some(object))
}

/// The winning moves of the positions with heaps up to a bound, in the order of the space with that bound: for
/// each how many there are, and the numbers of what they lead to. The page cannot play by a rule that it does
/// not know. The bound is the largest at which they fit into `bytes` and are found in a moment.
fn winning_moves(
    game: &HeapGame,
    part: &SortedHeaps,
    bytes: u64,
    is_p: &dyn Fn(u64) -> bool,
) -> Result<(u32, Vec<u8>)> {
    const MOST_OPTIONS: u64 = 5_000_000;
    let heaps = part.heaps();
    let visits = |max: u32| {
        SortedHeaps::count(heaps, max).unwrap_or(u64::MAX).saturating_mul(u64::from(max) * heaps as u64)
    };
    let mut max = (1..=part.max()).take_while(|&max| visits(max) <= MOST_OPTIONS).last().unwrap_or(1);
    let rules = game.rules(max)?;
    loop {
        let space = SortedHeaps::new(heaps, max)?;
        let (mut moves, mut position) = (Vec::new(), Vec::new());
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            let mut winning = Vec::new();
            if game.is_position(&position) && !is_p(part.rank(&position)) {
                rules.options(&position, &mut |option| {
                    if is_p(part.rank(option)) {
                        winning.push(space.rank(option));
                    }
                });
            }
            winning.sort_unstable();
            winning.dedup();
            push_number(&mut moves, winning.len() as u64);
            winning.into_iter().for_each(|option| push_number(&mut moves, option));
        }
        if moves.len() as u64 <= bytes || max == 1 {
            return Ok((max, moves));
        }
        max = max * 3 / 4;
    }
}

/// Seven bits a byte, the low ones first; the eighth says that more follow.
fn push_number(data: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        data.push(number as u8 | 128);
        number >>= 7;
    }
    data.push(number as u8);
}

fn push(data: &mut Vec<u8>, width: Width, index: u64, entry: u16) {
    match width {
        Width::Bit => {
            if index % 8 == 0 {
                data.push(0);
            }
            *data.last_mut().expect("a byte was pushed") |= (entry as u8 & 1) << (index % 8);
        }
        Width::U8 => data.push(entry as u8),
        Width::U16 => data.extend_from_slice(&entry.to_le_bytes()),
    }
}

/// A sequence: its first terms exactly, as many as fit into `bytes`, and if it is longer the density of all
/// terms in columns.
pub fn sequence(
    name: &str,
    terms: u64,
    largest: u16,
    bytes: u64,
    value: &(dyn Fn(u64) -> u16 + Sync),
) -> Value {
    use rayon::prelude::*;
    let width = if largest < 256 { Width::U8 } else { Width::U16 };
    let size = if width == Width::U8 { 1 } else { 2 };
    let whole = terms.saturating_mul(size) <= bytes;
    let levels = u64::from(largest) + 1;
    let (columns, rows) = (COLUMNS.min(terms.max(1)), ROWS.min(levels));
    let exact = if whole { terms } else { (bytes.saturating_sub(columns * rows) / size).min(terms) };
    let mut data = Vec::with_capacity((exact * size) as usize);
    (0..exact).for_each(|n| push(&mut data, width, n, value(n)));
    let mut object = json!({
        "name": name, "terms": terms, "exact": exact, "largest": largest, "width": width.name(), "data": base64(&data),
    });
    if !whole {
        let at = |column: u64| (u128::from(terms) * u128::from(column) / u128::from(columns)) as u64;
        let counts: Vec<Vec<u32>> = (0..columns)
            .into_par_iter()
            .map(|column| {
                let mut counts = vec![0u32; rows as usize];
                (at(column)..at(column + 1))
                    .for_each(|n| counts[(u64::from(value(n)) * rows / levels) as usize] += 1);
                counts
            })
            .collect();
        let most = counts.iter().flatten().copied().max().unwrap_or(0);
        // Logarithms in 255 steps; a cell with a single term is still not 0.
        let scale = 255.0 / f64::from(most).ln_1p().max(1e-9);
        let density: Vec<u8> = counts
            .iter()
            .flatten()
            .map(|&count| if count == 0 { 0 } else { ((f64::from(count).ln_1p() * scale) as u8).max(1) })
            .collect();
        object["columns"] = json!(columns);
        object["rows"] = json!(rows);
        object["most"] = json!(most);
        object["density"] = json!(base64(&density));
    }
    object
}
