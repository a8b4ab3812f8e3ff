//! `nimwave play`: a game against the program in the terminal.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::heap_games::HeapGame;
use super::{Context, numbers};
use crate::answer::{Oracle, read_position};
use crate::base::{Error, Exit, Result};
use crate::game::Game;
use crate::rules::Play;

/// A position: heaps in ascending order without empty ones; in poker nim the adding moves left come first.
type Position = Vec<u64>;

/// Arguments of `play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  nimwave play minnie 5 5 8 11
  nimwave play minnie [1e18,7,2^60] --second
  nimwave play wythoff 6 10")]
pub struct Args {
    #[command(subcommand)]
    game: HeapGame<PlayArgs>,
}

/// A position to begin with.
#[derive(Debug, Clone, clap::Args)]
pub struct PlayArgs {
    /// The heaps: 4 6 13 or [4,6,13].
    #[arg(value_name = "HEAP", required = true)]
    heaps: Vec<String>,
    /// Misère play: who cannot move wins.
    #[arg(long)]
    misere: bool,
    /// The program moves first.
    #[arg(long)]
    second: bool,
}

/// Runs the command.
pub fn run(args: Args, context: &Context) -> anyhow::Result<Exit> {
    if context.globals.json {
        return Err(
            Error::Usage("play is a conversation; `nimwave query --json` answers programs".into()).into()
        );
    }
    let (game, args) = args.game.game(|args| args.misere)?;
    let start = read_position(&game, &args.heaps.join(" "))?;
    let progress = context.progress(game.name());
    let control = context.control(&progress);
    let oracle = Oracle::new(&game, &start, None, &control);
    progress.finish();
    let oracle = oracle?;
    // What cannot be searched is refused before the game begins.
    oracle.answer(&start)?;
    let start = oracle.normal(&start);
    // Nothing is lost when a game is left: one Ctrl-C will do.
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGINT,
        3,
        Arc::new(AtomicBool::new(true)),
    )?;
    let game = Match { game: &game, oracle: &oracle };
    let (input, output) = (std::io::stdin().lock(), std::io::stdout());
    match game.play(start, !args.second, input, output) {
        // A reader that has seen enough (such as `head`) is not an error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        other => {
            other.map_err(|error| Error::Usage(format!("the terminal cannot be read or written: {error}")))?
        }
    }
    Ok(Exit::Done)
}

/// A game in progress.
struct Match<'a> {
    game: &'a Game,
    oracle: &'a Oracle<'a>,
}

/// What a player typed.
enum Turn {
    Moved(Position),
    Undo,
    Left,
}

const HELP: &str =
    "Type the heaps after your move, such as 3 5 8; or 8>6 for a heap of 8 that becomes 6 (8>0: it goes away).
hint: the winning moves   review: what they were before your last move   moves: all moves   undo   quit";

