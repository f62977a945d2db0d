//! The columns of a long table.

use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::reading::TableShape;
use crate::schema::people::names::NameColumns;
use crate::schema::rules::orienteering::{find_outsiders, find_race_codes};
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::values::numbers::is_time;
use crate::vocabulary::genders::is_gender_heading;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{
    is_club_heading, is_place_or_role_heading, is_season_heading, is_stroke_heading,
    is_time_heading,
};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The fewest rows that are hardly in order of their scores by chance.
const MIN_ROWS_IN_ORDER: usize = 5;

/// Headings of numbers of people, which decide nothing.
const PERSONAL_NUMBERS: &str = "bib bibnumber bibno dossard dorsal startnummer startnr stnr startnumber startno no nr \
     number nummer numero id age alter edad born yob birthyear jahrgang jg year";

/// A long table with its columns, and what the user says about it.
#[derive(Clone, Copy)]
pub(crate) struct LongSource<'t> {
    pub(crate) table: &'t HeaderTable,
    pub(crate) columns: &'t LongColumns,
    pub(crate) file_name: &'t str,
    pub(crate) options: &'t ReadOptions,
}

/// The indices of the columns.
#[derive(Clone)]
pub(crate) struct LongColumns {
    pub(crate) contest: Option<usize>,
    pub(crate) id: Option<usize>,
    pub(crate) event: Option<usize>,
    pub(crate) date: Option<usize>,
    pub(crate) division: Option<usize>,
    pub(crate) ordinal: Option<usize>,
    pub(crate) url: Option<usize>,
    pub(crate) weight: Option<usize>,
    pub(crate) place: Option<usize>,
    pub(crate) score: Option<usize>,
    pub(crate) penalty: Option<usize>,
    pub(crate) names: NameColumns,
    pub(crate) status: Option<usize>,
    /// True if the column of statuses holds results too, such as times: the cells say that it has
    /// statuses, and not the heading.
    pub(crate) has_statuses_beside_results: bool,
    /// True if statuses are the codes of orienteering.
    pub(crate) has_race_codes: bool,
    /// The column that marks who runs out of competition, beside such codes.
    pub(crate) outsiders: Option<usize>,
    pub(crate) lower_is_better: bool,
    pub(crate) used: HashMap<usize, &'static str>,
}

impl LongColumns {
    pub(crate) fn from_table(
        table: &HeaderTable,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let mut used = HashMap::new();
        let mut find = |meaning: ColumnMeaning| -> Result<Option<usize>, FileReadError> {
            let column = table.find_column(meaning)?;
            used.extend(column.map(|column| (column, meaning.as_str())));
            Ok(column)
        };
        let names = NameColumns::from_table(table, TableShape::Long, options)?;
        let mut columns = Self {
            contest: find(ColumnMeaning::Contest)?,
            id: find(ColumnMeaning::ContestId)?,
            event: find(ColumnMeaning::Event)?,
            date: find(ColumnMeaning::Date)?,
            division: find(ColumnMeaning::Division)?,
            ordinal: find(ColumnMeaning::Ordinal)?,
            url: find(ColumnMeaning::Url)?,
            weight: find(ColumnMeaning::Weight)?,
            place: find(ColumnMeaning::Place)?,
            score: find(ColumnMeaning::Score)?,
            penalty: find(ColumnMeaning::Penalty)?,
            names,
            status: find(ColumnMeaning::Status)?,
            has_statuses_beside_results: false,
            has_race_codes: false,
            outsiders: None,
            lower_is_better: options.lower_is_better,
            used: HashMap::new(),
        };
        if columns.contest.is_none() {
            // An "event" column without a contest column names the contest.
            columns.contest = columns.event.take();
            used.extend(columns.contest.map(|column| (column, ColumnMeaning::Contest.as_str())));
        }
        let names = &columns.names;
        used.extend(names.people.map(|c| (c, names.meaning.as_str())));
        used.extend(names.team.map(|c| (c, ColumnMeaning::Team.as_str())));
        for &(column, meaning) in &names.identities.used {
            used.entry(column).or_insert(meaning);
        }
        columns.has_statuses_beside_results =
            columns.status.is_some_and(|column| table.is_meant_by_cells(column));
        let codes = columns.status.filter(|&column| find_race_codes(table) == Some(column));
        columns.has_race_codes = codes.is_some();
        columns.outsiders = codes.and_then(|codes| find_outsiders(table, codes));
        columns.used = used;
        columns.lower_is_better |= columns.score.is_some_and(|score| {
            columns.place.is_none()
                && table.grid.limits().reader.refuses_doubts()
                && are_finish_times(table, score)
                && rise_unevenly(table, score)
        });
        Ok(columns)
    }

