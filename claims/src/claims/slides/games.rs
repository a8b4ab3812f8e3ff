//! Poker nim, rook, queen, counters on a graph, Kayles.

use crate::base::mex;
use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved, show};
use crate::claims::mathematics::printed::check_cells;
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::Play;
use crate::rules::{Counters, PokerNim, Queen, Rook, Wythoff};
use crate::search::memo::Memo;

type Checked = Result<Finding, OutOfTime>;

/// The claims on the games of the slides.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("slides-poker", poker_nim),
        claim!("slides-poker-145", poker_example),
        claim!("slides-rook", rook_table),
        claim!("slides-queen", queen),
        claim!("slides-counters", counters),
        claim!("slides-kayles-values", |_| kayles_values()),
        claim!("slides-kayles-symmetry", kayles_symmetry),
        claim!("slides-kayles-six", |_| kayles_six()),
    ]
}

const ROOK: &str = "
0 0 1 2 3 4 5
1 1 0 3 2 5 4
2 2 3 0 1 6 7
3 3 2 1 0 7 6
4 4 5 6 7 0 1
5 5 4 7 6 1 0";

fn poker_nim(effort: &Effort) -> Checked {
    let (heaps, max, additions) = effort.bound((2u32, 5u32, 2u32), (3, 5, 2));
    let sets: [&[u32]; 4] = [&[1], &[1, 3, 5], &[2], &[1, 2, 3]];
    let mut positions = 0;
    for add in sets {
        let rules = PokerNim { add: add.to_vec() };
        let mut memo = Memo::new(&rules, Play::Normal);
        for code in 0..(max + 1).pow(heaps) {
            if effort.is_over() {
                return Err(OutOfTime);
            }
            let mut position = vec![additions];
            position.extend((0..heaps).map(|i| code / (max + 1).pow(i) % (max + 1)));
            let nim_sum = position[1..].iter().fold(0, |sum, heap| sum ^ heap);
            let value = memo.value(&position);
            if value != nim_sum {
                let shows = format!("with {additions} moves that add {add:?} is worth {value}");
                return Ok(Finding::fails(show(&position[1..]), shows, format!("{heaps} heaps up to {max}")));
            }
            positions += 1;
        }
    }
    Ok(Finding::holds(format!(
        "{positions} positions: {heaps} heaps up to {max}, {additions} adding moves, 4 sets"
    )))
}

fn poker_example(_: &Effort) -> Finding {
    for additions in 0..=1 {
        let rules = PokerNim { add: vec![1, 3, 4] };
        if Memo::new(&rules, Play::Normal).value(&[additions, 1, 4, 5]) != 0 {
            return Finding::fails(
                "[1,4,5]",
                format!("is winning with {additions} adding moves"),
                "0 or 1 adding moves",
            );
        }
    }
    Finding::proved("0 or 1 adding moves, to any heap")
}

fn rook_table(effort: &Effort) -> Checked {
    let rules = Rook;
    let solved = Solved::new(&rules, 2, 5, effort)?;
    let (cells, failure) = check_cells(ROOK, 0, |row, column| solved.value(&[row, column]).to_string());
    let bound = format!("all {cells} printed cells");
    Ok(match failure {
        None => Finding::proved(bound),
        Some(found) => Finding::from_search(Some(found), bound),
    })
}

fn queen(effort: &Effort) -> Checked {
    let max = effort.bound(60, 200);
    let (queen, wythoff) = (Queen, Wythoff);
    let solved = Solved::new(&queen, 2, max, effort)?;
    let other = Solved::new(&wythoff, 2, max, effort)?;
    if solved.value(&[0, 0]) != 0 {
        return Ok(Finding::fails("[0,0]", "is not worth 0", "one cell"));
    }
    let found = solved.value_failure(|_| true, |square| other.value(square));
    Ok(Finding::from_search(found, format!("the cell, and all squares up to {max} against Wythoff's game")))
}

fn counters(effort: &Effort) -> Checked {
    // Every acyclic graph on four nodes with at least one arrow, with three counters.
    let pairs: [(u32, u32); 6] = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    for set in 1u32..1 << pairs.len() {
        let arrows: Vec<String> = pairs
            .iter()
            .enumerate()
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, (from, to))| format!("{from}>{to}"))
            .collect();
        let Ok(rules) = Counters::parse(&arrows.join(",")) else {
            return Ok(Finding::fails(arrows.join(","), "is not read as an acyclic graph", "4 nodes"));
        };
        let solved = Solved::new(&rules, 3, rules.nodes(), effort)?;
        let found = solved.value_failure(
            |_| true,
            |counters| counters.iter().fold(0, |sum, &node| sum ^ solved.value(&[node])),
        );
        if let Some(found) = found {
            let shows = format!("{} on the graph {}", found.shows, arrows.join(","));
            return Ok(Finding::fails(found.position, shows, "4 nodes"));
        }
    }
    Ok(Finding::holds("three counters on each of the 63 acyclic graphs of four nodes with an arrow"))
}

/// Values of Kayles rows; `positions(n)` are the `p` that are considered.
fn kayles(most: usize, positions: impl Fn(usize) -> usize) -> Vec<u32> {
    let mut values: Vec<u32> = vec![0];
    for n in 1..=most {
        let mut seen = Vec::new();
        for p in 1..=positions(n) {
            seen.push(values[p - 1] ^ values[n - p]);
            if p < n {
                seen.push(values[p - 1] ^ values[n - p - 1]);
            }
        }
        values.push(mex(seen));
    }
    values
}

fn kayles_values() -> Finding {
    let values = kayles(4, |n| n);
    match (1..=4).find(|&n| values[n] != [0, 1, 2, 3, 1][n]) {
        None => Finding::proved("all 4 values"),
        Some(n) => Finding::fails(format!("K{n}"), format!("is worth {}", values[n]), "all 4 values"),
    }
}

fn kayles_symmetry(effort: &Effort) -> Finding {
    let most = effort.bound(300, 3000);
    // The sets of options, without any value: pairs of rows.
    let options = |n: usize, last: usize| {
        let mut set = std::collections::BTreeSet::new();
        for p in 1..=last {
            set.insert(((p - 1).min(n - p), (p - 1).max(n - p)));
            if p < n {
                set.insert(((p - 1).min(n - p - 1), (p - 1).max(n - p - 1)));
            }
        }
        set
    };
    let found = (1..=most).find(|&n| options(n, n / 2) != options(n, n)).map(|n| {
        let lost: Vec<String> =
            options(n, n).difference(&options(n, n / 2)).map(|(a, b)| format!("K{a} + K{b}")).collect();
        Counterexample::new(
            format!("K{n}"),
            format!(
                "with p <= n/2 the option {} is lost; in K3 it is K1 + K1, without which K3 would be worth {}, not 3",
                lost.join(", "),
                kayles(3, |n| if n == 3 { 1 } else { n })[3]
            ),
        )
    });
    let corrected = (1..=most).all(|n| options(n, n.div_ceil(2)) == options(n, n));
    Finding::from_search(found, format!("n up to {most}"))
        .corrected("p > (n+1)/2 need not be considered", corrected)
}

fn kayles_six() -> Finding {
    let values = kayles(6, |n| n);
    // K6 with pin 2 knocked out: one pin on the left, four on the right.
    if values[1] ^ values[4] == 0 && values[6] != 0 {
        Finding::proved("the values of all rows up to 6 pins")
    } else {
        Finding::fails("K1 + K4", format!("is worth {}", values[1] ^ values[4]), "6 pins")
    }
}
