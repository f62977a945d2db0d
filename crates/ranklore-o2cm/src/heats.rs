//! A competition: its heats and their standings.

use std::collections::{HashMap, HashSet, hash_map};

use ranklore_contest::{Entrant, EntrantKind, Outcome};
use ranklore_source::html::{Cell, Link, Page, Row};
use ranklore_source::{ContestOutcome, ReadError, Reading, Results};

use crate::ask::{self, is_heat, leads_to};
use crate::couple::{Couple, Entry, Who};
use crate::places::places;
use crate::text::{form, is_name};

/// Name of the form that filters heats.
pub(crate) const FORM: &str = "webfilter";

/// CSS class of a heat's title.
const HEAT: &str = "h5b";
/// CSS classes of result rows: finalists, if other rounds follow, and all others.
const FINALIST: &str = "t2b";
const OTHER: &str = "t2n";

/// A heat on the page.
struct Heat<'a> {
    id: &'a str,
    name: &'a str,
    /// Row of the title on the page.
    row: usize,
    /// Result rows and separators, each with its row on the page.
    rows: Vec<(usize, Line<'a>)>,
}

/// A row below the title of a heat.
#[derive(Clone, Copy)]
enum Line<'a> {
    Entry {
        finalist: bool,
        entry: Entry<'a>,
    },
    /// `----` between rounds.
    Separator,
}

/// Corrections made in all heats, for the warnings.
#[derive(Default)]
struct Amends {
    placeholders: usize,
    repeats: usize,
    /// Couples of two people with the same name.
    namesakes: usize,
    /// Heats in which a couple appears again under another number, once per row.
    doubtful: Vec<String>,
    gaps: Vec<String>,
    nobody: usize,
}

pub(crate) fn read(key: &str, page: &Page, event: &str) -> Result<Reading, ReadError> {
    let wrong = |at: &str, expected: String| ReadError::new(key, at, expected);
    if !page.has_form(FORM) {
        let expected = "the form that filters heats".to_owned();
        return Err(wrong(&format!("form {FORM}"), expected));
    }
    let shown = page.field("event").map_or("", |field| &field.value);
    if !shown.eq_ignore_ascii_case(event) {
        let expected = format!("{event}, the competition asked for, not {}", form(shown));
        return Err(wrong("field event", expected));
    }
    let title = page.cells().find(|cell| cell.class == "h4");
    if !title.is_some_and(|cell| is_name(&cell.text)) {
        return Err(wrong("cell h4", "the name of the competition".to_owned()));
    }
    let heats = heats(key, page, event)?;
    let mut reading = Reading::default();
    let mut amends = Amends::default();
    for heat in &heats {
        // An invalid heat leaves the others.
        match check_rounds(heat).and_then(|()| entrants(heat, &mut amends)) {
            Ok(entrants) if entrants.is_empty() => amends.nobody += 1,
            Ok(entrants) => reading.results.push(Results {
                name: Some(heat.name.to_owned()),
                ..Results::new(ask::heat_id(event, heat.id), ContestOutcome::by(entrants))
            }),
            Err((row, expected)) => {
                let error = ReadError::new(key, heat.at(row), expected);
                reading.refused.push(error);
            }
        }
    }
    if reading.results.is_empty() && reading.refused.is_empty() {
        let outcome = ContestOutcome::NothingYet;
        let results = Results::new(ask::competition_id(event), outcome);
        reading.results.push(results);
    }
    reading.warnings = amends.sentences(event);
    Ok(reading)
}

impl Heat<'_> {
    fn at(&self, row: usize) -> String {
        format!("heat {}, row {row}", self.id)
    }
}

