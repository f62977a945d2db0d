//! Replays a folder of contest files through the crate `multi-skill` and reports the time.
//!
//! All files are read and parsed before the clock starts. With `--evaluate`, the crate's own
//! prediction metrics are computed between the contests and timed separately.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use multi_skill::data_processing::Contest;
use multi_skill::metrics::{
    WeightAndSum, pairwise_metric, percentile_distance_metric, top_k as first_places,
};
use multi_skill::systems::{
    PlayersByName, RatingSystem, get_participant_ratings, get_rating_system_by_name, outcome_free,
    simulate_contest,
};
use serde_json::{Map, Value, json};

/// The version pinned in Cargo.toml; a test compares it with the lock file.
const PEER_VERSION: &str = "0.1.2";

/// Initial ratings in the crate's own `rate` program.
const START_MU: f64 = 1500.0;
const START_SIGMA: f64 = 350.0;

/// Time the crate multi-skill on a folder of contest files.
#[derive(Parser)]
#[command(name = "multi-skill-peer", version)]
struct Arguments {
    /// Folder of contest files (`*.json`, one contest each)
    folder: PathBuf,

    /// Name of a system in the crate: mmr, mmr-fast, mmx, mmx-fast, bar, glicko, cf, tc, ts
    #[arg(long, default_value = "mmr-fast")]
    system: String,

    /// Worker threads; 0 leaves it to rayon (every core, or `RAYON_NUM_THREADS`)
    #[arg(long, default_value_t = 0)]
    threads: usize,

    /// Replay only this many contests, from the first
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Also compute the crate's prediction metrics, timed separately from the replay
    #[arg(long)]
    evaluate: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let system = get_rating_system_by_name(&arguments.system).map_err(|message| {
        anyhow!("the crate multi-skill {PEER_VERSION} rejects the system: {message}")
    })?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build_global()
        .context("cannot start the thread pool")?;

    let mut contests = read_folder(&arguments.folder)?;
    if let Some(limit) = arguments.limit {
        contests.truncate(limit);
    }
    let outcome = replay(&contests, &*system, arguments.evaluate);
    print_report(&arguments, &*system, &contests, &outcome);
    Ok(())
}

/// Reads every `*.json` of the folder, oldest contest first; contests of the same second keep the
/// order of the numbers in their file names.
fn read_folder(folder: &Path) -> Result<Vec<Contest>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut contests = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let contest = read_contest(&path)?;
            contests.push((sort_key(&path), contest));
        }
    }
    if contests.is_empty() {
        bail!("no *.json in {}: give the folder of the contest files", folder.display());
    }
    contests.sort_by(|(name_a, a), (name_b, b)| {
        (a.time_seconds, name_a).cmp(&(b.time_seconds, name_b))
    });
    Ok(contests.into_iter().map(|(_, contest)| contest).collect())
}

/// Sorts file names by number if they are numbers, else as text.
fn sort_key(path: &Path) -> (u64, String) {
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    (stem.parse().unwrap_or(u64::MAX), stem)
}

/// Reads one contest and checks what the crate assumes: best place first (it looks at the first row
/// to see whether all tied) and each competitor once (it would panic).
fn read_contest(path: &Path) -> Result<Contest> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut contest: Contest = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a contest file", path.display()))?;
    contest.standings.sort_by_key(|&(_, lowest, _)| lowest);
    let mut seen = HashSet::with_capacity(contest.standings.len());
    for (handle, _, _) in &contest.standings {
        if !seen.insert(handle) {
            bail!("{} lists {handle} twice", path.display());
        }
    }
    Ok(contest)
}

struct ReplayResult {
    players: PlayersByName,
    replay: Duration,
    evaluation: Option<(Duration, Metrics)>,
}

fn replay(contests: &[Contest], system: &dyn RatingSystem, evaluate: bool) -> ReplayResult {
    let mut players = PlayersByName::new();
    if !evaluate {
        let start = Instant::now();
        for (index, contest) in contests.iter().enumerate() {
            simulate_contest(&mut players, contest, system, START_MU, START_SIGMA, index);
        }
        return ReplayResult {
            replay: start.elapsed(),
            players,
            evaluation: None,
        };
    }

    let mut metrics = Metrics::default();
    let (mut replaying, mut evaluating) = (Duration::ZERO, Duration::ZERO);
    let first_evaluated = contests.len() / 10;
    for (index, contest) in contests.iter().enumerate() {
        let start = Instant::now();
        if index >= first_evaluated {
            metrics.add(&mut players, contest);
        }
        let between = Instant::now();
        simulate_contest(&mut players, contest, system, START_MU, START_SIGMA, index);
        evaluating += between - start;
        replaying += between.elapsed();
    }
    ReplayResult {
        players,
        replay: replaying,
        evaluation: Some((evaluating, metrics)),
    }
}

