//! `nimwave batch`: the jobs of a file, one after the other or side by side, resumable.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{CommandFactory, Parser};
use serde_json::json;

use super::batch_plan::{check_memory, describe_plan, plan, plan_json, too_many_threads};
use super::progress::ProgressReport;
use super::{Cli, Context, numbers};
use crate::base::files::is_standard_output;
use crate::base::machine::human_bytes;
use crate::base::numbers::counted;
use crate::base::shell::quoted_path;
use crate::base::{Error, Exit};
use crate::batch::{
    BATCH_FILE, Budget, Events, Files, JobFile, Language, Options, Run, Share, State, Status, collect,
    run as run_batch,
};
use crate::game::suggestion;

/// Arguments of `batch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave batch data/jobs/quick.toml --dry-run     # what it would do, with memory, disk and time
  nimwave batch data/jobs/quick.toml --out quick   # run it; the same command again resumes after a kill or a reboot
  nimwave batch night.toml --retry                 # once more what failed or ran out of time
  nimwave batch night.toml --shard 3/8             # the third of eight shares, for eight machines
  nimwave batch night.toml --collect               # what became of all shares

A job file:
  output = \"night\"                # the folder of the results, beside the job file; paths of jobs are relative to it
  time = \"10h\"                    # also memory = \"16Gi\" and threads = 8, for all jobs together
  [[job]]
  name = \"minnie-4\"
  command = \"solve minnie\"        # any command; its options are keys
  heaps = 4
  max = 1000
  out = \"minnie-4.table\"
  [[job]]
  name = \"check\"
  command = \"verify minnie-4.table\"
  full = true
  after = [\"minnie-4\"]            # also time, memory, threads for this job; always = true: even if those failed")]
pub struct Args {
    /// The job file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check the file and print the plan with estimates, without running anything.
    #[arg(long)]
    dry_run: bool,
    /// Run jobs again that failed, were refuted or not decided, or ran out of time.
    #[arg(long)]
    retry: bool,
    /// Go on in the folder of an earlier version of the job file: jobs of the same name and command keep
    /// their results.
    #[arg(long)]
    adopt: bool,
    /// Run one share of the jobs, such as 3/8: for machines with a common file system, or a scheduler's job
    /// array.
    #[arg(long, value_name = "I/N", value_parser = <Share as std::str::FromStr>::from_str)]
    shard: Option<Share>,
    /// Put the results of all shares together into batch.json, and print them, without running anything.
    #[arg(long, conflicts_with_all = ["shard", "dry_run", "retry", "adopt"])]
    collect: bool,
    /// The output folder, instead of the one in the job file.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    let mut file = JobFile::read(&args.file, &CommandLine)?;
    match &args.out {
        Some(out) => file.output.clone_from(out),
        None if file.output.as_os_str().is_empty() => {
            return Err(Error::Usage(format!(
                "{}:1: no output folder; write output = \"FOLDER\" at the top, or give --out FOLDER",
                file.path.display()
            ))
            .into());
        }
        None => stay_in_earlier_folder(&mut file, context)?,
    }
    if args.collect {
        let state = collect(&file)?;
        let run = Run::of(state);
        context.print(|| json!(run.state), || describe(&run, &file));
        return Ok(exit_of(&run));
    }
    if let Some(share) = args.shard {
        file.take(share);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let budget = Budget {
        threads: context.globals.threads().or(file.threads).unwrap_or(cores),
        memory: context.globals.memory.or(file.memory),
        time: file.time,
    };
    check_memory(&file, &budget)?;
    let too_many = too_many_threads(&file, &budget);
    if args.dry_run {
        let plan = plan(&file, &budget)?;
        context.print(
            || plan_json(&file, &plan, &too_many),
            || {
                describe_plan(&file, &plan, &budget)
                    + &too_many.iter().map(|text| format!("WARNING: {text}\n")).collect::<String>()
            },
        );
        return Ok(Exit::Done);
    }
    too_many.iter().for_each(|text| context.note(text));
    let options = Options { program: this_program()?, budget, retry: args.retry, adopt: args.adopt };
    let progress = context.progress("batch");
    let run = run_batch(&file, &options, &context.stop, &Shown { progress: &progress })?;
    progress.finish();
    context.print(|| json!(run.state), || describe(&run, &file));
    if run.interrupted {
        context.note(format!("Not all jobs have ended. Resume with:\n  {}", super::solve::command_line()));
    }
    Ok(exit_of(&run))
}

/// This very program, also when its file was replaced since it started.
fn this_program() -> anyhow::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    Ok(if running.exists() { running } else { std::env::current_exe()? })
}

