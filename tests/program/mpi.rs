//! Tables filled by several processes under `mpirun`: the same bytes for any number of ranks, a
//! killed rank, a resumed run, ranks that do not fit together, and the readers of a table in
//! shards. Built with `--features mpi`.

use crate::support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::Ran;

/// `mpirun -n RANKS nimwave ARGS`, on a machine that may have fewer cores than ranks.
fn mpirun(ranks: usize, args: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .args(["-n", &ranks.to_string(), "--oversubscribe", "--bind-to", "none"])
        .arg(env!("CARGO_BIN_EXE_nimwave"))
        .args(args)
        .args(["--threads", "1"]);
    command
}

fn run(command: &mut Command) -> Ran {
    Ran::from(command.output().expect("mpirun starts"))
}

#[track_caller]
fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(ran.out.trim()).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
}

fn alone(args: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_nimwave")).args(args))
}

/// The words of a solve command into `out`.
fn solve<'a>(what: &[&'a str], out: &'a Path) -> Vec<&'a str> {
    [&["solve"], what, &["--json", "-q", "--out", out.to_str().unwrap()]].concat()
}

const TABLES: [&[&str]; 3] = [
    &["minnie", "--heaps", "4", "--max", "24", "--values"],
    &["minnie", "--heaps", "4", "--max", "30", "--misere"],
    &["wythoff", "--heaps", "3", "--max", "16", "--values"],
];

#[test]
fn any_number_of_ranks_makes_the_table_of_one_process() {
    for what in TABLES {
        let folder = tempfile::tempdir().unwrap();
        let one = json(&alone(&solve(what, &folder.path().join("one"))));
        for ranks in [1, 2, 3] {
            let out = folder.path().join(format!("t{ranks}"));
            let many = json(&run(&mut mpirun(ranks, &solve(what, &out))));
            for same in ["blake3", "positions", "p_positions", "max_value", "value_sum", "width"] {
                assert_eq!(many[same], one[same], "{what:?}, {ranks} ranks, {same}");
            }
            assert_eq!(many.get("ranks").is_some(), ranks > 1);
        }
    }
}

#[test]
fn a_table_in_shards_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let (out, one) = (folder.path().join("shards"), folder.path().join("one"));
    let (name, name_of_one) = (out.to_str().unwrap(), one.to_str().unwrap());
    let what = ["minnie", "--heaps", "4", "--max", "30", "--values"];
    let traffic = json(&run(&mut mpirun(3, &solve(&what, &out))))["traffic"].clone();
    // Memory and traffic fall to all ranks, and no rank has the whole table.
    for rank in traffic.as_array().unwrap() {
        assert!(
            rank["sent"].as_u64().unwrap() > 0 && rank["tables"].as_u64().unwrap() < 46_376 * 2 / 3,
            "{traffic}"
        );
    }
    json(&alone(&solve(&what, &one)));
    let info = json(&alone(&["info", name, "--json"]));
    assert_eq!(info["state"], "complete");
    assert_eq!(info["shards"].as_array().unwrap().len(), 12);
    for position in [["3", "9", "17", "30"], ["0", "1", "2", "3"], ["30", "30", "30", "30"]] {
        let ask = |table| {
            json(&alone(&[&["query", "minnie"], &position[..], &["--table", table, "--json"]].concat()))
        };
        assert_eq!(ask(name), ask(name_of_one));
    }
    for table in [name, name_of_one] {
        for ranks in [1, 2] {
            let verdict = json(&run(&mut mpirun(ranks, &["verify", table, "--full", "--json", "-q"])));
            assert_eq!(verdict["verdict"], "passed", "{verdict}");
        }
    }
    let export = |table| alone(&["export", table, "--format", "csv"]).out;
    assert_eq!(export(name), export(name_of_one));
    // A wrong entry is found by whichever rank has it, and damage by its checksum.
    let shard = out.join("shard-0005/values.npy");
    let mut bytes = fs::read(&shard).unwrap();
    bytes[200] ^= 1;
    fs::write(&shard, bytes).unwrap();
    let damaged = run(&mut mpirun(2, &["verify", name, "--full", "-q"]));
    assert!(damaged.code == Some(1) && damaged.out.contains("shard-0005"), "{}{}", damaged.out, damaged.err);
}

