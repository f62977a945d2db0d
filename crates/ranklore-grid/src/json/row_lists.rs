//! Chooses the array whose elements are the rows, or the object whose values are.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::document::FileReadError;
use crate::grid::{MAX_COLUMNS, MAX_GROUPS};
use crate::headings::{FieldRole, GameRole, Headings};
use crate::reason::{CommandOptions, Reason};
use ranklore_contest::{Quoted, shorten};

/// The path of the document itself, as `--rows` names it.
pub(super) const DOCUMENT: &str = ".";

/// The most objects within each other that are searched for rows.
const MAX_DEPTH: usize = 16;

/// The number of objects that are compared, to know whether they are of one kind.
const COMPARED_OBJECTS: usize = 16;

/// The most arrays that an error names.
const MAX_NAMED: usize = 5;

/// Objects that may be the rows.
pub(super) struct FoundList<'d> {
    pub(super) path: String,
    pub(super) json: &'d str,
    /// True for an object whose values are the rows, false for an array.
    pub(super) is_keyed: bool,
}

impl FoundList<'_> {
    /// True if the name of the list is that of the members of a team.
    pub(super) fn holds_members(&self) -> bool {
        const MEMBERS: [&str; 5] = ["players", "members", "roster", "lineup", "squad"];
        let name = self.path.rsplit('.').next().unwrap_or_default();
        MEMBERS.contains(&name.to_lowercase().as_str())
    }
}

/// The first entries of an object.
pub(super) struct Entries<'d> {
    pub(super) first: Vec<(Cow<'d, str>, &'d str)>,
    /// True if all values are objects, also those beyond the first.
    are_objects: bool,
}

impl<'d> Entries<'d> {
    pub(super) fn parse(json: &'d str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

impl<'d> Deserialize<'d> for Entries<'d> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'d> Visitor<'d> for EntriesVisitor {
    type Value = Entries<'d>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Entries {
            first: Vec::new(),
            are_objects: true,
        };
        while let Some(KeyText(key)) = map.next_key()? {
            let value = map.next_value::<&'d RawValue>()?.get();
            entries.are_objects &= first_byte(value) == Some(b'{');
            if entries.first.len() < MAX_COLUMNS {
                entries.first.push((key, value));
            }
        }
        Ok(entries)
    }
}

/// The contents of an object, as its fields tell.
#[derive(Clone, Copy, Default)]
pub(super) struct ObjectFields {
    pub(super) name_people: bool,
    /// True if they name both competitors of a game and its result.
    pub(super) describe_game: bool,
    have_results: bool,
}

impl ObjectFields {
    /// Looks at the fields of an object, and at those of the objects in it.
    pub(super) fn of_object(json: &str, headings: &dyn Headings) -> Self {
        let mut fields = Self::default();
        let mut opponents = 0;
        let mut has_outcome = false;
        let mut look = |path: &str| {
            let role = headings.field_role(path);
            fields.name_people |= role.is_some_and(FieldRole::names_people);
            fields.have_results |= role == Some(FieldRole::Result);
            match headings.game_role(path) {
                Some(GameRole::Competitor) => opponents += 1,
                Some(GameRole::Outcome) => has_outcome = true,
                Some(GameRole::Winner) => {
                    opponents += 1;
                    has_outcome = true;
                }
                None => {}
            }
        };
        for (key, value) in Entries::parse(json).map_or(Vec::new(), |entries| entries.first) {
            match first_byte(value) {
                Some(b'[') => {}
                Some(b'{') => {
                    let inner = Entries::parse(value).map_or(Vec::new(), |inner| inner.first);
                    for (field, _) in &inner {
                        look(&format!("{key}.{field}"));
                    }
                }
                _ => look(&key),
            }
        }
        fields.describe_game = opponents > 1 && has_outcome;
        fields
    }
}

impl FoundList<'_> {
    /// The rank of objects with names and results, and of games.
    pub(super) const BEST_RANK: u8 = 3;

    /// Returns what the fields of the first object say.
    pub(super) fn fields(&self, headings: &dyn Headings) -> ObjectFields {
        let first = if self.is_keyed {
            Entries::parse(self.json).and_then(|entries| Some(entries.first.first()?.1))
        } else {
            first_element(self.json)
        };
        first.map_or(ObjectFields::default(), |json| ObjectFields::of_object(json, headings))
    }

    /// Returns how well objects fit as rows: those with names and results fit best.
    pub(super) fn rank(&self, headings: &dyn Headings) -> u8 {
        let fields = self.fields(headings);
        match (fields.have_results, fields.name_people) {
            _ if fields.describe_game => Self::BEST_RANK,
            (true, true) => Self::BEST_RANK,
            (true, false) => 2,
            (false, true) => 1,
            (false, false) => 0,
        }
    }

    /// Returns the rank of the objects, or the best of those in arrays within them, such as the standings
    /// of groups.
    fn deep_rank(&self, headings: &dyn Headings, depth: usize) -> u8 {
        let elements = first_element(self.json).filter(|_| !self.is_keyed && depth > 0);
        let fields = elements.and_then(Entries::parse).map_or(Vec::new(), |entries| entries.first);
        let lists = fields.into_iter().map(|(key, json)| FoundList {
            path: key.into_owned(),
            json,
            is_keyed: false,
        });
        let inner = lists
            .filter(|list| first_byte(list.json) == Some(b'[') && !list.holds_members())
            .map(|list| list.deep_rank(headings, depth - 1));
        inner.chain([self.rank(headings)]).max().unwrap_or_default()
    }
}

