//! The memory of the words: a ring of planes.

use std::cell::UnsafeCell;

use super::shape::Shape;
use crate::base::simd::block::WORDS;

/// A move lowers a heap by at most 3, so that a plane reads itself and the three before it.
pub const PLANES_READ: usize = 3;

/// The planes that are still read or being written. Plane `p` lies in the place `p % planes`.
pub struct Ring<'a> {
    pub shape: &'a Shape,
    planes: usize,
    plane_words: usize,
    words: Box<[UnsafeCell<u64>]>,
    /// As many zeros as the longest column has words.
    zeros: Vec<u64>,
}

/// The words of a row and block: a column for each slab, from x = `Shape::column_start` on.
#[derive(Clone, Copy)]
pub struct Columns {
    first: *mut u64,
    stride: usize,
}

impl Columns {
    /// The column of a slab.
    #[inline]
    pub fn of_slab(self, slab: usize) -> *mut u64 {
        // SAFETY: the columns of all slabs lie one after the other.
        unsafe { self.first.add((slab - 1) * self.stride) }
    }
}

// SAFETY: a column is written by the one thread that has its line, before it announces the row; others read
// it only after they have seen the announcement (see `run`), and a place of the ring gets another plane only
// after all readers of the old one have ended.
unsafe impl Sync for Ring<'_> {}

impl<'a> Ring<'a> {
    pub fn new(shape: &'a Shape, planes: usize) -> Self {
        let plane_words = Self::plane_words(shape) as usize;
        let zeros = vec![0u64; WORDS * (shape.max() as usize + 1)];
        // Zeros that the system gives without touching the pages.
        let words = Box::into_raw(vec![0u64; planes * plane_words].into_boxed_slice());
        // SAFETY: an UnsafeCell has the layout of what it holds, and the box is owned.
        let words = unsafe { Box::from_raw(words as *mut [UnsafeCell<u64>]) };
        Self { shape, planes, plane_words, words, zeros }
    }

    /// The u64 of the largest plane.
    pub fn plane_words(shape: &Shape) -> u64 {
        shape.planes().map(|first| shape.plane_words(first).unwrap_or(u64::MAX)).max().unwrap_or(0)
    }

    /// The bytes of a ring of so many planes.
    pub fn memory(shape: &Shape, planes: usize) -> u64 {
        Self::plane_words(shape).saturating_mul(8 * planes as u64)
    }

    /// The columns of a row and block, if they are stored.
    #[inline]
    pub fn columns(&self, line: &[u32], sum: u32, block: usize) -> Option<Columns> {
        let place = self.shape.cap(line) as usize % self.planes;
        let at = place * self.plane_words + self.shape.columns(line, sum, block)?;
        Some(Columns { first: self.words[at].get(), stride: WORDS * self.shape.column_length(line) })
    }

    /// The same, or zeros where nothing is stored.
    #[inline]
    pub fn columns_or_zeros(&self, line: &[u32], sum: u32, block: usize) -> Columns {
        let zeros = Columns { first: self.zeros.as_ptr().cast_mut(), stride: 0 };
        self.columns(line, sum, block).unwrap_or(zeros)
    }

    /// The words of the plane whose lines begin with `first`; only while no thread is at work.
    pub fn plane(&mut self, first: u32) -> &mut [u64] {
        let from = first as usize % self.planes * self.plane_words;
        let words = self.shape.plane_words(first).unwrap_or(0) as usize;
        let cells = &mut self.words[from..from + words];
        // SAFETY: an UnsafeCell has the layout of what it holds, and the ring is borrowed alone.
        unsafe { &mut *(cells as *mut [UnsafeCell<u64>] as *mut [u64]) }
    }
}
