//! The list of games and the answers about them, from outside.

fn nimwave(arguments: &[&str]) -> (bool, String, String) {
    let output = crate::support::nimwave().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// Splits a line as a shell does, for the quotes that the examples use.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn every_example_of_the_list_of_games_works_when_pasted() {
    let (good, list, _) = nimwave(&["games", "--json"]);
    assert!(good);
    let games: Vec<serde_json::Value> = serde_json::from_str(&list).unwrap();
    assert!(games.len() >= 24);
    for game in games {
        let example = words(game["example"].as_str().unwrap());
        assert_eq!(example[0], "nimwave");
        let arguments: Vec<&str> = example[1..].iter().map(String::as_str).collect();
        let (good, answer, error) = nimwave(&arguments);
        assert!(good && !answer.is_empty(), "{example:?}: {error}");
    }
}

#[test]
fn answers_agree_with_the_documents() {
    for (arguments, expected) in [
        (&["query", "nim", "6", "11", "14"][..], "3 winning moves"),
        (&["query", "wynnie", "2", "2", "--misere"][..], "is a P-position"),
        (&["query", "mine", "4", "6", "13"][..], "is an N-position"),
        (&["query", "nimb", "4", "9", "9"][..], "Grundy value 3"),
        (&["query", "euclid", "1", "1", "--to-zero"][..], "is an N-position"),
        (&["query", "euclid", "1", "1"][..], "is a P-position"),
        (&["query", "sum", "nim 2 3", "nimb 2 5"][..], "worth 0"),
    ] {
        let (good, answer, error) = nimwave(arguments);
        assert!(good && answer.contains(expected), "{arguments:?}: {answer}{error}");
    }
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    for (arguments, remedy) in [
        (&["games", "winie"][..], "did you mean"),
        (&["query", "mine", "3", "3"][..], "no two heaps may be equal"),
        (&["query", "susen", "5000000000", "3"][..], "heaps are below 2^32"),
        (&["query", "wythoff", "3000", "3000", "3000"][..], "smaller position"),
        (&["query", "counters", "--graph", "a>b,b>a", "a"][..], "a>b>a"),
        (&["query", "counters", "--graph", "a>b", "z"][..], "its nodes are"),
        (&["query", "maximum-nim", "--rule", "n+1", "5"][..], "from 0 to n"),
        (&["query", "rook", "1", "2", "3"][..], "its row and its column"),
        (&["query", "sum", "nim 1 misere"][..], "normal play"),
        (&["query", "sum", "nimm 1"][..], "did you mean 'nim'"),
        (&["solve", "poker-nim", "--heaps", "2", "--max", "5"][..], "query"),
        (&["audit", "mullen-99"][..], "--list"),
    ] {
        let (good, _, error) = nimwave(arguments);
        assert!(!good && error.contains(remedy), "{arguments:?}: {error}");
    }
}

#[test]
fn sums_of_heaps_and_heaps_beyond_tables_are_answered_from_theorems() {
    for (arguments, expected) in [
        (&["query", "nim", "100", "200", "300"][..], "Grundy value 384"),
        (&["query", "nim", "3000", "3000", "3000", "--misere"][..], "misère Grundy value 3000"),
        (&["query", "rook", "4e9", "4e9"][..], "is a P-position"),
        (&["query", "counters", "--graph", "a>b,b>c", "a", "a", "b", "b", "b"][..], "Grundy value 1"),
        (&["query", "minnie", "65536"][..], "1 winning move to:\n  []"),
        (&["query", "minnie", "49999999"][..], "from the proved quotient"),
        (&["query", "octal", "0.77", "1e18"][..], "from the proved period"),
        (&["query", "sum", "octal 0.77 1e18", "nim 1e9"][..], "an N-position"),
    ] {
        let (good, answer, error) = nimwave(arguments);
        assert!(good && answer.contains(expected), "{arguments:?}: {answer}{error}");
    }
}

#[test]
fn thousands_separators_and_leading_zeros_are_refused_with_the_remedy() {
    for arguments in [
        &["query", "minnie", "1,000", "8"][..],
        &["query", "nim", "[1,000,000]"],
        &["query", "octal", "0.6", "007"],
        &["query", "sum", "nim 1,000", "nim 3"],
        &["query", "mig", "path", "3", "--chips", "1,000,2"],
        &["play", "nim", "1,000"],
    ] {
        let (good, _, error) = nimwave(arguments);
        assert!(
            !good && error.contains("begins with a zero") && error.contains("1_000"),
            "{arguments:?}: {error}"
        );
    }
}

#[test]
fn a_table_of_another_game_is_solved_verified_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("wynnie.table");
    let table = table.to_str().unwrap();
    let solve =
        ["solve", "wynnie", "--together", "all", "--heaps", "3", "--max", "12", "--values", "--out", table];
    assert!(nimwave(&solve).0);
    assert!(nimwave(&["verify", table, "--full"]).0);
    let asked = nimwave(&["query", "wynnie", "--together", "all", "--table", table, "3", "4", "5"]);
    assert_eq!(asked.1, nimwave(&["query", "wynnie", "--together", "all", "3", "4", "5"]).1);
    let (good, _, error) = nimwave(&["query", "wynnie", "--table", table, "3", "4", "5"]);
    assert!(!good && error.contains("together"), "{error}");
}
