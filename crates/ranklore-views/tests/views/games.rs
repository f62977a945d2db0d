//! Expected scores of games against the probabilities that views of contests show.

use std::collections::{HashMap, HashSet};

use ranklore_replay::{RunChoice, SystemName};
use ranklore_store::RunId;
use ranklore_test_support::{RunSpec, World, at, merge, round, source};
use ranklore_views::{
    ContestRequest, EvaluationSettings, GameRecord, Metric, NamesPolicy, Page, PlayerRequest,
    PredictedField, PredictionRequest, Train, VersusRequest, ViewCache, ViewReader, evaluate,
    load_contest_view, load_player_view, load_prediction, load_versus,
};
use serde_json::{Value, json};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Systems with and without sigma; in `elo-srm2` later newcomers begin elsewhere.
const SYSTEMS: [&str; 4] = ["elo", "elo-mmr", "elo-srm2", "glicko2"];

/// Returns 60 games, also some of teams, as (id, day, order), three a day.
fn games() -> Vec<(String, u32, String)> {
    let mut seed = 7_u32;
    let mut draw = |below: u32| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (seed >> 16) % below
    };
    let mut games = Vec::new();
    for id in 0..60 {
        let first = draw(6);
        let second = (first + 1 + draw(5)) % 6;
        let [one, two] = [first, second].map(|player| NAMES[player as usize]);
        let order = if draw(4) == 0 {
            let partners: Vec<&str> =
                NAMES.iter().copied().filter(|name| ![one, two].contains(name)).collect();
            format!("{one}+{} {two}+{}", partners[0], partners[1])
        } else {
            format!("{one} {two}")
        };
        games.push((id.to_string(), id / 3, order));
    }
    games
}

fn load_record(world: &World, name: &str, run: RunId) -> GameRecord {
    let request = PlayerRequest {
        kind: Some(ranklore_contest::EntrantKind::Person),
        run: run.into(),
        as_of: None,
        as_stored: false,
        page: Page::ALL,
        opponents: Some(usize::MAX),
        names: NamesPolicy::AsStored,
    };
    let view = load_player_view(&world.store, &source("club"), name, &request).unwrap();
    let games = view.games.unwrap();
    let opponents = games.opponents.iter().map(|opponent| opponent.record.games);
    assert_eq!(opponents.sum::<u32>(), games.record.games);
    games.record
}

/// Returns the probability that the ratings before a contest gave to its result.
fn result_probability(world: &World, id: &str, run: RunId) -> f64 {
    let view = load_contest_view(&world.store, &source("club"), id, &contest_request(run)).unwrap();
    view.result_probability.unwrap()
}

fn contest_request(run: RunId) -> ContestRequest {
    ContestRequest {
        run: run.into(),
        as_of: None,
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    }
}

#[test]
fn only_systems_that_compute_performances_store_them() {
    let mut world = World::new();
    for (id, day, order) in games() {
        world.upsert_contest("club", round(&id, i64::from(day), &order));
    }
    world.runs.retain(|run| SYSTEMS.contains(&run.system.as_str()));
    world.rate_all();
    for run in world.store.runs().unwrap() {
        let view =
            load_contest_view(&world.store, &source("club"), "30", &contest_request(run.run_id))
                .unwrap();
        for entry in &view.rows.entries {
            let performance = entry.after.unwrap().performance;
            let computes = ["elo-mmr", "elo-srm2"].contains(&run.system.as_str());
            assert_eq!(performance.is_some(), computes, "{}", run.system);
        }
    }
}

/// True if a name is a member of a side, or the account `z` that is merged into it.
fn is_in(side: &str, name: &str) -> bool {
    let mut members = side.split('+');
    members.any(|member| member == name || (member == "z" && name == "a"))
}

