//! Ordering of the scanned rows as in a dataset: batches of rows by table, and contest files.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantOutcome, ResultState, Side,
};
use ranklore_formats::contest_json_with;
use ranklore_store::{
    CompetitorId, ContestRow, ContestState, RatingDetails, RunRow, StandingDetails,
};

use crate::batch::{RowBatch, Value};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::{Emit, OutputItem, Partition};
use crate::scan::naming::ExportedCompetitor;
use crate::scan::selection::ExportSelection;

/// A message of the scan, ordered by source and contest.
pub(crate) enum ScannedItem {
    /// The start of a source.
    Source(Arc<str>),
    /// A contest of the source.
    Contest(Box<ScannedContest>),
    /// The ratings of run number N (from 0) after the last contest, ordered by competitor id.
    Ratings(usize, KeyedRows<RatingDetails>),
    /// The next competitors that occurred in the source, as rows.
    Competitors(RowBatch),
}

/// Rows with their competitors.
pub(crate) struct KeyedRows<T> {
    pub(crate) competitors: Vec<Arc<ExportedCompetitor>>,
    pub(crate) rows: Vec<T>,
}

/// A contest with its standings.
pub(crate) struct ScannedContest {
    pub(crate) row: ContestRow,
    /// The standings, ordered by competitor id.
    pub(crate) standings: KeyedRows<StandingDetails>,
    /// The members, ordered by id of the team, then as published.
    pub(crate) members: Vec<(CompetitorId, Arc<ExportedCompetitor>)>,
}

impl ScannedContest {
    /// Creates a contest whose standings are not scanned.
    pub(crate) const fn without_standings(row: ContestRow) -> Self {
        Self {
            row,
            standings: KeyedRows {
                competitors: Vec::new(),
                rows: Vec::new(),
            },
            members: Vec::new(),
        }
    }
}

/// Orders all scanned items; emits contest files if `files` is set.
pub(crate) fn order_items(
    selection: &ExportSelection,
    files: bool,
    scanned: &Receiver<Vec<ScannedItem>>,
    emit: Emit<'_>,
) -> Result<(), Error> {
    let mut out = OrderedOutput {
        part: Partition::WHOLE,
        batches: TableId::ALL.map(RowBatch::new),
        emit,
    };
    push_runs(&selection.runs, &mut out)?;
    let mut source = SourceOrder::default();
    for item in scanned.iter().flatten() {
        match item {
            ScannedItem::Source(name) => {
                source = SourceOrder {
                    name,
                    written: files.then(HashSet::new),
                    ..SourceOrder::default()
                };
            }
            ScannedItem::Contest(contest) => {
                let ends_at = contest.row.ends_at.unwrap_or_default();
                out.set_partition(source.partition(selection.by_year.then(|| year(ends_at))))?;
                source.push_scanned(&contest, &mut out)?;
                source.contest = contest.row.external_id;
            }
            ScannedItem::Ratings(run, ratings) => source.push_ratings(run, &ratings, &mut out)?,
            ScannedItem::Competitors(rows) => {
                out.set_partition(source.partition(None))?;
                out.emit_rows(rows)?;
            }
        }
    }
    out.flush()
}

/// Returns the place as sort key; unplaced entrants sort last.
pub(crate) const fn place_rank(outcome: EntrantOutcome) -> u32 {
    match outcome.place() {
        Some(place) => place.get(),
        None => u32::MAX,
    }
}

/// True if the source rates the contest and no user withdrew it.
const fn is_rated(contest: &ContestRow) -> bool {
    contest.rated && contest.withdrawn_at.is_none()
}

fn year(seconds: i64) -> i16 {
    jiff::Timestamp::from_second(seconds)
        .map_or(1970, |at| at.to_zoned(jiff::tz::TimeZone::UTC).year())
}

/// Ordered rows on their way to the writers.
struct OrderedOutput<'e> {
    part: Partition,
    batches: [RowBatch; TableId::ALL.len()],
    emit: Emit<'e>,
}

