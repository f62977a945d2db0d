//! Makes contests of the games in a cross table. Both players of a game must agree about it.

use std::collections::HashMap;

use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, Quoted,
    Side,
};
use ranklore_grid::{FileReadError, Location, ReadLimits};

use super::dates::RoundDates;
use crate::layouts::dated_names::DatedNameCollector;
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::pgn::{GameIds, GameOrder};
use crate::reading::Candidates;
use crate::vocabulary::meanings::ColumnMeaning;

/// The rows of a tournament.
pub(super) struct CrossTable {
    pub(super) event: String,
    pub(super) dates: RoundDates,
    pub(super) rows: Vec<CrossTableRow>,
    /// The cells for byes, forfeits and other rounds without a game.
    pub(super) left_out: usize,
    /// The cells for games with handicap stones, or that may have some.
    pub(super) handicaps: usize,
    pub(super) ids: PlayerIds,
}

/// The name of the ids that a format has for players, and the headings with which
/// `--column HEADING=ignore` excludes them.
pub(super) struct PlayerIds {
    pub(super) noun: &'static str,
    pub(super) headings: &'static [&'static str],
}

/// A player, with a cell for each round; `None` is a round without a game.
pub(super) struct CrossTableRow {
    pub(super) line: u64,
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) cells: Vec<Option<GameCell>>,
}

/// A game, as the row of one player tells it.
#[derive(Clone, Copy)]
pub(super) struct GameCell {
    pub(super) opponent: u32,
    pub(super) result: CellResult,
    pub(super) side: Option<Side>,
}

/// The result of a game for the player of the row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellResult {
    Win,
    Draw,
    Loss,
}

impl CellResult {
    pub(super) const fn of_opponent(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A game with both of its players: that with the advantage of the side first, if it is known.
struct Pairing<'r> {
    players: [&'r CrossTableRow; 2],
    cells: [GameCell; 2],
}

impl CrossTable {
    /// Returns a table without rows, whose event is the file until a header names it.
    pub(super) fn new(file_name: &str, ids: PlayerIds) -> Self {
        Self {
            event: file_stem(file_name).to_owned(),
            dates: RoundDates::default(),
            rows: Vec::new(),
            left_out: 0,
            handicaps: 0,
            ids,
        }
    }

    /// Returns the games of all rounds: each is a contest.
    pub(super) fn read_games(
        &self,
        options: &ReadOptions,
        limits: ReadLimits,
    ) -> Result<Candidates, FileReadError> {
        let mut candidates = Candidates::default();
        let cells: usize = self.rows.iter().map(|row| row.cells.len()).sum();
        if cells > limits.results {
            let limit = limits.results;
            let reason = format!("the document has more than {limit} results; split it");
            return Err(FileReadError::whole_document(reason));
        }
        let rows_by_number = index_rows(&self.rows, "the number", |row| row.number.to_string())?;
        let uses_ids = self.choose_identity(options, &mut candidates.warnings)?;
        let rounds = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let mut reader = RoundReader {
            table: self,
            uses_ids,
            names: DatedNameCollector::default(),
            ids: GameIds::default(),
            order: GameOrder::default(),
            candidates,
        };
        for round in 0..rounds {
            let day = self.dates.find(round, options).map_err(FileReadError::whole_document)?;
            for row in &self.rows {
                reader.read_cell(row, round, day, &rows_by_number);
            }
        }
        let mut candidates = reader.candidates;
        candidates.dated_names = reader.names.finish();
        candidates.warnings.extend(self.dates.describe(rounds, options));
        if self.left_out > 0 {
            let left_out = self.left_out;
            candidates.warnings.push(format!(
                "rounds of players without a game (byes, forfeits, absences) are left out: {left_out}"
            ));
        }
        if self.handicaps > 0 {
            // Both players have the game in their rows.
            let games = self.handicaps / 2;
            candidates.warnings.push(format!(
                "games with a handicap, or that may have one, have no sides and count like even \
                 games: {games}"
            ));
        }
        Ok(candidates)
    }

    /// Returns true if ids identify the players, since all have one. Errors if two players have one
    /// id, or one name without ids.
    fn choose_identity(
        &self,
        options: &ReadOptions,
        warnings: &mut Vec<String>,
    ) -> Result<bool, FileReadError> {
        let PlayerIds { noun, headings } = self.ids;
        let is_excluded = options.columns.iter().any(|(column, meaning)| {
            *meaning == ColumnMeaning::Ignore
                && headings.iter().any(|heading| heading.eq_ignore_ascii_case(column))
        });
        let identified = self.rows.iter().filter(|row| row.id.is_some()).count();
        let players = self.rows.len();
        let uses_ids = identified == players && !is_excluded;
        if uses_ids {
            index_rows(&self.rows, "the id", |row| row.id.clone().unwrap_or_default())?;
            return Ok(true);
        }
        index_rows(&self.rows, "the name", |row| row.name.clone())?;
        if identified > 0 && !is_excluded {
            warnings.push(format!(
                "players are identified by name, since only {identified} of {players} have {noun}"
            ));
        }
        Ok(false)
    }
}

/// Returns the rows by a key. Errors if two rows have one key.
fn index_rows<'r>(
    rows: &'r [CrossTableRow],
    noun: &str,
    key: impl Fn(&CrossTableRow) -> String,
) -> Result<HashMap<String, &'r CrossTableRow>, FileReadError> {
    let mut rows_by_key: HashMap<String, &CrossTableRow> = HashMap::with_capacity(rows.len());
    for row in rows {
        if let Some(earlier) = rows_by_key.insert(key(row), row) {
            let reason = format!(
                "{noun} {} is also that of the player on line {}; correct one",
                Quoted(&key(row)),
                earlier.line
            );
            return Err(FileReadError::new(Location::Line(row.line), reason));
        }
    }
    Ok(rows_by_key)
}

