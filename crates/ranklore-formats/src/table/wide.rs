//! Reads wide tables: one row per player, one column per contest.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, Location, TableShape};
use crate::table::columns::{ColumnMeaning, is_summary_label, normalise_word};
use crate::table::header::HeaderTable;
use crate::table::members::NameColumns;
use crate::table::numbering::{
    MISSING_DATE, NO_DATES, check_numbered_order, describe_numbering, nth_contest_time,
};
use crate::table::people::dated_names::DatedNameCollector;
use crate::table::rankings::{are_gapless_places, are_ranking};
use crate::table::result_columns::{Series, find_date_row};
use crate::table::round_headings::strip_result_word;
use crate::table::standings::{
    Problems, RowMark, RowResult as Row, find_duplicates, rank_entrants, renumbered_note,
};
use crate::table::starting_ratings::StartingRatingCollector;
use crate::table::statuses::{StatusWords, status_options};
use crate::table::values::cells::{CellStatus, is_blank, parse_place};
use crate::table::values::dates::{self, DateStyle, PeriodNotes, ReadDate};
use crate::table::values::numbers::{NumberStyle, is_time};
use ranklore_contest::{Contest, ContestTime, Quoted, id_from_name};

/// The kind of values in the cells of rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Places,
    Scores,
}

/// The number of options that a message lists.
const MAX_LISTED_OPTIONS: usize = 12;

pub(in crate::table) fn read(
    table: &HeaderTable,
    series: &Series,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    let rounds = &series.columns;
    check_single_columns(table, rounds)?;
    let name_columns = NameColumns::from_table(table, TableShape::Wide, options)?;
    let statuses = StatusWords::new(&options.statuses)?;
    let mut notes = vec!["one row per player, one column per contest".to_owned()];
    if !series.left_out.is_empty() {
        notes.push(format!(
            "columns left out, because only other columns {}: {}",
            series.condition,
            table.describe_columns(&series.left_out)
        ));
    }
    let dated = find_date_row(table);
    let players = player_rows(table, &name_columns, dated, &mut notes);
    let values = || {
        let cells = |&round: &usize| players.iter().map(move |&row| table.grid.cell(row, round));
        rounds.iter().flat_map(cells)
    };
    statuses.check_occurrence(&options.statuses, values())?;
    let mut used: HashMap<usize, &'static str> = rounds.iter().map(|&c| (c, "round")).collect();
    used.extend(name_columns.identities.used.iter().copied());
    used.extend((name_columns.team).map(|of| (of, ColumnMeaning::Team.as_str())));
    notes.extend(name_columns.identities.notes(table));
    used.extend((name_columns.people).map(|of| (of, name_columns.meaning.as_str())));
    check_separation(table, rounds, &players, &statuses, &used)?;
    let cells = decide_cell_kind(table, rounds, &players, &statuses, options, &mut notes)?;
    let style = NumberStyle::from_cells(values(), table.grid.semicolons);
    let scores = (cells == CellKind::Scores).then_some(style);
    let mut found = Candidates::default();
    let mut names = DatedNameCollector::default();
    let moments = read_round_times(
        table,
        rounds,
        dated,
        options,
        &mut notes,
        &mut found.numbered,
    )?;

    let mut renumbered = Vec::new();
    let mut count = 0;
    let advice = OnceCell::new();
    for (&round, moment) in rounds.iter().zip(moments) {
        let name = table.heading(round);
        let at = table.grid.location(table.header_row, round);
        let mut problems = Problems::default();
        let ends_at = moment.unwrap_or_else(|(at, why)| {
            problems.push(at, why);
            ContestTime::MIN
        });
        let cell = |row: usize| table.grid.cell(row, round);
        let mark = |row: usize| read_mark(cell(row), scores, &statuses);
        let results = read_results(table, round, &players, &name_columns, mark, &mut problems);
        count += results.len();
        table.grid.check_results(count)?;
        let is_unknown = |&row: &usize| statuses.is_unknown_word(cell(row));
        if !problems.is_empty() && players.iter().any(is_unknown) {
            let unknown = values().filter(|cell| statuses.is_unknown_word(cell));
            let advice = advice.get_or_init(|| status_options(unknown));
            problems.advise(advice.as_deref());
        }
        let at_cell = |row| table.grid.location(row, round);
        find_duplicates(&results, table, &name_columns, at_cell, &mut problems);
        if results.is_empty() && problems.is_empty() {
            problems.push(at.clone(), "no competitor took part".to_owned());
        }
        if !problems.is_empty() {
            found.refused.push(problems.into_refused_entry(name));
            continue;
        }
        let mut contest = Contest::new(id_from_name(name, ends_at), name, ends_at);
        if name_columns.identities.are_read() {
            let rows: Vec<usize> = results.iter().map(|result| result.row).collect();
            names.add_rows(table, &name_columns, &rows, ends_at);
        }
        let counted_anew;
        (contest.entrants, counted_anew) = rank_entrants(results, options.lower_is_better);
        if counted_anew {
            renumbered.push(name.to_owned());
        }
        found.add_contest(at, &contest);
    }
    found.dated_names = names.finish();
    notes.extend(renumbered_note(&renumbered));
    let mut ratings = StartingRatingCollector::new(table)?;
    for &row in &players {
        if let Ok(Some(named)) = name_columns.entrant(table, row) {
            ratings.read_row(table, row, named.kind, &named.competitor);
        }
    }
    ratings.finish(&mut found, &mut used);
    found.layout = Some(table.layout(TableShape::Wide, &used, notes));
    Ok(found)
}

