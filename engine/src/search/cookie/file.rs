//! Solved parts in a file, for the next board: a strip of one more column has nearly the same parts.
//!
//! The file holds a header of 48 bytes (magic, the cutter's sides, bits of a column, bytes of a word, number
//! of parts), the parts (word and packed information), and the BLAKE3 of everything before it. It belongs to
//! a cutter, not to a board.

use std::io::Read;
use std::path::Path;

use super::info::Info;
use super::mask::Mask;
use super::parts::INFO_BYTES;
use super::search::Search;
use super::solver::{Engine, Solver, with_search};
use crate::base::{Error, Result, files};

const MAGIC: &[u8; 24] = b"nimwave cookie parts 2\n\0";
const HEADER: usize = 48;
const HASH: usize = 32;

impl Solver {
    /// Writes all parts found so far to `path`; the file is replaced in one step. Returns their number.
    pub fn save_parts(&self, path: &Path) -> Result<u64> {
        let bytes = with_search!(&self.engine, search => encode(search));
        files::replace(path, &bytes)?;
        Ok(u64::from_le_bytes(field(&bytes, 40)))
    }

    /// Reads the parts of a file written by [`Self::save_parts`], of the same cutter and any board. Parts
    /// that are too large for this solver are left out. Returns how many were taken.
    pub fn load_parts(&self, path: &Path) -> Result<u64> {
        let mut bytes = Vec::new();
        let mut file = files::open(path).map_err(Error::io("cannot open", path))?;
        // The beginning first: what is not ours may be of any length.
        file.by_ref().take(HEADER as u64).read_to_end(&mut bytes).map_err(Error::io("cannot read", path))?;
        let damaged =
            |problem: &str| Error::corrupt(path, problem, "delete it; the parts will be found again");
        if !bytes.starts_with(MAGIC) {
            // Somebody else's file, which is not ours to delete.
            return Err(Error::corrupt(
                path,
                "it is not a file of cookie parts",
                "choose another name for --parts",
            ));
        }
        file.read_to_end(&mut bytes).map_err(Error::io("cannot read", path))?;
        if bytes.len() < HEADER + HASH {
            return Err(damaged("it is cut off"));
        }
        let (content, hash) = bytes.split_at(bytes.len() - HASH);
        if blake3::hash(content).as_bytes() != hash {
            return Err(damaged("its checksum does not match"));
        }
        with_search!(&self.engine, search => decode(search, content, path, &damaged))
    }
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

fn encode<M: Mask>(search: &Search<M>) -> Vec<u8> {
    let cutter = search.geometry.cutter();
    let mut bytes = MAGIC.to_vec();
    for number in [cutter.rows, cutter.cols, search.geometry.stride(), size_of::<M>() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(0u64.to_le_bytes());
    let mut count = 0u64;
    search.parts.for_each(|part, info| {
        count += 1;
        bytes.extend(&part.widened().to_le_bytes()[..size_of::<M>()]);
        bytes.extend(&info.packed().to_le_bytes()[..INFO_BYTES]);
    });
    bytes[40..48].copy_from_slice(&count.to_le_bytes());
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    bytes
}

fn decode<M: Mask>(
    search: &Search<M>,
    content: &[u8],
    path: &Path,
    damaged: &dyn Fn(&str) -> Error,
) -> Result<u64> {
    let number = |at| u32::from_le_bytes(field(content, at));
    let (rows, cols, stride, word) = (number(24), number(28), number(32), number(36) as usize);
    let cutter = search.geometry.cutter();
    if (rows, cols) != (cutter.rows, cutter.cols) {
        return Err(Error::Mismatch {
            path: path.to_path_buf(),
            problem: "its parts were found with another cutter".into(),
            remedy: format!("give a file that was made with the cutter {cutter}, or a new one"),
        });
    }
    let entries = &content[HEADER..];
    let count = u64::from_le_bytes(field(content, 40));
    if ![8, 16].contains(&word)
        || !(1..=8).contains(&stride)
        || !entries.len().is_multiple_of(word + INFO_BYTES)
        || (entries.len() / (word + INFO_BYTES)) as u64 != count
    {
        return Err(damaged("its header does not fit its length"));
    }
    let mut taken = 0;
    for entry in entries.chunks_exact(word + INFO_BYTES) {
        let mut wide = [0; 16];
        wide[..word].copy_from_slice(&entry[..word]);
        let mask = u128::from_le_bytes(wide);
        let packed = u32::from_le_bytes([entry[word], entry[word + 1], entry[word + 2], 0]);
        if mask == 0 || !Info::is_plausible(packed, mask.count_ones()) {
            return Err(damaged("it holds a part with an impossible value"));
        }
        if let Some(part) = search.geometry.restride(mask, stride) {
            search.parts.learn(search.geometry.canonical(part), Info::unpacked(packed));
            taken += 1;
        }
    }
    Ok(taken)
}
