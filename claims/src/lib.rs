//! The claims of the source documents, each with the code that checks it. Programs use the crate `nimwave`, whose
//! page begins with examples.

use nimwave_engine::{base, game, rules, search, space};
use nimwave_theory::{analysis, partizan, proof};

pub mod claims;
