//! Topcoder's system as deployed, on whole rounds.

#![expect(clippy::float_cmp, reason = "rows are integers")]

use crate::fingerprint::fingerprint;
use crate::history::{MIXED, OwnedRound, history, replay_bits};
use crate::random::Random;
use ranklore_rating::{
    InitialRating, PastResult, RatedEntrant, RatingSystem, TopcoderOfficial,
    TopcoderOfficialParameters,
};

fn system() -> Box<dyn RatingSystem> {
    Box::new(TopcoderOfficial::new(TopcoderOfficialParameters::default()).unwrap())
}

fn past_result(mu: f64, sigma: f64) -> PastResult {
    PastResult {
        period: None,
        ends_at: 0,
        weight: 1.0,
        rated: RatedEntrant {
            mu,
            sigma,
            performance: Some(mu),
            volatility: None,
        },
    }
}

#[test]
fn newcomers_do_not_move_veterans() {
    let with = |newcomers: bool| {
        let mut system = system();
        for (competitor, mu) in [(0, 1400.0), (1, 1600.0), (2, 1800.0)] {
            for _ in 0..5 {
                system.restore(competitor, &past_result(mu, 300.0));
            }
        }
        let (entrants, groups): (&[u32], &[u32]) = if newcomers {
            (&[9, 0, 8, 1, 2, 7], &[1, 3, 4, 6])
        } else {
            (&[0, 1, 2], &[1, 2, 3])
        };
        OwnedRound::new(entrants, groups).rate(system.as_mut())
    };
    let (plain, mixed) = (with(false), with(true));
    // The published results of these three.
    let actual: Vec<(f64, f64)> = plain.iter().map(|row| (row.mu, row.sigma)).collect();
    assert_eq!(actual, [(1527.0, 340.0), (1600.0, 260.0), (1673.0, 340.0)]);
    assert_eq!([mixed[1], mixed[3], mixed[4]], [plain[0], plain[1], plain[2]]);
    // Newcomers are rated among all entrants, and end with the volatility of the first contest.
    assert!(mixed[0].mu > mixed[2].mu && mixed[2].mu > mixed[5].mu);
    assert!([0, 2, 5].iter().all(|&row| mixed[row].sigma == 385.0));
}

#[test]
fn veteran_among_newcomers_keeps_rating() {
    let mut system = system();
    system.restore(0, &past_result(1777.0, 222.0));
    let rows = OwnedRound::new(&[1, 0, 2], &[1, 2, 3]).rate(system.as_mut());
    assert_eq!((rows[1].mu, rows[1].sigma), (1777.0, 222.0));
    assert!(rows[0].mu > 1200.0 && rows[2].mu < 1200.0);
}

#[test]
fn rows_are_integers_within_cap() {
    let mut random = Random::new(8);
    let mut system = system();
    let mut before = vec![(1200.0, 0); 100];
    for index in 0..60 {
        let contest = OwnedRound::random(&mut random, index, 60, 90);
        let rows = contest.rate(system.as_mut());
        for (&competitor, row) in contest.entrants.iter().zip(rows) {
            let (mu, contests) = &mut before[competitor as usize];
            let cap = f64::from(150 + 1500 / (2 + *contests));
            assert!((row.mu - *mu).abs() <= cap && row.mu >= 1.0);
            assert!(row.mu.fract() == 0.0 && row.sigma.fract() == 0.0);
            *mu = row.mu;
            *contests += 1;
        }
    }
    // From far below it is 1, the minimum.
    system.set_initial_rating(
        99,
        InitialRating {
            mu: -5000.0,
            sigma: None,
        },
    );
    let rows = OwnedRound::new(&[0, 1, 99], &[1, 2, 3]).rate(system.as_mut());
    assert_eq!(rows[2].mu, 1.0);
}

#[test]
fn bits_match_engine_version() {
    assert_eq!(fingerprint(replay_bits(&system, &history(13, &MIXED))), 0x1B90_E003_8364_557F);
}

/// The text between an opening and a closing tag.
fn field<'a>(row: &'a str, tag: &str) -> &'a str {
    let rest = row.split_once(&format!("<{tag}>")).unwrap().1;
    rest.split_once('<').unwrap().0
}

/// A result in the site's feed.
struct FeedRow {
    division: u32,
    place: u32,
    old: f64,
    new: f64,
    volatility: f64,
    earlier: u32,
}

impl FeedRow {
    fn parse(row: &str) -> Self {
        let integer = |tag| field(row, tag).parse::<u32>().unwrap();
        Self {
            division: integer("division"),
            place: integer("division_placed"),
            old: integer("old_rating").into(),
            new: integer("new_rating").into(),
            volatility: integer("new_vol").into(),
            earlier: integer("num_ratings") - 1,
        }
    }

    /// Returns the volatility before the round, derived from the one after it, to within rounding;
    /// the feed contains only the latter.
    fn volatility_before(&self) -> f64 {
        let share = 0.42 / (f64::from(self.earlier) + 1.0) + 0.18;
        let steadiness = match self.old {
            2500.0.. => 0.8,
            2000.0.. => 0.9,
            _ => 1.0,
        };
        let weight = steadiness * share / (1.0 - share);
        let step = self.new - self.old;
        ((self.volatility.powi(2) - step * step / weight) * (1.0 + weight)).sqrt()
    }
}

/// Compares whole rounds of the site: every new rating to within a point (the site does not publish
/// the volatilities before). Runs only if `RANKLORE_REAL_DATA` names a folder of captured
/// responses.
#[test]
fn matches_rounds_of_the_site() {
    let Some(folder) = std::env::var_os("RANKLORE_REAL_DATA") else {
        return;
    };
    let folder = std::path::Path::new(&folder).join("topcoder");
    let mut compared = 0;
    let mut equal = 0;
    for round in ["2009", "19681"] {
        let feed = folder.join(format!("dd_round_results-{round}.xml"));
        let feed = std::fs::read_to_string(feed).unwrap();
        let rows: Vec<FeedRow> = feed.split("<row>").skip(1).map(FeedRow::parse).collect();
        for division in [1, 2] {
            let mut rows: Vec<&FeedRow> =
                rows.iter().filter(|row| row.division == division).collect();
            rows.sort_by_key(|row| row.place);
            let mut system = system();
            for (competitor, row) in (0..).zip(&rows) {
                for _ in 0..row.earlier {
                    system.restore(competitor, &past_result(row.old, row.volatility_before()));
                }
            }
            let entrants: Vec<u32> = (0..rows.len() as u32).collect();
            let groups: Vec<u32> = (1..=rows.len())
                .filter(|&end| end == rows.len() || rows[end].place != rows[end - 1].place)
                .map(|end| end as u32)
                .collect();
            let rated = OwnedRound::new(&entrants, &groups).rate(system.as_mut());
            for (row, actual) in rows.iter().zip(&rated) {
                let off = (row.new - actual.mu).abs();
                assert!(off <= 1.0, "{round}: {} for {}", actual.mu, row.new);
                let off = (row.volatility - actual.sigma).abs();
                assert!(off <= 3.0, "{round}: ±{} for {}", actual.sigma, row.volatility);
                equal += u32::from(row.new == actual.mu);
                compared += 1;
            }
        }
    }
    assert!(compared == 38 && equal >= 36, "{equal} of {compared}");
}
