//! One table of exit codes, one meaning each, for every command: 0 done, 1 false or failed, 2 an error, 3 interrupted or
//! out of time and resumable, 4 not decided.

use crate::support::run;

/// Regression: a claim that fails as printed ended with 0 where it was asked for by name.
#[test]
fn a_named_claim_that_fails_as_printed_is_false() {
    run(&["audit", "minnie-table1"]).code(0);
    run(&["audit", "minnie-10"]).code(1);
    run(&["audit", "minnie-table1", "minnie-10"]).code(1);
}

/// Regression: an audit without time, in which every claim was unchecked, ended with 0.
#[test]
fn an_audit_that_checked_nothing_has_decided_nothing() {
    run(&["audit", "--time", "0s"]).code(4);
    run(&["audit", "minnie-table1", "--time", "0s"]).code(4);
}

/// Regression: `period octal` without a proof ended with 0, and `prove` without one with 1, which says "false".
#[test]
fn what_is_not_proved_is_not_decided() {
    run(&["period", "octal", "kayles"]).code(0);
    run(&["period", "octal", "0.6", "--terms", "1000"]).code(4);
    run(&["prove", "nim", "--heaps", "2"]).code(0);
    run(&["prove", "susen", "--heaps", "2", "--digits", "base-2", "--time", "0s"]).code(4);
}

/// Regression: `solve cookie` ended with 2, and `table cookie` with 0, when their time was used up.
#[test]
fn a_search_that_is_out_of_time_is_resumable_where_it_keeps_something() {
    let temporary = tempfile::tempdir().unwrap();
    let kept = temporary.path().join("parts");
    let kept = kept.to_str().unwrap();
    let board =
        ["solve", "cookie", "--rows", "8", "--cols", "9", "--cutter", "2", "--memory", "1e7", "--time", "0s"];
    run(&board).code(4);
    run(&[&board[..], &["--parts", kept]].concat()).code(3);
    let table = [
        "table", "cookie", "--cutter", "2", "--rows", "5..6", "--cols", "9..10", "--memory", "1e7", "--time",
        "0s",
    ];
    run(&table).code(4);
    let state = temporary.path().join("state");
    let ran = run(&[&table[..], &["--state", state.to_str().unwrap()]].concat()).code(3);
    assert!(ran.err.contains("Resume with:"), "{}", ran.err);
    run(&["table", "cookie", "--cutter", "2", "--rows", "1..2", "--cols", "1..4", "--memory", "1e7"]).code(0);
}

#[test]
fn a_question_without_an_answer_in_its_time_is_not_decided() {
    run(&["query", "wyg", "complete", "10", "--chips", "100", "--time", "0s"]).code(4);
}

#[test]
fn the_help_has_the_table() {
    let help = run(&["--help"]).code(0).out;
    for code in 0..=4 {
        assert!(help.contains(&format!("\n  {code}  ")), "{help}");
    }
}

/// Regression: `period minnie-row 1e6 --all` proved 127 rows before it said that the last could not be, and `period octal
/// grundy` ran a minute before it said that the theorem never applies.
#[test]
fn what_cannot_be_proved_is_said_before_any_work() {
    let ran = run(&["period", "minnie-row", "1e6", "--all"]).code(2);
    assert!(ran.out.is_empty() && ran.err.contains("at most 127"), "{}{}", ran.out, ran.err);
    let begun = std::time::Instant::now();
    let ran = run(&["period", "octal", "grundy"]).code(4);
    assert!(ran.err.contains("--terms N") && begun.elapsed().as_secs() < 5, "{}", ran.err);
    run(&["period", "octal", "grundy", "--terms", "300"]).code(4);
}
