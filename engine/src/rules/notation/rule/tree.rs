//! What a rule says, as a tree. Names are numbered: a [`Slot`] is the place of a name in its clause.

/// The number of a name: first the numbers that are taken, then the parts of a heap that is split, then the
/// heaps of `some` and `every`.
pub type Slot = u8;

/// A game: the moves of several clauses together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The kinds of moves.
    pub clauses: Vec<Clause>,
    /// What is true of every position; others are neither reached nor left.
    pub positions: Option<Condition>,
}

/// One kind of move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The names of the numbers that are taken, at least 1 each. One name: the same number from all the heaps
    /// moved in; more: one from each. None where the clause only splits.
    pub taken: Vec<String>,
    /// The heaps that a move changes.
    pub moved: Moved,
    /// The names of the parts, at least 1 each, into which the heap, or what is left of it, is split; none
    /// where it is not.
    pub parts: Vec<String>,
    /// When the move is legal; `All` of nothing where it always is.
    pub condition: Condition,
}

/// In how many heaps a move is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// In so many, ascending.
    pub numbers: Vec<usize>,
    /// Or in any number of them.
    pub any: bool,
    /// Or in all of them.
    pub all: bool,
}

/// Which heaps are meant. Empty heaps are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those before the move.
    Before,
    /// Those after it.
    New,
    /// Those that the move does not change.
    Other,
}

/// What is worked out from several heaps or numbers; of no heap it is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// How many there are.
    Count,
    /// All counters.
    Sum,
    /// The nim-sum.
    Xor,
    /// The greatest common divisor.
    Gcd,
}

/// A whole number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// As it is written.
    Number(i64),
    /// What a name stands for.
    Variable(Slot),
    /// The heap moved in, before the move. Where several are, each of them in turn.
    Heap,
    /// The heap moved in, after the move.
    NewHeap,
    /// A quantity of heaps.
    Of(Scope, Quantity),
    /// Less than nothing.
    Negative(Box<Expr>),
    /// Without its sign.
    Absolute(Box<Expr>),
    /// A sum, a difference, a product, a quotient rounded down or its remainder.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// The smallest, largest, greatest common divisor or nim-sum of numbers, at least two.
    Call(Quantity, Vec<Expr>),
}

/// A sign of arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down
    Divide,
    /// `%`, what the division leaves, of the sign of the divisor
    Remainder,
}

/// A comparison of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Something that is true or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Two numbers compared.
    Compare(Comparison, Expr, Expr),
    /// The second is a multiple of the first; 0 divides 0 only.
    Divides(Expr, Expr),
    /// The number is one of the set.
    In(Expr, Set),
    /// The number is even.
    Even(Expr),
    /// The number is a power of this one, which is at least 2.
    PowerOf(Expr, i64),
    /// No two of the heaps are equal.
    Different(Scope),
    /// It is false.
    Not(Box<Condition>),
    /// All of them are true.
    All(Vec<Condition>),
    /// One of them is true.
    Any(Vec<Condition>),
    /// It is true of some heap, which has this name in it.
    Some(Scope, Slot, String, Box<Condition>),
    /// It is true of every heap, which has this name in it.
    Every(Scope, Slot, String, Box<Condition>),
}

/// A set of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Set {
    /// The sizes of heaps.
    Heaps(Scope),
    /// These ones.
    Listed(Vec<Expr>),
}

/// What a number or a condition depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mentions {
    /// Names, as bits; those that `some` and `every` bind inside are not counted.
    pub slots: u32,
    /// The heap moved in, before the move.
    pub heap: bool,
    /// The heap moved in, after the move.
    pub new_heap: bool,
    /// Any of the heaps before the move.
    pub before: bool,
    /// Any of the heaps after the move.
    pub new: bool,
    /// Any of the heaps that do not change.
    pub other: bool,
}

impl Rule {
    /// Whether what may become of a heap does not depend on the other heaps, so that the game is the sum of
    /// its heaps.
    pub fn is_sum_of_heaps(&self) -> bool {
        let alone = |clause: &Clause| {
            let mentions = clause.condition.mentions();
            clause.moved.is_one() && !(mentions.before || mentions.new || mentions.other)
        };
        self.positions.is_none() && self.clauses.iter().all(alone)
    }

    /// Whether what may become of a heap depends on the heap and on the smallest heap alone, and every multiset
    /// of heaps is a position.
    pub fn is_local(&self) -> bool {
        let is_min = |number: &Expr| *number == Expr::Of(Scope::Before, Quantity::Min);
        let local = |clause: &Clause| {
            let number = |one: &Expr| is_min(one).then_some(Expr::Number(1));
            let mentions = clause.condition.replaced(&number, &|scope| scope).mentions();
            clause.moved.is_one()
                && clause.parts.is_empty()
                && !(mentions.before || mentions.new || mentions.other)
        };
        self.positions.is_none() && self.clauses.iter().all(local)
    }

    /// Whether a move may leave more heaps than there were.
    pub fn splits(&self) -> bool {
        self.clauses.iter().any(|clause| !clause.parts.is_empty())
    }

    /// Whether any number may be taken from one heap, and nothing else may be done.
    pub fn is_nim(&self) -> bool {
        let nim = |clause: &Clause| {
            clause.moved.is_one() && clause.parts.is_empty() && clause.condition == Condition::ALWAYS
        };
        self.positions.is_none() && self.clauses.iter().all(nim)
    }
}

