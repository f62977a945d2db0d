//! Tells contest files and tables in JSON apart.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::file_format::FileFormat;

impl FileFormat {
    /// Returns the format of a `.json` document: [`Json`](Self::Json) if its first object has the
    /// time or the standings of a contest file, [`Openfootball`](Self::Openfootball) if it has
    /// matches of `team1` and `team2`, [`JsonTable`](Self::JsonTable) if it has none of these.
    /// What is no object is left to the reader of contest files.
    #[must_use]
    pub fn of_json(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut format = None;
        let first = FirstObject(&mut format);
        // The parser stops where the answer is known, which is an error.
        let _ = first.deserialize(&mut serde_json::Deserializer::from_slice(bytes));
        format.unwrap_or(Self::Json)
    }
}

/// Finds out the format by the first object.
struct FirstObject<'a>(&'a mut Option<FileFormat>);

impl<'de> DeserializeSeed<'de> for FirstObject<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FirstObject<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        seq.next_element_seed(self).map(|_| ())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let format = match key.as_str() {
                "time_seconds" => Some(FileFormat::Json),
                // Those of a contest file are arrays, those of a table objects.
                "standings" => (!map.next_value::<AreObjects>()?.0).then_some(FileFormat::Json),
                "matches" | "rounds" => {
                    let list = map.next_value::<&RawValue>()?;
                    are_matches(list.get()).then_some(FileFormat::Openfootball)
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
            };
            if format.is_some() {
                *self.0 = format;
                return Err(de::Error::custom("the format is known"));
            }
        }
        *self.0 = Some(FileFormat::JsonTable);
        Ok(())
    }
}

/// True for an array of matches, or of rounds with matches.
fn are_matches(list: &str) -> bool {
    #[derive(Deserialize)]
    struct Teams {
        #[serde(rename = "team1")]
        _first: IgnoredAny,
        #[serde(rename = "team2")]
        _second: IgnoredAny,
    }
    #[derive(Deserialize)]
    struct Round<'d> {
        #[serde(borrow, default)]
        matches: Vec<&'d RawValue>,
    }
    fn begins_with_match(items: &[&RawValue]) -> bool {
        let first = items.first();
        first.is_some_and(|item| serde_json::from_str::<Teams>(item.get()).is_ok())
    }
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(list) else {
        return false;
    };
    begins_with_match(&items)
        || items.iter().any(|item| {
            let round = serde_json::from_str::<Round<'_>>(item.get());
            round.is_ok_and(|round| begins_with_match(&round.matches))
        })
}

/// True for an array that begins with an object.
struct AreObjects(bool);

impl<'de> Deserialize<'de> for AreObjects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = <&RawValue>::deserialize(deserializer)?;
        let mut begin = list.get().bytes().filter(|byte| !byte.is_ascii_whitespace());
        Ok(Self(begin.next() == Some(b'[') && begin.next() == Some(b'{')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_object_decides() {
        for contest_file in [
            r#"{"name":"A","time_seconds":1}"#,
            r#"{"standings":[["a",0,0]]}"#,
            r#"{"standings":[]}"#,
            r#"{"standings":null}"#,
            r#"[{"standings":[["a",0,0]]},{"place":1}]"#,
            r#"[{"standings":[{"a":1}],"time_seconds":1}]"#,
            "[]",
            "[[1]]",
            "7",
            "",
            "{\"place\":",
        ] {
            let format = FileFormat::of_json(contest_file.as_bytes());
            assert_eq!(format, FileFormat::Json, "{contest_file}");
        }
        for table in [
            "\u{feff} [{\"place\":1}]",
            r#"{"name":"A"}"#,
            r#"{"standings":[{"pos":1}]}"#,
            r#"[{"place":1},{"standings":[["a",0,0]]}]"#,
            r#"{"matches":[{"place":1,"player":"Ada"}]}"#,
            r#"{"matches":[]}"#,
            r#"{"rounds":[{"name":"1","results":[{"team1":"A","team2":"B"}]}]}"#,
            r#"{"matches":{"team1":"A","team2":"B"}}"#,
        ] {
            let format = FileFormat::of_json(table.as_bytes());
            assert_eq!(format, FileFormat::JsonTable, "{table}");
        }
        for matches in [
            r#"{"name":"League","matches":[{"team1":"A","team2":"B"}]}"#,
            r#"{"matches":[{"team2":{"name":"B"},"score":null,"team1":{"name":"A"}}],"name":7}"#,
            r#"{"rounds":[{"name":"1","matches":[]},{"matches":[{"team1":"A","team2":"B"}]}]}"#,
        ] {
            let format = FileFormat::of_json(matches.as_bytes());
            assert_eq!(format, FileFormat::Openfootball, "{matches}");
        }
    }
}
