//! A rule as text, in the one way that says it with the fewest words; reading it gives the same tree.

use std::fmt::{self, Display, Formatter};

use super::tree::{Clause, Comparison, Condition, Expr, Moved, Operator, Quantity, Rule, Scope, Set, Slot};

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, clause) in self.clauses.iter().enumerate() {
            write!(f, "{}{clause}", if i > 0 { " or " } else { "" })?;
        }
        match &self.positions {
            Some(condition) => {
                write!(f, ", positions where {}", Shown { it: condition, names: &Names::none(), outer: 0 })
            }
            None => Ok(()),
        }
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { taken, moved, parts, condition } = self;
        match (taken.as_slice(), parts.as_slice()) {
            ([], parts) => write!(f, "split a heap into {}", parts.join(", "))?,
            (taken, []) => write!(f, "take {} from {moved}", taken.join(" and "))?,
            (taken, parts) => {
                write!(
                    f,
                    "take {} from {moved}, split the rest into {}",
                    taken.join(" and "),
                    parts.join(", ")
                )?;
            }
        }
        if *condition == Condition::ALWAYS {
            return Ok(());
        }
        let names = Names { own: taken.iter().chain(parts).map(String::as_str).collect(), before: None };
        write!(f, " where {}", Shown { it: condition, names: &names, outer: 0 })
    }
}

impl Display for Moved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 5] = ["no", "one", "two", "three", "four"];
        let mut words: Vec<&str> = self.numbers.iter().map(|&number| WORDS[number.min(4)]).collect();
        words.extend(self.any.then_some("any"));
        words.extend(self.all.then_some("all"));
        write!(f, "{} {}", words.join(" or "), if self.is_one() { "heap" } else { "heaps" })
    }
}

/// The names that are bound, by slot; those of `some` and `every` lead back to the ones around them.
struct Names<'a> {
    own: Vec<&'a str>,
    before: Option<(&'a Names<'a>, Slot)>,
}

impl Names<'_> {
    fn none() -> Self {
        Self { own: Vec::new(), before: None }
    }

    fn name(&self, slot: Slot) -> &str {
        match self.before {
            Some((_, own)) if own == slot => self.own[0],
            Some((before, _)) => before.name(slot),
            None => self.own.get(usize::from(slot)).copied().unwrap_or("?"),
        }
    }
}

/// A number or a condition inside something that binds its parts as strongly as `outer`: what binds less gets
/// brackets.
struct Shown<'a, T> {
    it: &'a T,
    names: &'a Names<'a>,
    outer: u8,
}

impl<'a, T> Shown<'a, T> {
    fn part<U>(&self, it: &'a U, outer: u8) -> Shown<'a, U> {
        Shown { it, names: self.names, outer }
    }
}

/// How strongly things bind: `or`, `and`, `not`, comparisons, sums, products, signs.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const SIGN: u8 = 7;

fn bracketed(
    f: &mut Formatter<'_>,
    brackets: bool,
    inner: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if !brackets {
        return inner(f);
    }
    write!(f, "(")?;
    inner(f)?;
    write!(f, ")")
}

impl Display for Shown<'_, Condition> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let list = |f: &mut Formatter<'_>, all: &[Condition], word: &str, strength: u8| {
            // `some x: ...` reaches as far as it can.
            bracketed(f, self.outer >= strength, |f| {
                for (i, one) in all.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { word } else { "" }, self.part(one, strength))?;
                }
                Ok(())
            })
        };
        match self.it {
            Condition::Compare(comparison, left, right) => {
                write!(f, "{} {comparison} {}", self.part(left, 4), self.part(right, 4))
            }
            Condition::Divides(left, right) => {
                write!(f, "{} divides {}", self.part(left, 4), self.part(right, 4))
            }
            Condition::In(number, set) => write!(f, "{} in {}", self.part(number, 4), self.part(set, 4)),
            Condition::Even(number) => write!(f, "{} is even", self.part(number, 4)),
            Condition::PowerOf(number, base) => {
                write!(f, "{} is a power of {base}", self.part(number, 4))
            }
            Condition::Different(scope) => write!(f, "{scope}heaps are different"),
            Condition::Not(inner) => match &**inner {
                Condition::Even(number) => write!(f, "{} is odd", self.part(number, 4)),
                Condition::In(number, set) => {
                    write!(f, "{} not in {}", self.part(number, 4), self.part(set, 4))
                }
                // What binds as strongly as `not` needs no brackets: `not not x`.
                _ => bracketed(f, self.outer > NOT, |f| write!(f, "not {}", self.part(&**inner, NOT))),
            },
            Condition::All(all) => list(f, all, " and ", AND),
            Condition::Any(all) => list(f, all, " or ", OR),
            Condition::Some(scope, slot, name, inner) => {
                let names = Names { own: vec![name], before: Some((self.names, *slot)) };
                let inner = Shown { it: &**inner, names: &names, outer: 0 };
                bracketed(f, self.outer > 0, |f| write!(f, "some {scope}{name}: {inner}"))
            }
            Condition::Every(scope, slot, name, inner) => {
                let names = Names { own: vec![name], before: Some((self.names, *slot)) };
                let inner = Shown { it: &**inner, names: &names, outer: 0 };
                bracketed(f, self.outer > 0, |f| write!(f, "every {scope}{name}: {inner}"))
            }
        }
    }
}

impl Display for Shown<'_, Set> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.it {
            Set::Heaps(scope) => write!(f, "{scope}heaps"),
            Set::Listed(all) => {
                let words: Vec<String> = all.iter().map(|one| self.part(one, 0).to_string()).collect();
                write!(f, "{{{}}}", words.join(", "))
            }
        }
    }
}

impl Display for Shown<'_, Expr> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.it {
            Expr::Number(number) if *number < 0 => write!(f, "({number})"),
            Expr::Number(number) => write!(f, "{number}"),
            Expr::Variable(slot) => write!(f, "{}", self.names.name(*slot)),
            Expr::Heap => write!(f, "heap"),
            Expr::NewHeap => write!(f, "new heap"),
            Expr::Of(scope, quantity) => write!(f, "{scope}{quantity}"),
            Expr::Negative(inner) => {
                bracketed(f, self.outer > 4, |f| write!(f, "-{}", self.part(&**inner, SIGN)))
            }
            Expr::Absolute(inner) => write!(f, "|{}|", self.part(&**inner, 0)),
            Expr::Binary(operator, left, right) => {
                let (strength, sign) = match operator {
                    Operator::Add => (SUM, "+"),
                    Operator::Subtract => (SUM, "-"),
                    Operator::Multiply => (PRODUCT, "*"),
                    Operator::Divide => (PRODUCT, "/"),
                    Operator::Remainder => (PRODUCT, "%"),
                };
                // From left to right: the right side needs brackets where it binds as strongly.
                bracketed(f, self.outer > strength, |f| {
                    let (left, right) = (self.part(&**left, strength), self.part(&**right, strength + 1));
                    write!(f, "{left} {sign} {right}")
                })
            }
            Expr::Call(quantity, all) => {
                let words: Vec<String> = all.iter().map(|one| self.part(one, 0).to_string()).collect();
                write!(f, "{quantity}({})", words.join(", "))
            }
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        })
    }
}

/// With a space after it, where there is a word for it.
impl Display for Scope {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "",
            Self::New => "new ",
            Self::Other => "other ",
        })
    }
}

impl Display for Quantity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Xor => "xor",
            Self::Gcd => "gcd",
        })
    }
}
