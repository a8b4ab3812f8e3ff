//! The result of a job in one sentence: what somebody wants to know in the morning.

use serde_json::Value;

use super::html::grouped;
use crate::base::numbers::counted;

/// What the JSON that the command printed says; `None` where it says nothing that is known here.
pub fn result(command: &[String], result: &Value) -> Option<String> {
    match command.first()?.as_str() {
        "solve" => solved(result),
        "verify" => verified(result),
        "period" => period(result),
        "probe" => probed(command.get(1).map_or("", String::as_str), result),
        "prove" => proved(result),
        "query" => asked(result),
        "count" => Some(format!("{} P-positions", in_groups(result["count"].as_str()?))),
        "audit" => audited(result),
        "scan" => Some(counted(result["graphs"].as_u64()?, "graph")),
        "survey" => surveyed(result),
        "table" => tabled(result),
        "export" | "values" => Some(format!("{} written", result["file"].as_str()?)),
        "plot" => Some(format!("{}, in {}", result["title"].as_str()?, result["file"].as_str()?)),
        "misere" => quotient(result),
        "selftest" => Some(if result["passed"].as_bool()? { "all checks passed" } else { "FAILED" }.into()),
        _ => None,
    }
}

/// A number in groups of three digits, if it has that name.
fn number(result: &Value, name: &str) -> Option<String> {
    result[name].as_u64().map(grouped)
}

/// The same of a number that may be too large for 64 bits.
fn in_groups(digits: &str) -> String {
    digits.parse::<u64>().map_or_else(|_| digits.into(), grouped)
}

fn solved(result: &Value) -> Option<String> {
    let largest = number(result, "max_value");
    if let (Some(value), Some(outcome)) = (result["value"].as_u64(), result["outcome"].as_str()) {
        return Some(format!("the full board has value {value}, {outcome}-position"));
    }
    if let Some(terms) = number(result, "terms") {
        return Some(format!("{terms} terms, largest value {}", largest?));
    }
    let positions = number(result, "positions").or_else(|| number(result, "entries"))?;
    Some(match (number(result, "p_positions"), largest) {
        (_, Some(largest)) if result["quantity"] == "values" => {
            format!("{positions} values, the largest {largest}")
        }
        (Some(p), _) => format!("{positions} outcomes, {p} P-positions without empty heaps"),
        _ => format!("{positions} entries"),
    })
}

fn verified(result: &Value) -> Option<String> {
    if let Some(failure) = result["failure"].as_str() {
        return Some(format!("FAILED: {failure}"));
    }
    let entries = number(result, "entries")?;
    Some(match result["kind"].as_str()? {
        "full" => format!("all {entries} entries are right"),
        "sample" => format!("{entries} entries taken at random are right"),
        _ => "the file is as it was written".into(),
    })
}

fn period(result: &Value) -> Option<String> {
    if let Some(rows) = result["rows"].as_array() {
        let proved = rows.iter().filter(|row| row["proved"] == true).count() as u64;
        return Some(format!("the periods of {} are proved", counted(proved, "row")));
    }
    let terms = number(result, "terms").map_or(String::new(), |terms| format!(" within {terms} terms"));
    let Some(period) = number(result, "period") else { return Some(format!("no period{terms}")) };
    let from = number(result, "preperiod")?;
    let saltus = match result["saltus"].as_u64() {
        Some(0) | None => String::new(),
        Some(saltus) => format!(" with saltus {}", grouped(saltus)),
    };
    let how = if result["proved"] == true { "proved".into() } else { format!("seen{terms}, NOT proved") };
    Some(format!("period {period}{saltus} from {from} on, {how}"))
}

fn probed(conjecture: &str, result: &Value) -> Option<String> {
    let parts = match result["runs"].as_array() {
        Some(parts) => parts.iter().collect(),
        None => vec![result],
    };
    let (mut settled, mut refuted) = (0u64, 0);
    for part in parts {
        let here = part["positions_settled"].as_u64().or_else(|| part["checked"].as_u64())?;
        settled = settled.saturating_add(here);
        refuted += part["counterexamples"].as_array()?.len() as u64;
    }
    let what = if result["checked"].is_null() { "position" } else { "board" };
    Some(match refuted {
        0 => format!("Conjecture {conjecture} holds for {}", counted(settled, what)),
        _ => format!("REFUTED: {}", counted(refuted, "counterexample")),
    })
}

fn proved(result: &Value) -> Option<String> {
    let heaps =
        result["heaps"].as_u64().map_or(String::new(), |heaps| format!(" on {}", counted(heaps, "heap")));
    if result["proved"] != true {
        return Some(format!("no theorem{heaps}"));
    }
    if let Some(classes) = number(result, "classes") {
        return Some(format!("theorem for any number of heaps: {classes} classes"));
    }
    if let Some(states) = result["states"].as_array().and_then(|sets| sets.first()).and_then(Value::as_u64) {
        return Some(format!("theorem{heaps}: an automaton of {}", counted(states, "state")));
    }
    match (number(result, "threshold"), number(result, "period")) {
        (Some(from), Some(period)) => {
            Some(format!("theorem{heaps}: gaps count modulo {period} from {from} on"))
        }
        _ => Some(format!("theorem{heaps}")),
    }
}

