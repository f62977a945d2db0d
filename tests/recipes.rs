//! The recipes of docs/import.md: their commands run as pasted and print the output shown.

#![cfg(unix)]

use crate::support::pages;
use pages::{check_output, parse_blocks, read, repository};

/// The folders of the fixtures that the recipes import.
const TABLES: [&str; 4] = [
    "fixtures/recipes",
    "fixtures/recipes/f1",
    "fixtures/recipes/wca",
    "fixtures/tables",
];

#[test]
fn recipes_print_output_shown() {
    let folder = tempfile::tempdir().unwrap();
    for tables in TABLES {
        std::fs::create_dir_all(folder.path().join(tables)).unwrap();
        for table in std::fs::read_dir(repository().join(tables)).unwrap() {
            let table = table.unwrap();
            if table.file_type().unwrap().is_file() {
                let copy = folder.path().join(tables).join(table.file_name());
                std::fs::copy(table.path(), copy).unwrap();
            }
        }
    }
    let page = read("docs/import.md");
    let (_, recipes) = page.split_once("\n## Recipes\n").unwrap();
    let (recipes, _) = recipes.split_once("\n## ").unwrap();
    for recipe in recipes.split("\n### ").skip(1) {
        let examples = parse_blocks(recipe);
        assert!(!examples.is_empty(), "no commands in {recipe}");
        for example in examples.iter().flatten() {
            check_output(example, folder.path());
        }
    }
}
