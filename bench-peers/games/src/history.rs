//! The history of games: its file and its generator.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// First line of a file.
const HEADING: &str = "day,white,black,score";

/// The score of White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    Win,
    Draw,
    Loss,
}

impl Score {
    const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    fn as_str(self) -> &'static str {
        match self {
            Self::Win => "1",
            Self::Draw => "0.5",
            Self::Loss => "0",
        }
    }
}

/// A game of two. Players are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Game {
    /// The day, from 0; games are in this order.
    pub(crate) day: u32,
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) score: Score,
}

/// The games of a file.
#[derive(Debug, PartialEq)]
pub(crate) struct History {
    pub(crate) games: Vec<Game>,
    /// Number of players; some may have no game.
    pub(crate) players: u32,
}

impl History {
    /// Returns the games of each day.
    pub(crate) fn days(&self) -> impl Iterator<Item = &[Game]> {
        self.games.chunk_by(|a, b| a.day == b.day)
    }

    /// Reads a file and checks the order of its games.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut lines = text.lines();
        ensure!(
            lines.next() == Some(HEADING),
            "{}: the first line is not {HEADING}",
            path.display()
        );
        let games = (2..)
            .zip(lines)
            .map(|(number, line)| {
                parse_game(line).with_context(|| {
                    format!("{}, line {number}: {line:?} is no game", path.display())
                })
            })
            .collect::<Result<Vec<Game>>>()?;
        let highest = games.iter().map(|game| game.white.max(game.black)).max();
        ensure!(
            games.is_sorted_by_key(|game| game.day),
            "{}: sort the games by day",
            path.display()
        );
        Ok(Self {
            games,
            players: highest.map_or(0, |highest| highest + 1),
        })
    }

    /// Returns the contents of the file.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = format!("{HEADING}\n");
        for game in &self.games {
            let Game {
                day,
                white,
                black,
                score,
            } = game;
            let score = score.as_str();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{day},{white},{black},{score}");
        }
        text
    }

    /// Generates a history. Players join during its first half, and every newcomer plays at once.
    /// White is any player who joined, Black the one of three whose skill is nearest. A game is
    /// drawn if the performances of both differ by less than 90 points.
    pub(crate) fn generate(games: u32, players: u32, days: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let skills: Vec<f64> = (0..players).map(|_| 300.0 * random.normal()).collect();
        let joining = u64::from(games).div_ceil(2).max(1);
        let mut joined = 2.min(players);
        let games = (0..games).map(|number| {
            let due = (2 + u64::from(number) * u64::from(players) / joining).min(players.into());
            let white = if u64::from(joined) < due {
                joined += 1;
                joined - 1
            } else {
                random.below(joined)
            };
            let skill = |player: u32| skills[player as usize];
            let distance = |player: u32| (skill(player) - skill(white)).abs();
            let mut black = random.opponent(joined, white);
            for _ in 0..2 {
                let other = random.opponent(joined, white);
                if distance(other) < distance(black) {
                    black = other;
                }
            }
            let lead = skill(white) - skill(black) + 200.0 * (random.normal() - random.normal());
            Game {
                day: (u64::from(number) * u64::from(days) / u64::from(games)) as u32,
                white,
                black,
                score: match lead {
                    _ if lead >= 90.0 => Score::Win,
                    _ if lead <= -90.0 => Score::Loss,
                    _ => Score::Draw,
                },
            }
        });
        Self {
            games: games.collect(),
            players,
        }
    }
}

fn parse_game(line: &str) -> Result<Game> {
    let fields: Vec<&str> = line.split(',').collect();
    let [day, white, black, score] = fields[..] else {
        bail!("it has {} fields, not 4", fields.len());
    };
    let score = Score::ALL
        .into_iter()
        .find(|of| of.as_str() == score)
        .context("the score is not 1, 0.5 or 0")?;
    let game = Game {
        day: day.parse().context("day")?,
        white: white.parse().context("white")?,
        black: black.parse().context("black")?,
        score,
    };
    ensure!(game.white != game.black, "a player plays against themselves");
    Ok(game)
}

/// The generator `SplitMix64`. It uses no function whose last bits differ between platforms.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// An integer from 0 to `bound` − 1.
    fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }

    /// A number from 0 to 1.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The sum of twelve uniform numbers, almost a standard normal one.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Any of the first `count` players but this one.
    fn opponent(&mut self, count: u32, player: u32) -> u32 {
        (player + 1 + self.below(count - 1)) % count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_generates_same_games() {
        let history = History::generate(1_000, 100, 50, 7);
        assert_eq!(history, History::generate(1_000, 100, 50, 7));
        assert_ne!(history, History::generate(1_000, 100, 50, 8));
    }

    #[test]
    fn every_player_and_day_has_games() {
        let history = History::generate(1_000, 100, 50, 7);
        let plays = |player| {
            let mut games = history.games.iter();
            games.any(|game| game.white == player || game.black == player)
        };
        assert!((0..100).all(plays));
        assert_eq!(history.days().count(), 50);
        for score in Score::ALL {
            assert!(history.games.iter().any(|game| game.score == score));
        }
    }

    #[test]
    fn file_keeps_games() {
        let history = History::generate(1_000, 100, 50, 7);
        let folder = std::env::temp_dir().join(format!("games-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("games.csv");
        fs::write(&file, history.to_csv()).unwrap();
        assert_eq!(History::read(&file).unwrap(), history);
        fs::remove_dir_all(&folder).unwrap();
    }
}
