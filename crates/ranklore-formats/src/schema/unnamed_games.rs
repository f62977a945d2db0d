//! Columns of games that no heading names: the results beside known competitors, and all columns of
//! tables without headings.

use std::collections::{BTreeMap, HashSet};

use crate::options::{ReadOptions, StatedLayout};
use crate::schema::game_claims::{Claim, Pair, claims, find_pairs};
use crate::schema::games::score_order::follow;
use crate::schema::people::side_results::SideResult;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{DateError, DateStyle, parse_cell, parse_clock_time};
use crate::vocabulary::kinds::{DateKind, is_place_or_role_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::scores::is_result_or_points;
use crate::vocabulary::seats::{Field, Pairing, Seat, SeatHeading, heading_word, split_side};
use crate::vocabulary::words::normalise_word;
use ranklore_contest::EntrantKind;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason, column_letters};

/// The most rows whose cells are compared.
const MAX_ROWS: usize = 1_000;

/// The most columns of a table without headings that are looked at.
const MAX_COLUMNS: usize = 64;

/// The most readings that a message lists.
const MAX_READINGS: usize = 6;

/// The most digits of a score.
const MAX_SCORE_DIGITS: usize = 3;

/// The columns that say who won.
#[derive(Clone, Copy)]
enum GameResult {
    Scores(Pair),
    /// Both scores or points in one cell: `3-1`.
    Outcome(usize),
    /// The name of one of both sides.
    Winner(usize),
}

impl GameResult {
    fn meanings(self) -> Vec<(usize, ColumnMeaning)> {
        use ColumnMeaning::{Outcome, Score1, Score2, Winner};
        match self {
            Self::Scores([one, two]) => vec![(one, Score1), (two, Score2)],
            Self::Outcome(column) => vec![(column, Outcome)],
            Self::Winner(column) => vec![(column, Winner)],
        }
    }
}

/// Returns the advice to name the columns that say who won, if few readings of these `columns`
/// are possible.
pub(crate) fn name_results(table: &HeaderTable, names: Pair, columns: &[usize]) -> Option<Reason> {
    let cells = Cells {
        grid: &table.grid,
        first_row: table.header_row + 1,
    };
    let is_outcome = |&column: &usize| {
        cells.hold_outcomes(column)
            && DateKind::from_heading(table.heading(column)) == DateKind::Other
    };
    let outcomes: Vec<usize> = columns.iter().copied().filter(is_outcome).collect();
    let scores: Vec<usize> =
        columns.iter().copied().filter(|&column| cells.hold_scores(column)).collect();
    let readings: Vec<GameResult> = match (&outcomes[..], &scores[..]) {
        ([], &[one, two]) if are_alike(table, [one, two]) => {
            let orders = order_scores(table, names, [one, two]);
            orders.into_iter().map(GameResult::Scores).collect()
        }
        ([], scores) => {
            let pairs = find_side_pairs(table, names, scores);
            let initials = find_initials(table, names, scores).filter(|_| pairs.is_empty());
            pairs.into_iter().chain(initials).map(GameResult::Scores).collect()
        }
        (&[_] | &[_, _], _) => outcomes.into_iter().map(GameResult::Outcome).collect(),
        _ => return None,
    };
    if readings.is_empty() || readings.len() > MAX_READINGS {
        return None;
    }
    let is_order_known = !matches!(
        readings[..],
        [GameResult::Scores([one, _]), GameResult::Scores([_, two])] if one == two
    );
    let cases: Vec<(CommandOptions, String)> = readings
        .into_iter()
        .filter_map(|result| {
            let meanings = result.meanings();
            let options = meanings.iter().map(|&(c, meaning)| table.column_option(c, meaning));
            let columns: Vec<usize> = meanings.iter().map(|meaning| meaning.0).collect();
            let verb = if columns.len() > 1 { "do" } else { "does" };
            let case = if is_order_known {
                format!("if {} {verb}", table.describe_columns(&columns))
            } else {
                let [scores, name] = [columns[0], names[0]].map(|c| table.describe_column(c));
                format!("if {scores} has the scores of {name}")
            };
            Some((options.reduce(CommandOptions::and)?, case))
        })
        .collect();
    let listed: Vec<String> =
        cases.iter().map(|(options, case)| format!("{options} {case}")).collect();
    let options = cases.into_iter().map(|case| case.0);
    Some(Reason::from(format!("pass {}", listed.join(", or "))).naming(options))
}

