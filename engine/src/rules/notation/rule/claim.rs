//! Claims about a proved set of positions: `a = 3 implies (P iff b % 4 = 3)`. docs/PROOFS.md has the grammar.

use super::error::RuleError;
use super::formula::Formula;
use super::lexer::{Token, tokens};
use super::parser::{Parser, Result};
use super::range::Ranges;
use super::tree::{Condition, Expr, Slot};
use super::{Constants, SLOTS};

/// A statement about the heaps of a position, which are the first names, in ascending order of their sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// A comparison, a residue, a power; its names are slots.
    Condition(Condition),
    /// The first number is the largest power of this base that divides the second, which is not 0.
    LargestPower(Expr, i64, Expr),
    /// A position is in a set: these heaps in any order, or those of the position that the claim is about.
    Position(Outcome, Option<Vec<Expr>>),
    /// It is false.
    Not(Box<Claim>),
    /// Both are true.
    And(Box<Claim>, Box<Claim>),
    /// One of them is true.
    Or(Box<Claim>, Box<Claim>),
    /// Both are true, or both false.
    Iff(Box<Claim>, Box<Claim>),
    /// It is true of some natural number, which has this slot.
    Some(Slot, Box<Claim>),
}

/// What a position is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A P-position.
    P,
    /// An N-position.
    N,
    /// Of this Grundy value.
    Value(u32),
}

impl Claim {
    /// The claim that `text` makes about positions of so many heaps, named a, b, c, ... or x1, x2, x3, ...
    pub fn parse(text: &str, heaps: usize) -> Result<Self> {
        let in_claim = |error: RuleError| RuleError { what: "claim", ..error };
        let tokens = tokens(text).map_err(in_claim)?;
        let numbered = tokens.iter().any(|(token, _)| *token == Token::Word("x1".into()));
        let name = |heap: usize| match numbered {
            true => format!("x{}", heap + 1),
            false => char::from(b'a' + heap as u8).to_string(),
        };
        let constants = Constants::new();
        let mut parser = Parser::new(text, tokens, &constants);
        parser.names = (0..heaps).map(name).collect();
        parser.ranges = Ranges::Position;
        parser.is_claim = true;
        let claim = parser.equivalence().and_then(|claim| match parser.peek() {
            Token::End => Ok(claim),
            _ => Err(parser.unexpected("join statements with and, or, implies, iff")),
        });
        claim.map_err(in_claim)
    }

    /// Whether nothing in it depends on the position that it is about, whose heaps are the first slots.
    pub fn is_closed(&self, heaps: usize) -> bool {
        let free = |condition: &Condition| {
            let mentions = condition.mentions();
            mentions.before || mentions.slots & ((1 << heaps) - 1) != 0
        };
        match self {
            Self::Condition(condition) => !free(condition),
            Self::LargestPower(power, _, number) => {
                ![power, number].into_iter().any(|number| free(&Condition::Even(number.clone())))
            }
            Self::Position(_, None) => false,
            Self::Position(_, Some(numbers)) => {
                numbers.iter().all(|number| !free(&Condition::Even(number.clone())))
            }
            Self::Not(inner) | Self::Some(_, inner) => inner.is_closed(heaps),
            Self::And(left, right) | Self::Or(left, right) | Self::Iff(left, right) => {
                left.is_closed(heaps) && right.is_closed(heaps)
            }
        }
    }
}