/// Inserts games in an order, rates them by all systems as teams and as members, and compares the
/// expected scores of all people with those of the contests.
fn check_records(
    order: impl Iterator<Item = (String, u32, String)>,
    set_runs: impl Fn(&mut World),
) -> Vec<GameRecord> {
    let mut world = World::new();
    for (id, day, order) in order {
        // Some games of `a` are under another account.
        let order = if day % 4 == 3 && day > 4 {
            order.replace('a', "z")
        } else {
            order
        };
        world.upsert_contest("club", round(&id, i64::from(day), &order));
    }
    assert!(world.record_decision("club", &merge("z", "a")).unwrap());
    world.set_starting_rating("club", "b", 1_700.0);
    set_runs(&mut world);
    world.rate_all();
    let mut records = Vec::new();
    for run in world.store.runs().unwrap() {
        for name in NAMES {
            let record = load_record(&world, name, run.run_id);
            let mut expected = 0.0;
            let mut rated = 0;
            for (id, _, order) in games() {
                let (first, second) = order.split_once(' ').unwrap();
                let with_teams = run.parameters.contains("\"members\"");
                if order.contains('+') && !with_teams {
                    continue;
                }
                if is_in(first, name) || is_in(second, name) {
                    let chance = result_probability(&world, &id, run.run_id);
                    expected += if is_in(first, name) {
                        chance
                    } else {
                        1.0 - chance
                    };
                    rated += 1;
                }
            }
            assert_eq!(record.rated_games, rated, "{name} in {}", run.system);
            let actual = record.expected.unwrap_or_default();
            assert!(
                (actual - expected).abs() < 1e-9,
                "{name} in {}: {actual}, not {expected}",
                run.system
            );
            records.push(record);
        }
    }
    records
}

/// Selects the systems of the runs. The probability of a win is the expected score only in systems
/// without draws.
fn keep_systems_without_draws(world: &mut World) {
    world.runs.retain(|run| SYSTEMS.contains(&run.system.as_str()));
}

/// Rates by periods of a week and of a month instead.
fn rate_by_periods(world: &mut World) {
    let run = |system: &str, parameters: Value| RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(&parameters)
    };
    world.runs = vec![
        run("glicko2", json!({"period": "7d"})),
        run("elo", json!({"period": "month"})),
    ];
}

#[test]
fn expected_scores_match_contests_in_any_order_of_ids() {
    for set_runs in [keep_systems_without_draws, rate_by_periods] {
        let ascending = check_records(games().into_iter(), set_runs);
        let descending = check_records(games().into_iter().rev(), set_runs);
        assert_eq!(ascending.len(), descending.len());
        for (one, other) in ascending.iter().zip(&descending) {
            assert_eq!(one, other);
        }
    }
}

/// Returns the contests of a run in its order, as ids within the source.
fn contests_in_order(world: &World, run: RunId) -> Vec<String> {
    let mut ids = Vec::new();
    let store = &world.store;
    store.for_each_run_contest(run, |contest| ids.push(contest.contest_id)).unwrap();
    let rows = ids.iter().map(|&id| store.contests_by_id([id]).unwrap().remove(0));
    rows.map(|row| row.external_id).collect()
}

