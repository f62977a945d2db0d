//! Runs over a world: all systems, and comparison of continued ratings with ratings from scratch.

use std::collections::BTreeMap;

use ranklore_replay::{
    Error, NoProgress, Progress, RateReport, RateRequest, RunSelection, SYSTEMS, SystemName, rate,
};
use ranklore_store::{CompetitorId, CurrentRatingRow, RatingRow, RunRow, Writer};
use ranklore_views::{EvaluationSettings, Metric, evaluate};
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use crate::{World, at, round, source};

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The contests to rate.
    pub selection: RunSelection,
    /// The rating system.
    pub system: SystemName,
    /// The parameters; defaults for the others.
    pub parameters: Map<String, Value>,
}

impl RunSpec {
    /// Elo-MMR over the source `club`.
    pub fn elo_mmr(parameters: &Value) -> Self {
        Self {
            selection: select_sources(&["club"]),
            system: SYSTEMS[0],
            parameters: parameters.as_object().cloned().unwrap_or_default(),
        }
    }

    /// Returns the request for this run.
    pub fn request(&self) -> RateRequest {
        RateRequest {
            selection: self.selection.clone(),
            system: self.system.with_parameters(&self.parameters).unwrap(),
            skip_unsupported: true,
            now: at(1_800_000_000),
        }
    }

    /// Makes the run.
    ///
    /// # Errors
    /// The errors of [`rate`].
    pub fn rate(&self, store: &mut Writer, watch: &dyn Progress) -> Result<RateReport, Error> {
        rate(store, self.request(), watch)
    }
}

/// Returns runs of every system over the source `club`, with the parameters that affect its state.
pub fn all_system_runs() -> Vec<RunSpec> {
    let mut systems: Vec<(SystemName, Value)> =
        SYSTEMS.iter().map(|&system| (system, json!({}))).collect();
    let elo_mmr = SystemName::find("elo-mmr").unwrap();
    let elo_mmx = SystemName::find("elo-mmx").unwrap();
    for rho in [json!(0), json!(0.04), json!(3), json!("inf")] {
        systems.push((elo_mmr, json!({"rho": rho})));
    }
    systems.push((elo_mmr, json!({"history_limit": 2, "rho": 0.5})));
    systems.push((SystemName::find("elo-r").unwrap(), json!({"history_limit": 2})));
    systems.push((elo_mmr, json!({"weight": "duration"})));
    for system in [elo_mmr, elo_mmx] {
        systems.push((system, json!({"drift_per_day": 30, "split_ties": true})));
        systems.push((system, json!({"newcomer_weights": [0.5, 0.7, 0.9]})));
    }
    for system in ["elo-mmr", "elo-mmx", "trueskill"] {
        let system = SystemName::find(system).unwrap();
        systems.push((system, json!({"teams": "members"})));
    }
    let runs = systems.into_iter();
    runs.map(|(system, parameters)| RunSpec {
        system,
        ..RunSpec::elo_mmr(&parameters)
    })
    .collect()
}

/// Returns runs with rating periods over the source `club`, and one that skips contests whose
/// entrants are all tied.
pub fn period_runs() -> Vec<RunSpec> {
    [
        ("glicko", json!({"period": "2d", "information": "every-pair", "advantage": 100})),
        ("glicko2", json!({"period": "month"})),
        ("elo", json!({"period": "3d", "advantage": -45})),
        ("elo-pairwise", json!({"period": "7d", "dummy_mu": 1000})),
        ("elo-mmr", json!({"all_tied": "skip"})),
        ("glicko2", json!({"period": "2d", "advantage": 60})),
        ("trueskill", json!({"advantage": 1.5, "teams": "members"})),
    ]
    .map(|(system, parameters)| RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(&parameters)
    })
    .into()
}

/// Selects all contests of these sources.
pub fn select_sources(sources: &[&str]) -> RunSelection {
    RunSelection {
        sources: sources.iter().map(|name| source(name)).collect(),
        ..RunSelection::default()
    }
}

/// The contests that a rating is expected to replay.
#[derive(Clone, Copy, Debug)]
pub enum ExpectedReplay<'a> {
    /// None: the report states that the run is unchanged.
    Nothing,
    /// The contest of the source `club` with this id, and all after it.
    From(&'a str),
    /// None: only contests at the end were removed.
    TruncatedEnd,
}

