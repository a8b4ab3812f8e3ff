//! The commands of docs/DESK.md, as they stand.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{nimwave, snapshot};

#[test]
fn every_command_of_the_page_about_the_desk_runs() {
    let place = tempfile::tempdir().unwrap();
    let (bin, folder) = (place.path().join("bin"), place.path().join("work"));
    std::fs::create_dir(&bin).unwrap();
    std::fs::create_dir(&folder).unwrap();
    symlink(nimwave().get_program(), bin.join("nimwave")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let page = include_str!("../../docs/DESK.md");
    let blocks = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: Vec<&str> =
        blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(commands.len() > 25, "{commands:?}");
    for command in commands {
        let words = ["-o", "pipefail", "-e", "-c", command];
        let output =
            Command::new("bash").args(words).current_dir(&folder).env("PATH", &path).output().unwrap();
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{out}{error}");
        assert!(!out.is_empty() || command.contains(" > "), "{command} says nothing");
    }
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("matrix.tex").contains("\\begin{array}") && read("slice.csv").starts_with("x\\y,0,1"));
    assert!(
        read("b002186.txt").starts_with("# ") && read("night.html").contains("period 12 from 71 on, proved")
    );
    assert!(snapshot(&folder.join("man")).len() > 20);
}
