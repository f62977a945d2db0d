//! A folder that a dataset is written to before it takes its place whole.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::check::foreign;
use crate::describe::Manifest;
use crate::error::Error;

/// The folder beside that of the dataset; it goes when nothing became of it.
#[derive(Debug)]
pub(crate) struct Staging {
    folder: PathBuf,
    to: PathBuf,
    _lock: Lock,
}

impl Staging {
    /// One for the dataset that is to be at `to`, where nothing is yet, an empty folder or an older
    /// dataset. What a killed program left there is taken away.
    pub(crate) fn begin(to: &Path) -> Result<Self, Error> {
        // What a link leads to is replaced, and not the link: nothing older stays behind it.
        let to = match to.canonicalize() {
            Ok(to) => to,
            Err(_) => to.to_owned(),
        };
        let name = (to.file_name()).ok_or_else(|| Error::Occupied { path: to.clone() })?;
        let parent = match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(Error::io(parent))?;
        let lock = Lock::take(beside(parent, name, "lock"), &to)?;
        let away = beside(parent, name, "old");
        if to.exists() {
            remove(&away)?;
        } else if away.exists() {
            fs::rename(&away, &to).map_err(Error::io(&to))?;
        }
        // Also a link that leads nowhere.
        if to.symlink_metadata().is_ok() {
            may_be_replaced(&to)?;
        }
        let folder = beside(parent, name, "part");
        remove(&folder)?;
        fs::create_dir(&folder).map_err(Error::io(&folder))?;
        Ok(Self {
            folder,
            to,
            _lock: lock,
        })
    }

    /// Where to write.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts what was written where it belongs, in place of what is there.
    pub(crate) fn finish(self) -> Result<(), Error> {
        sync(&self.folder);
        if self.to.exists() {
            // What goes with the staging folder is the older one then.
            exchange(&self.folder, &self.to)?;
        } else {
            fs::rename(&self.folder, &self.to).map_err(Error::io(&self.to))?;
        }
        if let Some(parent) = self.folder.parent() {
            sync(parent);
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be taken away now is when the next one begins.
        let _ = remove(&self.folder);
    }
}

/// Hidden, and named after the folder it belongs to.
fn beside(parent: &Path, name: &OsStr, what: &str) -> PathBuf {
    parent.join(format!(".{}.ranklore-{what}", name.to_string_lossy()))
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(folder)(error)),
        _ => Ok(()),
    }
}

/// Nothing is taken away but older datasets.
fn may_be_replaced(to: &Path) -> Result<(), Error> {
    let path = to.to_owned();
    if !to.is_dir() {
        return Err(Error::Occupied { path });
    }
    if is_empty(to)? {
        return Ok(());
    }
    match Manifest::read(to) {
        Ok(_) | Err(Error::Newer { .. }) => {}
        Err(_) => return Err(Error::Occupied { path }),
    }
    match foreign(to)? {
        Some(file) => Err(Error::Foreign { path, file }),
        None => Ok(()),
    }
}

fn is_empty(folder: &Path) -> Result<bool, Error> {
    let mut entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    Ok(entries.next().is_none())
}

/// Keeps two programs from writing the same dataset; the system lets go of it when one dies.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(path: PathBuf, to: &Path) -> Result<Self, Error> {
        loop {
            // Whatever lies there is locked and not emptied.
            let mut open = File::options();
            let open = open.write(true).create(true).truncate(false);
            let file = open.open(&path).map_err(Error::io(&path))?;
            match file.try_lock() {
                // Whoever had it before may have taken the file away meanwhile.
                Ok(()) if is_at(&file, &path) => return Ok(Self { path, _file: file }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = to.to_owned();
                    return Err(Error::Busy { path });
                }
                Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Still held: whoever opened the file before finds that it is gone, and makes another.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Where a file that is open cannot be taken away, it is there.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// So that the names in a folder survive a power cut. Where folders cannot be synced nothing can be
/// done about it.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The two folders trade places at once, so that there is a whole dataset at any time.
#[cfg(target_os = "linux")]
fn exchange(new: &Path, old: &Path) -> Result<(), Error> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // Some file systems cannot.
        Err(Errno::INVAL | Errno::NOSYS) => aside(new, old),
        Err(error) => Err(Error::io(old)(error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(new: &Path, old: &Path) -> Result<(), Error> {
    aside(new, old)
}

/// The older folder goes aside for a moment; the next export puts it back if this one dies in it.
fn aside(new: &Path, old: &Path) -> Result<(), Error> {
    let parent = old.parent().unwrap_or(Path::new("."));
    let away = beside(parent, old.file_name().unwrap_or_default(), "old");
    remove(&away)?;
    fs::rename(old, &away).map_err(Error::io(old))?;
    fs::rename(new, old).map_err(Error::io(old))?;
    fs::rename(&away, new).map_err(Error::io(new))
}
