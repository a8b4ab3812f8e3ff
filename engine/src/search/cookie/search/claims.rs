//! Which parts threads are at work on.

use std::sync::atomic::{AtomicU8, Ordering};

use super::super::mask::Mask;

/// Counts the threads at work on a part, by its hash; parts that share a counter are taken for each other,
/// which costs a little time and nothing else.
pub(super) struct Claims(Vec<AtomicU8>);

const BITS: u32 = 16;

impl Claims {
    pub(super) fn new() -> Self {
        Self((0..1 << BITS).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline]
    fn counter<M: Mask>(&self, part: M) -> &AtomicU8 {
        &self.0[(part.scrambled() >> (M::BITS - BITS)).low() as usize]
    }

    /// Says that a thread is going to work on `part`, and whether another one was there first. It is one
    /// step: of threads that come at the same time, one alone is told that it is the first.
    #[inline]
    pub(super) fn claim<M: Mask>(&self, part: M) -> bool {
        self.counter(part).fetch_add(1, Ordering::Relaxed) > 0
    }

    /// Takes back a claim.
    #[inline]
    pub(super) fn release<M: Mask>(&self, part: M) {
        self.counter(part).fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether several threads are at work on `part`.
    #[inline]
    pub(super) fn are_several<M: Mask>(&self, part: M) -> bool {
        self.counter(part).load(Ordering::Relaxed) > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_threads_that_come_at_the_same_time_one_is_the_first() {
        let (claims, threads) = (Claims::new(), 4);
        let start = std::sync::Barrier::new(threads);
        for part in 1..500u64 {
            let first = |_| {
                start.wait();
                !claims.claim(part)
            };
            let firsts: usize = std::thread::scope(|scope| {
                let all: Vec<_> = (0..threads).map(|i| scope.spawn(move || first(i))).collect();
                all.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
            });
            assert_eq!(firsts, 1);
            assert!(claims.are_several(part));
            (0..threads).for_each(|_| claims.release(part));
            assert!(!claims.claim(part) && !claims.are_several(part));
            claims.release(part);
        }
    }
}
