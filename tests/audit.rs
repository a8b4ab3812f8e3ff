//! The audit as a whole: nothing differs from what `data/claims` records.

use nimwave::claims::{self, Effort};

#[test]
fn the_audit_finds_what_the_data_files_record() {
    let claims = claims::select(&[]).unwrap();
    let audit = claims::run(&claims, &Effort::default(), &|_| {});
    let surprises: Vec<String> = audit
        .surprises()
        .map(|outcome| format!("{}: {}", outcome.claim.id, outcome.surprise.as_deref().unwrap_or_default()))
        .collect();
    assert!(surprises.is_empty(), "{}\n{}", claims::table(&audit), surprises.join("\n"));
}
