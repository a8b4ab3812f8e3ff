//! The theorem for Walnut: its automata as Walnut reads them, and the equation of docs/PROOFS.md as a formula to type.

use std::fmt::Write;

use super::formula::{Formula, Sum, Variable};
use super::{DecidedTheorem, Dfa, Numeration};
use crate::base::{Error, Result};

/// What Walnut needs: a file of each automaton in its `Automata Library`, and one in its `Command Files`.
pub struct ForWalnut {
    /// Names without `.txt`, and texts, of the automata of the values 0, 1, 2, ...
    pub automata: Vec<(String, String)>,
    /// Commands that decide each equation; Walnut prints TRUE or FALSE.
    pub commands: String,
}

impl DecidedTheorem {
    /// The theorem for Walnut, under a name of letters and digits.
    pub fn for_walnut(&self, name: &str) -> Result<ForWalnut> {
        if self.game.multiples.is_some() {
            let why = "moves by multiples of a heap are not a formula of addition that Walnut could read";
            return Err(Error::Usage(why.into()));
        }
        let heaps = self.heaps();
        let names: Vec<String> = (0..self.sets.len()).map(|value| format!("{name}_g{value}")).collect();
        let system = number_system(self.numeration());
        let all: Vec<Variable> = (0..heaps as Variable).collect();
        let mut commands = String::new();
        // The powers of the base are a set that Walnut does not have by itself.
        let _ = writeln!(commands, "reg {name}_power {system} \"0*10*\":");
        for (value, own) in names.iter().enumerate() {
            let mut parts = vec![text(&self.game.formula, name)?];
            parts.extend(names[..value].iter().map(|smaller| format!("~{}", member(smaller, &all))));
            let mut movable = Vec::new();
            for kind in &self.game.moves {
                let relation = text(&kind.formula, name)?;
                let new: Vec<String> =
                    (heaps..kind.relation.tracks).map(|track| variable_name(track as Variable)).collect();
                let after: Vec<Variable> = kind.after.iter().map(|&track| track as Variable).collect();
                let into = member(own, &after);
                parts.push(format!("~(E{} ({relation} & {into}))", new.join(",")));
                movable.push(format!("(E{} {relation})", new.join(",")));
            }
            if self.game.won_at_once.is_some() {
                parts.push(format!("({})", movable.join(" | ")));
            }
            let variables: Vec<String> = all.iter().map(|&variable| variable_name(variable)).collect();
            let _ = writeln!(
                commands,
                "eval {own}_check \"?{system} A{} ({} <=> ({}))\":",
                variables.join(","),
                member(own, &all),
                parts.join(" & ")
            );
        }
        let automata = names.into_iter().zip(&self.sets).map(|(name, set)| (name, automaton(set))).collect();
        Ok(ForWalnut { automata, commands })
    }
}

fn variable_name(variable: Variable) -> String {
    format!("x{variable}")
}

/// A formula; numbers are natural in Walnut, so that nothing is subtracted.
fn text(formula: &Formula, name: &str) -> Result<String> {
    let joined = |parts: &[Formula], sign: &str, none: &str| -> Result<String> {
        let texts: Vec<String> = parts.iter().map(|part| text(part, name)).collect::<Result<_>>()?;
        Ok(if texts.is_empty() { none.to_string() } else { format!("({})", texts.join(sign)) })
    };
    Ok(match formula {
        Formula::Constant(value) => (if *value { "(0=0)" } else { "(0=1)" }).into(),
        Formula::Zero(sum) => {
            let (more, less) = sides(sum);
            format!("({more}={less})")
        }
        Formula::AtMostZero(sum) => {
            let (more, less) = sides(sum);
            format!("({more}<={less})")
        }
        Formula::Divisible(sum, modulus) => {
            let (more, less) = sides(sum);
            format!("(Ek ({more}={less}+{modulus}*k | {less}={more}+{modulus}*k))")
        }
        Formula::Power(variable) => format!("${name}_power({})", variable_name(*variable)),
        Formula::Not(inner) => format!("(~{})", text(inner, name)?),
        Formula::And(parts) => joined(parts, " & ", "(0=0)")?,
        Formula::Or(parts) => joined(parts, " | ", "(0=1)")?,
        Formula::Same(pair) => joined(&pair[..], " <=> ", "(0=0)")?,
        Formula::Exists(variable, inner) => {
            format!("(E{} {})", variable_name(*variable), text(inner, name)?)
        }
        Formula::In(..) | Formula::LargestPower(..) => {
            return Err(Error::Usage(
                "the moves of this game are not a formula of addition alone, and are not written for Walnut"
                    .into(),
            ));
        }
    })
}

/// The terms with positive factors, and the others without their sign.
fn sides(sum: &Sum) -> (String, String) {
    let side = |sign: i64| {
        let mut terms: Vec<String> = Vec::new();
        for &(factor, variable) in sum.terms.iter().filter(|(factor, _)| factor.signum() == sign) {
            terms.push(match factor.abs() {
                1 => variable_name(variable),
                factor => format!("{factor}*{}", variable_name(variable)),
            });
        }
        if sum.constant.signum() == sign || terms.is_empty() {
            let constant = if sum.constant.signum() == sign { sum.constant.abs() } else { 0 };
            terms.push(constant.to_string());
        }
        terms.join("+")
    };
    (side(1), side(-1))
}

fn number_system(numeration: Numeration) -> String {
    match numeration {
        Numeration::Base(base) => format!("msd_{base}"),
        Numeration::Zeckendorf => "msd_fib".into(),
    }
}

fn member(set: &str, variables: &[Variable]) -> String {
    let variables: Vec<String> = variables.iter().map(|&variable| variable_name(variable)).collect();
    format!("${set}({})", variables.join(","))
}

/// The number system of each track; then each state with 1 if it accepts, and where each tuple of digits leads.
fn automaton(dfa: &Dfa) -> String {
    let digits = dfa.numeration.digits();
    let live = dfa.live();
    let mut text = vec![number_system(dfa.numeration); dfa.tracks].join(" ") + "\n";
    // Walnut wants the states numbered without gaps.
    let kept: Vec<u32> =
        (0..dfa.states() as u32).filter(|&state| live[state as usize] || state == dfa.start).collect();
    for (number, &state) in kept.iter().enumerate() {
        let _ = writeln!(text, "\n{number} {}", u8::from(dfa.accepting[state as usize]));
        for (letter, &to) in dfa.row(state).iter().enumerate() {
            if let Some(to) = kept.iter().position(|&known| known == to && live[to as usize]) {
                let digit = |track: usize| (letter / digits.pow(track as u32) % digits).to_string();
                let tuple: Vec<String> = (0..dfa.tracks).map(digit).collect();
                let _ = writeln!(text, "{} -> {to}", tuple.join(" "));
            }
        }
    }
    text
}
