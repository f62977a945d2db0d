//! The tournament file of `OpenGotha`, a program for Go tournaments: XML with the players, and the
//! games, which name both players by a key.
//! Source: `ExternalDocument.java` and `Player.java` of `OpenGotha`.

use std::collections::HashMap;

use ranklore_contest::{Quoted, Side};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};

use super::dates::parse_day;
use super::games::{CellResult, CrossTable, CrossTableRow, GameCell};
use super::h9::{EGF_PINS, parse_pin};
use crate::options::ReadOptions;
use crate::pgn::decode_lines;
use crate::reading::Candidates;
use crate::xml::{Element, XmlReader};

/// The most rounds of a tournament; `OpenGotha` has 20.
const MAX_ROUNDS: usize = 100;

/// Reads the games of a tournament.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, encoding_note) = decode_lines(bytes)?;
    let mut table = CrossTable::new(file_name, EGF_PINS);
    let mut date_note = None;
    let mut games = Vec::new();
    let mut xml = XmlReader::new(&text);
    open_root(&mut xml)?;
    let mut is_in_list = false;
    loop {
        let Some(element) = xml.next_tag()? else {
            if !is_in_list {
                break;
            }
            is_in_list = false;
            continue;
        };
        match (is_in_list, element.name()) {
            (false, "Players" | "Games" | "ByePlayers") => {
                is_in_list = true;
                continue;
            }
            (false, "TournamentParameterSet") => {
                let parameters = xml.read_content(element)?;
                if let Some(parameters) = parameters.find(&["GeneralParameterSet"]) {
                    date_note = table.read_parameters(parameters, options)?;
                }
                continue;
            }
            (true, "Player") => table.add_listed_player(&element)?,
            (true, "ByePlayer") => table.left_out += 1,
            _ => {}
        }
        xml.skip_content()?;
        if is_in_list && element.name() == "Game" {
            games.push(element);
        }
        if table.rows.len().max(games.len()) > limits.results {
            let limit = limits.results;
            let reason = format!("the document has more than {limit} players or games; split it");
            return Err(FileReadError::whole_document(reason));
        }
    }
    let undecided = table.add_games(&games)?;
    let mut candidates = table.read_games(options, limits)?;
    candidates.warnings.extend(encoding_note.into_iter().chain(date_note));
    if undecided > 0 {
        let note = format!("games that both players win or both lose are left out: {undecided}");
        candidates.warnings.push(note);
    }
    Ok(candidates)
}

/// Reads the tag that begins the tournament.
fn open_root(xml: &mut XmlReader<'_>) -> Result<(), FileReadError> {
    let root = xml.next_tag()?.unwrap_or_default();
    if root.name() == "Tournament" {
        return Ok(());
    }
    Err(root.error(format!(
        "the document is XML whose first element is {}, and not a Tournament of OpenGotha; export \
         the results as .h9",
        Quoted(root.name())
    )))
}

/// Returns the key of a player in games: the name in capitals, without spaces.
fn player_key(name: &str) -> String {
    normalise_spelling(name).to_uppercase().split_whitespace().collect()
}

impl CrossTable {
    /// Reads the name and the days of the tournament. Returns a note if its rounds may be on days
    /// that the file does not have.
    fn read_parameters(
        &mut self,
        parameters: &Element,
        options: &ReadOptions,
    ) -> Result<Option<String>, FileReadError> {
        if let Some(name) = parameters.attribute("name").filter(|name| !name.is_empty()) {
            name.clone_into(&mut self.event);
        }
        let find_day = |name: &str| {
            let day = parameters.attribute(name).unwrap_or_default();
            parse_day(day, parameters.line, options)
        };
        self.dates.first_day = find_day("beginDate")?;
        self.dates.last_day = find_day("endDate")?;
        if self.dates.last_day.is_some() {
            return Ok(None);
        }
        // Earlier versions of OpenGotha have no last day.
        self.dates.last_day = self.dates.first_day;
        Ok(self.dates.first_day.filter(|_| options.start.is_none()).map(|day| {
            format!(
                "the tournament has no endDate: all rounds are dated to its beginDate, {day}; if \
                 they are on several days, --start 2024-01-31 and --every DAYS date them"
            )
        }))
    }

    fn add_listed_player(&mut self, player: &Element) -> Result<(), FileReadError> {
        let family = player.required("name")?;
        let given = player.attribute("firstName").unwrap_or_default();
        let Ok(number) = u32::try_from(self.rows.len() + 1) else {
            return Err(player.error("the tournament has too many players; split it"));
        };
        self.rows.push(CrossTableRow {
            line: player.line,
            number,
            // As OpenGotha writes it into .h9.
            name: normalise_spelling(format!("{family} {given}").trim()).into_owned(),
            id: player.attribute("egfPin").and_then(parse_pin),
            cells: Vec::new(),
        });
        Ok(())
    }

