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
    /// The number of rows of each order of the competitors, by the first row of the game and the
    /// scores.
    orders: HashMap<(usize, [u64; 2]), [u32; 2]>,
    /// The rows that may be mirrors of a game of their day or round.
    possible_mirrors: Vec<usize>,
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
        let headings = table.grid.cells(table.header_row).enumerate();
        let is_ignored =
            |heading: &str| stated_meanings.get(heading) == Some(&ColumnMeaning::Ignore);
        let ignored = headings.filter(|(_, heading)| is_ignored(heading));
        Self {
            ignored_columns: ignored.map(|(column, _)| column).collect(),
            table,
            columns,
            competitors,
            judge,
            first_rows: HashSet::new(),
            cells: HashSet::new(),
            orders: HashMap::new(),
            possible_mirrors: Vec::new(),
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
    /// same score again. Other rows of a day can be several games.
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
        if is_dated && (has_clock || (are_teams && are_mirrored_scores)) {
            return self.add(repeat, row);
        }
        let is_doubtful = match repeat {
            Some(Repeat::Equal) => are_teams && is_dated,
            Some(Repeat::Mirrored) => self.columns.pairing != Pairing::WhiteBlack,
            None => false,
        };
        if is_doubtful && repeat == Some(Repeat::Mirrored) {
            self.possible_mirrors.push(row);
        } else {
            self.repeated.doubtful += usize::from(is_doubtful);
        }
        false
    }

    /// Returns the rows that repeat a game. If each game of the table has a mirror, these are no games.
    pub(super) fn finish(mut self) -> RepeatedRows {
        let mirrors = std::mem::take(&mut self.possible_mirrors);
        let is_played = |row: &usize| {
            let has_names =
                Seat::BOTH.iter().all(|&seat| !is_blank(self.competitors.name(*row, seat)));
            has_names && self.scores(*row).is_some()
        };
        if mirrors.len() > 1
            && 2 * mirrors.len() == self.table.data_rows().filter(is_played).count()
        {
            for row in mirrors {
                self.add(Some(Repeat::Mirrored), row);
            }
        } else if self.columns.date.is_some() {
            self.repeated.doubtful += mirrors.len();
        }
        self.repeated
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
        let ordered = if order == 0 {
            scores
        } else {
            [scores[1], scores[0]]
        };
        let unmatched = self.orders.entry((first_row, ordered)).or_default();
        if unmatched[1 - order] > 0 {
            unmatched[1 - order] -= 1;
            return Some(Repeat::Mirrored);
        }
        unmatched[order] += 1;
        None
    }

    /// Returns the bits of both scores of a row, or of the points of its outcome.
    fn scores(&self, row: usize) -> Option<[u64; 2]> {
        let cell = |column| self.table.grid.cell(row, column);
        let [one, two]: [f64; 2] = match self.columns.scores {
            Some([one, two]) => [cell(one).parse().ok()?, cell(two).parse().ok()?],
            // Two games with one winner may differ in the sides.
            None if self.columns.pairing != Pairing::Numbered && !self.has_scores(row) => {
                return None;
            }
            None => self.judge.points(self.judge.outcome_mark(row)?)?,
        };
        Some([one.to_bits(), two.to_bits()])
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