impl OrderedOutput<'_> {
    fn push(&mut self, table: TableId, row: &[Value<'_>]) -> Result<(), Error> {
        let batch = &mut self.batches[table.index()];
        batch.push(row);
        if batch.is_full() {
            let full = batch.take();
            self.emit_rows(full)?;
        }
        Ok(())
    }

    /// Starts a partition.
    fn set_partition(&mut self, part: Partition) -> Result<(), Error> {
        if part != self.part {
            self.flush()?;
            self.part = part;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        for table in TableId::ALL {
            let rest = self.batches[table.index()].take();
            self.emit_rows(rest)?;
        }
        Ok(())
    }

    /// Emits rows that follow the previous ones.
    fn emit_rows(&mut self, rows: RowBatch) -> Result<(), Error> {
        if rows.rows == 0 {
            return Ok(());
        }
        (self.emit)(OutputItem::Rows(self.part.clone(), rows))
    }
}

fn push_runs(runs: &[RunRow], out: &mut OrderedOutput<'_>) -> Result<(), Error> {
    for (index, run) in runs.iter().enumerate() {
        let values = [
            Value::Integer(index as i64 + 1),
            Value::Text(&run.system),
            Value::Text(&run.parameters),
            Value::Text(&run.selection),
            Value::Text(&run.engine),
        ];
        out.push(TableId::RatingRun, &values)?;
    }
    out.flush()
}

/// A row with its competitor.
type KeyedRow<'r, T> = (&'r ExportedCompetitor, &'r T);

/// Sorts rows by number, then by competitor. The number and the key prefix decide most comparisons,
/// so they are stored side by side.
fn sort_rows<T>(rows: &KeyedRows<T>, number: impl Fn(&T) -> u32) -> Vec<KeyedRow<'_, T>> {
    let keyed = rows.competitors.iter().zip(&rows.rows).zip(0..);
    let mut keys: Vec<(u64, u32, u32)> = keyed
        .map(|((competitor, row), index)| (competitor.prefix, number(row), index))
        .collect();
    let competitor = |index: u32| &*rows.competitors[index as usize];
    keys.sort_unstable_by(|&(a_prefix, a, a_index), &(b_prefix, b, b_index)| {
        let order = (a, a_prefix).cmp(&(b, b_prefix));
        order.then_with(|| competitor(a_index).compare(competitor(b_index)))
    });
    keys.into_iter()
        .map(|(_, _, index)| (competitor(index), &rows.rows[index as usize]))
        .collect()
}

/// The current source.
#[derive(Default)]
struct SourceOrder {
    name: Arc<str>,
    /// The contest whose ratings follow.
    contest: String,
    /// The competitors already described in a contest file, if these are written.
    written: Option<HashSet<CompetitorId>>,
}

impl SourceOrder {
    fn partition(&self, year: Option<i16>) -> Partition {
        Partition {
            source: Some(Arc::clone(&self.name)),
            year,
        }
    }

    fn push_scanned(
        &mut self,
        contest: &ScannedContest,
        out: &mut OrderedOutput<'_>,
    ) -> Result<(), Error> {
        let row = &contest.row;
        let standings = sort_rows(&contest.standings, |standing| place_rank(standing.outcome));
        let teams = group_members(&standings, &contest.members);
        self.push_contest(row, out)?;
        self.push_standings(row, &standings, out)?;
        self.push_members(row, &standings, &teams, out)?;
        self.emit_file(row, &standings, &teams, out)
    }

    fn push_contest(&self, contest: &ContestRow, out: &mut OrderedOutput<'_>) -> Result<(), Error> {
        let values = [
            Value::Text(&self.name),
            Value::Text(&contest.external_id),
            Value::Text(&contest.name),
            Value::text(contest.event.as_deref()),
            Value::text(contest.division.as_deref()),
            Value::integer(contest.ordinal),
            Value::text(contest.url.as_deref()),
            Value::time(contest.starts_at),
            Value::time(contest.ends_at),
            Value::Text(contest.state.as_str()),
            Value::Boolean(is_rated(contest)),
            Value::Number(contest.weight),
            Value::number(contest.site_weight),
            Value::number(contest.performance_ceiling),
            Value::Integer(i64::from(contest.entrants)),
        ];
        out.push(TableId::Contest, &values)
    }

