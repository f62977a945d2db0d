//! docs/json.schema.json: the keys of each definition, by their paths.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::Value;

use crate::support::pages::read;

/// The keys of a definition by their paths: `rows[].mu` is a key of each element of `rows`.
pub(crate) type Keys = BTreeMap<String, Key>;

/// A documented key.
pub(crate) struct Key {
    /// The type, such as `number or null`, `array of strings` or `map`.
    pub(crate) kind: String,
    /// The definition that states the key, preceded by those that refer to it.
    pub(crate) statements: Vec<Statement>,
}

/// A definition, and the path of a key or of a reference to another definition in it.
pub(crate) type Statement = (String, String);

pub(crate) struct JsonSchema {
    definitions: serde_json::Map<String, Value>,
}

impl JsonSchema {
    pub(crate) fn read() -> Self {
        let schema: Value = serde_json::from_str(&read("docs/json.schema.json")).unwrap();
        Self {
            definitions: schema["$defs"].as_object().unwrap().clone(),
        }
    }

    /// Returns the names of the definitions with true for those of a command, whose titles begin
    /// with it: a shared definition has a title in capitals.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (&str, bool)> {
        self.definitions.iter().map(|(name, definition)| {
            let title = definition["title"].as_str().unwrap();
            (&**name, title.starts_with(char::is_lowercase))
        })
    }

    /// Returns the name of the definition with this title.
    pub(crate) fn find(&self, title: &str) -> &str {
        let mut definitions = self.definitions.iter();
        let named = definitions.find(|(_, definition)| definition["title"] == title);
        named.map_or_else(|| panic!("no definition {title}"), |(name, _)| name)
    }

    /// Returns the keys of a definition, with those of the definitions that it refers to.
    pub(crate) fn keys(&self, definition: &str) -> Keys {
        let mut keys = Keys::new();
        self.add_keys(definition, "", &self.definitions[definition], &mut keys);
        keys
    }

    /// Adds the keys below a node; `path` leads to it.
    fn add_keys(&self, definition: &str, path: &str, node: &Value, keys: &mut Keys) {
        let referred = node["$ref"].as_str().into_iter();
        for reference in referred.map(|reference| reference.rsplit_once('/').unwrap().1) {
            let statement = (definition.to_owned(), format!("{path} → {reference}"));
            for (below, mut key) in self.keys(reference) {
                key.statements.insert(0, statement.clone());
                insert(keys, join(path, &below), key);
            }
        }
        for parts in ["allOf", "anyOf"] {
            for part in node[parts].as_array().into_iter().flatten() {
                self.add_keys(definition, path, part, keys);
            }
        }
        if node["items"].is_object() {
            self.add_keys(definition, &format!("{path}[]"), &node["items"], keys);
        }
        for (name, property) in node["properties"].as_object().into_iter().flatten() {
            let path = join(path, name);
            let kind = kind_of(property);
            let statements = vec![(definition.to_owned(), path.clone())];
            insert(keys, path.clone(), Key { kind, statements });
            self.add_keys(definition, &path, property, keys);
        }
    }
}

fn join(path: &str, below: &str) -> String {
    let dot = if path.is_empty() || below.starts_with('[') {
        ""
    } else {
        "."
    };
    format!("{path}{dot}{below}")
}

/// Inserts a key. The rows of a page are stated by the page, and their keys by the list.
fn insert(keys: &mut Keys, path: String, key: Key) {
    match keys.entry(path) {
        Entry::Vacant(entry) => {
            entry.insert(key);
        }
        Entry::Occupied(mut entry) => {
            let path = entry.key().clone();
            let first = entry.get_mut();
            let is_list = first.kind == "array of objects" && key.kind == first.kind;
            assert!(is_list, "{path} is documented twice in {:?}", key.statements);
            first.statements.extend(key.statements);
        }
    }
}

/// Returns the type of a property, without those of its parts.
fn kind_of(property: &Value) -> String {
    if property["$ref"].is_string() {
        return "object".to_owned();
    }
    if let Some(parts) = property["anyOf"].as_array() {
        let is_nullable = parts.iter().any(|part| part["type"] == "null");
        return if is_nullable {
            "object or null"
        } else {
            "object"
        }
        .to_owned();
    }
    let (kind, suffix) = match &property["type"] {
        Value::Array(kinds) => (kinds[0].as_str().unwrap(), " or null"),
        kind => (kind.as_str().unwrap(), ""),
    };
    let kind = match kind {
        "object" if property["additionalProperties"] == true => "map".to_owned(),
        "array" => format!("array of {}s", property["items"]["type"].as_str().unwrap_or("object")),
        kind => kind.to_owned(),
    };
    kind + suffix
}
