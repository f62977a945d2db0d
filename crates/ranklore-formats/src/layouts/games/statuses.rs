//! Statuses of games: those that were not played, walkovers, and unknown ones beside draws.

use std::collections::BTreeMap;

use crate::schema::game_claims::Pair;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank};
use crate::values::statuses::{StatusWords, status_option};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::heading_word;
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::Quoted;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Statuses of games that were not played, beside those of competitors.
const NOT_PLAYED: &str = "postponed cancelled canceled scheduled timed notstarted upcoming void pst ppd canc ns nc \
     ncnc nocontest noresult \
     verlegt abgesagt reporte annule aplazado cancelado \
     suspendido adiado rinviata rinviato odlozeno odlozene odgodeno przelozony utsatt uppskjuten \
     udsat перенесен відкладено 연기 延期 中止";

/// Statuses of games that ended with their scores, beside those of competitors.
const PLAYED: &str = "ft fulltime matchfinished aet ot afterextratime f fot final finalot played ended closed \
     post done result official over";

/// The number of unknown statuses that a message lists.
const MAX_LISTED: usize = 4;

/// False if a status says that a game was not played. Errors if it may say so.
pub(super) fn counts(words: &StatusWords, text: &str) -> Result<bool, Reason> {
    for word in status_texts(text) {
        // In a table of games, `*` means that there is no result yet.
        if words.is_walkover(word) && word != "*" {
            let problem = format!("{} may mean that the game was not played", Quoted(word));
            let cases = [
                (status_option(word, "finished"), "if such games count"),
                (status_option(word, "dns"), "to leave them out"),
            ];
            return Err(Reason::with_options(problem, cases));
        }
        let is_stated = words.find_stated(word).is_some();
        if !is_stated && word.len() <= 20 && has_word(NOT_PLAYED, &normalise_word(word)) {
            return Ok(false);
        }
        match words.parse(word) {
            Some(CellStatus::DidNotStart) if word != "*" => return Ok(false),
            Some(_) => return Ok(true),
            None => {}
        }
    }
    Ok(true)
}

/// Errors if a status beside equal scores is not known: the game may not have been played, or a
/// shootout may have decided it.
pub(super) fn check_draws(
    table: &HeaderTable,
    columns: &GameColumns,
    words: &StatusWords,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<(), FileReadError> {
    let Some(scores) = columns.scores.filter(|_| !columns.say_who_won()) else {
        return Ok(());
    };
    let Some(status) = columns.statuses.iter().copied().find(|&column| {
        let heading = table.heading(column);
        // A comment can say anything.
        heading_word(heading).contains("status") || stated_meanings.contains_key(heading)
    }) else {
        return Ok(());
    };
    let mut unknown: Vec<&str> = Vec::new();
    let mut games = 0;
    for row in table.data_rows() {
        let text = table.grid.cell(row, status);
        let [one, two] = scores.map(|column| table.grid.cell(row, column));
        if one == two && !is_blank(one) && is_unknown(words, text) {
            games += 1;
            if !unknown.contains(&text) && unknown.len() < MAX_LISTED {
                unknown.push(text);
            }
        }
    }
    let Some(first) = unknown.first() else {
        return Ok(());
    };
    let problem = format!(
        "{} in {} is not a known status, and the scores beside it are equal in {games} {}",
        Quoted(first),
        table.describe_column(status),
        if games == 1 { "game" } else { "games" },
    );
    let state = |status: &str| {
        let options = unknown.iter().map(|word| status_option(word, status));
        options.reduce(CommandOptions::and).unwrap_or_default()
    };
    let cases = [
        (state("finished"), "if such games were drawn"),
        (state("dns"), "to leave them out"),
    ];
    Err(table.refuse_column(status, Reason::with_options(problem, cases)))
}

/// True if a column that is not read says in a row that the game was not played.
pub(super) fn has_unread_status(table: &HeaderTable, columns: &GameColumns, row: usize) -> bool {
    let cells = table.grid.cells(row).enumerate();
    let mut unread = cells.filter(|(column, _)| !columns.used.contains_key(column));
    unread.any(|(_, cell)| {
        // Short words can mean anything in another column.
        (6..=20).contains(&cell.len()) && has_word(NOT_PLAYED, &normalise_word(cell))
    })
}

/// True if a status is neither known nor stated.
fn is_unknown(words: &StatusWords, text: &str) -> bool {
    let is_known = |word: &str| {
        words.parse(word).is_some()
            || has_word(PLAYED, &normalise_word(word))
            || has_word(NOT_PLAYED, &normalise_word(word))
    };
    !is_blank(text) && !status_texts(text).any(is_known)
}

/// Returns the texts of a cell that may be a status: the whole cell, and its last word.
pub(super) fn status_texts(cell: &str) -> impl Iterator<Item = &str> {
    let last = cell.rsplit_once(char::is_whitespace).map(|(_, last)| last);
    std::iter::once(cell).chain(last).filter(|text| !text.is_empty())
}

/// True for a cell such as -1.
pub(super) fn is_negative(cell: &str) -> bool {
    cell.starts_with(['-', '−']) && !is_blank(cell)
}

/// True if negative scores say that a game was not played: both competitors have the same one
/// wherever one has.
pub(super) fn is_negative_unplayed(table: &HeaderTable, scores: Option<Pair>) -> bool {
    scores.is_some_and(|pair| {
        table.data_rows().all(|row| {
            let [one, two] = pair.map(|column| table.grid.cell(row, column));
            one == two || !(is_negative(one) || is_negative(two))
        })
    })
}
