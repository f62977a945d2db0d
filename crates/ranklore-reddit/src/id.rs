//! Ids of threads and comments, as the site writes them.

use std::fmt;

/// The id of a thread or a comment: a number in base 36, with digits and lower-case letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThingId(u64);

/// The most characters of an id; all such numbers fit into a `u64`.
const MAX_CHARS: usize = 12;

impl ThingId {
    /// Parses an id such as `3hahrw`: lower-case letters and digits without a leading zero.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() <= MAX_CHARS
            && !text.starts_with('0')
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        let number = u64::from_str_radix(text, 36).ok();
        number.filter(|_| is_id).map(Self)
    }

    /// Parses a full name with the prefix of its kind, such as `t3_3hahrw`.
    pub(crate) fn from_full_name(kind: &str, name: &str) -> Option<Self> {
        Self::parse(name.strip_prefix(kind)?)
    }

    /// Returns the id as a number, which is never 0.
    pub(crate) const fn get(self) -> u64 {
        self.0
    }

    /// Returns the id of a number from [`ThingId::get`].
    pub(crate) const fn new(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for ThingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0_u8; 13];
        let mut start = digits.len();
        let mut left = self.0;
        while left > 0 {
            start -= 1;
            digits[start] = b"0123456789abcdefghijklmnopqrstuvwxyz"[(left % 36) as usize];
            left /= 36;
        }
        let digits = std::str::from_utf8(&digits[start..]).map_err(|_| fmt::Error)?;
        f.write_str(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip() {
        for text in ["1", "z", "10", "3hahrw", "1l0vexy", "zzzzzzzzzzzz"] {
            assert_eq!(ThingId::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(ThingId::parse("10").unwrap().get(), 36);
        assert_eq!(ThingId::from_full_name("t3_", "t3_10"), ThingId::parse("10"));
        for no_number in [
            "",
            "0",
            "01",
            "A",
            "3HAHRW",
            "a_b",
            "ä",
            "t3_10",
            "zzzzzzzzzzzzz",
        ] {
            assert_eq!(ThingId::parse(no_number), None, "{no_number}");
        }
        assert_eq!(ThingId::from_full_name("t3_", "t1_10"), None);
        assert_eq!(ThingId::from_full_name("t3_", "10"), None);
    }
}
