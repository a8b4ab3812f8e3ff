//! Rules that are octal games: what the theory of those proves is then true of them.

use super::{Plan, WrittenRules};
use crate::rules::notation::rule::{Clause, Comparison, Condition, Expr, Set};
use crate::rules::{MAX_TAKE, OctalGame, Rules};

impl WrittenRules {
    /// The octal game that this rule is, where the text shows it: how much may be taken does not depend on
    /// the heap and has a bound, and every split is allowed; or Grundy's game.
    pub fn octal(&self) -> Option<OctalGame> {
        let rule = self.rule();
        if let [clause] = rule.clauses.as_slice()
            && rule.positions.is_none()
            && is_grundy(clause)
        {
            return Some(OctalGame::grundy());
        }
        if !rule.is_sum_of_heaps() {
            return None;
        }
        let clauses = rule.clauses.iter().zip(&self.plans);
        let most =
            clauses.map(|(clause, plan)| most_taken(clause, plan)).try_fold(0, |a, b| Some(b?.max(a)))?;
        // What may be taken from one heap that is large enough may be taken from every heap.
        let heap = most + 2;
        let mut digits = vec![0u8; most as usize + 1];
        self.options(&[heap], &mut |parts| {
            let taken = (heap - parts.iter().sum::<u32>()) as usize;
            // What is left may be nothing, or one heap; or two heaps where it is split.
            digits[taken] |= if parts.len() == 1 { 3 } else { 4 };
        });
        OctalGame::from_digits(&digits).ok()
    }
}

fn is_grundy(clause: &Clause) -> bool {
    let parts = [Expr::Variable(0), Expr::Variable(1)];
    let differ = |a: &Expr, b: &Expr| Condition::Compare(Comparison::NotEqual, a.clone(), b.clone());
    clause.taken.is_empty()
        && clause.parts.len() == 2
        && [differ(&parts[0], &parts[1]), differ(&parts[1], &parts[0])].contains(&clause.condition)
}

/// The most that a move takes, where the condition depends on the number alone and bounds it.
fn most_taken(clause: &Clause, plan: &Plan) -> Option<u32> {
    let mentions = clause.condition.mentions();
    let number_alone = !mentions.heap && !mentions.new_heap && mentions.slots >> clause.taken.len() == 0;
    if !number_alone || ![0, 2].contains(&clause.parts.len()) {
        return None;
    }
    if clause.taken.is_empty() {
        return Some(0);
    }
    let number = |one: &Expr| match one {
        Expr::Number(number) => Some(*number),
        _ => None,
    };
    let listed = match &plan.loops[0].among {
        Some(Set::Listed(all)) => all.iter().map(number).try_fold(0, |most, one| Some(one?.max(most))),
        _ => None,
    };
    let bound = plan.loops[0].upper.iter().filter_map(number).chain(listed).min()?;
    u32::try_from(bound).ok().filter(|&most| most as usize <= MAX_TAKE)
}