struct RoundReader<'r> {
    table: &'r CrossTable,
    uses_ids: bool,
    names: DatedNameCollector<'r>,
    ids: GameIds,
    order: GameOrder,
    candidates: Candidates,
}

impl<'r> RoundReader<'r> {
    /// Adds the game in a cell, unless the row of the opponent is the one to add it.
    fn read_cell(
        &mut self,
        row: &'r CrossTableRow,
        round: usize,
        day: ContestTime,
        rows_by_number: &HashMap<String, &'r CrossTableRow>,
    ) {
        let Some(Some(cell)) = row.cells.get(round) else {
            return;
        };
        let opponent = rows_by_number.get(&cell.opponent.to_string()).copied();
        match pair(row, *cell, opponent, round) {
            Ok(None) => {}
            Ok(Some(pairing)) => self.add_game(&pairing, round, day),
            Err(reason) => {
                let location = Location::Line(row.line);
                let reason = format!("round {}: {reason}", round + 1);
                let name = opponent.map(|opponent| game_name(&row.name, &opponent.name));
                self.candidates.refuse(name, (location, reason));
            }
        }
    }

    fn add_game(&mut self, pairing: &Pairing<'r>, round: usize, day: ContestTime) {
        let [first, second] = pairing.players;
        let round = (round + 1).to_string();
        let name = game_name(&first.name, &second.name);
        let external_id = self.ids.derive(day, Some(&round), (&first.name, &second.name));
        let [first_cell, second_cell] = pairing.cells;
        let mut entrants = vec![
            self.new_entrant(first, first_cell, day),
            self.new_entrant(second, second_cell, day),
        ];
        // Entrants are in the order of their places.
        if first_cell.result == CellResult::Loss {
            entrants.reverse();
        }
        let event = self.table.event.clone();
        let contest = Contest {
            ordinal: self.order.next(&event, day, Some(&round)),
            event: Some(event),
            entrants,
            ..Contest::new(external_id, name, day)
        };
        self.candidates.add_contest(Location::Line(first.line), &contest);
    }

    fn new_entrant(&mut self, row: &'r CrossTableRow, cell: GameCell, day: ContestTime) -> Entrant {
        let id = row.id.as_deref().filter(|_| self.uses_ids);
        if let Some(id) = id {
            self.names.add(EntrantKind::Person, id.into(), &row.name, day);
        }
        let above = u32::from(cell.result == CellResult::Loss);
        let outcome = EntrantOutcome::Finished(Place::from_entrants_above(above));
        Entrant {
            side: cell.side,
            ..Entrant::person(id.unwrap_or(&row.name), outcome)
        }
    }
}

fn game_name(first: &str, second: &str) -> String {
    format!("{first}{BETWEEN_PLAYERS}{second}")
}

/// Returns the game in a cell, or `None` if the opponent stands above and has it too.
fn pair<'r>(
    row: &'r CrossTableRow,
    cell: GameCell,
    opponent: Option<&'r CrossTableRow>,
    round: usize,
) -> Result<Option<Pairing<'r>>, String> {
    let Some(opponent) = opponent else {
        return Err(format!("the opponent {} has no row; add it", cell.opponent));
    };
    let reply = opponent.cells.get(round).copied().flatten();
    let Some(reply) = reply.filter(|reply| reply.opponent == row.number) else {
        return Err(format!(
            "line {} has no game against {}; correct one of both lines",
            opponent.line, row.number
        ));
    };
    if row.number == opponent.number {
        return Err(format!("{} plays against itself; correct the opponent", Quoted(&row.name)));
    }
    if opponent.line < row.line {
        return Ok(None);
    }
    if reply.result != cell.result.of_opponent() || (cell.side.is_some() && cell.side == reply.side)
    {
        return Err(format!(
            "the result or the colour does not agree with line {}; correct one of both lines",
            opponent.line
        ));
    }
    let is_first = !reply.side.is_some_and(Side::has_advantage);
    Ok(Some(if is_first {
        Pairing {
            players: [row, opponent],
            cells: [cell, reply],
        }
    } else {
        Pairing {
            players: [opponent, row],
            cells: [reply, cell],
        }
    }))
}
