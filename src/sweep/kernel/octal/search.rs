//! Finding one split a + b of a total with G(a) XOR G(b) equal to a wanted value.

use super::bits::Isa;

/// The heaps whose values are kept in reverse: 1..=HEAD.
const HEAD: usize = 4096;

/// Searches the splits of a total, small parts first.
pub(crate) struct Searcher {
    isa: Isa,
    unequal: bool,
    /// G(HEAD), …, G(1): against values in ascending order, this is the order of the other parts.
    head: Vec<u16>,
}

impl Searcher {
    /// For the sequence that begins with `values`. With `unequal`, the two parts must differ.
    pub fn new(isa: Isa, values: &[u16], unequal: bool) -> Self {
        let head =
            if values.len() > HEAD { values[1..=HEAD].iter().rev().copied().collect() } else { Vec::new() };
        Self { isa, unequal, head }
    }

    /// Is there a pair of heaps a, b ≥ 1 with a + b = `total` and G(a) XOR G(b) = `wanted`?
    ///
    /// The small part runs upward from 1, many heaps a step: where the values are well mixed a hit comes soon,
    /// and a miss has looked at every pair, so the answer is exact.
    pub fn splits_to(&self, values: &[u16], total: usize, wanted: u16) -> bool {
        if total < 2 {
            return false;
        }
        let half = if self.unequal { (total - 1) / 2 } else { total / 2 };
        let head = self.head.len();
        if half < head || head == 0 {
            return scan(&values[1..=half], &values[total - half..total], wanted);
        }
        let large = &values[total - head..total];
        let found = match self.isa {
            // SAFETY: an Isa above Portable comes from `Isa::detect`; the slices have the same length HEAD.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { head_avx512(&self.head, large, wanted) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { head_avx2(&self.head, large, wanted) },
            _ => self.head.iter().rev().zip(large.iter().rev()).any(|(a, b)| a ^ b == wanted),
        };
        if found || half == head {
            return found;
        }
        let small = &values[head + 1..=half];
        let large = &values[total - half..total - head];
        match self.isa {
            // SAFETY: as above; the slices have the same length.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if small.len() >= 32 => unsafe { scan_avx512(small, large, wanted) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if small.len() >= 16 => unsafe { scan_avx2(small, large, wanted) },
            _ => scan(small, large, wanted),
        }
    }
}

/// Does any a of `small`, in order, and b of `large`, in reverse order, have a XOR b = `wanted`?
fn scan(small: &[u16], large: &[u16], wanted: u16) -> bool {
    small.iter().zip(large.iter().rev()).any(|(a, b)| a ^ b == wanted)
}

/// # Safety
/// AVX2 must be there, and the slices must have the same length, at least 16.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn scan_avx2(small: &[u16], large: &[u16], wanted: u16) -> bool {
    use std::arch::x86_64::*;
    let length = small.len();
    let wanted = _mm256_set1_epi16(wanted as i16);
    // Reverses the eight words of each half; the halves are swapped by the permutation after it.
    let reverse =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
    let mut at = 0;
    loop {
        // SAFETY: at + 16 <= length: at first because length >= 16, later by the minimum below.
        let hit = unsafe {
            let a = _mm256_loadu_si256(small.as_ptr().add(at).cast());
            let b = _mm256_loadu_si256(large.as_ptr().add(length - 16 - at).cast());
            let b = _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi8(b, reverse));
            _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_xor_si256(a, b), wanted))
        };
        if hit != 0 || at + 16 == length {
            return hit != 0;
        }
        at = (at + 16).min(length - 16);
    }
}

/// # Safety
/// AVX-512 F and BW must be there, and the slices must have the same length, at least 32.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn scan_avx512(small: &[u16], large: &[u16], wanted: u16) -> bool {
    use std::arch::x86_64::*;
    let length = small.len();
    let wanted = _mm512_set1_epi16(wanted as i16);
    let order: [u16; 32] = std::array::from_fn(|k| 31 - k as u16);
    // SAFETY: the array has 64 bytes.
    let reverse = unsafe { _mm512_loadu_si512(order.as_ptr().cast()) };
    let mut at = 0;
    loop {
        // SAFETY: at + 32 <= length: at first because length >= 32, later unless the loop has ended.
        let hit = unsafe {
            let test = |at: usize| {
                let a = _mm512_loadu_si512(small.as_ptr().add(at).cast());
                let b = _mm512_loadu_si512(large.as_ptr().add(length - 32 - at).cast());
                let b = _mm512_permutexvar_epi16(reverse, b);
                _mm512_cmpeq_epi16_mask(_mm512_xor_si512(a, b), wanted)
            };
            test(at) | test((at + 32).min(length - 32))
        };
        if hit != 0 || at + 64 >= length {
            return hit != 0;
        }
        at = (at + 64).min(length - 32);
    }
}

/// # Safety
/// AVX-512 F and BW must be there, and both slices must be HEAD long.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn head_avx512(head: &[u16], large: &[u16], wanted: u16) -> bool {
    use std::arch::x86_64::*;
    let wanted = _mm512_set1_epi16(wanted as i16);
    let mut at = HEAD;
    while at > 0 {
        at -= 64;
        // SAFETY: at + 64 <= HEAD, the length of both slices.
        let hit = unsafe {
            let test = |at: usize| {
                let a = _mm512_loadu_si512(head.as_ptr().add(at).cast());
                let b = _mm512_loadu_si512(large.as_ptr().add(at).cast());
                _mm512_cmpeq_epi16_mask(_mm512_xor_si512(a, b), wanted)
            };
            test(at) | test(at + 32)
        };
        if hit != 0 {
            return true;
        }
    }
    false
}

/// # Safety
/// AVX2 must be there, and both slices must be HEAD long.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn head_avx2(head: &[u16], large: &[u16], wanted: u16) -> bool {
    use std::arch::x86_64::*;
    let wanted = _mm256_set1_epi16(wanted as i16);
    let mut at = HEAD;
    while at > 0 {
        at -= 32;
        // SAFETY: at + 32 <= HEAD, the length of both slices.
        let hit = unsafe {
            let test = |at: usize| {
                let a = _mm256_loadu_si256(head.as_ptr().add(at).cast());
                let b = _mm256_loadu_si256(large.as_ptr().add(at).cast());
                _mm256_cmpeq_epi16(_mm256_xor_si256(a, b), wanted)
            };
            _mm256_movemask_epi8(_mm256_or_si256(test(at), test(at + 16)))
        };
        if hit != 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            state
        };
        let values: Vec<u16> = (0..3 * HEAD).map(|_| (random() >> 15) as u16).collect();
        for isa in Isa::available() {
            for unequal in [false, true] {
                let searcher = Searcher::new(isa, &values, unequal);
                let small = 0..20;
                let edges =
                    [HEAD, 2 * HEAD - 1, 2 * HEAD, 2 * HEAD + 1, 2 * HEAD + 63, 2 * HEAD + 65, 3 * HEAD - 1];
                for total in small.chain(edges) {
                    let pairs = (1..total).filter(|&a| !(unequal && 2 * a == total));
                    let reached: std::collections::HashSet<u16> =
                        pairs.map(|a| values[a] ^ values[total - a]).collect();
                    for wanted in (0..500)
                        .map(|_| (random() >> 15) as u16)
                        .chain([0])
                        .chain(reached.iter().copied().take(500))
                    {
                        let found = searcher.splits_to(&values, total, wanted);
                        assert_eq!(found, reached.contains(&wanted), "{isa:?} {total} {wanted}");
                    }
                }
            }
        }
    }
}
