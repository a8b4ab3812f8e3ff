//! Numbers as people write them: `1e9`, `2^30`, `64Ki`, `[4,6,13]`, `10m`.

use std::time::Duration;

use num_bigint::BigUint;

/// A whole number: `1000000`, `1_000_000`, `1e6`, `2^20`, `64Ki`, `5M`.
pub fn count(text: &str) -> Result<u64, String> {
    let fail =
        || format!("`{text}` is not a whole number below 2^64; write it as 1000000, 1e6, 2^20 or 64Ki");
    parse(text.trim()).ok_or_else(fail)
}

/// A whole number of any size up to a thousand digits: as [`count`], also 10^100 and 1e100.
pub fn natural(text: &str) -> Result<BigUint, String> {
    const MOST_DIGITS: u32 = 1000;
    let large = || -> Option<BigUint> {
        let text = text.trim().replace('_', "");
        let digits = |text: &str| -> Option<BigUint> {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            (plain && text.len() <= MOST_DIGITS as usize).then(|| text.parse().ok())?
        };
        let power = |base: BigUint, exponent: &str| -> Option<BigUint> {
            let exponent = exponent.parse().ok()?;
            let length = u64::from(exponent).checked_mul(base.bits())?;
            (length <= u64::from(MOST_DIGITS) * 4).then(|| base.pow(exponent))
        };
        let number = if let Some((base, exponent)) = text.split_once('^') {
            power(digits(base)?, exponent)?
        } else if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
            digits(mantissa)? * power(10u8.into(), exponent)?
        } else {
            digits(&text)?
        };
        (number.bits() <= u64::from(MOST_DIGITS) * 4).then_some(number)
    };
    let fail = || format!("`{text}` is not a whole number of at most {MOST_DIGITS} digits");
    count(text).map(BigUint::from).ok().or_else(large).ok_or_else(fail)
}

fn parse(text: &str) -> Option<u64> {
    // Most numbers, and all of those that a program writes.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let text = text.replace('_', "");
    if text.starts_with(['+', '-']) {
        return None;
    }
    if let Some((base, exponent)) = text.split_once('^') {
        return base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?);
    }
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        return scaled(mantissa, 10u128.checked_pow(exponent.parse().ok()?)?);
    }
    const SUFFIXES: [(&str, u128); 10] = [
        ("Ki", 1 << 10),
        ("Mi", 1 << 20),
        ("Gi", 1 << 30),
        ("Ti", 1 << 40),
        ("k", 1_000),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
        ("T", 1_000_000_000_000),
        ("", 1),
    ];
    let (suffix, scale) = SUFFIXES.into_iter().find(|(suffix, _)| text.ends_with(suffix))?;
    scaled(text.strip_suffix(suffix)?, scale)
}

/// `mantissa`, which may have a fraction, times `scale`, which must make it whole.
fn scaled(mantissa: &str, scale: u128) -> Option<u64> {
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.starts_with(['+', '-']) || fraction.starts_with(['+', '-']) || fraction.len() > 18 {
        return None;
    }
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let product = digits.checked_mul(scale)?;
    let divisor = 10u128.pow(fraction.len() as u32);
    (product % divisor == 0).then(|| u64::try_from(product / divisor).ok())?
}

/// A whole number of another type, written as for [`count`].
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    T::try_from(count(text)?).map_err(|_| format!("`{text}` is too large here; give a smaller number"))
}

/// A number of bytes: as [`count`], also with a final `B` as in `16GiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    count(text.trim().strip_suffix('B').unwrap_or(text))
}

/// A number of threads from 1 to 1024.
pub fn threads(text: &str) -> Result<usize, String> {
    match count(text)? {
        threads @ 1..=1024 => Ok(threads as usize),
        _ => Err("the number of threads must be from 1 to 1024".into()),
    }
}

/// A list of numbers of threads, such as `1,2,4`, or a single one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threads(pub Vec<usize>);

/// A list of numbers of threads.
pub fn thread_list(text: &str) -> Result<Threads, String> {
    text.split(',').map(|word| threads(word.trim())).collect::<Result<_, _>>().map(Threads)
}

/// A heap size.
pub fn heap(text: &str) -> Result<u32, String> {
    u32::try_from(count(text)?).map_err(|_| format!("`{text}` is too large: heaps are below 2^32"))
}

/// A time: `90`, `90s`, `10m`, `1h 30m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return Duration::try_from_secs_f64(seconds)
            .map_err(|_| format!("`{text}` is not a length of time; write 90s, 10m or 2h"));
    }
    humantime::parse_duration(text)
        .map_err(|e| format!("`{text}` is not a length of time ({e}); write 90s, 10m or 2h"))
}

