//! Pictures: sequences, slices of heap tables, cookie tables and boards, as PNG and SVG.
//!
//! Each function turns data into a [`Figure`], which is plain data too; [`Figure::save`] draws it. Dense
//! parts are drawn as pixels, so that a picture of 10^8 terms is as small as one of a thousand. Text uses a
//! font that is part of the program: nothing has to be installed.

pub mod cookie;
mod cookie_table;
mod figure;
mod raster;
mod sequence;
mod slice;
mod style;

pub use cookie_table::{CookieCell, cookie_table};
pub use figure::{Axis, Figure, Format, Key, Layer};
pub use raster::{Raster, data_address};
pub use sequence::{Sequence, count_values, growth_of_maximum, points, proved_period, value_histogram};
pub use slice::{Slice, heat_map};
pub use style::{N_COLOUR, P_COLOUR, Rgb, UNKNOWN};
