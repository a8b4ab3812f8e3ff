//! Octal games by the definition, for the claims that compare another game with one.

use crate::base::Mex;
use crate::rules::OctalGame;

/// G(0), ..., G(count - 1) of the octal game with this code. The codes of the claims are our own, so one that
/// cannot be read is a bug.
pub(crate) fn octal_values(code: &str, count: usize) -> Vec<u32> {
    let game: OctalGame = code.parse().unwrap_or_else(|error| unreachable!("{error}"));
    let mut values: Vec<u32> = Vec::with_capacity(count);
    for n in 0..count {
        let mut seen = Mex::default();
        game.options_of_heap(n as u64, &mut |a, b| seen.insert(values[a as usize] ^ values[b as usize]));
        values.push(seen.least());
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kayles_starts_as_everyone_knows() {
        assert_eq!(octal_values("0.77", 12), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]);
    }
}
