//! A closed form in words.

use super::{ClosedForm, Condition, Tree};
use std::fmt;

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
