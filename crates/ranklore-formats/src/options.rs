//! Options of readers: the answers to questions that a table leaves open.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::values::cells::CellStatus;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{ContestTime, word_enum};

word_enum! {
    /// The reading of dates that have two: 03/04/2024 and 2011-12.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DateOrder {
        /// Day, month, year.
        Dmy = "dmy",
        /// Month, day, year.
        Mdy = "mdy",
        /// 2011-12 is December 2011.
        Ym = "ym",
        /// 2011-12 is the season that ends in 2012.
        Season = "season",
    }
}

word_enum! {
    /// The arrangement of results in a table, as the user states it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StatedLayout {
        /// One row is one result.
        Rows = "rows",
        /// One row is one player, with a column for each contest.
        Players = "players",
        /// The whole table is one contest.
        Single = "single",
        /// One row is one game of two competitors.
        Games = "games",
        /// One row is one contest, with a column for each competitor.
        Contests = "contests",
    }
}

word_enum! {
    /// The meaning of the cells of a table with one row per player.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StatedCells {
        /// Places: the lowest is the best.
        Places = "places",
        /// Scores: the highest is the best, or with `lower_is_better` the lowest.
        Scores = "scores",
    }
}

word_enum! {
    /// The mark before the decimals of a number; the other one groups thousands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DecimalMark {
        /// 1.234 is a fraction and 1,234 a thousand.
        Point = "point",
        /// 1,234 is a fraction and 1.234 a thousand.
        Comma = "comma",
    }
}

word_enum! {
    /// The reading of the numbers 0, 1 and 2 as outcomes of games.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OutcomeNumbers {
        /// Points of the competitor named first: 1, 0.5 or 0.
        Points = "points",
        /// Points of the competitor named first: 2, 1 or 0.
        PointsOfTwo = "points-of-2",
        /// Number of the winner: 1 or 2; 0 is a draw.
        Winner = "winner",
    }
}

/// The separator of several names in a cell, if cells have several. Serde reads and writes it as a
/// text; `none` stands for cells of one name each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum MemberSeparator {
    /// Every cell is one name.
    OneName,
    /// The text that separates names; white space around them is removed.
    Text(String),
}

impl From<String> for MemberSeparator {
    fn from(word: String) -> Self {
        if word == "none" {
            Self::OneName
        } else {
            Self::Text(word)
        }
    }
}

impl From<MemberSeparator> for String {
    fn from(separator: MemberSeparator) -> Self {
        match separator {
            MemberSeparator::OneName => "none".to_owned(),
            MemberSeparator::Text(text) => text,
        }
    }
}

/// A condition for the rows of a table: the cell below a heading equals a text, or does not. Serde reads
/// and writes it as a text, `recorded=true` or `recorded!=true`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RowCondition {
    /// The heading of the column.
    pub heading: String,
    /// True if the cell equals the value, false if it differs.
    pub is_equal: bool,
    /// The text of the cell; empty for an empty cell.
    pub value: String,
}

impl TryFrom<String> for RowCondition {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        let (heading, value) = word
            .split_once('=')
            .filter(|(heading, _)| !matches!(heading.trim(), "" | "!"))
            .ok_or("expected HEADING=VALUE or HEADING!=VALUE, such as recorded=true")?;
        let unequal = heading.strip_suffix('!');
        Ok(Self {
            heading: unequal.unwrap_or(heading).trim().to_owned(),
            is_equal: unequal.is_none(),
            value: value.trim().to_owned(),
        })
    }
}

impl From<RowCondition> for String {
    fn from(condition: RowCondition) -> Self {
        condition.to_string()
    }
}

impl fmt::Display for RowCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_equal { "=" } else { "!=" };
        write!(f, "{}{sign}{}", self.heading, self.value)
    }
}

