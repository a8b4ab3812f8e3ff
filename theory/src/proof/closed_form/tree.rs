//! Small decision trees that separate the P-positions from the others.

use super::Condition;
use super::samples::Sample;

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

/// Levels at which several first conditions are tried before the best by entropy is taken.
pub(super) const LOOKAHEAD: u32 = 3;

/// Conditions tried at each such level.
const BREADTH: usize = 6;

/// A small tree that separates the samples; they must be separable.
pub(super) fn grow(samples: &[Sample], conditions: &[Condition], lookahead: u32) -> Tree {
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
