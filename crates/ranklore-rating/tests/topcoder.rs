//! The real-valued Topcoder system against golden vectors and a direct implementation.

use crate::fingerprint::fingerprint;
use crate::history::{MIXED, OwnedRound, history, replay_bits};
use crate::random::Random;
use ranklore_rating::{RatedEntrant, RatingSystem, Topcoder, TopcoderParameters};

fn default_system() -> Box<dyn RatingSystem> {
    Box::new(Topcoder::new(TopcoderParameters::default()).unwrap())
}

#[test]
fn matches_golden_vectors() {
    let compared = crate::golden::check_vectors(
        include_str!("gold/topcoder.json"),
        &["small", "ties", "weighted", "large"],
        1e-6,
        |params| {
            let mut params = params.clone();
            params["initial_mu"] = 1500.0.into();
            params["initial_sigma"] = 350.0.into();
            Box::new(Topcoder::new(serde_json::from_value(params).unwrap()).unwrap())
        },
    );
    assert!(compared > 2000, "{compared} ratings compared");
}

/// Φ⁻¹ by bisection, on the smaller tail.
fn quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -quantile(1.0 - p);
    }
    let mut low = -40.0;
    let mut high = 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if 0.5 * libm::erfc(-middle / 2.0_f64.sqrt()) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The published formulas, opponent by opponent.
fn direct_mu(prior: &[RatedEntrant], contest: &OwnedRound) -> Vec<f64> {
    let count = prior.len() as f64;
    let mean = prior.iter().map(|row| row.mu).sum::<f64>() / count;
    let squares: f64 = prior.iter().map(|row| row.sigma.powi(2)).sum();
    let variance: f64 = prior.iter().map(|row| (row.mu - mean).powi(2)).sum();
    let spread = (squares / count + variance / (count - 1.0)).sqrt();
    let mut performances = Vec::new();
    for (place, row) in prior.iter().enumerate() {
        let expected: f64 = prior
            .iter()
            .map(|other| {
                let z = (row.mu - other.mu) / row.sigma.hypot(other.sigma);
                0.5 * libm::erfc(z * contest.weight.sqrt() / 2.0_f64.sqrt())
            })
            .sum();
        let group = contest.groups.partition_point(|&end| end as usize <= place);
        let start = if group == 0 {
            0
        } else {
            contest.groups[group - 1]
        };
        let actual = 0.5 * f64::from(start + contest.groups[group]);
        let surprise = quantile(expected / count) - quantile(actual / count);
        performances.push(row.mu + spread * surprise);
    }
    performances
}

#[test]
fn large_contests_match_direct_sum() {
    let mut random = Random::new(3);
    let mut system = default_system();
    let mut rows = vec![None; 2500];
    let mut worst: f64 = 0.0;
    for (index, size) in [1500, 300, 60, 1500, 700, 1500].into_iter().enumerate() {
        let contest = OwnedRound {
            ceiling: f64::INFINITY,
            ..OwnedRound::random(&mut random, index as u32, size, 2000)
        };
        let newcomer = RatedEntrant {
            mu: 1500.0,
            sigma: 350.0,
            performance: None,
            volatility: None,
        };
        let before = |&competitor: &u32| rows[competitor as usize].unwrap_or(newcomer);
        let prior: Vec<RatedEntrant> = contest.entrants.iter().map(before).collect();
        let rated = contest.rate(system.as_mut());
        for (expected, actual) in direct_mu(&prior, &contest).iter().zip(&rated) {
            worst = worst.max((expected - actual.performance.unwrap()).abs());
        }
        for (&competitor, &row) in contest.entrants.iter().zip(&rated) {
            rows[competitor as usize] = Some(row);
        }
    }
    assert!(worst < 1e-8, "{worst:e}");
}

#[test]
fn better_place_raises_rating() {
    let mut random = Random::new(5);
    let mut system = default_system();
    for index in 0..20 {
        let contest = OwnedRound::random(&mut random, index, 40, 60);
        contest.rate(system.as_mut());
    }
    let mut last = f64::INFINITY;
    for place in 0..20_usize {
        let mut entrants: Vec<u32> = (0..20).filter(|&competitor| competitor != 7).collect();
        entrants.insert(place, 7);
        let groups: Vec<u32> = (1..=20).collect();
        let mut again = default_system();
        let mut same = Random::new(5);
        for index in 0..20 {
            OwnedRound::random(&mut same, index, 40, 60).rate(again.as_mut());
        }
        let row = OwnedRound::new(&entrants, &groups).rate(again.as_mut())[place];
        assert!(row.mu <= last && row.performance.unwrap() < f64::INFINITY, "{place}");
        last = row.mu;
    }
}

#[test]
fn equal_newcomers_are_zero_sum() {
    let rows = OwnedRound::new(&[0, 1, 2, 3], &[1, 3, 4]).rate(default_system().as_mut());
    assert!((rows[0].mu + rows[3].mu - 3000.0).abs() < 1e-9);
    assert!((rows[1].mu - 1500.0).abs() < 1e-9);
    assert_eq!(rows[1], rows[2]);
    // By the published formulas: weight 3/2, spread 350, Φ⁻¹(7/8).
    let moved = 350.0 * quantile(0.875) * 0.6;
    assert!((rows[0].mu - 1500.0 - moved).abs() < 1e-9, "{}", rows[0].mu);
    assert!((rows[0].sigma - (moved * moved / 1.5 + 350.0_f64.powi(2) / 2.5).sqrt()).abs() < 1e-9);
}

#[test]
fn cap_bounds_rating_change() {
    let everybody: Vec<u32> = (0..50).collect();
    let groups: Vec<u32> = (1..=50).collect();
    let mut system = default_system();
    for &competitor in &everybody {
        system.set_initial_rating(
            competitor,
            ranklore_rating::InitialRating {
                mu: 100.0 * f64::from(competitor),
                sigma: None,
            },
        );
    }
    // A complete upset: the highest rated come last.
    let rows = OwnedRound::new(&everybody, &groups).rate(system.as_mut());
    assert!((rows[0].mu - 900.0).abs() < 1e-9 && (rows[49].mu - 4000.0).abs() < 1e-9);
    // The volatility is that of the move before the cap.
    assert!(rows[0].sigma > 900.0 / 1.5_f64.sqrt());
}

#[test]
fn bits_match_engine_version() {
    assert_eq!(
        fingerprint(replay_bits(&default_system, &history(13, &MIXED))),
        0x93D0_6482_6636_A918
    );
}
