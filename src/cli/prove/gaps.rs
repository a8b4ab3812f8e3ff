//! What `prove` says about theorems for a fixed number of heaps, by gaps.

use serde_json::json;

use super::Work;
use crate::game::Gaps;
use crate::proof::{GapTheorem, describe};

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
        || describe::gaps::describe(&asked.title(), gaps, heaps, theorem),
    );
    theorem.is_some()
}
