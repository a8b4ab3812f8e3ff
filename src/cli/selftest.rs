//! `nimwave selftest`: is this machine, this processor and this disk fit for a long run?

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::{Context, numbers};
use crate::base::Control;
use crate::base::machine::{self, human_bytes};
use crate::base::{Error, Exit, Isa, Result};
use crate::game::{self, Game, Parameters, Values};
use crate::rules::notation::show_heaps;
use crate::rules::{Cutter, Play};
use crate::search::memo::Memo;
use crate::space::Space;
use crate::sweep::kernel::octal::{EngineOptions, Method};
use crate::sweep::{CookieJob, HeapJob, KernelChoice, OctalJob};
use crate::table::{Quantity, Reader, Table};
use crate::verify::{Mode, verify};

/// Arguments of `selftest`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave selftest                      # about 20 seconds, with files in the current folder that are removed again
  nimwave selftest --dir /data/night    # on the disk where the tables will be")]
pub struct Args {
    /// The folder whose disk is checked.
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// How long the kernels are compared with ever larger tables.
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, default_value = "12s")]
    kernels: Duration,
}

/// One check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    passed: bool,
    detail: String,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let folder = Folder::new(&args.dir)?;
    let mut checks = Vec::new();
    let mut check = |name: &'static str, work: &mut dyn FnMut() -> Result<String>| -> Result<()> {
        if context.stopped() {
            return Err(Error::Interrupted { done: checks.len() as u64, total: 7 });
        }
        let started = Instant::now();
        let outcome = work();
        let passed = outcome.is_ok();
        let detail = outcome.unwrap_or_else(|error| error.to_string());
        let done = Check { name, passed, detail, seconds: started.elapsed().as_secs_f64() };
        if !context.globals.json {
            context.print(|| json!(null), || describe(&done));
        }
        checks.push(done);
        Ok(())
    };
    check("disk", &mut || disk(&folder.0))?;
    check("heap kernels", &mut || heap_kernels(args.kernels / 2, context))?;
    check("cookie kernels", &mut || cookie_kernels(args.kernels / 6))?;
    check("octal kernels", &mut || octal_kernels(args.kernels / 6))?;
    check("catalogue games", &mut || catalogue_games(args.kernels / 6))?;
    check("table on disk", &mut || table_on_disk(&folder.0))?;
    check("kill and resume", &mut || kill_and_resume(&folder.0))?;
    let passed = checks.iter().all(|check| check.passed);
    let text = if passed {
        "All checks passed: this machine is fit for a long run."
    } else {
        "SOME CHECKS FAILED: do not trust results of this machine before the cause is known."
    };
    context.print(|| json!({ "passed": passed, "checks": checks }), || text.into());
    Ok(Exit::of(passed))
}

fn describe(check: &Check) -> String {
    let word = if check.passed { "passed" } else { "FAILED" };
    format!("{:<16} {word}  {:>5.1} s  {}", check.name, check.seconds, check.detail)
}

/// A folder for the files of the test, which goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new(below: &Path) -> Result<Self> {
        let path = below.join(format!("nimwave-selftest-{}", std::process::id()));
        fs::create_dir(&path).map_err(Error::io("cannot make the folder", &path))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn failed(problem: impl Into<String>) -> Error {
    Error::Usage(problem.into())
}

fn blake3_of(table: &Table) -> Result<&str> {
    let sums = table.manifest().checksums.as_ref();
    sums.map(|sums| sums.blake3.as_str()).ok_or_else(|| failed("a finished table without a checksum"))
}

/// The fast kernels of the heap games fill the bytes of the generic one, on ever larger tables.
fn heap_kernels(time: Duration, context: &Context) -> Result<String> {
    let started = Instant::now();
    let families: Vec<Game> = game::all()
        .into_iter()
        .filter_map(|entry| Game::of(entry, &Parameters::new()).ok())
        .filter(|game| game.on_heaps().is_ok_and(|heaps| heaps.family.is_some()))
        .collect();
    let (mut tables, mut positions) = (0, 0);
    for size in 0u32.. {
        for (heaps, max) in [(2, 70 + 60 * size), (3, 20 + 6 * size), (4, 11 + 3 * size), (5, 7 + size)] {
            for (game, play) in families.iter().flat_map(|game| [(game, Play::Normal), (game, Play::Misere)])
            {
                for quantity in [Quantity::Outcomes, Quantity::Values] {
                    let job = HeapJob::new(&game.clone().in_play(play), heaps, max, quantity)?;
                    if !job.has_fast_kernel() {
                        continue;
                    }
                    let solve = |kernel| HeapJob { kernel, ..job.clone() }.solve(None, &Control::silent());
                    let oracle = solve(KernelChoice::Generic)?;
                    for kernel in [KernelChoice::Fastest, KernelChoice::Portable] {
                        if blake3_of(&solve(kernel)?)? != blake3_of(&oracle)? {
                            let name = game.name();
                            return Err(failed(format!(
                                "the {kernel:?} kernel is wrong for {heaps} heaps of {name} to {max}, {play:?}, {quantity:?}"
                            )));
                        }
                        tables += 1;
                        positions += oracle.spec().entries;
                    }
                }
            }
            if size > 0 && (started.elapsed() > time || context.stopped()) {
                let names: Vec<&str> = families.iter().map(Game::name).collect();
                let positions = numbers::grouped(positions);
                return Ok(format!("{}: {tables} tables, {positions} positions equal", names.join(", ")));
            }
        }
    }
    Ok(String::new())
}

