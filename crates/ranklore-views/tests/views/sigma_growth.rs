//! The growth of sigma in views, compared with stored ratings and with a replay.

#![expect(
    clippy::float_cmp,
    reason = "equal values are bit-identical, not only close"
)]

use ranklore_replay::{RunChoice, SystemName};
use ranklore_store::{CurrentRatingRow, ProvisionalPlacement, RunId};
use ranklore_test_support::{DAY, RunSpec, World, contest_time, round, source};
use ranklore_views::{
    Leaderboard, LeaderboardOrder, LeaderboardRequest, MoversRequest, NamesPolicy, Page,
    PlayerListRequest, PlayerRequest, PredictedField, PredictionRequest, RankedCompetitor,
    load_leaderboard, load_movers, load_player_list, load_player_view, load_prediction,
};
use serde_json::{Value, json};

/// The day of the last contest of the veteran.
const LAST_DAY: i64 = 150;

/// Nine years later.
const NEWEST_DAY: i64 = LAST_DAY + 9 * 365;

/// Creates a club in which `veteran` wins 15 contests in 150 days, and the others go on for nine
/// years without.
fn club_with_veteran() -> World {
    let mut world = World::new();
    for id in 1..=15 {
        let order = ["veteran a b c d", "veteran b a d c"][id as usize % 2];
        world.upsert_contest("club", round(&id.to_string(), id * 10, order));
    }
    for id in 1..=73 {
        let order = ["a b c d", "b a c d", "a c b d"][id as usize % 3];
        let day = LAST_DAY + (NEWEST_DAY - LAST_DAY) * id / 73;
        world.upsert_contest("club", round(&format!("later{id}"), day, order));
    }
    world
}

fn rate_by(world: &mut World, system: &str, parameters: &Value) -> RunId {
    let run = RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(parameters)
    };
    let report = run.rate(&mut world.store, &ranklore_replay::NoProgress);
    report.unwrap().run_id
}

/// Returns a request for the leaderboard of everybody, active or not.
fn everybody(run: RunId) -> LeaderboardRequest {
    LeaderboardRequest {
        inactive_after_days: 100_000,
        names: NamesPolicy::AsStored,
        ..LeaderboardRequest::from_run(run)
    }
}

fn names(board: &Leaderboard) -> Vec<&str> {
    let names = board.rows.iter().map(|row| &*row.competitor.name);
    names.collect()
}

fn standing<'b>(board: &'b Leaderboard, name: &str) -> &'b RankedCompetitor {
    let mut rows = board.rows.iter();
    let row = rows.find(|row| row.competitor.name == name);
    &row.unwrap().standing
}

fn current_ratings(world: &World, run: RunId) -> Vec<CurrentRatingRow> {
    let mut rows = Vec::new();
    let store = &world.store;
    store.for_each_current_rating(run, |row| rows.push(row)).unwrap();
    rows
}

#[test]
fn veteran_loses_first_place_after_nine_years() {
    let mut world = club_with_veteran();
    let run = rate_by(&mut world, "elo-mmr", &json!({"drift_per_day": 20}));
    let before = current_ratings(&world, run);
    let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
    let stored = LeaderboardRequest {
        as_stored: true,
        ..everybody(run)
    };
    let stored = load_leaderboard(&world.store, &stored).unwrap();
    assert_eq!(names(&stored)[0], "veteran");
    assert_eq!(names(&board)[4], "veteran");
    assert_eq!(board.sigma_as_of, Some(NEWEST_DAY * DAY));
    assert_eq!(stored.sigma_as_of, None);

    let (now, then) = (standing(&board, "veteran"), standing(&stored, "veteran"));
    assert_eq!(now.stored_sigma, then.sigma);
    let grown = (then.sigma * then.sigma + 20.0 * 9.0 * 365.0).sqrt();
    assert_eq!(now.sigma, grown);
    assert_eq!(now.conservative, now.mu - 3.0 * grown);
    assert!(now.provisional && !then.provisional);

    // The sigma of the newest contest has not grown.
    let active = standing(&board, "a");
    assert_eq!(active.sigma, active.stored_sigma);
    assert_eq!(
        active,
        &RankedCompetitor {
            place: active.place,
            ..standing(&stored, "a").clone()
        }
    );
    assert_eq!(current_ratings(&world, run), before);
}

#[test]
fn stored_view_matches_stored_ratings() {
    let mut world = club_with_veteran();
    let run = rate_by(&mut world, "glicko2", &json!({"period_days": 30}));
    let request = LeaderboardRequest {
        as_stored: true,
        ..everybody(run)
    };
    let board = load_leaderboard(&world.store, &request).unwrap();
    for row in current_ratings(&world, run) {
        let mut rows = board.rows.iter().map(|row| &row.standing);
        let displayed = rows.find(|entry| entry.competitor_id == row.competitor_id);
        let displayed = displayed.unwrap();
        assert_eq!((displayed.sigma, displayed.stored_sigma), (row.sigma, row.sigma));
        assert_eq!(displayed.conservative, row.mu - 3.0 * row.sigma);
    }
}

