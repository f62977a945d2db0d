//! The views of requests: parameters in, the values of the command line out.

pub(crate) mod comparison;
pub(crate) mod prediction;
pub(crate) mod statistics;

use axum::http::StatusCode;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::{
    CompetitorLabel, ContestList, ContestListRequest, ContestOrder, ContestRequest, ContestView,
    INACTIVE_AFTER_DAYS, Leaderboard, LeaderboardOrder, LeaderboardRequest, NamesPolicy, Page,
    PlayerList, PlayerListRequest, PlayerOrder, PlayerRequest, PlayerView, ViewReader,
    find_shown_competitors, load_contest_list, load_contest_view, load_found_player_view,
    load_leaderboard, load_player_list,
};
use ranklore_store::{CompetitorId, ContestState, ProvisionalPlacement, Store};

use crate::failure::{Choice, Failure};
use crate::parameters::{Parameters, link, parse_source};
use crate::paths::{LEADERBOARD, contests_path, player_path, players_path};

/// The largest number of contests and days in a filter.
const MAX_COUNT: usize = 1_000_000;

/// The rows of a list: by default, and at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) usual: usize,
    pub(crate) max: usize,
}

impl Rows {
    /// All rows.
    pub(crate) const ALL: Self = Self {
        usual: usize::MAX,
        max: usize::MAX,
    };
}

pub(crate) const LEADERBOARD_PARAMETERS: &[&str] = &[
    "source",
    "run",
    "system",
    "limit",
    "offset",
    "as-of",
    "as-stored",
    "min-contests",
    "inactive-after",
    "inactive",
    "k",
    "sort",
    "reverse",
    "provisional",
    "since",
];
pub(crate) const PLAYER_PARAMETERS: &[&str] = &[
    "run",
    "system",
    "limit",
    "offset",
    "as-of",
    "as-stored",
    "kind",
    "opponents",
];
pub(crate) const CONTEST_PARAMETERS: &[&str] = &["run", "system", "limit", "offset", "as-of"];
pub(crate) const CONTESTS_PARAMETERS: &[&str] = &[
    "run", "system", "limit", "offset", "since", "until", "division", "state", "name", "sort",
    "reverse",
];
pub(crate) const PLAYERS_PARAMETERS: &[&str] = &[
    "run",
    "system",
    "limit",
    "offset",
    "as-stored",
    "text",
    "kind",
    "sort",
    "reverse",
];

/// Loads a leaderboard. Without a source and a run it is that of the only source.
pub(crate) fn leaderboard(
    reader: ViewReader<'_>,
    parameters: &Parameters,
    rows: Rows,
) -> Result<Leaderboard, Failure> {
    let mut sources = parameters.sources()?;
    let run = parameters.run()?;
    if sources.is_empty() && run.run.is_none() {
        sources = vec![only_source(reader.store)?];
    }
    let request = LeaderboardRequest {
        as_of: parameters.end_time("as-of")?,
        as_stored: parameters.flag("as-stored")?,
        min_contests: parameters.number("min-contests", MAX_COUNT)?.unwrap_or(1) as u32,
        inactive_after_days: match parameters.number("inactive-after", MAX_COUNT)? {
            Some(days) => days as u32,
            None => INACTIVE_AFTER_DAYS,
        },
        k: parameters.parsed("k", "a number from 0 to 100", |word| {
            word.parse().ok().filter(|k| (0.0..=100.0).contains(k))
        })?,
        order: parameters.word("sort", &LeaderboardOrder::VARIANTS, LeaderboardOrder::as_str)?,
        reverse: parameters.flag("reverse")?,
        provisional: provisional(parameters)?,
        since: parameters.time("since")?,
        inactive: parameters.flag("inactive")?,
        page: parameters.page(rows.usual, rows.max)?,
        names: NamesPolicy::Publishable,
        ..LeaderboardRequest::new(sources, run)
    };
    match (request.order, request.since, request.as_of) {
        (_, Some(since), Some(as_of)) if since > as_of => Err(Failure::bad_request(
            "\"since\" is later than \"as-of\"; give an earlier \"since\"",
        )),
        (Some(LeaderboardOrder::Since), None, _) => Err(Failure::bad_request(
            "\"sort=since\" orders by the change since a day; give it as \"since\"",
        )),
        (Some(LeaderboardOrder::Change), Some(_), _) => Err(Failure::bad_request(
            "\"sort=change\" orders by the change by the last contest; with \"since\" use \
             \"sort=since\"",
        )),
        _ => Ok(load_leaderboard(reader, &request)?),
    }
}

fn provisional(parameters: &Parameters) -> Result<ProvisionalPlacement, Failure> {
    let placement = parameters.parsed("provisional", "last, mix, exclude or only", |word| {
        Some(match word {
            "last" => ProvisionalPlacement::Last,
            "mix" => ProvisionalPlacement::Mix,
            "exclude" => ProvisionalPlacement::Exclude,
            "only" => ProvisionalPlacement::Only,
            _ => return None,
        })
    })?;
    Ok(placement.unwrap_or(ProvisionalPlacement::Last))
}

/// Returns the only source; errors if there are several.
fn only_source(store: &Store) -> Result<SourceName, Failure> {
    let names = store.source_names_in_use()?;
    match &names[..] {
        [] => Err(Failure::unavailable(
            "the database has no data yet; try again after the first import",
        )),
        [name] => parse_source(name),
        _ => {
            let choices = names
                .iter()
                .map(|name| Choice::with_link(name, link(LEADERBOARD, [("source", &**name)])));
            let message = "the database has several sources; give one as \"source\"";
            Err(Failure::bad_request(message).with_choices(choices))
        }
    }
}

