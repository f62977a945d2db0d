//! Verification of the files: lengths, checksums and undeclared files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use ranklore_store::open_regular_file;
use sha2::{Digest as _, Sha256};

use super::VerifyReport;
use crate::describe::{CHECKSUMS_FILE, Manifest, is_safe_relative_path};
use crate::digest::Digest;
use crate::error::Error;
use crate::progress::ExportProgress;

/// Maximum bytes of a checksum file.
const MAX_CHECKSUMS_BYTES: u64 = 64 << 20;

/// Returns true if all table files can be read.
pub(super) fn verify(
    folder: &Path,
    manifest: &Manifest,
    report: &mut VerifyReport,
    watch: &dyn ExportProgress,
) -> Result<bool, Error> {
    let sums = read_checksums(folder, report);
    let mut is_readable = compare_with_manifest(&sums, manifest, report);
    let files = manifest.files.iter();
    let lengths: HashMap<&str, u64> = files.map(|file| (&*file.path, file.bytes)).collect();
    for (path, sum) in &sums {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let full = folder.join(path);
        // Regular files only: a link may lead anywhere, and reading a pipe never ends.
        if !full.symlink_metadata().is_ok_and(|m| m.is_file()) {
            report.add_problem(format!("{path} is missing or not a regular file"));
            is_readable = false;
            continue;
        }
        match file_checksum(&full) {
            Ok((bytes, checksum)) => {
                report.bytes += bytes;
                if let Some(length) = lengths.get(path.as_str())
                    && *length != bytes
                {
                    report.add_problem(format!(
                        "{path} has {bytes} bytes, but the manifest lists {length}"
                    ));
                }
                if checksum.to_string() != *sum {
                    report.add_problem(format!(
                        "{path} does not match its checksum in {CHECKSUMS_FILE}"
                    ));
                }
            }
            Err(error) => report.add_problem(error.to_string()),
        }
    }
    let mut paths = Vec::new();
    list_files(folder, folder, &mut paths)?;
    for path in paths {
        if path != CHECKSUMS_FILE && !sums.contains_key(&path) {
            report.add_problem(format!("{path} is not in {CHECKSUMS_FILE}"));
        }
    }
    Ok(is_readable)
}

/// Compares checksums with the manifest. Returns true if all table files have one.
fn compare_with_manifest(
    sums: &BTreeMap<String, String>,
    manifest: &Manifest,
    report: &mut VerifyReport,
) -> bool {
    let mut is_complete = true;
    for file in &manifest.files {
        match sums.get(&file.path) {
            None => {
                report.add_problem(format!("{} is not in {CHECKSUMS_FILE}", file.path));
                is_complete = false;
            }
            Some(sum) if *sum != file.sha256.to_string() => report.add_problem(format!(
                "{CHECKSUMS_FILE} and datapackage.json have different checksums of {}",
                file.path
            )),
            Some(_) => {}
        }
    }
    is_complete
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

fn read_checksums(folder: &Path, report: &mut VerifyReport) -> BTreeMap<String, String> {
    let mut text = String::new();
    let result = open_regular_file(&folder.join(CHECKSUMS_FILE))
        .and_then(|file| file.take(MAX_CHECKSUMS_BYTES).read_to_string(&mut text));
    if let Err(error) = result {
        report.add_problem(format!("{CHECKSUMS_FILE}: {error}"));
    }
    let mut sums = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        match line.split_once("  ") {
            Some((sum, path)) if sum.len() == 64 && is_safe_relative_path(path) => {
                sums.insert(path.to_owned(), sum.to_owned());
            }
            _ => report.add_problem(format!(
                "{CHECKSUMS_FILE}, line {}: invalid checksum line",
                index + 1
            )),
        }
    }
    sums
}

/// Returns the length of a file in bytes and its SHA-256.
pub(crate) fn file_checksum(path: &Path) -> Result<(u64, Digest), Error> {
    let mut file = File::open(path).map_err(Error::from_io(path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer).map_err(Error::from_io(path))? {
            0 => break,
            length => {
                hasher.update(&buffer[..length]);
                bytes += length as u64;
            }
        }
    }
    Ok((bytes, Digest(hasher.finalize().into())))
}

/// Lists the relative paths of all files below a folder, with slashes. Skips names that begin with
/// a dot, which operating systems create everywhere.
pub(crate) fn list_files(root: &Path, folder: &Path, paths: &mut Vec<String>) -> Result<(), Error> {
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .map_err(Error::from_io(folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(Error::from_io(&path))?;
        if kind.is_dir() {
            list_files(root, &path, paths)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            let parts = relative.components();
            let names = parts.map(|part| part.as_os_str().to_string_lossy());
            paths.push(names.collect::<Vec<_>>().join("/"));
        }
    }
    Ok(())
}
