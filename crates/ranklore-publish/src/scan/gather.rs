//! Scan of the database, contest by contest, with ordering on another thread, as both take about as
//! long. Memory is bounded by a contest or two, or one run's ratings of a contest; and, per source,
//! by its contest list, one bit per competitor, and the names under pseudonyms and numbers.

use std::mem::{replace, take};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use ranklore_contest::UnixSeconds;
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, ContestState, Member, PublishedRating, PublishedStanding,
    RunId, RunRow, SourceId, Store,
};

use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::arrange::{Found, FoundContest, Rows, arrange, order};
use crate::scan::naming::{Names, Naming, Published};
use crate::scan::piece::Emit;
use crate::scan::selection::Selection;

/// Scans the selection and emits the rows of each table in order, interleaved by table, and contest
/// files if `files` is set.
pub(crate) fn gather(
    store: &Store,
    selection: &Selection,
    files: bool,
    emit: Emit<'_>,
) -> Result<(), Error> {
    std::thread::scope(|scope| {
        let (send, found) = sync_channel(0);
        let arranging = scope.spawn(move || arrange(selection, files, &found, emit));
        let read = read(store, selection, files, Way::new(send));
        let arranged = (arranging.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // The error of the ordering thread takes precedence over the closed channel.
        arranged.and(read)
    })
}

fn read(store: &Store, selection: &Selection, files: bool, mut way: Way) -> Result<(), Error> {
    let mut sources = selection.sources.clone();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, naming) in sources {
        let Some(source_id) = store.source_id(&name)? else {
            continue;
        };
        let mut contests = store.contests_of(source_id)?;
        contests.retain(|contest| is_published(contest, selection.since));
        if contests.is_empty() {
            continue;
        }
        let mut source = Source {
            name: name.as_str().into(),
            names: Names::new(store, naming, files),
            naming,
            store,
            runs: &selection.runs,
        };
        way.put(Found::Source(Arc::clone(&source.name)), 0)?;
        for contest in contests {
            source.contest(contest, &mut way)?;
        }
        source.competitors(source_id, &mut way)?;
    }
    way.hand()
}

/// Groups scanned items into messages for the ordering thread.
struct Way {
    to: SyncSender<Vec<Found>>,
    together: Vec<Found>,
    /// The number of rows in the group.
    rows: usize,
}

impl Way {
    /// Rows per message, exceeded by at most one contest: small contests would cost more to send
    /// than to read.
    const TOGETHER: usize = 1 << 13;

    /// Rows after which the scan waits for the ordering thread, to bound memory.
    const ALONE: usize = 1 << 17;

    const fn new(to: SyncSender<Vec<Found>>) -> Self {
        Self {
            to,
            together: Vec::new(),
            rows: 0,
        }
    }

    fn put(&mut self, found: Found, rows: usize) -> Result<(), Error> {
        self.together.push(found);
        self.rows += rows;
        if self.rows < Self::TOGETHER {
            return Ok(());
        }
        let alone = self.rows >= Self::ALONE;
        self.hand()?;
        if alone {
            // The channel has no buffer: this empty group is received only after the previous one
            // is processed.
            self.hand()?;
        }
        Ok(())
    }

    /// Sends the group; errors if the receiver is gone.
    fn hand(&mut self) -> Result<(), Error> {
        self.rows = 0;
        let together = take(&mut self.together);
        self.to.send(together).map_err(|_| Error::Interrupted)
    }
}

/// True if a contest has a published result: not withdrawn by its source and not refused.
fn is_published(contest: &ContestRow, since: Option<UnixSeconds>) -> bool {
    use ContestState::{Final, Provisional, Unrated};
    matches!(contest.state, Provisional | Final | Unrated)
        && contest.entrants > 0
        && (contest.ends_at).is_some_and(|at| since.is_none_or(|since| at >= since.get()))
}

/// Scan state of one source.
struct Source<'s> {
    name: Arc<str>,
    naming: Naming,
    names: Names<'s>,
    store: &'s Store,
    runs: &'s [RunRow],
}

