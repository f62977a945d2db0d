//! Turns groups of rows of a long table into contests.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::dating::{ContestTimes, date_contests, file_stem};
use super::doubts::{ScoreDoubts, check_groups, describe_doubt};
use super::rows::{ContestRowGroup, LongRow, RowGroup, with_member_rows};
use super::separation::UnreadColumns;
use crate::layouts::dated_names::DatedNameCollector;
use crate::layouts::published_ratings::PublishedRatingCollector;
use crate::layouts::standings::{
    Problems, RowMark, RowResult as Row, find_duplicates, parse_weight, rank_entrants,
    renumbered_note, stand_best_first,
};
use crate::reading::{Candidates, RefusedEntries, RefusedEntry};
use crate::schema::long::LongSource;
use crate::values::cells::CellStatus;
use crate::values::numbers::NumberStyle;
use crate::values::rankings::is_ranking;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{
    Contest, ContestTime, EntrantKind, Quoted, compare_naturally, id_from_name,
};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Builds contests from groups of rows, and notes the decisions.
pub(super) struct ContestBuilder<'t> {
    source: LongSource<'t>,
    weight_style: NumberStyle,
    notes: Vec<String>,
}

/// A contest, and true if its places were renumbered.
type RankedContest = (Contest, bool);

impl<'t> ContestBuilder<'t> {
    /// `notes` are those of the reader of the rows.
    pub(super) fn new(source: LongSource<'t>, notes: Vec<String>) -> Self {
        Self {
            source,
            weight_style: source.table.number_style(source.columns.weight),
            notes,
        }
    }

    /// Returns the contests of the groups, and the notes; `ratings` collects those of the contests.
    /// `refused` are the rows without a contest.
    pub(super) fn build(
        mut self,
        groups: Vec<RowGroup<'t>>,
        refused: RefusedEntries,
        ratings: &mut PublishedRatingCollector,
    ) -> Result<(Candidates, Vec<String>), FileReadError> {
        let LongSource { table, columns, .. } = self.source;
        check_groups(&groups, table, columns)?;
        let contests = self.split_groups(groups);
        let ContestTimes { times, numbered } =
            date_contests(&contests, self.source, &mut self.notes)?;
        let divisions = sort_divisions(&contests);
        let shared_times = columns.contest.map(|_| find_shared_times(&times)).unwrap_or_default();
        let unread = UnreadColumns::find(self.source);
        let mut renumbered = Vec::new();
        let mut score_doubts = ScoreDoubts::default();
        let mut people = DatedNameCollector::default();
        let mut candidates = Candidates::new(refused, numbered);
        candidates.best_first = true;
        for (mut rows, time) in contests.into_iter().zip(times) {
            let at = table.grid.row_location(rows.row);
            let ends_at = time.unwrap_or_else(|reason| {
                // Errors in date cells are reported already.
                if rows.group.problems.is_empty() {
                    rows.group.problems.push(at.clone(), reason);
                }
                ContestTime::MIN
            });
            let division_names = divisions.get(&rows.event_key()).map_or(&[][..], Vec::as_slice);
            let has_divisions = division_names.iter().any(|name| !name.is_empty());
            if let Some(reason) = describe_doubt(&rows.group, has_divisions, &unread) {
                rows.group.problems.push(at.clone(), reason);
            }
            let ordinal = division_names
                .partition_point(|name| compare_naturally(name, rows.group.division).is_lt());
            score_doubts.add(&rows);
            candidates.best_first &= stand_best_first(rows.marks(), columns.lower_is_better);
            let people_rows = self.find_participants(&rows);
            match self.build_contest(rows, ends_at, ordinal as i64 + 1) {
                Ok((mut contest, is_renumbered)) => {
                    if shared_times.contains(&ends_at) {
                        contest.ordinal = contest.ordinal.or_else(|| contest.name.parse().ok());
                    }
                    ratings.add_rows(table, &columns.names, &people_rows, &contest);
                    people.add_rows(table, &columns.names, people_rows, ends_at);
                    candidates.add_contest(at, &contest);
                    if is_renumbered {
                        renumbered.push(contest.name);
                    }
                }
                Err(refused) => candidates.refused.push(refused),
            }
        }
        candidates.dated_names = people.finish();
        self.notes.extend(renumbered_note(&renumbered));
        self.notes.extend(score_doubts.note(table, columns));
        Ok((candidates, self.notes))
    }