/// Parses all heats of a page. An unknown row refuses the whole page.
fn heats<'p>(key: &str, page: &'p Page, event: &str) -> Result<Vec<Heat<'p>>, ReadError> {
    let mut heats: Vec<Heat<'p>> = Vec::new();
    let mut ids = HashSet::new();
    for (table, number) in page.tables.iter().zip(1..) {
        let before = heats.len();
        if !table.rows.iter().any(is_of_results) {
            continue;
        }
        for (row, line) in table.rows.iter().zip(1..) {
            let at = || format!("table {number}, row {line}");
            let wrong = |expected: String| ReadError::new(key, at(), expected);
            if row.has_fields {
                return Err(wrong("results only, without input fields".to_owned()));
            }
            let Some(cell) = row.only() else {
                // Empty rows may precede the first heat.
                if row.filled().next().is_none() && heats.len() == before {
                    continue;
                }
                let cells = row.filled().count();
                return Err(wrong(format!("one non-empty cell, not {cells}")));
            };
            if cell.class == HEAT {
                let (id, name) = head(cell, event).map_err(wrong)?;
                if !ids.insert(id.to_ascii_uppercase()) {
                    return Err(wrong(format!("a unique heat, not {id} again")));
                }
                heats.push(Heat {
                    id,
                    name,
                    row: line,
                    rows: Vec::new(),
                });
                continue;
            }
            let found = below(cell).map_err(wrong)?;
            let Some(heat) = heats.last_mut().filter(|_| before < ids.len()) else {
                return Err(wrong("the name of a heat above its rows".to_owned()));
            };
            heat.rows.push((line, found));
        }
    }
    let links = page.links().filter(|link| is_scoresheet(link)).count();
    if links != heats.len() {
        let expected = format!(
            "a heat for each of {links} scoresheets, not {}",
            heats.len()
        );
        return Err(ReadError::new(key, "the heats", expected));
    }
    // The request includes all divisions, so a page that offers some must have heats.
    let divisions = page.field("selDiv").map_or(0, |field| field.options);
    if heats.is_empty() && divisions > 1 {
        let expected = "the heats of the divisions that the page offers";
        return Err(ReadError::new(key, "the heats", expected));
    }
    Ok(heats)
}

/// True if a row has any mark of a result.
fn is_of_results(row: &Row) -> bool {
    row.cells.iter().any(|cell| {
        cell.class == HEAT
            || cell.links.iter().any(is_scoresheet)
            || is_separator(&cell.text)
            || Entry::parse(&cell.text).is_some()
    })
}

fn is_scoresheet(link: &Link) -> bool {
    leads_to(&link.href, "scoresheet")
}

fn is_separator(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'-')
}

/// Parses the id and the name of a heat.
fn head<'c>(cell: &'c Cell, event: &str) -> Result<(&'c str, &'c str), String> {
    let [link] = cell.links.as_slice() else {
        return Err("one link, to the scoresheet of a heat".to_owned());
    };
    if !is_scoresheet(link) {
        return Err(format!(
            "a link to a scoresheet, not to {}",
            form(&link.href)
        ));
    }
    let of_event = |of: &str| of.eq_ignore_ascii_case(event);
    if !link.parameter("event").is_some_and(of_event) {
        return Err(format!("a heat of {event}, not {}", form(&link.href)));
    }
    let Some(id) = link.parameter("heatid").filter(|id| is_heat(id)) else {
        return Err(format!("the id of a heat, not {}", form(&link.href)));
    };
    if !is_name(&link.text) || link.text != cell.text {
        return Err("the name of a heat only".to_owned());
    }
    Ok((id, &link.text))
}

/// Parses a row below the title of a heat.
fn below(cell: &Cell) -> Result<Line<'_>, String> {
    let text = cell.text.as_str();
    let finalist = cell.class == FINALIST;
    if !cell.links.is_empty() {
        return Err("no link but in the name of a heat".to_owned());
    }
    if cell.class.is_empty() && is_separator(text) {
        return Ok(Line::Separator);
    }
    let entry = Entry::parse(text).filter(|_| finalist || cell.class == OTHER);
    entry.map_or_else(
        || {
            let (class, text) = (form(&cell.class), form(text));
            Err(format!(
                "a heat, ----, or {FINALIST} or {OTHER} with a place such as \"8)\", not {text} of \
                 class {class}"
            ))
        },
        |entry| Ok(Line::Entry { finalist, entry }),
    )
}

