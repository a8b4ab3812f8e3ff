//! The exclusive or that a quotient's large heaps act by.

use crate::proof::quotient::{Class, EMPTY_CLASS, Quotient};
use std::collections::HashMap;

/// An exclusive or over all heaps of a table of residues, read off the quotient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XorOfResidues {
    /// `table[h mod period]` is what a heap of `h` contributes.
    pub table: Vec<u64>,
    /// Number of bits of the contributions.
    pub bits: u32,
}

impl XorOfResidues {
    pub(super) fn of(&self, heap: u64) -> u64 {
        self.table[(heap % self.table.len() as u64) as usize]
    }

    /// The group that heaps from the threshold on generate, as an exclusive or, if it is one.
    ///
    /// The products of such letters have a least ideal, which is a group with the identity `e`; heap `h`
    /// acts there as `h * e`. If every element is its own inverse the group is an exclusive or of bits.
    pub(super) fn find(quotient: &Quotient) -> Option<Self> {
        let letters = quotient.letters();
        let large = letters.threshold()..letters.threshold() + letters.period();
        let product = large.clone().fold(EMPTY_CLASS, |class, size| quotient.add_heap(class, size));
        let mut identity = product;
        for _ in 0..quotient.classes() {
            if quotient.multiply(identity, identity) == identity {
                break;
            }
            identity = quotient.multiply(identity, product);
        }
        let mut elements = vec![EMPTY_CLASS; letters.period() as usize];
        for size in large {
            let element = quotient.add_heap(identity, size);
            if quotient.add_heap(element, size) != identity {
                return None;
            }
            elements[(size % letters.period()) as usize] = element;
        }
        // A basis from the residues 1, 2, 4, ... first: then the table is close to the residue itself.
        let mut span: HashMap<Class, u64> = HashMap::from([(identity, 0)]);
        let mut bits = 0;
        let powers = (0..).map(|i| 1usize << i).take_while(|&r| r < elements.len());
        for residue in powers.chain(0..elements.len()) {
            if !span.contains_key(&elements[residue]) {
                let extended: Vec<(Class, u64)> = span
                    .iter()
                    .map(|(&class, &mask)| (quotient.multiply(class, elements[residue]), mask | 1 << bits))
                    .collect();
                span.extend(extended);
                bits += 1;
            }
        }
        Some(Self { table: elements.iter().map(|element| span[element]).collect(), bits })
    }
}
