//! The search for the value of a part.
//!
//! **Nimber search.** To decide whether a part has value `g`, first look for an option of value `g`: if there is one, it has
//! not. If there is none, the value is at most `g`, and it is `g` exactly if every smaller value occurs among the options; so
//! look for options of value 0, 1, ... until one is missing, which is then the value. An option that falls
//! into several parts has value `g` iff its largest part has the value `g` XOR those of the others; so the
//! others are solved exactly and the question goes on to the largest part. One option is enough for "not `g`", so most parts
//! are never solved: it is only remembered which values they do not have.
//!
//! **Full mex** solves every option exactly. It visits every part that play can reach and serves as the oracle.
//!
//! The depth of the search is the length of a game, and the stack is explicit. Threads run the same search over a shared table of
//! parts. The first unsolved option of a part is searched together, and in the largest parts every option; when one has failed, a
//! thread puts off options that another one is working on, and takes part in them when nothing else is left. A thread that settles
//! a part on which others are at work too says so, and they give up what has become needless.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

use super::geometry::Geometry;
use super::info::Info;
use super::mask::Mask;
use super::parts::Parts;
use crate::error::Result;

/// What is asked about a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Its value.
    Value,
    /// Its value, with the values of everything that can be reached.
    EveryValue,
    /// Whether its value is this.
    Is(u8),
}

impl Goal {
    /// Whether `info` answers the question.
    fn is_met(self, info: Info) -> bool {
        match self {
            Self::Value | Self::EveryValue => info.value().is_some(),
            Self::Is(value) => info.is(value).is_some(),
        }
    }
}

/// Why a search ended without an answer, and how to make one end.
pub(crate) struct Limits<'a> {
    /// Set from outside to stop.
    pub(crate) stop: &'a AtomicBool,
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
}

/// The search over one table of parts.
pub(crate) struct Search<M> {
    pub(crate) geometry: Geometry<M>,
    pub(crate) parts: Parts<M>,
    /// How many threads are at work on a part, by its hash.
    busy: Vec<AtomicU8>,
    /// How often a part was settled that several threads were at work on.
    news: AtomicU64,
    visited: AtomicU64,
}

const BUSY_BITS: u32 = 16;

/// A question on the stack.
struct Frame<M> {
    part: M,
    goal: Goal,
    /// The value that an option is looked for.
    wanted: u8,
    /// Whether no option has the value that the goal asks for.
    goal_is_missing: bool,
    /// Values that the part does not have.
    excluded: u128,
    /// The frame's moves in `Worker::removals`, and the first that has not become a choice yet.
    removals: usize,
    next_removal: usize,
    /// The frame's options in `Worker::choices` and their parts in `Worker::pieces`.
    choices: usize,
    pieces: usize,
    /// The option at work.
    at: usize,
    /// Whether an option has been searched in vain for the wanted value.
    refused_one: bool,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Looking at options whose value needs no search.
    Known,
    /// Searching options that no other thread is searching.
    Free,
    /// Searching all options.
    All,
}

/// An option: a sum of parts.
struct Choice {
    /// Its unsolved parts, the largest first.
    first: usize,
    end: usize,
    /// The XOR of the values of its solved parts.
    sum: u8,
    /// A value that it is known not to have.
    refused: Option<u8>,
}

/// What to do next.
enum Step<M> {
    Ask(M, Goal),
    Answer(Info),
}

impl<M: Mask> Search<M> {
    /// A search with an empty table of at most about `memory` bytes.
    pub(crate) fn new(geometry: Geometry<M>, memory: u64) -> Result<Self> {
        let busy = (0..1 << BUSY_BITS).map(|_| AtomicU8::new(0)).collect();
        Ok(Self {
            geometry,
            parts: Parts::new(memory)?,
            busy,
            news: AtomicU64::new(0),
            visited: AtomicU64::new(0),
        })
    }

