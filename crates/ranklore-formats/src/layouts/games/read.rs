//! Reads tables of games: each row becomes a contest.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::competitors::{Competitor, Competitors};
use super::extra_time::UnreadExtraTimes;
use super::outcomes::Verdict;
use super::repeated_matches::check_matches;
use super::repeats::{RepeatedRows, Repeats, are_two_games, find_repeated_ids};
use super::schedule::{Schedule, Slot, event};
use super::skipped_rows::SkippedRows;
use super::statuses::has_unread_status;
use super::verdicts::{GameResult, Judge};
use crate::layouts::dated_names::DatedNameCollector;
use crate::layouts::numbering::MISSING_DATE;
use crate::layouts::standings::{Problems, parse_weight};
use crate::options::ReadOptions;
use crate::reading::{Candidates, TableShape};
use crate::schema::games::GameColumns;
use crate::schema::people::identities::strip_zero_fraction;
use crate::schema::ragged::RaggedRows;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::numbers::NumberStyle;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::nobody::{is_forfeit, is_forfeit_code, is_nobody, is_unknown_name};
use crate::vocabulary::seats::Seat;
use crate::vocabulary::words::{has_word, split_words};
use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantOutcome, Place, Quoted, Side,
};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Words of headings of the players of a side.
const PLAYER_WORDS: &str =
    "player players spieler joueur joueurs jugador jugadores jogador jogadores giocatore speler";

/// Reads the games of a table.
pub(crate) fn read(
    table: &HeaderTable,
    columns: &GameColumns,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    check_matches(table, columns, &options.columns)?;
    let competitors = Competitors::new(table, columns, options)?;
    let judge = Judge::new(table, columns, options)?;
    let mut repeats = Repeats::new(table, columns, &competitors, &judge, &options.columns);
    let schedule = Schedule::new(table, columns, &mut repeats, file_name, options)?;
    let repeated_ids = find_repeated_ids(table, columns, &mut repeats);
    let repeats = repeats.finish();
    let is_decided = |row: &usize| !is_blank(table.cell(*row, columns.winner));
    let last_decided = table
        .data_rows()
        .filter(is_decided)
        .filter_map(|row| schedule.slot(row).time)
        .max();
    let mut reader = GameReader {
        has_unknown_names: competitors.have_unknown_names(),
        table,
        columns,
        competitors,
        judge,
        schedule,
        weight_style: table.number_style(columns.weight),
        last_date: None,
        last_decided,
        repeated_ids,
        repeats,
        people: DatedNameCollector::default(),
        forfeits: HashSet::new(),
        candidates: Candidates::default(),
        open: SkippedRows::default(),
        not_played: SkippedRows::default(),
        byes: SkippedRows::default(),
        forfeited: SkippedRows::default(),
        blank: SkippedRows::default(),
    };
    reader.forfeits = reader.find_forfeits();
    let ragged = RaggedRows::find(table);
    reader.check_extra_times(options)?;
    for row in table.data_rows().filter(|&row| !ragged.contains(row)) {
        reader.read_row(row);
    }
    if let Some(row) = ragged.rows().next() {
        let at = table.grid.row_location(row);
        reader.candidates.refuse(None, (at, ragged.describe(table, row)));
    }
    let notes = reader.notes(options);
    let mut candidates = reader.candidates;
    candidates.numbered = reader.schedule.numbered;
    candidates.dated_names = reader.people.finish();
    candidates.layout = Some(table.layout(TableShape::Games, &columns.used, notes));
    Ok(candidates)
}

/// Reads the rows of a table of games.
struct GameReader<'t> {
    table: &'t HeaderTable,
    columns: &'t GameColumns,
    competitors: Competitors<'t>,
    judge: Judge<'t>,
    schedule: Schedule,
    weight_style: NumberStyle,
    /// The last time and its text: consecutive rows mostly share a date.
    last_date: Option<(ContestTime, String)>,
    /// The time of the last game whose winner is named; later ones are not played yet.
    last_decided: Option<ContestTime>,
    /// The rows of ids that occur several times: the row, and another with that id.
    repeated_ids: HashMap<usize, usize>,
    repeats: RepeatedRows,
    people: DatedNameCollector<'t>,
    candidates: Candidates,
    /// True if words such as "Unknown" stand in several games, for different people.
    has_unknown_names: bool,
    /// Words such as "Forfeit" and "ff" that stand in place of opponents.
    forfeits: HashSet<&'t str>,
    open: SkippedRows,
    not_played: SkippedRows,
    byes: SkippedRows,
    forfeited: SkippedRows,
    blank: SkippedRows,
}

