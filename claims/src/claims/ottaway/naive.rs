//! Partizan games as bare trees, by the definitions of the thesis alone.
//!
//! The claims of chapter 1 are about these definitions, so they are tested without the canonical forms of
//! [`crate::partizan`], which rest on them.

use std::rc::Rc;

/// A game: the lists of Left's and Right's options.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub left: Vec<Game>,
    pub right: Vec<Game>,
}

/// A shared tree.
pub(super) type Game = Rc<Tree>;

pub(super) fn game(left: &[Game], right: &[Game]) -> Game {
    Rc::new(Tree { left: left.to_vec(), right: right.to_vec() })
}

/// `g <= h` by the definition: no Left option of `g` is `>= h` and no Right option of `h` is `<= g`.
pub(super) fn le(g: &Tree, h: &Tree) -> bool {
    !g.left.iter().any(|l| le(h, l)) && !h.right.iter().any(|r| le(r, g))
}

pub(super) fn equal(g: &Tree, h: &Tree) -> bool {
    le(g, h) && le(h, g)
}

pub(super) fn negative(g: &Tree) -> Game {
    let swap = |options: &[Game]| options.iter().map(|option| negative(option)).collect();
    Rc::new(Tree { left: swap(&g.right), right: swap(&g.left) })
}

pub(super) fn plus(g: &Game, h: &Game) -> Game {
    let with = |mine: &[Game], theirs: &[Game]| {
        let here = mine.iter().map(|option| plus(option, h));
        here.chain(theirs.iter().map(|option| plus(g, option))).collect()
    };
    Rc::new(Tree { left: with(&g.left, &h.left), right: with(&g.right, &h.right) })
}

/// Whether Left wins if he moves first, found by playing.
pub(super) fn left_wins_first(g: &Tree) -> bool {
    g.left.iter().any(|l| !right_wins_first(l))
}

/// Whether Right wins if she moves first, found by playing.
pub(super) fn right_wins_first(g: &Tree) -> bool {
    g.right.iter().any(|r| !left_wins_first(r))
}

/// All forms whose options are among the four games born by day 1: 256 forms, 22 values.
pub(super) fn forms_by_day_2() -> Vec<Game> {
    let zero = game(&[], &[]);
    let day_1 = [
        zero.clone(),
        game(std::slice::from_ref(&zero), &[]),
        game(&[], std::slice::from_ref(&zero)),
        game(std::slice::from_ref(&zero), std::slice::from_ref(&zero)),
    ];
    let subset = |set: usize| -> Vec<Game> {
        (0..4).filter(|i| set >> i & 1 == 1).map(|i| day_1[i].clone()).collect()
    };
    (0..16)
        .flat_map(|left| (0..16).map(move |right| (left, right)))
        .map(|(l, r)| game(&subset(l), &subset(r)))
        .collect()
}

/// One form of each value born by day 2, with the fewest options.
pub(super) fn values_by_day_2() -> Vec<Game> {
    let mut forms = forms_by_day_2();
    forms.sort_by_key(|form| form.left.len() + form.right.len());
    let mut values: Vec<Game> = Vec::new();
    for form in forms {
        if !values.iter().any(|known| equal(known, &form)) {
            values.push(form);
        }
    }
    values
}

/// All forms with at most two options per side out of the values born by day 2: part of day 3.
pub(super) fn some_forms_by_day_3() -> Vec<Game> {
    let values = values_by_day_2();
    let mut sides: Vec<Vec<Game>> = vec![Vec::new()];
    for (i, a) in values.iter().enumerate() {
        sides.push(vec![a.clone()]);
        // Every other partner is enough: the neighbours in this order are much alike.
        sides.extend(values[i + 1..].iter().step_by(2).map(|b| vec![a.clone(), b.clone()]));
    }
    sides.iter().flat_map(|left| sides.iter().map(|right| game(left, right))).collect()
}

/// The number `numerator / 2^exponent` in the form of Definition 1.7.1.
pub(super) fn number(numerator: i64, exponent: u32) -> Game {
    if exponent > 0 && numerator % 2 == 0 {
        return number(numerator / 2, exponent - 1);
    }
    match (numerator, exponent) {
        (0, 0) => game(&[], &[]),
        (n, 0) if n > 0 => game(&[number(n - 1, 0)], &[]),
        (n, 0) => game(&[], &[number(n + 1, 0)]),
        (a, k) => game(&[number(a - 1, k)], &[number(a + 1, k)]),
    }
}

/// The game in the usual notation of braces and bars.
pub(super) fn show(g: &Tree) -> String {
    let mut games = crate::partizan::Games::new();
    let side = |games: &mut crate::partizan::Games, options: &[Game]| {
        let shown: Vec<String> = options
            .iter()
            .map(|option| {
                let value = canonical(games, option);
                games.show(value)
            })
            .collect();
        shown.join(",")
    };
    format!("{{{}|{}}}", side(&mut games, &g.left), side(&mut games, &g.right))
}

fn canonical(games: &mut crate::partizan::Games, g: &Tree) -> crate::partizan::Value {
    let left: Vec<_> = g.left.iter().map(|option| canonical(games, option)).collect();
    let right: Vec<_> = g.right.iter().map(|option| canonical(games, option)).collect();
    games.game(&left, &right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_22_values_by_day_2() {
        assert_eq!(forms_by_day_2().len(), 256);
        assert_eq!(values_by_day_2().len(), 22);
    }

    #[test]
    fn halves_add_up() {
        let half = number(1, 1);
        assert!(equal(&plus(&half, &half), &number(1, 0)));
        assert!(equal(&plus(&number(3, 2), &number(1, 2)), &number(1, 0)));
    }
}
