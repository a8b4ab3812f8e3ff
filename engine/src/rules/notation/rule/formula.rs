//! Conditions, from the weakest binding to the strongest: `or`, `and`, `not`, comparisons; `numbers.rs` has what is
//! compared.

use std::ops::Range as Span;

use super::lexer::Token;
use super::parser::{Parser, Result};
use super::tree::{Comparison, Condition, Expr, Scope, Set, Slot};
use super::{MOST_QUANTIFIERS, SLOTS};

/// How deeply brackets, signs and `not` may be nested.
const DEEPEST: usize = 30;

/// What was read: brackets may hold a number or a condition.
pub(super) enum Formula {
    Number(Expr, Span<usize>),
    Condition(Condition, Span<usize>),
}

impl Parser<'_> {
    /// What is true or not.
    pub(super) fn whole_condition(&mut self) -> Result<Condition> {
        let formula = self.alternatives()?;
        self.condition(formula)
    }

    fn condition(&self, formula: Formula) -> Result<Condition> {
        match formula {
            Formula::Condition(condition, _) => Ok(condition),
            Formula::Number(_, span) => {
                let message = "this is a number, not a condition".into();
                Err(self.error(span, message, "compare it with something, such as `s <= min`"))
            }
        }
    }

    pub(super) fn number(&self, formula: Formula) -> Result<(Expr, Span<usize>)> {
        match formula {
            Formula::Number(number, span) => Ok((number, span)),
            Formula::Condition(_, span) => {
                let message = "this is a condition, not a number".into();
                Err(self.error(span, message, "join conditions with `and` and `or`"))
            }
        }
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            let message = "this is nested too deeply".into();
            return Err(self.error(self.span(), message, "write it with fewer brackets"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Conditions joined by `or`; where `take` or `split` follows, the next clause begins.
    pub(super) fn alternatives(&mut self) -> Result<Formula> {
        let start = self.span().start;
        let first = self.together()?;
        let mut any = Vec::new();
        while self.peek_word(0) == Some("or") && !matches!(self.peek_word(1), Some("take" | "split")) {
            self.next();
            let next = self.together()?;
            any.push(self.condition(next)?);
        }
        if any.is_empty() {
            return Ok(first);
        }
        any.insert(0, self.condition(first)?);
        let flat = any.into_iter().flat_map(|one| match one {
            Condition::Any(inner) => inner,
            other => vec![other],
        });
        Ok(Formula::Condition(Condition::Any(flat.collect()), start..self.last_end()))
    }

    /// Conditions joined by `and`.
    fn together(&mut self) -> Result<Formula> {
        let start = self.span().start;
        let first = self.negation()?;
        let mut all = Vec::new();
        while self.word("and") {
            let next = self.negation()?;
            all.push(self.condition(next)?);
        }
        if all.is_empty() {
            return Ok(first);
        }
        all.insert(0, self.condition(first)?);
        Ok(Formula::Condition(joined(all), start..self.last_end()))
    }

    fn negation(&mut self) -> Result<Formula> {
        let start = self.span().start;
        if self.word("not") {
            let inner = self.deeper(Self::negation)?;
            let inner = self.condition(inner)?;
            return Ok(Formula::Condition(Condition::Not(Box::new(inner)), start..self.last_end()));
        }
        match self.peek_word(0) {
            // Those of claims are about numbers.
            Some("some" | "every") if self.is_claim => Err(self.unexpected("write a statement here")),
            Some("some") => self.quantified(Condition::Some),
            Some("every") => self.quantified(Condition::Every),
            _ => self.comparison(),
        }
    }

    /// `some x: ...` over heaps; what follows the colon reaches as far as it can.
    fn quantified(
        &mut self,
        make: impl FnOnce(Scope, Slot, String, Box<Condition>) -> Condition,
    ) -> Result<Formula> {
        let span = self.span();
        self.next();
        if self.quantifiers == MOST_QUANTIFIERS {
            let message = "this is one `some` or `every` too many inside another".into();
            return Err(self.error(span, message, "at most three can be nested"));
        }
        let scope = self.scope()?;
        let name = self.name("write `some x: ...` or `every x: ...`, with a name for the heap")?;
        if !self.sign(":") {
            return Err(self.unexpected("a colon comes after the name, as in `some x: x divides s`"));
        }
        let slot = self.names.len();
        debug_assert!(slot < SLOTS);
        self.names.push(name.clone());
        self.quantifiers += 1;
        let inner = self.deeper(Self::alternatives)?;
        self.quantifiers -= 1;
        self.names.pop();
        let inner = self.condition(inner)?;
        Ok(Formula::Condition(make(scope, slot as Slot, name, Box::new(inner)), span.start..self.last_end()))
    }

    /// `new `, `other ` or nothing.
    pub(super) fn scope(&mut self) -> Result<Scope> {
        let span = self.span();
        let scope = match self.peek_word(0) {
            Some("new") => Scope::New,
            Some("other") => Scope::Other,
            _ => return Ok(Scope::Before),
        };
        self.next();
        if self.ranges == super::Ranges::Position {
            let message = "a position is not a move: nothing in it is new, and no heap is another".into();
            return Err(self.error(
                span,
                message,
                "say what is true of the heaps, such as `heaps are different`",
            ));
        }
        Ok(scope)
    }

    pub(super) fn comparison(&mut self) -> Result<Formula> {
        let start = self.span().start;
        let ahead = usize::from(matches!(self.peek_word(0), Some("new" | "other")));
        if self.peek_word(ahead) == Some("heaps") {
            let condition = self.different()?;
            return Ok(Formula::Condition(condition, start..self.last_end()));
        }
        let mut first = self.sum()?;
        let mut all = Vec::new();
        while let Some(comparison) = self.comparison_sign() {
            self.next();
            let left = self.number(first)?;
            let right = self.sum()?;
            let (right, span) = self.number(right)?;
            all.push(Condition::Compare(comparison, left.0, right.clone()));
            first = Formula::Number(right, span);
        }
        let condition = match self.peek_word(0) {
            _ if !all.is_empty() => joined(all),
            Some("divides") => {
                self.next();
                let left = self.number(first)?.0;
                let right = self.sum()?;
                Condition::Divides(left, self.number(right)?.0)
            }
            Some("in") => {
                self.next();
                Condition::In(self.number(first)?.0, self.set()?)
            }
            Some("not") if self.peek_word(1) == Some("in") => {
                self.next();
                self.next();
                Condition::Not(Box::new(Condition::In(self.number(first)?.0, self.set()?)))
            }
            Some("is") => {
                self.next();
                let number = self.number(first)?.0;
                self.property(number)?
            }
            Some("changes") => {
                let (number, span) = self.number(first)?;
                let Expr::Of(Scope::Before, quantity) = number else {
                    let message = "only min, max, count, sum, xor and gcd of the heaps change".into();
                    return Err(self.error(span, message, "write `min changes`, or compare with !="));
                };
                if self.ranges == super::Ranges::Position {
                    return Err(self.unexpected("a position is not a move: nothing in it changes"));
                }
                self.next();
                Condition::Compare(Comparison::NotEqual, number, Expr::Of(Scope::New, quantity))
            }
            _ => return Ok(first),
        };
        Ok(Formula::Condition(condition, start..self.last_end()))
    }

    /// `heaps are different`, or `heaps stay different` for those after the move.
    fn different(&mut self) -> Result<Condition> {
        const REMEDY: &str = "write `heaps are different`, `heaps stay different`, or `s in heaps`";
        let mut scope = self.scope()?;
        self.next();
        if scope == Scope::Before && self.ranges == super::Ranges::Move && self.word("stay") {
            scope = Scope::New;
        } else {
            self.expect("are", REMEDY)?;
        }
        self.expect("different", REMEDY)?;
        Ok(Condition::Different(scope))
    }

    fn comparison_sign(&self) -> Option<Comparison> {
        let Token::Sign(sign) = self.peek() else { return None };
        Some(match *sign {
            "=" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            _ => return None,
        })
    }

    /// What comes after `is`: `even`, `odd`, `a power of 2`, each also with `not`.
    fn property(&mut self, number: Expr) -> Result<Condition> {
        const REMEDY: &str = "write `is even`, `is odd` or `is a power of 2`; compare numbers with =";
        let not = self.word("not");
        let condition = if self.word("even") {
            Condition::Even(number)
        } else if self.word("odd") {
            Condition::Not(Box::new(Condition::Even(number)))
        } else if self.word("a") {
            self.expect("power", REMEDY)?;
            self.expect("of", REMEDY)?;
            let base = match self.peek() {
                Token::Number(base) if *base >= 2 => *base,
                Token::Word(word) if word == "two" => 2,
                _ => return Err(self.unexpected("powers are those of a number from 2 on")),
            };
            self.next();
            Condition::PowerOf(number, base)
        } else {
            return Err(self.unexpected(REMEDY));
        };
        Ok(if not { Condition::Not(Box::new(condition)) } else { condition })
    }

    fn set(&mut self) -> Result<Set> {
        if self.sign("{") {
            let mut all = Vec::new();
            loop {
                let one = self.deeper(Self::sum)?;
                all.push(self.number(one)?.0);
                if self.sign("}") {
                    return Ok(Set::Listed(all));
                }
                if !self.sign(",") {
                    return Err(self.unexpected("a set is written as {1, 3, 4}"));
                }
            }
        }
        let scope = self.scope()?;
        self.expect("heaps", "write `in heaps`, `in other heaps`, `in new heaps` or `in {1, 3, 4}`")?;
        Ok(Set::Heaps(scope))
    }
}

/// One condition for all of them.
fn joined(all: Vec<Condition>) -> Condition {
    let mut flat: Vec<Condition> = all
        .into_iter()
        .flat_map(|one| match one {
            Condition::All(inner) => inner,
            other => vec![other],
        })
        .collect();
    if flat.len() == 1 { flat.remove(0) } else { Condition::All(flat) }
}
