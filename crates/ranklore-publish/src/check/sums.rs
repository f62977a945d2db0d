//! Verification of the files: lengths, checksums and undeclared files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::Checked;
use crate::describe::{Manifest, SUMS, goes_down};
use crate::digest::hex;
use crate::error::Error;
use crate::watch::Watch;

/// Maximum bytes of a checksum file.
const MAX_SUMS: u64 = 64 << 20;

/// Returns true if all table files can be read.
pub(super) fn check(
    folder: &Path,
    manifest: &Manifest,
    checked: &mut Checked,
    watch: &dyn Watch,
) -> Result<bool, Error> {
    let sums = read_sums(folder, checked);
    let mut sound = manifest
        .files
        .iter()
        .all(|file| sums.contains_key(&file.path));
    let mut lengths = HashMap::new();
    for file in &manifest.files {
        lengths.insert(file.path.as_str(), file.bytes);
        match sums.get(&file.path) {
            None => checked.problem(format!("{} is not in {SUMS}", file.path)),
            Some(sum) if *sum != file.sha256 => checked.problem(format!(
                "{SUMS} and datapackage.json have different checksums of {}",
                file.path
            )),
            Some(_) => {}
        }
    }
    for (path, sum) in &sums {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        let full = folder.join(path);
        // Regular files only: a link may lead anywhere, and reading a pipe never ends.
        if !full.symlink_metadata().is_ok_and(|of| of.is_file()) {
            checked.problem(format!("{path} is missing or not a regular file"));
            sound = false;
            continue;
        }
        match sum_of(&full) {
            Ok((bytes, is)) => {
                checked.bytes += bytes;
                if let Some(said) = lengths.get(path.as_str()).filter(|said| **said != bytes) {
                    checked.problem(format!(
                        "{path} has {bytes} bytes, but the manifest lists {said}"
                    ));
                }
                if is != *sum {
                    checked.problem(format!("{path} does not match its checksum in {SUMS}"));
                }
            }
            Err(error) => checked.problem(error.to_string()),
        }
    }
    let mut there = Vec::new();
    list(folder, folder, &mut there)?;
    for path in there {
        if path != SUMS && !sums.contains_key(&path) {
            checked.problem(format!("{path} is not in {SUMS}"));
        }
    }
    Ok(sound)
}

/// Finds the first file or folder, hidden ones included, that has no checksum. Ignores `.DS_Store`,
/// which macOS writes into every folder it shows.
pub(crate) fn foreign(folder: &Path) -> Result<Option<String>, Error> {
    let sums = read_sums(folder, &mut Checked::default());
    below(folder, "", &sums)
}

fn below(
    folder: &Path,
    path: &str,
    sums: &BTreeMap<String, String>,
) -> Result<Option<String>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    for entry in entries {
        let entry = entry.map_err(Error::io(folder))?;
        let name = format!("{path}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(Error::io(&entry.path()))?;
        let within = format!("{name}/");
        if kind.is_dir() && sums.keys().any(|file| file.starts_with(&within)) {
            if let Some(foreign) = below(&entry.path(), &within, sums)? {
                return Ok(Some(foreign));
            }
        } else if !sums.contains_key(&name) && name != SUMS && entry.file_name() != ".DS_Store" {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn read_sums(folder: &Path, checked: &mut Checked) -> BTreeMap<String, String> {
    let mut text = String::new();
    let read = File::open(folder.join(SUMS))
        .and_then(|file| file.take(MAX_SUMS).read_to_string(&mut text));
    if let Err(error) = read {
        checked.problem(format!("{SUMS}: {error}"));
    }
    let mut sums = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let parts = line.split_once("  ");
        let parts = parts.filter(|(sum, path)| sum.len() == 64 && goes_down(path));
        match parts {
            Some((sum, path)) => drop(sums.insert(path.to_owned(), sum.to_owned())),
            None => checked.problem(format!("{SUMS}, line {}: invalid checksum line", index + 1)),
        }
    }
    sums
}

/// Returns the length of a file in bytes and its SHA-256 in hexadecimal.
pub(crate) fn sum_of(path: &Path) -> Result<(u64, String), Error> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer).map_err(Error::io(path))? {
            0 => break,
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
    Ok((bytes, hex(&hasher.finalize())))
}

/// Lists the relative paths of all files below a folder, with slashes. Skips names that begin with
/// a dot, which operating systems create everywhere.
pub(crate) fn list(root: &Path, folder: &Path, into: &mut Vec<String>) -> Result<(), Error> {
    let failed = Error::io(folder);
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(Error::io(&path))?;
        if kind.is_dir() {
            list(root, &path, into)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            let parts = relative.components();
            let parts = parts.map(|part| part.as_os_str().to_string_lossy());
            into.push(parts.collect::<Vec<_>>().join("/"));
        }
    }
    Ok(())
}
