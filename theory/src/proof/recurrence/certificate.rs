//! What others need to check a recurring state: the conditions' numbers, and snapshots from which any stretch can
//! be made again.

use std::path::Path;

use serde_json::json;

use super::cover::SMALL;
use super::{Recurrence, Recurring};
use crate::base::{Result, files};

impl Recurring {
    /// The certificate as JSON, on one line. A window is two hexadecimal digits per index.
    pub fn to_json(&self, search: &Recurrence) -> String {
        let window = |indices: &[u8]| indices.iter().map(|index| format!("{index:02x}")).collect::<String>();
        let object = json!({
            "format": "nimwave-octal-recurrence",
            "version": 1,
            "code": self.state.code,
            "digits": search.game.digits(),
            "preperiod": self.preperiod,
            "period": self.period,
            "recurs_from": self.recurs_from,
            "checked": self.checked,
            "mask": self.state.mask,
            "parity": self.state.parity,
            "rare": self.state.rare,
            "opening": self.state.opening,
            "small": SMALL,
            "snapshots": self.state.snapshots.iter().map(|snapshot| {
                json!([snapshot.at, window(&snapshot.window)])
            }).collect::<Vec<_>>(),
        });
        object.to_string() + "\n"
    }

    /// Writes the certificate to the output `path`, see [`files::save`], and returns its BLAKE3.
    pub fn write(&self, search: &Recurrence, path: &Path) -> Result<String> {
        let text = self.to_json(search);
        files::save(path, text.as_bytes())?;
        Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
    }
}
