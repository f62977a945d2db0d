//! Gives each game an id, and an order among games of the same time.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hash, RandomState};

use ranklore_contest::{BETWEEN_PLAYERS, ContestTime};

/// Counts the games of each key. Keeps a hash of a key, of 128 bits, since each of a million games
/// can have its own.
#[derive(Default)]
struct GameCounts {
    hashers: [RandomState; 2],
    counts: HashMap<[u64; 2], u32>,
}

impl GameCounts {
    /// Returns the number of games with this key before, and counts one more.
    fn count(&mut self, key: impl Hash) -> u32 {
        let hash = self.hashers.each_ref().map(|hasher| hasher.hash_one(&key));
        let before = self.counts.entry(hash).or_default();
        let count = *before;
        *before += 1;
        count
    }
}

/// Gives ids to the games of a file.
#[derive(Default)]
pub(crate) struct GameIds(GameCounts);

impl GameIds {
    /// Returns the id of a game that has no address and no id: `2024-05-17 Ada – Bea`, with a number
    /// from the second such game on.
    pub(crate) fn derive(
        &mut self,
        ends_at: ContestTime,
        round: Option<&str>,
        (white, black): (&str, &str),
    ) -> String {
        let mut id = ends_at.to_string();
        if let Some(round) = round {
            // Writing to a text never fails.
            let _ = write!(id, " round {round}");
        }
        let _ = write!(id, " {white}{BETWEEN_PLAYERS}{black}");
        let before = self.0.count(&id);
        if before > 0 {
            let _ = write!(id, " {}", before + 1);
        }
        id
    }
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
pub(crate) struct GameOrder(GameCounts);

/// The games of one event, round and time that are ordered; later ones have the last number.
const MAX_ORDERED: u32 = 1_000_000;

impl GameOrder {
    /// Returns the ordinal of the next game: by round, then in the order of the file. `None` for the
    /// first game without a round.
    pub(crate) fn next(
        &mut self,
        event: &str,
        ends_at: ContestTime,
        round: Option<&str>,
    ) -> Option<i64> {
        let round = round.map_or(0, parse_round);
        let before = self.0.count((event, ends_at, round)).min(MAX_ORDERED - 1);
        let ordinal = round * i64::from(MAX_ORDERED) + i64::from(before);
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
    fn games_of_one_pairing_are_numbered() {
        let mut ids = GameIds::default();
        let day = ContestTime::new(0).unwrap();
        for (round, players, expected) in [
            (None, ("Ada", "Bea"), "1970-01-01 Ada – Bea"),
            (None, ("Bea", "Ada"), "1970-01-01 Bea – Ada"),
            (None, ("Ada", "Bea"), "1970-01-01 Ada – Bea 2"),
            (Some("2"), ("Ada", "Bea"), "1970-01-01 round 2 Ada – Bea"),
            (None, ("Ada", "Bea"), "1970-01-01 Ada – Bea 3"),
        ] {
            assert_eq!(ids.derive(day, round, players), expected);
        }
    }

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
            assert_eq!(order.next(event, time, round), expected, "{event} {round:?}");
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