    /// Adds the games to the rows of their players. Returns the number of games with a result that
    /// is no order of the players.
    fn add_games(&mut self, games: &[Element]) -> Result<usize, FileReadError> {
        let mut rows_by_key = HashMap::with_capacity(self.rows.len());
        for (index, row) in self.rows.iter().enumerate() {
            let earlier = rows_by_key.insert(player_key(&row.name), index);
            if let Some(earlier) = earlier {
                return Err(FileReadError::new(
                    Location::Line(row.line),
                    format!(
                        "the name {} is also that of the player on line {}; rename one",
                        Quoted(&row.name),
                        self.rows[earlier].line
                    ),
                ));
            }
        }
        if rows_by_key.is_empty() {
            let reason =
                "the tournament has no players: OpenGotha lists each as a Player in Players";
            return Err(FileReadError::whole_document(reason));
        }
        let mut undecided = 0;
        for game in games {
            let find_player = |side: &str| {
                let key = game.required(side)?;
                rows_by_key.get(&player_key(key)).copied().ok_or_else(|| {
                    let key = Quoted(key);
                    game.error(format!("the {side} {key} is no Player of the file; correct it"))
                })
            };
            let players = [find_player("whitePlayer")?, find_player("blackPlayer")?];
            undecided += usize::from(!self.add_game(game, players)?);
        }
        Ok(undecided)
    }

    /// Adds a game to the rows of White and Black. Returns false if its result is no order of them.
    fn add_game(
        &mut self,
        game: &Element,
        [white, black]: [usize; 2],
    ) -> Result<bool, FileReadError> {
        let round = parse_round(game)?;
        let result = match parse_result(game)? {
            GameResult::Decided(result) => result,
            GameResult::NotPlayed => {
                self.left_out += 2;
                return Ok(true);
            }
            GameResult::Undecided => return Ok(false),
        };
        let handicap = game.attribute("handicap").unwrap_or_default();
        if !handicap.bytes().all(|b| b.is_ascii_digit()) {
            let handicap = Quoted(handicap);
            return Err(game.error(format!("the handicap {handicap} is not a number of stones")));
        }
        let has_handicap = handicap.bytes().any(|b| b != b'0');
        self.handicaps += if has_handicap { 2 } else { 0 };
        // Black moves first, unless there are handicap stones on the board.
        let knows_sides = game.attribute("knownColor") == Some("true") && handicap == "0";
        for (row, opponent, result, side) in [
            (white, black, result, Side::Second),
            (black, white, result.of_opponent(), Side::First),
        ] {
            let opponent = self.rows[opponent].number;
            let row = &mut self.rows[row];
            if row.cells.len() < round {
                row.cells.resize(round, None);
            }
            let cell = &mut row.cells[round - 1];
            if cell.is_some() {
                let name = Quoted(&row.name);
                let reason = format!("{name} has two games in round {round}; correct one");
                return Err(game.error(reason));
            }
            *cell = Some(GameCell {
                opponent,
                result,
                side: Some(side).filter(|_| knows_sides),
            });
        }
        Ok(true)
    }
}

/// Parses the number of the round of a game, from 1.
fn parse_round(game: &Element) -> Result<usize, FileReadError> {
    let text = game.required("roundNumber")?;
    let round = text.parse().ok().filter(|round| (1..=MAX_ROUNDS).contains(round));
    round.ok_or_else(|| {
        let text = Quoted(text);
        game.error(format!("the roundNumber {text} is not a number from 1 to {MAX_ROUNDS}"))
    })
}

enum GameResult {
    /// The result of White.
    Decided(CellResult),
    /// A win by default, or a game without a result yet.
    NotPlayed,
    /// Both win or both lose.
    Undecided,
}

fn parse_result(game: &Element) -> Result<GameResult, FileReadError> {
    let text = game.required("result")?;
    let result = match text.strip_prefix("RESULT_") {
        Some("WHITEWINS") => GameResult::Decided(CellResult::Win),
        Some("BLACKWINS") => GameResult::Decided(CellResult::Loss),
        Some("EQUAL") => GameResult::Decided(CellResult::Draw),
        Some("BOTHWIN" | "BOTHLOSE") => GameResult::Undecided,
        Some(
            "UNKNOWN" | "WHITEWINS_BYDEF" | "BLACKWINS_BYDEF" | "EQUAL_BYDEF" | "BOTHWIN_BYDEF"
            | "BOTHLOSE_BYDEF",
        ) => GameResult::NotPlayed,
        _ => {
            let text = Quoted(text);
            let reason = format!("{text} is not a result of OpenGotha, such as RESULT_WHITEWINS");
            return Err(game.error(reason));
        }
    };
    Ok(result)
}
