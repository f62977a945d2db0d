//! Turns groups of rows of a long table into contests.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::columns::LongColumns;
use super::doubts::{check_groups, describe_doubt};
use super::rows::{LongRow, RowGroup};
use super::separation::UnreadColumns;
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, Location};
use crate::table::columns::{ColumnMeaning, has_word, normalise_word};
use crate::table::header::HeaderTable;
use crate::table::numbering::{
    MISSING_DATE, NO_DATES, check_numbered_order, describe_numbering, nth_contest_time,
};
use crate::table::people::dated_names::DatedNameCollector;
use crate::table::standings::{
    Problems, RowMark, RowResult as Row, find_duplicates, rank_entrants, renumbered_note,
};
use crate::table::values::dates::{self, DateError, DateStyle, PeriodNotes, ReadDate};
use crate::table::values::numbers::NumberStyle;
use ranklore_contest::{
    Contest, ContestTime, EntrantKind, Quoted, check_weight, compare_naturally, id_from_name,
};

/// The rows of one contest.
struct ContestRows<'t> {
    group: RowGroup<'t>,
    name: String,
    date: Option<ContestTime>,
    row: usize,
}

type FoundDate = Option<Result<ReadDate, DateError>>;

/// Converts the groups to contests and adds them to `found`.
pub(super) fn build_contests(
    groups: Vec<RowGroup<'_>>,
    table: &HeaderTable,
    columns: &LongColumns,
    file_name: &str,
    options: &ReadOptions,
    found: &mut Candidates,
    notes: &mut Vec<String>,
) -> Result<(), FileReadError> {
    check_groups(&groups, table, columns)?;
    let mut parts: Vec<ContestRows<'_>> = Vec::with_capacity(groups.len());
    for group in groups {
        split_by_date(group, table, file_name, &mut parts, notes);
    }
    let in_names = if columns.date.is_some() {
        Vec::new()
    } else {
        find_dates_in_names(&parts, table, file_name, options, notes)
    };
    if columns.date.is_none() && options.start.is_none() && in_names.iter().all(Option::is_none) {
        return Err(FileReadError::new(
            table.grid.row_location(table.header_row),
            describe_missing_dates(table),
        ));
    }
    // Dates in names take precedence over numbering.
    let by_name = in_names.iter().any(Option::is_some);
    if columns.date.is_none() {
        notes.push(match options.start {
            Some(start) if !by_name => {
                let contests: HashSet<_> = parts.iter().map(ContestRows::held).collect();
                describe_numbering(options, start, contests.len(), "in order of appearance")
            }
            _ => "dates are taken from the names of contests".to_owned(),
        });
    }
    let weights = table.number_style(columns.weight);
    let mut renumbered = Vec::new();
    let mut people = DatedNameCollector::default();
    let mut days: HashMap<(String, String), usize> = HashMap::new();
    let divisions = sort_divisions(&parts);
    let unread = UnreadColumns::find(table, columns);
    if columns.date.is_none() && !by_name {
        let mut seen = HashSet::new();
        let first = parts.iter().filter(|part| seen.insert(part.held()));
        check_numbered_order(first.map(|part| &*part.name))
            .map_err(|why| FileReadError::new(table.grid.row_location(table.header_row), why))?;
    }
    for (index, mut part) in parts.into_iter().enumerate() {
        let held = part.held();
        let ends_at = if columns.date.is_some() {
            part.date.ok_or_else(|| "no row has a date".to_owned())
        } else if let (Some(start), false) = (options.start, by_name) {
            let next = days.len();
            nth_contest_time(options, start, *days.entry(held.clone()).or_insert(next))
        } else {
            match in_names.get(index).copied().flatten() {
                Some(Ok(date)) => Ok(date.time),
                Some(Err(error)) => Err(error.message(&part.name)),
                None => Err(MISSING_DATE.to_owned()),
            }
        };
        let before = divisions.get(&held).map_or(0, |names| {
            names.partition_point(|of| compare_naturally(of, part.group.division).is_lt())
        });
        let ordinal = before as i64 + 1;
        let ends_at = match ends_at {
            Ok(moment) => moment,
            Err(why) => {
                // Errors in date cells are reported already.
                if part.group.problems.is_empty() {
                    part.group
                        .problems
                        .push(table.grid.row_location(part.row), why);
                }
                ContestTime::MIN
            }
        };
        let divided =
            (divisions.get(&held)).is_some_and(|names| names.iter().any(|of| !of.is_empty()));
        if let Some(why) = describe_doubt(&part.group, divided, table, columns, &unread) {
            part.group
                .problems
                .push(table.grid.row_location(part.row), why);
        }
        let rows: Vec<usize> = if columns.names.identities.are_read() {
            let present = part.group.rows.iter().filter(|line| line.result.is_some());
            present.map(|line| line.row).collect()
        } else {
            Vec::new()
        };
        let contest =
            part.into_contest(ends_at, ordinal, table, (columns, weights), &mut renumbered);
        match contest {
            Ok((at, contest)) => {
                people.add_rows(table, &columns.names, &rows, contest.ends_at);
                found.add_contest(at, &contest);
            }
            Err((problems, name)) => found.refused.push(problems.into_refused_entry(&name)),
        }
    }
    found.dated_names = people.finish();
    found.numbered = days.len();
    notes.extend(renumbered_note(&renumbered));
    Ok(())
}

