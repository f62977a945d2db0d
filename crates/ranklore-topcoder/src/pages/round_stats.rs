//! The page of a division, with the contents of the results feed.
//!
//! Columns are found by their headers. The page has points but no places, and ratings but no
//! volatilities.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ranklore_source::html::{Cell, HtmlLink, HtmlPage, HtmlRow, Table};
use ranklore_source::{ContestOutcome, Results, SiteReadError, SiteReading};

use crate::contests;
use crate::requests::Division;
use crate::standings::{self, CoderRating, RatedCoder};
use crate::values::numbers::{
    MAX_RATING, MAX_RATING_CHANGE, parse_points, parse_signed, parse_whole, to_hundredths,
};
use crate::values::text::{is_coder_id, is_name, mask_letters};

/// Headers of the columns that are read.
const COLUMNS: [&str; 8] = [
    "Coders",
    "Coding Phase",
    "Challenge Phase",
    "Testing Phase",
    "Final Points",
    "Old Rating",
    "Rating Change",
    "New Rating",
];
const CODER: usize = 0;
const PHASES: [usize; 3] = [1, 2, 3];
const FINAL_POINTS: usize = 4;
const OLD_RATING: usize = 5;
const RATING_CHANGE: usize = 6;
const NEW_RATING: usize = 7;

/// Cell index of each column, and the number of cells per row.
struct Columns {
    indices: [usize; COLUMNS.len()],
    cells: usize,
}

pub(crate) fn read(
    key: &str,
    page: &HtmlPage,
    number: u32,
    division: Division,
) -> Result<SiteReading, SiteReadError> {
    let wrong = |at: &str, expected: String| SiteReadError::new(key, at, expected);
    let mut heads = page.tables.iter().flat_map(|table| {
        let rows = table.rows.iter().zip(0_usize..);
        let heads = rows.filter(|(row, _)| is_header(row));
        heads.map(move |(row, line)| (table, row, line))
    });
    let mut reading = SiteReading::default();
    let outcome = match (heads.next(), heads.next()) {
        (Some((table, head, line)), None) => {
            check_title(key, table, division)?;
            let columns = find_columns(head).ok_or_else(|| {
                wrong(&format!("row[{line}]"), format!("one each of {COLUMNS:?}"))
            })?;
            let rows = table.rows.iter().zip(0_usize..).skip(line + 1);
            let (coders, unrated) = parse_coders(key, rows, &columns, number)?;
            if unrated > 0 && !coders.is_empty() {
                let warning = contests::unrated_warning(number, division, unrated);
                reading.warnings.push(warning);
            }
            if coders.is_empty() {
                ContestOutcome::NotRated
            } else {
                standings::rank_coders(coders, &mut reading.named)
            }
        }
        (Some(_), Some(_)) => return Err(wrong("the head", "one head of columns".to_owned())),
        (None, _) => {
            let numeral = division.roman();
            let nobody = format!("There were no Division {numeral} coders in this round.");
            if !page.cells().any(|cell| cell.text == nobody) {
                let expected =
                    format!("columns under {COLUMNS:?}, or a note that nobody took part");
                return Err(wrong("the head", expected));
            }
            ContestOutcome::NothingYet
        }
    };
    let id = contests::contest_id(number, division);
    reading.results.push(Results::new(id, outcome));
    Ok(reading)
}

fn is_header(row: &HtmlRow) -> bool {
    let labels = [COLUMNS[CODER], COLUMNS[FINAL_POINTS]];
    row.cells.iter().any(|cell| labels.contains(&&*cell.text))
}

/// Checks that the page is about this division.
fn check_title(key: &str, table: &Table, division: Division) -> Result<(), SiteReadError> {
    let mut titles = table
        .rows
        .iter()
        .flat_map(|row| &row.cells)
        .filter(|cell| cell.text.starts_with("Statistics for "));
    let name = format!("Division-{}", division.roman());
    let last_word = titles.next().map(|cell| cell.text.rsplit(' ').next());
    if last_word == Some(Some(name.as_str())) {
        return Ok(());
    }
    let expected = format!("\"Statistics for … > {name}\"");
    Err(SiteReadError::new(key, "the title", expected))
}

fn find_columns(head: &HtmlRow) -> Option<Columns> {
    let mut places = [0; COLUMNS.len()];
    for (place, label) in places.iter_mut().zip(COLUMNS) {
        let cells = head.cells.iter().zip(0..);
        let mut columns = cells.filter(|(cell, _)| cell.text == label);
        *place = columns.next()?.1;
        if columns.next().is_some() {
            return None;
        }
    }
    Some(Columns {
        indices: places,
        cells: head.cells.len(),
    })
}

impl Columns {
    fn cell<'r>(&self, row: &'r HtmlRow, column: usize) -> Option<&'r Cell> {
        row.cells.get(self.indices[column])
    }
}

