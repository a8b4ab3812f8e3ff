//! What `prove` says about theorems for a fixed number of heaps, by gaps.

use serde_json::json;

use super::Work;
use crate::cli::numbers;
use crate::game::Gaps;
use crate::proof::GapTheorem;
use crate::proof::fixed_heaps::FixedBounds;
use crate::proof::order_games::MAX_LETTERS;

/// Prints the theorem, or that there is none; whether it is proved.
pub fn report(work: &Work<'_>, gaps: Gaps, heaps: usize, theorem: Option<GapTheorem>) -> bool {
    let asked = work.asked;
    work.print(
        || {
            json!({
                "game": asked.name,
                "misere": asked.misere(),
                "heaps": heaps,
                "proved": theorem.is_some(),
                "threshold": theorem.map(|theorem| theorem.letters.threshold()),
                "period": theorem.map(|theorem| theorem.letters.period()),
                "largest_min": theorem.and_then(|theorem| theorem.largest_min),
                "classes": null,
                "states": theorem.map(|theorem| theorem.positions),
                "corollaries": [],
            })
        },
        || describe(&asked.title(), gaps, heaps, theorem),
    );
    theorem.is_some()
}

fn describe(game: &str, gaps: Gaps, heaps: usize, theorem: Option<GapTheorem>) -> String {
    let bounds = FixedBounds::default();
    match (theorem, gaps) {
        (Some(GapTheorem { letters, largest_min, positions }), _) => {
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
                numbers::grouped(positions),
            )
        }
        (None, Gaps::Bounded) => format!(
            "NOT PROVED. For {game} with {heaps} heaps no threshold up to {}, period up to {} and smallest heap up to {}\n\
             make the outcome a function of the smallest heap and the gaps.",
            bounds.threshold, bounds.period, bounds.largest_min
        ),
        (None, Gaps::Order) => format!(
            "NOT PROVED. For {game} with {heaps} heaps no threshold and period of together at most {MAX_LETTERS}\n\
             make the outcome a function of the smallest heap and the gaps."
        ),
    }
}
