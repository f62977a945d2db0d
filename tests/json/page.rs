//! The tables of docs/json.md.

use std::collections::BTreeMap;

use serde_json::Value;

use super::SHARED;
use crate::support::fixtures;

/// The documented keys of a command by their paths.
pub(crate) type Keys = BTreeMap<String, Key>;

/// A documented key.
pub(crate) struct Key {
    pub(crate) kind: String,
    /// The row of the key, preceded by the rows that refer to its table.
    pub(crate) rows: Vec<RowId>,
}

/// A heading, and a key of its table with the reference of the row.
pub(crate) type RowId = (String, String);

/// The page: a table of keys below a heading.
pub(crate) struct JsonPage {
    headings: Vec<Heading>,
}

struct Heading {
    /// 2 for a command, 3 for one of its forms or a shared table.
    level: usize,
    name: String,
    /// The command, or [`SHARED`].
    section: String,
    rows: Vec<Row>,
    /// The JSON below a command.
    examples: Vec<Value>,
}

struct Row {
    /// The key path; of a reference the prefix and `…`.
    key: String,
    kind: String,
    /// The heading whose keys the row stands for.
    reference: Option<String>,
}

impl JsonPage {
    pub(crate) fn read() -> Self {
        let text = std::fs::read_to_string(fixtures().join("../docs/json.md")).unwrap();
        let mut headings: Vec<Heading> = Vec::new();
        let mut in_table = false;
        let mut example: Option<String> = None;
        for line in text.lines() {
            if let Some(mut json) = example.take() {
                if line != "```" {
                    json.extend([line, "\n"]);
                    example = Some(json);
                } else if !json.is_empty() {
                    let json = serde_json::from_str(&json).unwrap();
                    headings.last_mut().unwrap().examples.push(json);
                }
                continue;
            }
            if line.starts_with("$ ranklore ") {
                example = Some(String::new());
            }
            let level = line.chars().take_while(|c| *c == '#').count();
            if level >= 2 {
                let name = line[level..].trim().to_owned();
                let section = match headings.last() {
                    Some(last) if level > 2 => last.section.clone(),
                    _ => name.clone(),
                };
                headings.push(Heading {
                    level,
                    name,
                    section,
                    rows: Vec::new(),
                    examples: Vec::new(),
                });
            }
            in_table = line.starts_with("| key |") || (in_table && line.starts_with('|'));
            if in_table && line.starts_with("| `") {
                headings.last_mut().unwrap().rows.extend(read_rows(line));
            }
        }
        Self { headings }
    }

    /// Returns the headings of the first level.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &str> {
        let sections = self.headings.iter().filter(|of| of.level == 2);
        sections.map(|of| &*of.name)
    }

    /// Returns the headings of tables, except those of shared ones.
    pub(crate) fn headings_with_tables(&self) -> impl Iterator<Item = &str> {
        let tables = self.headings.iter();
        let tables = tables.filter(|of| of.section != SHARED && !of.rows.is_empty());
        tables.map(|of| &*of.name)
    }

    /// Returns the heading and the output of each example.
    pub(crate) fn examples(&self) -> impl Iterator<Item = (&str, &Value)> {
        let headings = self.headings.iter();
        headings.flat_map(|of| of.examples.iter().map(|json| (&*of.name, json)))
    }

    /// Returns all rows of all tables.
    pub(crate) fn rows(&self) -> impl Iterator<Item = RowId> {
        let rows = |of: &Heading| -> Vec<RowId> {
            let ids = of.rows.iter().map(|row| row.id(of));
            ids.collect()
        };
        self.headings.iter().flat_map(rows)
    }

    /// Returns the keys of a table, with those of the tables that it refers to.
    pub(crate) fn keys(&self, heading: &str) -> Keys {
        let found = self.headings.iter().find(|of| of.name == heading);
        let found = found.unwrap_or_else(|| panic!("no table {heading}"));
        let mut keys = Keys::new();
        let mut insert = |path: String, key: Key| {
            let message = format!("{heading}: {path} is documented twice");
            assert!(keys.insert(path, key).is_none(), "{message}");
        };
        for row in &found.rows {
            let Some(reference) = &row.reference else {
                let (kind, rows) = (row.kind.clone(), vec![row.id(found)]);
                insert(row.key.clone(), Key { kind, rows });
                continue;
            };
            let prefix = row.key.trim_end_matches('…');
            for (path, mut key) in self.keys(self.heading_of(reference)) {
                key.rows.insert(0, row.id(found));
                insert(format!("{prefix}{path}"), key);
            }
        }
        keys
    }

    /// Returns the heading that an anchor such as `#mine---probe` leads to.
    fn heading_of(&self, anchor: &str) -> &str {
        let slug = |name: &str| name.to_lowercase().replace(' ', "-");
        let mut headings = self.headings.iter().map(|of| &*of.name);
        let found = headings.find(|name| slug(name) == anchor);
        found.unwrap_or_else(|| panic!("no heading {anchor}"))
    }
}

/// Reads a line of a table: one or several keys in backticks, their type, their meaning. A key that
/// ends with `…` stands for the keys of the heading that the meaning links to.
fn read_rows(line: &str) -> Vec<Row> {
    let mut cells = line.trim_matches('|').split('|').map(str::trim);
    let (keys, kind, meaning) = (
        cells.next().unwrap(),
        cells.next().unwrap(),
        cells.next().unwrap(),
    );
    assert!(!meaning.is_empty(), "{line}");
    let keys = keys.split('`').skip(1).step_by(2);
    let row = |key: &str| Row {
        key: key.to_owned(),
        kind: kind.to_owned(),
        reference: key.ends_with('…').then(|| {
            let (_, link) = meaning.split_once("](#").unwrap();
            link.split(')').next().unwrap().to_owned()
        }),
    };
    keys.map(row).collect()
}

impl Row {
    fn id(&self, heading: &Heading) -> RowId {
        let mut key = self.key.clone();
        key.extend(self.reference.as_deref());
        (heading.name.clone(), key)
    }
}
