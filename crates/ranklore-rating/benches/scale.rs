//! Growth of time and memory: one contest of up to a million entrants, many small ones, contests of
//! 50, 1,000 and 10,000 under every system, and one career of up to 80,000 contests. `cargo bench -p
//! ranklore-rating --bench scale` prints tables; nothing is asserted. `-- careers` prints those of
//! careers only.
//!
//! Twice the entrants should take little more than twice the time: the work is entrants times
//! nodes, and the nodes grow only with the range of performances, by a few in thirty for each
//! doubling. Peak memory is that of the whole process, on Linux.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

mod synthetic;

use std::hint::black_box;
use std::time::Instant;

use ranklore_rating::performance::{Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{
    Bar, Codeforces, CodeforcesOfficial, EloMmr, EloMmrParameters, EloMmx, EloPairwise, EloR,
    EloRParameters, EloSrm, EloSrm2, Glicko, Glicko2, InitialRating, PlackettLuce, RatingRound,
    RatingSystem, Thurstone, Topcoder, TopcoderOfficial, TrueSkill, TrueSkillSpb,
};

use synthetic::{Places, Season, SyntheticField};

/// Number of runs per figure, which is their median.
const SAMPLES: usize = 3;

fn main() {
    // Without `--bench` cargo is testing: only checks that the benchmark runs.
    let measured = std::env::args().any(|word| word == "--bench");
    let (sizes, contests, careers): (&[usize], usize, &[usize]) = if measured {
        let sizes = &[125_000, 250_000, 500_000, 1_000_000];
        (sizes, 15_000, &[20_000, 40_000, 80_000])
    } else {
        (&[500, 1_000], 20, &[100, 200])
    };
    measure_careers(careers);
    if std::env::args().any(|word| word == "careers") {
        return;
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = vec![1, all];
    threads.dedup();
    for threads in threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be started")
            .install(|| measure(threads, sizes, contests));
    }
}

fn measure(threads: usize, sizes: &[usize], contests: usize) {
    println!("on {threads} thread(s)\n");
    let large = |name: &str, places: Places, solve: &dyn Fn(&SyntheticField) -> usize| {
        println!("  performances of one contest, {name}");
        println!("  {:>10} {:>9} {:>7} {:>9}", "entrants", "seconds", "ratio", "peak MB");
        let mut before: Option<f64> = None;
        for &count in sizes {
            reset_peak();
            let field = SyntheticField::new(count, places);
            let seconds = median_time(|| {
                black_box(solve(&field));
            });
            let ratio =
                before.map_or_else(String::new, |before| format!("{:.2}", seconds / before));
            let peak = peak_bytes()
                .map_or_else(|| "unknown".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1e6));
            println!("  {count:>10} {seconds:>9.3} {ratio:>7} {peak:>9}");
            before = Some(seconds);
        }
        println!();
    };
    let logistic =
        |field: &SyntheticField| logistic_performances(&field.logistic(), Ties::Whole).len();
    let gaussian =
        |field: &SyntheticField| gaussian_performances(&field.gaussian(), Ties::Whole).len();
    large("Elo-MMR, places distinct", Places::Distinct, &logistic);
    large("Elo-MMR, 1,000 tie groups", Places::Tied(1_000), &logistic);
    large("Elo-MMX, places distinct", Places::Distinct, &gaussian);

    let season = Season::new(contests, 5, 2_000, Places::Distinct);
    let seconds = median_time(|| {
        let mut system = EloMmr::new(EloMmrParameters::default()).expect("defaults are valid");
        season.replay(&mut system, 0, contests);
    });
    println!("  {contests} contests of 5 by Elo-MMR: {seconds:.3} s\n");

    println!("  milliseconds per contest, without ties");
    let columns = SIZES.map(|(size, _)| format!("{size:>9}"));
    println!("  {:<20}{}", "entrants", columns.concat());
    for (name, system) in systems() {
        let columns = SIZES.map(|(size, most)| {
            let contests = contests.min(most);
            let season = Season::new(contests, size, size * 3 / 2, Places::Distinct);
            let seconds = median_time(|| season.replay(&mut *system(), 0, contests));
            format!("{:>9.3}", 1e3 * seconds / contests as f64)
        });
        println!("  {name:<20}{}", columns.concat());
    }
    println!();
}

