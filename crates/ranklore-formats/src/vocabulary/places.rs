//! Headings that are places, above the names of those who took them.

use super::headings::MatchStrength;
use super::meanings::ColumnMeaning;
use super::words::{has_word, normalise_word, split_words, strip_brackets};

/// The words for each place from the first.
const PLACES: [&str; 8] = [
    "1st first winner champion gold goldmedal goldmedalist goldmedallist",
    "2nd second runnerup silver silvermedal silvermedalist silvermedallist",
    "3rd third bronze bronzemedal bronzemedalist bronzemedallist",
    "4th fourth",
    "5th fifth",
    "6th sixth",
    "7th seventh",
    "8th eighth",
];

/// Returns the place that a heading is: `1st`, `Second place`, `Gold`, `Runner-up`.
pub(crate) fn place_of_heading(heading: &str) -> Option<u32> {
    // Long texts are not headings.
    if heading.is_empty() || heading.len() > 30 {
        return None;
    }
    let word = normalise_word(&strip_brackets(heading));
    let bare = word.strip_suffix("place").unwrap_or(&word);
    (1..)
        .zip(PLACES)
        .find_map(|(place, words)| has_word(words, bare).then_some(place))
}

/// Words of headings of places before a contest, in a part of it, of others, or in another ranking.
const OTHER_RANKINGS: &str = "start starting grid pole qualifying quali qualification seed draw world national \
     uci fis atp wta previous prev last former old current expected predicted birth season standings \
     championship tour tournament series opponent opp rival gender sex age ag category cat class \
     division div group swim bike cycle run lap half halfway split leg stage heat first second third last \
     best game set section intermediate mid";

/// True if the last word of a heading of several means a place: `SF_Place`, `World Rank`.
pub(crate) fn ends_in_place(heading: &str) -> bool {
    let words = split_words(heading);
    let Some((last, [_, ..])) = words.split_last() else {
        return false;
    };
    let known = ColumnMeaning::from_heading(last);
    known.is_some_and(|(meaning, strength)| {
        meaning == ColumnMeaning::Place && strength != MatchStrength::Vague
    })
}

/// True if a heading of several words means the place in the contest: `SF_Place`, `race position`.
pub(crate) fn is_compound_place(heading: &str) -> bool {
    let mut words = split_words(heading).into_iter();
    ends_in_place(heading) && !words.any(|word| has_word(OTHER_RANKINGS, &word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_of_places_are_recognised() {
        for heading in [
            "SF_Place",
            "Technical_Rank",
            "race position",
            "techPlacement",
        ] {
            assert!(is_compound_place(heading), "{heading}");
        }
        for heading in [
            "Place",
            "Start position",
            "World Rank",
            "Place of birth",
            "Rank Points",
        ] {
            assert!(!is_compound_place(heading), "{heading}");
        }
    }

    #[test]
    fn headings_of_places_are_recognised() {
        for (heading, place) in [
            ("1st", 1),
            ("Second place", 2),
            ("Bronze", 3),
            ("Runner-up", 2),
        ] {
            assert_eq!(place_of_heading(heading), Some(place), "{heading}");
        }
        for heading in ["", "1", "place", "First name", "Winner's points", "R1"] {
            assert_eq!(place_of_heading(heading), None, "{heading}");
        }
    }
}
