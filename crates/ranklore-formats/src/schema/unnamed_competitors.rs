//! Tables in which no heading names competitors: the reason, and the column or the array that may.

use std::collections::HashSet;

use crate::schema::header_row::SEARCHED_ROWS;
use crate::schema::series::is_result;
use crate::schema::table::{list_first, shorten};
use crate::values::dates::parse_year;
use crate::vocabulary::kinds::{
    describes_contest, is_opponent_heading, is_total_heading, is_year_heading, names_no_competitor,
};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_non_round_heading;
use crate::vocabulary::seats::{heading_word, parse_side_word};
use crate::vocabulary::weekdays::is_weekday;
use crate::vocabulary::words::{has_word, split_words};
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason, Records, column_letters};

/// Returns the error for a table in which no column names competitors, with the column that may.
pub(crate) fn refuse_table(grid: &CellGrid) -> FileReadError {
    if grid.row_count() == 0 {
        return FileReadError::whole_document("the table is empty");
    }
    let refuse = |reason| FileReadError::new(grid.row_location(0), reason);
    if let Some(problem) = describe_cells(grid) {
        return refuse(problem.into());
    }
    let cells: Vec<String> = grid.cells(0).map(shorten).collect();
    let first = list_first(&cells, " | ");
    let (problem, listed) = if grid.records.is_some() {
        (
            "no field is called competitor, player, name or the like".to_owned(),
            "the fields are",
        )
    } else {
        let problem = format!(
            "no column is headed competitor, player, name or the like in the first {SEARCHED_ROWS} rows"
        );
        (problem, "the first row reads")
    };
    let mut reason = Reason::from(problem);
    reason.append(advise_names(grid));
    if grid.records.is_none()
        && !has_values(grid)
        && grid.cells(0).any(names_contests)
        && !grid.cells(0).any(ranks_competitors)
        && may_be_competitors(grid)
    {
        let option = CommandOptions::new("--layout", "contests");
        let advice =
            format!("if each row is a contest and each column a competitor, pass {option}");
        reason.append(Reason::from(advice).naming([option]));
    }
    reason.append(format!("{listed} {first}").into());
    refuse(reason)
}

/// Returns the advice to name the column of competitors: a field or a heading; without headings, or
/// below a blank one, its letter; or the array whose elements are games.
fn advise_names(grid: &CellGrid) -> Reason {
    let state = |heading: &str| CommandOptions::new("--column", format!("{heading}=competitor"));
    let texts = find_texts(grid);
    let letters = texts.map_or("A".to_owned(), column_letters);
    match &grid.records {
        Some(Records::Elements(paths)) if !paths.games.is_empty() => {
            let options = paths.games.iter().map(|path| CommandOptions::new("--rows", path));
            let options: Vec<CommandOptions> = options.collect();
            let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
            Reason::from(format!("pass {} to read the games", listed.join(" or "))).naming(options)
        }
        Some(_) => {
            let named = find_inner_names(grid).or(texts).map(|column| grid.cell(0, column));
            let option = state(&shorten(named.unwrap_or("FIELD")));
            Reason::from(format!("name it with {option}")).naming([option])
        }
        None if has_values(grid) => {
            let mut option = CommandOptions::flag("--no-headings").and(state(&letters));
            let are_standings = texts.is_some_and(|names| are_standings(grid, names));
            if are_standings {
                option = option.and(CommandOptions::new("--column", "A=place"));
            }
            let named =
                texts.filter(|&names| are_standings || has_only_names_and_numbers(grid, names));
            let named = named.map(|_| option.clone());
            let advice = format!(
                "name it with --column HEADING=competitor; if there are no headings, name columns by their letters, as in {option}"
            );
            Reason::from(advice).naming(named)
        }
        None => {
            let heading = texts.map_or("HEADING".to_owned(), |c| shorten(grid.cell(0, c)));
            let option = state(if heading.is_empty() {
                &letters
            } else {
                &heading
            });
            let named = texts.map(|_| option.clone());
            let advice = match describe_others(grid).filter(|_| texts.is_none()) {
                Some(others) => format!("name it with {option}, or {others}"),
                None => format!("name it with {option}"),
            };
            Reason::from(advice).naming(named)
        }
    }
}

