//! Writer of files with the rows of one table each.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::csv::CsvEncoder;
use super::json_lines::JsonLinesEncoder;
use super::parquet::ParquetEncoder;
use super::{
    RowEncoder, TableWriter, WriteOptions, WrittenFile, create_parent_folders, table_path,
};
use crate::batch::RowBatch;
use crate::describe::DatasetFormat;
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::Partition;

/// Writes `FORMAT/TABLE.FORMAT`, or `parquet/TABLE/source=S/year=Y/0.parquet`.
pub(super) struct TableFilesWriter {
    root: PathBuf,
    format: DatasetFormat,
    options: WriteOptions,
    open: [Option<OpenFile>; TableId::ALL.len()],
    written: Vec<WrittenFile>,
}

struct OpenFile {
    part: Partition,
    path: PathBuf,
    encoder: Box<dyn RowEncoder>,
}

impl TableFilesWriter {
    /// Creates a writer below the folder `root`.
    pub(super) fn new(format: DatasetFormat, options: WriteOptions, root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            format,
            options,
            open: Default::default(),
            written: Vec::new(),
        }
    }

    fn open(&mut self, table: TableId, part: &Partition) -> Result<OpenFile, Error> {
        let relative = self.partition_path(table, part);
        let path = create_parent_folders(&self.root, &relative)?;
        let file = File::create_new(&path).map_err(Error::from_io(&path))?;
        let encoder = match self.format {
            DatasetFormat::Parquet => ParquetEncoder::create(file, table),
            DatasetFormat::Csv => CsvEncoder::create(file, table, self.options.escape_formulas),
            _ => Ok(JsonLinesEncoder::create(file)),
        };
        self.written.push(WrittenFile {
            table: Some(table),
            path: relative,
        });
        Ok(OpenFile {
            part: part.clone(),
            encoder: encoder.map_err(Error::from_io(&path))?,
            path,
        })
    }

    fn is_partitioned(&self) -> bool {
        self.options.partitioned && self.format == DatasetFormat::Parquet
    }

    fn partition_path(&self, table: TableId, part: &Partition) -> String {
        let name = table.name();
        match (&part.source, part.year) {
            (Some(source), Some(year)) if self.is_partitioned() => {
                format!("parquet/{name}/source={source}/year={year}/0.parquet")
            }
            (Some(source), None) if self.is_partitioned() => {
                format!("parquet/{name}/source={source}/0.parquet")
            }
            _ => table_path(self.format, table),
        }
    }
}

impl TableWriter for TableFilesWriter {
    fn write(&mut self, part: &Partition, batch: &RowBatch) -> Result<(), Error> {
        let index = batch.table.index();
        let mut open = match self.open[index].take() {
            Some(open) if !self.is_partitioned() || open.part == *part => open,
            other => {
                other.map_or(Ok(()), OpenFile::close)?;
                self.open(batch.table, part)?
            }
        };
        open.encoder.write(batch).map_err(Error::from_io(&open.path))?;
        self.open[index] = Some(open);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        for table in TableId::ALL {
            match self.open[table.index()].take() {
                Some(open) => open.close()?,
                None if self.written.iter().any(|file| file.table == Some(table)) => {}
                // An empty table has a file too, so that readers find its columns.
                None => self.open(table, &Partition::WHOLE)?.close()?,
            }
        }
        Ok(self.written)
    }
}

impl OpenFile {
    fn close(self) -> Result<(), Error> {
        let file = self.encoder.finish();
        file.and_then(|file| file.sync_all()).map_err(Error::from_io(&self.path))
    }
}
