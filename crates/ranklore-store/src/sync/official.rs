//! Official ratings: ratings computed by the sites themselves, stored in runs of their own.

use std::collections::{BTreeSet, HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::file::row_hash::{RowHasher, StoredRating};
use crate::ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
use crate::runs::ratings::{NewRun, RunContestRow};

/// System name of runs with official ratings.
pub const OFFICIAL: &str = "official";

/// Official rating of a competitor after a contest, in points of the site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficialRow {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// Rating before the contest, if the site states it.
    pub before: Option<f64>,
    /// Rating after the contest.
    pub after: f64,
    /// Volatility after the contest as measured by the site, if it states it.
    pub volatility: Option<f64>,
}

queries! {
    /// Returns the contests of a source that are in the official run and not rated in its division, or
    /// rated there and not in the run. In an official run the position of a contest is its id.
    fn official_misfits(run_id: RunId, source_id: SourceId, division: Option<&str>)
        -> BTreeSet<ContestId> =
        "SELECT contest.contest_id FROM contest
         LEFT JOIN run_contest ON run_id = ?1 AND position = contest.contest_id
         WHERE source_id = ?2 AND content_hash IS NOT NULL
         AND (run_id IS NOT NULL) <> (rated AND state IN ('provisional', 'final')
             AND withdrawn_at IS NULL AND (?3 IS NULL OR division IS ?3))";

    /// Returns the competitor that each merged competitor was merged into, which may be merged too.
    fn direct_merges(source_id: SourceId) -> HashMap<CompetitorId, CompetitorId> =
        "SELECT competitor_id, merged_into FROM competitor
         WHERE source_id = ?1 AND merged_into IS NOT NULL";

    /// Returns the source of a contest that is rated; `None` if it is withdrawn or not rated.
    fn source_of_rated_contest(contest_id: ContestId) -> Option<SourceId> =
        "SELECT source_id FROM contest WHERE contest_id = ?1 AND rated
         AND state IN ('provisional', 'final') AND withdrawn_at IS NULL";

    /// Returns the official runs that have ratings of a contest.
    pub fn official_runs_of_contest(contest_id: ContestId) -> Vec<RunId> =
        "SELECT run_id FROM rating_run CROSS JOIN run_contest USING (run_id)
         WHERE system = 'official' AND position = ?1";

    /// Returns the number of ratings of a contest in an official run, where its position is its id.
    fn official_results(run_id: RunId, contest_id: ContestId) -> Option<i64> =
        "SELECT results FROM run_contest WHERE run_id = ?1 AND position = ?2";

    fn source_and_end(contest_id: ContestId) -> Option<(SourceId, i64)> =
        "SELECT source_id, ends_at FROM contest WHERE contest_id = ?1 AND ends_at IS NOT NULL";

    /// Returns the official ratings of a contest: competitor, external id, and the rating before.
    fn ratings_before(run_id: RunId, contest_id: ContestId)
        -> Vec<(CompetitorId, String, Option<f64>)> =
        "SELECT competitor_id, external_id, mu_before FROM rating
         JOIN competitor USING (competitor_id) WHERE run_id = ?1 AND contest_id = ?2";

    /// Returns the end of the last contest of an account that ended before a time, the rating of its
    /// competitor after it, and the document with that rating.
    fn last_official(
        run_id: RunId, account: CompetitorId, competitor_id: CompetitorId, ends_at: i64
    ) -> Option<(i64, f64, Option<DocumentId>)> =
        "SELECT ends_at, mu, document_id FROM
             (SELECT contest_id FROM standing WHERE competitor_id = ?2
              UNION SELECT contest_id FROM member WHERE person_id = ?2)
         CROSS JOIN contest USING (contest_id)
         CROSS JOIN rating ON rating.run_id = ?1 AND rating.contest_id = contest.contest_id
             AND rating.competitor_id = ?3
         WHERE ends_at < ?4 ORDER BY ends_at DESC LIMIT 1";

    /// True if a contest that ended between two times may have ratings that are not stored: it has no
    /// results yet, or is withdrawn.
    fn has_unknown_ratings(source_id: SourceId, after: i64, before: i64) -> bool =
        "SELECT EXISTS (SELECT 1 FROM contest WHERE source_id = ?1
             AND ends_at BETWEEN ?2 AND ?3 AND state <> 'unrated'
             AND (content_hash IS NULL OR withdrawn_at IS NOT NULL OR NOT rated
                 OR state NOT IN ('provisional', 'final')))";

    /// Returns the contests that a competitor took part in, alone or in a team.
    fn contests_entered(competitor_id: CompetitorId) -> HashSet<ContestId> =
        "SELECT contest_id FROM standing WHERE competitor_id = ?1
         UNION SELECT contest_id FROM member WHERE person_id = ?1";
}

