//! The engine: fills a table wave by wave with a kernel, on all cores, with checkpoints.

mod cookie;
mod heap_results;
mod heaps;
mod job;
pub mod kernel;
mod octal;
pub mod pace;
pub mod run;

pub use cookie::CookieJob;
pub use heap_results::count_results;
pub use heaps::{HeapJob, KernelChoice};
pub use job::{Filled, Job, Needs, check_budget, check_out, needs, solve};
pub use octal::OctalJob;
pub use octal::maximum;
pub use run::run;
