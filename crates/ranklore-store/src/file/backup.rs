//! A backup: one state of the file, copied while others read and write.

use std::fs::{self, File, OpenOptions};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{Error, Result};
use crate::file::lock::{Holder, WriteLock, with_suffix};
use crate::file::open::{Store, resolve_path};

/// Pages copied before somebody is asked whether to go on: 2 MiB.
const STEP: i32 = 256;

/// What SQLite and the lock put beside a file.
const BESIDE: [&str; 4] = ["-journal", "-wal", "-shm", ".lock"];

/// The copy while it is made, under the lock of what it will be. It goes away with it, and so
/// does all that is beside it.
struct Partial {
    path: PathBuf,
    _lock: WriteLock,
}

impl Store {
    /// Copies the file as it is now to `target`, where it appears once it is whole, checked and
    /// on the disk. `watch` hears of pages copied and of all pages, and says whether to go on.
    /// Returns the size of the copy in bytes; nothing if it was told to end.
    ///
    /// # Errors
    /// [`Error::Target`] when it cannot be there; [`Error::InUse`] when somebody writes there or
    /// makes another backup; [`Error::ReadOnly`] and [`Error::DiskFull`], of the target;
    /// [`Error::Corrupt`] when what was copied is damaged. Then the target is as it was before.
    pub fn backup(
        &self,
        target: &Path,
        replace: bool,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<u64>> {
        let target = resolve_path(target)?;
        self.check_target(&target, replace)?;
        // Nobody else writes there, or makes a backup, until it has its name.
        let lock = WriteLock::take(&target, "ranklore backup")?;
        self.check_target(&target, replace)?;
        check_closed(&target)?;
        let partial = Partial::begin(&target, lock);
        let file = create(&partial.path)?;
        if self.copy_to(&partial.path, watch)?.is_break() {
            return Ok(None);
        }
        // What is private stays private; what cannot be written to can until here.
        let length = fs::metadata(self.path())
            .and_then(|own| file.set_permissions(own.permissions()))
            .and_then(|()| file.sync_all())
            .and_then(|()| file.metadata())
            .map_err(|error| Error::from_io(&partial.path, error))?
            .len();
        drop(file);
        self.check_target(&target, replace)?;
        check_closed(&target)?;
        fs::rename(&partial.path, &target).map_err(|error| Error::from_io(&target, error))?;
        sync_folder_of(&target);
        Ok(Some(length))
    }

    fn check_target(&self, target: &Path, replace: bool) -> Result<()> {
        let unfit = |reason: &str| {
            Err(Error::Target {
                path: target.to_owned(),
                reason: reason.to_owned(),
            })
        };
        let own = self.path();
        // Neither it nor what is written beside it.
        let touched = ["", ".partial"].into_iter().chain(BESIDE);
        for touched in touched.map(|suffix| with_suffix(target, suffix)) {
            let is_own = touched == own
                || BESIDE
                    .iter()
                    .any(|suffix| touched == with_suffix(own, suffix));
            if is_own {
                return unfit("that is the file itself or belongs to it; name another one");
            }
        }
        match kind_of(target)? {
            Kind::Nothing => {}
            Kind::Folder => return unfit("that is a folder; name a file in it"),
            Kind::File if replace => {}
            Kind::File => {
                return unfit(
                    "there is such a file already; name another one, or add --force to replace it",
                );
            }
            Kind::Other => return unfit("that is no file; name another one"),
        }
        if !matches!(
            kind_of(&with_suffix(target, ".partial"))?,
            Kind::Nothing | Kind::File
        ) {
            return unfit("what has that name with .partial is no file; name another one");
        }
        Ok(())
    }

    fn copy_to(
        &self,
        path: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        // Damage is of the file that is read, whatever else is of the one that is written.
        let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => self.failed(error),
            _ => Error::from_sqlite(path, error),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags(path, flags).map_err(failed)?;
        // It is whole and on the disk before it counts, and ours alone until then.
        copy.execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
        )
        .map_err(failed)?;
        {
            // Of one state: without it, every commit of a writer would begin the copy anew.
            let _snapshot = self.snapshot()?;
            let backup = Backup::new(&self.connection, &mut copy).map_err(failed)?;
            loop {
                let step = backup.step(STEP).map_err(failed)?;
                let progress = backup.progress();
                let all = progress.pagecount.max(0) as u64;
                let done = all.saturating_sub(progress.remaining.max(0) as u64);
                let on = watch(done, all);
                match step {
                    StepResult::Done => break,
                    StepResult::More if on.is_break() => return Ok(on),
                    StepResult::More => {}
                    _ => {
                        return Err(Error::InUse {
                            path: path.to_owned(),
                            holder: Holder::unknown(),
                        });
                    }
                }
            }
        }
        let found: String = copy
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(failed)?;
        if found != "ok" {
            return Err(Error::Corrupt {
                path: self.path().to_owned(),
                reason: found,
            });
        }
        copy.close().map_err(|(_, error)| failed(error))?;
        Ok(ControlFlow::Continue(()))
    }
}

impl Partial {
    fn begin(target: &Path, lock: WriteLock) -> Self {
        let partial = Self {
            path: with_suffix(target, ".partial"),
            _lock: lock,
        };
        // One that was cut off, as nobody else holds the lock.
        partial.clear();
        partial
    }

    fn clear(&self) {
        // What is not there need not go, and what does not go is replaced by the next backup.
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let _ = fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Those who only read take no lock, but SQLite lays an index beside what they read (-shm). They
/// would go on with the old file and clean up beside the new one; and SQLite would take the log
/// of the old one for that of the new one.
fn check_closed(target: &Path) -> Result<()> {
    for suffix in ["-wal", "-shm", "-journal"] {
        let beside = with_suffix(target, suffix);
        // A rollback journal may stay, empty, when nobody has the file open.
        let there = |file: fs::Metadata| suffix != "-journal" || file.len() > 0;
        if beside.symlink_metadata().is_ok_and(there) {
            return Err(Error::Target {
                path: target.to_owned(),
                reason: format!(
                    "somebody has it open, as {} is there: wait until they have closed it, or \
                     name another one; if it is left from a crash, open it once with `ranklore \
                     status --db {}`",
                    beside.display(),
                    target.display()
                ),
            });
        }
    }
    Ok(())
}

/// What there is of a name.
enum Kind {
    Nothing,
    File,
    Folder,
    /// A device, a pipe, or a link that leads nowhere yet.
    Other,
}

fn kind_of(path: &Path) -> Result<Kind> {
    match path.symlink_metadata() {
        Ok(there) if there.is_file() => Ok(Kind::File),
        Ok(there) if there.is_dir() => Ok(Kind::Folder),
        Ok(_) => Ok(Kind::Other),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kind::Nothing),
        Err(error) => Err(Error::from_reading(path, error)),
    }
}

fn create(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map_err(|error| Error::from_io(path, error))
}

/// A new name is on the disk when its folder is. Where folders cannot be synced, the file
/// itself is there all the same.
fn sync_folder_of(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}
