//! Files in which somebody saved what a site answered, in place of the site.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Answered, Fresh, Options, Validators};
use ranklore_source::assemble::Refusal;
use ranklore_source::{Document, Request, Verdict};
use ranklore_store::Store;

use crate::derive::site::Site;
use crate::error::Error;

/// The files of a folder, by the keys of the questions they answer.
pub(crate) struct Saved {
    files: BTreeMap<String, SavedFile>,
    now: UnixSeconds,
}

struct SavedFile {
    name: String,
    path: PathBuf,
    /// The archive has the same as its newest answer.
    known: bool,
    used: bool,
}

impl Saved {
    /// Looks at everything in a folder, and at nothing beyond it: links are not followed. What
    /// is in its files came at the time `now`. Returns also what cannot be taken, and why.
    pub(crate) fn of(
        folder: &Path,
        store: &Store,
        site: &Site<'_>,
        now: UnixSeconds,
    ) -> Result<(Self, Vec<Refusal>), Error> {
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
            // The litter of other programs.
            if name.starts_with('.') {
                continue;
            }
            let taken = take(store, site, &path, &name)?;
            let taken = taken.and_then(|(key, file)| match files.get(&key) {
                Some(other) => Err(format!("answers what {} answers", other.name)),
                None => Ok((key, file)),
            });
            match taken {
                Ok((key, file)) => drop(files.insert(key, file)),
                Err(what) => refused.push(Refusal {
                    document: name,
                    what,
                }),
            }
        }
        Ok((Self { files, now }, refused))
    }

    /// Whether there is a file that answers this, and says something else than the archive.
    pub(crate) fn has_news(&self, request: &Request) -> bool {
        let file = self.files.get(&request.key());
        file.is_some_and(|file| !file.known)
    }

    /// True if a file answers the request of this key; it is of use then.
    pub(crate) fn has(&mut self, key: &str) -> bool {
        let file = self.files.get_mut(key);
        file.map(|file| file.used = true).is_some()
    }

    /// What the file says that answers this; there has to be one.
    pub(crate) fn answer(&self, request: &Request) -> Result<Answered, Error> {
        let Some(file) = self.files.get(&request.key()) else {
            return Err(Error::Undecided {
                reason: format!("no file answers {}, {}", request.what, request.key()),
            });
        };
        let body = bounded(&file.path).map_err(Error::unreadable(&file.path))?;
        Ok(Answered::Fresh(Fresh {
            url: file.name.clone(),
            fetched_at: self.now,
            status: 200,
            validators: Validators::default(),
            media_type: None,
            body,
        }))
    }

    /// The names of files that answer what nobody asked.
    pub(crate) fn unused(&self) -> Vec<String> {
        let files = self.files.values().filter(|file| !file.used);
        files.map(|file| file.name.clone()).collect()
    }
}

/// A file with the key of what it answers; or why it answers nothing.
fn take(
    store: &Store,
    site: &Site<'_>,
    path: &Path,
    name: &str,
) -> Result<Result<(String, SavedFile), String>, Error> {
    let is_file = std::fs::symlink_metadata(path).map(|about| about.is_file());
    if !matches!(is_file, Ok(true)) {
        return Ok(Err("is no file of its own".to_owned()));
    }
    let saved_files = site.source.profile().saved_files;
    let Some(request) = saved_files.and_then(|files| (files.request)(name)) else {
        return Ok(Err(
            "has no name that the site gives to an answer".to_owned()
        ));
    };
    let body = match bounded(path) {
        Ok(body) => body,
        Err(error) => return Ok(Err(format!("cannot be read: {error}"))),
    };
    match site.source.classify(&request, 200, &body) {
        Verdict::Answer => {}
        Verdict::RetryLater(why) | Verdict::Blocked(why) | Verdict::Invalid(why) => {
            return Ok(Err(format!("is no answer: {why}")));
        }
    }
    let key = request.key();
    let known = match store.newest_answer(site.source_id, &key)? {
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

/// Reads a file, unless it is larger than answers may be.
fn bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let limit = Options::MAX_BODY;
    let mut body = Vec::new();
    let file = File::open(path)?;
    file.take(limit as u64 + 1).read_to_end(&mut body)?;
    if body.len() > limit {
        let why = format!("it is larger than {} MiB", limit >> 20);
        return Err(std::io::Error::other(why));
    }
    Ok(body)
}
