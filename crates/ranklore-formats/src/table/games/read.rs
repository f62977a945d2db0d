//! Reads tables of games: each row becomes a contest.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use super::Seat;
use super::columns::{GameColumns, find_table};
use super::competitors::{Competitor, Competitors};
use super::outcomes::Verdict;
use super::schedule::{Schedule, cell, event};
use super::verdicts::{GameResult, Judge};
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError, TableShape};
use crate::table::columns::normalise_word;
use crate::table::grid::CellGrid;
use crate::table::header::HeaderTable;
use crate::table::numbering::MISSING_DATE;
use crate::table::people::dated_names::DatedNameCollector;
use crate::table::people::identities::strip_zero_fraction;
use crate::table::standings::Problems;
use crate::table::values::cells::is_blank;
use crate::table::values::dates::parse_clock_time;
use crate::table::values::numbers::NumberStyle;
use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantOutcome, Place, Quoted, Side,
    check_weight,
};

/// Reads the games of a table. Errors if its columns have several readings.
pub(in crate::table) fn read(
    grid: CellGrid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    if options.same_name_by.is_some() {
        return Err(FileReadError::whole_document(
            "--same-name-by has no use for games, which name two competitors: add a column of ids for each, headed such as \"white id\" and \"black id\"",
        ));
    }
    let table = find_table(grid, &options.columns)?;
    let mut columns = GameColumns::from_table(&table, &options.columns)?;
    if let Some(column) = columns.time_of_day.filter(|&of| !holds_times(&table, of)) {
        columns.time_of_day = None;
        columns.used.remove(&column);
    }
    let competitors = Competitors::new(&table, &columns, options)?;
    let judge = Judge::new(&table, &columns, options)?;
    let schedule = Schedule::new(&table, &columns, &competitors, file_name, options)?;
    let mut reader = GameReader {
        table: &table,
        columns: &columns,
        competitors,
        judge,
        schedule,
        weights: table.number_style(columns.weight),
        last_date: None,
        ids: find_repeated_ids(&table, &columns),
        people: DatedNameCollector::default(),
        found: Candidates::default(),
        open: LeftOut::default(),
        not_played: LeftOut::default(),
        byes: LeftOut::default(),
        blank: LeftOut::default(),
    };
    for row in table.data_rows() {
        reader.read_row(row);
    }
    let notes = reader.notes(options);
    let mut found = reader.found;
    found.numbered = reader.schedule.numbered;
    found.dated_names = reader.people.finish();
    found.layout = Some(table.layout(TableShape::Games, &columns.used, notes));
    Ok(found)
}

/// True if all cells of a column that are not blank are times of the day, and some are not blank.
fn holds_times(table: &HeaderTable, column: usize) -> bool {
    let mut cells = table
        .values(column)
        .filter(|cell| !is_blank(cell))
        .peekable();
    cells.peek().is_some() && cells.all(|cell| parse_clock_time(cell).is_some())
}

/// Rows that are no contests.
#[derive(Default)]
struct LeftOut {
    count: usize,
    first: usize,
}

impl LeftOut {
    fn add(&mut self, row: usize) {
        if self.count == 0 {
            self.first = row;
        }
        self.count += 1;
    }

    /// Returns a note such as `3 games without a result left out, first on line 7`.
    fn note(&self, table: &HeaderTable, one: &str, more: &str) -> Option<String> {
        let first = table.grid.row_location(self.first);
        match self.count {
            0 => None,
            1 => Some(format!("1 {one} left out, on {first}")),
            count => Some(format!("{count} {more} left out, first on {first}")),
        }
    }
}

/// Reads the rows of a table of games.
struct GameReader<'t> {
    table: &'t HeaderTable,
    columns: &'t GameColumns,
    competitors: Competitors<'t>,
    judge: Judge<'t>,
    schedule: Schedule,
    weights: NumberStyle,
    /// The last time and its text: consecutive rows mostly share a date.
    last_date: Option<(ContestTime, String)>,
    /// The rows of ids that occur several times: the row, and another with that id.
    ids: HashMap<usize, usize>,
    people: DatedNameCollector<'t>,
    found: Candidates,
    open: LeftOut,
    not_played: LeftOut,
    byes: LeftOut,
    blank: LeftOut,
}

