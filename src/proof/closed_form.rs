//! A readable form of a proved quotient of minnie: a few conditions a person can check by eye.
//!
//! The search knows kinds of conditions (counts of small heaps, some large odd heap, an exclusive or of
//! residues whose table is read off the quotient, the outcome without a smallest heap), not the answer. For
//! each smallest heap it builds a small decision tree. The tree is exact by construction: it is built
//! from *all* reachable states of the quotient together with the conditions, and splits until every leaf
//! has one outcome.

use super::quotient::{Class, EMPTY_CLASS, Quotient};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// States of one smallest heap beyond which no description is searched for.
const MAX_STATES: usize = 3_000_000;

/// An exclusive or over all heaps of a table of residues, read off the quotient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XorOfResidues {
    /// `table[h mod period]` is what a heap of `h` contributes.
    pub table: Vec<u64>,
    /// Number of bits of the contributions.
    pub bits: u32,
}

impl XorOfResidues {
    fn of(&self, heap: u64) -> u64 {
        self.table[(heap % self.table.len() as u64) as usize]
    }

    /// The group that heaps from the threshold on generate, as an exclusive or, if it is one.
    ///
    /// The products of such letters have a least ideal, which is a group with the identity `e`; heap `h`
    /// acts there as `h * e`. If every element is its own inverse the group is an exclusive or of bits.
    fn find(quotient: &Quotient) -> Option<Self> {
        let letters = quotient.letters();
        let large = letters.threshold()..letters.threshold() + letters.period();
        let product = large.clone().fold(EMPTY_CLASS, |class, size| quotient.add_heap(class, size));
        let mut identity = product;
        for _ in 0..quotient.classes() {
            if quotient.multiply(identity, identity) == identity {
                break;
            }
            identity = quotient.multiply(identity, product);
        }
        let mut elements = vec![EMPTY_CLASS; letters.period() as usize];
        for size in large {
            let element = quotient.add_heap(identity, size);
            if quotient.add_heap(element, size) != identity {
                return None;
            }
            elements[(size % letters.period()) as usize] = element;
        }
        // A basis from the residues 1, 2, 4, ... first: then the table is close to the residue itself.
        let mut span: HashMap<Class, u64> = HashMap::from([(identity, 0)]);
        let mut bits = 0;
        let powers = (0..).map(|i| 1usize << i).take_while(|&r| r < elements.len());
        for residue in powers.chain(0..elements.len()) {
            if !span.contains_key(&elements[residue]) {
                let extended: Vec<(Class, u64)> = span
                    .iter()
                    .map(|(&class, &mask)| (quotient.multiply(class, elements[residue]), mask | 1 << bits))
                    .collect();
                span.extend(extended);
                bits += 1;
            }
        }
        Some(Self { table: elements.iter().map(|element| span[element]).collect(), bits })
    }
}

/// A condition on a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// No heap of this size.
    NoHeapOf(u64),
    /// Exactly one heap of this size.
    OneHeapOf(u64),
    /// No heap larger than this size.
    NoHeapAbove(u64),
    /// Exactly one heap larger than this size.
    OneHeapAbove(u64),
    /// Some heap larger than this size is odd.
    OddHeapAbove(u64),
    /// The low bits of the exclusive or have this value.
    Xor {
        /// How many low bits.
        bits: u32,
        /// Their value.
        value: u64,
    },
    /// Without one of its smallest heaps it is a P-position.
    RestIsP,
}

/// A decision tree over conditions; leaves say whether the position is P.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// Every position that gets here has this outcome.
    Leaf {
        /// The outcome.
        is_p: bool,
        /// The values that the exclusive or takes here, as a bit set; for shorter words only.
        xor_values: u32,
    },
    /// If the condition holds the first subtree decides, otherwise the second.
    Branch(Condition, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf { .. } => 1,
            Self::Branch(_, yes, no) => yes.leaves() + no.leaves(),
        }
    }
}

