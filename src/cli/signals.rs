//! What the system says by a signal: stop, and that a disk is full.

use std::io::Read;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGBUS, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level;

use crate::base::Exit;

/// Writes a message and ends the process, as may be done in a handler and without memory.
fn end(message: &[u8]) -> ! {
    // SAFETY: standard error is open as long as the process.
    let _ = rustix::io::write(unsafe { BorrowedFd::borrow_raw(2) }, message);
    low_level::exit(Exit::Error.code().into())
}

/// Ends the process because there is no memory left.
pub fn out_of_memory() -> ! {
    end(b"\nnimwave: out of memory; ask for less, or allow less with --memory. What is on the disk can be resumed.\n")
}

/// The signals that ask to stop: Ctrl-C, what a system sends before it ends a process, and a terminal that is
/// closed, unless the program was started to survive that (`nohup`).
fn asks_to_stop() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    if !ignores(SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

/// Whether this process was started with the signal ignored.
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Sets `stop` at the first Ctrl-C, SIGTERM or SIGHUP.
pub fn stop_by(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in asks_to_stop() {
        // The second signal ends the process at once; what is on disk can still be resumed.
        signal_hook::flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted.code().into(),
            Arc::clone(stop),
        )?;
        signal_hook::flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// How long a command may take to stop by itself.
const GRACE: Duration = Duration::from_millis(1500);

/// Ends the process where it has not stopped by itself a moment after the first signal: for commands that
/// have nothing to lose, since their outputs are written whole at the end. What looks at the flag between its
/// steps may be in a step that takes long.
pub fn end_soon_after_stop() -> std::io::Result<()> {
    let (mut told, teller) = UnixStream::pair()?;
    for signal in asks_to_stop() {
        low_level::pipe::register(signal, teller.try_clone()?)?;
    }
    std::thread::Builder::new().name("stop".into()).spawn(move || {
        if told.read_exact(&mut [0]).is_ok() {
            std::thread::sleep(GRACE);
            eprintln!("nimwave: interrupted");
            low_level::exit(3);
        }
    })?;
    Ok(())
}

/// Ends the process where it has not stopped by itself a moment after `deadline`: for commands that have
/// nothing to lose, as [`end_soon_after_stop`].
pub fn end_soon_after(deadline: Option<Instant>) {
    let Some(deadline) = deadline else { return };
    let wait = move || {
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()) + GRACE);
        eprintln!("nimwave: there is no answer within the time; allow more");
        low_level::exit(Exit::Undecided.code().into());
    };
    // Without the thread the command keeps to its time as well as it can.
    let _ = std::thread::Builder::new().name("deadline".into()).spawn(wait);
}

/// A file that reaches the limit of file sizes is an error of the write, and a mapped file whose pages have
/// no place on the disk, or are cut off, ends the process with a message: what is finished is in the journal.
pub fn end_well_on_full_disks() -> std::io::Result<()> {
    const LOST: &[u8] = b"\nnimwave: a mapped file has lost its place on the disk: the disk is full, or \
        somebody has cut the file; free some space and run the same command again, which resumes from the last \
        checkpoint\n";
    // SAFETY: doing nothing is safe in a handler.
    unsafe { low_level::register(SIGXFSZ, || {})? };
    // SAFETY: write and _exit may be called in a handler.
    unsafe { low_level::register(SIGBUS, || end(LOST))? };
    Ok(())
}
