//! The check of the sequence of a code beyond octal games: three heaps, parts that differ, digits without end.
//!
//! A value g of heap n is right if no option has it and every smaller value is an option's. Where no part is
//! asked to differ and the code has an end, splits into three are looked for by their smallest part c and the
//! sums of two heaps, which are formed here anew from the stored values; otherwise the options are those that
//! the rules list.

use rayon::prelude::*;

use super::Failure;
use crate::base::Control;
use crate::rules::OctalGame;
use crate::table::Entries;

/// Heaps that a thread takes at once.
const CHUNK: usize = 64;

/// Checks every heap.
pub(super) fn all(entries: &Entries<'_>, game: &OctalGame, control: &Control<'_>) -> Option<Failure> {
    let values: Vec<u16> = (0..entries.len).map(|n| entries.value(n)).collect();
    let by_sums = game.most_parts() == 3 && game.repeating() == 0 && !game.asks_for_different_parts();
    let sums = if by_sums { sums_of_two(&values) } else { Vec::new() };
    let check = |n: usize| {
        let wrong =
            if by_sums { by_smallest_part(&values, &sums, game, n) } else { by_rules(&values, game, n) };
        wrong.map(|what| format!("heap {n} has the value {}, but {what}", values[n]))
    };
    let heaps: Vec<usize> = (0..values.len()).collect();
    heaps
        .par_chunks(CHUNK)
        .map(|chunk| {
            if control.stopped() {
                return None;
            }
            control.worked(chunk.len() as u64);
            chunk.iter().find_map(|&n| check(n))
        })
        .find_map_first(|failure| failure)
}

/// What is wrong with heap `n` by the options that the rules list.
fn by_rules(values: &[u16], game: &OctalGame, n: usize) -> Option<String> {
    let mut seen = vec![false; 1 << 16];
    game.each_option(n as u64, u64::MAX, &mut |parts| {
        seen[usize::from(parts.iter().fold(0, |sum, &part| sum ^ values[part as usize]))] = true;
    });
    let mex = seen.iter().position(|&seen| !seen).unwrap_or(seen.len());
    (mex != usize::from(values[n])).then(|| format!("the mex of its options is {mex}"))
}

/// For each m the sums G(a) XOR G(b) over a + b = m, sorted.
fn sums_of_two(values: &[u16]) -> Vec<Vec<u16>> {
    let of = |m: usize| {
        let mut sums: Vec<u16> = (1..=m / 2).map(|a| values[a] ^ values[m - a]).collect();
        sums.sort_unstable();
        sums.dedup();
        sums
    };
    (0..values.len()).into_par_iter().map(of).collect()
}

/// What is wrong with heap `n`, where splits into three are looked for by their smallest part.
fn by_smallest_part(values: &[u16], sums: &[Vec<u16>], game: &OctalGame, n: usize) -> Option<String> {
    let is_option = |value: u16| {
        (0..=n.min(game.last_index())).any(|taken| {
            let (bits, rest) = (game.digit(taken as u64).bits, n - taken);
            let has = |m: usize, value: u16| sums[m].binary_search(&value).is_ok();
            (bits & 1 != 0 && rest == 0 && value == 0)
                || (bits & 2 != 0 && rest > 0 && values[rest] == value)
                || (bits & 4 != 0 && has(rest, value))
                || (bits & 8 != 0 && (1..=rest / 3).any(|c| has(rest - c, value ^ values[c])))
        })
    };
    if is_option(values[n]) {
        return Some("an option has that value too".into());
    }
    (0..values[n])
        .find(|&smaller| !is_option(smaller))
        .map(|value| format!("no option has the value {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Width;

    #[test]
    fn right_sequences_pass_and_every_single_change_is_found() {
        for code in ["0.3F", "8.0", "0.3F!", "0.[3]", "all-but 1,4", "4!.7", "0.7[03]", "C.8"] {
            let game = OctalGame::read(code).unwrap();
            let mut values: Vec<u16> = Vec::new();
            for n in 0..40u64 {
                let mut options = Vec::new();
                game.each_option(n, u64::MAX, &mut |parts| {
                    options.push(parts.iter().fold(0, |sum, &part| sum ^ values[part as usize]));
                });
                values.push((0..).find(|value| !options.contains(value)).unwrap());
            }
            let verdict = |values: &[u16]| {
                let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                let entries = Entries { data: &data, width: Width::U16, len: values.len() as u64 };
                all(&entries, &game, &Control::silent())
            };
            assert_eq!(verdict(&values), None, "{code}");
            for n in 0..values.len() {
                for change in [1, 2, 32] {
                    let mut wrong = values.clone();
                    wrong[n] ^= change;
                    assert!(verdict(&wrong).is_some(), "{code} {n}");
                }
            }
        }
    }
}
