//! The definition, one heap at a time: the oracle of the other engines, and their start.

use crate::base::{Error, Result};
use crate::rules::OctalGame;

/// What a heap's options are, in the form in which the engines use it: whole slices of pairs instead of one
/// call per option. A test compares it with [`OctalGame::options_of_heap`].
#[derive(Debug, Clone)]
pub(crate) struct Moves {
    /// Taking i may leave two non-empty heaps.
    pub splits: Vec<usize>,
    /// Taking i may leave one non-empty heap.
    pub ones: Vec<usize>,
    /// A heap of exactly i may be taken whole.
    pub whole: Vec<usize>,
    /// Grundy's game: the two heaps must differ.
    pub unequal: bool,
}

/// The largest smaller part of a total that is left as two heaps, which in Grundy's game must differ.
pub(super) fn half(total: usize, unequal: bool) -> usize {
    if unequal { total.saturating_sub(1) / 2 } else { total / 2 }
}

impl Moves {
    pub fn new(game: &OctalGame) -> Self {
        Self {
            splits: game.splitting(),
            ones: game.leaving_one(),
            whole: game.leaving_none(),
            unequal: game.unequal_parts(),
        }
    }

    /// See [`half`].
    pub fn half(&self, total: usize) -> usize {
        half(total, self.unequal)
    }

    /// No moves.
    pub fn none() -> Self {
        Self { splits: Vec::new(), ones: Vec::new(), whole: Vec::new(), unequal: false }
    }
}

/// A stored value.
pub trait Term: Copy + PartialEq + Ord + Into<u16> + TryFrom<u16> {}

impl Term for u8 {}
impl Term for u16 {}

/// Marks the options of one heap after another and takes the mex. About n/2 steps per heap and splitting
/// digit.
pub(crate) struct Naive {
    /// `seen[x] == n + 1`: the value x is an option of heap n. A stamp needs no clearing.
    seen: Box<[u64; 1 << 16]>,
}

impl Naive {
    pub fn new() -> Self {
        let seen: Box<[u64]> = vec![0; 1 << 16].into_boxed_slice();
        Self { seen: seen.try_into().unwrap_or_else(|_| unreachable!("the length is 2^16")) }
    }

    /// G(n), from G(0..n) in `values`.
    pub fn value<T: Term>(&mut self, moves: &Moves, values: &[T], n: usize) -> Result<u16> {
        let stamp = n as u64 + 1;
        for &i in &moves.whole {
            if i == n && n > 0 {
                self.seen[0] = stamp;
            }
        }
        for &i in &moves.ones {
            if i < n {
                self.seen[usize::from(values[n - i].into())] = stamp;
            }
        }
        for &i in &moves.splits {
            let rest = n.saturating_sub(i);
            if rest < 2 {
                continue;
            }
            // The smaller part is 1..=half; in Grundy's game an even rest may not be halved.
            let half = moves.half(rest);
            let small = &values[1..=half];
            let large = &values[rest - half..rest];
            for (&a, &b) in small.iter().zip(large.iter().rev()) {
                self.seen[usize::from(a.into() ^ b.into())] = stamp;
            }
        }
        match self.seen.iter().position(|&s| s != stamp) {
            Some(mex) => Ok(mex as u16),
            None => Err(too_large(n)),
        }
    }
}

/// The error for a value that no longer fits into 16 bits.
pub(crate) fn too_large(n: usize) -> Error {
    Error::Budget(format!("the nim-value of heap {n} is over 65535 and does not fit; ask for fewer terms"))
}

/// G(0), …, G(terms − 1) by the definition.
pub fn naive_sequence(game: &OctalGame, terms: usize) -> Result<Vec<u16>> {
    let moves = Moves::new(game);
    let mut naive = Naive::new();
    let mut values = Vec::with_capacity(terms);
    for n in 0..terms {
        let value = naive.value(&moves, &values, n)?;
        values.push(value);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_agrees_with_the_rules() {
        for code in ["0.6", "0.07", "4.7", "0.137", "grundy", "4.0", "0.356", "0.3337", "subtraction 2,5"] {
            let game: OctalGame = code.parse().unwrap();
            let values = naive_sequence(&game, 200).unwrap();
            for n in 0..200u64 {
                let mut options = Vec::new();
                game.options_of_heap(n, &mut |a, b| options.push(values[a as usize] ^ values[b as usize]));
                let mex = (0..).find(|x| !options.contains(x)).unwrap();
                assert_eq!(values[n as usize], mex, "{code} {n}");
            }
        }
    }

    #[test]
    fn known_openings() {
        let open = |code: &str| naive_sequence(&code.parse().unwrap(), 12).unwrap();
        assert_eq!(open("kayles"), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]);
        assert_eq!(open("0.07"), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3]);
        assert_eq!(open("grundy"), [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2]);
    }
}
