//! A sequence as a machine with a finite window: which heaps are rare, and which earlier heaps a heap looks
//! at.

use crate::base::{Error, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::SplitReport;

/// The index of a heap that is rare, among those of the opening.
pub const RARE: u8 = 0xff;

/// Rare heaps beyond this number make too wide a window.
const MOST_RARE: usize = 4096;

/// An option of a common value: the index of the heap `offset` before, XOR-ed with `with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look {
    /// How far back.
    pub offset: u32,
    /// The index of the rare part.
    pub with: u8,
}

/// What the next value is made from, as long as no new heap is rare.
///
/// Inside a class the lowest bit of the mask follows from the others. The *index* of a value leaves it out; it
/// is linear over XOR and keeps the order inside the class (docs/ALGORITHMS-octal.md).
#[derive(Clone, Debug)]
pub struct Machine {
    /// The digits of the code.
    pub digits: Vec<u8>,
    /// The mask of the split.
    pub mask: u32,
    /// Whether the parity of the heap takes part in the split.
    pub parity: bool,
    /// The class of common values: popcount(value AND mask), plus n if the parity takes part, modulo 2.
    common: u32,
    /// The lowest bit of the mask.
    pub dropped: u32,
    /// The rare heaps and their values.
    pub rare: Vec<(u32, u32)>,
    /// The options of common values.
    pub looks: Vec<Look>,
    /// The indices of the heaps of the opening.
    pub opening: Vec<u8>,
}

impl Machine {
    /// The machine of a game with these values of the opening and their split.
    pub fn new(game: &OctalGame, split: &SplitReport, values: &[u16]) -> Result<Self> {
        let digits = game.digits().to_vec();
        let splitting: Vec<u32> = (0..digits.len() as u32).filter(|&i| digits[i as usize] & 4 != 0).collect();
        let parity = split.by_position.is_some();
        let unlike = parity && splitting.iter().any(|i| i % 2 != splitting[0] % 2);
        if !game.is_octal() || game.unequal_parts() || split.mask == 0 || splitting.is_empty() || unlike {
            return Err(undecided("its heaps cannot be split into rare and common ones"));
        }
        let mut machine = Self {
            // Class(n) = class(a) + class(b) + i for a split a + b = n - i, and common + rare is common.
            common: if parity { (1 + splitting[0]) % 2 } else { 1 },
            digits,
            mask: split.mask,
            parity,
            dropped: split.mask.trailing_zeros(),
            rare: Vec::new(),
            looks: Vec::new(),
            opening: Vec::with_capacity(values.len()),
        };
        for (n, &value) in values.iter().enumerate() {
            let value = u32::from(value);
            let index = machine.index(value);
            if machine.class(n as u64, value) != machine.common {
                machine.rare.push((n as u32, value));
                machine.opening.push(RARE);
            } else if index < u32::from(RARE) {
                machine.opening.push(index as u8);
            } else {
                return Err(undecided("its values are too large"));
            }
        }
        let last = machine.rare.last().map_or(0, |rare| rare.0) as usize;
        if last >= values.len() / 4 || machine.rare.len() > MOST_RARE {
            let (count, among) = (machine.rare.len(), values.len());
            return Err(undecided(&format!("{count} of its first {among} heaps are rare, the last {last}")));
        }
        machine.looks = machine.all_looks();
        Ok(machine)
    }

    fn all_looks(&self) -> Vec<Look> {
        let mut looks = Vec::new();
        for (i, &digit) in self.digits.iter().enumerate() {
            let i = i as u32;
            if digit & 4 != 0 {
                let parts = self.rare.iter().filter(|rare| rare.0 > 0);
                looks.extend(parts.map(|&(r, v)| Look { offset: r + i, with: self.index(v) as u8 }));
            }
            if digit & 2 != 0 && self.keeps_class(i) {
                looks.push(Look { offset: i, with: 0 });
            }
        }
        looks.sort_unstable();
        looks.dedup();
        looks
    }

    fn class(&self, n: u64, value: u32) -> u32 {
        ((value & self.mask).count_ones() + if self.parity { (n % 2) as u32 } else { 0 }) % 2
    }

    fn index(&self, value: u32) -> u32 {
        let low = value & ((1 << self.dropped) - 1);
        low | (value >> (self.dropped + 1)) << self.dropped
    }

    /// The common or rare value of an index at heap `n`.
    pub fn value(&self, n: u64, index: u32, common: bool) -> u32 {
        let low = index & ((1 << self.dropped) - 1);
        let value = low | (index >> self.dropped) << (self.dropped + 1);
        let class = if common { self.common } else { 1 - self.common };
        if self.class(n, value) == class { value } else { value | 1 << self.dropped }
    }

    /// The value of a heap of the opening.
    pub fn opening_value(&self, n: usize) -> u32 {
        match self.opening[n] {
            RARE => self.rare[self.rare.partition_point(|rare| (rare.0 as usize) < n)].1,
            index => self.value(n as u64, index.into(), true),
        }
    }

    /// Whether a heap that is left alone after taking `i` has the class of what it was taken from.
    pub fn keeps_class(&self, i: u32) -> bool {
        !self.parity || i % 2 == 0
    }

    /// How many of the last indices decide the next one, and at least 64.
    pub fn width(&self) -> usize {
        self.looks.last().map_or(0, |look| look.offset as usize).max(64)
    }
}

/// The error of a game that this theorem does not reach.
pub fn undecided(why: &str) -> Error {
    Error::Undecided(format!(
        "a recurring state cannot prove a period here: {why}; try it without --recurring"
    ))
}
