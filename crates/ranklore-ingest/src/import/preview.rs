//! The dry run of an import: reads everything and writes nothing.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ranklore_contest::{Contest, ContestTime, EntrantKind, shorten};
use ranklore_formats::{CommandOptions, ReadOptions, read};
use ranklore_replay::Progress;
use ranklore_source::assemble::RefusedInput;
use serde::Serialize;

use crate::error::Error;
use crate::import::dates::time_bound::{FutureContests, TimeBound};
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
    /// The options that the refusals name: the first 24.
    #[serde(skip)]
    pub options: Vec<CommandOptions>,
    /// Warnings about documents that are not tables, by document: the first 100.
    pub warnings: Vec<DocumentWarning>,
    /// The number of all warnings.
    pub total_warnings: u64,
    /// Files in folders and archives that hold no results: of unknown types, or readme.txt.
    pub passed_over: u64,
    /// The time of the preview, which bounds those of contests.
    #[serde(skip)]
    time_bound: Option<TimeBound>,
    /// The document of each contest, by external id.
    #[serde(skip)]
    known: HashMap<String, String>,
    /// The competitors that would get a starting rating.
    #[serde(skip)]
    started: HashSet<(EntrantKind, String)>,
}

/// The most different options of refusals in a preview.
const MAX_NAMED_OPTIONS: usize = 24;

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
    time_bound: TimeBound,
    watch: &dyn Progress,
) -> Result<Preview, Error> {
    let inputs = Inputs::find(inputs)?;
    watch.begin_task("reading", inputs.total_bytes);
    let mut preview = Preview {
        time_bound: Some(time_bound),
        ..Preview::default()
    };
    let passed_over = inputs.read(|document, done| {
        if watch.is_interrupted() {
            return ControlFlow::Break(());
        }
        preview.add(document, options);
        watch.advance(done, preview.contests.len() as u64, preview.results);
        ControlFlow::Continue(())
    })?;
    preview.passed_over = passed_over;
    Ok(preview)
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
    let mut preview = Preview::default();
    for (done, document) in (1..).zip(documents) {
        if watch.is_interrupted() {
            break;
        }
        let (key, bytes) = document?;
        preview.add(InputDocument::contest_file(key, bytes), &ReadOptions::default());
        watch.advance(done, preview.contests.len() as u64, preview.results);
    }
    Ok(preview)
}

impl Preview {
    fn refuse(&mut self, document: &str, reason: String) {
        self.total_refused += 1;
        push_reported(&mut self.refused, refuse_document(document, reason));
    }

    fn add_options(&mut self, options: &[CommandOptions]) {
        for option in options {
            if self.options.len() < MAX_NAMED_OPTIONS && !self.options.contains(option) {
                self.options.push(option.clone());
            }
        }
    }

    fn add(&mut self, document: InputDocument, options: &ReadOptions) {
        let InputDocument { key, format, bytes } = document;
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(reason) => return self.refuse(&key, reason),
        };
        let reading = match read(format, bytes, &key, options) {
            Ok(reading) => reading,
            Err(error) => {
                self.add_options(&error.options);
                return self.refuse(&key, error.to_string());
            }
        };
        for refusal in &reading.refused {
            self.add_options(&refusal.options);
            self.refuse(&key, refusal.to_string());
        }
        self.total_refused += reading.omitted_refusals;
        let mut future = self.time_bound.map(FutureContests::new);
        for contest in reading.contests.iter() {
            // The first document counts, as in an import.
            if let Some(first) = self.known.get(&contest.external_id) {
                let message = duplicate_contest_message(&contest, first);
                self.refuse(&key, message);
                continue;
            }
            self.known.insert(contest.external_id.clone(), key.clone());
            if future.as_mut().is_some_and(|future| !future.accept(&contest)) {
                continue;
            }
            self.results += contest.entrants.len() as u64;
            self.contests.push(PreviewedContest::new(key.clone(), &contest));
        }
        if let Some(reason) = future.as_ref().and_then(FutureContests::refusal) {
            self.refuse(&key, reason);
        }
        let starts = reading.starting_ratings.into_iter();
        self.started.extend(starts.map(|(kind, competitor, _)| (kind, competitor)));
        self.starting_ratings = self.started.len() as u64;
        for layout in reading.layout.into_iter().chain(reading.other_layouts) {
            let document = shorten(&key).into_owned();
            push_reported(&mut self.layouts, DocumentLayout { document, layout });
        }
        let late = future.as_ref().and_then(FutureContests::warning);
        for warning in reading.warnings.into_iter().chain(late) {
            self.total_warnings += 1;
            push_reported(&mut self.warnings, DocumentWarning::new(&key, warning));
        }
    }
}