/// Validates the form of a heat: finalists first, rounds separated by `----`, places from 1 that
/// never decrease and, unless tied, are at least the number of the row.
fn check_rounds(heat: &Heat<'_>) -> Result<(), (usize, String)> {
    let mut above: Option<(u32, bool)> = None;
    let mut parted = true;
    let mut due = 0;
    for (row, line) in &heat.rows {
        let wrong = |expected: &str| Err((*row, expected.to_owned()));
        let Line::Entry { finalist, entry } = *line else {
            if parted {
                return wrong("a row between one ---- and the next");
            }
            parted = true;
            continue;
        };
        let place = entry.place;
        due += 1;
        let follows = match above {
            None => place == 1,
            Some((before, _)) if place == before => !parted,
            Some((before, _)) => place > before && place >= due,
        };
        if !follows {
            let before = above.map_or(0, |(before, _)| before);
            return Err((*row, format!("a place after {before}, not {place}")));
        }
        match above {
            Some((_, true)) if !finalist && !parted => {
                return wrong("---- between finalists and others");
            }
            Some((_, true)) if finalist && parted => return wrong("finalists of one final"),
            Some((_, false)) if finalist => return wrong("finalists above all others"),
            _ => {}
        }
        above = Some((place, finalist));
        parted = false;
    }
    match heat.rows.last() {
        Some((row, Line::Separator)) => Err((*row, "a row below ----".to_owned())),
        _ => Ok(()),
    }
}

/// Returns the couples of a heat with their places.
fn entrants(heat: &Heat<'_>, amends: &mut Amends) -> Result<Vec<Entrant>, (usize, String)> {
    if heat.rows.is_empty() {
        return Err((heat.row, "rows below the name of the heat".to_owned()));
    }
    let mut couples: Vec<(u32, Entrant)> = Vec::with_capacity(heat.rows.len());
    // Leader and number, by the two names in order.
    let mut seen = HashMap::with_capacity(heat.rows.len());
    let mut ranks = Vec::with_capacity(heat.rows.len());
    let (mut placeholders, mut namesakes, mut repeats, mut doubtful) = (0, 0, 0, 0);
    for (row, line) in &heat.rows {
        let Line::Entry { entry, .. } = *line else {
            continue;
        };
        ranks.push(entry.place);
        let Couple {
            leader,
            follower,
            number,
        } = match entry.who().map_err(|expected| (*row, expected))? {
            Who::Couple(couple) => couple,
            Who::Placeholder => {
                placeholders += 1;
                continue;
            }
            Who::Namesakes => {
                namesakes += 1;
                continue;
            }
        };
        // The better row comes first.
        match seen.entry((leader.min(follower), leader.max(follower))) {
            hash_map::Entry::Vacant(free) => {
                free.insert((leader, number));
                couples.push((entry.place, couple(leader, follower)));
            }
            hash_map::Entry::Occupied(first) => match *first.get() {
                // A leader has one number: another number may mean other people.
                (led, worn) if led == leader && worn != number => doubtful += 1,
                _ => repeats += 1,
            },
        }
    }
    amends.placeholders += placeholders;
    amends.namesakes += namesakes;
    amends.repeats += repeats;
    (amends.doubtful).extend((0..doubtful).map(|_| heat.id.to_owned()));
    if places(ranks).1 {
        amends.gaps.push(heat.id.to_owned());
    }
    let (places, _) = places(couples.iter().map(|(rank, _)| *rank));
    let placed = couples.into_iter().zip(places);
    Ok(placed
        .map(|((_, entrant), place)| Entrant {
            outcome: Outcome::Finished(place),
            ..entrant
        })
        .collect())
}

