//! Games and their results: won, drawn and lost, and the expected score.

use std::cmp::Ordering;

use ranklore_contest::{EntrantOutcome, Side, word_enum};
use ranklore_store::{CompetitorId, ContestId, ResultRow};
use serde::Serialize;

use ranklore_replay::{Identities, rank};

word_enum! {
    /// The result of a game for one of its entrants.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GameOutcome {
        /// The entrant won.
        Won = "won",
        /// Both tied.
        Drawn = "drawn",
        /// The entrant lost.
        Lost = "lost",
    }
}

impl GameOutcome {
    /// Returns the result of the first of two entrants. An entrant without a place loses to one
    /// with a place; `None` if both have none.
    pub(crate) fn from_outcomes(first: EntrantOutcome, second: EntrantOutcome) -> Option<Self> {
        first.place().or(second.place())?;
        Some(match rank(first).cmp(&rank(second)) {
            Ordering::Less => Self::Won,
            Ordering::Equal => Self::Drawn,
            Ordering::Greater => Self::Lost,
        })
    }

    /// Returns the score: 1 for a win, one half for a draw.
    #[must_use]
    pub const fn score(self) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Drawn => 0.5,
            Self::Lost => 0.0,
        }
    }
}

/// A game as one of its entrants sees it.
pub(crate) struct PlayedGame {
    pub(crate) contest: ContestId,
    pub(crate) own: GameSide,
    pub(crate) other: GameSide,
    pub(crate) result: GameOutcome,
    /// The expected score, if the run rates the game.
    pub(crate) expected: Option<f64>,
}

/// An entrant of a game.
pub(crate) struct GameSide {
    /// The competitor that the row of the standings counts for.
    pub(crate) competitor: CompetitorId,
    /// The rated competitors: the members of a team, if the run rates them, else this one.
    pub(crate) people: Vec<CompetitorId>,
    pub(crate) side: Option<Side>,
    /// The rating before the game, if the run rates the game; of members the sum.
    pub(crate) mu: Option<f64>,
    /// True if all people have an earlier rating.
    pub(crate) rated_before: bool,
}

impl GameSide {
    /// Creates the side of a row of the standings, without a rating.
    pub(crate) fn new(identities: &Identities, row: &ResultRow, people: Vec<CompetitorId>) -> Self {
        Self {
            competitor: identities.resolve(row.competitor_id),
            people,
            side: row.side,
            mu: None,
            rated_before: false,
        }
    }
}

/// Numbers of games, and their score beside the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GameRecord {
    /// All games.
    pub games: u32,
    /// The games won.
    pub won: u32,
    /// The games drawn.
    pub drawn: u32,
    /// The games lost.
    pub lost: u32,
    /// The score: a win counts 1, a draw one half.
    pub score: f64,
    /// The games with an expected score: those that the run rates.
    pub rated_games: u32,
    /// The score in these.
    pub rated_score: f64,
    /// The sum of their expected scores; `None` if there are none.
    pub expected: Option<f64>,
}

impl GameRecord {
    /// Returns the expected score for a table: `7.9`, or `4.1 of 6` if the run rates 6 of more games.
    pub(crate) fn format_expected(&self) -> String {
        match self.expected {
            None => String::new(),
            Some(expected) if self.rated_games == self.games => format!("{expected:.1}"),
            Some(expected) => format!("{expected:.1} of {}", self.rated_games),
        }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &PlayedGame) {
        let score = game.result.score();
        self.games += 1;
        self.score += score;
        *match game.result {
            GameOutcome::Won => &mut self.won,
            GameOutcome::Drawn => &mut self.drawn,
            GameOutcome::Lost => &mut self.lost,
        } += 1;
        if let Some(expected) = game.expected {
            self.rated_games += 1;
            self.rated_score += score;
            *self.expected.get_or_insert(0.0) += expected;
        }
    }
}

/// The games on one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SideRecord {
    /// The side.
    pub side: Side,
    /// The games.
    #[serde(flatten)]
    pub record: GameRecord,
}

/// Returns the record on each side that occurs.
pub(crate) fn records_by_side<'g>(games: impl Iterator<Item = &'g PlayedGame>) -> Vec<SideRecord> {
    let mut records = Side::VARIANTS.map(|side| SideRecord {
        side,
        record: GameRecord::default(),
    });
    for game in games {
        let side = game.own.side;
        if let Some(entry) = records.iter_mut().find(|entry| Some(entry.side) == side) {
            entry.record.add(game);
        }
    }
    let records = records.into_iter();
    records.filter(|entry| entry.record.games > 0).collect()
}