impl Store {
    /// Returns the contests of a source whose ratings in an official run do not follow its merges and
    /// withdrawals: withdrawn contests with ratings, rated ones without, and ratings of merged
    /// competitors. Adds the contests of the accounts of `split`, which a merge may have hidden.
    /// `division` is that of the run, if it has one.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn outdated_official_contests(
        &self,
        run_id: RunId,
        source_id: SourceId,
        division: Option<&str>,
        split: Option<CompetitorId>,
    ) -> Result<BTreeSet<ContestId>> {
        let mut outdated = self.official_misfits(run_id, source_id, division)?;
        let merges = self.direct_merges(source_id)?;
        for &account in merges.keys() {
            // The ratings may be those of any competitor on the way to the last one.
            let mut merged = Vec::new();
            let mut next = account;
            while let Some(&target) = merges.get(&next).filter(|_| !merged.contains(&next)) {
                merged.push(next);
                next = target;
            }
            let contests: Vec<ContestId> = self.contests_entered(account)?.into_iter().collect();
            for competitor in merged {
                let keys = contests.iter().map(|&contest| (contest, competitor));
                let ratings = self.ratings_at(run_id, keys)?.into_iter().zip(&contests);
                outdated.extend(ratings.filter_map(|(row, contest)| row.map(|_| *contest)));
            }
        }
        if let Some(split) = split {
            for account in merges.keys().chain([&split]) {
                if self.merge_root(*account)? == split {
                    outdated.extend(self.contests_entered(*account)?);
                }
            }
        }
        Ok(outdated)
    }
}

impl Store {
    /// Returns the competitors, by external id, whose official rating before a contest is not the one
    /// after their last contest, which a document up to `through` has. Leaves out those who may have taken part in a contest between the two whose ratings are not stored.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn broken_official_histories(
        &self,
        run_id: RunId,
        contest_id: ContestId,
        through: DocumentId,
    ) -> Result<Vec<String>> {
        let Some((source_id, ends_at)) = self.source_and_end(contest_id)? else {
            return Ok(Vec::new());
        };
        let mut accounts: HashMap<CompetitorId, Vec<CompetitorId>> = HashMap::new();
        for (account, root) in self.merges(source_id)? {
            accounts.entry(root).or_default().push(account);
        }
        // By the end of the last contest, which many competitors share.
        let mut unknown_since: HashMap<i64, bool> = HashMap::new();
        let mut broken = Vec::new();
        for (competitor_id, name, before) in self.ratings_before(run_id, contest_id)? {
            let merged = accounts.get(&competitor_id).into_iter().flatten();
            let mut last: Option<(i64, f64, Option<DocumentId>)> = None;
            for &account in merged.chain([&competitor_id]) {
                let of_account = self.last_official(run_id, account, competitor_id, ends_at)?;
                last = last.into_iter().chain(of_account).max_by_key(|(ends_at, ..)| *ends_at);
            }
            let (Some(before), Some((last_end, after, document_id))) = (before, last) else {
                continue;
            };
            if before.total_cmp(&after).is_eq() || document_id > Some(through) {
                continue;
            }
            let has_unknown = match unknown_since.get(&last_end) {
                Some(&known) => known,
                None => self.has_unknown_ratings(source_id, last_end, ends_at)?,
            };
            unknown_since.insert(last_end, has_unknown);
            if !has_unknown {
                broken.push(name);
            }
        }
        Ok(broken)
    }
}

