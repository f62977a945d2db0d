//! A competition: its heats and their standings.

use std::collections::{HashMap, HashSet, hash_map};

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome};
use ranklore_source::html::{Cell, HtmlLink, HtmlPage, HtmlRow};
use ranklore_source::{ContestOutcome, Results, SiteReadError, SiteReading, renumber_places};

use crate::couples::{Dancers, HeatEntry};
use crate::requests::{self, is_heat_id, links_to_page};
use crate::text::{is_name, mask_letters};

/// Name of the form that filters heats.
pub(crate) const FORM_NAME: &str = "webfilter";

/// CSS class of a heat's title.
const HEAT_CLASS: &str = "h5b";
/// CSS classes of result rows: finalists, if other rounds follow, and all others.
const FINALIST_CLASS: &str = "t2b";
const OTHER_CLASS: &str = "t2n";

/// A heat on the page.
struct Heat<'a> {
    id: &'a str,
    name: &'a str,
    /// Row of the title on the page.
    row: usize,
    /// Result rows and separators, each with its row on the page.
    rows: Vec<(usize, HeatLine<'a>)>,
}

/// A row below the title of a heat.
#[derive(Clone, Copy)]
enum HeatLine<'a> {
    Entry {
        finalist: bool,
        entry: HeatEntry<'a>,
    },
    /// `----` between rounds.
    Separator,
}

/// Corrections made in all heats, for the warnings.
#[derive(Default)]
struct Corrections {
    placeholders: usize,
    repeats: usize,
    /// Couples of two people with the same name.
    namesakes: usize,
    /// Heats in which a couple appears again under another number, once per row.
    doubtful: Vec<String>,
    gaps: Vec<String>,
    empty_heats: usize,
}

pub(crate) fn read(key: &str, page: &HtmlPage, event: &str) -> Result<SiteReading, SiteReadError> {
    let wrong = |at: &str, expected: String| SiteReadError::new(key, at, expected);
    if !page.has_form(FORM_NAME) {
        let expected = "the form that filters heats".to_owned();
        return Err(wrong(&format!("form {FORM_NAME}"), expected));
    }
    let selected = page.field("event").map_or("", |field| &field.value);
    if !selected.eq_ignore_ascii_case(event) {
        let masked = mask_letters(selected);
        let expected = format!("{event}, the competition asked for, not {masked}");
        return Err(wrong("field event", expected));
    }
    let title = page.cells().find(|cell| cell.class == "h4");
    if !title.is_some_and(|cell| is_name(&cell.text)) {
        return Err(wrong("cell h4", "the name of the competition".to_owned()));
    }
    let heats = parse_heats(key, page, event)?;
    let mut reading = SiteReading::default();
    let mut corrections = Corrections::default();
    for heat in &heats {
        // An invalid heat leaves the others.
        match check_rounds(heat).and_then(|()| parse_entrants(heat, &mut corrections)) {
            Ok(entrants) if entrants.is_empty() => corrections.empty_heats += 1,
            Ok(entrants) => reading.results.push(Results {
                name: Some(heat.name.to_owned()),
                ..Results::new(
                    requests::heat_id(event, heat.id),
                    ContestOutcome::from_entrants(entrants),
                )
            }),
            Err((row, expected)) => {
                let error = SiteReadError::new(key, heat.location(row), expected);
                reading.refused.push(error);
            }
        }
    }
    if reading.results.is_empty() && reading.refused.is_empty() {
        let outcome = ContestOutcome::NothingYet;
        let results = Results::new(requests::competition_id(event), outcome);
        reading.results.push(results);
    }
    reading.warnings = corrections.warnings(event);
    Ok(reading)
}

impl Heat<'_> {
    fn location(&self, row: usize) -> String {
        format!("heat {}, row {row}", self.id)
    }
}

