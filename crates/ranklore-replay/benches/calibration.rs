//! Simulates contests with known skills, and prints how often mu and sigma of each rating system
//! agree with them: `cargo bench -p ranklore-replay --bench calibration -- [SYSTEM…]`. SYSTEM is a
//! name with settings, such as `elo-mmr:dnf=drop`; by default every system whose sigma is an
//! uncertainty. `--no-dnf`: everybody finishes. `--no-drift`: skills do not change.
//!
//! 400 contests of 40 out of 300 players. Skills are normal around the rating of a newcomer, with
//! its sigma; noise and drift are those that Elo-MMR derives from its default parameters. 3 % of
//! the entrants, drawn without regard to skill, do not finish.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

use ranklore_rating::metrics::{EvaluationOptions, Evaluator, Metric, Prediction, Slice};
use ranklore_rating::{EloMmrParameters, RatedEntrant, RatingRound};
use ranklore_replay::{System, SystemSpec};

const PLAYERS: usize = 300;
const CONTESTS: usize = 400;
const ENTRANTS: usize = 40;
const UNFINISHED: f64 = 0.03;
const LEAGUES: u64 = 5;

/// The starts from which on a player counts.
const STARTS: u32 = 15;

/// A contest with its entrants by place, and their skills in it.
struct Contest {
    entrants: Vec<u32>,
    skills: Vec<f64>,
    finishers: usize,
}

fn main() {
    let (options, words): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        // Passed by cargo.
        .filter(|word| word != "--bench")
        .partition(|word| word.starts_with("--"));
    let has = |option: &str| options.iter().any(|argument| argument == option);
    let parse = |word: &String| SystemSpec::parse(word).expect("a system with valid settings");
    let specs = match words.as_slice() {
        [] => SystemSpec::all(),
        words => words.iter().map(parse).collect(),
    };
    let unfinished = if has("--no-dnf") { 0.0 } else { UNFINISHED };
    let leagues: Vec<Vec<Contest>> = (1..=LEAGUES)
        .map(|seed| simulate(seed, unfinished, !has("--no-drift")))
        .collect();
    println!(
        "{:32} {:>12} {:>14} {:>9}",
        "system", "mu ± 2 sigma", "mu − 3 sigma", "surprise"
    );
    for spec in specs {
        let system = spec.build().expect("the settings are valid");
        let has_uncertainty = system.about.conservative_k > 0.0;
        if !has_uncertainty && words.is_empty() {
            continue;
        }
        let mut shares = Shares::default();
        for league in &leagues {
            shares.add_league(spec.build().expect("the settings are valid"), league);
        }
        shares.print(&spec.to_string());
    }
}

/// Plays the contests of a league. All players have skills around that of a newcomer.
fn simulate(seed: u64, unfinished: f64, has_drift: bool) -> Vec<Contest> {
    let parameters = EloMmrParameters::default();
    let limit = parameters.sigma_limit.powi(2);
    let drift = if has_drift {
        (parameters.weight_limit * limit).sqrt()
    } else {
        0.0
    };
    let noise = ((1.0 + 1.0 / parameters.weight_limit) * limit).sqrt();
    let mut random = Random(seed);
    let mut skills: Vec<f64> = (0..PLAYERS).map(|_| 350.0 * random.normal()).collect();
    let mut players: Vec<u32> = (0..PLAYERS as u32).collect();
    let contests = (0..CONTESTS).map(|_| {
        for drawn in 0..ENTRANTS {
            players.swap(drawn, drawn + random.below(PLAYERS - drawn));
        }
        let mut results: Vec<(f64, u32)> = Vec::new();
        for &player in &players[..ENTRANTS] {
            skills[player as usize] += drift * random.normal();
            let performance = skills[player as usize] + noise * random.normal();
            let has_finished = random.unit() >= unfinished;
            results.push((
                if has_finished {
                    performance
                } else {
                    f64::NEG_INFINITY
                },
                player,
            ));
        }
        results.sort_by(|a, b| b.0.total_cmp(&a.0));
        Contest {
            entrants: results.iter().map(|&(_, player)| player).collect(),
            skills: results.iter().map(|&(_, player)| skills[player as usize]).collect(),
            finishers: results.iter().filter(|(result, _)| result.is_finite()).count(),
        }
    });
    contests.collect()
}

/// Counts of ratings after contests.
#[derive(Default)]
struct Shares {
    ratings: u32,
    within_two_sigma: u32,
    above_three_sigma: u32,
    surprises: Vec<f64>,
}

impl Shares {
    fn add_league(&mut self, mut system: System, contests: &[Contest]) {
        let rating = &mut *system.rating;
        let newcomer = rating.newcomer_mu(0);
        let mut starts = vec![0; PLAYERS];
        let mut rated: Vec<RatedEntrant> = Vec::new();
        let mut evaluator = Evaluator::new(EvaluationOptions {
            slices: vec![Slice::experienced()],
            win_model: Some(rating.win_model()),
            seed: 1,
            ..EvaluationOptions::default()
        });
        for (number, contest) in (0..).zip(contests) {
            let mut groups: Vec<u32> = (1..=contest.finishers as u32).collect();
            if contest.finishers < ENTRANTS {
                groups.push(ENTRANTS as u32);
            }
            let entrants = || contest.entrants.iter().copied();
            evaluator.add(Prediction {
                beliefs: entrants().map(|player| rating.belief(player)).collect(),
                earlier: entrants().map(|player| starts[player as usize]).collect(),
                groups: groups.clone(),
                finishers: contest.finishers as u32,
                number,
                ..Prediction::default()
            });
            let round = RatingRound {
                ends_at: 604_800 * number as i64,
                finishers: contest.finishers as u32,
                ..RatingRound::new(&contest.entrants, &groups)
            };
            rating.rate(&round, &mut rated);
            for (&player, skill) in contest.entrants.iter().zip(&contest.skills) {
                starts[player as usize] += 1;
                if starts[player as usize] >= STARTS {
                    let belief = rating.belief(player);
                    let error = newcomer + skill - belief.mu;
                    let sigma = belief.variance.sqrt();
                    self.ratings += 1;
                    self.within_two_sigma += u32::from(error.abs() <= 2.0 * sigma);
                    self.above_three_sigma += u32::from(error >= -3.0 * sigma);
                }
            }
        }
        let (accuracies, _) = evaluator.finish();
        self.surprises.extend(accuracies[0].value(Metric::Surprise));
    }

    fn print(&self, system: &str) {
        let percent = |count: u32| 100.0 * f64::from(count) / f64::from(self.ratings);
        let surprise = self.surprises.iter().sum::<f64>() / self.surprises.len() as f64;
        println!(
            "{system:32} {:10.1} % {:12.1} % {surprise:9.2}",
            percent(self.within_two_sigma),
            percent(self.above_three_sigma),
        );
    }
}

/// `SplitMix64`: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns an integer from 0 to `bound` − 1.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns a number from 0 up to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a nearly normal number, of deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}