#[test]
fn sigma_grows_to_as_of() {
    let mut world = club_with_veteran();
    for (system, parameters) in [
        ("elo-mmr", json!({"drift_per_day": 20})),
        ("elo-mmx", json!({"drift_per_day": 20})),
        ("glicko2", json!({"period_days": 30})),
    ] {
        let run = rate_by(&mut world, system, &parameters);
        let sigma = |day: i64| {
            let request = LeaderboardRequest {
                as_of: Some(contest_time(day * DAY)),
                ..everybody(run)
            };
            let board = load_leaderboard(&world.store, &request).unwrap();
            assert_eq!(board.sigma_as_of, Some(day * DAY));
            let standing_row = standing(&board, "veteran");
            (standing_row.sigma, standing_row.stored_sigma)
        };
        let (first, stored) = sigma(LAST_DAY);
        assert_eq!(first, stored);
        let days = [LAST_DAY, LAST_DAY + 400, NEWEST_DAY, NEWEST_DAY + 400];
        let grown = days.map(|day| sigma(day).0);
        assert!(grown.is_sorted_by(|a, b| a < b), "{system}: {grown:?}");
        let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
        assert_eq!(standing(&board, "veteran").sigma, grown[2], "{system}");
    }
}

#[test]
fn next_contest_starts_with_grown_sigma() {
    let parameters = json!({"drift_per_day": 20, "weight_limit": 0.2, "sigma_limit": 80});
    for system in ["elo-mmr", "elo-mmx"] {
        let mut world = club_with_veteran();
        let run = rate_by(&mut world, system, &parameters);
        let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
        let grown = standing(&board, "veteran").sigma;
        let order = "a veteran b c";
        world.upsert_contest("club", round("return", NEWEST_DAY, order));
        let run = rate_by(&mut world, system, &parameters);
        let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
        // Equation 8, with the γ² and β² of the parameters.
        let prior = grown * grown + 0.2 * 80.0 * 80.0;
        let noise = 6.0 * 80.0 * 80.0 + 20.0 / 0.2;
        let expected = (prior * noise / (prior + noise)).sqrt();
        let sigma = standing(&board, "veteran").sigma;
        assert!((sigma - expected).abs() < 1e-9, "{sigma}, {expected}");
    }
}

#[test]
fn glicko2_grows_by_missed_periods() {
    let mut world = club_with_veteran();
    let parameters = json!({"period_days": 30, "initial_volatility": 0.06});
    let run = rate_by(&mut world, "glicko2", &parameters);
    let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
    let veteran = standing(&board, "veteran");
    let mut rows = current_ratings(&world, run).into_iter();
    let row = rows.find(|row| row.competitor_id == veteran.competitor_id);
    let volatility = 173.7178 * row.unwrap().volatility.unwrap();
    let missed = 9.0 * 365.0 / 30.0 - 1.0;
    let variance = veteran.stored_sigma * veteran.stored_sigma + missed * volatility * volatility;
    assert!((veteran.sigma - variance.sqrt()).abs() < 1e-9, "{veteran:?}");
    let run = rate_by(&mut world, "glicko2", &json!({"period_days": 0.5}));
    let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
    // No more uncertain than a newcomer.
    assert!((standing(&board, "veteran").sigma - 350.0).abs() < 1e-9);
}

#[test]
fn order_of_grown_ratings_matches_keys() {
    let mut world = World::with_random_contests(40);
    let run = world.rate_elo_mmr(&json!({"drift_per_day": 300})).run_id;
    for provisional in [
        ProvisionalPlacement::Last,
        ProvisionalPlacement::Mix,
        ProvisionalPlacement::Exclude,
        ProvisionalPlacement::Only,
    ] {
        for order in [None, Some(LeaderboardOrder::Sigma)] {
            let request = LeaderboardRequest {
                provisional,
                order,
                ..everybody(run)
            };
            let board = load_leaderboard(&world.store, &request).unwrap();
            let rows: Vec<_> = board.rows.iter().map(|row| row.standing.clone()).collect();
            assert_eq!(rows.len(), board.total);
            let key = |standing: &RankedCompetitor| {
                let last = provisional == ProvisionalPlacement::Last && standing.provisional;
                let number = match order {
                    None => standing.mu - 3.0 * standing.sigma,
                    Some(_) => standing.sigma,
                };
                (!last, number)
            };
            assert!(rows.is_sorted_by(|a, b| key(a) >= key(b)));
            let rule = |standing: &RankedCompetitor| {
                standing.sigma > 0.28 * 350.0 || standing.contests < 2
            };
            assert!(rows.iter().all(|listed| listed.provisional == rule(listed)));
            let mut paged = Vec::new();
            for offset in (0..board.total).step_by(7) {
                let page = LeaderboardRequest {
                    page: Page { offset, limit: 7 },
                    ..request.clone()
                };
                let page = load_leaderboard(&world.store, &page).unwrap();
                paged.extend(page.rows.into_iter().map(|row| row.standing));
            }
            assert_eq!(paged, rows);
        }
    }
}

