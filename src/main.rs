//! The `nimwave` command.
fn main() {}
