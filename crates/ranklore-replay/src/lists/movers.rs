//! Movers: the largest changes of ratings since a time, new entries and new peaks.

use std::cmp::Ordering;
use std::collections::HashMap;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{CompetitorId, ContestId, CurrentRatingRow, RunRow, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::{is_current, is_stale};
use crate::runs::keys::serialize_run;
use crate::runs::lookup::{RunChoice, find_run_covering};
use crate::runs::selection::RunSelection;
use crate::runs::systems::conservative_k;
use crate::views::earlier_ratings::EarlierRatings;
use crate::views::names::{CompetitorLabel, Labeller, NamesPolicy};

/// The period of the movers to list.
#[derive(Clone, Debug)]
pub struct MoversRequest {
    /// The source.
    pub source: SourceName,
    /// The choice of the run.
    pub run: RunChoice,
    /// Contests that ended at this time or later are in the period.
    pub since: UnixSeconds,
    /// Contests that ended before this time are in the period; by default all are.
    pub until: Option<UnixSeconds>,
    /// The number of rows of each list at most.
    pub limit: usize,
    /// The rule for names.
    pub names: NamesPolicy,
}

impl MoversRequest {
    /// Creates a request for all movers since a time.
    #[must_use]
    pub const fn new(source: SourceName, run: RunChoice, since: UnixSeconds) -> Self {
        Self {
            source,
            run,
            since,
            until: None,
            limit: usize::MAX,
            names: NamesPolicy::Publishable,
        }
    }
}

/// The largest changes of ratings in a period.
#[derive(Clone, Debug, Serialize)]
pub struct Movers {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// True if results have changed since the run, or an earlier version computed it.
    pub stale: bool,
    /// The start of the period, in Unix seconds.
    pub since: UnixSeconds,
    /// The end of the period, in Unix seconds; `None` if it is open.
    pub until: Option<UnixSeconds>,
    /// Contests of the period that the run rated.
    pub contests: usize,
    /// Competitors with a rated contest in the period.
    pub competitors: usize,
    /// The largest gains of mu, of competitors rated before the period.
    pub gains: Vec<Mover>,
    /// The largest losses of mu, of competitors rated before the period.
    pub losses: Vec<Mover>,
    /// Competitors whose first rated contest is in the period, by falling conservative rating.
    pub new_entries: Vec<Mover>,
    /// Competitors rated before the period whose highest mu was reached in it, by falling highest
    /// mu.
    pub new_peaks: Vec<Mover>,
    /// True if names were replaced by pseudonyms.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// A competitor in a list of movers, with its ratings in the period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mover {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// mu − k·sigma, with the default k of the system.
    pub conservative: f64,
    /// The rating before the period; `None` for new entries.
    pub mu_before: Option<f64>,
    /// The rating after the last contest of the period.
    pub mu: f64,
    /// Its uncertainty.
    pub sigma: f64,
    /// The change of mu in the period; `None` for new entries.
    pub change: Option<f64>,
    /// The highest mu in the period.
    pub highest_mu: f64,
    /// Rated contests in the period.
    pub contests: u32,
    /// The end of the last one, in Unix seconds.
    pub last_contest_at: i64,
}

/// Loads the movers of a period. Reads the rating rows of the contests since its start, and of the
/// earlier ones those of competitors whose rating before the period does not follow from these.
///
/// # Errors
/// [`Error::NoRun`], [`Error::SourceMismatch`], [`Error::NotRated`], [`Error::NotRatedBySystem`],
/// [`Error::OnlyPartialRuns`], [`Error::NoSource`], [`Error::Store`].
pub fn load_movers(store: &Store, request: &MoversRequest) -> Result<Movers, Error> {
    let run = find_run_covering(store, &request.source, &request.run)?;
    let stale = is_stale(&run, is_current(store, &run)?);
    let contests = load_contests_since(store, &run, request.since, stale)?;
    let mut period = Period::default();
    for (contest, ends_at) in contests {
        let is_later = request.until.is_some_and(|until| ends_at >= until.get());
        period.add_contest(store, &run, contest, ends_at, is_later)?;
    }
    let mut earlier = EarlierRatings::load(store, &run, request.since)?;
    let current = period.load_current_ratings(store, &run)?;
    let (mut moved, mut new): (Vec<Step>, Vec<Step>) = (Vec::new(), Vec::new());
    for (&competitor, moves) in period.moves.iter().filter(|(_, of)| of.contests > 0) {
        let (before, is_new) = match current.get(&competitor) {
            Some(now) if now.contests <= moves.contests + moves.later => (None, true),
            Some(CurrentRatingRow {
                change: Some(change),
                ..
            }) if moves.contests == 1 && moves.later == 0 => (Some(moves.mu - change), false),
            of => {
                let row = earlier.last(competitor)?;
                (row.map(|row| row.mu), row.is_none() && of.is_none())
            }
        };
        let step = Step {
            competitor,
            before,
            moves: *moves,
        };
        match before {
            Some(_) => moved.push(step),
            None if is_new => new.push(step),
            // The rows before the period are those of an account that was split off since the run.
            None => {}
        }
    }
    let k = conservative_k(&run.system);
    let by_change = |sign: f64| {
        let mut steps: Vec<&Step> = moved.iter().collect();
        steps.retain(|of| of.change() * sign > 0.0);
        sort_falling(&mut steps, |of| of.change() * sign);
        steps
    };
    let page = |steps: Vec<&Step>| steps.into_iter().take(request.limit).copied().collect();
    let (gains, losses): (Vec<Step>, Vec<Step>) = (page(by_change(1.0)), page(by_change(-1.0)));
    let mut entries: Vec<&Step> = new.iter().collect();
    sort_falling(&mut entries, |of| of.moves.mu - k * of.moves.sigma);
    let entries: Vec<Step> = page(entries);
    let peaks = find_new_peaks(&moved, &current, &mut earlier, request.limit)?;
    let mut labeller = Labeller::load(store, request.names)?;
    let listed = [&gains, &losses, &entries, &peaks];
    let ids: Vec<CompetitorId> = (listed.into_iter().flatten())
        .map(|of| of.competitor)
        .collect();
    let labels = labeller.load_labels(store, ids)?;
    let movers = |steps: &[Step]| -> Vec<Mover> {
        let mover = |of: &Step| Some(of.mover(labels.get(&of.competitor)?.clone(), k));
        steps.iter().filter_map(mover).collect()
    };
    Ok(Movers {
        stale,
        since: request.since,
        until: request.until,
        contests: period.contests,
        competitors: moved.len() + new.len(),
        gains: movers(&gains),
        losses: movers(&losses),
        new_entries: movers(&entries),
        new_peaks: movers(&peaks),
        pseudonymised: labeller.pseudonymised,
        run,
    })
}

/// The ratings of a competitor since the start of a period.
#[derive(Clone, Copy, Default)]
struct Moves {
    /// Rated contests of the period.
    contests: u32,
    /// Rated contests after the period.
    later: u32,
    /// The rating after the last contest of the period.
    mu: f64,
    sigma: f64,
    highest_mu: f64,
    last_contest_at: i64,
}

/// A competitor with a rated contest in a period.
#[derive(Clone, Copy)]
struct Step {
    competitor: CompetitorId,
    /// mu before the period.
    before: Option<f64>,
    moves: Moves,
}

impl Step {
    /// Returns the change of mu in the period; 0 for a newcomer.
    fn change(&self) -> f64 {
        self.before.map_or(0.0, |before| self.moves.mu - before)
    }

    fn mover(&self, competitor: CompetitorLabel, k: f64) -> Mover {
        let moves = &self.moves;
        Mover {
            competitor,
            conservative: moves.mu - k * moves.sigma,
            mu_before: self.before,
            mu: moves.mu,
            sigma: moves.sigma,
            change: self.before.map(|_| self.change()),
            highest_mu: moves.highest_mu,
            contests: moves.contests,
            last_contest_at: moves.last_contest_at,
        }
    }
}

/// The ratings of a run since the start of a period.
#[derive(Default)]
struct Period {
    contests: usize,
    moves: HashMap<CompetitorId, Moves>,
}

impl Period {
    /// Adds the ratings after a contest, which follows the contests added before in the run.
    fn add_contest(
        &mut self,
        store: &Store,
        run: &RunRow,
        contest: ContestId,
        ends_at: i64,
        is_later: bool,
    ) -> Result<(), Error> {
        let mut is_rated = false;
        store.for_each_rating_row(run.run_id, contest, |row| {
            is_rated = true;
            let moves = self.moves.entry(row.competitor_id).or_default();
            if is_later {
                moves.later += 1;
                return;
            }
            if moves.contests == 0 || row.mu > moves.highest_mu {
                moves.highest_mu = row.mu;
            }
            moves.contests += 1;
            (moves.mu, moves.sigma, moves.last_contest_at) = (row.mu, row.sigma, ends_at);
        })?;
        self.contests += usize::from(is_rated && !is_later);
        Ok(())
    }

    /// Loads the current ratings of the competitors; none if the run has none stored.
    fn load_current_ratings(
        &self,
        store: &Store,
        run: &RunRow,
    ) -> Result<HashMap<CompetitorId, CurrentRatingRow>, Error> {
        let mut current = HashMap::new();
        let Some(all) = run.competitors else {
            return Ok(current);
        };
        // Reading all rows is faster than looking up a quarter of them.
        if self.moves.len() as u64 * 4 > all {
            store.for_each_current_rating(run.run_id, |row| {
                if self.moves.contains_key(&row.competitor_id) {
                    current.insert(row.competitor_id, row);
                }
            })?;
        } else {
            for &competitor in self.moves.keys() {
                let row = store.current_rating(run.run_id, competitor)?;
                current.extend(row.map(|row| (competitor, row)));
            }
        }
        Ok(current)
    }
}

/// Returns the contests of a run that ended at a time or later, in its order, each with its end.
fn load_contests_since(
    store: &Store,
    run: &RunRow,
    since: UnixSeconds,
    stale: bool,
) -> Result<Vec<(ContestId, i64)>, Error> {
    if let Some(contests) = store.run_contests_since(run.run_id, since, !stale)? {
        return Ok(contests);
    }
    // A run of an older version, and the ratings of a site, have no contests of their own.
    let mut selection = RunSelection::from_canonical_json(&run.selection);
    selection.since = selection.since.max(Some(since));
    let contests = selection.contests_if_any(store)?;
    Ok(contests
        .iter()
        .map(|of| (of.contest_id, of.ends_at))
        .collect())
}

/// Returns the first `limit` of the competitors whose highest mu was reached in the period, by
/// falling highest mu.
fn find_new_peaks(
    moved: &[Step],
    current: &HashMap<CompetitorId, CurrentRatingRow>,
    earlier: &mut EarlierRatings<'_>,
    limit: usize,
) -> Result<Vec<Step>, Error> {
    let mut candidates: Vec<&Step> = moved.iter().collect();
    candidates.retain(|of| {
        let now = current.get(&of.competitor);
        let rose = of.before.is_some_and(|before| before < of.moves.highest_mu);
        // The peak of all time may be after the period.
        rose && (of.moves.later > 0 || now.is_none_or(|now| now.peak_mu <= of.moves.highest_mu))
    });
    sort_falling(&mut candidates, |of| of.moves.highest_mu);
    let mut peaks = Vec::new();
    for of in candidates {
        if peaks.len() == limit {
            break;
        }
        // Systems that round ratings reach the same mu again, which is no new peak.
        let before = earlier.peak_mu(of.competitor)?;
        if before.is_some_and(|before| before < of.moves.highest_mu) {
            peaks.push(*of);
        }
    }
    Ok(peaks)
}

/// Sorts by a falling number, then by competitor.
fn sort_falling(steps: &mut [&Step], number: impl Fn(&Step) -> f64) {
    steps.sort_unstable_by(|a, b| -> Ordering {
        (number(b).total_cmp(&number(a))).then_with(|| a.competitor.cmp(&b.competitor))
    });
}
