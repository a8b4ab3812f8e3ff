//! One thread makes indices by condition (a) as if no heap were rare any more; another follows and checks
//! condition (b), which makes them values, and looks for a state that recurs.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::checkpoint::{Checkpoint, Snapshot, State, subject};
use super::cover::{Cover, SMALL, Unseen};
use super::machine::{Machine, undecided};
use super::past::Past;
use super::points::Points;
#[cfg(target_arch = "x86_64")]
use super::rows::Rows;
use super::stream::{SLACK, Stream};
use super::{Recurrence, Recurring};
use crate::base::live::reporting;
use crate::base::simd::Isa;
use crate::base::{Control, Error, Result, machine};

/// The heaps that are made and checked at once.
pub const BLOCK: usize = 1 << 18;
/// What a block has before it: as far as condition (b) looks, and more.
pub const HISTORY: usize = SMALL + 2048;
/// The heaps that are found by the general engine.
pub const OPENING: usize = 1 << 17;
/// Beyond this number every second snapshot goes.
const SNAPSHOTS: usize = 1024;
/// The buffers between the threads.
const BUFFERS: usize = 4;
/// What a run takes at most: the buffers and the opening are some megabytes, the points that are met up to 2^17
/// numbers, the snapshots and the state that is written some megabytes of windows.
const MEMORY: u64 = 64 << 20;

/// A block behind its history, and the heap at which it begins.
struct Made {
    first: u64,
    x: Vec<u8>,
}

impl Recurrence {
    /// Runs until a state recurs. With a `folder` it resumes from there, and keeps what it has done.
    pub fn run(&self, folder: Option<&Path>, control: &Control<'_>) -> Result<Recurring> {
        machine::check_memory(MEMORY, control.memory, "allow more --memory")?;
        // The folder first: a mistake there is told before there is any work.
        let kept = folder.map(Checkpoint::open).transpose()?;
        reporting(folder, subject(&self.game.to_string()), control, |control| self.run_in(kept, control))
    }

