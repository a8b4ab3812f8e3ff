//! The word-parallel inner loops: OR-ing shifted bit rows, and turning rows into sets.
//!
//! A bit row has one bit a heap; the same loop handles 512 heaps an instruction with AVX-512, 256 with AVX2 and
//! 64 on any machine. A shift by any number of bits is an unaligned load from one of eight copies of
//! the row, each one bit further than the last: the load costs one cache access (two where it crosses a line), and the copies
//! are made once for all the shifts of a row.

/// The heaps of a wide block: offsets from here on are OR-ed for a whole wide block at once.
pub(crate) const WIDE: usize = 2048;
/// The heaps of a narrow block.
pub(crate) const NARROW: usize = 512;

/// Shifts that share a target: those of the offsets `offsets[start..end]`.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// XOR-ed with the source's index this is the target's index.
    index: u32,
    /// The first offset.
    start: u32,
    /// One past the last offset.
    end: u32,
}

/// A list of shifts, grouped by target. The offsets are bytes into the eight copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shifts {
    groups: Vec<Group>,
    offsets: Vec<u32>,
    /// The words of the copies and the lanes of the block for which the offsets were made.
    shape: (usize, usize),
}

/// Eight copies of a piece of a bit row; copy k is the piece moved down by k bits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Copies {
    data: Vec<u64>,
    stride: usize,
}

/// The slack after each copy, so that the widest load stays inside.
const SLACK: usize = 8;

impl Copies {
    /// Room for copies of `words` words of each of `rows` rows.
    pub fn reserve(&mut self, rows: usize, words: usize) {
        self.stride = words + SLACK;
        let need = rows * 8 * self.stride + SLACK;
        if self.data.len() < need {
            self.data.resize(need, 0);
        }
    }

    /// Words from one row's copies to the next row's.
    fn row_words(&self) -> usize {
        8 * self.stride
    }

    /// The byte from which a load gives the row's bits from `bit` on.
    pub fn offset(words: usize, bit: usize) -> u32 {
        ((bit & 7) * (words + SLACK) * 8 + (bit >> 3)) as u32
    }
}

/// The instruction sets that have their own build of the loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// Plain 64-bit words.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Isa {
    /// The best instruction set of this machine.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
            {
                return Self::Avx512;
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }

    /// The instruction sets that this machine has.
    pub fn available() -> Vec<Self> {
        [Self::Portable, Self::Avx2, Self::Avx512].into_iter().filter(|&isa| isa <= Self::detect()).collect()
    }
}

/// A block of accumulator rows: `stride` words a row, of which WIDE / 64 are used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accumulator {
    pub words: Vec<u64>,
}

/// Words from one accumulator row to the next: one cache line more than the row, so that rows do not fall
/// into the same cache sets.
pub(crate) const ACC_STRIDE: usize = WIDE / 64 + 8;

impl Accumulator {
    pub fn clear(&mut self, rows: usize) {
        self.words.clear();
        self.words.resize(rows * ACC_STRIDE, 0);
    }

    #[inline]
    pub fn set(&mut self, row: usize, lane: usize) {
        self.words[row * ACC_STRIDE + lane / 64] |= 1 << (lane % 64);
    }
}

/// A vector of bits.
trait Vector: Copy {
    const BYTES: usize;
    /// # Safety
    /// `from..from + BYTES` must be readable, and the machine must have the instructions.
    unsafe fn load(from: *const u8) -> Self;
    /// # Safety
    /// `to..to + BYTES` must be writable, and the machine must have the instructions.
    unsafe fn store(self, to: *mut u8);
    /// # Safety
    /// The machine must have the instructions.
    unsafe fn or(self, other: Self) -> Self;
}

impl Vector for u64 {
    const BYTES: usize = 8;
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<u64>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<u64>().write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        self | other
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Vector;
    use std::arch::x86_64::*;

    impl Vector for __m256i {
        const BYTES: usize = 32;
        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_loadu_si256(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_si256(to.cast(), self) }
        }
        #[inline(always)]
        unsafe fn or(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm256_or_si256(self, other) }
        }
    }

    impl Vector for __m512i {
        const BYTES: usize = 64;
        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_loadu_si512(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe { _mm512_storeu_si512(to.cast(), self) }
        }
        #[inline(always)]
        unsafe fn or(self, other: Self) -> Self {
            // SAFETY: the caller's promise.
            unsafe { _mm512_or_si512(self, other) }
        }
    }
}

/// What one pass of OR-ing needs, with everything checked by [`Pass::new`].
#[derive(Clone, Copy)]
struct Pass {
    /// The copies of `SOURCES` consecutive rows.
    copies: *const u8,
    /// Bytes from one source's copies to the next one's.
    source_bytes: usize,
    /// The index of the first source.
    source: usize,
    /// The targets of this pass; others are left out.
    first: usize,
    limit: usize,
    /// The accumulator, at the first lane.
    acc: *mut u8,
}

