//! Outcomes and values of many positions from a stored table, one look-up each: what a program asks, line by
//! line and from several threads.

use std::ops::Deref;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::Outcome;
use super::heap_sums::HeapSums;
use super::oracle::{Heaps, read_position};
use super::tables::ByRules;
use crate::base::{Error, Result};
use crate::game::{Game, Kind};
use crate::space::{MAX_HEAPS, SortedHeaps, Space};
use crate::table::Reader;

/// What a table says of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Brief {
    /// The position; heaps of a table in ascending order and without empty ones.
    pub position: Heaps,
    /// Who wins.
    pub outcome: Outcome,
    /// The Grundy value, where the table holds values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
}

/// Answers about positions of the game of a stored table, which is borrowed or shared.
#[derive(Debug)]
pub struct Many<R> {
    game: Game,
    reader: R,
    /// How positions are numbered; `None` where each heap is looked up by itself.
    space: Option<SortedHeaps>,
}

impl<R: Deref<Target = Reader>> Many<R> {
    /// The answers of a table, which must be of this game.
    pub fn new(game: &Game, reader: R) -> Result<Self> {
        let space = match game.kind() {
            Kind::Cookie(_) => return Err(game.entry().not_on_heaps()),
            Kind::Octal(octal) => {
                HeapSums::stored(octal, &[], &reader)?;
                None
            }
            Kind::Heaps(heaps) => {
                ByRules::stored_rules(game, &[], &reader)?;
                (!heaps.is_written_sum(game.play()))
                    .then(|| reader.heap_table())
                    .transpose()?
                    .map(|(_, space)| space)
            }
        };
        Ok(Self { game: game.clone(), reader, space })
    }

    /// What the table says of the position that `text` describes.
    pub fn answer(&self, text: &str) -> Result<Brief> {
        let position = read_position(&self.game, text)?;
        match &self.space {
            None => self.sum(position),
            Some(space) => self.stored(space, &position),
        }
    }

    /// The entry of the table that is about the position that `text` describes; in a sequence that of a single heap.
    pub fn rank(&self, text: &str) -> Result<u64> {
        let position = read_position(&self.game, text)?;
        match (&self.space, position.as_slice()) {
            (Some(space), _) => Ok(self.place(space, &position)?.1),
            (None, &[heap]) => self.sum(vec![heap]).map(|_| heap),
            (None, _) => Err(Error::Usage(format!(
                "{text}: this table has an entry for each single heap; give one heap"
            ))),
        }
    }

    /// The position of an entry, heaps in ascending order, absent ones as 0.
    pub fn unrank(&self, index: u64) -> Result<Heaps> {
        let entries = self.reader.len();
        if index >= entries {
            return Err(Error::Usage(format!(
                "entry {index}: the table has the entries 0 to {}",
                entries - 1
            )));
        }
        let Some(space) = &self.space else { return Ok(vec![index]) };
        let mut heaps = Vec::new();
        space.unrank_into(index, &mut heaps);
        Ok(heaps.into_iter().map(u64::from).collect())
    }

    /// The position in normal form, and its entry.
    fn place(&self, space: &SortedHeaps, position: &[u64]) -> Result<(Heaps, u64)> {
        let heaps = self.game.on_heaps()?.normal(position);
        ByRules::check_size(space, &heaps, &self.reader)?;
        let mut padded = [0u32; MAX_HEAPS];
        let padded = &mut padded[..space.heaps()];
        let absent = space.heaps() - heaps.len();
        // Not larger than the largest heap of the table, which has 32 bits.
        padded[absent..].iter_mut().zip(&heaps).for_each(|(to, &heap)| *to = heap as u32);
        let index = space.rank_sorted(padded);
        Ok((heaps, index))
    }

    fn stored(&self, space: &SortedHeaps, position: &[u64]) -> Result<Brief> {
        let (heaps, index) = self.place(space, position)?;
        let entry = self.reader.get(index)?;
        let is_bit = self.reader.manifest().width.is_bit();
        let is_p = if is_bit { entry == 1 } else { entry == 0 };
        Ok(Brief { position: heaps, outcome: Outcome::of_p(is_p), value: (!is_bit).then_some(entry.into()) })
    }

    /// The nim-sum of the values of the heaps, one by one.
    fn sum(&self, position: Heaps) -> Result<Brief> {
        if let Some(&outside) = position.iter().find(|&&heap| heap >= self.reader.len()) {
            match self.game.kind() {
                Kind::Octal(octal) => HeapSums::stored(octal, &[outside], &self.reader).map(drop)?,
                _ => ByRules::stored_rules(&self.game, &[outside], &self.reader).map(drop)?,
            }
        }
        let mut value = 0;
        for &heap in &position {
            value ^= u64::from(self.reader.get(heap)?);
        }
        Ok(Brief { position, outcome: Outcome::of_p(value == 0), value: Some(value) })
    }
}

/// Lines that one thread answers in a go.
const GO: usize = 512;

/// What became of some lines.
#[derive(Debug, Default)]
pub struct Answered {
    /// How many lines there were.
    pub lines: u64,
    /// How many of them could not be answered.
    pub refused: u64,
}

