//! The list of the competitors of a source, also those without a rating.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use clap::Args;
use ranklore_contest::{EntrantKind, SourceName, word_enum};
use ranklore_store::{CompetitorId, CurrentRatingRow, RunRow, SourceId, Store};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::names::find::has_kind;
use crate::names::fuzzy::FoldedText;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::page::{Extent, Page};
use crate::ranking::Ranking;
use crate::ranking::rules::{RatingRules, find_display};
use crate::requests::values::{parse_kind, plain_words};
use crate::rows::cell::CellValue;
use crate::rows::columns::{Columns, List};
use crate::rows::format::format_count;
use ranklore_replay::{
    Error, RunChoice, RunSelection, find_run_if_rated, find_source, is_current, is_stale,
    serialize_run,
};

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
#[derive(Args, Clone, Debug, Default)]
pub struct PlayerListRequest {
    /// Part of a name, of an earlier name or of an id
    // Without regard to case and accents. Of a pseudonymous competitor only the pseudonym is
    // searched.
    #[arg(value_name = "TEXT")]
    pub text: Option<String>,
    /// Only person, team or couple
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    pub kind: Option<EntrantKind>,
    /// Order: by rating, by name, most contests first, or latest contest first
    #[arg(
        long = "sort",
        value_name = "ORDER",
        default_value = "rating",
        value_parser = plain_words::<PlayerOrder>()
    )]
    pub order: PlayerOrder,
    /// Reverse the order
    #[arg(long)]
    pub reverse: bool,
    /// The choice of the run.
    #[command(flatten)]
    pub run: RunChoice,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    pub as_stored: bool,
    /// The rows to return.
    #[command(flatten)]
    pub page: Page,
    /// The rule for names.
    #[arg(skip)]
    pub names: NamesPolicy,
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
    /// The time up to which sigma has grown, in Unix seconds; `None` if it does not grow.
    pub sigma_as_of: Option<i64>,
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
    pub rating: Option<PlayerRating>,
    /// Rated contests in the run; without a run, contests in any state.
    pub contests: u32,
    /// The end of the last of them, in Unix seconds.
    pub last_contest_at: Option<i64>,
}

/// The current rating of a competitor of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerRating {
    /// The displayed rating.
    pub rating: f64,
    /// True if the rating is provisional.
    pub provisional: bool,
    /// mu − k·sigma.
    pub conservative: f64,
    /// The rating.
    pub mu: f64,
    /// The uncertainty at the time of the view.
    pub sigma: f64,
    /// The uncertainty after the last contest.
    pub stored_sigma: f64,
}

impl PlayerRating {
    fn new(rules: &RatingRules, rating: &CurrentRatingRow) -> Self {
        let row = rules.row(0, rating);
        Self {
            rating: row.rating,
            provisional: row.provisional,
            conservative: row.conservative,
            mu: row.mu,
            sigma: row.sigma,
            stored_sigma: row.stored_sigma,
        }
    }
}

/// Serialises a rating into the object that contains it; all values are null if there is none.
#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn serialize_rating<S: Serializer>(
    rating: &Option<PlayerRating>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut keys = serializer.serialize_map(Some(6))?;
    keys.serialize_entry("rating", &rating.map(|rating| rating.rating))?;
    keys.serialize_entry("provisional", &rating.map(|rating| rating.provisional))?;
    keys.serialize_entry("conservative", &rating.map(|rating| rating.conservative))?;
    keys.serialize_entry("mu", &rating.map(|rating| rating.mu))?;
    keys.serialize_entry("sigma", &rating.map(|rating| rating.sigma))?;
    keys.serialize_entry("stored_sigma", &rating.map(|rating| rating.stored_sigma))?;
    keys.end()
}

impl List for PlayerList {
    type Row = PlayerListRow;

    fn columns(&self) -> Columns<'_, PlayerListRow> {
        let display = self.run.as_ref().map(find_display).unwrap_or_default();
        let points = move |row: &PlayerListRow, number: fn(&PlayerRating) -> f64| {
            let points = |rating| CellValue::Points(number(rating), display.decimals);
            row.rating.as_ref().map_or(CellValue::Unknown, points)
        };
        let is_rated = self.run.is_some();
        let has_growth = self.sigma_as_of.is_some();
        let mut competitors = self.rows.iter().map(|row| &row.competitor);
        let has_ids = competitors.any(|competitor| competitor.external_id != competitor.name);
        let has_only_people = self.rows.iter().all(|row| row.kind == EntrantKind::Person);
        Columns::new()
            .left("name", |row: &PlayerListRow| CellValue::text(&row.competitor.name))
            .left(("external_id", "id"), |row| CellValue::text(&row.competitor.external_id))
            .shown_if(has_ids)
            .left("kind", |row| row.kind.as_str())
            .shown_if(!has_only_people)
            .right("rating", move |row| {
                row.rating.as_ref().map_or(CellValue::Unknown, |rating| {
                    CellValue::rating(&display, rating.rating, rating.provisional)
                })
            })
            .important()
            .shown_if(is_rated)
            .data(&["provisional"])
            .right("conservative", move |row| points(row, |r| r.conservative))
            .shown_if(is_rated)
            .wide()
            .right("mu", move |row| points(row, |rating| rating.mu))
            .shown_if(is_rated)
            .not_on_page()
            .right("sigma", move |row| points(row, |rating| rating.sigma))
            .shown_if(has_growth)
            .not_on_page()
            .right("stored_sigma", move |row| points(row, |r| r.stored_sigma))
            .shown_if(has_growth)
            .not_on_page()
            .right("contests", |row| format_count(row.contests))
            .left(("last_contest_at", "last contest"), |row| {
                row.last_contest_at.map_or(CellValue::Unknown, CellValue::Day)
            })
            .wide()
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent::new(self.offset, self.rows.len(), self.total))
    }
}

