//! Chapter 1: the theory of combinatorial games, tested on small games from the definitions alone.

use super::naive::{
    Game, Tree, equal, forms_by_day_2, game, le, left_wins_first, negative, number, plus, right_wins_first,
    show, some_forms_by_day_3, values_by_day_2,
};
use crate::claims::mathematics::octal::octal_values;
use crate::claims::{Check, Counterexample, Effort, Finding};

const DAY_2: &str = "all 256 forms with options born by day 1";
const DAY_3: &str = "forms with at most two options a side among the 22 values born by day 2";

pub(super) const CHECKS: &[Check] = &[
    ("ottaway-1.3.1", |_| {
        search(&forms_by_day_2(), DAY_2, |g| {
            g.right.iter().any(|r| le(r, g)) || g.left.iter().any(|l| le(g, l)) || !equal(g, g)
        })
    }),
    ("ottaway-1.4.1", outcome_classes),
    ("ottaway-table-1.1", outcome_classes),
    ("ottaway-1.5.1", |_| {
        search(&forms_by_day_2(), DAY_2, |g| {
            let difference = plus(g, &negative(g));
            left_wins_first(&difference) || right_wins_first(&difference)
        })
    }),
    ("ottaway-1.5.2", |_| {
        let forms = forms_by_day_2();
        let mut found = None;
        for g in &forms {
            for h in forms.iter().step_by(3) {
                let difference = plus(g, &negative(h));
                let played = (!right_wins_first(&difference), !left_wins_first(&difference));
                if played != (le(h, g), le(g, h)) && found.is_none() {
                    found = Some(Counterexample::new(
                        format!("{} and {}", show(g), show(h)),
                        "the comparison and the outcome of the difference disagree",
                    ));
                }
            }
        }
        Finding::from_search(found, "all 256 forms by day 2 against every third of them")
    }),
    ("ottaway-1.6.1", |_| {
        search(&some_forms_by_day_3(), DAY_3, |g| {
            let left = keep(&g.left, le);
            let right = keep(&g.right, |option, other| le(other, option));
            (left.len() < g.left.len() || right.len() < g.right.len()) && !equal(g, &game(&left, &right))
        })
    }),
    ("ottaway-1.6.2", |_| {
        search(&some_forms_by_day_3(), DAY_3, |g| {
            g.left.iter().enumerate().any(|(i, option)| {
                option.right.iter().filter(|response| le(response, g)).any(|response| {
                    let mut left = g.left.clone();
                    left.remove(i);
                    left.extend(response.left.iter().cloned());
                    !equal(g, &game(&left, &g.right))
                })
            })
        })
    }),
    ("ottaway-1.6.3", unique_form),
    ("ottaway-1.7.1", simplicity),
    ("ottaway-1.8.1", number_avoidance),
    ("ottaway-1.8.2", |_| {
        switches(|x, y, z| {
            let switch = game(&[fraction(x)], &[fraction(y)]);
            let (below, above) = (le(&switch, &fraction(z)), le(&fraction(z), &switch));
            (below, above) == (z > x, z < y)
        })
    }),
    ("ottaway-1.8.3", |_| {
        switches(|x, y, z| {
            let sum = plus(&game(&[fraction(x)], &[fraction(y)]), &fraction(z));
            equal(&sum, &game(&[fraction(x + z)], &[fraction(y + z)]))
        })
    }),
    ("ottaway-1.8.4", |_| {
        pairs(|x, y| {
            // In quarters the half sum and the half difference are whole eighths.
            let eighths = |n: i64| number(n, 3);
            let centred = plus(&eighths(x + y), &game(&[eighths(x - y)], &[eighths(y - x)]));
            equal(&game(&[fraction(x)], &[fraction(y)]), &centred)
        })
    }),
    ("ottaway-1.10.1", |_| {
        let nimbers = nimbers(5);
        let mut found = None;
        for set in 0..32usize {
            let options: Vec<Game> =
                (0..5).filter(|i| set >> i & 1 == 1).map(|i| nimbers[i].clone()).collect();
            let mex = set.trailing_ones() as usize;
            if !equal(&game(&options, &options), &nimbers[mex]) && found.is_none() {
                found = Some(Counterexample::new(format!("nimbers {set:05b}"), "the value is not the mex"));
            }
        }
        Finding::from_search(found, "all sets of nimbers *0 to *4")
    }),
    ("ottaway-1.10.2", nim),
    ("ottaway-1.11.1", octal_period),
    ("ottaway-table-1.2", |_| {
        let values = octal_values("0.337", 500);
        let wrong = (0..values.len()).find(|&n| values[n] as usize != n % 4);
        let found = wrong.map(|n| Counterexample::new(format!("n = {n}"), format!("G = {}", values[n])));
        match found {
            None => Finding::proved("n up to 499, far past 2i + 2p + t = 11, so for all n (Theorem 1.11.1)"),
            found => Finding::from_search(found, "n up to 499"),
        }
    }),
];

