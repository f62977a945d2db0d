//! Finds rows that repeat a game: equal in every cell that the user does not exclude, or seen from the side of the other competitor.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::competitors::Competitors;
use super::outcomes::Mark;
use super::skipped_rows::SkippedRows;
use super::verdicts::Judge;
use crate::schema::games::GameColumns;
use crate::schema::people::identities::strip_zero_fraction;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::set_scores::parse_sets;
use crate::vocabulary::kinds::{is_board_heading, is_opponent_heading, is_set_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Pairing, Seat};
use ranklore_contest::{ContestTime, EntrantKind};

/// Compares the rows that seem to be of one game.
pub(super) struct Repeats<'c, 't> {
    table: &'t HeaderTable,
    columns: &'c GameColumns,
    pub(super) competitors: &'c Competitors<'t>,
    judge: &'c Judge<'t>,
    /// The first rows of the games that have several.
    first_rows: HashSet<usize>,
    cells: HashSet<Vec<&'t str>>,
    /// The columns that the user excludes, which may differ.
    ignored_columns: Vec<usize>,
    /// The columns of the sets, one each.
    set_columns: Vec<usize>,
    /// The number of rows of each order of the competitors, by the first row of the game and the
    /// scores.
    orders: HashMap<(usize, Vec<[u64; 2]>), [u32; 2]>,
    /// The rows that may be mirrors of a game of their day or round, each after the first of these.
    possible_mirrors: Vec<[usize; 2]>,
    /// True if some competitors meet in several rows that are no mirrors.
    has_other_meetings: bool,
    repeated: RepeatedRows,
}

/// The rows that repeat a game.
#[derive(Default)]
pub(super) struct RepeatedRows {
    rows: HashSet<usize>,
    equal: SkippedRows,
    mirrored: SkippedRows,
    /// The number of rows that may repeat a game of their day, and count.
    doubtful: usize,
}

/// The way in which a row repeats another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Equal,
    Mirrored,
}

impl<'c, 't> Repeats<'c, 't> {
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'c GameColumns,
        competitors: &'c Competitors<'t>,
        judge: &'c Judge<'t>,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Self {
        let headings = || table.grid.cells(table.header_row).enumerate();
        let is_ignored =
            |heading: &str| stated_meanings.get(heading) == Some(&ColumnMeaning::Ignore);
        let set_columns = headings().filter(|(_, heading)| is_set_heading(heading));
        let set_columns = set_columns.filter(|(_, heading)| !is_ignored(heading));
        let ignored = headings().filter(|(_, heading)| is_ignored(heading));
        Self {
            set_columns: set_columns.map(|(column, _)| column).collect(),
            ignored_columns: ignored.map(|(column, _)| column).chain(columns.log).collect(),
            table,
            columns,
            competitors,
            judge,
            first_rows: HashSet::new(),
            cells: HashSet::new(),
            orders: HashMap::new(),
            possible_mirrors: Vec::new(),
            has_other_meetings: false,
            repeated: RepeatedRows::default(),
        }
    }

    /// True if a row repeats a row of the game with this first row, which has the same id.
    pub(super) fn repeats_id(&mut self, first_row: usize, row: usize) -> bool {
        let repeat = self.compare(first_row, row);
        self.add(repeat, row)
    }

    /// True if a row repeats a row of the game with this first row, of the same time and competitors.
    /// Nobody plays twice at one time, and teams do not exchange their homes on a day to play to the
    /// same score again; nor does a game repeat the scores of all its sets. Other rows of a day can be
    /// several games.
    pub(super) fn repeats_meeting(
        &mut self,
        first_row: usize,
        row: usize,
        time: ContestTime,
    ) -> bool {
        let repeat = self.compare(first_row, row);
        let has_clock = time.get().rem_euclid(86_400) != 0;
        let is_dated = self.columns.date.is_some();
        let are_teams = self.columns.kind == EntrantKind::Team;
        let are_mirrored_scores = repeat == Some(Repeat::Mirrored) && self.has_scores(row);
        let repeats_sets = !self.sets(row).is_empty();
        let is_in_other_log = repeat == Some(Repeat::Equal)
            && self.table.cell(first_row, self.columns.log)
                != self.table.cell(row, self.columns.log);
        if is_dated
            && (has_clock || (are_teams && are_mirrored_scores) || repeats_sets || is_in_other_log)
        {
            return self.add(repeat, row);
        }
        let is_doubtful = match repeat {
            Some(Repeat::Equal) => are_teams && is_dated,
            Some(Repeat::Mirrored) => self.columns.pairing != Pairing::WhiteBlack,
            None => false,
        };
        if is_doubtful && repeat == Some(Repeat::Mirrored) {
            self.possible_mirrors.push([first_row, row]);
        } else {
            self.has_other_meetings = true;
            self.repeated.doubtful += usize::from(is_doubtful);
        }
        false
    }

