//! The engine of nim-sequences.

use std::time::Instant;

use super::{Measurement, Settings, measurement, with_threads};
use crate::error::Result;
use crate::rules::OctalGame;
use crate::sweep::kernel::octal::{Engine, EngineOptions, Isa, Method};

/// Officers, 0.6, against the definition.
pub fn officers(settings: &Settings) -> Result<Measurement> {
    let game: OctalGame = "0.6".parse()?;
    let terms = if settings.quick { 1 << 17 } else { 1 << 20 };
    let threads = settings.threads;
    let seconds = with_threads(threads, || time(&game, terms, threads, Method::Auto))?;
    // The definition takes a time that grows with the square of the terms: compared on the same few terms.
    let few = 1 << 14;
    let naive = few as f64 / time(&game, few, 1, Method::Naive)?;
    let fast = few as f64 / time(&game, few, 1, Method::Auto)?;
    let what = format!("0.6 to {terms} terms, {threads} thread{}", if threads == 1 { "" } else { "s" });
    let mut done = measurement("octal-0.6", what, threads, terms as u64, 2 * terms as u64, seconds);
    let mut short = measurement("", String::new(), 1, few as u64, 2 * few as u64, few as f64 / fast);
    short = short.over(&format!("the definition, both on {few} terms and one thread"), naive, None);
    done.ratios.append(&mut short.ratios);
    Ok(done)
}

fn time(game: &OctalGame, terms: usize, threads: usize, method: Method) -> Result<f64> {
    let mut values = vec![0; terms];
    let started = Instant::now();
    Engine::new(game, EngineOptions { threads, isa: Isa::detect(), method }).extend(&mut values, 0)?;
    std::hint::black_box(&values);
    Ok(started.elapsed().as_secs_f64())
}
