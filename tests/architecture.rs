//! The maps of the code: ARCHITECTURE.md, crates/README.md and the module tables of the crates say
//! what the sources and manifests say. And an invariant that only a search of the sources can check.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the text of ARCHITECTURE.md below a heading, up to the next of its level.
fn read_section(heading: &str) -> String {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let mut sections = text.split("\n## ").skip(1);
    let section = sections.find_map(|section| section.strip_prefix(heading));
    section.unwrap().to_owned()
}

/// Returns the words in backticks in one column of all tables, counted from 0.
fn parse_column(section: &str, column: usize) -> Vec<String> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches(" |").split(" | ").nth(column));
    let words = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    words.map(str::to_owned).collect()
}

/// Adds the paths of all Rust files in a folder and its subfolders.
fn find_sources(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

#[test]
fn tests_named_in_architecture_md_exist() {
    let mut sources = Vec::new();
    for folder in ["tests", "crates"] {
        find_sources(&repository().join(folder), &mut sources);
    }
    let mut known = std::fs::read_to_string(repository().join(".ci/limits")).unwrap();
    for source in sources {
        known.push_str(&std::fs::read_to_string(source).unwrap());
    }
    let names = parse_column(&read_section("Invariants"), 1);
    let is_file = |name: &str| name.contains(['.', '/']);
    let tests: Vec<&String> = names.iter().filter(|name| !is_file(name)).collect();
    assert!(tests.len() > 30, "{tests:?}");
    for name in tests {
        let function = format!("fn {name}(");
        let limit = format!("\n{name} ");
        assert!(known.contains(&function) || known.contains(&limit), "there is no test {name}");
    }
}

/// Returns the rows of all tables as the words in backticks of each cell.
fn parse_rows(section: &str) -> Vec<Vec<Vec<&str>>> {
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches('|').split('|'));
    cells
        .map(|cells| cells.map(|cell| cell.split('`').skip(1).step_by(2).collect()))
        .map(Iterator::collect)
        .collect()
}

#[test]
fn files_and_symbols_named_in_recipes_exist() {
    let recipes = read_section("Recipes");
    let is_example =
        |file: &&&str| ["NAME", "FAMILY", "GROUP"].iter().any(|word| file.contains(word));
    let mut files_checked = 0;
    let mut symbols_checked = 0;
    for row in parse_rows(&recipes) {
        let [files, symbols, ..] = &row[..] else {
            panic!("a row of a recipe has fewer than three cells: {row:?}");
        };
        let mut text = String::new();
        for file in files.iter().filter(|file| !is_example(file)) {
            let path = repository().join(file);
            assert!(path.exists(), "there is no {file}");
            text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
            files_checked += 1;
        }
        for symbol in symbols {
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            let mut words = text.split(|character| !is_part(character));
            assert!(words.any(|word| word == *symbol), "no {symbol} in {files:?}");
            symbols_checked += 1;
        }
    }
    assert!(files_checked > 40, "{files_checked}");
    assert!(symbols_checked > 30, "{symbols_checked}");
}

/// Returns the crates of the workspace with the crates of it that they depend on.
fn crate_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut dependencies = BTreeMap::new();
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(manifest) else {
            continue;
        };
        let manifest: toml::Table = text.parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        let table = manifest.get("dependencies").and_then(toml::Value::as_table);
        let names = table.into_iter().flat_map(toml::Table::keys);
        let names = names.filter(|name| name.starts_with("ranklore"));
        dependencies.insert(name, names.cloned().collect());
    }
    dependencies
}

#[test]
fn crates_depend_on_crates_further_down_the_table() {
    let table = std::fs::read_to_string(repository().join("crates/README.md")).unwrap();
    let order = parse_column(&table, 0);
    let position = |name: &str| order.iter().position(|listed| listed == name);
    let dependencies = crate_dependencies();
    assert_eq!(order.len(), dependencies.len(), "{order:?}");
    for (name, needed) in dependencies {
        for needed in needed {
            assert!(
                position(&name).unwrap() < position(&needed).unwrap(),
                "{name} depends on {needed}, which stands above it in crates/README.md"
            );
        }
    }
}

/// Returns the arrows of the diagram of crates, in short names: `A & B --> C & D`.
fn diagram_arrows(overview: &str) -> BTreeSet<(String, String)> {
    let diagram = overview.split("flowchart TD\n").nth(1).unwrap();
    let (diagram, _) = diagram.split_once("```").unwrap();
    let mut arrows = BTreeSet::new();
    for line in diagram.lines() {
        let (sources, targets) = line.split_once(" --> ").unwrap();
        for source in sources.split(" & ") {
            for target in targets.split(" & ") {
                let name = |text: &str| text.trim().split('[').next().unwrap().to_owned();
                arrows.insert((name(source), name(target)));
            }
        }
    }
    arrows
}