    /// Returns the rows that repeat a game. If each game of the table has a mirror, these are no games;
    /// neither are they if both rows of each name one board.
    pub(super) fn finish(mut self) -> RepeatedRows {
        let mirrors = std::mem::take(&mut self.possible_mirrors);
        let is_played = |row: &usize| {
            let has_names =
                Seat::BOTH.iter().all(|&seat| !is_blank(self.competitors.name(*row, seat)));
            has_names && self.scores(*row).is_some()
        };
        let names_opponents = is_opponent_heading(self.table.heading(self.columns.names[1]));
        let are_all_mirrored = mirrors.len() > usize::from(!names_opponents)
            && 2 * mirrors.len() == self.table.data_rows().filter(is_played).count();
        let are_views = names_opponents
            && !self.has_other_meetings
            && mirrors.iter().all(|&rows| self.share_board(rows));
        if are_all_mirrored || are_views {
            for [_, row] in mirrors {
                self.add(Some(Repeat::Mirrored), row);
            }
        } else if self.columns.date.is_some() {
            self.repeated.doubtful += mirrors.len();
        }
        self.repeated
    }

    /// True if both rows name one board or table.
    fn share_board(&self, [one, two]: [usize; 2]) -> bool {
        let headings = self.table.grid.cells(self.table.header_row).enumerate();
        let mut boards = headings.filter(|(_, heading)| is_board_heading(heading));
        boards.any(|(column, _)| {
            let board = self.table.grid.cell(one, column);
            !is_blank(board) && board == self.table.grid.cell(two, column)
        })
    }

    fn add(&mut self, repeat: Option<Repeat>, row: usize) -> bool {
        match repeat {
            None => return false,
            Some(Repeat::Equal) => self.repeated.equal.add(row),
            Some(Repeat::Mirrored) => self.repeated.mirrored.add(row),
        }
        self.repeated.rows.insert(row);
        true
    }

    fn compare(&mut self, first_row: usize, row: usize) -> Option<Repeat> {
        if self.first_rows.insert(first_row) {
            self.remember(first_row, first_row);
        }
        self.remember(first_row, row)
    }

    /// Remembers a row of a game. Returns how it repeats an earlier one.
    fn remember(&mut self, first_row: usize, row: usize) -> Option<Repeat> {
        let cells = self.table.grid.cells(row).enumerate();
        let compared = cells.filter(|(column, _)| !self.ignored_columns.contains(column));
        if !self.cells.insert(compared.map(|(_, cell)| cell).collect()) {
            return Some(Repeat::Equal);
        }
        let scores = self.scores(row)?;
        let [one, two] = Seat::BOTH.map(|seat| self.competitors.key(row, seat));
        let order = usize::from(one > two);
        let ordered = match order {
            0 => scores,
            _ => scores.into_iter().map(|[one, two]| [two, one]).collect(),
        };
        let unmatched = self.orders.entry((first_row, ordered)).or_default();
        if unmatched[1 - order] > 0 {
            unmatched[1 - order] -= 1;
            return Some(Repeat::Mirrored);
        }
        unmatched[order] += 1;
        None
    }

