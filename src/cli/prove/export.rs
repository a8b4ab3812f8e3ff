//! What else is written of a theorem by automata: pictures, files for Walnut, and words.

use std::path::Path;

use super::{Asked, Work};
use crate::base::{Error, Result, files};
use crate::proof::automata::{DecidedTheorem, picture};
use crate::proof::describe;

/// Refuses what cannot be written before any work is done.
pub fn check(asked: &Asked) -> Result<()> {
    for path in &asked.automata.picture {
        kind(path)?;
        files::check_output(path)?;
    }
    Ok(())
}

/// Writes what was asked for; returns the theorem in words, where there are such.
pub fn write(work: &Work<'_>, theorem: &DecidedTheorem) -> Result<Vec<String>> {
    let &Work { asked, ref control, .. } = work;
    let title = format!("{}, at most {} heaps: the P-positions", asked.title(), theorem.heaps());
    for path in &asked.automata.picture {
        let text = match kind(path)? {
            Kind::Dot => picture::dot(&theorem.sets[0], &title),
            Kind::Svg => picture::svg(&theorem.sets[0], &title)?,
        };
        files::save(path, text.as_bytes())?;
    }
    if let Some(folder) = &asked.automata.walnut {
        let mut name: String =
            asked.title().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        name = name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
        name = format!("nw_{}_{}", &name[..name.len().min(40)], theorem.heaps());
        let walnut = theorem.for_walnut(&name)?;
        for (name, text) in &walnut.automata {
            save(&folder.join("Automata Library"), name, text)?;
        }
        save(&folder.join("Command Files"), &name, &walnut.commands)?;
    }
    describe::automata::words(theorem, control)
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(Error::io("cannot make", folder))?;
    files::save(&folder.join(format!("{name}.txt")), text.as_bytes())
}

enum Kind {
    Dot,
    Svg,
}

fn kind(path: &Path) -> Result<Kind> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(Kind::Dot),
        Some("svg") => Ok(Kind::Svg),
        _ => Err(Error::Usage(format!("{}: a picture ends in .dot or .svg", path.display()))),
    }
}
