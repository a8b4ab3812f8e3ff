//! Games in which the two players have different options.

/// The rules of a partizan game in normal play. Every line of play must be finite.
pub trait PartizanRules: Send + Sync {
    /// A position of the game.
    type Position: ?Sized + ToOwned;

    /// Calls `visit` with every position that Left can move to. A position may be visited more than once.
    fn left_options(&self, position: &Self::Position, visit: &mut dyn FnMut(&Self::Position));

    /// Calls `visit` with every position that Right can move to. A position may be visited more than once.
    fn right_options(&self, position: &Self::Position, visit: &mut dyn FnMut(&Self::Position));
}
