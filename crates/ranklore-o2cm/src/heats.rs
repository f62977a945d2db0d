//! A competition: its heats, and who stood where in each.

use std::collections::{HashMap, HashSet, hash_map};

use ranklore_contest::{Entrant, EntrantKind, Outcome};
use ranklore_source::html::{Cell, Link, Page, Row};
use ranklore_source::{ContestOutcome, ReadError, Reading, Results};

use crate::ask::{self, is_heat, leads_to};
use crate::couple::{Couple, Entry, Who};
use crate::places::places;
use crate::text::{form, is_name};

/// The form with which people choose heats.
pub(crate) const FORM: &str = "webfilter";

/// The class of a heat's name.
const HEAT: &str = "h5b";
/// The classes of rows: of a final before other rounds, and of everything else.
const FINALIST: &str = "t2b";
const OTHER: &str = "t2n";

/// A heat as it stands on the page.
struct Heat<'a> {
    id: &'a str,
    name: &'a str,
    /// Where its name stands: the row on the page.
    row: usize,
    /// Its rows and what parts them, each with its row on the page.
    rows: Vec<(usize, Line<'a>)>,
}

/// A row below the name of a heat.
#[derive(Clone, Copy)]
enum Line<'a> {
    Entry {
        finalist: bool,
        entry: Entry<'a>,
    },
    /// `----`, between rounds.
    Separator,
}

/// What was set right, over all heats.
#[derive(Default)]
struct Amends {
    placeholders: usize,
    repeats: usize,
    /// Couples of two people of one name.
    namesakes: usize,
    /// Heats in which a couple stands again under another number, once for each such row.
    doubtful: Vec<String>,
    gaps: Vec<String>,
    nobody: usize,
}

pub(crate) fn read(key: &str, page: &Page, event: &str) -> Result<Reading, ReadError> {
    let wrong = |at: &str, expected: String| ReadError::new(key, at, expected);
    if !page.has_form(FORM) {
        let expected = "the form with which heats are chosen".to_owned();
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
        // An odd heat leaves the others.
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

/// The heats of a page. All of it is understood, or nothing.
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
                return Err(wrong("results in cells, and nothing else".to_owned()));
            }
            let Some(cell) = row.only() else {
                // Above the first heat there is some space.
                if row.filled().next().is_none() && heats.len() == before {
                    continue;
                }
                let cells = row.filled().count();
                return Err(wrong(format!("one cell with something in it, not {cells}")));
            };
            if cell.class == HEAT {
                let (id, name) = head(cell, event).map_err(wrong)?;
                if !ids.insert(id.to_ascii_uppercase()) {
                    return Err(wrong(format!("a heat of its own, not {id} again")));
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
                return Err(wrong("the name of a heat before its rows".to_owned()));
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
    // Where there is something to choose of, all of it was asked for.
    let divisions = page.field("selDiv").map_or(0, |field| field.options);
    if heats.is_empty() && divisions > 1 {
        let expected = "the heats of the divisions that there are to choose of";
        return Err(ReadError::new(key, "the heats", expected));
    }
    Ok(heats)
}

/// Whether a row has anything of what results are made of.
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

/// The id and the name of a heat.
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
        return Err("the name of a heat, and no more".to_owned());
    }
    Ok((id, &link.text))
}

/// A row below the name of a heat.
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

/// Holds a heat against how the site writes one down: finalists first, rounds parted by `----`,
/// places from 1 on that never rise, and never less than there are rows above.
fn check_rounds(heat: &Heat<'_>) -> Result<(), (usize, String)> {
    let mut above: Option<(u32, bool)> = None;
    let mut parted = true;
    let mut due = 0;
    for (row, line) in &heat.rows {
        let wrong = |expected: &str| Err((*row, expected.to_owned()));
        let Line::Entry { finalist, entry } = *line else {
            if parted {
                return wrong("somebody between one ---- and the next");
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
        Some((row, Line::Separator)) => Err((*row, "somebody below ----".to_owned())),
        _ => Ok(()),
    }
}

/// The couples of a heat on their places.
fn entrants(heat: &Heat<'_>, amends: &mut Amends) -> Result<Vec<Entrant>, (usize, String)> {
    if heat.rows.is_empty() {
        return Err((heat.row, "rows below the name of the heat".to_owned()));
    }
    let mut couples: Vec<(u32, Entrant)> = Vec::with_capacity(heat.rows.len());
    // By its people, in the order of their names: who leads, and under which number.
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
        // The better row stands first.
        match seen.entry((leader.min(follower), leader.max(follower))) {
            hash_map::Entry::Vacant(free) => {
                free.insert((leader, number));
                couples.push((entry.place, couple(leader, follower)));
            }
            hash_map::Entry::Occupied(first) => match *first.get() {
                // Nobody has two numbers for leading.
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

/// The same two people are the same couple, whoever leads.
fn couple(leader: &str, follower: &str) -> Entrant {
    let mut members = vec![leader.to_owned(), follower.to_owned()];
    members.sort_unstable();
    Entrant {
        competitor: called(&members),
        kind: EntrantKind::Couple,
        // Not the place yet.
        outcome: Outcome::DidNotFinish,
        score: None,
        penalty: None,
        members,
    }
}

/// What a couple is called: its people, in the order of their names.
pub(crate) fn called(members: &[String]) -> String {
    members.join(" & ")
}

/// Whether the heat of this name, of this competition, is danced for a place that says something:
/// not where heats are thrown together (`Combine`) or teams meet (`Team Match`), and not in a test
/// of the site (`tst17`). Words count, not parts of them: a `Combined` heat is one like all others.
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
    /// Without anybody's name: warnings are shown and kept.
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
            "of a couple that stands in the heat already left out",
        );
        say(
            self.namesakes,
            "entry",
            "entries",
            "of two people of one name, whom nothing tells apart, left out",
        );
        let doubtful = self.doubtful.join(", ");
        say(
            self.doubtful.len(),
            "entry",
            "entries",
            &format!(
                "of a couple that stands in the heat already, but under another number, left out: \
                 they may be other people of the same names, in {doubtful}"
            ),
        );
        say(self.nobody, "heat", "heats", "without any couple left out");
        let gaps = self.gaps.join(", ");
        say(
            self.gaps.len(),
            "heat",
            "heats",
            &format!("with gaps between places, which were counted anew: {gaps}"),
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
