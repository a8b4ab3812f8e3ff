//! The engine: fills a table wave by wave with a kernel, on all cores, with checkpoints.

mod cookie;
pub(crate) mod halo;
mod heaps;
pub mod kernel;
mod octal;
mod octal_period;
mod run;
pub mod shards;

pub use cookie::CookieJob;
pub use heaps::{HeapJob, KernelChoice};
pub use octal::OctalJob;
pub use octal::maximum;
pub use octal_period::{PeriodRun, PeriodSearch};
pub use run::{Control, Observer, Silent, run};