    /// Questions worked on so far.
    pub(crate) fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// Answers a question about a canonical part with this many threads; `None` if it was stopped.
    pub(crate) fn ask(&self, part: M, goal: Goal, threads: usize, limits: &Limits<'_>) -> Option<Info> {
        if let Some(info) = self.known(part).filter(|&info| goal.is_met(info)) {
            return Some(info);
        }
        let answered = AtomicBool::new(false);
        let work = |alone: bool| {
            let answer = Worker::new(self, limits, &answered, alone).run(part, goal);
            if answer.is_some() {
                answered.store(true, Ordering::Relaxed);
            }
            answer
        };
        if threads <= 1 {
            return work(true);
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(false))).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok().flatten()).reduce(Info::and)
        })
    }

    /// What the table or a lemma says about a part; `None` if nothing.
    #[inline]
    fn known(&self, part: M) -> Option<Info> {
        match part.count() {
            // One square has value 1. Two squares of one part can be taken together or one at a time: mex {0, 1, 1} = 2.
            count @ 0..=2 => Some(Info::Exact(count as u8)),
            _ => Some(self.parts.get(part)).filter(|&info| info != Info::NOTHING),
        }
    }

    /// Whether a thread is at work on `part` (or, rarely, on one that shares its counter).
    #[inline]
    fn is_busy(&self, part: M) -> bool {
        self.busy(part).load(Ordering::Relaxed) > 0
    }

    #[inline]
    fn busy(&self, part: M) -> &AtomicU8 {
        &self.busy[(part.hashed() >> 8 & ((1 << BUSY_BITS) - 1)) as usize]
    }
}

/// One thread's stack. The moves, options and parts of all frames lie in shared vectors, those of the top frame last.
struct Worker<'a, M> {
    search: &'a Search<M>,
    limits: &'a Limits<'a>,
    answered: &'a AtomicBool,
    /// Whether there is no other thread.
    alone: bool,
    frames: Vec<Frame<M>>,
    removals: Vec<M>,
    choices: Vec<Choice>,
    pieces: Vec<M>,
    by_size: Vec<(u32, M)>,
    visits: u64,
    /// The news that this thread has taken note of.
    news: u64,
    /// Parts of at most this many squares have their options shared out among the threads.
    shared: u32,
}

impl<'a, M: Mask> Worker<'a, M> {
    fn new(search: &'a Search<M>, limits: &'a Limits<'a>, answered: &'a AtomicBool, alone: bool) -> Self {
        Self {
            search,
            limits,
            answered,
            alone,
            frames: Vec::new(),
            removals: Vec::new(),
            choices: Vec::new(),
            pieces: Vec::new(),
            by_size: Vec::new(),
            visits: 0,
            news: 0,
            shared: 0,
        }
    }

    fn run(mut self, part: M, goal: Goal) -> Option<Info> {
        // In the largest parts, the work on an option is much, and in vain if another one settles the question.
        self.shared = part.count() * 5 / 6;
        self.push(part, goal);
        let mut answer = None;
        let result = loop {
            let step = match answer.take() {
                Some(info) => self.resume(info),
                None => self.step(),
            };
            match step {
                Step::Ask(part, goal) => {
                    self.push(part, goal);
                    if self.visits.is_multiple_of(64) && self.must_stop() {
                        break None;
                    }
                    answer = self.overtaken();
                }
                Step::Answer(info) => {
                    self.pop();
                    answer = Some(info);
                }
            }
            if self.frames.is_empty() {
                break answer;
            }
        };
        while !self.frames.is_empty() {
            self.pop();
        }
        self.search.visited.fetch_add(self.visits % 64, Ordering::Relaxed);
        result
    }