#[test]
fn a_killed_rank_ends_the_job_and_another_number_of_ranks_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let what = ["minnie", "--heaps", "4", "--max", "70", "--values"];
    let expected = json(&alone(&solve(&what, &folder.path().join("one"))))["blake3"].clone();
    let mut killed = false;
    let journal = || fs::metadata(out.join("shard-0001/journal")).map_or(0, |journal| journal.len());
    for ranks in [2, 3] {
        let before = journal();
        let words = [&solve(&what, &out)[..], &["--checkpoint", "20ms"]].concat();
        let mut job = mpirun(ranks, &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        // Kill one rank once this run has made a checkpoint.
        let victim = loop {
            let finished = job.try_wait().unwrap().is_some();
            if finished || begun.elapsed() > Duration::from_secs(100) {
                break None;
            }
            match rank_of(job.id()) {
                Some(rank) if journal() > before => break Some(rank),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let Some(victim) = victim else {
            let _ = job.wait();
            break;
        };
        assert!(Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap().success());
        let ended = job.wait_with_output().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(150), "the job hangs");
        if !ended.status.success() {
            killed = true;
            let text =
                String::from_utf8_lossy(&ended.stderr).into_owned() + &String::from_utf8_lossy(&ended.stdout);
            assert!(text.contains("signal 9"), "{text}");
        }
    }
    assert!(killed, "the runs ended before a rank could be killed");
    let resumed = json(&run(&mut mpirun(2, &solve(&what, &out))));
    assert_eq!(resumed["blake3"], expected);
}

/// A process that mpirun, process `parent`, has started.
fn rank_of(parent: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    let is_rank = |id: &&str| {
        fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim().starts_with("nimwave"))
    };
    children.split_whitespace().rfind(is_rank)?.parse().ok()
}

#[test]
fn ranks_with_other_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let words = |max| solve(&["minnie", "--heaps", "3", "--max", max], &out);
    let mut command = mpirun(1, &words("20"));
    command.args([":", "-n", "1"]).arg(env!("CARGO_BIN_EXE_nimwave")).args(words("21"));
    let ran = run(&mut command);
    assert_ne!(ran.code, Some(0));
    assert!(ran.err.contains("rank 1 was started with other arguments than rank 0"), "{}", ran.err);
    assert!(!out.exists());
}

#[test]
fn what_several_ranks_cannot_do_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table");
    let said = |args: &[&str], text: &str| {
        let ran = run(&mut mpirun(2, args));
        assert!(ran.code != Some(0) && ran.err.contains(text), "{args:?}: {}", ran.err);
    };
    said(&["solve", "minnie", "--heaps", "3", "--max", "20"], "give --out DIR");
    said(&["solve", "octal", "0.6", "--terms", "100"], "runs in one process");
    json(&alone(&solve(&["minnie", "--heaps", "3", "--max", "20"], &out)));
    said(&solve(&["minnie", "--heaps", "3", "--max", "20"], &out), "the table is in one file");
    // A table of a rank's shards only, with more ranks than shards.
    let few = folder.path().join("few");
    let words = [&solve(&["minnie", "--heaps", "3", "--max", "20"], &few)[..], &["--shards", "1"]].concat();
    said(&words, "use at most 1 ranks");
    // A game whose options go anywhere needs its copy in the budget.
    let words = [&solve(&["nim", "--heaps", "4", "--max", "60", "--values"], &out)[..], &["--memory", "1e5"]]
        .concat();
    said(&words, "a copy of the whole table on every rank");
}

/// The script of docs/CLUSTER.md for one table, with mpirun for srun: it ends with the
/// table, and a stopped run queues itself.
#[test]
fn the_slurm_script_of_the_documentation_runs() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/CLUSTER.md")).unwrap();
    let script = text.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("table.sh"), script).unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_nimwave"), bin.join("nimwave")).unwrap();
    let ran = run(Command::new("sh")
        .arg("table.sh")
        .current_dir(folder.path())
        .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("LAUNCH", "mpirun -n 2 --oversubscribe --bind-to none")
        .env("OUT", "m4.table")
        .env("MAX", "20"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let info = json(&alone(&["info", folder.path().join("m4.table").to_str().unwrap(), "--json"]));
    assert_eq!(info["state"], "complete");
}
