//! Objects whose values are arrays of like rows, such as the games of each day.

use std::borrow::Cow;
use std::collections::HashSet;

use super::row_lists::{DOCUMENT, Entries, ObjectFields, first_byte, first_element};
use crate::grid::MAX_COLUMNS;
use crate::headings::Headings;
use crate::reason::CommandOptions;
use ranklore_contest::Quoted;

/// An array of rows, with its key.
pub(super) struct KeyedList<'d> {
    pub(super) key: Cow<'d, str>,
    pub(super) json: &'d str,
}

/// The arrays of rows of an object.
pub(super) struct KeyedLists<'d> {
    /// The key of the object in the document; `None` if it is the document.
    pub(super) holder: Option<Cow<'d, str>>,
    pub(super) lists: Vec<KeyedList<'d>>,
    pub(super) are_games: bool,
    /// True if the document has no other arrays and objects.
    is_alone: bool,
}

impl<'d> KeyedLists<'d> {
    /// Finds the arrays in the object of a document, or in the only object within it that has such.
    pub(super) fn find(text: &'d str, headings: &dyn Headings) -> Option<Self> {
        let document = Entries::parse(text)?.first;
        let inner = document.iter().filter_map(|(key, value)| {
            let entries = Entries::parse(value)?.first;
            Self::from_entries(Some(key.clone()), &entries, headings)
        });
        let mut objects = Self::from_entries(None, &document, headings).into_iter().chain(inner);
        let mut lists = objects.next().filter(|_| objects.next().is_none())?;
        let is_nested = |value: &&str| matches!(first_byte(value), Some(b'[' | b'{'));
        let nested = document.iter().map(|(_, value)| *value).filter(is_nested).count();
        lists.is_alone = lists.holder.is_none() || nested == 1;
        Some(lists)
    }

    /// Returns the arrays if all values are such, and their first elements have keys in common.
    fn from_entries(
        holder: Option<Cow<'d, str>>,
        entries: &[(Cow<'d, str>, &'d str)],
        headings: &dyn Headings,
    ) -> Option<Self> {
        if entries.len() >= MAX_COLUMNS {
            // There may be more.
            return None;
        }
        let mut lists = Vec::new();
        let mut shared: Option<HashSet<Cow<'d, str>>> = None;
        let mut kinds = HashSet::new();
        let mut keys = HashSet::new();
        for (key, value) in entries {
            // A key that stands twice tells no contests apart.
            if first_byte(value) != Some(b'[') || !keys.insert(key) {
                return None;
            }
            let Some(element) = first_element(value) else {
                // Nothing happened on that day.
                continue;
            };
            let fields: HashSet<_> =
                Entries::parse(element)?.first.into_iter().map(|(field, _)| field).collect();
            let common = shared
                .map_or(fields.clone(), |shared| shared.intersection(&fields).cloned().collect());
            shared = Some(common);
            let fields = ObjectFields::of_object(element, headings);
            kinds.insert((fields.name_people, fields.describe_game));
            lists.push(KeyedList {
                key: key.clone(),
                json: value,
            });
        }
        let are_like = shared.is_some_and(|shared| !shared.is_empty()) && kinds.len() == 1;
        let are_games = kinds.contains(&(true, true)) || kinds.contains(&(false, true));
        (lists.len() > 1 && are_like).then_some(Self {
            holder,
            lists,
            are_games,
            is_alone: false,
        })
    }

    /// True if the keys are dates and no other array stands beside the object, or if the user states
    /// the object as that of the rows.
    pub(super) fn are_stated_by(&self, rows: Option<&str>) -> bool {
        match rows {
            Some(rows) => rows == self.path(),
            None => self.is_alone && self.lists.iter().all(|list| is_date(&list.key)),
        }
    }

    fn path(&self) -> &str {
        self.holder.as_deref().unwrap_or(DOCUMENT)
    }

    /// Returns the heading of the keys.
    pub(super) fn heading(&self) -> &'static str {
        if self.lists.iter().all(|list| is_date(&list.key)) {
            "date"
        } else if self.are_games {
            "event"
        } else {
            "contest"
        }
    }

    /// Returns the note about the reading.
    pub(super) fn describe(&self) -> String {
        let object = match &self.holder {
            None => "the document".to_owned(),
            Some(key) => Quoted(key).to_string(),
        };
        let heading = self.heading();
        format!("each key of {object} has an array of rows, with the key as their {heading}")
    }

    /// Returns the advice to read all arrays, and its option.
    pub(super) fn advise(&self) -> (String, CommandOptions) {
        let option = CommandOptions::new("--rows", self.path());
        let heading = self.heading();
        let advice = format!("to read all, with the key as the {heading}, pass {option}");
        (advice, option)
    }
}

/// True for a key with a year, a month and a day.
fn is_date(key: &str) -> bool {
    let parts: Vec<&str> = key.split(['-', '/', '.', '_']).collect();
    let are_digits = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    match parts.iter().map(|part| part.len()).collect::<Vec<_>>()[..] {
        [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4] => are_digits,
        _ => false,
    }
}
