//! Scoresheets: which judge gave which couple which mark.

use std::collections::{HashMap, HashSet};

use ranklore_source::{ReadError, Reading};

use crate::ask::{self, Question, Sheet};
use crate::couple::parts;
use crate::page::{Cell, Page, Row, Table};
use crate::text::{decode, form, is_name};

/// The form with which people choose a round.
pub(crate) const FORM: &str = "selectRound";

/// Between the names of a couple on a scoresheet.
pub(crate) const BETWEEN: &str = ", ";

/// The dance that is none: the results of all dances of a heat.
const SUMMARY: &str = "Summary";

/// A mark is a place, or a sign that somebody goes on to the next round.
const MAX_MARK_CHARS: usize = 16;

/// The marks of one round of a heat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoresheet {
    /// The competition, by its id.
    pub event: String,
    /// The heat, by its id within the competition.
    pub heat: String,
    /// What the site calls the round that is shown: `Final`.
    pub round: String,
    /// Every round there is, with the number it is asked for by; 0 is the final. Empty where the
    /// final is all there is.
    pub rounds: Vec<(u8, String)>,
    /// One for each dance, and a last one called `Summary` where there are several.
    pub sections: Vec<Section>,
    /// Back numbers, each with the names behind it, leader first; without where they come from.
    pub couples: Vec<(u32, String)>,
    /// The judges' numbers or letters, each with a name.
    pub judges: Vec<(String, String)>,
}

/// The marks of one dance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The dance.
    pub name: String,
    /// Who gave the marks, by number: judges. In the summary, the dances.
    pub columns: Vec<String>,
    /// A row for each couple, in the order of the site.
    pub rows: Vec<Marks>,
}

/// What one couple was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The couple's back number.
    pub couple: u32,
    /// One for each of [`Section::columns`], as it stands there; may be empty.
    pub marks: Vec<String>,
    /// What came of the marks: the place, as it stands there. Earlier rounds have none.
    pub place: Option<String>,
}

/// Reads a scoresheet, of any round, under the key of its request.
///
/// # Errors
/// [`ReadError`], naming the document, the table and row, and what was expected there.
pub fn scoresheet(request_key: &str, body: &[u8]) -> Result<Scoresheet, ReadError> {
    let Some(Question::Scoresheet(sheet)) = Question::parse(request_key) else {
        let expected = "the question for a scoresheet";
        return Err(ReadError::whole(request_key, expected));
    };
    let text = decode(body);
    let page = Page::read(&text);
    page.check_whole(request_key)?;
    read_page(request_key, &page, &sheet)
}

/// What to ask for after a scoresheet: those of the other rounds.
pub(crate) fn read(key: &str, page: &Page, sheet: &Sheet) -> Result<Reading, ReadError> {
    let found = read_page(key, page, sheet)?;
    let mut reading = Reading::default();
    if sheet.round.is_none() {
        for (round, label) in found.rounds {
            if label != found.round {
                let round = Some(round);
                let sheet = sheet.clone();
                reading
                    .follow
                    .push(ask::scoresheet(&Sheet { round, ..sheet }));
            }
        }
    }
    Ok(reading)
}

