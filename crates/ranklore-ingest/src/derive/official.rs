//! The run `official`: ratings that a site or a file published. They follow merges, splits and withdrawals at
//! once, because no later `rate` computes them again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds};
use ranklore_formats::FileReading;
use ranklore_replay::RunSelection;
use ranklore_source::assemble::AssembledContest;
use ranklore_source::{ContestOutcome, OfficialRating, Results};
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, DocumentId, OFFICIAL, OfficialRow, RunId, RunRow,
    SourceId, Store, WriteBatch,
};

use crate::derive::reread::reread_document;
use crate::derive::site::Site;
use crate::error::Error;
use crate::reading_note::ReadingNote;
use crate::registry::{archived_site, find_site};

impl Site<'_> {
    /// Writes the ratings that the site published with contests into the run `official`, or into
    /// that of their division if the site rates divisions apart. Creates runs if necessary.
    pub(crate) fn insert_official<'c>(
        &self,
        batch: &mut WriteBatch<'_>,
        contests: impl Iterator<Item = &'c AssembledContest>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let mut by_division: BTreeMap<Option<&str>, Vec<_>> = BTreeMap::new();
        for assembled in contests {
            let contest = &assembled.contest;
            let Some(contest_id) =
                batch.contest_id_in_source(self.source_id, &contest.external_id)?
            else {
                continue;
            };
            let separates_divisions = self.source.profile().separates_divisions;
            let division = contest.division.as_deref().filter(|_| separates_divisions);
            // No run has contests that belong to no division.
            let has_run = !separates_divisions || division.is_some();
            if assembled.official.is_empty() || !has_run {
                remove_from_other_runs(batch, contest_id, None)?;
                continue;
            }
            let rows = find_official_rows(batch, self.source_id, &assembled.official)?;
            by_division.entry(division).or_default().push((contest_id, rows));
        }
        for (division, contests) in by_division {
            let mut selection = RunSelection::from_source(&self.name);
            selection.division = division.map(str::to_owned);
            let run_id = batch.get_or_insert_official_run(&selection.canonical_json(), now)?;
            for (contest_id, _) in &contests {
                remove_from_other_runs(batch, *contest_id, Some(run_id))?;
            }
            batch.replace_official_ratings(run_id, &contests)?;
        }
        Ok(())
    }
}

/// Returns the rows of these ratings; competitors who are not known are left out.
fn find_official_rows(
    batch: &WriteBatch<'_>,
    source_id: SourceId,
    official: &[OfficialRating],
) -> Result<Vec<OfficialRow>, Error> {
    // Members of a team are persons of their own.
    let external_ids = official.iter().map(|rating| &*rating.competitor);
    let competitor_ids = batch.competitor_ids(source_id, EntrantKind::Person, external_ids)?;
    let rows = competitor_ids.into_iter().zip(official);
    let rows = rows.filter_map(|(competitor_id, rating)| {
        Some(OfficialRow {
            competitor_id: competitor_id?,
            before: rating.before,
            after: rating.after,
            volatility: rating.volatility,
        })
    });
    Ok(rows.collect())
}

/// Replaces the ratings of the contests that are now those of a file by the ones that it has. Where it
/// has none, those of a site stay. A site that rates divisions apart has its own ratings alone.
pub(crate) fn replace_file_ratings(
    batch: &mut WriteBatch<'_>,
    source: &SourceName,
    source_id: SourceId,
    (document_id, reading): (DocumentId, &FileReading),
    now: UnixSeconds,
) -> Result<(), Error> {
    let site = find_site(source.as_str());
    let official = &reading.official;
    if site.is_some_and(|site| site.profile.separates_divisions)
        || (official.is_empty() && (site.is_some() || official_runs(batch, source)?.is_empty()))
    {
        return Ok(());
    }
    let mut contest_ids = BTreeSet::new();
    for external_id in reading.contests.external_ids() {
        if site.is_none() || official.contains_key(external_id) {
            contest_ids.extend(batch.contest_id_in_source(source_id, external_id)?);
        }
    }
    let mut contests = Vec::with_capacity(contest_ids.len());
    for contest in batch.contests_by_id(contest_ids)? {
        if contest.document_id == Some(document_id) {
            let ratings = official.get(&contest.external_id).map_or(&[][..], Vec::as_slice);
            contests.push((contest.contest_id, find_official_rows(batch, source_id, ratings)?));
        }
    }
    if !contests.is_empty() {
        let selection = RunSelection::from_source(source);
        let run_id = batch.get_or_insert_official_run(&selection.canonical_json(), now)?;
        batch.replace_official_ratings(run_id, &contests)?;
    }
    Ok(())
}

/// Removes the ratings of a contest from the runs of the divisions in which it was before.
fn remove_from_other_runs(
    batch: &mut WriteBatch<'_>,
    contest_id: ContestId,
    current: Option<RunId>,
) -> Result<(), Error> {
    for run_id in batch.official_runs_of_contest(contest_id)? {
        if Some(run_id) != current {
            batch.replace_official_ratings(run_id, &[(contest_id, Vec::new())])?;
        }
    }
    Ok(())
}

