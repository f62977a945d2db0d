//! Verification of all rows: keys, references, counts, places, ties, times and sort order.

use std::cmp::Ordering;
use std::path::Path;

use ranklore_store::compare_external_ids;

use super::before::Before;
use super::sources::Counts;
use super::who::{Whos, who};
use super::{Checked, held_against, pass_rest, ratings};
use crate::describe::{Format, Manifest};
use crate::dictionary::TableId;
use crate::error::Error;
use crate::read::{Cursor, column};
use crate::watch::Watch;

pub(super) fn check(
    folder: &Path,
    manifest: &Manifest,
    format: Format,
    checked: &mut Checked,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let open = |table| Cursor::open(folder, manifest, format, table);
    let mut counts = Counts::default();
    let competitors = competitors(
        open(TableId::Competitor)?,
        manifest,
        format,
        &mut counts,
        checked,
    )?;
    let runs = runs(open(TableId::RatingRun)?, manifest, format, checked)?;
    // Ratings need the contests and competitors only, so they run on their own thread.
    let (outcome, ratings) = std::thread::scope(|scope| {
        let ratings =
            scope.spawn(|| ratings::check(folder, manifest, format, (&competitors, runs), watch));
        let outcome = || {
            let join = Join {
                contests: open(TableId::Contest)?,
                standings: open(TableId::Standing)?,
                members: open(TableId::Member)?,
                competitors: &competitors,
                counts,
                checked: &mut *checked,
                scores_differ: 0,
            };
            join.check(manifest, format, watch)
        };
        (outcome(), ratings.join())
    });
    let ratings = ratings.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    outcome?;
    checked.append(ratings?);
    Ok(())
}

fn competitors(
    mut rows: Cursor,
    manifest: &Manifest,
    format: Format,
    counts: &mut Counts,
    checked: &mut Checked,
) -> Result<Whos, Error> {
    const TABLE: TableId = TableId::Competitor;
    let [source, kind, key, mu, sigma, into] = const {
        column(
            TABLE,
            [
                "source",
                "kind",
                "competitor",
                "start_mu",
                "start_sigma",
                "merged_into",
            ],
        )
    };
    let mut there = Whos::default();
    let mut merged = Vec::new();
    let mut previous = (String::new(), String::new(), String::new());
    while rows.is_there() {
        let at = rows.number();
        let (of, kind, key) = (rows.text(source), rows.text(kind), rows.text(key));
        let this = (of.to_owned(), key.to_owned(), kind.to_owned());
        if !matches!(kind, "person" | "team" | "couple") {
            checked.problem(format!(
                "competitor, row {at}: {kind:?} is no kind: use person, team or couple"
            ));
        }
        if at > 1 && this <= previous {
            checked.problem(format!(
                "competitor, row {at}: {key:?} is a duplicate or out of order"
            ));
        }
        there.insert(who(of, kind, key));
        counts.of(of).competitors += 1;
        let into = rows.text(into);
        if !into.is_empty() {
            merged.push((at, who(of, kind, into)));
        }
        let alone = rows.number_in(mu).is_none() && rows.number_in(sigma).is_some();
        if alone || rows.number_in(sigma).is_some_and(|sigma| sigma <= 0.0) {
            checked.problem(format!(
                "competitor, row {at}: start_sigma needs start_mu and must be above 0"
            ));
        }
        previous = this;
        rows.advance()?;
    }
    for (at, into) in merged {
        if !there.contains(&into) {
            checked.problem(format!(
                "competitor, row {at}: merged_into names no competitor of the table"
            ));
        }
    }
    held_against(manifest, format, &rows, checked);
    Ok(there)
}