impl Tree {
    /// What makes a description long: leaves, and then words on the ways to P leaves.
    fn length(&self) -> (usize, usize) {
        (self.leaves(), self.words(0))
    }

    /// Conditions on the ways to P leaves; "X mod 4 other than 2" says less than "X mod 4 = 0".
    fn words(&self, above: usize) -> usize {
        match self {
            Self::Leaf { is_p, .. } => usize::from(*is_p) * above,
            Self::Branch(condition, yes, no) => {
                let vague = matches!(condition, Condition::Xor { bits: 2.., .. });
                yes.words(above + 1) + no.words(above + 1 + usize::from(vague))
            }
        }
    }
}

/// A description: a tree for every smallest heap up to `m`; larger ones are N.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedForm {
    /// The exclusive or that the conditions speak of.
    pub xor: XorOfResidues,
    /// The tree for smallest heap 1, 2, ..., m.
    pub trees: Vec<Tree>,
    /// Whether the empty position is P.
    pub empty_is_p: bool,
    /// Pairs of class and conditions from which the trees were built and with which they agree.
    pub states: usize,
}

/// A combination of conditions that occurs, and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sample {
    held: u128,
    xor: u64,
    is_p: bool,
}

/// What the conditions see of a position with a known smallest heap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct View {
    class: Class,
    rest: Class,
    /// Heaps of sizes `1..=small`, size `i + 1` at index `i`, each count capped at 2.
    counts: Vec<u8>,
    large: u8,
    large_odd: bool,
    xor: u64,
}

/// The sizes and the exclusive or that a search works with.
struct Frame<'a> {
    quotient: &'a Quotient,
    xor: &'a XorOfResidues,
    largest_min: u64,
    small: u64,
}

impl Frame<'_> {
    fn first(&self, smallest: u64) -> View {
        let blank = View {
            class: EMPTY_CLASS,
            rest: EMPTY_CLASS,
            counts: vec![0; self.small as usize],
            large: 0,
            large_odd: false,
            xor: 0,
        };
        View { rest: EMPTY_CLASS, ..self.with(&blank, smallest) }
    }

    fn with(&self, view: &View, heap: u64) -> View {
        let mut next = view.clone();
        next.class = self.quotient.add_heap(view.class, heap);
        next.rest = self.quotient.add_heap(view.rest, heap);
        if heap <= self.small {
            let count = &mut next.counts[heap as usize - 1];
            *count = (*count + 1).min(2);
        }
        if heap > self.largest_min {
            next.large = (next.large + 1).min(2);
            next.large_odd |= heap % 2 == 1;
        }
        next.xor ^= self.xor.of(heap);
        next
    }

    fn conditions(&self, smallest: u64) -> Vec<Condition> {
        let mut conditions = vec![Condition::OneHeapOf(smallest)];
        for size in smallest + 1..=self.small {
            conditions.extend([Condition::NoHeapOf(size), Condition::OneHeapOf(size)]);
        }
        conditions.extend([
            Condition::NoHeapAbove(self.largest_min),
            Condition::OneHeapAbove(self.largest_min),
            Condition::OddHeapAbove(smallest),
            Condition::OddHeapAbove(self.largest_min),
            Condition::RestIsP,
        ]);
        for bits in 1..=self.xor.bits {
            // With one bit the two values are each other's negation.
            let values = if bits == 1 { 1 } else { 1 << bits };
            conditions.extend((0..values).map(|value| Condition::Xor { bits, value }));
        }
        conditions
    }

    fn holds(&self, condition: Condition, view: &View) -> bool {
        match condition {
            Condition::NoHeapOf(size) => view.counts[size as usize - 1] == 0,
            Condition::OneHeapOf(size) => view.counts[size as usize - 1] == 1,
            Condition::NoHeapAbove(_) => view.large == 0,
            Condition::OneHeapAbove(_) => view.large == 1,
            Condition::OddHeapAbove(size) => {
                let small_odd = |(i, &count): (usize, &u8)| i as u64 >= size && i % 2 == 0 && count > 0;
                view.large_odd || view.counts.iter().enumerate().any(small_odd)
            }
            Condition::Xor { bits, value } => view.xor & ((1 << bits) - 1) == value,
            Condition::RestIsP => self.quotient.accepts(view.rest),
        }
    }

    /// Every combination of conditions that occurs with this smallest heap, with its outcome, and the number
    /// of states behind them; `None` if two states with the same conditions have different outcomes.
    fn samples(&self, smallest: u64, conditions: &[Condition]) -> Option<(Vec<Sample>, usize)> {
        let letters = self.quotient.letters();
        let end = letters.threshold().max(self.small + 1).max(smallest + 1) + 2 * letters.period();
        let start = self.first(smallest);
        let mut seen = HashSet::from([start.clone()]);
        let mut queue = vec![start];
        let mut samples: HashMap<u128, Sample> = HashMap::new();
        while let Some(view) = queue.pop() {
            let held = conditions
                .iter()
                .enumerate()
                .fold(0u128, |bits, (i, &condition)| bits | u128::from(self.holds(condition, &view)) << i);
            let is_p = self.quotient.accepts(view.class);
            let sample = Sample { held, xor: view.xor, is_p };
            if samples.entry(held).or_insert(sample).is_p != is_p || seen.len() > MAX_STATES {
                return None;
            }
            for heap in smallest..end {
                let next = self.with(&view, heap);
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    queue.push(next);
                }
            }
        }
        let mut samples: Vec<Sample> = samples.into_values().collect();
        samples.sort_unstable();
        Some((samples, seen.len()))
    }
}

