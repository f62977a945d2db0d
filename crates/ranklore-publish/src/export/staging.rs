//! The staging folder of an export and its atomic move into place.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::describe::Manifest;
use crate::error::Error;
use crate::verify::find_foreign_file;

/// The staging folder beside the dataset; removed on drop unless published.
#[derive(Debug)]
pub(crate) struct Staging {
    folder: PathBuf,
    to: PathBuf,
    _lock: Lock,
}

impl Staging {
    /// Creates the staging folder for a dataset at `to`, which must be missing, empty or an older
    /// dataset. Removes leftovers of a killed export.
    pub(crate) fn create(to: &Path) -> Result<Self, Error> {
        // Replaces the target of a link, not the link, so that no older dataset stays behind it.
        let to = to.canonicalize().unwrap_or_else(|_| to.to_owned());
        let name = to.file_name().ok_or_else(|| Error::Occupied { path: to.clone() })?;
        let parent = match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(Error::from_io(parent))?;
        let lock = Lock::acquire(hidden_sibling(parent, name, "lock"), &to)?;
        let old = hidden_sibling(parent, name, "old");
        if to.exists() {
            remove_folder(&old)?;
        } else if old.exists() {
            // A killed export moved the dataset aside.
            fs::rename(&old, &to).map_err(Error::from_io(&to))?;
        }
        // Includes a dangling link.
        if to.symlink_metadata().is_ok() {
            ensure_replaceable(&to)?;
        }
        let folder = hidden_sibling(parent, name, "part");
        remove_folder(&folder)?;
        fs::create_dir(&folder).map_err(Error::from_io(&folder))?;
        Ok(Self {
            folder,
            to,
            _lock: lock,
        })
    }

    /// Returns the staging folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves the staging folder into place and removes the older dataset.
    pub(crate) fn publish(self) -> Result<(), Error> {
        sync_folder(&self.folder);
        if self.to.exists() {
            // After the swap, drop removes the older dataset with the staging folder.
            swap_folders(&self.folder, &self.to)?;
        } else {
            fs::rename(&self.folder, &self.to).map_err(Error::from_io(&self.to))?;
        }
        if let Some(parent) = self.folder.parent() {
            sync_folder(parent);
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next export removes leftovers.
        let _ = remove_folder(&self.folder);
    }
}

/// Returns a hidden sibling path named after the dataset folder.
fn hidden_sibling(parent: &Path, name: &OsStr, purpose: &str) -> PathBuf {
    parent.join(format!(".{}.ranklore-{purpose}", name.to_string_lossy()))
}

fn remove_folder(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::from_io(folder)(error)),
        _ => Ok(()),
    }
}

/// Errors if `to` holds anything but an older dataset.
fn ensure_replaceable(to: &Path) -> Result<(), Error> {
    let path = to.to_owned();
    if !to.is_dir() {
        return Err(Error::Occupied { path });
    }
    let mut entries = fs::read_dir(to).map_err(Error::from_io(to))?;
    if entries.next().is_none() {
        return Ok(());
    }
    match Manifest::read(to) {
        Ok(_) | Err(Error::Newer { .. }) => {}
        Err(_) => return Err(Error::Occupied { path }),
    }
    match find_foreign_file(to)? {
        Some(file) => Err(Error::ForeignFile { path, file }),
        None => Ok(()),
    }
}

/// Lock against concurrent exports of the same dataset; the operating system releases it when a
/// process dies.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn acquire(path: PathBuf, to: &Path) -> Result<Self, Error> {
        loop {
            // Locks an existing file without truncating it.
            let mut options = File::options();
            options.write(true).create(true).truncate(false);
            let file = options.open(&path).map_err(Error::from_io(&path))?;
            match file.try_lock() {
                // The previous owner may have removed the file in the meantime.
                Ok(()) if is_same_file(&file, &path) => return Ok(Self { path, _file: file }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = to.to_owned();
                    return Err(Error::Busy { path });
                }
                Err(TryLockError::Error(error)) => return Err(Error::from_io(&path)(error)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while locked: a process that opened the file earlier notices and creates another.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// An open file cannot be removed on these systems.
#[cfg(not(unix))]
fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Makes the names in a folder durable. Some systems cannot sync folders; that is ignored.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Swaps two folders atomically, so that a whole dataset is in place at any time.
#[cfg(target_os = "linux")]
fn swap_folders(new: &Path, old: &Path) -> Result<(), Error> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // Some file systems do not support the swap.
        Err(Errno::INVAL | Errno::NOSYS) => swap_in_steps(new, old),
        Err(error) => Err(Error::from_io(old)(error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn swap_folders(new: &Path, old: &Path) -> Result<(), Error> {
    swap_in_steps(new, old)
}

/// Moves the older folder aside first; the next export restores it if this one dies in between.
fn swap_in_steps(new: &Path, old: &Path) -> Result<(), Error> {
    let parent = old.parent().unwrap_or(Path::new("."));
    let aside = hidden_sibling(parent, old.file_name().unwrap_or_default(), "old");
    remove_folder(&aside)?;
    fs::rename(old, &aside).map_err(Error::from_io(old))?;
    fs::rename(new, old).map_err(Error::from_io(old))?;
    fs::rename(&aside, new).map_err(Error::from_io(new))
}
