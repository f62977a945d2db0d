//! The description of the tables in `fixtures/tables/`.

use serde::Deserialize;

use crate::support::{Scratch, fixtures};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Corpus {
    pub(crate) table: Vec<Table>,
}

/// A table, options, and what they give.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) file: String,
    pub(crate) why: String,
    #[serde(default)]
    pub(crate) options: Vec<String>,
    pub(crate) contests: Option<Vec<TableContest>>,
    pub(crate) refused: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableContest {
    pub(crate) name: String,
    pub(crate) division: Option<String>,
    pub(crate) event: Option<String>,
    pub(crate) date: String,
    pub(crate) kind: Option<String>,
    pub(crate) places: Vec<String>,
}

impl Corpus {
    pub(crate) fn read() -> Self {
        let text = std::fs::read_to_string(fixtures().join("tables/tables.toml")).unwrap();
        toml::from_str(&text).unwrap()
    }

    /// Returns the tables that can be read.
    pub(crate) fn readable(&self) -> impl Iterator<Item = &Table> {
        self.table.iter().filter(|table| table.contests.is_some())
    }
}

impl Table {
    pub(crate) fn path(&self) -> String {
        let path = fixtures().join("tables").join(&self.file);
        path.to_str().unwrap().to_owned()
    }

    /// Imports a file with the options of this table and further ones.
    pub(crate) fn import_into(
        &self,
        scratch: &Scratch,
        path: &str,
        source: &str,
        further: &[&str],
    ) {
        let mut words = vec!["import", path, "--source", source];
        words.extend(self.options.iter().map(String::as_str));
        scratch.ok(&[&words, further].concat());
    }
}
