//! Columns of outcomes and of winners: the marks of their cells, and what they mean together.

use std::collections::HashMap;

use super::outcomes::{Mark, Numbers, OutcomeStyle, split_scores};
use crate::options::{OutcomeNumbers, ReadOptions};
use crate::schema::games::GameColumns;
use crate::schema::people::paired_names::SIDE_NUMBERS;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::numbers::NumberError;
use crate::values::set_scores::count_won_sets;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Seat, heading_word, parse_seat_heading};
use crate::vocabulary::words::{has_word, split_words};
use ranklore_grid::{FileReadError, Reason};

/// A column of outcomes or winners: the marks of its cells, and their reading.
pub(super) struct OutcomeColumn<'t> {
    pub(super) column: usize,
    pub(super) marks: HashMap<&'t str, Mark>,
    pub(super) style: OutcomeStyle,
    /// True if words say how a game was won, beside a column that says by whom: runs, KO, fall.
    pub(super) tells_kind: bool,
    form: OutcomeForm,
    /// True if numbers are ids of winners: each is one of its row, and some number no side.
    pub(super) holds_ids: bool,
}

/// The form of the cells that say who won.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutcomeForm {
    /// Results, words or numbers.
    Result,
    /// Texts that name the side that won: `Owls won by 8 points`.
    NamedSide,
    /// Scores of several sets, of which the winner won most.
    Sets,
}

impl<'t> OutcomeColumn<'t> {
    /// Reads the marks of a column. `headings` are the normalised headings of the competitors.
    pub(super) fn read(
        table: &'t HeaderTable,
        columns: &GameColumns,
        column: usize,
        options: &ReadOptions,
        headings: &[String; 2],
    ) -> Result<Self, FileReadError> {
        let pairing = columns.pairing;
        let thousands = find_thousands(table, column)?;
        let names_winner = columns.winner == Some(column);
        // A winner beside them decides, also if the scores are those of the winner.
        let is_alone = columns.winner.is_none() && columns.scores.is_none();
        let reads_sets = is_alone && table.grid.limits().reader.refuses_doubts();
        let sets = if reads_sets {
            count_won_sets(table.values(column))
        } else {
            HashMap::new()
        };
        let has_slashes = is_alone && holds_slashed_scores(table, column);
        let is_stated = options.columns.contains_key(table.heading(column));
        if sets.len() >= MIN_WON_BY_FIRST && !is_stated && sets.values().all(|won| won[0] > won[1])
        {
            return Err(refuse_sets_of_winner(table, columns, column));
        }
        // Most cells of a column recur.
        let mut marks: HashMap<&str, Mark> = HashMap::new();
        let column_marks = table.values(column).map(|cell| {
            let mark = marks.entry(cell);
            *mark.or_insert_with(|| match (thousands.get(cell), sets.get(cell)) {
                (Some(&[one, two]), _) => Mark::Scores(one, two),
                (None, Some(&won)) => Mark::Scores(won[0].into(), won[1].into()),
                (None, None) if has_slashes => split_slashed(cell)
                    .map_or(Mark::Open, |[one, two]| Mark::Scores(f64::from(one), f64::from(two))),
                (None, None) => Mark::parse(cell, pairing, headings),
            })
        });
        let mut style =
            OutcomeStyle::from_marks(column_marks, pairing, options.outcome, names_winner);
        style.numbers = count_from_zero(table, columns, column, options).or(style.numbers);
        let tells_kind = !names_winner && tells_kind(table, columns, column, &marks);
        let names_sides = table.grid.limits().reader.refuses_doubts()
            && table.data_rows().any(|row| {
                find_side_that_won(table, columns, row, table.grid.cell(row, column)).is_some()
            });
        Ok(Self {
            column,
            marks,
            style,
            tells_kind,
            form: match names_sides {
                true => OutcomeForm::NamedSide,
                false if sets.is_empty() => OutcomeForm::Result,
                false => OutcomeForm::Sets,
            },
            holds_ids: names_winner && holds_ids(table, columns, column),
        })
    }

    /// Returns the note about the column. `one` is the column of the competitor named first.
    pub(super) fn describe(&self, table: &HeaderTable, one: &str) -> String {
        let column = table.describe_column(self.column);
        match self.style.numbers {
            None if self.form == OutcomeForm::NamedSide => {
                format!("{column} says who won, and how")
            }
            None if self.tells_kind => {
                format!("{column} says how games were won, and not by whom")
            }
            None if self.form == OutcomeForm::Sets => format!("most sets in {column} say who won"),
            None => format!("{column} says who won"),
            _ if self.holds_ids => format!("the numbers in {column} are ids"),
            Some(Numbers::Signs) => {
                format!("1, 0 and -1 in {column} are a win, a draw and a loss of {one}")
            }
            Some(Numbers::Pools) => format!(
                "1, X and 2 in {column} are a win of the first, a draw and a win of the second"
            ),
            Some(Numbers::FromZero) => {
                format!("0 and 1 in {column} are the numbers in the headings of the sides")
            }
            Some(Numbers::Stated(OutcomeNumbers::Winner)) => {
                format!("the numbers in {column} are those of the winner")
            }
            Some(Numbers::Stated(OutcomeNumbers::PointsOfTwo)) => {
                format!("2, 1 and 0 in {column} are the points of {one}")
            }
            _ => format!("1, 0.5 and 0 in {column} are the points of {one}"),
        }
    }
}