/// Parses all heats of a page. An unknown row refuses the whole page.
fn parse_heats<'p>(
    key: &str,
    page: &'p HtmlPage,
    event: &str,
) -> Result<Vec<Heat<'p>>, SiteReadError> {
    let mut heats: Vec<Heat<'p>> = Vec::new();
    let mut ids = HashSet::new();
    for (table, number) in page.tables.iter().zip(1..) {
        let before = heats.len();
        if !table.rows.iter().any(is_result_row) {
            continue;
        }
        for (row, line) in table.rows.iter().zip(1..) {
            let wrong = |expected: String| {
                SiteReadError::new(key, format!("table {number}, row {line}"), expected)
            };
            if row.has_fields {
                return Err(wrong("results only, without input fields".to_owned()));
            }
            let Some(cell) = row.only_non_empty_cell() else {
                // Empty rows may precede the first heat.
                if row.non_empty_cells().next().is_none() && heats.len() == before {
                    continue;
                }
                let cells = row.non_empty_cells().count();
                return Err(wrong(format!("one non-empty cell, not {cells}")));
            };
            if cell.class == HEAT_CLASS {
                let (id, name) = parse_heat_title(cell, event).map_err(wrong)?;
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
            let heat_line = parse_line(cell).map_err(wrong)?;
            let Some(heat) = heats.last_mut().filter(|_| before < ids.len()) else {
                return Err(wrong("the name of a heat above its rows".to_owned()));
            };
            heat.rows.push((line, heat_line));
        }
    }
    check_number_of_heats(page, heats.len())
        .map_err(|expected| SiteReadError::new(key, "the heats", expected))?;
    Ok(heats)
}

/// Errors with the expected number of heats, if the page has other ones.
fn check_number_of_heats(page: &HtmlPage, heats: usize) -> Result<(), String> {
    let links = page.links().filter(|link| is_scoresheet(link)).count();
    if links != heats {
        return Err(format!("a heat for each of {links} scoresheets, not {heats}"));
    }
    // The request includes all divisions, so a page that offers some must have heats.
    let divisions = page.field("selDiv").map_or(0, |field| field.options);
    if heats == 0 && divisions > 1 {
        return Err("the heats of the divisions that the page offers".to_owned());
    }
    Ok(())
}

/// True if a row has any mark of a result.
fn is_result_row(row: &HtmlRow) -> bool {
    row.cells.iter().any(|cell| {
        cell.class == HEAT_CLASS
            || cell.links.iter().any(is_scoresheet)
            || is_separator(&cell.text)
            || HeatEntry::parse(&cell.text).is_some()
    })
}

fn is_scoresheet(link: &HtmlLink) -> bool {
    links_to_page(&link.href, "scoresheet")
}

fn is_separator(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'-')
}

/// Parses the id and the name of a heat.
fn parse_heat_title<'c>(cell: &'c Cell, event: &str) -> Result<(&'c str, &'c str), String> {
    let [link] = cell.links.as_slice() else {
        return Err("one link, to the scoresheet of a heat".to_owned());
    };
    if !is_scoresheet(link) {
        let masked = mask_letters(&link.href);
        return Err(format!("a link to a scoresheet, not to {masked}"));
    }
    let heat_event = link.parameter("event");
    if !heat_event.is_some_and(|id| id.eq_ignore_ascii_case(event)) {
        let masked = mask_letters(&link.href);
        return Err(format!("a heat of {event}, not {masked}"));
    }
    let Some(id) = link.parameter("heatid").filter(|id| is_heat_id(id)) else {
        let masked = mask_letters(&link.href);
        return Err(format!("the id of a heat, not {masked}"));
    };
    if !is_name(&link.text) || link.text != cell.text {
        return Err("the name of a heat only".to_owned());
    }
    Ok((id, &link.text))
}

/// Parses a row below the title of a heat.
fn parse_line(cell: &Cell) -> Result<HeatLine<'_>, String> {
    let text = cell.text.as_str();
    let finalist = cell.class == FINALIST_CLASS;
    if !cell.links.is_empty() {
        return Err("no link but in the name of a heat".to_owned());
    }
    if cell.class.is_empty() && is_separator(text) {
        return Ok(HeatLine::Separator);
    }
    let entry = HeatEntry::parse(text).filter(|_| finalist || cell.class == OTHER_CLASS);
    if let Some(entry) = entry {
        return Ok(HeatLine::Entry { finalist, entry });
    }
    let class = mask_letters(&cell.class);
    let text = mask_letters(text);
    Err(format!(
        "a heat, ----, or {FINALIST_CLASS} or {OTHER_CLASS} with a place such as \"8)\", not {text} of \
         class {class}"
    ))
}

