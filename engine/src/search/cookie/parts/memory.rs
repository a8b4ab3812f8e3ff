//! The memory of the table of parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use memmap2::{MmapOptions, MmapRaw};

use crate::base::{Error, Result};

/// Memory that is zero until it is written, and not taken from the system before.
pub(super) struct Zeros(MmapRaw);

impl Zeros {
    pub(super) fn new(bytes: usize) -> Result<Self> {
        let map = MmapOptions::new().len(bytes.max(8)).no_reserve_swap().map_anon();
        let map = map.map_err(|e| {
            Error::Budget(format!(
                "cannot reserve {bytes} bytes for the table of parts: {e}; give less --memory"
            ))
        })?;
        Ok(Self(map.into()))
    }

    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map lives as long as `self`, its start is aligned to a page, every bit pattern is an
        // `AtomicU64`, and it is never used but through shared references to atomics.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() / size_of::<u64>()) }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[AtomicU8] {
        // SAFETY: as above, and any address is aligned for bytes.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }
}

/// The memory that both maps of a table may take together, perhaps out of one that several tables share.
pub(crate) struct Memory {
    most: u64,
    taken: AtomicU64,
    common: Option<Arc<Memory>>,
}

/// How much of it a map may take.
#[derive(Clone, Copy)]
pub(super) struct Budget<'a> {
    memory: &'a Memory,
    most: u64,
}

impl Memory {
    /// About this many bytes.
    pub(crate) fn new(most: u64) -> Self {
        Self { most, taken: AtomicU64::new(0), common: None }
    }

    /// About this many bytes, as long as `common` has them.
    pub(crate) fn out_of(common: &Arc<Self>, most: u64) -> Self {
        Self { common: Some(Arc::clone(common)), ..Self::new(most) }
    }

    /// The bytes that may be taken.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Whatever is left.
    pub(super) fn all(&self) -> Budget<'_> {
        Budget { memory: self, most: self.most }
    }

    /// What is left, but for a quarter of all that others may need.
    pub(super) fn all_but_a_quarter(&self) -> Budget<'_> {
        Budget { most: self.most / 4 * 3, ..self.all() }
    }
}

impl Budget<'_> {
    /// Takes some bytes, if there are so many.
    pub(super) fn take(self, bytes: usize) -> bool {
        let Memory { taken, common, .. } = self.memory;
        let bytes = bytes as u64;
        let more = |taken: u64| taken.checked_add(bytes).filter(|&taken| taken <= self.most);
        let own = taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok();
        let granted = own && common.as_ref().is_none_or(|common| common.all().take(bytes as usize));
        if own && !granted {
            taken.fetch_sub(bytes, Ordering::Relaxed);
        }
        granted
    }
}
