//! Replays a folder of contest files in memory and evaluates the predictions: `cargo bench -p
//! ranklore-rating --bench replay -- FOLDER [SYSTEM] [THREADS]`. The published figures were
//! measured with it. SYSTEM is elo-mmr, elo-mmx, codeforces, codeforces-official, topcoder,
//! trueskill, trueskill-spb, glicko, bar, glicko2 or thurstone; 0 THREADS are all cores.
//!
//! `--as-multi-skill` uses the built-in constants of the crate multi-skill, so that both do the
//! same work. `--json` replays once, without evaluation, and prints a line of JSON.
//!
//! The files have the contest-file format, one contest each; reading them is not timed.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

use std::collections::HashMap;
use std::time::Instant;

use ranklore_rating::metrics::{EvaluationOptions, Evaluator, Metric, Prediction, Slice};
use ranklore_rating::{
    Bar, BarParameters, Belief, Codeforces, CodeforcesOfficial, CodeforcesOfficialParameters,
    CodeforcesParameters, DrawMargin, EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, Glicko,
    Glicko2, Glicko2Parameters, GlickoInformation, GlickoParameters, RatedEntrant, RatingRound,
    RatingSystem, Thurstone, ThurstoneParameters, Topcoder, TopcoderParameters, TrueSkill,
    TrueSkillParameters, TrueSkillSpb, TrueSkillSpbParameters,
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
    let (options, words): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        // Passed by cargo.
        .filter(|word| word != "--bench")
        .partition(|word| word.starts_with("--"));
    let Some(folder) = words.first() else {
        println!(
            "usage: cargo bench -p ranklore-rating --bench replay -- FOLDER [SYSTEM] [THREADS] [--as-multi-skill] [--json]"
        );
        return;
    };
    let has = |option: &str| options.iter().any(|argument| argument == option);
    let system = words.get(1).map_or("elo-mmr", String::as_str);
    if let Some(threads) = words.get(2) {
        let threads = threads.parse().expect("THREADS is a number");
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .expect("the pool is not yet built");
    }
    let contests = read_folder(folder);
    let rating = || build_system(system, has("--as-multi-skill"));
    if has("--json") {
        print_line(&contests, system, &mut *rating());
    } else {
        print_medians(&contests, system, rating);
    }
}

/// Creates the system with the parameters of the paper's table for Codeforces, or multi-skill's.
fn build_system(name: &str, as_multi_skill: bool) -> Box<dyn RatingSystem> {
    if as_multi_skill {
        multi_skill_system(name)
    } else {
        paper_system(name)
    }
}

fn multi_skill_system(name: &str) -> Box<dyn RatingSystem> {
    // Its weight 4/21 is that of a performance deviation of 200 at a sigma limit of 80.
    let weight_limit = 4.0 / 21.0;
    match name {
        "elo-mmr" => {
            let parameters = EloMmrParameters {
                weight_limit,
                ..EloMmrParameters::default()
            };
            Box::new(EloMmr::new(parameters).expect("valid parameters"))
        }
        "elo-mmx" => {
            let parameters = EloMmxParameters {
                weight_limit,
                ..EloMmxParameters::default()
            };
            Box::new(EloMmx::new(parameters).expect("valid parameters"))
        }
        // The other systems use the defaults.
        "codeforces" => {
            Box::new(Codeforces::new(CodeforcesParameters::default()).expect("valid parameters"))
        }
        "topcoder" => {
            Box::new(Topcoder::new(TopcoderParameters::default()).expect("valid parameters"))
        }
        "glicko" => Box::new(Glicko::new(GlickoParameters::default()).expect("valid parameters")),
        "bar" => Box::new(Bar::new(BarParameters::default()).expect("valid parameters")),
        "trueskill-spb" => {
            let parameters = TrueSkillSpbParameters {
                margin: DrawMargin::Fixed,
                ..TrueSkillSpbParameters::default()
            };
            Box::new(TrueSkillSpb::new(parameters).expect("valid parameters"))
        }
        other => panic!("multi-skill has no system {other:?}"),
    }
}