/// Returns the advice for a table that names only the opponents of a player, or several competitors in a row.
fn describe_others(grid: &CellGrid) -> Option<String> {
    let describe = |column: usize| {
        format!("{} ({})", Quoted(&shorten(grid.cell(0, column))), column_letters(column))
    };
    let mut columns = 0..grid.width(0);
    let opponent = columns.clone().find(|&column| is_opponent_heading(grid.cell(0, column)));
    if let Some(opponent) = opponent {
        return Some(format!(
            "add a column \"player\" with those who met the opponents in {}",
            describe(opponent)
        ));
    }
    let sibling = columns.find_map(|column| Some((column, find_sibling(grid, column)?)));
    sibling.filter(|_| !has_values(grid)).map(|(one, two)| {
        format!(
            "write one row for each competitor in place of columns such as {} and {}",
            describe(one.min(two)),
            describe(one.max(two))
        )
    })
}

/// Returns the reason why the cells of a text do not stand below the first row, if they do not.
fn describe_cells(grid: &CellGrid) -> Option<String> {
    let rows = grid.row_count();
    if grid.records.is_some() || grid.sheet.is_some() || grid.has_letters || rows < 2 {
        return None;
    }
    let widths = || (1..rows).map(|row| grid.filled_width(row));
    let first = grid.filled_width(0);
    let width = widths().find(|&width| width > first)?;
    let wider = widths().filter(|&width| width > first).count();
    (first > 1 && 2 * wider > rows - 1).then(|| {
        format!(
            "the first line has {first} cells and most others have more, such as {width}: give each column a heading"
        )
    })
}

/// True if a heading means places or scores: other columns of such a table are hardly competitors.
fn ranks_competitors(heading: &str) -> bool {
    let meaning = ColumnMeaning::from_heading(heading).map(|known| known.0);
    meaning.is_some_and(|meaning| matches!(meaning, ColumnMeaning::Place | ColumnMeaning::Score))
}

/// True if a heading says that each row is a contest, or has a date.
fn names_contests(heading: &str) -> bool {
    use ColumnMeaning::{Contest, ContestId, Date, Event};
    let meaning = ColumnMeaning::from_heading(heading).map(|known| known.0);
    meaning.is_some_and(|meaning| matches!(meaning, Contest | ContestId | Date | Event))
        || is_year_heading(heading)
}

/// True if two columns without a meaning hold results below names, and no heading is a total, whose parts they
/// would be.
fn may_be_competitors(grid: &CellGrid) -> bool {
    let rows = 1..grid.row_count().min(SEARCHED_ROWS);
    let names = (0..grid.width(0)).filter(|&column| {
        let heading = grid.cell(0, column);
        !heading.is_empty()
            && ColumnMeaning::from_heading(heading).is_none()
            && !is_non_round_heading(heading)
            && rows.clone().any(|row| is_result(grid.cell(row, column)))
    });
    names.count() > 1 && !grid.cells(0).any(is_total_heading)
}

/// Returns the field of records that names competitors within an object that is not known.
fn find_inner_names(grid: &CellGrid) -> Option<usize> {
    use ColumnMeaning::{Competitor, CompetitorId, Team, TeamId};
    grid.records.as_ref()?;
    grid.cells(0).position(|path| {
        let inner = Some(path).filter(|path| !path.starts_with("outer."));
        let field = inner
            .and_then(|path| path.rsplit_once('.'))
            .and_then(|(_, field)| ColumnMeaning::from_heading(field));
        matches!(field, Some((Competitor | CompetitorId | Team | TeamId, _)))
    })
}

/// Returns the different texts below a heading.
fn texts(grid: &CellGrid, column: usize) -> HashSet<&str> {
    let rows = 1..grid.row_count().min(SEARCHED_ROWS);
    let cells = rows.map(|row| grid.cell(row, column));
    let is_text = |cell: &&str| {
        cell.len() > 2 && !cell.contains(|c: char| c.is_ascii_digit()) && !is_weekday(cell)
    };
    cells.filter(is_text).collect()
}