/// Returns the message for a table without dates. It names a column that may hold them.
pub(in crate::table) fn describe_missing_dates(table: &HeaderTable) -> String {
    let is_period = |of: &&usize| has_word(PERIOD_WORDS, &normalise_word(table.heading(**of)));
    match table.unknown_columns.iter().find(is_period) {
        None => NO_DATES.to_owned(),
        Some(&column) => format!(
            "{NO_DATES}; if {} dates the contests, pass --column {}",
            table.describe_column(column),
            table.column_option(column, ColumnMeaning::Date)
        ),
    }
}

/// Headings of columns that may date contests, as [`normalise_word`] returns them.
const PERIOD_WORDS: &str =
    "year season month week jahr saison monat woche annee mois semaine ano temporada mes semana";

/// Returns the date in the name of each contest. Periods count only if the start is not given or not
/// used, and the name of the file only if it has the only date of a single contest.
fn find_dates_in_names(
    parts: &[ContestRows<'_>],
    table: &HeaderTable,
    file_name: &str,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Vec<FoundDate> {
    let date =
        |part: &ContestRows<'_>| match dates::find_date(&part.name, table.grid.date_rules(options))
        {
            Some(Err(DateError::Several)) if options.start.is_some() => None,
            found => found.map(|found| found.map(ReadDate::from)),
        };
    let mut found: Vec<FoundDate> = parts.iter().map(date).collect();
    if options.start.is_some() && found.iter().all(Option::is_none) {
        return found;
    }
    let words = parts.iter().flat_map(|part| part.name.split_whitespace());
    let style = DateStyle::from_cells(words, table.grid.date_rules(options));
    let mut periods = PeriodNotes::default();
    for (part, found) in parts.iter().zip(&mut found) {
        if found.is_none() {
            *found = dates::find_period(&part.name, style);
            if let Some(Ok(date)) = found {
                periods.add(&part.name, *date);
            }
        }
    }
    notes.extend(periods.into_notes());
    let held = |part: &ContestRows<'_>| part.held();
    let is_single = parts.iter().map(held).collect::<HashSet<_>>().len() == 1;
    if is_single && found.iter().all(Option::is_none) {
        // The name of a sheet comes before that of its workbook.
        let names = table.grid.contest_name.as_deref().into_iter();
        let dated = (names.chain([file_stem(file_name)]))
            .find_map(|name| dates::find_date_in_file_name(name, table.grid.date_rules(options)));
        found.fill(dated.map(|dated| dated.map(ReadDate::from)));
    }
    found
}

/// Returns the divisions of each event, in natural order: the order of rows has no meaning.
fn sort_divisions<'t>(parts: &[ContestRows<'t>]) -> HashMap<(String, String), Vec<&'t str>> {
    let mut divisions: HashMap<_, Vec<&str>> = HashMap::new();
    for part in parts {
        divisions
            .entry(part.held())
            .or_default()
            .push(part.group.division);
    }
    for names in divisions.values_mut() {
        names.sort_unstable_by(|a, b| compare_naturally(a, b));
        names.dedup();
    }
    divisions
}

