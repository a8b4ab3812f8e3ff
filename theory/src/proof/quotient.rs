//! A finite commutative quotient of the multisets of heaps.
//!
//! A [`Quotient`] is what docs/PROOFS.md calls `(T, p, Q, P)`: heap sizes become finitely many
//! letters, a multiset of letters becomes one of finitely many classes, and some classes are
//! accepted. By itself it claims nothing about a game; [`super::finite_check`] decides whether it is
//! right.

use super::Malformed;

/// The map from heap sizes to letters: `h` itself below `threshold + period`, above that the
/// representative of `h` modulo `period` in `threshold .. threshold + period`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letters {
    threshold: u64,
    period: u64,
}

/// Most letters that a quotient may have. A learned quotient has some dozens; the bound keeps a
/// hostile certificate from asking for absurd tables.
pub const MAX_LETTERS: u64 = 1024;

/// Most classes that a quotient may have.
pub const MAX_CLASSES: usize = 8192;

impl Letters {
    /// Letters with the given threshold `T >= 1` and period `p >= 1`.
    ///
    /// `T >= 1` matters: with `T = 0` a heap of size `p` would be the letter of the empty heap.
    pub fn new(threshold: u64, period: u64) -> Result<Self, Malformed> {
        if threshold == 0 || period == 0 {
            return Err(Malformed(format!(
                "threshold {threshold} and period {period}: both must be at least 1"
            )));
        }
        match threshold.checked_add(period) {
            Some(count) if count <= MAX_LETTERS => Ok(Self { threshold, period }),
            _ => Err(Malformed(format!(
                "threshold {threshold} plus period {period} is beyond the limit of {MAX_LETTERS} letters"
            ))),
        }
    }

    /// The threshold `T`: from here on sizes count modulo the period.
    pub fn threshold(self) -> u64 {
        self.threshold
    }

    /// The period `p`.
    pub fn period(self) -> u64 {
        self.period
    }

    /// Number of letters, the letter 0 of the empty heap included.
    pub fn count(self) -> usize {
        (self.threshold + self.period) as usize
    }

    /// The letter of a heap of `size`.
    #[inline]
    pub fn of(self, size: u64) -> usize {
        if size < self.threshold + self.period {
            size as usize
        } else {
            let beyond = size - self.threshold;
            // A mask instead of a division: the periods that occur are mostly powers of two.
            let residue =
                if self.period.is_power_of_two() { beyond & (self.period - 1) } else { beyond % self.period };
            (self.threshold + residue) as usize
        }
    }
}

/// Index of a class of a [`Quotient`]. The class of the empty multiset is [`EMPTY_CLASS`].
pub type Class = u16;

/// The class of the empty multiset.
pub const EMPTY_CLASS: Class = 0;

/// Letters, classes, the action of letters on classes, and the accepted (P) classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotient {
    letters: Letters,
    classes: usize,
    /// `action[class * letters + letter]` is the class of the multiset with that letter added.
    action: Vec<Class>,
    accepted: Vec<bool>,
    representatives: Vec<Vec<u64>>,
}

impl Quotient {
    /// Puts a quotient together and checks that its parts fit: sizes, ranges, and that letter 0
    /// acts as the identity. Whether letters commute is a condition of the proof, not of the form.
    pub fn new(
        letters: Letters,
        rows: &[Vec<Class>],
        accepted: Vec<bool>,
        representatives: Vec<Vec<u64>>,
    ) -> Result<Self, Malformed> {
        let classes = rows.len();
        if classes == 0 || classes > MAX_CLASSES {
            return Err(Malformed(format!("{classes} classes: there must be between 1 and {MAX_CLASSES}")));
        }
        if accepted.len() != classes || representatives.len() != classes {
            return Err(Malformed(format!(
                "{classes} rows of the action, but {} acceptance entries and {} representatives",
                accepted.len(),
                representatives.len()
            )));
        }
        let mut action = Vec::with_capacity(classes * letters.count());
        for (class, row) in rows.iter().enumerate() {
            if row.len() != letters.count() {
                return Err(Malformed(format!(
                    "row {class} of the action has {} entries instead of {}",
                    row.len(),
                    letters.count()
                )));
            }
            if let Some(&bad) = row.iter().find(|&&to| to as usize >= classes) {
                return Err(Malformed(format!(
                    "row {class} of the action names class {bad}, but there are {classes}"
                )));
            }
            if row[0] as usize != class {
                return Err(Malformed(format!(
                    "the empty heap must not change class {class}, but row {class} sends it to {}",
                    row[0]
                )));
            }
            action.extend_from_slice(row);
        }
        Ok(Self { letters, classes, action, accepted, representatives })
    }

