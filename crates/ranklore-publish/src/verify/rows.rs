//! Verification of all rows: keys, references, counts, places, ties, times and sort order.

use std::cmp::Ordering;

use ranklore_contest::{EntrantKind, ResultState, Side, SourceName};
use ranklore_store::{compare_events, compare_simultaneous_contests};

use super::competitor_set::{CompetitorSet, hash_competitor};
use super::row_order::PreviousRow;
use super::source_counts::SourceCounts;
use super::{VerifyReport, ratings, report_unmatched_rows, verify_totals};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::progress::ExportProgress;
use crate::read::{DatasetTables, RowCursor, columns};

pub(super) fn verify(
    tables: DatasetTables<'_>,
    report: &mut VerifyReport,
    watch: &dyn ExportProgress,
) -> Result<(), Error> {
    let mut counts = SourceCounts::default();
    let competitors = verify_competitors(tables, &mut counts, report)?;
    let runs = verify_runs(tables, report)?;
    let join = ContestJoin {
        contests: tables.open(TableId::Contest)?,
        standings: tables.open(TableId::Standing)?,
        members: tables.open(TableId::Member)?,
        competitors: &competitors,
        counts,
        report: &mut *report,
        score_mismatches: 0,
    };
    // Ratings need the contests and competitors only, so they run on their own thread.
    let (result, ratings_report) = std::thread::scope(|scope| {
        let ratings_thread = scope.spawn(|| ratings::verify(tables, (&competitors, runs), watch));
        (join.verify(tables, watch), ratings_thread.join())
    });
    let ratings_report = ratings_report.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    result?;
    report.append(ratings_report?);
    Ok(())
}

fn verify_competitors(
    tables: DatasetTables<'_>,
    counts: &mut SourceCounts,
    report: &mut VerifyReport,
) -> Result<CompetitorSet, Error> {
    columns!(TableId::Competitor =>
        source, kind, competitor, start_mu, start_sigma, merged_into);
    let mut rows = tables.open(TableId::Competitor)?;
    let mut competitors = CompetitorSet::default();
    let mut merges = Vec::new();
    let mut previous = (String::new(), String::new(), String::new());
    while rows.has_row() {
        let row = rows.row_number();
        let source_name = rows.text(source);
        let kind_word = rows.text(kind);
        let key = rows.text(competitor);
        let order = (source_name.to_owned(), key.to_owned(), kind_word.to_owned());
        if EntrantKind::from_word(kind_word).is_none() {
            report.add_problem(format!(
                "competitor, row {row}: {kind_word:?} is no kind: use person, team or couple"
            ));
        }
        if row > 1 && order <= previous {
            report.add_problem(format!(
                "competitor, row {row}: {key:?} is a duplicate or out of order"
            ));
        }
        competitors.insert(hash_competitor(source_name, kind_word, key));
        counts.entry(source_name).competitors += 1;
        let root = rows.text(merged_into);
        if !root.is_empty() {
            merges.push((row, hash_competitor(source_name, kind_word, root)));
        }
        let has_sigma_only = rows.number(start_mu).is_none() && rows.number(start_sigma).is_some();
        if has_sigma_only || rows.number(start_sigma).is_some_and(|sigma| sigma <= 0.0) {
            report.add_problem(format!(
                "competitor, row {row}: start_sigma needs start_mu and must be above 0"
            ));
        }
        previous = order;
        rows.advance()?;
    }
    for (row, root) in merges {
        if !competitors.contains(&root) {
            report.add_problem(format!(
                "competitor, row {row}: merged_into names no competitor of the table"
            ));
        }
    }
    verify_totals(tables, &rows, report);
    Ok(competitors)
}

/// Verifies the runs and returns their number.
fn verify_runs(tables: DatasetTables<'_>, report: &mut VerifyReport) -> Result<i64, Error> {
    columns!(TableId::RatingRun => run, parameters, selection);
    let mut rows = tables.open(TableId::RatingRun)?;
    let mut count = 0;
    while rows.has_row() {
        count += 1;
        let row = rows.row_number();
        if rows.integer(run) != Some(count) {
            report.add_problem(format!("rating_run, row {row}: run must be {count}"));
        }
        for column in [parameters, selection] {
            if serde_json::from_str::<serde_json::Value>(rows.text(column)).is_err() {
                report.add_problem(format!(
                    "rating_run, row {row}: parameters or selection are no JSON"
                ));
            }
        }
        rows.advance()?;
    }
    verify_totals(tables, &rows, report);
    Ok(count)
}

