//! Displayed ratings against the published formulas, titles, and provisional ratings.

#![expect(clippy::float_cmp, reason = "published numbers are exact")]

use ranklore_rating::{
    AllTied, Codeforces, CodeforcesOfficial, CodeforcesOfficialParameters, ContestPolicy, Display,
    EloMmr, EloMmrParameters, EloR, EloRParameters, PlackettLuce, PlackettLuceParameters,
    RatingSystem, Title, TopcoderOfficial, TrueSkill, TrueSkillParameters, UnfinishedPolicy,
    WithContestPolicy,
};

/// 24 May 2020, the day of Codeforces Round 644, the first with the new display.
const ROUND_644: i64 = 1_590_334_500;

#[test]
fn elo_r_newcomer_shows_1000() {
    let display = EloR::new(EloRParameters::default()).unwrap().display();
    assert_eq!(display.rating(1500.0, 350.0, 0, 0), 1000.0);
    // The difference vanishes with experience.
    assert_eq!(display.rating(2400.0, 100.0, 40, 0), 2400.0);
    let limit = EloRParameters {
        sigma_limit: 80.0,
        ..EloRParameters::default()
    };
    let display = EloR::new(limit).unwrap().display();
    assert_eq!(display.rating(2400.0, 80.0, 40, 0), 2400.0);
}

#[test]
fn codeforces_promotes_newcomers_by_published_steps() {
    let system = CodeforcesOfficial::new(CodeforcesOfficialParameters::default()).unwrap();
    let displayed = |contests, at| system.display().rating(1400.0, 350.0, contests, at);
    // Promotions of 500, 350, 250, 150, 100 and 50 points (codeforces.com/blog/entry/77890).
    let mut expected = 0.0;
    for (contests, promotion) in (0..).zip([0.0, 500.0, 350.0, 250.0, 150.0, 100.0, 50.0]) {
        expected += promotion;
        assert_eq!(displayed(contests, ROUND_644), expected, "{contests}");
    }
    assert_eq!(displayed(7, ROUND_644), 1400.0);
    // Round 643 ended on 16 May.
    assert_eq!(displayed(1, 1_589_636_100), 1400.0);
}

#[test]
fn trueskill_in_units_of_package_shows_racetime_rating() {
    let package = TrueSkillParameters {
        mu: 25.0,
        sigma: 25.0 / 3.0,
        beta: 25.0 / 6.0,
        tau: 25.0 / 300.0,
        ..TrueSkillParameters::default()
    };
    let display = TrueSkill::new(package).unwrap().display();
    assert_eq!(display.rating(25.0, 25.0 / 3.0, 0, 0), 833.0);
    assert_eq!(display.rating(31.234, 2.001, 9, 0), 2723.0);
    assert_eq!(display.rating(10.0, 6.0, 1, 0), 0.0);
    assert_eq!((display.rating_decimals(), display.decimals), (0, 2));
    // A mean of 25 alone is no such scale.
    for mu in [1500.0, 25.0] {
        let points = TrueSkillParameters {
            mu,
            ..TrueSkillParameters::default()
        };
        assert_eq!(TrueSkill::new(points).unwrap().display(), Display::MU);
    }
}

#[test]
fn contest_policy_keeps_display() {
    let elo_r = EloR::new(EloRParameters::default()).unwrap();
    let display = elo_r.display();
    let provisional = elo_r.provisional();
    let policy = ContestPolicy {
        unfinished: UnfinishedPolicy::Drop,
        all_tied: AllTied::Skip,
    };
    let wrapped = WithContestPolicy::new(policy, Box::new(elo_r));
    assert_eq!(wrapped.display(), display);
    assert_eq!(wrapped.provisional(), provisional);
}

#[test]
fn titles_begin_at_their_lower_bound() {
    let title = |titles, rating| Title::for_rating(titles, rating).map(|title| title.name);
    for titles in [Codeforces::INFO.titles, CodeforcesOfficial::INFO.titles] {
        assert_eq!(title(titles, -50.0), Some("newbie"));
        assert_eq!(title(titles, 1199.5), Some("newbie"));
        assert_eq!(title(titles, 1200.0), Some("pupil"));
        assert_eq!(title(titles, 3800.0), Some("legendary grandmaster"));
    }
    let topcoder = TopcoderOfficial::INFO.titles;
    assert_eq!(title(topcoder, 2199.0), Some("yellow"));
    assert_eq!(title(topcoder, 2200.0), Some("red"));
    assert_eq!(title(EloMmr::INFO.titles, 2200.0), None);
    for titles in [topcoder, Codeforces::INFO.titles] {
        assert!(titles.is_sorted_by(|a, b| a.from < b.from));
    }
}

#[test]
fn elo_mmr_is_provisional_before_five_contests() {
    let mut system = EloMmr::new(EloMmrParameters::default()).unwrap();
    let mut rated = Vec::new();
    for contests in 1..=8 {
        let round = ranklore_rating::RatingRound::new(&[0, 1, 2], &[1, 2, 3]);
        system.rate(&round, &mut rated);
        let is_provisional = system.provisional().is_provisional(rated[0].sigma, contests);
        assert_eq!(is_provisional, contests < 5, "{contests}");
    }
}

#[test]
fn decimals_follow_the_scale() {
    let decimals = |spread| Display::mu_in_scale(spread).decimals;
    for (spread, expected) in [
        (1e6, 0),
        (350.0, 0),
        (100.0, 0),
        (99.0, 1),
        (8.3, 2),
        (1.0, 2),
    ] {
        assert_eq!(decimals(spread), expected, "{spread}");
    }
    assert_eq!((decimals(1e-300), decimals(0.0)), (9, 9));
    let units = PlackettLuceParameters {
        scale: 1.0,
        initial_mu: 0.0,
        ..PlackettLuceParameters::default()
    };
    assert_eq!(PlackettLuce::new(units).unwrap().display().decimals, 2);
}

#[test]
fn codeforces_rating_is_provisional_while_lowered() {
    let system = CodeforcesOfficial::new(CodeforcesOfficialParameters::default()).unwrap();
    let display = system.display();
    let provisional = system.provisional();
    for contests in 1..9 {
        let is_lowered = display.rating(1400.0, 350.0, contests, ROUND_644) < 1400.0;
        assert_eq!(provisional.is_provisional(350.0, contests), is_lowered, "{contests}");
    }
}
