//! Nim-sequences and their periods.

use nimwave::analysis::PeriodSearch;
use nimwave::base::machine::check_memory;
use nimwave::proof::octal_period::{PeriodCertificate, last_exception, prove_regularity};
use nimwave::rules::OctalGame;
use nimwave::sweep::{check_budget, maximum};
use nimwave::{Job, OctalJob, Result};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use serde_json::json;

use crate::errors::raised;
use crate::watch::Limits;

/// The values of the heaps 0, 1, ..., terms - 1, and the bytes of each.
#[pyfunction]
pub fn octal<'py>(
    py: Python<'py>,
    code: &str,
    terms: u64,
    limits: Limits,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    let game: OctalGame = code.parse().map_err(raised)?;
    let memory = limits.memory();
    let table = limits.watch(py, false, move |control| {
        let job = OctalJob::new(game, terms);
        check_budget(&job, None, memory)?;
        // The values are handed over as a copy.
        check_memory(job.file_bytes()?.saturating_mul(2), memory, "ask for fewer terms")?;
        job.solve(None, control)
    })?;
    let (cells, width) =
        (table.cells(), if table.manifest().width == nimwave::table::Width::U16 { 2 } else { 1 });
    let array = PyByteArray::new_with(py, terms as usize * width, |bytes| {
        for (heap, value) in (0..).zip(bytes.chunks_exact_mut(width)) {
            value.copy_from_slice(&cells.get(heap).to_le_bytes()[..width]);
        }
        Ok(())
    })?;
    Ok((array, width))
}

/// What `terms` terms say about the period of an octal game, as JSON, and the certificate where it is proved.
#[pyfunction]
pub fn period(py: Python<'_>, code: &str, terms: u64, limits: Limits) -> PyResult<(String, Option<String>)> {
    let game: OctalGame = code.parse().map_err(raised)?;
    let memory = limits.memory();
    limits.watch(py, false, move |control| period_within(&game, terms, memory, control))
}

fn period_within(
    game: &OctalGame,
    terms: u64,
    memory: Option<u64>,
    control: &nimwave::Control<'_>,
) -> Result<(String, Option<String>)> {
    // Two bytes per value, and four more while a period is looked for.
    check_memory(terms.saturating_mul(6), memory, "ask for fewer terms")?;
    control.observer.begin(terms, terms, 0);
    let search = PeriodSearch {
        game: game.clone(),
        most_terms: terms,
        most_time: control.remaining(),
        engine: OctalJob::new(game.clone(), terms).engine,
    };
    let (run, proved) = prove_regularity(&search, &nimwave::Control { deadline: None, ..*control })?;
    let (max_value, max_at) = maximum(&run.values);
    let facts = json!({
        "code": game.to_string(),
        "proved": proved.is_some(),
        "preperiod": proved.map(|found| found.drift.preperiod),
        "period": proved.map(|found| found.drift.period),
        "last_exception": proved.and_then(|found| last_exception(found.drift, &run.values)),
        "max_value": max_value,
        "max_at": max_at,
        "terms": run.values.len(),
        "seconds": run.seconds,
    });
    let certificate = proved.map(|found| PeriodCertificate::new(game, found, &run).to_json());
    Ok((facts.to_string(), certificate))
}
