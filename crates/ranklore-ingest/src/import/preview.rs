//! The dry run of an import: reads everything and writes nothing.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use ranklore_contest::{EntrantKind, Format, ReadOptions, UnixSeconds, read};
use ranklore_replay::Watch;
use ranklore_source::assemble::Refusal;
use serde::Serialize;

use crate::error::Error;
use crate::import::files::{Found, Inputs};
use crate::import::intake::{DocumentLayout, DocumentWarning, already_in};

/// The preview of an import.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Preview {
    /// The contests that would be stored.
    pub contests: Vec<PreviewedContest>,
    /// Results in them.
    pub results: u64,
    /// Competitors that would get a starting rating.
    pub starting_ratings: u64,
    /// Documents and contests that would be refused.
    pub refused: Vec<Refusal>,
    /// The recognised layout of each table, by document.
    pub layouts: Vec<DocumentLayout>,
    /// Warnings about documents that are not tables, by document.
    pub warnings: Vec<DocumentWarning>,
    /// Files of unknown types in folders and archives.
    pub passed_over: u64,
}

/// A contest that an import would store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewedContest {
    /// The document it is in.
    pub document: String,
    /// Its external id.
    pub external_id: String,
    /// Its name as published.
    pub name: String,
    /// The time of the results.
    pub ends_at: UnixSeconds,
    /// The number of entrants.
    pub entrants: usize,
}

/// Previews an import. `.json` files have the format `json`. Writes nothing.
///
/// # Errors
/// Those of [`crate::import()`] for the paths.
pub fn preview(
    paths: &[PathBuf],
    json: Format,
    options: &ReadOptions,
    watch: &dyn Watch,
) -> Result<Preview, Error> {
    let inputs = Inputs::find(paths, json)?;
    watch.begin("reading", inputs.total_bytes);
    let mut previewing = Previewing::default();
    previewing.preview.passed_over = inputs.read(|found, done| {
        if watch.interrupted() {
            return ControlFlow::Break(());
        }
        previewing.add(found, options);
        watch.advanced(done, previewing.contests(), previewing.preview.results);
        ControlFlow::Continue(())
    })?;
    Ok(previewing.end())
}

/// Previews an import of generated contest files, as [`import_documents`](crate::import_documents)
/// would do it. Writes nothing. `watch` counts documents, up to `total`.
///
/// # Errors
/// The errors of `documents`.
pub(crate) fn preview_documents(
    documents: impl Iterator<Item = Result<(String, Vec<u8>), Error>>,
    total: u64,
    watch: &dyn Watch,
) -> Result<Preview, Error> {
    watch.begin("reading", total);
    let mut previewing = Previewing::default();
    for (done, document) in (1..).zip(documents) {
        if watch.interrupted() {
            break;
        }
        let (key, bytes) = document?;
        let found = Found {
            key,
            format: Format::Json,
            bytes: Ok(bytes),
        };
        previewing.add(found, &ReadOptions::default());
        watch.advanced(done, previewing.contests(), previewing.preview.results);
    }
    Ok(previewing.end())
}

/// The preview so far.
#[derive(Default)]
struct Previewing {
    preview: Preview,
    /// The document of each contest, by external id.
    known: HashMap<String, String>,
    started: HashSet<(EntrantKind, String)>,
}

impl Previewing {
    fn add(&mut self, found: Found, options: &ReadOptions) {
        let Found { key, format, bytes } = found;
        let preview = &mut self.preview;
        let reading = bytes.and_then(|bytes| {
            read(format, &bytes, &key, options).map_err(|error| error.to_string())
        });
        let refuse = |what: String| Refusal {
            document: key.clone(),
            what,
        };
        match reading {
            Ok(reading) => {
                let refused = reading.refused.iter().map(|r| refuse(r.to_string()));
                preview.refused.extend(refused);
                for contest in &reading.contests {
                    if let Some(first) = self.known.get(&contest.external_id) {
                        let what = already_in(contest, first);
                        preview.refused.push(refuse(what));
                        continue;
                    }
                    (self.known).insert(contest.external_id.clone(), key.clone());
                    preview.results += contest.entrants.len() as u64;
                    preview.contests.push(PreviewedContest {
                        document: key.clone(),
                        external_id: contest.external_id.clone(),
                        name: contest.name.clone(),
                        ends_at: contest.ends_at,
                        entrants: contest.entrants.len(),
                    });
                }
                let starts = reading.starting_ratings.into_iter();
                (self.started).extend(starts.map(|(kind, competitor, _)| (kind, competitor)));
                preview
                    .layouts
                    .extend(reading.layout.map(|layout| DocumentLayout {
                        document: key.clone(),
                        layout,
                    }));
                let warnings = reading.warnings.into_iter();
                (preview.warnings).extend(warnings.map(|what| DocumentWarning {
                    document: key.clone(),
                    what,
                }));
            }
            Err(what) => preview.refused.push(refuse(what)),
        }
    }

    fn contests(&self) -> u64 {
        self.preview.contests.len() as u64
    }

    fn end(self) -> Preview {
        Preview {
            starting_ratings: self.started.len() as u64,
            ..self.preview
        }
    }
}
