//! Scan of the database, contest by contest, with ordering on another thread, as both take about as
//! long. Memory is bounded by a contest or two, or one run's ratings of a contest; and, per source,
//! by its contest list, one bit per competitor, and the names under pseudonyms and numbers.

use std::mem::take;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use ranklore_contest::ContestTime;
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, ContestState, RatingDetails, RunId, RunRow, SourceId,
    StandingDetails, Store, TeamMember,
};

use crate::batch::{RowBatch, Value};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::Emit;
use crate::scan::naming::{CompetitorNames, ExportNaming, ExportedCompetitor};
use crate::scan::order::{KeyedRows, ScannedContest, ScannedItem, order_items, place_rank};
use crate::scan::selection::ExportSelection;

/// Scans the selection and emits the rows of these tables in order, interleaved by table, and contest
/// files if `files` is set. Rows of other tables may be emitted, too.
pub(crate) fn scan(
    store: &Store,
    selection: &ExportSelection,
    tables: &[TableId],
    files: bool,
    emit: Emit<'_>,
) -> Result<(), Error> {
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(0);
        let ordering = scope.spawn(move || order_items(selection, files, &receive, emit));
        let scanned = scan_sources(store, selection, tables, files, ScanBatcher::new(send));
        let ordered = ordering.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // The error of the ordering thread takes precedence over the closed channel.
        ordered.and(scanned)
    })
}

fn scan_sources(
    store: &Store,
    selection: &ExportSelection,
    tables: &[TableId],
    files: bool,
    mut out: ScanBatcher,
) -> Result<(), Error> {
    let mut sources = selection.sources.clone();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, naming) in sources {
        let Some(source_id) = store.source_id(&name)? else {
            continue;
        };
        let mut contests = store.contests_of_source(source_id)?;
        contests.retain(|contest| is_published(contest, selection.since));
        if contests.is_empty() {
            continue;
        }
        let mut source = SourceScan {
            name: name.as_str().into(),
            names: CompetitorNames::new(store, naming, files),
            naming,
            store,
            runs: if tables.contains(&TableId::Rating) {
                &selection.runs
            } else {
                &[]
            },
            // The rows of all other tables come with those of the standings.
            has_standings: files || tables.iter().any(|t| !WITHOUT_STANDINGS.contains(t)),
        };
        out.push(ScannedItem::Source(Arc::clone(&source.name)), 0)?;
        for (mut contest, number) in contests.into_iter().zip(1..) {
            naming.hide_names_in_contest(&mut contest, number);
            source.scan_contest(contest, &mut out)?;
        }
        if tables.contains(&TableId::Competitor) {
            source.scan_competitors(source_id, &mut out)?;
        }
    }
    out.flush()
}

/// The tables that are scanned without standings.
const WITHOUT_STANDINGS: [TableId; 2] = [TableId::Contest, TableId::RatingRun];

/// Groups scanned items into messages for the ordering thread.
struct ScanBatcher {
    sender: SyncSender<Vec<ScannedItem>>,
    items: Vec<ScannedItem>,
    /// The number of rows in the group.
    rows: usize,
}

impl ScanBatcher {
    /// Rows per message, exceeded by at most one contest: small contests would cost more to send
    /// than to read.
    const BATCH_ROWS: usize = 1 << 13;

    /// Rows after which the scan waits for the ordering thread, to bound memory.
    const SYNC_ROWS: usize = 1 << 17;

    const fn new(sender: SyncSender<Vec<ScannedItem>>) -> Self {
        Self {
            sender,
            items: Vec::new(),
            rows: 0,
        }
    }

    fn push(&mut self, item: ScannedItem, rows: usize) -> Result<(), Error> {
        self.items.push(item);
        self.rows += rows;
        if self.rows < Self::BATCH_ROWS {
            return Ok(());
        }
        let must_sync = self.rows >= Self::SYNC_ROWS;
        self.flush()?;
        if must_sync {
            // The channel has no buffer: this empty group is received only after the previous one
            // is processed.
            self.flush()?;
        }
        Ok(())
    }

    /// Sends the group; errors if the receiver is gone.
    fn flush(&mut self) -> Result<(), Error> {
        self.rows = 0;
        let items = take(&mut self.items);
        self.sender.send(items).map_err(|_| Error::Interrupted)
    }
}

/// True if a contest has a published result: not withdrawn by its source and not refused.
fn is_published(contest: &ContestRow, since: Option<ContestTime>) -> bool {
    use ContestState::{Final, Provisional, Unrated};
    let earliest = since.map_or(i64::MIN, ContestTime::get);
    matches!(contest.state, Provisional | Final | Unrated)
        && contest.entrants > 0
        && contest.ends_at.is_some_and(|at| at >= earliest)
}

