//! Certificates as files: hostile input, and the stand-alone checker in Python.

use nimwave::analysis::PeriodSearch;
use nimwave::base::Control;
use nimwave::proof::Certificate;
use nimwave::proof::octal_period::{PeriodCertificate, prove_regularity};
use nimwave::proof::strategy::embedded_minnie;
use nimwave::rules::{OctalGame, Play};
use nimwave::sweep::kernel::octal::EngineOptions;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn certificates_survive_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    for play in [Play::Normal, Play::Misere] {
        let certificate = embedded_minnie(play);
        let path = folder.path().join("c.json");
        certificate.write(&path).unwrap();
        assert_eq!(Certificate::read(&path).unwrap(), certificate);
    }
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "no temporary file stays behind");
    let error = embedded_minnie(Play::Normal).write(&folder.path().join("absent/c.json")).unwrap_err();
    assert!(error.to_string().contains("cannot create"), "{error}");
}

#[test]
fn truncated_certificates_are_errors() {
    let text = embedded_minnie(Play::Misere).to_json();
    for length in 0..text.trim_end().len() {
        assert!(Certificate::from_json(&text[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn forged_forms_are_errors_with_a_reason() {
    let good: Value = serde_json::from_str(&embedded_minnie(Play::Misere).to_json()).unwrap();
    assert!(Certificate::from_json(&good.to_string()).is_ok());
    let forgeries: Vec<(&str, Value)> = vec![
        ("format", json!("something-else")),
        ("version", json!(2)),
        ("version", json!(-1)),
        ("game", json!("chess")),
        ("game", json!("subtraction")),
        ("game", json!("octal")),
        ("amounts", json!([1])),
        ("misere", json!("yes")),
        ("threshold", json!(0)),
        ("threshold", json!(u64::MAX)),
        ("threshold", json!(5)),
        ("period", json!(0)),
        ("period", json!(1e30)),
        ("largest_min", Value::Null),
        ("largest_min", json!(u64::MAX)),
        ("accepted", json!([99])),
        ("accepted", json!([2, 2])),
        ("representatives", json!([[]])),
        ("action", json!([])),
        ("action", json!([[0]])),
        ("action", json!([[70000, 1]])),
        ("surprise", json!(1)),
    ];
    for (field, value) in forgeries {
        let mut forged = good.clone();
        forged[field] = value.clone();
        let error = Certificate::from_json(&forged.to_string()).unwrap_err();
        assert!(!error.to_string().is_empty(), "{field} = {value}");
    }
    for field in good.as_object().unwrap().keys() {
        let mut forged = good.clone();
        forged.as_object_mut().unwrap().remove(field);
        assert!(Certificate::from_json(&forged.to_string()).is_err(), "without {field}");
    }
}

#[test]
fn unreadable_files_name_the_file_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    assert!(Certificate::read(&path).unwrap_err().to_string().contains("c.json"));
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(Certificate::read(&path).unwrap_err().to_string().contains("c.json"));
    std::fs::write(&path, "{}").unwrap();
    let message = Certificate::read(&path).unwrap_err().to_string();
    assert!(message.contains("c.json") && message.contains("prove"), "{message}");
}

/// Runs Python, or says that there is none.
fn python(arguments: &[&str]) -> Option<Output> {
    match Command::new("python3").current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output() {
        Ok(output) => Some(output),
        Err(problem) => {
            // Past the capture of a test that passes.
            let _ = writeln!(std::io::stderr(), "SKIPPED: python3 cannot be run ({problem})");
            None
        }
    }
}

fn check_with_python(path: &Path) -> Option<Output> {
    python(&["scripts/check_certificate.py", path.to_str().unwrap()])
}

#[test]
fn the_python_checker_accepts_the_embedded_certificates() {
    for name in ["minnie.json", "minnie-misere.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/certificates").join(name);
        let Some(output) = check_with_python(&path) else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("PROVED") && text.contains("5.6"), "{text}");
    }
}

#[test]
fn the_python_checker_rejects_every_mutation() {
    let folder = tempfile::tempdir().unwrap();
    let period = |code: &str| {
        let path = folder.path().join(format!("{code}.json"));
        let game = OctalGame::read(code).unwrap();
        let search =
            PeriodSearch { game, most_terms: 1000, most_time: None, engine: EngineOptions::default() };
        let (run, proved) = prove_regularity(&search, &Control::silent()).unwrap();
        PeriodCertificate::new(&search.game, proved.unwrap(), &run).write(&path).unwrap();
        path.to_str().unwrap().to_string()
    };
    let periods = ["0.77", "0.3F", "0.FB"].map(period);
    let mut names = vec!["data/certificates/minnie-misere.json"];
    names.extend(periods.iter().map(String::as_str));
    for name in names {
        let Some(output) = python(&["scripts/mutate_certificate.py", name]) else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {text}{errors}");
        assert!(text.contains("mutations rejected"), "{name}: {text}");
    }
}

#[test]
fn the_python_checker_reports_unreadable_files_without_a_traceback() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    for text in ["", "{", "[]", "{}", "null", "{\"format\": \"nimwave-quotient\", \"version\": 1}"] {
        std::fs::write(&path, text).unwrap();
        let Some(output) = check_with_python(&path) else { return };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text:?}: {errors}");
        assert!(!errors.contains("Traceback"), "{errors}");
    }
}
