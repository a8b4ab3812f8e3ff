//! What the names and quantities of a rule are in a position and in a move of it.

use std::ops::{BitXor, Neg};

use num_integer::Integer;

use super::plan::Plan;
use crate::rules::notation::rule::{Condition, Expr, Operator, Quantity, SLOTS, Scope, Set, Slot};

/// Whole numbers of 64 or of 128 bits. The ranges of a rule's numbers show that they never overflow.
pub trait Number:
    Integer + Copy + From<u32> + From<i64> + Neg<Output = Self> + BitXor<Output = Self>
{
    /// The nearest number of 32 bits.
    fn narrow(self) -> u32;
}

impl Number for i64 {
    fn narrow(self) -> u32 {
        self.clamp(0, u32::MAX.into()) as u32
    }
}

impl Number for i128 {
    fn narrow(self) -> u32 {
        self.clamp(0, u32::MAX.into()) as u32
    }
}

/// The quantities of some heaps, in the order of [`Quantity`].
type Quantities<N> = [N; 6];

/// The lists that the moves of a position need.
#[derive(Default)]
pub struct Buffers {
    present: Vec<usize>,
    moved: Vec<usize>,
    option: Vec<u32>,
}

/// A position, the heaps moved in, and what has been chosen so far.
pub struct Values<'a, N> {
    /// The heaps before the move.
    pub heaps: &'a [u32],
    /// The indices of the heaps that are not empty.
    pub present: Vec<usize>,
    /// The indices of the heaps moved in.
    pub moved: Vec<usize>,
    /// The heaps after the move.
    pub option: Vec<u32>,
    slots: [N; SLOTS],
    heap: N,
    new_heap: N,
    before: Quantities<N>,
    other: Quantities<N>,
    new: Quantities<N>,
}

impl<'a, N: Number> Values<'a, N> {
    /// For the moves of a position.
    pub fn of_move(heaps: &'a [u32], buffers: Buffers) -> Self {
        let Buffers { mut present, moved, option } = buffers;
        present.clear();
        present.extend((0..heaps.len()).filter(|&i| heaps[i] > 0));
        Self { present, moved, option, ..Self::empty(heaps) }
    }

    /// The lists, for the next position.
    pub fn into_buffers(self) -> Buffers {
        Buffers { present: self.present, moved: self.moved, option: self.option }
    }

    /// For a condition of positions.
    pub fn of_position(heaps: &'a [u32]) -> Self {
        let mut values = Self::empty(heaps);
        values.before = quantities(heaps.iter().copied(), ALL);
        values
    }

    fn empty(heaps: &'a [u32]) -> Self {
        let zero = N::zero();
        Self {
            heaps,
            present: Vec::new(),
            moved: Vec::new(),
            option: Vec::new(),
            slots: [zero; SLOTS],
            heap: zero,
            new_heap: zero,
            before: [zero; 6],
            other: [zero; 6],
            new: [zero; 6],
        }
    }

    /// Before the moves of a clause.
    pub fn begin(&mut self, plan: &Plan) {
        self.option.clear();
        self.option.extend_from_slice(self.heaps);
        self.option.resize(self.heaps.len() + plan.parts.saturating_sub(1), 0);
        if plan.before > 0 {
            self.before = quantities(self.heaps.iter().copied(), plan.before);
        }
    }

    /// After the heaps moved in were chosen.
    pub fn choose(&mut self, plan: &Plan) {
        self.heap = N::from(self.heaps[self.moved[0]]);
        if plan.other | plan.new > 0 {
            let others = (0..self.heaps.len()).map(|i| self.size(Scope::Other, i));
            self.other = quantities(others, plan.other | plan.new);
        }
    }

    /// Makes one of the heaps moved in the one that `heap` means.
    pub fn look_at(&mut self, which: usize) {
        let heap = self.moved[which];
        self.heap = N::from(self.heaps[heap]);
        self.new_heap = N::from(self.option[heap]);
    }

    /// The most that the number of a loop can be, after those before it.
    pub fn most(&self, plan: &Plan, level: usize) -> u32 {
        if plan.one_each {
            return self.heaps[self.moved[level]];
        }
        let least = self.moved.iter().map(|&heap| self.heaps[heap]).min().unwrap_or(0);
        let before = (0..level).fold(0u32, |sum, slot| sum + self.slots[slot].narrow());
        // The parts that come later take at least 1 each.
        let later = match (plan.parts as u32, level) {
            (0, _) => 0,
            (parts, _) => parts - level.saturating_sub(plan.taken) as u32 - u32::from(level >= plan.taken),
        };
        least.saturating_sub(before).saturating_sub(later)
    }

    /// Chooses the number of a loop.
    #[inline]
    pub fn set(&mut self, plan: &Plan, level: usize, number: u32) {
        self.slots[level] = N::from(number);
        if plan.one_each {
            let heap = self.moved[level];
            self.option[heap] = self.heaps[heap] - number;
        } else if plan.parts == 0 {
            for &heap in &self.moved {
                self.option[heap] = self.heaps[heap] - number;
            }
        }
    }

    /// After all numbers were chosen: the parts, and the quantities of the heaps after the move.
    #[inline]
    pub fn finish(&mut self, plan: &Plan) {
        if plan.parts > 0 {
            let numbers = plan.loops.len();
            let chosen = (0..numbers).fold(0, |sum, slot| sum + self.slots[slot].narrow());
            let heap = self.moved[0];
            let last = self.heaps[heap] - chosen;
            for part in 0..plan.parts {
                let size = if part + 1 == plan.parts { last } else { self.slots[plan.taken + part].narrow() };
                let place = if part == 0 { heap } else { self.heaps.len() + part - 1 };
                self.option[place] = size;
            }
        }
        if plan.new > 0 {
            let Self { heaps, moved, option, new, .. } = self;
            *new = self.other;
            let changed = moved.iter().copied().chain(heaps.len()..option.len());
            changed.for_each(|heap| add(new, option[heap], plan.new));
        }
    }