/// The kernels of dense boards against the generic one, which plays by the rules.
fn cookie_kernels(time: Duration) -> Result<String> {
    let started = Instant::now();
    let mut boards = 0;
    for (rows, cols, cutter) in
        [(3, 4, "2"), (2, 6, "inf"), (1, 13, "2"), (4, 3, "3"), (2, 7, "3x2"), (4, 4, "2"), (3, 6, "3")]
    {
        let cutter: Cutter = cutter.parse()?;
        let solve = |kernel| CookieJob { rows, cols, cutter, kernel }.solve(None, &Control::silent());
        let oracle = solve(KernelChoice::Generic)?;
        for kernel in [KernelChoice::Fastest, KernelChoice::Portable] {
            if blake3_of(&solve(kernel)?)? != blake3_of(&oracle)? {
                return Err(failed(format!(
                    "the {kernel:?} kernel is wrong for {rows}x{cols}, cutter {cutter}"
                )));
            }
            boards += oracle.spec().entries;
        }
        if started.elapsed() > time {
            break;
        }
    }
    Ok(format!("vectors and plain loop: {} boards equal", numbers::grouped(boards)))
}

/// Every engine of nim-sequences against the generic kernel. The sparse-space engines begin at 8192 terms, so
/// that shorter sequences would not enter them.
fn octal_kernels(time: Duration) -> Result<String> {
    const TERMS: u64 = 9000;
    let started = Instant::now();
    let mut entered = BTreeSet::new();
    let mut terms = 0;
    for code in ["0.6", "0.007", "4.7", "subtraction 1,3,4", "0.26", "0.165"] {
        let sequence = |method, isa, threads| {
            let engine = EngineOptions { threads, isa, method };
            let job = OctalJob { engine, ..OctalJob::new(code.parse()?, TERMS) };
            job.solve(None, &Control::silent())
        };
        let oracle = sequence(Method::Naive, Isa::PORTABLE, 1)?;
        for method in [Method::Auto, Method::Rows, Method::Marks] {
            for isa in Isa::available() {
                for threads in [1, 2] {
                    if blake3_of(&sequence(method, isa, threads)?)? != blake3_of(&oracle)? {
                        return Err(failed(format!(
                            "{method:?} with {isa:?} and {threads} threads is wrong for {code}"
                        )));
                    }
                    entered.insert(format!("{method:?} with {isa:?}"));
                    terms += TERMS;
                }
            }
        }
        // The first two enter both engines.
        if started.elapsed() > time && code != "0.6" {
            break;
        }
    }
    let entered: Vec<String> = entered.into_iter().collect();
    Ok(format!("{}: {} terms equal", entered.join(", "), numbers::grouped(terms)))
}

/// Tables of the games of the catalogue against values straight from the rules.
fn catalogue_games(time: Duration) -> Result<String> {
    let started = Instant::now();
    let (mut games, mut positions) = (0, 0u64);
    let none = Parameters::new();
    let graph = Parameters::from([("graph".into(), "a>b,b>c,a>c,d>a,d>c".into())]);
    let rule =
        Parameters::from([("rule".into(), "take s from one or two heaps where s <= other max + 1".into())]);
    for entry in game::all().into_iter().filter(|entry| entry.is_on_heaps()) {
        let takes = |name: &str| entry.parameters.iter().any(|parameter| parameter.name == name);
        let follows = entry.parameters.iter().any(|one| matches!(one.values, Values::Following(_)));
        let parameters = if takes("graph") {
            &graph
        } else if follows {
            &rule
        } else {
            &none
        };
        let game = Game::of(entry, parameters)?;
        if !game.on_heaps()?.has_tables() {
            continue;
        }
        let job = HeapJob::new(&game, 2, 12, Quantity::Values)?;
        let (space, table) = (job.space()?, job.solve(None, &Control::silent())?);
        let cells = table.cells();
        let mut memo = Memo::new(&*job.rules, game.play());
        let mut position = Vec::new();
        for index in 0..space.len() {
            space.unrank_into(index, &mut position);
            if u32::from(cells.get(index)) != memo.value(&position) {
                return Err(failed(format!(
                    "the table of {} is wrong for {}",
                    game.name(),
                    show_heaps(&position)
                )));
            }
            positions += 1;
        }
        games += 1;
        if started.elapsed() > time.max(Duration::from_secs(1)) {
            break;
        }
    }
    Ok(format!("{games} games, {} positions equal", numbers::grouped(positions)))
}

/// The bytes that are written to the disk and read again.
const DISK_TEST: usize = 64 << 20;

