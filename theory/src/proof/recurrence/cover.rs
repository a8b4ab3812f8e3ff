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
    /// The small heaps that take part, with their indices.
    pairs: Vec<(usize, u8)>,
    /// For both parities and each common index the rare indices of smaller values.
    pub need: [Vec<Vec<u8>>; 2],
    /// The same as sets.
    sets: [Vec<Set>; 2],
}

/// A set of indices.
type Set = [u64; 4];

fn insert(set: &mut Set, index: u8) {
    set[usize::from(index / 64)] |= 1 << (index % 64);
}

/// So many small heaps are looked at before what was seen is compared with what is needed.
const AT_ONCE: usize = 64;

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
        let need = [0, 1].map(|n| (0..u32::from(RARE)).map(|k| smaller(n, k)).collect::<Vec<Vec<u8>>>());
        let set = |need: &Vec<u8>| {
            need.iter().fold([0; 4], |mut set, &index| {
                insert(&mut set, index);
                set
            })
        };
        let sets = [0, 1].map(|n: usize| need[n].iter().map(set).collect());
        let pairs = small.iter().copied().enumerate().filter(|&(_, index)| index != RARE).collect();
        Self {
            splitting: digits(&|_, digit| digit & 4 != 0),
            single: digits(&|i, digit| digit & 2 != 0 && !machine.keeps_class(i as u32)),
            small,
            pairs,
            need,
            sets,
        }
    }

    /// How far back the condition looks.
    pub fn reach(&self) -> usize {
        let last = self.splitting.iter().chain(&self.single).max().copied().unwrap_or(0);
        self.small.len() - 1 + last
    }

    /// Leaves out the small heaps from `first` on.
    #[cfg(test)]
    pub fn shorten(&mut self, first: usize) {
        self.small[first..].fill(RARE);
        self.pairs.retain(|&(heap, _)| heap < first);
    }

    /// The condition at `x[at]`, a heap of this parity, some small heaps at a time.
    pub fn check(&self, x: &[u8], at: usize, odd: usize) -> Result<(), Unseen> {
        let need = &self.sets[odd][usize::from(x[at])];
        let mut seen = [0; 4];
        self.single.iter().for_each(|i| insert(&mut seen, x[at - i]));
        let missing = |seen: &Set| (0..4).find(|&word| need[word] & !seen[word] != 0);
        let mut some = self.pairs.chunks(AT_ONCE);
        while let Some(word) = missing(&seen) {
            let Some(pairs) = some.next() else {
                let index = 64 * word as u32 + (need[word] & !seen[word]).trailing_zeros();
                return Err(Unseen { at, index });
            };
            for i in &self.splitting {
                let before = &x[..=at - i];
                for &(heap, index) in pairs {
                    insert(&mut seen, before[at - i - heap] ^ index);
                }
            }
        }
        Ok(())
    }
}
