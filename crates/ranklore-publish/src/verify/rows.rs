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
    checked: &mut VerifyReport,
    watch: &dyn ExportProgress,
) -> Result<(), Error> {
    let mut counts = SourceCounts::default();
    let competitors = verify_competitors(tables, &mut counts, checked)?;
    let runs = verify_runs(tables, checked)?;
    // Ratings need the contests and competitors only, so they run on their own thread.
    let (outcome, ratings) = std::thread::scope(|scope| {
        let ratings = scope.spawn(|| ratings::verify(tables, (&competitors, runs), watch));
        let outcome = || {
            let join = ContestJoin {
                contests: tables.open(TableId::Contest)?,
                standings: tables.open(TableId::Standing)?,
                members: tables.open(TableId::Member)?,
                competitors: &competitors,
                counts,
                checked: &mut *checked,
                score_mismatches: 0,
            };
            join.verify(tables, watch)
        };
        (outcome(), ratings.join())
    });
    let ratings = ratings.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    outcome?;
    checked.append(ratings?);
    Ok(())
}

fn verify_competitors(
    tables: DatasetTables<'_>,
    counts: &mut SourceCounts,
    checked: &mut VerifyReport,
) -> Result<CompetitorSet, Error> {
    columns!(TableId::Competitor =>
        source, kind, competitor, start_mu, start_sigma, merged_into);
    let mut rows = tables.open(TableId::Competitor)?;
    let mut there = CompetitorSet::default();
    let mut merged = Vec::new();
    let mut previous = (String::new(), String::new(), String::new());
    while rows.has_row() {
        let at = rows.row_number();
        let (of, kind, key) = (rows.text(source), rows.text(kind), rows.text(competitor));
        let this = (of.to_owned(), key.to_owned(), kind.to_owned());
        if EntrantKind::from_word(kind).is_none() {
            checked.add_problem(format!(
                "competitor, row {at}: {kind:?} is no kind: use person, team or couple"
            ));
        }
        if at > 1 && this <= previous {
            checked.add_problem(format!(
                "competitor, row {at}: {key:?} is a duplicate or out of order"
            ));
        }
        there.insert(hash_competitor(of, kind, key));
        counts.entry(of).competitors += 1;
        let into = rows.text(merged_into);
        if !into.is_empty() {
            merged.push((at, hash_competitor(of, kind, into)));
        }
        let alone = rows.number(start_mu).is_none() && rows.number(start_sigma).is_some();
        if alone || rows.number(start_sigma).is_some_and(|sigma| sigma <= 0.0) {
            checked.add_problem(format!(
                "competitor, row {at}: start_sigma needs start_mu and must be above 0"
            ));
        }
        previous = this;
        rows.advance()?;
    }
    for (at, into) in merged {
        if !there.contains(&into) {
            checked.add_problem(format!(
                "competitor, row {at}: merged_into names no competitor of the table"
            ));
        }
    }
    verify_totals(tables, &rows, checked);
    Ok(there)
}

/// Verifies the runs and returns their number.
fn verify_runs(tables: DatasetTables<'_>, checked: &mut VerifyReport) -> Result<i64, Error> {
    columns!(TableId::RatingRun => run, parameters, selection);
    let mut rows = tables.open(TableId::RatingRun)?;
    let mut count = 0;
    while rows.has_row() {
        count += 1;
        let at = rows.row_number();
        if rows.integer(run) != Some(count) {
            checked.add_problem(format!("rating_run, row {at}: run must be {count}"));
        }
        for column in [parameters, selection] {
            if serde_json::from_str::<serde_json::Value>(rows.text(column)).is_err() {
                checked.add_problem(format!(
                    "rating_run, row {at}: parameters or selection are no JSON"
                ));
            }
        }
        rows.advance()?;
    }
    verify_totals(tables, &rows, checked);
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
        (self.source.cmp(&other.source))
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
    checked: &'c mut VerifyReport,
    /// Contests whose places do not follow the scores.
    score_mismatches: u64,
}