/// Errors if several columns are results of one contest, such as its places and its points.
fn check_single_columns(table: &HeaderTable, rounds: &[usize]) -> Result<(), FileReadError> {
    let mut first: HashMap<String, usize> = HashMap::new();
    for &round in rounds {
        let heading = table.heading(round);
        if strip_result_word(heading).is_none() {
            first.entry(normalise_word(heading)).or_insert(round);
        }
    }
    let mut further = Vec::new();
    for &round in rounds {
        let Some(contest) = strip_result_word(table.heading(round)) else {
            continue;
        };
        let other = *first.entry(contest).or_insert(round);
        if table.heading(other) != table.heading(round) {
            further.push((other, round));
        }
    }
    let Some(&(other, round)) = further.first() else {
        return Ok(());
    };
    let listed = further.iter().take(MAX_LISTED_OPTIONS);
    let options: Vec<String> = listed
        .map(|&(_, of)| format!("--column {}", table.ignore_option(of)))
        .collect();
    let more = if further.len() > options.len() {
        ", and so on"
    } else {
        ""
    };
    Err(table.refuse_column(round, format!(
            "{} and {} are results of one contest, not two: exclude the columns of one kind, such as {}{more}",
            table.describe_column(other),
            table.describe_column(round),
            options.join(" "),
        ),
    ))
}

/// Returns the results of a round, and reports cells that are none.
fn read_results<'t>(
    table: &'t HeaderTable,
    round: usize,
    players: &[usize],
    names: &NameColumns,
    mark: impl Fn(usize) -> Result<Option<RowMark>, String>,
    problems: &mut Problems,
) -> Vec<Row<'t>> {
    let mut results = Vec::with_capacity(players.len());
    for &row in players {
        let at = || table.grid.location(row, round);
        let mark = match mark(row) {
            Ok(Some(mark)) => mark,
            Ok(None) => continue,
            Err(why) => {
                problems.push(at(), why);
                continue;
            }
        };
        match names.entrant(table, row) {
            Ok(None) => {
                let cell = table.grid.cell(row, round);
                let why = format!(
                    "{cell} has no competitor: the row names none",
                    cell = Quoted(cell)
                );
                problems.push(at(), why);
            }
            Ok(Some(named)) => results.push(Row {
                row,
                competitor: named.competitor,
                kind: named.kind,
                members: named.members,
                mark,
                score: match mark {
                    RowMark::Score(score) => Some(score),
                    _ => None,
                },
                penalty: None,
            }),
            Err(why) => problems.push(at(), why),
        }
    }
    results
}

/// Returns the rows of players: all except the row of dates and summaries at the bottom.
fn player_rows(
    table: &HeaderTable,
    names: &NameColumns,
    dated: Option<usize>,
    notes: &mut Vec<String>,
) -> Vec<usize> {
    let mut rows: Vec<usize> = table
        .data_rows()
        .filter(|&row| Some(row) != dated)
        .collect();
    while let Some(&last) = rows.last() {
        let name = names.cell(table, last);
        if !(name.is_empty() || is_summary_label(name)) {
            break;
        }
        notes.push(format!(
            "{} left out: it names no player",
            table.grid.row_location(last)
        ));
        rows.pop();
    }
    rows
}