/// A competitor as a URL names it.
pub(crate) struct PlayerKey<'p> {
    pub(crate) source: &'p SourceName,
    pub(crate) name: &'p str,
    pub(crate) kind: Option<EntrantKind>,
    /// The row with this name, if it is known.
    pub(crate) known_id: Option<CompetitorId>,
}

impl<'p> PlayerKey<'p> {
    pub(crate) const fn new(
        source: &'p SourceName,
        name: &'p str,
        kind: Option<EntrantKind>,
    ) -> Self {
        Self {
            source,
            name,
            kind,
            known_id: None,
        }
    }
}

/// Finds the competitor that views show under a name or id; if there are several, each has a link.
/// A visitor who knows a name that is not shown must not learn the pseudonym.
pub(crate) fn find_shown(
    store: &Store,
    player: &PlayerKey<'_>,
    link_to: impl Fn(&CompetitorLabel) -> String,
) -> Result<CompetitorLabel, Failure> {
    let PlayerKey { source, name, .. } = player;
    let mut matches = find_shown_competitors(store, source, name, player.kind)?;
    if matches.len() > 1 {
        let choices = matches.iter().map(|label| {
            let kind = label.kind.as_str();
            let text = format!("{} ({}, {kind})", label.name, label.external_id);
            Choice::with_link(text, link_to(label))
        });
        let message = format!("{source} has several competitors \"{name}\"");
        return Err(Failure::new(StatusCode::MULTIPLE_CHOICES, message).with_choices(choices));
    }
    matches.pop().ok_or_else(|| {
        let search = link(&players_path(source.as_str()), [("text", *name)]);
        let choice = Choice::with_link("Search the competitors", search);
        let message = format!("there is no competitor \"{name}\" in {source}");
        Failure::not_found(message).with_choices([choice])
    })
}

/// Loads a competitor. Finds only the ids and names that views show: a visitor who knows a name
/// must not learn the pseudonym.
pub(crate) fn player(
    reader: ViewReader<'_>,
    name: &PlayerKey<'_>,
    parameters: &Parameters,
    page: Page,
) -> Result<PlayerView, Failure> {
    let competitor_id = match name.known_id {
        Some(known_id) => known_id,
        None => {
            find_shown(reader.store, name, |label| label_link(name.source, label))?.competitor_id
        }
    };
    let request = PlayerRequest {
        source: name.source.clone(),
        name: name.name.to_owned(),
        kind: name.kind,
        run: parameters.run()?,
        as_of: parameters.end_time("as-of")?,
        as_stored: parameters.flag("as-stored")?,
        page,
        opponents: parameters.number("opponents", 1_000)?.unwrap_or(10),
        names: NamesPolicy::Publishable,
    };
    Ok(load_found_player_view(reader, &request, competitor_id)?)
}

fn label_link(source: &SourceName, label: &CompetitorLabel) -> String {
    let path = player_path(source.as_str(), &label.external_id);
    link(&path, [("kind", label.kind.as_str())])
}

/// Loads a contest by its id.
pub(crate) fn contest(
    reader: ViewReader<'_>,
    source: &SourceName,
    id: &str,
    parameters: &Parameters,
    rows: Rows,
) -> Result<ContestView, Failure> {
    if reader.store.contest(source, id)?.is_none() {
        let search = link(&contests_path(source.as_str()), [("name", id)]);
        let choice = Choice::with_link("Search the contests", search);
        let message = format!("there is no contest \"{id}\" in {source}");
        return Err(Failure::not_found(message).with_choices([choice]));
    }
    let request = ContestRequest {
        source: source.clone(),
        contest: id.to_owned(),
        run: parameters.run()?,
        as_of: parameters.end_time("as-of")?,
        page: parameters.page(rows.usual, rows.max)?,
        names: NamesPolicy::Publishable,
    };
    Ok(load_contest_view(reader, &request)?)
}

/// Loads the contests of a source.
pub(crate) fn contests(
    store: &Store,
    source: SourceName,
    parameters: &Parameters,
    rows: Rows,
) -> Result<ContestList, Failure> {
    let request = ContestListRequest {
        since: parameters.time("since")?,
        until: parameters.time("until")?,
        division: parameters.text("division")?.map(str::to_owned),
        state: parameters.word("state", &ContestState::VARIANTS, ContestState::as_str)?,
        name: parameters.text("name")?.map(str::to_owned),
        order: parameters
            .word("sort", &ContestOrder::VARIANTS, ContestOrder::as_str)?
            .unwrap_or_default(),
        reverse: parameters.flag("reverse")?,
        page: parameters.page(rows.usual, rows.max)?,
        ..ContestListRequest::new(source, parameters.run()?)
    };
    Ok(load_contest_list(store, &request)?)
}

/// Loads the competitors of a source.
pub(crate) fn players(
    store: &Store,
    source: SourceName,
    parameters: &Parameters,
    rows: Rows,
) -> Result<PlayerList, Failure> {
    let request = PlayerListRequest {
        as_stored: parameters.flag("as-stored")?,
        text: parameters.text("text")?.map(str::to_owned),
        kind: parameters.kind()?,
        order: parameters
            .word("sort", &PlayerOrder::VARIANTS, PlayerOrder::as_str)?
            .unwrap_or_default(),
        reverse: parameters.flag("reverse")?,
        page: parameters.page(rows.usual, rows.max)?,
        names: NamesPolicy::Publishable,
        ..PlayerListRequest::new(source, parameters.run()?)
    };
    Ok(load_player_list(store, &request)?)
}
