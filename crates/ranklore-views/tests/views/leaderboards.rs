//! Leaderboards compared with the rating rows of each competitor.

use ranklore_contest::SourceName;
use ranklore_replay::{NoProgress, SystemSpec};
use ranklore_store::{CompetitorId, ContestRow, ProvisionalPlacement, RunId, Store, Writer};
use ranklore_test_support::{
    DAY, RunSpec, World, contest, contest_time, merge, random_contest, round, withdraw,
};
use ranklore_views::{
    ContestRequest, LeaderboardOrder, LeaderboardRequest, LeaderboardRow, NamesPolicy, Page,
    PlayerRequest, RankedCompetitor, ViewCache, ViewReader, load_contest_view, load_leaderboard,
    load_player_view,
};
use serde_json::Value;

/// Computes a leaderboard row from the rating rows of a competitor up to a time.
fn fold_row(
    store: &Writer,
    run: RunId,
    competitor: CompetitorId,
    until: i64,
    k: f64,
) -> Option<RankedCompetitor> {
    let mut rows = Vec::new();
    for contest in store.all_contests().unwrap() {
        if contest.ends_at.unwrap() > until {
            continue;
        }
        store
            .for_each_rating(run, [contest.contest_id], |_, contest_rows| {
                let rows_of_competitor =
                    contest_rows.iter().filter(|row| row.competitor_id == competitor);
                rows.extend(rows_of_competitor.map(|&row| (contest.clone(), row)));
            })
            .unwrap();
    }
    let (contest, last) = rows.last()?;
    let before = rows.len().checked_sub(2).map(|index| rows[index].1.mu);
    let mu = rows.iter().map(|(_, row)| row.mu);
    Some(RankedCompetitor {
        place: 0,
        competitor_id: competitor,
        rating: last.mu,
        provisional: last.sigma > 0.28 * 350.0,
        title: None,
        conservative: last.mu - k * last.sigma,
        mu: last.mu,
        sigma: last.sigma,
        stored_sigma: last.sigma,
        contests: rows.len() as u32,
        last_change: before.map(|mu| last.mu - mu),
        peak_mu: mu.fold(f64::MIN, f64::max),
        last_contest_at: contest.ends_at.unwrap(),
    })
}

#[test]
fn leaderboard_matches_rating_rows() {
    let mut world = World::with_random_contests(40);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &world.store;
    for (as_of, min_contests, inactive_days, k) in [
        (None, 1, 365, None),
        (None, 10, 14, None),
        (Some(20 * 7 * DAY), 1, 21, Some(0.0)),
        (Some(20 * 7 * DAY - 1), 3, 0, Some(1.5)),
    ] {
        let request = LeaderboardRequest {
            as_of: as_of.map(contest_time),
            min_contests,
            inactive_after_days: inactive_days,
            k,
            ..LeaderboardRequest::from_run(run)
        };
        let board = load_leaderboard(store, &request).unwrap();
        let inactive_board = LeaderboardRequest {
            inactive: true,
            ..request
        };
        let inactive_board = load_leaderboard(store, &inactive_board).unwrap();
        assert_eq!((board.run.run_id, board.stale), (run, false));
        let until = as_of.unwrap_or(i64::MAX);
        let k = k.unwrap_or(3.0);
        let newest = (1..=40).map(|id| id * 7 * DAY).filter(|&at| at <= until).max();
        assert_eq!(board.newest_contest_at, newest);
        let mut everybody: Vec<RankedCompetitor> = (1..=60)
            .filter_map(|id| fold_row(store, run, CompetitorId::new(id), until, k))
            .filter(|row| row.contests >= min_contests)
            .collect();
        let since = newest.unwrap() - i64::from(inactive_days) * DAY;
        let (mut active, mut inactive) = (Vec::new(), Vec::new());
        for row in everybody.drain(..) {
            if row.last_contest_at >= since {
                active.push(row);
            } else {
                inactive.push(row);
            }
        }
        assert!(active.len() > 3, "too few to be conclusive");
        for (actual, mut expected) in [(board, active), (inactive_board, inactive)] {
            let mut actual: Vec<_> = actual.rows.into_iter().map(|row| row.standing).collect();
            let key = |standing: &RankedCompetitor| (!standing.provisional, standing.conservative);
            assert!(actual.is_sorted_by(|a, b| key(a) >= key(b)));
            for index in 0..expected.len() {
                let above = |row: &&RankedCompetitor| key(row) > key(&expected[index]);
                let place = expected.iter().filter(above).count() as u32 + 1;
                expected[index].place = place;
            }
            actual.sort_by_key(|row| row.competitor_id);
            expected.sort_by_key(|row| row.competitor_id);
            assert_eq!(actual, expected);
        }
    }
}