impl ClosedForm {
    /// Searches a description of a proved quotient of minnie with bound `largest_min`.
    ///
    /// `None` if the conditions known here do not determine the outcome, or there are too many states.
    pub fn search(quotient: &Quotient, largest_min: u64) -> Option<Self> {
        let xor = XorOfResidues::find(quotient)?;
        let small = (quotient.letters().threshold() - 1).max(largest_min);
        // Odd and even must be visible in the period, or "odd" would not be a property of letters.
        if !quotient.letters().period().is_multiple_of(2) || small > 24 || xor.bits > 4 {
            return None;
        }
        let frame = Frame { quotient, xor: &xor, largest_min, small };
        let mut trees = Vec::new();
        let mut states = 0;
        for smallest in 1..=largest_min {
            let conditions = frame.conditions(smallest);
            let (samples, count) = frame.samples(smallest, &conditions)?;
            states += count;
            trees.push(grow(&samples, &conditions, LOOKAHEAD));
        }
        let empty_is_p = quotient.accepts(EMPTY_CLASS);
        Some(Self { xor, trees, empty_is_p, states })
    }

    /// The outcome that the description gives; heaps of size 0 are absent.
    pub fn is_p(&self, heaps: &[u64]) -> bool {
        let mut heaps: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        self.is_p_sorted(&heaps)
    }

    fn is_p_sorted(&self, heaps: &[u64]) -> bool {
        let Some((&smallest, rest)) = heaps.split_first() else { return self.empty_is_p };
        let Some(mut tree) = self.trees.get(smallest as usize - 1) else { return false };
        loop {
            match tree {
                Tree::Leaf { is_p, .. } => return *is_p,
                Tree::Branch(condition, yes, no) => {
                    let count = |keep: &dyn Fn(u64) -> bool| heaps.iter().filter(|&&heap| keep(heap)).count();
                    let holds = match *condition {
                        Condition::NoHeapOf(size) => count(&|heap| heap == size) == 0,
                        Condition::OneHeapOf(size) => count(&|heap| heap == size) == 1,
                        Condition::NoHeapAbove(size) => count(&|heap| heap > size) == 0,
                        Condition::OneHeapAbove(size) => count(&|heap| heap > size) == 1,
                        Condition::OddHeapAbove(size) => count(&|heap| heap > size && heap % 2 == 1) > 0,
                        Condition::Xor { bits, value } => {
                            heaps.iter().fold(0, |xor, &heap| xor ^ self.xor.of(heap)) & ((1 << bits) - 1)
                                == value
                        }
                        Condition::RestIsP => self.is_p_sorted(rest),
                    };
                    tree = if holds { yes } else { no };
                }
            }
        }
    }