impl World {
    /// Creates a world of twelve contests, rated.
    pub fn sample_rated() -> Self {
        let mut world = Self::sample_unrated();
        world.rate_all();
        world
    }

    /// Creates a world of twelve contests of the source `club`: the third has no order, the sixth
    /// and the seventh end at the same time.
    pub fn sample_unrated() -> Self {
        let mut world = Self::new();
        let orders = [
            "a b c d",
            "b a e=f !g",
            "c",
            "d c b a h",
            "g a=b e",
            "e f g h",
            "a c e g",
            "b d f h",
            "x y z",
            "h g f e d c b a",
            "a d !b !c",
            "c a b",
        ];
        for (id, order) in (1..).zip(orders) {
            let day = 10 * (id - i64::from(id >= 7));
            let mut contest = round(&id.to_string(), day, order);
            if id == 7 {
                contest.event = Some("cup".into());
                contest.ordinal = Some(2);
            }
            world.upsert_contest("club", contest);
        }
        world
    }

    /// Makes every run of [`World::runs`].
    pub fn rate_all(&mut self) -> Vec<RateReport> {
        self.runs
            .iter()
            .map(|run| run.rate(&mut self.store, &NoProgress).unwrap())
            .collect()
    }

    /// Rates the source `club` by Elo-MMR.
    pub fn rate_elo_mmr(&mut self, parameters: &Value) -> RateReport {
        let run = RunSpec::elo_mmr(parameters);
        run.rate(&mut self.store, &NoProgress).unwrap()
    }

    /// Asserts that the current ratings of every run are those of its rating rows, in their order,
    /// and that a check finds nothing.
    pub fn assert_current_ratings(&self) {
        for run in self.store.runs().unwrap() {
            let mut histories: BTreeMap<CompetitorId, Vec<(RatingRow, i64)>> = BTreeMap::new();
            for contest in self.store.run_contests(run.run_id).unwrap() {
                let ids = [contest.contest_id];
                let ends_at = self.store.contests_by_id(ids).unwrap()[0].ends_at.unwrap();
                self.store
                    .for_each_rating(run.run_id, ids, |_, rows| {
                        for row in rows {
                            let history = histories.entry(row.competitor_id).or_default();
                            history.push((*row, ends_at));
                        }
                    })
                    .unwrap();
            }
            let has_same_ends = self.store.has_unchanged_sources(&run).unwrap();
            let mut current_rows = Vec::new();
            self.store
                .for_each_current_rating(run.run_id, |row| current_rows.push(row))
                .unwrap();
            assert_eq!(run.competitors, Some(current_rows.len() as u64));
            assert_eq!(current_rows.len(), histories.len());
            for (current, (competitor_id, history)) in current_rows.iter().zip(&histories) {
                let &(last, ends_at) = history.last().unwrap();
                let before = history.iter().rev().nth(1);
                let expected = CurrentRatingRow {
                    competitor_id: *competitor_id,
                    mu: last.mu,
                    sigma: last.sigma,
                    contests: history.len() as u32,
                    change: before.map(|before| last.mu - before.0.mu),
                    peak_mu: history.iter().map(|(row, _)| row.mu).fold(f64::MIN, f64::max),
                    last_contest_at: if has_same_ends {
                        ends_at
                    } else {
                        current.last_contest_at
                    },
                    volatility: last.volatility,
                };
                assert_eq!(*current, expected, "{run:?}");
                let one = self.store.current_rating(run.run_id, *competitor_id);
                assert_eq!(one.unwrap(), Some(expected));
            }
        }
        assert_eq!(self.store.check().unwrap(), []);
    }

    /// Makes every run, and asserts which contests are replayed and that the ratings equal those of
    /// a replay from scratch.
    pub fn assert_rating_replays(&mut self, replays: ExpectedReplay<'_>) {
        // Only official runs use `mu_before`, so it can mark rows that are kept.
        let raw = self.open_raw();
        raw.execute("UPDATE rating SET mu_before = 1", []).unwrap();
        let reports = self.rate_all();
        for report in &reports {
            self.assert_replayed(report, replays, &raw);
        }
        raw.execute("UPDATE rating SET mu_before = NULL", []).unwrap();
        self.assert_same_as_from_scratch();
        for again in self.rate_all() {
            assert!(again.unchanged, "{again:?}");
        }
    }

