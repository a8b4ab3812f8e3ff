//! Games on heaps of counters: what the catalogue knows beyond the rules.

use std::fmt;
use std::sync::Arc;

use super::lines::{Lines, Most, Sets};
use crate::base::{Error, Result};
use crate::rules::notation::rule::{Condition, MOST_HEAPS, Rule, Scope};
use crate::rules::notation::show_heaps;
use crate::rules::{Counters, HeapRules, Play, Rules, Together, WrittenRules, all_different};

/// A game on heaps. Made with [`HeapGame::new`] it has tables, verification and everything that follows from
/// the rules alone; the rest says where more is known.
#[derive(Clone)]
pub struct HeapGame {
    /// The rules; [`HeapGame::rules()`] gives those for a size.
    pub rules: RulesFor,
    /// Which game of the family bounded by the smallest heap this is, if any: its tables are filled and
    /// checked by whole rows.
    pub family: Option<Family>,
    /// The lines along which heaps are lowered, where that is all of the rules and `family` does not say it;
    /// [`HeapGame::lines()`] knows both.
    pub lines: Option<Lines>,
    /// No two heaps of a position may be equal.
    pub distinct: bool,
    /// How positions are written.
    pub notation: Notation,
    /// The most heaps that a position has, where the game says so.
    pub most_heaps: Option<usize>,
    /// Whether the game is the sum of its heaps, and of which ones.
    pub sum: Option<HeapSum>,
    /// The ways to a theorem that the moves allow.
    pub proofs: Proofs,
    /// The rule, where somebody has written it.
    pub written: Option<Arc<WrittenRules>>,
}

/// The rules, which for some games depend on the largest heap that will be asked about.
#[derive(Clone)]
pub enum RulesFor {
    /// The same for heaps of all sizes.
    Any(Arc<HeapRules>),
    /// The rules for heaps of at most so many counters.
    UpTo(Arc<dyn Fn(u32) -> Result<Arc<HeapRules>> + Send + Sync>),
}

/// The games whose moves are bounded by the smallest heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Take from one heap.
    Minnie,
    /// Take from one heap, never leaving equal heaps.
    Mine,
    /// Take from one heap, or the same number from several.
    Wynnie(Together),
}

/// How the positions of a heap game are written.
#[derive(Debug, Clone, Default)]
pub enum Notation {
    /// The sizes of the heaps; empty ones are left out.
    #[default]
    Sizes,
    /// The names of the nodes that counters stand on.
    Nodes(Arc<Counters>),
    /// Row and column of a square.
    Square,
    /// The sizes of the heaps; the position begins with the number of adding moves that are left.
    AfterAdditions(u32),
}

/// The games that are the sum of their heaps: a move changes one heap, and what it may become does not depend
/// on the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeapSum {
    /// A heap of n may become any smaller one, so that its value is n; Bouton's theorem knows both plays.
    Nim,
    /// Heaps have values of their own, which add up in normal play (Sprague and Grundy).
    Values,
}

/// The ways to a theorem that the moves of a game allow (docs/PROOFS.md).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Proofs {
    /// A finite quotient of all multisets of heaps, by slabs (theorem 1).
    pub quotient: Option<Slabs>,
    /// A fixed number of heaps, by the gaps between them (theorems 2 and 3).
    pub gaps: Option<Gaps>,
}

/// The games whose moves are local inside finitely many slabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slabs {
    /// With smallest heap j every heap may lose 1 to j.
    Minnie,
    /// A move makes a new smallest heap.
    Nimb,
    /// The largest heap becomes the smallest.
    Nimtb,
}

/// Why the gaps between heaps decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Moves take at most the smallest heap (theorem 2).
    Bounded,
    /// Moves are legal by the order of the heaps alone (theorem 3).
    Order,
}

impl Family {
    /// The lines along which heaps are lowered.
    fn lines(self) -> Lines {
        let sets = match self {
            Self::Minnie | Self::Mine => Sets::One,
            Self::Wynnie(together) => Sets::Together(together),
        };
        Lines { sets, most: Most::Smallest }
    }

