//! Contest files as tables: all tables but ratings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use ranklore_contest::{Contest, ContestTime, EntrantKind, Side, StartingRating};
use ranklore_formats::{FileFormat, FileReading, MAX_DOCUMENT_BYTES, ReadOptions};

use crate::batch::{RowBatch, Value};
use crate::describe::{DatasetFile, DatasetFormat, Manifest};
use crate::dictionary::TableId;
use crate::error::Error;

use super::RowBatches;

/// A contest file of a dataset.
pub(crate) struct ContestFile {
    /// The source.
    pub(crate) source: String,
    /// The content.
    pub(crate) bytes: Vec<u8>,
    path: PathBuf,
}

/// Returns the contest files of a dataset in replay order, grouped by source.
pub(crate) fn contest_files(
    folder: &Path,
    manifest: &Manifest,
) -> impl Iterator<Item = Result<ContestFile, Error>> + use<> {
    let entries = manifest.files.iter();
    let mut files: Vec<(PathBuf, String)> = entries
        .filter(|file| file.format == DatasetFormat::EloMmr)
        .map(|file| (folder.join(&file.path), file_source(file).to_owned()))
        .collect();
    // Longer paths hold larger numbers.
    files.sort_by(|(a, a_source), (b, b_source)| {
        let a_order = (a_source, a.as_os_str().len(), a);
        a_order.cmp(&(b_source, b.as_os_str().len(), b))
    });
    files.into_iter().map(|(path, source)| {
        let mut bytes = Vec::new();
        // Reads one byte over the limit, so that parsing refuses larger files.
        File::open(&path)
            .and_then(|file| file.take(MAX_DOCUMENT_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(Error::from_io(&path))?;
        Ok(ContestFile {
            source,
            bytes,
            path,
        })
    })
}

/// Returns SOURCE of `elo-mmr/SOURCE/000001.json`.
fn file_source(file: &DatasetFile) -> &str {
    file.path.split('/').nth(1).unwrap_or_default()
}

impl ContestFile {
    /// Parses the one contest of the file and its annotations.
    pub(crate) fn read(&self) -> Result<(Contest, FileReading), Error> {
        let place = self.path.display().to_string();
        let invalid = |reason: String| Error::invalid(&place, reason);
        let options = ReadOptions::default();
        let reading = ranklore_formats::read(FileFormat::Json, &self.bytes, &place, &options)
            .map_err(|error| invalid(error.to_string()))?;
        if let Some(refusal) = reading.refused.first() {
            return Err(invalid(refusal.to_string()));
        }
        match reading.contests.get(0) {
            Some(contest) if reading.contests.len() == 1 => Ok((contest, reading)),
            _ => Err(invalid("it must hold exactly 1 contest".to_owned())),
        }
    }
}

/// Returns the rows of a result table.
pub(super) fn read_rows(folder: &Path, manifest: &Manifest, table: TableId) -> RowBatches {
    let files = contest_files(folder, manifest);
    match table {
        TableId::Competitor => {
            let sources = manifest.sources.iter();
            let nameless: Vec<String> = sources
                .filter(|source| source.name_policy == "none")
                .map(|source| source.name.as_str().to_owned())
                .collect();
            // Reads all files at the first batch, as a competitor may be in any of them.
            let results = std::iter::once_with(move || read_competitors(files, &nameless));
            Box::new(results.flat_map(|batches| match batches {
                Ok(batches) => batches.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }))
        }
        _ => Box::new(files.map(move |file| {
            let file = file?;
            let (contest, reading) = file.read()?;
            let mut batch = RowBatch::new(table);
            match table {
                TableId::Contest => push_contest(&mut batch, &file.source, &contest, &reading),
                TableId::Standing => push_standings(&mut batch, &file.source, &contest),
                _ => push_members(&mut batch, &file.source, &contest),
            }
            Ok(batch)
        })),
    }
}

fn push_contest(batch: &mut RowBatch, source: &str, contest: &Contest, reading: &FileReading) {
    let (state, rated) = reading.state_of(&contest.external_id);
    batch.push(&[
        Value::Text(source),
        Value::Text(&contest.external_id),
        Value::Text(&contest.name),
        Value::text(contest.event.as_deref()),
        Value::text(contest.division.as_deref()),
        Value::integer(contest.ordinal),
        Value::text(contest.url.as_deref()),
        Value::time(contest.starts_at.map(ContestTime::get)),
        Value::Time(contest.ends_at.get()),
        Value::Text(state.as_str()),
        Value::Boolean(rated),
        Value::Number(contest.weight),
        Value::number(contest.site_weight),
        Value::number(contest.performance_ceiling),
        Value::Integer(contest.entrants.len() as i64),
    ]);
}

fn push_standings(batch: &mut RowBatch, source: &str, contest: &Contest) {
    for entrant in &contest.entrants {
        let place = entrant.outcome.place();
        batch.push(&[
            Value::Text(source),
            Value::Text(&contest.external_id),
            Value::Text(entrant.kind.as_str()),
            Value::Text(&entrant.competitor),
            Value::integer(place.map(|place| place.get().into())),
            Value::number(entrant.score),
            Value::number(entrant.penalty),
            Value::text(entrant.outcome.status()),
            Value::text(entrant.side.map(Side::as_str)),
        ]);
    }
}

fn push_members(batch: &mut RowBatch, source: &str, contest: &Contest) {
    for entrant in &contest.entrants {
        for (index, person) in entrant.members.iter().enumerate() {
            batch.push(&[
                Value::Text(source),
                Value::Text(&contest.external_id),
                Value::Text(entrant.kind.as_str()),
                Value::Text(&entrant.competitor),
                Value::Integer(index as i64 + 1),
                Value::Text(person),
            ]);
        }
    }
}

/// Attributes of a competitor.
#[derive(Default)]
struct CompetitorAttributes {
    name: Option<String>,
    start: Option<StartingRating>,
    merged_into: Option<String>,
}

/// Attributes by source, competitor and kind: the sort order of the table.
#[derive(Default)]
struct CompetitorMap(BTreeMap<(String, String, &'static str), CompetitorAttributes>);

impl CompetitorMap {
    fn entry(&mut self, source: &str, name: &str, kind: EntrantKind) -> &mut CompetitorAttributes {
        let key = (source.to_owned(), name.to_owned(), kind.as_str());
        self.0.entry(key).or_default()
    }
}

fn read_competitors(
    files: impl Iterator<Item = Result<ContestFile, Error>>,
    nameless: &[String],
) -> Result<Vec<RowBatch>, Error> {
    let mut competitors = CompetitorMap::default();
    for file in files {
        let file = file?;
        let (contest, reading) = file.read()?;
        let source = &file.source;
        for entrant in &contest.entrants {
            competitors.entry(source, &entrant.competitor, entrant.kind);
            for person in &entrant.members {
                competitors.entry(source, person, EntrantKind::Person);
            }
        }
        for (kind, competitor, name) in reading.names {
            competitors.entry(source, &competitor, kind).name = Some(name);
        }
        for (kind, competitor, start) in reading.starting_ratings {
            competitors.entry(source, &competitor, kind).start = Some(start);
        }
        for (kind, competitor, root) in reading.merges {
            competitors.entry(source, &root, kind);
            competitors.entry(source, &competitor, kind).merged_into = Some(root);
        }
    }
    let mut batches = Vec::new();
    let mut batch = RowBatch::new(TableId::Competitor);
    for ((source, competitor, kind), attributes) in &competitors.0 {
        let has_names = !nameless.contains(source);
        let name = attributes.name.as_deref().unwrap_or(competitor);
        batch.push(&[
            Value::Text(source),
            Value::Text(kind),
            Value::Text(competitor),
            Value::text(has_names.then_some(name)),
            Value::number(attributes.start.map(|start| start.mu)),
            Value::number(attributes.start.and_then(|start| start.sigma)),
            Value::text(attributes.merged_into.as_deref()),
        ]);
        if batch.is_full() {
            batches.push(batch.take());
        }
    }
    batches.push(batch);
    Ok(batches)
}