impl Source<'_> {
    fn contest(&mut self, mut row: ContestRow, way: &mut Way) -> Result<(), Error> {
        // The URL leads to a page with names, so exports without names omit it.
        row.url = row.url.filter(|_| self.naming != Naming::Numbers);
        let id = row.contest_id;
        let standings = self.store.published_standings(id)?;
        let mut members = self.store.members_in(id)?;
        // Members of teams without a standing are not published.
        members.retain(|of| standing_of(&standings, of.competitor_id).is_some());
        self.meet(&standings, &members)?;
        let mut standing = Vec::with_capacity(standings.len());
        let mut of = Vec::with_capacity(standings.len());
        for row in &standings {
            let published = self.names.of(row.competitor_id)?;
            standing.push((row.competitor_id, Arc::clone(&published)));
            of.push(published);
        }
        let members = (members.into_iter())
            .map(|of| Ok((of.competitor_id, self.names.of(of.person_id)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        let rows = standings.len() + members.len();
        let standings = Rows {
            of,
            rows: standings,
        };
        let contest = FoundContest {
            row,
            standings,
            members,
        };
        way.put(Found::Contest(Box::new(contest)), rows)?;
        for (index, run) in self.runs.iter().enumerate() {
            let ratings = self.ratings(run.run_id, id, &standing)?;
            let rows = ratings.rows.len();
            way.put(Found::Ratings(index, ratings), rows)?;
        }
        Ok(())
    }

    /// Numbers the entrants before members of teams.
    fn meet(&mut self, standings: &[PublishedStanding], members: &[Member]) -> Result<(), Error> {
        let place_of = |of: &PublishedStanding| order(of.outcome);
        let standing = standings.iter().map(|of| (place_of(of), of.competitor_id));
        self.names.meet(standing)?;
        let members = members.iter().filter_map(|member| {
            let team = standing_of(standings, member.competitor_id)?;
            Some((place_of(team), member.person_id))
        });
        self.names.meet(members)
    }

    fn ratings(
        &mut self,
        run: RunId,
        contest: ContestId,
        standing: &[(CompetitorId, Arc<Published>)],
    ) -> Result<Rows<PublishedRating>, Error> {
        let mut ratings = self.store.published_ratings(run, contest)?;
        // Older runs may rate competitors without any standing; these are not published.
        ratings.retain(|of| self.names.is_seen(of.rating.competitor_id));
        // Most ratings belong to entrants of this contest, and both lists are ordered by id.
        let mut standing = standing.iter().peekable();
        let mut of = Vec::with_capacity(ratings.len());
        for rating in &ratings {
            let id = rating.rating.competitor_id;
            while standing.next_if(|(of, _)| *of < id).is_some() {}
            of.push(match standing.peek() {
                Some((standing, of)) if *standing == id => Arc::clone(of),
                _ => self.names.of(id)?,
            });
        }
        Ok(Rows { of, rows: ratings })
    }

    fn competitors(&mut self, source_id: SourceId, way: &mut Way) -> Result<(), Error> {
        let name = Arc::clone(&self.name);
        let mut batch = Batch::new(TableId::Competitor);
        self.names.for_each_seen(source_id, |of| {
            batch.push(&[
                Value::Text(&name),
                Value::Text(of.kind.as_str()),
                Value::Text(&of.competitor),
                Value::text(of.name.as_deref()),
                Value::number(of.start.map(|start| start.mu)),
                Value::number(of.start.and_then(|start| start.sigma)),
                Value::text(of.merged_into.as_deref()),
            ]);
            if !batch.is_full() {
                return Ok(());
            }
            let full = replace(&mut batch, Batch::new(TableId::Competitor));
            // Long texts may fill a batch with few rows.
            way.put(Found::Competitors(full), Way::TOGETHER)
        })?;
        let rows = batch.rows;
        way.put(Found::Competitors(batch), rows)
    }
}

/// Finds the standing of a team; standings are ordered by id.
fn standing_of(standings: &[PublishedStanding], team: CompetitorId) -> Option<&PublishedStanding> {
    let at = standings.binary_search_by_key(&team, |of| of.competitor_id);
    at.ok().map(|at| &standings[at])
}
