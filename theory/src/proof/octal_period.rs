//! Periods of nim-sequences: proved by the theorem of Guy and Smith, with certificates that
//! `scripts/check_period.py` checks without this program.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::analysis::{PeriodRun, PeriodSearch};
use crate::base::{Control, Error, Result, files};
use crate::game::theory::endless::proved_drift;
use crate::game::theory::guy_smith::{Drift, Period, proved_period};
use crate::game::theory::hexadecimal;
use crate::rules::OctalGame;

/// Runs the sequence until its period is proved or a limit of `search` is reached.
pub fn prove_period(search: &PeriodSearch, control: &Control<'_>) -> Result<(PeriodRun, Option<Period>)> {
    let mut proved = None;
    let run = search.run(control, &mut |values| {
        proved = proved_period(&search.game, values);
        proved.is_some()
    })?;
    Ok((run, proved))
}

/// Runs the sequence of a finite code until its period or its arithmetic period is proved or a limit of `search` is
/// reached. A saltus of 0 is a period by the theorem of Guy and Smith.
pub fn prove_regularity(search: &PeriodSearch, control: &Control<'_>) -> Result<(PeriodRun, Option<Drift>)> {
    let mut proved = None;
    let run = search.run(control, &mut |values| {
        proved = proved_period(&search.game, values)
            .map(|Period { preperiod, period }| Drift { preperiod, period, saltus: 0 })
            .or_else(|| hexadecimal::proved_drift(&search.game, values));
        proved.is_some()
    })?;
    Ok((run, proved))
}

/// Runs the sequence of an endless code until its arithmetic period is proved or a limit of `search` is reached.
pub fn prove_drift(search: &PeriodSearch, control: &Control<'_>) -> Result<(PeriodRun, Option<Drift>)> {
    let mut proved = None;
    let run = search.run(control, &mut |values| {
        proved = proved_drift(&search.game, values);
        proved.is_some()
    })?;
    Ok((run, proved))
}

/// The last heap n with G(n + p) ≠ G(n). The theorem asks for a preperiod of at least 1, so a sequence that
/// is periodic from heap 0 on has none.
pub fn last_exception(Period { preperiod, period }: Period, values: &[u16]) -> Option<usize> {
    Some(preperiod - 1).filter(|&n| values[n] != values[n + period])
}

/// What is needed to check a period: the code, the numbers of the theorem, the values, and a mask that makes
/// checking the values fast.
#[derive(Debug, Clone)]
pub struct PeriodCertificate<'a> {
    game: &'a OctalGame,
    period: Period,
    /// Any mask is sound; 0 makes all values rare.
    mask: u32,
    /// The values that the theorem needs, and no more.
    values: &'a [u16],
}

impl<'a> PeriodCertificate<'a> {
    /// The certificate of a period that the values of `run` prove.
    pub fn new(game: &'a OctalGame, period: Period, run: &'a PeriodRun) -> Self {
        let mask = run.split.filter(|split| split.by_position.is_none()).map_or(0, |split| split.mask);
        Self { game, period, mask, values: &run.values[..period.terms_needed_for(game)] }
    }

    fn written(&self) -> Written<'_> {
        Written {
            code: self.game.to_string(),
            digits: self.game.digits(),
            format: "nimwave-octal-period",
            last_index: self.game.last_index(),
            mask: self.mask,
            period: self.period.period,
            preperiod: self.period.preperiod,
            values: self.values,
            version: 1,
        }
    }

    /// The certificate as JSON, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.written()).expect("a certificate is plain data") + "\n"
    }

    /// Writes the certificate to the output `path`, see [`files::save`], as JSON on one line; returns its BLAKE3. It is
    /// made while it is written: that of a large period has hundreds of millions of values.
    pub fn write(&self, path: &Path) -> Result<String> {
        let object = self.written();
        let mut hash = blake3::Hasher::new();
        files::save_with(path, &mut |out| {
            hash.reset();
            let mut both = Both { out, hash: &mut hash };
            serde_json::to_writer(&mut both, &object)
                .map_err(std::io::Error::from)
                .and_then(|()| both.write_all(b"\n"))
                .map_err(Error::io("cannot write", path))
        })?;
        Ok(hash.finalize().to_hex().to_string())
    }
}

/// The fields of a certificate.
#[derive(Serialize)]
struct Written<'a> {
    code: String,
    digits: &'a [u8],
    format: &'a str,
    last_index: usize,
    mask: u32,
    period: usize,
    preperiod: usize,
    values: &'a [u16],
    version: u32,
}

/// Hashes what is written.
struct Both<'a> {
    out: &'a mut dyn Write,
    hash: &'a mut blake3::Hasher,
}

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