    fn push_standings(
        &self,
        contest: &ContestRow,
        standings: &[KeyedRow<'_, StandingDetails>],
        out: &mut OrderedOutput<'_>,
    ) -> Result<(), Error> {
        for (competitor, standing) in standings {
            let place = standing.outcome.place();
            let values = [
                Value::Text(&self.name),
                Value::Text(&contest.external_id),
                Value::Text(competitor.kind.as_str()),
                Value::Text(&competitor.key),
                Value::integer(place.map(|place| place.get().into())),
                Value::number(standing.score),
                Value::number(standing.penalty),
                Value::text(standing.outcome.status()),
                Value::text(standing.side.map(Side::as_str)),
            ];
            out.push(TableId::Standing, &values)?;
        }
        Ok(())
    }

    fn push_members(
        &self,
        contest: &ContestRow,
        standings: &[KeyedRow<'_, StandingDetails>],
        teams: &[TeamMembers<'_>],
        out: &mut OrderedOutput<'_>,
    ) -> Result<(), Error> {
        for ((team, _), members) in standings.iter().zip(teams) {
            for (index, (_, person)) in members.iter().enumerate() {
                let values = [
                    Value::Text(&self.name),
                    Value::Text(&contest.external_id),
                    Value::Text(team.kind.as_str()),
                    Value::Text(&team.key),
                    Value::Integer(index as i64 + 1),
                    Value::Text(&person.key),
                ];
                out.push(TableId::Member, &values)?;
            }
        }
        Ok(())
    }

    /// Emits the contest as a file, with the facts of competitors that no earlier file describes.
    fn emit_file(
        &mut self,
        row: &ContestRow,
        standings: &[KeyedRow<'_, StandingDetails>],
        teams: &[TeamMembers<'_>],
        out: &mut OrderedOutput<'_>,
    ) -> Result<(), Error> {
        let Some(described) = &mut self.written else {
            return Ok(());
        };
        let mut competitors = Vec::new();
        for (entrant, _) in standings {
            collect_facts(entrant, described, &mut competitors);
        }
        for (_, person) in teams.iter().copied().flatten() {
            collect_facts(person, described, &mut competitors);
        }
        let rows = standings.iter().zip(teams);
        let entrants = rows.map(|((entrant, standing), members)| Entrant {
            competitor: entrant.key.to_string(),
            kind: entrant.kind,
            outcome: standing.outcome,
            score: standing.score,
            penalty: standing.penalty,
            side: standing.side,
            members: members.iter().map(|(_, m)| m.key.to_string()).collect(),
        });
        let end = row.ends_at.and_then(ContestTime::new);
        let contest = Contest {
            external_id: row.external_id.clone(),
            name: row.name.clone(),
            event: row.event.clone(),
            division: row.division.clone(),
            ordinal: row.ordinal,
            url: row.url.clone(),
            starts_at: row.starts_at.and_then(ContestTime::new),
            ends_at: end.unwrap_or(ContestTime::MIN),
            weight: row.weight,
            site_weight: row.site_weight,
            performance_ceiling: row.performance_ceiling,
            entrants: entrants.collect(),
        };
        let annotations = Annotations {
            state: match row.state {
                ContestState::Provisional => ResultState::Provisional,
                ContestState::Unrated => ResultState::Unrated,
                _ => ResultState::Final,
            },
            rated: is_rated(row),
            competitors,
        };
        let json = contest_json_with(&contest, &annotations);
        (out.emit)(OutputItem::File(Arc::clone(&self.name), json))
    }

    fn push_ratings(
        &self,
        run: usize,
        ratings: &KeyedRows<RatingDetails>,
        out: &mut OrderedOutput<'_>,
    ) -> Result<(), Error> {
        for (competitor, row) in sort_rows(ratings, |_| 0) {
            let values = [
                Value::Text(&self.name),
                Value::Text(&self.contest),
                Value::Integer(run as i64 + 1),
                Value::Text(competitor.kind.as_str()),
                Value::Text(&competitor.key),
                Value::Number(row.rating.mu),
                Value::Number(row.rating.sigma),
                Value::number(row.rating.performance),
                Value::number(row.rating.volatility),
                Value::number(row.mu_before),
            ];
            out.push(TableId::Rating, &values)?;
        }
        Ok(())
    }
}

type TeamMembers<'m> = &'m [(CompetitorId, Arc<ExportedCompetitor>)];

/// Returns the members of each entrant; empty for persons.
fn group_members<'m>(
    standings: &[KeyedRow<'_, StandingDetails>],
    members: TeamMembers<'m>,
) -> Vec<TeamMembers<'m>> {
    let teams = standings.iter().map(|(_, standing)| {
        let id = standing.competitor_id;
        let first = members.partition_point(|(team, _)| *team < id);
        let count = members[first..].partition_point(|(team, _)| *team == id);
        &members[first..first + count]
    });
    teams.collect()
}

/// Adds the facts of a competitor at the first occurrence, and of the account it is merged into.
fn collect_facts(
    competitor: &ExportedCompetitor,
    described: &mut HashSet<CompetitorId>,
    facts: &mut Vec<CompetitorFacts>,
) {
    if !described.insert(competitor.id) {
        return;
    }
    if let Some(file_facts) = &competitor.facts {
        if let Some(root) = &file_facts.root {
            collect_facts(root, described, facts);
        }
        facts.push(file_facts.facts.clone());
    }
}
