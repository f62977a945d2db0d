//! Writer of contest files in the format of Elo-MMR, one per contest, in replay order.

use std::fs;
use std::path::{Path, PathBuf};

use super::{TableWriter, Written, place};
use crate::batch::Batch;
use crate::error::Error;
use crate::scan::piece::Part;

/// Writes `elo-mmr/SOURCE/000001.json` and so on.
pub(crate) struct ContestFileWriter {
    root: PathBuf,
    source: String,
    files: u32,
    written: Vec<Written>,
}

impl ContestFileWriter {
    /// Creates a writer below the folder `root`.
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            source: String::new(),
            files: 0,
            written: Vec::new(),
        }
    }
}

impl TableWriter for ContestFileWriter {
    /// Contest files hold the tables of results themselves.
    fn write(&mut self, _: &Part, _: &Batch) -> Result<(), Error> {
        Ok(())
    }

    fn write_file(&mut self, source: &str, json: &str) -> Result<(), Error> {
        if self.source != source {
            source.clone_into(&mut self.source);
            self.files = 0;
        }
        self.files += 1;
        let relative = format!("elo-mmr/{source}/{:06}.json", self.files);
        let path = place(&self.root, &relative)?;
        fs::write(&path, json).map_err(Error::io(&path))?;
        self.written.push(Written {
            table: None,
            path: relative,
        });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error> {
        Ok(self.written)
    }
}
