//! `nimwave query GAME -`: many questions, one per line, each answered by a line of JSON.

use std::io::Read;
use std::path::Path;

use super::query::Asking;
use super::slices::open_table;
use crate::answer::{Brief, Many, answer_text, ask, read_position};
use crate::base::{Control, Error, Result};
use crate::game::Game;

/// What is read at once. Whatever is there is answered at once, so that a program may wait for each answer.
const READ: usize = 1 << 20;

/// Longer lines are not positions.
const LONGEST: usize = 1 << 16;

/// Answers the lines of standard input. A line that cannot be answered gets a line that says why, and in the
/// end an error tells how many there were.
pub fn run(game: &Game, table: Option<&Path>, asking: &Asking<'_>) -> Result<()> {
    let reader = table.map(|table| open_table(table, asking.context)).transpose()?;
    let many = reader.as_ref().map(|reader| Many::new(game, reader)).transpose()?;
    let control = asking.control();
    let answer = |line: &str| match &many {
        Some(many) => many.answer(line),
        None => alone(game, line, &control),
    };
    let mut input = std::io::stdin().lock();
    let (mut waiting, mut lines, mut refused) = (Vec::new(), 0u64, 0u64);
    let mut buffer = vec![0; READ];
    loop {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted && !control.stopped() => continue,
            read => read.map_err(Error::io("cannot read", Path::new("standard input")))?,
        };
        waiting.extend_from_slice(&buffer[..read]);
        // Until the end, the last line may not be whole.
        let whole = match read {
            0 => waiting.len(),
            _ => waiting.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1),
        };
        let rest = waiting.split_off(whole);
        let print = &mut |out: &[u8]| asking.context.print_bytes(out);
        let answered = answer_text(&waiting, lines, many.is_some(), &answer, print);
        lines += answered.lines;
        refused += answered.refused;
        control.check()?;
        waiting = rest;
        if read == 0 {
            break;
        }
        if waiting.len() > LONGEST {
            return Err(Error::Usage(format!(
                "line {} of standard input is longer than {LONGEST} bytes; give one position per line",
                lines + 1
            )));
        }
    }
    match refused {
        0 => Ok(()),
        _ => Err(Error::Usage(format!(
            "{refused} of {lines} lines could not be answered; the answers with \"error\" say why"
        ))),
    }
}

/// A question without a table.
fn alone(game: &Game, line: &str, control: &Control<'_>) -> Result<Brief> {
    let position = read_position(game, line)?;
    let found = ask(game, &position, None, control)?;
    Ok(Brief { position: found.position, outcome: found.outcome, value: found.value })
}
