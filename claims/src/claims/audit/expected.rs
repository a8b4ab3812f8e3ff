//! What every claim says and what we expect of it: `data/claims/*.tsv`.
//!
//! A line is `id, verdict, counterexample, corrected, source, statement`, with tabs between the fields and
//! `-` for an empty one. The verdict is `holds` (which a proof satisfies too), `fails` or `unchecked`; `corrected` is `yes` where the
//! audit states a corrected claim that passes its own test.

use super::finding::{Finding, Verdict};

const FILES: [&str; 6] = [
    include_str!("../../../../data/claims/mullen.tsv"),
    include_str!("../../../../data/claims/mullen-graphs.tsv"),
    include_str!("../../../../data/claims/minnie.tsv"),
    include_str!("../../../../data/claims/ottaway.tsv"),
    include_str!("../../../../data/claims/nim-on-graphs.tsv"),
    include_str!("../../../../data/claims/slides.tsv"),
];

/// What the data file says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// It is true as far as anyone knows.
    Holds,
    /// It is false as printed.
    Fails {
        /// The smallest counterexample.
        counterexample: &'static str,
        /// Whether we know a corrected statement.
        corrected: bool,
    },
    /// No computation of ours decides it.
    Unchecked,
}

impl Expected {
    /// What is different from the expectation, or `None`. A claim that nobody had time for is not a surprise.
    pub fn surprise(self, finding: &Finding) -> Option<String> {
        match (self, finding.verdict) {
            (_, Verdict::Unchecked) | (Self::Holds, Verdict::Proved | Verdict::Holds) => None,
            (Self::Holds | Self::Unchecked, Verdict::Fails) => {
                let position = finding.counterexample.as_ref().map_or("", |c| &c.position);
                Some(format!("should hold, but fails at {position}"))
            }
            (Self::Unchecked, verdict) => {
                Some(format!("was not expected to be decided, but the verdict is {}", verdict.word()))
            }
            (Self::Fails { counterexample, .. }, Verdict::Proved | Verdict::Holds) => {
                Some(format!("was known to fail at {counterexample}, but no counterexample was found"))
            }
            (Self::Fails { counterexample, corrected }, Verdict::Fails) => {
                let position = finding.counterexample.as_ref().map_or("", |c| &c.position);
                if position != counterexample {
                    Some(format!("was known to fail at {counterexample}, but fails at {position}"))
                } else if corrected != finding.corrected.is_some() {
                    Some("the corrected statement passes or fails its test otherwise than recorded".into())
                } else {
                    None
                }
            }
        }
    }
}

/// The data file's line for the claim `id`.
pub fn expected(id: &str) -> Option<Expected> {
    lines().find(|fields| fields[0] == id).and_then(|[_, verdict, counterexample, corrected, ..]| {
        match verdict {
            "holds" => Some(Expected::Holds),
            "fails" => Some(Expected::Fails { counterexample, corrected: corrected == "yes" }),
            "unchecked" => Some(Expected::Unchecked),
            _ => None,
        }
    })
}

/// Where the claim `id` stands, and what it says.
pub(in crate::claims) fn printed(id: &str) -> [&'static str; 2] {
    lines().find(|fields| fields[0] == id).map_or(["", ""], |[.., source, statement]| [source, statement])
}

/// The ids of all lines.
#[cfg(test)]
pub(in crate::claims) fn ids() -> impl Iterator<Item = &'static str> {
    lines().map(|[id, ..]| id)
}

fn lines() -> impl Iterator<Item = [&'static str; 6]> {
    FILES.iter().flat_map(|file| file.lines()).filter(|line| !line.is_empty() && !line.starts_with('#')).map(
        |line| {
            let mut fields = line.split('\t');
            [(); 6].map(|()| fields.next().unwrap_or("-"))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_can_be_read() {
        for [id, verdict, counterexample, corrected, ..] in lines() {
            assert!(expected(id).is_some(), "{id}: verdict {verdict}");
            assert_eq!(verdict == "fails", counterexample != "-", "{id}");
            assert!(corrected == "-" || (corrected == "yes" && verdict == "fails"), "{id}");
        }
    }

    #[test]
    fn every_change_is_a_surprise() {
        let fails = Expected::Fails { counterexample: "[1,2]", corrected: false };
        assert_eq!(fails.surprise(&Finding::fails("[1,2]", "", "")), None);
        assert!(fails.surprise(&Finding::fails("[1,1]", "", "")).is_some());
        assert!(fails.surprise(&Finding::fails("[1,2]", "", "").corrected("new", true)).is_some());
        assert!(fails.surprise(&Finding::holds("")).is_some());
        assert!(Expected::Holds.surprise(&Finding::fails("[1,2]", "", "")).is_some());
        assert_eq!(Expected::Holds.surprise(&Finding::proved("")), None);
        assert_eq!(Expected::Holds.surprise(&Finding::unchecked("no time")), None);
    }
}
