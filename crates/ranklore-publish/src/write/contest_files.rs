//! Writer of contest files in the format of Elo-MMR, one per contest, in replay order.

use std::fs;
use std::path::{Path, PathBuf};

use super::{TableWriter, WrittenFile, create_parent_folders};
use crate::batch::RowBatch;
use crate::error::Error;
use crate::scan::items::Partition;

/// Writes `elo-mmr/SOURCE/000001.json` and so on.
pub(crate) struct ContestFileWriter {
    root: PathBuf,
    source: String,
    files: u32,
    written: Vec<WrittenFile>,
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
    fn write(&mut self, _: &Partition, _: &RowBatch) -> Result<(), Error> {
        Ok(())
    }

    fn write_file(&mut self, source: &str, json: &str) -> Result<(), Error> {
        if self.source != source {
            source.clone_into(&mut self.source);
            self.files = 0;
        }
        self.files += 1;
        let relative = format!("elo-mmr/{source}/{:06}.json", self.files);
        let path = create_parent_folders(&self.root, &relative)?;
        fs::write(&path, json).map_err(Error::from_io(&path))?;
        self.written.push(WrittenFile {
            table: None,
            path: relative,
        });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        Ok(self.written)
    }
}