    /// The letters of heap sizes.
    pub fn letters(&self) -> Letters {
        self.letters
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Number of accepted classes.
    pub fn accepted_classes(&self) -> usize {
        self.accepted.iter().filter(|&&is_p| is_p).count()
    }

    /// The class of a multiset of class `class` with one heap of letter `letter` added.
    #[inline]
    pub fn add_letter(&self, class: Class, letter: usize) -> Class {
        self.action[class as usize * self.letters.count() + letter]
    }

    /// The class of a multiset of class `class` with one heap of `size` added.
    #[inline]
    pub fn add_heap(&self, class: Class, size: u64) -> Class {
        self.add_letter(class, self.letters.of(size))
    }

    /// The class of a multiset of class `class` with all of `heaps` added.
    ///
    /// One table lookup a heap, each waiting for the one before: some hundred million heaps a second.
    pub fn add_heaps(&self, class: Class, heaps: &[u64]) -> Class {
        let Letters { threshold, period } = self.letters;
        if !period.is_power_of_two() {
            return heaps.iter().fold(class, |class, &heap| self.add_heap(class, heap));
        }
        let (limit, mask, count) = (threshold + period, period - 1, self.letters.count());
        heaps.iter().fold(class, |class, &heap| {
            // Both letters are computed and one is chosen, so that mixed sizes cost no mispredicted branch.
            let folded = threshold + (heap.wrapping_sub(threshold) & mask);
            let letter = if heap < limit { heap } else { folded };
            self.action[class as usize * count + letter as usize]
        })
    }

    /// The class of a multiset of heaps.
    #[inline]
    pub fn class_of(&self, heaps: &[u64]) -> Class {
        self.add_heaps(EMPTY_CLASS, heaps)
    }

    /// The product of two classes, by the representative of the second.
    pub fn multiply(&self, left: Class, right: Class) -> Class {
        self.add_heaps(left, &self.representatives[right as usize])
    }

    /// Whether the class is accepted: the claim "its positions are P-positions".
    #[inline]
    pub fn accepts(&self, class: Class) -> bool {
        self.accepted[class as usize]
    }

    /// Whether the multiset of heaps has an accepted class.
    pub fn accepts_heaps(&self, heaps: &[u64]) -> bool {
        self.accepts(self.class_of(heaps))
    }

    /// A shortest multiset of each class, in the order of the classes.
    pub fn representatives(&self) -> &[Vec<u64>] {
        &self.representatives
    }

    /// The rows of the action, for writing.
    pub fn rows(&self) -> impl Iterator<Item = &[Class]> {
        self.action.chunks(self.letters.count())
    }

    /// Two classes and letters at which the action does not commute, if any.
    ///
    /// This is condition (0) of the lemma: without it a multiset has no class of its own.
    pub fn commutation_failure(&self) -> Option<(Class, usize, usize)> {
        let count = self.letters.count();
        for class in 0..self.classes as Class {
            for a in 1..count {
                let with_a = self.add_letter(class, a);
                for b in a + 1..count {
                    let with_b = self.add_letter(class, b);
                    if self.add_letter(with_a, b) != self.add_letter(with_b, a) {
                        return Some((class, a, b));
                    }
                }
            }
        }
        None
    }

    /// A class whose number or representative is not the one that a search in breadth gives, if any.
    ///
    /// From class 0, classes in order and letters in order, a class met for the first time must have the next
    /// number and the heaps that led to it as its representative. So every class is reached, every
    /// representative is in its class, and one quotient has only one certificate.
    pub fn numbering_failure(&self) -> Option<Class> {
        let mut known = 1;
        if !self.representatives[0].is_empty() {
            return Some(EMPTY_CLASS);
        }
        for class in 0..self.classes {
            if class >= known {
                return Some(class as Class);
            }
            for letter in 1..self.letters.count() {
                let reached = self.add_letter(class as Class, letter) as usize;
                if reached < known {
                    continue;
                }
                let mut heaps = self.representatives[class].clone();
                heaps.push(letter as u64);
                heaps.sort_unstable();
                if reached > known || self.representatives[reached] != heaps {
                    return Some(reached as Class);
                }
                known += 1;
            }
        }
        None
    }
}