/// Pair inversion and rank deviation for each group of entrants, as weight and weighted sum.
#[derive(Default)]
struct Metrics {
    everybody: [WeightAndSum; 2],
    experienced: [WeightAndSum; 2],
    top_100: [WeightAndSum; 2],
}

impl Metrics {
    fn add(&mut self, players: &mut PlayersByName, contest: &Contest) {
        let everybody = get_participant_ratings(players, &contest.standings, 1);
        let experienced = get_participant_ratings(players, &contest.standings, 5);
        for (sums, group) in [
            (&mut self.everybody, &everybody[..]),
            (&mut self.experienced, &experienced[..]),
            (&mut self.top_100, first_places(&everybody, 100)),
        ] {
            for (sum, new) in
                sums.iter_mut().zip([pairwise_metric(group), percentile_distance_metric(group)])
            {
                sum.0 += new.0;
                sum.1 += new.1;
            }
        }
    }

    fn to_json(&self) -> Value {
        let percent = |(weight, sum): WeightAndSum| (weight > 0.0).then(|| sum / weight);
        let groups = [
            ("everybody", self.everybody),
            ("experienced", self.experienced),
            ("top_100", self.top_100),
        ];
        let groups: Map<String, Value> = groups
            .into_iter()
            .map(|(name, [pairs, ranks])| {
                let figures =
                    json!({ "pair_inversion": percent(pairs), "rank_deviation": percent(ranks) });
                (name.to_owned(), figures)
            })
            .collect();
        Value::Object(groups)
    }
}

/// Prints a line of JSON on stdout for programs, a sentence on stderr for people.
fn print_report(
    arguments: &Arguments,
    system: &dyn RatingSystem,
    contests: &[Contest],
    outcome: &ReplayResult,
) {
    let seconds = outcome.replay.as_secs_f64();
    let results: usize = contests.iter().map(|contest| contest.standings.len()).sum();
    let skipped = contests.iter().filter(|contest| outcome_free(&contest.standings)).count();
    let threads = rayon::current_num_threads();
    let mut line = json!({
        "peer": "multi-skill",
        "version": PEER_VERSION,
        "system": arguments.system,
        "parameters": format!("{system:?}"),
        "start_mu": START_MU,
        "start_sigma": START_SIGMA,
        "contests": contests.len(),
        "skipped": skipped,
        "results": results,
        "players": outcome.players.len(),
        "threads": threads,
        "seconds": seconds,
    });
    if let Some((spent, metrics)) = &outcome.evaluation {
        line["evaluation_seconds"] = json!(spent.as_secs_f64());
        line["evaluation"] = metrics.to_json();
    }
    println!("{line}");
    eprintln!(
        "multi-skill {PEER_VERSION} {}: {} contests, {results} results, {} players in {seconds:.2} s on {threads} thread(s), {:.0} results per second",
        arguments.system,
        contests.len(),
        outcome.players.len(),
        results as f64 / seconds,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peer_version_matches_lock_file() {
        let lock = include_str!("../Cargo.lock");
        let wanted = format!("name = \"multi-skill\"\nversion = \"{PEER_VERSION}\"\n");
        assert!(lock.contains(&wanted), "PEER_VERSION is out of date");
    }

    #[test]
    fn numbered_files_sort_numerically() {
        let mut names = ["10.json", "9.json", "final.json", "round-2.json"];
        names.sort_by_key(|name| sort_key(Path::new(name)));
        assert_eq!(names, ["9.json", "10.json", "final.json", "round-2.json"]);
    }

    #[test]
    fn short_history_is_replayed_and_evaluated() {
        let contest = |day: u64, order: [&str; 3]| Contest {
            name: format!("day {day}"),
            url: None,
            weight: 1.0,
            time_seconds: day * 86_400,
            standings: (0..).zip(order).map(|(i, h)| (h.to_owned(), i, i)).collect(),
        };
        let contests = [
            contest(1, ["Ines", "Bo", "Tarek"]),
            contest(2, ["Ines", "Tarek", "Bo"]),
            contest(3, ["Ines", "Bo", "Tarek"]),
        ];
        let system = get_rating_system_by_name("mmr").unwrap();
        let plain = replay(&contests, &*system, false);
        let evaluated = replay(&contests, &*system, true);
        let mu =
            |outcome: &ReplayResult, who: &str| outcome.players[who].borrow().approx_posterior.mu;
        for who in ["Ines", "Bo", "Tarek"] {
            assert_eq!(mu(&plain, who).to_bits(), mu(&evaluated, who).to_bits());
        }
        assert!(mu(&plain, "Ines") > mu(&plain, "Bo"));
        let (_, metrics) = evaluated.evaluation.unwrap();
        // On day 1 all are unrated; three entrants on days 2 and 3.
        assert!((metrics.everybody[0].0 - 6.0).abs() < 1e-12);
    }
}
