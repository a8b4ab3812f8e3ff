//! The commands of cookie cutter, from outside.

use std::process::Output;

use serde_json::Value;

fn nimwave(args: &[&str]) -> Output {
    crate::support::nimwave().args(args).args(["--threads", "2"]).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = nimwave(&[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(args: &[&str]) -> String {
    let output = nimwave(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn both_engines_solve_the_same_board() {
    let board = ["solve", "cookie", "--rows", "3", "--cols", "6", "--cutter", "3"];
    let parts = json(&board);
    for (name, expected) in [("rows", 3), ("cols", 6), ("value", 6), ("threads", 2)] {
        assert_eq!(parts[name], expected, "{name}");
    }
    assert_eq!((&parts["cutter"], &parts["outcome"]), (&"3".into(), &"N".into()));
    assert!(parts["parts"].as_u64().unwrap() > 0 && parts["seconds"].is_f64());

    let dense = json(&[&board[..], &["--dense"]].concat());
    assert_eq!(dense["value"], 6);
    assert_eq!(dense["positions"], 1 << 18);
    assert_eq!(dense["outcome"], "N");
    let histogram = dense["histogram"].as_array().unwrap();
    assert_eq!(histogram.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 1 << 18);
    assert_eq!(dense["p_positions"], histogram[0]);
    assert_eq!(dense["max_value"], histogram.len() - 1);
    assert_eq!(dense["blake3"].as_str().unwrap().len(), 64);
    assert_eq!(json(&[&board[..], &["--everything"]].concat())["value"], 6);
}

#[test]
fn a_dense_table_answers_like_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t");
    let out = out.to_str().unwrap();
    text(&["solve", "cookie", "--rows", "4", "--cols", "5", "--cutter", "2", "--dense", "--out", out]);
    for board in ["####\n####", "#.#.#\n.#.#.\n#####", "#", "##.##\n##.##\n.###.\n#...#"] {
        let query = ["query", "cookie", "--board", board, "--cutter", "2"];
        assert_eq!(json(&[&query[..], &["--table", out]].concat()), json(&query), "{board}");
    }
    let other = folder.path().join("other");
    let other = other.to_str().unwrap();
    text(&["solve", "octal", "0.6", "--terms", "100", "--out", other]);
    let output = nimwave(&["query", "cookie", "--board", "##", "--table", other]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("a table of octal, not of cookie boards"));
    for (board, cutter, wanted) in [("##", "3", "--cutter 2"), ("######", "2", "at most 4x5")] {
        let output = nimwave(&["query", "cookie", "--board", board, "--cutter", cutter, "--table", out]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(wanted), "{message}");
    }
}

#[test]
fn a_dense_table_is_kept_verified_and_found_out_when_it_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let out = out.to_str().unwrap();
    let solve = ["solve", "cookie", "--rows", "4", "--cols", "4", "--cutter", "2", "--dense", "--out", out];
    let first = json(&solve);
    assert_eq!(first["value"], 5);
    assert_eq!(json(&solve)["blake3"], first["blake3"], "a finished table is not solved again");
    assert!(text(&["verify", out, "--full"]).contains("passed"));
    assert!(nimwave(&["verify", out, "--sample", "100"]).status.success());
    assert!(text(&["info", out]).contains("cookie"));
    let csv = text(&["export", out, "--format", "csv"]);
    assert!(csv.starts_with("board,squares,value\n0,0,0\n1,1,1\n"));
    assert!(csv.ends_with("\n65535,16,5\n"));
    let lost = text(&["export", out, "--format", "csv", "--p-positions"]);
    assert_eq!(lost.lines().count() as u64 - 1, first["p_positions"].as_u64().unwrap());
    assert_eq!(nimwave(&["export", out, "--format", "csv", "--row", "3"]).status.code(), Some(2));
    let other = ["solve", "cookie", "--rows", "4", "--cols", "4", "--cutter", "3", "--dense", "--out", out];
    assert_eq!(nimwave(&other).status.code(), Some(2));
}

#[test]
fn a_query_draws_every_winning_placement() {
    let answer = json(&["query", "cookie", "--board", "####", "--cutter", "2"]);
    assert_eq!((&answer["value"], &answer["outcome"]), (&1.into(), &"N".into()));
    let moves = answer["winning_moves"].as_array().unwrap();
    // 1x3 and 1x1 + 1x1 are the P-positions that one move reaches.
    let leaves: Vec<&str> = moves.iter().map(|play| play["leaves"].as_str().unwrap()).collect();
    assert_eq!(leaves, [".###", "#..#", "###."]);
    assert!(text(&["query", "cookie", "--board", "####", "--cutter", "2"]).contains("#oo#"));
    assert!(text(&["query", "cookie", "--rows", "3", "--cols", "5"]).contains("no winning move"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    std::fs::write(&file, "##.\n.##\n").unwrap();
    assert_eq!(
        json(&["query", "cookie", "--board", file.to_str().unwrap()])["value"],
        json(&["query", "cookie", "--board", "##.\\n.##"])["value"]
    );
}

#[test]
fn a_table_prints_in_every_format_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let table = [
        "table",
        "cookie",
        "--cutter",
        "2",
        "--rows",
        "1..2",
        "--cols",
        "1..12",
        "--state",
        state.to_str().unwrap(),
    ];
    let object = json(&table);
    let cells = object["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 24);
    assert_eq!(cells[22]["status"], "agrees");
    let last = &cells[23];
    assert_eq!((&last["rows"], &last["cols"], &last["cutter"]), (&2.into(), &12.into(), &"2".into()));
    assert_eq!((&last["value"], &last["printed"], &last["status"]), (&3.into(), &Value::Null, &"new".into()));
    let with = |format| text(&[&table[..], &["--format", format]].concat());
    assert!(with("text").contains("23 cells agree with the thesis, 0 differ (!), 1 are new (+)"));
    assert!(with("markdown").contains("| **2** | 2 | 1 | 0 |"));
    assert!(with("latex").contains("\\textit{3}"));
    assert!(with("csv").contains("\n2,11,2,0,0,agrees\n2,12,2,3,,new\n"));
    assert_eq!(serde_json::from_str::<Value>(&with("json")).unwrap()["new"], 1);
}

#[test]
fn open_cells_show_what_the_thesis_prints() {
    let open = |format| {
        let words = "table cookie --cutter 3 --rows 2 --cols 3..5 --time 0s --format";
        let words: Vec<&str> = words.split(' ').chain([format]).collect();
        // Open cells are not decided.
        crate::support::run(&words).code(4).out
    };
    assert!(open("text").contains("(6)"));
    assert!(open("markdown").contains("| **2** | (6) | 0 | (2) |"));
    assert!(open("latex").contains("2 & (6) & 0 & (2) \\\\"));
    assert!(open("csv").contains("2,3,3,,6,open"));
}

#[test]
fn the_parts_of_a_table_are_kept_for_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("parts");
    let table = || {
        json(&[
            "table",
            "cookie",
            "--cutter",
            "2",
            "--rows",
            "1..4",
            "--cols",
            "1..5",
            "--parts",
            parts.to_str().unwrap(),
        ])
    };
    let (first, second) = (table(), table());
    assert_eq!(first["cells"], second["cells"]);
    assert!(first["visited"].as_u64() > Some(0));
    assert_eq!(second["visited"], 0);
}

#[test]
fn the_probe_of_6_3_1_counts_what_it_decided() {
    let report = json(&["probe", "6.3.1", "--time", "20s", "--squares", "22", "--cutters", "4"]);
    assert!(report["checked"].as_u64().unwrap() >= 5);
    assert_eq!(report["counterexamples"], Value::Array(vec![]));
}

#[test]
fn solved_parts_are_kept_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k2.parts");
    let solve =
        |cols| json(&["solve", "cookie", "--rows", "4", "--cols", cols, "--parts", file.to_str().unwrap()]);
    assert_eq!(solve("5")["value"], 1);
    assert_eq!(solve("6")["value"], 2);
    assert_eq!(solve("6")["visited"], 0, "everything is known");
}

#[test]
fn pictures_come_as_text_and_svg() {
    assert_eq!(text(&["plot", "cookie", "--rows", "2", "--cols", "3"]), "###\n###\n");
    assert_eq!(text(&["plot", "cookie", "--rows", "2", "--cols", "3", "--moves", "1,1 0,3"]), "..o\n..#\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.svg");
    text(&[
        "plot",
        "cookie",
        "--rows",
        "2",
        "--cols",
        "3",
        "--moves",
        "1,1",
        "--out",
        file.to_str().unwrap(),
    ]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("</svg>"));
}

#[test]
fn bad_input_gets_one_message_and_exit_code_2() {
    for (args, word) in [
        (&["solve", "cookie", "--rows", "0", "--cols", "3"][..], "no squares"),
        (&["solve", "cookie", "--rows", "2"], "--cols"),
        (&["solve", "cookie"], "--rows"),
        (&["solve", "cookie", "--rows", "2", "--cols", "2", "--cutter", "0"], "cutter"),
        (&["solve", "cookie", "--rows", "2", "--cols", "2", "--cutter", "two"], "cutter"),
        (&["solve", "cookie", "--rows", "9", "--cols", "20"], "8x15"),
        (&["solve", "cookie", "--rows", "6", "--cols", "8", "--dense", "--memory", "1e9"], "29 squares fit"),
        (&["solve", "cookie", "--rows", "9", "--cols", "9", "--dense"], "at most 62"),
        (&["solve", "cookie", "--rows", "2", "--cols", "2", "--out", "x"], "--dense"),
        (&["query", "cookie", "--board", "#?#"], "row 1, column 2"),
        (&["query", "cookie", "--board", ""], "empty"),
        (&["solve", "cookie", "--board", "..\\n.."], "no squares"),
        (&["query", "cookie", "--board", "..."], "no squares"),
        (&["solve", "cookie", "--rows", "2", "--cols", "2", "--memory", "1000"], "--memory 1e6"),
        (&["solve", "cookie", "--rows", "5", "--cols", "6", "--dense", "--time", "1ms"], "estimated to take"),
        (&["table", "cookie", "--cutter", "2", "--rows", "3..1"], "ranges"),
        (&["table", "cookie", "--cutter", "2", "--rows", "a..b"], "range"),
        (&["plot", "cookie", "--rows", "2", "--cols", "2", "--moves", "1"], "not a move"),
        (&["plot", "cookie", "--rows", "2", "--cols", "2", "--out", "x.png"], ".svg"),
        (&["query", "cookie", "--board", "nowhere.txt"], "cannot read nowhere.txt"),
        (&["plot", "cookie", "--rows", "2", "--cols", "2", "--moves", "9,9"], "covers no square"),
    ] {
        let output = nimwave(args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(word), "{args:?}: {message}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    }
}
