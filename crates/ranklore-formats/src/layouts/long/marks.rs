//! Reads the status, place or score of a row.

use std::collections::HashMap;

use crate::layouts::standings::RowMark;
use crate::schema::long::LongColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place, parse_place_range};
use crate::values::numbers::NumberStyle;
use crate::values::statuses::{StatusWords, has_digit, refuse_number, status_option};
use ranklore_contest::{Quoted, shorten};
use ranklore_grid::{CommandOptions, Reason};

/// The column that is to blame, if it is one, and the reason to refuse a row.
pub(super) type RowRefusal = (Option<usize>, Reason);

/// Reads the marks of rows.
pub(super) struct MarkReader<'t> {
    table: &'t HeaderTable,
    columns: &'t LongColumns,
    pub(super) score_style: NumberStyle,
    /// The words in the columns of statuses, places and scores.
    statuses: &'t [StatusWords; 3],
    /// True if the column of places says who has none: all others are placed, whatever their status.
    places_are_whole: bool,
    /// True if all rows with a result have a status, such as "Finisher".
    finishers_are_marked: bool,
    /// The first of the places that entrants share, by row, where places are their means.
    shared_places: HashMap<usize, u32>,
}

impl<'t> MarkReader<'t> {
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'t LongColumns,
        statuses: &'t [StatusWords; 3],
    ) -> Self {
        Self {
            table,
            columns,
            score_style: table.number_style(columns.score),
            statuses,
            places_are_whole: columns.has_statuses_beside_results
                && columns.place.is_some_and(|column| {
                    table.values(column).any(|cell| statuses[1].parse(cell).is_some())
                }),
            finishers_are_marked: are_finishers_marked(table, columns, &statuses[0]),
            shared_places: find_shared_places(table, columns),
        }
    }

    fn cell(&self, row: usize, column: Option<usize>) -> &'t str {
        self.table.cell(row, column)
    }

    /// Returns the status if it is not "finished", else the place, else the score.
    pub(super) fn read(&self, row: usize) -> Result<Option<RowMark>, RowRefusal> {
        let columns = self.columns;
        let [_, words, score_words] = self.statuses;
        let cells = [columns.status, columns.place, columns.score]
            .map(|column| (column, self.cell(row, column)));
        let [(_, status_cell), _, (_, score_cell)] = cells;
        let statuses = self.parse_statuses(cells.map(|(_, cell)| cell));
        let is_result = columns.has_statuses_beside_results && has_digit(status_cell)
            || self.is_placed_beside_status(cells[1].1);
        if statuses[0].is_none() && !is_blank(status_cell) && !is_result {
            let reason = format!("status {} is not known", Quoted(status_cell));
            return Err((columns.status, reason.into()));
        }
        // Without a column of places, the score decides.
        let (column, cell) = cells[if columns.place.is_some() { 1 } else { 2 }];
        let rank = RankCell {
            column,
            cell,
            noun: columns.place.map_or("score", |_| "place"),
            score_style: columns.place.is_none().then_some(self.score_style),
        };
        let decisive = statuses.iter().zip(cells).find_map(|(&status, cell)| {
            let status = status.filter(|&status| status != CellStatus::Finished)?;
            Some((status, cell))
        });
        match decisive {
            Some((CellStatus::DidNotStart, (column, word)))
                if column != rank.column && words.is_walkover(word) && rank.parse().is_ok() =>
            {
                return Err((column, rank.refuse_walkover(word)));
            }
            Some((CellStatus::DidNotStart, _)) => return Ok(None),
            Some((CellStatus::DidNotFinish, _)) => return Ok(Some(RowMark::DidNotFinish)),
            Some((CellStatus::Disqualified, _)) => return Ok(Some(RowMark::Disqualified)),
            Some((CellStatus::Finished, _)) | None => {}
        }
        if !is_blank(rank.cell) && !words.is_lapped(rank.cell) {
            let mark = self.parse_rank(row, &rank);
            return mark.map(Some).map_err(|reason| (rank.column, rank.refuse(reason)));
        }
        // A lapped competitor without a place took part.
        if cells.iter().any(|(_, cell)| words.is_lapped(cell)) {
            return Ok(Some(RowMark::DidNotFinish));
        }
        if !matches!(self.cell(row, columns.outsiders), "" | "0") {
            return Ok(None);
        }
        let noun = rank.noun;
        // A dash means absent; an empty cell may be a mistake.
        if !rank.cell.is_empty() && is_blank(score_cell) && statuses[0].is_none() {
            Ok(None)
        } else if score_words.is_unknown_word(score_cell) {
            let reason =
                format!("there is no {noun}, and {} is not a known status", Quoted(score_cell));
            Err((columns.score, reason.into()))
        } else {
            let reason = format!("there is no {noun}, and no status (dnf, dq, dns) instead");
            Err((rank.column, reason.into()))
        }
    }

    fn parse_rank(&self, row: usize, rank: &RankCell<'_>) -> Result<RowMark, Reason> {
        match self.shared_places.get(&row) {
            Some(&place) => Ok(RowMark::Place(place)),
            None => rank.parse(),
        }
    }

    /// Errors if a row names no competitor, unless the user says that its word in place of the name means
    /// an absent one.
    pub(super) fn check_unnamed(&self, row: usize) -> Result<(), RowRefusal> {
        let names = &self.columns.names;
        let word = names.cell(self.table, row);
        if self.statuses[0].find_stated(word) == Some(CellStatus::DidNotStart) {
            return Ok(());
        }
        let reason = "the row names no competitor";
        if word.is_empty() {
            let only = names.people.xor(names.team).map(|column| self.table.heading(column));
            let Some(heading) = only.filter(|heading| !heading.is_empty()) else {
                return Err((names.people, reason.into()));
            };
            let cases = [
                (
                    CommandOptions::new("--where", format!("{heading}!=")),
                    "if such rows are left out",
                ),
                (
                    CommandOptions::flag("--anonymous"),
                    "if each is an entrant of its contest alone",
                ),
            ];
            return Err((names.people, Reason::with_options(reason, cases)));
        }
        let cases = [(status_option(word, "dns"), "if such rows are left out")];
        Err((names.people, Reason::with_options(reason, cases)))
    }

    /// True if a row has neither a result nor the status that all others have.
    pub(super) fn lacks_result(&self, row: usize) -> bool {
        let columns = self.columns;
        let cells = [columns.status, columns.place, columns.score];
        self.finishers_are_marked && cells.iter().all(|&column| self.cell(row, column).is_empty())
    }

    /// Parses the statuses in the columns of statuses, places and scores.
    fn parse_statuses(&self, cells: [&str; 3]) -> [Option<CellStatus>; 3] {
        let [status_cell, _, score_cell] = cells;
        let mut statuses = [0, 1, 2].map(|index| self.statuses[index].parse(cells[index]));
        if self.is_placed_beside_status(cells[1]) {
            return [None; 3];
        }
        let words = &self.statuses[0];
        let is_missing =
            |cell| is_blank(cell) && words.find_stated(cell).is_none() && !words.is_walkover(cell);
        if is_missing(status_cell) {
            statuses[0] = None;
        }
        // A missing score does not contradict a place.
        if self.columns.place.is_some() && is_missing(score_cell) {
            statuses[2] = None;
        }
        statuses
    }

    /// True if a row is placed, whatever its status is.
    fn is_placed_beside_status(&self, place_cell: &str) -> bool {
        self.places_are_whole
            && self.statuses[1].parse(place_cell).is_none()
            && parse_place(place_cell).is_some()
    }

    /// Returns the advice to exclude a column of statuses if none of its words is known, and each row with
    /// one has a result.
    pub(super) fn describe_other_words(&self) -> Option<Reason> {
        let column = self.columns.status?;
        let words =
            || self.table.data_rows().filter(|&row| !is_blank(self.cell(row, Some(column))));
        let has_result = |row: usize| {
            let cell = |column| self.cell(row, column);
            match self.columns.place {
                Some(place) => parse_place(cell(Some(place))).is_some(),
                None => self.score_style.parse(cell(self.columns.score)).is_ok(),
            }
        };
        let is_other =
            |row| self.statuses[0].parse(self.cell(row, Some(column))).is_none() && has_result(row);
        words().all(is_other).then(|| {
            let ignore = self.table.ignore_option(column);
            Reason::from(format!("if the results of all count, pass {ignore}")).naming([ignore])
        })
    }

    /// Returns the word of a row that may be a status and is not known.
    pub(super) fn unknown_status(&self, row: usize) -> Option<&'t str> {
        let columns = self.columns;
        let status = self.cell(row, columns.status);
        let is_result = columns.has_statuses_beside_results && has_digit(status);
        let [status_words, words, _] = self.statuses;
        if status_words.parse(status).is_none() && !is_blank(status) && !is_result {
            return Some(status);
        }
        let place = self.cell(row, columns.place);
        let score = Some(self.cell(row, columns.score)).filter(|_| is_blank(place));
        let mut cells = [Some(place), score].into_iter().flatten();
        cells.find(|cell| !is_blank(cell) && words.is_unknown_word(cell))
    }
}