fn read_page(key: &str, page: &Page, sheet: &Sheet) -> Result<Scoresheet, ReadError> {
    let wrong = |at: &str, expected: String| ReadError::new(key, at, expected);
    if !page.has_form(FORM) {
        let expected = "the form with which rounds are chosen".to_owned();
        return Err(wrong(&format!("form {FORM}"), expected));
    }
    for (name, due) in [("event", &sheet.event), ("heatid", &sheet.heat)] {
        let shown = page.field(name).map_or("", |field| &field.value);
        if !shown.eq_ignore_ascii_case(due) {
            let expected = format!("{due}, which was asked for, not {}", form(shown));
            return Err(wrong(&format!("field {name}"), expected));
        }
    }
    let (round, rounds) = rounds(page, sheet.round.unwrap_or(0))
        .map_err(|expected| wrong("field selCount", expected))?;
    let mut found = Scoresheet {
        event: ask::competition_id(&sheet.event),
        heat: sheet.heat.to_ascii_uppercase(),
        round,
        rounds,
        sections: Vec::new(),
        couples: Vec::new(),
        judges: Vec::new(),
    };
    for (table, number) in page.tables.iter().zip(1..) {
        let error = |(row, expected): (usize, String)| {
            ReadError::new(key, format!("table {number}, row {row}"), expected)
        };
        let titled = table.rows.first().and_then(Row::only);
        if let Some(title) = titled.filter(|cell| cell.class == "h3") {
            let section = section(table, title).map_err(error)?;
            found.sections.push(section);
        } else if table.rows.iter().any(|row| heading(row).is_some()) {
            legend(table, &mut found).map_err(error)?;
        } else if !table.rows.iter().all(|row| row.is_blank() || is_head(row)) {
            let expected = "the marks of a dance below its name, or who is behind the numbers";
            return Err(error((1, expected.to_owned())));
        }
    }
    check(&mut found).map_err(|(at, expected)| wrong(&at, expected))?;
    Ok(found)
}

/// What the round is called that was asked for, and all that there are.
fn rounds(page: &Page, asked: u8) -> Result<(String, Vec<(u8, String)>), String> {
    const FINAL: &str = "Final";
    let Some(field) = page.field("selCount") else {
        // Where there is nothing to choose, it stands behind the name of the heat.
        let name = page.cells().find(|cell| cell.class == "h4");
        let last = name.and_then(|cell| cell.text.rsplit(' ').next());
        return match last {
            Some(FINAL) if asked == 0 => Ok((FINAL.to_owned(), Vec::new())),
            _ => Err("rounds to choose of, or a final alone".to_owned()),
        };
    };
    let mut rounds: Vec<(u8, String)> = Vec::new();
    let mut shown = 0;
    for (choice, due) in field.choices.iter().zip(0..=u8::MAX) {
        let twice = rounds.iter().any(|(_, label)| *label == choice.text);
        let one = choice.text.matches(FINAL).count() <= 1 && is_name(&choice.text);
        if choice.value != due.to_string() || twice || !one {
            let (value, text) = (form(&choice.value), form(&choice.text));
            return Err(format!(
                "round {due} with a name of its own, not {text} with {value}"
            ));
        }
        if choice.selected {
            shown = due;
        }
        rounds.push((due, choice.text.clone()));
    }
    if rounds.first().is_none_or(|(_, label)| label != FINAL) || shown != asked {
        return Err(format!(
            "the final first, and round {asked} chosen, not {shown}"
        ));
    }
    Ok((rounds[usize::from(shown)].1.clone(), rounds))
}

/// Whether a row tells which heat this is.
fn is_head(row: &Row) -> bool {
    row.fields && !row.stray && row.filled().all(|cell| matches!(&*cell.class, "h1" | "h4"))
}

