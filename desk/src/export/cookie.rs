//! A dense table of cookie boards as rows "board, squares, value".

use super::Dataset;
use crate::base::Result;
use crate::table::Reader;

/// The values of all subsets of a grid, or its P-positions.
pub struct CookieData<'a> {
    reader: &'a Reader,
    only_p: bool,
}

impl<'a> CookieData<'a> {
    /// All boards in `reader`, or only those of value 0.
    pub fn new(reader: &'a Reader, only_p: bool) -> Self {
        Self { reader, only_p }
    }
}

impl Dataset for CookieData<'_> {
    /// The board is its index, whose bit `row * cols + col` stands for a square.
    fn columns(&self) -> Vec<String> {
        let value = (!self.only_p).then_some("value");
        ["board", "squares"].into_iter().chain(value).map(String::from).collect()
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        (0..self.reader.len()).filter(|&board| self.reader.holds(board)).try_for_each(|board| {
            let (squares, value) = (u64::from(board.count_ones()), u64::from(self.reader.get(board)?));
            match (self.only_p, value) {
                (true, 0) => visit(&[board, squares]),
                (true, _) => Ok(()),
                (false, _) => visit(&[board, squares, value]),
            }
        })
    }

    fn shape(&self) -> Option<Vec<u64>> {
        (!self.only_p && self.reader.finished().is_none()).then(|| vec![self.reader.len()])
    }
}
