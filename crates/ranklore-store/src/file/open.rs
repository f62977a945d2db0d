//! Opening the database: for reading, or as its only writer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Params, Row};

use crate::error::{Error, Result};
use crate::file::columns::{FromRow, FromRows};
use crate::file::failpoint::failpoint;
use crate::file::immutable;
use crate::file::lock::{ReadLock, WriteLock};
use crate::file::pragmas::{self, APPLICATION_ID};
use crate::file::regular::file_kind;
use crate::file::schema::{self, SCHEMA_VERSION};
use crate::file::table_hash::TableHashChanges;
use crate::ids::{CompetitorId, SourceId};

/// Prepared statements cached per connection; this crate has about forty.
const STATEMENT_CACHE_SIZE: usize = 64;

/// The database, open for reading. A [`Writer`] and a [`WriteBatch`](crate::WriteBatch) read through
/// it too.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// Keeps writers out of an immutable file, which SQLite does not lock.
    lock: Option<ReadLock>,
}

/// The database, locked for writing by this process until dropped.
#[derive(Debug)]
pub struct Writer {
    // Drop order: the connection closes before the lock is released.
    pub(crate) store: Store,
    pub(crate) caches: RefCell<Caches>,
    pub(crate) table_hashes: TableHashChanges,
    /// True if this writer created the file.
    created: bool,
    /// True if a batch was committed.
    pub(crate) committed: Cell<bool>,
    lock: WriteLock,
}

/// Lookups cached by a writer. They cover committed rows and those of the open batch; a rollback
/// empties them.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub(crate) competitors: HashMap<SourceId, CompetitorCache>,
    pub(crate) newest_document_at: HashMap<SourceId, i64>,
}

/// The competitors of one source by external id, indexed by
/// [`EntrantKind`](ranklore_contest::EntrantKind).
pub(crate) type CompetitorCache = [HashMap<Box<str>, CompetitorId>; 3];

/// Keeps its store on one state of the database while other processes commit.
#[derive(Debug)]
pub struct Snapshot<'s>(&'s Store);

impl Store {
    /// Opens the database at `path` for reading, even while another process writes to it.
    ///
    /// Upgrades a file with an older schema first, as a writer does.
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::Empty`] if there is no data yet; [`Error::NotADatabase`],
    /// [`Error::OtherProgram`], [`Error::NewerSchema`] if this program cannot read the file;
    /// [`Error::InUse`] if it needs an upgrade and another process writes to it.
    pub fn open_reader(path: impl AsRef<Path>) -> Result<Self> {
        let (mut store, version) = Self::connect_reader(path.as_ref())?;
        if version != SCHEMA_VERSION {
            let path = store.path.clone();
            drop(store);
            drop(Self::open_writer(&path, "upgrading the file")?);
            store = Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        }
        store.with_connection(pragmas::set_reader)?;
        Ok(store)
    }

    /// Opens the database at `path` for reading, with any older schema version: for a backup before
    /// an upgrade.
    ///
    /// # Errors
    /// The errors of [`Store::open_reader`].
    pub fn open_without_upgrade(path: impl AsRef<Path>) -> Result<Self> {
        let (store, _) = Self::connect_reader(path.as_ref())?;
        store.with_connection(pragmas::set_reader)?;
        Ok(store)
    }

    /// Opens the database at `path` for writing. Creates it if it does not exist, and upgrades an
    /// older schema. `purpose` is shown to other processes as the holder of the lock: `ranklore
    /// import`.
    ///
    /// # Errors
    /// [`Error::InUse`] at once, naming the holder, if another process writes to it;
    /// [`Error::SeveralNames`] and [`Error::DanglingLink`] if the file may have another name;
    /// [`Error::ReadOnly`], and the errors of [`Store::open_reader`].
    pub fn open_writer(path: impl AsRef<Path>, purpose: &str) -> Result<Writer> {
        let path = resolve_path(path.as_ref())?;
        // Check first: no lock file is created next to a file of another program.
        if path.exists() {
            Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?.schema_version()?;
        }
        check_single_name(&path)?;
        let lock = WriteLock::acquire(&path, purpose)?;
        failpoint("open: locked");
        let created = !path.exists();
        let create = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(&path, create)?;
        // Again: a link made before the lock was taken may have a writer of its own.
        check_single_name(&path)?;
        let version = store.schema_version()?;
        if store.with_connection(|connection| connection.is_readonly("main"))? {
            return Err(Error::ReadOnly { path });
        }
        store.with_connection(|connection| pragmas::set_writer(connection, version.is_none()))?;
        failpoint("open: settings made");
        if version != Some(SCHEMA_VERSION) {
            schema::migrate(&mut store.connection).map_err(|error| match error {
                rusqlite_migration::Error::RusqliteError { err, .. }
                    if err.sqlite_error_code().is_some_and(is_file_fault) =>
                {
                    Error::from_sqlite(&path, err)
                }
                error => Error::UpgradeFailed {
                    path: path.clone(),
                    version: version.unwrap_or(0),
                    supported: SCHEMA_VERSION,
                    source: Box::new(error),
                },
            })?;
            failpoint("open: migrated");
        }
        let table_hashes = store.with_connection(TableHashChanges::watch)?;
        Ok(Writer {
            store,
            caches: RefCell::default(),
            table_hashes,
            created,
            committed: Cell::new(false),
            lock,
        })
    }

