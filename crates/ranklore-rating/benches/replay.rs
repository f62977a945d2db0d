//! Replays a folder of contest files in memory and evaluates, whole, as the published figures
//! were taken: `cargo bench -p ranklore-rating --bench replay -- FOLDER [SYSTEM] [THREADS]`.
//!
//! The files are those of the contest-file form, one contest each; reading them is not timed.

use std::collections::HashMap;
use std::time::Instant;

use ranklore_rating::metrics::{Prediction, Slice, evaluate};
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, Rated, RatingSystem, Round,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct ContestFile {
    #[serde(default)]
    id: u64,
    time_seconds: i64,
    standings: Vec<(String, u32, u32)>,
}

struct Contest {
    ends_at: i64,
    entrants: Vec<u32>,
    groups: Vec<u32>,
}

fn main() {
    // Cargo passes `--bench` along; what is left are the words of the user.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let Some(folder) = words.first() else {
        println!(
            "usage: cargo bench -p ranklore-rating --bench replay -- FOLDER [SYSTEM] [THREADS]"
        );
        return;
    };
    let system = words.get(1).map_or("elo-mmr", String::as_str);
    if let Some(threads) = words.get(2) {
        let threads = threads.parse().expect("THREADS is a number");
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .expect("the pool is not yet built");
    }
    let contests = read(folder);
    let results: usize = contests.iter().map(|contest| contest.entrants.len()).sum();
    let mut seconds: Vec<(f64, f64)> = Vec::new();
    for run in 0..5 {
        let mut rating: Box<dyn RatingSystem> = match system {
            "elo-mmr" => Box::new(
                EloMmr::new(EloMmrParameters {
                    weight_limit: 0.23,
                    sigma_limit: 54.0,
                    rho: 0.04,
                    ..EloMmrParameters::default()
                })
                .expect("valid parameters"),
            ),
            "elo-mmx" => Box::new(
                EloMmx::new(EloMmxParameters {
                    weight_limit: 0.16,
                    sigma_limit: 74.0,
                    ..EloMmxParameters::default()
                })
                .expect("valid parameters"),
            ),
            other => panic!("no system {other:?}: elo-mmr or elo-mmx"),
        };
        let begin = Instant::now();
        let predictions = replay(&contests, &mut *rating);
        let replayed = begin.elapsed().as_secs_f64();
        let accuracy = evaluate(&predictions);
        let evaluated = begin.elapsed().as_secs_f64();
        seconds.push((replayed, evaluated));
        if run == 0 {
            println!(
                "{system}: {} contests, {results} results, {} threads",
                contests.len(),
                rayon::current_num_threads()
            );
            for (slice, accuracy) in Slice::ALL.iter().zip(accuracy) {
                println!(
                    "  {:<12} {:.3} / {:.3}",
                    slice.as_str(),
                    accuracy.pair_inversion(),
                    accuracy.rank_deviation()
                );
            }
        }
    }
    seconds.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (replayed, evaluated) = seconds[seconds.len() / 2];
    println!("  median of 5: {replayed:.3} s to replay, {evaluated:.3} s with evaluation");
}

fn read(folder: &str) -> Vec<Contest> {
    let mut files: Vec<ContestFile> = std::fs::read_dir(folder)
        .expect("FOLDER can be read")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a file");
            serde_json::from_slice(&bytes)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
        .collect();
    files.sort_by_key(|file| (file.time_seconds, file.id));
    let mut indices: HashMap<String, u32> = HashMap::new();
    files
        .into_iter()
        .map(|mut file| {
            file.standings.sort_by_key(|row| row.1);
            let mut groups: Vec<u32> = file.standings.iter().map(|row| row.2 + 1).collect();
            groups.dedup();
            let entrants = file
                .standings
                .into_iter()
                .map(|(handle, _, _)| {
                    let next = indices.len() as u32;
                    *indices.entry(handle).or_insert(next)
                })
                .collect();
            Contest {
                ends_at: file.time_seconds,
                entrants,
                groups,
            }
        })
        .collect()
}

fn replay(contests: &[Contest], system: &mut dyn RatingSystem) -> Vec<Prediction> {
    let mut earlier: Vec<u32> = Vec::new();
    let mut rated: Vec<Rated> = Vec::new();
    let mut predictions = Vec::with_capacity(contests.len());
    for contest in contests {
        let highest = contest.entrants.iter().copied().max().unwrap_or(0) as usize;
        if earlier.len() <= highest {
            earlier.resize(highest + 1, 0);
        }
        predictions.push(Prediction {
            mu: contest.entrants.iter().map(|&e| system.mu(e)).collect(),
            earlier: contest
                .entrants
                .iter()
                .map(|&e| earlier[e as usize])
                .collect(),
            groups: contest.groups.clone(),
        });
        system.rate(
            &Round {
                ends_at: contest.ends_at,
                weight: 1.0,
                performance_ceiling: f64::INFINITY,
                entrants: &contest.entrants,
                groups: &contest.groups,
            },
            &mut rated,
        );
        for &entrant in &contest.entrants {
            earlier[entrant as usize] += 1;
        }
    }
    predictions
}