/// Creates the entrant of a couple; the leader does not matter.
fn couple(leader: &str, follower: &str) -> Entrant {
    let mut members = vec![leader.to_owned(), follower.to_owned()];
    members.sort_unstable();
    Entrant {
        competitor: called(&members),
        kind: EntrantKind::Couple,
        // Placeholder until the place is known.
        outcome: Outcome::DidNotFinish,
        score: None,
        penalty: None,
        members,
    }
}

/// Returns the key of a couple: both names in order.
pub(crate) fn called(members: &[String]) -> String {
    members.join(" & ")
}

/// True if a heat is rated. Combined heats (`Combine`), team matches (`Team Match`) and test
/// competitions (`tst17`) are not. Matches whole words: a `Combined` heat is rated.
pub(crate) fn rates(external_id: &str, name: &str) -> bool {
    let event = external_id.split('/').next().unwrap_or_default();
    let test = event.split_at_checked(3).is_some_and(|(start, number)| {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        start.eq_ignore_ascii_case("tst") && digits && !number.is_empty()
    });
    let name = name.to_lowercase();
    let words: Vec<&str> = name
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let team_match = words.windows(2).any(|two| two == ["team", "match"]);
    !test && !team_match && !words.contains(&"combine")
}

impl Amends {
    /// Returns the warnings, without names: warnings are shown and stored.
    fn sentences(&self, event: &str) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut say = |count: usize, one: &str, many: &str, what: &str| {
            let subject = match count {
                0 => return,
                1 => format!("1 {one}"),
                _ => format!("{count} {many}"),
            };
            sentences.push(format!("competition {event}: {subject} {what}"));
        };
        say(
            self.placeholders,
            "entry",
            "entries",
            "with a placeholder for a person left out",
        );
        say(
            self.repeats,
            "entry",
            "entries",
            "of a couple already in the heat left out",
        );
        say(
            self.namesakes,
            "entry",
            "entries",
            "of two people with the same name left out",
        );
        let doubtful = self.doubtful.join(", ");
        say(
            self.doubtful.len(),
            "entry",
            "entries",
            &format!(
                "of a couple already in the heat under another number left out (possibly other \
                 people with the same names), in {doubtful}"
            ),
        );
        say(self.nobody, "heat", "heats", "without any couple left out");
        let gaps = self.gaps.join(", ");
        say(
            self.gaps.len(),
            "heat",
            "heats",
            &format!("with gaps between places, which were renumbered: {gaps}"),
        );
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heats_that_say_nothing_are_not_rated() {
        assert!(rates("gls25/1", "Amateur Bronze Waltz (W)"));
        assert!(!rates("gls25/1", "Amateur Waltz -- Combine --"));
        assert!(!rates("gls25/1", "Team Match (W)"));
        assert!(!rates("tst17/1", "Amateur Bronze Waltz (W)"));
        assert!(rates("tst17a/1", "Amateur Bronze Waltz (W)"));
        assert!(rates("é/1", "Waltz"));
        assert!(rates("tst/1", "Waltz") && rates("tsté/1", "Waltz"));
        assert!(!rates("TST17/1", "Waltz") && !rates("tst9", "Waltz"));
    }

    #[test]
    fn a_heat_is_left_out_of_ratings_by_words_and_not_by_parts_of_them() {
        for rated in [
            "Amateur Combined Novice/Pre-Champ Latin (CSR)",
            "Amateur Recombine Waltz (W)",
            "Amateur Team Matches (W)",
            "Team Rookie Match (W)",
            "Steam Match (W)",
        ] {
            assert!(rates("gls25/1", rated), "{rated}");
        }
        for unrated in ["COMBINE", "Waltz -- combine -- (W)", "Team-Match * (WTF)"] {
            assert!(!rates("gls25/1", unrated), "{unrated}");
        }
    }
}
