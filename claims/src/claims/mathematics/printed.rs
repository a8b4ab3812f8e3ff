//! Checks of what is printed: tables cell by cell, and games played move by move.

use super::brute::{options, show};
use crate::claims::{Counterexample, Finding};
use crate::rules::HeapRules;

/// Compares a printed table with the truth. A line of `printed` is a row's label and then its cells; the
/// cells stand under the columns `first_column..`. The cell `-` is one that is not printed. The failure
/// reported is the first in the order of `row + column`.
pub(crate) fn check_cells(
    printed: &str,
    first_column: u32,
    truth: impl Fn(u32, u32) -> String,
) -> (usize, Option<Counterexample>) {
    let mut cells = 0;
    let mut worst: Option<(u32, Counterexample)> = None;
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let row: u32 = words.next().and_then(|label| label.parse().ok()).unwrap_or(u32::MAX);
        for (word, column) in words.zip(first_column..) {
            if word == "-" {
                continue;
            }
            cells += 1;
            let actual = truth(row, column);
            if actual != word && worst.as_ref().is_none_or(|(sum, _)| row.saturating_add(column) < *sum) {
                worst = Some((
                    row.saturating_add(column),
                    Counterexample::new(
                        format!("row {row}, column {column}"),
                        format!("printed {word}, but it is {actual}"),
                    ),
                ));
            }
        }
    }
    (cells, worst.map(|(_, found)| found))
}

/// The finding of a table that is checked in all its cells.
pub(crate) fn table(printed: &str, first_column: u32, truth: impl Fn(u32, u32) -> String) -> Finding {
    let (cells, failure) = check_cells(printed, first_column, truth);
    match failure {
        None if cells > 0 => Finding::proved(format!("all {cells} cells")),
        None => Finding::unchecked("the table has no cells"),
        Some(found) => Finding::fails(found.position, found.shows, format!("all {cells} cells")),
    }
}

/// `P` for a P-position, `.` for an N-position.
pub(crate) fn outcome_mark(is_p: bool) -> String {
    if is_p { "P" } else { "." }.into()
}

/// Checks a printed line of play: every move is legal, no move is left at the end, and the player who made
/// the last move is `winner` (1 or 2).
pub(crate) fn line_of_play(rules: &HeapRules, line: &[&[u32]], winner: usize) -> Finding {
    for (number, step) in line.windows(2).enumerate() {
        if !options(rules, step[0]).iter().any(|option| option == step[1]) {
            return Finding::fails(
                format!("{} to {}", show(step[0]), show(step[1])),
                format!("move {} is not legal", number + 1),
                "every move",
            );
        }
    }
    let moves = line.len() - 1;
    let last = line[moves];
    if let Some(option) = options(rules, last).first() {
        return Finding::fails(
            show(last),
            format!("the game is not over: {} is an option", show(option)),
            "every move",
        );
    }
    if (moves % 2 == 1) != (winner == 1) {
        return Finding::fails(
            show(last),
            format!("player {winner} did not make the last of {moves} moves"),
            "every move",
        );
    }
    Finding::proved(format!("all {moves} moves"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Verdict;
    use crate::rules::Nim;

    #[test]
    fn a_wrong_cell_is_found() {
        let sum = |row: u32, column: u32| (row + column).to_string();
        assert_eq!(table("1 1 2 3\n0 0 1 -", 0, sum).verdict, Verdict::Proved);
        let wrong = table("1 1 2 4\n0 0 1 -", 0, sum);
        assert_eq!(wrong.counterexample.unwrap().position, "row 1, column 2");
    }

    #[test]
    fn an_illegal_move_an_early_end_and_a_wrong_winner_are_found() {
        let nim = Nim;
        assert_eq!(line_of_play(&nim, &[&[2, 1], &[0, 1], &[0, 0]], 2).verdict, Verdict::Proved);
        for (line, winner) in
            [(vec![&[2, 1], &[0, 0]], 1), (vec![&[2, 1], &[0, 1]], 1), (vec![&[2, 1], &[0, 1], &[0, 0]], 1)]
        {
            let line: Vec<&[u32]> = line.into_iter().map(|position| position.as_slice()).collect();
            assert_eq!(line_of_play(&nim, &line, winner).verdict, Verdict::Fails);
        }
    }
}
