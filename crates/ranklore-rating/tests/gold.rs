//! Golden vectors: (mu, sigma) of every entrant after every contest, computed by a public
//! implementation of both systems in its exact mode, on invented contests. Agreement is to 1e-6 of
//! a point, the approximate precision of that implementation.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;
use std::f64::consts::PI;

use ranklore_rating::performance::{Opponents, Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{EloMmr, RatedEntrant, RatingRound, RatingSystem};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Gold {
    initial: Initial,
    contests: Vec<Contest>,
    expected: Vec<Expected>,
}

#[derive(Deserialize)]
struct Initial {
    mu: f64,
    sigma: f64,
}

#[derive(Deserialize)]
struct Contest {
    time_seconds: i64,
    weight: Option<f64>,
    perf_ceiling: Option<f64>,
    /// Competitor, first and last place of the tie, counted from 0.
    standings: Vec<(u32, u32, u32)>,
}

#[derive(Deserialize)]
struct Expected {
    system: String,
    params: Value,
    after: Vec<Vec<(u32, f64, f64)>>,
}

fn check_gold(gold: &str) {
    let gold: Gold = serde_json::from_str(gold).unwrap();
    let mut compared = 0;
    for expected in &gold.expected {
        // The memoryless systems have a test of their own.
        if expected.system == "elo-mmx" || expected.params["rho"] == "inf" {
            continue;
        }
        let mut params = expected.params.clone();
        params["initial_mu"] = gold.initial.mu.into();
        params["initial_sigma"] = gold.initial.sigma.into();
        let mut system = EloMmr::new(serde_json::from_value(params).unwrap()).unwrap();
        let mut rated: Vec<RatedEntrant> = Vec::new();
        for (index, (contest, after)) in gold.contests.iter().zip(&expected.after).enumerate() {
            let mut standings = contest.standings.clone();
            standings.sort_by_key(|row| row.1);
            let entrants: Vec<u32> = standings.iter().map(|row| row.0).collect();
            let mut groups: Vec<u32> = standings.iter().map(|row| row.2 + 1).collect();
            groups.dedup();
            let round = RatingRound {
                ends_at: contest.time_seconds,
                weight: contest.weight.unwrap_or(1.0),
                performance_ceiling: contest.perf_ceiling.unwrap_or(f64::INFINITY),
                ..RatingRound::new(&entrants, &groups)
            };
            system.rate(&round, &mut rated);
            assert_eq!(rated.len(), after.len());
            for &(competitor, mu, sigma) in after {
                let row = entrants.iter().position(|&e| e == competitor).unwrap();
                let found = rated[row];
                let what = format!(
                    "{} {}, contest {index}, competitor {competitor}",
                    expected.system, expected.params
                );
                assert!(
                    (found.mu - mu).abs() < 1e-6,
                    "{what}: mu {} for {mu}",
                    found.mu
                );
                assert!(
                    (found.sigma - sigma).abs() < 1e-6,
                    "{what}: sigma {} for {sigma}",
                    found.sigma
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} ratings compared");
}

/// Compares the memoryless systems, elo-mmx and elo-mmr with infinite rho. Their vectors come from
/// a run that merged all opponents of a contest into one of average rating and spread: they are not
/// exact, but exactly reproducible. With N such opponents in place of the real ones the solver and
/// the update must reproduce them to 1e-6. (Other tests compare the exact systems with published
/// numbers, direct sums and limits.)
fn check_with_merged_opponents(gold: &str) -> usize {
    let gold: Gold = serde_json::from_str(gold).unwrap();
    let mut compared = 0;
    for expected in &gold.expected {
        let gaussian = expected.system == "elo-mmx";
        if !gaussian && expected.params["rho"] != "inf" {
            continue;
        }
        let number = |name: &str| expected.params[name].as_f64().unwrap();
        let limit = number("sigma_limit").powi(2);
        let ties = if expected.params["split_ties"].as_bool().unwrap() {
            Ties::Split
        } else {
            Ties::Whole
        };
        let mut state: HashMap<u32, (f64, f64)> = HashMap::new();
        for (contest, after) in gold.contests.iter().zip(&expected.after) {
            let mut standings = contest.standings.clone();
            standings.sort_by_key(|row| row.1);
            let weight = number("weight_limit") * contest.weight.unwrap_or(1.0);
            let noise = (1.0 + 1.0 / weight) * limit;
            let prior: Vec<(f64, f64)> = standings
                .iter()
                .map(|row| {
                    let newcomer = (gold.initial.mu, gold.initial.sigma);
                    let (mu, sigma) = state.get(&row.0).copied().unwrap_or(newcomer);
                    (mu, sigma * sigma + weight * limit)
                })
                .collect();
            let count = prior.len() as f64;
            let to_scale = if gaussian { 1.0 } else { 3.0_f64.sqrt() / PI };
            let mean = prior.iter().map(|prior| prior.0).sum::<f64>() / count;
            let spread = prior.iter().map(|prior| (prior.1 + noise).sqrt());
            let scale = to_scale * spread.sum::<f64>() / count;
            let mut groups: Vec<u32> = standings.iter().map(|row| row.2 + 1).collect();
            groups.dedup();
            let opponents = Opponents {
                mu: &vec![mean; prior.len()],
                scale: &vec![scale; prior.len()],
                groups: &groups,
            };
            let performances = if gaussian {
                gaussian_performances(&opponents, ties)
            } else {
                logistic_performances(&opponents, ties)
            };
            for (row, &(mu, variance)) in standings.iter().zip(&prior) {
                let group = groups.partition_point(|&end| end <= row.1);
                // In that implementation elo-mmx ignores the ceiling.
                let ceiling = contest.perf_ceiling.filter(|_| !gaussian);
                let performance = performances[group].min(ceiling.unwrap_or(f64::INFINITY));
                let found = after.iter().find(|after| after.0 == row.0).unwrap();
                // The rating balances its Gaussian against the performance (equation 10).
                let beta = 3.0_f64.sqrt() / PI * noise.sqrt();
                let pull = if gaussian {
                    (found.1 - performance) / noise
                } else {
                    ((found.1 - performance) / (2.0 * beta)).tanh() / beta
                };
                let off = variance * ((found.1 - mu) / variance + pull);
                assert!(off.abs() < 1e-6, "{}: off by {off:e}", expected.system);
                compared += 1;
                state.insert(row.0, (found.1, found.2));
            }
        }
    }
    compared
}

#[test]
fn memoryless_systems_match_gold() {
    let files = [
        include_str!("gold/small.json"),
        include_str!("gold/ties.json"),
        include_str!("gold/weighted.json"),
        include_str!("gold/large.json"),
    ];
    let compared: usize = files.map(check_with_merged_opponents).iter().sum();
    assert!(compared > 4000, "{compared} ratings compared");
}

#[test]
fn small_contests_match_gold() {
    check_gold(include_str!("gold/small.json"));
}

#[test]
fn many_ties_match_gold() {
    check_gold(include_str!("gold/ties.json"));
}

#[test]
fn weights_and_ceilings_match_gold() {
    check_gold(include_str!("gold/weighted.json"));
}

#[test]
fn large_contests_match_gold() {
    check_gold(include_str!("gold/large.json"));
}
