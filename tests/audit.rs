//! The audit as a whole: nothing differs from what `data/claims` records.

use nimwave::claims::{self, Effort};

#[test]
fn the_audit_finds_what_the_data_files_record() {
    // The claims of the thesis on self-referential games, of the minnie paper and of the slides; the command runs all.
    let claims = claims::select(&["mullen".into(), "minnie".into(), "slides".into()]).unwrap();
    assert!(claims.len() >= 140);
    let audit = claims::run(&claims, &Effort::default(), &|_| {});
    let surprises: Vec<String> = audit
        .surprises()
        .map(|outcome| format!("{}: {}", outcome.claim.id, outcome.surprise.as_deref().unwrap_or_default()))
        .collect();
    assert!(surprises.is_empty(), "{}\n{}", claims::table(&audit), surprises.join("\n"));
}