/// Returns the rated coders, and the number of unrated ones.
fn parse_coders<'p>(
    key: &str,
    rows: impl Iterator<Item = (&'p HtmlRow, usize)>,
    columns: &Columns,
    round: u32,
) -> Result<(Vec<RatedCoder>, usize), SiteReadError> {
    let mut coders = Vec::new();
    let mut unrated = 0;
    let mut values_by_id: HashMap<String, (i64, Option<CoderRating>)> = HashMap::new();
    for (row, line) in rows {
        let wrong = |expected: String| SiteReadError::new(key, format!("row[{line}]"), expected);
        let profile = columns.cell(row, CODER).and_then(|cell| profile_link(cell));
        let Some(link) = profile.filter(|_| row.cells.len() == columns.cells) else {
            check_separator(row).map_err(wrong)?;
            continue;
        };
        let id = parse_coder_id(row, link, round).map_err(wrong)?;
        let points = parse_final_points(row, columns).map_err(wrong)?;
        let rating = parse_rating(row, columns).map_err(wrong)?;
        match values_by_id.entry(id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((to_hundredths(points), rating));
            }
            Entry::Occupied(entry) if *entry.get() == (to_hundredths(points), rating) => continue,
            Entry::Occupied(_) => {
                let expected = "the same values as in the other row of this coder";
                return Err(wrong(expected.to_owned()));
            }
        }
        let Some(rating) = rating else {
            unrated += 1;
            continue;
        };
        if !is_name(&link.text) {
            return Err(wrong("the handle of a coder".to_owned()));
        }
        coders.push(RatedCoder {
            id,
            handle: link.text.clone(),
            points,
            rating,
        });
    }
    if values_by_id.is_empty() {
        let expected = "coders below the head of the columns";
        return Err(SiteReadError::new(key, "the rows", expected));
    }
    Ok((coders, unrated))
}

/// Returns the link to a coder's profile.
fn profile_link(cell: &Cell) -> Option<&HtmlLink> {
    let [link] = cell.links.as_slice() else {
        return None;
    };
    link.parameter("cr").is_some().then_some(link)
}

/// Checks a row between coders: a room or a navigation row.
fn check_separator(row: &HtmlRow) -> Result<(), String> {
    let Some(cell) = row.only_non_empty_cell() else {
        return match row.non_empty_cells().count() {
            0 => Ok(()),
            cells => Err(format!("a coder or a room, not {cells} cells")),
        };
    };
    match cell.links.as_slice() {
        links if links.iter().any(|link| link.text.starts_with("next")) => {
            Err("all rooms on one page".to_owned())
        }
        [link] if link.parameter("c") == Some("room_stats") && link.parameter("rm").is_some() => {
            Ok(())
        }
        [link] if link.href.ends_with("#top") => Ok(()),
        [] if cell.text.starts_with("<< previous") => Ok(()),
        _ => Err(format!("a coder or a room, not {}", mask_letters(cell.text.as_bytes()))),
    }
}

/// Returns the coder's number. Checks that all links agree on it and on the round.
fn parse_coder_id(row: &HtmlRow, profile: &HtmlLink, round: u32) -> Result<String, String> {
    let id = profile.parameter("cr").filter(|id| is_coder_id(id));
    let id = id.ok_or("a link to a coder by number")?;
    if row.links().any(|link| link.parameter("cr").is_some_and(|other| other != id)) {
        return Err("links to one coder".to_owned());
    }
    let round = round.to_string();
    let mut rounds = row.links().filter_map(|link| link.parameter("rd"));
    if rounds.next() != Some(&round) || rounds.any(|other| other != round) {
        return Err(format!("a coder of round {round}"));
    }
    Ok(id.to_owned())
}

fn parse_final_points(row: &HtmlRow, columns: &Columns) -> Result<f64, String> {
    let points_in = |column: usize| {
        let text = columns.cell(row, column).map_or("", |cell| &cell.text);
        parse_points(text.as_bytes()).ok_or_else(|| {
            let text = mask_letters(text.as_bytes());
            format!("{} such as 160.98, not {text}", COLUMNS[column])
        })
    };
    let points = points_in(FINAL_POINTS)?;
    // For rounds with four problems the site gives no points of the coding phase.
    let coding = columns.cell(row, PHASES[0]).map_or("", |cell| &cell.text);
    if !matches!(coding, "" | "0.00") {
        let mut sum = 0;
        for phase in PHASES {
            sum += to_hundredths(points_in(phase)?);
        }
        if (sum - to_hundredths(points)).abs() > 2 {
            return Err(format!("phases that add up to {points:?}"));
        }
    }
    Ok(points)
}

/// Parses the rating; `None` without a new rating.
fn parse_rating(row: &HtmlRow, columns: &Columns) -> Result<Option<CoderRating>, String> {
    let text = |column: usize| {
        let text = columns.cell(row, column).map_or("", |cell| &*cell.text);
        text.as_bytes()
    };
    if text(NEW_RATING).is_empty() && text(RATING_CHANGE).is_empty() {
        return Ok(None);
    }
    let expected = || "an old rating and a change that give the new one".to_owned();
    let before = parse_whole(text(OLD_RATING), MAX_RATING).ok_or_else(expected)?;
    let change = parse_signed(text(RATING_CHANGE)).ok_or_else(expected)?;
    let after = parse_whole(text(NEW_RATING), MAX_RATING).ok_or_else(expected)?;
    let adds_up = i64::from(before) + change == i64::from(after);
    let before = Some(before).filter(|before| *before > 0);
    if !adds_up || before.is_some_and(|before| before.abs_diff(after) > MAX_RATING_CHANGE) {
        return Err(expected());
    }
    Ok(Some(CoderRating {
        before,
        after,
        volatility: None,
    }))
}
