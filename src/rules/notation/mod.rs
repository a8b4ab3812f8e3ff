//! How people write things: graphs, rule functions, octal codes.

mod graph;
pub mod rule_function;
