//! One thread of the search.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::info::Info;
use super::super::mask::Mask;
use super::claims::Claims;
use super::options::{Choice, by_rising_size};
use super::{Goal, Search};
use crate::base::Control;

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
    /// What the frame's moves leave in `Worker::left`, and the first that has not become a choice yet.
    left: usize,
    next: usize,
    /// The end of those that may have the wanted value: n squares have at most the value n.
    possible: usize,
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

/// What to do next.
enum Step<M> {
    Ask(M, Goal),
    Answer(Info),
}

/// One thread's stack. The moves, options and parts of all frames lie in shared vectors, those of the top
/// frame last.
pub(super) struct Worker<'a, M> {
    search: &'a Search<M>,
    control: &'a Control<'a>,
    answered: &'a AtomicBool,
    /// What other threads are at work on, if there are any.
    claims: Option<&'a Claims>,
    frames: Vec<Frame<M>>,
    left: Vec<M>,
    choices: Vec<Choice>,
    pieces: Vec<M>,
    /// Scratch of `push`.
    moves: Vec<M>,
    /// The parts of the option at hand, and of the one behind it, `ahead_of`: their places in the table are on
    /// the way to the cache while the option at hand is looked at.
    parts: Vec<M>,
    ahead: Vec<M>,
    ahead_of: Option<M>,
    visits: u64,
    /// The news that this thread has taken note of.
    news: u64,
    /// Parts of at most this many squares have their options shared out among the threads.
    shared: u32,
}

impl<'a, M: Mask> Worker<'a, M> {
    pub(super) fn new(
        search: &'a Search<M>,
        control: &'a Control<'a>,
        answered: &'a AtomicBool,
        alone: bool,
    ) -> Self {
        Self {
            search,
            control,
            answered,
            claims: (!alone).then_some(&search.claims),
            frames: Vec::new(),
            left: Vec::new(),
            choices: Vec::new(),
            pieces: Vec::new(),
            moves: Vec::new(),
            parts: Vec::new(),
            ahead: Vec::new(),
            ahead_of: None,
            visits: 0,
            news: 0,
            shared: 0,
        }
    }

    pub(super) fn run(mut self, part: M, goal: Goal) -> Option<Info> {
        // In the largest parts, the work on an option is much, and in vain if another one settles the
        // question.
        self.shared = part.count() * 5 / 6;
        if let Some(claims) = self.claims {
            claims.claim(part);
        }
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
                }
                Step::Answer(info) => {
                    self.pop();
                    answer = Some(info);
                }
            }
            answer = self.overtaken().or(answer);
            if self.frames.is_empty() {
                break answer;
            }
        };
        while !self.frames.is_empty() {
            self.pop();
        }
        self.search.visited.fetch_add(self.visits % 64, Ordering::Relaxed);
        self.control.worked(self.visits % 64);
        result
    }

    fn must_stop(&self) -> bool {
        self.search.visited.fetch_add(64, Ordering::Relaxed);
        self.control.worked(64);
        self.answered.load(Ordering::Relaxed) || self.control.stopped()
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
        let left = self.left.len();
        // The options with the fewest squares left are the cheapest.
        self.moves.clear();
        self.search.geometry.removals(part, &mut self.moves);
        let least = if goal == Goal::EveryValue { 0 } else { u32::from(wanted) };
        let possible = by_rising_size(part, &self.moves, least, &mut self.left);
        self.frames.push(Frame {
            part,
            goal,
            wanted,
            goal_is_missing: false,
            excluded,
            left,
            next: left,
            possible,
            choices: self.choices.len(),
            pieces: self.pieces.len(),
            at: self.choices.len(),
            refused_one: false,
            stage: if goal == Goal::EveryValue { Stage::Free } else { Stage::Known },
        });
        self.visits += 1;
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if let Some(claims) = self.claims {
                claims.release(frame.part);
            }
            self.left.truncate(frame.left);
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

    /// Resumes the top frame after its question about the last part of the option at work was answered.
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

    /// Takes note that an option of the wanted value was found (`Some(true)`), does not exist
    /// (`Some(false)`), or needs a search (`None`). Returns the answer if that settles the question;
    /// otherwise there is something else to look for.
    fn conclude(&mut self, found: Option<bool>) -> Option<Info> {
        let first = self.frames.last()?.choices;
        let frame = self.frames.last_mut()?;
        frame.at = first;
        match found {
            None if frame.stage == Stage::Known => {
                Choice::sort_by_cost(&mut self.choices[first..], &self.pieces);
                frame.stage = if self.claims.is_some() { Stage::Free } else { Stage::All };
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
        frame.possible = self.left.len();
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
            match choice.value() {
                Some(value) if value == wanted => return Some(true),
                Some(_) => {}
                None => unsolved = true,
            }
        }
        while let Some(choice) = self.next_choice() {
            match choice.value() {
                Some(value) if value == wanted => return Some(true),
                Some(_) => {}
                None => unsolved = true,
            }
        }
        if unsolved { None } else { Some(false) }
    }

    /// Makes the next move into an option.
    fn next_choice(&mut self) -> Option<&Choice> {
        let frame = self.frames.last_mut()?;
        if frame.next == frame.possible {
            return None;
        }
        let search = self.search;
        let left = self.left[frame.next];
        if self.ahead_of == Some(left) {
            std::mem::swap(&mut self.parts, &mut self.ahead);
        } else {
            self.parts.clear();
            search.geometry.split(left, |part| self.parts.push(part));
        }
        frame.next += 1;
        self.ahead_of = self.left[..frame.possible].get(frame.next).copied();
        if let Some(next) = self.ahead_of {
            self.ahead.clear();
            search.geometry.split(next, |part| {
                search.parts.prefetch(part);
                self.ahead.push(part);
            });
        }
        self.choices.push(Choice::new(search, &self.parts, &mut self.pieces));
        self.choices.last()
    }

    /// Looks for an option of the wanted value among the unsolved ones. `Err` is a question that must be
    /// answered first.
    fn find_by_search(&mut self) -> std::result::Result<Option<bool>, (M, Goal)> {
        let frame = self.frames.last_mut().expect("the frame at work");
        while frame.at < self.choices.len() {
            match self.choices[frame.at].ask(self.search, &self.pieces, frame.wanted) {
                Ok(true) => return Ok(Some(true)),
                Ok(false) => frame.refused_one = true,
                Err((part, goal)) => {
                    let shared_out =
                        frame.stage == Stage::Free && frame.refused_one && frame.part.count() <= self.shared;
                    if claim(self.claims, part, shared_out) {
                        return Err((part, goal));
                    }
                }
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
                    match self.search.value(piece) {
                        Some(value) => {
                            choice.sum ^= value;
                            choice.end -= 1;
                        }
                        None if claim(self.claims, piece, frame.stage == Stage::Free) => {
                            return Step::Ask(piece, Goal::EveryValue);
                        }
                        None => break,
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
        if self.claims.is_some_and(|claims| claims.are_several(part)) {
            self.search.news.fetch_add(1, Ordering::Release);
        }
    }
}

/// Claims `part` for this thread. If another one is there already and parts are shared out, leaves it to that
/// one and returns `false`.
#[inline]
fn claim<M: Mask>(claims: Option<&Claims>, part: M, shared_out: bool) -> bool {
    let Some(claims) = claims else { return true };
    let left_to_others = claims.claim(part) && shared_out;
    if left_to_others {
        claims.release(part);
    }
    !left_to_others
}
