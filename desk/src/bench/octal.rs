//! The engine of nim-sequences.

use std::time::Instant;

use super::{Measurement, Settings, measurement, with_threads};
use crate::base::{Isa, Result};
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{Engine, EngineOptions, Method};

/// Officers, 0.6: few rare heaps.
pub fn officers(settings: &Settings) -> Result<Measurement> {
    let sizes = if settings.quick { (1 << 17, 1 << 15) } else { (1 << 22, 1 << 18) };
    case("octal-0.6", "0.6", sizes, settings)
}

/// 0.007: rare heaps keep coming.
pub fn many_rare(settings: &Settings) -> Result<Measurement> {
    let sizes = if settings.quick { (1 << 15, 1 << 15) } else { (1 << 17, 1 << 16) };
    case("octal-0.007", "0.007", sizes, settings)
}

/// Times `terms` terms, and compares with two scalar loops on terms that they can reach: the definition,
/// whose time grows with the square of the terms, and the plain sparse-space loop, the algorithm of the
/// published solvers.
fn case(name: &str, code: &str, (terms, few): (usize, usize), settings: &Settings) -> Result<Measurement> {
    let game: OctalGame = code.parse()?;
    let threads = settings.threads;
    let (seconds, _) = with_threads(threads, || time(&game, terms, threads, Method::Auto))?;
    let what = format!("{code} to {terms} terms, {threads} thread{}", if threads == 1 { "" } else { "s" });
    let done = measurement(name, what, threads, terms as u64, 2 * terms as u64, seconds);
    let (naive, _) = time(&game, 1 << 14, 1, Method::Naive)?;
    let (fast, mask) = time(&game, few, 1, Method::Auto)?;
    let started = Instant::now();
    std::hint::black_box(plain_sparse_space(&game, few, mask));
    let plain = started.elapsed().as_secs_f64();
    let mut short = measurement("", String::new(), 1, few as u64, 2 * few as u64, fast);
    short = short.over(
        &format!("the plain sparse-space loop, both to {few} terms"),
        few as f64 / plain,
        Some(5.0),
    );
    let (fast, _) = time(&game, 1 << 14, 1, Method::Auto)?;
    let mut shorter = measurement("", String::new(), 1, 1 << 14, 1 << 15, fast);
    shorter = shorter.over("the definition, both to 16384 terms", f64::from(1 << 14) / naive, None);
    Ok(Measurement { ratios: short.ratios.into_iter().chain(shorter.ratios).collect(), ..done })
}

/// The seconds of a run, and the mask of its split.
fn time(game: &OctalGame, terms: usize, threads: usize, method: Method) -> Result<(f64, u32)> {
    let mut values = vec![0; terms];
    let started = Instant::now();
    let mut engine = Engine::new(game, EngineOptions { threads, isa: Isa::detect(), method });
    engine.extend(&mut values, 0)?;
    std::hint::black_box(&values);
    Ok((started.elapsed().as_secs_f64(), engine.split().map_or(1, |split| split.mask)))
}

/// The sequence by rare and common values, heap by heap: for each heap the pairs with a rare part give the
/// least common value that is no option; then each smaller rare value is searched for.
fn plain_sparse_space(game: &OctalGame, terms: usize, mask: u32) -> Vec<u16> {
    let is_rare = |value: u16| (u32::from(value) & mask).count_ones() % 2 == 0;
    let (splits, ones, whole) = (game.splitting(), game.leaving_one(), game.leaving_none());
    let mut values: Vec<u16> = Vec::with_capacity(terms);
    let mut rares: Vec<usize> = Vec::new();
    let mut seen = vec![usize::MAX; 1 << 16];
    for n in 0..terms {
        if whole.contains(&n) && n > 0 {
            seen[0] = n;
        }
        for &i in ones.iter().filter(|&&i| i < n) {
            seen[values[n - i] as usize] = n;
        }
        for &i in &splits {
            for &rare in rares.iter().take_while(|&&rare| rare + i < n) {
                seen[(values[rare] ^ values[n - i - rare]) as usize] = n;
            }
        }
        let is_option = |value: u16| {
            splits.iter().filter(|&&i| i + 1 < n).any(|&i| {
                let half = (n - i) / 2;
                (1..=half).any(|a| values[a] ^ values[n - i - a] == value)
            })
        };
        let free = |&value: &u16| seen[value as usize] != n && !(is_rare(value) && is_option(value));
        let value = (0..=u16::MAX).find(free).unwrap_or(u16::MAX);
        values.push(value);
        if n > 0 && is_rare(value) {
            rares.push(n);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::kernel::octal::naive_sequence;

    #[test]
    fn the_plain_loop_is_right_with_any_mask() {
        for (code, mask) in [("0.6", 494), ("0.007", 440), ("0.77", 3), ("4.7", 1), ("0.1337", 2)] {
            let game: OctalGame = code.parse().unwrap();
            assert_eq!(plain_sparse_space(&game, 900, mask), naive_sequence(&game, 900).unwrap(), "{code}");
        }
    }
}
