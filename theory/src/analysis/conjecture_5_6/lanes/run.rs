//! The order of the work, and how threads share it.
//!
//! A *task* is a few lines that differ in their first heap only, neighbours in it; it goes through the sums,
//! and for each sum through its lines, so that what one line has written the next reads from the cache. Tasks
//! are ordered by the group of first heaps and then by the rest of the line. Sort an option: each heap is at
//! most the heap of the same place before. So every row that a row reads is of an earlier task, or it is of
//! the same one and has a lower sum, or the same sum and a smaller first heap.
//!
//! Threads take the tasks in turn and follow each other: a row is filled when the task before has announced
//! its sum, which it does only after the one before it has. At most `groups` groups are under way, so that
//! the planes of the older ones can be overwritten.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard};

use super::absent::Absent;
use super::row::Filler;
use super::shape::Shape;
use super::store::{PLANES_READ, Ring};
use crate::base::{Control, Isa};

/// How the work is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The lines of a task, and the planes of a group.
    pub lines: u32,
    /// The groups that may be under way.
    pub groups: usize,
}

impl Plan {
    /// The planes of the ring.
    pub fn planes(self, shape: &Shape) -> usize {
        let needed = self.groups * self.lines as usize + PLANES_READ;
        needed.min(shape.planes().count())
    }
}

/// The sum that is announced when a task and all before it are done.
const DONE: u32 = u32::MAX;

/// Says how far a task is: all rows up to this sum are filled, here and in all tasks before.
type Announced = Arc<AtomicU32>;

struct Task {
    /// The first heaps of its lines.
    firsts: std::ops::RangeInclusive<u32>,
    /// The line, but for its first heap.
    rest: Vec<u32>,
    before: Announced,
    announced: Announced,
    /// The end of the group whose planes this one takes.
    taken_from: Option<Announced>,
}

/// Hands out the tasks.
struct Tasks<'a> {
    shape: &'a Shape,
    plan: Plan,
    /// The first heap of the next group.
    next_group: u32,
    /// The rest of the next line in the group under way.
    next_rest: Option<Vec<u32>>,
    group: std::ops::RangeInclusive<u32>,
    last: Announced,
    /// The groups so far: the first heap, and the last task before the group.
    groups: Vec<(u32, Announced)>,
}

impl<'a> Tasks<'a> {
    fn new(shape: &'a Shape, plan: Plan, next_group: u32) -> Self {
        let last = Arc::new(AtomicU32::new(DONE));
        Self {
            shape,
            plan,
            next_group,
            next_rest: None,
            group: next_group..=next_group,
            last,
            groups: Vec::new(),
        }
    }

    /// The next task; a new group is begun only if `more`.
    fn next(&mut self, more: bool) -> Option<Task> {
        let rest = match self.next_rest.take() {
            Some(rest) => rest,
            None if !more || self.next_group > *self.shape.planes().end() => return None,
            None => {
                let last = (self.next_group + self.plan.lines - 1).min(*self.shape.planes().end());
                self.group = self.next_group..=last;
                self.next_group = last + 1;
                self.groups.push((*self.group.start(), self.last.clone()));
                vec![*self.group.start(); self.shape.line_heaps().saturating_sub(1)]
            }
        };
        // The rightmost heap that can grow; those after it restart at its new value.
        if let Some(i) = rest.iter().rposition(|&heap| heap < self.shape.max()) {
            let mut next = rest.clone();
            next[i..].fill(rest[i] + 1);
            self.next_rest = Some(next);
        }
        let ended = self.groups.len().checked_sub(self.plan.groups);
        let taken_from = ended.map(|following| self.groups[following].1.clone());
        let announced = Arc::new(AtomicU32::new(0));
        let before = std::mem::replace(&mut self.last, announced.clone());
        let most = rest.first().map_or(*self.group.end(), |&second| second.min(*self.group.end()));
        Some(Task { firsts: *self.group.start()..=most, rest, before, announced, taken_from })
    }

    /// The first heap of the first group that is not done, after all threads have ended.
    fn not_done(&self) -> u32 {
        let done = |task: &Announced| task.load(Ordering::Acquire) == DONE;
        let ends = self.groups.iter().skip(1).map(|(_, end)| done(end));
        let last = done(&self.last) && self.next_rest.is_none();
        let first_open = ends.chain([last]).position(|done| !done);
        first_open.and_then(|group| self.groups.get(group)).map_or(self.next_group, |group| group.0)
    }
}