/// Verifies the runs and returns their number.
fn runs(
    mut rows: Cursor,
    manifest: &Manifest,
    format: Format,
    checked: &mut Checked,
) -> Result<i64, Error> {
    let [run, parameters, selection] =
        const { column(TableId::RatingRun, ["run", "parameters", "selection"]) };
    let mut count = 0;
    while rows.is_there() {
        count += 1;
        let at = rows.number();
        if rows.integer(run) != Some(count) {
            checked.problem(format!("rating_run, row {at}: run must be {count}"));
        }
        for column in [parameters, selection] {
            if serde_json::from_str::<serde_json::Value>(rows.text(column)).is_err() {
                checked.problem(format!(
                    "rating_run, row {at}: parameters or selection are no JSON"
                ));
            }
        }
        rows.advance()?;
    }
    held_against(manifest, format, &rows, checked);
    Ok(count)
}

/// Sort key of a contest, compared with that of the next one.
struct Contest {
    source: String,
    key: String,
    event: String,
    ordinal: Option<i64>,
    ends_at: Option<i64>,
    entrants: Option<i64>,
}

impl Contest {
    fn order(&self, other: &Self) -> Ordering {
        let by = |of: &Self| {
            let event = (!of.event.is_empty()).then(|| of.event.clone());
            (of.source.clone(), of.ends_at, event, of.ordinal)
        };
        by(self)
            .cmp(&by(other))
            .then_with(|| compare_external_ids(&self.key, &other.key))
    }
}

/// Merge join of contests, standings and members; all tables have the same sort order.
struct Join<'c> {
    contests: Cursor,
    standings: Cursor,
    members: Cursor,
    competitors: &'c Whos,
    counts: Counts,
    checked: &'c mut Checked,
    /// Contests whose places do not follow the scores.
    scores_differ: u64,
}

