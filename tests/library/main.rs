//! The tests of the library that are not beside its code.

mod audit;
mod cookie;
mod golden;
mod hostile;
mod jennifer;
mod own_game;
mod prove;
mod prove_certificates;
mod prove_fixed_heaps;
mod prove_order_games;
mod written_rules;