/// A sweep of all lines.
pub struct Run<'a> {
    pub ring: &'a Ring<'a>,
    pub absent: &'a Absent<'a>,
    pub isa: Isa,
    pub cover_from: u32,
    pub plan: Plan,
    pub threads: usize,
}

/// How a sweep ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// All planes before this one are filled, and everything in them is covered. The three before are in the
    /// ring.
    Before(u32),
    /// A place is not covered.
    Hole,
}

struct Shared<'a> {
    tasks: Mutex<Tasks<'a>>,
    /// Nobody should go on.
    over: AtomicBool,
    hole: AtomicBool,
    words: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Run<'_> {
    /// Sweeps the groups from the one that begins with `first` on, for as long as `more` says so before a
    /// group. Now and then `done` is told the plane at work and the words that are filled.
    pub fn sweep(
        &self,
        first: u32,
        more: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn(u32, u64) + Sync),
        control: &Control<'_>,
    ) -> End {
        let shared = Shared {
            tasks: Mutex::new(Tasks::new(self.ring.shape, self.plan, first)),
            over: AtomicBool::new(false),
            hole: AtomicBool::new(false),
            words: AtomicU64::new(0),
        };
        rayon::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|_| self.work(&shared, more, done, control));
            }
            self.work(&shared, more, done, control);
        });
        if shared.hole.into_inner() {
            return End::Hole;
        }
        End::Before(lock(&shared.tasks).not_done())
    }

    fn work(
        &self,
        shared: &Shared<'_>,
        more: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn(u32, u64) + Sync),
        control: &Control<'_>,
    ) {
        let mut filler = Filler::new(self.ring, self.absent, self.isa, self.cover_from);
        loop {
            let task = lock(&shared.tasks).next(more());
            let Some(task) = task else { return };
            if self.fill(&task, &mut filler, shared, done, control).is_none() {
                shared.over.store(true, Ordering::Relaxed);
                return;
            }
            let words = self.words_of(&task);
            done(*task.firsts.end(), shared.words.fetch_add(words, Ordering::Relaxed) + words);
        }
    }

    fn words_of(&self, task: &Task) -> u64 {
        let shape = self.ring.shape;
        let of = |first| match shape.line_heaps() {
            0 => shape.words(),
            _ => {
                let last = task.rest.last().copied().unwrap_or(first);
                u64::from(2 * first - 1) * shape.column_length(&[last]) as u64
            }
        };
        task.firsts.clone().map(of).sum()
    }

    /// Fills the lines of a task; `None` if there is no use in going on.
    fn fill(
        &self,
        task: &Task,
        filler: &mut Filler<'_>,
        shared: &Shared<'_>,
        done: &(dyn Fn(u32, u64) + Sync),
        control: &Control<'_>,
    ) -> Option<()> {
        if let Some(end) = &task.taken_from {
            wait(end, DONE, shared)?;
        }
        let shape = self.ring.shape;
        let with_first = |first| [&[first], &task.rest[..]].concat();
        let mut lines: Vec<Vec<u32>> = task.firsts.clone().map(with_first).collect();
        if shape.line_heaps() == 0 {
            lines = vec![Vec::new()];
        }
        let last_sum = lines.iter().map(|line| *shape.sums(line).end()).max().unwrap_or(0);
        for sum in 2..=last_sum {
            wait(&task.before, sum, shared)?;
            for line in lines.iter().filter(|line| shape.sums(line).contains(&sum)) {
                if !filler.fill(line, sum) {
                    shared.hole.store(true, Ordering::Relaxed);
                    return None;
                }
            }
            if control.stopped() {
                return None;
            }
            if shape.line_heaps() == 0 && sum % 256 == 0 {
                // The only task there is.
                done(shape.max(), (shape.words() as f64 * f64::from(sum) / f64::from(last_sum)) as u64);
            }
            task.announced.store(sum, Ordering::Release);
        }
        wait(&task.before, DONE, shared)?;
        task.announced.store(DONE, Ordering::Release);
        Some(())
    }
}

/// Waits until a task has announced `sum`; `None` if there is no use in it.
fn wait(task: &Announced, sum: u32, shared: &Shared<'_>) -> Option<()> {
    let mut turns = 0u32;
    while task.load(Ordering::Acquire) < sum {
        if shared.over.load(Ordering::Relaxed) {
            return None;
        }
        turns += 1;
        if turns % 256 == 0 { std::thread::yield_now() } else { std::hint::spin_loop() }
    }
    Some(())
}