/// The first form for which `bad` holds.
fn search(forms: &[Game], bound: &str, bad: impl Fn(&Game) -> bool) -> Finding {
    let found =
        forms.iter().find(|form| bad(form)).map(|form| Counterexample::new(show(form), "it does not"));
    Finding::from_search(found, bound)
}

fn outcome_classes(_: &Effort) -> Finding {
    let zero = game(&[], &[]);
    search(&forms_by_day_2(), DAY_2, |g| {
        let played = (!right_wins_first(g), !left_wins_first(g));
        played != (le(&zero, g), le(g, &zero))
    })
}

/// The options that no other one beats; of equal ones the first stays.
fn keep(options: &[Game], beaten: impl Fn(&Tree, &Tree) -> bool) -> Vec<Game> {
    let stays = |i: usize| {
        !(0..options.len()).any(|j| {
            j != i && beaten(&options[i], &options[j]) && (j < i || !beaten(&options[j], &options[i]))
        })
    };
    (0..options.len()).filter(|&i| stays(i)).map(|i| options[i].clone()).collect()
}

fn unique_form(_: &Effort) -> Finding {
    let reversible = |g: &Game| {
        g.left.iter().any(|l| l.right.iter().any(|response| le(response, g)))
            || g.right.iter().any(|r| r.left.iter().any(|response| le(g, response)))
    };
    let dominated = |g: &Game| {
        keep(&g.left, le).len() < g.left.len() || keep(&g.right, |a, b| le(b, a)).len() < g.right.len()
    };
    // The values by day 2 are themselves the forms with the fewest options, so each option has one form.
    let simplest: Vec<Game> =
        some_forms_by_day_3().into_iter().filter(|g| !dominated(g) && !reversible(g)).collect();
    let mut found = None;
    for (i, g) in simplest.iter().enumerate() {
        if let Some(h) = simplest[..i].iter().find(|h| equal(g, h)) {
            found = Some(Counterexample::new(format!("{} and {}", show(g), show(h)), "they are equal"));
            break;
        }
    }
    Finding::from_search(found, format!("{} pairwise different reduced forms of day 3", simplest.len()))
}

fn simplicity(_: &Effort) -> Finding {
    // Numbers in the order of their birthdays, up to day 5.
    let mut numbers: Vec<(u32, Game)> = Vec::new();
    for sixteenths in -80..=80i64 {
        let exponent = 4 - sixteenths.trailing_zeros().min(4);
        let value = number(sixteenths, 4);
        let whole = (sixteenths.abs() / 16) as u32 + u32::from(sixteenths % 16 != 0);
        numbers.push((if exponent == 0 { whole } else { whole + exponent }, value));
    }
    numbers.retain(|number| number.0 <= 5);
    numbers.sort_by_key(|number| number.0);
    search(&some_forms_by_day_3(), "the same forms, numbers born by day 5", |g| {
        let fits = |x: &Game| !g.left.iter().any(|l| le(x, l)) && !g.right.iter().any(|r| le(r, x));
        numbers.iter().find(|number| fits(&number.1)).is_some_and(|simplest| !equal(g, &simplest.1))
    })
}

fn number_avoidance(_: &Effort) -> Finding {
    let is_number = |g: &Game| (-16..=16).any(|eighths| equal(g, &number(eighths, 3)));
    let games: Vec<Game> = values_by_day_2().into_iter().filter(|g| !is_number(g)).collect();
    let mut found = None;
    for g in &games {
        for x in (-12..=12).map(|quarters| number(quarters, 2)) {
            let zero = game(&[], &[]);
            let wins_in_game = g.left.iter().any(|l| le(&zero, &plus(l, &x)));
            if left_wins_first(&plus(g, &x)) && !wins_in_game && found.is_none() {
                found = Some(Counterexample::new(
                    format!("{} + {}", show(g), show(&x)),
                    "only the move in the number wins",
                ));
            }
        }
    }
    Finding::from_search(found, "the values by day 2 that are no numbers, with all quarters from -3 to 3")
}

