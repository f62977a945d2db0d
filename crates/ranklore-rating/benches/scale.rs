//! How time and memory grow: one contest of up to a million entrants, and many small ones.
//! `cargo bench -p ranklore-rating --bench scale` prints tables; nothing is asserted.
//!
//! A doubling of the entrants should take little more than twice the time: the work is
//! entrants times nodes, and the nodes grow only with the range of performances, by a few in
//! thirty for each doubling. Peak memory is the whole process's, on Linux.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot go on says so and ends"
)]

mod fields;

use std::hint::black_box;
use std::time::Instant;

use ranklore_rating::performance::{Ties, gaussian_performances, logistic_performances};
use ranklore_rating::{
    EloMmr, EloMmrParameters, RatingSystem, TrueSkill, TrueSkillParameters, TrueSkillSpb,
    TrueSkillSpbParameters,
};

use fields::{Field, Places, Season};

/// Every figure is the median of so many.
const TIMES: usize = 3;

fn main() {
    // Without `--bench` cargo is testing: see that it runs, and be done.
    let measured = std::env::args().any(|word| word == "--bench");
    let (sizes, contests): (&[usize], usize) = if measured {
        (&[125_000, 250_000, 500_000, 1_000_000], 15_000)
    } else {
        (&[500, 1_000], 20)
    };
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
    let large = |name: &str, places: Places, solve: &dyn Fn(&Field) -> usize| {
        println!("  performances of one contest, {name}");
        println!(
            "  {:>10} {:>9} {:>7} {:>9}",
            "entrants", "seconds", "ratio", "peak MB"
        );
        let mut before: Option<f64> = None;
        for &count in sizes {
            reset_peak();
            let field = Field::new(count, places);
            let seconds = median(|| {
                black_box(solve(&field));
            });
            let ratio =
                before.map_or_else(String::new, |before| format!("{:.2}", seconds / before));
            let peak = peak_bytes().map_or_else(
                || "unknown".to_owned(),
                |bytes| format!("{:.0}", bytes as f64 / 1e6),
            );
            println!("  {count:>10} {seconds:>9.3} {ratio:>7} {peak:>9}");
            before = Some(seconds);
        }
        println!();
    };
    let logistic = |field: &Field| logistic_performances(&field.logistic(), Ties::Whole).len();
    let gaussian = |field: &Field| gaussian_performances(&field.gaussian(), Ties::Whole).len();
    large("Elo-MMR, places distinct", Places::Distinct, &logistic);
    large("Elo-MMR, 1,000 tie groups", Places::Tied(1_000), &logistic);
    large("Elo-MMX, places distinct", Places::Distinct, &gaussian);

    let season = Season::new(contests, 5, 2_000, Places::Distinct);
    let seconds = median(|| {
        let mut system = EloMmr::new(EloMmrParameters::default()).expect("defaults are valid");
        season.replay(&mut system, 0, contests);
    });
    println!("  {contests} contests of 5 by Elo-MMR: {seconds:.3} s\n");

    let chain = |name: &str, system: &dyn Fn() -> Box<dyn RatingSystem>| {
        for size in [50, 1_000, 10_000] {
            let contests = contests.min(20);
            let season = Season::new(contests, size, size * 3 / 2, Places::Distinct);
            let seconds = median(|| season.replay(&mut *system(), 0, contests));
            let each = 1e3 * seconds / contests as f64;
            println!("  a contest of {size} by {name}: {each:.3} ms");
        }
        println!();
    };
    chain("TrueSkill", &|| {
        Box::new(TrueSkill::new(TrueSkillParameters::default()).expect("defaults are valid"))
    });
    chain("TrueSkill SPb", &|| {
        Box::new(TrueSkillSpb::new(TrueSkillSpbParameters::default()).expect("defaults are valid"))
    });
}

fn median(mut work: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..TIMES)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[TIMES / 2]
}

/// Lets the peak begin anew. Where that is not possible it is that of everything so far.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory this process has had.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