/// Writing, syncing, reading back, renaming and locking.
fn disk(folder: &Path) -> Result<String> {
    let free = machine::free_disk(folder).unwrap_or(u64::MAX);
    if free < 4 * DISK_TEST as u64 {
        return Err(failed(format!("only {} are free here", human_bytes(free))));
    }
    let path = folder.join("disk");
    let io = |action| Error::io(action, &path);
    let mut block = vec![0u8; 1 << 20];
    let fill = |block: &mut [u8], number: usize| {
        for (i, word) in block.chunks_exact_mut(8).enumerate() {
            let mixed = ((number << 20 | i) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            word.copy_from_slice(&mixed.to_le_bytes());
        }
    };
    let started = Instant::now();
    let mut file = File::create(&path).map_err(io("cannot create"))?;
    for number in 0..DISK_TEST >> 20 {
        fill(&mut block, number);
        file.write_all(&block).map_err(io("cannot write"))?;
    }
    file.sync_all().map_err(io("cannot sync"))?;
    let rate = DISK_TEST as f64 / started.elapsed().as_secs_f64();
    let other = folder.join("disk-renamed");
    fs::rename(&path, &other).map_err(io("cannot rename"))?;
    // What is read must come from the disk, not from the memory that still holds it.
    let mut file = File::open(&other).map_err(io("cannot open"))?;
    let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
    let mut read = vec![0u8; block.len()];
    for number in 0..DISK_TEST >> 20 {
        fill(&mut block, number);
        file.read_exact(&mut read).map_err(io("cannot read"))?;
        if read != block {
            return Err(failed(format!("the disk gave back other bytes than were written, in MiB {number}")));
        }
    }
    lock_works(&folder.join("lock"))?;
    Ok(format!("{} free, writes {}/s with sync", human_bytes(free), human_bytes(rate as u64)))
}

/// Two processes must not fill one table: a lock that is held cannot be taken again.
fn lock_works(path: &Path) -> Result<()> {
    let open = || {
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(Error::io("cannot create", path))
    };
    let (first, second) = (open()?, open()?);
    first.try_lock().map_err(|error| failed(format!("files cannot be locked here: {error}")))?;
    match second.try_lock() {
        Ok(()) => Err(failed("a lock can be taken twice here: two runs could spoil one table")),
        Err(_) => Ok(()),
    }
}

/// A mapped table on this disk, checked entry by entry by the other code.
fn table_on_disk(folder: &Path) -> Result<String> {
    let out = folder.join("table");
    let job = HeapJob::minnie(4, 60, Play::Normal, Quantity::Values);
    let blake3 = blake3_of(&job.solve(Some(&out), &Control::silent())?)?.to_string();
    let in_memory = job.solve(None, &Control::silent())?;
    if blake3_of(&in_memory)? != blake3 {
        return Err(failed("the table on the disk differs from the one in memory"));
    }
    let reader = Reader::open(&out)?;
    let result = verify(&reader, Mode::Full, &Control::silent())?;
    match result.failure {
        None => Ok(format!("{} entries verified", numbers::grouped(reader.len()))),
        Some(failure) => Err(failed(failure)),
    }
}

/// A run that is really killed in the middle, and resumed.
fn kill_and_resume(folder: &Path) -> Result<String> {
    let out = folder.join("killed");
    let job = HeapJob::minnie(3, 90, Play::Normal, Quantity::Values);
    let expected = job.solve(None, &Control::silent())?;
    let mut kills = 0;
    for records in [2, 6] {
        let mut child = start(&out, "0s")?;
        let killed = kill_after_checkpoints(&mut child, &out.join("journal"), records);
        let _ = child.wait();
        kills += u32::from(killed?);
    }
    if kills == 0 {
        return Err(failed("the run could not be killed before it ended"));
    }
    let output = start(&out, "60s")?.wait_with_output().map_err(Error::io("cannot wait for", &out))?;
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let text = String::from_utf8_lossy(&output.stderr);
        failed(format!("the killed run could not be resumed: {}", text.trim()))
    })?;
    if answer["blake3"].as_str() != Some(blake3_of(&expected)?) {
        return Err(failed("the resumed table differs from an uninterrupted one"));
    }
    Ok(format!("killed {kills} times with SIGKILL, resumed to the same bytes"))
}

/// Kills the run after so many checkpoints; `false` where it was quicker.
fn kill_after_checkpoints(child: &mut Child, journal: &Path, records: usize) -> Result<bool> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        let text = fs::read(journal).unwrap_or_default();
        if text.iter().filter(|&&byte| byte == b'\n').count() >= records {
            child.kill().map_err(Error::io("cannot kill the run of", journal))?;
            return Ok(true);
        }
        if let Ok(Some(_)) = child.try_wait() {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    Err(failed("no checkpoint in a minute"))
}

/// Starts the run, with so much time between two checkpoints.
fn start(out: &Path, checkpoint: &str) -> Result<Child> {
    let program = std::env::current_exe().map_err(Error::io("cannot find the program for", out))?;
    Command::new(&program)
        .args(["solve", "minnie", "--heaps", "3", "--max", "90", "--values", "--kernel", "generic"])
        .args(["--checkpoint", checkpoint, "--quiet", "--json", "--out"])
        .arg(out)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Error::io("cannot start", &program))
}
