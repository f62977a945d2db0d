//! Objects of other arrays, which rows name by their ids: `players` for the `player_id` of a result.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use super::row_lists::{FoundList, first_byte};
use super::scalars::scalar_text;
use crate::limits::ReadLimits;

/// The endings of a field that holds an id.
const ID_ENDINGS: [&str; 3] = ["_id", "Id", "ID"];

/// The words for a side of a game, in fields and in arrays of all who play.
const SIDES: [&str; 6] = [
    "competitor",
    "contestant",
    "entrant",
    "opponent",
    "participant",
    "player",
];

/// The arrays beside that of the rows.
#[derive(Default)]
pub(super) struct Joins<'d> {
    lists: Vec<OtherList<'d>>,
    /// The list that a field of a row has ids of, if any has.
    by_field: HashMap<String, Option<usize>>,
}

struct OtherList<'d> {
    path: String,
    /// The objects by id, if each has one of its own.
    objects: Option<HashMap<Cow<'d, str>, &'d str>>,
}

impl<'d> Joins<'d> {
    pub(super) fn new(lists: Vec<FoundList<'d>>, limits: ReadLimits) -> Self {
        let lists = lists.into_iter().map(|list| OtherList {
            objects: Some(list.json)
                .filter(|_| limits.reader.joins_objects())
                .and_then(index_by_id),
            path: list.path,
        });
        Self {
            lists: lists.collect(),
            by_field: HashMap::new(),
        }
    }

    /// Returns the object whose id a field of a row has, and the name of the field that would hold the
    /// object: `player` for `player_id`.
    pub(super) fn find_object<'k>(
        &mut self,
        field: &'k str,
        id: &str,
    ) -> Option<(&'k str, &'d str)> {
        if self.lists.is_empty() {
            return None;
        }
        let name = strip_id(field)?;
        let list = self.find_list(name, |lists| {
            lists
                .iter()
                .position(|list| list.objects.is_some() && are_called(&list.path, name))
        })?;
        let objects = self.lists[list].objects.as_ref()?;
        Some((name, objects.get(id)?))
    }

    /// Returns the name of the object whose id an object of a row has: an opponent is one of the `participants`,
    /// if no other array can have them.
    pub(super) fn find_name(&mut self, side: &str, id: &str) -> Option<Cow<'d, str>> {
        let list = self.find_list(side, |lists| {
            let mut called = lists.iter().enumerate().filter(|(_, list)| {
                list.objects.is_some()
                    && (are_called(&list.path, side)
                        || (SIDES.contains(&singular(side).as_str())
                            && SIDES
                                .iter()
                                .any(|all| *all != "opponent" && are_called(&list.path, all))))
            });
            let list = called.next().filter(|_| called.next().is_none());
            list.map(|(index, _)| index)
        })?;
        let object = self.lists[list].objects.as_ref()?.get(id)?;
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(object).ok()?;
        scalar_text(fields.get("name")?.get()).ok()
    }

    /// Returns the list that `find` returned for the first field of this name.
    fn find_list(
        &mut self,
        name: &str,
        find: impl FnOnce(&[OtherList<'d>]) -> Option<usize>,
    ) -> Option<usize> {
        if self.lists.is_empty() {
            return None;
        }
        if !self.by_field.contains_key(name) {
            self.by_field.insert(name.to_owned(), find(&self.lists));
        }
        *self.by_field.get(name)?
    }

    /// Returns the paths of the lists that no row has ids of, or the others.
    pub(super) fn paths(&self, are_joined: bool) -> Vec<&str> {
        let joined: HashSet<usize> = self.by_field.values().copied().flatten().collect();
        let lists = self.lists.iter().enumerate();
        lists
            .filter(|(index, _)| joined.contains(index) == are_joined)
            .map(|(_, list)| list.path.as_str())
            .collect()
    }
}

/// Returns the objects of an array by their ids, if each has an id of its own.
fn index_by_id(json: &str) -> Option<HashMap<Cow<'_, str>, &str>> {
    let elements: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    let mut objects = HashMap::new();
    for element in elements {
        let fields: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(element.get()).ok()?;
        let id = fields.get("id")?.get();
        let is_scalar = !matches!(first_byte(id), Some(b'{' | b'['));
        let id = is_scalar.then(|| scalar_text(id).ok()).flatten()?;
        if objects.insert(id, element.get()).is_some() {
            return None;
        }
    }
    Some(objects)
}

/// Returns the name of a field without the ending that says that it holds an id.
fn strip_id(field: &str) -> Option<&str> {
    let mut names = ID_ENDINGS.iter().filter_map(|ending| field.strip_suffix(ending));
    names.next().filter(|name| !name.is_empty())
}

/// Returns the last word of the name of a field, without a number: `team` of `home_team` and `team1`.
fn singular(name: &str) -> String {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let last_word = name.rfind('_').map_or(0, |at| at + 1);
    name[last_word..].to_ascii_lowercase()
}

/// True if objects at this path are called so: `teams` are `team`, also in `home_team` and `team1`.
fn are_called(path: &str, name: &str) -> bool {
    let list = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    let singular = singular(name);
    let plural = match singular.strip_suffix('y') {
        Some(rest) => format!("{rest}ies"),
        None => format!("{singular}s"),
    };
    !singular.is_empty() && (list == plural || list == format!("{singular}es"))
}
