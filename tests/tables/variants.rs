//! Whatever imports has the same content in every other form: with its saved mapping, as a dataset,
//! and written in another way.

use ranklore_formats::FileFormat;

use super::corpus::{Corpus, Table};
use crate::support::Scratch;

#[test]
fn saved_mappings_read_tables_alike() {
    for table in Corpus::read().readable() {
        let path = table.path();
        let folder = Scratch::new();
        let mapping = folder.path("mapping.toml");
        let mapping = mapping.to_str().unwrap();
        table.import(&path, &["--dry-run", "--save-mapping", mapping]);
        let expected = table.import(&path, &[]).content_hash();
        let mapped = Scratch::new();
        mapped.ok(&["import", &path, "--source", "club", "--mapping", mapping]);
        let text = std::fs::read_to_string(mapping).unwrap_or_default();
        assert_eq!(mapped.content_hash(), expected, "{}:\n{text}", table.name());
    }
}

#[test]
fn imported_tables_survive_as_datasets() {
    for table in Corpus::read().readable() {
        let name = table.name();
        let club = table.import(&table.path(), &[]);
        let other = Scratch::new();
        club.run(&["rate", "club"]);
        club.ok(&["export", "club", "--to", "out", "--with", "ratings"]);
        let checked = club.ok(&["verify", "out"]);
        assert!(checked.out.starts_with("no problems: "), "{name}: {}", checked.out);
        other.ok(&["import", club.path("out").to_str().unwrap()]);
        assert_eq!(other.content_hash(), club.content_hash(), "{name}");
        club.ok(&["rebuild"]);
        assert_eq!(other.content_hash(), club.content_hash(), "{name}, rebuilt");
    }
}

#[test]
fn order_of_rows_does_not_matter() {
    for table in Corpus::read().readable() {
        // The rows of JSON are not its lines.
        if FileFormat::from_file_name(&table.file) == Some(FileFormat::Json) {
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
        let path = folder.path(&table.file);
        let reversed = table.import(path.to_str().unwrap(), &[]);
        let expected = table.import(&table.path(), &[]).content_hash();
        assert!(reversed.db().exists(), "{}", table.name());
        assert_eq!(reversed.content_hash(), expected, "{}", table.name());
    }
}

impl Table {
    fn name(&self) -> String {
        format!("{} {}", self.file, self.options.join(" "))
    }
}
