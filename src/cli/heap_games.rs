//! The heap games as subcommands, shared by `query` and `solve`.

use clap::Subcommand;
use serde_json::Value;

use crate::rules::catalog::Parameters;

/// A heap game with its own options, around the arguments `A` that all games have.
#[derive(Debug, Clone, Subcommand)]
pub enum HeapGame<A: clap::Args> {
    /// Take any number of chips from one heap.
    Nim(A),
    /// Take up to the size of the smallest heap from any heap.
    #[command(
        after_help = "Examples:\n  nimwave query minnie 5 5 8 11\n  nimwave query minnie [1e18,7,2^60]\n  nimwave query minnie --table minnie-h4-n200.table [4,6,13]"
    )]
    Minnie(A),
    /// Minnie, but no two heaps may ever be equal.
    Mine(A),
    /// Take the same number, at most the smallest heap, from one heap or from several.
    Wynnie(WynnieArgs<A>),
    /// Take any number from one heap, or the same number from two.
    Wythoff(A),
    /// A move of nim must change the smallest heap.
    Nimb(A),
    /// A move of nim must change the smallest and the largest of the heaps, which are all different.
    Nimtb(A),
    /// Take as many chips from one heap as some heap has.
    Susen(A),
    /// Take any number that is not the size of a heap from one heap.
    Jennifer(A),
    /// Take a multiple of a smaller heap from a larger one.
    Euclid(EuclidArgs<A>),
    /// Take any number from a largest heap.
    GreedyNim(A),
    /// Take at most f(n) chips from a heap of n.
    MaximumNim(MaximumNimArgs<A>),
    /// A rook on square ROW COLUMN goes up or left.
    Rook(A),
    /// A queen on square ROW COLUMN goes up, left, or diagonally up and left.
    Queen(A),
    /// One counter goes along an arrow of an acyclic directed graph; the position lists the counters' nodes.
    #[command(after_help = "Example:\n  nimwave query counters --graph 'a>b,b>c,a>c' a b")]
    Counters(CountersArgs<A>),
    /// A move of nim, or add chips to a heap while adding moves are left.
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
    #[arg(long, value_name = "N", default_value_t = 1)]
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
