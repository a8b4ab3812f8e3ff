//! Theorems for a fixed number of heaps, by gaps.

use crate::base::numbers;
use crate::game::Gaps;
use crate::proof::GapTheorem;
use crate::proof::fixed_heaps::FixedBounds;
use crate::proof::order_games::MAX_LETTERS;

/// The theorem about the game called `game`, or that there is none.
pub fn describe(game: &str, gaps: Gaps, heaps: usize, theorem: Option<GapTheorem>) -> String {
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
