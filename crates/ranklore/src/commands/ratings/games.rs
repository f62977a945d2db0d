//! Texts of records in games, as `player` and `versus` print them.

use ranklore_contest::Side;
use ranklore_views::format::format_score;
use ranklore_views::{GameRecord, SideRecord};

use crate::output::{format_count, format_plural};

/// Returns the facts about games: numbers, score, score on each side.
pub(crate) fn describe_games(
    record: &GameRecord,
    sides: &[SideRecord],
) -> Vec<(&'static str, String)> {
    let counts = [record.games, record.won, record.drawn, record.lost];
    let [games, won, drawn, lost] = counts.map(|count| format_count(u64::from(count)));
    let mut facts = vec![
        ("games", format!("{games}: {won} won, {drawn} drawn, {lost} lost")),
        ("score", describe_score(record)),
    ];
    let sides = sides.iter();
    facts.extend(sides.map(|row| (label_of(row.side), describe_score(&row.record))));
    facts
}

const fn label_of(side: Side) -> &'static str {
    match side {
        Side::White => "as white",
        Side::Black => "as black",
        Side::Home => "at home",
        Side::Away => "away",
        Side::First => "moving first",
        Side::Second => "moving second",
    }
}

/// Returns `8.5 of 12 (70.8 %), expected 7.9`.
fn describe_score(record: &GameRecord) -> String {
    let percent = 100.0 * record.score / f64::from(record.games.max(1));
    let score = format_score(record.score);
    let games = format_count(u64::from(record.games));
    let expected = match record.expected {
        None => String::new(),
        Some(expected) if record.rated_games == record.games => {
            format!(", expected {expected:.1}")
        }
        Some(expected) => {
            let rated_games = format_plural(u64::from(record.rated_games), "rated game");
            let rated_score = format_score(record.rated_score);
            format!("; in {rated_games} {rated_score}, expected {expected:.1}")
        }
    };
    format!("{score} of {games} ({percent:.1} %){expected}")
}
