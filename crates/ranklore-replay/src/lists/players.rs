//! The list of the competitors of a source, also those without a rating.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use ranklore_contest::{EntrantKind, SourceName, word_enum};
use ranklore_store::{CompetitorId, CompetitorRow, ProvisionalPlacement, RunRow, SourceId, Store};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_if_rated};
use crate::runs::selection::{RunSelection, find_source};
use crate::views::fuzzy::FoldedText;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};
use crate::views::page::Page;
use crate::views::ranking::{RankedCompetitor, Ranking, RankingOptions, RatingRules};

word_enum! {
    /// The order of a list of competitors; equal ones are in the order of their names.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum PlayerOrder {
        /// In the order of the leaderboard; competitors without a rating come last.
        #[default]
        Rating = "rating",
        /// By the name shown.
        Name = "name",
        /// Most contests first.
        Contests = "contests",
        /// Latest contest first.
        Last = "last",
    }
}

/// The competitors to list.
#[derive(Clone, Debug)]
pub struct PlayerListRequest {
    /// The source.
    pub source: SourceName,
    /// The choice of the run.
    pub run: RunChoice,
    /// Only competitors whose current name, earlier name or external id contains this text, without
    /// regard to case and accents. Of a pseudonymous competitor only the pseudonym is searched.
    pub text: Option<String>,
    /// Only competitors of this kind.
    pub kind: Option<EntrantKind>,
    /// The order.
    pub order: PlayerOrder,
    /// True for the opposite order.
    pub reverse: bool,
    /// The rows to return.
    pub page: Page,
    /// The rule for names.
    pub names: NamesPolicy,
}

impl PlayerListRequest {
    /// Creates a request for all competitors, in the default order.
    #[must_use]
    pub const fn new(source: SourceName, run: RunChoice) -> Self {
        Self {
            source,
            run,
            text: None,
            kind: None,
            order: PlayerOrder::Rating,
            reverse: false,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        }
    }
}

/// A page of the competitors of a source. Merged accounts are not listed.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerList {
    /// The run of the ratings; `None` if there is none.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: Option<RunRow>,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// k of the conservative rating; 0 without a run.
    pub k: f64,
    /// The number of rows on all pages.
    pub total: usize,
    /// The number of rows before this page.
    pub offset: usize,
    /// The rows of this page.
    pub rows: Vec<PlayerListRow>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerListRow {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The rating; `None` without one.
    #[serde(flatten, serialize_with = "serialize_rating")]
    pub rating: Option<RankedCompetitor>,
    /// Rated contests in the run; without a run, contests in any state.
    pub contests: u32,
    /// The end of the last of them, in Unix seconds.
    pub last_contest_at: Option<i64>,
}

/// Serialises a rating into the object that contains it; all values are null if there is none.
#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn serialize_rating<S: Serializer>(
    rating: &Option<RankedCompetitor>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let of = rating.as_ref();
    let mut keys = serializer.serialize_map(Some(5))?;
    keys.serialize_entry("rating", &of.map(|of| of.rating))?;
    keys.serialize_entry("provisional", &of.map(|of| of.provisional))?;
    keys.serialize_entry("conservative", &of.map(|of| of.conservative))?;
    keys.serialize_entry("mu", &of.map(|of| of.mu))?;
    keys.serialize_entry("sigma", &of.map(|of| of.sigma))?;
    keys.end()
}