/// Returns the reading of a column of 0 and 1 that can be the numbers in the headings of the sides: these only if
/// the options name it as the column of winners.
fn count_from_zero(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
    options: &ReadOptions,
) -> Option<Numbers> {
    if options.outcome.is_some() || !may_count_from_zero(table, columns, column) {
        return None;
    }
    let meaning = options.columns.get(table.heading(column));
    let is_winner = meaning == Some(&ColumnMeaning::Winner);
    let is_asked = is_winner && !may_hold_ids(table, columns, column);
    Some(if is_asked {
        Numbers::FromZero
    } else {
        Numbers::Ambiguous
    })
}

/// True if a column of 0 and 1 can hold the numbers in the headings of the sides: `team_0` and `team_1`. Scores show
/// what an outcome means.
pub(super) fn may_count_from_zero(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
) -> bool {
    let [one, two] = columns.names.map(|column| split_words(table.heading(column)));
    let mut different = one.iter().zip(&two).filter(|(one, two)| one != two);
    table.grid.limits().reader.refuses_doubts()
        && one.len() == two.len()
        && different.next().is_some_and(|(one, two)| (&**one, &**two) == ("0", "1"))
        && different.next().is_none()
        && (columns.winner == Some(column) || columns.scores.is_none())
        && table.holds_only(column, |cell| matches!(cell, "0" | "1"))
}

/// True if the numbers of a column can be ids of the sides.
pub(super) fn may_hold_ids(table: &HeaderTable, columns: &GameColumns, column: usize) -> bool {
    let are_ids = |other: &usize| {
        let words = split_words(table.heading(*other));
        *other != column
            && words.iter().any(|word| has_word(SIDE_NUMBERS, word))
            && table.holds_only(*other, |cell| matches!(cell, "0" | "1"))
    };
    names_sides(table, columns, column)
        || (0..table.grid.width(table.header_row)).any(|c| are_ids(&c))
}

/// True if each number of a column is the id or the name of one side of its row, and some is larger than
/// those of sides.
fn holds_ids(table: &HeaderTable, columns: &GameColumns, column: usize) -> bool {
    table.grid.limits().reader.refuses_doubts()
        && table
            .values(column)
            .any(|cell| cell.parse::<u64>().is_ok_and(|number| number > 2))
        && names_sides(table, columns, column)
}

/// True if each cell of a column is the id or the name of one side of its row.
fn names_sides(table: &HeaderTable, columns: &GameColumns, column: usize) -> bool {
    let sides = || columns.names.into_iter().chain(columns.ids.into_iter().flatten());
    table.data_rows().all(|row| {
        let cell = table.grid.cell(row, column);
        is_blank(cell) || sides().any(|side| table.grid.cell(row, side) == cell)
    })
}

/// The number of games with sets from which it is doubtful that those named first won all.
const MIN_WON_BY_FIRST: usize = 4;

/// Returns the error for sets that may be those of the winners, who can be named second.
fn refuse_sets_of_winner(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
) -> FileReadError {
    let first = table.describe_column(columns.names[0]);
    let outcome = table.column_option(column, ColumnMeaning::Outcome);
    let reason = format!(
        "by their sets, all games are won by {first}: add a column with the winners if these sets are \
         those of the winner, or pass {outcome} if {first} won all"
    );
    table.refuse_column(column, Reason::from(reason).naming([outcome]))
}

/// Returns the scores of the cells in which a mark may group thousands, such as `1.234-998`. Errors if
/// no number of the column shows what the mark means.
fn find_thousands(
    table: &HeaderTable,
    column: usize,
) -> Result<HashMap<&str, [f64; 2]>, FileReadError> {
    let mut thousands = HashMap::new();
    let may_group =
        |score: &str| matches!(score.rsplit_once(['.', ',']), Some((_, end)) if end.len() == 3);
    let is_grouped = |cell: &str| {
        split_scores(cell).is_some_and(|scores| {
            scores.iter().any(|score| may_group(score)) && !scores.contains(&"")
        })
    };
    if !table.grid.limits().reader.refuses_doubts() || !table.values(column).any(is_grouped) {
        return Ok(thousands);
    }
    let scores = table.values(column).filter_map(split_scores).flatten();
    let style = table.style_of(scores.filter(|s| s.len() > 2));
    for row in table.data_rows() {
        let cell = table.grid.cell(row, column);
        let Some(scores) = split_scores(cell).filter(|_| is_grouped(cell)) else {
            continue;
        };
        match scores.map(|score| style.parse(score)) {
            [Ok(one), Ok(two)] => {
                thousands.insert(cell, [one, two]);
            }
            [Err(NumberError::Ambiguous), _] | [_, Err(NumberError::Ambiguous)] => {
                let at = table.grid.location(row, column);
                let number = scores.into_iter().find(|score| may_group(score)).unwrap_or(cell);
                return Err(FileReadError::new(at, NumberError::Ambiguous.reason("score", number)));
            }
            _ => {}
        }
    }
    Ok(thousands)
}