impl Match<'_> {
    /// Plays until the game, the input or the player's patience ends.
    fn play(
        &self,
        start: Position,
        you_begin: bool,
        mut input: impl BufRead,
        mut out: impl Write,
    ) -> std::io::Result<()> {
        let moves = self.game.moves();
        let misere = self.game.play() == Play::Misere;
        let end = if misere { "wins" } else { "loses" };
        writeln!(out, "{}: {moves}. Who cannot move {end}.\n{HELP}\n", self.game.name())?;
        let mut position = start;
        let mut your_turn = you_begin;
        // The positions in which you moved.
        let mut history: Vec<Position> = Vec::new();
        loop {
            writeln!(out, "{}", self.oracle.show(&position))?;
            if self.options(&position, 1).is_empty() {
                let you_win = your_turn == misere;
                let who = if your_turn { "You have" } else { "I have" };
                writeln!(out, "{who} no move left: {}.", if you_win { "you win" } else { "I win" })?;
                return Ok(());
            }
            if your_turn {
                match self.your_turn(&position, history.last(), &mut input, &mut out)? {
                    Turn::Left => return writeln!(out, "Goodbye."),
                    Turn::Undo => match history.pop() {
                        Some(earlier) => position = earlier,
                        None => writeln!(out, "This is where we began.")?,
                    },
                    Turn::Moved(to) => {
                        history.push(std::mem::replace(&mut position, to));
                        your_turn = false;
                    }
                }
            } else {
                match self.my_move(&position) {
                    Ok(to) => {
                        writeln!(out, "I move to {}", self.oracle.show(&to))?;
                        position = to;
                        your_turn = true;
                    }
                    Err(error) => return writeln!(out, "I cannot continue: {error}"),
                }
            }
        }
    }

    /// A winning move where there is one.
    fn my_move(&self, position: &[u64]) -> Result<Position> {
        self.oracle.best_move(position)?.ok_or_else(|| Error::Usage("no move was found".into()))
    }

    fn options(&self, position: &[u64], most: usize) -> Vec<Position> {
        self.oracle.options(position, most).unwrap_or_default()
    }

    /// Talks until you move, take back or leave.
    fn your_turn(
        &self,
        position: &[u64],
        earlier: Option<&Position>,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> std::io::Result<Turn> {
        loop {
            write!(out, "your move> ")?;
            out.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(out)?;
                return Ok(Turn::Left);
            };
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Turn::Left),
                "undo" | "u" => return Ok(Turn::Undo),
                "help" | "h" => writeln!(out, "{HELP}")?,
                "hint" | "?" => writeln!(out, "{}", self.winning(position))?,
                "review" | "r" => match earlier {
                    Some(earlier) => {
                        writeln!(out, "From {}: {}", self.oracle.show(earlier), self.winning(earlier))?;
                    }
                    None => writeln!(out, "You have not moved yet.")?,
                },
                "moves" | "m" => writeln!(out, "{}", self.list(self.options(position, 41)))?,
                text => match self.your_move(position, text) {
                    Ok(to) => return Ok(Turn::Moved(to)),
                    Err(error) => writeln!(out, "{error}; try again, or type help.")?,
                },
            }
        }
    }

    fn your_move(&self, position: &[u64], text: &str) -> Result<Position> {
        let shown = self.oracle.show(position);
        let text = match text.split_once('>') {
            Some((from, to)) => self.with_one_heap_changed(&shown, from, to)?,
            None => text.to_string(),
        };
        let to = match text.trim() {
            "0" => read_position(self.game, "")?,
            text => read_position(self.game, text)?,
        };
        let not_an_option = || {
            let rule = self.game.moves();
            Error::Usage(format!("{} is not an option of {shown}: {rule}", self.oracle.show(&to)))
        };
        self.oracle.option(position, &to)?.ok_or_else(not_an_option)
    }

    /// The words of the position that is shown, with `to` in place of `from`.
    fn with_one_heap_changed(&self, shown: &str, from: &str, to: &str) -> Result<String> {
        let (from, to) = (from.trim().trim_end_matches('-'), to.trim());
        if to.is_empty() {
            return Err(Error::Usage(format!("say what the heap of {from} becomes, such as {from}>0")));
        }
        let heaps = shown.split(']').next().unwrap_or_default().trim_start_matches('[');
        let mut words: Vec<&str> = heaps.split(',').filter(|word| !word.is_empty()).collect();
        let number = |word: &str| numbers::count(word).ok();
        let same = |word: &&str| **word == *from || (number(from).is_some() && number(word) == number(from));
        let place = words
            .iter()
            .position(same)
            .ok_or_else(|| Error::Usage(format!("there is no {from} in {shown}")))?;
        if number(to) == Some(0) && number(from).is_some() {
            words.remove(place);
        } else {
            words[place] = to;
        }
        Ok(words.join(" "))
    }

    /// The winning moves of a position in words.
    fn winning(&self, position: &[u64]) -> String {
        match self.oracle.answer(position).map(|answer| answer.winning_moves) {
            Ok(moves) if moves.is_empty() => "no move wins; this is a P-position.".into(),
            Ok(moves) => format!("to win, move to {}", self.list(moves)),
            Err(error) => error.to_string(),
        }
    }

    fn list(&self, positions: Vec<Position>) -> String {
        const MOST: usize = 40;
        let shown: Vec<String> = positions.iter().take(MOST).map(|to| self.oracle.show(to)).collect();
        let more = if positions.len() > MOST { " and more" } else { "" };
        format!("{}{more}", shown.join(" "))
    }
}

/// A line, or `None` at the end of the input. What is not text is read as far as it goes.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    const LONGEST: u64 = 1 << 20;
    let mut line = Vec::new();
    std::io::Read::take(input, LONGEST).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
