//! Periods of nim-sequences: proved by the theorem of Guy and Smith, with certificates that
//! `scripts/check_period.py` checks without this program.

use std::path::Path;

use serde_json::json;

use crate::analysis::{PeriodRun, PeriodSearch};
use crate::base::{Control, Result, files};
use crate::game::theory::guy_smith::{Period, proved_period};
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
        Self { game, period, mask, values: &run.values[..period.terms_needed(game.last_index())] }
    }

    /// The certificate as JSON, on one line.
    pub fn to_json(&self) -> String {
        let object = json!({
            "format": "nimwave-octal-period",
            "version": 1,
            "code": self.game.to_string(),
            "digits": self.game.digits(),
            "preperiod": self.period.preperiod,
            "period": self.period.period,
            "last_index": self.game.last_index(),
            "mask": self.mask,
            "values": self.values,
        });
        object.to_string() + "\n"
    }

    /// Writes the certificate to the output `path`, see [`files::save`].
    pub fn write(&self, path: &Path) -> Result<()> {
        files::save(path, self.to_json().as_bytes())
    }
}
