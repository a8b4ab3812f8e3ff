//! A nim-sequence as rows "n, value".

use super::Dataset;
use crate::base::Result;
use crate::table::Reader;

/// The values of a stored nim-sequence.
pub struct OctalData<'a> {
    reader: &'a Reader,
}

impl<'a> OctalData<'a> {
    /// All of the sequence in `reader`.
    pub fn new(reader: &'a Reader) -> Self {
        Self { reader }
    }
}

impl Dataset for OctalData<'_> {
    fn columns(&self) -> Vec<String> {
        vec!["n".into(), "value".into()]
    }

    fn for_each_row(&self, visit: &mut dyn FnMut(&[u64]) -> Result<()>) -> Result<()> {
        (0..self.reader.len()).try_for_each(|n| visit(&[n, u64::from(self.reader.get(n)?)]))
    }

    fn shape(&self) -> Option<Vec<u64>> {
        Some(vec![self.reader.len()])
    }
}