    /// Returns the path of the file, free of symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if others may write to the file meanwhile. An immutable file keeps them out.
    #[must_use]
    pub const fn shares_file(&self) -> bool {
        self.lock.is_none()
    }

    /// Gives back the memory of pages that were read, as far as nothing reads them now.
    ///
    /// # Errors
    /// [`Error::Sqlite`].
    pub fn release_memory(&self) -> Result<()> {
        self.execute_batch("PRAGMA shrink_memory")
    }

    /// Closes a file whose index beside it was cut: SQLite must not look into it again.
    pub fn abandon(self) {
        // Whether this succeeds or not, the file is closed next.
        let no_checkpoint = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        let _ = self.connection.set_db_config(no_checkpoint, true);
    }

    /// Reads one state of the database until the snapshot is dropped. Keep it no longer than a view
    /// or a replay takes: the write-ahead log grows meanwhile.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if a snapshot exists already, or within a batch, which is one.
    pub fn snapshot(&self) -> Result<Snapshot<'_>> {
        // The first read fixes the state.
        self.execute_batch("BEGIN; SELECT 1 FROM source LIMIT 1")?;
        Ok(Snapshot(self))
    }

    /// Returns a snapshot, unless a batch or an open snapshot reads one state anyway.
    pub(crate) fn snapshot_if_needed(&self) -> Result<Option<Snapshot<'_>>> {
        self.connection.is_autocommit().then(|| self.snapshot()).transpose()
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self> {
        let creates = flags.contains(OpenFlags::SQLITE_OPEN_CREATE);
        match path.metadata() {
            // Opening a pipe would block.
            Ok(file) if !file.is_file() => {
                return Err(Error::NotAFile {
                    path: path.to_owned(),
                    kind: file_kind(file.file_type()),
                });
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && creates => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let path = path.to_owned();
                return Err(Error::Missing { path });
            }
            Err(error) => return Err(Error::from_io_read(path, error)),
        }
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| {
                // SQLite does not state the cause. Check only now, since closing a file releases
                // the locks that this process has on it.
                match std::fs::File::open(path) {
                    Err(open_error)
                        if open_error.kind() == std::io::ErrorKind::PermissionDenied =>
                    {
                        Error::from_io_read(path, open_error)
                    }
                    _ => Error::from_sqlite(path, error),
                }
            })?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
        let path = path.to_owned();
        Ok(Self {
            connection,
            path,
            lock: None,
        })
    }

    /// Opens a database that holds data, even read-only, and returns its schema version.
    fn connect_reader(path: &Path) -> Result<(Self, i64)> {
        let path = match resolve_path(path) {
            Err(Error::NoFolder { path, .. }) => return Err(Error::Missing { path }),
            resolved => resolved?,
        };
        let mut store = Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let version = match store.schema_version() {
            // Without the index beside the file no other way is left, as on a full disk.
            Err(
                error @ (Error::ReadOnly { .. }
                | Error::DiskFull { .. }
                | Error::WriteFailed { .. }),
            ) => {
                store = Self::connect_immutable(&path).ok_or(error)?;
                store.schema_version()
            }
            version => version,
        };
        let version = version?.ok_or(Error::Empty { path })?;
        Ok((store, version))
    }

    /// Opens a read-only database as immutable, if no process writes to it.
    fn connect_immutable(path: &Path) -> Option<Self> {
        let lock = immutable::lock_out_writers(path)?;
        let connection = immutable::open_immutable(path)?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
        Some(Self {
            connection,
            path: path.to_owned(),
            lock: Some(lock),
        })
    }

    /// Returns the schema version, `None` for an empty file, or errors if the file is not a database of
    /// this program.
    fn schema_version(&self) -> Result<Option<i64>> {
        let settings: Option<(i32, i64, i64, u64)> = self.query(
            "SELECT (SELECT application_id FROM pragma_application_id),
                 (SELECT user_version FROM pragma_user_version),
                 (SELECT count(*) FROM sqlite_schema),
                 (SELECT page_size FROM pragma_page_size)",
            [],
        )?;
        let (application_id, version, objects, page_size) = settings.unwrap_or_default();
        let path = self.path.clone();
        // SQLite would read the missing end of a page as zeros. With a log next to the file, the
        // last writer may have died while writing a page.
        let length = path.metadata().map_or(0, |file| file.len());
        if !length.is_multiple_of(page_size) && !immutable::has_wal(&path) {
            let reason = "its size is not a multiple of the page size".to_owned();
            return Err(Error::corrupt(&path, reason));
        }
        match application_id {
            0 | APPLICATION_ID if objects == 0 => Ok(None),
            APPLICATION_ID if version > SCHEMA_VERSION => Err(Error::NewerSchema {
                path,
                version,
                supported: SCHEMA_VERSION,
            }),
            APPLICATION_ID => Ok(Some(version)),
            application_id => Err(Error::OtherProgram {
                path,
                application_id,
            }),
        }
    }

    /// Runs SQL, and converts its error for this file.
    pub(crate) fn with_connection<'s, T>(
        &'s self,
        run: impl FnOnce(&'s Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        run(&self.connection).map_err(|error| self.sqlite_error(error))
    }

    /// Runs a query, and returns its rows as [`FromRows`] states.
    pub(crate) fn query<T: FromRows>(&self, sql: &str, parameters: impl Params) -> Result<T> {
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            T::from_rows(statement.query(parameters)?)
        })
    }

    /// Runs a query for each of these parameters, and calls `each` with its result.
    pub(crate) fn query_each<T: FromRows, P: Params>(
        &self,
        sql: &str,
        parameters: impl IntoIterator<Item = P>,
        mut each: impl FnMut(T),
    ) -> Result<()> {
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            for parameters in parameters {
                each(T::from_rows(statement.query(parameters)?)?);
            }
            Ok(())
        })
    }

    /// Calls `each` with every row of a query.
    pub(crate) fn for_each<T: FromRow>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut each: impl FnMut(T),
    ) -> Result<()> {
        self.for_each_row(sql, parameters, |row| T::from_row(row, 0).map(&mut each))
    }

    /// Calls `each` with every row of a query until it returns false.
    pub(crate) fn for_each_until<T: FromRow>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut each: impl FnMut(T) -> bool,
    ) -> Result<()> {
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()?
                && each(T::from_row(row, 0)?)
            {}
            Ok(())
        })
    }

    /// Calls `each` with every row of a query, which may have texts to borrow.
    pub(crate) fn for_each_row(
        &self,
        sql: &str,
        parameters: impl Params,
        each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        self.with_connection(|connection| {
            connection.prepare_cached(sql)?.query_map(parameters, each)?.collect()
        })
    }

    /// Runs a statement.
    pub(crate) fn execute(&self, sql: &str, parameters: impl Params) -> Result<()> {
        self.execute_counting(sql, parameters).map(drop)
    }

    /// Runs SQL without parameters.
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.with_connection(|connection| connection.execute_batch(sql))
    }

    /// Runs several statements, separated by `;`, with the same parameters.
    pub(crate) fn execute_all(&self, sql: &str, parameters: impl Params + Copy) -> Result<()> {
        sql.split(';').try_for_each(|statement| self.execute(statement, parameters))
    }

    /// Runs a statement, and returns the number of rows changed.
    pub(crate) fn execute_counting(&self, sql: &str, parameters: impl Params) -> Result<usize> {
        self.with_connection(|connection| connection.prepare_cached(sql)?.execute(parameters))
    }

    /// Inserts a row, and returns its id.
    pub(crate) fn insert(&self, sql: &str, parameters: impl Params) -> Result<i64> {
        self.with_connection(|connection| connection.prepare_cached(sql)?.insert(parameters))
    }

    pub(crate) fn not_found(&self, table: &'static str, id: i64) -> Error {
        let path = self.path.clone();
        Error::NotFound { path, table, id }
    }

    pub(crate) fn sqlite_error(&self, error: rusqlite::Error) -> Error {
        Error::from_sqlite(&self.path, error)
    }
}

