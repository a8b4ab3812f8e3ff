//! Batch runs from outside: results, failures, budgets, kills, signals, and what is refused.
#![cfg(unix)]

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ran, nimwave};
use tempfile::TempDir;

/// A folder with a job file.
pub struct Night {
    folder: TempDir,
}

impl Night {
    pub fn new(jobs: &str) -> Self {
        let night = Self { folder: tempfile::tempdir().unwrap() };
        night.write(jobs);
        night
    }

    pub fn write(&self, jobs: &str) {
        fs::write(self.path("night.toml"), format!("output = \"out\"\n{jobs}")).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, more: &[&str]) -> Command {
        let mut command = nimwave();
        command
            .current_dir(self.folder.path())
            .args(["batch", "night.toml", "--json", "--threads", "2"])
            .args(more);
        command
    }

    pub fn run(&self, more: &[&str]) -> Ran {
        Ran::from(self.command(more).output().expect("the binary starts"))
    }

    pub fn start(&self) -> Child {
        self.command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
    }

    pub fn state(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path("out/batch.json")).unwrap()).unwrap()
    }

    #[track_caller]
    pub fn job(&self, name: &str) -> Value {
        let state = self.state();
        let jobs = state["jobs"].as_array().unwrap();
        jobs.iter().find(|job| job["name"] == name).unwrap_or_else(|| panic!("no job {name}")).clone()
    }

    #[track_caller]
    pub fn statuses(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let state = self.state();
        state["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|job| (text(&job["name"]), text(&job["status"])))
            .collect()
    }

    #[track_caller]
    pub fn expect(&self, statuses: &[(&str, &str)]) {
        let found = self.statuses();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, status)| (name.as_str(), status.as_str())).collect();
        assert_eq!(found, statuses, "{}", self.state());
    }
}

/// A table that takes long enough to be interrupted, and writes a checkpoint after every wave.
const LONG: &str = "[[job]]\nname = \"long\"\ncommand = \"solve minnie\"\nheaps = 3\nmax = 330\nvalues = true\n\
                    kernel = \"generic\"\ncheckpoint = \"0s\"\nout = \"long.table\"\n";
/// The same table, small.
pub const SHORT: &str = "[[job]]\nname = \"short\"\ncommand = \"solve minnie\"\nheaps = 3\nmax = 20\nvalues = true\nout = \"short.table\"\n";

