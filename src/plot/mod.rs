//! Pictures.

pub mod cookie;