/// Errors if an unread column separates the places of a round into rankings of their own, such as
/// classes. Read as one contest, their places would be ties, or scores.
fn check_separation(
    table: &HeaderTable,
    rounds: &[usize],
    players: &[usize],
    statuses: &StatusWords,
    used: &HashMap<usize, &'static str>,
) -> Result<(), FileReadError> {
    let unread = table.unread_columns(used);
    for &round in rounds {
        let cell = |row: &usize| table.grid.cell(*row, round);
        let is_given = |row: &&usize| !is_blank(cell(row)) && statuses.parse(cell(row)).is_none();
        let given: Vec<usize> = players.iter().filter(is_given).copied().collect();
        let firsts = given.iter().filter(|row| parse_place(cell(row)) == Some(1));
        if firsts.count() < 2 || are_ranking(given.iter().map(cell)) {
            continue;
        }
        let separates = |&&column: &&usize| {
            let mut rankings: HashMap<&str, Vec<&str>> = HashMap::new();
            for row in &given {
                let value = table.grid.cell(*row, column);
                rankings.entry(value).or_default().push(cell(row));
            }
            let long = rankings.values().filter(|places| places.len() > 1).count();
            long > 1 && (rankings.values()).all(|of| are_gapless_places(of.iter().copied()))
        };
        if let Some(&column) = unread.iter().find(separates) {
            return Err(table.refuse_column(round, format!(
                    "places of {} repeat, and {} separates them into rankings: write a table for each, or pass --column {} if these are ties",
                    table.describe_column(round),
                    table.describe_column(column),
                    table.ignore_option(column),
                ),
            ));
        }
    }
    Ok(())
}