/// Loads a page of the competitors of a source. The first pages by rating read the current ratings
/// of the run only.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`],
/// [`Error::NotRatedBySystem`], [`Error::Store`].
pub fn load_player_list(store: &Store, request: &PlayerListRequest) -> Result<PlayerList, Error> {
    let source_id = find_source(store, &request.source)?;
    let run = find_run_if_rated(store, &request.source, &request.run)?;
    let stale = match &run {
        Some(run) => is_stale(run, is_current(store, run)?),
        None => false,
    };
    let merges = store.merges(source_id)?;
    let ranking = run
        .as_ref()
        .map(|run| load_ranking(store, run))
        .transpose()?;
    let (page, total) = match (&run, &ranking) {
        (Some(run), Some(ranking)) if !stale && is_answered_by_ratings(run, request) => {
            let rows = ranking.page(true, request.page)?.into_iter();
            let page = rows.map(|row| (row.competitor_id, Activity::rated(row, 0)));
            let total = store.count_competitors(source_id)? as usize - merges.len();
            (page.collect(), total)
        }
        _ => {
            let activities = match &ranking {
                Some(ranking) => load_ratings(ranking)?,
                None => count_contests(store, source_id, &merges)?,
            };
            sort_all(store, source_id, request, &activities, merges)?
        }
    };
    let mut labeller = Labeller::load(store, request.names)?;
    let mut labels = labeller.load_labels(store, page.iter().map(|of| of.0))?;
    let rows = page.into_iter().filter_map(|(competitor, of)| {
        let label = labels.remove(&competitor)?;
        Some(PlayerListRow {
            kind: label.kind,
            competitor: label,
            rating: of.rating,
            contests: of.contests,
            last_contest_at: of.last_contest_at,
        })
    });
    Ok(PlayerList {
        rows: rows.collect(),
        stale,
        k: ranking.map_or(0.0, |of| of.rules.k),
        total,
        offset: request.page.offset,
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// True if the page consists of the first current ratings of a run that is not stale: all of them
/// are then of unmerged competitors of the source.
fn is_answered_by_ratings(run: &RunRow, request: &PlayerListRequest) -> bool {
    let Page { offset, limit } = request.page;
    let end = offset.saturating_add(limit) as u64;
    let sources = RunSelection::from_canonical_json(&run.selection).sources;
    request.order == PlayerOrder::Rating
        && !request.reverse
        && request.text.is_none()
        && request.kind.is_none()
        && sources.len() == 1
        && run.competitors.is_some_and(|rated| end <= rated)
}

/// Loads the ranking of a run in the order of leaderboards, without a difference between active and
/// inactive competitors.
fn load_ranking<'s>(store: &'s Store, run: &RunRow) -> Result<Ranking<'s>, Error> {
    let options = RankingOptions {
        as_of: None,
        min_contests: 1,
        inactive_after_days: u32::MAX,
        provisional: ProvisionalPlacement::Last,
        order: None,
        reverse: false,
        since: None,
    };
    Ranking::load(store, run, RatingRules::load(store, run)?, options)
}

/// The rating and the contests of a competitor.
#[derive(Clone, Default)]
struct Activity {
    rating: Option<RankedCompetitor>,
    /// The number of competitors listed before it by rating.
    index: usize,
    contests: u32,
    last_contest_at: Option<i64>,
}

impl Activity {
    const fn rated(row: RankedCompetitor, index: usize) -> Self {
        Self {
            index,
            contests: row.contests,
            last_contest_at: Some(row.last_contest_at),
            rating: Some(row),
        }
    }
}

type Activities = HashMap<CompetitorId, Activity>;

/// Loads all ratings of a ranking.
fn load_ratings(ranking: &Ranking<'_>) -> Result<Activities, Error> {
    let rows = ranking.page(true, Page::ALL)?.into_iter().enumerate();
    Ok(rows
        .map(|(index, row)| (row.competitor_id, Activity::rated(row, index)))
        .collect())
}

/// Counts the contests of each competitor, with those of the accounts merged into it and of its
/// teams.
fn count_contests(
    store: &Store,
    source_id: SourceId,
    merges: &[(CompetitorId, CompetitorId)],
) -> Result<Activities, Error> {
    let roots: HashMap<CompetitorId, CompetitorId> = merges.iter().copied().collect();
    let mut activities = Activities::new();
    let mut counted = HashMap::new();
    store.for_each_appearance(source_id, |contest, ends_at, account| {
        let competitor = *roots.get(&account).unwrap_or(&account);
        let activity = activities.entry(competitor).or_default();
        // Several accounts or teams in one contest.
        if counted.insert(competitor, contest) != Some(contest) {
            activity.contests += 1;
            activity.last_contest_at = activity.last_contest_at.max(ends_at);
        }
    })?;
    Ok(activities)
}

/// A competitor to sort.
struct Candidate {
    competitor: CompetitorId,
    /// The folded name that is shown; empty where it decides nothing.
    name: String,
}

/// Returns the competitors of a page, and the number on all pages, from all of the source.
fn sort_all(
    store: &Store,
    source_id: SourceId,
    request: &PlayerListRequest,
    activities: &Activities,
    merges: Vec<(CompetitorId, CompetitorId)>,
) -> Result<(Vec<(CompetitorId, Activity)>, usize), Error> {
    let merges: HashMap<CompetitorId, CompetitorId> = merges.into_iter().collect();
    let none = Activity::default();
    let of = |competitor: CompetitorId| activities.get(&competitor).unwrap_or(&none);
    let found = request.text.as_deref();
    let found = found.map(|text| find_by_text(store, source_id, text, request.names, &merges));
    let found = found.transpose()?;
    let mut labeller = Labeller::load(store, request.names)?;
    let mut listed: Vec<Candidate> = Vec::new();
    store.for_each_competitor_by_id(source_id, |row| {
        let competitor = row.competitor_id;
        let is_listed = !merges.contains_key(&competitor)
            && request.kind.is_none_or(|kind| row.kind == kind)
            && found
                .as_ref()
                .is_none_or(|found| found.contains(&competitor));
        if is_listed {
            // Ratings are seldom equal, and then in the order of ids as on leaderboards.
            let by_name = request.order != PlayerOrder::Rating || of(competitor).rating.is_none();
            let name = by_name.then(|| FoldedText::fold(&labeller.label(row).name));
            listed.push(Candidate {
                competitor,
                name: name.unwrap_or_default(),
            });
        }
    })?;
    listed.sort_unstable_by(|a, b| {
        let (x, y) = (of(a.competitor), of(b.competitor));
        let by_key = match request.order {
            PlayerOrder::Rating => {
                (x.rating.is_none().cmp(&y.rating.is_none())).then(x.index.cmp(&y.index))
            }
            PlayerOrder::Name => Ordering::Equal,
            PlayerOrder::Contests => y.contests.cmp(&x.contests),
            PlayerOrder::Last => Reverse(x.last_contest_at).cmp(&Reverse(y.last_contest_at)),
        };
        by_key
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a.competitor.cmp(&b.competitor))
    });
    if request.reverse {
        listed.reverse();
    }
    let total = listed.len();
    let page = request.page.select(listed);
    let page = page
        .into_iter()
        .map(|row| (row.competitor, of(row.competitor).clone()));
    Ok((page.collect(), total))
}

/// Returns the competitors with a text in a name or the external id, their own or that of an account
/// merged into them. Searches only names that are shown.
fn find_by_text(
    store: &Store,
    source_id: SourceId,
    text: &str,
    names: NamesPolicy,
    merges: &HashMap<CompetitorId, CompetitorId>,
) -> Result<HashSet<CompetitorId>, Error> {
    let mut text = FoldedText::new(text);
    let mut labeller = Labeller::load(store, names)?;
    let mut found = HashSet::new();
    let root = |account: CompetitorId| *merges.get(&account).unwrap_or(&account);
    store.for_each_competitor_by_id(source_id, |row: CompetitorRow| {
        let label = labeller.label(row);
        if text.is_in(&label.name) || text.is_in(&label.external_id) {
            found.insert(root(label.competitor_id));
        }
    })?;
    let mut renamed = store.renamed_competitors(source_id)?;
    renamed.retain(|(_, name)| text.is_in(name));
    for row in store.competitors_by_id(renamed.into_iter().map(|of| of.0))? {
        if !labeller.hides(&row) {
            found.insert(root(row.competitor_id));
        }
    }
    Ok(found)
}