const PLACEMENTS: [ProvisionalPlacement; 4] = [
    ProvisionalPlacement::Last,
    ProvisionalPlacement::Mix,
    ProvisionalPlacement::Exclude,
    ProvisionalPlacement::Only,
];

/// Asserts that the stored current ratings of a run, its folded rating rows and kept rankings give the
/// same pages, counts and places.
fn assert_stored_equals_folded(world: &World, request: &LeaderboardRequest, rankings: &ViewCache) {
    let stored = load_leaderboard(&world.store, request).unwrap();
    let folded = LeaderboardRequest {
        // No contest ends later, and sigma grows up to the newest one.
        as_of: stored.newest_contest_at.map(contest_time),
        ..request.clone()
    };
    let folded = load_leaderboard(&world.store, &folded).unwrap();
    let json = |board| serde_json::to_value(board).unwrap();
    let stored = json(stored);
    assert_eq!(stored, json(folded), "{request:?}");
    let reader = keeping(&world.store, rankings);
    // The first view loads the ranking, the second finds it.
    for _ in 0..2 {
        let loaded = load_leaderboard(reader, request).unwrap();
        assert_eq!(json(loaded), stored, "{request:?}");
    }
}

fn keeping<'s>(store: &'s Store, cache: &'s ViewCache) -> ViewReader<'s> {
    ViewReader {
        store,
        cache: Some(cache),
    }
}

/// Returns all orders, each in both directions.
fn orders() -> impl Iterator<Item = (LeaderboardOrder, bool)> {
    let words = "rating conservative mu peak sigma contests change since last";
    let orders = words.split(' ').map(|word| LeaderboardOrder::from_word(word).unwrap());
    orders.flat_map(|order| [(order, false), (order, true)])
}

#[test]
fn current_ratings_equal_folded_rows_for_every_system_and_option() {
    let mut world = World::with_random_contests(30);
    // Equal ratings share a place.
    world.upsert_contest("club", round("tie", 15 * 7, "x=y z=w"));
    let reports = world.rate_all();
    assert!(reports.len() > 15);
    let mut total = 0;
    let rankings = ViewCache::default();
    for report in reports {
        assert!(world.store.run(report.run_id).unwrap().unwrap().competitors.is_some());
        for (order, reverse) in orders() {
            for provisional in PLACEMENTS {
                let full = LeaderboardRequest {
                    order: Some(order),
                    reverse,
                    provisional,
                    since: Some(contest_time(14 * 7 * DAY)),
                    inactive_after_days: 14,
                    ..LeaderboardRequest::from_run(report.run_id)
                };
                assert_stored_equals_folded(&world, &full, &rankings);
                let page = LeaderboardRequest {
                    inactive: order == LeaderboardOrder::Mu,
                    min_contests: 3,
                    k: (order == LeaderboardOrder::Peak).then_some(1.25),
                    page: Page {
                        offset: 5,
                        limit: 7,
                    },
                    ..full
                };
                assert_stored_equals_folded(&world, &page, &rankings);
                total += load_leaderboard(&world.store, &page).unwrap().total;
            }
        }
    }
    assert!(total > 1000, "too few to be conclusive: {total}");
}

