//! What was before, made again from snapshots: the windows, the least period and the least preperiod.

use super::checkpoint::Snapshot;
use super::machine::{Machine, undecided};
use super::stream::{SLACK, Stream};
use crate::base::simd::Isa;
use crate::base::{Control, Error, Result};

/// The heaps that are made again at once.
const PIECE: usize = 1 << 16;

/// The sequence up to what is confirmed.
pub struct Past<'a> {
    pub machine: &'a Machine,
    pub isa: Isa,
    pub snapshots: &'a [Snapshot],
    pub control: &'a Control<'a>,
}

/// The sequence from a heap on.
struct Replay<'a> {
    stream: Stream<'a>,
    /// The window, and the piece behind it.
    x: Vec<u8>,
    width: usize,
    /// The heap behind the piece.
    next: u64,
    /// How much of the piece has been taken.
    taken: usize,
    control: &'a Control<'a>,
}

impl Replay<'_> {
    /// Takes at most `most` indices.
    fn take(&mut self, most: u64) -> Result<&[u8]> {
        if self.taken == PIECE {
            if self.control.stopped() {
                return Err(Error::Interrupted { done: self.next, total: 0 });
            }
            self.x.copy_within(PIECE..PIECE + self.width, 0);
            self.stream.fill(&mut self.x, self.width, self.width + PIECE, self.next)?;
            self.next += PIECE as u64;
            self.taken = 0;
        }
        let count = most.min((PIECE - self.taken) as u64) as usize;
        self.taken += count;
        Ok(&self.x[self.width + self.taken - count..self.width + self.taken])
    }

    /// Takes `count` indices.
    fn take_all(&mut self, count: u64) -> Result<Vec<u8>> {
        let mut all = Vec::with_capacity(count as usize);
        while (all.len() as u64) < count {
            all.extend(self.take(count - all.len() as u64)?);
        }
        Ok(all)
    }
}

impl<'a> Past<'a> {
    fn opening(&self) -> u64 {
        self.machine.opening.len() as u64
    }

    /// The sequence from `heap` on, which is not in the opening.
    fn replay(&self, heap: u64) -> Result<Replay<'a>> {
        let snapshot = self.snapshots.iter().rev().find(|snapshot| snapshot.at <= heap);
        let snapshot = snapshot.ok_or_else(|| undecided("there is no snapshot before a heap"))?;
        let width = snapshot.window.len();
        let mut x = vec![0; width + PIECE + SLACK];
        // `take` moves the window to its place.
        x[PIECE..PIECE + width].copy_from_slice(&snapshot.window);
        let stream = Stream::new(self.machine, self.isa, &snapshot.window, snapshot.at);
        let mut replay = Replay { stream, x, width, next: snapshot.at, taken: PIECE, control: self.control };
        let mut before = heap - snapshot.at;
        while before > 0 {
            before -= replay.take(before)?.len() as u64;
        }
        Ok(replay)
    }

    /// The indices of the heaps from `from` to before `to`, rare ones being those of the opening.
    fn indices(&self, from: u64, to: u64) -> Result<Vec<u8>> {
        let opening = self.opening();
        let mut indices = Vec::new();
        if from < opening {
            indices.extend(&self.machine.opening[from as usize..to.min(opening) as usize]);
        }
        if to > opening {
            let from = from.max(opening);
            indices.extend(self.replay(from)?.take_all(to - from)?);
        }
        Ok(indices)
    }

    /// The state before `heap`.
    pub fn window(&self, heap: u64) -> Result<Vec<u8>> {
        self.indices(heap - self.machine.width() as u64, heap)
    }

    /// Whether the state before `heap` recurs after a period.
    fn recurs(&self, heap: u64, period: u64) -> Result<bool> {
        Ok(self.window(heap)? == self.window(heap + period)?)
    }

    /// The least n0 with G(n + p) = G(n) for all n >= n0, if the state before `first` recurs after p.
    ///
    /// If the state before a heap recurs after p, so does every later one: the snapshots are bisected, and
    /// the values between two of them compared.
    pub fn preperiod(&self, first: u64, period: u64) -> Result<u64> {
        let mut heaps: Vec<u64> = self.snapshots.iter().map(|s| s.at).filter(|&at| at < first).collect();
        heaps.push(first);
        let (mut low, mut high) = (0, heaps.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if self.recurs(heaps[middle], period)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        match high.checked_sub(1) {
            None => self.preperiod_in_opening(heaps[0], period),
            Some(before) => self.last_difference(heaps[before], heaps[high], period),
        }
    }

    /// The heap behind the last difference, which lies before `to` and not long before `from`.
    fn last_difference(&self, from: u64, to: u64, period: u64) -> Result<u64> {
        let width = self.machine.width() as u64;
        let (mut here, mut there) = (self.replay(from)?, self.replay(from + period)?);
        let mut last = None;
        let mut at = from;
        while at < to {
            let piece = here.take(to - at)?;
            let later = there.take_all(piece.len() as u64)?;
            last = (0..piece.len()).rfind(|&j| piece[j] != later[j]).map(|j| at + j as u64).or(last);
            at += piece.len() as u64;
        }
        if let Some(last) = last {
            return Ok(last + 1);
        }
        let (a, b) = (self.window(from)?, self.window(from + period)?);
        let j = (0..a.len()).rfind(|&j| a[j] != b[j]);
        let j = j.ok_or_else(|| undecided("two states that differ are the same"))?;
        Ok(from - width + j as u64 + 1)
    }

    /// The preperiod, if the state before `first`, the end of the opening, recurs.
    fn preperiod_in_opening(&self, first: u64, period: u64) -> Result<u64> {
        let later = self.indices(period, first + period)?;
        let value = |n: u64, index: u8| match self.machine.opening.get(n as usize) {
            Some(_) => self.machine.opening_value(n as usize),
            None => self.machine.value(n, index.into(), true),
        };
        let differs = |&n: &u64| value(n, 0) != value(n + period, later[n as usize]);
        Ok((0..first).rfind(|n| differs(n)).map_or(0, |n| n + 1))
    }
}
