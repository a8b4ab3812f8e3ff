//! Entries against the rules, one by one: for any game.

use std::ops::Range;

use rayon::prelude::*;

use super::heap_check::HeapCheck;
use super::sample::finished_at_random;
use super::{Failure, HeapEntries};
use crate::game::HeapGame;
use crate::rules::notation::show_heaps;
use crate::rules::{HeapRules, Play};
use crate::space::Space;
use crate::table::{Finished, Width};

/// Checks every entry, or those that are finished: the options of a finished entry are finished.
pub fn all(check: &HeapCheck<'_>, finished: Option<&Finished>) {
    const CHUNK: u64 = 1 << 14;
    let len = check.entries.len;
    let each = |(number, entries): (u64, Range<u64>)| {
        if !check.share.has(number) {
            return;
        }
        let mut position = Vec::new();
        check.control.worked(entries.end - entries.start);
        for index in entries {
            if check.over() {
                return;
            }
            check.space.unrank_into(index, &mut position);
            check.position(&position);
        }
    };
    match finished {
        Some(finished) => {
            let runs = finished.runs(CHUNK).into_par_iter().enumerate();
            runs.map(|(number, run)| (number as u64, run)).for_each(each);
        }
        None => {
            let chunks = (0..len.div_ceil(CHUNK) as usize).into_par_iter().map(|chunk| chunk as u64);
            chunks.map(|chunk| (chunk, chunk * CHUNK..len.min((chunk + 1) * CHUNK))).for_each(each);
        }
    }
}

/// Checks `count` entries, or finished ones, taken at random; instead of an entry that is not a position of `game`, the
/// next one that is.
pub fn sample(check: &HeapCheck<'_>, count: u64, game: &HeapGame, finished: Option<&Finished>) {
    let mut position = Vec::new();
    let entries = finished_at_random(finished, check.entries.len, count);
    for (_, index) in (0..).zip(entries).filter(|&(i, _)| check.share.has(i)) {
        if check.over() {
            return;
        }
        check.control.worked(1);
        let is_there = |index| finished.is_none_or(|finished| finished.holds(index));
        let found = (index..check.entries.len).filter(|&index| is_there(index)).any(|index| {
            check.space.unrank_into(index, &mut position);
            game.is_position(&position)
        });
        if found {
            check.position(&position);
        }
    }
}

/// Checks one entry by the definition.
pub fn check(entries: &HeapEntries<'_>, rules: &HeapRules, play: Play, position: &[u32]) -> Option<Failure> {
    let index = entries.place(position);
    if entries.width == Width::Bit {
        let (mut options, mut p_option) = (0u64, None);
        rules.options(position, &mut |option| {
            options += 1;
            if entries.is_p(entries.place(option)) {
                p_option = Some(option.to_vec());
            }
        });
        let expected = if options == 0 { play.terminal_value() == 0 } else { p_option.is_none() };
        return match (entries.is_p(index), expected) {
            (true, false) => Some(format!(
                "{} is marked P, but {}",
                show_heaps(position),
                p_option.map_or("it has no move and the player to move wins".into(), |option| format!(
                    "it has the P option {}",
                    show_heaps(&option)
                ))
            )),
            (false, true) => Some(format!(
                "{} is marked N, but none of its {options} options is marked P",
                show_heaps(position)
            )),
            _ => None,
        };
    }
    let mut seen = Vec::new();
    rules.options(position, &mut |option| {
        // A move that has split a single heap leaves the sum of its parts.
        let parts = option.chunks(position.len());
        seen.push(parts.fold(0, |sum, part| sum ^ entries.value(entries.place(part))));
    });
    let expected = if seen.is_empty() {
        play.terminal_value()
    } else {
        seen.sort_unstable();
        seen.dedup();
        seen.iter().zip(0..).take_while(|(value, place)| **value == *place).count() as u16
    };
    let found = entries.value(index);
    (found != expected).then(|| {
        format!(
            "{} has the value {found}, but the mex of its options' values is {expected}",
            show_heaps(position)
        )
    })
}