/// Loads a page of the competitors of a source. The first pages by rating read the current ratings
/// of the run only; a search reads all names, and the ratings of the competitors that it finds.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoRun`], [`Error::SourceMismatch`],
/// [`Error::NotRatedBySystem`], [`Error::Store`].
pub fn load_player_list(
    store: &Store,
    source: &SourceName,
    request: &PlayerListRequest,
) -> Result<PlayerList, Error> {
    let source_id = find_source(store, source)?;
    let run = find_run_if_rated(store, source, &request.run)?;
    let stale = match &run {
        Some(run) => is_stale(run, is_current(store, run)?),
        None => false,
    };
    let merges = store.merges(source_id)?;
    let ranking = run.as_ref().map(|run| {
        let rules = RatingRules::load(store, run, request.as_stored)?;
        Ranking::load_all(store, run, rules)
    });
    let ranking = ranking.transpose()?;
    let (page, total) = match (&run, &ranking) {
        (Some(run), Some(ranking)) if !stale && is_answered_by_ratings(run, request) => {
            let ratings = ranking.current_page(store, run, request.page)?.into_iter();
            let total = store.count_competitors(source_id)? as usize - merges.len();
            (ratings.map(ListEntry::rated).collect(), total)
        }
        _ => {
            let merges: HashMap<_, _> = merges.into_iter().collect();
            let mut entries = find_competitors(store, source_id, request, &merges)?;
            match run.as_ref().zip(ranking.as_ref()) {
                Some((run, ranking)) => add_ratings(&mut entries, store, run, ranking)?,
                None => add_contests(&mut entries, store, source_id, &merges)?,
            }
            let total = entries.len();
            (select_page(entries, request, ranking.as_ref()), total)
        }
    };
    let mut labeller = Labeller::load(store, request.names)?;
    let mut labels = labeller.load_labels(store, page.iter().map(|entry| entry.competitor))?;
    let rules = ranking.as_ref().map(|ranking| &ranking.rules);
    let rows = page.into_iter().filter_map(|entry| {
        let label = labels.remove(&entry.competitor)?;
        let rating = rules.zip(entry.rating.as_ref());
        Some(PlayerListRow {
            kind: label.kind,
            competitor: label,
            rating: rating.map(|(rules, rating)| PlayerRating::new(rules, rating)),
            contests: entry.contests,
            last_contest_at: entry.last_contest_at,
        })
    });
    Ok(PlayerList {
        rows: rows.collect(),
        stale,
        k: rules.map_or(0.0, |rules| rules.k),
        sigma_as_of: rules.and_then(|rules| rules.growth.as_of()),
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

/// A competitor to list.
struct ListEntry {
    competitor: CompetitorId,
    /// The folded name that is shown; empty where it is not needed.
    name: String,
    rating: Option<CurrentRatingRow>,
    contests: u32,
    last_contest_at: Option<i64>,
}

impl ListEntry {
    const fn new(competitor: CompetitorId, name: String) -> Self {
        Self {
            competitor,
            name,
            rating: None,
            contests: 0,
            last_contest_at: None,
        }
    }

    fn rated(rating: CurrentRatingRow) -> Self {
        let mut entry = Self::new(rating.competitor_id, String::new());
        entry.add_rating(rating);
        entry
    }

    const fn add_rating(&mut self, rating: CurrentRatingRow) {
        self.contests = rating.contests;
        self.last_contest_at = Some(rating.last_contest_at);
        self.rating = Some(rating);
    }

    /// Returns the order of two competitors in a list; no two are equal.
    fn compare(&self, other: &Self, order: PlayerOrder, ranking: Option<&Ranking>) -> Ordering {
        let by_name = || self.name.cmp(&other.name);
        let by_key = match order {
            PlayerOrder::Rating => match (&self.rating, &other.rating, ranking) {
                // Equal ones are in the order of ids, as on leaderboards.
                (Some(a), Some(b), Some(ranking)) => ranking.compare(a, b),
                (a, b, _) => a.is_none().cmp(&b.is_none()).then_with(by_name),
            },
            PlayerOrder::Name => by_name(),
            PlayerOrder::Contests => other.contests.cmp(&self.contests).then_with(by_name),
            PlayerOrder::Last => {
                other.last_contest_at.cmp(&self.last_contest_at).then_with(by_name)
            }
        };
        by_key.then_with(|| self.competitor.cmp(&other.competitor))
    }
}

/// Returns the competitors to list, ordered by id, without their ratings and contests: all, or those
/// with the text in a name or the external id, their own or that of an account merged into them.
/// Searches only names that are shown.
fn find_competitors(
    store: &Store,
    source_id: SourceId,
    request: &PlayerListRequest,
    merges: &HashMap<CompetitorId, CompetitorId>,
) -> Result<Vec<ListEntry>, Error> {
    let mut labeller = Labeller::load(store, request.names)?;
    let mut text = request.text.as_deref().map(FoldedText::new);
    let mut entries: Vec<ListEntry> = Vec::new();
    // Competitors with the text in another name: that of a merged account, or an earlier one.
    let mut other_matches: HashSet<CompetitorId> = HashSet::new();
    store.for_each_competitor_name(source_id, |competitor| {
        let id = competitor.competitor_id;
        let pseudonym = labeller.pseudonyms.pseudonym_of_names(&competitor);
        let name = pseudonym.as_deref().unwrap_or(competitor.name);
        let external_id = pseudonym.as_deref().unwrap_or(competitor.external_id);
        let is_match = text.as_mut().is_none_or(|text| {
            text.is_in(name) || (external_id != name && text.is_in(external_id))
        });
        if !is_match {
            return;
        }
        if let Some(&root) = merges.get(&id) {
            other_matches.insert(root);
        } else if has_kind(competitor.kind, request.kind) {
            entries.push(ListEntry::new(id, FoldedText::fold(name)));
        }
    })?;
    let Some(mut text) = text else {
        return Ok(entries);
    };
    let mut earlier_names = store.renamed_competitors(source_id)?;
    earlier_names.retain(|(_, name)| text.is_in(name));
    for row in store.competitors_by_id(earlier_names.into_iter().map(|(id, _)| id))? {
        if labeller.pseudonyms.pseudonym_for(&row).is_none() {
            let account = row.competitor_id;
            other_matches.insert(*merges.get(&account).unwrap_or(&account));
        }
    }
    other_matches.retain(|id| find_entry(&entries, *id).is_none());
    for row in store.competitors_by_id(other_matches)? {
        if has_kind(row.kind, request.kind) {
            let label = labeller.label(row);
            let name = FoldedText::fold(&label.name);
            entries.push(ListEntry::new(label.competitor_id, name));
        }
    }
    entries.sort_unstable_by_key(|entry| entry.competitor);
    Ok(entries)
}

/// Returns the index of a competitor in entries that are ordered by id.
fn find_entry(entries: &[ListEntry], competitor: CompetitorId) -> Option<usize> {
    let index = entries.binary_search_by_key(&competitor, |entry| entry.competitor);
    index.ok()
}

/// Adds the ratings of competitors, which are ordered by id.
fn add_ratings(
    entries: &mut [ListEntry],
    store: &Store,
    run: &RunRow,
    ranking: &Ranking,
) -> Result<(), Error> {
    // 0 without stored ratings.
    let rated = run.competitors.unwrap_or(0) as usize;
    // Reading one row by its key costs as much as reading some ten in order.
    if entries.len() < rated / 10 {
        for entry in entries {
            if let Some(rating) = store.current_rating(run.run_id, entry.competitor)? {
                entry.add_rating(rating);
            }
        }
        return Ok(());
    }
    ranking.for_each_rating(store, |rating| {
        if let Some(index) = find_entry(entries, rating.competitor_id) {
            entries[index].add_rating(rating);
        }
    })
}

/// Adds the numbers of contests of competitors, which are ordered by id, with those of the accounts
/// merged into them and of their teams.
fn add_contests(
    entries: &mut [ListEntry],
    store: &Store,
    source_id: SourceId,
    merges: &HashMap<CompetitorId, CompetitorId>,
) -> Result<(), Error> {
    let mut last_contests = HashMap::new();
    store.for_each_appearance(source_id, |contest, ends_at, account| {
        let competitor = *merges.get(&account).unwrap_or(&account);
        let Some(index) = find_entry(entries, competitor) else {
            return;
        };
        // Several accounts or teams can be in one contest, which counts once.
        if last_contests.insert(competitor, contest) != Some(contest) {
            let entry = &mut entries[index];
            entry.contests += 1;
            entry.last_contest_at = entry.last_contest_at.max(ends_at);
        }
    })?;
    Ok(())
}

/// Returns the competitors of the page in order.
fn select_page(
    mut entries: Vec<ListEntry>,
    request: &PlayerListRequest,
    ranking: Option<&Ranking>,
) -> Vec<ListEntry> {
    let compare = |a: &ListEntry, b: &ListEntry| {
        let order = a.compare(b, request.order, ranking);
        if request.reverse {
            order.reverse()
        } else {
            order
        }
    };
    let end = request.page.offset.saturating_add(request.page.limit);
    if end < entries.len() {
        entries.select_nth_unstable_by(end, compare);
        entries.truncate(end);
    }
    entries.sort_unstable_by(compare);
    request.page.select(entries)
}