/// Sort key of a contest, compared with that of the next one.
struct ContestSortKey {
    source: String,
    key: String,
    event: String,
    ordinal: Option<i64>,
    ends_at: Option<i64>,
    entrants: Option<i64>,
}

impl ContestSortKey {
    fn event(&self) -> Option<&str> {
        (!self.event.is_empty()).then_some(&self.event)
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_source = self.source.cmp(&other.source);
        by_source
            .then_with(|| self.ends_at.cmp(&other.ends_at))
            .then_with(|| compare_events(self.event(), other.event()))
            .then_with(|| self.ordinal.cmp(&other.ordinal))
            .then_with(|| compare_simultaneous_contests(&self.key, &other.key, self.ends_at))
    }
}

/// Merge join of contests, standings and members; all tables have the same sort order.
struct ContestJoin<'c> {
    contests: RowCursor,
    standings: RowCursor,
    members: RowCursor,
    competitors: &'c CompetitorSet,
    counts: SourceCounts,
    report: &'c mut VerifyReport,
    /// Contests whose places do not follow the scores.
    score_mismatches: u64,
}

impl ContestJoin<'_> {
    fn verify(
        mut self,
        tables: DatasetTables<'_>,
        watch: &dyn ExportProgress,
    ) -> Result<(), Error> {
        let rows_before = self.report.rows;
        let mut previous: Option<ContestSortKey> = None;
        while self.contests.has_row() {
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let contest = self.verify_contest(previous.as_ref());
            self.verify_standings(&contest)?;
            self.contests.advance()?;
            previous = Some(contest);
            watch.advance(rows_before + self.standings.row_number());
        }
        self.finish(tables)
    }

    fn verify_contest(&mut self, previous: Option<&ContestSortKey>) -> ContestSortKey {
        columns!(TableId::Contest =>
            source, contest, event, ordinal, ends_at, entrants, starts_at, state, weight);
        let rows = &self.contests;
        let row = rows.row_number();
        let sort_key = ContestSortKey {
            source: rows.text(source).to_owned(),
            key: rows.text(contest).to_owned(),
            event: rows.text(event).to_owned(),
            ordinal: rows.integer(ordinal),
            ends_at: rows.integer(ends_at),
            entrants: rows.integer(entrants),
        };
        let mut problem = |text: &str| {
            self.report.add_problem(format!(
                "contest, row {row} ({} {:?}): {text}",
                sort_key.source, sort_key.key
            ));
        };
        if SourceName::new(&sort_key.source).is_err() || sort_key.key.is_empty() {
            problem("it has no source or no key");
        }
        if previous.is_some_and(|previous| previous.compare(&sort_key) != Ordering::Less) {
            problem("it is a duplicate or out of order");
        }
        let start = rows.integer(starts_at);
        if start.is_some() && start > sort_key.ends_at {
            problem("it ends before it starts");
        }
        if ResultState::from_word(rows.text(state)).is_none() {
            problem("its state is not provisional, final or unrated");
        }
        let factor = rows.number(weight);
        if factor.is_none_or(|factor| !(1e-6..=1e6).contains(&factor)) {
            problem("its weight lies outside 0.000001 to 1000000");
        }
        sort_key
    }

    fn verify_standings(&mut self, contest: &ContestSortKey) -> Result<(), Error> {
        let ContestSortKey { source, key, .. } = contest;
        let mut progress = StandingsProgress::default();
        while self.standings.starts_with(&[source, key]) {
            let team = self.verify_standing(contest, &mut progress);
            self.standings.advance()?;
            if let Some((kind, team)) = team {
                self.verify_members(contest, &kind, &team)?;
            }
        }
        let count = progress.count;
        if contest.entrants != Some(count) {
            let entrants = contest.entrants.unwrap_or_default();
            self.report.add_problem(format!(
                "contest {source} {key:?} has {count} standings, but lists {entrants} entrants"
            ));
        }
        let counts = self.counts.entry(source);
        counts.contests += 1;
        counts.standings += count.unsigned_abs();
        self.score_mismatches += u64::from(!places_follow_scores(&progress.scores));
        Ok(())
    }

    /// Verifies the current standing. Returns the kind and the key of a team or couple.
    fn verify_standing(
        &mut self,
        contest: &ContestSortKey,
        progress: &mut StandingsProgress,
    ) -> Option<(String, String)> {
        columns!(TableId::Standing => kind, competitor, place, status, score, side);
        let rows = &self.standings;
        let row = rows.row_number();
        let kind_word = rows.text(kind);
        let entrant = rows.text(competitor);
        let mut problem = |text: &str| {
            self.report.add_problem(format!(
                "standing, row {row} ({} {:?}, {entrant:?}): {text}",
                contest.source, contest.key
            ));
        };
        progress.count += 1;
        let id = hash_competitor(&contest.source, kind_word, entrant);
        if !self.competitors.contains(&id) {
            problem("its competitor is missing from the table competitor");
        }
        if !progress.competitors.insert(id) {
            problem("it is a duplicate");
        }
        let entrant_place = rows.integer(place);
        if let Err(text) = progress.verify_place(entrant_place, rows.text(status)) {
            problem(&text);
        }
        let side_word = rows.text(side);
        if !side_word.is_empty() && Side::from_word(side_word).is_none() {
            problem(&format!("its side {side_word:?} is unknown"));
        }
        let place_or_last = entrant_place.unwrap_or(i64::MAX);
        let previous = &mut progress.previous;
        if previous.compare_and_advance(place_or_last, entrant, kind_word) == Ordering::Greater {
            problem("it is out of order");
        }
        if let (Some(place), Some(score)) = (entrant_place, rows.number(score)) {
            progress.scores.push((place, score));
        }
        (kind_word != "person").then(|| (kind_word.to_owned(), entrant.to_owned()))
    }

    fn verify_members(
        &mut self,
        contest: &ContestSortKey,
        kind: &str,
        team: &str,
    ) -> Result<(), Error> {
        columns!(TableId::Member => ordinal, person);
        let mut count = 0;
        let key = [&contest.source, &contest.key, kind, team];
        while self.members.starts_with(&key) {
            let rows = &self.members;
            let row = rows.row_number();
            count += 1;
            let person_key = rows.text(person);
            if rows.integer(ordinal) != Some(count) {
                self.report.add_problem(format!("member, row {row}: ordinal must be {count}"));
            }
            let id = hash_competitor(&contest.source, "person", person_key);
            if !self.competitors.contains(&id) {
                self.report.add_problem(format!(
                    "member, row {row}: person {person_key:?} is missing from the table competitor"
                ));
            }
            self.members.advance()?;
        }
        Ok(())
    }

    fn finish(self, tables: DatasetTables<'_>) -> Result<(), Error> {
        let report = self.report;
        self.counts.verify_manifest(tables.manifest, report);
        for mut rows in [self.contests, self.standings, self.members] {
            report_unmatched_rows(&mut rows, report)?;
            verify_totals(tables, &rows, report);
        }
        if self.score_mismatches > 0 {
            report.remarks.push(format!(
                "in {} contests places do not follow scores: they may depend on penalties or other \
                 criteria",
                self.score_mismatches
            ));
        }
        Ok(())
    }
}

