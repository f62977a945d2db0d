//! The meaning of a heading: of a listed word, its plural, a compound of it, or the path of a field.

use super::MatchStrength::{self, Synonym, Vague};
use super::RESULT_HEADINGS;
use crate::vocabulary::meanings::ColumnMeaning::{
    self, Competitor, CompetitorId, Contest, ContestId, Date, Event, Team, TeamId,
};
use crate::vocabulary::words::{normalise_word, strip_brackets};

impl ColumnMeaning {
    /// Returns the meaning of a heading and the strength of the match, if it is known.
    pub(crate) fn from_heading(heading: &str) -> Option<(Self, MatchStrength)> {
        // Long texts are not headings; and this function is called often.
        if heading.is_empty() || heading.len() > 60 {
            return None;
        }
        let word = if heading.chars().all(|c| c == '#') {
            "#".to_owned()
        } else {
            normalise_word(&strip_brackets(heading))
        };
        let look_up = |word: &str| RESULT_HEADINGS.get(word).copied();
        let known = look_up(&word).or_else(|| {
            let singular = word
                .strip_suffix('s')
                .and_then(look_up)
                .or_else(|| word.strip_suffix("es").and_then(look_up))?;
            // A column headed "games" or "events" is a count.
            Some(match singular {
                (Self::Contest | Self::Event, _) => (Self::Summary, Vague),
                other => other,
            })
        });
        let known = known.or_else(|| Self::from_compound(&word, look_up));
        let known = known.or_else(|| Self::from_corner(heading));
        known.or_else(|| {
            let (object, field) = split_path(heading)?;
            match Self::from_heading(object)?.0 {
                object @ (Self::Competitor | Self::Team) => Self::of_field(object, field),
                _ => None,
            }
        })
    }

    /// Returns the meaning of the heading of names that has one for the other headings too: `Team / Round`.
    fn from_corner(heading: &str) -> Option<(Self, MatchStrength)> {
        let (names, contests) = heading.split_once(['/', '\\'])?;
        let is_contest = Self::from_heading(contests)
            .is_some_and(|(meaning, _)| matches!(meaning, Contest | Event | Date));
        Self::from_heading(names)
            .filter(|(meaning, _)| is_contest && matches!(meaning, Competitor | Team))
    }

    /// Returns the meaning of a compound of a known word: `rider_name`, `ID_Pilota`, `tournament date`.
    fn from_compound(
        word: &str,
        look_up: impl Fn(&str) -> Option<(Self, MatchStrength)>,
    ) -> Option<(Self, MatchStrength)> {
        let names_entrant = |&(meaning, strength): &(Self, MatchStrength)| {
            matches!(meaning, Competitor | Team) && strength != Vague
        };
        let entrant = ["fullname", "name", "names", "ref", "naam", "navn", "namn"]
            .iter()
            .find_map(|name| word.strip_suffix(name));
        let entrant = entrant.and_then(&look_up).filter(names_entrant);
        let identified = word.strip_prefix("id").and_then(&look_up);
        let id = identified.filter(|known| known.1 != Vague).and_then(|known| match known.0 {
            Contest => Some((ContestId, Synonym)),
            Competitor => Some((CompetitorId, Synonym)),
            Team => Some((TeamId, Synonym)),
            _ => None,
        });
        entrant.map(|(meaning, _)| (meaning, Synonym)).or(id).or_else(|| {
            let mut endings = ["timestamp", "datetime", "date"].iter();
            let contest = endings.find_map(|ending| word.strip_suffix(ending)).and_then(look_up)?;
            matches!(contest.0, Contest | Event).then_some((Date, Synonym))
        })
    }

    /// Returns the meaning of a field of nested objects. It differs from that of a heading, since
    /// text tables can have dots in place of spaces: `Race.Time`.
    pub(crate) fn from_path(path: &str) -> Option<(Self, MatchStrength)> {
        // In JSON, "data" is no Italian date.
        let path_meaning = Self::from_heading(path).filter(|_| path != "data");
        let Some((object, field)) = split_path(path) else {
            return path_meaning;
        };
        let is_person = normalise_word(object) == "person";
        match Self::from_heading(object) {
            Some((object @ (Self::Contest | Self::Event), _)) => path_meaning
                .filter(|known| known.0.describes_contest())
                .or_else(|| Self::of_field(object, field)),
            None if is_person => path_meaning.or_else(|| Self::of_field(Self::Competitor, field)),
            _ => path_meaning,
        }
    }

    /// Returns the meaning of a field within the object of a contest, a competitor or a team:
    /// `driver.name`. Other nested fields mean something only as a whole.
    fn of_field(object: Self, field: &str) -> Option<(Self, MatchStrength)> {
        let word = normalise_word(field);
        let (meaning, strength) = match (object, word.as_str()) {
            (Self::Contest, "name" | "title") => return Some((Self::Contest, Synonym)),
            (Self::Contest, "id") => return Some((Self::ContestId, Synonym)),
            (Self::Competitor, "id") => return Some((Self::CompetitorId, Synonym)),
            (Self::Team, "id") => return Some((Self::TeamId, Synonym)),
            _ => Self::from_heading(field)?,
        };
        match (object, meaning) {
            (Self::Contest | Self::Event, Self::Date)
            | (Self::Competitor, Self::CompetitorId)
            | (Self::Team, Self::TeamId) => Some((meaning, strength.max(Synonym))),
            (Self::Competitor, Self::Competitor | Self::GivenName | Self::Surname) => {
                Some((meaning, Synonym))
            }
            _ => None,
        }
    }
}

/// Splits a dotted path into the name of the innermost object and that of its field.
fn split_path(path: &str) -> Option<(&str, &str)> {
    let (object, field) = path.rsplit_once('.')?;
    Some((object.rsplit('.').next()?, field))
}