/// A table of marks: its title, who gives them, and a row for each couple.
fn section(table: &Table, title: &Cell) -> Result<Section, (usize, String)> {
    let name = title.text.clone();
    // Who opens a row twice leaves one that is empty.
    let rows = || {
        let rows = table.rows.iter().zip(1..).skip(1);
        rows.filter(|(row, _)| !row.cells.is_empty())
    };
    let Some((head, line)) = rows().next() else {
        return Err((1, format!("marks below {}", form(&name))));
    };
    if let Some((_, line)) = rows().find(|(row, _)| row.stray || row.fields) {
        return Err((line, "marks in cells, and nothing else".to_owned()));
    }
    let labels: Vec<&str> = head.cells.iter().map(|cell| &*cell.text).collect();
    let (Some(&""), labels) = (labels.first(), &labels[1.min(labels.len())..]) else {
        return Err((
            line,
            "an empty cell above the numbers of couples".to_owned(),
        ));
    };
    // An empty cell parts the marks from what was made of them.
    let given = labels.iter().position(|label| label.is_empty());
    let given = given.unwrap_or(labels.len());
    let due = if name == SUMMARY { "Res" } else { "P" };
    let place = labels.iter().rposition(|label| *label == due);
    let columns: HashSet<&str> = labels[..given].iter().copied().collect();
    if given == 0 || columns.len() < given || place.is_some_and(|place| place < given) {
        let expected =
            format!("who gave marks, each once, then an empty cell, and {due} behind it");
        return Err((line, expected));
    }
    let mut marks = Vec::new();
    let mut seen = HashSet::new();
    for (row, line) in rows().skip(1) {
        let cells: Vec<&str> = row.cells.iter().map(|cell| &*cell.text).collect();
        if cells.len() != labels.len() + 1 {
            let (due, found) = (labels.len() + 1, cells.len());
            return Err((line, format!("{due} cells as above, not {found}")));
        }
        let couple = number(cells[0]).filter(|number| seen.insert(*number));
        let Some(couple) = couple else {
            let found = form(cells[0]);
            return Err((line, format!("a back number of its own, not {found}")));
        };
        let marked = &cells[1..=given];
        if let Some(mark) = marked.iter().find(|mark| !is_mark(mark)) {
            return Err((line, format!("a mark, not {}", form(mark))));
        }
        let place = place.map(|place| cells[place + 1]);
        if let Some(place) = place.filter(|place| place.is_empty() || !is_mark(place)) {
            return Err((line, format!("a place, not {}", form(place))));
        }
        let beside = labels.get(given).map(|_| cells[given + 1]);
        if beside.is_some_and(|cell| !cell.is_empty()) {
            let expected = "nothing between marks and what was made of them";
            return Err((line, expected.to_owned()));
        }
        marks.push(Marks {
            couple,
            marks: marked.iter().map(|mark| (*mark).to_owned()).collect(),
            place: place.map(str::to_owned),
        });
    }
    if marks.is_empty() {
        return Err((line, "a row below, for a couple".to_owned()));
    }
    Ok(Section {
        name,
        columns: labels[..given]
            .iter()
            .map(|label| (*label).to_owned())
            .collect(),
        rows: marks,
    })
}

/// What those are of whom the next rows tell.
fn heading(row: &Row) -> Option<&str> {
    let cell = row.only().filter(|cell| cell.class == "t1b")?;
    let last = row.cells.last()?;
    // The heading stands above the names, not above their numbers.
    (row.cells.len() > 1 && std::ptr::eq(cell, last)).then_some(&*cell.text)
}

/// The table that says who is behind the numbers.
fn legend(table: &Table, found: &mut Scoresheet) -> Result<(), (usize, String)> {
    let mut of = "";
    for (row, line) in table.rows.iter().zip(1..) {
        if row.is_blank() {
            continue;
        }
        if let Some(heading) = heading(row) {
            if !["Couples", "Judges", "Chairperson", "Scrutineer"].contains(&heading) {
                let found = form(heading);
                let expected = format!("Couples, Judges, Chairperson or Scrutineer, not {found}");
                return Err((line, expected));
            }
            of = heading;
            continue;
        }
        let [key, name] = row.cells.as_slice() else {
            return Err((line, format!("2 cells, not {}", row.cells.len())));
        };
        if row.stray || !is_name(&name.text) {
            return Err((line, format!("a name, not {}", form(&name.text))));
        }
        match of {
            "Couples" => {
                let Some(number) = number(&key.text) else {
                    let found = form(&key.text);
                    return Err((line, format!("a back number, not {found}")));
                };
                let names = match parts(&name.text, BETWEEN) {
                    Some(of) => format!("{}{BETWEEN}{}", of.leader, of.follower),
                    None => name.text.clone(),
                };
                found.couples.push((number, names));
            }
            "Judges" if is_mark(&key.text) && !key.text.is_empty() => {
                found.judges.push((key.text.clone(), name.text.clone()));
            }
            "Chairperson" | "Scrutineer" if key.text.is_empty() => {}
            _ => {
                let found = form(&key.text);
                return Err((line, format!("somebody below a heading, not {found}")));
            }
        }
    }
    Ok(())
}

