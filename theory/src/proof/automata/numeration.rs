//! Numbers as words of digits, the most significant digit first.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;

/// How the sizes of heaps are written. All heaps of a position are written with the same number of digits;
/// zeros in front change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeration {
    /// Digits below the base.
    Base(u8),
    /// Zeckendorf's: sums of the Fibonacci numbers 1, 2, 3, 5, ..., no two of them neighbours.
    Zeckendorf,
}

/// A linear form after some digits: its value, and its value if a zero follows. (In a base the second is not
/// needed: it is the first times the base.)
pub(super) type Prefix = (i128, i128);

impl Numeration {
    /// How many digits there are.
    pub fn digits(self) -> usize {
        match self {
            Self::Base(base) => base.into(),
            Self::Zeckendorf => 2,
        }
    }

    /// The value after one more digit. For Zeckendorf's digits let u be the value of a word and v that of the
    /// word with a 0 behind: with d behind it is v + d, and with d0 behind it is u + v + 2d, because each
    /// Fibonacci number is the sum of the two before it, and the first are 1 and 2.
    pub(super) fn step(self, (u, v): Prefix, digit: i128) -> Prefix {
        match self {
            Self::Base(base) => (u * i128::from(base) + digit, 0),
            Self::Zeckendorf => (v + digit, u + v + 2 * digit),
        }
    }

    /// Whether a linear form will be greater or less than `constant` whatever digits follow; `weight` is the
    /// sum of the absolute values of its coefficients. `None` only says that it is not certain.
    ///
    /// Base b: m more digits multiply the value by b^m and change it by at most weight (b^m - 1). From
    /// |u| > max(|constant|, weight) on the sign and the excess stay.
    ///
    /// Zeckendorf: m more digits lead from the values z_0 = u, z_1 = v, z_(m+2) = z_(m+1) + z_m by less than
    /// weight W_(m+1), where W = 1, 2, 3, 5, ... So if z_m > weight W_(m+1) + |constant| for m = 0 and m = 1,
    /// it is for all m, since the right sides grow no faster than the left ones. The same below.
    pub(super) fn settled(self, (u, v): Prefix, weight: i128, constant: i128) -> Option<Ordering> {
        let least = constant.abs();
        match self {
            Self::Base(_) if u > least.max(weight) => Some(Ordering::Greater),
            Self::Base(_) if u < -least.max(weight) => Some(Ordering::Less),
            Self::Zeckendorf if u > weight + least && v > 2 * weight + least => Some(Ordering::Greater),
            Self::Zeckendorf if u < -weight - least && v < -2 * weight - least => Some(Ordering::Less),
            _ => None,
        }
    }

    /// The shortest word for `number`; zero is the empty word.
    pub fn word(self, mut number: u128) -> Vec<u8> {
        match self {
            Self::Base(base) => {
                let mut digits = Vec::new();
                while number > 0 {
                    digits.push((number % u128::from(base)) as u8);
                    number /= u128::from(base);
                }
                digits.reverse();
                digits
            }
            Self::Zeckendorf => {
                let mut weights = vec![1u128, 2];
                // The sum of two neighbours must not overflow: the largest weights are above 2^126.
                while weights[weights.len() - 1] <= number.min(u128::MAX >> 2) {
                    weights.push(weights[weights.len() - 1] + weights[weights.len() - 2]);
                }
                let greedy = |weight: &u128| {
                    let taken = number >= *weight;
                    number -= if taken { *weight } else { 0 };
                    u8::from(taken)
                };
                let digits: Vec<u8> = weights.iter().rev().map(greedy).collect();
                digits.into_iter().skip_while(|&digit| digit == 0).collect()
            }
        }
    }

    /// The number that a word stands for; `None` where it is too large or two Fibonacci neighbours are taken.
    pub fn value(self, word: &[u8]) -> Option<u128> {
        if self == Self::Zeckendorf && word.windows(2).any(|pair| pair == [1, 1]) {
            return None;
        }
        let zeros = word.iter().take_while(|&&digit| digit == 0).count();
        let word = &word[zeros..];
        if word.len() > 180 {
            return None;
        }
        let value = word.iter().try_fold((0i128, 0i128), |(u, v), &digit| match self {
            Self::Base(base) => Some((u.checked_mul(base.into())?.checked_add(digit.into())?, 0)),
            Self::Zeckendorf => {
                let (u, v, digit) = (u, v, i128::from(digit));
                Some((v.checked_add(digit)?, u.checked_add(v)?.checked_add(2 * digit)?))
            }
        })?;
        u128::try_from(value.0).ok()
    }