/// The standings of a contest up to the current one.
#[derive(Default)]
struct StandingsProgress {
    count: i64,
    /// The last place that was correct, which the next standing may share.
    last_place: Option<i64>,
    previous: PreviousRow,
    /// The places with scores.
    scores: Vec<(i64, f64)>,
    competitors: CompetitorSet,
}

impl StandingsProgress {
    /// Verifies place and status of the standing that is counted last.
    fn verify_place(&mut self, place: Option<i64>, status: &str) -> Result<(), String> {
        let count = self.count;
        match (place, status, self.last_place) {
            // Entrants who share a place rank below everyone above the first of them.
            (Some(place), "", tie) if place == count || tie == Some(place) => {
                self.last_place = Some(place);
                Ok(())
            }
            (Some(place), "", None) => Err(format!("its place is {place}, but must be {count}")),
            (Some(place), "", Some(tie)) => {
                Err(format!("its place is {place}, but must be {count}, or {tie} for a tie"))
            }
            (None, "dnf" | "dq", _) => Ok(()),
            _ => Err("it must have either a place or a status of dnf or dq".to_owned()),
        }
    }
}

/// True if scores are monotonic over places (falling or rising) and equal within ties.
fn places_follow_scores(scores: &[(i64, f64)]) -> bool {
    let mut pairs = scores.windows(2).map(|pair| (pair[0], pair[1]));
    let falls = pairs.clone().all(|(above, below)| above.1 >= below.1);
    let rises = pairs.clone().all(|(above, below)| above.1 <= below.1);
    let ties =
        pairs.all(|(above, below)| above.0 != below.0 || above.1.total_cmp(&below.1).is_eq());
    (falls || rises) && ties
}