/// Options for tables and feeds. JSON contest files need none.
///
/// The JSON form is stable: it is archived with a document, so that reading the document again
/// gives the same result. Absent fields have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, remote = "Self")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the user"
)]
pub struct ReadOptions {
    /// The reading of ambiguous dates; `None` refuses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
    /// The mark before decimals; `None` leaves it to the numbers of a column, and refuses those with
    /// two readings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_mark: Option<DecimalMark>,
    /// True if the lowest score wins, as for times, strokes and penalties. In a wide table it also
    /// means that the cells are scores and not places.
    pub lower_is_better: bool,
    /// The time of a feed, or of the first contest of a table without dates; in JSON, seconds since
    /// 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<ContestTime>,
    /// Days between contests of a table without dates, at least 1; `None` means 1. If the user
    /// states them, columns of rounds are contests and not parts of one.
    #[serde(rename = "every", skip_serializing_if = "Option::is_none")]
    pub every_days: Option<u32>,
    /// The sheet of a workbook to read; `None` means the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The path of the array of a JSON document whose elements are the rows; `None` means the one that
    /// has results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// True if each sheet of a workbook is read that is a table; then `sheet` does not count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all_sheets: bool,
    /// The conditions that a row must satisfy to be read.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<RowCondition>,
    /// True if a row without a competitor is an entrant of its contest alone; else it is refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub anonymous: bool,
    /// The meanings of columns by heading, which take precedence over what Ranklore recognises.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnMeaning>,
    /// The arrangement of results; `None` leaves it to the headings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<StatedLayout>,
    /// The meaning of the cells of a table with one row per player; `None` leaves it to the cells and
    /// the columns beside them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<StatedCells>,
    /// True if the table has no row of headings: then its columns are headed by their letters, and only
    /// `columns` gives them meanings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_headings: bool,
    /// The separator of several names in a cell; `None` refuses such cells where they are usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<MemberSeparator>,
    /// The heading of the column that tells competitors of one name apart; `None` takes equal names
    /// for one competitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_name_by: Option<String>,
    /// The meanings of words for statuses, which take precedence over those that Ranklore knows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub statuses: BTreeMap<String, CellStatus>,
    /// The reading of numbers as outcomes of games; `None` refuses those with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeNumbers>,
}

impl Serialize for ReadOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for ReadOptions {
    /// Reads the older form too, which always has `every_days`: a 1 was not stated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        if let Some(days) = fields.remove("every_days").filter(|days| *days != 1) {
            fields.insert("every".to_owned(), days);
        }
        Self::deserialize(Value::Object(fields)).map_err(D::Error::custom)
    }
}

impl ReadOptions {
    /// Returns the number of days between contests of a table without dates.
    pub(crate) fn days_between_contests(&self) -> u32 {
        self.every_days.unwrap_or(1)
    }

    /// Returns the texts that the options quote from a document: the sheet, headings, cells and words
    /// for statuses.
    pub fn quoted_names(&self) -> impl Iterator<Item = &str> {
        let words = self.columns.keys().chain(self.statuses.keys());
        let conditions = self.conditions.iter();
        let compared = conditions.flat_map(|condition| [&condition.heading, &condition.value]);
        let words = words.chain(compared);
        let named = self.sheet.iter().chain(&self.rows).chain(&self.same_name_by);
        named.chain(words).map(String::as_str)
    }

    /// Replaces these names by what `replace` returns, if it returns something.
    pub fn replace_quoted_names(&mut self, replace: impl Fn(&str) -> Option<String>) {
        let conditions = self.conditions.iter_mut();
        let compared =
            conditions.flat_map(|condition| [&mut condition.heading, &mut condition.value]);
        let named = self.sheet.iter_mut().chain(&mut self.rows).chain(&mut self.same_name_by);
        for name in named.chain(compared) {
            if let Some(other) = replace(name) {
                *name = other;
            }
        }
        replace_keys(&mut self.columns, &replace);
        replace_keys(&mut self.statuses, &replace);
    }
}

