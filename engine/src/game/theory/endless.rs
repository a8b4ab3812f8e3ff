//! Arithmetic periods of endless codes without splits, proved by a state that recurs.
//!
//! Let every digit be 0 or 3, and let the digits from index h on repeat with length L. The moves by repeating
//! digits from n leave the values of a set that depends on n modulo L and only grows (docs/PROOFS.md, "Codes
//! beyond octal games"). If at n1 and at n2 = n1 + P, L a divisor of P, the last h + L − 1 values at n2 are
//! those at n1 plus S, and each of the L sets at n2 is that at n1 moved by S with 0, …, S − 1 added, then
//! G(n + P) = G(n) + S for all n ≥ n1.

use num_integer::Integer;

use super::guy_smith::{Drift, observed};
use crate::rules::OctalGame;

/// Whether the theorem speaks about `game`.
pub fn covers(game: &OctalGame) -> bool {
    game.repeating() > 0 && game.digits().iter().all(|&bits| bits == 0 || bits == 3)
}

/// The arithmetic period of `game` that its values so far prove, if they do.
pub fn proved_drift(game: &OctalGame, values: &[u16]) -> Option<Drift> {
    if !covers(game) {
        return None;
    }
    let seen = observed(values)?;
    let length = game.repeating();
    let period = seen.period.lcm(&length);
    let saltus = usize::try_from(seen.saltus).ok()?.checked_mul(period / seen.period)?;
    let later = values.len();
    let earlier = later.checked_sub(period)?;
    // The values between the preperiod and the state say that the shorter period holds before it, too.
    if earlier < seen.preperiod + seen.period || earlier < window(game) {
        return None;
    }
    let same_window = (1..=window(game))
        .all(|k| usize::from(values[later - k]) == usize::from(values[earlier - k]) + saltus);
    let (before, after) = (sets(game, &values[..earlier]), sets(game, values));
    let moved = |from: &Vec<bool>, to: &Vec<bool>| {
        let has = |set: &Vec<bool>, value: usize| set.get(value) == Some(&true);
        let most = to.len().max(from.len() + saltus);
        (0..most).all(|value| has(to, value) == (value < saltus || has(from, value - saltus)))
    };
    let same_sets = before.iter().zip(&after).all(|(from, to)| moved(from, to));
    (same_window && same_sets).then_some(seen)
}

/// How many of the last values the next ones depend on.
fn window(game: &OctalGame) -> usize {
    // The last index is h + L − 1.
    game.last_index()
}

/// The sets of values that the moves by repeating digits leave, one for each class modulo the length of the block,
/// as they stand before the next heap.
fn sets(game: &OctalGame, values: &[u16]) -> Vec<Vec<bool>> {
    let (last, length) = (game.last_index(), game.repeating());
    let mut sets = vec![Vec::new(); length];
    for n in 0..values.len() {
        for taken in last + 1 - length..=last.min(n) {
            if game.digit(taken as u64).bits != 0 {
                let (set, value): (&mut Vec<bool>, _) =
                    (&mut sets[n % length], usize::from(values[n - taken]));
                if set.len() <= value {
                    set.resize(value + 1, false);
                }
                set[value] = true;
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(game: &OctalGame, terms: u64) -> Vec<u16> {
        let mut values: Vec<u16> = Vec::new();
        for n in 0..terms {
            let mut options = vec![false; terms as usize + 1];
            game.each_option(n, u64::MAX, &mut |parts| {
                options[parts.first().map_or(0, |&part| usize::from(values[part as usize]))] = true;
            });
            values.push(options.iter().position(|&option| !option).unwrap() as u16);
        }
        values
    }

    #[test]
    fn a_proved_drift_goes_on() {
        for (code, period, saltus) in [
            ("0.[3]", 1, 1),
            ("all-but 1,2,3", 4, 1),
            ("0.[03]", 2, 1),
            ("all-but 1", 2, 1),
            ("0.3[0...]", 0, 0),
        ] {
            let game = OctalGame::read(code).unwrap();
            let values = values(&game, 200);
            let found = proved_drift(&game, &values);
            assert_eq!(
                found.map_or((0, 0), |drift| (drift.period, drift.saltus)),
                (period, saltus),
                "{code}"
            );
        }
        for set in [vec![2], vec![1, 3], vec![2, 3, 7], vec![1, 4, 6], vec![3, 5]] {
            let game = OctalGame::all_but(&set).unwrap();
            let values = values(&game, 900);
            let Some(drift) = proved_drift(&game, &values[..300]) else { panic!("{set:?}") };
            for n in drift.preperiod..900 - drift.period {
                assert_eq!(
                    i64::from(values[n + drift.period]),
                    i64::from(values[n]) + drift.saltus,
                    "{set:?} {n}"
                );
            }
        }
    }

    #[test]
    fn a_drift_that_is_seen_but_whose_state_does_not_recur_is_not_proved() {
        let game = OctalGame::all_but(&[1, 2, 3]).unwrap();
        let right = values(&game, 100);
        assert!(proved_drift(&game, &right).is_some());
        // The same drift, with a value left out: the sets are not moved by the saltus.
        let wrong: Vec<u16> = right.iter().map(|&value| if value == 0 { 0 } else { value + 1 }).collect();
        assert!(observed(&wrong).is_some() && proved_drift(&game, &wrong).is_none());
        assert!(proved_drift(&OctalGame::read("0.[7]").unwrap(), &right).is_none());
    }
}
