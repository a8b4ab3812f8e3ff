//! The `nimwave` command: parse, run, turn an error into an exit code.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;

use clap::Parser;
use nimwave::base::printable;
use nimwave::cli::{Cli, exit_of, out_of_memory, register_rules, tip_for};

/// The system's allocator, but memory that is not there ends the program with a message and the exit code of
/// an error, and not with an abort. Nothing here asks in a way that could go on without it.
struct OrEnd;

impl OrEnd {
    fn or_end(memory: *mut u8) -> *mut u8 {
        if memory.is_null() {
            out_of_memory();
        }
        memory
    }
}

// SAFETY: everything is left to the system's allocator; a null pointer never returns.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract, which is the same.
        Self::or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        Self::or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        Self::or_end(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd;

fn main() -> ExitCode {
    if let Err(error) = register_rules(std::env::args_os().skip(1)) {
        eprintln!("nimwave: {}", printable(&error.to_string()));
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        // Nothing can be done if this cannot be printed.
        let _ = error.print();
        if let Some(tip) = tip_for(&error) {
            eprintln!("\n{tip}");
        }
        std::process::exit(error.exit_code())
    });
    match cli.run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("nimwave: {}", printable(&format!("{error:#}")));
            exit_of(&error).into()
        }
    }
}
