//! The write lock: an operating-system lock on `<db>.lock`, released when its process dies.
//!
//! The lock file is deleted only together with a database that was never used. A process that opened
//! it just before then holds a lock that no other process sees, notices that, and locks the new one.
//! The text of the file is only for people.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind::{AlreadyExists, NotFound};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;

use crate::error::{Error, Result};
use crate::file::failpoint::failpoint;
use crate::file::regular::file_kind;
use crate::lock_holder::{LockHolder, MAX_TEXT_BYTES, printable};

/// The start of a lock file's text.
const TEXT_START: &str = "process ";

/// Waiting time before the second attempt; a query of the holder keeps the lock for much less.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The exclusive lock of a database, released when dropped.
#[derive(Debug)]
pub(crate) struct WriteLock {
    file: File,
    /// The database to delete before the lock is released.
    unused: Option<PathBuf>,
}

impl WriteLock {
    /// Acquires the lock of the database at `path`, or errors at once.
    pub(crate) fn acquire(path: &Path, purpose: &str) -> Result<Self> {
        let lock_path = lock_path(path);
        let mut file = loop {
            // The last writer may delete the file at any moment.
            if let Some(file) = Self::lock_file(path, &lock_path)?
                && is_file_at(&file, &lock_path)
            {
                break file;
            }
        };
        check_text(&file, &lock_path)?;
        let mut text = format!("{TEXT_START}{}", std::process::id());
        for (before, detail, after) in [
            (" (", Some(printable(purpose)), ")"),
            (" since ", now().map(|now| now.to_string()), ""),
        ] {
            if let Some(detail) = detail.filter(|detail| !detail.is_empty()) {
                text.extend([before, &detail, after]);
            }
        }
        // The lock is held even if its text cannot be written.
        let _ = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(text.as_bytes()));
        Ok(Self { file, unused: None })
    }

    /// Opens and locks the lock file, or errors at once. `None` if it was replaced meanwhile.
    fn lock_file(path: &Path, lock_path: &Path) -> Result<Option<File>> {
        let mut options = OpenOptions::new();
        // Creating a new file follows no link.
        let missing =
            matches!(lock_path.symlink_metadata(), Err(error) if error.kind() == NotFound);
        let options = options.read(true).write(true).create_new(missing);
        let Some(file) = open_regular(lock_path, options)? else {
            return Ok(None);
        };
        let mut attempt = file.try_lock();
        if matches!(attempt, Err(TryLockError::WouldBlock)) {
            // The other process may only query the holder, and be done by now.
            std::thread::sleep(RETRY_DELAY);
            attempt = file.try_lock();
        }
        match attempt {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {
                let mut text = Vec::new();
                // A text that cannot be read, as on Windows while it is locked, counts as empty.
                let _ = (&file).take(MAX_TEXT_BYTES as u64).read_to_end(&mut text);
                Err(Error::InUse {
                    path: path.to_owned(),
                    holder: LockHolder::from_text(&text),
                })
            }
            Err(TryLockError::Error(error)) => Err(Error::from_io_write(lock_path, error)),
        }
    }

    /// Deletes the database at `path` before the lock is released. Its connection must be closed
    /// by then.
    pub(crate) fn delete_database_on_drop(&mut self, path: &Path) {
        self.unused = Some(path.to_owned());
    }

    /// Returns the process that holds the lock of the database at `path`, without waiting.
    pub(crate) fn holder(path: &Path) -> Option<LockHolder> {
        let file = open_regular(&lock_path(path), OpenOptions::new().read(true)).ok()??;
        let mut text = Vec::new();
        let read = (&file).take(MAX_TEXT_BYTES as u64).read_to_end(&mut text);
        // A writer clears the text when it ends. A crashed one did not, so test the lock, in shared
        // mode: two queries at once must not take each other for a writer.
        if read.is_ok() && text.is_empty() {
            return None;
        }
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(LockHolder::from_text(&text)),
            // Closing the file releases the lock.
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        failpoint("close: after");
        if let Some(path) = &self.unused {
            // The log first: SQLite would apply it to the next file of this name.
            for suffix in ["-wal", "-shm", ""] {
                // A file that stays is an empty database.
                let _ = std::fs::remove_file(with_suffix(path, suffix));
            }
            if cfg!(unix) {
                let _ = std::fs::remove_file(lock_path(path));
            }
        }
        // A stale text would be shown only while another process holds the lock.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

/// True if the path still leads to this open file, or that cannot be found out.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        (_, Err(error)) => error.kind() != NotFound,
        (Err(_), Ok(_)) => true,
    }
}

