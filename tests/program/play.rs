//! Games against the program, from outside.

use crate::support;

use std::io::Write;
use std::process::Stdio;

use support::{Ran, Random, nimwave};

/// Plays with these lines as input.
fn play(words: &[&str], lines: &str) -> Ran {
    let mut child = nimwave()
        .arg("play")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A game that ends before the input does closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    Ran::from(child.wait_with_output().expect("an end"))
}

#[test]
fn who_plays_the_hints_wins() {
    // [5,8] of nim is an N-position: the only winning move is to [5,5], and then to keep the heaps equal.
    let game = play(&["nim", "5", "8"], "hint\n5 5\nhint\n").code(0);
    assert!(game.out.contains("to win, move to [5,5]"), "{}", game.out);
    assert!(game.out.contains("I move to [4,5]"), "{}", game.out);
    assert!(game.out.contains("to win, move to [4,4]"), "{}", game.out);
    let game = play(&["nim", "1", "2"], "2>1\n1>0\n").code(0);
    assert!(game.out.contains("you win"), "{}", game.out);
}

#[test]
fn the_program_wins_every_game_that_it_can() {
    // P-positions: whatever you do, you lose.
    let cases: &[&[&str]] = &[
        &["minnie", "5", "5", "11"],
        &["nim", "3", "5", "6"],
        &["wythoff", "3", "5"],
        &["nim", "--misere", "2", "2"],
        &["queen", "1", "2"],
        &["counters", "--graph", "a>b,b>c,a>c", "b", "b"],
        &["poker-nim", "--add", "1", "--additions", "1", "2", "2"],
    ];
    let mut random = Random(7);
    for words in cases {
        let mut lines = String::new();
        // Choose among the moves that the program lists, until the game is over.
        for _ in 0..60 {
            let shown = play(words, &format!("{lines}moves\n")).code(0).out;
            if shown.contains("no move left") {
                break;
            }
            let list =
                shown.rsplit("your move> ").find(|text| text.starts_with('[')).expect("a list of moves");
            let line = list.lines().next().unwrap_or_default().replace(" with ", "_with_");
            let moves: Vec<&str> = line.split(' ').filter(|word| word.starts_with('[')).collect();
            let chosen =
                moves[random.below(moves.len() as u64) as usize].split(']').next().unwrap_or_default();
            let heaps = chosen.trim_start_matches('[');
            lines += &format!("{}\n", if heaps.is_empty() { "0" } else { heaps });
        }
        let game = play(words, &lines).code(0);
        assert!(game.out.contains("I win"), "{words:?}: {}", game.out);
    }
}

#[test]
fn bad_moves_and_the_end_of_input_are_handled() {
    let game =
        play(&["minnie", "3", "7"], "7 3\n2 2\n-4\nnonsense\n9>1\n7>\n\u{0}\nreview\nundo\nhelp\n").code(0);
    assert_eq!(game.out.matches("try again").count(), 7, "{}", game.out);
    assert!(game.out.contains("You have not moved yet.") && game.out.contains("This is where we began."));
    assert!(game.out.trim_end().ends_with("Goodbye."), "{}", game.out);
    play(&["nim", "3"], "").code(0);
    play(&["nim", "3"], "quit\n").code(0);
    assert!(play(&["nim", "0"], "").code(0).out.contains("You have no move left: I win."));
}

#[test]
fn a_lost_chance_is_told_afterwards() {
    let game = play(&["nim", "5", "8"], "5 7\nreview\nundo\nhint\n").code(0);
    assert!(game.out.contains("From [5,8]: to win, move to [5,5]"), "{}", game.out);
    assert!(game.out.contains("I move to [5,5]"), "{}", game.out);
}

#[test]
fn minnie_of_any_size_is_played_from_the_certificate() {
    let game = play(&["minnie", "[1e18,7,2^60]", "--second"], "hint\n").code(0);
    assert!(game.out.contains("I move to") && game.out.contains("no move wins"), "{}", game.out);
}

#[test]
fn what_cannot_be_played_is_refused() {
    play(&["wythoff", "5000", "5000", "5000", "5000"], "").refused(&["smaller position"]);
    play(&["mine", "3", "3"], "").refused(&["no two heaps may be equal"]);
    play(&["backgammon", "3"], "").refused(&["backgammon"]);
    play(&["nim", "3", "--json"], "").refused(&["query --json"]);
}
