//! Recurring states are looked for at few heaps: those with a seldom index and a hash that ends in zeros.

use std::collections::HashMap;

/// Points beyond this number are thinned out.
const MOST: usize = 1 << 17;
/// So many indices decide whether a heap is a point.
const SHORT: usize = 64;

/// The states that were met, by their hash. A state that was met before is only a hint: the caller compares
/// the windows themselves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    /// The index that a point has.
    pub event: u8,
    /// The number of zeros in which its hash ends.
    pub filter: u32,
    /// At this heap the event is chosen anew if it has not occurred lately.
    pub refresh: u64,
    /// How often the event occurred since.
    pub since: u64,
    /// The hash of the state behind a point, and the point.
    pub met: HashMap<u64, u64>,
}

fn hash(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = seed ^ 0x9e37_79b9_7f4a_7c15;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 29)
}

impl Points {
    /// Chooses the event anew where `block`, which ends before heap `next`, calls for it.
    pub fn refresh(&mut self, block: &[u8], next: u64) {
        if next < self.refresh {
            return;
        }
        if self.since == 0 {
            let mut count = [0u64; 256];
            block.iter().for_each(|&index| count[usize::from(index)] += 1);
            let occurring = (0..=255u8).filter(|&index| count[usize::from(index)] > 0);
            self.event = occurring.min_by_key(|&index| count[usize::from(index)]).unwrap_or(0);
            self.filter = 0;
            self.met.clear();
        }
        self.since = 0;
        self.refresh = next.next_power_of_two();
        if self.refresh == next {
            self.refresh *= 2;
        }
    }

    /// Looks at `x[from..]`, of which `x[at]` is heap `first + at`; a state is `width` indices and, if `parity`
    /// takes part, that of its heap. Returns the first point whose state may have been met, and where.
    pub fn meet(
        &mut self,
        x: &[u8],
        from: usize,
        first: u64,
        width: usize,
        parity: bool,
    ) -> Option<(u64, u64)> {
        let mut found = None;
        for (chunk, at) in x[from..].chunks(64).zip((from..).step_by(64)) {
            if !chunk.iter().fold(false, |any, &index| any | (index == self.event)) {
                continue;
            }
            for at in (at..at + chunk.len()).filter(|&at| x[at] == self.event) {
                let short = hash(&x[at + 1 - SHORT..=at], 1);
                if short % (1 << self.filter) != 0 {
                    continue;
                }
                self.since += 1;
                let n = first + at as u64;
                let state = hash(&x[at + 1 - width..=at], if parity { 2 + n % 2 } else { 4 });
                // The end is that of the short hash, so that a finer filter can be applied to what is kept.
                let key = (state << 24) | (short % (1 << 24));
                // The last meeting is kept, so that two that are found are one period apart, after a resume too.
                if let Some(before) = self.met.insert(key, n) {
                    found = found.or(Some((before, n)));
                }
                if self.met.len() >= MOST {
                    self.filter += 1;
                    self.met.retain(|key, _| key % (1 << self.filter) == 0);
                }
            }
        }
        found
    }
}
