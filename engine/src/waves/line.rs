//! Heaps one after the other.

use super::Waves;

/// Each heap of a line is a wave: its options are smaller heaps.
#[derive(Debug, Clone, Copy)]
pub struct OneByOne {
    len: u64,
}

impl OneByOne {
    /// The waves of the first `len` heaps.
    pub fn new(len: u64) -> Self {
        Self { len }
    }
}

impl Waves for OneByOne {
    type Block = u64;

    fn count(&self) -> u64 {
        self.len
    }

    fn blocks(&self, wave: u64) -> Vec<u64> {
        vec![wave]
    }

    fn is_before(&self, earlier: u64, index: u64) -> bool {
        earlier < index
    }

    fn for_each_range(&self, &block: &u64, visit: &mut dyn FnMut(u64, u64)) {
        visit(block, 1);
    }
}
