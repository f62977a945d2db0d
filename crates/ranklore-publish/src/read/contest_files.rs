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

use super::{EmitBatch, ReadTable};

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

/// Returns the reader of a table; contest files hold no ratings.
pub(super) fn table_reader(folder: &Path, manifest: &Manifest, table: TableId) -> ReadTable {
    let files = contest_files(folder, manifest);
    let push = match table {
        TableId::Contest => push_contest,
        TableId::Standing => push_standings,
        TableId::Member => push_members,
        TableId::Competitor => {
            let sources = manifest.sources.iter();
            let nameless: Vec<String> = sources
                .filter(|source| source.name_policy == "none")
                .map(|source| source.name.as_str().to_owned())
                .collect();
            return Box::new(move |emit| read_competitors(files, &nameless, emit));
        }
        TableId::RatingRun | TableId::Rating => return Box::new(|_| Ok(())),
    };
    Box::new(move |emit| {
        for file in files {
            let file = file?;
            let (contest, reading) = file.read()?;
            let mut batch = RowBatch::new(table);
            push(&mut batch, &file.source, &contest, &reading);
            emit(batch)?;
        }
        Ok(())
    })
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

fn push_standings(batch: &mut RowBatch, source: &str, contest: &Contest, _: &FileReading) {
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

fn push_members(batch: &mut RowBatch, source: &str, contest: &Contest, _: &FileReading) {
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

fn read_competitors(
    files: impl Iterator<Item = Result<ContestFile, Error>>,
    nameless: &[String],
    emit: EmitBatch<'_>,
) -> Result<(), Error> {
    // By source, competitor and kind: the sort order of the table.
    let mut competitors = BTreeMap::<_, CompetitorAttributes>::new();
    for file in files {
        let file = file?;
        let (contest, reading) = file.read()?;
        let key = |competitor: &str, kind: EntrantKind| {
            (file.source.clone(), competitor.to_owned(), kind.as_str())
        };
        for entrant in &contest.entrants {
            competitors.entry(key(&entrant.competitor, entrant.kind)).or_default();
            for person in &entrant.members {
                competitors.entry(key(person, EntrantKind::Person)).or_default();
            }
        }
        for (kind, competitor, name) in reading.names {
            competitors.entry(key(&competitor, kind)).or_default().name = Some(name);
        }
        for (kind, competitor, start) in reading.starting_ratings {
            competitors.entry(key(&competitor, kind)).or_default().start = Some(start);
        }
        for (kind, competitor, root) in reading.merges {
            competitors.entry(key(&root, kind)).or_default();
            competitors.entry(key(&competitor, kind)).or_default().merged_into = Some(root);
        }
    }
    let mut batch = RowBatch::new(TableId::Competitor);
    for ((source, competitor, kind), attributes) in &competitors {
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
            emit(batch.take())?;
        }
    }
    emit(batch)
}
