//! The page docs/json.md against the output of every command with `--json`: keys and types.

mod collect;
mod maintain;
mod page;
mod rate_and_view;

use crate::mine_reddit::site;
use std::collections::{BTreeMap, BTreeSet};

use crate::support::Scratch;
use page::{JsonPage, Key, Keys, RowId};
use serde_json::Value;

/// The section with tables that several commands share.
const SHARED: &str = "Common keys";

/// The printed values by the heading of the table that documents them.
#[derive(Default)]
struct PrintedValues(BTreeMap<&'static str, Vec<Value>>);

impl PrintedValues {
    /// Adds the output of a command, which must succeed.
    fn run(&mut self, heading: &'static str, scratch: &Scratch, arguments: &[&str]) {
        self.add(heading, scratch.json(arguments));
    }

    fn add(&mut self, heading: &'static str, value: Value) {
        self.0.entry(heading).or_default().push(value);
    }

    fn append(&mut self, other: Self) {
        for (heading, values) in other.0 {
            self.0.entry(heading).or_default().extend(values);
        }
    }
}

#[test]
fn documented_keys_are_the_printed_keys() {
    let page = JsonPage::read();
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
            maintain::kept,
            maintain::taken_back,
        ];
        let groups = groups.map(|print| scope.spawn(print));
        for group in groups {
            printed.append(group.join().unwrap());
        }
    });
    let documented: BTreeSet<&str> = page.headings_with_tables().collect();
    let printed_by: BTreeSet<&str> = printed.0.keys().copied().collect();
    assert_eq!(documented, printed_by, "tables and printed values");
    let mut faults = Vec::new();
    let mut unused: BTreeSet<RowId> = page.rows().collect();
    for (heading, values) in &printed.0 {
        let used = compare(&page, heading, values, &mut faults);
        unused.retain(|row| !used.contains(row));
    }
    for (heading, key) in unused {
        faults.push(format!(
            "{heading}: {key} is documented and no run of the test prints a value"
        ));
    }
    assert!(faults.is_empty(), "docs/json.md: {faults:#?}");
}

#[test]
fn examples_have_the_documented_keys() {
    let (page, mut faults) = (JsonPage::read(), Vec::new());
    assert!(page.examples().count() >= 4);
    for (heading, example) in page.examples() {
        compare(&page, heading, std::slice::from_ref(example), &mut faults);
    }
    assert!(faults.is_empty(), "examples of docs/json.md: {faults:#?}");
}

/// Compares values with the table that documents them. Adds to the faults: keys without a row,
/// values of another type, and rows whose key is missing in a printed object. Returns the rows of
/// the keys with a value other than null.
fn compare(
    page: &JsonPage,
    heading: &str,
    values: &[Value],
    faults: &mut Vec<String>,
) -> BTreeSet<RowId> {
    let (keys, mut seen) = (page.keys(heading), BTreeMap::new());
    for value in values {
        collect_keys(value, "", &keys, &mut seen);
    }
    let (mut used, mut objects) = (BTreeSet::new(), BTreeSet::new());
    for (path, values) in &seen {
        objects.insert(parent_of(path));
        let Some(Key { kind, rows }) = keys.get(path) else {
            faults.push(format!("{heading}: {path} is printed and not documented"));
            continue;
        };
        if values.iter().any(|value| !value.is_null()) {
            used.extend(rows.iter().cloned());
        }
        if let Some(value) = values.iter().find(|value| !fits(kind, value)) {
            let fault = format!("{heading}: {path} is documented as {kind} and printed as {value}");
            faults.push(fault);
        }
    }
    // A nested object that is null or in an empty list says nothing about its keys.
    for path in keys.keys().filter(|path| !seen.contains_key(*path)) {
        if objects.contains(parent_of(path)) {
            faults.push(format!("{heading}: {path} is documented and not printed"));
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
    seen: &mut BTreeMap<String, Vec<&'a Value>>,
) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{key}");
                let is_map = documented
                    .get(&path)
                    .is_some_and(|key| key.kind.starts_with("map"));
                if !is_map {
                    collect_keys(value, &path, documented, seen);
                }
                seen.entry(path).or_default().push(value);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_keys(item, &format!("{path}[]"), documented, seen);
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
fn every_command_has_a_section() {
    let help = Scratch::new().ok(&["--help"]).out;
    let groups = help.split("Options:\n").next().unwrap();
    let commands = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let mut commands: BTreeSet<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    commands.insert(SHARED);
    let page = JsonPage::read();
    assert_eq!(page.sections().collect::<BTreeSet<_>>(), commands);
}

#[test]
fn completions_and_show_print_no_json() {
    let scratch = Scratch::club();
    scratch.run(&["completions", "bash", "--json"]).exits(2);
    scratch
        .run(&["documents", "club", "--show", "1", "--json"])
        .exits(2);
}