fn paper_system(name: &str) -> Box<dyn RatingSystem> {
    match name {
        "elo-mmr" => {
            let parameters = EloMmrParameters {
                weight_limit: 0.23,
                sigma_limit: 54.0,
                rho: 0.04,
                ..EloMmrParameters::default()
            };
            Box::new(EloMmr::new(parameters).expect("valid parameters"))
        }
        "elo-mmx" => {
            let parameters = EloMmxParameters {
                weight_limit: 0.16,
                sigma_limit: 74.0,
                ..EloMmxParameters::default()
            };
            Box::new(EloMmx::new(parameters).expect("valid parameters"))
        }
        "codeforces" => {
            let parameters = CodeforcesParameters {
                beta: 65.0,
                weight: 0.631,
                ..CodeforcesParameters::default()
            };
            Box::new(Codeforces::new(parameters).expect("valid parameters"))
        }
        "codeforces-official" => {
            let parameters = CodeforcesOfficialParameters::default();
            Box::new(CodeforcesOfficial::new(parameters).expect("valid parameters"))
        }
        "glicko" => {
            let parameters = GlickoParameters {
                beta: 125.0,
                sigma_drift: 25.0,
                ..GlickoParameters::default()
            };
            Box::new(Glicko::new(parameters).expect("valid parameters"))
        }
        "bar" => {
            let parameters = BarParameters {
                beta: 25.0,
                sigma_drift: 63.0,
                ..BarParameters::default()
            };
            Box::new(Bar::new(parameters).expect("valid parameters"))
        }
        "glicko2" => {
            let parameters = Glicko2Parameters {
                information: GlickoInformation::OneMatch,
                ..Glicko2Parameters::default()
            };
            Box::new(Glicko2::new(parameters).expect("valid parameters"))
        }
        "thurstone" => {
            let parameters = ThurstoneParameters::default();
            Box::new(Thurstone::new(parameters).expect("valid parameters"))
        }
        "trueskill" => {
            let parameters = TrueSkillParameters::default();
            Box::new(TrueSkill::new(parameters).expect("valid parameters"))
        }
        "trueskill-spb" => {
            let parameters = TrueSkillSpbParameters {
                eps: 11.5,
                margin: DrawMargin::Fixed,
                beta: 40.0,
                sigma_drift: 10.0,
                ..TrueSkillSpbParameters::default()
            };
            Box::new(TrueSkillSpb::new(parameters).expect("valid parameters"))
        }
        "topcoder" => {
            let parameters = TopcoderParameters {
                weight_limit: 0.905,
                newcomer_weight: 0.905,
                ..TopcoderParameters::default()
            };
            Box::new(Topcoder::new(parameters).expect("valid parameters"))
        }
        other => panic!("no system {other:?}: see the head of this file"),
    }
}

fn count_results(contests: &[Contest]) -> usize {
    contests.iter().map(|contest| contest.entrants.len()).sum()
}

/// Replays once and prints JSON, for programs.
fn print_line(contests: &[Contest], system: &str, rating: &mut dyn RatingSystem) {
    let begin = Instant::now();
    replay(contests, rating, None);
    let seconds = begin.elapsed().as_secs_f64();
    let line = serde_json::json!({
        "system": system,
        "contests": contests.len(),
        "results": count_results(contests),
        "threads": rayon::current_num_threads(),
        "seconds": seconds,
    });
    println!("{line}");
}

/// Prints medians and the accuracy of the predictions, for people.
fn print_medians(contests: &[Contest], system: &str, rating: impl Fn() -> Box<dyn RatingSystem>) {
    let mut seconds: Vec<(f64, f64)> = Vec::new();
    for run in 0..5 {
        let mut rating = rating();
        let begin = Instant::now();
        let mut predictions = Vec::with_capacity(contests.len());
        replay(contests, &mut *rating, Some(&mut predictions));
        let replayed = begin.elapsed().as_secs_f64();
        let slices = vec![Slice::everybody(), Slice::experienced(), Slice::top100()];
        let mut evaluator = Evaluator::new(EvaluationOptions {
            slices: slices.clone(),
            training_contests: predictions.len() / 10,
            ..EvaluationOptions::default()
        });
        for prediction in predictions {
            evaluator.add(prediction);
        }
        let (accuracies, _) = evaluator.finish();
        let evaluated = begin.elapsed().as_secs_f64();
        seconds.push((replayed, evaluated));
        if run == 0 {
            println!(
                "{system}: {} contests, {} results, {} threads",
                contests.len(),
                count_results(contests),
                rayon::current_num_threads()
            );
            for (slice, accuracy) in slices.iter().zip(accuracies) {
                let value = |metric| accuracy.value(metric).unwrap_or(f64::NAN);
                println!(
                    "  {:<12} {:.3} / {:.3}",
                    slice.key(),
                    value(Metric::PairInversion),
                    value(Metric::RankDeviation)
                );
            }
        }
    }
    seconds.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (replayed, evaluated) = seconds[seconds.len() / 2];
    println!("  median of 5: {replayed:.3} s to replay, {evaluated:.3} s with evaluation");
}

fn read_folder(folder: &str) -> Vec<Contest> {
    let mut files: Vec<ContestFile> = std::fs::read_dir(folder)
        .expect("FOLDER can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
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

/// Rates all contests; records the ratings before each contest if predictions are requested.
fn replay(
    contests: &[Contest],
    system: &mut dyn RatingSystem,
    mut predictions: Option<&mut Vec<Prediction>>,
) {
    let mut earlier: Vec<u32> = Vec::new();
    let mut rated: Vec<RatedEntrant> = Vec::new();
    for contest in contests {
        if let Some(predictions) = &mut predictions {
            let highest = contest.entrants.iter().copied().max().unwrap_or(0) as usize;
            if earlier.len() <= highest {
                earlier.resize(highest + 1, 0);
            }
            let before = |&entrant: &u32| earlier[entrant as usize];
            predictions.push(Prediction {
                beliefs: contest
                    .entrants
                    .iter()
                    .map(|&entrant| Belief::new(system.mu(entrant), 0.0))
                    .collect(),
                earlier: contest.entrants.iter().map(before).collect(),
                groups: contest.groups.clone(),
                finishers: contest.entrants.len() as u32,
                ..Prediction::default()
            });
            for &entrant in &contest.entrants {
                earlier[entrant as usize] += 1;
            }
        }
        system.rate(
            &RatingRound {
                ends_at: contest.ends_at,
                ..RatingRound::new(&contest.entrants, &contest.groups)
            },
            &mut rated,
        );
    }
}
