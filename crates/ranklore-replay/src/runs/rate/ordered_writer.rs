//! Writing of rated contests in the order of their ids.

use std::collections::BTreeMap;

use ranklore_rating::{RatedEntrant, has_diverged};
use ranklore_store::{ContestId, RatingRow, RatingWriter};

use crate::error::Error;
use crate::progress::Progress;
use crate::runs::lineup::Replay;

/// Upper bound of the memory of contests that wait to be written, in bytes.
const MAX_WAITING: usize = 80_000_000;

/// Memory of a waiting contest besides its rows: its place in the map, and an allocation.
const WAITING_CONTEST: usize = 128;

/// Totals of the written contests.
#[derive(Default)]
pub(super) struct Written {
    /// Number of contests with rows.
    pub(super) contests: u64,
    /// Number of rows.
    pub(super) results: u64,
    /// The first contest in which a rating reaches the bound of ratings.
    pub(super) diverged: Option<ContestId>,
    /// The hash of the last contest.
    pub(super) last_hash: Option<[u8; 32]>,
}

/// A rated contest that waits for those with lower ids.
struct WaitingContest {
    index: usize,
    hash: [u8; 32],
    rated: Vec<RatedEntrant>,
}

/// Writes contests, which arrive in replay order, in the order of their primary key as far as
/// [`MAX_WAITING`] allows: SQLite then appends to its last page instead of searching the page of
/// each row, and fills the pages.
pub(super) struct OrderedWriter<'w> {
    writer: RatingWriter<'w>,
    /// Position of the first contest of the replay within the run.
    start: usize,
    replay: &'w Replay<'w>,
    watch: &'w dyn Progress,
    /// For each contest but the last the lowest id of all contests after it.
    lowest_later_ids: Vec<ContestId>,
    waiting: BTreeMap<ContestId, WaitingContest>,
    waiting_bytes: usize,
    /// Index of the contest that arrives next.
    next: usize,
    written: Written,
    /// Memory for the rows of one contest.
    rows: Vec<RatingRow>,
}

impl<'w> OrderedWriter<'w> {
    pub(super) fn new(
        writer: RatingWriter<'w>,
        start: usize,
        replay: &'w Replay<'w>,
        watch: &'w dyn Progress,
    ) -> Self {
        Self {
            writer,
            start,
            replay,
            watch,
            lowest_later_ids: find_lowest_later_ids(replay),
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            next: 0,
            written: Written::default(),
            rows: Vec::new(),
        }
    }

    /// Adds the next contest, and writes all contests that no later one precedes.
    pub(super) fn add(&mut self, hash: [u8; 32], rated: &[RatedEntrant]) -> Result<(), Error> {
        if self.watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        let index = self.next;
        self.next += 1;
        self.written.contests += u64::from(!rated.is_empty());
        self.written.results += rated.len() as u64;
        self.written.last_hash = Some(hash);
        let contest_id = self.replay.contest(index).row.contest_id;
        if self.written.diverged.is_none() && has_diverged(rated) {
            self.written.diverged = Some(contest_id);
        }
        let lowest_later_id = self.lowest_later_ids.get(index).copied();
        if self.waiting.is_empty() && lowest_later_id.is_none_or(|later| contest_id < later) {
            self.write(index, &hash, rated)?;
        } else {
            self.waiting_bytes += WAITING_CONTEST + size_of_val(rated);
            let rated = rated.to_vec();
            self.waiting.insert(contest_id, WaitingContest { index, hash, rated });
        }
        // Without memory for more, all that wait are written.
        self.write_waiting(lowest_later_id.filter(|_| self.waiting_bytes <= MAX_WAITING))?;
        let results = self.written.results;
        self.watch.advance(results, self.written.contests, results);
        Ok(())
    }

    /// Writes the waiting contests with ids below a limit, or all.
    fn write_waiting(&mut self, limit: Option<ContestId>) -> Result<(), Error> {
        while let Some(entry) = self.waiting.first_entry()
            && limit.is_none_or(|limit| *entry.key() < limit)
        {
            if self.watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let WaitingContest { index, hash, rated } = entry.remove();
            self.waiting_bytes -= WAITING_CONTEST + size_of_val(&*rated);
            self.write(index, &hash, &rated)?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        index: usize,
        hash: &[u8; 32],
        rated: &[RatedEntrant],
    ) -> Result<(), Error> {
        let contest = self.replay.contest(index);
        let competitors = &self.replay.competitors;
        self.rows.clear();
        let rows = contest.entrants.iter().zip(rated);
        self.rows.extend(rows.map(|(&entrant, rated)| RatingRow {
            competitor_id: competitors[entrant as usize],
            mu: rated.mu,
            sigma: rated.sigma,
            performance: rated.performance,
            volatility: rated.volatility,
        }));
        let position = self.start + index;
        self.writer.write_contest(position, contest.row.contest_id, hash, &self.rows)?;
        Ok(())
    }

    /// Writes the rows that are not inserted yet.
    pub(super) fn finish(self) -> Result<Written, Error> {
        self.writer.finish()?;
        Ok(self.written)
    }
}

/// Returns for each contest but the last the lowest id of all contests after it.
fn find_lowest_later_ids(replay: &Replay<'_>) -> Vec<ContestId> {
    let later = replay.contests().skip(1);
    let mut ids: Vec<ContestId> = later.map(|contest| contest.row.contest_id).collect();
    for index in (1..ids.len()).rev() {
        ids[index - 1] = ids[index - 1].min(ids[index]);
    }
    ids
}