impl Writer {
    /// Closes the database. Deletes the file if this writer created it and committed nothing.
    pub fn discard_if_unused(mut self) {
        if self.created && !self.committed.get() {
            self.lock.delete_database_on_drop(&self.store.path);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Closing the connection next checkpoints the log into the file.
        failpoint("close: before");
    }
}

impl Deref for Writer {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Nothing was written.
        let _ = self.0.connection.execute_batch("ROLLBACK");
    }
}

/// True if a migration failed because of the disk or the file, not of its SQL.
fn is_file_fault(code: rusqlite::ErrorCode) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DiskFull, ReadOnly, SystemIoFailure};
    matches!(code, DiskFull | ReadOnly | DatabaseCorrupt | DatabaseBusy | SystemIoFailure)
}

/// Errors if the file may have a writer under another name: if it has hard links, or `path`, which is
/// resolved, is a link to a missing file. The lock, the log and its index belong to one name, and two
/// writers under two names would not see each other.
fn check_single_name(path: &Path) -> Result<()> {
    let Ok(file) = path.symlink_metadata() else {
        // A missing file is created with one name.
        return Ok(());
    };
    if file.is_symlink() {
        return Err(Error::DanglingLink {
            path: path.to_owned(),
        });
    }
    // The standard library counts links only on Unix.
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&file) > 1 {
        return Err(Error::SeveralNames {
            path: path.to_owned(),
            names: std::os::unix::fs::MetadataExt::nlink(&file),
        });
    }
    Ok(())
}

/// Returns the path free of symbolic links, so that a file has only one lock. The file may be
/// missing, its folder must exist.
///
/// # Errors
/// [`Error::NoFolder`] if the folder does not exist; [`Error::Unreadable`] and [`Error::Io`] if it
/// is not accessible, or the path has no file name.
pub fn resolve_path(path: &Path) -> Result<PathBuf> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match path.canonicalize() {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {}
        resolved => return resolved.map_err(|error| Error::from_io_read(path, error)),
    }
    let Some(name) = path.file_name() else {
        let path = path.to_owned();
        let source = std::io::ErrorKind::InvalidInput.into();
        return Err(Error::Io { path, source });
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match folder.canonicalize() {
        Ok(folder) if folder.is_dir() => Ok(folder.join(name)),
        Err(error) if !matches!(error.kind(), NotFound | NotADirectory) => {
            Err(Error::from_io_read(path, error))
        }
        _ => Err(Error::NoFolder {
            path: path.to_owned(),
            folder: folder.to_owned(),
        }),
    }
}