/// True if each row with a place or score has a status, and that of some is "finished".
fn are_finishers_marked(table: &HeaderTable, columns: &LongColumns, words: &StatusWords) -> bool {
    let (Some(status), Some(rank)) = (columns.status, columns.place.or(columns.score)) else {
        return false;
    };
    let mut ranked = table
        .data_rows()
        .filter(|&row| !is_blank(table.grid.cell(row, rank)))
        .peekable();
    let mut statuses = table.values(status);
    ranked.peek().is_some()
        && ranked.all(|row| !is_blank(table.grid.cell(row, status)))
        && statuses.any(|cell| words.parse(cell) == Some(CellStatus::Finished))
}

/// Returns the first of the places that entrants share, by row, in contests with means such as 2.5: each
/// place is the mean of those that its entrants fill.
fn find_shared_places(table: &HeaderTable, columns: &LongColumns) -> HashMap<usize, u32> {
    let is_mean = |cell: &str| cell.ends_with(".5") || cell.ends_with(",5");
    let Some(column) = columns.place.filter(|&column| table.values(column).any(is_mean)) else {
        return HashMap::new();
    };
    let mut contests: HashMap<[&str; 5], Vec<(f64, usize)>> = HashMap::new();
    let keys = [
        columns.id,
        columns.event,
        columns.contest,
        columns.division,
        columns.date,
    ];
    for row in table.data_rows() {
        if let Ok(place) = table.grid.cell(row, column).replace(',', ".").parse::<f64>() {
            let key = keys.map(|key| table.cell(row, key));
            contests.entry(key).or_default().push((place, row));
        }
    }
    let mut shared_places = HashMap::new();
    for mut rows in contests.into_values() {
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut firsts = Vec::new();
        let mut next = 1;
        let are_means = rows.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()).all(|tied| {
            let first = next;
            next += tied.len() as u32;
            firsts.extend(tied.iter().map(|&(_, row)| (row, first)));
            (2.0 * tied[0].0 - f64::from(first + next - 1)).abs() < 0.1
        });
        if are_means {
            shared_places.extend(firsts);
        }
    }
    shared_places
}