impl Moved {
    /// One heap.
    pub fn one() -> Self {
        Self { numbers: vec![1], any: false, all: false }
    }

    /// Whether it is always one heap.
    pub fn is_one(&self) -> bool {
        *self == Self::one()
    }
}

impl Comparison {
    /// Whether it is true of two numbers in this order.
    #[inline]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }

    /// What is true where this is not.
    pub fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

impl Expr {
    /// `left operator right`.
    pub fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// What it depends on.
    pub fn mentions(&self) -> Mentions {
        match self {
            Self::Number(_) => Mentions::default(),
            Self::Variable(slot) => Mentions { slots: 1 << slot, ..Mentions::default() },
            Self::Heap => Mentions { heap: true, ..Mentions::default() },
            Self::NewHeap => Mentions { new_heap: true, ..Mentions::default() },
            Self::Of(scope, _) => Mentions::of(*scope),
            Self::Negative(inner) | Self::Absolute(inner) => inner.mentions(),
            Self::Binary(_, left, right) => left.mentions().and(right.mentions()),
            Self::Call(_, all) => Mentions::all(all.iter().map(Self::mentions)),
        }
    }

    /// The number in which `change` has replaced what it gives something for.
    pub fn replaced(&self, change: &impl Fn(&Self) -> Option<Self>) -> Self {
        if let Some(other) = change(self) {
            return other;
        }
        let boxed = |inner: &Self| Box::new(inner.replaced(change));
        match self {
            Self::Negative(inner) => Self::Negative(boxed(inner)),
            Self::Absolute(inner) => Self::Absolute(boxed(inner)),
            Self::Binary(operator, left, right) => Self::Binary(*operator, boxed(left), boxed(right)),
            Self::Call(quantity, all) => {
                Self::Call(*quantity, all.iter().map(|inner| inner.replaced(change)).collect())
            }
            leaf => leaf.clone(),
        }
    }
}

impl Condition {
    /// What is always true.
    pub const ALWAYS: Self = Self::All(Vec::new());

    /// What it depends on.
    pub fn mentions(&self) -> Mentions {
        match self {
            Self::Compare(_, left, right) | Self::Divides(left, right) => {
                left.mentions().and(right.mentions())
            }
            Self::In(number, Set::Heaps(scope)) => number.mentions().and(Mentions::of(*scope)),
            Self::In(number, Set::Listed(all)) => {
                number.mentions().and(Mentions::all(all.iter().map(Expr::mentions)))
            }
            Self::Even(number) | Self::PowerOf(number, _) => number.mentions(),
            Self::Different(scope) => Mentions::of(*scope),
            Self::Not(inner) => inner.mentions(),
            Self::All(all) | Self::Any(all) => Mentions::all(all.iter().map(Self::mentions)),
            Self::Some(scope, slot, _, inner) | Self::Every(scope, slot, _, inner) => {
                let inner = inner.mentions();
                Mentions { slots: inner.slots & !(1 << slot), ..inner }.and(Mentions::of(*scope))
            }
        }
    }

    /// The conditions that must all be true, as single ones.
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::All(all) => all.iter().flat_map(Self::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// The condition in which `number` has replaced numbers and `scope` the heaps that are meant.
    pub fn replaced(&self, number: &impl Fn(&Expr) -> Option<Expr>, scope: &impl Fn(Scope) -> Scope) -> Self {
        let inside = |inner: &Self| Box::new(inner.replaced(number, scope));
        let each = |all: &[Self]| all.iter().map(|inner| inner.replaced(number, scope)).collect();
        match self {
            Self::Compare(comparison, left, right) => {
                Self::Compare(*comparison, left.replaced(number), right.replaced(number))
            }
            Self::Divides(left, right) => Self::Divides(left.replaced(number), right.replaced(number)),
            Self::In(one, set) => {
                let set = match set {
                    Set::Heaps(heaps) => Set::Heaps(scope(*heaps)),
                    Set::Listed(all) => Set::Listed(all.iter().map(|one| one.replaced(number)).collect()),
                };
                Self::In(one.replaced(number), set)
            }
            Self::Even(one) => Self::Even(one.replaced(number)),
            Self::PowerOf(one, base) => Self::PowerOf(one.replaced(number), *base),
            Self::Different(heaps) => Self::Different(scope(*heaps)),
            Self::Not(inner) => Self::Not(inside(inner)),
            Self::All(all) => Self::All(each(all)),
            Self::Any(all) => Self::Any(each(all)),
            Self::Some(heaps, slot, name, inner) => {
                Self::Some(scope(*heaps), *slot, name.clone(), inside(inner))
            }
            Self::Every(heaps, slot, name, inner) => {
                Self::Every(scope(*heaps), *slot, name.clone(), inside(inner))
            }
        }
    }
}

impl Mentions {
    fn of(scope: Scope) -> Self {
        Self {
            before: scope == Scope::Before,
            new: scope == Scope::New,
            other: scope == Scope::Other,
            ..Self::default()
        }
    }

    fn all(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), Self::and)
    }

    /// What the one or the other depends on.
    pub fn and(self, other: Self) -> Self {
        Self {
            slots: self.slots | other.slots,
            heap: self.heap | other.heap,
            new_heap: self.new_heap | other.new_heap,
            before: self.before | other.before,
            new: self.new | other.new,
            other: self.other | other.other,
        }
    }
}
