//! Octal games with the same nim-sequence, by theorem: cousins and standard forms.
//!
//! **Cousins** (Guy and Smith; Winning Ways, chapter 4). Where d1 is even, a heap of 1 has no move and is as good as
//! none. Call a heap of n a heap of n - 1: a move that takes i and leaves k heaps, each of at least 1, becomes one that
//! takes i + k - 1 and leaves k heaps, each possibly empty, so that it may leave any number of heaps up to k. The game
//! with these moves has the values G'(n) = G(n + 1). It needs d1 even: k = 0 and i = 1 would take nothing. A code is in
//! *standard form* if d1 is odd, and every code comes to one after as many steps as its largest heaps without a move.
//!
//! **Spare digits.** That a heap of i may be taken whole (bit 0 of d_i) matters for the heap of i alone. If another
//! option of it has the value 0, then the bit changes nothing.

use crate::base::Mex;
use crate::rules::OctalGame;

/// Longer codes keep their spare bits, which take long to find.
const LONGEST: usize = 64;

/// A game whose heap of n has the value of another one's heap of n + `shift`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cousin {
    /// The game.
    pub game: OctalGame,
    /// The other game's smallest heaps that have no counterpart; they have the value 0.
    pub shift: usize,
}

/// The game in standard form, without spare bits: d1 is odd, unless parts must differ or the code would become too long.
pub fn standard_form(game: &OctalGame) -> Cousin {
    let mut cousin = Cousin { game: game.clone(), shift: 0 };
    while let Some(next) = first_cousin(&cousin.game) {
        cousin = Cousin { game: next, shift: cousin.shift + 1 };
    }
    if let Some(game) = without_spare_bits(&cousin.game) {
        cousin.game = game;
    }
    cousin
}

/// The game whose heap of n is this one's heap of n + 1; `None` where a heap of 1 has a move.
fn first_cousin(game: &OctalGame) -> Option<OctalGame> {
    let digits = game.digits();
    if game.unequal_parts() || digits.get(1).is_some_and(|digit| digit & 1 != 0) {
        return None;
    }
    let mut shifted = vec![0u8; digits.len() + 8];
    for (i, &digit) in digits.iter().enumerate() {
        for heaps in (0..8).filter(|heaps| digit >> heaps & 1 != 0) {
            // d0 leaves at least two heaps, and d1 does not take a heap of 1 whole.
            shifted[i + heaps - 1] |= ((2u16 << heaps) - 1) as u8;
        }
    }
    OctalGame::from_digits(&shifted).ok()
}

/// The game without the bits that let a heap be taken whole which has an option of value 0 anyway.
fn without_spare_bits(game: &OctalGame) -> Option<OctalGame> {
    if game.unequal_parts() || game.last_index() > LONGEST {
        return None;
    }
    let mut digits = game.digits().to_vec();
    let mut values: Vec<u16> = Vec::new();
    let mut mex = Mex::default();
    for n in 0..digits.len() as u64 {
        let (mut whole, mut zero) = (false, false);
        mex.clear();
        game.options_of_heap(n, &mut |a, b| {
            let value = values[a as usize] ^ values[b as usize];
            whole |= a == 0;
            zero |= a != 0 && value == 0;
            mex.insert(value.into());
        });
        values.push(u16::try_from(mex.least()).ok()?);
        if whole && zero {
            digits[n as usize] &= !1;
        }
    }
    OctalGame::from_digits(&digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(game: &OctalGame, terms: u64) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for n in 0..terms {
            let mut mex = Mex::default();
            game.options_of_heap(n, &mut |a, b| mex.insert(values[a as usize] ^ values[b as usize]));
            values.push(mex.least());
        }
        values
    }

    fn standard(code: &str) -> (String, usize) {
        let Cousin { game, shift } = standard_form(&code.parse().unwrap());
        (game.to_string(), shift)
    }

    #[test]
    fn standard_forms_are_those_of_the_literature() {
        for (code, form, shift) in [
            ("0.6", "0.37", 1),
            ("0.07", "0.137", 1),
            ("0.4", "0.137", 2),
            ("0.007", "0.11337", 2), // Treblecross
            ("0.04", "0.11337", 3),
            ("4.4", "0.77", 1),
            ("0.771", "0.77", 0),
            ("0.454", "0.1776", 1), // also written 0.1777: its heap of 4 has an option of value 0
            ("0.77", "0.77", 0),
            ("grundy", "grundy", 0),
        ] {
            assert_eq!(standard(code), (form.to_string(), shift), "{code}");
        }
    }

    #[test]
    fn every_code_of_three_digits_has_the_values_of_its_standard_form() {
        for whole in [0, 4] {
            for number in 1..512u16 {
                let digits = [whole, (number >> 6) as u8, (number >> 3) as u8 & 7, number as u8 & 7];
                let game = OctalGame::from_digits(&digits).unwrap();
                let Cousin { game: form, shift } = standard_form(&game);
                assert_eq!(form.digits()[1] % 2, 1, "{game}");
                let (all, of_form) = (values(&game, 60), values(&form, 60));
                assert!(all[..shift].iter().all(|&value| value == 0), "{game}");
                assert_eq!(all[shift..], of_form[..60 - shift], "{game} and {form}");
                assert_eq!(standard_form(&form), Cousin { game: form.clone(), shift: 0 }, "{game}");
            }
        }
    }
}