    fn run_in(&self, kept: Option<Checkpoint>, control: &Control<'_>) -> Result<Recurring> {
        let machine = self.machine(control)?;
        let mut state = self.fresh(&machine);
        if let Some(kept) = &kept {
            state = kept.resume(state, &machine)?;
        }
        let isa = self.isa;
        let (made, todo) = sync_channel(BUFFERS);
        let (used, free) = sync_channel(2 * BUFFERS);
        for _ in 0..BUFFERS {
            used.send(vec![0; HISTORY + BLOCK + SLACK]).expect("there is room");
        }
        let (window, next) = (state.window.clone(), state.next);
        thread::scope(|scope| {
            let machine = &machine;
            let maker = scope.spawn(move || make(machine, isa, window, next, &free, &made));
            let mut follower = Follower::new(machine, isa, self.most, state, kept, control);
            let found = follower.follow(todo, used);
            // The maker ends when nobody wants its blocks; what stopped it is the reason of both.
            match maker.join() {
                Ok(made) => made.and(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn fresh(&self, machine: &Machine) -> State {
        State {
            code: self.game.to_string(),
            mask: machine.mask,
            parity: machine.parity,
            rare: machine.rare.clone(),
            opening: OPENING as u64,
            next: OPENING as u64,
            window: machine.opening[OPENING - HISTORY..].to_vec(),
            spacing: BLOCK as u64,
            snapshots: Vec::new(),
            points: Points::default(),
            seconds: 0.0,
        }
    }
}

/// Makes blocks until nobody takes them.
fn make(
    machine: &Machine,
    isa: Isa,
    mut window: Vec<u8>,
    mut next: u64,
    free: &Receiver<Vec<u8>>,
    made: &SyncSender<Made>,
) -> Result<()> {
    let mut stream = Stream::new(machine, isa, &window, next);
    while let Ok(mut x) = free.recv() {
        x[..HISTORY].copy_from_slice(&window);
        stream.fill(&mut x, HISTORY, HISTORY + BLOCK, next)?;
        window.copy_from_slice(&x[BLOCK..BLOCK + HISTORY]);
        if made.send(Made { first: next, x }).is_err() {
            break;
        }
        next += BLOCK as u64;
    }
    Ok(())
}

/// The thread that checks.
struct Follower<'a> {
    machine: &'a Machine,
    isa: Isa,
    most: u64,
    cover: Cover,
    state: State,
    kept: Option<Checkpoint>,
    control: &'a Control<'a>,
    begun: Instant,
    seconds_before: f64,
    #[cfg(target_arch = "x86_64")]
    rows: Option<Rows>,
}

impl<'a> Follower<'a> {
    fn new(
        machine: &'a Machine,
        isa: Isa,
        most: u64,
        state: State,
        kept: Option<Checkpoint>,
        control: &'a Control<'a>,
    ) -> Self {
        Self {
            machine,
            isa,
            most,
            cover: Cover::new(machine),
            seconds_before: state.seconds,
            state,
            kept,
            control,
            begun: Instant::now(),
            #[cfg(target_arch = "x86_64")]
            rows: None,
        }
    }

    fn follow(&mut self, todo: Receiver<Made>, used: SyncSender<Vec<u8>>) -> Result<Recurring> {
        let mut recurring = None;
        let mut written = Instant::now();
        let start = self.state.next;
        self.control.observer.begin(0, 0, start);
        while let Ok(Made { first, x }) = todo.recv() {
            let block = &x[..HISTORY + BLOCK];
            let origin = first - HISTORY as u64;
            self.check(block, origin).map_err(|unseen| {
                let heap = origin + unseen.at as u64;
                undecided(&format!(
                    "heap {heap} may be rare: no small heap shows its rare index {}",
                    unseen.index
                ))
            })?;
            self.keep_snapshot(first, &x[HISTORY - self.machine.width()..HISTORY]);
            self.state.next = first + BLOCK as u64;
            self.state.window.copy_from_slice(&block[BLOCK..]);
            self.control.observer.wave(self.state.next, self.state.next - start);
            // Also where one is found: a run that is stopped from here on must have met all points when it resumes,
            // or two meetings would be several periods apart.
            let met = self.recurring(block, origin)?;
            recurring = recurring.or(met);
            // Condition (b) must have been seen at every heap whose window is not yet a repetition.
            if let Some((earlier, later)) = recurring
                && self.state.next >= later + self.cover.reach() as u64
            {
                return self.found(earlier, later - earlier);
            }
            let stopped = self.control.stopped();
            if stopped || written.elapsed() >= self.control.checkpoint_every {
                self.write()?;
                written = Instant::now();
            }
            if stopped {
                return Err(Error::Interrupted { done: self.state.next, total: 0 });
            }
            if recurring.is_none() && self.state.next >= self.most {
                return Err(undecided(&format!("no state recurs before heap {}", self.state.next)));
            }
            // The maker may have ended with an error, which it tells.
            let _ = used.send(x);
        }
        Err(Error::Interrupted { done: self.state.next, total: 0 })
    }

    fn check(&mut self, block: &[u8], origin: u64) -> Result<(), Unseen> {
        #[cfg(target_arch = "x86_64")]
        if block.iter().all(|&index| index < 16) {
            if self.rows.is_none() {
                self.rows = Rows::new(self.machine, &self.cover, self.isa, block, HISTORY, origin);
            }
            if let Some(rows) = &mut self.rows {
                return rows.check(&self.cover, block, HISTORY, origin);
            }
        }
        let odd = |at: usize| ((origin + at as u64) % 2) as usize;
        (HISTORY..block.len()).try_for_each(|at| self.cover.check(block, at, odd(at)))
    }

    fn keep_snapshot(&mut self, at: u64, window: &[u8]) {
        let state = &mut self.state;
        let since = at - state.opening;
        if since % state.spacing == 0 && state.snapshots.len() >= SNAPSHOTS {
            state.spacing *= 2;
            let (opening, spacing) = (state.opening, state.spacing);
            state.snapshots.retain(|snapshot| (snapshot.at - opening) % spacing == 0);
        }
        if since % state.spacing == 0 {
            state.snapshots.push(Snapshot { at, window: window.to_vec() });
        }
    }

    /// Two heaps with the same state before them. Equal hashes are a hint; the windows decide.
    fn recurring(&mut self, block: &[u8], origin: u64) -> Result<Option<(u64, u64)>> {
        let (width, parity) = (self.machine.width(), self.machine.parity);
        self.state.points.refresh(&block[HISTORY..], self.state.next);
        let Some((a, b)) = self.state.points.meet(block, HISTORY, origin, width, parity) else {
            return Ok(None);
        };
        let past = self.past();
        let same = (!parity || (b - a) % 2 == 0) && past.window(a + 1)? == past.window(b + 1)?;
        Ok(same.then_some((a + 1, b + 1)))
    }

    fn past(&self) -> Past<'_> {
        let Self { machine, isa, control, .. } = *self;
        Past { machine, isa, snapshots: &self.state.snapshots, control }
    }

    fn found(&mut self, first: u64, period: u64) -> Result<Recurring> {
        self.control.observer.doing("finding the preperiod");
        // A run that is stopped here resumes: it finds the next state that recurs.
        self.write()?;
        let preperiod = self.past().preperiod(first, period)?;
        self.write()?;
        Ok(Recurring {
            preperiod,
            period,
            recurs_from: first,
            checked: self.state.next,
            seconds: self.state.seconds,
            state: self.state.clone(),
        })
    }

    fn write(&mut self) -> Result<()> {
        self.state.seconds = self.seconds_before + self.begun.elapsed().as_secs_f64();
        if let Some(kept) = &self.kept {
            kept.write(&self.state)?;
            self.control.observer.checkpoint(self.state.next);
        }
        Ok(())
    }
}
