//! Evaluation compared with its definition, pair by pair, from the stored rows.

use std::collections::HashMap;

use ranklore_contest::{Entrant, EntrantOutcome, Place};
use ranklore_replay::{evaluate, find_run};
use ranklore_store::{CompetitorId, Writer};
use ranklore_test_support::{DAY, World, at, contest, contest_with_entrants, source};
use serde_json::json;

/// A predicted entrant: place (the maximum if not finished) and rating before.
type Predicted = (u32, f64);

/// Returns the sums over these entrants of correctly ordered pairs and deviation of places.
fn field_accuracy(field: &[Predicted]) -> Option<(f64, f64)> {
    let count = field.len();
    if count < 2 || field.iter().all(|entrant| entrant.0 == field[0].0) {
        return None;
    }
    // Predicted order: by rating, equal ratings in their actual order.
    let mut predicted: Vec<usize> = (0..count).collect();
    predicted.sort_by(|&a, &b| {
        field[b]
            .1
            .total_cmp(&field[a].1)
            .then(field[a].0.cmp(&field[b].0))
    });
    let (mut pairs, mut deviation) = (0.0, 0.0);
    for (index, &(place, mu)) in field.iter().enumerate() {
        let right = field
            .iter()
            .enumerate()
            .filter(|&(other, &(its_place, its_mu))| {
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

/// Returns contests, results and both metrics in percent for each slice.
fn recompute_evaluation(store: &Writer, run: ranklore_store::RunId) -> Vec<(u64, u64, f64, f64)> {
    let mut state: HashMap<CompetitorId, (f64, u32)> = HashMap::new();
    let mut sums = vec![(0, 0, 0.0, 0.0); 3];
    let contests: Vec<_> = store
        .all_contests()
        .unwrap()
        .into_iter()
        .filter(|contest| {
            let mut rows = 0;
            let id = contest.contest_id;
            store
                .for_each_rating(run, [id], |_, of| rows = of.len())
                .unwrap();
            rows > 0
        })
        .collect();
    for (index, contest) in contests.iter().enumerate() {
        let mut standings = Vec::new();
        store
            .for_each_standing([contest.contest_id], |_, of| standings = of.to_vec())
            .unwrap();
        standings.sort_by_key(|standing| standing.place.map_or(u32::MAX, Place::get));
        let of_experience = |least: u32| -> Vec<Predicted> {
            let known = standings.iter().filter_map(|standing| {
                let &(mu, contests) = state.get(&standing.competitor_id)?;
                let place = standing.place.map_or(u32::MAX, Place::get);
                (contests >= least).then_some((place, mu))
            });
            known.collect()
        };
        let everybody = of_experience(1);
        let top: Vec<Predicted> = everybody
            .iter()
            .filter(|entrant| everybody.iter().filter(|other| other.0 < entrant.0).count() < 100)
            .copied()
            .collect();
        if index >= contests.len() / 10 {
            for (sum, field) in sums.iter_mut().zip([everybody, of_experience(5), top]) {
                if let Some((pairs, deviation)) = field_accuracy(&field) {
                    sum.0 += 1;
                    sum.1 += field.len() as u64;
                    sum.2 += pairs;
                    sum.3 += deviation;
                }
            }
        }
        let id = contest.contest_id;
        let rated = store.for_each_rating(run, [id], |_, rows| {
            for row in rows {
                let state = state.entry(row.competitor_id).or_default();
                *state = (row.mu, state.1 + 1);
            }
        });
        rated.unwrap();
    }
    for sum in &mut sums {
        let percent = 100.0 / sum.1 as f64;
        sum.2 *= percent;
        sum.3 *= percent;
    }
    sums
}

#[test]
fn evaluation_matches_definition_and_is_stored() {
    let mut world = World::with_random_contests(45);
    // A contest of ties and one with a single entrant: not rated, and no earlier contest.
    let tied = Entrant::person(
        "player 1",
        EntrantOutcome::Finished(Place::from_entrants_above(0)),
    );
    let also = Entrant::person("player 2", tied.outcome);
    world.upsert_contest("club", contest_with_entrants("100", DAY, vec![tied, also]));
    world.upsert_contest("club", contest("101", DAY, &["player 3"]));
    let report = world.rate_elo_mmr(&json!({"rho": 0.3, "sigma_limit": 60}));
    assert_eq!((report.contests, report.without_order), (45, 2));
    let store = &mut world.store;
    let run = find_run(store, &[source("club")], None).unwrap();
    let evaluated = evaluate(store, run, at(5)).unwrap();
    let expected = recompute_evaluation(store, report.run_id);
    let kept = store.evaluations(report.run_id).unwrap();
    for (slice, expected) in evaluated.slices.iter().zip(expected) {
        assert_eq!(
            (slice.contests, slice.results),
            (expected.0, expected.1),
            "{:?}",
            slice.slice
        );
        assert!(slice.results > 100, "too few to be conclusive");
        let (pairs, deviation) = (slice.pair_inversion.unwrap(), slice.rank_deviation.unwrap());
        assert!((pairs - expected.2).abs() < 1e-9, "{pairs} {}", expected.2);
        assert!(
            (deviation - expected.3).abs() < 1e-9,
            "{deviation} {}",
            expected.3
        );
        let row = kept.iter().find(|row| row.slice == slice.slice).unwrap();
        assert_eq!((row.pair_inversion, row.evaluated_at), (Some(pairs), 5));
    }
}
