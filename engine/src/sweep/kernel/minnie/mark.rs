//! Marks the values of many rows in bitsets that lie in planes: the inner loop of the value kernels.
//!
//! A vector shift by 64 or more gives 0, so that `1 << (value - 64w)` is the bit of `value` in plane w, or
//! nothing. Four or eight cells and up to four planes are kept in registers while all rows pass.

use crate::base::simd::shared::SharedCell;
use crate::base::simd::{Has, Vector, VectorLoop};
use crate::base::{Isa, Level};
use crate::table::ValueCell;

/// Cells are taken in groups of this many, or of a part of it.
const GROUP: usize = 8;

/// The length of a plane for a row of `length` cells: whole groups.
pub fn lanes(length: usize) -> usize {
    length.next_multiple_of(GROUP)
}

/// Marks values with the instructions of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Marker {
    isa: Isa,
}

impl Marker {
    /// With these instructions.
    pub fn new(isa: Isa) -> Self {
        Self { isa }
    }

    /// For every row that begins at a cell of `sources`, marks the value of its cell `i` in cell `i` of the
    /// planes. The planes have `stride` words each (from [`lanes`]); values beyond the last plane are left
    /// out. What is marked in the cells of a plane behind the row's own length means nothing.
    #[inline]
    pub fn rows<C: ValueCell>(self, planes: &mut [u64], stride: usize, cells: &[C], sources: &[usize]) {
        let last = cells.len().checked_sub(stride);
        let inside = last.is_some_and(|last| sources.iter().all(|&source| source <= last));
        // Without vectors one value at a time is faster than one plane at a time.
        if inside && stride.is_multiple_of(GROUP) && self.isa.level() > Level::Portable {
            self.isa.run(MarkRows { planes, stride, cells, sources });
        } else {
            mark_one_by_one(planes, stride, cells, sources);
        }
    }
}

fn mark_one_by_one<C: ValueCell>(planes: &mut [u64], stride: usize, cells: &[C], sources: &[usize]) {
    for &source in sources {
        for (i, cell) in cells[source..].iter().take(stride).enumerate() {
            let value = usize::from(cell.get());
            if let Some(word) = planes.get_mut(value / 64 * stride + i) {
                *word |= 1 << (value % 64);
            }
        }
    }
}

/// The stride is a multiple of [`GROUP`], and every row of `stride` cells from a source on is in `cells`.
struct MarkRows<'a, C> {
    planes: &'a mut [u64],
    stride: usize,
    cells: &'a [C],
    sources: &'a [usize],
}

impl<C: ValueCell> VectorLoop for MarkRows<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, has: Has<V>) {
        if self.stride == 0 {
            return;
        }
        let mut plane = 0;
        while self.planes.len() >= self.stride {
            let group = (self.planes.len() / self.stride).min(4);
            match group {
                1 => self.mark_planes::<V, 1>(has, plane),
                2 => self.mark_planes::<V, 2>(has, plane),
                3 => self.mark_planes::<V, 3>(has, plane),
                _ => self.mark_planes::<V, 4>(has, plane),
            }
            plane += group;
            self.planes = &mut std::mem::take(&mut self.planes)[group * self.stride..];
        }
    }
}

impl<C: SharedCell> MarkRows<'_, C> {
    /// Marks the values of `W` planes, of which the first is plane `first`.
    #[inline(always)]
    fn mark_planes<V: Vector, const W: usize>(&mut self, has: Has<V>, first: usize) {
        let Self { planes, stride, cells, sources } = self;
        assert!(planes.len() >= W * *stride);
        let one = V::splat_u64(has, 1);
        let below: [V; W] = std::array::from_fn(|w| V::splat_u64(has, 64 * (first + w) as u64));
        for i in (0..*stride).step_by(V::U64S) {
            // SAFETY: plane w < W is in `planes`, and the U64S cells from i on are in the plane and, as is
            // promised where a `MarkRows` is made, in the row of every source. What others write meanwhile is
            // behind the row.
            unsafe {
                let target = planes.as_mut_ptr().add(i);
                let mut seen: [V; W] = std::array::from_fn(|w| V::load(has, target.add(w * *stride)));
                let cells = cells.as_ptr().add(i);
                let mut mark = |source: usize| {
                    let values: V = C::widen(has, cells, source);
                    for w in 0..W {
                        seen[w] = seen[w].or(one.shift_left_each_u64(values.subtract_u64(below[w])));
                    }
                };
                // Two at a time: with one plane the loop's own instructions would count.
                let (pairs, rest) = sources.as_chunks::<2>();
                for &[a, b] in pairs {
                    mark(a);
                    mark(b);
                }
                rest.iter().for_each(|&source| mark(source));
                for w in 0..W {
                    seen[w].store(target.add(w * *stride));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicU8, AtomicU16};

    fn compare<C: ValueCell>(cells: &[C], count: usize, length: usize, sources: &[usize]) {
        let stride = lanes(length);
        let mut marked: Vec<Vec<u64>> = Isa::available()
            .into_iter()
            .map(|isa| {
                let mut planes = vec![0; count * stride];
                Marker::new(isa).rows(&mut planes, stride, cells, sources);
                planes
            })
            .collect();
        // The vectors that every machine has, which the marker does not use.
        if sources.iter().all(|&source| source + stride <= cells.len()) {
            let mut planes = vec![0; count * stride];
            Isa::PORTABLE.run(MarkRows { planes: &mut planes, stride, cells, sources });
            marked.push(planes);
        }
        for i in 0..length {
            for value in 0..64 * count {
                let bit = |planes: &[u64]| planes[value / 64 * stride + i] >> (value % 64) & 1 == 1;
                let expected = sources.iter().any(|&source| usize::from(cells[source + i].get()) == value);
                assert!(marked.iter().all(|planes| bit(planes) == expected));
            }
        }
    }

    proptest! {
        #[test]
        fn all_ways_mark_the_values(values in proptest::collection::vec(0u16..400, 40..90), count in 1usize..7, length in 1usize..14, sources in proptest::collection::vec(0usize..26, 0..9)) {
            let wide: Vec<AtomicU16> = values.iter().map(|&v| AtomicU16::new(v)).collect();
            compare(&wide, count, length, &sources);
            let narrow: Vec<AtomicU8> = values.iter().map(|&v| AtomicU8::new(v as u8)).collect();
            compare(&narrow, count, length, &sources);
        }
    }
}