/// The exit code of a batch: that of the job that most needs a look.
fn exit_of(run: &Run) -> Exit {
    let has = |status| run.state.count(status) > 0;
    match () {
        () if run.interrupted => Exit::Interrupted,
        () if has(Status::Failed) => Exit::Error,
        () if has(Status::Refuted) => Exit::Failed,
        () if has(Status::OutOfTime) => Exit::Interrupted,
        () if has(Status::Undecided) => Exit::Undecided,
        () => Exit::Done,
    }
}

/// Results used to be below the folder where the command was given, not beside the job file: a batch that was begun
/// there stays there.
fn stay_in_earlier_folder(file: &mut JobFile, context: &Context) -> Result<(), Error> {
    let beside = file.path.parent().unwrap_or(Path::new(""));
    let Ok(here) = file.output.strip_prefix(beside).map(Path::to_path_buf) else { return Ok(()) };
    let is_ours = |folder: &Path| -> Result<bool, Error> {
        Ok(State::read(folder, BATCH_FILE)?.is_some_and(|state| state.job_file_blake3 == file.hash))
    };
    if here != file.output && here.is_relative() && !file.output.join(BATCH_FILE).exists() && is_ours(&here)?
    {
        context.note(format!(
            "This batch was begun in {}, and stays there; new ones are made in {}.",
            here.display(),
            file.output.display()
        ));
        file.output = here;
    }
    Ok(())
}

/// Events on standard error.
struct Shown<'a> {
    progress: &'a ProgressReport,
}

impl Events for Shown<'_> {
    fn happened(&self, text: &str) {
        self.progress.say(text);
    }

    fn progress(&self, ended: usize, total: usize, running: &str) {
        self.progress.at(ended as u64, total as u64, &format!("{ended} of {total} jobs, running: {running}"));
    }
}

/// The definitions of the command line, for job files.
struct CommandLine;

/// Commands that make no sense in a job.
const NOT_IN_A_BATCH: [&str; 4] = ["batch", "play", "completions", "man"];

impl Language for CommandLine {
    fn duration(&self, text: &str) -> Result<Duration, String> {
        numbers::duration(text)
    }

    fn bytes(&self, text: &str) -> Result<u64, String> {
        numbers::bytes(text)
    }

    fn threads(&self, text: &str) -> Result<usize, String> {
        numbers::threads(text)
    }

    fn options(&self, words: &[String]) -> Vec<String> {
        let (command, _) = command_of(words);
        // Old names, which the help does not list, stay good in job files.
        let names = |arg: &clap::Arg| {
            let old = arg.get_all_aliases().unwrap_or_default();
            arg.get_long().into_iter().chain(old).map(String::from).collect::<Vec<_>>()
        };
        command.get_arguments().flat_map(names).collect()
    }

    fn unknown_command(&self, words: &[String]) -> Option<String> {
        let (command, word) = command_of(words);
        let word =
            word.filter(|_| command.has_subcommands() && command.get_positionals().next().is_none())?;
        let near = suggestion(word, command.get_subcommands().map(clap::Command::get_name));
        Some(format!("`{word}` is not a command; {near}`nimwave --help` lists them"))
    }

