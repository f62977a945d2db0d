//! Reading a dataset: its contests as files for import.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome,
    Place, ResultState, Side, SourceName, StartingRating,
};
use ranklore_formats::contest_json_with;

use crate::batch::Value;
use crate::describe::{DatasetFormat, Manifest};
use crate::dictionary::TableId;
use crate::digest::{Digest, TableHasher};
use crate::error::Error;
use crate::read::{DatasetTables, RowCursor, columns, contest_files};

/// A dataset in a folder.
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: PathBuf,
    manifest: Manifest,
}

/// Name and content of a contest file for import.
pub type ContestDocument = (String, Vec<u8>);

/// A run of a rating system in a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetRun {
    /// The rating system.
    pub system: String,
    /// The parameters as JSON.
    pub parameters: String,
    /// The selection of contests as JSON.
    pub selection: String,
    /// The version of the numerics.
    pub engine: String,
}

impl Dataset {
    /// True if a folder looks like a dataset.
    #[must_use]
    pub fn is_dataset(folder: &Path) -> bool {
        !matches!(Manifest::read(folder), Err(Error::NoDataset { .. } | Error::Io { .. }))
    }

    /// Opens the dataset in a folder.
    ///
    /// # Errors
    /// [`Error::NoDataset`], [`Error::Newer`], [`Error::Invalid`].
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            manifest,
        })
    }

    /// Returns the manifest.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the runs of rating systems, ordered by number.
    ///
    /// # Errors
    /// If the table of runs cannot be read.
    pub fn runs(&self) -> Result<Vec<DatasetRun>, Error> {
        columns!(TableId::RatingRun => system, parameters, selection, engine);
        let tables = DatasetTables::preferred(&self.folder, &self.manifest);
        let mut rows = tables.open(TableId::RatingRun)?;
        let mut runs = Vec::new();
        while rows.has_row() {
            runs.push(DatasetRun {
                system: rows.text(system).to_owned(),
                parameters: rows.text(parameters).to_owned(),
                selection: rows.text(selection).to_owned(),
                engine: rows.text(engine).to_owned(),
            });
            rows.advance()?;
        }
        Ok(runs)
    }

    /// Returns the digest of the ratings of a run, given by its number: the one that the table of
    /// ratings has if this is its only run.
    ///
    /// # Errors
    /// If the table of ratings cannot be read.
    pub fn ratings_digest(&self, number: i64) -> Result<Digest, Error> {
        columns!(TableId::Rating => run);
        let tables = DatasetTables::preferred(&self.folder, &self.manifest);
        let mut rows = tables.open(TableId::Rating)?;
        let mut hasher = TableHasher::new(TableId::Rating);
        let columns = 0..TableId::Rating.spec().columns.len();
        while rows.has_row() {
            if rows.integer(run) == Some(number) {
                hasher.add_values(columns.clone().map(|column| match column {
                    index if index == run => Value::Integer(1),
                    _ => rows.get(column),
                }));
            }
            rows.advance()?;
        }
        Ok(hasher.finish())
    }

    /// Returns the contests of a source as files in replay order. The files hold everything that
    /// the dataset has about contests and competitors, except ratings.
    ///
    /// # Errors
    /// If a table cannot be opened. An invalid row yields an error in place of a file.
    pub fn documents(
        &self,
        source: &SourceName,
    ) -> Result<Box<dyn Iterator<Item = Result<ContestDocument, Error>> + Send>, Error> {
        let tables = DatasetTables::preferred(&self.folder, &self.manifest);
        let source_name = source.as_str().to_owned();
        if tables.format == DatasetFormat::EloMmr {
            let files = contest_files::contest_files(&self.folder, &self.manifest);
            let documents = files.filter_map(move |file| match file {
                Ok(file) if file.source != source_name => None,
                Ok(file) => {
                    Some(file.read().map(|(contest, _)| (document_name(&contest), file.bytes)))
                }
                Err(error) => Some(Err(error)),
            });
            return Ok(Box::new(documents));
        }
        let contests = ContestReader {
            facts: load_competitor_facts(tables.open(TableId::Competitor)?, &source_name)?,
            emitted: HashSet::new(),
            rows: tables.open(TableId::Contest)?,
            standings: tables.open(TableId::Standing)?,
            members: tables.open(TableId::Member)?,
            source: source_name,
        };
        let mut unfinished = Some(contests);
        Ok(Box::new(std::iter::from_fn(move || {
            let document = unfinished.as_mut()?.next_document().transpose();
            unfinished.take_if(|_| !matches!(document, Some(Ok(_))));
            document
        })))
    }
}

