//! Whatever imports has the same content in every other form: with its saved mapping, as a dataset,
//! and written in another way. All tables are in one database, each as a source of its own.

use ranklore_formats::FileFormat;

use super::corpus::{Corpus, Table};
use crate::support::Scratch;

#[test]
fn saved_mappings_read_tables_alike() {
    let folder = Scratch::new();
    let expected = Scratch::new();
    let mapped = Scratch::new();
    for (source, table) in sources(&Corpus::read()) {
        let mapping = folder.path(&format!("{source}.toml"));
        let mapping = mapping.to_str().unwrap();
        let path = table.path();
        table.import_into(&expected, &path, &source, &["--dry-run", "--save-mapping", mapping]);
        table.import_into(&expected, &path, &source, &[]);
        mapped.ok(&["import", &path, "--source", &source, "--mapping", mapping]);
    }
    assert_alike(&mapped, &expected);
}

#[test]
fn imported_tables_survive_as_datasets() {
    let corpus = Corpus::read();
    let imported = Scratch::new();
    let mut names = Vec::new();
    for (source, table) in sources(&corpus) {
        table.import_into(&imported, &table.path(), &source, &[]);
        names.push(source);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    imported.ok(&[&["rate", "--together"], &names[..]].concat());
    imported.ok(&[&["export", "--to", "out", "--with", "ratings"], &names[..]].concat());
    let checked = imported.ok(&["verify", "out"]);
    assert!(checked.out.starts_with("no problems: "), "{}", checked.out);
    let other = Scratch::new();
    other.ok(&["import", imported.path("out").to_str().unwrap()]);
    assert_alike(&other, &imported);
    imported.ok(&["rebuild"]);
    assert_alike(&other, &imported);
}

#[test]
fn order_of_rows_does_not_matter() {
    let reversed = Scratch::new();
    let expected = Scratch::new();
    for (source, table) in sources(&Corpus::read()) {
        // The rows of other formats are not their lines.
        if FileFormat::from_file_name(&table.file) != Some(FileFormat::Table) {
            continue;
        }
        let bytes = std::fs::read(table.path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        if bytes.starts_with(b"\xff\xfe") || text.contains("sep=") {
            continue;
        }
        let mut rows: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        rows[1..].reverse();
        let folder = Scratch::new();
        folder.write(&table.file, rows.concat());
        table.import_into(&reversed, folder.path(&table.file).to_str().unwrap(), &source, &[]);
        table.import_into(&expected, &table.path(), &source, &[]);
    }
    assert_alike(&reversed, &expected);
}

/// Returns the tables that can be read, each with the name of a source.
fn sources(corpus: &Corpus) -> Vec<(String, &Table)> {
    let tables = corpus.readable().enumerate();
    let named = tables.map(|(index, table)| {
        let letters = table.file.to_ascii_lowercase();
        let letters = letters.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        (format!("{letters}-{index}"), table)
    });
    named.collect()
}

/// Asserts that two databases have the same contests; a message names those that differ.
fn assert_alike(database: &Scratch, expected: &Scratch) {
    let contests = |scratch: &Scratch| {
        let contests = scratch.rows(
            "SELECT source.name || ': ' || contest.name || ' ' || hex(content_hash)
             FROM contest JOIN source USING (source_id) ORDER BY 1",
        );
        assert!(contests.len() > 100, "{}", contests.len());
        contests
    };
    let expected_contests = contests(expected);
    let contests = contests(database);
    let differs = |contest: &&String| !expected_contests.contains(contest);
    let different: Vec<&String> = contests.iter().filter(differs).collect();
    assert!(different.is_empty(), "{different:#?}");
    assert_eq!(contests.len(), expected_contests.len());
    assert_eq!(database.content_hash(), expected.content_hash());
}
