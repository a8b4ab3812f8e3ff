//! One job as a process of its own.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::base::process::Process;
use crate::base::{Error, Exit, Result, files};
use crate::game::rule_file;
use crate::table::now;

/// The variable that names the process that a command belongs to: when that process is gone, the command is
/// told to stop.
pub const PARENT_VARIABLE: &str = "NIMWAVE_PARENT";

/// After SIGTERM a command may finish its block and write a checkpoint; then it is told again, and then it is
/// killed.
const UNTIL_SECOND_SIGNAL: Duration = Duration::from_secs(90);
const UNTIL_KILL: Duration = Duration::from_secs(100);

/// A running job.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    folder: PathBuf,
    begun: Instant,
    told_to_stop: Option<(Instant, u32)>,
    /// Where the log stood when this run began.
    log_start: u64,
    /// The most memory seen.
    pub peak: u64,
}

/// How a job ended.
#[derive(Debug)]
pub struct End {
    /// The exit code, or `None` where a signal ended it.
    pub code: Option<i32>,
    /// The last line of its log.
    pub last_line: String,
    /// Whether it says that the disk is full.
    pub disk_is_full: bool,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl Child {
    /// Starts `program` with `words` in `working`; its log and result go to `folder`.
    pub fn start(program: &Path, words: &[String], working: &Path, folder: &Path) -> Result<Self> {
        let log_path = folder.join("log");
        let mut log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log_path)
            .map_err(Error::io("cannot open", &log_path))?;
        writeln!(log, "{} nimwave {}", now(), words.join(" "))
            .map_err(Error::io("cannot write", &log_path))?;
        let log_start = log.metadata().map_err(Error::io("cannot read", &log_path))?.len();
        let result_path = folder.join("result.tmp");
        let result = File::create(&result_path).map_err(Error::io("cannot create", &result_path))?;
        let process = Command::new(program)
            // A file of the user's choice must not become an option, and a resumed command is printed with
            // this name.
            .arg0("nimwave")
            .args(words)
            .args(rule_file::registered().into_iter().flat_map(|path| ["--rules".as_ref(), path.as_os_str()]))
            .current_dir(working)
            .env(PARENT_VARIABLE, std::process::id().to_string())
            .stdin(Stdio::null())
            .stdout(result)
            .stderr(log)
            // A group of its own: Ctrl-C reaches the batch alone, which then tells each job once.
            .process_group(0)
            .spawn()
            .map_err(Error::io("cannot start", program))?;
        Ok(Self {
            process,
            folder: folder.to_path_buf(),
            begun: Instant::now(),
            told_to_stop: None,
            log_start,
            peak: 0,
        })
    }

    /// Sends when the process has ended; [`Self::ended`] collects it.
    pub fn announce_end(&self, ended: Sender<()>) {
        let Some(id) = self.id() else { return };
        let wait = move || {
            // Not collected here: until then its number cannot become that of another process, which `stop`
            // would signal.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while waitid(WaitId::Pid(id), options).is_err_and(|error| error == Errno::INTR) {}
            // The batch itself may have ended.
            let _ = ended.send(());
        };
        // Without a thread, the batch notices the end when it looks the next time.
        let _ = std::thread::Builder::new().spawn(wait);
    }

    fn id(&self) -> Option<Pid> {
        i32::try_from(self.process.id()).ok().and_then(Pid::from_raw)
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The process, for a later run that finds this one dead.
    pub fn process(&self) -> Option<Process> {
        Process::with_id(self.process.id())
    }

    /// The memory that is not backed by files, in bytes; remembers the most memory of all.
    pub fn memory(&mut self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0)
                * 1024
        };
        self.peak = self.peak.max(field("VmHWM:"));
        field("RssAnon:") + field("RssShmem:")
    }

    /// Tells the job to write a checkpoint and end. Called again and again, it insists: a second signal ends
    /// a command at once, and then it is killed.
    pub fn stop(&mut self) {
        match self.told_to_stop {
            None => {
                self.told_to_stop = Some((Instant::now(), 1));
                self.signal(Signal::TERM);
            }
            Some((since, 1)) if since.elapsed() > UNTIL_SECOND_SIGNAL => {
                self.told_to_stop = Some((since, 2));
                self.signal(Signal::TERM);
            }
            Some((since, _)) if since.elapsed() > UNTIL_KILL => {
                let _ = self.process.kill();
            }
            Some(_) => {}
        }
    }

    /// Whether it was told to stop.
    pub fn is_stopping(&self) -> bool {
        self.told_to_stop.is_some()
    }

    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id() {
            // A process that has just ended needs no signal.
            let _ = kill_process(id, signal);
        }
    }

    /// How it ended, if it has; what it printed is kept under its final name where it ran to its end.
    pub fn ended(&mut self, json: bool) -> Result<Option<(End, Option<&'static str>)>> {
        let status = match self.process.try_wait() {
            Ok(None) => return Ok(None),
            Ok(Some(status)) => status,
            Err(error) => return Err(Error::io("cannot wait for the process of", &self.folder)(error)),
        };
        let end = self.end(status);
        let kept = match end.code.and_then(Exit::from_code) {
            Some(Exit::Done | Exit::Failed | Exit::Undecided) => Some(self.keep_result(json)?),
            // A command that came to the end of its own time may have printed what it had by then.
            Some(Exit::Interrupted) if !self.is_stopping() && self.has_printed() => {
                Some(self.keep_result(json)?)
            }
            _ => {
                let _ = fs::remove_file(self.folder.join("result.tmp"));
                None
            }
        };
        Ok(Some((end, kept)))
    }

    fn has_printed(&self) -> bool {
        fs::metadata(self.folder.join("result.tmp")).is_ok_and(|file| file.len() > 0)
    }

    fn keep_result(&self, json: bool) -> Result<&'static str> {
        let name = if json { "result.json" } else { "result.txt" };
        let (from, to) = (self.folder.join("result.tmp"), self.folder.join(name));
        files::rename_synced(&from, &to).map_err(Error::io("cannot write", &to))?;
        Ok(name)
    }

    fn end(&self, status: ExitStatus) -> End {
        let tail = self.log_tail().unwrap_or_default();
        let last = tail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let full = ["No space left on device", "Disk quota exceeded", "(os error 28)", "(os error 122)"];
        End {
            code: status.code(),
            last_line: last.strip_prefix("nimwave: ").unwrap_or(last).trim().to_string(),
            disk_is_full: full.iter().any(|text| tail.contains(text)),
            signal: status.signal(),
        }
    }

    /// The end of what this run wrote into the log.
    fn log_tail(&self) -> std::io::Result<String> {
        const TAIL: u64 = 8192;
        let mut log = File::open(self.folder.join("log"))?;
        let length = log.metadata()?.len();
        log.seek(SeekFrom::Start(self.log_start.max(length.saturating_sub(TAIL))))?;
        let mut text = Vec::new();
        log.take(TAIL).read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
