//! Tables of one row per game of two.

use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use ranklore_contest::{Quoted, Side, check_weight, format_plural};
use ranklore_store::{ContestId, RatableContest, SourceId};

use super::Results;
use super::options::{GameColumns, UNREAD_TIMES};
use crate::error::Failure;
use crate::table::names::{NO_NAME, Names};
use crate::table::values::{read_flags, read_numbers, read_optional_numbers, read_times};
use crate::table::{Column, Table};

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    AWins,
    Draw,
    BWins,
    /// Without a result: the game is left out.
    None,
}

/// Reads a table of one row per game. Games of one time are in the order of the rows, the last one
/// first if times fall.
pub(crate) fn read(table: &Table, columns: &GameColumns) -> Result<Results, Failure> {
    let mut results = Results::default();
    let mut read = Vec::new();
    let time = columns.time.find(table, "ends_at", &mut read)?;
    columns.time.check_unread(table, "ends_at", UNREAD_TIMES)?;
    let neutral = columns.neutral.find(table, "neutral", &mut read)?;
    let weight = columns.weight.find(table, "weight", &mut read)?;
    let outcome = table.column(&columns.outcome)?;
    read.extend([
        ("a", columns.a.clone()),
        ("b", columns.b.clone()),
        ("outcome", columns.outcome.clone()),
    ]);
    let [a, b] = read_players(table, columns, &mut results.competitors)?;
    let outcomes = read_outcomes(outcome, [&a, &b], &results.competitors)?;
    let times = time.map(read_times).transpose()?;
    let neutral = neutral.map(read_flags).transpose()?;
    let weights = weight.map(read_weights).transpose()?;
    let open = outcomes.iter().filter(|&&outcome| outcome == Outcome::None).count();
    if open > 0 {
        let games = format_plural(open as u64, "game");
        results.notes.push(format!("{games} without a result left out"));
    }
    let order = order_games(table.rows, times.as_deref());
    results.reserve_games(order.len() - open);
    for row in order.into_iter().filter(|&row| outcomes[row] != Outcome::None) {
        let has_sides = !neutral.as_ref().is_some_and(|neutral| neutral[row]);
        let (a_rank, b_rank) = match outcomes[row] {
            Outcome::BWins => (2, 1),
            Outcome::Draw => (1, 1),
            _ => (1, 2),
        };
        let [a, b] = [
            (a[row], a_rank, Side::First),
            (b[row], b_rank, Side::Second),
        ];
        // As in a database, where competitors are in the order of their ids.
        for (player, rank, side) in if b.0 < a.0 { [b, a] } else { [a, b] } {
            results.push_standing(player, rank, has_sides.then_some(side));
        }
        results.ends.push(results.standings.len());
        let ends_at = times.as_ref().map_or(0, |times| times[row]);
        let weight = weights.as_ref().map_or(1.0, |weights| weights[row]);
        let position = results.rows.len() as u32;
        results.rows.push(game(row, position, ends_at, weight));
    }
    results.is_numbered = times.is_none();
    results.columns = read;
    Ok(results)
}

/// Returns the contest of a game; each is an event of its own.
fn game(row: usize, position: u32, ends_at: i64, weight: f64) -> RatableContest {
    RatableContest {
        contest_id: ContestId::new(row as i64 + 1),
        source_id: SourceId::new(1),
        ends_at,
        weight,
        site_weight: None,
        relative_duration: 1.0,
        performance_ceiling: f64::INFINITY,
        entrants: 2,
        event: position,
        content_hash: [0; 32],
    }
}

/// Reads both players of each game.
fn read_players(
    table: &Table,
    columns: &GameColumns,
    names: &mut Names,
) -> Result<[Vec<u32>; 2], Failure> {
    let [a, b] = [table.column(&columns.a)?, table.column(&columns.b)?];
    let players = [names.read(a)?, names.read(b)?];
    for (column, players) in [a, b].into_iter().zip(&players) {
        if let Some(row) = players.iter().position(|&player| player == NO_NAME) {
            return Err(column.refuse(row, "the player is missing; name one, or remove the game"));
        }
    }
    if let Some(row) = (0..table.rows).find(|&row| players[0][row] == players[1][row]) {
        let name = Quoted(names.get(players[0][row]));
        return Err(b.refuse(row, format!("{name} plays against themselves; remove the game")));
    }
    Ok(players)
}

fn read_weights(column: &Column) -> Result<Vec<f64>, Failure> {
    let weights = read_numbers(column, "weight")?;
    for (row, &weight) in weights.iter().enumerate() {
        check_weight(weight).map_err(|error| column.refuse(row, error))?;
    }
    Ok(weights)
}