/// Elsewhere no lock file is ever deleted.
#[cfg(not(unix))]
const fn is_file_at(_: &File, _: &Path) -> bool {
    true
}

/// A shared lock that keeps writers out, released when dropped.
#[derive(Debug)]
pub(crate) struct ReadLock {
    _file: Option<File>,
}

impl ReadLock {
    /// Acquires the lock unless another process writes; writes nothing. A missing lock file means
    /// that no process can create one, so there is nothing to lock.
    pub(crate) fn try_acquire(path: &Path) -> Option<Self> {
        let lock_path = lock_path(path);
        if matches!(lock_path.symlink_metadata(), Err(error) if error.kind() == NotFound) {
            return Some(Self { _file: None });
        }
        let file = open_regular(&lock_path, OpenOptions::new().read(true)).ok()??;
        file.try_lock_shared().ok()?;
        Some(Self { _file: Some(file) })
    }
}

/// Opens a regular file that is not behind a link, with options that create none or a new one. `None`
/// if the path leads to another file meanwhile.
fn open_regular(path: &Path, options: &OpenOptions) -> Result<Option<File>> {
    // Opening some devices acts on them.
    if let Ok(file) = path.symlink_metadata()
        && !file.is_file()
    {
        return Err(not_a_lock_file(path, file_kind(file.file_type())));
    }
    let opened = options.open(path).and_then(|file| {
        let metadata = file.metadata()?;
        Ok((file, metadata))
    });
    match opened {
        // Not a link that took its place since the check.
        Ok((file, metadata)) if metadata.is_file() => {
            Ok(Some(file).filter(|file| is_file_at(file, path)))
        }
        Ok((_, metadata)) => Err(not_a_lock_file(path, file_kind(metadata.file_type()))),
        Err(error) if error.kind() == AlreadyExists => Ok(None),
        // Replaced since the check.
        Err(error) => match path.symlink_metadata() {
            Ok(file) if !file.is_file() => Err(not_a_lock_file(path, file_kind(file.file_type()))),
            _ => Err(Error::from_io_write(path, error)),
        },
    }
}

fn not_a_lock_file(path: &Path, kind: &'static str) -> Error {
    let path = path.to_owned();
    Error::NotALockFile { path, kind }
}

/// Errors if the file is not one that a writer left: the next writer replaces its text.
fn check_text(mut file: &File, path: &Path) -> Result<()> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(
        &file.metadata().map_err(|error| Error::from_io_write(path, error))?,
    ) > 1
    {
        return Err(not_a_lock_file(path, "a hard link to another file"));
    }
    let mut text = Vec::new();
    file.take(TEXT_START.len() as u64)
        .read_to_end(&mut text)
        .and_then(|_| file.rewind())
        .map_err(|error| Error::from_io_write(path, error))?;
    // Zeros are what a power cut may leave of a text.
    if TEXT_START.as_bytes().starts_with(&text) || text.iter().all(|&byte| byte == 0) {
        Ok(())
    } else {
        Err(not_a_lock_file(path, "a file with other contents"))
    }
}

/// Returns the path of the lock file, `<db>.lock`.
fn lock_path(path: &Path) -> PathBuf {
    with_suffix(path, ".lock")
}

