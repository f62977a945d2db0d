//! Turns a table with one row per game and a list of its players into one with one row per result: the
//! winner is first, the others share the second place; or an array ranks all.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::place_columns::unfold_rows;
use crate::options::ReadOptions;
use crate::schema::header_row::{NAME_MEANINGS, SEARCHED_ROWS, find_meaning};
use crate::values::cells::is_blank;
use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::place_of_heading;
use crate::vocabulary::seats::{heading_word, parse_seat_heading};
use crate::vocabulary::words::has_word;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, FileReadError};

/// Headings of lists of players.
const PLAYERS: &str = "players participants competitors contestants entrants spieler teilnehmer joueurs jugadores \
     giocatori jogadores spelers spillere spelare teams playernames";

/// Headings of the winner.
const WINNER: &str = "winner winners winnername sieger gewinner vainqueur gagnant ganador vincitore vencedor \
     winnaar vinder vinnare";

/// Names of arrays that list competitors from the first to the last.
const RANKED: &str = "podium finishorder finishingorder";

/// The texts between players. A comma can be part of a name, and is tried last.
const SEPARATORS: [&str; 7] = [";", "|", " / ", "/", " vs ", "&", ","];

/// The columns of players and winner below a row of headings.
struct ListedPlayers<'g> {
    grid: &'g CellGrid,
    header_row: usize,
    players: usize,
    /// The column of the winner; `None` if the list ranks its players.
    winner: Option<usize>,
    separator: &'static str,
    /// The columns that describe the game.
    others: Vec<usize>,
}

/// Returns the table with a row for each player, if each row has a list of three players or more, one
/// of whom is its winner, or an array of names such as "podium".
pub(crate) fn unfold_listed_players(
    grid: &CellGrid,
    options: &ReadOptions,
) -> Result<Option<CellGrid>, FileReadError> {
    let is_open = options.layout.is_none() && !options.no_headings && options.columns.is_empty();
    if !is_open || !grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let rows = if grid.records.is_some() {
        1
    } else {
        SEARCHED_ROWS
    };
    let mut headers = 0..grid.row_count().min(rows);
    let Some(games) = headers.find_map(|row| ListedPlayers::find(grid, row)) else {
        return Ok(None);
    };
    games.check_winners()?;
    games.check_lists()?;
    games.unfold().map(Some).map_err(FileReadError::whole_document)
}

impl<'g> ListedPlayers<'g> {
    fn find(grid: &'g CellGrid, header_row: usize) -> Option<Self> {
        let words: Vec<String> = grid.cells(header_row).map(heading_word).collect();
        let only = |known: &str| {
            let mut columns = (0..words.len()).filter(|&column| has_word(known, &words[column]));
            columns.next().filter(|_| columns.next().is_none())
        };
        let won = only(PLAYERS).zip(only(WINNER)).map(|(players, winner)| (players, Some(winner)));
        let ranked = || only(RANKED).filter(|_| grid.records.is_some());
        let (players, winner) = won.or_else(|| Some((ranked()?, None)))?;
        // A winner or a score may say something else than the order of an array.
        let decides = |word: &String| {
            has_word(WINNER, word)
                || parse_seat_heading(word).is_some()
                || find_game_heading(word).is_some_and(|known| known.0 == ColumnMeaning::Outcome)
        };
        if winner.is_none() && words.iter().any(decides) {
            return None;
        }
        let mut others = Vec::new();
        for (column, heading) in grid.cells(header_row).enumerate() {
            let meaning = find_meaning(grid, heading, &BTreeMap::new());
            let meaning = meaning.map(|known| known.0).filter(|_| column != players);
            let names_people = meaning.is_some_and(|meaning| NAME_MEANINGS.contains(&meaning));
            if meaning == Some(ColumnMeaning::Place) || (winner.is_none() && names_people) {
                return None;
            }
            let describes_game = meaning.is_some_and(ColumnMeaning::describes_contest);
            others.extend(Some(column).filter(|_| describes_game));
        }
        let mut games = Self {
            grid,
            header_row,
            players,
            winner,
            separator: "",
            others,
        };
        // An array has but one mark between its elements.
        let marks = if winner.is_some() {
            &SEPARATORS[..]
        } else {
            &SEPARATORS[..1]
        };
        games.separator = marks.iter().find(|separator| games.are_split_by(separator))?;
        Some(games)
    }

    fn rows(&self) -> impl Iterator<Item = usize> {
        let is_filled = |row: &usize| !is_blank(self.grid.cell(*row, self.players));
        (self.header_row + 1..self.grid.row_count()).filter(is_filled)
    }