fn order_games(rows: usize, times: Option<&[i64]>) -> Vec<usize> {
    let Some(times) = times else {
        return (0..rows).collect();
    };
    let is_newest_first = times.is_sorted_by(|a, b| a >= b) && times.first() > times.last();
    let mut order: Vec<usize> = if is_newest_first {
        (0..rows).rev().collect()
    } else {
        (0..rows).collect()
    };
    order.sort_by_key(|&row| times[row]);
    order
}

fn read_outcomes(
    column: &Column,
    players: [&[u32]; 2],
    names: &Names,
) -> Result<Vec<Outcome>, Failure> {
    if column.data_type.is_numeric() || column.data_type == DataType::Null {
        return read_points(column);
    }
    if column.data_type == DataType::Boolean {
        let flags = column.chunks.iter().flat_map(AsArray::as_boolean);
        let outcomes = flags.map(|flag| match flag {
            Some(true) => Outcome::AWins,
            Some(false) => Outcome::BWins,
            None => Outcome::None,
        });
        return Ok(outcomes.collect());
    }
    let mut outcomes = Vec::with_capacity(column.len());
    for chunk in &column.chunks {
        let texts = arrow_cast::cast(chunk, &DataType::Utf8View)
            .map_err(|_| column.refuse_type("outcomes are 1, 0.5 and 0, or texts such as 1-0"))?;
        for text in texts.as_string_view() {
            let row = outcomes.len();
            let text = text.unwrap_or_default().trim();
            let [a, b] = players.map(|players| names.get(players[row]));
            let word = parse_outcome(text);
            let winner = match text {
                _ if text == a => Some(Outcome::AWins),
                _ if text == b => Some(Outcome::BWins),
                _ => None,
            };
            if winner.is_some() && word.is_some_and(|word| Some(word) != winner) {
                let reason = format!(
                    "{} is the name of a player and a word for another outcome; use the points \
                     of the first player: 1, 0.5 and 0",
                    Quoted(text)
                );
                return Err(column.refuse(row, reason));
            }
            let outcome = word.or(winner);
            outcomes.push(outcome.ok_or_else(|| {
                let text = Quoted(text);
                let reason = format!(
                    "{text} is no outcome; use 1-0, 1/2-1/2 and 0-1, win, draw and loss of the \
                     first player, or the name of the winner"
                );
                column.refuse(row, reason)
            })?);
        }
    }
    Ok(outcomes)
}

/// Reads the points of the first player: 1, ½ and 0, or 1, 0 and −1.
fn read_points(column: &Column) -> Result<Vec<Outcome>, Failure> {
    let points = read_optional_numbers(column, "outcome")?;
    let has_losses_below_zero = points.contains(&Some(-1.0));
    let (draw, loss) = if has_losses_below_zero {
        (0.0, -1.0)
    } else {
        (0.5, 0.0)
    };
    let [win, draw, loss] = [1.0, draw, loss].map(f64::to_bits);
    let mut outcomes = Vec::with_capacity(points.len());
    for (row, points) in points.into_iter().enumerate() {
        // Adding 0 turns −0 into 0.
        outcomes.push(match points.map(|points| (points + 0.0).to_bits()) {
            None => Outcome::None,
            Some(bits) if bits == win => Outcome::AWins,
            Some(bits) if bits == draw => Outcome::Draw,
            Some(bits) if bits == loss => Outcome::BWins,
            Some(bits) => {
                let reason = format!(
                    "the outcome {} is none of 1, 0.5 and 0, the points of the first player, nor of \
                     1, 0 and -1; convert the column",
                    f64::from_bits(bits)
                );
                return Err(column.refuse(row, reason));
            }
        });
    }
    Ok(outcomes)
}

/// Parses a word for an outcome, or two scores of which the higher one wins.
fn parse_outcome(text: &str) -> Option<Outcome> {
    Some(match text.to_lowercase().as_str() {
        "" | "*" | "?" => Outcome::None,
        "1" | "w" | "win" | "h" | "home" | "white" | "a" | "1-0" => Outcome::AWins,
        "0" | "l" | "loss" | "away" | "black" | "b" | "0-1" => Outcome::BWins,
        "d" | "draw" | "tie" | "½" | "=" | "0.5" | "1/2" | "½-½" | "1/2-1/2" | "0.5-0.5" => {
            Outcome::Draw
        }
        other => {
            let (a, b) = other.split_once(['-', ':', '–'])?;
            let [a, b] = [a, b].map(|score| score.trim().parse::<u32>().ok());
            match a?.cmp(&b?) {
                std::cmp::Ordering::Greater => Outcome::AWins,
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Less => Outcome::BWins,
            }
        }
    })
}