/// Returns the file name of a contest.
fn document_name(contest: &Contest) -> String {
    format!("contest/{}.json", contest.external_id)
}

/// Kind and key of a competitor within a source.
type EntrantKey = (EntrantKind, String);

/// Loads the competitors of a source that have a display name, a starting rating or a merge.
fn load_competitor_facts(
    mut rows: RowCursor,
    source_name: &str,
) -> Result<HashMap<EntrantKey, CompetitorFacts>, Error> {
    columns!(TableId::Competitor =>
        source, kind, competitor, name, start_mu, start_sigma, merged_into);
    let mut facts_by_key = HashMap::new();
    while rows.has_row() {
        let key = rows.text(competitor).to_owned();
        let facts = CompetitorFacts {
            kind: parse_kind(&rows, kind)?,
            name: owned_text(&rows, name).filter(|name| *name != key),
            start: rows.number(start_mu).map(|mu| StartingRating {
                mu,
                sigma: rows.number(start_sigma),
            }),
            merged_into: owned_text(&rows, merged_into),
            competitor: key,
        };
        let has_facts =
            facts.name.is_some() || facts.start.is_some() || facts.merged_into.is_some();
        if has_facts && rows.text(source) == source_name {
            facts_by_key.insert((facts.kind, facts.competitor.clone()), facts);
        }
        rows.advance()?;
    }
    Ok(facts_by_key)
}

/// Returns the text of the row in a column, unless it is missing.
fn owned_text(rows: &RowCursor, column: usize) -> Option<String> {
    Some(rows.text(column).to_owned()).filter(|text| !text.is_empty())
}

fn parse_kind(rows: &RowCursor, column: usize) -> Result<EntrantKind, Error> {
    let word = rows.text(column);
    EntrantKind::from_word(word)
        .ok_or_else(|| invalid_row(rows, format!("{word:?} is no kind of competitor")))
}

fn invalid_row(rows: &RowCursor, reason: impl Into<String>) -> Error {
    let place = format!("table {}, row {}", rows.table.name(), rows.row_number());
    Error::invalid(place, reason)
}

/// Merge join of contests, standings and members of a source; all tables have the same sort order.
struct ContestReader {
    source: String,
    facts: HashMap<EntrantKey, CompetitorFacts>,
    emitted: HashSet<EntrantKey>,
    rows: RowCursor,
    standings: RowCursor,
    members: RowCursor,
}

impl ContestReader {
    fn next_document(&mut self) -> Result<Option<ContestDocument>, Error> {
        for rows in [&mut self.rows, &mut self.standings, &mut self.members] {
            // Skips the sources that sort before this one.
            while rows.has_row() && rows.text(0) < self.source.as_str() {
                rows.advance()?;
            }
        }
        if !self.rows.starts_with(&[&self.source]) {
            return self.check_leftover_rows();
        }
        let (mut contest, mut annotations) = self.read_contest()?;
        while self.standings.starts_with(&[&self.source, &contest.external_id]) {
            let entrant = self.read_entrant()?;
            self.add_competitor_facts((entrant.kind, entrant.competitor.clone()), &mut annotations);
            for person in &entrant.members {
                self.add_competitor_facts((EntrantKind::Person, person.clone()), &mut annotations);
            }
            contest.entrants.push(entrant);
        }
        contest.validate().map_err(|error| {
            let reason = format!("contest {:?}: {error}", contest.external_id);
            invalid_row(&self.rows, reason)
        })?;
        self.rows.advance()?;
        let json = contest_json_with(&contest, &annotations);
        Ok(Some((document_name(&contest), json.into_bytes())))
    }

