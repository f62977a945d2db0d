//! The folder of a site: which files are written, left as they are, and removed.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ranklore_contest::SourceName;

use crate::assets::{ASSETS, SITE_SEARCH};
use crate::site::{SiteError, SiteReport, SiteSize};

/// The file that marks the folder as that of a site, with the name of the source.
const MARKER: &str = "ranklore-site.txt";

/// The folders that belong to the site as a whole: other files in them are removed.
const OWN_FOLDERS: [&str; 10] = [
    "leaderboard",
    "players",
    "contests",
    "player",
    "contest",
    "compare",
    "distribution",
    "movers",
    "records",
    "search",
];

/// The first characters of files that are being written.
const UNFINISHED: &str = ".unfinished-";

/// A folder that can have the site.
#[derive(Debug)]
pub(super) struct SiteFolder {
    folder: PathBuf,
    source: String,
}

impl SiteFolder {
    /// Checks that a folder is empty as far as the site is concerned, or has an earlier site of the
    /// source.
    pub(super) fn check(folder: &Path, source: &SourceName) -> Result<Self, SiteError> {
        let refuse = |reason: String| SiteError::Folder {
            folder: folder.to_owned(),
            reason,
        };
        if folder.exists() && !folder.is_dir() {
            return Err(refuse("is not a folder".to_owned()));
        }
        // Removing old pages must not reach other folders.
        let mut names = OWN_FOLDERS.iter();
        if let Some(link) = names.find(|name| folder.join(name).is_symlink()) {
            return Err(refuse(format!("has the link \"{link}\"")));
        }
        match fs::read_to_string(folder.join(MARKER)) {
            Ok(owner) if owner.trim() == source.as_str() => {}
            Ok(owner) => {
                let owner: String = owner.trim().chars().take(80).collect();
                return Err(refuse(format!("has the site of \"{}\"", owner.escape_debug())));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let assets = ASSETS.iter().chain([&SITE_SEARCH]);
                let asset_names = assets.map(|asset| asset.path.trim_start_matches('/'));
                let mut names = OWN_FOLDERS.into_iter().chain(["index.html"]).chain(asset_names);
                if let Some(name) = names.find(|name| folder.join(name).exists()) {
                    return Err(refuse(format!("has \"{name}\", which is not of a site")));
                }
            }
            Err(source) => {
                return Err(SiteError::Write {
                    path: folder.join(MARKER),
                    source,
                });
            }
        }
        Ok(Self {
            folder: folder.to_owned(),
            source: source.to_string(),
        })
    }

    /// Makes the folder, and marks it as that of the site.
    pub(super) fn begin(self) -> Result<OpenFolder, SiteError> {
        let folder = OpenFolder {
            folder: self.folder,
            files: Mutex::default(),
            written: AtomicUsize::new(0),
        };
        folder.make("")?;
        // First of all, so that a site that is interrupted is known as such.
        folder.write(MARKER, format!("{}\n", self.source).as_bytes())?;
        for name in OWN_FOLDERS {
            folder.make(name)?;
        }
        Ok(folder)
    }
}

/// The folder of a site that is being written.
#[derive(Debug)]
pub(super) struct OpenFolder {
    folder: PathBuf,
    files: Mutex<Files>,
    written: AtomicUsize,
}

/// The files of the site, by their paths in the folder.
#[derive(Debug, Default)]
struct Files {
    paths: HashSet<String>,
    bytes: u64,
}

impl OpenFolder {
    /// Makes a folder of the site.
    fn make(&self, name: &str) -> Result<(), SiteError> {
        let path = self.folder.join(name);
        fs::create_dir_all(&path).map_err(|source| SiteError::Write { path, source })
    }

    /// Writes a file beside the old one and renames it, unless the old one has the same bytes.
    pub(super) fn write(&self, path: &str, body: &[u8]) -> Result<(), SiteError> {
        {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.bytes += body.len() as u64;
            files.paths.insert(path.to_owned());
        }
        let file = self.folder.join(path);
        if has_content(&file, body) {
            return Ok(());
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let unfinished = file.with_file_name(format!("{UNFINISHED}{process}-{number}"));
        // A new file: writing never follows a link of this name.
        let result = fs::File::create_new(&unfinished)
            .and_then(|mut new_file| new_file.write_all(body))
            .and_then(|()| fs::rename(&unfinished, &file));
        result.map_err(|source| {
            // A file that remains does not matter: the next run removes it.
            let _ = fs::remove_file(&unfinished);
            SiteError::Write { path: file, source }
        })
    }

    /// Removes the files of an earlier site that are not part of this one.
    pub(super) fn finish(self) -> Result<SiteReport, SiteError> {
        let files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut removed = 0;
        for folder in [""].iter().chain(&OWN_FOLDERS) {
            let path = self.folder.join(folder);
            let failed = |source| SiteError::Write {
                path: path.clone(),
                source,
            };
            for entry in fs::read_dir(&path).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_unfinished = name.starts_with(UNFINISHED);
                let is_old =
                    !folder.is_empty() && !files.paths.contains(&format!("{folder}/{name}"));
                let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
                if is_file && (is_unfinished || is_old) {
                    fs::remove_file(entry.path()).map_err(failed)?;
                    removed += usize::from(!is_unfinished);
                }
            }
        }
        let written = self.written.into_inner();
        Ok(SiteReport {
            size: SiteSize {
                files: files.paths.len(),
                bytes: files.bytes,
                ..SiteSize::default()
            },
            written,
            unchanged: files.paths.len() - written,
            removed,
        })
    }
}

/// True if a file has these bytes. Links are replaced by files.
fn has_content(file: &Path, body: &[u8]) -> bool {
    fs::symlink_metadata(file).is_ok_and(|m| m.is_file() && m.len() == body.len() as u64)
        && fs::read(file).is_ok_and(|old| old == body)
}
