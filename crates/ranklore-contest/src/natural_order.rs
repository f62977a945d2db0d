//! The natural order of names: numbers by value, everything else as text.

use std::cmp::Ordering;

/// Compares two names: runs of digits by value, everything else by its characters. `Round 2` comes
/// before `Round 10`. Only equal texts compare as equal, so the order is total.
#[must_use]
pub fn compare_naturally(a: &str, b: &str) -> Ordering {
    let mut rest_a = a.as_bytes();
    let mut rest_b = b.as_bytes();
    loop {
        let (text_a, number_a, after_a) = split_at_number(rest_a);
        let (text_b, number_b, after_b) = split_at_number(rest_b);
        if text_a != text_b || number_a.is_empty() || number_b.is_empty() {
            // Digits are one range of bytes, so a number stands among texts as its first digit.
            return rest_a.cmp(rest_b).then_with(|| a.cmp(b));
        }
        let by_value = number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
        if by_value.is_ne() {
            return by_value;
        }
        rest_a = after_a;
        rest_b = after_b;
    }
}

/// Returns the bytes before the first number, its digits without leading zeros (at least one digit
/// if there is a number), and the bytes behind it.
fn split_at_number(name: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let begin = name.iter().position(u8::is_ascii_digit);
    let (text, rest) = name.split_at(begin.unwrap_or(name.len()));
    let end = rest.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let number = &digits[zeros.min(digits.len().saturating_sub(1))..];
    (text, number, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_compare_by_value() {
        let sorted = [
            "",
            "1.json",
            "2.json",
            "10.json",
            "99999999999999999999999.json",
            "Etappe 8",
            "Etappe 10a",
            "Etappe 10b",
            "Round",
            "Round 0",
            "Round 00",
            "Round 02",
            "Round 2",
            "Round 2 B",
            "Round 2b",
            "Round 10",
            "Round X",
            "a",
            "v1.9",
            "v1.10",
            "Ä2",
            "Ä10",
        ];
        let mut shuffled = sorted;
        shuffled.reverse();
        shuffled.sort_by(|a, b| compare_naturally(a, b));
        assert_eq!(shuffled, sorted);
    }

    proptest! {
        #[test]
        fn order_is_total(names in prop::collection::vec("[0-2a. ]{0,6}", 3)) {
            let [a, b, c] = &names[..] else { unreachable!() };
            let ab = compare_naturally(a, b);
            prop_assert_eq!(ab.reverse(), compare_naturally(b, a));
            prop_assert_eq!(ab.is_eq(), a == b);
            if ab.is_le() && compare_naturally(b, c).is_le() {
                prop_assert!(compare_naturally(a, c).is_le());
            }
        }
    }
}
