//! Surveys of octal games: what is published, growing evenly, resuming, and what is refused.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ran, nimwave, run};

fn survey(words: &[&str]) -> Ran {
    run(&[&["survey", "octal", "--quiet"], words].concat())
}

fn rows(survey: &Value) -> HashMap<String, Value> {
    let rows = survey["rows"].as_array().expect("rows").iter();
    rows.map(|row| (row["game"].as_str().expect("a code").to_string(), row.clone())).collect()
}

/// A survey without what differs from run to run.
fn timeless(mut survey: Value) -> Value {
    let object = survey.as_object_mut().expect("an object");
    object.remove("seconds");
    for row in object["rows"].as_array_mut().expect("rows") {
        row.as_object_mut().expect("a row").remove("seconds");
    }
    survey
}

#[test]
fn small_periods_and_classes_are_those_that_are_published() {
    let golden = fs::read_to_string("data/golden/octal-classes.tsv").unwrap();
    let found = survey(&["0.???", "4.???", "--terms", "2^10", "--each", "10m", "--json"]).code(0).json();
    assert_eq!((&found["games"], &found["complete"]), (&1023.into(), &true.into()));
    let rows = rows(&found);
    let number = |text: &str| text.parse::<u64>().ok();
    let (mut periods, mut members) = (0, 0);
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let [game, preperiod, period, _, _, class] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let row = &rows[game];
        if let (Some(preperiod), Some(period)) = (number(preperiod), number(period))
            && 2 * (preperiod + period) + 8 <= 1024
        {
            periods += 1;
            assert_eq!(
                (&row["status"] != "open", row["preperiod"].as_u64(), row["period"].as_u64()),
                (true, Some(preperiod), Some(period)),
                "{row}"
            );
        }
        // One standard form, or one sequence as far as it is known.
        let leader = |row: &Value| {
            let first = row["as"].as_str().map_or(row.clone(), |first| rows[first].clone());
            first["as"].as_str().unwrap_or(first["game"].as_str().unwrap()).to_string()
        };
        for other in class.split(' ') {
            members += 1;
            assert_eq!(leader(&rows[other]), leader(row), "{game} and {other}");
        }
    }
    assert!(periods > 75 && members > 1000, "{periods} {members}");
}

#[test]
fn shifted_games_have_shifted_periods() {
    let found = survey(&["0.4,0.07,0.137,0.2,0.3,4.0,0.02", "--terms", "2^10", "--each", "10m", "--json"])
        .code(0)
        .json();
    let rows = rows(&found);
    for (game, form, shift, preperiod, period) in [
        ("0.4", "0.137", 2, 54, 34),
        ("0.07", "0.137", 1, 53, 34),
        ("0.137", "0.137", 0, 52, 34),
        // 0 1 0 1 ... is periodic from heap 0 on, and so is it behind one more 0, but not behind two.
        ("0.3", "0.3", 0, 1, 2),
        ("0.2", "0.3", 1, 1, 2),
        ("4.0", "0.7", 1, 1, 2),
        ("0.02", "0.13", 2, 1, 4),
    ] {
        let row = &rows[game];
        assert_eq!((row["standard"].as_str(), row["shift"].as_u64()), (Some(form), Some(shift)), "{row}");
        let found = (row["preperiod"].as_u64(), row["period"].as_u64());
        assert_eq!(found, (Some(preperiod), Some(period)), "{row}");
        let alone = run(&["period", "octal", game, "--json", "--quiet"]).code(0).json();
        for field in ["preperiod", "period", "last_exception", "max_value", "max_at"] {
            let same = if field == "max_value" { &row["max"] } else { &row[field] };
            assert_eq!(same, &alone[field], "{field} of {row}");
        }
    }
    assert_eq!(rows["0.07"]["as"], "0.4");
    assert_eq!(rows["4.0"]["as"], "0.2", "another standard form with the same period");
}

#[test]
fn codes_beyond_octal_games_have_arithmetic_periods_where_these_are_proved() {
    let patterns = ["0.3[9F]", "0.8", "0.FF", "C.8", "0.209", "all-but 2,3,7", "4!.7"];
    let found =
        survey(&[&patterns[..], &["--terms", "500", "--each", "10m", "--json"]].concat()).code(0).json();
    let rows = rows(&found);
    let drift = |game: &str| {
        let row = &rows[game];
        assert_eq!((row["status"].as_str(), row["by"].as_str()), (Some("proved"), Some("arithmetic period")));
        (row["period"].as_u64(), row["saltus"].as_i64(), row["words"].as_str())
    };
    assert_eq!(drift("0.3F"), (Some(6), Some(3), Some("G(n + 6) = G(n) + 3")));
    assert_eq!(drift("0.8"), (Some(3), Some(1), Some("G(n + 3) = G(n) + 1")));
    assert_eq!(drift("0.3003330[3...]"), (Some(4), Some(2), Some("G(n + 4) = G(n) + 2")));
    // The same period and saltus, and other values: each is its own sequence.
    assert_eq!((drift("C.8"), drift("0.FF")), (drift("0.FF"), drift("C.8")));
    assert!(rows["C.8"]["as"].is_null() && rows["0.FF"]["as"].is_null());
    for open in ["0.39", "0.209", "4!.7"] {
        assert_eq!(rows[open]["status"], "open", "{open}");
    }
    assert!(rows["0.209"]["words"].as_str().unwrap().starts_with("seen, not proved: G(n + 9) = G(n) + 3"));
}

