//! Export of one table as one file, verified on its own.

use std::path::{Path, PathBuf};

use ranklore_store::Store;

use crate::dictionary::TableId;
use crate::digest::{FORMAT_VERSION, TableHasher};
use crate::error::Error;
use crate::export::staging::Staging;
use crate::export::tables::write_tables;
use crate::export::{ExportRequest, ensure_contests, expected_rows, verify_selection};
use crate::progress::ExportProgress;
use crate::read::StoredTable;
use crate::write::table_path;

/// A table in a temporary folder, which is removed on drop.
#[derive(Debug)]
pub struct ExportedTable {
    path: PathBuf,
    rows: u64,
    _staging: Staging,
}

impl ExportedTable {
    /// Returns the path of the file, to move it away.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }
}

/// Exports one table of a dataset in the first format of the request. Verifies the rows of this table
/// in the database, and those of the file against what was written to it.
///
/// # Errors
/// [`Error::Busy`], [`Error::NothingToExport`], [`Error::VerificationFailed`],
/// [`Error::Interrupted`], or a failed read or write.
pub fn export_table(
    store: &Store,
    request: &ExportRequest<'_>,
    table: TableId,
    watch: &dyn ExportProgress,
) -> Result<ExportedTable, Error> {
    let Some(&format) = request.formats.first() else {
        let selection = format!("{} in no format", table.name());
        return Err(Error::NothingToExport { selection });
    };
    let staging = Staging::create(request.to)?;
    verify_selection(store, &request.selection, &[table])?;
    watch.begin_task("exporting", Some(expected_rows(store, request)?));
    // Contests are few, and say that there is something to export.
    let tables = [TableId::Contest, table];
    let written = write_tables(store, request, &tables, staging.folder(), watch)?;
    ensure_contests(&written, &request.selection)?;
    let file = StoredTable {
        path: staging.folder().join(table_path(format, table)),
        table,
        format,
        has_escapes: request.escape_formulas,
        version: FORMAT_VERSION,
    };
    let (rows, digest) = written.digests[table.index()];
    watch.begin_task("checking rows", Some(rows));
    let mut hasher = TableHasher::new(table);
    file.read(&mut |batch| {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        hasher.add(&batch);
        watch.advance(hasher.rows);
        Ok(())
    })?;
    if (hasher.rows, hasher.finish()) != (rows, digest) {
        let name = table.name();
        let problem = format!("the file of {name} does not have the rows written to it");
        return Err(Error::VerificationFailed {
            problems: vec![problem],
        });
    }
    Ok(ExportedTable {
        path: file.path,
        rows,
        _staging: staging,
    })
}