/// A number of quarters.
fn fraction(quarters: i64) -> Game {
    number(quarters, 2)
}

/// Tests a statement about switches {x|y} for quarters from -2 to 2.
fn pairs(good: impl Fn(i64, i64) -> bool) -> Finding {
    let mut all = (-8..=8i64).flat_map(|x| (-8..=x).map(move |y| (x, y)));
    let wrong = all.find(|&(x, y)| !good(x, y));
    let found = wrong.map(|(x, y)| Counterexample::new(format!("x = {x}/4, y = {y}/4"), "it does not hold"));
    Finding::from_search(found, "x >= y from -2 to 2 in quarters")
}

/// Tests a statement about switches {x|y} and a number z for quarters from -2 to 2.
fn switches(good: impl Fn(i64, i64, i64) -> bool) -> Finding {
    let mut found = None;
    for x in -8..=8i64 {
        for y in -8..=x {
            for z in (-9..=9).step_by(2) {
                if found.is_none() && !good(x, y, z) {
                    let shown = format!("x = {x}/4, y = {y}/4, z = {z}/4");
                    found = Some(Counterexample::new(shown, "it does not hold"));
                }
            }
        }
    }
    Finding::from_search(found, "x >= y from -2 to 2 in quarters, z from -9/4 to 9/4")
}

fn nimbers(count: usize) -> Vec<Game> {
    let mut nimbers: Vec<Game> = Vec::new();
    for _ in 0..=count {
        nimbers.push(game(&nimbers, &nimbers));
    }
    nimbers
}

fn nim(effort: &Effort) -> Finding {
    let most = effort.bound(15usize, 31);
    let side = most + 1;
    // p[a][b][c]: whether the heaps a, b, c are a P-position, by playing.
    let mut p = vec![false; side * side * side];
    let at = |a: usize, b: usize, c: usize| (a * side + b) * side + c;
    let mut found = None;
    for a in 0..side {
        for b in 0..side {
            for c in 0..side {
                let next = (0..a).any(|x| p[at(x, b, c)])
                    || (0..b).any(|x| p[at(a, x, c)])
                    || (0..c).any(|x| p[at(a, b, x)]);
                p[at(a, b, c)] = !next;
                if next != (a ^ b ^ c != 0) && found.is_none() {
                    found =
                        Some(Counterexample::new(format!("[{a},{b},{c}]"), "the nim-sum tells otherwise"));
                }
            }
        }
    }
    Finding::from_search(found, format!("3 heaps up to {most}"))
}

/// Every period that satisfies the theorem's check is followed far beyond it.
fn octal_period(effort: &Effort) -> Finding {
    let length = effort.bound(600usize, 2500);
    let mut found = None;
    let mut periods = 0;
    for code in 0..8 * 8 * 8usize {
        let digits = [0, code / 64, code / 8 % 8, code % 8];
        let t = (1..=3).rev().find(|&i| digits[i] != 0).unwrap_or(0);
        let values = match code {
            // Without a move every value is 0.
            0 => vec![0; length],
            _ => octal_values(&format!("0.{}{}{}", digits[1], digits[2], digits[3]), length),
        };
        for p in 1..=40usize {
            // The last irregular value is the last n < i + 1 that breaks the period, seen up to 2i + 2p + t.
            for i in 0..60usize {
                let last = 2 * i + 2 * p + t;
                let regular = |n: usize| values[n + p] == values[n];
                if last >= length / 3 || !(i + 1..=last - p).all(regular) {
                    continue;
                }
                periods += 1;
                if let Some(n) = (i + 1..length - p).find(|&n| !regular(n)) {
                    let name = format!("0.{}{}{}, i = {i}, p = {p}", digits[1], digits[2], digits[3]);
                    found.get_or_insert(Counterexample::new(
                        name,
                        format!("G({n}) differs from G({})", n + p),
                    ));
                }
                break;
            }
        }
    }
    Finding::from_search(
        found,
        format!(
            "all 512 octal codes of three digits, {periods} periods p <= 40 with i < 60, n up to {length}"
        ),
    )
}