/// Returns the path of a sidecar file of the database, such as its log, `-wal`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the current time for the text of the lock. All other times come from the caller.
fn now() -> Option<UnixSeconds> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    UnixSeconds::new(i64::try_from(since.as_secs()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_writer_learns_lock_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let first = WriteLock::acquire(&path, "ranklore import").unwrap();
        let error = WriteLock::acquire(&path, "ranklore rate").unwrap_err();
        let Error::InUse { holder, .. } = &error else {
            panic!("{error}");
        };
        let holder = holder.to_string();
        let start = format!("process {} (ranklore import) since 2", std::process::id());
        assert!(holder.starts_with(&start), "{holder}");
        assert_eq!(WriteLock::holder(&path).unwrap().to_string(), holder);
        drop(first);
        assert_eq!(WriteLock::holder(&path), None);
        // The text of a crashed writer.
        std::fs::write(lock_path(&path), "process 1 (ranklore import)").unwrap();
        assert_eq!(WriteLock::holder(&path), None);
        WriteLock::acquire(&path, "ranklore rate").unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn lock_file_of_another_kind_is_refused_unchanged() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let lock = lock_path(&path);
        let notes = folder.path().join("notes");
        std::fs::write(&notes, "process notes").unwrap();
        let refuses = |kind: &str| {
            let error = WriteLock::acquire(&path, "a test").unwrap_err().to_string();
            assert!(error.contains(kind), "{error}");
            assert_eq!(WriteLock::holder(&path), None, "{kind}");
            assert_eq!(std::fs::read(&notes).unwrap(), b"process notes", "{kind}");
            std::fs::remove_file(&lock).or_else(|_| std::fs::remove_dir(&lock)).unwrap();
        };
        symlink(&notes, &lock).unwrap();
        refuses("is a symbolic link, not a lock file");
        symlink(folder.path().join("missing"), &lock).unwrap();
        refuses("is a symbolic link");
        assert!(!folder.path().join("missing").exists());
        std::fs::hard_link(&notes, &lock).unwrap();
        refuses("is a hard link to another file");
        std::fs::create_dir(&lock).unwrap();
        refuses("is a folder");
        std::fs::write(&lock, "my notes").unwrap();
        refuses("is a file with other contents");
        let made = std::process::Command::new("mkfifo").arg(&lock).status();
        assert!(made.unwrap().success());
        refuses("is a pipe");
        drop(std::os::unix::net::UnixListener::bind(&lock).unwrap());
        refuses("is a socket");
        for left in [&b""[..], b"process 1", b"proc", &[0; 40]] {
            std::fs::write(&lock, left).unwrap();
            WriteLock::acquire(&path, "a test").unwrap();
        }
    }

    #[test]
    fn holder_query_blocks_no_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        // Simulates a crash of every writer, after which a query locks the file for a moment.
        std::fs::write(lock_path(&path), "process 1").unwrap();
        std::thread::scope(|threads| {
            let queries = threads.spawn(|| {
                for _ in 0..2_000 {
                    WriteLock::holder(&path);
                }
            });
            while !queries.is_finished() {
                drop(WriteLock::acquire(&path, "ranklore rate").unwrap());
                std::fs::write(lock_path(&path), "process 1").unwrap();
            }
        });
    }

    #[cfg(unix)]
    #[test]
    fn one_writer_holds_the_lock_while_lock_files_are_deleted() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let holders = AtomicU32::new(0);
        let acquisitions = AtomicU32::new(0);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    while acquisitions.load(Ordering::SeqCst) < 200 {
                        let Ok(mut lock) = WriteLock::acquire(&path, "a test") else {
                            continue;
                        };
                        acquisitions.fetch_add(1, Ordering::SeqCst);
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::sleep(Duration::from_millis(1));
                        holders.fetch_sub(1, Ordering::SeqCst);
                        lock.delete_database_on_drop(&path);
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