    /// Number of leaves of all trees: the length of the description.
    pub fn leaves(&self) -> usize {
        self.trees.iter().map(Tree::leaves).sum()
    }
}

/// Levels at which several first conditions are tried before the best by entropy is taken.
const LOOKAHEAD: u32 = 3;

/// Conditions tried at each such level.
const BREADTH: usize = 6;

/// A small tree that separates the samples; they must be separable.
fn grow(samples: &[Sample], conditions: &[Condition], lookahead: u32) -> Tree {
    let p_count = samples.iter().filter(|sample| sample.is_p).count();
    if p_count == 0 || p_count == samples.len() {
        return leaf(samples, p_count > 0);
    }
    let mut ranked: Vec<(f64, usize)> = (0..conditions.len())
        .filter_map(|i| {
            let (mut yes, mut yes_p) = (0usize, 0usize);
            for sample in samples {
                let holds = (sample.held >> i & 1) as usize;
                yes += holds;
                yes_p += holds & usize::from(sample.is_p);
            }
            let (no, no_p) = (samples.len() - yes, p_count - yes_p);
            (yes > 0 && no > 0).then(|| (entropy(yes, yes_p) + entropy(no, no_p), i))
        })
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let tried = if lookahead > 0 { BREADTH } else { 1 };
    let mut best: Option<Tree> = None;
    for &(_, i) in ranked.iter().take(tried) {
        let (yes, no): (Vec<_>, Vec<_>) = samples.iter().partition(|sample| sample.held >> i & 1 == 1);
        let next = lookahead.saturating_sub(1);
        let tree = Tree::Branch(
            conditions[i],
            Box::new(grow(&yes, conditions, next)),
            Box::new(grow(&no, conditions, next)),
        );
        if best.as_ref().is_none_or(|known| tree.length() < known.length()) {
            best = Some(tree);
        }
    }
    // Separable samples always leave a condition that splits them.
    best.unwrap_or_else(|| leaf(samples, false))
}

fn leaf(samples: &[Sample], is_p: bool) -> Tree {
    Tree::Leaf { is_p, xor_values: samples.iter().fold(0, |values, sample| values | 1 << sample.xor) }
}

/// `n` times the binary entropy of `p` out of `n`.
fn entropy(n: usize, p: usize) -> f64 {
    if p == 0 || p == n {
        return 0.0;
    }
    let (n, p) = (n as f64, p as f64);
    -(p * (p / n).log2() + (n - p) * ((n - p) / n).log2())
}

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let period = self.xor.table.len();
        if self.xor.table.iter().copied().eq(0..period as u64) {
            writeln!(f, "Let X be the exclusive or of all h mod {period}.")?;
        } else {
            let table: Vec<String> = self.xor.table.iter().map(u64::to_string).collect();
            writeln!(
                f,
                "Let X be the exclusive or of t(h mod {period}) over all heaps h, where t(0), t(1), ... = {}.",
                table.join(", ")
            )?;
        }
        writeln!(f, "A position is P exactly in these cases:")?;
        if self.empty_is_p {
            writeln!(f, "  no heap at all")?;
        }
        for (smallest, tree) in (1..).zip(&self.trees) {
            let mut cases = Vec::new();
            collect_cases(tree, smallest, &mut Vec::new(), &mut cases);
            if cases.is_empty() {
                writeln!(f, "  smallest heap {smallest}: never")?;
            }
            for (i, case) in cases.iter().enumerate() {
                let head =
                    if i == 0 { format!("smallest heap {smallest}:") } else { " ".repeat(13) + "  or" };
                writeln!(f, "  {head:<16} {case}")?;
            }
        }
        write!(f, "With a larger smallest heap it is N.")
    }
}

