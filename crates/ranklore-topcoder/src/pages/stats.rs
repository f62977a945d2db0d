//! The page of a division, with the contents of the results feed.
//!
//! Columns are found by their headers. The page has points but no places, and ratings but no
//! volatilities.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ranklore_source::html::{Cell, Link, Page, Row, Table};
use ranklore_source::{ContestOutcome, ReadError, Reading};

use crate::ask::Division;
use crate::round;
use crate::standings::{self, Coder, Rating};
use crate::values::number::{MAX_CHANGE, MAX_RATING, hundredths, points, signed, whole};
use crate::values::text::{form, is_coder, is_name};

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
const FINAL: usize = 4;
const OLD: usize = 5;
const CHANGE: usize = 6;
const NEW: usize = 7;

/// Cell index of each column, and the number of cells per row.
struct Columns {
    places: [usize; COLUMNS.len()],
    cells: usize,
}

pub(crate) fn read(
    key: &str,
    page: &Page,
    number: u32,
    division: Division,
) -> Result<Reading, ReadError> {
    let wrong = |at: &str, expected: String| ReadError::new(key, at, expected);
    let mut heads = page.tables.iter().flat_map(|table| {
        let rows = table.rows.iter().zip(0_usize..);
        let heads = rows.filter(|(row, _)| is_head(row));
        heads.map(move |(row, line)| (table, row, line))
    });
    let mut reading = Reading::default();
    let outcome = match (heads.next(), heads.next()) {
        (Some((table, head, line)), None) => {
            check_title(key, table, division)?;
            let columns = columns(head).ok_or_else(|| {
                wrong(&format!("row[{line}]"), format!("one each of {COLUMNS:?}"))
            })?;
            let rows = table.rows.iter().zip(0_usize..).skip(line + 1);
            let (coders, unrated) = coders(key, rows, &columns, number)?;
            if unrated > 0 && !coders.is_empty() {
                let who = if unrated == 1 { "coder" } else { "coders" };
                reading.warnings.push(format!(
                    "round {number}, division {}: {unrated} {who} not rated by the site left out",
                    division.number()
                ));
            }
            if coders.is_empty() {
                ContestOutcome::NotRated
            } else {
                standings::outcome(coders, &mut reading.named)
            }
        }
        (Some(_), Some(_)) => return Err(wrong("the head", "one head of columns".to_owned())),
        (None, _) => {
            let nobody = format!(
                "There were no Division {} coders in this round.",
                division.roman()
            );
            if !page.cells().any(|cell| cell.text == nobody) {
                let expected =
                    format!("columns under {COLUMNS:?}, or a note that nobody took part");
                return Err(wrong("the head", expected));
            }
            ContestOutcome::NothingYet
        }
    };
    reading
        .results
        .push(round::results(number, division, outcome));
    Ok(reading)
}

fn is_head(row: &Row) -> bool {
    let says = |text: &str| row.cells.iter().any(|cell| cell.text == text);
    says(COLUMNS[CODER]) || says(COLUMNS[FINAL])
}

/// Checks that the page is about this division.
fn check_title(key: &str, table: &Table, division: Division) -> Result<(), ReadError> {
    let mut titles = (table.rows.iter())
        .flat_map(|row| &row.cells)
        .filter(|cell| cell.text.starts_with("Statistics for "));
    let due = format!("Division-{}", division.roman());
    let title = titles.next().map(|cell| cell.text.rsplit(' ').next());
    if title == Some(Some(due.as_str())) {
        return Ok(());
    }
    let expected = format!("\"Statistics for … > {due}\"");
    Err(ReadError::new(key, "the title", expected))
}

fn columns(head: &Row) -> Option<Columns> {
    let mut places = [0; COLUMNS.len()];
    for (place, label) in places.iter_mut().zip(COLUMNS) {
        let mut found = head.cells.iter().zip(0..);
        let mut found = found.by_ref().filter(|(cell, _)| cell.text == label);
        *place = found.next()?.1;
        if found.next().is_some() {
            return None;
        }
    }
    Some(Columns {
        places,
        cells: head.cells.len(),
    })
}

impl Columns {
    fn of<'r>(&self, row: &'r Row, column: usize) -> Option<&'r Cell> {
        row.cells.get(self.places[column])
    }
}

