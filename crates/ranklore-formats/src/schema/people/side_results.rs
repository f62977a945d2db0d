//! Two columns with a word for each side of a game: `win` beside `loss`, `True` beside `False`.

use crate::schema::evidence::Evidence;
use crate::schema::game_claims::{Claim, Pair, STATED, find_pairs};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Field, Pairing};
use crate::vocabulary::words::has_word;

const WON: &str = "w win won wins winner true yes 胜 勝";
const LOST: &str = "l loss lost lose loses loser false no 负 負";
const DRAWN: &str = "d draw drawn tie tied 平";

/// Returns the columns that say of each side if it won.
pub(crate) fn find_side_results(
    table: &HeaderTable,
    claims: &[Claim],
    pairing: Pairing,
) -> Option<Pair> {
    let is_stated =
        |pair: &Pair| matches!(&claims[pair[0]], Claim::Seat(heading) if heading.word == STATED);
    // There, the first side won.
    if pairing == Pairing::WinnerLoser || !table.grid.limits().reader.refuses_doubts() {
        return None;
    }
    let fields = [Field::Won, Field::Score(0)].into_iter();
    let mut pairs = fields.flat_map(|field| find_pairs(claims, pairing, field));
    pairs.find(|pair| {
        let rows = table.data_rows();
        !is_stated(pair) && are_opposite(rows.map(|row| pair.map(|c| table.grid.cell(row, c))))
    })
}

/// True if one side lost where the other one won, in each row that has words for both and in some.
pub(crate) fn are_opposite<'c>(rows: impl Iterator<Item = [&'c str; 2]>) -> bool {
    let mut decided = 0;
    for cells in rows {
        match join(&cells).as_str() {
            "win/loss" | "loss/win" => decided += 1,
            "" | "draw/draw" => {}
            // Both can have a word for a game that was not played.
            _ if cells[0] == cells[1] && SideResult::parse(cells[0]).is_none() => {}
            _ => return false,
        }
    }
    decided > 0
}

/// Reads both columns as one with the results of the first side: `win/loss`.
pub(crate) fn join_side_results(table: &HeaderTable, pair: Pair) -> Evidence {
    let columns = table.describe_columns(&pair);
    let note = format!("{columns} say who won");
    Evidence::join(&pair, ColumnMeaning::Outcome, join, note)
}

fn join(cells: &[&str]) -> String {
    match cells {
        [one, two] if is_blank(one) && is_blank(two) => String::new(),
        [one, two] => match [one, two].map(|cell| SideResult::parse(cell)) {
            [Some(one), Some(two)] => format!("{}/{}", one.as_str(), two.as_str()),
            _ if one == two => (*one).to_owned(),
            _ => format!("{one}/{two}"),
        },
        _ => String::new(),
    }
}

/// The result of a game for one of its sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SideResult {
    Win,
    Draw,
    Loss,
}

impl SideResult {
    /// Parses a word for a side that won, lost or drew, also flags such as `yes`.
    fn parse(cell: &str) -> Option<Self> {
        let word = cell.trim().to_lowercase();
        let meanings = [(WON, Self::Win), (LOST, Self::Loss), (DRAWN, Self::Draw)];
        let known = meanings.into_iter().find(|(words, _)| has_word(words, &word));
        known.map(|(_, result)| result)
    }

    /// Parses a word such as `W`, `loss` or `draw`. A flag such as `yes` may mean anything.
    pub(crate) fn parse_word(cell: &str) -> Option<Self> {
        Self::parse(cell).filter(|_| !has_word("true false yes no", &cell.to_lowercase()))
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}