/// True if all cells of a column are scores such as `3/1`, and some are no points such as `1/2`.
fn holds_slashed_scores(table: &HeaderTable, column: usize) -> bool {
    let is_score = |cell: &str| split_slashed(cell).is_some();
    let is_no_point = |cell: &str| {
        let scores = split_slashed(cell);
        scores.is_some_and(|scores| scores.into_iter().max() > Some(2))
    };
    table.grid.limits().reader.refuses_doubts()
        && table.holds_only(column, is_score)
        && table.values(column).any(is_no_point)
}

/// Returns the scores of `3/1`.
fn split_slashed(cell: &str) -> Option<[u8; 2]> {
    let (one, two) = cell.split_once('/')?;
    let parse = |text: &str| {
        let is_plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        is_plain.then(|| text.parse().ok())?
    };
    Some([parse(one.trim())?, parse(two.trim())?])
}

/// Verbs behind the name of a side that won.
const VERBS: [&str; 3] = [" won", " win", " wins"];

/// Ways in which a side can have won: other texts, such as `won the toss`, say something else.
const WAYS: [&str; 6] = ["by ", "on ", "after ", "via ", "in ", "with "];

/// Words of texts in which a side won something else, or in vain.
const NO_WINS: &str =
    "toss lost but overturned abandoned tied drawn draw disqualified not result appeal";

/// Returns the text before the verb of a text that says who won: `Owls` of `Owls won by 8 points`.
pub(super) fn find_name_before_verb(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    if split_words(&lower).iter().any(|word| has_word(NO_WINS, word)) {
        return None;
    }
    // The same bytes, since only ASCII letters change.
    let end = VERBS.iter().find_map(|verb| {
        let end = lower.find(&format!("{verb} ")).or_else(|| {
            let end = lower.len().checked_sub(verb.len())?;
            lower.ends_with(verb).then_some(end)
        })?;
        let way = lower[end + verb.len()..].trim_start();
        let says_how = way.is_empty()
            || way.starts_with(|c: char| c.is_ascii_digit())
            || WAYS.iter().any(|start| way.starts_with(start));
        says_how.then_some(end)
    })?;
    Some(text[..end].trim()).filter(|name| !name.is_empty())
}

/// Returns the side that won as a text says. A column that is headed like those of the side may have
/// its name, too: `team1_full_name`.
pub(super) fn find_side_that_won(
    table: &HeaderTable,
    columns: &GameColumns,
    row: usize,
    text: &str,
) -> Option<Seat> {
    if !table.grid.limits().reader.refuses_doubts() {
        return None;
    }
    let name = find_name_before_verb(text)?;
    let is_named = |column: usize| table.grid.cell(row, column).eq_ignore_ascii_case(name);
    let named = Seat::BOTH.into_iter().find(|seat| is_named(columns.names[seat.index()]));
    named.or_else(|| {
        let mut others = (0..table.grid.width(table.header_row)).filter(|&c| is_named(c));
        others.find_map(|column| {
            let heading = parse_seat_heading(&heading_word(table.heading(column)))?;
            heading
                .pairing
                .filter(|&pairing| pairing == columns.pairing)
                .map(|_| heading.seat)
        })
    })
}

/// True if the words of a column beside a winner or scores say how games were won: runs, KO, fall.
/// None says who won, but some can say that a game was drawn or not played.
fn tells_kind(
    table: &HeaderTable,
    columns: &GameColumns,
    column: usize,
    marks: &HashMap<&str, Mark>,
) -> bool {
    let is_decided = columns.winner.is_some() || columns.scores.is_some();
    if !is_decided || !marks.values().any(|mark| *mark == Mark::Unknown) {
        return false;
    }
    table.data_rows().all(|row| {
        let cell = table.grid.cell(row, column);
        match marks.get(cell) {
            Some(Mark::Open | Mark::Draw | Mark::BothBad | Mark::Cross) | None => true,
            Some(Mark::Unknown) => columns.names.iter().all(|&c| table.grid.cell(row, c) != cell),
            Some(_) => false,
        }
    })
}
