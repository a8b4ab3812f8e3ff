//! Verification by several ranks: each checks a share, and the verdict is that of all.

use super::link::{Link, gather};
use crate::base::{Error, Result};
use crate::table::{Reader, Verification};

/// Checks the checksums of a table: each rank those of some shards, and its share of the logical data. Damage that
/// any rank has found is what all return.
pub fn check_checksums(link: &dyn Link, reader: &Reader) -> Result<()> {
    let Some(shards) = reader.shards().filter(|_| link.ranks() > 1) else {
        return reader.check_all(true);
    };
    let mine = match shards.check_share(link.rank(), link.ranks()) {
        Err(Error::Corrupt { path, problem, remedy }) => Some((path, problem, remedy)),
        other => other.map(|()| None)?,
    };
    let subtrees = link.all_gather(&shards.subtrees(link.rank(), link.ranks())).concat();
    if let Some((path, problem, remedy)) = gather(link, &mine)?.into_iter().flatten().next() {
        return Err(Error::Corrupt { path, problem, remedy });
    }
    reader.compare_blake3(&shards.blake3(&subtrees))
}

/// Makes the verdict of this rank that of all: the first failure is the table's.
pub fn join_verdicts(link: &dyn Link, mine: &mut Verification) -> Result<()> {
    if let Some(failure) = gather(link, &mine.failure)?.into_iter().flatten().next() {
        mine.failure = Some(failure);
        mine.verdict = "failed".into();
    }
    Ok(())
}