/// The ways to a P leaf, each as a sentence.
fn collect_cases(tree: &Tree, smallest: u64, path: &mut Vec<(Condition, bool)>, cases: &mut Vec<String>) {
    match tree {
        Tree::Leaf { is_p: false, .. } => {}
        Tree::Leaf { is_p: true, xor_values } => cases.push(case_in_words(path, *xor_values, smallest)),
        Tree::Branch(condition, yes, no) => {
            for (subtree, holds) in [(yes, true), (no, false)] {
                path.push((*condition, holds));
                collect_cases(subtree, smallest, path, cases);
                path.pop();
            }
        }
    }
}

/// One way to a P leaf: what it says about X first, in as few words as possible, then the rest.
fn case_in_words(path: &[(Condition, bool)], xor_values: u32, smallest: u64) -> String {
    let about_xor = |condition: &Condition| matches!(condition, Condition::Xor { .. });
    let allowed = |x: u64| {
        path.iter().all(|&(condition, holds)| match condition {
            Condition::Xor { bits, value } => (x & ((1 << bits) - 1) == value) == holds,
            _ => true,
        })
    };
    // A residue class that lies in what the way allows and holds all values that occur there says the same.
    let range = 0..32u64;
    let residue = (0..=4u32).flat_map(|bits| (0..1u64 << bits).map(move |value| (bits, value))).find(
        |&(bits, value)| {
            let within = |x: u64| x & ((1 << bits) - 1) == value;
            range.clone().all(|x| (!within(x) || allowed(x)) && (xor_values >> x & 1 == 0 || within(x)))
        },
    );
    let mut words = Vec::new();
    match residue {
        Some((0, _)) => {}
        Some((1, value)) => words.push(format!("X {}", if value == 1 { "odd" } else { "even" })),
        Some((bits, value)) => words.push(format!("X mod {} = {value}", 1u64 << bits)),
        None => words.extend(
            path.iter()
                .filter(|(condition, _)| about_xor(condition))
                .map(|&(condition, holds)| condition_in_words(condition, holds, smallest)),
        ),
    }
    words.extend(
        path.iter()
            .filter(|(condition, _)| !about_xor(condition))
            .map(|&(condition, holds)| condition_in_words(condition, holds, smallest)),
    );
    if words.is_empty() { "always".into() } else { words.join(", ") }
}

fn condition_in_words(condition: Condition, holds: bool, smallest: u64) -> String {
    let either = |yes: String, no: String| if holds { yes } else { no };
    match condition {
        Condition::NoHeapOf(size) => either(format!("no heap of {size}"), format!("some heap of {size}")),
        Condition::OneHeapOf(size) if size == smallest => {
            either(format!("only one heap of {size}"), format!("several heaps of {size}"))
        }
        Condition::OneHeapOf(size) => {
            either(format!("exactly one heap of {size}"), format!("not exactly one heap of {size}"))
        }
        Condition::NoHeapAbove(size) => {
            either(format!("no heap above {size}"), format!("some heap above {size}"))
        }
        Condition::OneHeapAbove(size) => {
            either(format!("exactly one heap above {size}"), format!("not exactly one heap above {size}"))
        }
        Condition::OddHeapAbove(size) => {
            either(format!("some odd heap above {size}"), format!("no odd heap above {size}"))
        }
        Condition::Xor { bits: 1, value } => {
            let odd = holds == (value == 1);
            format!("X {}", if odd { "odd" } else { "even" })
        }
        Condition::Xor { bits, value } => {
            let sign = if holds { "=" } else { "other than" };
            format!("X mod {} {sign} {value}", 1u64 << bits)
        }
        Condition::RestIsP => {
            let outcome = if holds { "P" } else { "N" };
            format!("{outcome} without one heap of {smallest}")
        }
    }
}