/// Returns the runs `official` of a source: one, or one for each division that the site rates apart.
pub(crate) fn official_runs(store: &Store, source: &SourceName) -> Result<Vec<RunRow>, Error> {
    let mut runs = store.runs()?;
    runs.retain(|run| {
        let selection = RunSelection::from_canonical_json(&run.selection);
        run.system == OFFICIAL && selection.sources == std::slice::from_ref(source)
    });
    Ok(runs)
}

/// Brings the runs `official` of a source up to date with its merges and withdrawals: reads the
/// ratings of the contests concerned again from the documents that have their results. `split` is a
/// competitor that was split from another one.
pub(crate) fn refresh_official_ratings(
    batch: &mut WriteBatch<'_>,
    source: &SourceName,
    source_id: SourceId,
    split: Option<CompetitorId>,
) -> Result<(), Error> {
    for run in official_runs(batch, source)? {
        refresh_official_run(batch, source, source_id, &run, split)?;
    }
    Ok(())
}

fn refresh_official_run(
    batch: &mut WriteBatch<'_>,
    source: &SourceName,
    source_id: SourceId,
    run: &RunRow,
    split: Option<CompetitorId>,
) -> Result<(), Error> {
    let selection = RunSelection::from_canonical_json(&run.selection);
    let division = selection.division.as_deref();
    let outdated = batch.outdated_official_contests(run.run_id, source_id, division, split)?;
    let mut by_site: HashMap<String, Vec<ContestRow>> = HashMap::new();
    let mut by_file: BTreeMap<DocumentId, Vec<ContestRow>> = BTreeMap::new();
    for contest in batch.contests_by_id(outdated)? {
        if division.is_some() && contest.division.as_deref() != division {
            batch.replace_official_ratings(run.run_id, &[(contest.contest_id, Vec::new())])?;
            continue;
        }
        let document = contest.document_id.map(|id| batch.document_row(id)).transpose()?;
        let Some(document) = document.flatten() else {
            continue;
        };
        match ReadingNote::parse(document.reading.as_deref()) {
            Ok(ReadingNote::Answer { site, .. }) => by_site.entry(site).or_default().push(contest),
            Ok(ReadingNote::File(note)) if note.has_ratings && is_rated(&contest) => {
                by_file.entry(document.document_id).or_default().push(contest);
            }
            // A file of the user took the place of the answer: the ratings stay, unless withdrawn.
            Ok(ReadingNote::File(_)) | Err(_) if is_rated(&contest) => {}
            Ok(ReadingNote::File(_)) | Err(_) => {
                batch.replace_official_ratings(run.run_id, &[(contest.contest_id, Vec::new())])?;
            }
        }
    }
    for (name, contests) in by_site {
        let Some(reader) = archived_site(&name, batch, source_id)? else {
            continue;
        };
        let site = Site::open(batch, &*reader, source.clone(), source_id)?;
        for contest in contests {
            site.replace_official(batch, run.run_id, &contest)?;
        }
    }
    let forgotten = batch.tombstones(source_id)?;
    for (document_id, contests) in by_file {
        let Some(document) = batch.document_row(document_id)? else {
            continue;
        };
        let Ok(reading) = reread_document(batch, &document, &forgotten, |_, _| false)? else {
            continue;
        };
        for contest in contests {
            let ratings = reading.official.get(&contest.external_id);
            let ratings = ratings.map_or(&[][..], Vec::as_slice);
            let rows = find_official_rows(batch, source_id, ratings)?;
            batch.replace_official_ratings(run.run_id, &[(contest.contest_id, rows)])?;
        }
    }
    Ok(())
}

fn is_rated(contest: &ContestRow) -> bool {
    contest.rated && contest.state.is_ratable() && contest.withdrawn_at.is_none()
}

impl Site<'_> {
    /// Replaces the official ratings of a contest by those in the document with its results. An
    /// unreadable document leaves them as they are.
    fn replace_official(
        &self,
        batch: &mut WriteBatch<'_>,
        run_id: RunId,
        contest: &ContestRow,
    ) -> Result<(), Error> {
        let Some(document_id) = contest.document_id else {
            return Ok(());
        };
        if let Ok(reading) = self.read_cached(batch, document_id)? {
            let results = reading.results.iter();
            let mut results = results.filter(|results| results.external_id == contest.external_id);
            let rows = match results.next() {
                Some(Results {
                    outcome: ContestOutcome::Standings { official, .. },
                    ..
                }) => find_official_rows(batch, self.source_id, official)?,
                _ => Vec::new(),
            };
            batch.replace_official_ratings(run_id, &[(contest.contest_id, rows)])?;
        }
        Ok(())
    }
}