/// Prints the time of one career by the systems that keep past performances. Twice the contests
/// should take twice the time.
fn measure_careers(lengths: &[usize]) {
    println!("  seconds per career, by contests");
    let columns: Vec<String> = lengths.iter().map(|length| format!("{length:>9}")).collect();
    println!("  {:<32}{}", "", columns.concat());
    let mmr = |rho: f64, history_limit: Option<usize>| -> Box<dyn RatingSystem> {
        let parameters = EloMmrParameters {
            rho,
            history_limit,
            ..EloMmrParameters::default()
        };
        Box::new(EloMmr::new(parameters).expect("valid parameters"))
    };
    let line = |name: &str, system: &dyn Fn() -> Box<dyn RatingSystem>| {
        let columns = lengths.iter().map(|&length| {
            let begin = Instant::now();
            rate_career(&mut *system(), length);
            format!("{:>9.3}", begin.elapsed().as_secs_f64())
        });
        let columns: Vec<String> = columns.collect();
        println!("  {name:<32}{}", columns.concat());
    };
    for rho in [0.0, 0.04, 0.3, 1.0, 3.0] {
        line(&format!("elo-mmr, rho {rho}"), &|| mmr(rho, None));
    }
    line("elo-mmr, rho 1, history_limit 100", &|| mmr(1.0, Some(100)));
    line("elo-r", &|| {
        Box::new(EloR::new(EloRParameters::default()).expect("defaults are valid"))
    });
    println!();
}

/// Rates one competitor against a new opponent in each contest. Every 20th result is an upset.
fn rate_career(system: &mut dyn RatingSystem, contests: usize) {
    let mut rated = Vec::new();
    for contest in 0..contests {
        let opponent = 1 + contest as u32;
        let spread = (contest * 7_919 % 801) as f64 - 400.0;
        let upset = contest % 20 == 7;
        let mu = 1600.0 + spread + if upset { 800.0 } else { 0.0 };
        let sigma = Some(80.0);
        system.set_initial_rating(opponent, InitialRating { mu, sigma });
        let wins = upset || contest * 104_729 % 801 > contest * 7_919 % 801;
        let entrants = if wins { [0, opponent] } else { [opponent, 0] };
        let round = RatingRound {
            ends_at: 1_700_000_000 + 3_600 * contest as i64,
            ..RatingRound::new(&entrants, &[1, 2])
        };
        system.rate(&round, &mut rated);
        black_box(&rated);
    }
}

/// Entrants of a contest, and number of such contests.
const SIZES: [(usize, usize); 3] = [(50, 1_000), (1_000, 50), (10_000, 5)];

type MakeSystem = fn() -> Box<dyn RatingSystem>;

/// Every system for contests of any size, with its defaults.
fn systems() -> Vec<(&'static str, MakeSystem)> {
    macro_rules! defaults {
        ($($about:expr, $new:expr);* $(;)?) => {
            vec![$(($about.name, || {
                Box::new($new(Default::default()).expect("defaults are valid"))
            })),*]
        };
    }
    defaults![
        EloMmr::INFO, EloMmr::new;
        EloMmx::INFO, EloMmx::new;
        EloR::INFO, EloR::new;
        Codeforces::INFO, Codeforces::new;
        CodeforcesOfficial::INFO, CodeforcesOfficial::new;
        Topcoder::INFO, Topcoder::new;
        TopcoderOfficial::INFO, TopcoderOfficial::new;
        EloSrm::INFO, EloSrm::new;
        EloSrm2::INFO, EloSrm2::new;
        TrueSkill::INFO, TrueSkill::new;
        TrueSkillSpb::INFO, TrueSkillSpb::new;
        Glicko::INFO, Glicko::new;
        Bar::INFO, Bar::new;
        Glicko2::INFO, Glicko2::new;
        EloPairwise::INFO, EloPairwise::new;
        PlackettLuce::INFO, PlackettLuce::new;
        Thurstone::INFO, Thurstone::new;
    ]
}

fn median_time(mut work: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[SAMPLES / 2]
}

/// Resets the peak. If that is impossible the peak is that of the whole process so far.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The peak memory of this process.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
