//! Experiments, against databases whose contests did end so.

use ranklore_contest::{EntrantOutcome, Place};
use ranklore_replay::{Error, NoProgress, SystemSpec};
use ranklore_test_support::{World, source};
use ranklore_views::{FarmReport, FarmRequest, FarmSchedule, NamesPolicy, farm_volatility};

const SCHEDULE: FarmSchedule = FarmSchedule {
    honest: 5,
    farmed: 6,
    after: 4,
};

/// The player who takes part most often.
const FARMER: &str = "player 0";

fn request(threshold: Option<f64>) -> FarmRequest {
    FarmRequest {
        source: source("club"),
        name: FARMER.to_owned(),
        decider: SystemSpec::parse("topcoder").unwrap(),
        systems: SystemSpec::parse_list("elo-mmr:rho=1,glicko2,topcoder,trueskill").unwrap(),
        schedule: SCHEDULE,
        threshold,
        policy: NamesPolicy::default(),
    }
}

fn farm(world: &World, threshold: Option<f64>) -> FarmReport {
    farm_volatility(&world.store, &request(threshold), &NoProgress).unwrap()
}

/// Puts the farmer in the last place of contests, alone; these have the numbers `farmed` among its
/// own.
fn lose(world: &mut World, contests: u32, farmed: std::ops::Range<u32>) {
    let mut number = 0;
    for id in 1..=contests {
        world.edit_contest(&id.to_string(), |contest| {
            let count = contest.entrants.len() as u32;
            let mut entrants = contest.entrants.iter();
            let Some(farmer) = entrants.find(|entrant| entrant.competitor == FARMER) else {
                return;
            };
            number += 1;
            if !farmed.contains(&(number - 1)) {
                return;
            }
            let before = farmer.outcome.place().unwrap();
            for entrant in &mut contest.entrants {
                let place = entrant.outcome.place().unwrap();
                let place = if entrant.competitor == FARMER {
                    Place::from_entrants_above(count - 1)
                } else if place > before {
                    Place::from_entrants_above(place.get() - 2)
                } else {
                    place
                };
                entrant.outcome = EntrantOutcome::Finished(place);
            }
        });
    }
}

#[test]
fn farmed_ratings_are_those_of_contests_that_ended_so() {
    let mut world = World::with_random_contests(60);
    let before = farm(&world, Some(f64::NEG_INFINITY));
    assert_eq!(before.thrown, 6);
    let names: Vec<&str> = before.systems.iter().map(|system| &*system.system).collect();
    assert_eq!(names, ["topcoder", "elo-mmr:rho=1", "glicko2", "trueskill"]);
    lose(&mut world, 60, 5..11);
    let after = farm(&world, Some(f64::INFINITY));
    assert_eq!(after.thrown, 0);
    for (farmed, honest) in before.systems.iter().zip(&after.systems) {
        assert_eq!(farmed.farmed_ratings, honest.honest_ratings, "{}", farmed.system);
        assert_eq!(honest.farmed_ratings, honest.honest_ratings);
        assert!(honest.difference.abs() <= 0.0 && farmed.difference.abs() > 0.0);
        assert_eq!(farmed.farmed_ratings.len(), 15);
        assert_eq!(farmed.farmed_ratings[..5], farmed.honest_ratings[..5]);
        let [before, last] = [10, 14].map(|index| farmed.farmed_ratings[index]);
        assert!((farmed.gain_after - (last - before)).abs() <= 0.0);
    }
}

#[test]
fn farmer_loses_only_while_the_deciding_rating_is_above_the_threshold() {
    let world = World::with_random_contests(60);
    let by_default = farm(&world, None);
    let [first, ..] = &*by_default.systems else {
        unreachable!()
    };
    assert!((by_default.threshold - first.honest_ratings[4]).abs() <= 0.0);
    let mut ratings = by_default.systems[0].honest_ratings[4..10].to_vec();
    ratings.sort_by(f64::total_cmp);
    let report = farm(&world, Some(ratings[1]));
    let decider = &report.systems[0];
    let before_farmed = &decider.farmed_ratings[4..10];
    let above = before_farmed.iter().filter(|&&rating| rating > report.threshold).count();
    assert_eq!(report.thrown, above as u64);
    assert!((1..6).contains(&above), "{above}");
    // Elo-MMR is incentive-compatible (theorem 5.5): a lower place never gains.
    assert!(report.systems[1].difference < 0.0);
}

#[test]
fn too_few_contests_are_counted() {
    let world = World::with_random_contests(3);
    let error = farm_volatility(&world.store, &request(None), &NoProgress).unwrap_err();
    assert!(
        matches!(
            error,
            Error::FewContests {
                needed: 15,
                contests: 1..=3,
                ..
            }
        ),
        "{error:?}"
    );
}
