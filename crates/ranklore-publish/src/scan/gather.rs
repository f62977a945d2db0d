//! Reads what is published from a file, contest by contest, and has it arranged on another thread:
//! either is about as much work. Memory holds a contest or two, or the ratings of one by a run,
//! however many results there are; and, of a source, its contests and a bit for each competitor,
//! under pseudonyms and numbers what each is called.

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

/// Hands over everything that is published: the rows of each table in their order, those of
/// different tables in turns, and, if they are wanted, contests as files.
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
        // Why nothing more was taken goes before that nothing was.
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

/// What is found, on its way to be arranged.
struct Way {
    to: SyncSender<Vec<Found>>,
    together: Vec<Found>,
    /// Rows of what goes together.
    rows: usize,
}

impl Way {
    /// So many rows go together, those of a contest more at most: contests of a few people would
    /// spend more time on the way than being read.
    const TOGETHER: usize = 1 << 13;

    /// So many are arranged before anything else is read, for the memory they take.
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
            // This empty group is not taken before the one in front of it is arranged.
            self.hand()?;
        }
        Ok(())
    }

    /// Fails where nobody takes anything any more.
    fn hand(&mut self) -> Result<(), Error> {
        self.rows = 0;
        let together = take(&mut self.together);
        self.to.send(together).map_err(|_| Error::Interrupted)
    }
}

/// Whether a contest has a result that is published. One that its source has no more, or does not
/// let be read, is not.
fn is_published(contest: &ContestRow, since: Option<UnixSeconds>) -> bool {
    use ContestState::{Final, Provisional, Unrated};
    matches!(contest.state, Provisional | Final | Unrated)
        && contest.entrants > 0
        && (contest.ends_at).is_some_and(|at| since.is_none_or(|since| at >= since.get()))
}

/// One source on its way out.
struct Source<'s> {
    name: Arc<str>,
    naming: Naming,
    names: Names<'s>,
    store: &'s Store,
    runs: &'s [RunRow],
}

impl Source<'_> {
    fn contest(&mut self, mut row: ContestRow, way: &mut Way) -> Result<(), Error> {
        // Where nobody is to be named, the page that names them all is left out, too.
        row.url = row.url.filter(|_| self.naming != Naming::Numbers);
        let id = row.contest_id;
        let standings = self.store.published_standings(id)?;
        let mut members = self.store.members_in(id)?;
        // Of a team that stands nowhere nobody is told of.
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

    /// Those who stand here come up before those who stand here as part of a team.
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
        // Of those who stand nowhere, by now, not even an older run tells.
        ratings.retain(|of| self.names.is_seen(of.rating.competitor_id));
        // Most are of those who stand here, and both come by id.
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
            // It may be full of few rows with long texts.
            way.put(Found::Competitors(full), Way::TOGETHER)
        })?;
        let rows = batch.rows;
        way.put(Found::Competitors(batch), rows)
    }
}

/// How a team stands in standings by id.
fn standing_of(standings: &[PublishedStanding], team: CompetitorId) -> Option<&PublishedStanding> {
    let at = standings.binary_search_by_key(&team, |of| of.competitor_id);
    at.ok().map(|at| &standings[at])
}
