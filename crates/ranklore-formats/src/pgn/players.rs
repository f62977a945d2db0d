//! Chooses what identifies the players of a file, names or FIDE ids, and collects their names.

use std::borrow::Cow;
use std::collections::HashMap;

use ranklore_contest::{ContestTime, EntrantKind};

use super::tags::{Game, GameText, Tag};
use crate::options::ReadOptions;
use crate::reading::DatedName;
use crate::vocabulary::meanings::ColumnMeaning;

/// The identity of the players of a file, and the names of those whom an id identifies.
pub(super) struct GamePlayers {
    uses_ids: bool,
    names: HashMap<(String, String), (ContestTime, ContestTime)>,
}

impl GamePlayers {
    /// Uses the FIDE ids if each of the games has both, unless the user excludes them. Returns a
    /// warning if only some have.
    pub(super) fn new(
        games: usize,
        games_with_ids: usize,
        options: &ReadOptions,
    ) -> (Self, Option<String>) {
        let is_excluded = options.columns.iter().any(|(heading, meaning)| {
            *meaning == ColumnMeaning::Ignore
                && [Tag::WhiteFideId, Tag::BlackFideId]
                    .iter()
                    .any(|tag| tag.as_str().eq_ignore_ascii_case(heading))
        });
        let some_have_ids = games_with_ids > 0 && !is_excluded;
        let uses_ids = some_have_ids && games_with_ids == games;
        let warning = (some_have_ids && !uses_ids).then(|| {
            format!(
                "players are identified by name, since only {games_with_ids} of {games} games have \
                 the FIDE ids of both"
            )
        });
        let names = HashMap::new();
        (Self { uses_ids, names }, warning)
    }

    /// Returns what identifies the player of this name.
    pub(super) fn identify<'p>(
        &self,
        text: GameText<'p>,
        game: &Game,
        id: Tag,
        name: &Cow<'p, str>,
    ) -> Cow<'p, str> {
        let id = text.value(game, id).filter(|_| self.uses_ids);
        id.unwrap_or_else(|| name.clone())
    }

    /// Records the name of a player in a game.
    pub(super) fn add_name(&mut self, competitor: &str, name: &str, ends_at: ContestTime) {
        if !self.uses_ids || competitor == name {
            return;
        }
        let key = (competitor.to_owned(), name.to_owned());
        let times = self.names.entry(key).or_insert((ends_at, ends_at));
        *times = (times.0.min(ends_at), times.1.max(ends_at));
    }

    /// Returns the names, those of each player in the order of their last games.
    pub(super) fn finish(self) -> Vec<DatedName> {
        let mut names: Vec<DatedName> = self
            .names
            .into_iter()
            .map(|((competitor, name), (first, last))| DatedName {
                kind: EntrantKind::Person,
                competitor,
                name,
                first_seen_at: first,
                last_seen_at: last,
            })
            .collect();
        names.sort_unstable_by(|a, b| {
            a.competitor
                .cmp(&b.competitor)
                .then_with(|| a.last_seen_at.cmp(&b.last_seen_at))
                .then_with(|| a.first_seen_at.cmp(&b.first_seen_at))
                .then_with(|| a.name.cmp(&b.name))
        });
        names
    }
}

/// True if both players of a game have a FIDE id.
pub(super) fn have_ids(text: GameText<'_>, game: &Game) -> bool {
    [Tag::WhiteFideId, Tag::BlackFideId]
        .into_iter()
        .all(|tag| text.value(game, tag).is_some_and(|id| is_fide_id(&id)))
}

/// True for a number that is not 0, which stands for no id.
pub(crate) fn is_fide_id(id: &str) -> bool {
    (1..=12).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_digit())
        && id.bytes().any(|byte| byte != b'0')
}
