//! Numbers, from the weakest binding to the strongest: sums, products, signs.

use std::ops::Range as Span;

use super::LARGEST_NUMBER;
use super::formula::Formula;
use super::lexer::Token;
use super::parser::{Parser, RESERVED, Result};
use super::range::Problem;
use super::tree::{Expr, Operator, Quantity, Scope, Slot};
use crate::base::suggestion;

/// The number without what constants make superfluous: `1*min + 0` is `min`.
fn folded(number: Expr) -> Expr {
    use Operator::{Add, Divide, Multiply, Subtract};
    let Expr::Binary(operator, left, right) = number else { return number };
    match (operator, *left, *right) {
        (Add | Subtract, left, Expr::Number(0)) | (Multiply | Divide, left, Expr::Number(1)) => left,
        (Add, Expr::Number(0), right) | (Multiply, Expr::Number(1), right) => right,
        (Multiply, Expr::Number(0), _) | (Multiply, _, Expr::Number(0)) => Expr::Number(0),
        (operator @ (Add | Subtract | Multiply), Expr::Number(left), Expr::Number(right)) => {
            let result = match operator {
                Add => left.checked_add(right),
                Subtract => left.checked_sub(right),
                _ => left.checked_mul(right),
            };
            match result.filter(|result| result.abs() <= LARGEST_NUMBER) {
                Some(result) => Expr::Number(result),
                None => Expr::binary(operator, Expr::Number(left), Expr::Number(right)),
            }
        }
        (operator, left, right) => Expr::binary(operator, left, right),
    }
}

impl Parser<'_> {
    pub(super) fn sum(&mut self) -> Result<Formula> {
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
        if self.is_claim && !is_constant(&right) {
            let (bad, what) = match operator {
                Operator::Multiply => (!is_constant(&left), "a product of numbers that are not constants"),
                Operator::Divide | Operator::Remainder => (true, "a division by what is not a constant"),
                _ => (false, ""),
            };
            if bad {
                let message = format!("this is {what}, and claims are formulas of addition");
                let remedy = "write sums, comparisons, residues by a constant and powers of the base, such as 2*a + 1 <= b";
                return Err(self.error(from.start..to.end, message, remedy));
            }
        }
        let number = Expr::binary(operator, left, right);
        Ok(match self.in_range(number, from.start..to.end, Some(to))? {
            Formula::Number(number, span) => Formula::Number(folded(number), span),
            condition => condition,
        })
    }

    /// The number, if it can be calculated with for heaps of all sizes.
    fn in_range(&self, number: Expr, span: Span<usize>, divisor: Option<Span<usize>>) -> Result<Formula> {
        match self.ranges.of(&number) {
            Ok(range) if self.is_claim && !range.is_narrow() => Err(self.error(
                span,
                "the numbers in this are too large".into(),
                "use smaller factors, or fewer of them",
            )),
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
            if self.is_claim && matches!(quantity, Quantity::Xor | Quantity::Gcd) {
                let message = "nim-sums and greatest common divisors are not formulas of addition".into();
                return Err(self.error(
                    span,
                    message,
                    "claims are about sums, comparisons, residues and powers of the base",
                ));
            }
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

fn is_constant(number: &Expr) -> bool {
    match number {
        Expr::Number(_) => true,
        Expr::Negative(inner) | Expr::Absolute(inner) => is_constant(inner),
        Expr::Binary(_, left, right) => is_constant(left) && is_constant(right),
        _ => false,
    }
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