#[test]
fn games_of_a_period_are_predicted_by_ratings_before_it() {
    const TRAINING: usize = 5;
    let games: Vec<_> = games().into_iter().filter(|(_, _, order)| !order.contains('+')).collect();
    for is_reversed in [false, true] {
        let mut world = World::new();
        let mut insertions: Vec<_> = games.iter().collect();
        if is_reversed {
            insertions.reverse();
        }
        for (id, day, order) in insertions {
            world.upsert_contest("club", round(id, i64::from(*day), order));
        }
        let parameters = json!({"period": "2d"});
        let run = RunSpec {
            system: SystemName::find("glicko2").unwrap(),
            ..RunSpec::elo_mmr(&parameters)
        };
        let run = run.rate(&mut world.store, &ranklore_replay::NoProgress).unwrap().run_id;
        let mut ratings: HashMap<String, f64> = HashMap::new();
        let mut ratings_of_period: HashMap<String, f64> = HashMap::new();
        let mut last_period = None;
        let cache = ViewCache::default();
        let mut known = HashSet::new();
        let mut losses = Vec::new();
        let order = contests_in_order(&world, run);
        for (number, id) in order.iter().enumerate() {
            let view = load_contest_view(&world.store, &source("club"), id, &contest_request(run));
            let view = view.unwrap();
            // Thursday, 1 January 1970, is day 3 since a Monday.
            let period = (view.contest.ends_at.unwrap().div_euclid(86_400) + 3).div_euclid(2);
            if last_period.replace(period) != Some(period) {
                ratings.extend(ratings_of_period.drain());
            }
            let is_predicted = number >= TRAINING
                && view.rows.entries.iter().all(|entry| known.contains(&entry.competitor_id));
            known.extend(view.rows.entries.iter().map(|entry| entry.competitor_id));
            let cached_view = load_contest_view(
                ViewReader {
                    store: &world.store,
                    cache: Some(&cache),
                },
                &source("club"),
                id,
                &contest_request(run),
            );
            assert_eq!(cached_view.unwrap().result_probability, view.result_probability, "{id}");
            let request = PredictionRequest {
                source: source("club"),
                field: PredictedField::Contest(id.clone()),
                run: run.into(),
                as_of: None,
                as_stored: true,
                names: NamesPolicy::AsStored,
            };
            for row in load_prediction(&world.store, &request).unwrap().rows {
                let before = ratings.get(&*row.competitor.name).copied().unwrap_or(1500.0);
                assert_eq!(row.mu.to_bits(), before.to_bits(), "{} in {id}", row.competitor.name);
            }
            for entry in &view.rows.entries {
                let name = view.rows.labels[&entry.competitor_id].name.clone();
                let before = ratings.get(&*name).copied().unwrap_or(1500.0);
                assert_eq!(entry.mu_before, Some(before), "{name} in {id}");
                ratings_of_period.insert(name, entry.after.unwrap().mu);
            }
            if is_predicted {
                losses.push(-view.result_probability.unwrap().ln());
            }
        }
        let stored_run = world.store.run(run).unwrap().unwrap();
        let settings = EvaluationSettings {
            train: Some(Train::Percent(100.0 * (TRAINING as f64 + 0.5) / order.len() as f64)),
            ..EvaluationSettings::default()
        };
        let evaluation = evaluate(&mut world.store, stored_run, &settings, false, at(0)).unwrap();
        let log_loss = evaluation.slice("everybody").unwrap().metrics.get(Metric::LogLoss);
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        assert!((log_loss.unwrap() - mean).abs() < 1e-9, "{log_loss:?}, not {mean}");
    }
}

#[test]
fn versus_is_part_of_the_record() {
    let mut world = World::new();
    for (id, day, order) in games() {
        world.upsert_contest("club", round(&id, i64::from(day), &order));
    }
    world.rate_all();
    let record = load_record(&world, "a", RunId::new(1));
    let mut total = GameRecord::default();
    for name in &NAMES[1..] {
        let request = VersusRequest {
            source: source("club"),
            names: ["a".into(), (*name).into()],
            run: RunChoice::default(),
            as_of: None,
            as_stored: false,
            page: Page::ALL,
            policy: NamesPolicy::AsStored,
        };
        let view = load_versus(&world.store, &request).unwrap();
        assert_eq!(view.rows.len(), view.record.games as usize);
        total.games += view.record.games;
        total.score += view.record.score;
        *total.expected.get_or_insert(0.0) += view.record.expected.unwrap_or_default();
    }
    assert_eq!((total.games, total.score), (record.games, record.score));
    let difference = total.expected.unwrap() - record.expected.unwrap();
    assert!(difference.abs() < 1e-9, "{difference}");
}
