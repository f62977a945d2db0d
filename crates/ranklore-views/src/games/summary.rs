//! The games of a competitor in its view: record, sides, best win, opponents.

use std::cmp::Reverse;
use std::collections::HashMap;

use ranklore_store::{CompetitorId, ContestId, Store};
use serde::Serialize;

use crate::games::record::{GameOutcome, GameRecord, PlayedGame, SideRecord, records_by_side};
use crate::history::{ContestSummary, PlayerContest};
use crate::names::labels::{CompetitorLabel, Labeller};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::{format_count, format_score};
use ranklore_replay::Error;

/// The games of a competitor.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerGames {
    /// All games.
    #[serde(flatten)]
    pub record: GameRecord,
    /// The games on each side, if sides are stored.
    pub sides: Vec<SideRecord>,
    /// The win against the opponent with the highest rating; `None` if none had a rating.
    pub best_win: Option<BestWin>,
    /// The number of opponents.
    pub opponents_total: usize,
    /// The opponents, those with the most games first.
    pub opponents: Vec<OpponentRecord>,
}

/// A win, and the rating of the opponent before it.
#[derive(Clone, Debug, Serialize)]
pub struct BestWin {
    /// The external id of the contest.
    pub contest: String,
    /// The name of the contest.
    pub name: String,
    /// The time of the result, in Unix seconds.
    pub ends_at: Option<i64>,
    /// The opponent.
    pub opponent: CompetitorLabel,
    /// The rating of the opponent before the game.
    pub opponent_mu: f64,
}

/// The games against an opponent.
#[derive(Clone, Debug, Serialize)]
pub struct OpponentRecord {
    /// The opponent.
    #[serde(flatten)]
    pub opponent: CompetitorLabel,
    /// The games.
    #[serde(flatten)]
    pub record: GameRecord,
    /// The time of the last game, in Unix seconds.
    pub last_game_at: Option<i64>,
}

impl List for PlayerGames {
    type Row = OpponentRecord;

    fn columns(&self) -> Columns<'_, OpponentRecord> {
        Columns::new()
            .left("name", |row: &OpponentRecord| CellValue::text(&row.opponent.name))
            .right("games", |row| format_count(row.record.games))
            .important()
            .right("won", |row| format_count(row.record.won))
            .right("drawn", |row| format_count(row.record.drawn))
            .right("lost", |row| format_count(row.record.lost))
            .right("score", |row| format_score(row.record.score))
            .not_on_page()
            .important()
            .right("expected", |row| row.record.format_expected())
            .shown_if(self.record.expected.is_some())
            .not_on_page()
            .left(("last_game_at", "last game"), |row| row.last_game_at.map(CellValue::Day))
            .wide()
    }
}

/// Sums up the games of a history, with at most `limit` opponents; `None` if there are none. The games
/// are in the order of the history.
pub(crate) fn summarize_games(
    store: &Store,
    labeller: &mut Labeller,
    history: &[PlayerContest],
    games: &[PlayedGame],
    limit: usize,
) -> Result<Option<PlayerGames>, Error> {
    if games.is_empty() {
        return Ok(None);
    }
    let mut record = GameRecord::default();
    // Each with the index of the last game.
    let mut by_opponent: HashMap<CompetitorId, (GameRecord, usize)> = HashMap::new();
    for (index, game) in games.iter().enumerate() {
        record.add(game);
        let (opponent_record, last) = by_opponent.entry(game.other.competitor).or_default();
        opponent_record.add(game);
        *last = index;
    }
    let best = find_best_win(games);
    let mut opponents: Vec<_> = by_opponent.into_iter().collect();
    // No two opponents have the same last game.
    opponents.sort_unstable_by_key(|(_, (record, last))| (Reverse(record.games), Reverse(*last)));
    let opponents_total = opponents.len();
    opponents.truncate(limit);
    let best_opponent = best.map(|(_, game)| game.other.competitor);
    let ids = opponents.iter().map(|(id, _)| *id).chain(best_opponent);
    let mut labels = labeller.load_labels(store, ids)?;
    let contests: HashMap<ContestId, &ContestSummary> =
        history.iter().map(|entry| (entry.contest.contest_id, &entry.contest)).collect();
    let best_win = best.and_then(|(opponent_mu, game)| {
        let contest = contests.get(&game.contest)?;
        Some(BestWin {
            contest: contest.external_id.clone(),
            name: contest.name.clone(),
            ends_at: contest.ends_at,
            opponent: labels.get(&game.other.competitor)?.clone(),
            opponent_mu,
        })
    });
    let opponents = opponents.into_iter().filter_map(|(id, (record, last))| {
        Some(OpponentRecord {
            opponent: labels.remove(&id)?,
            record,
            last_game_at: contests.get(&games[last].contest)?.ends_at,
        })
    });
    Ok(Some(PlayerGames {
        record,
        sides: records_by_side(games.iter()),
        best_win,
        opponents_total,
        opponents: opponents.collect(),
    }))
}

/// Returns the win against the opponent with the highest rating, and that rating; the first of equals.
fn find_best_win(games: &[PlayedGame]) -> Option<(f64, &PlayedGame)> {
    let mut best: Option<(f64, &PlayedGame)> = None;
    for game in games {
        let is_win = game.result == GameOutcome::Won && game.other.rated_before;
        if let Some(mu) = game.other.mu.filter(|_| is_win)
            && best.is_none_or(|(highest, _)| mu > highest)
        {
            best = Some((mu, game));
        }
    }
    best
}
