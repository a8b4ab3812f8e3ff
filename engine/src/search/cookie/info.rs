//! What is known about a part.

/// The value of a part, or values that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Info {
    /// The Grundy value.
    Exact(u8),
    /// Bit `v` is set if the value is known to differ from `v`.
    Not(u128),
}

impl Info {
    /// Nothing is known.
    pub(crate) const NOTHING: Self = Self::Not(0);

    const EXACT: u32 = 1 << Self::KEPT;
    /// Bounds on the value are kept for values below this.
    const KEPT: u32 = 23;

    /// In three bytes, for the table; 0 means nothing known. Excluded values of 23 and more are forgotten.
    pub(crate) fn packed(self) -> u32 {
        match self {
            Self::Exact(value) => Self::EXACT | u32::from(value),
            Self::Not(excluded) => excluded as u32 & (Self::EXACT - 1),
        }
    }

    /// The inverse of `packed`.
    pub(crate) fn unpacked(packed: u32) -> Self {
        if packed & Self::EXACT != 0 { Self::Exact(packed as u8) } else { Self::Not(packed.into()) }
    }

    /// The value, if it is known.
    pub(crate) fn value(self) -> Option<u8> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Not(_) => None,
        }
    }

    /// Whether the value is `value`, if that is known.
    pub(crate) fn is(self, value: u8) -> Option<bool> {
        match self {
            Self::Exact(exact) => Some(exact == value),
            Self::Not(excluded) => (excluded >> value & 1 == 1).then_some(false),
        }
    }

    /// What both know together.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Not(a), Self::Not(b)) => Self::Not(a | b),
            (Self::Exact(value), _) | (_, Self::Exact(value)) => Self::Exact(value),
        }
    }

    /// Whether a packed record is one that `packed` makes for a part of `squares` squares.
    pub(crate) fn is_plausible(packed: u32, squares: u32) -> bool {
        match Self::unpacked(packed) {
            // The value of n squares is at most n (Lemma 5.0.4), and the unused bits are zero.
            Self::Exact(value) => packed == Self::Exact(value).packed() && u32::from(value) <= squares,
            Self::Not(excluded) => excluded != 0 && excluded >> Self::KEPT == 0,
        }
    }
}
