//! What the ranks tell each other after a wave: entries of one width, behind a byte
//! that says whether they have two bytes.

use super::link::{Incoming, Outgoing};
use crate::base::Error;
use crate::table::Width;

const WIDE: u8 = 2;

/// The beginning of a message of entries of this width.
pub fn begin(width: Width) -> Vec<u8> {
    vec![if width == Width::U16 { WIDE } else { 1 }]
}

/// The message to rank `to`, where it holds any entry.
pub fn outgoing(to: usize, width: Width, bytes: Vec<u8>) -> Option<Outgoing> {
    // The receiver does not know yet whether values have one byte or two.
    let room = if width == Width::U8 { 2 * bytes.len() - 1 } else { bytes.len() };
    (bytes.len() > 1).then_some(Outgoing { to, bytes, room })
}

/// Room for the message of rank `from`, where there will be one: its entries have at most `most_bytes`.
pub fn incoming(from: usize, most_bytes: usize) -> Option<Incoming> {
    (most_bytes > 0).then(|| Incoming { from, bytes: vec![0; 1 + most_bytes] })
}

/// The widest width that the entries of a message can have, in a table that began with `width`.
pub fn widest(width: Width) -> Width {
    if width.is_bit() { Width::Bit } else { Width::U16 }
}

/// Whether the entries of a message have two bytes, and the entries.
pub fn parse(bytes: &[u8]) -> (bool, &[u8]) {
    bytes.split_first().map_or((false, &[]), |(&first, entries)| (first == WIDE, entries))
}

/// The error for a message that does not hold what this rank counts on.
pub fn too_short() -> Error {
    Error::Ranks("a message of another rank is too short; all ranks must run the same program".into())
}
