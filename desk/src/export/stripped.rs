//! Looking a sequence up in the file `stripped` of the OEIS: a line per entry, "A002186 ,0,1,2,3,1,4,3,2,".

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::Serialize;

use crate::base::{Control, Error, Result, files};

/// Where the file can be had.
pub const ADDRESS: &str = "https://oeis.org/stripped.gz";

/// An entry may begin so many terms before or after the sequence that is looked for.
const MOST_SHIFT: usize = 12;

/// Fewer common terms say nothing.
const FEWEST: usize = 8;

/// The longest line that is believed to be an entry.
const MOST_LINE: u64 = 1 << 16;

/// An entry whose terms agree with those that are looked for, wherever both have one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Its number, such as A002186.
    pub entry: String,
    /// The number of terms that both have.
    pub common: usize,
    /// The place of its first term in the sequence; negative if it begins with other terms.
    pub begins_at: i64,
    /// Whether the common terms are all that the entry has.
    pub whole_entry: bool,
}

/// The entries of the file `path` (as it is, or compressed by gzip; - is standard input) that agree with
/// `terms`: those with the most common terms first.
pub fn look_up_in(path: &Path, terms: &[u64], control: &Control<'_>) -> Result<Vec<Found>> {
    let input: Box<dyn Read> = if files::is_standard_output(path) {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(files::open(path).map_err(Error::io("cannot read", path))?)
    };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let begin = input.fill_buf().map_err(Error::io("cannot read", path))?;
    if begin.starts_with(&[0x1f, 0x8b]) {
        return look_up(BufReader::new(MultiGzDecoder::new(input)), terms, path, control);
    }
    look_up(input, terms, path, control)
}

fn look_up(mut lines: impl BufRead, terms: &[u64], path: &Path, control: &Control<'_>) -> Result<Vec<Found>> {
    check_terms(terms)?;
    let (mut line, mut entry) = (Vec::new(), Vec::new());
    let (mut found, mut entries) = (Vec::new(), 0u64);
    for number in 1u64.. {
        line.clear();
        let read = lines.by_ref().take(MOST_LINE).read_until(b'\n', &mut line);
        if read.map_err(Error::io("cannot read", path))? == 0 {
            break;
        }
        if number % 4096 == 0 {
            control.check()?;
        }
        if line.starts_with(b"#") || line.trim_ascii().is_empty() {
            continue;
        }
        let Some(name) = parse(&line, &mut entry) else {
            return Err(Error::corrupt(
                path,
                format!("line {number} is not one of the file `stripped` of the OEIS"),
                format!("get the file from {ADDRESS} again"),
            ));
        };
        entries += 1;
        found.extend(compare(terms, &entry).map(|found| Found { entry: name, ..found }));
    }
    if entries == 0 {
        return Err(Error::corrupt(path, "it has no entries", format!("get the file from {ADDRESS} again")));
    }
    found.sort_by_key(|found: &Found| (std::cmp::Reverse(found.common), found.begins_at.abs()));
    Ok(found)
}

/// Refuses what nearly every other entry agrees with.
fn check_terms(terms: &[u64]) -> Result<()> {
    if terms.len() < FEWEST || terms.iter().all(|term| *term == terms[0]) {
        return Err(Error::Usage(format!(
            "give at least {FEWEST} terms that are not all equal: fewer say nothing about a sequence"
        )));
    }
    Ok(())
}

/// The number of an entry; its terms go to `terms`. A term that is negative or over 64 bits equals no value of a
/// game.
fn parse(line: &[u8], terms: &mut Vec<Option<u64>>) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let (name, rest) = line.split_once(' ')?;
    let digits = name.strip_prefix('A')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    terms.clear();
    for word in rest.split(',').filter(|word| !word.trim().is_empty()) {
        let word = word.trim();
        if !word.strip_prefix('-').unwrap_or(word).bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        terms.push(word.parse().ok());
    }
    Some(name.to_string())
}

/// The way in which the most terms of `entry` and `terms` are common, where all that both have are equal.
fn compare(terms: &[u64], entry: &[Option<u64>]) -> Option<Found> {
    let at = |begins_at: i64| {
        let (skipped, before) = (begins_at.max(0) as usize, (-begins_at).max(0) as usize);
        let (ours, theirs) = (terms.get(skipped..)?, entry.get(before..)?);
        let common = ours.len().min(theirs.len());
        let agree = ours.iter().zip(theirs).all(|(&ours, &theirs)| Some(ours) == theirs);
        let tells = ours[..common].iter().any(|term| *term != ours[0]);
        (common >= FEWEST && agree && tells).then(|| Found {
            entry: String::new(),
            common,
            begins_at,
            whole_entry: before == 0 && common == entry.len(),
        })
    };
    let most = MOST_SHIFT as i64;
    (-most..=most).filter_map(at).max_by_key(|found| (found.common, -found.begins_at.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const FILE: &str = "# OEIS Sequence Data\nA000001 ,0,1,1,1,2,1,2,1,5,2,2,1,5,1,2,1,14,\n\
        A002186 ,0,1,2,3,1,4,3,2,1,4,2,6,4,\nA000002 ,1,2,3,1,4,3,2,1,4,2,6,4,1,2,\nA000003 ,-1,5,0,1,2,3,1,4,3,2,1,4,\n\
        A000004 ,0,0,0,0,0,0,0,0,0,0,0,0,\nA000005 ,0,1,2,3,1,4,3,2,1,4,2,7,99999999999999999999999,\n";
    const KAYLES: [u64; 14] = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1];

    #[test]
    fn an_entry_is_found_wherever_it_begins_and_only_if_all_common_terms_agree() {
        let found = look_up(FILE.as_bytes(), &KAYLES, Path::new("stripped"), &Control::silent()).unwrap();
        let short: Vec<(&str, usize, i64, bool)> =
            found.iter().map(|f| (f.entry.as_str(), f.common, f.begins_at, f.whole_entry)).collect();
        assert_eq!(short, [("A002186", 13, 0, true), ("A000002", 13, 1, false), ("A000003", 10, -2, false)]);
    }

    #[test]
    fn a_compressed_file_is_read_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stripped.gz");
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(FILE.as_bytes()).unwrap();
        std::fs::write(&path, out.finish().unwrap()).unwrap();
        assert_eq!(look_up_in(&path, &KAYLES, &Control::silent()).unwrap().len(), 3);
        for text in ["", "hello\n", "A1 ,x,\n", "\u{0}\u{0}"] {
            std::fs::write(&path, text).unwrap();
            assert!(look_up_in(&path, &KAYLES, &Control::silent()).is_err(), "{text:?}");
        }
        let few = look_up(FILE.as_bytes(), &KAYLES[..5], Path::new("stripped"), &Control::silent());
        assert!(few.unwrap_err().to_string().contains("at least 8 terms"));
    }
}
