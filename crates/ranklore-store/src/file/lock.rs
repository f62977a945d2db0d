//! One writer at a time: an operating-system lock on `<db>.lock`, which dies with its process.
//!
//! The lock file is never removed: a process that opened it just before it vanished would
//! hold a lock that nobody else sees. Its text is for people; only the lock counts.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::file::failpoint::failpoint;

/// Longest text of a lock file that is read or written, in bytes.
const TEXT_LIMIT: usize = 200;

/// Far longer than anybody holds the lock only to ask who has it.
const ASKING: Duration = Duration::from_millis(20);

/// Who holds the file, in words: "process 4711 (ranklore import) since 2026-11-21T08:54:59Z".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder(String);

impl Holder {
    pub(crate) fn unknown() -> Self {
        Self("another process".to_owned())
    }

    /// What somebody else wrote into a lock file, fit for a terminal.
    fn from_text(bytes: &[u8]) -> Self {
        let text = printable(&String::from_utf8_lossy(bytes));
        if text.is_empty() {
            Self::unknown()
        } else {
            Self(text)
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Holds the lock until dropped.
#[derive(Debug)]
pub(crate) struct WriteLock(File);

impl WriteLock {
    /// Takes the lock of the database at `path` without waiting.
    pub(crate) fn take(path: &Path, purpose: &str) -> Result<Self> {
        let lock_path = lock_path(path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(|error| Error::from_io(&lock_path, error))?;
        let mut taken = file.try_lock();
        if matches!(taken, Err(TryLockError::WouldBlock)) {
            // It may be somebody who only asks (`holder`), and is gone by then.
            std::thread::sleep(ASKING);
            taken = file.try_lock();
        }
        match taken {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = Vec::new();
                // Unreadable, as on Windows while it is locked, is as good as empty.
                let _ = (&file).take(TEXT_LIMIT as u64).read_to_end(&mut text);
                return Err(Error::InUse {
                    path: path.to_owned(),
                    holder: Holder::from_text(&text),
                });
            }
            Err(TryLockError::Error(error)) => return Err(Error::from_io(&lock_path, error)),
        }
        let mut text = format!("process {}", std::process::id());
        for (before, what, after) in [
            (" (", Some(printable(purpose)), ")"),
            (" since ", now().map(|now| now.to_string()), ""),
        ] {
            if let Some(what) = what.filter(|what| !what.is_empty()) {
                text.extend([before, &what, after]);
            }
        }
        // The lock is held whether or not its text can be written.
        let _ = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(text.as_bytes()));
        Ok(Self(file))
    }

    /// Who holds the lock of the database at `path`, without taking it away from anybody.
    pub(crate) fn holder(path: &Path) -> Option<Holder> {
        let file = File::open(lock_path(path)).ok()?;
        let mut text = Vec::new();
        let read = (&file).take(TEXT_LIMIT as u64).read_to_end(&mut text);
        // A writer that ended took its text away. One that crashed did not, so ask the system:
        // a lock that is shared, so that two who ask do not take each other for a writer.
        if read.is_ok() && text.is_empty() {
            return None;
        }
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(Holder::from_text(&text)),
            // Closing the file lets go of it.
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        failpoint("close: after");
        // A text left behind would only be read while somebody else holds the lock.
        let _ = self.0.set_len(0);
        let _ = self.0.unlock();
    }
}

/// Keeps writers away until dropped.
#[derive(Debug)]
pub(crate) struct ReadLock {
    _file: Option<File>,
}

impl ReadLock {
    /// Takes it unless somebody writes, without writing anything. Where nothing was ever
    /// locked, there is nothing to hold, and nobody who could make a lock file.
    pub(crate) fn take(path: &Path) -> Option<Self> {
        let file = match File::open(lock_path(path)) {
            Ok(file) => {
                file.try_lock_shared().ok()?;
                Some(file)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(_) => return None,
        };
        Some(Self { _file: file })
    }
}

/// `<db>.lock` beside the database.
fn lock_path(path: &Path) -> PathBuf {
    with_suffix(path, ".lock")
}

/// Returns the path of a file beside the database, such as its log, `-wal`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The clock, for the text of the lock alone: data is told the time by the caller.
fn now() -> Option<UnixSeconds> {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    UnixSeconds::new(i64::try_from(since.as_secs()).ok()?)
}

/// The first [`TEXT_LIMIT`] bytes without what steers a terminal: control characters and
/// those that turn or hide text.
fn printable(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        // As the command line's rule (`steers` in its output.rs), and the two joiners as well:
        // nothing that is written here needs them.
        let hidden = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        if c.is_control() || hidden {
            continue;
        }
        if out.len() + c.len_utf8() > TEXT_LIMIT {
            break;
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_holds_it_until_the_first_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let first = WriteLock::take(&path, "ranklore import").unwrap();
        let error = WriteLock::take(&path, "ranklore rate").unwrap_err();
        let Error::InUse { holder, .. } = &error else {
            panic!("{error}");
        };
        let holder = holder.to_string();
        let start = format!("process {} (ranklore import) since 2", std::process::id());
        assert!(holder.starts_with(&start), "{holder}");
        assert_eq!(WriteLock::holder(&path).unwrap().to_string(), holder);
        drop(first);
        assert_eq!(WriteLock::holder(&path), None);
        // The text of one that crashed.
        std::fs::write(lock_path(&path), "process 1 (ranklore import)").unwrap();
        assert_eq!(WriteLock::holder(&path), None);
        WriteLock::take(&path, "ranklore rate").unwrap();
    }

    #[test]
    fn who_asks_keeps_no_writer_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        // As if every writer had crashed: then whoever asks locks the file for a moment.
        std::fs::write(lock_path(&path), "process 1").unwrap();
        std::thread::scope(|threads| {
            let asks = threads.spawn(|| {
                for _ in 0..2_000 {
                    WriteLock::holder(&path);
                }
            });
            while !asks.is_finished() {
                drop(WriteLock::take(&path, "ranklore rate").unwrap());
                std::fs::write(lock_path(&path), "process 1").unwrap();
            }
        });
    }

    #[test]
    fn text_of_a_lock_file_cannot_steer_the_terminal() {
        let nasty = b"pid 1\x1b[2J\r\n\x07\xff\xe2\x80\xae\xd8\x9cevil";
        let holder = Holder::from_text(nasty).to_string();
        assert_eq!(holder, "pid 1[2J\u{fffd}evil");
        assert_eq!(
            Holder::from_text(&vec![b'x'; 100_000]).to_string().len(),
            TEXT_LIMIT
        );
        assert_eq!(Holder::from_text(b" \n").to_string(), " ");
        assert_eq!(Holder::from_text(b"\n"), Holder::unknown());
    }
}
