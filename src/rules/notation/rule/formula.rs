//! Conditions and numbers, from the weakest binding to the strongest: `or`, `and`, `not`, comparisons, sums,
//! products, signs.

use std::ops::Range as Span;

use super::lexer::Token;
use super::parser::{Parser, RESERVED, Result};
use super::range::Problem;
use super::tree::{Comparison, Condition, Expr, Operator, Quantity, Scope, Set, Slot};
use super::{LARGEST_NUMBER, MOST_QUANTIFIERS, SLOTS};
use crate::base::suggestion;

/// How deeply brackets, signs and `not` may be nested.
const DEEPEST: usize = 30;

/// What was read: brackets may hold a number or a condition.
enum Formula {
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

    fn number(&self, formula: Formula) -> Result<(Expr, Span<usize>)> {
        match formula {
            Formula::Number(number, span) => Ok((number, span)),
            Formula::Condition(_, span) => {
                let message = "this is a condition, not a number".into();
                Err(self.error(span, message, "join conditions with `and` and `or`"))
            }
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
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
    fn alternatives(&mut self) -> Result<Formula> {
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
    fn scope(&mut self) -> Result<Scope> {
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

    fn comparison(&mut self) -> Result<Formula> {
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

    fn sum(&mut self) -> Result<Formula> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Token::Sign("+") => Operator::Add,
                Token::Sign("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.next();
            let right = self.product()?;
            left = self.calculated(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Result<Formula> {
        let mut left = self.atom()?;
        loop {
            let operator = match self.peek() {
                Token::Sign("*") => Operator::Multiply,
                Token::Sign("/") => Operator::Divide,
                Token::Sign("%") => Operator::Remainder,
                Token::Word(word) if word == "mod" => Operator::Remainder,
                _ => return Ok(left),
            };
            self.next();
            let right = self.atom()?;
            left = self.calculated(operator, left, right)?;
        }
    }

    fn calculated(&self, operator: Operator, left: Formula, right: Formula) -> Result<Formula> {
        let (left, from) = self.number(left)?;
        let (right, to) = self.number(right)?;
        let number = Expr::binary(operator, left, right);
        self.in_range(number, from.start..to.end, Some(to))
    }

    /// The number, if it can be calculated with for heaps of all sizes.
    fn in_range(&self, number: Expr, span: Span<usize>, divisor: Option<Span<usize>>) -> Result<Formula> {
        match self.ranges.of(&number) {
            Ok(_) => Ok(Formula::Number(number, span)),
            Err(Problem::DividesByZero) => Err(self.error(
                divisor.unwrap_or(span),
                "this may be 0, and nothing can be divided by 0".into(),
                "divide by what is never 0, such as heap, min, s or max(new heap, 1)",
            )),
            Err(Problem::TooLarge) => Err(self.error(
                span,
                "this may be larger than 2^120 for large heaps".into(),
                "use smaller factors, or fewer of them",
            )),
            Err(Problem::NegativeXor) => Err(self.error(
                span,
                "a number here may be negative, and has no nim-sum".into(),
                "use | | or max(..., 0)",
            )),
        }
    }

    fn atom(&mut self) -> Result<Formula> {
        let span = self.span();
        let token = self.peek().clone();
        match token {
            Token::Number(number) => {
                self.next();
                Ok(Formula::Number(Expr::Number(number), span))
            }
            Token::Sign("-") => {
                self.next();
                let inner = self.deeper(Self::atom)?;
                let number = match self.number(inner)?.0 {
                    Expr::Number(number) => Expr::Number(-number),
                    other => Expr::Negative(Box::new(other)),
                };
                Ok(Formula::Number(number, span.start..self.last_end()))
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.deeper(Self::alternatives)?;
                if !self.sign(")") {
                    return Err(self.unexpected("a closing bracket is missing"));
                }
                let span = span.start..self.last_end();
                Ok(match inner {
                    Formula::Number(number, _) => Formula::Number(number, span),
                    Formula::Condition(condition, _) => Formula::Condition(condition, span),
                })
            }
            Token::Sign("|") => {
                self.next();
                let inner = self.deeper(Self::sum)?;
                let number = self.number(inner)?.0;
                if !self.sign("|") {
                    return Err(self.unexpected("a closing | is missing, as in |s - t|"));
                }
                Ok(Formula::Number(Expr::Absolute(Box::new(number)), span.start..self.last_end()))
            }
            Token::Word(word) => self.named(&word, span),
            Token::Sign(_) | Token::End => {
                Err(self.unexpected("a number comes here, such as s, min, heap or 3"))
            }
        }
    }

    fn named(&mut self, word: &str, span: Span<usize>) -> Result<Formula> {
        let scope = self.scope()?;
        let end = self.span().end;
        let span = span.start..end;
        let word = self.peek_word(0).unwrap_or(word).to_string();
        if let Some(quantity) = quantity(&word) {
            self.next();
            if !self.peek_sign(0, "(") || scope != Scope::Before {
                return Ok(Formula::Number(Expr::Of(scope, quantity), span));
            }
            return self.called(quantity, span);
        }
        match (word.as_str(), scope) {
            ("heap", Scope::Before | Scope::New) if self.ranges == super::Ranges::Position => Err(self
                .error(
                    span,
                    "no heap is moved in where positions are described".into(),
                    "write `every x: ...` or `some x: ...`",
                )),
            ("heap", Scope::Before) => {
                self.next();
                Ok(Formula::Number(Expr::Heap, span))
            }
            ("heap", Scope::New) if self.has_new_heap => {
                self.next();
                Ok(Formula::Number(Expr::NewHeap, span))
            }
            ("heap", Scope::New) => {
                let message = "the heap is split, so that it has no single new size".into();
                Err(self.error(span, message, "use the names of the parts"))
            }
            (_, Scope::New | Scope::Other) => {
                Err(self.unexpected("after `new` and `other` comes heaps, min, max, count, sum, xor or gcd"))
            }
            (name, Scope::Before) => {
                if let Some(slot) = self.names.iter().position(|known| known == name) {
                    self.next();
                    return Ok(Formula::Number(Expr::Variable(slot as Slot), span));
                }
                if let Some(&constant) = self.constants.get(name) {
                    self.next();
                    if constant.abs() > LARGEST_NUMBER {
                        let message = format!("{name} is {constant}, which is too large");
                        return Err(self.error(span, message, "numbers go up to 1000000000"));
                    }
                    return Ok(Formula::Number(Expr::Number(constant), span));
                }
                Err(self.unknown(name, span))
            }
        }
    }

    fn unknown(&self, name: &str, span: Span<usize>) -> super::RuleError {
        if RESERVED.contains(&name) {
            return self.unexpected("a number comes here, such as s, min, heap or 3");
        }
        let known = ["min", "max", "count", "sum", "xor", "gcd", "heap"];
        let names = self.names.iter().chain(self.constants.keys()).map(String::as_str);
        let names = names.filter(|name| !name.is_empty());
        let near = suggestion(name, names.clone().chain(known));
        let all: Vec<&str> = names.chain(known).collect();
        let remedy = format!("{near}what can be used here: {}", all.join(", "));
        self.error(span, format!("nothing is called '{name}' here"), &remedy)
    }

    /// `min(a, b)`.
    fn called(&mut self, quantity: Quantity, span: Span<usize>) -> Result<Formula> {
        if matches!(quantity, Quantity::Sum | Quantity::Count) {
            let remedy = "write a + b; `sum` and `count` are those of the heaps";
            return Err(self.unexpected(remedy));
        }
        self.next();
        let mut all = Vec::new();
        loop {
            let one = self.deeper(Self::sum)?;
            all.push(self.number(one)?.0);
            if self.sign(")") {
                break;
            }
            if !self.sign(",") {
                return Err(self.unexpected("write min(a, b), with commas between the numbers"));
            }
        }
        let span = span.start..self.last_end();
        if all.len() < 2 {
            let message = format!("{quantity}(...) is that of several numbers");
            return Err(self.error(
                span,
                message,
                &format!("write {quantity}(a, b), or {quantity} alone for the heaps"),
            ));
        }
        self.in_range(Expr::Call(quantity, all), span, None)
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

fn quantity(word: &str) -> Option<Quantity> {
    Some(match word {
        "min" => Quantity::Min,
        "max" => Quantity::Max,
        "count" => Quantity::Count,
        "sum" => Quantity::Sum,
        "xor" => Quantity::Xor,
        "gcd" => Quantity::Gcd,
        _ => return None,
    })
}