    fn names(&self, row: usize, separator: &str) -> Vec<&'g str> {
        self.grid.cell(row, self.players).split(separator).map(str::trim).collect()
    }

    /// True if a separator gives each row two different names or more, some row three, and most rows a
    /// winner who is one of them. An array that ranks may have one name.
    fn are_split_by(&self, separator: &str) -> bool {
        let mut most = 0;
        let mut won = 0;
        let mut are_lists = self.rows().map(|row| {
            let names = self.names(row, separator);
            most = most.max(names.len());
            let winner = self.winner.map(|winner| self.grid.cell(row, winner));
            won += usize::from(winner.is_none_or(|winner| names.contains(&winner)));
            (names.len() > 1 || self.winner.is_none())
                && names
                    .iter()
                    .all(|name| self.winner.is_some() || name.contains(char::is_alphabetic))
                && !names.contains(&"")
                && names.iter().collect::<HashSet<_>>().len() == names.len()
        });
        are_lists.all(|is_list| is_list) && most > 2 && 2 * won > self.rows().count()
    }

    /// Errors if the winner of a game is none of its players.
    fn check_winners(&self) -> Result<(), FileReadError> {
        let Some(winner) = self.winner else {
            return Ok(());
        };
        let is_other =
            |&row: &usize| !self.names(row, self.separator).contains(&self.grid.cell(row, winner));
        let Some(row) = self.rows().find(is_other) else {
            return Ok(());
        };
        let reason = match self.grid.cell(row, winner) {
            winner if is_blank(winner) => {
                "the game has no winner: fill it in, or remove the row".to_owned()
            }
            winner => format!(
                "the winner {} is none of the players {}: correct one of both",
                Quoted(winner),
                Quoted(self.grid.cell(row, self.players))
            ),
        };
        Err(FileReadError::new(self.grid.location(row, winner), reason))
    }

    /// Errors if a part of a list may be several players, or if another column says more about them than
    /// who won: a second place, or a value for each.
    fn check_lists(&self) -> Result<(), FileReadError> {
        let is_joint = |name: &str| {
            [";", "|", "/", "&", " and ", " und ", " et ", " y "]
                .iter()
                .any(|mark| name.contains(mark))
        };
        for row in self.rows() {
            let names = self.names(row, self.separator);
            if let Some(joint) = names.into_iter().find(|name| is_joint(name)) {
                let joint = Quoted(joint);
                let reason = format!("{joint} may be several players: write one mark between all");
                return Err(FileReadError::new(self.grid.location(row, self.players), reason));
            }
        }
        let says_more = |column: &usize| {
            self.winner.is_some()
                && ![Some(self.players), self.winner].contains(&Some(*column))
                && !self.others.contains(column)
                && (place_of_heading(self.grid.cell(self.header_row, *column)).is_some()
                    || self.rows().all(|row| self.is_about_players(row, *column)))
        };
        let mut columns = 0..self.grid.width(self.header_row);
        let Some(column) = columns.find(says_more) else {
            return Ok(());
        };
        let reason = format!(
            "{} says more of the players than who won: write one row per player, with a place or a score",
            Quoted(self.grid.cell(self.header_row, column))
        );
        Err(FileReadError::new(self.grid.location(self.header_row, column), reason))
    }

    /// True if a cell names one of the players of a row, or lists as many values.
    fn is_about_players(&self, row: usize, column: usize) -> bool {
        let names = self.names(row, self.separator);
        let cell = self.grid.cell(row, column);
        let mut separators = [self.separator, ";", ","].into_iter();
        names.contains(&cell) || separators.any(|mark| cell.split(mark).count() == names.len())
    }

    /// Returns an id for each row, if some are equal in all that describes the game: several games of a
    /// day.
    fn number_repeated_games(&self) -> BTreeMap<usize, String> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let ids = self.rows().map(|row| {
            let cells = self.others.iter().map(|&column| self.grid.cell(row, column));
            let game = cells.collect::<Vec<_>>().join(" ");
            let count = counts.entry(game.clone()).or_default();
            *count += 1;
            (row, format!("{game} #{count}").trim_start().to_owned())
        });
        let ids = ids.collect();
        if counts.values().all(|&count| count == 1) {
            return BTreeMap::new();
        }
        ids
    }

    fn unfold(&self) -> Result<CellGrid, String> {
        let ids = self.number_repeated_games();
        let mut unfolded = unfold_rows(self.grid, self.header_row, &self.others, &ids, |row| {
            if is_blank(self.grid.cell(row, self.players)) {
                return Vec::new();
            }
            let winner = self.winner.map(|winner| self.grid.cell(row, winner));
            let names = (1..).zip(self.names(row, self.separator));
            let place =
                |rank, name| winner.map_or(rank, |winner| if name == winner { 1 } else { 2 });
            names.map(|(rank, name)| (place(rank, name), name)).collect()
        })?;
        let describe = |column| Quoted(self.grid.cell(self.header_row, column)).to_string();
        let players = describe(self.players);
        unfolded.notes.push(match self.winner.map(describe) {
            Some(winner) => format!(
                "one row per game, {players} lists its players: {winner} is first, the others share the second place; other columns are not read"
            ),
            None => format!(
                "one row per contest, {players} lists its competitors from the first; other columns are not read"
            ),
        });
        Ok(unfolded)
    }
}