impl<'t> GameReader<'t> {
    /// Errors if columns of extra time that are not read decide games that would be draws.
    fn check_extra_times(&self, options: &ReadOptions) -> Result<(), FileReadError> {
        let mut unread = UnreadExtraTimes::find(self.table, self.columns, &options.columns);
        if unread.is_empty() {
            return Ok(());
        }
        for row in self.table.data_rows() {
            if let Ok([one, two]) = self.read_competitors(row)
                && let Ok(GameResult::Played(Verdict::Drawn, _)) =
                    self.judge.decide(row, [&one, &two])
            {
                unread.add_draw(row);
            }
        }
        unread.check()
    }

    /// Returns the words that stand in place of opponents who did not play. A word that wins or draws a
    /// game, or scores in one, is the handle of a competitor, and so is a word with an id.
    fn find_forfeits(&self) -> HashSet<&'t str> {
        let mut forfeits = HashSet::new();
        if !self.table.grid.limits().reader.refuses_doubts() {
            return forfeits;
        }
        let mut handles = HashSet::new();
        for row in self.table.data_rows() {
            for seat in Seat::BOTH {
                let name = self.competitors.name(row, seat);
                if !is_forfeit(name) && !is_forfeit_code(name)
                    || self.competitors.key(row, seat).0 != name
                {
                    continue;
                }
                forfeits.insert(name);
                if self.has_result(row, seat) {
                    handles.insert(name.to_ascii_lowercase());
                }
            }
        }
        forfeits.retain(|name| !handles.contains(&name.to_ascii_lowercase()));
        forfeits
    }

    /// True if a competitor wins or draws a game, or both score in it.
    fn has_result(&self, row: usize, seat: Seat) -> bool {
        let Ok([one, two]) = self.read_competitors(row) else {
            return false;
        };
        match self.judge.decide(row, [&one, &two]) {
            Ok(GameResult::Played(verdict, scores)) => {
                verdict != Verdict::Won(seat.other())
                    || scores.is_some_and(|scores| {
                        scores[seat.index()] > 0.0 && scores[seat.other().index()].abs() > 0.0
                    })
            }
            _ => false,
        }
    }

    fn read_row(&mut self, row: usize) {
        if self.repeats.contains(row) {
            return;
        }
        let names = Seat::BOTH.map(|seat| self.competitors.name(row, seat));
        let blanks = names.map(is_blank);
        if blanks.contains(&true) {
            self.read_incomplete_row(row, blanks == [true, true]);
            return;
        }
        let is_unknown = |name| self.has_unknown_names && is_unknown_name(name);
        if names.into_iter().any(|name| is_nobody(name) || is_unknown(name)) {
            self.byes.add(row);
            return;
        }
        if names.into_iter().any(|name| self.forfeits.contains(name)) {
            self.forfeited.add(row);
            return;
        }
        if self.judge.is_unplayed(row, self.is_later(row)) {
            self.not_played.add(row);
            return;
        }
        match self.read_game(row) {
            Ok(Some(contest)) => {
                let at = self.table.grid.row_location(row);
                self.candidates.add_contest(at, &contest);
            }
            Ok(None) => {}
            Err(problems) => {
                let name = format!("{} – {}", names[0], names[1]);
                self.candidates.refused.push(problems.into_refused_entry(&name));
            }
        }
    }

    /// Refuses a row that lacks a competitor, unless it is a footnote or says nothing.
    fn read_incomplete_row(&mut self, row: usize, lacks_both: bool) {
        let filled = self.table.grid.cells(row).filter(|cell| !is_blank(cell));
        let outcomes = [self.columns.outcome, self.columns.winner];
        let scores = self.columns.scores.into_iter().flatten();
        let mut decisive_columns = outcomes.into_iter().flatten().chain(scores);
        let is_decided = decisive_columns.any(|c| !is_blank(self.table.grid.cell(row, c)));
        if filled.count() < 2 || (lacks_both && !is_decided) {
            self.blank.add(row);
            return;
        }
        if !is_decided {
            // The opponent is not known before an earlier game ends.
            self.open.add(row);
            return;
        }
        let mut seats = Seat::BOTH.into_iter();
        let missing = seats.find(|&seat| is_blank(self.competitors.name(row, seat)));
        let column = self.columns.names[missing.unwrap_or(Seat::One).index()];
        let reason =
            format!("{} is blank: a game has two competitors", self.table.describe_column(column));
        self.candidates.refuse(None, (self.table.grid.location(row, column), reason));
    }

    /// Returns the contest of a row; `None` if the game was not played.
    fn read_game(&mut self, row: usize) -> Result<Option<Contest>, Problems> {
        let grid = &self.table.grid;
        let [one, two] = self.read_competitors(row)?;
        let mut problems = Problems::default();
        let played = match self.judge.decide(row, [&one, &two]) {
            Ok(GameResult::Open) => {
                self.open.add(row);
                return Ok(None);
            }
            Ok(GameResult::NotPlayed) => {
                self.not_played.add(row);
                return Ok(None);
            }
            Ok(GameResult::NoWinner) => return self.skip_undecided(row).map(|()| None),
            Ok(GameResult::Played(verdict, scores)) => Some((verdict, scores)),
            Err((column, reason)) => {
                problems.push(grid.location(row, column), reason);
                None
            }
        };
        let slot = self.schedule.slot(row);
        self.check_competitors(row, [&one, &two], &mut problems);
        self.check_slot(row, slot, &mut problems);
        let is_neutral = self.judge.is_neutral(row).map_err(|(column, reason)| {
            problems.push(grid.location(row, column), reason);
        });
        let weight = self.read_weight(row, &mut problems);
        let (Some((verdict, scores)), Some(time), Ok(is_neutral)) = (played, slot.time, is_neutral)
        else {
            return Err(problems);
        };
        let external_id = self.external_id(row, time, slot.nth, [&one, &two]);
        if external_id.is_empty() {
            let column = self.columns.id.or(self.columns.number).unwrap_or_default();
            let reason =
                format!("{} is blank: each game needs an id", self.table.describe_column(column));
            problems.push(grid.location(row, column), reason);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        for competitor in [&one, &two] {
            self.add_name(competitor, time);
        }
        let sides = self.columns.pairing.sides();
        // Without sides, the order of both columns has no meaning.
        let swaps = sides.is_none() && one.name > two.name;
        let [first, second] = if swaps { [&two, &one] } else { [&one, &two] };
        let name = [&*first.name, BETWEEN_PLAYERS, &*second.name].concat();
        let mut contest = Contest::new(external_id, name, time);
        self.describe_contest(row, slot, &mut contest);
        contest.weight = weight.unwrap_or(1.0);
        // On neutral ground, neither has the advantage of home.
        let sides = sides.filter(|_| !is_neutral);
        contest.entrants = entrants([one, two], verdict, scores, sides, swaps);
        Ok(Some(contest))
    }

    /// Leaves out a game without a winner if it was not played, or not yet. Errors if it may have been
    /// drawn.
    fn skip_undecided(&mut self, row: usize) -> Result<(), Problems> {
        if has_unread_status(self.table, self.columns, row) {
            self.not_played.add(row);
            return Ok(());
        }
        if self.is_later(row) {
            self.open.add(row);
            return Ok(());
        }
        let column = self.columns.winner.unwrap_or_default();
        let heading = self.table.heading(column);
        let word = self.table.grid.cell(row, column);
        let others = CommandOptions::new("--where", format!("{heading}!={word}"));
        let reason = format!(
            "{} names no winner, and no cell of the column says draw: write draw if the game was drawn, or pass {others} to leave such games out",
            self.table.describe_column(column)
        );
        let reason = Reason::from(reason).naming([others]);
        let mut problems = Problems::default();
        problems.push(self.table.grid.location(row, column), reason);
        Err(problems)
    }

    /// True if a game is later than all whose winner is named.
    fn is_later(&self, row: usize) -> bool {
        self.schedule.slot(row).time > self.last_decided
    }

    /// Returns both competitors of a row.
    fn read_competitors(&self, row: usize) -> Result<[Competitor<'t>; 2], Problems> {
        let mut problems = Problems::default();
        let competitors = Seat::BOTH.map(|seat| {
            let column = self.columns.names[seat.index()];
            let competitor = self.competitors.read(row, seat);
            competitor.map_err(|reason| {
                problems.push(self.table.grid.location(row, column), reason);
            })
        });
        match competitors {
            [Ok(one), Ok(two)] => Ok([one, two]),
            _ => Err(problems),
        }
    }

    /// Sets the event, division, URL and order of the contest of a row.
    fn describe_contest(&self, row: usize, slot: Slot, contest: &mut Contest) {
        let text = |cell: &str| (!is_blank(cell)).then(|| cell.to_owned());
        contest.event = text(event(self.table, row, self.columns));
        contest.division = text(self.table.cell(row, self.columns.division));
        contest.url = text(self.table.cell(row, self.columns.url));
        contest.ordinal = slot.ordinal;
    }

    fn check_competitors(
        &self,
        row: usize,
        competitors: [&Competitor<'_>; 2],
        problems: &mut Problems,
    ) {
        let [one, two] = competitors;
        let at = || self.table.grid.row_location(row);
        if one.identity == two.identity {
            let reason = format!("{} plays against themselves", Quoted(&one.name));
            problems.push(at(), reason);
            return;
        }
        let members = one.members.iter().chain(&two.members);
        let mut people: Vec<&str> = members.map(String::as_str).collect();
        for competitor in competitors {
            // A person cannot play against their own team.
            if competitor.members.is_empty() && !people.is_empty() {
                people.push(&competitor.identity);
            }
        }
        people.sort_unstable();
        if let Some(twice) = people.windows(2).find(|pair| pair[0] == pair[1]) {
            let reason = format!("{} stands twice in the game", Quoted(twice[0]));
            problems.push(at(), reason);
        }
    }

    /// Reports an id that another row has too, and a date that is missing or invalid.
    fn check_slot(&self, row: usize, slot: Slot, problems: &mut Problems) {
        let grid = &self.table.grid;
        if let Some(&other) = self.repeated_ids.get(&row) {
            let rows = grid.describe_rows(row.min(other), row.max(other));
            let mut reason =
                Reason::from(format!("{rows} have the same id: give each game its own"));
            let names = |row| {
                let mut names = Seat::BOTH.map(|seat| self.competitors.name(row, seat));
                names.sort_unstable();
                names
            };
            if let Some(id) = self.columns.id.filter(|_| names(row) == names(other)) {
                let event = self.table.column_option(id, ColumnMeaning::Event);
                let games = format!("if a match has several games, pass {event}");
                let (ignored, case) = match self.find_players_of_match(row, other) {
                    Some(ignored) => (ignored, "if the rows are the players of one game"),
                    None => (self.table.ignore_option(id), "if it is no id of games"),
                };
                let advice = format!("{games}; {case}, pass {ignored}");
                reason.append(Reason::from(advice).naming([event, ignored]));
            } else if let Some(id) = self.columns.id
                && are_two_games(self.table, self.columns, [row, other])
            {
                let ignored = self.table.ignore_option(id);
                let advice = format!("if it is no id of games, pass {ignored}");
                reason.append(Reason::from(advice).naming([ignored]));
            }
            problems.push(grid.row_location(row), reason);
        }
        if slot.time.is_none() {
            let at = grid.location(row, self.columns.date.unwrap_or_default());
            problems.push(at, self.describe_date(row));
        }
    }

    /// Returns the options that leave out the columns in which two rows of one id differ, if they name players of
    /// the same sides, and nothing that is read differs.
    fn find_players_of_match(&self, row: usize, other: usize) -> Option<CommandOptions> {
        let differs = |column: &usize| {
            self.table.grid.cell(row, *column) != self.table.grid.cell(other, *column)
        };
        let names_player = |column: usize| {
            let words = split_words(self.table.heading(column));
            let has_name = self.table.grid.cell(row, column).contains(char::is_alphabetic);
            has_name && words.iter().any(|word| has_word(PLAYER_WORDS, word))
        };
        let columns: Vec<usize> =
            (0..self.table.grid.width(self.table.header_row)).filter(differs).collect();
        let are_players = columns
            .iter()
            .all(|&column| !self.columns.used.contains_key(&column) && names_player(column));
        let is_advised = are_players && self.table.grid.limits().reader.refuses_doubts();
        let ignored = columns.into_iter().map(|column| self.table.ignore_option(column));
        ignored.reduce(CommandOptions::and).filter(|_| is_advised)
    }

    /// Returns the reason why a row has no time.
    fn describe_date(&self, row: usize) -> String {
        let text = self.table.cell(row, self.columns.date);
        if self.columns.date.is_none() {
            return "the game would lie after 2199: pass an earlier --start, or fewer days with --every".to_owned();
        }
        if is_blank(text) {
            return MISSING_DATE.to_owned();
        }
        let error = self.schedule.date_error(text);
        error.unwrap_or_else(|| MISSING_DATE.to_owned())
    }

    fn read_weight(&self, row: usize, problems: &mut Problems) -> Option<f64> {
        let column = self.columns.weight?;
        let text = self.table.grid.cell(row, column);
        if is_blank(text) {
            return None;
        }
        parse_weight(text, self.weight_style)
            .map_err(|reason| problems.push(self.table.grid.location(row, column), reason))
            .ok()
    }

    /// Returns the id of a game. Without a column of ids it is the date, event, round, competitors
    /// and number of the game: `2024-01-01 Ada – Bea #2`; the date is the start of a table without
    /// dates, so that two such tables do not share games. Empty if the id is missing.
    fn external_id(
        &mut self,
        row: usize,
        time: ContestTime,
        nth: u32,
        competitors: [&Competitor<'_>; 2],
    ) -> String {
        let grid = &self.table.grid;
        if let Some(column) = self.columns.id {
            return strip_zero_fraction(grid.cell(row, column)).to_owned();
        }
        if let (Some(number), Some(event)) = (self.columns.number, self.columns.event_id) {
            let cells = [event, number].map(|c| strip_zero_fraction(grid.cell(row, c)));
            return if cells.contains(&"") {
                String::new()
            } else {
                cells.join("-")
            };
        }
        // The order of the columns has no meaning: the winner can be corrected.
        let mut identities = competitors.map(|competitor| &*competitor.identity);
        identities.sort_unstable();
        let date = self.schedule.start.unwrap_or(time);
        if self.last_date.as_ref().is_none_or(|(last, _)| *last != date) {
            self.last_date = Some((date, date.to_string()));
        }
        let date = self.last_date.as_ref();
        let parts = [
            date.map_or("", |(_, text)| text),
            event(self.table, row, self.columns),
            self.table.cell(row, self.columns.division),
            self.table.cell(row, self.columns.round),
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let length: usize = parts.clone().map(|part| part.len() + 1).sum();
        let names = [identities[0], BETWEEN_PLAYERS, identities[1]];
        let names_length: usize = names.iter().map(|name| name.len()).sum();
        let mut id = String::with_capacity(length + names_length);
        for part in parts {
            id.push_str(part);
            id.push(' ');
        }
        id.extend(names);
        if nth > 1 {
            // Writing to a text never fails.
            let _ = write!(id, " #{nth}");
        }
        id
    }

    /// Collects the name of a competitor whom an id identifies.
    fn add_name(&mut self, competitor: &Competitor<'t>, time: ContestTime) {
        let has_ids = self.columns.ids.is_some() || self.columns.same_name_by.is_some();
        if !has_ids || competitor.identity == competitor.name {
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
        notes.extend(self.competitors.notes());
        let left_out = [
            self.open.note(table, "game without a result", "games without a result"),
            self.not_played
                .note(table, "game that was not played", "games that were not played"),
            self.byes.note(
                table,
                "bye or game of an unknown player",
                "byes and games of unknown players",
            ),
            self.forfeited.note(
                table,
                "game with a forfeit in place of a competitor",
                "games with a forfeit in place of a competitor",
            ),
            self.blank.note(table, "row without competitors", "rows without competitors"),
        ];
        notes.extend(left_out.into_iter().flatten());
        notes.extend(self.repeats.notes(table));
        notes
    }
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
    for (seat, competitor) in Seat::BOTH.into_iter().zip(competitors) {
        let has_lost = verdict == Verdict::Won(seat.other());
        entrants.push(Entrant {
            competitor: competitor.identity.into_owned(),
            kind: competitor.kind,
            outcome: EntrantOutcome::Finished(Place::from_entrants_above(u32::from(has_lost))),
            score: scores.map(|scores| scores[seat.index()]),
            penalty: None,
            side: sides.map(|sides| sides[seat.index()]),
            members: competitor.members,
        });
    }
    let is_reversed = match verdict {
        Verdict::Won(seat) => seat == Seat::Two,
        Verdict::Drawn => swaps,
    };
    if is_reversed {
        entrants.reverse();
    }
    entrants
}