    fn assert_replayed(&self, report: &RateReport, replays: ExpectedReplay<'_>, raw: &Connection) {
        let contests = self.store.run_contests(report.run_id).unwrap();
        let first_replayed = match replays {
            ExpectedReplay::Nothing | ExpectedReplay::TruncatedEnd => None,
            ExpectedReplay::From(id) => self.store.contest(&source("club"), id).unwrap(),
        };
        let unchanged_count = first_replayed.as_ref().map_or(contests.len(), |first| {
            let mut rows = contests.iter();
            rows.position(|row| row.contest_id == first.contest_id).unwrap()
        });
        let mut marked = raw
            .prepare(
                "SELECT count(*) FILTER (WHERE mu_before = 1), count(*) FROM rating
                 WHERE run_id = ?1 AND contest_id = ?2",
            )
            .unwrap();
        for (position, row) in contests.iter().enumerate() {
            let (marked_rows, all_rows): (u32, u32) = marked
                .query_row([report.run_id.get(), row.contest_id.get()], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .unwrap();
            let expected = if position < unchanged_count {
                row.results
            } else {
                0
            };
            assert_eq!((marked_rows, all_rows), (expected, row.results), "{replays:?} {position}");
        }
        let rerated = &contests[unchanged_count..];
        let replayed = rerated.iter().filter(|row| row.results > 0);
        assert_eq!(report.replayed, replayed.count() as u64, "{replays:?}");
        let unchanged = matches!(replays, ExpectedReplay::Nothing);
        assert_eq!(report.unchanged, unchanged, "{replays:?}");
        let continued_at = first_replayed.and_then(|first| first.ends_at);
        let continued_at = continued_at.filter(|_| unchanged_count > 0);
        assert_eq!(report.continued_at, continued_at, "{replays:?}");
        let without = contests.iter().filter(|row| row.results == 0).count();
        assert_eq!(report.without_order + report.unsupported, without as u64);
        assert_eq!(report.contests, (contests.len() - without) as u64);
        let results: u64 = contests.iter().map(|row| u64::from(row.results)).sum();
        assert_eq!(report.results, results);
    }

    /// Asserts that a copy that received all data at once and was rated once has the same content,
    /// runs and evaluations.
    pub fn assert_same_as_from_scratch(&mut self) {
        self.assert_current_ratings();
        let mut fresh = self.copy_from_scratch();
        fresh.runs.clone_from(&self.runs);
        fresh.rate_all();
        assert_eq!(self.store.check().unwrap(), []);
        assert_eq!(self.store.content_hash().unwrap(), fresh.store.content_hash().unwrap());
        for fresh_run in fresh.store.runs().unwrap() {
            let run = self
                .store
                .find_matching_run(&fresh_run.system, &fresh_run.parameters, &fresh_run.selection)
                .unwrap()
                .unwrap();
            assert_eq!((run.contests, run.results), (fresh_run.contests, fresh_run.results));
            if self.is_id_free() {
                assert_eq!(run.fingerprint, fresh_run.fingerprint);
            }
            assert_eq!(
                evaluate_rounded(&mut self.store, &run),
                evaluate_rounded(&mut fresh.store, &fresh_run)
            );
        }
    }
}

/// Evaluates a run, and returns the numbers of each slice as texts.
fn evaluate_rounded(store: &mut Writer, run: &RunRow) -> Vec<Vec<String>> {
    let settings = EvaluationSettings::default();
    let evaluation = evaluate(store, run.clone(), &settings, false, at(0)).unwrap();
    let slices = evaluation.slices.iter();
    slices
        .map(|slice| {
            let counts = (&slice.slice, slice.contests, slice.results);
            // Losses are summed in the order of ids within ties, which changes their last bits.
            let metrics = Metric::ALL.iter().map(|metric| {
                let value = slice.metrics.get(*metric);
                format!("{:?}", value.map(|value| format!("{value:.9}")))
            });
            let concordance = format!("{:?}", slice.previous_place_concordance);
            metrics.chain([format!("{counts:?}"), concordance]).collect()
        })
        .collect()
}
