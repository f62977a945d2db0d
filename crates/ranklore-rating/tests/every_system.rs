//! The laws of `laws` for every system, with its defaults and with its parameters at their bounds.

mod forms;
mod history;
mod laws;
mod random;

use std::panic::{AssertUnwindSafe, catch_unwind};

use forms::Form;
use laws::wild::{Starts, Story};
use laws::{crowds, promises};
use random::Random;
use ranklore_rating::Promise;

/// Asserts a law for each of `forms` and lists all failures.
fn hold(forms: &[Form], law: impl Fn(&Form)) {
    let broken: Vec<String> = forms
        .iter()
        .filter_map(|form| {
            let panic = catch_unwind(AssertUnwindSafe(|| law(form))).err()?;
            let what = (panic.downcast_ref::<String>().cloned())
                .or_else(|| panic.downcast_ref::<&str>().map(|&what| what.to_owned()));
            Some(format!("{form}: {}", what.unwrap_or_default()))
        })
        .collect();
    assert!(
        broken.is_empty(),
        "{} broke it:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

/// Asserts a law for every system with parameters at their bounds, in random histories.
fn hold_in_every_story(law: fn(&Form, &Story)) {
    hold(&forms::corners(), |form| {
        let mut random = Random::new(17);
        let pools: &[usize] = &[2, 3, 7, 7, 7, 12, 40];
        for starts in [Starts::Ordinary, Starts::Extreme] {
            for &pool in pools {
                let story = Story::drawn(form, &mut random, starts, 12, pool);
                law(form, &story);
            }
        }
    });
}

#[test]
fn every_parameter_has_its_corners_and_nothing_beyond() {
    forms::assert_complete();
}

#[test]
fn numbers_come_out_whatever_comes_in() {
    hold_in_every_story(laws::gives_numbers);
}

#[test]
fn ratings_go_on_from_their_rows() {
    hold_in_every_story(laws::resumes);
}

#[test]
fn names_and_the_order_among_equals_say_nothing() {
    hold_in_every_story(laws::knows_no_names);
}

#[test]
fn a_contest_without_order_leaves_no_trace() {
    hold_in_every_story(laws::needs_order);
}

#[test]
fn what_is_not_supported_changes_nothing() {
    hold_in_every_story(laws::ignores_what_it_does_not_support);
}

#[test]
fn a_ceiling_lifts_nobody() {
    hold_in_every_story(laws::ceilings_lift_nobody);
}

/// The configurations of systems that guarantee a property.
fn promising(promise: Promise) -> Vec<Form> {
    let mut forms = forms::corners();
    forms.retain(|form| form.about.promises(promise));
    forms
}

#[test]
fn where_promised_a_better_place_is_never_worth_less() {
    hold(&promising(Promise::IncentiveCompatible), |form| {
        promises::a_better_place_is_never_worth_less(form, &mut Random::new(19));
    });
}

#[test]
fn where_promised_what_some_gain_others_lose() {
    hold(&promising(Promise::ZeroSum), |form| {
        let mut random = Random::new(23);
        for starts in [Starts::Ordinary, Starts::Extreme] {
            let story = Story::drawn(form, &mut random, starts, 40, 7);
            promises::what_some_gain_others_lose(form, &story);
        }
    });
}

#[test]
fn where_promised_one_contest_moves_a_rating_within_bounds() {
    // Parameters at their bounds have bounds out of reach of this test.
    let mut forms = forms::defaults();
    forms.retain(|form| form.about.promises(Promise::Robust));
    hold(&forms, |form| {
        promises::one_contest_moves_a_rating_within_bounds(form, &mut Random::new(29));
    });
}

#[test]
fn threads_say_nothing() {
    hold(&forms::defaults(), crowds::knows_no_threads);
}

#[test]
fn crowds_are_rated() {
    hold(&forms::defaults(), crowds::rates_crowds);
}

#[test]
fn long_careers_are_survived() {
    hold(&forms::defaults(), crowds::survives_long_careers);
}
