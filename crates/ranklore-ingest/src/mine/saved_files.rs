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
    files: BTreeMap<String, SavedFile>,
    now: UnixSeconds,
}

struct SavedFile {
    name: String,
    path: PathBuf,
    /// True if the newest archived answer has the same content.
    known: bool,
    used: bool,
}

impl SavedAnswers {
    /// Reads a folder without following links. Its files count as fetched at `now`. Also returns
    /// the files that cannot be used, with the reasons.
    pub(crate) fn open(
        folder: &Path,
        store: &Store,
        site: &Site<'_>,
        now: UnixSeconds,
    ) -> Result<(Self, Vec<RefusedInput>), Error> {
        let unreadable = Error::unreadable(folder);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(&unreadable)? {
            names.push(entry.map_err(&unreadable)?.file_name());
        }
        names.sort_unstable();
        let mut files: BTreeMap<String, SavedFile> = BTreeMap::new();
        let mut refused = Vec::new();
        for name in names {
            let path = folder.join(&name);
            let name = name.to_string_lossy().into_owned();
            // Hidden files belong to other programs.
            if name.starts_with('.') {
                continue;
            }
            let taken = classify_file(store, site, &path, &name)?;
            let taken = taken.and_then(|(key, file)| match files.get(&key) {
                Some(other) => Err(format!("has the same request as {}", other.name)),
                None => Ok((key, file)),
            });
            match taken {
                Ok((key, file)) => drop(files.insert(key, file)),
                Err(what) => refused.push(RefusedInput {
                    document: name,
                    what,
                }),
            }
        }
        Ok((Self { files, now }, refused))
    }

    /// True if a file answers the request and differs from the archived answer.
    pub(crate) fn has_new_answer(&self, request: &Request) -> bool {
        let file = self.files.get(&request.key());
        file.is_some_and(|file| !file.known)
    }

    /// True if a file answers the request with this key. Marks the file as used.
    pub(crate) fn mark_used(&mut self, key: &str) -> bool {
        let file = self.files.get_mut(key);
        file.map(|file| file.used = true).is_some()
    }

    /// Returns the content of the file that answers the request, which must exist.
    pub(crate) fn read_answer(&self, request: &Request) -> Result<FetchOutcome, Error> {
        let Some(file) = self.files.get(&request.key()) else {
            let (what, key) = (&request.what, request.key());
            return Err(Error::invalid_request(format!(
                "no file answers {what}, {key}"
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
        let files = self.files.values().filter(|file| !file.used);
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
    let is_file = std::fs::symlink_metadata(path).map(|about| about.is_file());
    if !matches!(is_file, Ok(true)) {
        return Ok(Err("is not a regular file".to_owned()));
    }
    let saved_files = site.source.profile().saved_files;
    let Some(request) = saved_files.and_then(|files| (files.request)(name)) else {
        return Ok(Err(
            "does not have the name of an answer of this site".to_owned()
        ));
    };
    let body = match read_answer_file(path) {
        Ok(body) => body,
        Err(error) => return Ok(Err(format!("cannot be read: {error}"))),
    };
    match site.source.classify(&request, 200, &body) {
        Classification::Answer => {}
        Classification::RetryLater(why)
        | Classification::Blocked(why)
        | Classification::Invalid(why) => {
            return Ok(Err(format!("is not a valid answer: {why}")));
        }
    }
    let key = request.key();
    let known = match store.newest_document(site.source_id, &key)? {
        Some(newest) => {
            let kept = site.source.minimise(&key, &body);
            let document = Document {
                request_key: &key,
                fetched_at: UnixSeconds::MIN,
                status: 200,
                body: &kept,
            };
            let in_place = site.redact(&document, None, false);
            let kept = in_place.as_ref().map_or(&*kept, |redacted| &redacted.body);
            store.document(newest.document_id)?.body == kept
        }
        None => false,
    };
    let file = SavedFile {
        name: name.to_owned(),
        path: path.to_owned(),
        known,
        used: false,
    };
    Ok(Ok((key, file)))
}

/// Reads a file, unless it is larger than an answer may be.
fn read_answer_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let limit = FetchOptions::DEFAULT_MAX_BODY;
    let mut body = Vec::new();
    let file = open_regular_file(path)?;
    file.take(limit as u64 + 1).read_to_end(&mut body)?;
    if body.len() > limit {
        let why = format!(
            "it is larger than the {} MiB an answer may have",
            limit >> 20
        );
        return Err(std::io::Error::other(why));
    }
    Ok(body)
}