/// The cell of a row that decides the order: a place, or a score if the table has no places.
struct RankCell<'t> {
    column: Option<usize>,
    cell: &'t str,
    /// The word for the cell in messages.
    noun: &'static str,
    /// The style of a score.
    score_style: Option<NumberStyle>,
}

impl RankCell<'_> {
    /// Parses the place or score. A range is a place; in a column of scores it is the score of a
    /// game.
    fn parse(&self) -> Result<RowMark, Reason> {
        RowMark::parse(self.cell, self.score_style).or_else(|reason| {
            let is_place = self.score_style.is_none();
            let shared = is_place.then(|| parse_place_range(self.cell)).flatten();
            shared.map(RowMark::Place).ok_or(reason)
        })
    }

    /// Adds to the reason to refuse a cell the options for a number that stands for no place, as 0
    /// and -1 do.
    fn refuse(&self, reason: Reason) -> Reason {
        if self.score_style.is_none() {
            refuse_number(self.cell, reason)
        } else {
            reason
        }
    }

    /// Returns the reason to refuse a place or score beside a word for a walkover.
    fn refuse_walkover(&self, word: &str) -> Reason {
        let problem =
            format!("{} stands beside {} {}", Quoted(word), self.noun, shorten(self.cell));
        let cases = [
            (status_option(word, "finished"), "if such competitors are ranked"),
            (status_option(word, "dns"), "if they did not take part"),
        ];
        Reason::with_options(problem, cases)
    }
}
