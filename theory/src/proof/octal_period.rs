//! Periods of nim-sequences: proved by the theorem of Guy and Smith, with certificates that
//! `scripts/check_period.py` checks without this program.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::analysis::{PeriodRun, PeriodSearch};
use crate::base::{Control, Error, Result, files};
use crate::game::theory::guy_smith::{Drift, Period};
use crate::game::theory::hexadecimal::{self, Proof};
use crate::game::theory::regularity::{Regularity, Theorem};
use crate::rules::OctalGame;

/// Runs the sequence until its period or its arithmetic period is proved, or a limit of `search` is reached.
pub fn prove_regularity(
    search: &PeriodSearch,
    control: &Control<'_>,
) -> Result<(PeriodRun, Option<Regularity>)> {
    let mut proved = None;
    let run = search.run(control, &mut |values| {
        proved = Regularity::proved(&search.game, values);
        proved.is_some()
    })?;
    Ok((run, proved))
}

/// The last heap n with G(n + p) ≠ G(n) + s. The theorem asks for a preperiod of at least 1, so a sequence that
/// is periodic from heap 0 on has none.
pub fn last_exception(Drift { preperiod, period, saltus }: Drift, values: &[u16]) -> Option<usize> {
    let goes_on = |n: usize| i64::from(values[n]) + saltus == i64::from(values[n + period]);
    preperiod.checked_sub(1).filter(|&n| !goes_on(n))
}

/// What is needed to check a period or an arithmetic period: the code, the numbers of the theorem, and values.
#[derive(Debug, Clone)]
pub struct PeriodCertificate<'a> {
    game: &'a OctalGame,
    drift: Drift,
    facts: Facts,
    /// Those that the theorem needs, and no more.
    values: &'a [u16],
}

/// What a theorem needs beside the values.
#[derive(Debug, Clone)]
enum Facts {
    /// The mask makes checking the values fast. Any mask is sound; 0 makes all values rare.
    Period { mask: u32 },
    /// The multiples of the period and of the saltus, and n1, of the theorem.
    Finite { times: usize, multiple: usize, from: usize },
    /// The digits that repeat at the end of the code.
    Endless { repeating: usize },
}

impl<'a> PeriodCertificate<'a> {
    /// The certificate of what the values of `run` prove.
    pub fn new(game: &'a OctalGame, proved: Regularity, run: &'a PeriodRun) -> Self {
        let Regularity { drift, theorem } = proved;
        let values = &run.values[..];
        let (facts, values) = match theorem {
            Theorem::GuySmith => {
                let mask =
                    run.split.filter(|split| split.by_position.is_none()).map_or(0, |split| split.mask);
                let Drift { preperiod, period, .. } = drift;
                let needed = Period { preperiod, period }.terms_needed_for(game);
                (Facts::Period { mask }, &values[..needed])
            }
            Theorem::Arithmetic => {
                let Proof { times, multiple, from, terms, .. } =
                    hexadecimal::prove(game, values).expect("the values prove it");
                (Facts::Finite { times, multiple, from }, &values[..terms])
            }
            Theorem::Endless => (Facts::Endless { repeating: game.repeating() }, values),
        };
        Self { game, drift, facts, values }
    }

    fn written(&self) -> Written<'_> {
        let mut written = Written {
            code: self.game.to_string(),
            digits: self.game.digits(),
            format: "nimwave-octal-period",
            from: None,
            last_index: self.game.last_index(),
            mask: None,
            multiple: None,
            period: self.drift.period,
            preperiod: self.drift.preperiod,
            repeating: None,
            saltus: Some(self.drift.saltus),
            times: None,
            values: self.values,
            version: 1,
        };
        match self.facts {
            Facts::Period { mask } => (written.mask, written.saltus) = (Some(mask), None),
            Facts::Finite { times, multiple, from } => {
                written.format = "nimwave-arithmetic-period";
                (written.times, written.multiple, written.from) = (Some(times), Some(multiple), Some(from));
            }
            Facts::Endless { repeating } => {
                written.format = "nimwave-endless-arithmetic-period";
                written.repeating = Some(repeating);
            }
        }
        written
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

/// The fields of a certificate; each format has those of its theorem.
#[derive(Serialize)]
struct Written<'a> {
    code: String,
    digits: &'a [u8],
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    last_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multiple: Option<usize>,
    period: usize,
    preperiod: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeating: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saltus: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<usize>,
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
