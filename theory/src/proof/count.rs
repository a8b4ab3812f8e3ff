//! Exact numbers of P-positions from the monoid algebra of a proved quotient.
//!
//! Let `n_a` be the number of sizes `1..=N` with letter `a`. In the power series over the monoid algebra
//! `Z[Q]`, the product over all letters of `(1 - a z)^(-n_a)` has, at `z^K`, the number of multisets of `K`
//! heaps of sizes `1..=N` by class. Its logarithmic derivative gives
//!
//! `K F_K = sum over e = 1..K of s_e F_(K-e)`, with `s_e = sum over a of n_a a^e`,
//!
//! and `s_e` is periodic in `e` from the common index of the letters on, so running sums make a step
//! cost a bounded number of sparse products. For `K` beyond a bound that grows with `N` the number is a
//! quasi-polynomial in `K`, found exactly from the first values (docs/PROOFS.md, proposition 4).

use super::known::known_theorem;
use super::prove::Way;
use super::quotient::{Class, EMPTY_CLASS, Quotient};
use super::theorem::prove_local;
use crate::base::{Control, Error, Result};
use crate::game::Game;
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps};
use crate::sweep::{HeapJob, check_budget};
use crate::table::Quantity;
use num_bigint::{BigInt, BigUint};
use num_integer::lcm;
use std::collections::BTreeMap;

/// Most steps of the recurrence; each one holds a big number for every class.
const MAX_STEPS: u64 = 20_000;

/// Most heaps that can be asked for, so that index arithmetic stays within 64 bits.
const MAX_HEAP_COUNT: u64 = 1 << 62;

/// Positions of a table that is filled at once, before a theorem is looked for.
const SMALL_TABLE: u64 = 5_000_000;

/// The number of P-positions of `game` with exactly `heaps` heaps, each of size `1..=max`: from a theorem that
/// comes with the program, from a table, or from a quotient that is proved first.
pub fn count_of(game: &Game, heaps: u64, max: u64, control: &Control<'_>) -> Result<BigUint> {
    if let Some(theorem) = known_theorem(game) {
        return count_p_positions(&theorem.quotient, heaps, max);
    }
    if heaps == 0 {
        return Ok(u8::from(game.play() == Play::Normal).into());
    }
    let table = heap_job(game, heaps, max)?;
    let small =
        |job: &HeapJob| SortedHeaps::count(job.heaps, job.max).is_some_and(|count| count <= SMALL_TABLE);
    if let Some(job) = table.as_ref().filter(|job| small(job)) {
        return count_in_table(job, control);
    }
    if let Ok(Way::Quotient(local)) = Way::of(game, None)
        && let Some(theorem) = prove_local(&local, game.play(), control)?.theorem
    {
        return count_p_positions(&theorem.certificate.quotient, heaps, max);
    }
    match table {
        Some(job) => count_in_table(&job, control),
        None => Err(Error::Budget(format!(
            "{}: no finite quotient of it is proved, and a table of {heaps} heaps up to {max} is too large; ask for fewer heaps, or smaller ones",
            game.name()
        ))),
    }
}

/// The table of these positions; `None` where there are more than an index can number.
fn heap_job(game: &Game, heaps: u64, max: u64) -> Result<Option<HeapJob>> {
    match (usize::try_from(heaps), u32::try_from(max)) {
        (Ok(heaps), Ok(max)) if heaps <= MAX_HEAPS && SortedHeaps::count(heaps, max).is_some() => {
            HeapJob::new(game, heaps, max, Quantity::Outcomes).map(Some)
        }
        _ => Ok(None),
    }
}

fn count_in_table(job: &HeapJob, control: &Control<'_>) -> Result<BigUint> {
    check_budget(job, None, control.memory)?;
    let table = job.solve(None, control)?;
    let results = &table.manifest().results;
    let count = results.get("p_positions").and_then(|count| count.as_u64());
    count
        .map(BigUint::from)
        .ok_or_else(|| Error::Usage("the table does not count its P-positions: a bug".into()))
}

