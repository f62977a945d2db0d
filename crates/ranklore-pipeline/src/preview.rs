//! The dry run: everything is read as an import would, and nothing is written.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use ranklore_contest::{Format, Layout, ReadOptions, UnixSeconds, read};

use crate::files::Inputs;
use crate::intake::already_in;
use crate::{Error, RefusedDocument, Watch};

/// What an import would do.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The contests that would be stored.
    pub contests: Vec<PreviewedContest>,
    /// Competitors that would get a starting rating.
    pub starting_ratings: u64,
    /// What would not be taken.
    pub refused: Vec<RefusedDocument>,
    /// How tables are understood.
    pub layouts: Vec<(String, Layout)>,
    /// Files in folders and archives that are of no kind known here.
    pub passed_over: u64,
}

/// A contest that an import would store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewedContest {
    /// The document it is in.
    pub document: String,
    /// What will identify it.
    pub external_id: String,
    /// As published.
    pub name: String,
    /// When the result stood.
    pub ends_at: UnixSeconds,
    /// How many stand in it.
    pub entrants: usize,
}

/// Reads everything as an import would, `.json` files as `json`, and writes nothing.
///
/// # Errors
/// As [`crate::import`], for the paths.
pub fn preview(
    paths: &[PathBuf],
    json: Format,
    options: &ReadOptions,
    watch: &dyn Watch,
) -> Result<Preview, Error> {
    let inputs = Inputs::find(paths, json)?;
    watch.begin("reading", inputs.total_bytes);
    let mut preview = Preview::default();
    let mut results = 0;
    let mut known: HashMap<String, String> = HashMap::new();
    let mut started = HashSet::new();
    let passed_over = inputs.read(|found, done| {
        if watch.interrupted() {
            return ControlFlow::Break(());
        }
        let key = found.key;
        let reading = found.bytes.and_then(|bytes| {
            read(found.format, &bytes, &key, options).map_err(|error| error.to_string())
        });
        let refuse = |what: String| RefusedDocument {
            document: key.clone(),
            what,
        };
        match reading {
            Ok(reading) => {
                let refused = reading.refused.iter().map(|r| refuse(r.to_string()));
                preview.refused.extend(refused);
                for contest in &reading.contests {
                    if let Some(first) = known.get(&contest.external_id) {
                        let what = already_in(contest, first);
                        preview.refused.push(refuse(what));
                        continue;
                    }
                    known.insert(contest.external_id.clone(), key.clone());
                    results += contest.entrants.len() as u64;
                    preview.contests.push(PreviewedContest {
                        document: key.clone(),
                        external_id: contest.external_id.clone(),
                        name: contest.name.clone(),
                        ends_at: contest.ends_at,
                        entrants: contest.entrants.len(),
                    });
                }
                let starts = reading.starting_ratings.into_iter();
                started.extend(starts.map(|(kind, competitor, _)| (kind, competitor)));
                preview
                    .layouts
                    .extend(reading.layout.map(|layout| (key.clone(), layout)));
            }
            Err(what) => preview.refused.push(refuse(what)),
        }
        watch.advanced(done, preview.contests.len() as u64, results);
        ControlFlow::Continue(())
    })?;
    preview.passed_over = passed_over;
    preview.starting_ratings = started.len() as u64;
    Ok(preview)
}
