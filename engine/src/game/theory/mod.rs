//! Theorems about games that the engines may use.

pub mod endless;
pub mod guy_smith;
pub mod hexadecimal;
pub mod octal_cousins;
pub mod regularity;