fn replace_keys<V>(map: &mut BTreeMap<String, V>, replace: impl Fn(&str) -> Option<String>) {
    *map = std::mem::take(map)
        .into_iter()
        .map(|(key, value)| (replace(&key).unwrap_or(key), value))
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_names_are_replaced() {
        let mut options = ReadOptions {
            sheet: Some("Ada's cup".into()),
            same_name_by: Some("Ada?".into()),
            conditions: vec![condition("Adas=Ada")],
            columns: [("Ada".to_owned(), ColumnMeaning::Ignore)].into(),
            statuses: [("Ada ill".to_owned(), CellStatus::DidNotStart)].into(),
            ..ReadOptions::default()
        };
        options.replace_quoted_names(|name| {
            name.contains("Ada").then(|| name.replace("Ada", "someone"))
        });
        let names: Vec<&str> = options.quoted_names().collect();
        let expected = [
            "someone's cup",
            "someone?",
            "someone",
            "someone ill",
            "someones",
            "someone",
        ];
        assert_eq!(names, expected);
    }

    fn condition(word: &str) -> RowCondition {
        word.to_owned().try_into().unwrap()
    }

    #[test]
    fn conditions_are_parsed() {
        for (word, heading, is_equal, value) in [
            ("recorded=true", "recorded", true, "true"),
            ("user.id != ", "user.id", false, ""),
            ("Formula=a=b", "Formula", true, "a=b"),
        ] {
            let parsed = condition(word);
            assert_eq!((&*parsed.heading, &*parsed.value), (heading, value));
            assert_eq!(parsed.is_equal, is_equal, "{word}");
            assert_eq!(condition(&parsed.to_string()), parsed);
        }
        for word in ["recorded", "=true", "!=true", ""] {
            assert!(RowCondition::try_from(word.to_owned()).is_err(), "{word}");
        }
    }

    #[test]
    fn options_json_is_stable() {
        let all = ReadOptions {
            dates: Some(DateOrder::Dmy),
            decimal_mark: Some(DecimalMark::Comma),
            lower_is_better: true,
            start: ContestTime::new(86_400),
            every_days: Some(7),
            sheet: Some("Results".into()),
            rows: Some("data.results".into()),
            all_sheets: true,
            conditions: vec![condition("recorded=true"), condition("user!=")],
            anonymous: true,
            columns: [("Race No.".to_owned(), ColumnMeaning::ContestId)].into(),
            layout: Some(StatedLayout::Players),
            cells: Some(StatedCells::Scores),
            no_headings: true,
            members: Some(MemberSeparator::Text(" / ".into())),
            same_name_by: Some("Born".into()),
            statuses: [("mp".to_owned(), CellStatus::Disqualified)].into(),
            outcome: Some(OutcomeNumbers::PointsOfTwo),
        };
        let text = r#"{"dates":"dmy","decimal_mark":"comma","lower_is_better":true,"start":86400,"every":7,"sheet":"Results","rows":"data.results","all_sheets":true,"where":["recorded=true","user!="],"anonymous":true,"columns":{"Race No.":"contest id"},"layout":"players","cells":"scores","no_headings":true,"members":" / ","same_name_by":"Born","statuses":{"mp":"dq"},"outcome":"points-of-2"}"#;
        assert_eq!(serde_json::to_string(&all).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>(text).unwrap(), all);
        let none = ReadOptions::default();
        let text = r#"{"lower_is_better":false}"#;
        assert_eq!(serde_json::to_string(&none).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadOptions>("{}").unwrap(), none);
        // The form of older versions.
        for (text, every_days) in [
            (r#"{"lower_is_better":true,"every_days":1}"#, None),
            (r#"{"lower_is_better":true,"every_days":7}"#, Some(7)),
        ] {
            let older: ReadOptions = serde_json::from_str(text).unwrap();
            assert_eq!((older.lower_is_better, older.every_days), (true, every_days));
        }
        let one_name = ReadOptions {
            members: Some(MemberSeparator::OneName),
            ..ReadOptions::default()
        };
        let text = r#"{"members":"none"}"#;
        assert_eq!(serde_json::from_str::<ReadOptions>(text).unwrap(), one_name);
        // Unknown options would change the reading.
        assert!(serde_json::from_str::<ReadOptions>(r#"{"page":1}"#).is_err());
        assert!(serde_json::from_str::<ReadOptions>(r#"{"start":-12212553601}"#).is_err());
    }
}
