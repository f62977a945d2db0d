//! Refuses tables with a second person in each row, such as a partner or an opponent.

use crate::schema::people::side_results::SideResult;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::kinds::{is_opponent_heading, is_second_person_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::heading_word;
use crate::vocabulary::seats::scores::are_own_and_opposing_scores;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Errors if an unread column names a second person: a rating of the first alone would be wrong.
pub(crate) fn check_second_person(table: &HeaderTable) -> Result<(), FileReadError> {
    let lists_members = table.has_column(ColumnMeaning::Members);
    let first = table.name_column();
    let first_meaning = if table.first_column(ColumnMeaning::Competitor) == Some(first) {
        ColumnMeaning::Competitor
    } else {
        ColumnMeaning::Team
    };
    // A number repeats the heading of the first: `Player 2`.
    let is_numbered = |heading: &str| {
        let word = heading.trim_end_matches(|c: char| c.is_ascii_digit());
        word.len() < heading.len()
            && ColumnMeaning::from_heading(word).is_some_and(|known| known.0 == first_meaning)
    };
    // Points or ratings of opponents name nobody.
    let refuses_doubts = table.grid.limits().reader.refuses_doubts();
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let mut unknown = table.unknown_columns.iter().copied();
    let Some(second) = unknown.find(|&column| {
        let heading = table.heading(column);
        (is_second_person_heading(heading) || (!lists_members && is_numbered(heading)))
            && table.values(column).any(|cell| !is_blank(cell))
            && !(refuses_doubts && table.holds_only(column, is_number))
    }) else {
        return Ok(());
    };
    let ignore = table.ignore_option(second);
    if is_opponent_heading(table.heading(second)) {
        let games = CommandOptions::new("--layout", "games")
            .and(table.column_option(first, ColumnMeaning::Player1))
            .and(table.column_option(second, ColumnMeaning::Player2))
            .and(name_results(table));
        let problem =
            format!("{} names a second competitor in each row", table.describe_column(second));
        let case = format!("if only {} competes", table.describe_column(first));
        let cases = [
            (games, "if each row is a game of both"),
            (ignore, case.as_str()),
        ];
        return Err(table.refuse_column(second, Reason::with_options(problem, cases)));
    }
    let reason = format!(
        "{} names a second competitor in each row, who would get no result: pass {ignore} if only {} competes, or write both names into one cell and pass --members with the text between them",
        table.describe_column(second),
        table.describe_column(first),
    );
    Err(table.refuse_column(second, Reason::from(reason).naming([ignore])))
}

/// Returns the options that read the only column of words such as `W` and `L` as the outcome, if its
/// heading does not say so, or else the only two columns of scores of both.
fn name_results(table: &HeaderTable) -> CommandOptions {
    let is_known = |column: usize| {
        let known = find_game_heading(&heading_word(table.heading(column)));
        known.is_some_and(|(meaning, _)| meaning == ColumnMeaning::Outcome)
    };
    let columns = || 0..table.grid.width(table.header_row);
    let mut outcomes = columns()
        .filter(|&column| table.holds_only(column, |cell| SideResult::parse_word(cell).is_some()));
    let first_outcome = outcomes.next();
    if let Some(outcome) = first_outcome.filter(|_| outcomes.next().is_none()) {
        return Some(outcome)
            .filter(|&column| !is_known(column))
            .map_or(CommandOptions::default(), |column| {
                table.column_option(column, ColumnMeaning::Outcome)
            });
    }
    let is_number = |cell: &str| cell.parse::<u32>().is_ok();
    let numbers: Vec<usize> =
        columns().filter(|&column| table.holds_only(column, is_number)).collect();
    let mut pairs = numbers.iter().flat_map(|&own| {
        let is_pair = move |opposing: &&usize| {
            are_own_and_opposing_scores(table.heading(own), table.heading(**opposing))
        };
        numbers.iter().filter(is_pair).map(move |&opposing| [own, opposing])
    });
    let first_pair = pairs.next();
    first_pair.filter(|_| first_outcome.is_none() && pairs.next().is_none()).map_or(
        CommandOptions::default(),
        |[own, opposing]| {
            table
                .column_option(own, ColumnMeaning::Score1)
                .and(table.column_option(opposing, ColumnMeaning::Score2))
        },
    )
}