/// An arrow between neighbours stands for what they depend on in turn.
#[test]
fn diagram_shows_dependencies_of_crates() {
    let arrows = diagram_arrows(&read_section("Overview"));
    let sites = [
        "atcoder",
        "codeforces",
        "ctftime",
        "o2cm",
        "racetime",
        "reddit",
        "topcoder",
    ];
    let tests = ["conformance", "test-support"];
    let short = |name: &str| {
        let name = name.trim_start_matches("ranklore-");
        if sites.contains(&name) { "sites" } else { name }.to_owned()
    };
    let mut needed: BTreeSet<(String, String)> = BTreeSet::new();
    for (name, dependencies) in crate_dependencies() {
        if !tests.contains(&&*short(&name)) {
            needed.extend(dependencies.iter().map(|other| (short(&name), short(other))));
        }
    }
    for arrow in &arrows {
        assert!(needed.contains(arrow), "{} does not depend on {}", arrow.0, arrow.1);
    }
    for (name, dependency) in needed {
        let mut reached = BTreeSet::from([name.clone()]);
        for _ in 0..arrows.len() {
            let next = arrows.iter().filter(|(source, _)| reached.contains(source));
            let next: Vec<String> = next.map(|(_, target)| target.clone()).collect();
            reached.extend(next);
        }
        assert!(reached.contains(&dependency), "no arrow from {name} to {dependency}");
    }
}

/// Returns the first sentence of a module's documentation.
fn read_first_sentence(module: &Path) -> String {
    let text = std::fs::read_to_string(module).unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).map(str::trim).collect();
    let text = lines.join(" ");
    let (sentence, _) = text.split_once(". ").unwrap_or((text.trim_end_matches('.'), ""));
    // A link of the module leads nowhere from the README.
    sentence.replace("[`", "`").replace("`]", "`")
}

/// Returns a table of the modules directly in the `src` of a crate.
fn module_table(sources: &Path) -> String {
    let mut modules = BTreeMap::new();
    for entry in std::fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = path.join("mod.rs");
        if file.exists() {
            modules.insert(name, read_first_sentence(&file));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !["lib", "main", "tests"].contains(&&*name)
        {
            modules.insert(name, read_first_sentence(&path));
        }
    }
    let mut table = "| module | job |\n|---|---|\n".to_owned();
    for (name, sentence) in modules {
        let _ = writeln!(table, "| `{name}` | {sentence} |");
    }
    table
}

/// `RANKLORE_REWRITE=1 cargo test -p ranklore architecture::` writes the tables anew.
#[test]
fn module_tables_say_what_modules_say() {
    let mut checked = 0;
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let readme = folder.join("README.md");
        let Ok(text) = std::fs::read_to_string(&readme) else {
            continue;
        };
        if !folder.join("src").is_dir() {
            continue;
        }
        let start = text.find("| module | job |\n").unwrap_or_else(|| {
            panic!("{} has no table of its modules", readme.display());
        });
        let length = text[start..].find("\n\n").map_or(text.len() - start, |end| end + 1);
        let table = module_table(&folder.join("src"));
        if std::env::var_os("RANKLORE_REWRITE").is_some() {
            let rest = &text[start + length..];
            let text = format!("{}{table}{rest}", &text[..start]);
            std::fs::write(&readme, text).unwrap();
        } else {
            assert_eq!(&text[start..start + length], table, "{}", readme.display());
        }
        checked += 1;
    }
    assert!(checked > 15, "{checked}");
}

/// A file without its `mod` line would silently never run.
#[test]
fn every_test_file_is_compiled() {
    let tests = repository().join("tests");
    let modules = std::fs::read_to_string(tests.join("main.rs")).unwrap();
    let is_program = |file: &str| ["main.rs", "real_data.rs"].contains(&file);
    let mut checked = 0;
    for entry in std::fs::read_dir(&tests).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(module) = file.strip_suffix(".rs").filter(|_| !is_program(&file)) else {
            continue;
        };
        let line = format!("mod {module};\n");
        assert!(modules.contains(&line), "tests/main.rs lacks mod {module};");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn libraries_do_not_read_wall_clock() {
    // Programs and tests may; the lock file contains a time for people.
    let exempt = ["ranklore", "ranklore-test-support"];
    let lock_file = Path::new("ranklore-store/src/file/lock.rs");
    let crates = repository().join("crates");
    for entry in std::fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("src").is_dir() || exempt.iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        let mut sources = Vec::new();
        find_sources(&folder.join("src"), &mut sources);
        for source in sources.iter().filter(|source| !source.ends_with(lock_file)) {
            let text = std::fs::read_to_string(source).unwrap();
            for clock in ["SystemTime::now", "Timestamp::now", "Zoned::now"] {
                assert!(!text.contains(clock), "{} calls {clock}", source.display());
            }
        }
    }
}
