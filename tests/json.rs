//! docs/json.schema.json and the examples of docs/json.md against the output of every command with
//! `--json`: keys and types.

mod collect;
mod maintain;
mod rate_and_view;
mod schema;

use crate::mine_reddit::site;
use std::collections::{BTreeMap, BTreeSet};

use crate::support::Scratch;
use crate::support::pages::{parse_blocks, read};
use schema::{JsonSchema, Key, Keys, Statement};
use serde_json::Value;

/// The printed values by the title of the definition that describes them.
#[derive(Default)]
struct PrintedValues(BTreeMap<&'static str, Vec<Value>>);

impl PrintedValues {
    /// Adds the output of a command, which must succeed.
    fn run(&mut self, title: &'static str, scratch: &Scratch, arguments: &[&str]) {
        self.add(title, scratch.json(arguments));
    }

    fn add(&mut self, title: &'static str, value: Value) {
        self.0.entry(title).or_default().push(value);
    }

    fn append(&mut self, other: Self) {
        for (title, values) in other.0 {
            self.0.entry(title).or_default().extend(values);
        }
    }
}

#[test]
fn documented_keys_are_the_printed_keys() {
    let schema = JsonSchema::read();
    let mut printed = PrintedValues::default();
    std::thread::scope(|scope| {
        let groups = [
            collect::files,
            collect::mined,
            collect::probed,
            collect::dumped,
            rate_and_view::rated,
            rate_and_view::published,
            rate_and_view::served,
            maintain::status,
            maintain::decided,
            maintain::upkeep,
            maintain::taken_back,
        ];
        let groups = groups.map(|print| scope.spawn(print));
        for group in groups {
            printed.append(group.join().unwrap());
        }
    });
    let definitions = schema.definitions();
    let described: BTreeSet<&str> = definitions
        .filter_map(|(name, is_command)| is_command.then_some(name))
        .collect();
    let printed_by: BTreeSet<&str> = printed.0.keys().map(|title| schema.find(title)).collect();
    assert_eq!(described, printed_by, "definitions and printed values");
    let mut faults = Vec::new();
    let mut unused: BTreeSet<Statement> = BTreeSet::new();
    for (name, _) in schema.definitions() {
        let keys = schema.keys(name).into_values();
        unused.extend(keys.flat_map(|key| key.statements));
    }
    for (title, values) in &printed.0 {
        let used = compare(&schema, title, values, &mut faults);
        unused.retain(|statement| !used.contains(statement));
    }
    for (definition, key) in unused {
        faults.push(format!(
            "{definition}: {key} is documented and no run of the test prints a value"
        ));
    }
    assert!(faults.is_empty(), "docs/json.schema.json: {faults:#?}");
}

#[test]
fn examples_have_the_documented_keys() {
    let schema = JsonSchema::read();
    let mut faults = Vec::new();
    let mut checked = 0;
    for example in parse_blocks(&read("docs/json.md")).into_iter().flatten() {
        if !example.output.is_empty() {
            let command = example.command.split(' ').nth(1).unwrap();
            let value = serde_json::from_str(&example.output.join("\n")).unwrap();
            compare(&schema, command, &[value], &mut faults);
            checked += 1;
        }
    }
    assert_eq!(checked, 1);
    assert!(faults.is_empty(), "examples of docs/json.md: {faults:#?}");
}

/// Compares values with the definition that describes them. Adds to the faults: keys that it lacks,
/// values of another type, and keys that are missing in a printed object. Returns the statements
/// about keys with a value other than null.
fn compare(
    schema: &JsonSchema,
    title: &str,
    values: &[Value],
    faults: &mut Vec<String>,
) -> BTreeSet<Statement> {
    let keys = schema.keys(schema.find(title));
    let mut printed = BTreeMap::new();
    for value in values {
        collect_keys(value, "", &keys, &mut printed);
    }
    let mut used = BTreeSet::new();
    let mut objects = BTreeSet::new();
    for (path, values) in &printed {
        objects.insert(parent_of(path));
        let Some(Key { kind, statements }) = keys.get(path) else {
            faults.push(format!("{title}: {path} is printed and not documented"));
            continue;
        };
        if values.iter().any(|value| !value.is_null()) {
            used.extend(statements.iter().cloned());
        }
        if let Some(value) = values.iter().find(|value| !fits(kind, value)) {
            let fault = format!("{title}: {path} is documented as {kind} and printed as {value}");
            faults.push(fault);
        }
    }
    // A nested object that is null or in an empty list says nothing about its keys.
    for path in keys.keys().filter(|path| !printed.contains_key(*path)) {
        if objects.contains(parent_of(path)) {
            faults.push(format!("{title}: {path} is documented and not printed"));
        }
    }
    used
}

/// Returns the path of the object that has the key.
fn parent_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// Collects the values below each key path. Stops at maps, whose keys depend on the data.
fn collect_keys<'a>(
    value: &'a Value,
    path: &str,
    documented: &Keys,
    printed: &mut BTreeMap<String, Vec<&'a Value>>,
) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{key}");
                let is_map = documented.get(&path).is_some_and(|key| key.kind.starts_with("map"));
                if !is_map {
                    collect_keys(value, &path, documented, printed);
                }
                printed.entry(path).or_default().push(value);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_keys(item, &format!("{path}[]"), documented, printed);
            }
        }
        _ => {}
    }
}

/// True if a value has the documented type, such as `number or null` or `array of strings`.
fn fits(kind: &str, value: &Value) -> bool {
    let kind = match (kind.strip_suffix(" or null"), value) {
        (nullable, Value::Null) => return nullable.is_some(),
        (nullable, _) => nullable.unwrap_or(kind),
    };
    match value {
        Value::Null => false,
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => kind == "number" || (kind == "integer" && !number.is_f64()),
        Value::String(_) => kind == "string",
        Value::Object(_) => kind == "object" || kind == "map",
        Value::Array(items) => kind.strip_prefix("array of ").is_some_and(|items_are| {
            let kind = items_are.trim_end_matches('s');
            items.iter().all(|item| fits(kind, item))
        }),
    }
}

#[test]
fn every_command_has_a_definition() {
    let help = Scratch::new().ok(&["--help"]).out;
    let groups = help.split("Options:\n").next().unwrap();
    let commands = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let mut commands: BTreeSet<&str> =
        commands.filter_map(|line| line.split_whitespace().next()).collect();
    // Print text only.
    commands.retain(|command| !["completions", "synth"].contains(command));
    let schema = JsonSchema::read();
    let definitions = schema.definitions().filter(|(_, is_command)| *is_command);
    let described = commands.iter().filter(|command| {
        let mut definitions = schema.definitions();
        definitions.any(|(name, is_command)| is_command && name == **command)
    });
    assert_eq!(described.copied().collect::<BTreeSet<_>>(), commands);
    assert!(definitions.count() > commands.len());
}

#[test]
fn commands_that_print_text_refuse_json() {
    let scratch = Scratch::club();
    scratch.run(&["completions", "bash", "--json"]).exits(2);
    scratch.run(&["synth", "--json"]).exits(2).says("prints CSV only");
    scratch.run(&["documents", "club", "--show", "1", "--json"]).exits(2);
}
