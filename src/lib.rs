//! nimwave enumerates impartial combinatorial games: it numbers the positions of a game densely, sweeps them
//! in waves on all cores, fills arrays of outcomes (bits) and Grundy values (bytes), and proves the result
//! right.
//!
//! Solve a table, in a folder that can be resumed, verify it and ask it:
//!
//! ```
//! use nimwave::{Control, Game, HeapJob, Mode, Quantity, Reader, ask, verify};
//!
//! // All positions of minnie on at most three heaps of at most 20 counters.
//! let minnie = Game::named("minnie")?;
//! let job = HeapJob::new(&minnie, 3, 20, Quantity::Values)?;
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let folder = folder.path().join("minnie.table");
//! job.solve(Some(&folder), &Control::silent())?;
//! // The same call resumes a run that was stopped or killed; here nothing is left to do.
//! assert!(job.solve(Some(&folder), &Control::silent())?.is_complete());
//!
//! let reader = Reader::open(&folder)?;
//! assert_eq!(verify(&reader, Mode::Full, &Control::silent())?.verdict, "passed");
//!
//! let answer = ask(&minnie, &[5, 5, 11], Some(&reader), &Control::silent())?;
//! assert_eq!(answer.value, Some(0)); // [5,5,11] is a P-position
//! # Ok::<(), nimwave::Error>(())
//! ```
//!
//! A nim-sequence, and a theorem:
//!
//! ```
//! use nimwave::{Control, Game, OctalJob, proof};
//!
//! let kayles = OctalJob::new("0.77".parse()?, 100).solve(None, &Control::silent())?;
//! assert_eq!(kayles.cells().get(11), 6);
//!
//! // Who wins minnie with any number of heaps of any sizes: a finite quotient, learned and then proved.
//! let minnie = Game::named("minnie")?;
//! let proof::Proof::Quotient(verdict) = proof::prove(&minnie, None, &Control::silent())? else { unreachable!() };
//! let theorem = verdict.theorem.expect("minnie has a finite quotient");
//! assert_eq!(theorem.certificate.quotient.classes(), 121);
//! # Ok::<(), nimwave::Error>(())
//! ```
//!
//! A game of your own:
//!
//! ```
//! use nimwave::game::{Entry, EntryKind, HeapGame};
//! use nimwave::{Control, Game, HeapJob, Quantity, rules::Rules};
//!
//! /// A move takes one counter, or all counters of a heap.
//! struct OneOrAll;
//!
//! impl Rules for OneOrAll {
//!     type Position = [u32];
//!
//!     fn options(&self, heaps: &[u32], visit: &mut dyn FnMut(&[u32])) {
//!         let mut option = heaps.to_vec();
//!         for i in (0..heaps.len()).filter(|&i| heaps[i] > 0) {
//!             for left in [heaps[i] - 1, 0] {
//!                 option[i] = left;
//!                 visit(&option);
//!             }
//!             option[i] = heaps[i];
//!         }
//!     }
//! }
//!
//! static ONE_OR_ALL: Entry = Entry {
//!     name: "one-or-all",
//!     source: "this page",
//!     moves: "take one counter from a heap, or the whole heap",
//!     parameters: &[],
//!     example: ("", "3 4"),
//!     kind: EntryKind::Heaps(|_| Ok(HeapGame::new(OneOrAll))),
//! };
//!
//! nimwave::game::register(&ONE_OR_ALL)?;
//! let job = HeapJob::new(&Game::named("one-or-all")?, 2, 9, Quantity::Values)?;
//! let table = job.solve(None, &Control::silent())?;
//! assert_eq!(table.cells().get(job.space()?.rank_sorted(&[0, 3])), 1);
//! # Ok::<(), nimwave::Error>(())
//! ```
//!
//! The modules are the rooms of docs/ARCHITECTURE.md, in the order of the data: a room uses those before it,
//! and `verify` uses neither `sweep` nor `search`.

// What is hidden is for the tests of this crate.
#[doc(hidden)]
pub use nimwave_claims::claims;
#[doc(inline)]
pub use nimwave_desk::{batch, export, plot, report, survey};
#[doc(hidden)]
pub use nimwave_engine::{base, cluster, search, space, sweep, verify, waves};
#[doc(inline)]
pub use nimwave_engine::{game, rules, table};
#[doc(hidden)]
pub use nimwave_theory::analysis;
#[doc(inline)]
pub use nimwave_theory::{answer, partizan, proof};

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use nimwave_desk::bench;

#[cfg(feature = "mpi")]
#[doc(hidden)]
pub mod mpi;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use answer::{Answer, Outcome, Source, ask};
pub use base::{Control, Error, Observer, Result, Silent};
pub use export::{Choice, Dataset, Format, Window, computed, dataset};
pub use game::Game;
pub use rules::Play;
pub use space::{Grid, SortedHeaps, Space};
pub use sweep::{CookieJob, HeapJob, Job, KernelChoice, OctalJob, solve};
pub use table::{Quantity, Reader, Table};
pub use verify::{Mode, verify};
