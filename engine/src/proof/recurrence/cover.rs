//! Condition (b) of the theorem: every rare value below the value of a heap is an option, by a small common
//! heap and a heap of the window.

use super::machine::{Machine, RARE};

/// Small heaps below this take part.
pub const SMALL: usize = 1 << 16;

/// A heap at which a rare index was not seen to be an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    /// The heap's place.
    pub at: usize,
    /// The rare index.
    pub index: u32,
}

/// What the condition looks at.
pub struct Cover {
    /// The digits by which a heap may be split.
    pub splitting: Vec<usize>,
    /// The digits by which one heap is left that changes the class: a rare option by itself.
    pub single: Vec<usize>,
    /// The indices of the small heaps; [`RARE`] where a heap takes no part.
    pub small: Vec<u8>,
    /// For both parities and each common index the rare indices of smaller values.
    pub need: [Vec<Vec<u8>>; 2],
}

impl Cover {
    /// The cover of a machine.
    pub fn new(machine: &Machine) -> Self {
        let digits = |accept: &dyn Fn(usize, u8) -> bool| -> Vec<usize> {
            machine
                .digits
                .iter()
                .enumerate()
                .filter(|&(i, &digit)| accept(i, digit))
                .map(|(i, _)| i)
                .collect()
        };
        let mut small = machine.opening[..SMALL].to_vec();
        // Heap 0 is not a part of a split.
        small[0] = RARE;
        let smaller = |n: u64, k: u32| {
            let value = machine.value(n, k, true);
            (0..RARE).filter(|&w| machine.value(n, w.into(), false) < value).collect()
        };
        Self {
            splitting: digits(&|_, digit| digit & 4 != 0),
            single: digits(&|i, digit| digit & 2 != 0 && !machine.keeps_class(i as u32)),
            small,
            need: [0, 1].map(|n| (0..u32::from(RARE)).map(|k| smaller(n, k)).collect()),
        }
    }

    /// How far back the condition looks.
    pub fn reach(&self) -> usize {
        let last = self.splitting.iter().chain(&self.single).max().copied().unwrap_or(0);
        self.small.len() - 1 + last
    }

    /// The condition at `x[at]`, a heap of this parity, one pair after the other.
    pub fn check(&self, x: &[u8], at: usize, odd: usize) -> Result<(), Unseen> {
        let need = &self.need[odd][usize::from(x[at])];
        let mut open = [false; 256];
        need.iter().for_each(|&w| open[usize::from(w)] = true);
        let mut left = need.len();
        let mut see = |w: u8| {
            left -= usize::from(std::mem::take(&mut open[usize::from(w)]));
            left == 0
        };
        let pairs = || (1..self.small.len()).filter(|&a| self.small[a] != RARE);
        let covered = need.is_empty()
            || self.single.iter().any(|i| see(x[at - i]))
            || pairs().any(|a| self.splitting.iter().any(|i| see(x[at - i - a] ^ self.small[a])));
        let missing = need.iter().find(|&&w| open[usize::from(w)]);
        match missing {
            Some(&index) if !covered => Err(Unseen { at, index: index.into() }),
            _ => Ok(()),
        }
    }
}