/// Returns the meanings of the named side and of each column that may name the other one, if the headings name
/// one side and the scores of both.
pub(crate) fn find_missing_sides(
    grid: &CellGrid,
    claims: &[Claim],
) -> Vec<[(usize, ColumnMeaning); 2]> {
    let names = claims.iter().enumerate().filter_map(|(column, claim)| match claim {
        Claim::Seat(seat) if matches!(seat.field, Field::Name(..)) => Some((column, seat)),
        _ => None,
    });
    let names: Vec<(usize, &SeatHeading)> = names.collect();
    let [(named, heading)] = names[..] else {
        return Vec::new();
    };
    let pairing = heading.pairing.filter(|&pairing| pairing != Pairing::WinnerLoser);
    let Some(pairing) = pairing.filter(|_| grid.limits().reader.refuses_doubts()) else {
        return Vec::new();
    };
    if find_pairs(claims, pairing, Field::Score(0)).is_empty() {
        return Vec::new();
    }
    let cells = Cells { grid, first_row: 1 };
    let may_name = |&column: &usize| {
        matches!(claims[column], Claim::Unknown)
            && !is_place_or_role_heading(grid.cell(0, column))
            && cells.hold(column, is_name)
            && cells.column(column).any(|cell| cell.len() > 2)
    };
    let meanings = pairing.meanings(EntrantKind::Team);
    let [known, missing] = [heading.seat, heading.seat.other()].map(|s| meanings[s.index()]);
    let others = (0..claims.len().min(MAX_COLUMNS)).filter(may_name);
    others.map(|column| [(named, known), (column, missing)]).collect()
}

/// Returns the only column of a result or of points that is headed as that of the first side, `result_a`: 1 if it
/// won, else 0.
pub(crate) fn find_result_of_first(table: &HeaderTable) -> Option<(usize, ColumnMeaning)> {
    let claims = claims(&table.grid, table.header_row, &BTreeMap::new());
    let mut results = claims.iter().enumerate().filter_map(|(column, claim)| match claim {
        Claim::Seat(seat) if matches!(seat.field, Field::Score(_) | Field::Won) => {
            Some((column, seat))
        }
        _ => None,
    });
    let (column, heading) = results.next().filter(|_| results.next().is_none())?;
    let are_points = heading.seat == Seat::One
        && is_result_or_points(&heading.word)
        && table.grid.limits().reader.refuses_doubts()
        && table.holds_several(column)
        && table.holds_only(column, |cell| matches!(cell, "0" | "1" | "0.5" | "0,5" | "½"));
    are_points.then_some((column, ColumnMeaning::Outcome))
}

/// True if two headings differ in one letter or digit at most: `k1` and `k2`.
fn are_alike(table: &HeaderTable, pair: Pair) -> bool {
    let [one, two] = pair.map(|column| normalise_word(table.heading(column)));
    let differences = one.chars().zip(two.chars()).filter(|(one, two)| one != two).count();
    one.chars().count() == two.chars().count() && differences < 2
}

/// Returns the columns of scores in the order of the names, or in both orders. Scores behind the names are theirs.
/// In the headings of scores that are alike, letters that begin those of both names tell the order: `ptsV` and `ptsH`
/// beside `home` and `visitor`.
fn order_scores(table: &HeaderTable, names: Pair, scores: Pair) -> Vec<Pair> {
    let swapped = [scores[1], scores[0]];
    if !table.grid.limits().reader.refuses_doubts() || follow(names, scores) {
        return vec![scores];
    }
    if follow(names, swapped) {
        return vec![swapped];
    }
    let word = |column: usize| normalise_word(table.heading(column));
    let [one, two] = scores.map(word);
    let Some(marks) = one.chars().zip(two.chars()).find(|(one, two)| one != two) else {
        return vec![scores];
    };
    let [first, second] = names.map(|name| word(name).chars().next());
    let begins = |mark: char, initial: Option<char>| first != second && Some(mark) == initial;
    let in_order = [begins(marks.0, first), begins(marks.1, second)];
    let reversed = [begins(marks.0, second), begins(marks.1, first)];
    let is_counted = matches!(marks, ('0', '1') | ('1', '2') | ('a', 'b')) && names[0] < names[1];
    match (in_order, reversed) {
        ([true, true], _) => vec![scores],
        // Goals for and against are no letters of sides: "gf" and "gc" beside "casa" and "fora".
        (_, [true, true]) if marks != ('f', 'c') => vec![swapped],
        (_, [false, false]) if is_counted => vec![scores],
        _ => vec![scores, swapped],
    }
}

/// Returns the pairs of columns whose headings are a word for each side and one text: `home_res`, `away_res`.
fn find_side_pairs(table: &HeaderTable, names: Pair, scores: &[usize]) -> Vec<Pair> {
    let words: Vec<(usize, String)> = scores
        .iter()
        .map(|&column| (column, heading_word(table.heading(column))))
        .collect();
    let sides = || words.iter().filter_map(|(column, word)| Some((*column, split_side(word)?)));
    let mut pairs = Vec::new();
    let name = heading_word(table.heading(names[0]));
    let pairing_of_names = split_side(&name).map(|side| side.0);
    let is_first =
        |side: &(Pairing, Seat, &str)| side.1 == Seat::One && Some(side.0) == pairing_of_names;
    for (one, (pairing, seat, rest)) in sides().filter(|(_, side)| is_first(side)) {
        let other = sides().find(|(_, side)| *side == (pairing, seat.other(), rest));
        pairs.extend(other.map(|(two, _)| [one, two]));
    }
    pairs
}

