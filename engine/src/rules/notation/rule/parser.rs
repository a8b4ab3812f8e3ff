//! From the tokens to the tree: clauses and what they bind. `formula.rs` reads conditions.

use std::ops::Range as Span;

use super::error::RuleError;
use super::lexer::{Token, tokens};
use super::never::never;
use super::range::Ranges;
use super::tree::{Clause, Condition, Moved, Rule};
use super::{Constants, MOST_QUANTIFIERS, SLOTS};

/// Words that cannot be names.
pub(super) const RESERVED: [&str; 45] = [
    "take",
    "split",
    "from",
    "into",
    "the",
    "rest",
    "where",
    "positions",
    "or",
    "and",
    "not",
    "some",
    "every",
    "in",
    "divides",
    "is",
    "are",
    "stay",
    "changes",
    "heap",
    "heaps",
    "new",
    "other",
    "min",
    "max",
    "count",
    "sum",
    "xor",
    "gcd",
    "even",
    "odd",
    "power",
    "of",
    "different",
    "mod",
    "one",
    "two",
    "three",
    "four",
    "all",
    "any",
    "true",
    "false",
    "add",
    "put",
];

pub(super) type Result<T> = std::result::Result<T, RuleError>;

/// The words of heap numbers.
const NUMBERS: [&str; 4] = ["one", "two", "three", "four"];

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Span<usize>)>,
    at: usize,
    pub(super) constants: &'a Constants,
    /// The names that are bound here, by slot.
    pub(super) names: Vec<String>,
    /// Where conditions stand now.
    pub(super) ranges: Ranges,
    /// Whether the heap moved in has one size after the move.
    pub(super) has_new_heap: bool,
    pub(super) depth: usize,
    pub(super) quantifiers: usize,
    /// Whether the text is a claim: only what addition can say is read.
    pub(super) is_claim: bool,
}