impl WriteBatch<'_> {
    /// Returns the run with the official ratings of a selection; inserts it if it is missing.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn get_or_insert_official_run(
        &mut self,
        selection: &str,
        now: UnixSeconds,
    ) -> Result<RunId> {
        if let Some(run) = self.find_matching_run(OFFICIAL, "{}", selection)? {
            return Ok(run.run_id);
        }
        self.begin_run(
            &NewRun {
                system: OFFICIAL,
                parameters: "{}",
                selection,
                engine: OFFICIAL,
            },
            now,
        )
    }

    /// Deletes all ratings of an official run, before they are read again.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn clear_official_run(&mut self, run_id: RunId) -> Result<()> {
        self.delete_evaluation(run_id)?;
        self.delete_ratings(run_id)?;
        self.execute("DELETE FROM run_contest WHERE run_id = ?1", [run_id])?;
        self.execute("UPDATE rating_run SET contests = 0, results = 0 WHERE run_id = ?1", [run_id])
    }

    /// Writes the official ratings of contests, best place first, and replaces earlier ones. Ratings
    /// of a merged competitor count for the one it was merged into; of several accounts the best
    /// placed one counts. A contest that is withdrawn or not rated has none. No contest may be given
    /// twice.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_official_ratings(
        &mut self,
        run_id: RunId,
        contests: &[(ContestId, Vec<OfficialRow>)],
    ) -> Result<()> {
        self.delete_evaluation(run_id)?;
        let mut inserted_ratings = Vec::new();
        let mut inserted_contests = Vec::with_capacity(contests.len());
        let mut deleted = (0, 0);
        let mut hasher = RowHasher::default();
        for (contest_id, ratings) in contests {
            let results = self.delete_official_ratings(run_id, *contest_id)?;
            deleted.0 += i64::from(results.is_some());
            deleted.1 += results.unwrap_or(0);
            let mut resolved = self.resolve_official(*contest_id, ratings)?;
            if resolved.is_empty() {
                continue;
            }
            // Primary-key order packs the pages, and is the order of the hash.
            resolved.sort_unstable_by_key(|row| row.competitor_id);
            self.with_connection(|_| resolved.iter().try_for_each(|row| hasher.write_rating(row)))?;
            let contest = RunContestRow {
                run_id,
                // It only has to be unique: no replay computed these ratings.
                position: contest_id.get(),
                contest_id: *contest_id,
                results: resolved.len() as i64,
                chain: vec![0; 32],
                rows_hash: hasher.finish(),
            };
            self.add_inserted(&contest)?;
            inserted_contests.push(contest);
            inserted_ratings.extend(resolved.into_iter().map(|row| (*contest_id, row)));
        }
        self.insert_run_rows(run_id, &inserted_contests, &inserted_ratings)?;
        self.execute(
            "UPDATE rating_run SET contests = contests + ?2, results = results + ?3
             WHERE run_id = ?1",
            params![
                run_id,
                inserted_contests.len() as i64 - deleted.0,
                inserted_ratings.len() as i64 - deleted.1
            ],
        )
    }

    /// Deletes the official ratings of a contest. Returns their number, if it has any.
    fn delete_official_ratings(
        &mut self,
        run_id: RunId,
        contest_id: ContestId,
    ) -> Result<Option<i64>> {
        // Of new contests there is nothing to delete, which a query finds out faster.
        let results = self.official_results(run_id, contest_id)?;
        if results.is_some() {
            self.execute_all(
                "DELETE FROM rating WHERE run_id = ?1 AND contest_id = ?2;
                 DELETE FROM run_contest WHERE run_id = ?1 AND position = ?2",
                params![run_id, contest_id],
            )?;
        }
        Ok(results)
    }

    /// Returns the rows to store: one for each competitor after merges, none if the contest is not
    /// rated.
    fn resolve_official(
        &self,
        contest_id: ContestId,
        ratings: &[OfficialRow],
    ) -> Result<Vec<StoredRating>> {
        let Some(source_id) = self.source_of_rated_contest(contest_id)? else {
            return Ok(Vec::new());
        };
        let roots: HashMap<_, _> = self.merges(source_id)?.into_iter().collect();
        let mut rated = HashSet::with_capacity(ratings.len());
        let rows = ratings.iter().map(|row| StoredRating {
            competitor_id: *roots.get(&row.competitor_id).unwrap_or(&row.competitor_id),
            mu: row.after,
            sigma: 0.0,
            performance: None,
            volatility: row.volatility,
            mu_before: row.before,
        });
        Ok(rows.filter(|row| rated.insert(row.competitor_id)).collect())
    }
}
