//! Opening the file: for reading, or as its one writer.

use std::cell::RefCell;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::types::FromSql;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};

use crate::error::{Error, Result};
use crate::file::batch::Batch;
use crate::file::batch::Caches;
use crate::file::failpoint::failpoint;
use crate::file::frozen;
use crate::file::lock::{ReadLock, WriteLock};
use crate::file::pragmas::{self, APPLICATION_ID};
use crate::file::schema::{self, SCHEMA_VERSION};

/// Statements kept prepared for one connection; there are about forty in this crate.
const PREPARED: usize = 64;

/// The file, open for reading. A [`Writer`] and a [`Batch`] read through it as well.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// Keeps writers away while a file is read in which SQLite cannot do so itself.
    _held: Option<ReadLock>,
}

/// The file, held for writing by this process alone until dropped.
#[derive(Debug)]
pub struct Writer {
    // In this order: the connection closes before the lock is let go.
    pub(crate) store: Store,
    pub(crate) caches: RefCell<Caches>,
    _lock: WriteLock,
}

/// While it lives, its store reads one state of the file, whatever is committed meanwhile.
#[derive(Debug)]
pub struct Snapshot<'s>(&'s Store);

impl Store {
    /// Opens the file at `path` for reading, whether or not somebody writes to it.
    ///
    /// A file of an older version is brought up to date first, as a writer would.
    ///
    /// # Errors
    /// [`Error::Missing`] when nothing was imported yet; [`Error::NotADatabase`],
    /// [`Error::OtherProgram`], [`Error::Newer`] when it is not a file this program can read;
    /// [`Error::InUse`] when it needs an upgrade and somebody is writing to it.
    pub fn open_reader(path: impl AsRef<Path>) -> Result<Self> {
        let path = resolve_path(path.as_ref())?;
        let (mut store, version) = Self::connect_to_read(&path)?;
        if version != SCHEMA_VERSION {
            drop(store);
            drop(Self::open_writer(&path, "upgrading the file")?);
            store = Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        }
        store.sql(pragmas::set_reader)?;
        Ok(store)
    }

    /// Opens the file at `path` for reading, of whichever version it is: for a backup before an
    /// upgrade.
    ///
    /// # Errors
    /// As [`Store::open_reader`].
    pub fn open_as_is(path: impl AsRef<Path>) -> Result<Self> {
        let path = resolve_path(path.as_ref())?;
        let (store, _) = Self::connect_to_read(&path)?;
        store.sql(pragmas::set_reader)?;
        Ok(store)
    }

    /// Opens the file at `path` for writing, creating it if absent and upgrading it if it
    /// is of an older version. `purpose` tells others who holds it: `ranklore import`.
    ///
    /// # Errors
    /// [`Error::InUse`] at once, naming the holder, when another process writes to it;
    /// [`Error::ReadOnly`], and what [`Store::open_reader`] says.
    pub fn open_writer(path: impl AsRef<Path>, purpose: &str) -> Result<Writer> {
        let path = resolve_path(path.as_ref())?;
        // Of somebody else's file one does not even lay a lock beside it.
        if path.exists() {
            Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?.found()?;
        }
        let lock = WriteLock::take(&path, purpose)?;
        failpoint("open: locked");
        let create = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(&path, create)?;
        let found = store.found()?;
        if store.sql(|connection| connection.is_readonly("main"))? {
            return Err(Error::ReadOnly { path });
        }
        store.sql(|connection| pragmas::set_writer(connection, found == Found::Nothing))?;
        failpoint("open: settings made");
        if found != Found::Version(SCHEMA_VERSION) {
            schema::migrate(&mut store.connection).map_err(|error| match error {
                rusqlite_migration::Error::RusqliteError { err, .. }
                    if err.sqlite_error_code().is_some_and(is_of_the_file) =>
                {
                    Error::from_sqlite(&path, err)
                }
                error => Error::Upgrade {
                    path: path.clone(),
                    found: found.version(),
                    known: SCHEMA_VERSION,
                    source: Box::new(error),
                },
            })?;
            failpoint("open: migrated");
        }
        Ok(Writer {
            store,
            caches: RefCell::default(),
            _lock: lock,
        })
    }