    fn check(&self, words: &[String]) -> Result<(), String> {
        if let Some(first) = words.first().filter(|first| NOT_IN_A_BATCH.contains(&first.as_str())) {
            return Err(format!("`{first}` cannot be a job"));
        }
        let cli = parse(words)?;
        if cli.globals.json && cli.command.writes_to_standard_output() {
            return Err("it writes a file to standard output, which is not JSON".into());
        }
        Ok(())
    }

    fn files(&self, words: &[String]) -> Files {
        let mut files = Files::default();
        let mut command = Cli::command();
        command.build();
        let words = std::iter::once("nimwave").chain(words.iter().map(String::as_str));
        let Ok(mut matches) = command.clone().try_get_matches_from(words) else { return files };
        // The options of every subcommand on the way; those of all commands name no file of the job.
        while let Some((name, below)) = matches.remove_subcommand() {
            (command, matches) = (command.find_subcommand(&name).cloned().unwrap_or_default(), below);
            for arg in command.get_arguments().filter(|arg| !arg.is_global_set() && is_path(arg)) {
                let id = arg.get_id().as_str();
                let list = match id {
                    "out" | "certificate" => &mut files.writes,
                    "parts" | "state" => &mut files.keeps,
                    _ => &mut files.reads,
                };
                let paths = matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
                let named = paths.filter(|path| !is_standard_output(path));
                list.extend(named.map(|path| path.to_string_lossy().into_owned()));
            }
        }
        files
    }
}

/// Whether an argument is the path of a file or folder.
fn is_path(arg: &clap::Arg) -> bool {
    arg.get_value_parser().type_id() == clap::builder::ValueParser::path_buf().type_id()
}

/// The command that the first words name, and the first word that is not part of its name.
fn command_of(words: &[String]) -> (clap::Command, Option<&str>) {
    let mut command = Cli::command();
    command.build();
    for word in words {
        match command.find_subcommand(word) {
            Some(found) => command = found.clone(),
            None => return (command, Some(word)),
        }
    }
    (command, None)
}

/// The command of these words, or clap's message on one line.
pub fn parse(words: &[String]) -> Result<Cli, String> {
    Cli::try_parse_from(std::iter::once("nimwave").chain(words.iter().map(String::as_str))).map_err(|error| {
        let text = error.to_string();
        let lines =
            text.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
        let text: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        text.join(" ").trim_start_matches("error: ").to_string()
    })
}

fn describe(run: &Run, file: &JobFile) -> String {
    let state: &State = &run.state;
    let mut rows = vec![["job", "status", "time", "memory", ""].map(String::from).to_vec()];
    for job in &state.jobs {
        rows.push(vec![
            job.name.clone(),
            job.status.name().into(),
            if job.starts == 0 { "-".into() } else { for_people(job.seconds) },
            job.peak_memory.filter(|&peak| peak > 0).map_or("-".into(), human_bytes),
            job.message.clone().or_else(|| job.result.clone()).unwrap_or_default(),
        ]);
    }
    let mut text = columns(&rows);
    let done = state.count(Status::Done);
    text += &format!(
        "\n{done} of {} done; results and logs in {}\n",
        counted(state.jobs.len() as u64, "job"),
        file.output.display()
    );
    if let Some(why) = &state.stopped {
        text += &format!("The run ended early: {why}.\n");
    }
    if state.jobs.iter().any(|job| matches!(job.status, Status::Failed | Status::OutOfTime)) {
        text += &format!(
            "What failed or ran out of time runs again with: nimwave batch {} --retry\n",
            quoted_path(Path::new(&state.job_file))
        );
    }
    text
}

/// Rows under each other, each column as wide as its widest cell.
pub fn columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.iter().map(Vec::len).max().unwrap_or(0)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

/// "1h 20m", "3.2 s".
pub fn for_people(seconds: f64) -> String {
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    humantime::format_duration(Duration::from_secs(seconds.round().min(1e12) as u64)).to_string()
}
