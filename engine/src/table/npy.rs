//! The header of a `.npy` file: 128 bytes, so that the data behind it is aligned and the shape can be
//! rewritten in place.

/// The length of the header, and the offset of the data.
pub const HEADER: usize = 128;

/// The header of a one-dimensional array of `length` entries of type `descr` (`|u1` or `<u2`).
pub fn header(descr: &str, length: u64) -> [u8; HEADER] {
    header_of_shape(descr, &[length])
}

/// The header of an array of at most two dimensions.
pub fn header_of_shape(descr: &str, shape: &[u64]) -> [u8; HEADER] {
    let mut bytes = [b' '; HEADER];
    bytes[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    bytes[8..10].copy_from_slice(&((HEADER - 10) as u16).to_le_bytes());
    let shape: Vec<String> = shape.iter().map(u64::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let dict =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", shape.join(", "));
    bytes[10..10 + dict.len()].copy_from_slice(dict.as_bytes());
    bytes[HEADER - 1] = b'\n';
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_header_fits() {
        let bytes = header_of_shape("<u2", &[u64::MAX; 2]);
        assert_eq!(&bytes[..6], b"\x93NUMPY");
        assert!(bytes.ends_with(b" \n"));
    }
}
