use super::block::{Block, LANES, WORDS};
use super::shared::SharedCell;
use super::*;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Every operation against the same one number by number, on vectors of the numbers from both slices.
struct Operations<'a> {
    a: &'a [u64; 8],
    b: &'a [u64; 8],
    bits: u32,
}

fn u16s(words: &[u64]) -> Vec<u16> {
    words.iter().flat_map(|word| (0..4).map(move |k| (word >> (16 * k)) as u16)).collect()
}

impl VectorLoop for Operations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) {
        let Self { a, b, bits } = self;
        let shared = a.map(AtomicU64::new);
        let bytes = a.map(|word| AtomicU8::new(word as u8));
        let cells = a.map(|word| AtomicU16::new(word as u16));
        let (a, b) = (&a[..V::U64S], &b[..V::U64S]);
        let words = |vector: V| {
            let mut words = vec![0u64; V::U64S];
            // SAFETY: the words have the bytes of a vector.
            unsafe { vector.store(words.as_mut_ptr()) };
            words
        };
        let of_each =
            |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> { a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect() };
        // SAFETY: all slices and arrays have the numbers of a vector.
        let (x, y) = unsafe { (V::load(has, a.as_ptr()), V::load(has, b.as_ptr())) };
        assert_eq!(words(x), a);
        assert_eq!(words(x.and(y)), of_each(&|a, b| a & b));
        assert_eq!(words(x.or(y)), of_each(&|a, b| a | b));
        assert_eq!(words(x.xor(y)), of_each(&|a, b| a ^ b));
        assert_eq!(words(x.subtract_u64(y)), of_each(&|a, b| a.wrapping_sub(b)));
        assert_eq!(words(x.shift_left_u64(bits)), of_each(&|a, _| a.checked_shl(bits).unwrap_or(0)));
        assert_eq!(words(x.shift_right_u64(bits)), of_each(&|a, _| a.checked_shr(bits).unwrap_or(0)));
        let each = of_each(&|_, b| b % 80);
        // SAFETY: as above.
        let y_small = unsafe { V::load(has, each.as_ptr()) };
        let expected: Vec<u64> =
            a.iter().zip(&each).map(|(a, &b)| a.checked_shl(b as u32).unwrap_or(0)).collect();
        assert_eq!(words(x.shift_left_each_u64(y_small)), expected);
        let least: Vec<u16> = u16s(a).iter().zip(u16s(b)).map(|(&a, b)| a.min(b)).collect();
        assert_eq!(u16s(&words(x.min_u16(y))), least);
        let bytes_of = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let least: Vec<u8> = bytes_of(a).iter().zip(bytes_of(b)).map(|(&a, b)| a.min(b)).collect();
        assert_eq!(bytes_of(&words(x.min_u8(y))), least);
        let sums =
            bytes_of(a).iter().zip(bytes_of(b)).map(|(&a, b)| a.saturating_add(b)).collect::<Vec<u8>>();
        assert_eq!(bytes_of(&words(x.add_saturating_u8(y))), sums);
        let (table, places) = (bytes_of(a), bytes_of(b).into_iter().enumerate());
        let found =
            places.map(|(k, at)| if at < 128 { table[k / 16 * 16 + usize::from(at % 16)] } else { 0 });
        assert_eq!(bytes_of(&words(x.look_up_u8(y))), found.collect::<Vec<u8>>());
        assert_eq!(bytes_of(&words(V::splat_u8(has, a[0] as u8))), vec![a[0] as u8; V::BYTES]);
        assert_eq!(u16s(&words(x.reverse_u16())), u16s(a).into_iter().rev().collect::<Vec<_>>());
        assert_eq!(x.has_zero_u16(), u16s(a).contains(&0));
        assert!(x.xor(x).has_zero_u16() && !V::splat_u16(has, 7).has_zero_u16());
        assert_eq!(x.is_all_ones(), a.iter().all(|&a| a == u64::MAX));
        assert!(V::splat_u64(has, u64::MAX).is_all_ones());
        assert_eq!(words(V::splat_u64(has, a[0])), vec![a[0]; V::U64S]);
        assert_eq!(u16s(&words(V::splat_u16(has, a[0] as u16))), vec![a[0] as u16; V::U16S]);
        // SAFETY: as above.
        unsafe {
            assert_eq!(words(V::load_shared(has, shared.as_ptr(), 0)), a);
            assert_eq!(words(SharedCell::widen::<V>(has, bytes.as_ptr(), 0)), of_each(&|a, _| a & 0xff));
            assert_eq!(words(SharedCell::widen::<V>(has, cells.as_ptr(), 0)), of_each(&|a, _| a & 0xffff));
        }
    }
}