/// The rule that `text` says.
pub(super) fn parse(text: &str, constants: &Constants) -> Result<Rule> {
    Parser::new(text, tokens(text)?, constants).rule()
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, tokens: Vec<(Token, Span<usize>)>, constants: &'a Constants) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            constants,
            names: Vec::new(),
            ranges: Ranges::Move,
            has_new_heap: false,
            depth: 0,
            quantifiers: 0,
            is_claim: false,
        }
    }

    fn rule(&mut self) -> Result<Rule> {
        let mut clauses = Vec::new();
        let mut places = Vec::new();
        loop {
            let start = self.span().start;
            clauses.push(self.clause()?);
            places.push(start..self.last_end());
            if !self.word("or") {
                break;
            }
        }
        let comma = self.sign(",");
        let mut positions = None;
        if self.word("positions") {
            self.expect("where", "write `positions where` and what is true of every position")?;
            // The heaps of `some` and `every` come after all names of a clause, since moves are asked as well.
            self.names = vec![String::new(); SLOTS - MOST_QUANTIFIERS];
            self.ranges = Ranges::Position;
            positions = Some(self.whole_condition()?);
        } else if comma {
            return Err(
                self.unexpected("after a comma comes `split the rest into a, b` or `positions where ...`")
            );
        }
        if *self.peek() != Token::End {
            let remedy = match self.peek() {
                Token::Word(word) if word == "where" => {
                    "a clause has one `where`; join conditions with `and`"
                }
                _ => "a rule is clauses joined by `or`, each `take s from one heap where ...`",
            };
            return Err(self.unexpected(remedy));
        }
        if clauses.iter().all(never) {
            let place = places.swap_remove(0);
            return Err(self.error(
                place,
                "no move is ever legal: this cannot be true".into(),
                "what is taken is at least 1 and at most what the heap has; change the condition",
            ));
        }
        Ok(Rule { clauses, positions })
    }

    fn clause(&mut self) -> Result<Clause> {
        self.names.clear();
        self.ranges = Ranges::Move;
        let (mut taken, mut parts) = (Vec::new(), Vec::new());
        let mut moved = Moved::one();
        if self.word("split") {
            if !(self.word("a") || self.word("one")) || !self.word("heap") {
                return Err(self.unexpected("write `split a heap into a, b`"));
            }
            parts = self.parts()?;
        } else if self.word("take") {
            taken = self.names("take s from one heap")?;
            let place = self.span();
            self.expect("from", "write `take s from one heap`")?;
            moved = self.moved()?;
            let right = if taken.len() == 1 {
                !moved.numbers.is_empty() || moved.any || moved.all
            } else {
                moved == (Moved { numbers: vec![taken.len()], any: false, all: false })
            };
            if !right {
                let message = format!("{} numbers are taken, one from each heap", taken.len());
                let remedy = match NUMBERS.get(taken.len() - 1) {
                    Some(word) => format!("write `from {word} heaps`"),
                    None => "a move takes from four heaps with four names at most".into(),
                };
                return Err(self.error(place, message, &remedy));
            }
            if *self.peek() == Token::Sign(",") && self.peek_word(1) == Some("split") {
                let place = self.span();
                self.at += 2;
                self.expect("the", "write `split the rest into a, b`")?;
                self.expect("rest", "write `split the rest into a, b`")?;
                if !moved.is_one() {
                    let message = "several heaps are moved in, and none of them is the one to split".into();
                    return Err(self.error(
                        place,
                        message,
                        "only `take s from one heap` can be followed by a split",
                    ));
                }
                parts = self.parts()?;
            }
        } else if self.peek_word(0).is_some_and(|word| word == "add" || word == "put") {
            return Err(self.unexpected("moves only take counters or split heaps, so that every game ends"));
        } else {
            return Err(
                self.unexpected("a clause begins with `take s from one heap` or `split a heap into a, b`")
            );
        }
        self.has_new_heap = parts.is_empty();
        let condition = if self.word("where") { self.whole_condition()? } else { Condition::ALWAYS };
        Ok(Clause { taken, moved, parts, condition })
    }

    /// `s`, `s and t` or `a, b, c`: new names, which are bound from here on.
    fn names(&mut self, example: &str) -> Result<Vec<String>> {
        const MOST: usize = 4;
        let mut names = Vec::new();
        loop {
            let place = self.span();
            if let Token::Number(number) = self.peek() {
                let remedy = format!("give the number a name: `{example} where s = {number}`");
                return Err(self.unexpected(&remedy));
            }
            let name = self.name(&format!("write `{example}`, with a name such as s for each number"))?;
            if names.len() == MOST {
                return Err(self.error(
                    place,
                    "this is one name too many".into(),
                    "at most four are possible",
                ));
            }
            self.names.push(name.clone());
            names.push(name);
            let more = *self.peek() == Token::Sign(",")
                && self.peek_word(1).is_some_and(|word| !RESERVED.contains(&word));
            if more {
                self.at += 1;
            } else if !self.word("and") {
                return Ok(names);
            }
        }
    }

    /// A new name.
    pub(super) fn name(&mut self, remedy: &str) -> Result<String> {
        let place = self.span();
        match self.peek().clone() {
            Token::Word(name) if RESERVED.contains(&name.as_str()) => {
                Err(self.error(place, format!("'{name}' has a meaning of its own here"), remedy))
            }
            Token::Word(name) if self.names.contains(&name) || self.constants.contains_key(&name) => Err(
                self.error(place, format!("'{name}' is the name of something else"), "choose another name"),
            ),
            Token::Word(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(remedy)),
        }
    }

    fn parts(&mut self) -> Result<Vec<String>> {
        const EXAMPLE: &str = "split a heap into a, b";
        self.expect("into", "write `into a, b`: a name for each part")?;
        let place = self.span();
        let parts = self.names(EXAMPLE)?;
        if parts.len() < 2 {
            return Err(self.error(
                place,
                "a heap is split into at least two parts".into(),
                "write `into a, b`",
            ));
        }
        Ok(parts)
    }

    /// `one heap`, `one or two heaps`, `any heaps`, `one or all heaps`.
    fn moved(&mut self) -> Result<Moved> {
        const REMEDY: &str =
            "write `one heap`, `two heaps`, `one or two heaps`, `one or all heaps` or `any heaps`";
        let place = self.span();
        let mut moved = Moved { numbers: Vec::new(), any: false, all: false };
        loop {
            match self.peek_word(0) {
                Some("a") => moved.numbers.push(1),
                Some("any") => moved.any = true,
                Some("all") => moved.all = true,
                Some(word) => match NUMBERS.iter().position(|number| *number == word) {
                    Some(before) => moved.numbers.push(before + 1),
                    None => return Err(self.unexpected(REMEDY)),
                },
                None => return Err(self.unexpected(REMEDY)),
            }
            self.at += 1;
            if !self.word("or") && !self.sign(",") {
                break;
            }
        }
        moved.numbers.sort_unstable();
        moved.numbers.dedup();
        if moved.any && *self.peek() == Token::Word("heap".into()) {
            let span = place.start..self.span().end;
            let message = "'any heap' may mean one heap or several".into();
            return Err(self.error(span, message, "write `one heap`, or `any heaps` for any number of them"));
        }
        if !self.word("heap") && !self.word("heaps") {
            return Err(self.unexpected(REMEDY));
        }
        Ok(moved)
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].0
    }

    /// The word that comes after `ahead` tokens.
    pub(super) fn peek_word(&self, ahead: usize) -> Option<&str> {
        match self.tokens.get(self.at + ahead) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    /// Whether the sign comes after `ahead` tokens.
    pub(super) fn peek_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.tokens.get(self.at + ahead), Some((Token::Sign(found), _)) if *found == sign)
    }

    pub(super) fn next(&mut self) {
        self.at += 1;
    }

    /// Which token comes next, to return to it.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, position: usize) {
        self.at = position;
    }

    /// The place of the next token.
    pub(super) fn span(&self) -> Span<usize> {
        self.tokens[self.at.min(self.tokens.len() - 1)].1.clone()
    }

    /// Where the last token ended.
    pub(super) fn last_end(&self) -> usize {
        self.tokens[self.at.clamp(1, self.tokens.len()) - 1].1.end
    }

    /// Takes the word if it comes next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.peek_word(0) == Some(word);
        self.at += usize::from(found);
        found
    }

    /// Takes the sign if it comes next.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let found = self.peek_sign(0, sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, word: &str, remedy: &str) -> Result<()> {
        if self.word(word) { Ok(()) } else { Err(self.unexpected(remedy)) }
    }

    /// The error that the next token is not what should come.
    pub(super) fn unexpected(&self, remedy: &str) -> RuleError {
        let next = match self.peek() {
            Token::End if self.is_claim => "the end of the claim".into(),
            token => token.name(),
        };
        self.error(self.span(), format!("{next} cannot come here"), remedy)
    }

    pub(super) fn error(&self, span: Span<usize>, message: String, remedy: &str) -> RuleError {
        RuleError { what: "rule", text: self.text.to_string(), span, message, remedy: remedy.into() }
    }
}
