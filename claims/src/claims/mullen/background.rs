//! Chapter 1: outcomes, nim, Wythoff's game.

use crate::base::mex;
use crate::claims::Counterexample;
use crate::claims::mathematics::brute::{OutOfTime, Solved, show};
use crate::claims::mathematics::printed::{line_of_play, outcome_mark, table};
use crate::claims::mathematics::small_games::{Sums, grundy, options, show as show_game};
use crate::claims::{Check, Effort, Finding, claim};
use crate::rules::{Nim, Wythoff};

type Checked = Result<Finding, OutOfTime>;

/// The claims of Chapter 1.
pub(super) fn checks() -> Vec<Check> {
    vec![
        claim!("mullen-fig1.1", |_| line_of_play(
            &Nim,
            &[&[3, 4, 7], &[1, 4, 7], &[1, 4, 6], &[1, 4, 0], &[1, 2, 0], &[0, 2, 0], &[0, 0, 0]],
            2
        )),
        claim!("mullen-1.1", fundamental_theorem),
        claim!("mullen-1.2", recursive_outcome),
        claim!("mullen-1.3", |effort: &Effort| partition_theorem(effort, false)),
        claim!("mullen-1.3-misere", |effort: &Effort| partition_theorem(effort, true)),
        claim!("mullen-eq1.1", |_| {
            if add_without_carrying(&[3, 31, 21]) == 9 {
                Finding::proved("computed")
            } else {
                Finding::fails(
                    "3, 31, 21",
                    format!("the nim-sum is {}", add_without_carrying(&[3, 31, 21])),
                    "computed",
                )
            }
        }),
        claim!("mullen-1.4", nim_theorem),
        claim!("mullen-1.5", sprague_grundy),
        claim!("mullen-fig1.2", |_| line_of_play(
            &Wythoff,
            &[&[6, 12], &[2, 8], &[2, 5], &[1, 5], &[1, 1], &[0, 0]],
            1
        )),
        claim!("mullen-table1.1", |effort: &Effort| wythoff_table(effort, TABLE_1_1)),
        claim!("mullen-1.3-wythoff", wythoff_positions),
        claim!("mullen-1.3-periodic", wythoff_rows),
        claim!("mullen-table1.2", |effort: &Effort| wythoff_table(effort, TABLE_1_2)),
    ]
}

/// Only the cells of row 0, column 0 and the diagonal are printed; the blanks between them got lost.
const TABLE_1_1: &str = "
8 . - - - - - - - .
7 . - - - - - - . -
6 . - - - - - . - -
5 . - - - - . - - -
4 . - - - . - - - -
3 . - - . - - - - -
2 . - . - - - - - -
1 . . - - - - - - -
0 P . . . . . . . .";

const TABLE_1_2: &str = "
8 . . . . . . . . .
7 . . . . P . . . .
6 . . . . . . . . .
5 . . . P . . . . .
4 . . . . . . . P .
3 . . . . . P . . .
2 . P . . . . . . .
1 . . P . . . . . .
0 P . . . . . . . .";

fn fundamental_theorem(effort: &Effort) -> Finding {
    // Two separate recursions, one for each player, over all games below the bound.
    let games: u32 = effort.bound(1 << 14, 1 << 18);
    let mut first = vec![false; games as usize];
    let mut second = vec![false; games as usize];
    for game in 0..games {
        first[game as usize] = options(game).any(|option| second[option as usize]);
        second[game as usize] = options(game).all(|option| first[option as usize]);
        if first[game as usize] == second[game as usize] {
            let shows = "both players or neither can force a win";
            return Finding::fails(show_game(game), shows, format!("all games below number {games}"));
        }
    }
    Finding::holds(format!("the first {games} impartial games, among them all born by day 3"))
}

fn recursive_outcome(effort: &Effort) -> Finding {
    let games: u32 = effort.bound(1 << 14, 1 << 18);
    let mut sums = Sums::default();
    for game in 0..games {
        let next_wins = options(game).any(|option| sums.is_lost(&[option]));
        if (grundy(game) == 0) == next_wins {
            return Finding::fails(
                show_game(game),
                "value and outcome disagree",
                format!("games below {games}"),
            );
        }
    }
    Finding::holds(format!("the first {games} impartial games"))
}

/// For every acyclic graph of positions and every partition of them.
pub(in crate::claims) fn partition_theorem(effort: &Effort, misere: bool) -> Finding {
    let nodes: u32 = effort.bound(5, 6);
    let edges = nodes * (nodes - 1) / 2;
    for graph in 0u32..1 << edges {
        // Node i may have arrows to the nodes below i; its arrows are the next i bits.
        let arrows: Vec<u32> =
            (0..nodes).map(|i| graph >> (i * i.saturating_sub(1) / 2) & ((1 << i) - 1)).collect();
        let mut lost = 0u32;
        for (i, &to) in arrows.iter().enumerate() {
            let terminal_is_lost = !misere;
            let is_lost = if to == 0 { terminal_is_lost } else { to & lost == 0 };
            lost |= u32::from(is_lost) << i;
        }
        for a in 0u32..1 << nodes {
            let conditions = arrows.iter().enumerate().all(|(i, &to)| match (a >> i & 1 == 1, to == 0) {
                (true, true) => !misere,
                (true, false) => to & a == 0,
                (false, true) => misere,
                (false, false) => to & a != 0,
            });
            if conditions != (a == lost) {
                let shows = format!("arrows {arrows:?}, A = {a:b}, P-positions {lost:b}");
                return Finding::fails(format!("{nodes} positions"), shows, "all acyclic graphs");
            }
        }
    }
    Finding::holds(format!("every partition of every game graph on {nodes} positions"))
}

