//! The next indices by AVX2: looks far back for 32 heaps at once, near ones for as many as do not depend on
//! each other. Indices are below 16, so that a set of them is two bytes, and a shuffle makes a bit of an index.

use std::arch::x86_64::*;

use super::machine::Look;
use crate::base::simd::{Isa, Level};

/// Nearer looks are taken from registers.
const NEAR: usize = 32;
const MOST_PAIRS: usize = 6;
/// The sets of far looks are kept for this many heaps.
const SPAN: usize = 4096;
/// How far beyond its end a span may be written.
pub const SLACK: usize = 64;

/// Two near looks: where eight heaps find theirs in the last 32 indices, and what is XOR-ed.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Pair {
    old: [u8; 16],
    new: [u8; 16],
    with: [u8; 16],
}

/// The looks of a machine, ready for vectors.
pub struct Lanes {
    /// How many heaps do not depend on each other.
    step: usize,
    /// The least offset of a far look.
    lead: usize,
    near: Vec<Pair>,
    far: Vec<(usize, u8)>,
    reach: usize,
}

impl Lanes {
    /// `None` without AVX2, or where the looks do not fit.
    pub fn new(looks: &[Look], isa: Isa) -> Option<Self> {
        let fits = isa.level() >= Level::Avx2 && looks.iter().all(|look| look.with < 16);
        let (near, far): (Vec<Look>, Vec<Look>) =
            looks.iter().partition(|look| (look.offset as usize) < NEAR);
        if !fits || looks.is_empty() || near.len() > 2 * MOST_PAIRS {
            return None;
        }
        let offset = |look: &Look| look.offset as usize;
        Some(Self {
            step: near.iter().map(offset).min().unwrap_or(8).min(8),
            lead: far.iter().map(offset).min().unwrap_or(SPAN),
            near: near.chunks(2).map(pair).collect(),
            far: far.iter().map(|look| (offset(look), look.with)).collect(),
            reach: looks.iter().map(offset).max()?,
        })
    }

    /// Fills `x[from..to]`; false where an index is 16 or more. Up to [`SLACK`] bytes behind are overwritten.
    pub fn fill(&self, x: &mut [u8], from: usize, to: usize) -> bool {
        assert!(from >= self.reach.max(NEAR) && from <= to && x.len() >= to + SLACK);
        let mut fits = true;
        for at in (from..to).step_by(SPAN) {
            let end = (at + SPAN).min(to);
            // SAFETY: `new` saw an Isa with AVX2. A span reads at most `reach` (or 32) bytes before `at`, and
            // writes less than SLACK bytes beyond `end`: both are inside, as asserted.
            fits &= unsafe {
                match self.near.len() {
                    0 => self.span::<0>(x, at, end),
                    1 => self.span::<1>(x, at, end),
                    2 => self.span::<2>(x, at, end),
                    3 => self.span::<3>(x, at, end),
                    4 => self.span::<4>(x, at, end),
                    5 => self.span::<5>(x, at, end),
                    _ => self.span::<6>(x, at, end),
                }
            };
        }
        fits
    }