/// A key, borrowed from the document if it has no escapes.
#[derive(Deserialize)]
pub(super) struct KeyText<'d>(#[serde(borrow)] pub(super) Cow<'d, str>);

/// Returns the first byte of a value after white space.
pub(super) fn first_byte(json: &str) -> Option<u8> {
    json.bytes().find(|byte| !byte.is_ascii_whitespace())
}

/// Returns the first element of an array.
pub(super) fn first_element(list: &str) -> Option<&str> {
    let (_, elements) = list.split_once('[')?;
    let mut elements = serde_json::Deserializer::from_str(elements).into_iter::<&RawValue>();
    elements.next()?.ok().map(RawValue::get)
}

/// Takes the objects that fit best as rows, from those in the object or array at this path. Errors
/// if several have results, or none.
pub(super) fn choose_list<'d>(
    lists: &mut Vec<FoundList<'d>>,
    outer: &str,
    headings: &dyn Headings,
) -> Result<Option<FoundList<'d>>, FileReadError> {
    if lists.len() < 2 {
        return Ok(lists.pop());
    }
    let ranks: Vec<u8> = lists.iter().map(|list| list.deep_rank(headings, MAX_GROUPS)).collect();
    let best = ranks.iter().copied().max().unwrap_or_default();
    let mut fitting = ranks.iter().enumerate().filter(|(_, rank)| **rank == best);
    match (fitting.next(), fitting.next()) {
        (Some((index, _)), None) if best > 1 => Ok(Some(lists.remove(index))),
        _ => Err(refuse_several(lists, outer)),
    }
}

fn refuse_several(lists: &[FoundList<'_>], outer: &str) -> FileReadError {
    let names = lists
        .iter()
        .take(MAX_NAMED)
        .map(|list| Quoted(&shorten(&list.path)).to_string());
    let options = lists.iter().take(MAX_NAMED).map(|list| {
        let path = [outer, &list.path].join(if outer.is_empty() { "" } else { "." });
        CommandOptions::new("--rows", path)
    });
    let options: Vec<CommandOptions> = options.collect();
    let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
    let others = match lists.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let reason = format!(
        "{}{others} are arrays of objects: choose the one that has the results, with {}",
        names.collect::<Vec<_>>().join(" and "),
        listed.join(" or "),
    );
    FileReadError::whole_document(Reason::from(reason).naming(options))
}

/// Takes the array at a path that the user states, or the one that the path is in. Returns it with the
/// rest of the path.
pub(super) fn take_stated<'d>(lists: &mut Vec<FoundList<'d>>, rows: &str) -> Option<FoundList<'d>> {
    let at = lists.iter().position(|list| rest_of_path(&list.path, rows).is_some())?;
    Some(lists.swap_remove(at))
}

/// Returns the rest of a path behind that of an object or array that it is in.
pub(super) fn rest_of_path<'p>(outer: &str, path: &'p str) -> Option<&'p str> {
    match path.strip_prefix(outer)? {
        "" => Some(""),
        path if outer.is_empty() => Some(path).filter(|path| *path != DOCUMENT).or(Some("")),
        rest => rest.strip_prefix('.'),
    }
}

/// Finds objects whose values are objects of one kind, such as members by id; or the one at the path
/// that the user states.
pub(super) fn find_keyed<'d>(text: &'d str, rows: Option<&str>) -> Vec<FoundList<'d>> {
    let mut lists = Vec::new();
    search_keyed(text, String::new(), rows, &mut lists);
    lists
}

fn search_keyed<'d>(
    json: &'d str,
    path: String,
    rows: Option<&str>,
    lists: &mut Vec<FoundList<'d>>,
) {
    let Some(entries) = Entries::parse(json) else {
        return;
    };
    let is_stated = rows.map(|rows| rows == path || (rows == DOCUMENT && path.is_empty()));
    if entries.are_objects && is_stated.unwrap_or_else(|| are_of_one_kind(&entries)) {
        lists.push(FoundList {
            path,
            json,
            is_keyed: true,
        });
        return;
    }
    let depth = path.split('.').count();
    for (key, value) in entries.first {
        if first_byte(value) == Some(b'{') && depth < MAX_DEPTH && lists.len() <= MAX_NAMED {
            let inner = if path.is_empty() {
                key.into_owned()
            } else {
                format!("{path}.{key}")
            };
            search_keyed(value, inner, rows, lists);
        }
    }
}

/// True for two objects or more that share a key.
fn are_of_one_kind(entries: &Entries<'_>) -> bool {
    let mut shared: Option<HashSet<Cow<'_, str>>> = None;
    for (_, value) in entries.first.iter().take(COMPARED_OBJECTS) {
        let keys = Entries::parse(value).map_or(Vec::new(), |value| value.first);
        let keys: HashSet<_> = keys.into_iter().map(|(key, _)| key).collect();
        shared = Some(match shared {
            None => keys,
            Some(shared) => shared.intersection(&keys).cloned().collect(),
        });
    }
    entries.first.len() > 1 && shared.is_some_and(|shared| !shared.is_empty())
}