    fn must_stop(&self) -> bool {
        self.search.visited.fetch_add(64, Ordering::Relaxed);
        self.answered.load(Ordering::Relaxed)
            || self.limits.stop.load(Ordering::Relaxed)
            || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn push(&mut self, part: M, goal: Goal) {
        let excluded = match self.search.parts.get(part) {
            Info::Not(excluded) => excluded,
            // Another thread has just answered; looking at the options again would find the same.
            Info::Exact(_) => 0,
        };
        let wanted = match goal {
            Goal::Is(value) => value,
            Goal::Value | Goal::EveryValue => excluded.trailing_ones() as u8,
        };
        let removals = self.removals.len();
        self.by_size.clear();
        let mut found = std::mem::take(&mut self.removals);
        self.search.geometry.removals(part, &mut found);
        // The options with the fewest squares left are the cheapest.
        self.by_size.extend(found.drain(removals..).map(|removed| (M::BITS - removed.count(), removed)));
        self.by_size.sort_unstable();
        found.extend(self.by_size.iter().map(|&(_, removed)| part & !removed));
        self.removals = found;
        self.frames.push(Frame {
            part,
            goal,
            wanted,
            goal_is_missing: false,
            excluded,
            removals,
            next_removal: removals,
            choices: self.choices.len(),
            pieces: self.pieces.len(),
            at: self.choices.len(),
            refused_one: false,
            stage: if goal == Goal::EveryValue { Stage::Free } else { Stage::Known },
        });
        self.visits += 1;
        if !self.alone {
            self.search.busy(part).fetch_add(1, Ordering::Relaxed);
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if !self.alone {
                self.search.busy(frame.part).fetch_sub(1, Ordering::Relaxed);
            }
            self.removals.truncate(frame.removals);
            self.choices.truncate(frame.choices);
            self.pieces.truncate(frame.pieces);
        }
    }

    /// Whether another thread has answered a question of the stack; if so, everything above it goes.
    fn overtaken(&mut self) -> Option<Info> {
        let news = self.search.news.load(Ordering::Acquire);
        if news == self.news {
            return None;
        }
        self.news = news;
        let met = |frame: &Frame<M>| {
            Some(self.search.parts.get(frame.part)).filter(|&info| frame.goal.is_met(info))
        };
        let (depth, info) =
            self.frames.iter().enumerate().find_map(|(depth, frame)| Some((depth, met(frame)?)))?;
        while self.frames.len() > depth {
            self.pop();
        }
        Some(info)
    }

    /// Goes on with the top frame after its question about the last part of the option at work was answered.
    fn resume(&mut self, info: Info) -> Step<M> {
        let frame = self.frames.last_mut().expect("a frame asked");
        let choice = &mut self.choices[frame.at];
        let wanted = frame.wanted ^ choice.sum;
        match info {
            Info::Exact(value) => {
                choice.sum ^= value;
                choice.end -= 1;
            }
            Info::Not(_) if info.is(wanted) == Some(false) => {
                choice.refused = Some(frame.wanted);
                frame.refused_one = true;
            }
            Info::Not(_) => {}
        }
        if !self.alone {
            // Another thread may have been faster.
            let info = self.search.parts.get(frame.part);
            if frame.goal.is_met(info) {
                return Step::Answer(info);
            }
        }
        self.step()
    }

    /// Works on the top frame until it asks or answers.
    fn step(&mut self) -> Step<M> {
        loop {
            let frame = self.frames.last().expect("there is a frame to work on");
            if frame.goal == Goal::EveryValue {
                return self.step_every_value();
            }
            let found = match frame.stage {
                Stage::Known => self.find_known(),
                Stage::Free | Stage::All => match self.find_by_search() {
                    Ok(found) => found,
                    Err((part, goal)) => return Step::Ask(part, goal),
                },
            };
            if let Some(info) = self.conclude(found) {
                let frame = self.frames.last().expect("the frame that concluded");
                self.tell(frame.part, info);
                return Step::Answer(info);
            }
        }
    }

    /// Takes note that an option of the wanted value was found (`Some(true)`), does not exist (`Some(false)`), or needs a
    /// search (`None`). Returns the answer if that settles the question; otherwise there is something else to look for.
    fn conclude(&mut self, found: Option<bool>) -> Option<Info> {
        let first = self.frames.last()?.choices;
        let frame = self.frames.last_mut()?;
        frame.at = first;
        match found {
            None if frame.stage == Stage::Known => {
                // The cheapest searches first.
                let pieces = &self.pieces;
                self.choices[first..].sort_unstable_by_key(|choice| match choice.end - choice.first {
                    0 => (0, 0, M::ZERO),
                    parts => (pieces[choice.first].count(), parts, pieces[choice.first]),
                });
                frame.stage = if self.alone { Stage::All } else { Stage::Free };
                return None;
            }
            None => {
                frame.stage = Stage::All;
                return None;
            }
            Some(true) => {
                frame.excluded |= 1 << frame.wanted;
                if frame.goal == Goal::Is(frame.wanted) {
                    return Some(Info::Not(frame.excluded));
                }
            }
            Some(false) => {
                if frame.excluded.trailing_ones() >= u32::from(frame.wanted) {
                    return Some(Info::Exact(frame.wanted));
                }
                // Only the goal's value is looked for before the smaller ones.
                frame.goal_is_missing = true;
            }
        }
        frame.wanted = frame.excluded.trailing_ones() as u8;
        frame.stage = Stage::Known;
        frame.refused_one = false;
        if frame.goal_is_missing && frame.goal == Goal::Is(frame.wanted) {
            return Some(Info::Exact(frame.wanted));
        }
        None
    }

    /// Looks for an option of the wanted value among those whose parts are solved.
    fn find_known(&mut self) -> Option<bool> {
        let frame = self.frames.last()?;
        let (first, wanted) = (frame.choices, frame.wanted);
        let mut unsolved = false;
        for choice in &self.choices[first..] {
            if choice.first < choice.end {
                unsolved = true;
            } else if choice.sum == wanted {
                return Some(true);
            }
        }
        while let Some(choice) = self.next_choice() {
            if choice.first < choice.end {
                unsolved = true;
            } else if choice.sum == wanted {
                return Some(true);
            }
        }
        if unsolved { None } else { Some(false) }
    }

    /// Makes the next move into an option.
    fn next_choice(&mut self) -> Option<&Choice> {
        let next_frame_removals = self.removals.len();
        let frame = self.frames.last_mut()?;
        if frame.next_removal == next_frame_removals {
            return None;
        }
        let left = self.removals[frame.next_removal];
        frame.next_removal += 1;
        let first = self.pieces.len();
        let pieces = &mut self.pieces;
        let mut sum = 0;
        let search = self.search;
        search.geometry.split(left, |piece| match search.known(piece).and_then(Info::value) {
            Some(value) => sum ^= value,
            // Two equal parts cancel.
            None => match pieces[first..].iter().position(|&other| other == piece) {
                Some(twin) => {
                    pieces.remove(first + twin);
                }
                None => pieces.push(piece),
            },
        });
        if pieces.len() > first + 1 {
            pieces[first..].sort_unstable_by_key(|piece| std::cmp::Reverse((piece.count(), *piece)));
        }
        self.choices.push(Choice { first, end: self.pieces.len(), sum, refused: None });
        self.choices.last()
    }

    /// Looks for an option of the wanted value among the unsolved ones. `Err` is a question that must be answered first.
    fn find_by_search(&mut self) -> std::result::Result<Option<bool>, (M, Goal)> {
        let frame = self.frames.last_mut().expect("the frame at work");
        while frame.at < self.choices.len() {
            let choice = &mut self.choices[frame.at];
            match ask_choice(self.search, choice, &self.pieces, frame.wanted) {
                Ok(true) => return Ok(Some(true)),
                Ok(false) => frame.refused_one = true,
                Err((part, _))
                    if frame.stage == Stage::Free
                        && frame.refused_one
                        && frame.part.count() <= self.shared
                        && self.search.is_busy(part) => {}
                Err(question) => return Err(question),
            }
            frame.at += 1;
        }
        // After the first round there may be options that were left to other threads.
        Ok(if frame.stage == Stage::Free { None } else { Some(false) })
    }

    fn step_every_value(&mut self) -> Step<M> {
        while self.next_choice().is_some() {}
        let frame = self.frames.last_mut().expect("the frame at work");
        loop {
            while frame.at < self.choices.len() {
                let choice = &mut self.choices[frame.at];
                while choice.first < choice.end {
                    let piece = self.pieces[choice.end - 1];
                    match self.search.known(piece).and_then(Info::value) {
                        Some(value) => {
                            choice.sum ^= value;
                            choice.end -= 1;
                        }
                        None if frame.stage == Stage::Free && self.search.is_busy(piece) => break,
                        None => return Step::Ask(piece, Goal::EveryValue),
                    }
                }
                frame.at += 1;
            }
            if self.choices[frame.choices..].iter().all(|choice| choice.first == choice.end) {
                break;
            }
            frame.at = frame.choices;
            frame.stage = Stage::All;
        }
        let reached = self.choices[frame.choices..].iter().fold(0u128, |set, choice| set | 1 << choice.sum);
        let info = Info::Exact(reached.trailing_ones() as u8);
        let part = frame.part;
        self.tell(part, info);
        Step::Answer(info)
    }

    /// Makes an answer known to all.
    fn tell(&self, part: M, info: Info) {
        self.search.parts.learn(part, info);
        if !self.alone && self.search.busy(part).load(Ordering::Relaxed) > 1 {
            self.search.news.fetch_add(1, Ordering::Release);
        }
    }
}

/// Whether an option has the wanted value, or the question that must be answered first.
fn ask_choice<M: Mask>(
    search: &Search<M>,
    choice: &mut Choice,
    pieces: &[M],
    wanted: u8,
) -> std::result::Result<bool, (M, Goal)> {
    if choice.refused == Some(wanted) {
        return Ok(false);
    }
    while choice.first < choice.end {
        let piece = pieces[choice.end - 1];
        let info = search.known(piece).unwrap_or(Info::NOTHING);
        if let Info::Exact(value) = info {
            choice.sum ^= value;
            choice.end -= 1;
            continue;
        }
        if choice.end - choice.first > 1 {
            return Err((piece, Goal::Value));
        }
        let value = wanted ^ choice.sum;
        // The value of n squares is at most n (Lemma 5.0.4).
        let impossible = u32::from(value) > piece.count() || info.is(value) == Some(false);
        return if impossible { Ok(false) } else { Err((piece, Goal::Is(value))) };
    }
    Ok(choice.sum == wanted)
}