impl ContestJoin<'_> {
    fn verify(
        mut self,
        tables: DatasetTables<'_>,
        watch: &dyn ExportProgress,
    ) -> Result<(), Error> {
        let before = self.checked.rows;
        let mut previous: Option<ContestSortKey> = None;
        while self.contests.has_row() {
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let contest = self.verify_contest(previous.as_ref());
            self.verify_standings(&contest)?;
            self.contests.advance()?;
            previous = Some(contest);
            watch.advance(before + self.standings.row_number());
        }
        self.finish(tables)
    }

    fn verify_contest(&mut self, previous: Option<&ContestSortKey>) -> ContestSortKey {
        columns!(TableId::Contest =>
            source, contest, event, ordinal, ends_at, entrants, starts_at, state, weight);
        let rows = &self.contests;
        let at = rows.row_number();
        let contest = ContestSortKey {
            source: rows.text(source).to_owned(),
            key: rows.text(contest).to_owned(),
            event: rows.text(event).to_owned(),
            ordinal: rows.integer(ordinal),
            ends_at: rows.integer(ends_at),
            entrants: rows.integer(entrants),
        };
        let mut problem = |what: &str| {
            let (source, key) = (&contest.source, &contest.key);
            (self.checked).add_problem(format!("contest, row {at} ({source} {key:?}): {what}"));
        };
        if SourceName::new(&contest.source).is_err() || contest.key.is_empty() {
            problem("it has no source or no key");
        }
        if previous.is_some_and(|previous| previous.compare(&contest) != Ordering::Less) {
            problem("it is a duplicate or out of order");
        }
        if rows
            .integer(starts_at)
            .is_some_and(|start| Some(start) > contest.ends_at)
        {
            problem("it ends before it starts");
        }
        if ResultState::from_word(rows.text(state)).is_none() {
            problem("its state is not provisional, final or unrated");
        }
        if rows
            .number(weight)
            .is_none_or(|weight| !(1e-6..=1e6).contains(&weight))
        {
            problem("its weight lies outside 0.000001 to 1000000");
        }
        contest
    }

    fn verify_standings(&mut self, contest: &ContestSortKey) -> Result<(), Error> {
        columns!(TableId::Standing => kind, competitor, place, status, score, side);
        let mut count = 0;
        let mut tie = None;
        let mut before = PreviousRow::default();
        let mut scores: Vec<(i64, f64)> = Vec::new();
        let mut seen = CompetitorSet::default();
        while (self.standings).starts_with(&[&contest.source, &contest.key]) {
            let rows = &self.standings;
            let at = rows.row_number();
            let (kind, competitor) = (rows.text(kind), rows.text(competitor));
            let mut problem = |what: &str| {
                let (source, key) = (&contest.source, &contest.key);
                (self.checked).add_problem(format!(
                    "standing, row {at} ({source} {key:?}, {competitor:?}): {what}"
                ));
            };
            count += 1;
            let id = hash_competitor(&contest.source, kind, competitor);
            if !self.competitors.contains(&id) {
                problem("its competitor is missing from the table competitor");
            }
            if !seen.insert(id) {
                problem("it is a duplicate");
            }
            let at_place = rows.integer(place);
            match (at_place, rows.text(status)) {
                // Entrants who share a place rank below everyone above the first of them.
                (Some(at), "") if Some(at) == tie || at == count => tie = Some(at),
                (Some(at), "") => problem(&match tie {
                    None => format!("its place is {at}, but must be {count}"),
                    Some(tie) => {
                        format!("its place is {at}, but must be {count}, or {tie} for a tie")
                    }
                }),
                (None, "dnf" | "dq") => {}
                _ => problem("it must have either a place or a status of dnf or dq"),
            }
            let side = rows.text(side);
            if !side.is_empty() && Side::from_word(side).is_none() {
                problem(&format!("its side {side:?} is unknown"));
            }
            let order = before.compare_and_advance(at_place.unwrap_or(i64::MAX), competitor, kind);
            if order == Ordering::Greater {
                problem("it is out of order");
            }
            if let (Some(place), Some(score)) = (at_place, rows.number(score)) {
                scores.push((place, score));
            }
            let team = (kind != "person").then(|| (kind.to_owned(), competitor.to_owned()));
            self.standings.advance()?;
            if let Some((kind, competitor)) = team {
                self.verify_members(contest, &kind, &competitor)?;
            }
        }
        if contest.entrants != Some(count) {
            self.checked.add_problem(format!(
                "contest {} {:?} has {count} standings, but lists {} entrants",
                contest.source,
                contest.key,
                contest.entrants.unwrap_or_default()
            ));
        }
        let counts = self.counts.entry(&contest.source);
        counts.contests += 1;
        counts.standings += count.unsigned_abs();
        self.score_mismatches += u64::from(!places_follow_scores(&scores));
        Ok(())
    }

    fn verify_members(
        &mut self,
        contest: &ContestSortKey,
        kind: &str,
        team: &str,
    ) -> Result<(), Error> {
        columns!(TableId::Member => ordinal, person);
        let mut count = 0;
        while (self.members).starts_with(&[&contest.source, &contest.key, kind, team]) {
            let rows = &self.members;
            count += 1;
            let person = rows.text(person);
            if rows.integer(ordinal) != Some(count) {
                let at = rows.row_number();
                self.checked
                    .add_problem(format!("member, row {at}: ordinal must be {count}"));
            }
            if !(self.competitors).contains(&hash_competitor(&contest.source, "person", person)) {
                self.checked.add_problem(format!(
                    "member, row {}: person {person:?} is missing from the table competitor",
                    rows.row_number()
                ));
            }
            self.members.advance()?;
        }
        Ok(())
    }

    fn finish(self, tables: DatasetTables<'_>) -> Result<(), Error> {
        let checked = self.checked;
        self.counts.verify_manifest(tables.manifest, checked);
        for mut rows in [self.contests, self.standings, self.members] {
            report_unmatched_rows(&mut rows, checked)?;
            verify_totals(tables, &rows, checked);
        }
        if self.score_mismatches > 0 {
            checked.remarks.push(format!(
                "in {} contests places do not follow scores: they may depend on penalties or other \
                 criteria",
                self.score_mismatches
            ));
        }
        Ok(())
    }
}

/// True if scores are monotonic over places (falling or rising) and equal within ties.
fn places_follow_scores(scores: &[(i64, f64)]) -> bool {
    let pairs = || scores.windows(2).map(|pair| (pair[0], pair[1]));
    let falls = pairs().all(|(above, below)| above.1 >= below.1);
    let rises = pairs().all(|(above, below)| above.1 <= below.1);
    let ties =
        pairs().all(|(above, below)| above.0 != below.0 || above.1.total_cmp(&below.1).is_eq());
    (falls || rises) && ties
}
