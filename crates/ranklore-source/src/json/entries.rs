//! Entries of lists, each parsed by itself.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::parse;
use crate::SiteReadError;

/// An entry of a list. An invalid one, which must still be JSON, leaves the others readable.
#[derive(Debug)]
pub struct Entry<T>(Result<T, SiteReadError>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entry<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        Ok(Self(parse("", raw.get().as_bytes())))
    }
}

impl<T> Entry<T> {
    /// Returns the value of the entry.
    ///
    /// # Errors
    /// [`SiteReadError`] with the path of the invalid field, below the location of the entry.
    pub fn into_value(
        self,
        document: &str,
        location: impl FnOnce() -> String,
    ) -> Result<T, SiteReadError> {
        self.0.map_err(|SiteReadError { at, expected, .. }| {
            let at = match at.as_str() {
                SiteReadError::WHOLE_DOCUMENT => location(),
                within if within.starts_with('[') => location() + within,
                within => format!("{}.{within}", location()),
            };
            SiteReadError::new(document, at, expected)
        })
    }
}

/// Returns the valid entries of the array at the path `list`, with their indexes. Adds the errors of
/// the others to `refused`.
pub fn valid_entries<T>(
    document: &str,
    list: &str,
    entries: Vec<Entry<T>>,
    refused: &mut Vec<SiteReadError>,
) -> Vec<(usize, T)> {
    let mut valid = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        match entry.into_value(document, || format!("{list}[{index}]")) {
            Ok(value) => valid.push((index, value)),
            Err(error) => refused.push(error),
        }
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Row {
        rank: u32,
    }

    #[test]
    fn invalid_entry_is_located_and_others_stay() {
        let body = br#"[{"rank":1},{"rank":-1},{},null,["x"],{"rank":5}]"#;
        let entries: Vec<Entry<Row>> = parse("GET x", body).unwrap();
        let mut refused = Vec::new();
        let valid = valid_entries("GET x", "rows", entries, &mut refused);
        let valid: Vec<_> = valid.into_iter().map(|(index, row)| (index, row.rank)).collect();
        assert_eq!(valid, [(0, 1), (5, 5)]);
        let at: Vec<&str> = refused.iter().map(|error| &*error.at).collect();
        assert_eq!(at, ["rows[1].rank", "rows[2]", "rows[3]", "rows[4][0]"]);
        assert!(refused.iter().all(|error| error.document == "GET x"));
    }

    #[test]
    fn entry_that_is_not_json_is_an_error_of_the_document() {
        for body in [
            &b"[{\"rank\":1},{\"rank\":"[..],
            b"[{\"rank\":\"\xff\"}]",
            b"[NaN]",
        ] {
            let error = parse::<Vec<Entry<Row>>>("GET x", body).unwrap_err();
            assert_eq!(error.document, "GET x", "{error}");
        }
    }
}
