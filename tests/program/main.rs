//! The tests of the program, from outside: one binary, so that it is linked once.

mod support;

mod ask;
mod automata;
mod batch;
mod batch_results;
mod cli;
mod cookie_cli;
mod corruption;
mod crash;
mod desk;
mod exit_codes;
mod full_disk;
mod games;
mod golden_tables;
mod graphs;
mod help_examples;
mod live;
mod misere;
mod mistakes;
#[cfg(feature = "mpi")]
mod mpi;
mod not_positions;
mod octal;
mod play;
mod plot;
mod printed;
mod prove_catalogue;
mod prove_cli;
mod refusals;
mod report;
mod rules;
mod selftest;
mod slices;
mod snapshots;
mod stopped_tables;
mod stopping;
mod survey;
mod survey_octal;
mod values;
mod verification;

#[cfg(not(feature = "mpi"))]
#[test]
#[ignore = "built without MPI: run it with cargo test --features mpi"]
fn tables_are_filled_by_several_processes() {}
