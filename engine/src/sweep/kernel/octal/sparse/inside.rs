//! Pairs of heaps of which one is inside the narrow block in work, and the other a small heap: entered one by
//! one.

use super::super::bits::NARROW;
use super::super::naive::Moves;
use super::classes::Classes;

/// Heaps with small offsets.
struct SmallHeaps {
    /// In the order of the offsets: the bit of the heap's index in the set that comes `offset` sets later.
    bits: Vec<u32>,
    /// How many offsets are below each number up to NARROW.
    count: Vec<u32>,
}

impl SmallHeaps {
    fn new(pairs: &[(usize, u16)], set_words: usize) -> Self {
        let count = (0..=NARROW).map(|end| pairs.partition_point(|pair| pair.0 < end) as u32).collect();
        let bit = |&(offset, index): &(usize, u16)| (offset * 64 * set_words) as u32 + u32::from(index);
        Self { bits: pairs.iter().map(bit).collect(), count }
    }

    /// Those with offsets below `end`.
    #[inline]
    fn before(&self, end: usize) -> &[u32] {
        &self.bits[..self.count[end] as usize]
    }
}

/// Where a set of indices is one word, a heap looks back at the common heaps of the block instead of each of
/// them writing forward to all its pairs: loads are cheaper than writes.
struct LookBack {
    /// The indices of the small rare heaps.
    rares: Vec<u16>,
    /// For each of those, the sets {index XOR rare index} of the common heaps of the block, after NARROW
    /// empty sets.
    sets: Vec<u64>,
    /// For each small rare heap, the place of the set to look at, less the lane.
    places: Vec<u32>,
}

impl LookBack {
    fn new(pairs: &[(usize, u16)]) -> Self {
        let mut rares: Vec<u16> = pairs.iter().map(|pair| pair.1).collect();
        rares.sort_unstable();
        rares.dedup();
        let place = |&(offset, index): &(usize, u16)| {
            let group = rares.partition_point(|&rare| rare < index);
            (2 * group * NARROW + NARROW - offset) as u32
        };
        let places = pairs.iter().map(place).collect();
        Self { sets: vec![0; 2 * NARROW * rares.len()], rares, places }
    }

    #[inline]
    fn enter(&mut self, lane: usize, index: u32) {
        for (sets, rare) in self.sets.chunks_exact_mut(2 * NARROW).zip(&self.rares) {
            sets[NARROW + lane] = 1 << (index ^ u32::from(*rare));
        }
    }

    #[inline]
    fn excluded(&self, lane: usize) -> u64 {
        assert!(lane < NARROW);
        // SAFETY: the places are below 2 · group · NARROW + NARROW, and each group has 2 · NARROW sets.
        let set = |&place: &u32| unsafe { *self.sets.get_unchecked(place as usize + lane) };
        let (fours, rest) = self.places.as_chunks::<4>();
        let fours =
            fours.iter().fold([0; 4], |sets, places| std::array::from_fn(|k| sets[k] | set(&places[k])));
        rest.iter().fold(fours.iter().fold(0, |all, four| all | four), |all, place| all | set(place))
    }
}

/// The pairs inside the narrow block in work.
pub(super) struct Inside {
    /// The rare (common) heaps with offsets below NARROW.
    rares: SmallHeaps,
    commons: SmallHeaps,
    back: Option<LookBack>,
}

impl Inside {
    pub fn new(classes: &Classes, moves: &Moves, values: &[u16]) -> Self {
        let mut pairs = [Vec::new(), Vec::new()];
        for (n, &value) in values.iter().enumerate().take(NARROW).skip(1) {
            let common = classes.is_common(value, n);
            for &i in moves.splits.iter().filter(|&i| n + i < NARROW) {
                pairs[usize::from(common)].push((n + i, classes.index(value) as u16));
            }
        }
        for pairs in &mut pairs {
            pairs.sort_unstable();
            pairs.dedup();
        }
        let words = classes.set_words();
        let back = (words == 1).then(|| LookBack::new(&pairs[0]));
        Self { rares: SmallHeaps::new(&pairs[0], words), commons: SmallHeaps::new(&pairs[1], words), back }
    }

    /// Begins a narrow block.
    pub fn begin(&mut self) {
        if let Some(back) = &mut self.back {
            back.sets.fill(0);
        }
    }

    /// What the earlier common heaps of the block and the small rare heaps exclude at a heap of the block, as
    /// far as that has not been written forward: the first word of the set.
    #[inline]
    pub fn look_back(&self, lane: usize) -> u64 {
        self.back.as_ref().map_or(0, |back| back.excluded(lane))
    }

    /// Excludes, at later heaps of the narrow block (whose sets `excluded` holds), what heap `n` and a small
    /// heap of the other class do.
    #[inline]
    pub fn enter(&mut self, classes: &Classes, value: u16, n: usize, excluded: &mut [u64]) {
        let index = classes.index(value) as u32;
        let lane = n % NARROW;
        let common = classes.is_common(value, n);
        if let Some(back) = &mut self.back
            && common
        {
            return back.enter(lane, index);
        }
        let small = if common { &self.rares } else { &self.commons };
        let later = &mut excluded[lane * classes.set_words()..];
        for bit in small.before(NARROW - lane) {
            // The set's size is a power of two, so the XOR stays in the set of the heap it belongs to.
            let bit = (bit ^ index) as usize;
            later[bit / 64] |= 1 << (bit % 64);
        }
    }
}
