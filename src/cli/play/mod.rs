//! `nimwave play`: a game against the program in the terminal.

mod referee;

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use referee::{Minnie, Position, Referee, Solved};

use super::heap_games::HeapGame;
use super::{Context, numbers};
use crate::answer::heap_query;
use crate::base::Control;
use crate::base::{Error, Result};
use crate::game::{Game, Slabs};
use crate::proof::strategy::MinniePlayer;
use crate::rules::Play;

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
pub fn run(args: Args, context: &Context) -> anyhow::Result<ExitCode> {
    if context.globals.json {
        return Err(
            Error::Usage("play is a conversation; `nimwave query --json` answers programs".into()).into()
        );
    }
    let (game, args) = args.game.game(|args| args.misere)?;
    let text = args.heaps.join(" ");
    let words = words(&text);
    let (referee, start) = referee(&game, &words, context)?;
    // Nothing is lost when a game is left: one Ctrl-C will do.
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGINT,
        3,
        Arc::new(AtomicBool::new(true)),
    )?;
    let game = Match { game: &game, referee: &*referee };
    let (input, output) = (std::io::stdin().lock(), std::io::stdout());
    match game.play(start, !args.second, input, output) {
        // A reader that has seen enough (as `head`) is not an error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        other => {
            other.map_err(|error| Error::Usage(format!("the terminal cannot be read or written: {error}")))?
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "[],".contains(c)).filter(|word| !word.is_empty()).collect()
}

/// Who knows this game, and the position to begin with.
fn referee(game: &Game, words: &[&str], context: &Context) -> Result<(Box<dyn Referee>, Position)> {
    if game.on_heaps()?.proofs.quotient == Some(Slabs::Minnie) {
        let referee = Minnie::new(MinniePlayer::embedded(game.play()), numbers::count);
        let start = referee.position(words)?;
        return Ok((Box::new(referee), start));
    }
    let game = heap_query::HeapGame::new(game.clone())?;
    let start = game.position(words, &|word| numbers::heap(word).map_err(Error::Usage))?;
    let progress = context.progress(game.game().name());
    let control = Control {
        stop: &context.stop,
        observer: &progress,
        checkpoint_every: Duration::from_secs(3600),
        ..Control::silent()
    };
    let referee = Solved::new(game, &start, &control)?;
    let start = referee.normal(&start);
    Ok((Box::new(referee), start))
}

/// A game in progress.
struct Match<'a> {
    game: &'a Game,
    referee: &'a dyn Referee,
}

/// What a player typed.
enum Turn {
    Moved(Position),
    Undo,
    Left,
}

const HELP: &str =
    "Type the heaps after your move, as 3 5 8; or 8>6 for a heap of 8 that becomes 6 (8>0: it goes away).
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
        let moves = self.game.entry().moves;
        let misere = self.game.play() == Play::Misere;
        let end = if misere { "wins" } else { "loses" };
        writeln!(out, "{}: {moves}. Who cannot move {end}.\n{HELP}\n", self.game.name())?;
        let mut position = start;
        let mut your_turn = you_begin;
        // The positions in which you moved.
        let mut history: Vec<Position> = Vec::new();
        loop {
            writeln!(out, "{}", self.referee.show(&position))?;
            if self.referee.is_over(&position) {
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
                        writeln!(out, "I move to {}", self.referee.show(&to))?;
                        position = to;
                        your_turn = true;
                    }
                    Err(error) => return writeln!(out, "I cannot go on: {error}"),
                }
            }
        }
    }

    /// A winning move where there is one.
    fn my_move(&self, position: &[u64]) -> Result<Position> {
        let winning = self.referee.winning_moves(position)?.into_iter().next();
        winning
            .or_else(|| self.referee.delay(position))
            .ok_or_else(|| Error::Usage("no move was found".into()))
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
                        writeln!(out, "From {}: {}", self.referee.show(earlier), self.winning(earlier))?;
                    }
                    None => writeln!(out, "You have not moved yet.")?,
                },
                "moves" | "m" => writeln!(out, "{}", self.list(self.referee.options(position, 41)))?,
                text => match self.your_move(position, text) {
                    Ok(to) => return Ok(Turn::Moved(to)),
                    Err(error) => writeln!(out, "{error}; try again, or type help.")?,
                },
            }
        }
    }

    fn your_move(&self, position: &[u64], text: &str) -> Result<Position> {
        let Some((from, to)) = text.split_once('>') else {
            let words = words(text);
            let empty = words == ["0"];
            return self.referee.option(position, if empty { &[] } else { &words });
        };
        let (from, to) = (from.trim().trim_end_matches('-'), to.trim());
        let shown = self.referee.show(position);
        let heaps = shown.split(']').next().unwrap_or_default();
        let mut words: Vec<&str> = words(heaps);
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
        self.referee.option(position, &words)
    }

    /// The winning moves of a position in words.
    fn winning(&self, position: &[u64]) -> String {
        match self.referee.winning_moves(position) {
            Ok(moves) if moves.is_empty() => "no move wins; this is a P-position.".into(),
            Ok(moves) => format!("to win, move to {}", self.list(moves)),
            Err(error) => error.to_string(),
        }
    }

    fn list(&self, positions: Vec<Position>) -> String {
        const MOST: usize = 40;
        let shown: Vec<String> = positions.iter().take(MOST).map(|to| self.referee.show(to)).collect();
        let more = if positions.len() > MOST { " and more" } else { "" };
        format!("{}{more}", shown.join(" "))
    }
}

/// A line, or `None` at the end of the input. What is no text is read as far as it goes.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    const LONGEST: u64 = 1 << 20;
    let mut line = Vec::new();
    std::io::Read::take(input, LONGEST).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
