//! Gives each game an id, and an order among games of the same time.

use std::collections::HashMap;
use std::fmt::Write as _;

use ranklore_contest::{BETWEEN_PLAYERS, ContestTime};

/// Returns the id of a game that has no address and no id: `2024-05-17 Ada – Bea`, with a number
/// from the second such game on.
pub(super) fn derive_game_id(
    ends_at: ContestTime,
    round: Option<&str>,
    (white, black): (&str, &str),
    number: u32,
) -> String {
    let mut id = ends_at.to_string();
    if let Some(round) = round {
        // Writing to a text never fails.
        let _ = write!(id, " round {round}");
    }
    let _ = write!(id, " {white}{BETWEEN_PLAYERS}{black}");
    if number > 1 {
        let _ = write!(id, " {number}");
    }
    id
}

/// True if this is the address of one page of a site, such as that of a game.
pub(super) fn is_page(site: &str) -> bool {
    let path = ["https://", "http://"].into_iter().find_map(|scheme| {
        let rest = site.strip_prefix(scheme)?;
        rest.split_once('/').map(|(_, path)| path)
    });
    path.is_some_and(|path| !path.is_empty()) && !site.contains(char::is_whitespace)
}

/// Numbers games of one event, round and time in the order of the file.
#[derive(Default)]
pub(super) struct GameOrder<'t> {
    games: HashMap<(&'t str, ContestTime, i64), i64>,
}

/// The games of one event, round and time that are ordered; later ones have the last number.
const MAX_ORDERED: i64 = 1_000_000;

impl<'t> GameOrder<'t> {
    /// Returns the ordinal of the next game: by round, then in the order of the file. `None` for the
    /// first game without a round.
    pub(super) fn next(
        &mut self,
        event: &'t str,
        ends_at: ContestTime,
        round: Option<&str>,
    ) -> Option<i64> {
        let round = round.map_or(0, parse_round);
        let before = self.games.entry((event, ends_at, round)).or_default();
        let ordinal = round * MAX_ORDERED + *before;
        *before = (*before + 1).min(MAX_ORDERED - 1);
        (ordinal > 0).then_some(ordinal)
    }
}

/// Returns a number for the order of rounds: `3` is 3,000 and `3.2` is 3,002. 0 for other texts.
fn parse_round(round: &str) -> i64 {
    let mut parts = round.split('.').map(|part| {
        let digits = part.trim();
        let digits = digits.get(..digits.len().min(4)).unwrap_or_default();
        digits.parse::<u16>().ok().map(i64::from)
    });
    let Some(Some(round)) = parts.next() else {
        return 0;
    };
    let game = parts.next().flatten().unwrap_or(0);
    round * 1_000 + game.min(999)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_time_follow_round_and_file() {
        let mut order = GameOrder::default();
        let day = ContestTime::new(0).unwrap();
        let later = ContestTime::new(60).unwrap();
        for (event, time, round, expected) in [
            ("Open", day, None, None),
            ("Open", day, None, Some(1)),
            ("Open", later, None, None),
            ("Blitz", day, Some("Final"), None),
            ("Open", day, Some("3"), Some(3_000_000_000)),
            ("Open", day, Some("3"), Some(3_000_000_001)),
            ("Open", day, Some("3.2"), Some(3_002_000_000)),
            ("Open", day, Some("10.1.4"), Some(10_001_000_000)),
            ("Open", day, Some("99999999999"), Some(9_999_000_000_000)),
        ] {
            assert_eq!(
                order.next(event, time, round),
                expected,
                "{event} {round:?}"
            );
        }
    }

    #[test]
    fn only_pages_of_a_site_are_addresses_of_games() {
        for (site, expected) in [
            ("https://lichess.org/abcd1234", true),
            ("http://club.example/games/7", true),
            ("https://lichess.org", false),
            ("https://lichess.org/", false),
            ("Harbour Town", false),
            ("https://club.example/a game", false),
        ] {
            assert_eq!(is_page(site), expected, "{site}");
        }
    }
}