/// Validates the form of a heat: finalists first, rounds separated by `----`, places from 1 that
/// never decrease and, unless tied, are at least the number of the row.
fn check_rounds(heat: &Heat<'_>) -> Result<(), (usize, String)> {
    // The place above, and true if it is that of a finalist.
    let mut above: Option<(u32, bool)> = None;
    let mut begins_round = true;
    let mut entries = 0;
    for (row, line) in &heat.rows {
        let wrong = |expected: &str| Err((*row, expected.to_owned()));
        let HeatLine::Entry { finalist, entry } = *line else {
            if begins_round {
                return wrong("a row between one ---- and the next");
            }
            begins_round = true;
            continue;
        };
        let place = entry.place;
        entries += 1;
        let is_in_order = match above {
            None => place == 1,
            Some((before, _)) if place == before => !begins_round,
            Some((before, _)) => place > before && place >= entries,
        };
        if !is_in_order {
            let before = above.map_or(0, |(before, _)| before);
            return Err((*row, format!("a place after {before}, not {place}")));
        }
        match above {
            Some((_, true)) if !finalist && !begins_round => {
                return wrong("---- between finalists and others");
            }
            Some((_, true)) if finalist && begins_round => return wrong("finalists of one final"),
            Some((_, false)) if finalist => return wrong("finalists above all others"),
            _ => {}
        }
        above = Some((place, finalist));
        begins_round = false;
    }
    match heat.rows.last() {
        Some((row, HeatLine::Separator)) => Err((*row, "a row below ----".to_owned())),
        _ => Ok(()),
    }
}

/// Returns the couples of a heat with their places.
fn parse_entrants(
    heat: &Heat<'_>,
    corrections: &mut Corrections,
) -> Result<Vec<Entrant>, (usize, String)> {
    if heat.rows.is_empty() {
        return Err((heat.row, "rows below the name of the heat".to_owned()));
    }
    let mut couples: Vec<(u32, Entrant)> = Vec::with_capacity(heat.rows.len());
    // Leader and number, by the two names in order.
    let mut leaders = HashMap::with_capacity(heat.rows.len());
    let mut ranks = Vec::with_capacity(heat.rows.len());
    // The corrections of an invalid heat do not count.
    let mut heat_corrections = Corrections::default();
    for (row, line) in &heat.rows {
        let HeatLine::Entry { entry, .. } = *line else {
            continue;
        };
        ranks.push(entry.place);
        let couple = match entry.dancers().map_err(|expected| (*row, expected))? {
            Dancers::Couple(couple) => couple,
            Dancers::Placeholder => {
                heat_corrections.placeholders += 1;
                continue;
            }
            Dancers::Namesakes => {
                heat_corrections.namesakes += 1;
                continue;
            }
        };
        let leader = couple.leader;
        let follower = couple.follower;
        // The better row comes first.
        match leaders.entry((leader.min(follower), leader.max(follower))) {
            hash_map::Entry::Vacant(free) => {
                free.insert((leader, couple.number));
                couples.push((entry.place, couple_entrant(leader, follower)));
            }
            hash_map::Entry::Occupied(first) => match *first.get() {
                // A leader has one number: another number may mean other people.
                (same, other) if same == leader && other != couple.number => {
                    heat_corrections.doubtful.push(heat.id.to_owned());
                }
                _ => heat_corrections.repeats += 1,
            },
        }
    }
    if renumber_places(ranks).1.is_some() {
        heat_corrections.gaps.push(heat.id.to_owned());
    }
    corrections.add(heat_corrections);
    Ok(place_couples(couples))
}

/// Places couples, whose published places may have gaps.
fn place_couples(couples: Vec<(u32, Entrant)>) -> Vec<Entrant> {
    let (places, _) = renumber_places(couples.iter().map(|(rank, _)| *rank));
    let placed = couples.into_iter().zip(places);
    let entrants = placed.map(|((_, entrant), place)| Entrant {
        outcome: EntrantOutcome::Finished(place),
        ..entrant
    });
    entrants.collect()
}