/// Returns the first column with texts below its heading, which mostly differ: names, perhaps. Columns that hardly
/// name competitors come last. Two columns with the same texts are sides of games.
fn find_texts(grid: &CellGrid) -> Option<usize> {
    let rows = 1..grid.row_count().min(SEARCHED_ROWS);
    // A side has an opponent in another column.
    let names_others = |heading: &str| {
        !grid.has_letters
            && (parse_side_word(&heading_word(heading)).is_some() || names_no_competitor(heading))
    };
    let columns = (0..grid.width(0)).filter(|&column| !names_others(grid.cell(0, column)));
    let columns: Vec<usize> = columns
        .filter(|&column| {
            let count = texts(grid, column).len();
            count > 1 && count * 3 > rows.len() * 2 && find_sibling(grid, column).is_none()
        })
        .collect();
    let describes = |column: usize| !grid.has_letters && describes_contest(grid.cell(0, column));
    let best = columns.iter().copied().find(|&column| !describes(column));
    // The city of a venue is no competitor.
    let best = best.filter(|&column| !has_word("city town", &heading_word(grid.cell(0, column))));
    let names = best.or(columns.first().copied())?;
    let is_side = |column: usize| texts(grid, column).intersection(&texts(grid, names)).count() > 1;
    let are_sides = grid.has_letters && (names + 1..grid.width(0)).any(is_side);
    (!are_sides).then_some(names)
}

/// Returns another column of texts whose heading has another number or whose texts recur, if each row has several
/// competitors.
fn find_sibling(grid: &CellGrid, column: usize) -> Option<usize> {
    if grid.has_letters || grid.cells(0).any(ranks_competitors) {
        return None;
    }
    let words = split_words(grid.cell(0, column));
    let names = texts(grid, column);
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    (0..grid.width(0)).find(|&other| {
        let other_words = split_words(grid.cell(0, other));
        let pairs = words.iter().zip(&other_words);
        let different: Vec<_> = pairs.filter(|(one, two)| one != two).collect();
        let other_names = texts(grid, other);
        let recurs = 2 * names.intersection(&other_names).count() >= names.len();
        other_words.len() == words.len()
            && words.len() > 1
            && !other_names.is_empty()
            && matches!(different[..], [(one, two)] if recurs || (is_number(one) && is_number(two)))
    })
}

/// True if a table without headings has numbers that are no years beside names: others can be games, or
/// results of several contests.
fn has_only_names_and_numbers(grid: &CellGrid, names: usize) -> bool {
    grid.width(0) <= 2 && cells_beside(grid, names).all(is_plain_number)
}

/// True if the first column of a table without headings has places, from 1 downwards, and the others no
/// dates or results of games.
fn are_standings(grid: &CellGrid, names: usize) -> bool {
    let mut ranks = (0..grid.row_count()).map(|row| grid.cell(row, 0).parse::<u32>().ok());
    let mut last = 1;
    let are_places = names > 0
        && ranks.next() == Some(Some(1))
        && ranks.all(|rank| {
            let before = std::mem::replace(&mut last, rank.unwrap_or(0));
            before <= last
        });
    let is_text = |cell: &str| !cell.contains(|c: char| c.is_ascii_digit());
    are_places && cells_beside(grid, names).all(|cell| is_plain_number(cell) || is_text(cell))
}

fn cells_beside(grid: &CellGrid, column: usize) -> impl Iterator<Item = &str> {
    let others = (0..grid.width(0)).filter(move |&other| other != column);
    others.flat_map(move |other| (0..grid.row_count()).map(move |row| grid.cell(row, other)))
}

fn is_plain_number(cell: &str) -> bool {
    cell.is_empty() || (cell.parse::<f64>().is_ok() && parse_year(cell).is_none())
}

/// True if the first row has numbers, as rows of values have and headings seldom.
fn has_values(grid: &CellGrid) -> bool {
    // A heading such as "500m" is none.
    let is_number = |cell: &str| {
        cell.len() < 12
            && cell.starts_with(|c: char| c.is_ascii_digit())
            && !cell.contains(|c: char| c.is_alphabetic())
    };
    grid.row_count() > 0 && grid.cells(0).any(is_number)
}
