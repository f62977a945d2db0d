//! Rating curves: the ratings of several competitors over time, under each rating system (Kerby 2025,
//! figures 1 to 5).

use std::cmp::Reverse;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{Error, Progress, Replay, RunChoice, RunSelection, SystemSpec};
use ranklore_store::{CompetitorId, OFFICIAL, Store};
use serde::Serialize;

use crate::experiments::contests::{ExperimentContests, ExperimentReplay};
use crate::names::find::find_competitor;
use crate::names::labels::{CompetitorLabel, Labeller, NamesPolicy};
use crate::predictions::agreement::OfficialRatings;
use crate::predictions::comparison::LeftOut;

/// Competitors whose ratings are followed over time.
#[derive(Clone, Debug)]
pub struct CurvesRequest {
    /// The source.
    pub source: SourceName,
    /// Only contests that ended at this time or later; nothing is known before them.
    pub since: Option<ContestTime>,
    /// Only contests that ended before this time.
    pub until: Option<ContestTime>,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
    /// The competitors.
    pub competitors: CurveCompetitors,
    /// True for the ratings that the site published, too.
    pub with_official: bool,
    /// The rule for names.
    pub policy: NamesPolicy,
}

/// The competitors of rating curves.
#[derive(Clone, Debug)]
pub enum CurveCompetitors {
    /// Competitors with these external ids or names, searched as by [`find_name`](crate::find_name).
    Named(Vec<String>),
    /// This number of competitors with the most rated contests; of equally many, those who came first.
    MostActive(usize),
}

/// The ratings of competitors over time.
#[derive(Clone, Debug, Serialize)]
pub struct CurvesReport {
    /// The source.
    pub source: SourceName,
    /// Number of rated contests.
    pub contests: u64,
    /// The systems, in the order of the request; the ratings of the site last, as `official`.
    pub systems: Vec<SystemCurves>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
    /// True if a name was replaced by a pseudonym.
    #[serde(skip)]
    pub pseudonymised: bool,
}

/// The rating curves under one system.
#[derive(Clone, Debug, Serialize)]
pub struct SystemCurves {
    /// The system with its settings.
    pub system: String,
    /// The curves, in the order of the names, or by the number of contests.
    pub curves: Vec<RatingCurve>,
}

/// The ratings of a competitor over time.
#[derive(Clone, Debug, Serialize)]
pub struct RatingCurve {
    /// The competitor.
    #[serde(flatten)]
    pub competitor: CompetitorLabel,
    /// The ratings, oldest first.
    pub points: Vec<CurvePoint>,
}

/// The rating of a competitor after a contest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The end of the contest, in Unix seconds.
    pub ends_at: i64,
    /// The rating.
    pub mu: f64,
    /// The uncertainty of the rating; 0 in ratings of a site.
    pub sigma: f64,
}

/// Replays rating systems in memory, and lists the ratings of competitors after each of their contests.
/// Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoCompetitor`], [`Error::NoContests`], [`Error::FewContests`],
/// [`Error::MixedTeamModes`], [`Error::MixedAllTied`], [`Error::OverlappingEvents`],
/// [`Error::NothingCompared`], [`Error::NothingRated`], [`Error::NoOfficialRatings`],
/// [`Error::Store`], [`Error::Interrupted`].
pub fn follow_ratings(
    store: &Store,
    request: &CurvesRequest,
    watch: &dyn Progress,
) -> Result<CurvesReport, Error> {
    let selection = RunSelection {
        since: request.since,
        until: request.until,
        ..RunSelection::from_source(&request.source)
    };
    let contests = ExperimentContests::load(store, &selection, &request.systems)?;
    let official = request
        .with_official
        .then(|| OfficialRatings::load(store, &selection, contests.rows()))
        .transpose()?;
    let mut left_out = contests.left_out.clone();
    let replay = contests.replay(store)?;
    let chosen = choose_competitors(store, request, &replay)?;
    let experiment = ExperimentReplay::new(&replay, &contests, watch);
    let mut records = experiment.replay_all(
        store,
        &mut left_out,
        || vec![Vec::new(); chosen.len()],
        |curves, system, contest| {
            system.begin_contest(contest);
            system.rate(contest, |entrant, state| {
                if let Some(position) = chosen.iter().position(|&index| index == entrant) {
                    curves[position].push(CurvePoint {
                        ends_at: contest.row.ends_at,
                        mu: state.mu,
                        sigma: state.sigma,
                    });
                }
            });
        },
    )?;
    let ids: Vec<CompetitorId> =
        chosen.iter().map(|&index| replay.competitors[index as usize]).collect();
    records.extend(official.map(|official| (OFFICIAL.to_owned(), official.curves(&replay, &ids))));
    let mut labeller = Labeller::load(store, request.policy)?;
    let labels = labeller.load_labels(store, ids.iter().copied())?;
    let systems = records.into_iter().map(|(system, curves)| SystemCurves {
        system,
        curves: ids
            .iter()
            .zip(curves)
            .map(|(id, points)| RatingCurve {
                competitor: labels[id].clone(),
                points,
            })
            .collect(),
    });
    Ok(CurvesReport {
        source: request.source.clone(),
        contests: replay.rated,
        systems: systems.collect(),
        left_out,
        pseudonymised: labeller.pseudonymised,
    })
}

/// Returns the indices of the requested competitors, each once.
fn choose_competitors(
    store: &Store,
    request: &CurvesRequest,
    replay: &Replay<'_>,
) -> Result<Vec<u32>, Error> {
    let mut contests = vec![0_u32; replay.competitors.len()];
    for (contest, _) in replay.rated_contests() {
        for &entrant in contest.entrants {
            contests[entrant as usize] += 1;
        }
    }
    let names = match &request.competitors {
        CurveCompetitors::Named(names) => names,
        CurveCompetitors::MostActive(number) => {
            let mut active: Vec<u32> = (0..contests.len() as u32).collect();
            active.retain(|&index| contests[index as usize] > 0);
            // Indices grow in the order of the first contests.
            active.sort_by_key(|&index| Reverse(contests[index as usize]));
            active.truncate(*number);
            return Ok(active);
        }
    };
    let run = RunChoice::default();
    let mut chosen = Vec::new();
    for name in names {
        let row = find_competitor(store, &request.source, name, None, &run, request.policy)?;
        let index = replay.index_of(store.merge_root(row.competitor_id)?);
        let index = index.filter(|&index| contests[index as usize] > 0);
        let Some(index) = index else {
            return Err(Error::FewContests {
                name: Labeller::load(store, request.policy)?.label(row).name,
                contests: 0,
                needed: 1,
            });
        };
        if !chosen.contains(&index) {
            chosen.push(index);
        }
    }
    Ok(chosen)
}

impl OfficialRatings {
    /// Returns the ratings of competitors after each contest of a replay that the site rated.
    fn curves(&self, replay: &Replay<'_>, competitors: &[CompetitorId]) -> Vec<Vec<CurvePoint>> {
        let curves = competitors.iter().map(|&competitor| {
            let points = replay.contests().filter_map(|contest| {
                Some(CurvePoint {
                    ends_at: contest.row.ends_at,
                    mu: self.rating_after(contest.row.contest_id, competitor)?,
                    sigma: 0.0,
                })
            });
            points.collect()
        });
        curves.collect()
    }
}