    /// Reports rows that belong to no contest.
    fn check_leftover_rows(&self) -> Result<Option<ContestDocument>, Error> {
        for rows in [&self.standings, &self.members] {
            if rows.starts_with(&[&self.source]) {
                return Err(invalid_row(rows, "it belongs to no contest"));
            }
        }
        Ok(None)
    }

    /// Adds the facts of a competitor at the first occurrence, and of the accounts it is merged
    /// into.
    fn add_competitor_facts(&mut self, key: EntrantKey, annotations: &mut Annotations) {
        let mut next_key = Some(key);
        // Stops at a known competitor: merge chains may be long or cyclic.
        while let Some(key) = next_key.take().filter(|key| !self.emitted.contains(key)) {
            if let Some(facts) = self.facts.get(&key) {
                let root = facts.merged_into.as_ref();
                next_key = root.map(|root| (facts.kind, root.clone()));
                annotations.competitors.push(facts.clone());
            }
            self.emitted.insert(key);
        }
    }

    fn read_contest(&self) -> Result<(Contest, Annotations), Error> {
        columns!(TableId::Contest =>
            contest, name, event, division, ordinal, url, starts_at, ends_at, state, rated, weight,
            site_weight, performance_ceiling);
        let rows = &self.rows;
        let end = rows.integer(ends_at).and_then(ContestTime::new);
        let result = Contest {
            external_id: rows.text(contest).to_owned(),
            name: rows.text(name).to_owned(),
            event: owned_text(rows, event),
            division: owned_text(rows, division),
            ordinal: rows.integer(ordinal),
            url: owned_text(rows, url),
            starts_at: rows.integer(starts_at).and_then(ContestTime::new),
            ends_at: end.ok_or_else(|| invalid_row(rows, "ends_at is missing"))?,
            weight: rows.number(weight).unwrap_or(1.0),
            site_weight: rows.number(site_weight),
            performance_ceiling: rows.number(performance_ceiling),
            entrants: Vec::new(),
        };
        let word = rows.text(state);
        let result_state = ResultState::from_word(word).ok_or_else(|| {
            let reason = format!("state {word:?} is not provisional, final or unrated");
            invalid_row(rows, reason)
        })?;
        let annotations = Annotations {
            state: result_state,
            rated: rows.get(rated) == Value::Boolean(true),
            competitors: Vec::new(),
        };
        Ok((result, annotations))
    }

    fn read_entrant(&mut self) -> Result<Entrant, Error> {
        columns!(TableId::Standing => kind, competitor, place, status, score, penalty, side);
        let rows = &self.standings;
        let entrant_place = rows.integer(place).map(|number| {
            let place = u32::try_from(number).ok().and_then(Place::new);
            place.ok_or_else(|| invalid_row(rows, "its place is invalid"))
        });
        let outcome = match (entrant_place.transpose()?, rows.text(status)) {
            (Some(place), "") => EntrantOutcome::Finished(place),
            (None, "dnf") => EntrantOutcome::DidNotFinish,
            (None, "dq") => EntrantOutcome::Disqualified,
            _ => {
                let reason = "it must have either a place or a status of dnf or dq";
                return Err(invalid_row(rows, reason));
            }
        };
        let side_word = rows.text(side);
        let entrant_side = Side::from_word(side_word);
        if entrant_side.is_none() && !side_word.is_empty() {
            let reason = format!("side {side_word:?} is unknown");
            return Err(invalid_row(rows, reason));
        }
        let mut entrant = Entrant {
            competitor: rows.text(competitor).to_owned(),
            kind: parse_kind(rows, kind)?,
            outcome,
            score: rows.number(score),
            penalty: rows.number(penalty),
            side: entrant_side,
            members: Vec::new(),
        };
        let contest = rows.text(1).to_owned();
        self.standings.advance()?;
        self.read_members(&contest, &mut entrant)?;
        Ok(entrant)
    }

    fn read_members(&mut self, contest: &str, entrant: &mut Entrant) -> Result<(), Error> {
        columns!(TableId::Member => person);
        let rows = &mut self.members;
        let team = [
            &self.source,
            contest,
            entrant.kind.as_str(),
            &entrant.competitor,
        ];
        while rows.starts_with(&team) {
            entrant.members.push(rows.text(person).to_owned());
            rows.advance()?;
        }
        Ok(())
    }
}
