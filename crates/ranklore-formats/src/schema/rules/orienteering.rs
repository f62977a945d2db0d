//! Results of orienteering as OE2003, OE2010, OE12 and `MeOS` export them: statuses are codes, and the
//! columns to the right of them describe the club, the class and the course.

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::values::statuses::parse_race_code;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_time_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_grid::FileReadError;

/// Headings of codes in English, German, Swedish and Danish, and French.
const CODES: &str = "classifier wertung status evaluation";

/// Headings of who runs out of competition.
const OUTSIDERS: &str = "nc ak ut ufk";

/// Headings of the short and the long name of the class, beside each other.
const CLASS_NAMES: [&str; 2] = ["short kurz kort court", "long lang"];

/// Returns the column of the codes of orienteering software, beside places and times that do not
/// contradict them.
pub(crate) fn find_race_codes(table: &HeaderTable) -> Option<usize> {
    let place = table.first_column(ColumnMeaning::Place)?;
    let score = table.first_column(ColumnMeaning::Score)?;
    let mut columns = 0..table.grid.width(table.header_row);
    let codes = columns.find(|&column| holds_race_codes(table, column))?;
    let is_contradicted = table.data_rows().any(|row| {
        let is_placed = parse_place(table.grid.cell(row, place)).is_some();
        is_placed && !matches!(table.grid.cell(row, codes), "" | "0")
    });
    (is_time_heading(table.heading(score)) && !is_contradicted).then_some(codes)
}

/// True if a column holds the codes of orienteering software, and nothing else.
fn holds_race_codes(table: &HeaderTable, column: usize) -> bool {
    let is_code = |cell: &str| is_blank(cell) || parse_race_code(cell).is_some();
    has_word(CODES, &normalise_word(table.heading(column)))
        && table.values(column).any(|cell| !is_blank(cell))
        && table.values(column).all(is_code)
}

/// Returns the column that marks who runs out of competition, beside one of codes.
pub(crate) fn find_outsiders(table: &HeaderTable, codes: usize) -> Option<usize> {
    (0..codes).find(|&column| has_word(OUTSIDERS, &normalise_word(table.heading(column))))
}

/// Reads a column of codes as statuses, beside places and times, and the class as the division. The
/// names, the teams and the race to the right of it are those of the club and of the course.
pub(super) fn orienteering_exports(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Competitor, Contest, Division, Status, Surname, Team};
    let Some(codes) = find_race_codes(table) else {
        return Ok(None);
    };
    let columns = 0..table.grid.width(table.header_row);
    let observation = format!(
        "{} holds codes: 0 finished, 1 did not start, 2 did not finish, 3 missed controls and 4 is disqualified, 5 is over time",
        table.describe_column(codes)
    );
    let mut changes = vec![Change::Note(observation.clone())];
    if !table.has_column(Status) {
        changes.push(Change::Means(Status, codes));
    }
    for meaning in [Competitor, Surname, Team, Contest] {
        let right = table.claims(meaning).iter().filter(|claim| claim.1 > codes);
        let recognised = right.filter(|claim| claim.0 != MatchStrength::Stated);
        changes.extend(recognised.map(|claim| Change::MeansNothing(claim.1)));
    }
    let has_word = |column: usize, words| has_word(words, &normalise_word(table.heading(column)));
    let short = columns
        .filter(|&column| column > codes)
        .find(|&column| has_word(column, CLASS_NAMES[0]) && has_word(column + 1, CLASS_NAMES[1]));
    if let Some(short) = short.filter(|_| !table.has_column(Division)) {
        let has_long = table.values(short + 1).all(|cell| !is_blank(cell));
        changes.push(Change::Means(Division, short + usize::from(has_long)));
    }
    Ok(Some(Evidence::new(observation, changes)))
}