    /// The word of a position: a letter holds one digit of each number, the first number's in the lowest
    /// place.
    pub fn letters(self, numbers: &[u128]) -> Vec<usize> {
        self.joined(&numbers.iter().map(|&number| self.word(number)).collect::<Vec<_>>())
    }

    /// The word of a position of any size.
    pub fn letters_of(self, numbers: &[BigUint]) -> Vec<usize> {
        self.joined(&numbers.iter().map(|number| self.word_of(number)).collect::<Vec<_>>())
    }

    fn joined(self, words: &[Vec<u8>]) -> Vec<usize> {
        let length = words.iter().map(Vec::len).max().unwrap_or(0);
        let digit = |word: &Vec<u8>, place: usize| match (place + word.len()).checked_sub(length) {
            Some(place) => usize::from(word[place]),
            None => 0,
        };
        (0..length)
            .map(|place| {
                words.iter().rev().fold(0, |letter, word| letter * self.digits() + digit(word, place))
            })
            .collect()
    }

    /// The shortest word for a number of any size.
    fn word_of(self, number: &BigUint) -> Vec<u8> {
        let digits = match self {
            Self::Base(base) => number.to_radix_be(base.into()),
            Self::Zeckendorf => {
                let mut weights = [1u8, 2].map(BigUint::from).to_vec();
                while weights[weights.len() - 1] <= *number {
                    weights.push(&weights[weights.len() - 1] + &weights[weights.len() - 2]);
                }
                let mut rest = number.clone();
                let greedy = |weight: &BigUint| {
                    let taken = rest >= *weight;
                    if taken {
                        rest -= weight;
                    }
                    u8::from(taken)
                };
                weights.iter().rev().map(greedy).collect()
            }
        };
        digits.into_iter().skip_while(|&digit| digit == 0).collect()
    }

    /// The position of any size that a word of numbers stands for.
    pub fn numbers_of(self, letters: &[usize], tracks: usize) -> Vec<BigUint> {
        let digits = self.digits();
        let number = |track: usize| {
            let place = digits.pow(track as u32);
            let digit = |letter: &usize| (letter / place % digits) as u8;
            letters.iter().map(digit).fold([0u8, 0].map(BigUint::from), |[u, v], digit| match self {
                Self::Base(base) => [u * base + digit, v],
                Self::Zeckendorf => [&v + digit, u + v + 2 * digit],
            })
        };
        (0..tracks).map(|track| number(track)[0].clone()).collect()
    }

    /// The position that a word stands for.
    pub fn numbers(self, letters: &[usize], tracks: usize) -> Option<Vec<u128>> {
        let digits = self.digits();
        (0..tracks)
            .map(|track| {
                let place = digits.pow(track as u32);
                let word: Vec<u8> = letters.iter().map(|letter| (letter / place % digits) as u8).collect();
                self.value(&word)
            })
            .collect()
    }
}

impl fmt::Display for Numeration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(base) => write!(f, "base-{base}"),
            Self::Zeckendorf => f.write_str("zeckendorf"),
        }
    }
}

impl FromStr for Numeration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let base = text.strip_prefix("base-").and_then(|base| base.parse().ok());
        match (text, base) {
            ("zeckendorf", _) => Ok(Self::Zeckendorf),
            (_, Some(base @ 2..=10)) => Ok(Self::Base(base)),
            _ => Err("digits are base-2 to base-10, or zeckendorf".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_inverse() {
        for numeration in [Numeration::Base(2), Numeration::Base(3), Numeration::Zeckendorf] {
            for number in (0..3000).chain([1 << 40, (1 << 64) + 12345]) {
                let word = numeration.word(number);
                assert_eq!(numeration.value(&word), Some(number));
                assert_ne!(word.first(), Some(&0));
            }
            let large = [BigUint::from(7u8).pow(300), BigUint::from(12345u16), BigUint::ZERO];
            assert_eq!(numeration.numbers_of(&numeration.letters_of(&large), 3), large);
            let position = [5, 0, 17];
            assert_eq!(
                numeration.letters(&position),
                numeration.letters_of(&position.map(BigUint::from)),
                "{numeration}"
            );
            assert_eq!(numeration.numbers(&numeration.letters(&position), 3), Some(position.to_vec()));
        }
        assert_eq!(Numeration::Zeckendorf.value(&[1, 1]), None);
    }
}