/// The number of P-positions with exactly `heaps` heaps, each of size `1..=max`.
///
/// `quotient` must have been proved; otherwise this counts accepted multisets only.
pub fn count_p_positions(quotient: &Quotient, heaps: u64, max: u64) -> Result<BigUint> {
    if heaps > MAX_HEAP_COUNT {
        return Err(Error::Usage(format!("{heaps} heaps: the number of heaps must be at most 2^62")));
    }
    if max == 0 && heaps > 0 {
        return Ok(BigUint::ZERO);
    }
    let powers = Powers::of(quotient);
    // Degree bound of the numerator, one factor for each size (docs/PROOFS.md, proposition 4).
    let numerator_degree = max.checked_mul((powers.index + powers.period - 1) as u64);
    let steps = numerator_degree.map_or(heaps, |degree| heaps.min(degree));
    if steps > MAX_STEPS {
        return Err(Error::Budget(format!(
            "counting {heaps} heaps up to {max} needs {steps} steps with numbers of many digits; the limit is {MAX_STEPS}: lower the number of heaps or the largest heap"
        )));
    }
    let accepted = accepted_counts(quotient, &powers, steps as usize, max);
    if heaps == steps {
        return Ok(accepted.into_iter().next_back().unwrap_or_default());
    }
    Ok(quasi_polynomial(&accepted, powers.period as u64, heaps, max))
}

/// Powers of the letters: `letter^e` for `e` up to the common index plus period.
struct Powers {
    /// From this exponent (at least 1) on, all letters repeat.
    index: usize,
    /// The least common period of the letters' powers.
    period: usize,
    /// `power[letter][e]` is the class of `letter^e`, for `e < index + period`.
    power: Vec<Vec<Class>>,
}

impl Powers {
    fn of(quotient: &Quotient) -> Self {
        let (mut index, mut period) = (1, 1);
        for letter in 1..quotient.letters().count() {
            let mut seen = vec![EMPTY_CLASS];
            let repeat = loop {
                let next = quotient.add_letter(seen[seen.len() - 1], letter);
                if let Some(first) = seen.iter().position(|&class| class == next) {
                    break first;
                }
                seen.push(next);
            };
            index = index.max(repeat);
            period = lcm(period, seen.len() - repeat);
        }
        let power = (0..quotient.letters().count())
            .map(|letter| {
                let mut class = EMPTY_CLASS;
                let mut powers = Vec::with_capacity(index + period);
                for _ in 0..index + period {
                    powers.push(class);
                    class = quotient.add_letter(class, letter);
                }
                powers
            })
            .collect();
        Self { index, period, power }
    }
}

/// The number of sizes `1..=max` with each letter.
fn sizes_per_letter(quotient: &Quotient, max: u64) -> Vec<u64> {
    let letters = quotient.letters();
    (0..letters.count() as u64)
        .map(|letter| match letter {
            0 => 0,
            _ if letter > max => 0,
            _ if letter < letters.threshold() => 1,
            _ => (max - letter) / letters.period() + 1,
        })
        .collect()
}

/// `s_e` as a sparse element of the algebra: products with its classes are looked up in `rows`.
struct Sparse {
    terms: Vec<(Vec<Class>, u64)>,
}

impl Sparse {
    fn new(quotient: &Quotient, powers: &Powers, sizes: &[u64], exponent: usize) -> Self {
        let mut weights: BTreeMap<Class, u64> = BTreeMap::new();
        for (letter, &count) in sizes.iter().enumerate().filter(|&(_, &count)| count > 0) {
            *weights.entry(powers.power[letter][exponent]).or_default() += count;
        }
        let product = |class: Class| {
            (0..quotient.classes() as Class).map(|left| quotient.multiply(left, class)).collect()
        };
        Self { terms: weights.into_iter().map(|(class, weight)| (product(class), weight)).collect() }
    }

