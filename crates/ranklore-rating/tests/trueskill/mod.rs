//! TrueSkill: published numbers, exact moments, and properties of any contest.

mod margins;
mod moments;
mod properties;
mod published;
mod racetime;

use ranklore_rating::{DrawMargin, TrueSkill, TrueSkillParameters, TrueSkillPlayer};

/// The parameters of the literature, with its margin.
fn published_parameters() -> TrueSkillParameters {
    TrueSkillParameters {
        mu: 25.0,
        sigma: 25.0 / 3.0,
        beta: 25.0 / 6.0,
        tau: 25.0 / 300.0,
        advantage: 0.0,
        draw_probability: 0.1,
        margin: DrawMargin::Fixed,
    }
}

fn system(parameters: TrueSkillParameters) -> TrueSkill {
    TrueSkill::new(parameters).unwrap()
}

type Rating = (f64, f64);
const NEWCOMER: Rating = (25.0, 25.0 / 3.0);

fn players(ratings: &[Rating]) -> Vec<TrueSkillPlayer> {
    let player = |&(mu, sigma)| TrueSkillPlayer {
        mu,
        sigma,
        share: 1.0,
    };
    ratings.iter().map(player).collect()
}

/// The ratings of teams after a contest, best first, those of `groups` tied.
fn team_ratings_after(system: &TrueSkill, teams: &[&[Rating]], groups: &[u32]) -> Vec<Rating> {
    let ends: Vec<u32> = teams
        .iter()
        .scan(0, |end, team| {
            *end += team.len() as u32;
            Some(*end)
        })
        .collect();
    system.posterior(&players(&teams.concat()), &ends, groups)
}

/// Returns the ratings of individuals after a contest.
fn individual_ratings_after(system: &TrueSkill, ratings: &[Rating], groups: &[u32]) -> Vec<Rating> {
    let teams: Vec<&[Rating]> = ratings.chunks(1).collect();
    team_ratings_after(system, &teams, groups)
}

#[track_caller]
fn assert_near(actual: &[Rating], expected: &[Rating], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (rating, expected) in actual.iter().zip(expected) {
        let off = (rating.0 - expected.0).abs().max((rating.1 - expected.1).abs());
        assert!(off <= tolerance, "{actual:?} for {expected:?}");
    }
}

fn untied(count: u32) -> Vec<u32> {
    (1..=count).collect()
}