    /// Returns the contests of the groups.
    fn split_groups(&mut self, groups: Vec<RowGroup<'t>>) -> Vec<ContestRowGroup<'t>> {
        let mut contests = Vec::with_capacity(groups.len());
        for group in groups {
            self.split_by_date(group, &mut contests);
        }
        self.drop_unattended(&mut contests);
        contests
    }

    /// Leaves out contests in which all competitors are absent, if the user says by which words.
    fn drop_unattended(&mut self, contests: &mut Vec<ContestRowGroup<'_>>) {
        let mut statuses = self.source.options.statuses.values();
        if !statuses.any(|&status| status == CellStatus::DidNotStart) {
            return;
        }
        let count = contests.len();
        contests.retain(|ContestRowGroup { group, .. }| {
            !group.problems.is_empty() || group.rows.iter().any(|line| line.result.is_some())
        });
        if contests.len() < count {
            let dropped = count - contests.len();
            self.notes
                .push(format!("contests in which nobody took part left out: {dropped}"));
        }
    }

    /// Returns the rows of a contest with names: each may have one of its own, also if a team joins
    /// several rows.
    fn find_participants(&self, contest: &ContestRowGroup<'_>) -> Vec<usize> {
        let LongSource { table, columns, .. } = self.source;
        let participants = contest.group.rows.iter().filter(|line| line.result.is_some());
        participants
            .flat_map(|line| with_member_rows(table, columns, line.row))
            .collect()
    }

    /// Splits a group into contests by date. A recurring name such as "Friday Cup" is several
    /// contests if the rows of each date form a complete result and competitors recur, a number such as
    /// that of a race if they are a ranking. Otherwise a different date is reported as a mistake.
    fn split_by_date(&mut self, mut group: RowGroup<'t>, contests: &mut Vec<ContestRowGroup<'t>>) {
        let dates = find_dates(&group.rows);
        let date = dates.first().map(|&(date, _)| date);
        let name = self.name_contest(&group, date);
        if let [(first, first_row), (second, second_row), ..] = dates[..] {
            // An id says that all its rows are one contest.
            if group.id.is_empty()
                && group.problems.is_empty()
                && (self.numbers_games(&group) || dates_are_separate_contests(&group, &dates))
            {
                self.notes.push(format!(
                    "{name} is read as {} contests, one per date",
                    dates.len(),
                    name = Quoted(&name)
                ));
                contests.extend(separate_dates(group, &name, &dates));
                return;
            }
            let table = self.source.table;
            let by_date = self.separate_by_date(&group);
            let otherwise = by_date
                .as_ref()
                .map(|option| format!(", or pass {option} if each date is a contest"));
            let reason = format!(
                "the date {second} differs from {first} on {}; if these are several contests, give each its own name or contest id{}",
                table.grid.row_location(first_row),
                otherwise.unwrap_or_default()
            );
            let reason = Reason::from(reason).naming(by_date);
            group.problems.push(table.grid.row_location(second_row), reason);
        }
        let header_row = self.source.table.header_row;
        contests.push(ContestRowGroup {
            row: group.rows.first().map_or(header_row, |line| line.row),
            date,
            group,
            name,
        });
    }

    /// True if a group is a number of a game of two, as the cells tell. Such numbers restart.
    fn numbers_games(&self, group: &RowGroup<'_>) -> bool {
        let LongSource { table, columns, .. } = self.source;
        columns.contest.is_some_and(|column| table.is_meant_by_cells(column))
            && group.name.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns the option that makes each date of a group a contest of its own.
    fn separate_by_date(&self, group: &RowGroup<'_>) -> Option<CommandOptions> {
        let LongSource { table, columns, .. } = self.source;
        if !group.id.is_empty() {
            let id = columns.id.filter(|_| columns.contest.is_none());
            return id.map(|id| table.column_option(id, ColumnMeaning::Contest));
        }
        let name = columns.contest?;
        let mut names: HashMap<&str, &str> = HashMap::new();
        let is_only = |row: usize| {
            let [date, name] = [columns.date, Some(name)].map(|column| table.cell(row, column));
            *names.entry(date).or_insert(name) == name
        };
        if table.data_rows().all(is_only) {
            return Some(table.ignore_option(name));
        }
        let is_free = columns.division.is_none() && columns.event.is_none();
        is_free.then(|| table.column_option(name, ColumnMeaning::Division))
    }

    /// Returns the name of the contest of a group: its own, or else the id, the name of the sheet,
    /// the date or the name of the file.
    fn name_contest(&self, group: &RowGroup<'_>, date: Option<ContestTime>) -> String {
        match (group.name, group.id, date) {
            ("", "", date) => match (&self.source.table.grid.contest_name, date) {
                (Some(name), _) => name.clone(),
                (None, Some(date)) => date.to_string(),
                (None, None) => file_stem(self.source.file_name).to_owned(),
            },
            ("", id, _) => id.to_owned(),
            (name, ..) => name.to_owned(),
        }
    }

    fn build_contest(
        &self,
        rows: ContestRowGroup<'t>,
        ends_at: ContestTime,
        ordinal: i64,
    ) -> Result<RankedContest, RefusedEntry> {
        let LongSource { table, columns, .. } = self.source;
        let ContestRowGroup { group, name, .. } = rows;
        let mut problems = group.problems;
        let lines: Vec<usize> = group.rows.iter().map(|line| line.row).collect();
        let mut agreed_cell =
            |column, heading| self.find_agreed_cell(&lines, column, heading, &mut problems);
        if !group.id.is_empty() {
            agreed_cell(columns.contest, "contest");
        }
        let event = agreed_cell(columns.event, "event").map(|(_, event)| event);
        let url = agreed_cell(columns.url, "url").map(|(_, url)| url);
        let weight_cell = agreed_cell(columns.weight, "weight");
        let ordinal_cell = agreed_cell(columns.ordinal, "ordinal");
        let weight = self.parse_agreed(columns.weight, weight_cell, &mut problems, |cell| {
            parse_weight(cell, self.weight_style)
        });
        let stated_ordinal =
            self.parse_agreed(columns.ordinal, ordinal_cell, &mut problems, |cell| {
                let ordinal = cell.parse::<i64>();
                ordinal.map_err(|_| format!("ordinal {} is not a whole number", Quoted(cell)))
            });
        let suffix = self.id_suffix(group.id, event, group.division);
        let external_id = match (group.id, url) {
            ("", None) => id_from_name(&format!("{name}{suffix}"), ends_at),
            ("", Some(url)) => format!("{url}{suffix}"),
            (id, _) => format!("{id}{suffix}"),
        };
        let mut results = self.join_teams(group.rows, &mut problems);
        name_anonymous(&mut results, &external_id);
        let location = |row| table.grid.row_location(row);
        find_duplicates(&results, table, &columns.names, location, &mut problems);
        if results.is_empty() && problems.is_empty() {
            problems.push(location(rows.row), "no competitor took part".to_owned());
        }
        if !problems.is_empty() {
            return Err(problems.into_refused_entry(&name));
        }
        let (entrants, is_renumbered) = rank_entrants(results, columns.lower_is_better);
        // Divisions of one event have the name of the contest in common.
        let has_divisions = columns.division.is_some();
        let mut contest = Contest::new(external_id, name, ends_at);
        contest.event =
            event.map(str::to_owned).or_else(|| has_divisions.then(|| contest.name.clone()));
        contest.division = (!group.division.is_empty()).then(|| group.division.to_owned());
        contest.ordinal = stated_ordinal.or(has_divisions.then_some(ordinal));
        contest.url = url.map(str::to_owned);
        contest.weight = weight.unwrap_or(1.0);
        contest.entrants = entrants;
        Ok((contest, is_renumbered))
    }

    /// Returns the end of an external id: what tells a contest apart from others of its name.
    fn id_suffix(&self, id: &str, event: Option<&str>, division: &str) -> String {
        let LongSource { table, columns, .. } = self.source;
        // Events that only a stated or found column tells apart have contests of the same name.
        let has_event_heading = columns.event.is_none_or(|column| {
            ColumnMeaning::from_heading(table.heading(column))
                .is_some_and(|(meaning, _)| meaning == ColumnMeaning::Event)
        });
        let mut suffix = String::new();
        if let Some(event) = event.filter(|_| id.is_empty() && !has_event_heading) {
            suffix.push('/');
            suffix.push_str(event);
        }
        if !division.is_empty() {
            suffix.push('/');
            suffix.push_str(division);
        }
        suffix
    }

    /// Returns the value that the rows of a contest have in a column, and the first row that has it.
    /// Empty cells are allowed, different values are a problem.
    fn find_agreed_cell(
        &self,
        rows: &[usize],
        column: Option<usize>,
        heading: &str,
        problems: &mut Problems,
    ) -> Option<(usize, &'t str)> {
        let grid = &self.source.table.grid;
        let column = column?;
        let mut filled = rows
            .iter()
            .map(|&row| (row, grid.cell(row, column)))
            .filter(|(_, cell)| !cell.is_empty());
        let (first_row, value) = filled.next()?;
        if let Some((row, cell)) = filled.find(|&(_, cell)| cell != value) {
            let reason = format!(
                "the {heading} {cell} differs from {value} on {}",
                grid.row_location(first_row),
                cell = Quoted(cell),
                value = Quoted(value)
            );
            problems.push(grid.location(row, column), reason);
            if matches!(heading, "url" | "ordinal" | "weight") {
                problems.advise(Some(&self.advise_differing(rows, column, heading)));
            }
        }
        Some((first_row, value))
    }

    /// Returns the advice for a column whose values differ within a contest. Numbers of which each has a
    /// first place and others are those of the contests of one day.
    fn advise_differing(&self, rows: &[usize], column: usize, heading: &str) -> Reason {
        let LongSource { table, columns, .. } = self.source;
        let have_rankings = || {
            let mut places: HashMap<&str, HashSet<&str>> = HashMap::new();
            for &row in rows {
                let number = table.grid.cell(row, column);
                places.entry(number).or_default().insert(table.cell(row, columns.place));
            }
            places.values().all(|places| places.len() > 1 && places.contains("1"))
        };
        let is_dated_only = columns.contest.is_none() && columns.id.is_none();
        let (option, condition) = if heading == "ordinal" && is_dated_only && have_rankings() {
            (
                table.column_option(column, ColumnMeaning::Contest),
                "each is a contest of its own".to_owned(),
            )
        } else {
            (table.ignore_option(column), format!("it is not the {heading} of the contest"))
        };
        Reason::from(format!("pass {option} if {condition}")).naming([option])
    }

    /// Parses the cell that [`Self::find_agreed_cell`] returns. An error is a problem.
    fn parse_agreed<T, E: Into<Reason>>(
        &self,
        column: Option<usize>,
        cell: Option<(usize, &str)>,
        problems: &mut Problems,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Option<T> {
        let (row, text) = cell?;
        let at = self.source.table.grid.location(row, column?);
        parse(text).map_err(|reason| problems.push(at, reason)).ok()
    }

    /// Joins the rows of a team with one member each into one result. Place, score and penalty must
    /// agree.
    fn join_teams(&self, rows: Vec<LongRow<'t>>, problems: &mut Problems) -> Vec<Row<'t>> {
        let LongSource { table, columns, .. } = self.source;
        let location = |row| table.grid.row_location(row);
        let mut results: Vec<Row<'_>> = Vec::with_capacity(rows.len());
        let mut teams: HashMap<Cow<'_, str>, usize> = HashMap::new();
        let mut members: HashSet<(usize, String)> = HashSet::new();
        for row in rows.into_iter().filter_map(|line| line.result) {
            // A row for the team as a whole is not a member, and one with all members is complete.
            if row.kind != EntrantKind::Team || row.members.len() != 1 {
                // A further row of the same result has a member without a name.
                let team = teams.get(&row.competitor).map(|&index| &results[index]);
                let is_unnamed = row.kind == EntrantKind::Team
                    && row.members.is_empty()
                    && table.grid.limits().reader.refuses_doubts()
                    && team.is_some_and(|team| have_same_result(team, &row));
                if !is_unnamed {
                    results.push(row);
                }
                continue;
            }
            let Some(&index) = teams.get(&row.competitor) else {
                teams.insert(row.competitor.clone(), results.len());
                members.insert((results.len(), row.members[0].clone()));
                results.push(row);
                continue;
            };
            let team = &mut results[index];
            if !have_same_result(team, &row) {
                let column = columns.names.team.unwrap_or_default();
                let ignore = table.ignore_option(column);
                let reason = format!(
                    "team {} has another place, score or status here than on {}; if {} is only an affiliation, pass {ignore}",
                    Quoted(&row.competitor),
                    location(team.row),
                    table.describe_column(column),
                );
                problems.push(location(row.row), Reason::from(reason).naming([ignore]));
            } else if !members.insert((index, row.members[0].clone())) {
                let reason = format!(
                    "{} stands twice in team {}, which begins on {}",
                    Quoted(&row.members[0]),
                    Quoted(&row.competitor),
                    location(team.row)
                );
                problems.push(location(row.row), reason);
            } else {
                team.members.extend(row.members);
            }
        }
        // The order of rows has no meaning.
        for index in teams.into_values() {
            results[index].members.sort_unstable_by(|a, b| compare_naturally(a, b));
        }
        results
    }
}

/// True if the place, score and penalty of two rows of a team agree.
fn have_same_result(team: &Row<'_>, row: &Row<'_>) -> bool {
    (team.mark, team.score, team.penalty) == (row.mark, row.score, row.penalty)
}

/// Gives the entrants without a name one that no other contest has.
fn name_anonymous(results: &mut [Row<'_>], contest: &str) {
    let unnamed = results.iter_mut().filter(|result| result.competitor.is_empty());
    for (number, result) in (1..).zip(unnamed) {
        result.competitor = format!("anonymous {number} of {contest}").into();
    }
}

/// Returns the dates of rows in order of appearance, each with its first row.
fn find_dates(rows: &[LongRow<'_>]) -> Vec<(ContestTime, usize)> {
    let mut known = HashSet::new();
    rows.iter()
        .filter_map(|line| Some((line.date?, line.row)))
        .filter(|(date, _)| known.insert(*date))
        .collect()
}

/// Returns the times of several contests: numbers as names order these.
fn find_shared_times<E>(times: &[Result<ContestTime, E>]) -> HashSet<ContestTime> {
    let mut known_times = HashSet::new();
    let times = times.iter().flatten();
    times.filter(|time| !known_times.insert(**time)).copied().collect()
}

/// Returns a contest for each date of a group.
fn separate_dates<'t>(
    group: RowGroup<'t>,
    name: &str,
    dates: &[(ContestTime, usize)],
) -> impl Iterator<Item = ContestRowGroup<'t>> {
    let mut rows: HashMap<ContestTime, Vec<LongRow<'_>>> = HashMap::new();
    for line in group.rows {
        if let Some(date) = line.date {
            rows.entry(date).or_default().push(line);
        }
    }
    dates.iter().map(move |&(date, row)| ContestRowGroup {
        group: RowGroup {
            rows: rows.remove(&date).unwrap_or_default(),
            problems: Problems::default(),
            ..group
        },
        name: name.to_owned(),
        date: Some(date),
        row,
    })
}

/// The results of one date among the rows of a name.
#[derive(Default)]
struct DateResults {
    count: usize,
    places: Vec<u32>,
    /// True if a competitor also occurs on another date.
    has_recurring: bool,
}

impl DateResults {
    fn has_first_place(&self) -> bool {
        self.places.contains(&1)
    }

    /// True if two competitors or more have the places of one ranking.
    fn are_ranking(&mut self) -> bool {
        self.places.sort_unstable();
        self.places.len() > 1 && is_ranking(self.places.iter().copied())
    }
}

/// True if each date has two or more results and a competitor who also occurs on another date, and
/// if all dates have a first place or none has, as in an extract or a table of scores; or if each date
/// has a ranking of two or more under a number.
fn dates_are_separate_contests(group: &RowGroup<'_>, dates: &[(ContestTime, usize)]) -> bool {
    let mut results_by_date: HashMap<ContestTime, DateResults> = HashMap::new();
    let mut first_dates: HashMap<&str, ContestTime> = HashMap::new();
    for line in &group.rows {
        let Some(date) = line.date else { return false };
        let Some(result) = line.result.as_ref().filter(|result| !result.competitor.is_empty())
        else {
            continue;
        };
        let first_date = *first_dates.entry(&*result.competitor).or_insert(date);
        let results = results_by_date.entry(date).or_default();
        results.count += 1;
        if let RowMark::Place(place) = result.mark {
            results.places.push(place);
        }
        if first_date != date {
            results.has_recurring = true;
            results_by_date.entry(first_date).or_default().has_recurring = true;
        }
    }
    if group.name.bytes().all(|byte| byte.is_ascii_digit())
        && results_by_date.len() == dates.len()
        && results_by_date.values_mut().all(DateResults::are_ranking)
    {
        return true;
    }
    let first_places = results_by_date.values().filter(|results| results.has_first_place()).count();
    let are_alike = first_places == 0 || first_places == dates.len();
    are_alike
        && dates.iter().all(|(date, _)| {
            let results = results_by_date.get(date);
            results.is_some_and(|results| results.count > 1 && results.has_recurring)
        })
}

/// Returns the divisions of each event, in natural order: the order of rows has no meaning.
fn sort_divisions<'t>(contests: &[ContestRowGroup<'t>]) -> HashMap<(String, String), Vec<&'t str>> {
    let mut divisions: HashMap<_, Vec<&str>> = HashMap::new();
    for contest in contests {
        divisions.entry(contest.event_key()).or_default().push(contest.group.division);
    }
    for names in divisions.values_mut() {
        names.sort_unstable_by(|a, b| compare_naturally(a, b));
        names.dedup();
    }
    divisions
}
