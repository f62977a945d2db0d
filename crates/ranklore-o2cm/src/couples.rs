//! The two dancers of a result row.

use crate::text::{is_name, mask_letters};

/// Upper bound of a place.
const MAX_PLACE: u32 = 10_000;

/// A row of a heat: `8) 143 Ada Vale & Bea Moor - CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeatEntry<'a> {
    /// The place as the site gives it.
    pub(crate) place: u32,
    /// The text after the place.
    pub(crate) rest: &'a str,
}

/// The dancers of a result row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Dancers<'a> {
    /// Two people with different names.
    Couple(Couple<'a>),
    /// A placeholder for at least one person.
    Placeholder,
    /// Two people with the same name: indistinguishable, or a mistake.
    Namesakes,
}

/// A leader and a follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Couple<'a> {
    pub(crate) leader: &'a str,
    pub(crate) follower: &'a str,
    /// Back number of the leader, if given; valid in this competition only.
    pub(crate) number: Option<&'a str>,
}

impl<'a> HeatEntry<'a> {
    /// Parses a row; `None` if it does not begin with a place.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (place, rest) = text.split_once(')')?;
        let place = parse_place(place)?;
        let rest = rest.strip_prefix(' ').or(rest.is_empty().then_some(""))?;
        (1..=MAX_PLACE).contains(&place).then_some(Self { place, rest })
    }

    /// Parses the names in the row.
    ///
    /// # Errors
    /// The expected form, if the row does not have two names.
    pub(crate) fn dancers(self) -> Result<Dancers<'a>, String> {
        let two = self.rest.split_once(" & ");
        let two = two.filter(|(_, follower)| !follower.contains(" & "));
        let Some((leader, follower)) = two else {
            let masked = mask_letters(self.rest);
            return Err(format!("two people with one & between them, not {masked}"));
        };
        let (number, leader) = split_back_number(leader);
        let (_, follower) = split_back_number(strip_home(follower));
        if is_placeholder(leader) || is_placeholder(follower) {
            return Ok(Dancers::Placeholder);
        }
        if let Some(name) = [leader, follower].into_iter().find(|name| !is_name(name)) {
            return Err(format!("the name of a person, not {}", mask_letters(name)));
        }
        if leader == follower {
            return Ok(Dancers::Namesakes);
        }
        Ok(Dancers::Couple(Couple {
            leader,
            follower,
            number,
        }))
    }
}

/// Splits the back number from a name. Leaders and placeholders have numbers, new ones at every
/// competition.
fn split_back_number(text: &str) -> (Option<&str>, &str) {
    match text.split_once(' ') {
        Some((digits, name)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (Some(digits), name)
        }
        _ => (None, text),
    }
}

/// Removes the origin (` - CA`, ` -`, ` of Some Studio`). Hyphens within names have no spaces
/// around.
fn strip_home(text: &str) -> &str {
    let text = match text.rfind(" - ") {
        Some(at) => &text[..at],
        None if text.starts_with("- ") || text == "-" => "",
        None => text.strip_suffix(" -").unwrap_or(text),
    };
    text.find(" of ").map_or(text, |at| &text[..at])
}

/// True if a name is a placeholder: `TBA01 TBA`, `zNew_Follow`, `unknown unknown`, `JnJ 303`, or
/// empty.
pub(crate) fn is_placeholder(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(' ');
    let first = words.clone().next().unwrap_or_default();
    !name.chars().any(char::is_alphabetic)
        || words.any(|word| {
            // "To be announced", with a number if there are several.
            let number = word.strip_prefix("tba");
            number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
                || word.starts_with("znew")
        })
        || matches!(first, "unknown" | "jnj")
}

fn parse_place(digits: &str) -> Option<u32> {
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_dancers(text: &str) -> Dancers<'_> {
        HeatEntry::parse(text).unwrap().dancers().unwrap()
    }

    /// Returns number, leader and follower.
    fn couple(text: &str) -> (Option<&str>, &str, &str) {
        match parse_dancers(text) {
            Dancers::Couple(of) => (of.number, of.leader, of.follower),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn back_number_is_optional() {
        let found = couple("8) 143 Ada Vale & Bea Moor");
        assert_eq!(found, (Some("143"), "Ada Vale", "Bea Moor"));
        let found = couple("8) Ada Vale & Bea Moor");
        assert_eq!(found, (None, "Ada Vale", "Bea Moor"));
    }

    #[test]
    fn home_is_stripped() {
        for home in [
            "",
            " -",
            " - CA",
            " - California",
            " - C A",
            " of Lantern Studio",
            " of Lantern Studio - CA",
        ] {
            let text = format!("8) 143 Ada Vale & Bea Moor{home}");
            let due = (Some("143"), "Ada Vale", "Bea Moor");
            assert_eq!(couple(&text), due, "{text}");
        }
    }

    #[test]
    fn hyphenated_names_are_kept() {
        assert_eq!(
            couple("8) 143 Ada Vale-Oar & Bea-Ann Moor - Fen - CA"),
            (Some("143"), "Ada Vale-Oar", "Bea-Ann Moor - Fen")
        );
    }

    #[test]
    fn namesakes_are_not_placeholders() {
        assert_eq!(parse_dancers("1) 143 Ada Vale & Ada Vale - CA"), Dancers::Namesakes);
        assert_eq!(parse_dancers("1) 143 TBA & TBA - CA"), Dancers::Placeholder);
    }

    #[test]
    fn placeholders_are_recognised() {
        for text in [
            "1) 318 zNew_Follow & Bea Moor - CA",
            "1) 143 Ada Vale & zNew_Follow -",
            "1) 143 Ada Vale & 318 zNew_Follow - CA",
            "1) 143 Ada Vale & TBA01 TBA -",
            "1) 143 unknown unknown & Bea Moor",
            "1) JnJ 303 & Bea Moor",
            "1) 143 Ada Vale & JnJ 303 - CA",
            "1) 143 Ada Vale & - CA",
            "1) 143 Ada Vale & -",
            "1) 143 & Bea Moor",
        ] {
            assert_eq!(parse_dancers(text), Dancers::Placeholder, "{text}");
        }
        for name in ["Tabitha Tbailey", "Bea Unknown", "Zne Wood", "Jnjo Moor"] {
            assert!(!is_placeholder(name), "{name}");
        }
    }

    #[test]
    fn invalid_rows_are_refused() {
        for text in [
            "",
            "Ada Vale",
            "8 143 Ada",
            "0) 1 Ada",
            "x) Ada",
            "-1) Ada",
            "8)143 Ada",
        ] {
            assert_eq!(HeatEntry::parse(text), None, "{text}");
        }
        assert_eq!(HeatEntry::parse("10001) 143 Ada"), None);
        assert_eq!(HeatEntry::parse("4294967297) 143 Ada"), None);
        for text in [
            "8) 143 Ada Vale",
            "8) 143 Ada Vale / Bea Moor",
            "8) 143 Ada Vale & Bea Moor & Cyd Oar",
            "8) 143 Ada Vale & Bea\u{81} Moor",
        ] {
            assert!(HeatEntry::parse(text).unwrap().dancers().is_err(), "{text}");
        }
    }
}