    /// Fills at most [`SPAN`] indices.
    ///
    /// # Safety
    ///
    /// The machine has AVX2; `x` holds max(reach, 32) bytes before `from` and SLACK behind `to`.
    #[target_feature(enable = "avx2")]
    unsafe fn span<const P: usize>(&self, x: &mut [u8], from: usize, to: usize) -> bool {
        let base = x.as_mut_ptr();
        let mut low = [0u8; SPAN + 2 * SLACK];
        let mut high = [0u8; SPAN + 2 * SLACK];
        let low_bit = table(|i| if i < 8 { 1 << i } else { 0 });
        let high_bit = table(|i| if i >= 8 { 1 << (i - 8) } else { 0 });
        // The first zero of a nibble; a full one gives more than any other.
        let first = table(|i| if i == 15 { 0x70 } else { i.trailing_ones() as u8 });
        let second = table(|i| if i == 15 { 0x70 } else { 4 + i.trailing_ones() as u8 });
        let (low_bits, high_bits) =
            (_mm256_broadcastsi128_si256(low_bit), _mm256_broadcastsi128_si256(high_bit));
        let nibble = _mm_set1_epi8(15);
        let eight_above = _mm_set_epi64x(0x0808_0808_0808_0808, 0);
        let near: [Pair; P] = std::array::from_fn(|i| self.near[i]);
        let step = self.step;
        // The last 32 indices move on by a step: `old` takes what `new` drops.
        let drop = table(|i| if (i as usize) < 16 - step { i + step as u8 } else { 0x80 });
        let put = table(|i| if (i as usize) >= 16 - step { i - (16 - step as u8) } else { 0x80 });
        let of_step = _mm_set_epi64x(0, if step >= 8 { -1 } else { (1i64 << (8 * step)) - 1 });
        let mut worst = _mm_setzero_si128();
        let (mut n, mut far_to) = (from, from);
        let mut recent = None;
        while n < to {
            while far_to + 32 <= n + self.lead && far_to < n + 28 {
                let mut a = _mm256_setzero_si256();
                let mut b = _mm256_setzero_si256();
                for &(offset, with) in &self.far {
                    // SAFETY: offset <= reach; far_to + 32 - offset <= n, so that all of it is known.
                    let v = unsafe { _mm256_loadu_si256(base.add(far_to - offset).cast()) };
                    let v = _mm256_xor_si256(v, _mm256_set1_epi8(with as i8));
                    a = _mm256_or_si256(a, _mm256_shuffle_epi8(low_bits, v));
                    b = _mm256_or_si256(b, _mm256_shuffle_epi8(high_bits, v));
                }
                // SAFETY: far_to < n + 28 < from + SPAN + 28, and the arrays have 128 bytes more than SPAN.
                unsafe {
                    _mm256_storeu_si256(low.as_mut_ptr().add(far_to - from).cast(), a);
                    _mm256_storeu_si256(high.as_mut_ptr().add(far_to - from).cast(), b);
                }
                far_to += 32;
            }
            // SAFETY: 32 bytes before `from` are in `x`.
            let (old, new) = recent.unwrap_or_else(|| unsafe {
                (_mm_loadu_si128(base.add(n - 32).cast()), _mm_loadu_si128(base.add(n - 16).cast()))
            });
            // SAFETY: n - from < SPAN, and 8 bytes behind are in the arrays.
            let far = unsafe {
                let far = _mm_loadl_epi64(low.as_ptr().add(n - from).cast());
                _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(far), high.as_ptr().add(n - from).cast()))
            };
            let mut lows = _mm_setzero_si128();
            let mut highs = _mm_setzero_si128();
            for pair in &near {
                let (o, w, s) = (bytes(pair.old), bytes(pair.new), bytes(pair.with));
                let there = _mm_xor_si128(_mm_shuffle_epi8(old, o), _mm_shuffle_epi8(new, w));
                let there = _mm_xor_si128(there, s);
                lows = _mm_or_si128(lows, _mm_shuffle_epi8(low_bit, there));
                highs = _mm_or_si128(highs, _mm_shuffle_epi8(high_bit, there));
            }
            let seen = _mm_or_si128(_mm_unpacklo_epi64(lows, highs), _mm_unpackhi_epi64(lows, highs));
            let seen = _mm_or_si128(seen, far);
            let a = _mm_shuffle_epi8(first, _mm_and_si128(seen, nibble));
            let b = _mm_shuffle_epi8(second, _mm_and_si128(_mm_srli_epi16(seen, 4), nibble));
            let r = _mm_add_epi8(_mm_min_epu8(a, b), eight_above);
            let r = _mm_min_epu8(r, _mm_unpackhi_epi64(r, r));
            // SAFETY: n < to, and SLACK bytes behind `to` are in `x`.
            unsafe { _mm_storel_epi64(base.add(n).cast(), r) };
            let have = far_to - n;
            if have >= step {
                worst = _mm_max_epu8(worst, _mm_and_si128(r, of_step));
                recent = Some((
                    _mm_or_si128(_mm_shuffle_epi8(old, drop), _mm_shuffle_epi8(new, put)),
                    _mm_or_si128(_mm_shuffle_epi8(new, drop), _mm_shuffle_epi8(r, put)),
                ));
                n += step;
            } else {
                let of_have = _mm_set_epi64x(0, (1i64 << (8 * have)) - 1);
                worst = _mm_max_epu8(worst, _mm_and_si128(r, of_have));
                n += have;
                recent = None;
            }
        }
        let mut all = [0u8; 16];
        // SAFETY: 16 bytes.
        unsafe { _mm_storeu_si128(all.as_mut_ptr().cast(), worst) };
        all.iter().all(|&index| index < 16)
    }
}

fn pair(looks: &[Look]) -> Pair {
    let mut pair = Pair { old: [0x80; 16], new: [0x80; 16], with: [0; 16] };
    for half in 0..2 {
        let look = looks[half.min(looks.len() - 1)];
        for lane in 0..8 {
            let (at, to) = (NEAR - look.offset as usize + lane, half * 8 + lane);
            match at {
                ..16 => pair.old[to] = at as u8,
                16..32 => pair.new[to] = (at - 16) as u8,
                // The heap itself or a later one: such lanes are not part of the step.
                _ => {}
            }
            pair.with[to] = look.with;
        }
    }
    pair
}

fn bytes(array: [u8; 16]) -> __m128i {
    // SAFETY: 16 bytes, any of which are a vector; SSE2 is part of x86-64.
    unsafe { _mm_loadu_si128(array.as_ptr().cast()) }
}

fn table(entry: impl Fn(u8) -> u8) -> __m128i {
    bytes(std::array::from_fn(|i| entry(i as u8)))
}
