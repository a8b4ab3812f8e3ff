//! Octal games from outside: the command line, the golden periods, the certificate and its checker.

use std::path::Path;
use std::process::{Command, Output};

use nimwave::analysis::PeriodSearch;
use nimwave::base::Control;
use nimwave::game::theory::regularity::Regularity;
use nimwave::proof::octal_period::prove_regularity;
use nimwave::rules::OctalGame;
use nimwave::sweep::kernel::octal::{Engine, EngineOptions};
use nimwave::sweep::maximum;
use serde_json::Value;

fn nimwave(arguments: &[&str]) -> Output {
    crate::support::nimwave().args(arguments).arg("--quiet").output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = nimwave(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn solve_prints_the_promised_fields() {
    let object = json(&["solve", "octal", "officers", "--terms", "30000", "--threads", "1"]);
    assert_eq!((object["code"].as_str(), object["terms"].as_u64()), (Some("0.6"), Some(30000)));
    assert_eq!((object["rare_count"].as_u64(), object["last_rare"].as_u64()), (Some(1583), Some(20627)));
    for field in ["max_value", "max_at", "zeros", "rare_mask", "seconds", "threads"] {
        assert!(object[field].is_number(), "{field}");
    }
    assert_eq!(object["blake3"].as_str().map(str::len), Some(64));
    let short = json(&["solve", "octal", "subtraction", "1,3,4", "--terms", "2^20"]);
    assert_eq!((short["max_value"].as_u64(), &short["rare_mask"]), (Some(3), &Value::Null));
}

#[test]
fn a_period_has_a_last_exception_only_where_there_is_one() {
    let kayles = json(&["period", "octal", "kayles"]);
    assert_eq!((kayles["preperiod"].as_u64(), kayles["last_exception"].as_u64()), (Some(71), Some(70)));
    // 0 1 0 1 2 3 2 | 0 1 0 ...: periodic from heap 0 on.
    let pure = json(&["period", "octal", "subtraction", "1,3,4"]);
    assert_eq!((pure["period"].as_u64(), &pure["last_exception"]), (Some(7), &Value::Null));
    // G(0) = 0 never comes again.
    assert_eq!(json(&["period", "octal", "4.7"])["last_exception"].as_u64(), Some(0));
}

#[test]
fn grundys_game_is_not_promised_a_proof() {
    let output = nimwave(&["period", "octal", "grundy", "--terms", "5000"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no period proved") && text.contains("more terms would not help"), "{text}");
    let output = nimwave(&["period", "octal", "0.6", "--terms", "5000"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("allow more --terms"));
}

#[test]
fn bad_codes_and_absurd_sizes_are_refused_with_a_remedy() {
    for arguments in [
        &["solve", "octal", "0.G", "--terms", "10"][..],
        &["solve", "octal", "1.7", "--terms", "10"],
        &["solve", "octal", "0.", "--terms", "10"],
        &["solve", "octal", "hello", "--terms", "10"],
        &["solve", "octal", "0.6", "--terms", "0"],
        &["solve", "octal", "0.6", "--terms", "1e19"],
        &["solve", "octal", "0.6", "--terms", "2^40", "--memory", "1e9"],
        &["solve", "octal", "subtraction", "0", "--terms", "10"],
        &["query", "octal", "0.6"],
        &["query", "octal", "0.6", "x"],
        &["query", "octal", "0.6", "18446744073709551615", "--time", "1s"],
        &["period", "octal", "0.6", "--terms", "0"],
        &["plot", "octal", "0.6", "--terms", "10", "--out", "picture.bmp"],
    ] {
        let output = nimwave(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_stored_sequence_grows_verifies_answers_and_exports() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t");
    let path = text(&out);
    json(&["solve", "octal", "0.6", "--terms", "5000", "--out", path]);
    let grown = json(&["solve", "octal", "0.6", "--terms", "20000", "--out", path]);
    let whole = json(&["solve", "octal", ".6", "--terms", "20000", "--method", "marks", "--portable"]);
    assert_eq!(grown["blake3"], whole["blake3"]);
    assert_eq!(json(&["verify", path, "--full"])["verdict"], "passed");
    assert_eq!(json(&["verify", path, "--sample", "50"])["verdict"], "passed");
    let stored = json(&["query", "octal", "0.6", "1000", "20", "7", "--table", path]);
    let fresh = json(&["query", "octal", "0.6", "1000", "20", "7"]);
    assert_eq!(stored, fresh);
    assert_eq!(fresh["heaps"], serde_json::json!([1000, 20, 7]));
    let values: Vec<u64> = fresh["values"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
    assert_eq!(fresh["nim_sum"].as_u64(), Some(values[0] ^ values[1] ^ values[2]));
    assert_eq!(nimwave(&["query", "octal", "0.7", "9", "--table", path]).status.code(), Some(2));
    for (more, count) in [(&[][..], 10000), (&["--to", "19999"][..], 20000)] {
        let exported = nimwave(&[&["export", path, "--format", "bfile"], more].concat());
        let lines = String::from_utf8(exported.stdout).unwrap();
        let terms: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!((&terms[..3], terms.len()), (&["0 0", "1 0", "2 1"][..], count));
    }
    let picture = folder.path().join("fig.png");
    assert!(nimwave(&["plot", "octal", "0.6", "--terms", "3000", "--out", text(&picture)]).status.success());
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn certificates_are_checked_by_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_period.py");
    if let Err(problem) = Command::new("python3").arg("--version").output() {
        crate::support::skipped(&format!("python3 cannot be run ({problem})"));
        return;
    }
    let check = |path: &Path| Command::new("python3").arg(&script).arg(path).output().unwrap().status.code();
    for code in ["0.77", "0.137", "4.7", "0.15"] {
        let object = json(&["period", "octal", code, "--certificate", text(&path)]);
        assert_eq!(object["proved"], true, "{code}");
        assert_eq!(check(&path), Some(0), "{code}");
        // A changed value, a longer preperiod and a multiple of the period must all be found.
        let good: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let forge = |change: &dyn Fn(&mut Value)| {
            let mut bad = good.clone();
            change(&mut bad);
            std::fs::write(&path, bad.to_string()).unwrap();
            check(&path)
        };
        let middle = good["values"].as_array().unwrap().len() / 2;
        assert_eq!(forge(&|bad| bad["values"][middle] = 999.into()), Some(1), "{code}");
        let preperiod = good["preperiod"].as_u64().unwrap();
        assert_eq!(forge(&|bad| bad["preperiod"] = (preperiod + 1).into()), Some(1), "{code}");
        assert_eq!(forge(&|bad| bad["values"][0] = "x".into()), Some(2), "{code}");
    }
}

#[test]
fn golden_periods_are_reproduced() {
    let table = include_str!("../../data/golden/octal.tsv");
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() >= 40, "{} games", rows.len());
    for row in rows {
        let [code, preperiod, period, max, size, _source] = row[..] else { panic!("{row:?}") };
        if size != "small" {
            continue;
        }
        let game: OctalGame = code.parse().unwrap();
        let search =
            PeriodSearch { game, most_terms: 1 << 20, most_time: None, engine: EngineOptions::default() };
        let (run, found) = prove_regularity(&search, &Control::silent()).unwrap();
        let values = run.values;
        let found = found.unwrap_or_else(|| panic!("{code}: no period proved")).drift;
        assert_eq!(
            (found.preperiod.to_string(), found.period.to_string()),
            (preperiod.into(), period.into()),
            "{code}"
        );
        assert_eq!(maximum(&values).0.to_string(), max, "{code}");
    }
}

#[test]
fn arithmetic_periods_of_hexadecimal_games_go_on() {
    for (code, proved) in [
        ("0.8", true),
        ("0.3F", true),
        ("8.2", true),
        ("0.FB", true),
        ("0.FC", true),
        ("4.0A", true),
        ("8.D", true),
        ("0.28", true),
        ("0.9C", true),
        // What these show ends, and is not covered.
        ("C.1", false),
        ("0.209", false),
    ] {
        let game = OctalGame::read(code).unwrap();
        let search = PeriodSearch {
            game: game.clone(),
            most_terms: 1 << 10,
            most_time: None,
            engine: EngineOptions::default(),
        };
        let (run, found) = prove_regularity(&search, &Control::silent()).unwrap();
        assert_eq!(found.is_some(), proved, "{code}");
        let Some(Regularity { drift, .. }) = found else { continue };
        assert!(drift.saltus > 0, "{code}");
        let mut values = vec![0; 4 * run.values.len()];
        Engine::new(&game, EngineOptions::default()).extend(&mut values, 0).unwrap();
        for n in drift.preperiod..values.len() - drift.period {
            let later = i64::from(values[n + drift.period]);
            assert_eq!(later, i64::from(values[n]) + drift.saltus, "{code} {n}");
        }
    }
}