proptest! {
    #[test]
    fn vectors_do_what_single_numbers_do(a in any::<[u64; 8]>(), b in any::<[u64; 8]>(), bits in 0u32..70) {
        for isa in Isa::available() {
            isa.run(Operations { a: &a, b: &b, bits });
        }
    }
}

/// The operations on blocks against the same ones lane by lane.
struct BlockOperations {
    a: [u64; WORDS],
    b: [u64; WORDS],
}

impl VectorLoop for BlockOperations {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, has: Has<V>) {
        let lane = |words: [u64; WORDS], lane: usize| words[lane % WORDS] >> (lane / WORDS) & 1;
        let (has, Self { a, b }) = (has.block(), self);
        // SAFETY: both arrays are blocks.
        let (x, y) = unsafe { (V::Block::load(has, a.as_ptr()), V::Block::load(has, b.as_ptr())) };
        assert_eq!((x.words(), V::Block::new(has, b).words()), (a, b));
        let moved = [x.moved_up::<1>(y), x.moved_up::<2>(y), x.moved_up::<3>(y)].map(Block::words);
        let mut stored = [0; WORDS];
        // SAFETY: as above.
        unsafe { x.or(y).store(stored.as_mut_ptr()) };
        for l in 0..LANES {
            assert_eq!(lane(stored, l), lane(a, l) | lane(b, l));
            assert_eq!(lane(x.without(y).words(), l), lane(a, l) & !lane(b, l) & 1);
            for (by, moved) in (1..).zip(moved) {
                let from = if l < by { lane(b, l + LANES - by) } else { lane(a, l - by) };
                assert_eq!(lane(moved, l), from, "lane {l} by {by}");
            }
        }
    }
}

proptest! {
    #[test]
    fn blocks_do_what_single_lanes_do(a in any::<[u64; WORDS]>(), b in any::<[u64; WORDS]>()) {
        for isa in Isa::available() {
            isa.run(BlockOperations { a, b });
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_shared_store_is_seen_by_atomic_loads() {
    if Isa::detect().level() < Level::Avx2 {
        return;
    }
    let from: [AtomicU8; 32] = std::array::from_fn(|k| AtomicU8::new(3 * k as u8));
    let to: [AtomicU8; 32] = std::array::from_fn(|_| AtomicU8::new(0));
    // SAFETY: the machine has AVX2, and both arrays have 32 bytes.
    unsafe { shared::store_u8_256(to.as_ptr(), shared::load_u8_256(from.as_ptr(), 0)) };
    assert!(to.iter().enumerate().all(|(k, byte)| byte.load(Relaxed) == 3 * k as u8));
}

#[test]
fn a_level_only_narrows() {
    assert_eq!(Isa::detect().at_most(Level::Avx512), Isa::detect());
    assert_eq!(Isa::detect().at_most(Level::Portable), Isa::PORTABLE);
    assert_eq!(Isa::PORTABLE.at_most(Level::Avx512), Isa::PORTABLE);
    assert_eq!(Isa::available().first(), Some(&Isa::PORTABLE));
    assert_eq!(Isa::available().last(), Some(&Isa::detect()));
}

#[test]
fn names_of_levels_are_read_and_others_refused() {
    assert_eq!("portable".parse::<Level>().unwrap(), Level::Portable);
    assert_eq!("avx2".parse::<Level>().unwrap(), Level::Avx2);
    let error = "sse9".parse::<Level>().unwrap_err().to_string();
    assert!(error.contains("NIMWAVE_ISA=sse9") && error.contains("avx2"), "{error}");
}