fn wait_for(what: &str, mut ready: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !ready() {
        assert!(begun.elapsed() < Duration::from_secs(120), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn journal_lines(table: &Path) -> usize {
    fs::read(table.join("journal")).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count()
}

fn signal(id: u64, name: &str) {
    let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {id}")).status();
    assert!(sent.expect("a shell").success());
}

fn alive(id: u64) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

#[test]
fn jobs_run_in_order_and_a_failure_stops_only_what_comes_after_it() {
    let night = Night::new(&format!(
        "{SHORT}\
         [[job]]\nname = \"check\"\ncommand = \"verify short.table\"\nfull = true\nafter = [\"short\"]\n\
         [[job]]\nname = \"bad\"\ncommand = \"verify nowhere.table\"\n\
         [[job]]\nname = \"after-bad\"\ncommand = \"info nowhere.table\"\nafter = [\"bad\"]\n\
         [[job]]\nname = \"false\"\ncommand = \"probe 5.6\"\nmisere = true\nheaps = 3\nmax = 12\n\
         [[job]]\nname = \"anyway\"\ncommand = \"info short.table\"\nafter = [\"bad\", \"check\"]\nalways = true\n"
    ));
    let ran = night.run(&[]).code(2);
    let probe = night.job("false")["status"].as_str().unwrap().to_string();
    night.expect(&[
        ("short", "done"),
        ("check", "done"),
        ("bad", "failed"),
        ("after-bad", "skipped"),
        ("false", &probe),
        ("anyway", "done"),
    ]);
    assert_eq!(ran.json()["jobs"], night.state()["jobs"], "the output is the state");
    assert!(night.job("bad")["message"].as_str().unwrap().contains("nowhere.table"));
    assert!(night.job("after-bad")["message"].as_str().unwrap().contains("bad failed"));
    // The result of a job is what the command prints.
    let result: Value =
        serde_json::from_slice(&fs::read(night.path("out/jobs/short/result.json")).unwrap()).unwrap();
    assert_eq!(result["positions"], 1771);
    assert!(
        fs::read_to_string(night.path("out/jobs/bad/log")).unwrap().contains("nimwave verify nowhere.table")
    );
    assert!(!fs::read_to_string(night.path("out/batch.log")).unwrap().contains('\r'));

    // Nothing is repeated silently; --retry repeats what failed and nothing else.
    night.run(&[]).code(2);
    assert_eq!(
        (night.job("bad")["starts"].clone(), night.job("short")["starts"].clone()),
        (1.into(), 1.into())
    );
    night.run(&["--retry"]).code(2);
    assert_eq!(
        (night.job("bad")["starts"].clone(), night.job("short")["starts"].clone()),
        (2.into(), 1.into())
    );
}

#[test]
fn a_killed_batch_lets_its_jobs_write_a_checkpoint_and_the_next_run_goes_on() {
    let night = Night::new(LONG);
    let mut batch = night.start();
    let table = night.path("out/long.table");
    wait_for("a checkpoint", || journal_lines(&table) >= 2);
    wait_for("the state", || night.job("long")["process"]["id"].is_u64());
    let job = night.job("long")["process"]["id"].as_u64().unwrap();
    batch.kill().unwrap();
    batch.wait().unwrap();
    night.expect(&[("long", "running")]);
    // The job notices that it is alone.
    wait_for("the job's end", || !alive(job));
    let before = journal_lines(&table);
    assert!(before > 0, "a checkpoint was written");
    // The next run goes on with the same table.
    let batch = night.start();
    wait_for("more checkpoints", || journal_lines(&table) > before);
    signal(u64::from(batch.id()), "INT");
    let ended = batch.wait_with_output().unwrap();
    Ran::from(ended).code(3);
    night.expect(&[("long", "stopped")]);
    assert_eq!(night.job("long")["starts"], 2);
    assert!(night.state()["stopped"].as_str().unwrap().contains("stopped by the user"));
    assert!(batch_log(&night).contains("resumes"));
}

fn batch_log(night: &Night) -> String {
    fs::read_to_string(night.path("out/batch.log")).unwrap()
}

#[test]
fn a_job_that_is_killed_or_runs_out_of_time_does_not_take_the_others_with_it() {
    let night = Night::new(&format!("{LONG}time = \"1s\"\n{}{SHORT}", LONG.replace("long", "other")));
    let batch = night.start();
    let state = night.path("out/batch.json");
    let running = |name: &str| {
        state.exists() && night.job(name)["status"] == "running" && night.job(name)["process"]["id"].is_u64()
    };
    wait_for("the second job", || running("other"));
    assert_eq!(night.job("long")["status"], "out-of-time", "{}", night.state());
    signal(night.job("other")["process"]["id"].as_u64().unwrap(), "KILL");
    Ran::from(batch.wait_with_output().unwrap()).code(2);
    night.expect(&[("long", "out-of-time"), ("other", "failed"), ("short", "done")]);
    assert!(night.job("other")["message"].as_str().unwrap().contains("signal 9"));
    // What ran out of time can be resumed.
    assert!(journal_lines(&night.path("out/long.table")) > 0);
}

#[test]
fn a_folder_of_another_job_file_is_refused_and_can_be_adopted() {
    let night = Night::new(SHORT);
    night.run(&[]).code(0);
    let more = "[[job]]\nname = \"info\"\ncommand = \"info short.table\"\nafter = [\"short\"]\n";
    night.write(&format!("{SHORT}{more}"));
    night.run(&[]).refused(&["out: belongs to another job file", "--adopt"]);
    night.run(&["--adopt"]).code(0);
    night.expect(&[("short", "done"), ("info", "done")]);
    assert_eq!(night.job("short")["starts"], 1, "what was done is not done again");
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let night = Night::new(&format!("{SHORT}maks = 3\n[[job]]\nname = \"b\"\ncommand = \"slove minnie\"\n"));
    night.run(&[]).refused(&[
        "night.toml:9:",
        "unknown key `maks`",
        "did you mean 'max'?",
        "night.toml:12:",
        "slove",
    ]);
    assert!(!night.path("out").exists(), "nothing was begun");
    night.write(&SHORT.replace("max = 20", "max = \"many\""));
    night.run(&[]).refused(&["night.toml:6:", "many"]);
    night.write(&format!(
        "{SHORT}after = [\"b\"]\n[[job]]\nname = \"b\"\ncommand = \"games\"\nafter = [\"short\"]\n"
    ));
    night.run(&[]).refused(&["wait for each other"]);
    night.write("[[job]]\nname = \"b\"\ncommand = \"batch night.toml\"\n");
    night.run(&[]).refused(&["cannot be a job"]);
    night.write(&format!("memory = \"1Gi\"\n{SHORT}memory = \"2Gi\"\n"));
    night.run(&[]).refused(&["all jobs together"]);
    Ran::from(nimwave().args(["batch", "nowhere.toml"]).output().unwrap()).refused(&["nowhere.toml"]);
}

#[test]
fn two_batches_do_not_share_a_folder_and_a_damaged_state_is_not_believed() {
    let night = Night::new(LONG);
    let batch = night.start();
    wait_for("the state", || night.path("out/batch.json").exists());
    night.run(&[]).refused(&["another batch is running"]);
    signal(u64::from(batch.id()), "TERM");
    Ran::from(batch.wait_with_output().unwrap()).code(3);
    fs::write(night.path("out/batch.json"), "{\"format\":").unwrap();
    night.run(&[]).refused(&["batch.json", "not the state of a batch"]);
}

#[test]
fn a_dry_run_tells_the_plan_and_writes_nothing() {
    let night = Night::new(&format!(
        "{SHORT}[[job]]\nname = \"sequence\"\ncommand = \"solve octal 0.6\"\nterms = \"2^20\"\nout = \"s\"\n"
    ));
    let plan = night.run(&["--dry-run"]).code(0).json();
    assert_eq!(plan["jobs"][0]["disk"], 1771 + 128);
    assert_eq!(plan["jobs"][1]["disk"], 2 * (1 << 20) + 128);
    assert!(!night.path("out").exists());
}

#[test]
fn the_job_files_of_the_project_are_right() {
    for name in ["quick", "overnight"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/jobs/{name}.toml"));
        let text = fs::read_to_string(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let ran =
            nimwave().arg("batch").arg(&path).arg("--dry-run").current_dir(folder.path()).output().unwrap();
        let ran = Ran::from(ran).code(0);
        for line in text.lines().filter(|line| line.starts_with("name = ")) {
            assert!(ran.out.contains(line.trim_start_matches("name = ").trim_matches('"')), "{line}");
        }
    }
}

#[test]
fn a_log_file_gets_notes_also_when_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let table = folder.path().join("t");
    let mut command = nimwave();
    command.args(["solve", "minnie", "--heaps", "3", "--max", "330", "--values", "--kernel", "generic"]);
    command.args(["--checkpoint", "0s", "--quiet", "--log"]).arg(&log).arg("--out").arg(&table);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("a checkpoint", || journal_lines(&table) > 0);
    signal(u64::from(child.id()), "TERM");
    let ended = Ran::from(child.wait_with_output().unwrap()).code(3);
    assert!(!ended.err.contains("Resume with"), "{}", ended.err);
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("Resume with") && !text.contains('\r'), "{text}");
}

/// A small disk of its own, where the machine lets us have one.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn new(megabytes: u32) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let size = format!("size={megabytes}m");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(folder.path()).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder)),
            _ => {
                support::skipped("a small disk can be mounted by root only");
                None
            }
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[test]
fn a_disk_that_fills_up_at_night_stops_the_batch_loses_nothing_and_is_in_the_report() {
    let Some(disk) = SmallDisk::new(64) else { return };
    let at = disk.0.path();
    let run = |arguments: &[&str]| nimwave().args(arguments).current_dir(at).output().unwrap();
    std::fs::write(
        at.join("night.toml"),
        "output = \"night\"\n[[job]]\nname = \"officers\"\ncommand = \"solve octal 0.6 --terms 2000000 --out officers\"\n",
    )
    .unwrap();
    let mut batch = nimwave().args(["-q", "batch", "night.toml"]).current_dir(at).spawn().unwrap();
    wait_for("the table", || at.join("night/officers/manifest.json").exists());
    // Everything that is left goes.
    let mut filler = std::fs::File::create(at.join("filler")).unwrap();
    while std::io::Write::write_all(&mut filler, &[1; 4096]).is_ok() {}
    assert_eq!(batch.wait().unwrap().code(), Some(3), "stopped, and the same command goes on");
    // The page goes elsewhere: here is no space for it.
    let page = TempDir::new().unwrap();
    let page = page.path().join("report.html");
    assert_eq!(run(&["-q", "report", "night", "-o", page.to_str().unwrap()]).status.code(), Some(1));
    assert!(std::fs::read_to_string(&page).unwrap().contains("Stopped: no space left on the disk"));
    drop(filler);
    std::fs::remove_file(at.join("filler")).unwrap();
    let again = run(&["-q", "batch", "night.toml"]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stdout));
    assert!(run(&["-q", "verify", "night/officers", "--checksums"]).status.success());
    assert!(!at.join("night/batch.spare").exists());
}

/// Six jobs, two of which wait for others.
const SHARED: &str = r#"
[[job]]
name = "a"
command = "query minnie 3 5"
[[job]]
name = "b"
command = "query minnie 4 5"
[[job]]
name = "c"
command = "query minnie 5 6"
after = ["a"]
[[job]]
name = "d"
command = "query minnie 6 7"
[[job]]
name = "e"
command = "verify no-such-table"
[[job]]
name = "f"
command = "query minnie 7 7"
after = ["e"]
"#;

#[test]
fn shares_of_a_batch_are_all_of_it_and_are_collected() {
    let night = Night::new(SHARED);
    night.run(&["--collect"]).refused(&["no share", "--shard I/N"]);
    let names = |ran: &Ran| -> Vec<String> {
        let state: Value = serde_json::from_str(&ran.out).unwrap();
        state["jobs"].as_array().unwrap().iter().map(|job| job["name"].as_str().unwrap().into()).collect()
    };
    // Groups in the order of the file: a and c, b, d, e and f.
    let first = night.run(&["--shard", "1/3"]).code(2);
    assert_eq!(names(&first), ["a", "c", "e", "f"]);
    let half = night.run(&["--collect"]).code(3);
    assert!(half.out.contains("2 of 3 shares have not begun"), "{}", half.out);
    // The others at the same time, as on two machines.
    let start = |share: &str| {
        night
            .command(&["--shard", share])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts")
    };
    let others = ["2/3", "3/3"].map(start).map(|child| Ran::from(child.wait_with_output().unwrap()).code(0));
    assert_eq!(others.each_ref().map(names), [vec!["b".to_string()], vec!["d".to_string()]]);
    let all = night.run(&["--collect"]).code(2);
    assert_eq!(names(&all), ["a", "b", "c", "d", "e", "f"]);
    for (name, status) in
        [("a", "done"), ("b", "done"), ("c", "done"), ("d", "done"), ("e", "failed"), ("f", "skipped")]
    {
        assert_eq!(night.job(name)["status"], status, "{name}");
    }
    // What is done is not done again, by a share or by the whole batch.
    let again = night.run(&["--shard", "2/3"]).code(0);
    assert_eq!(serde_json::from_str::<Value>(&again.out).unwrap()["jobs"][0]["starts"], 1);
    let whole = night.run(&[]).code(2);
    assert_eq!(serde_json::from_str::<Value>(&whole.out).unwrap()["jobs"][3]["starts"], 1);
    night.run(&["--shard", "4/3"]).refused(&["I/N"]);
    night.run(&["--shard", "1/2"]).code(0);
    night.run(&["--collect"]).refused(&["different divisions"]);
}

/// The array script of docs/CLUSTER.md, with the variables that Slurm sets.
#[test]
fn the_array_script_of_the_documentation_runs() {
    let night = Night::new(SHARED);
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/CLUSTER.md")).unwrap();
    let script = text
        .split("```sh\n")
        .nth(2)
        .unwrap()
        .split("```")
        .next()
        .unwrap()
        .replace("games.toml", "night.toml");
    fs::write(night.path("array.sh"), script).unwrap();
    let bin = night.path("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_nimwave"), bin.join("nimwave")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    for (task, code) in [("1", 2), ("2", 0)] {
        let mut shell = Command::new("sh");
        shell.arg("array.sh").current_dir(night.folder.path()).env("PATH", &path);
        shell.envs([
            ("SLURM_ARRAY_TASK_ID", task),
            ("SLURM_ARRAY_TASK_COUNT", "3"),
            ("SLURM_CPUS_PER_TASK", "2"),
        ]);
        Ran::from(shell.output().unwrap()).code(code);
    }
    assert!(night.path("out/batch-1-of-3.json").exists() && night.path("out/batch-2-of-3.json").exists());
}