/// Splits a group into contests by date. A recurring name such as "Friday Cup" is several contests
/// if the rows of each date form a complete result and competitors recur. Otherwise a different
/// date is reported as a mistake.
fn split_by_date<'t>(
    mut group: RowGroup<'t>,
    table: &HeaderTable,
    file_name: &str,
    parts: &mut Vec<ContestRows<'t>>,
    notes: &mut Vec<String>,
) {
    let first_row = |rows: &[LongRow<'_>]| rows.first().map_or(table.header_row, |line| line.row);
    let mut dates: Vec<(ContestTime, usize)> = Vec::new();
    let mut seen = HashSet::new();
    for line in &group.rows {
        if let Some(date) = line.date.filter(|date| seen.insert(*date)) {
            dates.push((date, line.row));
        }
    }
    let name = match (group.name, group.id, dates.first()) {
        ("", "", date) => match (&table.grid.contest_name, date) {
            (Some(name), _) => name.clone(),
            (None, Some((date, _))) => date.to_string(),
            (None, None) => file_stem(file_name).to_owned(),
        },
        ("", id, _) => id.to_owned(),
        (name, ..) => name.to_owned(),
    };
    if let [(first, first_row), (second, second_row), ..] = dates[..] {
        if group.id.is_empty()
            && group.problems.is_empty()
            && dates_are_separate_contests(&group.rows, &dates)
        {
            notes.push(format!(
                "{name} is read as {} contests, one per date",
                dates.len(),
                name = Quoted(&name)
            ));
            let mut rows: Vec<Vec<LongRow<'_>>> = dates.iter().map(|_| Vec::new()).collect();
            let index: HashMap<_, _> = dates.iter().zip(0..).map(|(date, i)| (date.0, i)).collect();
            for line in group.rows {
                if let Some(&part) = line.date.and_then(|date| index.get(&date)) {
                    rows[part].push(line);
                }
            }
            for ((date, row), rows) in dates.into_iter().zip(rows) {
                parts.push(ContestRows {
                    group: RowGroup {
                        rows,
                        problems: Problems::default(),
                        ..group
                    },
                    name: name.clone(),
                    date: Some(date),
                    row,
                });
            }
            return;
        }
        group.problems.push(
            table.grid.row_location(second_row),
            format!(
                "the date {second} differs from {first} on {}; if these are several contests, give each its own name or contest id",
                table.grid.row_location(first_row)
            ),
        );
    }
    parts.push(ContestRows {
        row: first_row(&group.rows),
        date: dates.first().map(|&(date, _)| date),
        group,
        name,
    });
}

/// True if each date has two or more results, a first place if there are places, and a competitor
/// who also occurs on another date.
fn dates_are_separate_contests(rows: &[LongRow<'_>], dates: &[(ContestTime, usize)]) -> bool {
    let mut of_date: HashMap<ContestTime, (usize, bool, bool, bool)> = HashMap::new();
    let mut dates_of: HashMap<&str, ContestTime> = HashMap::new();
    for line in rows {
        let Some(date) = line.date else { return false };
        let Some(result) = &line.result else { continue };
        let (results, placed, first, back) = of_date.entry(date).or_default();
        *results += 1;
        *placed |= matches!(result.mark, RowMark::Place(_));
        *first |= result.mark == RowMark::Place(1);
        let before = *dates_of.entry(&*result.competitor).or_insert(date);
        if before != date {
            *back = true;
            of_date.entry(before).or_default().3 = true;
        }
    }
    dates.iter().all(|(date, _)| {
        of_date
            .get(date)
            .is_some_and(|&(results, placed, first, back)| {
                results > 1 && (first || !placed) && back
            })
    })
}

/// Returns the file name without folders and extension.
pub(crate) fn file_stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

impl ContestRows<'_> {
    /// Returns what the divisions held together have in common.
    fn held(&self) -> (String, String) {
        let Self { group, name, .. } = self;
        (group.id.to_owned() + group.event, name.clone())
    }

    fn into_contest(
        self,
        ends_at: ContestTime,
        ordinal: i64,
        table: &HeaderTable,
        (columns, weights): (&LongColumns, NumberStyle),
        renumbered: &mut Vec<String>,
    ) -> Result<(Location, Contest), (Problems, String)> {
        let Self {
            group, name, row, ..
        } = self;
        let mut problems = group.problems;
        let rows: Vec<usize> = group.rows.iter().map(|line| line.row).collect();
        let mut said = |column: Option<usize>, what: &str| {
            find_agreed_cell(table, &rows, column, what, &mut problems)
        };
        if !group.id.is_empty() {
            said(columns.contest, "contest");
        }
        let event = said(columns.event, "event");
        let url = said(columns.url, "url").map(|(_, url)| url);
        let weight = said(columns.weight, "weight");
        let stated_ordinal = said(columns.ordinal, "ordinal");
        let weight = weight.and_then(|(row, cell)| {
            let weight = weights
                .parse(cell)
                .map_err(|error| error.message("weight", cell))
                .and_then(|weight| {
                    let checked = check_weight(weight).map_err(|why| why.to_string());
                    checked.map(|()| weight)
                });
            weight
                .map_err(|why| {
                    let at = table.grid.location(row, columns.weight.unwrap_or_default());
                    problems.push(at, why);
                })
                .ok()
        });
        let stated_ordinal = stated_ordinal.and_then(|(row, cell)| {
            let ordinal = cell.parse::<i64>().ok();
            if ordinal.is_none() {
                let at = table
                    .grid
                    .location(row, columns.ordinal.unwrap_or_default());
                problems.push(
                    at,
                    format!("ordinal {cell} is not a whole number", cell = Quoted(cell)),
                );
            }
            ordinal
        });
        let results = join_teams(group.rows, table, columns, &mut problems);
        let at = |row| table.grid.row_location(row);
        find_duplicates(&results, table, &columns.names, at, &mut problems);
        if results.is_empty() && problems.is_empty() {
            problems.push(at(row), "no competitor took part".to_owned());
        }
        if !problems.is_empty() {
            return Err((problems, name));
        }
        let (entrants, counted_anew) = rank_entrants(results, columns.lower_is_better);
        if counted_anew {
            renumbered.push(name.clone());
        }
        let division = match group.division {
            "" => String::new(),
            division => format!("/{division}"),
        };
        // Events that only a stated or found column tells apart have contests of the same name.
        let named_otherwise = |column| {
            ColumnMeaning::from_heading(table.heading(column)).map(|known| known.0)
                != Some(ColumnMeaning::Event)
        };
        let division = match event {
            Some((_, event))
                if group.id.is_empty() && columns.event.is_some_and(named_otherwise) =>
            {
                format!("/{event}{division}")
            }
            _ => division,
        };
        let external_id = match (group.id, url) {
            ("", None) => id_from_name(&format!("{name}{division}"), ends_at),
            ("", Some(url)) => format!("{url}{division}"),
            (id, _) => format!("{id}{division}"),
        };
        let divided = columns.division.is_some();
        let mut contest = Contest::new(external_id, name, ends_at);
        contest.event = event
            .map(|(_, event)| event.to_owned())
            .or_else(|| divided.then(|| contest.name.clone()));
        contest.division = (!group.division.is_empty()).then(|| group.division.to_owned());
        contest.ordinal = stated_ordinal.or(divided.then_some(ordinal));
        contest.url = url.map(str::to_owned);
        contest.weight = weight.unwrap_or(1.0);
        contest.entrants = entrants;
        Ok((at(row), contest))
    }
}

/// Returns the value that the rows of a contest have in a column, and the first row that has it.
/// Empty cells are allowed, different values are a problem.
fn find_agreed_cell<'t>(
    table: &'t HeaderTable,
    rows: &[usize],
    column: Option<usize>,
    what: &str,
    problems: &mut Problems,
) -> Option<(usize, &'t str)> {
    let column = column?;
    let mut first: Option<(usize, &str)> = None;
    for &row in rows {
        let cell = table.grid.cell(row, column);
        match first {
            _ if cell.is_empty() => {}
            None => first = Some((row, cell)),
            Some((_, said)) if said == cell => {}
            Some((said_by, said)) => {
                problems.push(
                    table.grid.location(row, column),
                    format!(
                        "the {what} {cell} differs from {said} on {}",
                        table.grid.row_location(said_by),
                        cell = Quoted(cell),
                        said = Quoted(said)
                    ),
                );
                break;
            }
        }
    }
    first
}

