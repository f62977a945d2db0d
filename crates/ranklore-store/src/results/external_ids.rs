//! The order of external ids: numbers numerically, then all others as text. Contests of one time
//! without ids of their own follow their names.

use std::cmp::Ordering;

use ranklore_contest::compare_naturally;

/// Compares the ids of two contests that ended at one time, in seconds since 1970, and that event
/// and ordinal leave in no order. Ids that were made from a name (`Round 2@1709251200`) come after
/// all others, in the natural order of the names: `Round 2` before `Round 10`.
#[must_use]
pub fn compare_simultaneous_contests(a: &str, b: &str, ends_at: Option<i64>) -> Ordering {
    match (name_in_id(a, ends_at), name_in_id(b, ends_at)) {
        (None, None) => compare_external_ids(a, b),
        (Some(x), Some(y)) => compare_naturally(x, y).then_with(|| a.cmp(b)),
        (x, y) => x.cmp(&y),
    }
}

/// Returns the name in an id that was made from the name and the time of its contest.
fn name_in_id(id: &str, ends_at: Option<i64>) -> Option<&str> {
    let (name, time) = id.rsplit_once('@')?;
    (ends_at.is_some() && time.parse().ok() == ends_at).then_some(name)
}

/// Compares two events in natural order; contests without one come first.
#[must_use]
pub fn compare_events(a: Option<&str>, b: Option<&str>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare_naturally(a, b),
        (a, b) => a.cmp(&b),
    }
}

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
    fn names_follow_ids_in_natural_order() {
        let sorted = [
            "7",
            "10",
            "r10",
            "r2",
            "Round 2@5",
            "Round 10@5",
            "r2@5",
            "r10@5",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                let order = compare_simultaneous_contests(a, b, Some(5));
                assert_eq!(order, i.cmp(&j), "{a:?} {b:?}");
            }
        }
        // Times of another contest are text.
        let order = compare_simultaneous_contests("Round 2@6", "Round 10@6", Some(5));
        assert_eq!(order, Ordering::Greater);
    }

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
