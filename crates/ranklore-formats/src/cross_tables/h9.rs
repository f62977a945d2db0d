//! The result table of the European Go Federation, as programs for Go tournaments write it.
//!
//! `   1 Lark Ada   3D XX Gull   34  66   3+/w0   2+/b0 |12345678`: place, name, rank, country, club
//! and points, then for each round the place of the opponent, the result, the colour and the
//! handicap, then the PIN of the player.

use ranklore_contest::{Quoted, Side};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};

use super::dates::parse_day;
use super::games::{CellResult, CrossTable, CrossTableRow, GameCell, PlayerIds};
use crate::options::ReadOptions;
use crate::pgn::decode_lines;
use crate::reading::Candidates;

pub(super) const EGF_PINS: PlayerIds = PlayerIds {
    noun: "a PIN",
    headings: &["PIN"],
};

/// Reads the games of a table.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, encoding_note) = decode_lines(bytes)?;
    let mut table = CrossTable::new(file_name, EGF_PINS);
    // Without a number of stones, HA[h2] gives them by the difference of ranks less two.
    let mut may_have_stones = false;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if let Some(header) = content.strip_prefix(';') {
            if let Some(event) = find_tag(header, "EV[") {
                event.clone_into(&mut table.event);
            }
            if let Some(handicap) = find_tag(header, "HA[") {
                may_have_stones = !handicap.eq_ignore_ascii_case("h9");
            }
            if let Some(days) = find_tag(header, "DT[") {
                let (first, last) = days.split_once(',').unwrap_or((days, days));
                table.dates.first_day = parse_day(first, line, options)?;
                table.dates.last_day = parse_day(last, line, options)?;
            }
        } else if !content.is_empty() {
            table
                .add_row(line, content, may_have_stones)
                .map_err(|reason| FileReadError::new(Location::Line(line), reason))?;
        }
    }
    if table.rows.is_empty() {
        let reason = "the table has no players: no line begins with a place";
        return Err(FileReadError::whole_document(reason));
    }
    let mut candidates = table.read_games(options, limits)?;
    candidates.warnings.extend(encoding_note);
    Ok(candidates)
}

/// Returns the value of a tag in a line of the header, such as `EV[Harbour Open]`.
fn find_tag<'h>(header: &'h str, tag: &str) -> Option<&'h str> {
    let (_, rest) = header.split_once(tag)?;
    let value = rest.split_once(']').map_or(rest, |(value, _)| value).trim();
    (!value.is_empty()).then_some(value)
}

impl CrossTable {
    /// Adds the player of a line.
    fn add_row(&mut self, line: u64, content: &str, may_have_stones: bool) -> Result<(), String> {
        let (row, pin) = content.split_once('|').unwrap_or((content, ""));
        let words: Vec<&str> = row.split_whitespace().collect();
        let place = words.first().copied().unwrap_or_default();
        let number = place.parse().map_err(|_| {
            format!("{} is not the place of a player; correct the line", Quoted(place))
        })?;
        let rank = (2..words.len()).find(|&at| is_rank(words[at])).ok_or_else(|| {
            "the line has no rank, such as 3D or 12K, behind a name; add it".to_owned()
        })?;
        let behind = &words[rank + 1..];
        let first_game = behind.iter().position(|word| is_game(word)).unwrap_or(behind.len());
        let mut cells = Vec::new();
        for word in &behind[first_game..] {
            let (cell, has_handicap) = parse_cell(word, may_have_stones).ok_or_else(|| {
                format!("{} is not a game such as 3+/w0, 3-/b2 or 0-", Quoted(word))
            })?;
            self.left_out += usize::from(cell.is_none());
            self.handicaps += usize::from(cell.is_some() && has_handicap);
            cells.push(cell);
        }
        self.rows.push(CrossTableRow {
            line,
            number,
            name: normalise_spelling(&words[1..rank].join(" ")).into_owned(),
            id: parse_pin(pin),
            cells,
        });
        Ok(())
    }
}

