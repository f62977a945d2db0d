//! Regular files: opening a pipe blocks, and opening some devices acts on them.

use std::fs::{File, FileType, Metadata};
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// The error of [`check_regular_file`]; errors of the system.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    check_regular_file(&path.metadata()?)?;
    File::open(path)
}

/// Errors if a path leads to something else than a regular file, which the error names.
///
/// A build with debug assertions accepts pipes if `RANKLORE_READ_PIPES` is set: tests slow a reader
/// down with one.
///
/// # Errors
/// [`io::ErrorKind::Other`].
pub fn check_regular_file(file: &Metadata) -> io::Result<()> {
    let accepts_pipes = cfg!(debug_assertions) && std::env::var_os("RANKLORE_READ_PIPES").is_some();
    if file.is_file() || accepts_pipes {
        return Ok(());
    }
    let kind = file_kind(file.file_type());
    Err(io::Error::other(format!("it is {kind}, not a file")))
}

/// Names the type of a path that is not a regular file, with its article.
pub(crate) fn file_kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else {
        "no regular file"
    }
}