    /// The size of heap `i` of these heaps, 0 where it is not one of them.
    #[inline]
    pub fn size(&self, scope: Scope, i: usize) -> u32 {
        match scope {
            Scope::Before => self.heaps[i],
            Scope::New => self.option[i],
            Scope::Other if self.moved.contains(&i) => 0,
            Scope::Other => self.heaps[i],
        }
    }

    fn count(&self, scope: Scope) -> usize {
        if scope == Scope::New { self.option.len() } else { self.heaps.len() }
    }

    /// What `number` is.
    pub fn number(&self, number: &Expr) -> N {
        match number {
            Expr::Number(number) => N::from(*number),
            Expr::Variable(slot) => self.slots[usize::from(*slot)],
            Expr::Heap => self.heap,
            Expr::NewHeap => self.new_heap,
            Expr::Of(scope, quantity) => {
                let quantities = match scope {
                    Scope::Before => &self.before,
                    Scope::New => &self.new,
                    Scope::Other => &self.other,
                };
                quantities[*quantity as usize]
            }
            Expr::Negative(inner) => -self.number(inner),
            Expr::Absolute(inner) => absolute(self.number(inner)),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left.div_floor(&right),
                    Operator::Remainder => left.mod_floor(&right),
                }
            }
            Expr::Call(quantity, all) => {
                let mut numbers = all.iter().map(|one| self.number(one));
                let first = numbers.next().unwrap_or(N::zero());
                numbers.fold(first, |known, number| match quantity {
                    Quantity::Min => known.min(number),
                    Quantity::Max => known.max(number),
                    Quantity::Xor => known ^ number,
                    Quantity::Gcd => known.gcd(&number),
                    Quantity::Sum | Quantity::Count => known + number,
                })
            }
        }
    }

    /// Whether `condition` is true.
    pub fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(comparison, left, right) => {
                comparison.holds(self.number(left).cmp(&self.number(right)))
            }
            Condition::Divides(left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                if left.is_zero() { right.is_zero() } else { right.mod_floor(&left).is_zero() }
            }
            Condition::In(number, set) => {
                let number = self.number(number);
                match set {
                    Set::Heaps(scope) => {
                        let equals = |i| self.size(*scope, i) > 0 && N::from(self.size(*scope, i)) == number;
                        (0..self.count(*scope)).any(equals)
                    }
                    Set::Listed(all) => all.iter().any(|one| self.number(one) == number),
                }
            }
            Condition::Even(number) => self.number(number).is_even(),
            Condition::PowerOf(number, base) => is_power(self.number(number), N::from(*base)),
            Condition::Different(scope) => {
                let equal = |i: usize, j: usize| self.size(*scope, i) == self.size(*scope, j);
                (1..self.count(*scope)).all(|i| self.size(*scope, i) == 0 || (0..i).all(|j| !equal(i, j)))
            }
            Condition::Not(inner) => !self.holds(inner),
            Condition::All(all) => all.iter().all(|one| self.holds(one)),
            Condition::Any(any) => any.iter().any(|one| self.holds(one)),
            Condition::Some(scope, slot, _, inner) => {
                (0..self.count(*scope)).any(|i| self.is_heap(*scope, i, *slot) && self.holds(inner))
            }
            Condition::Every(scope, slot, _, inner) => {
                (0..self.count(*scope)).all(|i| !self.is_heap(*scope, i, *slot) || self.holds(inner))
            }
        }
    }

    /// Gives the name in `slot` to heap `i`, if it is one of these heaps.
    fn is_heap(&mut self, scope: Scope, i: usize, slot: Slot) -> bool {
        let size = self.size(scope, i);
        self.slots[usize::from(slot)] = N::from(size);
        size > 0
    }
}

/// The bits of all quantities.
const ALL: u8 = 63;

/// The bit of a quantity.
pub const fn bit(quantity: Quantity) -> u8 {
    1 << quantity as u8
}

/// The wanted quantities of the heaps that are not empty.
#[inline]
fn quantities<N: Number>(sizes: impl Iterator<Item = u32>, wanted: u8) -> Quantities<N> {
    let mut known = [N::zero(); 6];
    sizes.for_each(|size| add(&mut known, size, wanted));
    known
}

/// Counts one more heap, if it is not empty, among the wanted quantities.
#[inline]
fn add<N: Number>(known: &mut Quantities<N>, size: u32, wanted: u8) {
    if size == 0 {
        return;
    }
    let size = N::from(size);
    let wants = |quantity: Quantity| wanted & bit(quantity) > 0;
    let [min, max, count, sum, xor, gcd] = known;
    if wants(Quantity::Min) && (min.is_zero() || size < *min) {
        *min = size;
    }
    if wants(Quantity::Max) && size > *max {
        *max = size;
    }
    // The rarer ones.
    if wanted & !(bit(Quantity::Min) | bit(Quantity::Max)) > 0 {
        *count = *count + N::one();
        *sum = *sum + size;
        *xor = *xor ^ size;
        if wants(Quantity::Gcd) {
            *gcd = gcd.gcd(&size);
        }
    }
}

fn absolute<N: Number>(number: N) -> N {
    if number < N::zero() { -number } else { number }
}

/// Whether `number` is 1, `base`, `base * base`, ...
fn is_power<N: Number>(mut number: N, base: N) -> bool {
    if number < N::one() {
        return false;
    }
    while number.mod_floor(&base).is_zero() {
        number = number.div_floor(&base);
    }
    number.is_one()
}