/// Returns a PIN; `None` for other texts, and for zeros, which stand for none.
pub(super) fn parse_pin(text: &str) -> Option<String> {
    let pin = text.trim();
    let is_pin = pin.bytes().all(|b| b.is_ascii_digit()) && pin.bytes().any(|b| b != b'0');
    is_pin.then(|| pin.to_owned())
}

/// True for the rank of a player: `3D`, `12k`, `5p`.
fn is_rank(word: &str) -> bool {
    let number = word.trim_end_matches(['D', 'd', 'K', 'k', 'P', 'p']);
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number && word.len() == number.len() + 1
}

/// True for a number with a result behind it.
fn is_game(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < word.len() && rest.starts_with(['+', '-', '=', '?', '!'])
}

/// Parses `3+/w0`: a win against the third with white, without handicap. The game is `None` if it
/// was not played (`0-`, `3+!w0`) or has no result (`3?`). Also returns true if it has a handicap;
/// `may_have_stones` is that of cells that do not say.
fn parse_cell(word: &str, may_have_stones: bool) -> Option<(Option<GameCell>, bool)> {
    let (opponent, rest) = word.split_at(word.find(|c: char| !c.is_ascii_digit())?);
    let (result, rest) = rest.split_at_checked(1)?;
    let result = match result {
        "+" => Some(CellResult::Win),
        "=" => Some(CellResult::Draw),
        "-" => Some(CellResult::Loss),
        "?" => None,
        _ => return None,
    };
    let colour = rest.trim_matches(['/', '!']);
    let (colour, handicap) = match colour.strip_prefix(['w', 'b', 'h', 'W', 'B', 'H']) {
        Some(handicap) => (colour.bytes().next(), handicap),
        None => (None, colour),
    };
    if !handicap.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let has_handicap = match handicap {
        "" => may_have_stones,
        stones => stones.bytes().any(|b| b != b'0'),
    };
    // Black moves first, unless it has handicap stones on the board.
    let side = match colour.filter(|_| !has_handicap) {
        Some(b'b' | b'B') => Some(Side::First),
        Some(b'w' | b'W') => Some(Side::Second),
        _ => None,
    };
    let opponent = opponent.parse().ok()?;
    let is_forfeit = rest.contains('!');
    let game = result.filter(|_| opponent != 0 && !is_forfeit);
    let cell = game.map(|result| GameCell {
        opponent,
        result,
        side,
    });
    Some((cell, has_handicap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parsed() {
        for (word, expected) in [
            ("3+/w0", Some("3 won as Second")),
            ("3+/b0", Some("3 won as First")),
            ("12-/b", Some("12 lost as First")),
            ("3=", Some("3 drew")),
            ("3-/b2", Some("3 lost")),
            ("0+", Some("none")),
            ("0-/w0", Some("none")),
            ("3+!w0", Some("none")),
            ("3+!/w0", Some("none")),
            ("0=0", Some("none")),
            ("3+/w0!", Some("none")),
            ("3?/w0", Some("none")),
            ("3+/x0", None),
            ("3+/wb0", None),
            ("3", None),
            ("+", None),
            ("99999999999+", None),
        ] {
            let read = parse_cell(word, false).map(|(cell, _)| {
                cell.map_or_else(
                    || "none".to_owned(),
                    |cell| {
                        let result = match cell.result {
                            CellResult::Win => "won",
                            CellResult::Draw => "drew",
                            CellResult::Loss => "lost",
                        };
                        let side = cell.side.map(|side| format!(" as {side:?}"));
                        format!("{} {result}{}", cell.opponent, side.unwrap_or_default())
                    },
                )
            });
            assert_eq!(read.as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn ranks_are_recognised() {
        for (word, expected) in [
            ("3D", true),
            ("12k", true),
            ("9p", true),
            ("D", false),
            ("3DD", false),
            ("345K", false),
            ("3", false),
        ] {
            assert_eq!(is_rank(word), expected, "{word}");
        }
    }
}