#[test]
fn views_agree_on_grown_ratings() {
    let mut world = club_with_veteran();
    for (system, parameters) in [
        ("elo-mmr", json!({"drift_per_day": 20})),
        ("glicko2", json!({"period_days": 30})),
    ] {
        for as_stored in [false, true] {
            let run = rate_by(&mut world, system, &parameters);
            let run_choice = RunChoice::from(run);
            let store = &world.store;
            let request = LeaderboardRequest {
                as_stored,
                ..everybody(run)
            };
            let board = load_leaderboard(store, &request).unwrap();

            let list = PlayerListRequest {
                as_stored,
                names: NamesPolicy::AsStored,
                run: run_choice.clone(),
                ..PlayerListRequest::default()
            };
            let all = load_player_list(store, &source("club"), &list).unwrap();
            let search = PlayerListRequest {
                text: Some("veteran".to_owned()),
                ..list.clone()
            };
            let search = load_player_list(store, &source("club"), &search).unwrap();
            let paged = PlayerListRequest {
                page: Page {
                    offset: 0,
                    limit: 5,
                },
                ..list
            };
            let paged = load_player_list(store, &source("club"), &paged).unwrap();
            assert_eq!(all.rows, paged.rows);
            assert_eq!(
                search.rows[0],
                *all.rows.iter().find(|row| row.competitor.name == "veteran").unwrap()
            );
            let order = all.rows.iter().map(|row| &*row.competitor.name);
            assert_eq!(order.collect::<Vec<_>>(), names(&board));
            assert_eq!(all.sigma_as_of, board.sigma_as_of);

            let movers = MoversRequest {
                as_stored,
                names: NamesPolicy::AsStored,
                ..MoversRequest::new(run_choice.clone(), contest_time(DAY))
            };
            let movers = load_movers(store, &source("club"), &movers).unwrap();
            assert_eq!(movers.sigma_as_of, board.sigma_as_of);
            assert_eq!(movers.new_entries.len(), 5);
            for mover in &movers.new_entries {
                let row = standing(&board, &mover.competitor.name);
                assert_eq!((mover.sigma, mover.stored_sigma), (row.sigma, row.stored_sigma));
                assert_eq!(mover.provisional, row.provisional);
            }

            for (row, listed) in board.rows.iter().zip(&all.rows) {
                let standing_row = &row.standing;
                let rating = listed.rating.unwrap();
                assert_eq!(
                    (rating.sigma, rating.stored_sigma),
                    (standing_row.sigma, standing_row.stored_sigma)
                );
                assert_eq!(rating.conservative, standing_row.conservative);
                let player = PlayerRequest {
                    kind: None,
                    run: run_choice.clone(),
                    as_of: None,
                    as_stored,
                    opponents: Some(usize::MAX),
                    page: Page::ALL,
                    names: NamesPolicy::AsStored,
                };
                let player =
                    load_player_view(store, &source("club"), &row.competitor.name, &player)
                        .unwrap();
                let head = player.standing.unwrap().row;
                assert_eq!(
                    (head.sigma, head.provisional),
                    (standing_row.sigma, standing_row.provisional)
                );
                let side = player.runs.iter().find(|side| side.run.run_id == run);
                assert_eq!(side.unwrap().sigma, standing_row.sigma);
                // The history has the stored numbers.
                assert_eq!(player.rows[0].rating.unwrap().sigma, standing_row.stored_sigma);
            }
        }
    }
}

#[test]
fn prediction_uses_grown_sigma() {
    let mut world = club_with_veteran();
    let run = rate_by(&mut world, "elo-mmr", &json!({"drift_per_day": 20}));
    let predict = |as_of: Option<i64>| {
        let names = ["veteran", "a"].map(str::to_owned).to_vec();
        let request = PredictionRequest {
            source: source("club"),
            field: PredictedField::Names(names),
            run: run.into(),
            as_of: as_of.map(contest_time),
            as_stored: false,
            names: NamesPolicy::AsStored,
        };
        let view = load_prediction(&world.store, &request).unwrap();
        let mut rows = view.rows.iter();
        let veteran = rows.find(|row| row.competitor.name == "veteran").unwrap();
        (veteran.sigma, veteran.expected_place, view.sigma_as_of)
    };
    let board = load_leaderboard(&world.store, &everybody(run)).unwrap();
    let standing_row = standing(&board, "veteran");
    let (sigma, place, as_of) = predict(None);
    assert!((sigma - standing_row.sigma).abs() < 1e-9);
    assert_eq!(as_of, board.sigma_as_of);
    let (sigma, place_then, _) = predict(Some(LAST_DAY * DAY));
    assert!((sigma - standing_row.stored_sigma).abs() < 1e-9);
    assert!(place_then < place, "less certain after nine years");
}
