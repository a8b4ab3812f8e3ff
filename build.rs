//! Tells the program which commit it is built from, where that can be known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The log of HEAD changes with every commit and every checkout.
    for file in [".git/HEAD", ".git/logs/HEAD"].into_iter().filter(|file| Path::new(file).exists()) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rustc-env=NIMWAVE_COMMIT={}", commit().unwrap_or_else(|| "unknown".into()));
}

/// The commit of this folder; a folder inside somebody else's repository has none.
fn commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_string()).filter(|text| !text.is_empty())
}
