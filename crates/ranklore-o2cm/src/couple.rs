//! Who dances: two names out of a row of results.

use crate::text::{form, is_name};

/// No place is farther down: it would be no place.
const MAX_PLACE: u32 = 10_000;

/// A row of a heat: `8) 143 Ada Vale & Bea Moor - CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// As the site has it.
    pub(crate) place: u32,
    /// Behind the place, as it is shown.
    pub(crate) rest: &'a str,
}

/// Who stands in a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Who<'a> {
    /// Two people of different names.
    Couple(Couple<'a>),
    /// Somebody holds a place for a person: it is no couple of two people.
    Placeholder,
    /// Two people of one name: nothing tells them apart, and it may be a slip.
    Namesakes,
}

/// Two people who dance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Couple<'a> {
    pub(crate) leader: &'a str,
    pub(crate) follower: &'a str,
    /// What the leader wears on the back, where the row says so; it means nothing elsewhere.
    pub(crate) number: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// Takes a row apart; `None` where it does not begin with a place.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (place, rest) = text.split_once(')')?;
        let place = number(place)?;
        let rest = rest.strip_prefix(' ').or(rest.is_empty().then_some(""))?;
        (1..=MAX_PLACE)
            .contains(&place)
            .then_some(Self { place, rest })
    }

    /// The names in the row.
    ///
    /// # Errors
    /// What was expected, where it is not two names.
    pub(crate) fn who(self) -> Result<Who<'a>, String> {
        let two = self.rest.split_once(" & ");
        let two = two.filter(|(_, follower)| !follower.contains(" & "));
        let Some((leader, follower)) = two else {
            return Err(format!(
                "two people with one & between them, not {}",
                form(self.rest)
            ));
        };
        let (number, leader) = number_and_name(leader);
        let (_, follower) = number_and_name(without_home(follower));
        if is_placeholder(leader) || is_placeholder(follower) {
            return Ok(Who::Placeholder);
        }
        if let Some(name) = [leader, follower].into_iter().find(|name| !is_name(name)) {
            return Err(format!("the name of a person, not {}", form(name)));
        }
        if leader == follower {
            return Ok(Who::Namesakes);
        }
        Ok(Who::Couple(Couple {
            leader,
            follower,
            number,
        }))
    }
}

/// Back numbers stand before the leader, and before placeholders. They are given anew at every
/// competition.
fn number_and_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once(' ') {
        Some((digits, name)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (Some(digits), name)
        }
        _ => (None, text),
    }
}

/// Without ` - CA`, ` -`, ` of Some Studio`: names have hyphens, but none with spaces around.
fn without_home(text: &str) -> &str {
    let text = match text.rfind(" - ") {
        Some(at) => &text[..at],
        None if text.starts_with("- ") || text == "-" => "",
        None => text.strip_suffix(" -").unwrap_or(text),
    };
    text.find(" of ").map_or(text, |at| &text[..at])
}

/// Whether a name stands for nobody in particular: `TBA01 TBA`, `zNew_Follow`, `unknown unknown`,
/// `JnJ 303`, nothing.
pub(crate) fn is_placeholder(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let to_be_announced = |word: &str| {
        word.strip_prefix("tba")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut words = lower.split(' ');
    let first = words.clone().next().unwrap_or_default();
    !name.chars().any(char::is_alphabetic)
        || words.any(|word| to_be_announced(word) || word.starts_with("znew"))
        || matches!(first, "unknown" | "jnj")
}

fn number(digits: &str) -> Option<u32> {
    let plain = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(text: &str) -> Who<'_> {
        Entry::parse(text).unwrap().who().unwrap()
    }

    /// Number, leader and follower.
    fn couple(text: &str) -> (Option<&str>, &str, &str) {
        match who(text) {
            Who::Couple(of) => (of.number, of.leader, of.follower),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_back_number_goes_and_may_be_missing() {
        let found = couple("8) 143 Ada Vale & Bea Moor");
        assert_eq!(found, (Some("143"), "Ada Vale", "Bea Moor"));
        let found = couple("8) Ada Vale & Bea Moor");
        assert_eq!(found, (None, "Ada Vale", "Bea Moor"));
    }

    #[test]
    fn where_they_come_from_goes() {
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
    fn hyphens_of_names_stay() {
        assert_eq!(
            couple("8) 143 Ada Vale-Oar & Bea-Ann Moor - Fen - CA"),
            (Some("143"), "Ada Vale-Oar", "Bea-Ann Moor - Fen")
        );
    }

    #[test]
    fn two_people_of_one_name_are_no_placeholder() {
        assert_eq!(who("1) 143 Ada Vale & Ada Vale - CA"), Who::Namesakes);
        assert_eq!(who("1) 143 TBA & TBA - CA"), Who::Placeholder);
    }

    #[test]
    fn placeholders_are_no_people() {
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
            assert_eq!(who(text), Who::Placeholder, "{text}");
        }
        for name in ["Tabitha Tbailey", "Bea Unknown", "Zne Wood", "Jnjo Moor"] {
            assert!(!is_placeholder(name), "{name}");
        }
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in [
            "",
            "Ada Vale",
            "8 143 Ada",
            "0) 1 Ada",
            "x) Ada",
            "-1) Ada",
            "8)143 Ada",
        ] {
            assert_eq!(Entry::parse(text), None, "{text}");
        }
        assert_eq!(Entry::parse("10001) 143 Ada"), None);
        assert_eq!(Entry::parse("4294967297) 143 Ada"), None);
        for text in [
            "8) 143 Ada Vale",
            "8) 143 Ada Vale / Bea Moor",
            "8) 143 Ada Vale & Bea Moor & Cyd Oar",
            "8) 143 Ada Vale & Bea\u{81} Moor",
        ] {
            assert!(Entry::parse(text).unwrap().who().is_err(), "{text}");
        }
    }
}