impl Join<'_> {
    fn check(
        mut self,
        manifest: &Manifest,
        format: Format,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let before = self.checked.rows;
        let mut previous: Option<Contest> = None;
        while self.contests.is_there() {
            if watch.interrupted() {
                return Err(Error::Interrupted);
            }
            let contest = self.contest(previous.as_ref());
            self.standings_of(&contest)?;
            self.contests.advance()?;
            previous = Some(contest);
            watch.advanced(before + self.standings.number());
        }
        self.finish(manifest, format)
    }

    fn contest(&mut self, previous: Option<&Contest>) -> Contest {
        const COLUMNS: [usize; 9] = column(
            TableId::Contest,
            [
                "source",
                "contest",
                "event",
                "ordinal",
                "ends_at",
                "entrants",
                "starts_at",
                "state",
                "weight",
            ],
        );
        let [
            source,
            key,
            event,
            ordinal,
            ends_at,
            entrants,
            starts_at,
            state,
            weight,
        ] = COLUMNS;
        let rows = &self.contests;
        let at = rows.number();
        let contest = Contest {
            source: rows.text(source).to_owned(),
            key: rows.text(key).to_owned(),
            event: rows.text(event).to_owned(),
            ordinal: rows.integer(ordinal),
            ends_at: rows.integer(ends_at),
            entrants: rows.integer(entrants),
        };
        let mut problem = |what: &str| {
            let (source, key) = (&contest.source, &contest.key);
            (self.checked).problem(format!("contest, row {at} ({source} {key:?}): {what}"));
        };
        if ranklore_contest::SourceName::new(&contest.source).is_err() || contest.key.is_empty() {
            problem("it has no source or no key");
        }
        if previous.is_some_and(|previous| previous.order(&contest) != Ordering::Less) {
            problem("it is a duplicate or out of order");
        }
        if rows
            .integer(starts_at)
            .is_some_and(|start| Some(start) > contest.ends_at)
        {
            problem("it ends before it starts");
        }
        if !matches!(rows.text(state), "provisional" | "final" | "unrated") {
            problem("its state is not provisional, final or unrated");
        }
        if rows
            .number_in(weight)
            .is_none_or(|weight| !(1e-6..=1e6).contains(&weight))
        {
            problem("its weight lies outside 0.000001 to 1000000");
        }
        contest
    }

    fn standings_of(&mut self, contest: &Contest) -> Result<(), Error> {
        const COLUMNS: [usize; 7] = column(
            TableId::Standing,
            [
                "source",
                "contest",
                "kind",
                "competitor",
                "place",
                "status",
                "score",
            ],
        );
        let [source, key, kind, competitor, place, status, score] = COLUMNS;
        let mut count = 0;
        let mut tie = None;
        let mut before = Before::default();
        let mut scores: Vec<(i64, f64)> = Vec::new();
        let mut seen = Whos::default();
        while self.standings.is_there()
            && self.standings.text(source) == contest.source
            && self.standings.text(key) == contest.key
        {
            let rows = &self.standings;
            let at = rows.number();
            let (kind, competitor) = (rows.text(kind), rows.text(competitor));
            let mut problem = |what: &str| {
                let (source, key) = (&contest.source, &contest.key);
                (self.checked).problem(format!(
                    "standing, row {at} ({source} {key:?}, {competitor:?}): {what}"
                ));
            };
            count += 1;
            let id = who(&contest.source, kind, competitor);
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
            let order = before.then(at_place.unwrap_or(i64::MAX), competitor, kind);
            if order == Ordering::Greater {
                problem("it is out of order");
            }
            if let (Some(place), Some(score)) = (at_place, rows.number_in(score)) {
                scores.push((place, score));
            }
            let team = (kind != "person").then(|| (kind.to_owned(), competitor.to_owned()));
            self.standings.advance()?;
            if let Some((kind, competitor)) = team {
                self.members_of(contest, &kind, &competitor)?;
            }
        }
        if contest.entrants != Some(count) {
            self.checked.problem(format!(
                "contest {} {:?} has {count} standings, but lists {} entrants",
                contest.source,
                contest.key,
                contest.entrants.unwrap_or_default()
            ));
        }
        let counts = self.counts.of(&contest.source);
        counts.contests += 1;
        counts.standings += count.unsigned_abs();
        self.scores_differ += u64::from(!follow(&scores));
        Ok(())
    }

    fn members_of(&mut self, contest: &Contest, kind: &str, team: &str) -> Result<(), Error> {
        const COLUMNS: [usize; 6] = column(
            TableId::Member,
            [
                "source",
                "contest",
                "kind",
                "competitor",
                "ordinal",
                "person",
            ],
        );
        let [source, key, of_kind, of, ordinal, person] = COLUMNS;
        let mut count = 0;
        while self.members.is_there()
            && self.members.text(source) == contest.source
            && self.members.text(key) == contest.key
            && self.members.text(of_kind) == kind
            && self.members.text(of) == team
        {
            let rows = &self.members;
            count += 1;
            let person = rows.text(person);
            if rows.integer(ordinal) != Some(count) {
                let at = rows.number();
                self.checked
                    .problem(format!("member, row {at}: ordinal must be {count}"));
            }
            if !(self.competitors).contains(&who(&contest.source, "person", person)) {
                self.checked.problem(format!(
                    "member, row {}: person {person:?} is missing from the table competitor",
                    rows.number()
                ));
            }
            self.members.advance()?;
        }
        Ok(())
    }

    fn finish(self, manifest: &Manifest, format: Format) -> Result<(), Error> {
        let checked = self.checked;
        self.counts.held_against(manifest, checked);
        for mut rows in [self.contests, self.standings, self.members] {
            pass_rest(&mut rows, checked)?;
            held_against(manifest, format, &rows, checked);
        }
        if self.scores_differ > 0 {
            checked.remarks.push(format!(
                "in {} contests places do not follow scores: they may depend on penalties or other \
                 criteria",
                self.scores_differ
            ));
        }
        Ok(())
    }
}

/// True if scores are monotonic over places (falling or rising) and equal within ties.
fn follow(scores: &[(i64, f64)]) -> bool {
    let pairs = || scores.windows(2).map(|pair| (pair[0], pair[1]));
    let falls = pairs().all(|(above, below)| above.1 >= below.1);
    let rises = pairs().all(|(above, below)| above.1 <= below.1);
    let ties =
        pairs().all(|(above, below)| above.0 != below.0 || above.1.total_cmp(&below.1).is_eq());
    (falls || rises) && ties
}
