//! `nimwave query minnie` for positions that no table holds: from the proved quotient.

use std::process::ExitCode;

use serde_json::json;

use super::Context;
use crate::proof::strategy::MinniePlayer;
use crate::rules::Play;
use crate::space::{MAX_HEAPS, SortedHeaps};

/// Positions of a table that a query still solves for the Grundy value.
const LARGEST_TABLE: u64 = 50_000_000;

/// Whether solving a table for these heaps would be out of proportion.
pub fn beyond_tables(heaps: &[u64]) -> bool {
    let present = heaps.iter().filter(|&&heap| heap > 0).count();
    let largest = heaps.iter().copied().max().unwrap_or(0);
    present > MAX_HEAPS
        || u32::try_from(largest)
            .ok()
            .and_then(|largest| SortedHeaps::count(present, largest))
            .is_none_or(|positions| positions > LARGEST_TABLE)
}

/// Prints outcome and winning moves.
///
/// The Grundy value is given where it is known without a table: 0 for P-positions, and in normal play 1 for the
/// P-positions of the misère game (proposition 3 of docs/PROOFS.md).
pub fn run(heaps: &[u64], misere: bool, context: &Context) -> ExitCode {
    let player = MinniePlayer::embedded(Play::from_misere(misere));
    let mut position: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    position.sort_unstable();
    let is_p = player.is_p(&position);
    let value = match (is_p, misere) {
        (true, _) => Some(0),
        (false, false) => MinniePlayer::embedded(Play::Misere).is_p(&position).then_some(1),
        (false, true) => None,
    };
    let moves = player.winning_moves(&position);
    let after = |from: u64, to: u64| {
        let mut option = position.clone();
        if let Some(heap) = option.iter_mut().find(|heap| **heap == from) {
            *heap = to;
        }
        option.retain(|&heap| heap > 0);
        option.sort_unstable();
        option
    };
    context.print(
        || {
            let winning: Vec<Vec<u64>> = moves.iter().map(|step| after(step.from, step.to)).collect();
            json!({
                "position": position,
                "outcome": if is_p { "P" } else { "N" },
                "value": value,
                "winning_moves": winning,
            })
        },
        || {
            let name = if position.len() <= 20 { format!("{position:?}") } else { format!("The position of {} heaps", position.len()) };
            let value = value.map_or(String::new(), |value| format!(", Grundy value {value}"));
            if is_p {
                return format!("{name} is a P-position{value}: the player who has just moved wins (from the proved quotient).");
            }
            let mut text = format!("{name} is an N-position{value}: the player to move wins (from the proved quotient).");
            if moves.is_empty() {
                return text + "\nThere is no move left.";
            }
            text += &format!("\n{} winning move{}:", moves.len(), if moves.len() == 1 { "" } else { "s" });
            for step in &moves {
                text += &match step.to {
                    0 => format!("\n  take the whole heap of {}", step.from),
                    to => format!("\n  lower a heap of {} to {to}", step.from),
                };
            }
            text
        },
    );
    ExitCode::SUCCESS
}
