//! The order of external ids: numbers numerically, then all others as text.

use std::cmp::Ordering;

/// Compares two external ids. Ids of digits only are numbers of any length, and come before all
/// others, which are compared byte by byte. Different spellings of a number ("7", "007") are not
/// equal, so that equality means the same id.
#[must_use]
pub fn compare_external_ids(a: &str, b: &str) -> Ordering {
    match (significant_digits(a), significant_digits(b)) {
        (Some(x), Some(y)) => x.len().cmp(&y.len()).then_with(|| x.cmp(y)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
    .then_with(|| a.cmp(b))
}

/// Returns the digits without leading zeros, if the id is a number.
fn significant_digits(id: &str) -> Option<&str> {
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| id.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_ids_sort_numerically_and_first() {
        let sorted = [
            "0",
            "2",
            "007",
            "7",
            "10",
            "99999999999999999999999998",
            "99999999999999999999999999",
            "",
            "-1",
            "10a",
            "2a",
            "a",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(compare_external_ids(a, b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }
}