/// Binary addition without carrying, digit by digit (and not by the machine's exclusive or).
fn add_without_carrying(numbers: &[u32]) -> u32 {
    (0..32).map(|place| (numbers.iter().map(|n| n >> place & 1).sum::<u32>() % 2) << place).sum()
}

fn nim_theorem(effort: &Effort) -> Checked {
    let (heaps, max) = effort.bound((4, 15), (4, 40));
    let rules = Nim;
    let solved = Solved::new(&rules, heaps, max, effort)?;
    let found = solved.outcome_failure(|_| true, |heaps| add_without_carrying(heaps) == 0);
    Ok(Finding::from_search(found, format!("at most {heaps} heaps up to {max}")))
}

fn sprague_grundy(effort: &Effort) -> Checked {
    let games: u32 = effort.bound(256, 2048);
    let values: Vec<u32> = (0..games).map(grundy).collect();
    // The values of all sums of two games, by the definition.
    let mut sums = vec![0u32; (games * games) as usize];
    for g in 0..games {
        if effort.is_over() {
            return Err(OutOfTime);
        }
        for h in 0..games {
            let first = options(g).map(|option| sums[(option * games + h) as usize]);
            let second = options(h).map(|option| sums[(g * games + option) as usize]);
            let value = mex(first.chain(second));
            sums[(g * games + h) as usize] = value;
            if value != values[g as usize] ^ values[h as usize] {
                let position = format!("{} + {}", show_game(g), show_game(h));
                return Ok(Finding::fails(
                    position,
                    format!("is worth {value}"),
                    format!("games below {games}"),
                ));
            }
        }
    }
    let mut outcomes = Sums::default();
    for game in 0..games {
        if outcomes.is_lost(&[game]) != (values[game as usize] == 0) {
            return Ok(Finding::fails(
                show_game(game),
                "outcome and value disagree",
                format!("games below {games}"),
            ));
        }
    }
    Ok(Finding::holds(format!("all sums of two of the first {games} impartial games")))
}

fn wythoff_table(effort: &Effort, printed: &str) -> Checked {
    let rules = Wythoff;
    let solved = Solved::new(&rules, 2, 8, effort)?;
    Ok(table(printed, 0, |row, column| outcome_mark(solved.is_p(&[row, column]))))
}

fn wythoff_positions(effort: &Effort) -> Checked {
    let max = effort.bound(250, 700);
    let rules = Wythoff;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let positions = solved.all(|_, value| value == 0);
    let mut used = Vec::new();
    for (n, position) in positions.iter().enumerate() {
        let n = n as u64;
        let mex = (0..).find(|a| !used.contains(a)).unwrap_or(0);
        // floor(n * tau) = floor((n + sqrt(5 n^2)) / 2), and tau^2 = tau + 1.
        let a = ((n + (5 * n * n).isqrt()) / 2) as u32;
        if position[0] != mex || position[0] != a || u64::from(position[1]) != u64::from(a) + n {
            let shows = format!("is P-position number {n}, but mex is {mex} and floor(n*tau) is {a}");
            return Ok(Finding::fails(show(position), shows, format!("heaps up to {max}")));
        }
        used.extend_from_slice(position);
    }
    Ok(Finding::holds(format!("the {} P-positions with heaps up to {max}", positions.len())))
}

fn wythoff_rows(effort: &Effort) -> Checked {
    // A row cannot be periodic: [a,b] and [a,c] are one move apart, so their values differ.
    let (rows, max) = effort.bound((4, 250), (9, 1500));
    let rules = Wythoff;
    let solved = Solved::new(&rules, 2, max, effort)?;
    let repeated = (0..rows).find(|&a| {
        let row: std::collections::BTreeSet<u32> = (0..=max).map(|b| solved.value(&[a, b])).collect();
        row.len() <= max as usize
    });
    let additive = (0..rows).all(|a| {
        // Additively periodic with some period in the second half of what is computed.
        (1..=max / 4)
            .any(|p| (max / 2..=max - p).all(|b| solved.value(&[a, b + p]) == solved.value(&[a, b]) + p))
    });
    let bound = format!("rows 0 to {} up to b = {max}", rows - 1);
    let found = match repeated {
        Some(a) => {
            return Ok(Finding::unchecked(format!("row {a} repeats a value, which the rules exclude")));
        }
        None => Counterexample::new(
            "row 0",
            "the values of [0,b] are 0, 1, 2, 3, ...; in every row all values are different, because [a,c] is an option of [a,b] for every c < b",
        ),
    };
    Ok(Finding::from_search(Some(found), bound).corrected(
        "for fixed a the nim-values are additively periodic: from some b on, G[a,b+p] = G[a,b] + p",
        additive,
    ))
}
