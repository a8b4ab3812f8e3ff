//! The heap games as subcommands, shared by `query` and `solve`.

use clap::Subcommand;
use serde_json::Value;

use super::numbers;
use crate::game::Parameters;

/// The examples of a game, for all commands that take it.
macro_rules! examples {
    ($game:literal, $position:literal, $options:literal) => {
        concat!(
            "Examples:\n  nimwave query ",
            $game,
            " ",
            $position,
            "\n  nimwave play ",
            $game,
            " ",
            $position,
            "\n  nimwave solve ",
            $game,
            " ",
            $options,
            "--heaps 2 --max 100 --values --out ",
            $game,
            ".table",
        )
    };
}

/// A heap game with its own options, around the arguments `A` that all games have.
#[derive(Debug, Clone, Subcommand)]
pub enum HeapGame<A: clap::Args> {
    /// Take any number of chips from one heap.
    #[command(after_help = examples!("nim", "5 8 11", ""))]
    Nim(A),
    /// Take up to the size of the smallest heap from any heap.
    #[command(after_help = examples!("minnie", "[1e18,7,2^60]", ""))]
    Minnie(A),
    /// Minnie, but no two heaps may ever be equal.
    #[command(after_help = examples!("mine", "5 6 13", ""))]
    Mine(A),
    /// Take the same number, at most the smallest heap, from one heap or from several.
    #[command(after_help = examples!("wynnie", "7 11", ""))]
    Wynnie(WynnieArgs<A>),
    /// Take any number from one heap, or the same number from two.
    #[command(after_help = examples!("wythoff", "6 12", ""))]
    Wythoff(A),
    /// A move of nim must change the smallest heap.
    #[command(after_help = examples!("nimb", "3 4 6", ""))]
    Nimb(A),
    /// A move of nim must change the smallest and the largest of the heaps, which are all different.
    #[command(after_help = examples!("nimtb", "3 4 6", ""))]
    Nimtb(A),
    /// Take as many chips from one heap as some heap has.
    #[command(after_help = examples!("susen", "7 21 39", ""))]
    Susen(A),
    /// Take any number that is not the size of a heap from one heap.
    #[command(after_help = examples!("jennifer", "7 21 39", ""))]
    Jennifer(A),
    /// Take a multiple of a smaller heap from a larger one.
    #[command(after_help = examples!("euclid", "51 14", ""))]
    Euclid(EuclidArgs<A>),
    /// Take any number from a largest heap.
    #[command(after_help = examples!("greedy-nim", "3 7 7", ""))]
    GreedyNim(A),
    /// Take at most f(n) chips from a heap of n.
    #[command(after_help = examples!("maximum-nim", "--rule n/2 21", "--rule n/2 "))]
    MaximumNim(MaximumNimArgs<A>),
    /// A rook on square ROW COLUMN goes up or left.
    #[command(after_help = examples!("rook", "5 3", ""))]
    Rook(A),
    /// A queen on square ROW COLUMN goes up, left, or diagonally up and left.
    #[command(after_help = examples!("queen", "6 8", ""))]
    Queen(A),
    /// One counter goes along an arrow of an acyclic directed graph; the position lists the counters' nodes.
    #[command(after_help = examples!("counters", "--graph 'a>b,b>c,a>c' a b", "--graph 'a>b,b>c,a>c' "))]
    Counters(CountersArgs<A>),
    /// A move of nim, or add chips to a heap while adding moves are left.
    #[command(
        after_help = "Examples:\n  nimwave query poker-nim --add 1,3,4 --additions 1 1 4 5\n  nimwave play poker-nim --add 1,3,4 --additions 1 1 4 5"
    )]
    PokerNim(PokerNimArgs<A>),
}

/// Wynnie's option.
#[derive(Debug, Clone, clap::Args)]
pub struct WynnieArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
    /// From how many heaps at once the same number may be taken.
    #[arg(long, value_parser = ["two", "any", "all"], default_value = "two")]
    together: String,
}

/// Euclid's option.
#[derive(Debug, Clone, clap::Args)]
pub struct EuclidArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
    /// A heap may reach 0; without this, heaps stay positive.
    #[arg(long)]
    to_zero: bool,
}

/// Maximum nim's option.
#[derive(Debug, Clone, clap::Args)]
pub struct MaximumNimArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
    /// The rule function f: half, less-than-half, a list of values as 0,0,1,1, or a formula in n as 'min(n, 3)'.
    #[arg(long, value_name = "RULE", default_value = "half")]
    rule: String,
}

/// The counter game's option.
#[derive(Debug, Clone, clap::Args)]
pub struct CountersArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
    /// The arrows of the graph, as 'a>b,b>c'.
    #[arg(long, value_name = "ARROWS")]
    graph: String,
}

/// Poker nim's options.
#[derive(Debug, Clone, clap::Args)]
pub struct PokerNimArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
    /// How many chips a move may add, as 1,3,5.
    #[arg(long, value_name = "NUMBERS", default_value = "1")]
    add: String,
    /// How many adding moves are left.
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16>, default_value = "1")]
    additions: u16,
}

impl<A: clap::Args> HeapGame<A> {
    /// The game's name, its own parameters, and the arguments that all games have.
    pub fn split(self) -> (&'static str, Parameters, A) {
        let one = |key: &str, value: Value| Parameters::from([(key.to_string(), value)]);
        let none = Parameters::new;
        match self {
            Self::Nim(args) => ("nim", none(), args),
            Self::Minnie(args) => ("minnie", none(), args),
            Self::Mine(args) => ("mine", none(), args),
            Self::Wynnie(own) => ("wynnie", one("together", own.together.into()), own.args),
            Self::Wythoff(args) => ("wythoff", none(), args),
            Self::Nimb(args) => ("nimb", none(), args),
            Self::Nimtb(args) => ("nimtb", none(), args),
            Self::Susen(args) => ("susen", none(), args),
            Self::Jennifer(args) => ("jennifer", none(), args),
            Self::Euclid(own) => ("euclid", one("to-zero", own.to_zero.into()), own.args),
            Self::GreedyNim(args) => ("greedy-nim", none(), args),
            Self::MaximumNim(own) => ("maximum-nim", one("rule", own.rule.into()), own.args),
            Self::Rook(args) => ("rook", none(), args),
            Self::Queen(args) => ("queen", none(), args),
            Self::Counters(own) => ("counters", one("graph", own.graph.into()), own.args),
            Self::PokerNim(own) => {
                let mut parameters = one("add", own.add.into());
                parameters.insert("additions".into(), own.additions.into());
                ("poker-nim", parameters, own.args)
            }
        }
    }
}