    /// The game of the family that a written rule is, word for word: the kernels by rows then fill its tables.
    fn of_rule(rule: &Rule) -> Option<Self> {
        let known = [
            ("one heap", Self::Minnie),
            ("one or two heaps", Self::Wynnie(Together::Two)),
            ("any heaps", Self::Wynnie(Together::Any)),
            ("one or all heaps", Self::Wynnie(Together::All)),
        ];
        let [clause] = rule.clauses.as_slice() else { return None };
        let name = clause.taken.first()?;
        known.into_iter().find_map(|(heaps, family)| {
            let text = format!("take {name} from {heaps} where {name} <= min");
            (Rule::parse(&text).as_ref() == Ok(rule)).then_some(family)
        })
    }
}

impl HeapGame {
    /// The game with these rules: a position is any multiset of heaps, and a move only lowers heaps.
    pub fn new(rules: impl Rules<Position = [u32]> + 'static) -> Self {
        Self::with(RulesFor::Any(Arc::new(rules)))
    }

    /// The game whose rules for heaps of at most `n` counters are `rules(n)`.
    pub fn up_to(rules: impl Fn(u32) -> Result<Arc<HeapRules>> + Send + Sync + 'static) -> Self {
        Self::with(RulesFor::UpTo(Arc::new(rules)))
    }

    fn with(rules: RulesFor) -> Self {
        Self {
            rules,
            family: None,
            lines: None,
            distinct: false,
            notation: Notation::Sizes,
            most_heaps: None,
            sum: None,
            proofs: Proofs::default(),
            written: None,
        }
    }

    /// The game of a rule that somebody has written.
    pub fn written(rules: WrittenRules) -> Self {
        let rules = Arc::new(rules);
        let rule = rules.rule();
        let sum = if rule.is_nim() {
            Some(HeapSum::Nim)
        } else {
            rule.is_sum_of_heaps().then_some(HeapSum::Values)
        };
        Self {
            family: Family::of_rule(rule),
            lines: rule.is_nim().then_some(Lines::NIM),
            distinct: rule.positions == Some(Condition::Different(Scope::Before)),
            sum,
            written: Some(Arc::clone(&rules)),
            ..Self::with(RulesFor::Any(rules))
        }
    }

    /// The rules for heaps of at most `largest` counters.
    pub fn rules(&self, largest: u32) -> Result<Arc<HeapRules>> {
        match &self.rules {
            RulesFor::Any(rules) => Ok(Arc::clone(rules)),
            RulesFor::UpTo(rules) => rules(largest),
        }
    }

    /// The lines along which heaps are lowered, where they are all of the rules, except that a game of distinct
    /// heaps has no moves that leave equal ones.
    pub fn lines(&self) -> Option<Lines> {
        self.family.map(Family::lines).or(self.lines)
    }

    /// Whether tables can be filled: moves only lower heaps, and the order of the heaps does not matter.
    pub fn has_tables(&self) -> bool {
        !matches!(self.notation, Notation::AfterAdditions(_))
    }

    /// The largest heap that positions can have, where the game bounds it.
    pub fn largest_heap(&self) -> Option<u32> {
        match &self.notation {
            Notation::Nodes(graph) => Some(graph.nodes()),
            _ => None,
        }
    }

    /// The position of `words`: heap sizes as `number` reads them, or the names of nodes.
    pub fn read<T: From<u32>>(&self, words: &[&str], number: &dyn Fn(&str) -> Result<T>) -> Result<Vec<T>> {
        let read = |word: &&str| match &self.notation {
            Notation::Nodes(graph) => graph.node(word).map(T::from),
            _ => number(word),
        };
        let mut position = words.iter().map(read).collect::<Result<Vec<T>>>()?;
        if let Notation::AfterAdditions(additions) = self.notation {
            position.insert(0, additions.into());
        }
        Ok(position)
    }

    /// The position with its heaps in ascending order and without empty ones.
    pub fn normal(&self, position: &[u64]) -> Vec<u64> {
        let before = usize::from(!self.has_tables()).min(position.len());
        let (additions, heaps) = position.split_at(before);
        let mut heaps: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        [additions, &heaps].concat()
    }