/// `VECTORS` vectors of lanes from lane byte `at` on, for `SOURCES` source rows at once.
///
/// # Safety
/// Every load and store must be inside the buffers, as [`or_shifts`] checks.
#[inline(always)]
unsafe fn pass<V: Vector, const SOURCES: usize, const VECTORS: usize>(
    pass: Pass,
    shifts: &Shifts,
    at: usize,
) {
    for group in &shifts.groups {
        let target = pass.source ^ group.index as usize;
        // With several sources the indices are aligned, so the targets are a permutation of an aligned run.
        if target < pass.first || target >= pass.limit {
            continue;
        }
        // SAFETY: see above.
        unsafe {
            let row = |source: usize| pass.acc.add(((target - pass.first) ^ source) * ACC_STRIDE * 8 + at);
            let mut sums: [[V; VECTORS]; SOURCES] = std::array::from_fn(|source| {
                std::array::from_fn(|vector| V::load(row(source).add(vector * V::BYTES)))
            });
            for &offset in shifts.offsets.get_unchecked(group.start as usize..group.end as usize) {
                let from = pass.copies.add(offset as usize + at);
                for source in 0..SOURCES {
                    for vector in 0..VECTORS {
                        let bits = V::load(from.add(source * pass.source_bytes + vector * V::BYTES));
                        sums[source][vector] = sums[source][vector].or(bits);
                    }
                }
            }
            for source in 0..SOURCES {
                for vector in 0..VECTORS {
                    sums[source][vector].store(row(source).add(vector * V::BYTES));
                }
            }
        }
    }
}

