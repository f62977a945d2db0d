//! The laws of `laws` for every system, with its defaults and with its parameters at their bounds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::configs::SystemConfig;
use crate::laws::random_history::{RandomHistory, RatingRange};
use crate::laws::{promises, scale, sigma_growth, sizes, win_probability};
use crate::random::Random;
use ranklore_rating::{Promise, SigmaGrowth, Support};
use serde_json::json;

/// Asserts a law for each of `forms` and lists all failures.
fn assert_law(forms: &[SystemConfig], law: impl Fn(&SystemConfig)) {
    let broken: Vec<String> = forms
        .iter()
        .filter_map(|form| {
            let panic = catch_unwind(AssertUnwindSafe(|| law(form))).err()?;
            let message = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|&message| message.to_owned()));
            Some(format!("{form}: {}", message.unwrap_or_default()))
        })
        .collect();
    assert!(broken.is_empty(), "{} broke it:\n{}", broken.len(), broken.join("\n"));
}

/// Asserts a law for every system with parameters at their bounds, in random histories.
fn assert_law_in_histories(law: fn(&SystemConfig, &RandomHistory)) {
    assert_law(&crate::configs::corners(), |form| {
        let mut random = Random::new(17);
        let pools: &[usize] = &[2, 3, 7, 7, 7, 12, 40];
        for starts in [RatingRange::Ordinary, RatingRange::Extreme] {
            for &pool in pools {
                let story = RandomHistory::random(form, &mut random, starts, 12, pool);
                law(form, &story);
            }
        }
    });
}

#[test]
fn parameter_bounds_are_complete() {
    crate::configs::assert_complete();
}

#[test]
fn search_spaces_contain_defaults() {
    crate::configs::assert_search_spaces_contain_defaults();
}

#[test]
fn search_corners_rate_small_leagues() {
    assert_law(&crate::configs::search_corners(), |form| {
        let mut random = Random::new(37);
        for pool in [2, 3, 7, 40] {
            let mut league =
                RandomHistory::random(form, &mut random, RatingRange::Ordinary, 60, pool);
            crate::laws::rows_are_finite(form, &league);
            for contest in &mut league.contests {
                contest.weight = 1.0;
            }
            crate::laws::ratings_do_not_diverge(form, &league);
        }
    });
}

#[test]
fn rows_are_always_finite() {
    assert_law_in_histories(crate::laws::rows_are_finite);
}

#[test]
fn ratings_resume_from_rows() {
    assert_law_in_histories(crate::laws::resumes_from_rows);
}

#[test]
fn names_and_tie_order_change_nothing() {
    assert_law_in_histories(crate::laws::names_change_nothing);
}

#[test]
fn contest_without_result_changes_nothing() {
    assert_law_in_histories(crate::laws::result_is_required);
}

#[test]
fn skipped_ties_change_nothing() {
    assert_law_in_histories(crate::laws::skipped_ties_change_nothing);
}

#[test]
fn tied_newcomers_stay_equal() {
    assert_law(&crate::configs::corners(), |form| {
        for entrants in [2, 3, 40] {
            crate::laws::tied_newcomers_stay_equal(form, entrants);
        }
    });
}

#[test]
fn unsupported_features_change_nothing() {
    assert_law_in_histories(crate::laws::unsupported_features_are_ignored);
}

#[test]
fn ceiling_raises_no_rating() {
    assert_law_in_histories(crate::laws::ceilings_raise_no_rating);
}

/// The configurations of systems that guarantee a property.
fn configs_promising(promise: Promise) -> Vec<SystemConfig> {
    let mut forms = crate::configs::corners();
    forms.retain(|form| form.about.promises(promise));
    forms
}

#[test]
fn better_place_never_lowers_rating() {
    assert_law(&configs_promising(Promise::IncentiveCompatible), |form| {
        promises::better_place_never_lowers_rating(form, &mut Random::new(19));
    });
}

#[test]
fn zero_sum_systems_conserve_ratings() {
    assert_law(&configs_promising(Promise::ZeroSum), |form| {
        let mut random = Random::new(23);
        for starts in [RatingRange::Ordinary, RatingRange::Extreme] {
            let story = RandomHistory::random(form, &mut random, starts, 40, 7);
            promises::zero_sum_conserves_ratings(form, &story);
        }
    });
}

