//! Evaluation compared with its definition, pair by pair, from the stored rows.

use std::collections::HashMap;

use ranklore_contest::{Entrant, EntrantOutcome, Place};
use ranklore_replay::{RunChoice, find_run};
use ranklore_store::{CompetitorId, Standing, Writer};
use ranklore_test_support::{DAY, World, at, contest, contest_time, contest_with_entrants, source};
use ranklore_views::{EvaluationSettings, Metric, SliceBy, Train, evaluate};
use serde_json::json;

/// A predicted entrant: place (the maximum if not finished) and rating before.
type Predicted = (u32, f64);

/// A competitor between two contests.
#[derive(Clone, Copy, Default)]
struct State {
    mu: f64,
    sigma: f64,
    contests: u32,
    /// Number of entrants above in the last contest.
    last_place: u32,
}

/// The accuracy in a slice: metrics are sums over results, at the end percentages.
#[derive(Clone, Copy, Default)]
struct SliceSums {
    contests: u64,
    results: u64,
    concordance: f64,
    previous_place: f64,
    pairs: f64,
    deviation: f64,
}

/// Returns the share of pairs in the right order; equal predictions count one half, ties in the
/// result are left out.
fn concordance(field: &[Predicted]) -> f64 {
    let (mut right, mut all) = (0.0, 0.0);
    for better in field {
        for worse in field.iter().filter(|entry| entry.0 > better.0) {
            all += 1.0;
            right += f64::from(u8::from(better.1 > worse.1));
            right += 0.5 * f64::from(u8::from(better.1.to_bits() == worse.1.to_bits()));
        }
    }
    right / all
}

/// Returns the sums over these entrants of correctly ordered pairs and deviation of places.
fn field_accuracy(field: &[Predicted]) -> Option<(f64, f64)> {
    let count = field.len();
    if count < 2 || field.iter().all(|entrant| entrant.0 == field[0].0) {
        return None;
    }
    // Predicted order: by rating, equal ratings in their actual order.
    let mut predicted: Vec<usize> = (0..count).collect();
    predicted.sort_by(|&a, &b| field[b].1.total_cmp(&field[a].1).then(field[a].0.cmp(&field[b].0)));
    let (mut pairs, mut deviation) = (0.0, 0.0);
    for (index, &(place, mu)) in field.iter().enumerate() {
        let right = field.iter().enumerate().filter(|&(other, &(its_place, its_mu))| {
            let tied = its_place == place || its_mu.to_bits() == mu.to_bits();
            other != index && (tied || (its_place < place) == (its_mu > mu))
        });
        pairs += right.count() as f64 / (count - 1) as f64;
        let at = predicted.iter().position(|&other| other == index).unwrap();
        let first = field.iter().filter(|other| other.0 < place).count();
        let last = first + field.iter().filter(|other| other.0 == place).count() - 1;
        let off = (first..=last).map(|due| due.abs_diff(at)).min().unwrap();
        deviation += off as f64 / (count - 1) as f64;
    }
    Some((pairs, deviation))
}

/// Returns the accuracy for each slice, and the states after the last contest.
fn recompute_evaluation(
    store: &Writer,
    run: ranklore_store::RunId,
) -> ([SliceSums; 4], HashMap<CompetitorId, State>) {
    let mut state: HashMap<CompetitorId, State> = HashMap::new();
    let mut sums = [SliceSums::default(); 4];
    let contests: Vec<_> = store
        .all_contests()
        .unwrap()
        .into_iter()
        .filter(|contest| {
            let mut rows = 0;
            let id = contest.contest_id;
            store.for_each_rating(run, [id], |_, rated| rows = rated.len()).unwrap();
            rows > 0
        })
        .collect();
    for (index, contest) in contests.iter().enumerate() {
        let mut standings = Vec::new();
        store
            .for_each_standing([contest.contest_id], |_, stored| {
                standings = stored.to_vec();
            })
            .unwrap();
        standings.sort_by_key(|standing| standing.place.map_or(u32::MAX, Place::get));
        let place_of = |standing: &Standing| standing.place.map_or(u32::MAX, Place::get);
        let of_experience = |least: u32, number: fn(&State) -> f64| -> Vec<Predicted> {
            let known = standings.iter().filter_map(|standing| {
                let newcomer = State {
                    mu: 1500.0,
                    ..State::default()
                };
                let state = state.get(&standing.competitor_id).unwrap_or(&newcomer);
                (state.contests >= least).then_some((place_of(standing), number(state)))
            });
            known.collect()
        };
        let slices = |number: fn(&State) -> f64| {
            let everybody = of_experience(1, number);
            let above = |place: u32| everybody.iter().filter(move |other| other.0 < place);
            let top = everybody.iter().filter(|competitor| above(competitor.0).count() < 100);
            let top = top.copied().collect();
            [
                everybody,
                of_experience(5, number),
                top,
                of_experience(0, number),
            ]
        };
        if index >= contests.len() / 10 {
            let baselines = slices(|state| -f64::from(state.last_place));
            let fields = slices(|state| state.mu).into_iter().zip(baselines);
            for (sum, (field, baseline)) in sums.iter_mut().zip(fields) {
                if let Some((pairs, deviation)) = field_accuracy(&field) {
                    let count = field.len() as f64;
                    sum.contests += 1;
                    sum.results += field.len() as u64;
                    sum.concordance += count * concordance(&field);
                    sum.previous_place += count * concordance(&baseline);
                    sum.pairs += pairs;
                    sum.deviation += deviation;
                }
            }
        }
        let id = contest.contest_id;
        let rated = store.for_each_rating(run, [id], |_, rows| {
            for row in rows {
                let state = state.entry(row.competitor_id).or_default();
                (state.mu, state.sigma) = (row.mu, row.sigma);
                state.contests += 1;
            }
        });
        rated.unwrap();
        for standing in &standings {
            let place = place_of(standing);
            let above =
                standings.iter().filter(|standing| place_of(standing) < place).count() as u32;
            state.entry(standing.competitor_id).or_default().last_place = above;
        }
    }
    for sum in &mut sums {
        let percent = 100.0 / sum.results as f64;
        sum.concordance *= percent;
        sum.previous_place *= percent;
        sum.pairs *= percent;
        sum.deviation *= percent;
    }
    (sums, state)
}