    /// Refuses what is not a position of the game: equal heaps in mine, a third coordinate of a rook, a node
    /// that is not there.
    pub fn check(&self, name: &str, heaps: &[u32]) -> Result<()> {
        if let Some(most) = self.most_heaps.filter(|&most| heaps.len() > most) {
            return Err(Error::Usage(match self.notation {
                Notation::Square => format!("a {name} stands on one square; give its row and its column"),
                _ => format!("a position of {name} has at most {most} heaps"),
            }));
        }
        if let Some((nodes, node)) =
            self.largest_heap().and_then(|nodes| Some((nodes, heaps.iter().find(|&&node| node > nodes)?)))
        {
            return Err(Error::Usage(format!("the graph has {nodes} nodes, and no node number {node}")));
        }
        if let Some(rules) = &self.written {
            // Moves in any of the heaps are moves in any set of them.
            let any = rules.rule().clauses.iter().any(|clause| clause.moved.any);
            let most = if any { 16 } else { MOST_HEAPS };
            if heaps.len() > most {
                return Err(Error::Usage(format!("a position of this {name} has at most {most} heaps")));
            }
        }
        if !self.is_position(heaps) {
            let why = match &self.written {
                Some(_) => "its rule says which positions there are; choose other heaps",
                None => "no two heaps may be equal; change one of them",
            };
            return Err(Error::Usage(format!("{} is not a position of {name}: {why}", self.show(heaps))));
        }
        Ok(())
    }

    /// Whether a move may leave more heaps than there were.
    pub fn splits(&self) -> bool {
        self.written.as_ref().is_some_and(|rules| rules.rule().splits())
    }

    /// Whether a sequence of values of single heaps says everything about this rule in this play.
    pub fn is_written_sum(&self, play: Play) -> bool {
        self.written.is_some() && self.sum.is_some() && play == Play::Normal
    }

    /// How many times as many options heaps of this size have as those of a game whose moves choose one number.
    pub fn more_options(&self, largest: u64) -> f64 {
        let numbers = self.written.as_ref().map_or(1, |rules| rules.numbers());
        (largest as f64).powi(numbers as i32 - 1)
    }

    /// Whether any heaps are a position, so that every entry of a table is one.
    pub fn has_all_heaps(&self) -> bool {
        let condition = self.written.as_ref().is_some_and(|rules| rules.rule().positions.is_some());
        !self.distinct && !condition
    }

    /// Whether these heaps, absent ones as 0, are a position: an index of a table also holds heaps that are
    /// not.
    pub fn is_position(&self, heaps: &[u32]) -> bool {
        match &self.written {
            Some(rules) => rules.is_position(heaps),
            None => !self.distinct || all_different(heaps),
        }
    }

    /// How a position is shown: without empty heaps, nodes by name.
    pub fn show<T: Copy + Into<u64>>(&self, position: &[T]) -> String {
        let all: Vec<u64> = position.iter().map(|&heap| heap.into()).collect();
        let present = |heaps: &[u64]| show_heaps(heaps.iter().filter(|&&heap| heap > 0));
        match (&self.notation, all.split_first()) {
            (Notation::Nodes(graph), _) => {
                let name = |&node: &u64| u32::try_from(node).ok().and_then(|node| graph.name(node));
                show_heaps(all.iter().filter(|&&node| node > 0).map(|node| name(node).unwrap_or("?")))
            }
            (Notation::Square, _) => {
                // The board is symmetric, and a square is shown with its smaller coordinate first.
                let mut square = all.clone();
                square.resize(2.max(all.len()), 0);
                square.sort_unstable();
                show_heaps(square)
            }
            (Notation::AfterAdditions(_), Some((1, heaps))) => {
                format!("{} with 1 adding move left", present(heaps))
            }
            (Notation::AfterAdditions(_), Some((left, heaps))) => {
                format!("{} with {left} adding moves left", present(heaps))
            }
            _ => present(&all),
        }
    }
}

impl fmt::Debug for HeapGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { family, distinct, notation, proofs, .. } = self;
        f.debug_struct("HeapGame")
            .field("family", family)
            .field("distinct", distinct)
            .field("notation", notation)
            .field("proofs", proofs)
            .finish_non_exhaustive()
    }
}
