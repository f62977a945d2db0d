//! Answers of a site that the user saved as files, used in place of requests.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{FetchOptions, FetchOutcome, FetchedDocument, Validators};
use ranklore_source::assemble::RefusedInput;
use ranklore_source::{Classification, Document, Request};
use ranklore_store::{Store, open_regular_file};

use crate::derive::site::Site;
use crate::error::Error;

/// The files of a folder, by the keys of the requests they answer.
pub(crate) struct SavedAnswers {
    folder: PathBuf,
    files: BTreeMap<String, SavedFile>,
    now: UnixSeconds,
}

struct SavedFile {
    name: String,
    path: PathBuf,
    /// True if the newest archived answer has the same content.
    is_archived: bool,
    is_used: bool,
}

impl SavedAnswers {
    /// Creates the answers in a folder, which is not read yet. Its files count as fetched at `now`.
    pub(crate) fn new(folder: &Path, now: UnixSeconds) -> Self {
        Self {
            folder: folder.to_owned(),
            files: BTreeMap::new(),
            now,
        }
    }

    /// Reads the folder without following links. Returns the files that cannot be used, with the
    /// reasons.
    pub(crate) fn load(
        &mut self,
        store: &Store,
        site: &Site<'_>,
    ) -> Result<Vec<RefusedInput>, Error> {
        let unreadable = Error::unreadable(&self.folder);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(&unreadable)? {
            names.push(entry.map_err(&unreadable)?.file_name());
        }
        // Reports must not depend on the order of the file system.
        names.sort_unstable();
        let mut refused = Vec::new();
        for name in names {
            let path = self.folder.join(&name);
            let document = name.to_string_lossy().into_owned();
            // Hidden files belong to other programs.
            if document.starts_with('.') {
                continue;
            }
            let answer = classify_file(store, site, &path, &document)?;
            let unique = answer.and_then(|(key, file)| match self.files.get(&key) {
                Some(other) => Err(format!("has the same request as {}", other.name)),
                None => Ok((key, file)),
            });
            match unique {
                Ok((key, file)) => drop(self.files.insert(key, file)),
                Err(what) => refused.push(RefusedInput { document, what }),
            }
        }
        Ok(refused)
    }

    /// True if a file answers the request and differs from the archived answer.
    pub(crate) fn has_new_answer(&self, request: &Request) -> bool {
        let file = self.files.get(&request.key());
        file.is_some_and(|file| !file.is_archived)
    }

    /// True if a file answers the request with this key. Marks the file as used.
    pub(crate) fn mark_used(&mut self, key: &str) -> bool {
        let file = self.files.get_mut(key);
        file.map(|file| file.is_used = true).is_some()
    }

    /// Returns the content of the file that answers the request, which must exist.
    pub(crate) fn read_answer(&self, request: &Request) -> Result<FetchOutcome, Error> {
        let Some(file) = self.files.get(&request.key()) else {
            return Err(Error::invalid_request(format!(
                "no file answers {}, {}",
                request.what,
                request.key()
            )));
        };
        let body = read_answer_file(&file.path).map_err(Error::unreadable(&file.path))?;
        Ok(FetchOutcome::Fresh(FetchedDocument {
            url: file.name.clone(),
            fetched_at: self.now,
            status: 200,
            validators: Validators::default(),
            media_type: None,
            body,
        }))
    }

    /// Returns the names of files that answer no request of the sync.
    pub(crate) fn unused(&self) -> Vec<String> {
        let files = self.files.values().filter(|file| !file.is_used);
        files.map(|file| file.name.clone()).collect()
    }
}

/// Returns a file with the key of the request it answers, or the reason why it answers none.
fn classify_file(
    store: &Store,
    site: &Site<'_>,
    path: &Path,
    name: &str,
) -> Result<Result<(String, SavedFile), String>, Error> {
    let is_file = std::fs::symlink_metadata(path).map(|metadata| metadata.is_file());
    if !matches!(is_file, Ok(true)) {
        return Ok(Err("is not a regular file".to_owned()));
    }
    let saved_files = site.source.profile().saved_files;
    let Some(request) = saved_files.and_then(|files| (files.request)(name)) else {
        return Ok(Err("does not have the name of an answer of this site".to_owned()));
    };
    let body = match read_answer_file(path) {
        Ok(body) => body,
        Err(error) => return Ok(Err(format!("cannot be read: {error}"))),
    };
    match site.source.classify(&request, 200, &body) {
        Classification::Answer => {}
        Classification::RetryLater(reason)
        | Classification::Failed(reason)
        | Classification::Blocked(reason)
        | Classification::Invalid(reason) => {
            return Ok(Err(format!("is not a valid answer: {reason}")));
        }
    }
    let key = request.key();
    let is_archived = match store.newest_document(site.source_id, &key)? {
        Some(newest) => {
            let minimised = site.source.minimise(&key, &body);
            let document = Document {
                request_key: &key,
                fetched_at: UnixSeconds::MIN,
                status: 200,
                body: &minimised,
            };
            let redaction = site.redact(&document, None, false);
            let expected = redaction.as_ref().map_or(&*minimised, |redaction| &redaction.body);
            store.document(newest.document_id)?.body == expected
        }
        None => false,
    };
    let file = SavedFile {
        name: name.to_owned(),
        path: path.to_owned(),
        is_archived,
        is_used: false,
    };
    Ok(Ok((key, file)))
}

/// Reads a file, unless it is larger than an answer may be.
fn read_answer_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let limit = FetchOptions::DEFAULT_MAX_BODY;
    let mut body = Vec::new();
    let file = open_regular_file(path)?;
    // One byte more than allowed shows that the file is too large.
    file.take(limit as u64 + 1).read_to_end(&mut body)?;
    if body.len() > limit {
        return Err(std::io::Error::other(format!(
            "it is larger than the {} MiB an answer may have",
            limit >> 20
        )));
    }
    Ok(body)
}
