//! The tournament report file of FIDE, as programs for chess tournaments write it.
//! Source: FIDE Handbook C.04 Annex 2, TRF16. Columns of a line are counted in characters.

use ranklore_contest::{ContestTime, Quoted, Side};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};

use super::dates::{RoundDates, parse_day};
use super::games::{CellResult, CrossTable, CrossTableRow, GameCell, PlayerIds};
use crate::options::ReadOptions;
use crate::pgn::{decode_lines, is_fide_id};
use crate::reading::Candidates;

/// The first column of the rounds; each takes ten, of players and of dates.
const FIRST_ROUND: usize = 91;
const ROUND_COLUMNS: usize = 10;

const FIDE_IDS: PlayerIds = PlayerIds {
    noun: "a FIDE id",
    // The tags of PGN, whose games may be in the same source.
    headings: &["WhiteFideId", "BlackFideId"],
};

/// Reads the games of a report.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, encoding_note) = decode_lines(bytes)?;
    let mut table = CrossTable::new(file_name, FIDE_IDS);
    let mut round_days = None;
    for (line, content) in (1..).zip(text.lines()) {
        let (kind, value) = content.split_at_checked(3).unwrap_or_default();
        let value = value.trim();
        match kind {
            "001" => table.add_player(line, content)?,
            "012" if !value.is_empty() => value.clone_into(&mut table.event),
            "042" => table.dates.first_day = parse_day(value, line, options)?,
            "052" => table.dates.last_day = parse_day(value, line, options)?,
            "132" => round_days = Some((line, content)),
            _ => {}
        }
    }
    if table.rows.is_empty() {
        return Err(FileReadError::whole_document(
            "the report has no players: no line begins with 001",
        ));
    }
    if let Some((line, content)) = round_days {
        table.dates.add_rounds(line, content, options)?;
    }
    let mut candidates = table.read_games(options, limits)?;
    candidates.warnings.extend(encoding_note);
    Ok(candidates)
}

/// Returns the text in these columns, counted from 0, without the white space around it.
fn field(columns: &[char], from: usize, to: usize) -> String {
    let end = to.min(columns.len());
    let text: String = columns.get(from..end).unwrap_or_default().iter().collect();
    text.trim().to_owned()
}

impl CrossTable {
    /// Adds the player of a line.
    fn add_player(&mut self, line: u64, content: &str) -> Result<(), FileReadError> {
        let columns: Vec<char> = content.trim_end().chars().collect();
        let refuse = |reason| Err(FileReadError::new(Location::Line(line), reason));
        let Ok(number) = field(&columns, 3, 8).parse() else {
            return refuse("columns 5 to 8 are not the number of a player".to_owned());
        };
        let name = normalise_spelling(&field(&columns, 14, 47)).into_owned();
        if name.is_empty() {
            return refuse("columns 15 to 47 name no player".to_owned());
        }
        let mut cells = Vec::new();
        let rounds = columns.get(FIRST_ROUND..).unwrap_or_default();
        for (round, cell) in (1..).zip(rounds.chunks(ROUND_COLUMNS)) {
            match parse_cell(cell) {
                Ok(game) => {
                    let is_blank = cell.iter().all(|c| *c == ' ');
                    self.left_out += usize::from(game.is_none() && !is_blank);
                    cells.push(game);
                }
                Err(reason) => {
                    let cell: String = cell.iter().collect();
                    let cell = Quoted(cell.trim_end());
                    return refuse(format!("round {round}: {cell} {reason}"));
                }
            }
        }
        let id = Some(field(&columns, 57, 68)).filter(|id| is_fide_id(id));
        self.rows.push(CrossTableRow {
            line,
            number,
            name,
            id,
            cells,
        });
        Ok(())
    }
}

/// Parses the cell of a round, such as `   2 w 1  `. `None` if no game was played.
fn parse_cell(cell: &[char]) -> Result<Option<GameCell>, String> {
    let is_blank = |at: usize| cell.get(at).is_none_or(|c| *c == ' ');
    let misplaced = "is not in its columns: an opponent has 4, a colour and a result 1 each, with a \
                     space between";
    if ![4, 6, 8, 9].into_iter().all(is_blank) {
        return Err(misplaced.to_owned());
    }
    let result = match cell.get(7).map_or(' ', char::to_ascii_uppercase) {
        '1' => CellResult::Win,
        '=' => CellResult::Draw,
        '0' => CellResult::Loss,
        // Byes, forfeits, and games that ended before the first move.
        'H' | 'F' | 'U' | 'Z' | '+' | '-' | 'W' | 'D' | 'L' => return Ok(None),
        // The round has no result yet.
        ' ' if is_blank(7) => return Ok(None),
        _ => return Err("has no result such as 1, =, 0, + or U in its last column".to_owned()),
    };
    let opponent = field(cell, 0, 4).parse().map_err(|_| misplaced.to_owned())?;
    let side = match cell[5].to_ascii_lowercase() {
        'w' => Some(Side::White),
        'b' => Some(Side::Black),
        '-' | ' ' => None,
        _ => return Err("has no colour: w or b".to_owned()),
    };
    // The number 0 stands for a bye.
    Ok((opponent != 0).then_some(GameCell {
        opponent,
        result,
        side,
    }))
}

impl RoundDates {
    /// Adds the days of the rounds in a line, such as `24/05/18`. The first or last day of the
    /// tournament has the century.
    fn add_rounds(
        &mut self,
        line: u64,
        content: &str,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let columns: Vec<char> = content.trim_end().chars().collect();
        let rounds = columns.get(FIRST_ROUND..).unwrap_or_default();
        for cell in rounds.chunks(ROUND_COLUMNS) {
            let text = field(cell, 0, ROUND_COLUMNS);
            let has_short_year = text.find(['/', '.', '-']) == Some(2);
            let century = self.first_day.or(self.last_day).map(|day| day.to_string());
            let day = match century.as_deref().and_then(|day| day.get(..2)) {
                Some(century) if has_short_year => format!("{century}{text}"),
                _ => text,
            };
            let day = parse_day(&day, line, options)?;
            if let Some(day) = day.filter(|day| self.excludes(*day)) {
                let reason = format!(
                    "a round on {day} lies outside of the tournament; correct line 132, 042 or 052"
                );
                return Err(FileReadError::new(Location::Line(line), reason));
            }
            self.rounds.push(day);
        }
        Ok(())
    }

    /// True if a day lies outside of the tournament.
    fn excludes(&self, day: ContestTime) -> bool {
        self.first_day.is_some_and(|first| day < first)
            || self.last_day.is_some_and(|last| day > last)
    }
}
