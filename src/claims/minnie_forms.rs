//! The printed descriptions of the P-positions of minnie, shared by the thesis and the paper.

/// Theorem 5.2 of the thesis, Theorem 7 of the paper: the P-positions `[a,b]` with `0 < a <= b`.
pub(crate) fn two_heaps(a: u32, b: u32) -> bool {
    match a {
        1 => b % 2 == 1,
        2 => b % 4 == 2,
        3 => b % 4 == 0 && b >= 8,
        4 => b == 4,
        _ => false,
    }
}

/// Theorem 5.3 of the thesis, types 1 to 6 of Theorem 8 of the paper: `[l,m,n]` with `1 <= l <= 3` and `l <= m <= n`.
pub(crate) fn three_heaps_small(l: u32, m: u32, n: u32) -> bool {
    match (l, m) {
        (1, 3) => n == 4 || n % 4 == 2,
        (1, _) => (m + n) % 2 == 1,
        (2, 3) => false,
        (2, _) => (m + n) % 4 == 2,
        (3, 3) => n % 4 == 3,
        (3, _) => m != 5 && n > 4 && (m + n) % 4 == 0,
        _ => false,
    }
}

/// Theorem 8 of the paper: types 1 to 7.
pub(crate) fn three_heaps(l: u32, m: u32, n: u32) -> bool {
    three_heaps_small(l, m, n) || (l == 5 && m == 5 && n % 8 == 3)
}
