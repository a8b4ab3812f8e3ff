//! The search for the value of a part.
//!
//! **Nimber search.** To decide whether a part has value `g`, first look for an option of value `g`: if there
//! is one, it has not. If there is none, the value is at most `g`, and it is `g` exactly if every smaller
//! value occurs among the options; so look for options of value 0, 1, ... until one is missing, which is then
//! the value. An option that falls into several parts has value `g` iff its largest part has the value `g`
//! XOR those of the others; so the others are solved exactly and the question passes to the largest part. One
//! option is enough for "not `g`", so most parts are never solved: it is only remembered which values they do
//! not have.
//!
//! **Full mex** solves every option exactly. It visits every part that play can reach and serves as the
//! oracle.
//!
//! The depth of the search is the length of a game, and the stack is explicit. Threads run the same search
//! over a shared table of parts. The first unsolved option of a part is searched together, and in the largest
//! parts every option; when one has failed, a thread puts off options that another one is working on, and
//! takes part in them when nothing else is left. A thread that settles a part on which others are at work too
//! says so, and they give up what has become needless.

mod claims;
mod options;
mod worker;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;

use crossbeam_utils::CachePadded;

use super::geometry::Geometry;
use super::info::Info;
use super::mask::Mask;
use super::parts::{Memory, Parts};
use crate::base::{Control, Result};
use claims::Claims;
use worker::Worker;

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

/// The search over one table of parts.
pub(crate) struct Search<M> {
    pub(crate) geometry: Geometry<M>,
    pub(crate) parts: Parts<M>,
    claims: Claims,
    /// How often a part was settled that several threads were at work on.
    news: CachePadded<AtomicU64>,
    visited: CachePadded<AtomicU64>,
}

impl<M: Mask> Search<M> {
    /// A search with an empty table in this memory.
    pub(crate) fn new(geometry: Geometry<M>, memory: Memory) -> Result<Self> {
        Ok(Self {
            geometry,
            parts: Parts::new(memory)?,
            claims: Claims::new(),
            news: CachePadded::default(),
            visited: CachePadded::default(),
        })
    }

    /// Questions worked on so far.
    pub(crate) fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// Answers a question about a canonical part with this many threads; `None` if it was stopped.
    pub(crate) fn ask(&self, part: M, goal: Goal, threads: usize, control: &Control<'_>) -> Option<Info> {
        let info = self.known(part);
        if goal.is_met(info) {
            return Some(info);
        }
        let answered = AtomicBool::new(false);
        let work = |alone: bool| {
            let answer = Worker::new(self, control, &answered, alone).run(part, goal);
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
            // A panic of one thread is an error in the program, whatever the others found.
            let answer =
                |worker: ScopedJoinHandle<'_, _>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            workers.into_iter().filter_map(answer).reduce(Info::and)
        })
    }

    /// What the table or a lemma says about a part.
    #[inline]
    fn known(&self, part: M) -> Info {
        trivial(part).map_or_else(|| self.parts.get(part), Info::Exact)
    }

    /// The value of a part, if the table or a lemma says it.
    #[inline]
    fn value(&self, part: M) -> Option<u8> {
        trivial(part).or_else(|| self.parts.value(part))
    }
}

/// One square has value 1. Two squares of one part can be taken together or one at a time: mex {0, 1, 1} = 2.
#[inline]
fn trivial<M: Mask>(part: M) -> Option<u8> {
    let count = part.count();
    (count <= 2).then_some(count as u8)
}
