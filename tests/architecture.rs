//! ARCHITECTURE.md: the tests and files that it names exist, and an invariant that only a search
//! of the sources can check.

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
        assert!(
            known.contains(&function) || known.contains(&limit),
            "there is no test {name}"
        );
    }
}

#[test]
fn files_named_in_recipes_exist() {
    let files = parse_column(&read_section("Recipes"), 0);
    let is_example = |file: &str| {
        ["NAME", "FAMILY", "GROUP"]
            .iter()
            .any(|word| file.contains(word))
    };
    // A name alone, such as `mod.rs`, stands for a file beside the one before it.
    let is_path =
        |file: &str| file == "Cargo.toml" || (file.contains('/') && !file.starts_with("export/"));
    let paths = files
        .iter()
        .filter(|file| is_path(file) && !is_example(file));
    let mut checked = 0;
    for path in paths {
        assert!(repository().join(path).exists(), "there is no {path}");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
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
