//! Backup: copies a consistent state of the database while other processes read and write.

use std::fs::{self, File, FileType, OpenOptions};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{Error, Result};
use crate::file::lock::{WriteLock, with_suffix};
use crate::file::open::{Store, resolve_path};

/// Pages copied between two calls of the progress callback: 2 MiB.
const PAGES_PER_STEP: i32 = 256;

/// Suffixes of the files that SQLite and the lock create next to a database.
const SIDECAR_SUFFIXES: [&str; 4] = ["-journal", "-wal", "-shm", ".lock"];

/// The unfinished copy, under the lock of the target. Dropping it deletes the copy and its sidecar
/// files.
struct PartialBackup {
    path: PathBuf,
    _lock: WriteLock,
}

impl Store {
    /// Copies the current state of the database to `target`, which appears only when the copy is
    /// complete, checked and synced to disk. Calls `watch` with the pages copied and the total, and
    /// stops if it breaks. Returns the size of the copy in bytes, or `None` if it was stopped.
    ///
    /// # Errors
    /// [`Error::BackupTarget`] if `target` is not usable; [`Error::InUse`] if another process
    /// writes to it or backs up to it; [`Error::ReadOnly`] and [`Error::DiskFull`] for the target;
    /// [`Error::Corrupt`] if the copy is damaged. The target is then unchanged.
    pub fn backup(
        &self,
        target: &Path,
        replace: bool,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<u64>> {
        let target = resolve_path(target)?;
        self.check_target(&target, replace)?;
        // No other process writes to the target until the copy is renamed.
        let lock = WriteLock::acquire(&target, "ranklore backup")?;
        self.check_target(&target, replace)?;
        check_not_open(&target)?;
        let partial = PartialBackup::create(&target, lock);
        let file = create_private_file(&partial.path)?;
        if self.copy_to(&partial.path, watch)?.is_break() {
            return Ok(None);
        }
        // Set last: the permissions of the source may forbid writing.
        let length = fs::metadata(self.path())
            .and_then(|source| file.set_permissions(source.permissions()))
            .and_then(|()| file.sync_all())
            .and_then(|()| file.metadata())
            .map_err(|error| Error::from_io_write(&partial.path, error))?
            .len();
        drop(file);
        self.check_target(&target, replace)?;
        check_not_open(&target)?;
        fs::rename(&partial.path, &target).map_err(|error| Error::from_io_write(&target, error))?;
        sync_parent_folder(&target);
        Ok(Some(length))
    }

    fn check_target(&self, target: &Path, replace: bool) -> Result<()> {
        let database = self.path();
        // Neither the target nor its sidecar files may be those of the database.
        for suffix in ["", ".partial"].into_iter().chain(SIDECAR_SUFFIXES) {
            let written = with_suffix(target, suffix);
            let mut sidecars = SIDECAR_SUFFIXES.iter();
            if written == database
                || sidecars.any(|suffix| written == with_suffix(database, suffix))
            {
                let reason = "it is the database itself or one of its files; name another one";
                return Err(unusable_target(target, reason.to_owned()));
            }
        }
        let reason = match file_type(target)? {
            Some(kind) if kind.is_dir() => "it is a folder; name a file in it",
            Some(kind) if !kind.is_file() => "it is not a regular file; name another one",
            Some(_) if !replace => {
                "the file exists already; name another one, or add --force to replace it"
            }
            _ if file_type(&with_suffix(target, ".partial"))?
                .is_some_and(|kind| !kind.is_file()) =>
            {
                "the same path with .partial is not a regular file; name another one"
            }
            _ => return Ok(()),
        };
        Err(unusable_target(target, reason.to_owned()))
    }

    fn copy_to(
        &self,
        path: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        // Corruption concerns the source; any other error concerns the copy.
        let copy_error = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => self.sqlite_error(error),
            _ => Error::from_sqlite(path, error),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags(path, flags).map_err(copy_error)?;
        // Durability is not needed before the final sync, and no other process opens the copy.
        copy.execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
        )
        .map_err(copy_error)?;
        {
            // Without a snapshot, each commit of a writer restarts the copy.
            let _snapshot = self.snapshot()?;
            let backup = Backup::new(&self.connection, &mut copy).map_err(copy_error)?;
            loop {
                let step = backup.step(PAGES_PER_STEP).map_err(copy_error)?;
                let progress = backup.progress();
                let pages = progress.pagecount.max(0) as u64;
                let copied = pages.saturating_sub(progress.remaining.max(0) as u64);
                let flow = watch(copied, pages);
                match step {
                    StepResult::Done => break,
                    StepResult::More if flow.is_break() => return Ok(flow),
                    StepResult::More => {}
                    _ => return Err(Error::in_use(path)),
                }
            }
        }
        let integrity: String = copy
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(copy_error)?;
        if integrity != "ok" {
            return Err(Error::corrupt(self.path(), integrity));
        }
        copy.close().map_err(|(_, error)| copy_error(error))?;
        Ok(ControlFlow::Continue(()))
    }
}

impl PartialBackup {
    fn create(target: &Path, lock: WriteLock) -> Self {
        let partial = Self {
            path: with_suffix(target, ".partial"),
            _lock: lock,
        };
        // Left over from a killed backup, since this process holds the lock.
        partial.remove_files();
        partial
    }

    fn remove_files(&self) {
        // A missing file is fine; the next backup replaces one that cannot be deleted.
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let _ = fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

impl Drop for PartialBackup {
    fn drop(&mut self) {
        self.remove_files();
    }
}

/// Errors if another process has the target open. Readers take no lock, but SQLite creates a
/// shared-memory index (`-shm`) for them. After a replacement they would keep reading the old file
/// and delete sidecar files of the new one, and SQLite would apply the log of the old file to the
/// new one.
fn check_not_open(target: &Path) -> Result<()> {
    for suffix in ["-wal", "-shm", "-journal"] {
        let sidecar = with_suffix(target, suffix);
        // An empty rollback journal may stay after the last process has closed the file.
        let metadata = sidecar.symlink_metadata();
        if metadata.is_ok_and(|file| suffix != "-journal" || file.len() > 0) {
            let reason = format!(
                "another process has it open, since {} exists: wait until that is closed, or name \
                 another one; if it is left from a crash, open it once with `ranklore status --db \
                 {}`",
                sidecar.display(),
                target.display()
            );
            return Err(unusable_target(target, reason));
        }
    }
    Ok(())
}

fn unusable_target(target: &Path, reason: String) -> Error {
    let path = target.to_owned();
    Error::BackupTarget { path, reason }
}

/// Returns the type of the file at a path, if there is one. Does not follow symbolic links.
fn file_type(path: &Path) -> Result<Option<FileType>> {
    match path.symlink_metadata() {
        Ok(file) => Ok(Some(file.file_type())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::from_io_read(path, error)),
    }
}

fn create_private_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| Error::from_io_write(path, error))
}

/// Syncs the folder, so that the rename survives a power cut. Ignores errors: some systems cannot
/// sync folders, and the file itself is synced.
fn sync_parent_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}