/// Creates the entrant of a couple; the leader does not matter.
fn couple_entrant(leader: &str, follower: &str) -> Entrant {
    let mut members = vec![leader.to_owned(), follower.to_owned()];
    members.sort_unstable();
    // The outcome is a placeholder until the place is known.
    let couple = Entrant::person(couple_name(&members), EntrantOutcome::DidNotFinish);
    Entrant {
        kind: EntrantKind::Couple,
        members,
        ..couple
    }
}

/// Returns the key of a couple: both names in order.
pub(crate) fn couple_name(members: &[String]) -> String {
    members.join(" & ")
}

/// True if a heat is rated. Combined heats (`Combine`), team matches (`Team Match`) and test
/// competitions (`tst17`) are not. Matches whole words: a `Combined` heat is rated.
pub(crate) fn is_rated(external_id: &str, name: &str) -> bool {
    let event = external_id.split('/').next().unwrap_or_default();
    let is_test = event.split_at_checked(3).is_some_and(|(start, number)| {
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        start.eq_ignore_ascii_case("tst") && is_number
    });
    let name = name.to_lowercase();
    let words: Vec<&str> = name
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_team_match = words.windows(2).any(|pair| pair == ["team", "match"]);
    !is_test && !is_team_match && !words.contains(&"combine")
}

impl Corrections {
    fn add(&mut self, other: Self) {
        self.placeholders += other.placeholders;
        self.repeats += other.repeats;
        self.namesakes += other.namesakes;
        self.doubtful.extend(other.doubtful);
        self.gaps.extend(other.gaps);
        self.empty_heats += other.empty_heats;
    }

    /// Returns the warnings, without names: warnings are shown and stored.
    fn warnings(&self, event: &str) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut add = |count: usize, one: &str, many: &str, correction: &str| {
            let subject = match count {
                0 => return,
                1 => format!("1 {one}"),
                _ => format!("{count} {many}"),
            };
            sentences.push(format!("competition {event}: {subject} {correction}"));
        };
        let heats = self.gaps.join(", ");
        let gaps = format!("with gaps between places, which were renumbered: {heats}");
        let doubtful = format!(
            "of a couple already in the heat under another number left out (possibly other people \
             with the same names), in {}",
            self.doubtful.join(", ")
        );
        let placeholders = "with a placeholder for a person left out";
        let repeats = "of a couple already in the heat left out";
        let namesakes = "of two people with the same name left out";
        add(self.placeholders, "entry", "entries", placeholders);
        add(self.repeats, "entry", "entries", repeats);
        add(self.namesakes, "entry", "entries", namesakes);
        add(self.doubtful.len(), "entry", "entries", &doubtful);
        let empty = "without any couple left out";
        add(self.empty_heats, "heat", "heats", empty);
        add(self.gaps.len(), "heat", "heats", &gaps);
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combined_heats_and_team_matches_are_unrated() {
        assert!(is_rated("gls25/1", "Amateur Bronze Waltz (W)"));
        assert!(!is_rated("gls25/1", "Amateur Waltz -- Combine --"));
        assert!(!is_rated("gls25/1", "Team Match (W)"));
        assert!(!is_rated("tst17/1", "Amateur Bronze Waltz (W)"));
        assert!(is_rated("tst17a/1", "Amateur Bronze Waltz (W)"));
        assert!(is_rated("é/1", "Waltz"));
        assert!(is_rated("tst/1", "Waltz") && is_rated("tsté/1", "Waltz"));
        assert!(!is_rated("TST17/1", "Waltz") && !is_rated("tst9", "Waltz"));
    }

    #[test]
    fn unrated_heats_match_whole_words() {
        for rated in [
            "Amateur Combined Novice/Pre-Champ Latin (CSR)",
            "Amateur Recombine Waltz (W)",
            "Amateur Team Matches (W)",
            "Team Rookie Match (W)",
            "Steam Match (W)",
        ] {
            assert!(is_rated("gls25/1", rated), "{rated}");
        }
        for unrated in ["COMBINE", "Waltz -- combine -- (W)", "Team-Match * (WTF)"] {
            assert!(!is_rated("gls25/1", unrated), "{unrated}");
        }
    }
}