    /// Returns the columns with this one as the division, or as the event if another is that.
    pub(crate) fn with_division(
        &self,
        column: usize,
        table: &HeaderTable,
        notes: &mut Vec<String>,
    ) -> Self {
        let mut columns = self.clone();
        let is_event = is_season_heading(table.heading(column))
            && self.contest.is_some()
            && self.event.is_none()
            && self.id.is_none();
        let meaning = if self.division.is_none() && !is_event {
            columns.division = Some(column);
            ColumnMeaning::Division
        } else if self.contest.is_none() {
            columns.contest = Some(column);
            ColumnMeaning::Contest
        } else {
            columns.event = Some(column);
            ColumnMeaning::Event
        };
        columns.used.insert(column, meaning.as_str());
        notes.push(format!(
            "places repeat, and {} separates them into rankings: it is read as the {}",
            table.describe_column(column),
            meaning.as_str()
        ));
        columns
    }

    /// Notes if places or scores decide the order. Errors if the scores are times and no option
    /// says which end is better.
    pub(crate) fn check_ranking_basis(
        &self,
        table: &HeaderTable,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Result<(), FileReadError> {
        let has_times = self.score.is_some_and(|column| table.values(column).any(is_time));
        match (self.place, self.score) {
            (Some(place), _) => {
                check_places(table, place)?;
                notes.push(format!("the places in {} decide", table.describe_column(place)));
                if options.lower_is_better {
                    notes.push("--lower-is-better has no effect on places".to_owned());
                }
            }
            (None, Some(score)) if options.lower_is_better => notes.push(format!(
                "the scores in {} decide, lowest first",
                table.describe_column(score)
            )),
            (None, Some(score)) if self.lower_is_better => notes.push(format!(
                "the times in {} decide, lowest first: the rows stand in that order",
                table.describe_column(score)
            )),
            (None, Some(score)) => {
                check_highest_wins(table, score)?;
                notes.push(format!(
                    "the scores in {} decide, highest first",
                    table.describe_column(score)
                ));
                if has_times {
                    notes.push(
                        "times are read as seconds; pass --lower-is-better if the shortest wins"
                            .to_owned(),
                    );
                }
            }
            (None, None) => {}
        }
        if has_times {
            notes.push("times are kept in seconds".to_owned());
        }
        Ok(())
    }
}

/// Errors if a column of places holds none, but other values.
fn check_places(table: &HeaderTable, place: usize) -> Result<(), FileReadError> {
    let mut cells = table.values(place).filter(|cell| !is_blank(cell));
    let Some(first) = cells.next() else {
        return Ok(());
    };
    if parse_place(first).is_some() || cells.any(|cell| parse_place(cell).is_some()) {
        return Ok(());
    }
    let problem = format!(
        "{} holds no place, but values such as {:?}",
        table.describe_column(place),
        first.chars().take(40).collect::<String>(),
    );
    let cases = [(table.ignore_option(place), "if they are something else")];
    Err(table.refuse_column(place, Reason::with_options(problem, cases)))
}

/// Errors if the lowest score of a column may win, or if its numbers may be places.
fn check_highest_wins(table: &HeaderTable, score: usize) -> Result<(), FileReadError> {
    let heading = table.heading(score);
    let is_stated = table.claims(ColumnMeaning::Score).contains(&(MatchStrength::Stated, score));
    let counts_strokes = is_stroke_heading(heading) || table.number_style(Some(score)).is_to_par;
    let column = table.describe_column(score);
    let reason = if counts_strokes || are_times(table, score) {
        let values = if counts_strokes { "strokes" } else { "times" };
        let option = CommandOptions::lower_is_better();
        Reason::from(format!(
            "the column {column} holds {values}: pass {option} if the lowest wins, or head it \"score\" if the highest does"
        ))
        .naming([option])
    } else if !is_stated && may_count_strokes(table, heading) {
        let cases = [
            (CommandOptions::lower_is_better(), "if the fewest win"),
            (table.column_option(score, ColumnMeaning::Score), "if the highest wins"),
        ];
        Reason::with_options(format!("the numbers of {column} may be strokes"), cases)
    } else if !table.has_definite_column(ColumnMeaning::Score) && table.holds_ranking(score) {
        let cases = [
            (table.column_option(score, ColumnMeaning::Place), "if 1 is the best"),
            (table.column_option(score, ColumnMeaning::Score), "if the highest is"),
        ];
        Reason::with_options(format!("the numbers of {column} can be places or scores"), cases)
    } else if !is_stated && stand_lowest_first(table, score) {
        let cases = [
            (CommandOptions::lower_is_better(), "if the lowest wins"),
            (table.column_option(score, ColumnMeaning::Score), "if the highest does"),
        ];
        let problem = format!("the lowest scores of {column} stand first in every contest");
        Reason::with_options(problem, cases)
    } else {
        return Ok(());
    };
    Err(table.refuse_column(score, reason))
}

/// True if the heading of a score means times, or its cells are times. Under "total", "result" or an unknown heading
/// the cells tell.
fn are_times(table: &HeaderTable, score: usize) -> bool {
    let heading = table.heading(score);
    let is_score_heading = matches!(ColumnMeaning::from_heading(heading),
        Some((ColumnMeaning::Score, strength)) if strength != MatchStrength::Vague);
    is_time_heading(heading) || (!is_score_heading && table.values(score).any(is_time))
}

/// True if a column can hold nothing but the times of finishes: right of the names of racers, under a heading of
/// times that says nothing of a duration, with no clock times, and nothing beside them but who the racers are.
fn are_finish_times(table: &HeaderTable, score: usize) -> bool {
    let is_clock_time = |cell: &str| {
        let hour = cell.split_once(':').and_then(|(hour, _)| hour.parse::<u32>().ok());
        hour.is_some_and(|hour| (6..24).contains(&hour))
    };
    let describes_racers = |&column: &usize| {
        let heading = table.heading(column);
        heading.is_empty()
            || !table.holds_several(column)
            || has_word(PERSONAL_NUMBERS, &normalise_word(heading))
            || is_club_heading(heading)
            || is_gender_heading(heading)
            || is_place_or_role_heading(heading)
    };
    let heading = normalise_word(table.heading(score));
    let names = normalise_word(table.heading(table.name_column()));
    are_times(table, score)
        && score > table.name_column()
        && is_time_heading(&heading)
        && !heading.contains("duration")
        && !has_word("player user wrestler", &names)
        && !table.holds_only(score, is_clock_time)
        && table.unknown_columns.iter().all(describes_racers)
}

/// True if scores rise as results do, and not in equal steps as the times of starts.
fn rise_unevenly(table: &HeaderTable, score: usize) -> bool {
    let style = table.number_style(Some(score));
    let [mut step_count, mut distinct_count] = [0, 0];
    for rows in table.contest_rows() {
        let cells = rows.iter().map(|&row| table.grid.cell(row, score));
        let scores: Vec<f64> = cells.filter_map(|cell| style.parse(cell).ok()).collect();
        let mut steps: Vec<f64> = scores.windows(2).map(|two| two[1] - two[0]).collect();
        step_count += steps.len();
        steps.sort_by(f64::total_cmp);
        // Seconds are no exact sums.
        steps.dedup_by(|one, other| (*one - *other).abs() < 1e-6);
        distinct_count += steps.len();
    }
    2 * distinct_count > step_count && stand_lowest_first(table, score)
}

/// True if a score may be the strokes of a round of golf: a gross one, or beside the par of the course or
/// the holes.
fn may_count_strokes(table: &HeaderTable, score: &str) -> bool {
    let has = |words: &str, heading: &str| split_words(heading).iter().any(|w| has_word(words, w));
    let mut headings = table.grid.cells(table.header_row);
    table.grid.limits().reader.refuses_doubts()
        && (has("gross", score)
            || headings.any(|heading| has_word("par coursepar hole1 h1", &normalise_word(heading))))
}

/// True if the rows of each contest stand in the order of rising scores, and some contest has so many
/// that it is hardly chance.
fn stand_lowest_first(table: &HeaderTable, score: usize) -> bool {
    let style = table.number_style(Some(score));
    let mut longest = 0;
    let rises = |rows: &Vec<usize>| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, score));
        let mut scores: Vec<f64> = cells.filter_map(|cell| style.parse(cell).ok()).collect();
        let is_sorted = scores.is_sorted();
        scores.dedup();
        longest = longest.max(scores.len());
        is_sorted
    };
    table.contest_rows().iter().all(rises) && longest >= MIN_ROWS_IN_ORDER
}
