//! The dry run of an import: reads everything and writes nothing.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ranklore_contest::{Contest, ContestTime, EntrantKind, shorten};
use ranklore_formats::{ReadOptions, read};
use ranklore_replay::Progress;
use ranklore_source::assemble::RefusedInput;
use serde::Serialize;

use crate::error::Error;
use crate::import::files::{ImportInputs, Inputs};
use crate::import::input_document::InputDocument;
use crate::import::report::{
    DocumentLayout, DocumentWarning, duplicate_contest_message, push_reported, refuse_document,
};

/// The preview of an import.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Preview {
    /// The contests that would be stored.
    pub contests: Vec<PreviewedContest>,
    /// Results in them.
    pub results: u64,
    /// Competitors that would get a starting rating.
    pub starting_ratings: u64,
    /// Documents and contests that would be refused: the first 100.
    pub refused: Vec<RefusedInput>,
    /// The number of all documents and contests that would be refused.
    pub total_refused: u64,
    /// The recognised layouts of the first 100 tables, by document.
    pub layouts: Vec<DocumentLayout>,
    /// Warnings about documents that are not tables, by document: the first 100.
    pub warnings: Vec<DocumentWarning>,
    /// The number of all warnings.
    pub total_warnings: u64,
    /// Files in folders and archives that hold no results: of unknown types, or readme.txt.
    pub passed_over: u64,
}

/// A contest that an import would store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewedContest {
    /// The document it is in.
    pub document: String,
    /// The external id.
    pub external_id: String,
    /// The name as published.
    pub name: String,
    /// The division, class or age group.
    pub division: Option<String>,
    /// The time of the results.
    pub ends_at: ContestTime,
    /// The number of entrants.
    pub entrants: usize,
}

impl PreviewedContest {
    pub(crate) fn new(document: String, contest: &Contest) -> Self {
        Self {
            document,
            external_id: contest.external_id.clone(),
            name: contest.name.clone(),
            division: contest.division.clone(),
            ends_at: contest.ends_at,
            entrants: contest.entrants.len(),
        }
    }
}

/// Previews an import. Writes nothing.
///
/// # Errors
/// The errors of [`crate::import()`] for the paths.
pub fn preview(
    inputs: &ImportInputs,
    options: &ReadOptions,
    watch: &dyn Progress,
) -> Result<Preview, Error> {
    let inputs = Inputs::find(inputs)?;
    watch.begin_task("reading", inputs.total_bytes);
    let mut builder = PreviewBuilder::default();
    builder.preview.passed_over = inputs.read(|document, done| {
        if watch.is_interrupted() {
            return ControlFlow::Break(());
        }
        builder.add(document, options);
        watch.advance(done, builder.contests(), builder.preview.results);
        ControlFlow::Continue(())
    })?;
    Ok(builder.finish())
}

/// Previews an import of generated contest files, as [`import_documents`](crate::import_documents)
/// would do it. Writes nothing. `watch` counts documents, up to `total`.
///
/// # Errors
/// The errors of `documents`.
pub(crate) fn preview_documents(
    documents: impl Iterator<Item = Result<(String, Vec<u8>), Error>>,
    total: u64,
    watch: &dyn Progress,
) -> Result<Preview, Error> {
    watch.begin_task("reading", total);
    let mut builder = PreviewBuilder::default();
    for (done, document) in (1..).zip(documents) {
        if watch.is_interrupted() {
            break;
        }
        let (key, bytes) = document?;
        builder.add(InputDocument::contest_file(key, bytes), &ReadOptions::default());
        watch.advance(done, builder.contests(), builder.preview.results);
    }
    Ok(builder.finish())
}

impl Preview {
    fn refuse(&mut self, document: &str, reason: String) {
        self.total_refused += 1;
        push_reported(&mut self.refused, refuse_document(document, reason));
    }
}

/// The preview so far.
#[derive(Default)]
struct PreviewBuilder {
    preview: Preview,
    /// The document of each contest, by external id.
    known: HashMap<String, String>,
    started: HashSet<(EntrantKind, String)>,
}

impl PreviewBuilder {
    fn add(&mut self, document: InputDocument, options: &ReadOptions) {
        let InputDocument { key, format, bytes } = document;
        let preview = &mut self.preview;
        let reading = bytes.and_then(|bytes| {
            read(format, bytes, &key, options).map_err(|error| error.to_string())
        });
        let reading = match reading {
            Ok(reading) => reading,
            Err(reason) => return preview.refuse(&key, reason),
        };
        for refusal in &reading.refused {
            preview.refuse(&key, refusal.to_string());
        }
        for contest in reading.contests.iter() {
            // The first document counts, as in an import.
            if let Some(first) = self.known.get(&contest.external_id) {
                preview.refuse(&key, duplicate_contest_message(&contest, first));
                continue;
            }
            self.known.insert(contest.external_id.clone(), key.clone());
            preview.results += contest.entrants.len() as u64;
            let previewed = PreviewedContest::new(key.clone(), &contest);
            preview.contests.push(previewed);
        }
        let starts = reading.starting_ratings.into_iter();
        self.started.extend(starts.map(|(kind, competitor, _)| (kind, competitor)));
        for layout in reading.layout.into_iter().chain(reading.other_layouts) {
            let document = shorten(&key).into_owned();
            push_reported(&mut preview.layouts, DocumentLayout { document, layout });
        }
        for warning in reading.warnings {
            preview.total_warnings += 1;
            push_reported(&mut preview.warnings, DocumentWarning::new(&key, warning));
        }
    }

    fn contests(&self) -> u64 {
        self.preview.contests.len() as u64
    }

    fn finish(self) -> Preview {
        Preview {
            starting_ratings: self.started.len() as u64,
            ..self.preview
        }
    }
}
