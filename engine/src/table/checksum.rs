//! Checksums of a data file: one xxh3 a block, so that damage can be located, and one BLAKE3 of the whole
//! file, header included, that `b3sum` reproduces.

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The checksums of a complete data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksums {
    /// The length of a block; the last one may be shorter.
    pub block_bytes: u64,
    /// The xxh3 (64 bits) of each block, in hexadecimal.
    pub xxh3: Vec<String>,
    /// The BLAKE3 of the file, in hexadecimal.
    pub blake3: String,
}

const SMALLEST_BLOCK: u64 = 1 << 20;
const MOST_BLOCKS: u64 = 8192;

impl Checksums {
    /// Computes the checksums of `file`, on all cores.
    pub fn of(file: &[u8]) -> Self {
        let block_bytes = block_bytes(file.len() as u64);
        let block = block_bytes as usize;
        if file.len() <= block {
            return Self { block_bytes, xxh3: file.chunks(block).map(hex).collect(), blake3: blake3(file) };
        }
        // Both sums of a block while it is in the cache.
        let sums =
            |(number, bytes): (usize, &[u8])| (hex(bytes), subtree(bytes, number as u64 * block_bytes));
        let (xxh3, subtrees): (Vec<_>, Vec<_>) = file.par_chunks(block).enumerate().map(sums).unzip();
        Self { block_bytes, xxh3, blake3: root(&subtrees).to_hex().to_string() }
    }

    /// Whether the block size and the number of blocks are those of a file of `length` bytes.
    pub fn fit(&self, length: u64) -> bool {
        self.block_bytes == block_bytes(length) && self.xxh3.len() as u64 == length.div_ceil(self.block_bytes)
    }

    /// Whether block `number` of `file` is as it was; [`Self::fit`] must hold.
    pub fn block_is_intact(&self, file: &[u8], number: usize) -> bool {
        let first = number * self.block_bytes as usize;
        let last = file.len().min(first + self.block_bytes as usize);
        hex(&file[first..last]) == self.xxh3[number]
    }
}

fn block_bytes(length: u64) -> u64 {
    let mut size = SMALLEST_BLOCK;
    while length.div_ceil(size) > MOST_BLOCKS {
        size *= 2;
    }
    size
}

fn hex(block: &[u8]) -> String {
    format!("{:016x}", xxh3_64(block))
}

/// The BLAKE3 of `file`, on all cores.
pub fn blake3(file: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    // In pieces, so that one call does not keep the cores from looking at the stop flag for long.
    for piece in file.chunks(256 << 20) {
        hasher.update_rayon(piece);
    }
    hasher.finalize().to_hex().to_string()
}

/// The chaining value of the subtree over `bytes`, which begin at `offset` of a longer file: blocks are a power of two
/// times the chunk of BLAKE3, so that a block is a subtree.
fn subtree(bytes: &[u8], offset: u64) -> ChainingValue {
    let mut hasher = blake3::Hasher::new();
    hasher.set_input_offset(offset).update(bytes);
    hasher.finalize_non_root()
}

/// The BLAKE3 of a file of at least two blocks: the left part of a tree has the largest power of two of blocks that leaves
/// something for the right one.
fn root(blocks: &[ChainingValue]) -> blake3::Hash {
    let (left, right) = parts(blocks);
    merge_subtrees_root(&joined(left), &joined(right), Mode::Hash)
}

fn joined(blocks: &[ChainingValue]) -> ChainingValue {
    match blocks {
        [only] => *only,
        _ => {
            let (left, right) = parts(blocks);
            merge_subtrees_non_root(&joined(left), &joined(right), Mode::Hash)
        }
    }
}

fn parts(blocks: &[ChainingValue]) -> (&[ChainingValue], &[ChainingValue]) {
    blocks.split_at(blocks.len().next_power_of_two() / 2)
}

/// One hash of `data`, taken over 4 MiB pieces on all cores; for the journal.
pub fn fingerprint(data: &[u8]) -> u64 {
    combine(data.par_chunks(4 << 20).map(xxh3_64).collect())
}

/// The fingerprint that the 16-bit values of `data` would have at 8 bits each; `None` where one of them needs
/// more.
pub fn fingerprint_narrowed(data: &[u8]) -> Option<u64> {
    let narrow = |piece: &[u8]| {
        let narrow = piece.chunks_exact(2).map(|pair| (pair[1] == 0).then_some(pair[0]));
        narrow.collect::<Option<Vec<u8>>>().map(|bytes| xxh3_64(&bytes))
    };
    data.par_chunks(8 << 20).map(narrow).collect::<Option<_>>().map(combine)
}

fn combine(pieces: Vec<u64>) -> u64 {
    let bytes: Vec<u8> = pieces.iter().flat_map(|piece| piece.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_is_found_in_its_block() {
        let mut file = vec![7u8; (5 << 20) + 13];
        let sums = Checksums::of(&file);
        assert!(sums.fit(file.len() as u64) && sums.xxh3.len() == 6);
        file[3 << 20] ^= 1;
        let bad: Vec<usize> = (0..6).filter(|&i| !sums.block_is_intact(&file, i)).collect();
        assert_eq!(bad, [3]);
        assert_eq!(sums.blake3.len(), 64);
    }

    #[test]
    fn blocks_that_are_hashed_apart_give_the_blake3_of_the_file() {
        for length in [1, 1 << 20, (1 << 20) + 1, 2 << 20, (3 << 20) - 1, 5 << 20, (7 << 20) + 1025, 8 << 20]
        {
            let file: Vec<u8> = (0..length as u32).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
            assert_eq!(Checksums::of(&file).blake3, blake3::hash(&file).to_hex().as_str(), "{length} bytes");
        }
    }

    #[test]
    fn narrowing_gives_the_fingerprint_of_the_bytes() {
        let bytes: Vec<u8> = (0..10_000_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let mut wide: Vec<u8> = bytes.iter().flat_map(|&b| [b, 0]).collect();
        assert_eq!(fingerprint_narrowed(&wide), Some(fingerprint(&bytes)));
        wide[12_345_679] = 1;
        assert_eq!(fingerprint_narrowed(&wide), None);
    }
}
