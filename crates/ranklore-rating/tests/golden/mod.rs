//! Golden vectors of one system: (mu, sigma) of every entrant after every contest, computed by
//! another implementation on invented contests, without any sampling.

use std::collections::BTreeMap;

use ranklore_rating::{
    AllTied, ContestPolicy, RatedEntrant, RatingRound, RatingSystem, UnfinishedPolicy,
    WithContestPolicy,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Gold {
    contests: Vec<Contest>,
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
    params: Value,
    after: Vec<Vec<(u32, f64, f64)>>,
}

/// Compares a system with its vectors: `expected` is `gold/<system>.json`, `make` creates a system
/// with these parameters in which all start at 1500 with sigma 350, and `files` selects from
/// `small`, `ties`, `weighted` and `large`. Returns the number of compared ratings.
pub(crate) fn check_vectors(
    expected: &str,
    files: &[&str],
    tolerance: f64,
    make: impl Fn(&Value) -> Box<dyn RatingSystem>,
) -> usize {
    let mut expected: BTreeMap<String, Vec<Expected>> = serde_json::from_str(expected).unwrap();
    let mut compared = 0;
    for &file in files {
        let gold: Gold = serde_json::from_str(match file {
            "small" => include_str!("../gold/small.json"),
            "ties" => include_str!("../gold/ties.json"),
            "weighted" => include_str!("../gold/weighted.json"),
            "large" => include_str!("../gold/large.json"),
            other => panic!("there are no contests {other}"),
        })
        .unwrap();
        for Expected { params, after } in expected.remove(file).unwrap() {
            let policy = ContestPolicy {
                unfinished: UnfinishedPolicy::Censored,
                // The authors' implementation rates no contest whose entrants are all tied.
                all_tied: AllTied::Skip,
            };
            let mut system = WithContestPolicy::new(policy, make(&params));
            let mut rated: Vec<RatedEntrant> = Vec::new();
            for (index, (contest, after)) in gold.contests.iter().zip(&after).enumerate() {
                let mut standings = contest.standings.clone();
                standings.sort_by_key(|row| row.1);
                let entrants: Vec<u32> = standings.iter().map(|row| row.0).collect();
                let mut groups: Vec<u32> = standings.iter().map(|row| row.2 + 1).collect();
                groups.dedup();
                let round = RatingRound {
                    ends_at: contest.time_seconds,
                    weight: contest.weight.unwrap_or(1.0),
                    performance_ceiling: contest.perf_ceiling.unwrap_or(f64::INFINITY),
                    event: index as u32,
                    ..RatingRound::new(&entrants, &groups)
                };
                system.rate(&round, &mut rated);
                assert_eq!(rated.len(), after.len());
                for &(competitor, mu, sigma) in after {
                    let row = entrants.iter().position(|&e| e == competitor).unwrap();
                    let actual = rated[row];
                    let off = (actual.mu - mu).abs().max((actual.sigma - sigma).abs());
                    assert!(
                        off < tolerance,
                        "{file}, {params}, contest {index}, competitor {competitor}: \
                         {} ± {} for {mu} ± {sigma}",
                        actual.mu,
                        actual.sigma
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}
