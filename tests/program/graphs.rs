//! Games on graphs from outside: the commands, what they print and what they refuse.

use std::process::Command;

use serde_json::Value;

use crate::support::fed;

fn nimwave(arguments: &str) -> Command {
    let mut command = crate::support::nimwave();
    command.args(arguments.split(' ').filter(|word| !word.is_empty()));
    command
}

fn json(arguments: &str) -> Value {
    let output = nimwave(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What the command says on standard error when it refuses with exit code 2.
fn refusal(arguments: &str) -> String {
    let output = nimwave(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn every_graph_game_can_be_queried() {
    assert_eq!(json("query wyg path 3 --chips 1,2,1")["outcome"], "P");
    assert_eq!(json("query wyg complete 5 --chips degree --free")["outcome"], "P");
    assert_eq!(json("query wyg complete 5 --chips degree")["outcome"], "N");
    assert_eq!(json("query wygthoff complete 3 --chips 1,2,3 --free")["outcome"], "P");
    assert_eq!(json("query wygthoff complete 3 --chips 1,2,3")["outcome"], "N");
    assert_eq!(json("query mig cycle 4")["outcome"], "P");
    assert_eq!(json("query nim-on-graph 0-1:2,1-2,2-3,3-0")["winning_moves"].as_array().unwrap().len(), 1);
    assert_eq!(json("query vertex-deletion dipath 5 --oo")["value"], 1);
    assert_eq!(json("query vertex-deletion EqJO --oo")["value"], 3);
    let tree = json("query vertex-deletion broom 8 2 --eo");
    assert_eq!((&tree["value"], &tree["outcome"]), (&"{5|{2|1*}}".into(), &"L".into()));
    assert_eq!(json("query grand-left-right LLRL/L..L")["value"], "{1|*}");
}

#[test]
fn the_examples_of_the_catalogue_work_when_pasted() {
    for game in nimwave::game::all()
        .into_iter()
        .filter(|game| matches!(game.kind, nimwave::game::EntryKind::Searched(_)))
    {
        let example = game.example_of("query");
        let words = example.strip_prefix("nimwave ").unwrap();
        assert!(json(words)["outcome"].is_string(), "{example}");
    }
    assert!(json("games wyg").to_string().contains("4.3"));
    assert!(refusal("games wygg").contains("did you mean 'wyg'"));
}

#[test]
fn bad_graphs_are_refused_with_the_remedy() {
    assert!(refusal("query vertex-deletion pth 3 --oo").contains("graph6"));
    assert!(refusal("query vertex-deletion path 40 --oo").contains("at most"));
    assert!(refusal("query vertex-deletion 0-1,1-0 --oo").contains("twice"));
    assert!(refusal("query wyg path 3 --chips 1,2").contains("one number for each"));
    assert!(refusal("query wyg path 3 --locked-on 0-2").contains("not an edge"));
    assert!(refusal("query wyg complete 9 --chips 9 --memory 100k").contains("smaller one"));
    assert!(refusal("query nim-on-graph 0-1 --token 7").contains("no vertex 7"));
    assert!(refusal("query grand-left-right LX").contains("not a square"));
    assert!(refusal("scan vertex-deletion --oo --vertices 12").contains("--stdin"));
    assert!(refusal("scan vertex-deletion --vertices 5").contains("--oo"));
}

#[test]
fn a_scan_counts_the_values_of_all_connected_graphs() {
    let scan = json("scan vertex-deletion --oo --vertices 7");
    assert_eq!(scan["graphs"], 853);
    let counts: Vec<_> =
        scan["values"].as_array().unwrap().iter().map(|v| v["graphs"].as_u64().unwrap()).collect();
    assert_eq!(counts, [482, 253, 97, 21]);
    let one = json("scan vertex-deletion --oo --vertices 7 --threads 1");
    assert_eq!(scan["values"], one["values"]);
}

#[test]
fn a_scan_reads_graph6_lines() {
    let output = fed(&mut nimwave("scan vertex-deletion --oo --stdin --json"), "EqJO\nDQc\n");
    let scan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(scan["graphs"], 2);
    let output = fed(&mut nimwave("scan vertex-deletion --oo --stdin"), "EqJO\nnonsense\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2"));
}