/// Joins the rows of a team with one member each into one result. Place, score and penalty must
/// agree.
fn join_teams<'t>(
    rows: Vec<LongRow<'t>>,
    table: &HeaderTable,
    columns: &LongColumns,
    problems: &mut Problems,
) -> Vec<Row<'t>> {
    let at = |row| table.grid.row_location(row);
    let mut results: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    let mut teams: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut members: HashSet<(usize, String)> = HashSet::new();
    for row in rows.into_iter().filter_map(|line| line.result) {
        // A row for the team as a whole is not a member, and one with all members is complete.
        if row.kind == EntrantKind::Team && row.members.len() == 1 {
            if let Some(&index) = teams.get(&row.competitor) {
                let team: &mut Row<'_> = &mut results[index];
                if (team.mark, team.score, team.penalty) != (row.mark, row.score, row.penalty) {
                    let column = columns.names.team.unwrap_or_default();
                    problems.push(
                        at(row.row),
                        format!(
                            "team {} has another place, score or status here than on {}; if {} is only an affiliation, pass --column {}",
                            Quoted(&row.competitor),
                            at(team.row),
                            table.describe_column(column),
                            table.column_option(column, ColumnMeaning::Ignore)
                        ),
                    );
                } else if !members.insert((index, row.members[0].clone())) {
                    problems.push(
                        at(row.row),
                        format!(
                            "{} stands twice in team {}, which begins on {}",
                            Quoted(&row.members[0]),
                            Quoted(&row.competitor),
                            at(team.row)
                        ),
                    );
                } else {
                    team.members.extend(row.members);
                }
                continue;
            }
            teams.insert(row.competitor.clone(), results.len());
            members.insert((results.len(), row.members[0].clone()));
        }
        results.push(row);
    }
    // The order of rows has no meaning.
    for index in teams.into_values() {
        results[index]
            .members
            .sort_unstable_by(|a, b| compare_naturally(a, b));
    }
    results
}