/// Returns `Places` if every round's cells form a ranking ("1224"), else `Scores`.
fn decide_cell_kind(
    table: &HeaderTable,
    rounds: &[usize],
    players: &[usize],
    statuses: &StatusWords,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<CellKind, FileReadError> {
    if options.lower_is_better {
        notes.push("the cells are scores, lowest first".to_owned());
        return Ok(CellKind::Scores);
    }
    let (mut rankings, mut others) = (Vec::new(), Vec::new());
    let mut ornamented = false;
    let mut timed = None;
    let mut small = 0;
    let mut gapless = Vec::new();
    for &round in rounds {
        let given: Vec<&str> = players
            .iter()
            .map(|&row| table.grid.cell(row, round))
            .filter(|cell| !is_blank(cell) && statuses.parse(cell).is_none())
            .collect();
        if given.iter().any(|cell| is_time(cell)) {
            timed = timed.or(Some(round));
        }
        ornamented |= given.iter().any(|cell| {
            parse_place(cell).is_some() && cell.contains(|c: char| !c.is_ascii_digit() && c != '.')
        });
        if given.is_empty() {
            continue;
        }
        small += usize::from(given.len() < 3);
        if are_ranking(given.iter().copied()) {
            rankings.push(round);
        } else {
            if given.len() > 2 && are_gapless_places(given.iter().copied()) {
                gapless.push(round);
            }
            others.push(round);
        }
    }
    if others.is_empty() || ornamented {
        notes.push("the cells are places: each round forms a ranking".to_owned());
        return Ok(CellKind::Places);
    }
    if gapless.len() == others.len() {
        return Err(table.refuse_column(gapless[0], format!(
                "the numbers of {} can be places with ties, or scores: pass --lower-is-better if 1 is the best, or use one row per result with a score column",
                table.describe_column(gapless[0])
            ),
        ));
    }
    // A ranking of three or more is hardly a coincidence; read as scores, it would be reversed.
    if rankings.len() > others.len() + small {
        return Err(table.refuse_column(others[0], format!(
                "most rounds hold places, such as {}, but those of {} are not a ranking: correct them, pass --lower-is-better to read them as scores where the lowest wins, or use one row per result with a score column",
                table.describe_column(rankings[0]),
                table.describe_column(others[0])
            ),
        ));
    }
    if let Some(round) = timed {
        return Err(table.refuse_column(round, format!(
                "the column {} holds times: pass --lower-is-better if the shortest wins, or write them in seconds if the longest does",
                table.describe_column(round)
            ),
        ));
    }
    notes.push("the cells are scores, highest first".to_owned());
    if let Some(&ranking) = rankings.first() {
        notes.push(format!(
            "{} could be places; pass --lower-is-better if lower is better",
            table.describe_column(ranking)
        ));
    }
    Ok(CellKind::Scores)
}

fn read_mark(
    cell: &str,
    scores: Option<NumberStyle>,
    statuses: &StatusWords,
) -> Result<Option<RowMark>, String> {
    match statuses.parse(cell) {
        Some(CellStatus::DidNotStart) => Ok(None),
        Some(CellStatus::DidNotFinish) => Ok(Some(RowMark::DidNotFinish)),
        Some(CellStatus::Disqualified) => Ok(Some(RowMark::Disqualified)),
        Some(CellStatus::Finished) if statuses.is_lapped(cell) => Ok(Some(RowMark::DidNotFinish)),
        None if is_blank(cell) => Ok(None),
        Some(CellStatus::Finished) | None => RowMark::parse(cell, scores).map(Some),
    }
}

type RoundTime = Result<ContestTime, (Location, String)>;

/// Returns the time of each round: from the row of dates, else from the heading. Rounds are
/// numbered from the start only if none has a date.
fn read_round_times(
    table: &HeaderTable,
    rounds: &[usize],
    dated: Option<usize>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
    numbered: &mut usize,
) -> Result<Vec<RoundTime>, FileReadError> {
    let (mut in_row, mut in_headings) = (false, false);
    let in_row_cells = |row| rounds.iter().map(move |&of| table.grid.cell(row, of));
    let words = rounds
        .iter()
        .flat_map(|&of| table.heading(of).split_whitespace());
    let cells = dated.into_iter().flat_map(in_row_cells).chain(words);
    let style = DateStyle::from_cells(cells, table.grid.date_rules(options));
    let mut periods = PeriodNotes::default();
    let find_in_heading = |heading| {
        let day = dates::find_date(heading, table.grid.date_rules(options))
            .map(|read| read.map(ReadDate::from));
        // A start numbers contests without a day.
        let find_period = || dates::find_period(heading, style);
        day.or_else(|| options.start.is_none().then(find_period).flatten())
    };
    let mut written: Vec<Option<RoundTime>> = Vec::with_capacity(rounds.len());
    for &round in rounds {
        let cell = dated.map_or("", |row| table.grid.cell(row, round));
        let heading = table.heading(round);
        written.push(match dated.filter(|_| !is_blank(cell)) {
            Some(row) => {
                in_row = true;
                let read = dates::parse_cell(cell, style);
                if let Ok(date) = read {
                    periods.add(cell, date);
                }
                let read = read.map(|date| date.time);
                Some(read.map_err(|error| (table.grid.location(row, round), error.message(cell))))
            }
            None => find_in_heading(heading).map(|read| {
                in_headings = true;
                if let Ok(date) = read {
                    periods.add(heading, date);
                }
                let at = table.grid.location(table.header_row, round);
                let read = read.map(|date| date.time);
                read.map_err(|error| (at, error.message(heading)))
            }),
        });
    }
    notes.extend(periods.into_notes());
    if !(in_row || in_headings) {
        let Some(start) = options.start else {
            return Err(table.refuse_column(rounds[0], NO_DATES));
        };
        check_numbered_order(rounds.iter().map(|&round| table.heading(round)))
            .map_err(|why| table.refuse_column(rounds[0], why))?;
        let (count, order) = (rounds.len(), "from left to right");
        notes.push(describe_numbering(options, start, count, order));
        *numbered = count;
        return Ok((rounds.iter().enumerate())
            .map(|(index, &round)| {
                nth_contest_time(options, start, index)
                    .map_err(|why| (table.grid.location(table.header_row, round), why))
            })
            .collect());
    }
    if let Some(row) = dated.filter(|_| in_row) {
        notes.push(format!(
            "dates are those of {}",
            table.grid.row_location(row)
        ));
    }
    if in_headings {
        notes.push("dates are those of the headings".to_owned());
    }
    let undated = |round| {
        (
            table.grid.location(table.header_row, round),
            MISSING_DATE.to_owned(),
        )
    };
    Ok((rounds.iter().zip(written))
        .map(|(&round, moment)| moment.unwrap_or_else(|| Err(undated(round))))
        .collect())
}