/// Contests at the end, before others, again without change, withdrawn, of merged competitors: the
/// kept rankings are updated or loaded anew.
#[test]
fn kept_rankings_are_those_of_later_contests() {
    let mut world = World::with_random_contests(12);
    let systems = ["elo-mmr", "glicko", "glicko2:period_days=30", "codeforces"];
    let rankings = ViewCache::default();
    for step in 0..14 {
        match step {
            8 => world.upsert_contest("club", random_contest(50, 30 * DAY, 9)),
            // Other entrants of a contest that is not rated again.
            4 => world.upsert_contest("club", random_contest(7, 7 * 7 * DAY, 20)),
            6 => world.record_effective_decision(&withdraw("5")),
            9 => world.record_effective_decision(&merge("player 1", "player 2")),
            11 => {}
            // The first ones become inactive.
            12 => world.upsert_contest("club", random_contest(60, 500 * DAY, 6)),
            step => {
                let id = 20 + step;
                world.upsert_contest("club", random_contest(id, i64::from(id) * 7 * DAY, 12));
            }
        }
        if let Some(run) = world.store.runs().unwrap().first() {
            assert_contests_equal(&world, run.run_id, &rankings);
        }
        for system in systems {
            let spec = SystemSpec::parse(system).unwrap();
            let run = RunSpec {
                system: spec.system,
                parameters: spec.settings,
                ..RunSpec::elo_mmr(&Value::Null)
            };
            let run = run.rate(&mut world.store, &NoProgress).unwrap().run_id;
            for (min_contests, provisional) in [
                (1, ProvisionalPlacement::Last),
                (2, ProvisionalPlacement::Exclude),
            ] {
                let request = LeaderboardRequest {
                    min_contests,
                    provisional,
                    inactive_after_days: 40,
                    ..LeaderboardRequest::from_run(run)
                };
                assert_stored_equals_folded(&world, &request, &rankings);
            }
            assert_contests_equal(&world, run, &rankings);
        }
    }
}

fn club() -> SourceName {
    SourceName::new("club").unwrap()
}

/// Asserts that the views of all contests are the same with what is kept, in whatever order they are
/// loaded.
fn assert_contests_equal(world: &World, run: RunId, cache: &ViewCache) {
    let view = |reader: ViewReader<'_>, contest: &str| {
        let request = ContestRequest {
            run: run.into(),
            as_of: None,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        };
        serde_json::to_value(load_contest_view(reader, &club(), contest, &request).unwrap())
            .unwrap()
    };
    let mut contests = world.store.all_contests().unwrap();
    contests.sort_by(ContestRow::replay_order);
    let fresh: Vec<(String, Value)> = contests
        .into_iter()
        .map(|contest| contest.external_id)
        .map(|id| (id.clone(), view((&world.store).into(), &id)))
        .collect();
    let in_order = || fresh.iter();
    // As two threads do that each take the next contest.
    let in_turn = || fresh.chunks(2).flat_map(|pair| pair.iter().rev());
    let orders: [Vec<_>; 3] = [
        in_order().collect(),
        in_turn().collect(),
        in_order().rev().collect(),
    ];
    for order in orders {
        let new = ViewCache::default();
        for (id, fresh) in order {
            // The second view finds what the first one has loaded.
            for cache in [&new, &new, cache] {
                assert_eq!(&view(keeping(&world.store, cache), id), fresh);
            }
        }
    }
}

