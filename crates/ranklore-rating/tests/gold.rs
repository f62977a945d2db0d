//! Golden vectors: (mu, sigma) of every entrant after every contest, as computed by a public
//! implementation of both systems in its exact mode, on contests invented for the purpose.
//! Agreement is to 1e-6 of a point: that implementation solves to about as much.

use ranklore_rating::{EloMmr, EloMmx, Rated, RatingSystem, Round};
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

fn system(name: &str, params: &Value, initial: &Initial) -> Box<dyn RatingSystem> {
    let mut params = params.clone();
    params["initial_mu"] = initial.mu.into();
    params["initial_sigma"] = initial.sigma.into();
    match name {
        "elo-mmr" => Box::new(EloMmr::new(serde_json::from_value(params).unwrap()).unwrap()),
        "elo-mmx" => Box::new(EloMmx::new(serde_json::from_value(params).unwrap()).unwrap()),
        other => panic!("no system {other}"),
    }
}

fn check(gold: &str, systems: &[&str]) {
    let gold: Gold = serde_json::from_str(gold).unwrap();
    let mut compared = 0;
    for expected in &gold.expected {
        // For infinite rho that implementation had merged all opponents into one of average
        // rating; `infinite_rho` checks what can be checked of those vectors.
        if !systems.contains(&expected.system.as_str()) || expected.params["rho"] == "inf" {
            continue;
        }
        let mut system = system(&expected.system, &expected.params, &gold.initial);
        let mut rated: Vec<Rated> = Vec::new();
        for (index, (contest, after)) in gold.contests.iter().zip(&expected.after).enumerate() {
            let mut standings = contest.standings.clone();
            standings.sort_by_key(|row| row.1);
            let entrants: Vec<u32> = standings.iter().map(|row| row.0).collect();
            let mut groups: Vec<u32> = standings.iter().map(|row| row.2 + 1).collect();
            groups.dedup();
            let round = Round {
                ends_at: contest.time_seconds,
                weight: contest.weight.unwrap_or(1.0),
                performance_ceiling: contest.perf_ceiling.unwrap_or(f64::INFINITY),
                entrants: &entrants,
                groups: &groups,
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

/// The vectors for infinite rho come from a run that had merged all opponents of a contest
/// into one of average rating and uncertainty. Such a field has a closed form: where a of N
/// are above or tied and b below or tied, the performance is M + δ̄·ln(b/a). With it as the
/// performance, a belief without history must give those ratings; so the update is right,
/// and `rho_tends_to_infinity` (theorems.rs) ties the exact field to it.
#[test]
fn infinite_rho() {
    let gold: Gold = serde_json::from_str(include_str!("gold/small.json")).unwrap();
    let expected = gold
        .expected
        .iter()
        .find(|expected| expected.params["rho"] == "inf")
        .unwrap();
    let (limit, weight) = (80.0_f64 * 80.0, 0.2_f64);
    let (growth, noise) = (weight * limit, (1.0 + 1.0 / weight) * limit);
    let scale = 3.0_f64.sqrt() / std::f64::consts::PI;
    let mut state = std::collections::HashMap::new();
    let mut compared = 0;
    for (contest, after) in gold.contests.iter().zip(&expected.after) {
        let count = contest.standings.len() as f64;
        let prior: Vec<(f64, f64)> = contest
            .standings
            .iter()
            .map(|row| {
                let &(mu, sigma) = state
                    .get(&row.0)
                    .unwrap_or(&(gold.initial.mu, gold.initial.sigma));
                (mu, sigma * sigma + growth)
            })
            .collect();
        // Ratings and uncertainties are merged only where uncertainties agree.
        let same = prior
            .windows(2)
            .all(|pair| (pair[0].1 - pair[1].1).abs() < 1e-6);
        if same {
            let mean = prior.iter().map(|p| p.0).sum::<f64>() / count;
            let spread = scale * (prior[0].1 + noise).sqrt();
            for (row, &(mu, variance)) in contest.standings.iter().zip(&prior) {
                let (above, below) = (f64::from(row.2 + 1), count - f64::from(row.1));
                let performance = mean + spread * (below / above).ln();
                let beta = scale * noise.sqrt();
                let found = after.iter().find(|found| found.0 == row.0).unwrap();
                // The rating balances its Gaussian and the performance (equation 10).
                let pull = (found.1 - mu) / variance
                    + ((found.1 - performance) / (2.0 * beta)).tanh() / beta;
                assert!(pull.abs() < 1e-9, "{pull:e}");
                compared += 1;
            }
        }
        for &(competitor, mu, sigma) in after {
            state.insert(competitor, (mu, sigma));
        }
    }
    assert!(compared > 20, "{compared} ratings compared");
}

const BOTH: &[&str] = &["elo-mmr", "elo-mmx"];

#[test]
fn small_contests() {
    check(include_str!("gold/small.json"), BOTH);
}

#[test]
fn many_ties() {
    check(include_str!("gold/ties.json"), BOTH);
}

#[test]
fn weights_and_ceilings() {
    // There, elo-mmx ignores the ceiling.
    check(include_str!("gold/weighted.json"), &["elo-mmr"]);
}

#[test]
fn large_contests() {
    check(include_str!("gold/large.json"), BOTH);
}