/// Returns the rated coders, and the number of unrated ones.
fn coders<'p>(
    key: &str,
    rows: impl Iterator<Item = (&'p Row, usize)>,
    columns: &Columns,
    round: u32,
) -> Result<(Vec<Coder>, usize), ReadError> {
    let (mut coders, mut unrated, mut stood) = (Vec::new(), 0, 0);
    let mut seen: HashMap<String, (i64, Option<Rating>)> = HashMap::new();
    for (row, line) in rows {
        let wrong = |expected: String| ReadError::new(key, format!("row[{line}]"), expected);
        let profile = columns.of(row, CODER).and_then(|cell| profile(cell));
        let Some(link) = profile.filter(|_| row.cells.len() == columns.cells) else {
            between(row).map_err(wrong)?;
            continue;
        };
        stood += 1;
        let id = id(row, link, round).map_err(wrong)?;
        let points = points_of(row, columns).map_err(wrong)?;
        let rating = rating(row, columns).map_err(wrong)?;
        match seen.entry(id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((hundredths(points), rating));
            }
            Entry::Occupied(entry) if *entry.get() == (hundredths(points), rating) => continue,
            Entry::Occupied(_) => {
                return Err(wrong(
                    "the same values as in the other row of this coder".to_owned(),
                ));
            }
        }
        let Some(rating) = rating else {
            unrated += 1;
            continue;
        };
        if !is_name(&link.text) {
            return Err(wrong("the handle of a coder".to_owned()));
        }
        coders.push(Coder {
            id,
            handle: link.text.clone(),
            points,
            rating,
        });
    }
    if stood == 0 {
        return Err(ReadError::new(
            key,
            "the rows",
            "coders below the head of the columns",
        ));
    }
    Ok((coders, unrated))
}

/// Returns the link to a coder's profile.
fn profile(cell: &Cell) -> Option<&Link> {
    let [link] = cell.links.as_slice() else {
        return None;
    };
    link.parameter("cr").is_some().then_some(link)
}

/// Checks a row between coders: a room or a navigation row.
fn between(row: &Row) -> Result<(), String> {
    let Some(cell) = row.only() else {
        return match row.filled().count() {
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
        _ => Err(format!(
            "a coder or a room, not {}",
            form(cell.text.as_bytes())
        )),
    }
}

/// Returns the coder's number. Checks that all links agree on it and on the round.
fn id(row: &Row, profile: &Link, round: u32) -> Result<String, String> {
    let id = profile.parameter("cr").filter(|id| is_coder(id));
    let id = id.ok_or("a link to a coder by number")?;
    if row
        .links()
        .any(|link| link.parameter("cr").is_some_and(|other| other != id))
    {
        return Err("links to one coder".to_owned());
    }
    let round = round.to_string();
    let mut rounds = row.links().filter_map(|link| link.parameter("rd"));
    if rounds.next() != Some(&round) || rounds.any(|other| other != round) {
        return Err(format!("a coder of round {round}"));
    }
    Ok(id.to_owned())
}

fn points_of(row: &Row, columns: &Columns) -> Result<f64, String> {
    let read = |column: usize| {
        let text = columns.of(row, column).map_or("", |cell| &cell.text);
        points(text.as_bytes()).ok_or_else(|| {
            let text = form(text.as_bytes());
            format!("{} such as 160.98, not {text}", COLUMNS[column])
        })
    };
    let found = read(FINAL)?;
    // For rounds with four problems the site gives no points of the coding phase.
    let coding = columns.of(row, PHASES[0]).map_or("", |cell| &cell.text);
    if !matches!(coding, "" | "0.00") {
        let mut sum = 0;
        for phase in PHASES {
            sum += hundredths(read(phase)?);
        }
        if (sum - hundredths(found)).abs() > 2 {
            return Err(format!("phases that add up to {found:?}"));
        }
    }
    Ok(found)
}

/// Parses the rating; `None` without a new rating.
fn rating(row: &Row, columns: &Columns) -> Result<Option<Rating>, String> {
    let text = |column: usize| {
        let text = columns.of(row, column).map_or("", |cell| &*cell.text);
        text.as_bytes()
    };
    if text(NEW).is_empty() && text(CHANGE).is_empty() {
        return Ok(None);
    }
    let expected = || "an old rating and a change that give the new one".to_owned();
    let before = whole(text(OLD), MAX_RATING).ok_or_else(expected)?;
    let change = signed(text(CHANGE)).ok_or_else(expected)?;
    let after = whole(text(NEW), MAX_RATING).ok_or_else(expected)?;
    let adds_up = i64::from(before) + change == i64::from(after);
    let before = Some(before).filter(|before| *before > 0);
    if !adds_up || before.is_some_and(|before| before.abs_diff(after) > MAX_CHANGE) {
        return Err(expected());
    }
    Ok(Some(Rating {
        before,
        after,
        volatility: None,
    }))
}
