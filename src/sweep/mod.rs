//! The engine: fills a table wave by wave with a kernel, on all cores, with checkpoints.

mod cookie;
mod heaps;
pub mod kernel;
mod octal;
mod run;

pub use cookie::CookieJob;
pub use heaps::{HeapJob, KernelChoice};
pub use octal::OctalJob;
pub use run::{Control, Observer, Silent, run};