#[test]
fn evaluation_matches_definition_and_is_stored() {
    let mut world = World::with_random_contests(45);
    // A contest of ties, which is skipped, and one with a single entrant: not rated, and no earlier
    // contest.
    let tied = Entrant::person("player 1", EntrantOutcome::Finished(Place::from_entrants_above(0)));
    let also = Entrant::person("player 2", tied.outcome);
    world.upsert_contest("club", contest_with_entrants("100", DAY, vec![tied, also]));
    world.upsert_contest("club", contest("101", DAY, &["player 3"]));
    let report = world.rate_elo_mmr(&json!({"rho": 0.3, "sigma_limit": 60, "all_tied": "skip"}));
    assert_eq!((report.contests, report.without_order), (45, 2));
    let store = &mut world.store;
    let run = find_run(store, &[source("club")], &RunChoice::default()).unwrap();
    let settings = EvaluationSettings::default();
    let evaluated = evaluate(store, run, &settings, false, at(5)).unwrap();
    let (expected, states) = recompute_evaluation(store, report.run_id);
    let stored = store.evaluation(report.run_id).unwrap().unwrap();
    assert_eq!((stored.evaluated_at, &*stored.system), (5, "elo-mmr"));
    for (slice, expected) in evaluated.slices.iter().zip(expected) {
        assert_eq!(
            (slice.contests, slice.results),
            (expected.contests, expected.results),
            "{:?}",
            slice.slice
        );
        assert!(slice.results > 100, "too few to be conclusive");
        for (metric, actual, expected) in [
            ("concordance", slice.metrics.get(Metric::Concordance), expected.concordance),
            (
                "previous_place_concordance",
                slice.previous_place_concordance,
                expected.previous_place,
            ),
            ("pair_inversion", slice.metrics.get(Metric::PairInversion), expected.pairs),
            ("rank_deviation", slice.metrics.get(Metric::RankDeviation), expected.deviation),
        ] {
            let actual = actual.unwrap();
            assert!((actual - expected).abs() < 1e-9, "{metric}: {actual}, not {expected}");
            let mut rows = stored.metrics.iter();
            let row = rows.find(|row| row.slice == slice.slice && row.metric == metric);
            assert_eq!(row.unwrap().value.to_bits(), actual.to_bits());
        }
    }
    let mut ranked: Vec<&State> = states.values().collect();
    ranked.sort_by(|a, b| (b.mu - 3.0 * b.sigma).total_cmp(&(a.mu - 3.0 * a.sigma)));
    let single = ranked.iter().take(100).filter(|state| state.contests == 1);
    let plausibility = evaluated.plausibility;
    assert_eq!(plausibility.one_contest_in_top_100, single.count() as u64);
    let mut mus = Vec::new();
    let contests = store.all_contests().unwrap().into_iter().map(|contest| contest.contest_id);
    store
        .for_each_rating(report.run_id, contests, |_, rows| {
            mus.extend(rows.iter().map(|row| row.mu));
        })
        .unwrap();
    assert_eq!(plausibility.lowest_mu, mus.iter().copied().reduce(f64::min));
    assert_eq!(plausibility.highest_mu, mus.iter().copied().reduce(f64::max));
}

#[test]
fn evaluation_until_a_day_is_that_of_the_contests_before() {
    let evaluate_contests = |contests: u32, settings: &EvaluationSettings| {
        let mut world = World::with_random_contests(contests);
        world.rate_elo_mmr(&json!({}));
        let run = find_run(&world.store, &[source("club")], &RunChoice::default()).unwrap();
        evaluate(&mut world.store, run, settings, false, at(5))
    };
    let settings = EvaluationSettings {
        train: Some(Train::Percent(0.0)),
        slices: vec![SliceBy::Half, SliceBy::Size],
        with_newcomers: true,
        ..EvaluationSettings::default()
    };
    let before = evaluate_contests(20, &settings).unwrap();
    // The contest with the number 21 ends on that day.
    let until = |week: i64| EvaluationSettings {
        until: Some(contest_time(week * 7 * DAY)),
        ..settings.clone()
    };
    let evaluated = evaluate_contests(30, &until(21)).unwrap();
    assert_eq!(evaluated.slices, before.slices);
    assert_eq!(evaluated.plausibility, before.plausibility);
    let all = before.slice("all").unwrap();
    assert_eq!(all.contests, 20);
    let parts = |prefix: &str| {
        let slices = before.slices.iter().filter(|slice| slice.slice.starts_with(prefix));
        slices.map(|slice| slice.results).sum::<u64>()
    };
    assert_eq!([parts("half "), parts("size ")], [all.results; 2]);
    let error = evaluate_contests(30, &until(0)).unwrap_err().to_string();
    assert!(error.contains("none of 30 rated contests ended before --until"), "{error}");
}