/// Scan state of one source.
struct SourceScan<'s> {
    name: Arc<str>,
    naming: ExportNaming,
    names: CompetitorNames<'s>,
    store: &'s Store,
    runs: &'s [RunRow],
    /// True if the standings are scanned.
    has_standings: bool,
}

impl SourceScan<'_> {
    fn scan_contest(&mut self, mut row: ContestRow, out: &mut ScanBatcher) -> Result<(), Error> {
        // The URL leads to a page with names, so exports without names omit it.
        row.url = row.url.filter(|_| self.naming != ExportNaming::Numbers);
        let id = row.contest_id;
        if !self.has_standings {
            let contest = ScannedContest::without_standings(row);
            return out.push(ScannedItem::Contest(Box::new(contest)), 1);
        }
        let standings = self.store.standing_details(id)?;
        let mut members = self.store.members_of_contest(id)?;
        // Members of teams without a standing are not published.
        members.retain(|member| find_standing(&standings, member.competitor_id).is_some());
        self.number_entrants(&standings, &members)?;
        let mut entrants = Vec::with_capacity(standings.len());
        for standing in &standings {
            let id = standing.competitor_id;
            entrants.push((id, self.names.resolve(id)?));
        }
        let members = members
            .into_iter()
            .map(|member| Ok((member.competitor_id, self.names.resolve(member.person_id)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        let rows = standings.len() + members.len();
        let competitors = entrants.iter().map(|(_, entrant)| Arc::clone(entrant));
        let contest = ScannedContest {
            row,
            standings: KeyedRows {
                competitors: competitors.collect(),
                rows: standings,
            },
            members,
        };
        out.push(ScannedItem::Contest(Box::new(contest)), rows)?;
        for (index, run) in self.runs.iter().enumerate() {
            let ratings = self.scan_ratings(run.run_id, id, &entrants)?;
            let rows = ratings.rows.len();
            out.push(ScannedItem::Ratings(index, ratings), rows)?;
        }
        Ok(())
    }

    /// Numbers the entrants before members of teams.
    fn number_entrants(
        &mut self,
        standings: &[StandingDetails],
        members: &[TeamMember],
    ) -> Result<(), Error> {
        let entrants = standings
            .iter()
            .map(|standing| (place_rank(standing.outcome), standing.competitor_id));
        self.names.assign_numbers(entrants)?;
        let people = members.iter().filter_map(|member| {
            let team = find_standing(standings, member.competitor_id)?;
            Some((place_rank(team.outcome), member.person_id))
        });
        self.names.assign_numbers(people)
    }

    fn scan_ratings(
        &mut self,
        run: RunId,
        contest: ContestId,
        entrants: &[(CompetitorId, Arc<ExportedCompetitor>)],
    ) -> Result<KeyedRows<RatingDetails>, Error> {
        let mut ratings = self.store.rating_details(run, contest)?;
        // Older runs may rate competitors without any standing; these are not published.
        ratings.retain(|details| self.names.is_seen(details.rating.competitor_id));
        // Most ratings belong to entrants of this contest, and both lists are ordered by id.
        let mut entrants = entrants.iter().peekable();
        let mut competitors = Vec::with_capacity(ratings.len());
        for details in &ratings {
            let id = details.rating.competitor_id;
            while entrants.next_if(|(entrant, _)| *entrant < id).is_some() {}
            competitors.push(match entrants.peek() {
                Some((entrant_id, entrant)) if *entrant_id == id => Arc::clone(entrant),
                _ => self.names.resolve(id)?,
            });
        }
        Ok(KeyedRows {
            competitors,
            rows: ratings,
        })
    }

    fn scan_competitors(
        &mut self,
        source_id: SourceId,
        out: &mut ScanBatcher,
    ) -> Result<(), Error> {
        let name = Arc::clone(&self.name);
        let mut batch = RowBatch::new(TableId::Competitor);
        self.names.for_each_competitor(source_id, |facts| {
            batch.push(&[
                Value::Text(&name),
                Value::Text(facts.kind.as_str()),
                Value::Text(&facts.competitor),
                Value::text(facts.name.as_deref()),
                Value::number(facts.start.map(|start| start.mu)),
                Value::number(facts.start.and_then(|start| start.sigma)),
                Value::text(facts.merged_into.as_deref()),
            ]);
            if !batch.is_full() {
                return Ok(());
            }
            // Long texts may fill a batch with few rows.
            let full = ScannedItem::Competitors(batch.take());
            out.push(full, ScanBatcher::BATCH_ROWS)
        })?;
        let rows = batch.rows;
        out.push(ScannedItem::Competitors(batch), rows)
    }
}

/// Finds the standing of a team; standings are ordered by id.
fn find_standing(standings: &[StandingDetails], team: CompetitorId) -> Option<&StandingDetails> {
    let index = standings.binary_search_by_key(&team, |standing| standing.competitor_id);
    index.ok().map(|index| &standings[index])
}