/// Regression: a game was compared with another one only if that had at most twice its terms.
#[test]
fn games_of_one_sequence_are_found_however_far_each_was_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("s");
    let out = out.to_str().unwrap();
    // 4.004 and 4.006 have other standard forms and, as far as anybody knows, the same values.
    survey(&["4.004", "--terms", "2^14", "--each", "10m", "--out", out]).code(0);
    let words = ["4.004", "4.006", "0.6", "--terms", "2^11", "--each", "10m", "--out", out, "--json"];
    let found = survey(&words).code(0).json();
    let rows = rows(&found);
    assert_eq!(rows["4.006"]["as"].as_str(), Some("4.004"));
    assert!(rows["0.6"]["as"].is_null() && rows["4.004"]["as"].is_null());
}

#[test]
fn open_games_say_how_far_they_were_looked_at() {
    let found = survey(&["0.6", "0.16", "--terms", "40000", "--each", "10m", "--json"]).code(0).json();
    let rows = rows(&found);
    let solved = run(&["solve", "octal", "0.37", "--terms", "40000", "--json", "--quiet"]).code(0).json();
    let row = &rows["0.6"];
    assert_eq!((&row["status"], &row["terms"]), (&"open".into(), &40000.into()));
    assert_eq!(
        (row["max"].as_u64(), row["rare"].as_u64()),
        (solved["max_value"].as_u64(), solved["rare_count"].as_u64())
    );
    assert_eq!(row["max_at"].as_u64(), solved["max_at"].as_u64().map(|at| at + 1));
    assert_eq!(row["last_rare"].as_u64(), Some(20627));
    assert_eq!((&found["counts"]["open"], &found["counts"]["proved"]), (&2.into(), &0.into()));
}

fn terms(state: &Path) -> Vec<u64> {
    let text = fs::read_to_string(state).unwrap_or_default();
    let rows = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
    rows.filter_map(|row| row["reached"].as_u64()).collect()
}

#[test]
fn a_killed_survey_resumes_to_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let (out, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let words = ["0.6", "0.14", "0.36", "0.16", "0.7", "0.56", "--terms", "2^15", "--each", "10m"];
    let words = [&["survey", "octal"], &words[..], &["--quiet", "--json", "--out"]].concat();
    let finished = |out: &Path| Ran::from(nimwave().args(&words).arg(out).output().unwrap()).code(0).json();
    let state = out.join("survey.jsonl");
    for (signal, goal) in [("KILL", 1 << 11), ("INT", 1 << 12), ("KILL", 1 << 14)] {
        let mut child =
            nimwave().args(&words).arg(&out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while !terms(&state).contains(&goal) && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(2));
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        let id = child.id().to_string();
        let _ = std::process::Command::new("kill").arg(format!("-{signal}")).arg(id).status();
        child.wait().unwrap();
    }
    assert_eq!(timeless(finished(&out)), timeless(finished(&whole)));
    for file in ["survey.csv", "survey.tsv", "survey.tex", "survey.json", "survey.html"] {
        assert!(out.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    // Fewer terms take nothing away, and more go on.
    let fewer = ["0.6", "--terms", "2^10", "--json", "--out", out.to_str().unwrap()];
    assert_eq!(survey(&fewer).code(0).json()["rows"][0]["terms"], 1 << 15);
}

#[test]
fn the_time_of_all_games_stops_a_survey_where_they_have_about_as_many_terms() {
    let words = ["0.6", "0.14", "0.36", "0.64", "--terms", "2^26", "--each", "1h", "--time", "2s", "--json"];
    let stopped = survey(&words).code(3).json();
    let terms: Vec<u64> =
        stopped["rows"].as_array().unwrap().iter().map(|row| row["terms"].as_u64().unwrap()).collect();
    assert_eq!((&stopped["complete"], terms.len()), (&false.into(), 4), "{stopped}");
    let (least, most) = (terms.iter().min().unwrap(), terms.iter().max().unwrap());
    assert!(most <= &(2 * least), "{terms:?}");
}

#[test]
fn bad_surveys_are_refused_and_nothing_is_lost() {
    survey(&["0.????????"]).refused(&["16777216 games", "100000"]);
    survey(&["???"]).refused(&["no point"]);
    survey(&["0.G"]).refused(&["0.G"]);
    survey(&["0.6", "--terms", "0"]).refused(&["--terms"]);
    survey(&["0.6", "--terms", "2^50"]).refused(&["--terms"]);
    survey(&["0.6", "--terms", "2^24", "--memory", "1e6"]).refused(&["--memory", "fewer --terms"]);
    survey(&["0.6", "--each", "0s"]).refused(&["--each 0", "--each 10s"]);
    survey(&[]).code(2);
    // What is no game stands among the others.
    let found = survey(&["[03].6", "--terms", "100", "--json"]).code(0).json();
    assert_eq!(found["counts"]["invalid"], 1, "{found}");
    assert!(rows(&found)["3.6"]["words"].as_str().unwrap().contains("d0 = 3"), "{found}");

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rules");
    let out_text = out.to_str().unwrap();
    let rule = ["survey", "rule", "take s from one heap where s <= a", "--a", "1..2", "--max", "5"];
    run(&[&rule[..], &["--quiet", "--out", out_text]].concat()).code(0);
    let before = fs::read(out.join("survey.jsonl")).unwrap();
    survey(&["0.6", "--out", out_text]).refused(&["another survey", "choose another folder"]);
    assert_eq!(fs::read(out.join("survey.jsonl")).unwrap(), before);
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("letter.txt"), "hello").unwrap();
    survey(&["0.6", "--out", other.to_str().unwrap()]).refused(&["has files in it"]);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
}
