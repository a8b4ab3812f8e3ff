//! The audit as a whole: nothing differs from what `data/claims` records.

use nimwave::claims::{self, Effort, Expected, Verdict};

const PAGE: &str = include_str!("../../docs/AUDIT.md");

#[test]
fn the_audit_finds_what_the_data_files_record() {
    let claims = claims::select(&[]).unwrap();
    assert!(claims.len() >= 261);
    let audit = claims::run(&claims, &Effort::default(), &|_| {});
    let surprises: Vec<String> = audit
        .surprises()
        .map(|outcome| format!("{}: {}", outcome.claim.id, outcome.surprise.as_deref().unwrap_or_default()))
        .collect();
    assert!(surprises.is_empty(), "{}\n{}", claims::table(&audit), surprises.join("\n"));
    for outcome in &audit.outcomes {
        let row = claims::markdown_row(outcome);
        let remedy = "is not current; write it again with nimwave audit --markdown";
        assert!(PAGE.lines().any(|line| line == row), "docs/AUDIT.md {remedy}: it lacks\n{row}");
    }
}

#[test]
fn the_page_has_every_claim_with_the_verdict_that_the_data_files_record() {
    let rows: Vec<Vec<&str>> =
        PAGE.lines().filter(|line| line.starts_with("| `")).map(|line| line.split(" | ").collect()).collect();
    let claims = claims::select(&[]).unwrap();
    assert_eq!(rows.len(), claims.len());
    for (row, claim) in rows.iter().zip(&claims) {
        assert_eq!(row[0], format!("| `{}`", claim.id));
        let good: &[&str] = match claims::expected(claim.id) {
            Some(Expected::Holds) => &[Verdict::Proved.word(), Verdict::Holds.word()],
            Some(Expected::Fails { .. }) => &[Verdict::Fails.word()],
            _ => &[Verdict::Unchecked.word()],
        };
        assert!(good.contains(&row[2]), "{}: {}", claim.id, row[2]);
        if let Some(Expected::Fails { counterexample, .. }) = claims::expected(claim.id) {
            assert!(PAGE.contains(&format!("- Fails at **{counterexample}**")), "{}", claim.id);
        }
    }
}