    /// Where the file is, free of symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads one state of the file until the snapshot is dropped. Do not hold it for
    /// longer than a view or a replay takes to read: the writer's log grows meanwhile.
    ///
    /// # Errors
    /// [`Error::Sqlite`] when there is a snapshot already, or within a batch, which is one.
    pub fn snapshot(&self) -> Result<Snapshot<'_>> {
        // The state is fixed by the first read, hence the read.
        self.sql(|connection| connection.execute_batch("BEGIN; SELECT 1 FROM source LIMIT 1"))?;
        Ok(Snapshot(self))
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self> {
        let creates = flags.contains(OpenFlags::SQLITE_OPEN_CREATE);
        match path.metadata() {
            Ok(file) if file.is_dir() => {
                let source = std::io::ErrorKind::IsADirectory.into();
                let path = path.to_owned();
                return Err(Error::Io { path, source });
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if !creates {
                    let path = path.to_owned();
                    return Err(Error::Missing { path });
                }
            }
            Err(error) => return Err(Error::from_reading(path, error)),
        }
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| {
                // SQLite does not say why. Asked only now, since closing a file lets go of
                // the locks that this process has on it.
                match std::fs::File::open(path) {
                    Err(why) if why.kind() == std::io::ErrorKind::PermissionDenied => {
                        Error::from_reading(path, why)
                    }
                    _ => Error::from_sqlite(path, error),
                }
            })?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        let path = path.to_owned();
        Ok(Self {
            connection,
            path,
            _held: None,
        })
    }

    /// Opens a file in which something is, also where nothing can be written, and says of which
    /// version it is.
    fn connect_to_read(path: &Path) -> Result<(Self, i64)> {
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let found = match store.found() {
            Err(error @ Error::ReadOnly { .. }) => {
                store = Self::connect_frozen(path).ok_or(error)?;
                store.found()
            }
            found => found,
        };
        match found? {
            Found::Nothing => Err(Error::Missing {
                path: path.to_owned(),
            }),
            Found::Version(version) => Ok((store, version)),
        }
    }

    /// Opens a file beside which nothing can be written, if nobody changes it meanwhile.
    fn connect_frozen(path: &Path) -> Option<Self> {
        let held = frozen::hold(path)?;
        let connection = frozen::open_immutable(path)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Some(Self {
            connection,
            path: path.to_owned(),
            _held: Some(held),
        })
    }

    /// Whose file it is, and of which version.
    fn found(&self) -> Result<Found> {
        let (application_id, version, objects, page_size) = self.sql(|connection| {
            connection.query_row(
                "SELECT (SELECT application_id FROM pragma_application_id),
                        (SELECT user_version FROM pragma_user_version),
                        (SELECT count(*) FROM sqlite_schema),
                        (SELECT page_size FROM pragma_page_size)",
                [],
                |row| {
                    Ok((
                        row.get::<_, i32>(0)?,
                        row.get(1)?,
                        row.get::<_, i64>(2)?,
                        row.get::<_, i64>(3)? as u64,
                    ))
                },
            )
        })?;
        let path = self.path.clone();
        // SQLite would take the missing end of a page for zeros. With a log beside the file,
        // whoever wrote last may have died while the page was on its way.
        let length = path.metadata().map_or(0, |file| file.len());
        if !length.is_multiple_of(page_size) && !frozen::has_log(&path) {
            let reason = "it ends within a page".to_owned();
            return Err(Error::Corrupt { path, reason });
        }
        match application_id {
            0 | APPLICATION_ID if objects == 0 => Ok(Found::Nothing),
            APPLICATION_ID if version > SCHEMA_VERSION => Err(Error::Newer {
                path,
                found: version,
                known: SCHEMA_VERSION,
            }),
            APPLICATION_ID => Ok(Found::Version(version)),
            application_id => Err(Error::OtherProgram {
                path,
                application_id,
            }),
        }
    }

    /// Runs SQL, and says what its failure means for this file.
    pub(crate) fn sql<'s, T>(
        &'s self,
        run: impl FnOnce(&'s Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        run(&self.connection).map_err(|error| self.failed(error))
    }

    /// Returns all rows of a query.
    pub(crate) fn rows<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        parameters: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<C> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_map(parameters, row)?.collect()
        })
    }

    /// Returns the first row of a query, if there is one.
    pub(crate) fn row<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(parameters, row).optional()
        })
    }

    /// Returns the one value of a query that always has a row.
    pub(crate) fn value<T: FromSql>(&self, sql: &str, parameters: impl Params) -> Result<T> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(parameters, |row| row.get(0))
        })
    }

    /// Runs a statement, and returns how many rows it changed.
    pub(crate) fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize> {
        self.sql(|connection| connection.prepare_cached(sql)?.execute(parameters))
    }

    /// Inserts a row, and returns its id.
    pub(crate) fn insert(&self, sql: &str, parameters: impl Params) -> Result<i64> {
        self.sql(|connection| connection.prepare_cached(sql)?.insert(parameters))
    }

    pub(crate) fn failed(&self, error: rusqlite::Error) -> Error {
        Error::from_sqlite(&self.path, error)
    }
}

impl Writer {
    /// Begins a transaction: everything written through it becomes visible at once by
    /// [`Batch::commit`], or never.
    ///
    /// # Errors
    /// [`Error::InUse`] when another program than Ranklore writes to the file.
    pub fn batch(&mut self) -> Result<Batch<'_>> {
        Batch::begin(self)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The connection closes next, and brings the log into the file.
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
        // Nothing was written; there is nothing to lose.
        let _ = self.0.connection.execute_batch("ROLLBACK");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Version(i64),
}

impl Found {
    const fn version(self) -> i64 {
        match self {
            Self::Nothing => 0,
            Self::Version(version) => version,
        }
    }
}

/// Whether a failed migration is the fault of the disk or the file, not of its SQL.
fn is_of_the_file(code: rusqlite::ErrorCode) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DiskFull, ReadOnly, SystemIoFailure};
    matches!(
        code,
        DiskFull | ReadOnly | DatabaseCorrupt | DatabaseBusy | SystemIoFailure
    )
}

/// Returns the path free of symbolic links, so that one file has one lock. The file itself need
/// not exist, its folder must.
///
/// # Errors
/// [`Error::Unreadable`] and [`Error::Io`] when the folder cannot be looked into, or the path has
/// no file name.
pub fn resolve_path(path: &Path) -> Result<PathBuf> {
    use std::io::ErrorKind::NotFound;
    match path.canonicalize() {
        Err(error) if error.kind() == NotFound => {}
        resolved => return resolved.map_err(|error| Error::from_reading(path, error)),
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
        Ok(folder) => Ok(folder.join(name)),
        Err(error) => Err(Error::from_reading(path, error)),
    }
}
