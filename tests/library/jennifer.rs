//! Two heaps of jennifer: the theorem of docs/PROOFS.md, section 9, beside a table.

use nimwave::Control;
use nimwave::proof::learn::{LearningTable, Outcomes};
use nimwave::rules::{Jennifer, Play};

/// The exponent of the prime `p` in `n`.
fn exponent(p: u32, mut n: u32) -> u32 {
    let mut exponent = 0;
    while n % p == 0 {
        n /= p;
        exponent += 1;
    }
    exponent
}

/// Whether the exponents of 2, 3 and 5 have an even sum.
fn in_s(n: u32) -> bool {
    (exponent(2, n) + exponent(3, n) + exponent(5, n)) % 2 == 0
}

/// Whether the number is odd, and has 3 and 5 with even exponents.
fn in_v(n: u32) -> bool {
    n % 2 == 1 && exponent(3, n) % 2 == 0 && exponent(5, n) % 2 == 0
}

/// Whether `a <= b` is x times m and y times m for some m.
fn is_multiple(a: u32, b: u32, x: u32, y: u32, holds: fn(u32) -> bool) -> bool {
    a % x == 0 && a / x * y == b && holds(a / x)
}

#[test]
fn two_heaps_of_jennifer_go_by_the_exponents_of_2_3_and_5() {
    const MAX: u32 = 700;
    let table = LearningTable::solve(&Jennifer, Play::Normal, 2, MAX, &Control::silent()).unwrap();
    let mut p_positions = 0;
    for b in 1..=MAX {
        for a in 1..=b {
            let claimed = is_multiple(a, b, 1, 1, in_s)
                || is_multiple(a, b, 1, 2, in_s)
                || is_multiple(a, b, 2, 3, in_v)
                || is_multiple(a, b, 3, 5, in_v);
            assert_eq!(table.is_p(&[a, b]), claimed, "[{a},{b}]");
            p_positions += u32::from(claimed);
        }
        assert_eq!(table.is_p(&[b]), b == 1);
    }
    assert!(p_positions > MAX / 2);
}
