//! Expected scores of games against the probabilities that views of contests show.

use ranklore_replay::RunChoice;
use ranklore_store::RunId;
use ranklore_test_support::{World, merge, round, source};
use ranklore_views::{
    ContestRequest, GameRecord, NamesPolicy, Page, PlayerRequest, VersusRequest, load_contest_view,
    load_player_view, load_versus,
};

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
fn check_records(order: impl Iterator<Item = (String, u32, String)>) -> Vec<GameRecord> {
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
    // The probability of a win is the expected score only in systems without draws.
    world.runs.retain(|run| SYSTEMS.contains(&run.system.as_str()));
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

#[test]
fn expected_scores_match_contests_in_any_order_of_ids() {
    let ascending = check_records(games().into_iter());
    let descending = check_records(games().into_iter().rev());
    assert_eq!(ascending.len(), descending.len());
    for (one, other) in ascending.iter().zip(&descending) {
        assert_eq!(one, other);
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