/// The same for all lanes of a block of `lanes` heaps.
///
/// # Safety
/// As for [`pass`].
#[inline(always)]
unsafe fn all_lanes<V: Vector, const SOURCES: usize, const VECTORS: usize>(
    p: Pass,
    shifts: &Shifts,
    lanes: usize,
) {
    let mut at = 0;
    while at < lanes / 8 {
        // SAFETY: the caller's promise; VECTORS vectors divide every block length in use.
        unsafe { pass::<V, SOURCES, VECTORS>(p, shifts, at) };
        at += VECTORS * V::BYTES;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn wide_avx512(p: Pass, shifts: &Shifts) {
    // SAFETY: the caller's promise.
    unsafe { all_lanes::<std::arch::x86_64::__m512i, 1, 4>(p, shifts, WIDE) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn narrow_avx512(p: Pass, shifts: &Shifts) {
    // SAFETY: the caller's promise.
    unsafe { all_lanes::<std::arch::x86_64::__m512i, 4, 1>(p, shifts, NARROW) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn wide_avx2(p: Pass, shifts: &Shifts) {
    // SAFETY: the caller's promise.
    unsafe { all_lanes::<std::arch::x86_64::__m256i, 1, 8>(p, shifts, WIDE) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn narrow_avx2(p: Pass, shifts: &Shifts) {
    // SAFETY: the caller's promise.
    unsafe { all_lanes::<std::arch::x86_64::__m256i, 4, 2>(p, shifts, NARROW) }
}

/// OR-s the shifted source rows into the target rows: target `source ^ group.index` in `targets` (the first of which is row 0 of `acc`) gets, for
/// each offset of the group, the source's bits from that offset on, for all lanes of a wide block (one source) or,
/// with `narrow`, of the narrow block that starts at lane `lane` (four sources, whose copies follow each other).
pub(crate) fn or_shifts(
    isa: Isa,
    copies: &Copies,
    source: usize,
    shifts: &Shifts,
    targets: std::ops::Range<usize>,
    acc: &mut [u64],
    narrow: Option<usize>,
) {
    let (sources, lanes, lane) = match narrow {
        Some(lane) => (4, NARROW, lane),
        None => (1, WIDE, 0),
    };
    assert!(source.is_multiple_of(sources));
    assert!(targets.start.is_multiple_of(sources) && targets.end.is_multiple_of(sources));
    assert!(targets.len() * ACC_STRIDE <= acc.len());
    if targets.is_empty() {
        return;
    }
    assert!(lane + lanes <= WIDE && lane.is_multiple_of(64));
    assert!(copies.data.len() >= sources * copies.row_words() + SLACK);
    assert!(shifts.shape == (copies.stride - SLACK, lanes));
    let p = Pass {
        copies: copies.data.as_ptr().cast(),
        source_bytes: copies.row_words() * 8,
        source,
        first: targets.start,
        limit: targets.end,
        acc: acc[lane / 64..].as_mut_ptr().cast(),
    };
    // SAFETY: the groups and offsets come from `Shifts::build`, which keeps offset + lanes inside one source's
    // copies; the targets are rows of `acc`; an Isa above Portable comes from `Isa::detect`.
    unsafe {
        match (isa, narrow.is_some()) {
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, false) => wide_avx512(p, shifts),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, true) => narrow_avx512(p, shifts),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, false) => wide_avx2(p, shifts),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, true) => narrow_avx2(p, shifts),
            (_, false) => all_lanes::<u64, 1, 8>(p, shifts, WIDE),
            (_, true) => all_lanes::<u64, 4, 2>(p, shifts, NARROW),
        }
    }
}

impl Shifts {
    /// Groups `(index, offset)` pairs; `first..first + 64 * words` are the row's bits that the copies hold,
    /// relative to the block's start: the offset o reads from bit `-o - first` of the piece.
    pub fn build(mut pairs: Vec<(u32, usize)>, before: usize, words: usize, lanes: usize) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut shifts = Self { shape: (words, lanes), ..Self::default() };
        for (index, offset) in pairs {
            assert!(offset <= before && before - offset + lanes <= 64 * words);
            if shifts.groups.last().is_none_or(|g| g.index != index) {
                let at = shifts.offsets.len() as u32;
                shifts.groups.push(Group { index, start: at, end: at });
            }
            shifts.offsets.push(Copies::offset(words, before - offset));
            if let Some(group) = shifts.groups.last_mut() {
                group.end += 1;
            }
        }
        shifts
    }
}

#[inline(always)]
fn copy_row(row: &[u64], copies: &mut [u64], stride: usize) {
    let words = row.len() - 1;
    for (shift, copy) in copies.chunks_exact_mut(stride).take(8).enumerate() {
        let copy = &mut copy[..words];
        if shift == 0 {
            copy.copy_from_slice(&row[..words]);
        } else {
            for ((to, low), high) in copy.iter_mut().zip(&row[..words]).zip(&row[1..]) {
                *to = low >> shift | high << (64 - shift);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn copy_row_avx512(row: &[u64], copies: &mut [u64], stride: usize) {
    copy_row(row, copies, stride);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn copy_row_avx2(row: &[u64], copies: &mut [u64], stride: usize) {
    copy_row(row, copies, stride);
}

impl Copies {
    /// Makes the eight copies of `row` (one word longer than what is copied) for source `source` of those reserved.
    pub fn make(&mut self, isa: Isa, source: usize, row: &[u64]) {
        assert!(row.len() - 1 + SLACK == self.stride);
        let start = source * self.row_words();
        let stride = self.stride;
        let copies = &mut self.data[start..start + 8 * stride];
        match isa {
            // SAFETY: an Isa above Portable comes from `Isa::detect`.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { copy_row_avx512(row, copies, stride) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { copy_row_avx2(row, copies, stride) },
            _ => copy_row(row, copies, stride),
        }
    }
}

/// Transposes a 64×64 bit matrix.
#[inline(always)]
fn transpose(matrix: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while width != 0 {
        for block in matrix.chunks_exact_mut(2 * width) {
            let (low, high) = block.split_at_mut(width);
            for (a, b) in low.iter_mut().zip(high) {
                let swap = (*a >> width ^ *b) & mask;
                *b ^= swap;
                *a ^= swap << width;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Turns the rows of a narrow block, which starts at lane `lane`, into one set an heap: `sets[heap * words + k]` has the bits of
/// the indices 64k to 64k + 63. Rows from `rows` on count as zero.
#[inline(always)]
fn rows_to_sets(acc: &Accumulator, rows: usize, lane: usize, words: usize, sets: &mut [u64]) {
    for k in 0..words {
        for part in 0..NARROW / 64 {
            let mut matrix = [0u64; 64];
            let used = rows.saturating_sub(64 * k).min(64);
            for (row, word) in matrix[..used].iter_mut().enumerate() {
                *word = acc.words[(64 * k + row) * ACC_STRIDE + lane / 64 + part];
            }
            if used > 0 {
                transpose(&mut matrix);
            }
            for (heap, word) in matrix.iter().enumerate() {
                sets[(part * 64 + heap) * words + k] = *word;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn sets_avx512(acc: &Accumulator, rows: usize, lane: usize, words: usize, sets: &mut [u64]) {
    rows_to_sets(acc, rows, lane, words, sets);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sets_avx2(acc: &Accumulator, rows: usize, lane: usize, words: usize, sets: &mut [u64]) {
    rows_to_sets(acc, rows, lane, words, sets);
}

/// [`rows_to_sets`] with the best instructions.
pub(crate) fn sets_of_heaps(
    isa: Isa,
    acc: &Accumulator,
    rows: usize,
    lane: usize,
    words: usize,
    sets: &mut [u64],
) {
    match isa {
        // SAFETY: an Isa above Portable comes from `Isa::detect`.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { sets_avx512(acc, rows, lane, words, sets) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { sets_avx2(acc, rows, lane, words, sets) },
        _ => rows_to_sets(acc, rows, lane, words, sets),
    }
}