impl<'t> GameReader<'t> {
    fn read_row(&mut self, row: usize) {
        let names = Seat::BOTH.map(|seat| self.competitors.name(row, seat));
        let [one, two] = names.map(is_blank);
        if one || two {
            self.read_incomplete_row(row, one && two);
            return;
        }
        if names.iter().any(|name| is_bye(name)) {
            self.byes.add(row);
            return;
        }
        match self.read_game(row) {
            Ok(Some(contest)) => {
                let at = self.table.grid.row_location(row);
                self.found.add_contest(at, &contest);
            }
            Ok(None) => {}
            Err(problems) => {
                let name = format!("{} – {}", names[0], names[1]);
                self.found.refused.push(problems.into_refused_entry(&name));
            }
        }
    }

    /// Refuses a row that lacks a competitor, unless it is a footnote or says nothing.
    fn read_incomplete_row(&mut self, row: usize, lacks_both: bool) {
        let filled = self.table.grid.cells(row).filter(|cell| !is_blank(cell));
        let decides = [self.columns.outcome, self.columns.winner];
        let scores = self.columns.scores.into_iter().flatten();
        let mut decides = decides.into_iter().flatten().chain(scores);
        let is_decided = decides.any(|of| !is_blank(self.table.grid.cell(row, of)));
        if filled.count() < 2 || (lacks_both && !is_decided) {
            self.blank.add(row);
            return;
        }
        let mut missing = Seat::BOTH.into_iter();
        let seat = missing.find(|&seat| is_blank(self.competitors.name(row, seat)));
        let column = self.columns.names[seat.unwrap_or(Seat::One).index()];
        let mut problems = Problems::default();
        let why = format!(
            "{} is blank: a game has two competitors",
            self.table.describe_column(column)
        );
        problems.push(self.table.grid.location(row, column), why);
        let mut refused = problems.into_refused_entry("");
        refused.contest = None;
        self.found.refused.push(refused);
    }

