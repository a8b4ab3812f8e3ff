//! Finite commutative monoids with a P-portion, and the map from heaps to their elements.

use std::collections::HashSet;

/// The number of an element; 0 is the identity.
pub type Element = u16;

/// The identity, the element of the empty position.
pub const IDENTITY: Element = 0;

/// Most elements of a quotient that is looked for.
pub const MAX_ORDER: usize = 8192;

/// A finite commutative monoid in which some elements are those of P-positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Monoid {
    order: usize,
    product: Vec<Element>,
    p_portion: Vec<bool>,
}

impl Monoid {
    /// The monoid with one element, the quotient of no heaps: the empty position is won by who cannot move.
    pub fn trivial() -> Self {
        Self { order: 1, product: vec![0], p_portion: vec![false] }
    }

    /// The monoid in which `product[x * order + y]` is x·y.
    ///
    /// It must be a commutative monoid with identity 0: the callers make it from commuting actions.
    pub fn new(product: Vec<Element>, p_portion: Vec<bool>) -> Self {
        Self { order: p_portion.len(), product, p_portion }
    }

    /// The number of elements.
    pub fn order(&self) -> usize {
        self.order
    }

    /// All elements.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        0..self.order as Element
    }

    /// The product of two elements.
    #[inline]
    pub fn times(&self, x: Element, y: Element) -> Element {
        self.product[x as usize * self.order + y as usize]
    }

    /// The products of an element with all elements.
    #[inline]
    pub fn row(&self, x: Element) -> &[Element] {
        &self.product[x as usize * self.order..][..self.order]
    }

    /// Whether the positions of this element are P-positions.
    #[inline]
    pub fn is_p(&self, x: Element) -> bool {
        self.p_portion[x as usize]
    }

    /// The elements of P-positions.
    pub fn p_portion(&self) -> Vec<Element> {
        self.elements().filter(|&x| self.is_p(x)).collect()
    }

    /// The same monoid with its elements in another order: `order[i]` is the old number of the new element i.
    pub fn renumbered(&self, order: &[Element]) -> Self {
        let mut new = vec![0 as Element; self.order];
        for (number, &old) in order.iter().enumerate() {
            new[old as usize] = number as Element;
        }
        let product = order.iter().flat_map(|&x| order.iter().map(move |&y| (x, y)));
        Self {
            order: self.order,
            product: product.map(|(x, y)| new[self.times(x, y) as usize]).collect(),
            p_portion: order.iter().map(|&x| self.is_p(x)).collect(),
        }
    }

    /// Whether any two elements are told apart: beside some element one of them is that of a P-position and
    /// the other is not.
    pub fn is_reduced(&self) -> bool {
        let outcomes = |x| self.row(x).iter().map(|&product| self.is_p(product)).collect::<Vec<bool>>();
        self.elements().map(outcomes).collect::<HashSet<_>>().len() == self.order
    }

    /// Whether this is the misère quotient of nim with heaps below 2^m, for some m: the quotients of tame
    /// games.
    ///
    /// For m = 0 and 1 those are {1} and {1, a}; otherwise they consist of 1, of a with a·a = 1, and of a
    /// group in which every square is its identity z, in which a·z is not z; the P-positions are those of a
    /// and z.
    pub fn is_tame(&self) -> bool {
        let p = self.p_portion();
        match (self.order, &p[..]) {
            (1, []) => true,
            (2, [a]) => self.times(*a, *a) == IDENTITY,
            (order, &[x, y]) if (order - 2).is_power_of_two() => {
                let (a, z) = if self.times(x, x) == IDENTITY { (x, y) } else { (y, x) };
                let group = |g: Element| g != IDENTITY && g != a;
                group(z)
                    && self.times(a, a) == IDENTITY
                    && self.times(a, z) != z
                    && self
                        .elements()
                        .filter(|&g| group(g))
                        .all(|g| self.times(g, z) == g && self.times(g, g) == z && group(self.times(g, a)))
            }
            _ => false,
        }
    }
}

/// Sets of elements, as bits.
pub type Set = Box<[u64]>;

/// The empty set of elements of a monoid of this order.
pub fn empty_set(order: usize) -> Set {
    vec![0; order.div_ceil(64)].into()
}

/// Puts an element into a set.
#[inline]
pub fn insert(set: &mut [u64], x: Element) {
    set[x as usize / 64] |= 1 << (x % 64);
}

/// Whether an element is in a set.
#[inline]
pub fn contains(set: &[u64], x: Element) -> bool {
    set[x as usize / 64] >> (x % 64) & 1 == 1
}
