//! Reads what is published from a file, contest by contest, and has it arranged on another thread:
//! either is about as much work. Memory holds few contests, however many results there are; and, of
//! a source, its contests and a bit for each competitor, under pseudonyms and numbers what each is
//! called.

use std::mem::{replace, take};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use ranklore_contest::UnixSeconds;
use ranklore_store::{
    ContestRow, ContestState, Member, PublishedRating, PublishedStanding, RunRow, SourceId, Store,
};

use crate::Error;
use crate::arrange::{Found, FoundContest, Of, arrange, order};
use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::naming::{Names, Naming};
use crate::piece::Emit;
use crate::selection::Selection;

/// So many results are handed over together, those of a contest more at most: contests of a few
/// people would spend more time on the way than being read.
const TOGETHER: usize = 1 << 12;

/// So much of what is handed over together is on its way at most.
const ON_THE_WAY: usize = 2;

/// Hands over everything that is published: the rows of each table in their order, those of
/// different tables in turns, and, if they are wanted, contests as files.
pub(crate) fn gather(
    store: &Store,
    selection: &Selection,
    files: bool,
    emit: Emit<'_>,
) -> Result<(), Error> {
    std::thread::scope(|scope| {
        let (send, found) = sync_channel(ON_THE_WAY);
        let arranging = scope.spawn(move || arrange(selection, files, &found, emit));
        let read = read(store, selection, &send);
        drop(send);
        let arranged = (arranging.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // Why nothing more was taken goes before that nothing was.
        arranged.and(read)
    })
}

fn read(store: &Store, selection: &Selection, to: &SyncSender<Found>) -> Result<(), Error> {
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
            names: Names::new(store, naming),
            naming,
            store,
            runs: &selection.runs,
        };
        hand(to, Found::Source(Arc::clone(&source.name)))?;
        let (mut together, mut results) = (Vec::new(), 0);
        for contest in contests {
            let contest = source.contest(contest)?;
            results += contest.standings.len();
            together.push(contest);
            if results >= TOGETHER {
                hand(to, Found::Contests(take(&mut together)))?;
                results = 0;
            }
        }
        hand(to, Found::Contests(together))?;
        source.competitors(source_id, to)?;
    }
    Ok(())
}

/// Fails where nobody takes anything any more.
fn hand(to: &SyncSender<Found>, found: Found) -> Result<(), Error> {
    to.send(found).map_err(|_| Error::Interrupted)
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
    fn contest(&mut self, mut row: ContestRow) -> Result<FoundContest, Error> {
        // Where nobody is to be named, the page that names them all is left out, too.
        row.url = row.url.filter(|_| self.naming != Naming::Numbers);
        let standings = self.store.published_standings(row.contest_id)?;
        let members = self.store.members_in(row.contest_id)?;
        self.meet(&standings, &members)?;
        let mut found = Vec::with_capacity(standings.len());
        for standing in standings {
            found.push((self.names.of(standing.competitor_id)?, standing));
        }
        let members = (members.into_iter())
            .map(|of| Ok((of.competitor_id, self.names.of(of.person_id)?)))
            .collect::<Result<_, Error>>()?;
        let runs = self.runs.iter();
        let ratings = runs
            .map(|run| self.ratings(run, &row, &found))
            .collect::<Result<_, Error>>()?;
        Ok(FoundContest {
            row,
            standings: found,
            members,
            ratings,
        })
    }

    /// Those who stand here come up before those who stand here as part of a team.
    fn meet(&mut self, standings: &[PublishedStanding], members: &[Member]) -> Result<(), Error> {
        let place_of = |of: &PublishedStanding| order(of.outcome);
        let standing = standings.iter().map(|of| (place_of(of), of.competitor_id));
        self.names.meet(standing)?;
        let members = members.iter().map(|member| {
            let team = standings.binary_search_by_key(&member.competitor_id, |of| of.competitor_id);
            let place = team.map_or(u32::MAX, |at| place_of(&standings[at]));
            (place, member.person_id)
        });
        self.names.meet(members)
    }

    fn ratings(
        &mut self,
        run: &RunRow,
        contest: &ContestRow,
        standings: &[Of<PublishedStanding>],
    ) -> Result<Vec<Of<PublishedRating>>, Error> {
        let ratings = self
            .store
            .published_ratings(run.run_id, contest.contest_id)?;
        // Most are of those who stand here, and both come by id.
        let mut standings = standings.iter().peekable();
        let mut found = Vec::with_capacity(ratings.len());
        for rating in ratings {
            let id = rating.rating.competitor_id;
            while standings
                .next_if(|(_, row)| row.competitor_id < id)
                .is_some()
            {}
            match standings.peek() {
                Some((of, row)) if row.competitor_id == id => found.push((Arc::clone(of), rating)),
                // Of those who stand nowhere, by now, not even an older run tells.
                _ if self.names.is_seen(id) => found.push((self.names.of(id)?, rating)),
                _ => {}
            }
        }
        Ok(found)
    }

    fn competitors(&mut self, source_id: SourceId, to: &SyncSender<Found>) -> Result<(), Error> {
        let name = Arc::clone(&self.name);
        let mut batch = Batch::new(TableId::Competitor);
        self.names.for_each_seen(source_id, |of, merged_into| {
            batch.push(&[
                Value::Text(&name),
                Value::Text(of.kind.as_str()),
                Value::Text(&of.key),
                Value::text(of.name.as_deref()),
                Value::number(of.start.map(|start| start.mu)),
                Value::number(of.start.and_then(|start| start.sigma)),
                Value::text(merged_into),
            ]);
            if !batch.is_full() {
                return Ok(());
            }
            let full = replace(&mut batch, Batch::new(TableId::Competitor));
            hand(to, Found::Competitors(full))
        })?;
        hand(to, Found::Competitors(batch))
    }
}