    /// Returns the contest of a row; `None` if the game was not played.
    fn read_game(&mut self, row: usize) -> Result<Option<Contest>, Problems> {
        let mut problems = Problems::default();
        let grid = &self.table.grid;
        let [one, two] = Seat::BOTH.map(|seat| {
            let column = self.columns.names[seat.index()];
            let read = self.competitors.read(row, seat);
            read.map_err(|why| problems.push(grid.location(row, column), why))
        });
        let (Ok(one), Ok(two)) = (one, two) else {
            return Err(problems);
        };
        let names = [&*one.name, &*two.name];
        let decision = self
            .judge
            .decide(row, names, [&*one.identity, &*two.identity]);
        let played = match decision {
            Ok(GameResult::Open) => {
                self.open.add(row);
                return Ok(None);
            }
            Ok(GameResult::NotPlayed) => {
                self.not_played.add(row);
                return Ok(None);
            }
            Ok(GameResult::Played(verdict, scores)) => Some((verdict, scores)),
            Err((column, why)) => {
                problems.push(grid.location(row, column), why);
                None
            }
        };
        self.check_competitors(row, &one, &two, &mut problems);
        if let Some(&other) = self.ids.get(&row) {
            let rows = grid.describe_rows(row.min(other), row.max(other));
            let why = format!("{rows} have the same id: give each game its own");
            problems.push(grid.row_location(row), why);
        }
        let slot = self.schedule.slot(row);
        if slot.time.is_none() {
            problems.push(
                grid.location(row, self.columns.date.unwrap_or_default()),
                self.describe_date(row),
            );
        }
        let neutral = self.judge.is_neutral(row).map_err(|(column, why)| {
            problems.push(grid.location(row, column), why);
        });
        let weight = self.read_weight(row, &mut problems);
        let (Some((verdict, scores)), Some(time), Ok(neutral)) = (played, slot.time, neutral)
        else {
            return Err(problems);
        };
        let external_id = self.external_id(row, time, slot.nth, &one, &two);
        if external_id.is_empty() {
            let column = self.columns.id.or(self.columns.number).unwrap_or_default();
            let why = format!(
                "{} is blank: each game needs an id",
                self.table.describe_column(column)
            );
            problems.push(grid.location(row, column), why);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let sides = self.columns.pairing.sides();
        // Without sides, the order of both columns has no meaning.
        let swaps = sides.is_none() && one.name > two.name;
        let [first, second] = if swaps { [&two, &one] } else { [&one, &two] };
        let mut name =
            String::with_capacity(first.name.len() + second.name.len() + BETWEEN_PLAYERS.len());
        name.push_str(&first.name);
        name.push_str(BETWEEN_PLAYERS);
        name.push_str(&second.name);
        for competitor in [&one, &two] {
            self.add_name(competitor, time);
        }
        let mut contest = Contest::new(external_id, name, time);
        let text = |of: &str| (!is_blank(of)).then(|| of.to_owned());
        contest.event = text(event(self.table, row, self.columns));
        contest.division = text(cell(self.table, row, self.columns.division));
        contest.url = text(cell(self.table, row, self.columns.url));
        contest.ordinal = slot.ordinal;
        contest.weight = weight.unwrap_or(1.0);
        contest.entrants = entrants(
            [one, two],
            verdict,
            scores,
            sides.filter(|_| !neutral),
            swaps,
        );
        Ok(Some(contest))
    }

    fn check_competitors(
        &self,
        row: usize,
        one: &Competitor<'_>,
        two: &Competitor<'_>,
        problems: &mut Problems,
    ) {
        if one.identity == two.identity {
            let why = format!("{} plays against themselves", Quoted(&one.name));
            problems.push(self.table.grid.row_location(row), why);
            return;
        }
        let mut all: Vec<&str> = one
            .members
            .iter()
            .chain(&two.members)
            .map(String::as_str)
            .collect();
        for competitor in [one, two] {
            if competitor.members.is_empty() && !all.is_empty() {
                all.push(&competitor.identity);
            }
        }
        all.sort_unstable();
        if let Some(twice) = all.windows(2).find(|of| of[0] == of[1]) {
            let why = format!("{} stands twice in the game", Quoted(twice[0]));
            problems.push(self.table.grid.row_location(row), why);
        }
    }

    fn describe_date(&self, row: usize) -> String {
        let text = cell(self.table, row, self.columns.date);
        if self.columns.date.is_none() {
            return "the game would lie after 2199: pass an earlier --start, or fewer days with --every".to_owned();
        }
        if is_blank(text) {
            return MISSING_DATE.to_owned();
        }
        (self.schedule.date_error(text)).unwrap_or_else(|| MISSING_DATE.to_owned())
    }

    fn read_weight(&self, row: usize, problems: &mut Problems) -> Option<f64> {
        let column = self.columns.weight?;
        let text = self.table.grid.cell(row, column);
        if is_blank(text) {
            return None;
        }
        let weight = (self.weights.parse(text)).map_err(|error| error.message("weight", text));
        let checked = weight.and_then(|weight| {
            let checked = check_weight(weight).map_err(|why| why.to_string());
            checked.map(|()| weight)
        });
        let refuse = |why| problems.push(self.table.grid.location(row, column), why);
        checked.map_err(refuse).ok()
    }

    /// Returns the id of a game. Without a column of ids it is the date, event, round, competitors
    /// and number of the game: `2024-01-01 Ada – Bea #2`. Empty if the id is missing.
    fn external_id(
        &mut self,
        row: usize,
        time: ContestTime,
        nth: u32,
        one: &Competitor<'_>,
        two: &Competitor<'_>,
    ) -> String {
        let grid = &self.table.grid;
        if let Some(column) = self.columns.id {
            return strip_zero_fraction(grid.cell(row, column)).to_owned();
        }
        if let (Some(number), Some(event)) = (self.columns.number, self.columns.event_id) {
            let cells = [event, number].map(|of| strip_zero_fraction(grid.cell(row, of)));
            return if cells.iter().any(|of| of.is_empty()) {
                String::new()
            } else {
                cells.join("-")
            };
        }
        // The order of the columns has no meaning: the winner can be corrected.
        let mut identities = [&*one.identity, &*two.identity];
        identities.sort_unstable();
        let has_date = self.columns.date.is_some();
        if has_date && (self.last_date.as_ref()).is_none_or(|(last, _)| *last != time) {
            self.last_date = Some((time, time.to_string()));
        }
        let date = self.last_date.as_ref().filter(|_| has_date);
        let parts = [
            date.map_or("", |(_, text)| text),
            event(self.table, row, self.columns),
            cell(self.table, row, self.columns.division),
            cell(self.table, row, self.columns.round),
        ];
        let parts = parts.into_iter().filter(|of| !of.is_empty());
        let length: usize = parts.clone().map(|of| of.len() + 1).sum();
        let names: usize = identities.iter().map(|of| of.len()).sum();
        let mut id = String::with_capacity(length + names + BETWEEN_PLAYERS.len());
        for part in parts {
            id.push_str(part);
            id.push(' ');
        }
        id.push_str(identities[0]);
        id.push_str(BETWEEN_PLAYERS);
        id.push_str(identities[1]);
        if nth > 1 {
            // Writing to a text never fails.
            let _ = write!(id, " #{nth}");
        }
        id
    }

    /// Collects the name of a competitor whom an id identifies.
    fn add_name(&mut self, competitor: &Competitor<'t>, time: ContestTime) {
        if self.columns.ids.is_none() || competitor.identity == competitor.name {
            return;
        }
        if let Cow::Borrowed(name) = competitor.name {
            let identity = competitor.identity.clone();
            self.people.add(competitor.kind, identity, name, time);
        }
    }

    fn notes(&self, options: &ReadOptions) -> Vec<String> {
        let table = self.table;
        let mut notes = vec!["one row per game".to_owned()];
        notes.extend(self.judge.notes(options));
        notes.extend(self.schedule.notes.iter().cloned());
        if self.columns.id.or(self.columns.number).is_none() {
            notes.push(
                "games have no ids: the date, event, round and competitors identify them"
                    .to_owned(),
            );
        }
        notes.extend(self.competitors.note());
        let left_out = [
            self.open
                .note(table, "game without a result", "games without a result"),
            self.not_played.note(
                table,
                "game that was not played",
                "games that were not played",
            ),
            self.byes.note(table, "bye", "byes"),
            self.blank
                .note(table, "row without competitors", "rows without competitors"),
        ];
        notes.extend(left_out.into_iter().flatten());
        notes
    }
}

fn is_bye(name: &str) -> bool {
    name.len() <= 10
        && matches!(name.as_bytes()[0], b'B' | b'b' | b'S' | b's' | b'E' | b'e')
        && matches!(&*normalise_word(name), "bye" | "spielfrei" | "exempt")
}

/// Returns the entrants in order of place. Those of a draw keep their order, or swap it.
fn entrants(
    competitors: [Competitor<'_>; 2],
    verdict: Verdict,
    scores: Option<[f64; 2]>,
    sides: Option<[Side; 2]>,
    swaps: bool,
) -> Vec<Entrant> {
    let mut entrants = Vec::with_capacity(2);
    let mut index = 0;
    entrants.extend(competitors.map(|competitor| {
        let seat = Seat::BOTH[index];
        let below = verdict == Verdict::Won(seat.other());
        let entrant = Entrant {
            competitor: competitor.identity.into_owned(),
            kind: competitor.kind,
            outcome: EntrantOutcome::Finished(Place::from_entrants_above(u32::from(below))),
            score: scores.map(|of| of[index]),
            penalty: None,
            side: sides.map(|of| of[index]),
            members: competitor.members,
        };
        index += 1;
        entrant
    }));
    let reversed = match verdict {
        Verdict::Won(seat) => seat == Seat::Two,
        Verdict::Drawn => swaps,
    };
    if reversed {
        entrants.reverse();
    }
    entrants
}

/// Returns the rows whose id occurs in several rows, each with another one.
fn find_repeated_ids(table: &HeaderTable, columns: &GameColumns) -> HashMap<usize, usize> {
    let mut repeated = HashMap::new();
    let key = match (columns.id, columns.number, columns.event_id) {
        (Some(id), ..) => [None, Some(id)],
        (None, Some(number), Some(event)) => [Some(event), Some(number)],
        _ => return repeated,
    };
    let mut first: HashMap<[&str; 2], usize> = HashMap::with_capacity(table.data_rows().len());
    for row in table.data_rows() {
        let id = key.map(|column| strip_zero_fraction(cell(table, row, column)));
        if id[1].is_empty() {
            continue;
        }
        let before = *first.entry(id).or_insert(row);
        if before != row {
            repeated.insert(row, before);
            repeated.entry(before).or_insert(row);
        }
    }
    repeated
}