#[test]
fn robust_systems_bound_rating_changes() {
    // Parameters at their bounds have bounds out of reach of this test.
    let mut forms = crate::configs::defaults();
    forms.retain(|form| form.about.promises(Promise::Robust));
    assert_law(&forms, |form| {
        promises::one_contest_moves_rating_within_bounds(form, &mut Random::new(29));
    });
}

#[test]
fn bits_do_not_depend_on_threads() {
    assert_law(&crate::configs::defaults(), scale::bits_ignore_threads);
}

#[test]
fn huge_contests_are_rated() {
    let mut forms = crate::configs::defaults();
    forms.retain(|form| form.about.max_entrants.is_none());
    assert_law(&forms, scale::huge_contests_are_finite);
}

#[test]
fn long_careers_stay_finite() {
    assert_law(&crate::configs::defaults(), scale::long_careers_are_finite);
}

#[test]
fn newcomers_are_ordered_by_place_at_every_size() {
    assert_law(&crate::configs::defaults(), sizes::newcomers_are_ordered_by_place);
}

#[test]
fn equals_stay_near_start_in_random_contests() {
    assert_law(&crate::configs::defaults(), |form| {
        sizes::equals_stay_near_start(form, &mut Random::new(31));
    });
}

#[test]
fn upsets_move_rating_within_bounds() {
    assert_law(&crate::configs::defaults(), sizes::upsets_move_rating_within_bounds);
}

#[test]
fn beliefs_are_those_of_last_rows() {
    assert_law_in_histories(win_probability::beliefs_are_last_rows);
}

#[test]
fn win_probabilities_are_consistent() {
    assert_law(&crate::configs::corners(), win_probability::probabilities_are_consistent);
}

#[test]
fn win_probabilities_of_teams_are_of_sums() {
    assert_law(&crate::configs::defaults(), win_probability::teams_are_sums);
}

#[test]
fn win_probabilities_match_simulated_performances() {
    assert_law(&crate::configs::defaults(), win_probability::matches_simulated_performances);
}

#[test]
fn sigma_grows_in_systems_that_support_time() {
    let mut growing: Vec<&str> = Vec::new();
    for form in crate::configs::corners() {
        if form.build().sigma_growth() != SigmaGrowth::None {
            assert!(form.about.supports(Support::Time), "{form}");
            growing.push(form.about.name);
        }
    }
    growing.dedup();
    let with_time = crate::configs::defaults();
    let with_time = with_time.iter().filter(|form| form.about.supports(Support::Time));
    assert_eq!(growing, with_time.map(|form| form.about.name).collect::<Vec<_>>());
}

#[test]
fn grown_sigma_is_that_of_replay() {
    let forms = [
        ("elo-mmr", json!({"drift_per_day": 20.0})),
        ("elo-mmr", json!({"drift_per_day": 3.0, "rho": "inf", "history_limit": 0})),
        ("elo-mmx", json!({"drift_per_day": 20.0})),
        ("elo-mmx", json!({"drift_per_day": 500.0, "sigma_limit": 10.0})),
        ("glicko2", json!({"period_days": 0.5})),
        ("glicko2", json!({"period_days": 30.0})),
        ("glicko2", json!({"period_days": 7.0, "initial_volatility": 2.0})),
    ];
    let forms = forms.map(|(name, parameters)| crate::configs::with_parameters(name, &parameters));
    assert_law(&forms, sigma_growth::is_that_of_replay);
}

#[test]
fn sigma_never_shrinks_with_time() {
    assert_law(&crate::configs::corners(), sigma_growth::never_shrinks);
}

#[test]
fn single_contest_is_provisional_in_every_system() {
    for form in crate::configs::corners() {
        let provisional = form.build().provisional();
        assert!(provisional.is_provisional(0.0, 1), "{form}");
        assert!(!provisional.is_provisional(0.0, 1000), "{form}");
        let by_sigma = provisional.max_sigma.is_some();
        assert_eq!(by_sigma, form.about.conservative_k > 0.0, "{form}");
    }
}