/// A position of a heap game from its words: `4 6 13`, `[4,6,13]` or `4,6,13`.
pub fn position(words: &[String]) -> Result<Vec<u32>, String> {
    position_words(&words.join(" "))?.into_iter().map(heap).collect()
}

/// The words of a position: `4 6 13`, `[4,6,13]` or `4,6,13`.
///
/// A number that begins with a zero is what a thousands separator leaves behind: `1,000` would be read as 1
/// and 0.
pub fn position_words(text: &str) -> Result<Vec<&str>, String> {
    let inner = text.trim();
    let inner = match inner.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').ok_or_else(|| format!("`{text}`: the bracket is not closed"))?,
        None => inner,
    };
    let separator = |symbol: char| symbol.is_whitespace() || symbol == ',';
    let words: Vec<&str> = inner.split(separator).filter(|word| !word.is_empty()).collect();
    let padded =
        |word: &&&str| word.len() > 1 && word.starts_with('0') && word.bytes().all(|b| b.is_ascii_digit());
    match words.iter().find(padded) {
        Some(word) => Err(format!(
            "`{word}` begins with a zero; commas separate heaps, so write thousands as 1000, 1_000 or 1e3, and numbers without leading zeros"
        )),
        None => Ok(words),
    }
}

/// "1.2e9": a rate for people.
pub fn rate(value: f64) -> String {
    if value < 1e4 { format!("{value:.0}") } else { format!("{value:.1e}") }
}

/// "1,234,567": a count for people.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1 job", "2,000 jobs", "3 classes": a count of something for people; the noun has a regular plural.
pub fn counted(count: u64, noun: &str) -> String {
    let hissing = count != 1 && noun.ends_with('s');
    format!("{} {noun}{}{}", grouped(count), if hissing { "e" } else { "" }, plural(count))
}

/// The end of a regular noun after this count.
pub fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_something_is_not_several() {
        assert_eq!([0, 1, 2, 1000].map(|n| counted(n, "job")), ["0 jobs", "1 job", "2 jobs", "1,000 jobs"]);
    }
    use proptest::prelude::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let cases = [
            ("1e9", 1_000_000_000),
            ("2^30", 1 << 30),
            ("64Ki", 64 << 10),
            ("1.5e3", 1500),
            ("2.5k", 2500),
            ("1_000", 1000),
            ("0", 0),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(count(text), Ok(value), "{text}");
        }
        for text in ["", "-1", "+1", "1e", "e5", "1.5", "2^64", "1e20", "1e99999999999", "ten", "1.-5", "²"]
        {
            assert!(count(text).is_err(), "{text}");
        }
        assert_eq!(natural("1_000"), Ok(1000u32.into()));
        for text in ["2^64", "18446744073709551616"] {
            assert_eq!(natural(text), Ok(BigUint::from(u64::MAX) + 1u8), "{text}");
        }
        assert_eq!(natural("3e20"), Ok(BigUint::from(3u8) * BigUint::from(10u8).pow(20)));
        for text in ["", "-1", "1e99999999999", "10^4294967295", "ten", "1.5"] {
            assert!(natural(text).is_err(), "{text}");
        }
        assert_eq!(bytes("16GiB"), Ok(16 << 30));
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn positions_are_read_with_and_without_brackets() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(position(&words("4 6 13")), Ok(vec![4, 6, 13]));
        assert_eq!(position(&words("[4,6, 13]")), Ok(vec![4, 6, 13]));
        assert_eq!(position(&words("[]")), Ok(vec![]));
        assert!(position(&words("[4,6")).is_err());
        assert!(position(&words("4 -6")).is_err());
        assert!(position(&words("5000000000")).is_err());
    }

    #[test]
    fn thousands_separators_and_leading_zeros_in_positions_are_refused_with_the_remedy() {
        for text in ["1,000 8", "[1,000,000]", "007", "00 3"] {
            let error = position(&[text.to_string()]).unwrap_err();
            assert!(error.contains("begins with a zero") && error.contains("1_000"), "{error}");
        }
        assert_eq!(position(&["0 5".into()]), Ok(vec![0, 5]));
        assert_eq!(position(&["1_000,8".into()]), Ok(vec![1000, 8]));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_a_panic(text in ".*") {
            let _ = (count(&text), bytes(&text), threads(&text), duration(&text), position(std::slice::from_ref(&text)));
        }

        #[test]
        fn plain_numbers_read_back(value in any::<u64>()) {
            prop_assert_eq!(count(&value.to_string()), Ok(value));
        }
    }
}
