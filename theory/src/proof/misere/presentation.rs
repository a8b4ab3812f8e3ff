//! A quotient by generators and relations, as the literature prints it.

use std::collections::{BTreeSet, HashSet};

use super::monoid::{Element, IDENTITY, Monoid};

/// How often each generator occurs.
pub type Monomial = Vec<u8>;

/// Generators, normal forms and the reduced relations that lead to them.
///
/// Monomials are ordered by the exponent of the last generator, then of the one before it, and so on. The
/// normal form of an element is its least monomial; a relation rewrites a monomial that is not normal, but
/// all whose proper divisors are. So every monomial is rewritten to its normal form, in whatever order the
/// relations are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presentation {
    /// The heaps that are the generators a, b, c, …
    pub generators: Vec<usize>,
    /// The normal form of each element.
    pub normal_forms: Vec<Monomial>,
    /// The elements in the order of their normal forms.
    pub order: Vec<Element>,
    /// Left and right sides.
    pub relations: Vec<(Monomial, Monomial)>,
}

impl Presentation {
    /// The presentation of `monoid` by these heaps, whose elements must generate it.
    pub fn new(monoid: &Monoid, generators: &[usize], elements: &[Element]) -> Self {
        let count = generators.len();
        let mut normal_forms: Vec<Option<Monomial>> = vec![None; monoid.order()];
        normal_forms[IDENTITY as usize] = Some(vec![0; count]);
        let mut order = vec![IDENTITY];
        for (i, &heap) in generators.iter().enumerate() {
            // The elements without this generator, then with one more of it, until nothing is new.
            let without = order.len();
            let mut level: Vec<Element> = order.clone();
            for power in 1.. {
                for x in &mut level {
                    *x = monoid.times(*x, elements[heap]);
                }
                let before = order.len();
                for (number, &x) in level.iter().enumerate() {
                    if normal_forms[x as usize].is_some() {
                        continue;
                    }
                    let mut monomial = normal_forms[order[number] as usize].clone().unwrap_or_default();
                    monomial[i] = power;
                    normal_forms[x as usize] = Some(monomial);
                    order.push(x);
                }
                if order.len() == before {
                    break;
                }
            }
            debug_assert!(order.len() > without || monoid.order() == order.len());
        }
        let normal_forms: Vec<Monomial> = normal_forms.into_iter().map(Option::unwrap_or_default).collect();
        let relations = relations(monoid, generators, elements, &normal_forms, &order);
        Self { generators: generators.to_vec(), normal_forms, order, relations }
    }

    /// The normal form of an element.
    pub fn name(&self, x: Element) -> String {
        show(&self.normal_forms[x as usize])
    }

    /// The relations as people write them, such as "b^3=b".
    pub fn relation_names(&self) -> Vec<String> {
        self.relations.iter().map(|(left, right)| format!("{}={}", show(left), show(right))).collect()
    }
}

fn relations(
    monoid: &Monoid,
    generators: &[usize],
    elements: &[Element],
    normal_forms: &[Monomial],
    order: &[Element],
) -> Vec<(Monomial, Monomial)> {
    let normal: HashSet<&Monomial> = normal_forms.iter().collect();
    let mut left_sides: BTreeSet<(Vec<u8>, Element)> = BTreeSet::new();
    for &x in order {
        for (i, &heap) in generators.iter().enumerate() {
            let mut monomial = normal_forms[x as usize].clone();
            monomial[i] += 1;
            let divisors_are_normal = (0..monomial.len()).filter(|&j| monomial[j] > 0).all(|j| {
                let mut divisor = monomial.clone();
                divisor[j] -= 1;
                normal.contains(&divisor)
            });
            if divisors_are_normal && !normal.contains(&monomial) {
                // The last generator counts first in the order of monomials.
                monomial.reverse();
                left_sides.insert((monomial, monoid.times(x, elements[heap])));
            }
        }
    }
    let in_order = left_sides.into_iter().map(|(mut left, x)| {
        left.reverse();
        (left, normal_forms[x as usize].clone())
    });
    in_order.collect()
}

/// The name of a generator: a to z, then a1, b1, …
pub fn generator_name(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

fn show(monomial: &[u8]) -> String {
    let factor = |(number, &power): (usize, &u8)| match power {
        0 => String::new(),
        1 => generator_name(number),
        _ => format!("{}^{power}", generator_name(number)),
    };
    let text: String = monomial.iter().enumerate().map(factor).collect();
    if text.is_empty() { "1".into() } else { text }
}