fn asked(result: &Value) -> Option<String> {
    let who = match result["outcome"].as_str()? {
        "P" => "P-position",
        "N" => "N-position",
        other => return Some(format!("outcome {other}")),
    };
    let value = result["value"].as_u64().or_else(|| result["nim_sum"].as_u64());
    Some(value.map_or_else(|| who.into(), |value| format!("{who}, value {}", grouped(value))))
}

fn audited(result: &Value) -> Option<String> {
    let claims = result.as_array().filter(|claims| !claims.is_empty())?;
    let count = |verdict: &str| claims.iter().filter(|claim| claim["verdict"] == verdict).count();
    let mut kinds: Vec<&str> = claims.iter().filter_map(|claim| claim["verdict"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // "1 holds", "2 hold"; "proved" stays.
    let told = |kind: &str| match (count(kind), kind.strip_suffix('s')) {
        (2.., Some(several)) => format!("{} {several}", count(kind)),
        (number, _) => format!("{number} {kind}"),
    };
    let kinds: Vec<String> = kinds.into_iter().map(told).collect();
    Some(format!("{}: {}", counted(claims.len() as u64, "claim"), kinds.join(", ")))
}

fn quotient(result: &Value) -> Option<String> {
    let order = number(result, "order")?;
    if result["proved"] != true {
        let heap = number(result, "heaps")?;
        return Some(format!("misère quotient of order {order} up to heap {heap}, no theorem"));
    }
    let (period, from) = (number(result, "period")?, number(result, "preperiod")?);
    Some(format!("theorem: misère quotient of order {order}, period {period} from {from} on"))
}

fn surveyed(result: &Value) -> Option<String> {
    let games = counted(result["games"].as_u64()?, "game");
    let counts = result["counts"].as_object()?.iter();
    let counts: Vec<String> = counts
        .filter_map(|(status, count)| {
            Some(format!("{} {}", count.as_u64().filter(|&count| count > 0)?, status.replace('_', " ")))
        })
        .collect();
    Some(format!("{games}: {}", counts.join(", ")))
}

fn tabled(result: &Value) -> Option<String> {
    let cells = counted(result["cells"].as_array()?.len() as u64, "cell");
    let (agree, differ) = (number(result, "agrees")?, number(result, "differs")?);
    let (new, open) = (number(result, "new")?, number(result, "open")?);
    Some(format!("{cells}: {agree} as printed, {differ} different, {new} new, {open} open"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_are_told_in_words() {
        let cases = [
            (
                "period",
                json!({"period": 34, "preperiod": 53, "proved": true, "saltus": 0}),
                "period 34 from 53 on, proved",
            ),
            (
                "period",
                json!({"period": null, "terms": 1_000_000, "proved": false}),
                "no period within 1,000,000 terms",
            ),
            (
                "probe",
                json!({"counterexamples": [], "positions_settled": 61_316_119_829u64}),
                "Conjecture 5.6 holds for 61,316,119,829 positions",
            ),
            (
                "probe",
                json!({"counterexamples": [[4, 6]], "positions_settled": 7}),
                "REFUTED: 1 counterexample",
            ),
            (
                "prove",
                json!({"proved": true, "classes": 121}),
                "theorem for any number of heaps: 121 classes",
            ),
            (
                "prove",
                json!({"proved": true, "heaps": 4, "states": [75], "classes": null}),
                "theorem on 4 heaps: an automaton of 75 states",
            ),
            ("prove", json!({"proved": false, "classes": null}), "no theorem"),
            (
                "verify",
                json!({"kind": "full", "entries": 39711, "failure": null}),
                "all 39,711 entries are right",
            ),
            ("verify", json!({"failure": "entry 7"}), "FAILED: entry 7"),
            ("count", json!({"count": "166480127"}), "166,480,127 P-positions"),
            ("solve", json!({"terms": 2000, "max_value": 9}), "2,000 terms, largest value 9"),
            ("query", json!({"outcome": "N", "value": 8}), "N-position, value 8"),
            (
                "audit",
                json!([{"verdict": "holds"}, {"verdict": "fails"}, {"verdict": "holds"}]),
                "3 claims: 1 fails, 2 hold",
            ),
            ("export", json!({"file": "row.txt", "format": "bfile"}), "row.txt written"),
            (
                "plot",
                json!({"file": "m.png", "title": "Kayles (0.77): values"}),
                "Kayles (0.77): values, in m.png",
            ),
            (
                "misere",
                json!({"proved": true, "order": 40, "period": 12, "preperiod": 71, "heaps": 167}),
                "theorem: misère quotient of order 40, period 12 from 71 on",
            ),
            (
                "survey",
                json!({"games": 9, "counts": {"out_of_time": 2, "proved": 7, "seen": 0}}),
                "9 games: 2 out of time, 7 proved",
            ),
        ];
        for (verb, json, words) in cases {
            assert_eq!(result(&[verb.into(), "5.6".into()], &json).as_deref(), Some(words), "{json}");
        }
    }

    #[test]
    fn a_result_that_is_not_understood_is_passed_over() {
        for verb in [
            "solve", "verify", "period", "probe", "query", "count", "audit", "scan", "survey", "table",
            "plot", "misere",
        ] {
            for strange in [json!(null), json!([]), json!(7), json!({"period": "x", "entries": -1})] {
                let words = result(&[verb.into()], &strange);
                assert!(
                    words.is_none_or(|words| words.starts_with("no ") || words.contains("holds for 0")),
                    "{verb} {strange}"
                );
            }
        }
        assert_eq!(result(&[], &json!({})), None);
    }
}