/// Answers the lines of `text`, the first of which is number `before + 1`, by lines of JSON, which `print` gets piece by
/// piece in their order. A line that cannot be answered gets one that says why; empty lines are passed over. With
/// `side_by_side` all threads answer, otherwise every answer is printed before the next line is looked at.
///
/// It stands here because here it is optimised, as the command line is not, and this is done a million times a second.
pub fn answer_text(
    text: &[u8],
    before: u64,
    side_by_side: bool,
    answer: &(dyn Fn(&str) -> Result<Brief> + Sync),
    print: &mut dyn FnMut(&[u8]),
) -> Answered {
    let mut answered = Answered::default();
    if text.is_empty() {
        return answered;
    }
    let lines: Vec<&[u8]> = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect();
    answered.lines = lines.len() as u64;
    let mut keep = |(out, refused): (Vec<u8>, u64)| {
        print(&out);
        answered.refused += refused;
    };
    if side_by_side {
        let go = |(i, lines): (usize, &[&[u8]])| answer_lines(lines, before + (i * GO) as u64, answer);
        let pieces: Vec<_> = lines.par_chunks(GO).enumerate().map(go).collect();
        pieces.into_iter().for_each(keep);
    } else {
        (before..).zip(lines.chunks(1)).for_each(|(before, line)| keep(answer_lines(line, before, answer)));
    }
    answered
}

/// The answers to some lines, and how many have none.
fn answer_lines(
    lines: &[&[u8]],
    before: u64,
    answer: &(dyn Fn(&str) -> Result<Brief> + Sync),
) -> (Vec<u8>, u64) {
    let (mut out, mut refused) = (Vec::new(), 0);
    for (number, line) in (before + 1..).zip(lines) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let text = std::str::from_utf8(line).map_err(|_| Error::Usage("not UTF-8; write digits".into()));
        let written = match text.and_then(answer) {
            Ok(brief) => serde_json::to_writer(&mut out, &brief),
            Err(error) => {
                refused += 1;
                serde_json::to_writer(&mut out, &json!({ "line": number, "error": error.to_string() }))
            }
        };
        // Writing into memory cannot fail.
        debug_assert!(written.is_ok());
        out.push(b'\n');
    }
    (out, refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::ask;
    use crate::base::Control;
    use crate::sweep::{HeapJob, OctalJob, solve};
    use crate::table::Quantity;

    #[test]
    fn many_answers_are_those_of_single_questions() {
        let place = tempfile::tempdir().unwrap();
        let control = Control::silent();
        for (name, quantity) in [("minnie", Quantity::Values), ("mine", Quantity::Outcomes)] {
            let game = Game::named(name).unwrap();
            let out = place.path().join(name);
            solve(&HeapJob::new(&game, 3, 12, quantity).unwrap(), Some(&out), &control).unwrap();
            let reader = Reader::open(&out).unwrap();
            let many = Many::new(&game, &reader).unwrap();
            for text in ["3 5 7", "[12,1]", "0 4 9", "11", "2,8,3"] {
                let brief = many.answer(text).unwrap();
                let asked =
                    ask(&game, &read_position(&game, text).unwrap(), Some(&reader), &control).unwrap();
                assert_eq!(
                    (brief.position, brief.outcome, brief.value),
                    (asked.position, asked.outcome, asked.value),
                    "{name} {text}"
                );
            }
            for index in 0..reader.len() {
                let heaps = many.unrank(index).unwrap();
                let text = heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                assert_eq!(many.rank(&text).ok(), many.answer(&text).ok().map(|_| index), "{name} {text}");
            }
            assert!(many.unrank(reader.len()).unwrap_err().to_string().contains("0 to 454"));
            assert!(many.answer("13").unwrap_err().to_string().contains("at most 12"));
            assert!(many.answer("1 2 3 4").is_err() && many.answer("x").is_err());
            assert_eq!(many.answer("4 4").is_err(), name == "mine", "mine has no equal heaps");
            assert!(Many::new(&Game::named("nim").unwrap(), &reader).is_err());
        }
    }

    #[test]
    fn heaps_of_a_sequence_are_summed() {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("kayles");
        let octal: crate::rules::OctalGame = "0.77".parse().unwrap();
        solve(&OctalJob::new(octal.clone(), 50), Some(&out), &Control::silent()).unwrap();
        let reader = Reader::open(&out).unwrap();
        let many = Many::new(&Game::octal(octal), &reader).unwrap();
        assert_eq!(many.answer("3 4 5").unwrap().value, Some(3 ^ 1 ^ 4));
        assert_eq!(many.answer("7 7").unwrap().outcome, Outcome::Previous);
        assert_eq!((many.rank("7").unwrap(), many.unrank(49).unwrap()), (7, vec![49]));
        assert!(many.rank("7 7").unwrap_err().to_string().contains("give one heap"));
        assert!(many.rank("50").is_err() && many.unrank(50).is_err());
        assert!(many.answer("50").unwrap_err().to_string().contains("below 50"));
    }
}
