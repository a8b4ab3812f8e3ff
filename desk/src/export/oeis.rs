//! Sequences for the On-Line Encyclopedia of Integer Sequences: b-files and drafts of an entry.

use std::io::Write;
use std::path::Path;

use super::{About, Dataset, Layout, Options};
use crate::base::{Error, Result};

/// The OEIS asks for b-files of at most so many terms.
pub const MOST_TERMS: u64 = 10_000;

/// The letters of the lines %S, %T and %U, which have so many characters each.
const TERM_LINES: [char; 3] = ['S', 'T', 'U'];
const LINE: usize = 80;

/// A sequence without gaps, and how it is numbered.
struct Numbered {
    /// The terms; the first has the index `offset` and is the entry of `first`.
    terms: Vec<u64>,
    first: u64,
    offset: u64,
    name: String,
    /// "a(n) = G(n - 1)".
    meaning: String,
}

fn numbered(data: &dyn Dataset, options: &Options) -> Result<Numbered> {
    let length = match data.shape().as_deref() {
        Some(&[length]) => length,
        _ => {
            return Err(Error::Usage(
                "a b-file holds a sequence without gaps: choose a row (--row) of a game in which equal heaps may stand, or another format".into(),
            ));
        }
    };
    let most = options.most_terms.unwrap_or(u64::MAX).min(length);
    // Where a whole table is listed, n is the index of its entry.
    let first = if let Layout::Sequence(sizes) = data.layout() { sizes.start } else { 0 };
    let offset = options.offset.unwrap_or(first);
    let mut terms = Vec::with_capacity(most.min(1 << 20) as usize);
    let mut seen = 0;
    data.for_each_row(&mut |row| {
        if seen < most {
            terms.push(row[row.len() - 1]);
        }
        seen += 1;
        Ok(())
    })?;
    let about = data.about();
    let argument = match first.cmp(&offset) {
        std::cmp::Ordering::Equal => "n".to_string(),
        std::cmp::Ordering::Greater => format!("n + {}", first - offset),
        std::cmp::Ordering::Less => format!("n - {}", offset - first),
    };
    let meaning = match (about.place.strip_suffix('n'), about.outcomes) {
        (Some(fixed), true) => format!("a(n) = 1 if [{fixed}{argument}] is a P-position, otherwise 0"),
        (Some(fixed), false) => format!("a(n) = G({fixed}{argument})"),
        // A whole table, in the order of its index.
        (None, _) => format!("a(n) is the entry of the position of index {argument}"),
    };
    Ok(Numbered { terms, first, offset, name: name(&about), meaning })
}

/// "Grundy values G(n): octal game 0.6".
fn name(about: &About) -> String {
    let name = format!("{}: {}", about.quantity(), about.game);
    name[..1].to_uppercase() + &name[1..]
}

/// Lines "n a(n)" below comments that say what a(n) is.
pub(super) fn b_file(data: &dyn Dataset, options: &Options, out: &mut dyn Write, path: &Path) -> Result<()> {
    let sequence = numbered(data, options)?;
    let mut write = || -> std::io::Result<()> {
        writeln!(out, "# {}; {}.", sequence.name, sequence.meaning)?;
        writeln!(out, "# Table of n, a(n) for n = {}..{}.", sequence.offset, sequence.last())?;
        let mut lines = sequence.terms.iter().zip(sequence.offset..);
        lines.try_for_each(|(term, index)| writeln!(out, "{index} {term}"))
    };
    write().map_err(Error::io("cannot write", path))
}

impl Numbered {
    /// The index of the last term.
    fn last(&self) -> u64 {
        self.offset + (self.terms.len() as u64).saturating_sub(1)
    }

    /// The lines of terms, each with its letter; terms that no longer fit are left out.
    fn term_lines(&self) -> Vec<(char, String)> {
        let mut lines: Vec<String> = vec![String::new()];
        for term in &self.terms {
            let word = format!("{term},");
            if lines[lines.len() - 1].len() + word.len() > LINE {
                if lines.len() == TERM_LINES.len() {
                    break;
                }
                lines.push(String::new());
            }
            let last = lines.len() - 1;
            lines[last] += &word;
        }
        // The last term has no comma behind it.
        if let Some(last) = lines.last_mut() {
            last.pop();
        }
        TERM_LINES.into_iter().zip(lines).collect()
    }
}

/// A draft of an entry in the internal format of the OEIS. What a person must decide, such as the keywords and
/// the author, is not made up.
pub(super) fn draft(data: &dyn Dataset, options: &Options, out: &mut dyn Write, path: &Path) -> Result<()> {
    let sequence = numbered(data, options)?;
    // The second number of %O: the place, from 1, of the first term that is larger than 1.
    let large = sequence.terms.iter().position(|&term| term > 1).map_or(1, |place| place + 1);
    let mut lines = vec![('I', String::new())];
    lines.extend(sequence.term_lines());
    lines.push(('N', format!("{}.", sequence.name)));
    lines.push(('C', format!("{}.", sequence.meaning)));
    if sequence.first != sequence.offset {
        lines.push(('C', format!("The first term is that of heap size {}.", sequence.first)));
    }
    lines.push(('K', "nonn".into()));
    lines.push(('O', format!("{},{large}", sequence.offset)));
    lines
        .iter()
        .try_for_each(|(letter, text)| writeln!(out, "{}", format!("%{letter} A000000 {text}").trim_end()))
        .map_err(Error::io("cannot write", path))
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::*;

    /// The squares n^2 of 0 to 3.
    struct Squares;

    impl Dataset for Squares {
        fn columns(&self) -> Vec<String> {
            ["n", "value"].map(String::from).to_vec()
        }
        fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
            (2..6).try_for_each(|n| visit(&[n, n * n]))
        }
        fn shape(&self) -> Option<Vec<u64>> {
            Some(vec![4])
        }
        fn layout(&self) -> Layout {
            Layout::Sequence(2..6)
        }
        fn about(&self) -> About {
            About { game: "squares".into(), place: "n".into(), ..About::default() }
        }
    }

    fn written(format: Format, offset: Option<u64>, most_terms: Option<u64>) -> String {
        let mut out = Vec::new();
        format.write(&Squares, &Options { offset, most_terms }, &mut out, Path::new("b.txt")).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_b_file_begins_at_the_first_n_and_an_offset_shifts_the_index() {
        let plain = written(Format::Bfile, None, None);
        assert_eq!(
            plain,
            "# Grundy values G(n): squares; a(n) = G(n).\n# Table of n, a(n) for n = 2..5.\n2 4\n3 9\n4 16\n5 25\n"
        );
        let shifted = written(Format::Bfile, Some(0), None);
        assert!(shifted.contains("a(n) = G(n + 2).") && shifted.contains("\n0 4\n1 9\n"), "{shifted}");
        let later = written(Format::Bfile, Some(3), Some(2));
        assert!(later.contains("a(n) = G(n - 1).") && later.ends_with("n = 3..4.\n3 4\n4 9\n"), "{later}");
    }

    #[test]
    fn a_draft_has_the_terms_and_the_place_of_the_first_one_above_1() {
        let draft = written(Format::Oeis, None, None);
        assert!(
            draft.starts_with("%I A000000\n%S A000000 4,9,16,25\n%N A000000 Grundy values G(n): squares.\n"),
            "{draft}"
        );
        assert!(draft.ends_with("%O A000000 2,1\n"), "{draft}");
    }
}
