//! `prove --heaps K`: theorems for a fixed number of heaps, by gaps.

use serde_json::json;

use super::{Args, game_name, play_name, rules_of};
use crate::base::Error;
use crate::cli::{Context, numbers};
use crate::game;
use crate::proof::Letters;
use crate::proof::fixed_heaps::{FixedBounds, GapGame, prove_fixed};
use crate::proof::order_games::{MAX_LETTERS, OrderGame, prove_order};

/// Which of the theorems of docs/PROOFS.md speaks about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Moves take at most the smallest heap (theorem 2).
    Bounded,
    /// Moves are legal by the order of the heaps alone (theorem 3).
    Order,
}

/// The games, their theorem, and whether heaps must differ.
const GAMES: [(&str, Kind, bool); 7] = [
    ("minnie", Kind::Bounded, false),
    ("mine", Kind::Bounded, true),
    ("wynnie", Kind::Bounded, false),
    ("nim", Kind::Order, false),
    ("greedy-nim", Kind::Order, false),
    ("nimb", Kind::Order, false),
    ("nimtb", Kind::Order, true),
];

/// Most heaps of a theorem by gaps: the box of gaps grows with every heap.
const MAX_HEAPS: u64 = 6;

/// What was proved.
struct Proved {
    letters: Letters,
    /// The bound on the smallest heap of a P-position, where the theorem has one.
    largest_min: Option<u64>,
    positions: u64,
}

/// Whether there is a theorem for a fixed number of heaps of this game.
pub fn covers(game: &str) -> bool {
    GAMES.iter().any(|(name, ..)| *name == game)
}

/// Proves the game for at most `heaps` heaps and prints the theorem, or that there is none; whether it is proved.
pub fn run(args: &Args, heaps: u64, context: &Context) -> Result<bool, Error> {
    let Some(&(_, kind, distinct)) = GAMES.iter().find(|(name, ..)| *name == args.game) else {
        game::find(&args.game)?;
        return Err(Error::Usage(format!(
            "--heaps works for {}, not for {}; leave it out",
            GAMES.map(|(name, ..)| name).join(", "),
            args.game
        )));
    };
    if !(1..=MAX_HEAPS).contains(&heaps) {
        return Err(Error::Usage(format!(
            "--heaps {heaps}: the number of heaps must be from 1 to {MAX_HEAPS}"
        )));
    }
    let count = heaps as usize;
    let rules = &*rules_of(args)?;
    let play = crate::rules::Play::from_misere(args.misere);
    let proved = match kind {
        Kind::Bounded => {
            prove_fixed(&GapGame { rules, play, distinct }, count, FixedBounds::default())?.map(|theorem| {
                let largest_min = Some(theorem.claim.largest_min());
                Proved { letters: theorem.claim.letters(), largest_min, positions: theorem.positions }
            })
        }
        Kind::Order => {
            prove_order(&OrderGame { rules, play, distinct }, count, MAX_LETTERS)?.map(|theorem| Proved {
                letters: theorem.claim.letters(),
                largest_min: None,
                positions: theorem.positions,
            })
        }
    };
    context.print(
        || {
            json!({
                "game": game_name(args),
                "misere": args.misere,
                "heaps": heaps,
                "proved": proved.is_some(),
                "threshold": proved.as_ref().map(|proved| proved.letters.threshold()),
                "period": proved.as_ref().map(|proved| proved.letters.period()),
                "largest_min": proved.as_ref().and_then(|proved| proved.largest_min),
                "classes": null,
                "states": proved.as_ref().map(|proved| proved.positions),
                "corollaries": [],
            })
        },
        || describe(args, heaps, kind, proved.as_ref()),
    );
    Ok(proved.is_some())
}

fn describe(args: &Args, heaps: u64, kind: Kind, proved: Option<&Proved>) -> String {
    let game = format!("{}{}", play_name(args.misere), game_name(args));
    let bounds = FixedBounds::default();
    match (proved, kind) {
        (Some(Proved { letters, largest_min, positions }), _) => {
            let depends = match largest_min {
                Some(m) => format!(
                    "a P-position has a heap of at most {m}, or no\nheap, and who wins depends only on the smallest heap and the gaps between neighbouring heaps, where\n"
                ),
                None => "who wins depends only on the smallest heap\nand the gaps between neighbouring heaps, where smallest heaps and ".into(),
            };
            let alike = match letters.period() {
                1 => "count alike".into(),
                period => format!("count only modulo {period}"),
            };
            format!(
                "THEOREM. In {game} with at most {heaps} heaps of any sizes, {depends}gaps of {} or more {alike}.\n\n\
                 Proved by a finite check of {} positions; docs/PROOFS.md has the argument.",
                letters.threshold(),
                numbers::grouped(*positions),
            )
        }
        (None, Kind::Bounded) => format!(
            "NOT PROVED. For {game} with {heaps} heaps no threshold up to {}, period up to {} and smallest heap up to {}\n\
             make the outcome a function of the smallest heap and the gaps.",
            bounds.threshold, bounds.period, bounds.largest_min
        ),
        (None, Kind::Order) => format!(
            "NOT PROVED. For {game} with {heaps} heaps no threshold and period of together at most {MAX_LETTERS}\n\
             make the outcome a function of the smallest heap and the gaps."
        ),
    }
}