    /// Adds the product with `vector` to `sum`.
    fn multiply_add(&self, vector: &[BigUint], sum: &mut [BigUint]) {
        for (products, weight) in &self.terms {
            for (value, &to) in vector.iter().zip(products) {
                if *value != BigUint::ZERO {
                    sum[to as usize] += value * *weight;
                }
            }
        }
    }
}

/// For every number of heaps `0..=steps`, the number of accepted multisets over the sizes `1..=max`.
fn accepted_counts(quotient: &Quotient, powers: &Powers, steps: usize, max: u64) -> Vec<BigUint> {
    let sizes = sizes_per_letter(quotient, max);
    let classes = quotient.classes();
    let zero = || vec![BigUint::ZERO; classes];
    let accepted = |vector: &[BigUint]| -> BigUint {
        vector.iter().zip(0..).filter(|&(_, class)| quotient.accepts(class)).map(|(count, _)| count).sum()
    };
    // s_1 .. s_(index-1), then one whole period from the index on.
    let sparse: Vec<Sparse> =
        (1..powers.index + powers.period).map(|e| Sparse::new(quotient, powers, &sizes, e)).collect();
    let mut first = zero();
    first[EMPTY_CLASS as usize] = BigUint::from(1u8);
    let mut counts = vec![accepted(&first)];
    // The last `index` vectors, newest first, and the running sums by distance from the index modulo period.
    let mut recent = vec![first];
    let mut running = vec![zero(); powers.period];
    for k in 1..=steps {
        running.rotate_right(1);
        if k >= powers.index {
            for (sum, value) in running[0].iter_mut().zip(&recent[powers.index - 1]) {
                *sum += value;
            }
        }
        let mut next = zero();
        for e in 1..powers.index.min(k + 1) {
            sparse[e - 1].multiply_add(&recent[e - 1], &mut next);
        }
        for (offset, sum) in running.iter().enumerate() {
            sparse[powers.index - 1 + offset].multiply_add(sum, &mut next);
        }
        for count in &mut next {
            *count /= k as u64;
        }
        counts.push(accepted(&next));
        recent.insert(0, next);
        recent.truncate(powers.index);
    }
    counts
}

/// The count for `heaps` beyond the values given, which reach to the degree of the numerator.
fn quasi_polynomial(counts: &[BigUint], period: u64, heaps: u64, max: u64) -> BigUint {
    // numerator = series * (1 - z^period)^max, up to its degree.
    let degree = counts.len() - 1;
    let mut signed = Vec::with_capacity(degree / period as usize + 1);
    let mut binomial = BigInt::from(1u8);
    for i in 0..=degree as u64 / period {
        signed.push(binomial.clone());
        // C(max, i + 1) with alternating sign; it vanishes beyond max.
        binomial = if i < max { -binomial * (max - i) / (i + 1) } else { BigInt::ZERO };
    }
    let mut total = BigInt::ZERO;
    let mut power = None;
    // C((heaps - j) / period + max - 1, max - 1) for j = heaps mod period, + period, ...
    for j in (0..=degree as u64).filter(|j| j % period == heaps % period).rev() {
        let quotient = (heaps - j) / period;
        // Going down in j the upper index grows by one: C(n + 1, k) = C(n, k) (n + 1) / (n + 1 - k).
        let ways = match power.take() {
            None => binomial_big(quotient + max - 1, max - 1),
            Some(previous) => {
                let upper: BigInt = BigInt::from(quotient + max - 1);
                previous * upper / quotient
            }
        };
        let coefficient: BigInt = signed
            .iter()
            .zip((0..=j).rev().step_by(period as usize))
            .map(|(sign, index)| sign * BigInt::from(counts[index as usize].clone()))
            .sum();
        total += &coefficient * &ways;
        power = Some(ways);
    }
    total.to_biguint().unwrap_or_default()
}

fn binomial_big(n: u64, k: u64) -> BigInt {
    let k = k.min(n - k);
    (1..=k).fold(BigInt::from(1u8), |product, i| product * (n - k + i) / i)
}