/// The ratings that a view finds while the results do not match the run are not those of a run that
/// matches them.
#[test]
fn ratings_found_by_changed_results_are_not_kept() {
    let mut world = World::new();
    let first = |order| round("1", 1, order);
    world.upsert_contest("club", first("x y z"));
    world.upsert_contest("club", round("2", 2, "z y x"));
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let cache = ViewCache::default();
    let view = |world: &World, cache: Option<&ViewCache>| {
        let request = ContestRequest {
            run: run.into(),
            as_of: None,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        };
        let reader = ViewReader {
            store: &world.store,
            cache,
        };
        serde_json::to_value(load_contest_view(reader, &club(), "2", &request).unwrap()).unwrap()
    };
    assert_eq!(view(&world, Some(&cache)), view(&world, None));
    world.upsert_contest("club", first("y z"));
    let stale = view(&world, None);
    assert_eq!(stale["stale"], true);
    for cache in [&cache, &ViewCache::default()] {
        assert_eq!(view(&world, Some(cache)), stale);
    }
    world.upsert_contest("club", first("x y z"));
    let fresh = view(&world, None);
    assert_eq!(fresh["stale"], false);
    assert_eq!(view(&world, Some(&cache)), fresh);
}

/// Views that began before a change still see the state before it.
#[test]
fn kept_rankings_follow_the_state_that_is_read() {
    let mut world = World::with_random_contests(8);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let rankings = ViewCache::default();
    let views = |store: &Store, is_kept: bool| {
        let reader = if is_kept {
            keeping(store, &rankings)
        } else {
            store.into()
        };
        let board = LeaderboardRequest::from_run(run);
        let board = serde_json::to_value(load_leaderboard(reader, &board).unwrap()).unwrap();
        let rows = board["rows"].as_array().unwrap().iter();
        let mut views: Vec<Value> = rows
            .map(|row| {
                let name = row["external_id"].as_str().unwrap();
                let request = PlayerRequest {
                    kind: None,
                    run: run.into(),
                    as_of: None,
                    as_stored: false,
                    page: Page::ALL,
                    opponents: Some(3),
                    names: NamesPolicy::Publishable,
                };
                serde_json::to_value(load_player_view(reader, &club(), name, &request).unwrap())
                    .unwrap()
            })
            .collect();
        views.push(board);
        views
    };
    for day in 100..104 {
        let old = Store::open_reader(world.store.path()).unwrap();
        let snapshot = old.snapshot().unwrap();
        let before = views(&old, false);
        assert_eq!(views(&world.store, true), before);
        world.upsert_contest("club", contest(&day.to_string(), day * DAY, &["new", "a", "b"]));
        world.rate_elo_mmr(&Value::Null);
        let after = views(&world.store, false);
        assert_ne!(after, before);
        for _ in 0..2 {
            assert_eq!(views(&world.store, true), after);
            assert_eq!(views(&old, true), before);
        }
        drop(snapshot);
        assert_eq!(views(&old, true), after);
    }
}

#[test]
fn pages_give_the_places_of_the_whole_list() {
    let mut world = World::new();
    world.upsert_contest("club", round("1", 1, "a=b=c=d e=f g=h=i=j=k"));
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let load = |page| {
        let request = LeaderboardRequest {
            page,
            ..LeaderboardRequest::from_run(run)
        };
        load_leaderboard(&world.store, &request).unwrap().rows
    };
    let all = load(Page::ALL);
    let places: Vec<u32> = all.iter().map(|row| row.standing.place).collect();
    assert_eq!(places, [1, 1, 1, 1, 5, 5, 7, 7, 7, 7, 7]);
    for offset in 0..12 {
        let page = load(Page { offset, limit: 2 });
        assert_eq!(page, all.iter().skip(offset).take(2).cloned().collect::<Vec<_>>());
    }
}

