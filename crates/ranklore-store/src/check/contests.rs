//! Check of contests: their rows against the content hashes that were written with them.

use std::ops::ControlFlow;

use ranklore_contest::ContentHash;

use crate::check::problem::Problem;
use crate::check::{CheckProgress, CheckStage, MAX_PROBLEMS_PER_KIND};
use crate::error::{Error, Result};
use crate::file::columns::row;
use crate::file::open::Store;
use crate::ids::{ContestId, SourceId};

/// Contests listed at once, so that memory does not grow with the file.
const CONTESTS_PER_STEP: i64 = 1000;

row! {
    /// A contest as it was written.
    struct WrittenContest selects WRITTEN_COLUMNS {
        contest_id: ContestId,
        source_name: String = "source.name",
        external_id: String,
        entrants: u32,
        content_hash: Option<ContentHash>,
    }
}

impl Store {
    /// Verifies the contests of a source before they are published: their rows are those that were
    /// written.
    ///
    /// # Errors
    /// [`Error::AlteredContest`] for the first that is not.
    pub fn verify_contests(&self, source_id: SourceId) -> Result<()> {
        self.for_each_altered_contest(
            Some(source_id),
            |_| {},
            |contest, reason| {
                Err(Error::AlteredContest {
                    path: self.path().to_owned(),
                    external_id: contest.external_id,
                    reason,
                })
            },
        )
    }

    pub(super) fn check_contests(
        &self,
        watch: &mut CheckProgress<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<()> {
        // A float, because the sum of damaged numbers may not fit an integer.
        let total: f64 = self.query("SELECT total(entrants) FROM contest", [])?;
        let mut entrants_read = 0;
        let mut altered_contests = 0;
        self.for_each_altered_contest(
            None,
            |entrants| {
                entrants_read += u64::from(entrants);
                watch(CheckStage::Contests, entrants_read, total as u64);
            },
            |contest, reason| {
                problems.push(Problem::Contest {
                    source_name: contest.source_name,
                    external_id: contest.external_id,
                    reason,
                });
                altered_contests += 1;
                Ok(if altered_contests < MAX_PROBLEMS_PER_KIND {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                })
            },
        )
    }

    /// Calls `altered` with every contest whose rows differ from those written, and the difference,
    /// until it breaks. Calls `watch` with the number of entrants of each contest.
    fn for_each_altered_contest(
        &self,
        source_id: Option<SourceId>,
        mut watch: impl FnMut(u32),
        mut altered: impl FnMut(WrittenContest, String) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let mut last = i64::MIN;
        loop {
            let written: Vec<WrittenContest> = self.query(
                &format!(
                    "SELECT {WRITTEN_COLUMNS} FROM contest JOIN source USING (source_id)
                     WHERE contest_id > ?1 AND (?2 IS NULL OR contest.source_id = ?2)
                     ORDER BY contest_id LIMIT ?3"
                ),
                rusqlite::params![last, source_id, CONTESTS_PER_STEP],
            )?;
            let Some(end) = written.last() else {
                return Ok(());
            };
            last = end.contest_id.get();
            for contest in written {
                watch(contest.entrants);
                if let Some(reason) = self.find_difference(&contest)
                    && altered(contest, reason)?.is_break()
                {
                    return Ok(());
                }
            }
        }
    }

    /// Returns the difference between the rows of a contest and those written; none if it has no
    /// results yet.
    fn find_difference(&self, written: &WrittenContest) -> Option<String> {
        let hash = written.content_hash?;
        match self.load_contest(written.contest_id) {
            Ok(contest) if contest.entrants.len() as u32 != written.entrants => Some(format!(
                "{} entrants expected, {} found",
                written.entrants,
                contest.entrants.len()
            )),
            Ok(contest) if contest.content_hash() == hash => None,
            Ok(_) => Some("its rows do not match its content hash".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }
}
