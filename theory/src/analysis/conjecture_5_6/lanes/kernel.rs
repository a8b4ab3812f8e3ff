//! The loops along a row: 256 lanes at a time.

use crate::base::simd::block::{Block, WORDS};
use crate::base::simd::{Has, Vector, VectorLoop};

/// The sum of columns: `to` = OR of `from`, at each of `length` words.
pub struct OrColumns<'a> {
    pub from: &'a [*const u64],
    pub to: *mut u64,
    pub length: usize,
}

impl VectorLoop for OrColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) {
        let (has, Self { from, to, length }) = (has.block(), self);
        // SAFETY: every column has `length` words, and `to` is not among those of the ring.
        unsafe {
            match *from {
                [] => std::ptr::write_bytes(to, 0, WORDS * length),
                [a] => or_columns(has, [a], to, length),
                [a, b] => or_columns(has, [a, b], to, length),
                [a, b, c, ref rest @ ..] => {
                    or_columns(has, [a, b, c], to, length);
                    for &more in rest {
                        or_columns(has, [to.cast_const(), more], to, length);
                    }
                }
            }
        }
    }
}

/// # Safety
/// `length` words of every column must be readable, and those of `to` writable.
#[inline(always)]
unsafe fn or_columns<B: Block, const N: usize>(
    has: Has<B>,
    from: [*const u64; N],
    to: *mut u64,
    length: usize,
) {
    for at in (0..length).map(|word| WORDS * word) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut sum = B::load(has, from[0].add(at));
            for column in &from[1..] {
                sum = sum.or(B::load(has, column.add(at)));
            }
            sum.store(to.add(at));
        }
    }
}

/// One block of the words of a row, slabs 1, 2 and 3, for all x.
pub struct Row {
    /// The number of words.
    pub length: usize,
    /// The columns of slab m in the rows of the sums less s: (m, s) = (1, 1), (2, 1), (2, 2), (3, 1), (3, 2),
    /// (3, 3).
    pub lower_sum: [*const u64; 6],
    /// The same columns of the block before.
    pub block_before: [*const u64; 6],
    /// What else each slab can reach.
    pub reached: [*const u64; 3],
    /// The slab of the smallest heap 0, the lanes from 0 to 5 only: a bit each of a byte for every x, if
    /// there are any; the block has lane 0 then.
    pub absent: Option<*const u8>,
    /// Where the outcomes go, 1 for a P-position.
    pub to: [*mut u64; 3],
    /// The lanes of each slab that are positions.
    pub positions: [[u64; WORDS]; 3],
    /// The lanes that a slab must cover.
    pub to_cover: [u64; WORDS],
    /// Where x bounds the lanes: a column of the lanes that are not positions.
    pub beyond_x: Option<*const u64>,
}

/// The blocks of the bytes of [`Row::absent`].
static ABSENT: [[u64; WORDS]; 64] = {
    let mut blocks = [[0; WORDS]; 64];
    let mut byte = 0;
    while byte < 64 {
        let mut lane = 0;
        while lane < 6 {
            blocks[byte][lane % WORDS] |= (byte as u64 >> lane & 1) << (lane / WORDS);
            lane += 1;
        }
        byte += 1;
    }
    blocks
};

impl VectorLoop for &Row {
    /// The lanes that are not covered for some x.
    type Output = [u64; WORDS];

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) -> [u64; WORDS] {
        // In a word of one block the lanes that leave enter again.
        match (self.absent.is_some(), self.lower_sum == self.block_before, self.beyond_x.is_some()) {
            (false, true, false) => self.fill::<_, false, true, false>(has.block()),
            (true, true, false) => self.fill::<_, true, true, false>(has.block()),
            (false, false, false) => self.fill::<_, false, false, false>(has.block()),
            (true, false, false) => self.fill::<_, true, false, false>(has.block()),
            (false, _, true) => self.fill::<_, false, false, true>(has.block()),
            (true, _, true) => self.fill::<_, true, false, true>(has.block()),
        }
    }
}

impl Row {
    #[inline(always)]
    fn fill<B: Block, const ABSENT_LANES: bool, const ONE_BLOCK: bool, const BOUNDED: bool>(
        &self,
        has: Has<B>,
    ) -> [u64; WORDS] {
        let zero = B::new(has, [0; WORDS]);
        let [all_1, all_2, all_3] = self.positions.map(|lanes| B::new(has, lanes));
        let to_cover = B::new(has, self.to_cover);
        let mut holes = zero;
        // The outcomes of the words before, x - 1, x - 2, x - 3, of each slab.
        let (mut one_1, mut one_2, mut two_2) = (zero, zero, zero);
        let (mut one_3, mut two_3, mut three_3) = (zero, zero, zero);
        let absent = self.absent.unwrap_or(std::ptr::null());
        let beyond_x = self.beyond_x.unwrap_or(std::ptr::null());
        for x in 0..self.length {
            // SAFETY: every column has `length` words of 4, and `absent`, if there, `length` bytes below 64.
            unsafe {
                let at = WORDS * x;
                let load = |column: *const u64| B::load(has, column.add(at));
                // What a slab reaches in a row of a lower sum: a3 is lowered, or a2, which moves the lanes.
                macro_rules! lower {
                    ($column:literal, $by:literal) => {{
                        let here = load(self.lower_sum[$column]);
                        let before = if ONE_BLOCK { here } else { load(self.block_before[$column]) };
                        here.or(here.moved_up::<$by>(before))
                    }};
                }
                let absent_lanes = if ABSENT_LANES {
                    B::load(has, ABSENT[usize::from(*absent.add(x))].as_ptr())
                } else {
                    zero
                };
                // What is not a position is as good as N, and as good as covered.
                let absent_lanes = if BOUNDED { absent_lanes.or(load(beyond_x)) } else { absent_lanes };
                let reached_1 = load(self.reached[0]).or(lower!(0, 1)).or(absent_lanes);
                let reached_2 = load(self.reached[1]).or(lower!(1, 1)).or(lower!(2, 2));
                let reached_3 = load(self.reached[2]).or(lower!(3, 1)).or(lower!(4, 2)).or(lower!(5, 3));
                let slab_1 = all_1.without(reached_1.or(one_1));
                let below_2 = absent_lanes.or(slab_1);
                let slab_2 = all_2.without(reached_2.or(one_2.or(two_2)).or(below_2));
                let below_3 = below_2.or(slab_2);
                let slab_3 = all_3.without(reached_3.or(one_3.or(two_3).or(three_3)).or(below_3));
                holes = holes.or(to_cover.without(below_3.or(slab_3)));
                slab_1.store(self.to[0].add(at));
                slab_2.store(self.to[1].add(at));
                slab_3.store(self.to[2].add(at));
                one_1 = slab_1;
                (one_2, two_2) = (slab_2, one_2);
                (one_3, two_3, three_3) = (slab_3, one_3, two_3);
            }
        }
        holes.words()
    }
}
