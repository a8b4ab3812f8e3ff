//! Work without the interpreter's lock, that Ctrl-C stops and whose progress a Python function is told.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use nimwave::{Control, Observer, Result};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::raised;

/// The time between two looks at signals and progress.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// So long an exception waits for the checkpoint of work that keeps what it has finished. A checkpoint of many
/// gigabytes takes longer: whoever pressed Ctrl-C gets the prompt back, and the checkpoint is made meanwhile.
const PATIENCE: Duration = Duration::from_secs(1);

/// The limits of a run, and who is told how it gets on: the last arguments of every function that may take long.
#[derive(FromPyObject)]
pub struct Limits {
    threads: Option<usize>,
    time: Option<f64>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
}

impl Limits {
    /// The most bytes of memory, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The most time, if there is a limit.
    fn time(&self) -> PyResult<Option<Duration>> {
        let wrong = |_| PyValueError::new_err("time= is a number of seconds, 0 or more");
        self.time.map(Duration::try_from_secs_f64).transpose().map_err(wrong)
    }

    /// Threads of its own for every call: those of another process would be missing after a fork.
    fn threads(&self) -> PyResult<rayon::ThreadPool> {
        if self.threads == Some(0) {
            return Err(PyValueError::new_err("threads=0: give 1 or more, or None for one per core"));
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build();
        threads.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Does `work`, while this thread looks after signals and progress. An exception of either stops the work. It is
    /// raised at once, or, where the work `keeps` what it has finished, when that is done or after a second; the next
    /// signal ends the wait. Work that nobody waits for ends by itself.
    pub fn watch<T: Send + 'static>(
        self,
        py: Python<'_>,
        keeps: bool,
        work: impl FnOnce(&Control<'_>) -> Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let shared = Arc::new((AtomicBool::new(false), Seen::default()));
        let (threads, time, memory) = (self.threads()?, self.time()?, self.memory);
        let (working, ended) = crossbeam_channel::bounded::<()>(0);
        let worker = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                // Dropped however the work ends.
                let _working = working;
                let (stop, seen) = &*shared;
                let control = Control { stop, memory, observer: seen, ..Control::silent() }.with_time(time);
                threads.install(|| work(&control))
            }
        });
        let (stop, seen) = &*shared;
        let mut exception: Option<(PyErr, Instant)> = None;
        while py.detach(|| ended.recv_timeout(BETWEEN_LOOKS)) == Err(RecvTimeoutError::Timeout) {
            let told = if exception.is_none() { seen.tell(py, self.progress.as_ref()) } else { Ok(()) };
            if let Err(error) = py.check_signals().and(told) {
                stop.store(true, Relaxed);
                if !keeps || exception.is_some() {
                    return Err(error);
                }
                exception = Some((error, Instant::now()));
            }
            if let Some((error, _)) = exception.take_if(|(_, raised)| raised.elapsed() >= PATIENCE) {
                return Err(error);
            }
        }
        let result = py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        if let Some((error, _)) = exception {
            return Err(error);
        }
        let result = result.map_err(raised)?;
        seen.tell(py, self.progress.as_ref())?;
        Ok(result)
    }
}

/// What was last heard of a run.
#[derive(Default)]
struct Seen {
    done: AtomicU64,
    total: AtomicU64,
    /// Steps of a resumed run are counted by waves, because the positions of earlier runs are not.
    by_waves: AtomicBool,
    text: Mutex<String>,
    changed: AtomicBool,
}

impl Seen {
    /// Tells the function how far the run is, if that has changed.
    fn tell(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(progress) = progress.filter(|_| self.changed.swap(false, Relaxed)) else { return Ok(()) };
        let text = self.text.lock().map(|text| text.clone()).unwrap_or_default();
        progress.call1(py, (self.done.load(Relaxed), self.total.load(Relaxed), text)).map(drop)
    }

    fn say(&self, words: &str) {
        if let Ok(mut text) = self.text.lock() {
            *text = words.into();
        }
        self.changed.store(true, Relaxed);
    }
}

impl Observer for Seen {
    fn begin(&self, waves: u64, positions: u64, waves_done: u64) {
        let by_waves = waves_done > 0;
        self.by_waves.store(by_waves, Relaxed);
        self.done.store(waves_done, Relaxed);
        self.total.store(if by_waves { waves } else { positions }, Relaxed);
        self.changed.store(true, Relaxed);
    }

    fn wave(&self, waves_done: u64, positions_filled: u64) {
        let done = if self.by_waves.load(Relaxed) { waves_done } else { positions_filled };
        self.done.store(done, Relaxed);
        self.changed.store(true, Relaxed);
    }

    fn worked(&self, more: u64) {
        self.done.fetch_add(more, Relaxed);
        self.changed.store(true, Relaxed);
    }

    fn note(&self, text: &str) {
        self.say(text);
    }

    fn doing(&self, text: &str) {
        self.say(text);
    }
}
