//! Verification of the files: lengths, checksums and undeclared files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use ranklore_store::open_regular_file;
use sha2::{Digest as _, Sha256};

use super::VerifyReport;
use crate::describe::{CHECKSUMS_FILE, Manifest, is_safe_relative_path};
use crate::digest::to_hex;
use crate::error::Error;
use crate::progress::ExportProgress;

/// Maximum bytes of a checksum file.
const MAX_CHECKSUMS_BYTES: u64 = 64 << 20;

/// Returns true if all table files can be read.
pub(super) fn verify(
    folder: &Path,
    manifest: &Manifest,
    checked: &mut VerifyReport,
    watch: &dyn ExportProgress,
) -> Result<bool, Error> {
    let sums = read_checksums(folder, checked);
    let mut sound = true;
    let mut lengths = HashMap::new();
    for file in &manifest.files {
        lengths.insert(file.path.as_str(), file.bytes);
        match sums.get(&file.path) {
            None => {
                checked.add_problem(format!("{} is not in {CHECKSUMS_FILE}", file.path));
                sound = false;
            }
            Some(sum) if *sum != file.sha256 => checked.add_problem(format!(
                "{CHECKSUMS_FILE} and datapackage.json have different checksums of {}",
                file.path
            )),
            Some(_) => {}
        }
    }
    for (path, sum) in &sums {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let full = folder.join(path);
        // Regular files only: a link may lead anywhere, and reading a pipe never ends.
        if !full.symlink_metadata().is_ok_and(|of| of.is_file()) {
            checked.add_problem(format!("{path} is missing or not a regular file"));
            sound = false;
            continue;
        }
        match file_checksum(&full) {
            Ok((bytes, is)) => {
                checked.bytes += bytes;
                if let Some(said) = lengths.get(path.as_str()).filter(|said| **said != bytes) {
                    checked.add_problem(format!(
                        "{path} has {bytes} bytes, but the manifest lists {said}"
                    ));
                }
                if is != *sum {
                    checked.add_problem(format!(
                        "{path} does not match its checksum in {CHECKSUMS_FILE}"
                    ));
                }
            }
            Err(error) => checked.add_problem(error.to_string()),
        }
    }
    let mut there = Vec::new();
    list_files(folder, folder, &mut there)?;
    for path in there {
        if path != CHECKSUMS_FILE && !sums.contains_key(&path) {
            checked.add_problem(format!("{path} is not in {CHECKSUMS_FILE}"));
        }
    }
    Ok(sound)
}

/// Finds the first file or folder, hidden ones included, that has no checksum. Ignores `.DS_Store`,
/// which macOS writes into every folder it shows.
pub(crate) fn find_foreign_file(folder: &Path) -> Result<Option<String>, Error> {
    let sums = read_checksums(folder, &mut VerifyReport::default());
    find_foreign_below(folder, "", &sums)
}

fn find_foreign_below(
    folder: &Path,
    path: &str,
    sums: &BTreeMap<String, String>,
) -> Result<Option<String>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::from_io(folder))?;
    for entry in entries {
        let entry = entry.map_err(Error::from_io(folder))?;
        let name = format!("{path}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(Error::from_io(&entry.path()))?;
        let within = format!("{name}/");
        if kind.is_dir() && sums.keys().any(|file| file.starts_with(&within)) {
            if let Some(foreign) = find_foreign_below(&entry.path(), &within, sums)? {
                return Ok(Some(foreign));
            }
        } else if !sums.contains_key(&name)
            && name != CHECKSUMS_FILE
            && entry.file_name() != ".DS_Store"
        {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn read_checksums(folder: &Path, checked: &mut VerifyReport) -> BTreeMap<String, String> {
    let mut text = String::new();
    let read = open_regular_file(&folder.join(CHECKSUMS_FILE))
        .and_then(|file| file.take(MAX_CHECKSUMS_BYTES).read_to_string(&mut text));
    if let Err(error) = read {
        checked.add_problem(format!("{CHECKSUMS_FILE}: {error}"));
    }
    let mut sums = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let parts = line.split_once("  ");
        let parts = parts.filter(|(sum, path)| sum.len() == 64 && is_safe_relative_path(path));
        match parts {
            Some((sum, path)) => drop(sums.insert(path.to_owned(), sum.to_owned())),
            None => checked.add_problem(format!(
                "{CHECKSUMS_FILE}, line {}: invalid checksum line",
                index + 1
            )),
        }
    }
    sums
}

/// Returns the length of a file in bytes and its SHA-256 in hexadecimal.
pub(crate) fn file_checksum(path: &Path) -> Result<(u64, String), Error> {
    let mut file = File::open(path).map_err(Error::from_io(path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer).map_err(Error::from_io(path))? {
            0 => break,
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
    Ok((bytes, to_hex(&hasher.finalize())))
}

/// Lists the relative paths of all files below a folder, with slashes. Skips names that begin with
/// a dot, which operating systems create everywhere.
pub(crate) fn list_files(root: &Path, folder: &Path, into: &mut Vec<String>) -> Result<(), Error> {
    let failed = Error::from_io(folder);
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(Error::from_io(&path))?;
        if kind.is_dir() {
            list_files(root, &path, into)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            let parts = relative.components();
            let parts = parts.map(|part| part.as_os_str().to_string_lossy());
            into.push(parts.collect::<Vec<_>>().join("/"));
        }
    }
    Ok(())
}