    /// Returns the bits of both scores of a row, or the scores of its sets, or the bits of the points of
    /// its outcome.
    fn scores(&self, row: usize) -> Option<Vec<[u64; 2]>> {
        let cell = |column| self.table.grid.cell(row, column);
        let [one, two]: [f64; 2] = match (self.columns.scores, self.sets(row)) {
            (Some([one, two]), _) => [cell(one).parse().ok()?, cell(two).parse().ok()?],
            (None, sets) if !sets.is_empty() => return Some(sets),
            // Two games with one winner may differ in the sides.
            (None, _) if self.columns.pairing != Pairing::Numbered && !self.has_scores(row) => {
                return None;
            }
            (None, _) => self.judge.points(self.judge.outcome_mark(row)?)?,
        };
        Some(vec![[one.to_bits(), two.to_bits()]])
    }

    /// Returns the scores of the sets of a row: those in one cell, or in a column for each set.
    fn sets(&self, row: usize) -> Vec<[u64; 2]> {
        let columns = self.set_columns.iter().copied().chain(self.columns.outcome);
        let cells: Vec<&str> = columns.map(|column| self.table.grid.cell(row, column)).collect();
        let mut lists = cells.iter().map(|cell| parse_sets(cell));
        let sets = lists.find(|sets| !sets.is_empty());
        let sets = sets.unwrap_or_else(|| parse_sets(&cells.join(" ")));
        sets.into_iter().map(|scores| scores.map(u64::from)).collect()
    }

    /// True if a row has scores, and not only a winner.
    fn has_scores(&self, row: usize) -> bool {
        let mark = self.judge.outcome_mark(row);
        self.columns.scores.is_some() || matches!(mark, Some(Mark::Scores(..)))
    }
}

impl RepeatedRows {
    pub(super) fn contains(&self, row: usize) -> bool {
        self.rows.contains(&row)
    }

    pub(super) fn notes(&self, table: &HeaderTable) -> impl Iterator<Item = String> {
        let doubtful = match self.doubtful {
            0 => None,
            1 => Some("1 row counts that".to_owned()),
            count => Some(format!("{count} rows count that")),
        };
        let doubtful = doubtful.map(|rows| {
            format!(
                "{rows} may repeat a game of the same day, competitors and result: remove it if so"
            )
        });
        let equal = self.equal.note(
            table,
            "row that is equal to another in every cell",
            "rows that are equal to another in every cell",
        );
        let mirrored = self.mirrored.note(
            table,
            "row with a game seen from the other side",
            "rows with a game seen from the other side",
        );
        equal.into_iter().chain(mirrored).chain(doubtful)
    }
}

/// Returns the rows whose id occurs in several rows that differ, each with another one.
pub(super) fn find_repeated_ids(
    table: &HeaderTable,
    columns: &GameColumns,
    repeats: &mut Repeats<'_, '_>,
) -> HashMap<usize, usize> {
    let mut repeated = HashMap::new();
    let key = match (columns.id, columns.number, columns.event_id) {
        (Some(id), ..) => [None, Some(id)],
        (None, Some(number), Some(event)) => [Some(event), Some(number)],
        _ => return repeated,
    };
    let rows = table.data_rows();
    let mut first_rows: HashMap<[&str; 2], usize> = HashMap::with_capacity(rows.len());
    for row in rows {
        let id = key.map(|column| strip_zero_fraction(table.cell(row, column)));
        if id[1].is_empty() {
            continue;
        }
        let first_row = *first_rows.entry(id).or_insert(row);
        if first_row != row && !repeats.repeats_id(first_row, row) {
            repeated.insert(row, first_row);
            // The first row of an id names the second.
            repeated.entry(first_row).or_insert(row);
        }
    }
    repeated
}

/// True if two rows with one id are hardly one game: their competitors differ, and nobody plays twice at one
/// time of the day.
pub(super) fn are_two_games(table: &HeaderTable, columns: &GameColumns, rows: [usize; 2]) -> bool {
    let [names, other_names] = rows.map(|row| columns.names.map(|c| table.grid.cell(row, c)));
    let shared = names.iter().filter(|name| other_names.contains(name)).count();
    let [time, other_time] =
        rows.map(|row| [columns.date, columns.time_of_day].map(|column| table.cell(row, column)));
    let has_clock = columns.time_of_day.is_some() || time[0].contains(':');
    table.grid.limits().reader.refuses_doubts()
        && columns.versus.is_none()
        && (shared == 0 || (shared == 1 && !(has_clock && time == other_time)))
}