/// Returns the only two columns whose headings begin like those of the names and end alike: `hs` and
/// `as` beside `home` and `away`.
fn find_initials(table: &HeaderTable, names: Pair, scores: &[usize]) -> Option<Pair> {
    let word = |column: usize| normalise_word(table.heading(column));
    let initial = |column: usize| word(column).chars().next();
    let mut pairs = scores.iter().flat_map(|&one| {
        let rest = |column: usize| word(column).chars().skip(1).collect::<String>();
        scores.iter().filter_map(move |&two| {
            let [first, second] = names.map(initial);
            let are_sides = initial(one) == first && initial(two) == second && first != second;
            (are_sides && rest(one) == rest(two)).then_some([one, two])
        })
    });
    pairs.next().filter(|_| pairs.next().is_none())
}

/// Errors if a table has no headings, and its cells show that each row is a game.
pub(crate) fn check_games_without_headings(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<(), FileReadError> {
    let may_be_games = matches!(options.layout, None | Some(StatedLayout::Games));
    if grid.records.is_some() || !options.columns.is_empty() || !may_be_games {
        return Ok(());
    }
    let cells = Cells {
        grid,
        first_row: usize::from(grid.has_letters),
    };
    if grid.row_count() <= cells.first_row {
        return Ok(());
    }
    let Some((names, result)) = cells.find_games() else {
        return Ok(());
    };
    let mut meanings = vec![
        (names[0], ColumnMeaning::Player1),
        (names[1], ColumnMeaning::Player2),
    ];
    meanings.extend(result.meanings());
    meanings.extend(cells.find_date().map(|date| (date, ColumnMeaning::Date)));
    let flag = (!grid.has_letters).then(|| CommandOptions::flag("--no-headings"));
    let columns = meanings.iter().map(|&(column, meaning)| {
        let letters = column_letters(column);
        CommandOptions::new("--column", format!("{letters}={}", meaning.as_str()))
    });
    let Some(all) = flag.into_iter().chain(columns).reduce(CommandOptions::and) else {
        return Ok(());
    };
    let listed: Vec<String> = (0..grid.width(cells.first_row))
        .map(|column| grid.cell(cells.first_row, column).to_owned())
        .collect();
    let reason = format!(
        "no headings name the columns, and their cells seem to be games: pass {all} if they are; if not, name columns by their letters, as in --no-headings --column A=competitor; the first row reads {}",
        listed.join(" | ")
    );
    Err(FileReadError::new(
        grid.row_location(cells.first_row),
        Reason::from(reason).naming([all]),
    ))
}

/// The cells of a table from a row on.
struct Cells<'g> {
    grid: &'g CellGrid,
    first_row: usize,
}