impl Parser<'_> {
    fn equivalence(&mut self) -> Result<Claim> {
        let mut left = self.implication()?;
        while self.word("iff") {
            left = Claim::Iff(Box::new(left), Box::new(self.implication()?));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Claim> {
        let mut left = self.claims_or()?;
        if self.word("implies") {
            let right = self.deeper(Self::implication)?;
            left = Claim::Or(Box::new(Claim::Not(Box::new(left))), Box::new(right));
        }
        Ok(left)
    }

    fn claims_or(&mut self) -> Result<Claim> {
        let mut left = self.claims_and()?;
        while self.word("or") {
            left = Claim::Or(Box::new(left), Box::new(self.claims_and()?));
        }
        Ok(left)
    }

    fn claims_and(&mut self) -> Result<Claim> {
        let mut left = self.single()?;
        while self.word("and") {
            left = Claim::And(Box::new(left), Box::new(self.single()?));
        }
        Ok(left)
    }

    fn single(&mut self) -> Result<Claim> {
        if self.word("not") {
            return Ok(Claim::Not(Box::new(self.deeper(Self::single)?)));
        }
        match self.peek_word(0) {
            Some("some") => self.for_numbers(false),
            Some("every") => self.for_numbers(true),
            Some("p") => self.outcome(Outcome::P),
            Some("n") => self.outcome(Outcome::N),
            Some("g") => self.outcome(Outcome::Value(0)),
            Some(word @ ("true" | "false")) => {
                let always = Claim::Condition(Condition::ALWAYS);
                let claim = if word == "true" { always } else { Claim::Not(Box::new(always)) };
                self.next();
                Ok(claim)
            }
            _ => self.statement(),
        }
    }

    /// A condition, or a claim in brackets: a bracket may belong to a number as well, so both are tried, and
    /// the mistake that is said is the one of the attempt that came further.
    fn statement(&mut self) -> Result<Claim> {
        let start = self.position();
        let depth = self.depth;
        if let Some(claim) = self.largest_power()? {
            return Ok(claim);
        }
        self.go_to(start);
        self.depth = depth;
        let as_condition = match self.comparison() {
            Ok(Formula::Condition(condition, _)) => return Ok(Claim::Condition(condition)),
            Ok(Formula::Number(..)) if self.peek_sign(0, ")") || *self.peek() == Token::End => self.error(
                self.span(),
                "this is a number, not a statement".into(),
                "compare it with something, such as `a <= 3`",
            ),
            Ok(Formula::Number(..)) => self.unexpected("compare it with something, such as `a <= 3`"),
            Err(error) => error,
        };
        self.go_to(start);
        self.depth = depth;
        if !self.sign("(") {
            return Err(as_condition);
        }
        let as_claim = self.deeper(Self::equivalence).and_then(|claim| match self.sign(")") {
            true => Ok(claim),
            false => Err(self.unexpected("a closing bracket is missing")),
        });
        as_claim
            .map_err(|error| if error.span.start >= as_condition.span.start { error } else { as_condition })
    }

    /// `x is the largest power of 2 in b + 1`.
    fn largest_power(&mut self) -> Result<Option<Claim>> {
        const REMEDY: &str = "write `x is the largest power of 2 in b + 1`";
        let power = match self.sum() {
            Ok(Formula::Number(power, _)) if self.peek_word(1) == Some("the") && self.word("is") => power,
            _ => return Ok(None),
        };
        for word in ["the", "largest", "power", "of"] {
            self.expect(word, REMEDY)?;
        }
        let Token::Number(base @ 2..) = *self.peek() else { return Err(self.unexpected(REMEDY)) };
        self.next();
        self.expect("in", REMEDY)?;
        let number = self.sum()?;
        Ok(Some(Claim::LargestPower(power, base, self.number(number)?.0)))
    }

    /// `some x: ...`, `every x, y: ...` over natural numbers; what follows the colon reaches as far as it can.
    fn for_numbers(&mut self, every: bool) -> Result<Claim> {
        self.next();
        let known = self.names.len();
        loop {
            let span = self.span();
            let name = self.name("write `some x: ...` or `every x: ...`, with a name for the number")?;
            if matches!(name.as_str(), "p" | "n" | "g" | "implies" | "iff") || self.names.len() == SLOTS {
                let message = format!("'{name}' cannot be the name of a number here");
                return Err(self.error(
                    span,
                    message,
                    "p, n and g have a meaning of their own, and 12 names are possible",
                ));
            }
            self.names.push(name);
            if !self.sign(",") {
                break;
            }
        }
        if !self.sign(":") {
            return Err(self.unexpected("a colon comes after the name, as in `some x: a = 2*x`"));
        }
        let inner = self.deeper(Self::equivalence)?;
        let negated = |claim: Claim| if every { Claim::Not(Box::new(claim)) } else { claim };
        let slots = known..self.names.len();
        self.names.truncate(known);
        let some = slots.rev().fold(negated(inner), |inner, slot| Claim::Some(slot as Slot, Box::new(inner)));
        Ok(negated(some))
    }

    /// `P`, `N(a, b+1)`, `G = 2`, `G(a, b) = 2`.
    fn outcome(&mut self, outcome: Outcome) -> Result<Claim> {
        const REMEDY: &str = "write `G = 2` or `G(a, b) = 2`: values are compared with one number by =";
        self.next();
        let mut heaps = None;
        if self.sign("(") {
            let numbers = heaps.insert(Vec::new());
            loop {
                let number = self.deeper(Self::sum)?;
                numbers.push(self.number(number)?.0);
                if self.sign(")") {
                    break;
                }
                if !self.sign(",") {
                    return Err(self.unexpected("write P(a, b+1), with commas between the heaps"));
                }
            }
        }
        if !matches!(outcome, Outcome::Value(_)) {
            return Ok(Claim::Position(outcome, heaps));
        }
        if !self.sign("=") {
            return Err(self.unexpected(REMEDY));
        }
        let Token::Number(value) = *self.peek() else { return Err(self.unexpected(REMEDY)) };
        self.next();
        Ok(Claim::Position(Outcome::Value(value as u32), heaps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_with_the_usual_binding() {
        let read = |text: &str| Claim::parse(text, 3).unwrap();
        assert_eq!(read("P and a = 1 or b = 2"), read("(P and (a = 1)) or ((b) = 2)"));
        assert_eq!(read("P implies a = 1 implies b = 2"), read("P implies (a = 1 implies b = 2)"));
        assert_eq!(read("P iff N or b = 2"), read("P iff (N or b = 2)"));
        assert_eq!(read("x1 < x2 < x3"), read("a < b < c"));
        assert_eq!(read("every x: P"), read("not (some x: not P)"));
        assert_eq!(read("some x, y: a = 2*x + y"), read("some x: (some y: a = 2*x + y)"));
        assert!(read("some x: 3 divides x and P(x, x, x+1)").is_closed(3));
        assert!(
            !read("some x: a = 2*x").is_closed(3) && !read("P").is_closed(3) && !read("N(a, 1)").is_closed(3)
        );
    }

    #[test]
    fn mistakes_of_a_claim_are_said_with_the_place() {
        for (text, words) in [
            ("P iff a*b = 3", "a product"),
            ("a % b = 1", "a constant"),
            ("a xor b = 1", "cannot come here"),
            ("xor = 1", "nim-sums"),
            ("P iff (a = 3", "closing bracket"),
            ("P iff q = 3", "nothing is called 'q'"),
            ("a + 1", "compare it"),
            ("a is the largest power of 2", "in b + 1"),
            ("G = a", "values are compared"),
            ("some p: p = 1", "cannot be the name"),
            ("P P", "join statements"),
            ("", "the end of the claim"),
            ("1000000000*1000000000*a = b", "smaller factors"),
        ] {
            let problem = Claim::parse(text, 3).unwrap_err().to_string();
            assert!(problem.contains(words) && problem.starts_with("the claim: "), "{text}: {problem}");
        }
    }
}
