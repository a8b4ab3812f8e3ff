//! Certificates of proved quotients, which `scripts/check_misere.py` checks without this program.

use std::path::Path;

use serde_json::json;

use super::monoid::IDENTITY;
use super::solve::{Period, Solution, heaps_needed};
use crate::base::{Error, Result, files};
use crate::proof::Malformed;
use crate::proof::quotient::{Class, Letters, Quotient};

impl Solution {
    /// The certificate as JSON, on one line; only a proved quotient has one.
    pub fn certificate(&self) -> Result<String> {
        let Some(found @ Period { preperiod, period }) = self.period() else {
            return Err(Error::Usage(
                "only a quotient that is proved for all heaps has a certificate".into(),
            ));
        };
        let heaps = heaps_needed(&self.game, found);
        let names: Vec<String> = self.monoid.elements().map(|x| self.presentation.name(x)).collect();
        let product: Vec<_> = self.monoid.elements().map(|x| self.monoid.row(x)).collect();
        let object = json!({
            "format": "nimwave-misere-quotient",
            "version": 1,
            "code": self.game.to_string(),
            "digits": self.game.digits(),
            "play": "misere",
            "preperiod": preperiod,
            "period": period,
            "heaps": heaps,
            "order": self.monoid.order(),
            "elements": names,
            "p_portion": self.monoid.p_portion(),
            "pretending": &self.elements[..=heaps],
            "generators": self.presentation.generators,
            "relations": self.presentation.relation_names(),
            "product": product,
        });
        Ok(object.to_string() + "\n")
    }

    /// Writes the certificate to the output `path`, see [`files::save`].
    pub fn write_certificate(&self, path: &Path) -> Result<()> {
        files::save(path, self.certificate()?.as_bytes())
    }

    /// A proved quotient in the form in which [`crate::proof::finite_check`] checks it once more: classes
    /// are numbered by a search in breadth from the empty position.
    pub(crate) fn as_quotient(&self) -> Result<Option<Quotient>, Malformed> {
        let Some(Period { preperiod, period }) = self.period() else { return Ok(None) };
        let letters = Letters::new(preperiod as u64, period as u64)?;
        let mut class_of: Vec<Option<Class>> = vec![None; self.monoid.order()];
        class_of[IDENTITY as usize] = Some(0);
        let (mut found, mut representatives) = (vec![IDENTITY], vec![Vec::new()]);
        let mut rows = Vec::new();
        while rows.len() < found.len() {
            let (x, heaps): (_, Vec<u64>) = (found[rows.len()], representatives[rows.len()].clone());
            let mut row = vec![rows.len() as Class];
            for letter in 1..letters.count() {
                let y = self.monoid.times(x, self.elements[letter]);
                let class = *class_of[y as usize].get_or_insert_with(|| {
                    let mut heaps = [&heaps[..], &[letter as u64]].concat();
                    heaps.sort_unstable();
                    representatives.push(heaps);
                    found.push(y);
                    (found.len() - 1) as Class
                });
                row.push(class);
            }
            rows.push(row);
        }
        let accepted = found.iter().map(|&x| self.monoid.is_p(x)).collect();
        Quotient::new(letters, &rows, accepted, representatives).map(Some)
    }
}