impl<'g> Cells<'g> {
    fn column(&self, column: usize) -> impl Iterator<Item = &'g str> + Clone {
        let grid = self.grid;
        let rows = self.first_row..grid.row_count().min(MAX_ROWS);
        rows.map(move |row| grid.cell(row, column))
    }

    /// True if cells that are not blank are of a kind, and more than half of all are not blank.
    fn hold(&self, column: usize, is_kind: impl Fn(&str) -> bool) -> bool {
        let filled = || self.column(column).filter(|cell| !is_blank(cell));
        filled().all(is_kind) && 2 * filled().count() > self.column(column).count()
    }

    /// True if a column holds small whole numbers that differ, and are no numbers of the rows.
    fn hold_scores(&self, column: usize) -> bool {
        let numbers: Vec<u32> =
            self.column(column).filter_map(|cell| cell.trim().parse().ok()).collect();
        self.hold(column, is_score)
            && numbers.windows(2).any(|pair| pair[0] != pair[1])
            && !(numbers.len() > 2 && numbers.windows(2).all(|pair| pair[0] < pair[1]))
    }

    /// True if the first row names a competitor of another row, and is no row of headings.
    fn begins_with_game(&self, pair: Pair) -> bool {
        let first = pair.map(|column| self.grid.cell(self.first_row, column));
        let mut others = pair.into_iter().flat_map(|column| self.column(column).skip(1));
        self.grid.limits().reader.refuses_doubts() && others.any(|name| first.contains(&name))
    }

    /// Returns the column of words for a win, a loss or a draw of the side before it: `Ann,win,Bo`.
    fn find_words(&self, [one, two]: Pair) -> Option<usize> {
        let words = || {
            let cells = self.column(one + 1).filter(|cell| !is_blank(cell));
            cells.map(SideResult::parse_word)
        };
        (one + 2 == two
            && words().all(|word| word.is_some())
            && words().any(|word| word == Some(SideResult::Win)))
        .then_some(one + 1)
    }

    /// True if a column holds both scores of games, such as `1-0` or `½-½`.
    fn hold_outcomes(&self, column: usize) -> bool {
        let is_outcome = |cell: &str| {
            let sides = cell.split_once(['-', '–', ':']).or_else(|| cell.split_once('/'));
            sides.is_some_and(|(one, two)| {
                [one, two].into_iter().all(|side| {
                    let side = side.trim();
                    is_score(side) || matches!(side, "½" | "1/2" | "0.5")
                })
            })
        };
        let are_times = self.hold(column, |cell| parse_clock_time(cell).is_some());
        self.hold(column, is_outcome) && !are_times
    }

    /// Returns the columns of the names of both sides, which recur in each other, and those of the
    /// results.
    fn find_games(&self) -> Option<(Pair, GameResult)> {
        let width = self.grid.width(self.first_row).min(MAX_COLUMNS);
        let names: Vec<(usize, HashSet<&str>)> = (0..width)
            .filter(|&column| self.hold(column, is_name))
            .map(|column| (column, self.column(column).filter(|cell| !is_blank(cell)).collect()))
            .collect();
        let sides: Vec<usize> = names
            .iter()
            .filter(|(column, cells)| {
                let mut others = names.iter().filter(|other| other.0 != *column);
                cells.len() > 1 && others.any(|other| !other.1.is_disjoint(cells))
            })
            .map(|(column, _)| *column)
            .collect();
        let pair = match sides[..] {
            [one, two] => [one, two],
            [one, two, winner] => {
                let pair = [one, two];
                return self
                    .names_winner(pair, winner)
                    .then_some((pair, GameResult::Winner(winner)));
            }
            _ => return None,
        };
        // A competitor plays no game alone.
        let [mut one, mut two] = pair.map(|column| self.column(column));
        if one.by_ref().zip(two.by_ref()).any(|(one, two)| one == two) {
            return None;
        }
        let mut outcomes = (0..width).filter(|&column| self.hold_outcomes(column));
        if let (Some(outcome), None) = (outcomes.next(), outcomes.next()) {
            return Some((pair, GameResult::Outcome(outcome)));
        }
        if let Some(scores) = self.find_scores(pair, width) {
            return Some((pair, GameResult::Scores(scores)));
        }
        let words = self.find_words(pair).filter(|_| self.begins_with_game(pair))?;
        Some((pair, GameResult::Outcome(words)))
    }

    /// True if each cell of a column names one side of its row.
    fn names_winner(&self, pair: Pair, winner: usize) -> bool {
        let [one, two] = pair.map(|column| self.column(column));
        let mut rows = one.zip(two).zip(self.column(winner));
        rows.all(|((one, two), winner)| {
            one != two && (is_blank(winner) || winner == one || winner == two)
        })
    }

    /// Returns the only two columns of scores, or those in the same direction from both names, or
    /// between them.
    fn find_scores(&self, [one, two]: Pair, width: usize) -> Option<Pair> {
        let scores: Vec<usize> = (0..width).filter(|&column| self.hold_scores(column)).collect();
        let is_score = |pair: &Pair| pair.iter().all(|column| scores.contains(column));
        let after = Some([one + 1, two + 1]);
        let before = one.checked_sub(1).map(|before| [before, two - 1]);
        let between = (two == one + 3).then_some([one + 1, two - 1]);
        match scores[..] {
            [first, second] => Some([first, second]),
            _ => [between, after, before].into_iter().flatten().find(is_score),
        }
    }

    /// Returns the only column of dates.
    fn find_date(&self) -> Option<usize> {
        let is_date = |cell: &str| {
            let date = parse_cell(cell, DateStyle::default());
            cell.len() > 5
                && matches!(date, Ok(_) | Err(DateError::Ambiguous | DateError::ShortYear))
        };
        let width = self.grid.width(self.first_row).min(MAX_COLUMNS);
        let mut dates = (0..width).filter(|&column| self.hold(column, is_date));
        dates.next().filter(|_| dates.next().is_none())
    }
}

fn is_name(cell: &str) -> bool {
    cell.contains(char::is_alphabetic) && cell.len() <= 80 && !cell.contains("://")
}

fn is_score(cell: &str) -> bool {
    let cell = cell.trim();
    !cell.is_empty()
        && cell.len() <= MAX_SCORE_DIGITS
        && cell.bytes().all(|byte| byte.is_ascii_digit())
}