/// Whether all that is marked is also named, and nothing contradicts another.
fn check(found: &mut Scoresheet) -> Result<(), (String, String)> {
    let couples: HashSet<u32> = found.couples.iter().map(|(number, _)| *number).collect();
    let judges: Vec<&str> = found.judges.iter().map(|(number, _)| &**number).collect();
    let distinct: HashSet<&str> = judges.iter().copied().collect();
    if couples.len() < found.couples.len() || distinct.len() < judges.len() {
        let expected = "couples and judges, each once";
        return Err(("the names".to_owned(), expected.to_owned()));
    }
    let summary = found.sections.pop_if(|last| last.name == SUMMARY);
    if found.sections.is_empty() || summary.is_none() && found.sections.len() > 1 {
        let expected = "one dance, or several and their summary";
        return Err(("the marks".to_owned(), expected.to_owned()));
    }
    for section in found.sections.iter().chain(&summary) {
        let at =
            |expected: String| Err((format!("the marks of {}", form(&section.name)), expected));
        let mut rows = section.rows.iter();
        if let Some(row) = rows.find(|row| !couples.contains(&row.couple)) {
            return at(format!("couples with names, not {}", row.couple));
        }
        let of_judges = section.name != SUMMARY;
        if of_judges && section.columns != judges {
            return at("the judges that are named, in their order".to_owned());
        }
        if found.round != "Final" {
            continue;
        }
        if !are_places(section) {
            return at("a place of everybody, from 1 to their number".to_owned());
        }
        // In a final, judges mark by placing everybody.
        let judges = judges.iter().enumerate().filter(|_| of_judges);
        for (index, judge) in judges {
            let marks = section.rows.iter().map(|row| number(&row.marks[index]));
            let given: HashSet<u32> = marks.flatten().collect();
            if given.len() < section.rows.len() {
                let judge = form(judge);
                return at(format!("another place for everybody by judge {judge}"));
            }
        }
    }
    if let Some(summary) = summary {
        found.sections.push(sums_up(found, summary)?);
    }
    Ok(())
}

/// Holds a summary against the dances, and calls its columns by their names.
fn sums_up(found: &Scoresheet, summary: Section) -> Result<Section, (String, String)> {
    let wrong = |expected: &str| Err(("the marks of \"Summary\"".to_owned(), expected.to_owned()));
    let dances = &found.sections;
    if summary.columns.len() != dances.len() {
        return wrong("a column for each dance");
    }
    for (index, dance) in dances.iter().enumerate() {
        let places: HashMap<u32, &Option<String>> = dance
            .rows
            .iter()
            .map(|row| (row.couple, &row.place))
            .collect();
        let agrees = |row: &Marks| match places.get(&row.couple) {
            Some(Some(place)) => *place == row.marks[index],
            Some(None) => true,
            None => false,
        };
        if places.len() != summary.rows.len() || !summary.rows.iter().all(agrees) {
            return wrong("of every couple its places in the dances, in their order");
        }
    }
    Ok(Section {
        columns: dances.iter().map(|dance| dance.name.clone()).collect(),
        ..summary
    })
}

/// Whether everybody has a place among those who stand there; who ties shares the middle.
fn are_places(section: &Section) -> bool {
    let halves = |row: &Marks| {
        let place = row.place.as_deref()?;
        let (whole, half) = place.split_once('.').unwrap_or((place, "0"));
        let half = match half {
            "0" => 0,
            "5" => 1,
            _ => return None,
        };
        Some(2 * u64::from(number(whole)?) + half)
    };
    let count = section.rows.len() as u64;
    let sum: Option<u64> = section.rows.iter().map(halves).sum();
    sum == Some(count * (count + 1))
}

fn is_mark(text: &str) -> bool {
    text.is_empty() || (is_name(text) && text.chars().count() <= MAX_MARK_CHARS)
}

fn number(text: &str) -> Option<u32> {
    let plain = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}