#[test]
fn change_since_compares_with_the_rating_before_that_time() {
    let mut world = World::new();
    for (id, order) in [(1, ["a", "b"]), (2, ["b", "a"]), (3, ["a", "c"])] {
        world.upsert_contest("club", contest(&id.to_string(), id * DAY, &order));
    }
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let load = |since: Option<i64>, as_of: Option<i64>| {
        let request = LeaderboardRequest {
            since: since.map(contest_time),
            as_of: as_of.map(contest_time),
            ..LeaderboardRequest::from_run(run)
        };
        let board = load_leaderboard(&world.store, &request).unwrap();
        let mut rows = board.rows;
        rows.sort_by(|a, b| a.competitor.name.cmp(&b.competitor.name));
        rows
    };
    let (now, before) = (load(Some(2 * DAY), None), load(None, Some(2 * DAY - 1)));
    for (now, before) in now.iter().zip(&before) {
        let change = now.standing.mu - before.standing.mu;
        assert_eq!(now.change_since, Some(change), "{}", now.competitor.name);
    }
    assert_eq!(now[2].change_since, None, "c was not rated then");
    assert!(load(None, None).iter().all(|row| row.change_since.is_none()));
    // A contest that ended at that time counts as a change.
    assert_ne!(now[0].change_since, Some(0.0));
}

#[test]
fn order_without_a_rating_keeps_the_places_and_rows() {
    let mut world = World::with_random_contests(30);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let load = |order, reverse, provisional, page| {
        let request = LeaderboardRequest {
            order,
            reverse,
            provisional,
            since: Some(contest_time(14 * 7 * DAY)),
            page,
            ..LeaderboardRequest::from_run(run)
        };
        load_leaderboard(&world.store, &request).unwrap().rows
    };
    for provisional in PLACEMENTS {
        let ranking = load(None, false, provisional, Page::ALL);
        for (order, reverse) in orders().filter(|pair| !pair.0.is_rating()) {
            let rows = load(Some(order), reverse, provisional, Page::ALL);
            // Established ones first, then those with the number, then by the number.
            let number = |row: &LeaderboardRow| match order {
                LeaderboardOrder::Sigma => Some(row.standing.sigma),
                LeaderboardOrder::Contests => Some(f64::from(row.standing.contests)),
                LeaderboardOrder::Change => row.standing.last_change,
                LeaderboardOrder::Since => row.change_since,
                _ => Some(row.standing.last_contest_at as f64),
            };
            let is_last = |row: &LeaderboardRow| {
                provisional == ProvisionalPlacement::Last && row.standing.provisional
            };
            assert!(rows.is_sorted_by(|a, b| {
                let groups =
                    (is_last(a), number(a).is_none()).cmp(&(is_last(b), number(b).is_none()));
                let (a, b) = (number(a).unwrap_or(0.0), number(b).unwrap_or(0.0));
                groups.is_lt() || groups.is_eq() && if reverse { a <= b } else { a >= b }
            }));
            let page = Page {
                offset: 3,
                limit: 4,
            };
            assert_eq!(load(Some(order), reverse, provisional, page), rows[3..7]);
            let mut by_place = rows;
            by_place.sort_by_key(|row| (row.standing.place, row.standing.competitor_id));
            assert_eq!(by_place, ranking, "{order:?} {reverse}");
        }
    }
}

#[test]
fn source_setting_replaces_provisional_rule_of_the_system() {
    let mut world = World::with_random_contests(12);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let provisional = |world: &World| {
        let board = load_leaderboard(&world.store, &LeaderboardRequest::from_run(run)).unwrap();
        let rows = board.rows.into_iter().map(|row| row.standing);
        let (provisional, established): (Vec<_>, Vec<_>) = rows.partition(|row| row.provisional);
        assert!(established.iter().all(|row| row.contests > 1));
        provisional
    };
    assert!(provisional(&world).iter().all(|row| row.sigma > 98.0));
    for (column, value) in [("contests", 9.0), ("sigma", 120.0)] {
        let set = format!(
            "UPDATE source SET provisional_contests = NULL, provisional_sigma = NULL;
             UPDATE source SET provisional_{column} = {value}"
        );
        world.open_raw().execute_batch(&set).unwrap();
        let marked = provisional(&world);
        assert!(!marked.is_empty());
        assert!(marked.iter().all(|row| match column {
            "contests" => row.contests < 9,
            _ => row.sigma > 120.0 || row.contests < 2,
        }));
    }
}
