//! Continued runs: bit-identical to runs from scratch, with no more replays than needed.

use ranklore_contest::{Contest, ContestTime, EntrantOutcome};
use ranklore_replay::{Error, NoProgress, RunSelection, SystemName, count_new_contests};
use ranklore_store::RatingRow;
use ranklore_test_support::{
    DAY,
    ExpectedReplay::{From, Nothing, TruncatedEnd},
    InterruptingProgress, RunSpec, World, all_system_runs, contest_time, merge, period_runs,
    random_contest, rename, restore, round, select_sources, split, withdraw,
};
use serde_json::{Value, json};

#[test]
fn appended_contests_replay_from_first_new() {
    let mut world = World::sample_rated();
    world.assert_rating_replays(Nothing);
    world.upsert_contest("club", round("13", 120, "b c a new"));
    world.assert_rating_replays(From("13"));
    world.upsert_contest("club", round("15", 140, "new a=z !c"));
    world.upsert_contest("club", round("14", 130, "g new"));
    world.upsert_contest("club", round("16", 150, "p q"));
    world.assert_rating_replays(From("14"));
}

#[test]
fn runs_of_earlier_version_get_current_ratings() {
    let mut world = World::sample_rated();
    for change in [false, true] {
        let raw = world.open_raw();
        raw.execute_batch(
            "DELETE FROM current_rating;
             UPDATE rating_run SET competitors = NULL, source_changes = NULL",
        )
        .unwrap();
        drop(raw);
        let mut batch = world.store.batch().unwrap();
        batch.restate_all_tables().unwrap();
        batch.commit().unwrap();
        assert_eq!(world.store.check().unwrap(), []);
        if change {
            world.upsert_contest("club", round("13", 120, "b c a new"));
        }
        for report in world.rate_all() {
            assert_eq!(report.unchanged, !change);
        }
        world.assert_current_ratings();
        for run in world.store.runs().unwrap() {
            assert!(world.store.has_unchanged_sources(&run).unwrap());
        }
    }
}

#[test]
fn durations_weigh_over_their_median() {
    let timed = |id: &str, day: i64, hours: Option<i64>| {
        let mut contest = round(id, day, "b c a=d e");
        contest.starts_at = hours.map(|hours| contest_time(day * DAY - hours * 3600));
        contest
    };
    let ratings = |world: &World| {
        let run = &world.store.runs().unwrap()[0];
        let mut rows = Vec::new();
        for contest in world.store.run_contests(run.run_id).unwrap() {
            let push = |row: RatingRow| rows.push((row.mu.to_bits(), row.sigma.to_bits()));
            world.store.for_each_rating_row(run.run_id, contest.contest_id, push).unwrap();
        }
        rows
    };
    let mut world = World::new();
    world.runs = vec![RunSpec::elo_mmr(&json!({"weight": "duration"}))];
    let mut durations = vec![Some(2), None, Some(5), Some(0), Some(3)];
    for (day, &hours) in (1..).zip(&durations) {
        world.upsert_contest("club", timed(&day.to_string(), day, hours));
    }
    world.rate_all();
    // The median of an even number is in the middle, and changes all weights.
    for (appended, median) in [(None, 3.0), (Some(Some(4)), 3.5), (Some(None), 3.5)] {
        if let Some(hours) = appended {
            durations.push(hours);
            let id = durations.len().to_string();
            world.upsert_contest("club", timed(&id, durations.len() as i64, hours));
            world.assert_rating_replays(From(if hours.is_some() { "1" } else { &id }));
        }
        let mut weighted = World::new();
        weighted.runs = vec![RunSpec::elo_mmr(&json!({}))];
        for (day, &hours) in (1..).zip(&durations) {
            let mut contest = timed(&day.to_string(), day, hours);
            let hours = hours.filter(|&hours| hours > 0);
            contest.weight = hours.map_or(1.0, |hours| hours as f64 / median);
            weighted.upsert_contest("club", contest);
        }
        weighted.rate_all();
        assert_eq!(ratings(&world), ratings(&weighted), "median {median}");
    }
}

/// A version before schema 14 stored no volatility in current ratings.
#[test]
fn current_ratings_without_any_volatility_are_not_wrong() {
    let world = World::sample_rated();
    let raw = world.open_raw();
    let changed = raw.execute("UPDATE current_rating SET volatility = NULL", []);
    assert!(changed.unwrap() > 0);
    assert_eq!(world.store.check().unwrap(), []);
    let lost = World::sample_rated();
    let raw = lost.open_raw();
    let sql = "UPDATE current_rating SET volatility = NULL
         WHERE (run_id, competitor_id) = (SELECT run_id, competitor_id FROM current_rating
             WHERE volatility IS NOT NULL LIMIT 1)";
    assert_eq!(raw.execute(sql, []).unwrap(), 1);
    assert_eq!(lost.store.check().unwrap().len(), 1);
}

#[test]
fn new_contests_of_a_selection_are_counted() {
    let mut world = World::sample_unrated();
    world.runs = vec![RunSpec::elo_mmr(&Value::Null)];
    world.runs[0].selection.until = Some(contest_time(130 * DAY));
    world.rate_all();
    let count = |world: &World| {
        let run = world.store.runs().unwrap().remove(0);
        count_new_contests(&world.store, &run).unwrap()
    };
    assert_eq!(count(&world), 0);
    world.upsert_contest("club", round("13", 120, "b c a new"));
    world.upsert_contest("club", round("0", 1, "b c"));
    world.upsert_contest("club", round("late", 140, "b c"));
    world.edit_contest("4", |contest| contest.weight = 0.5);
    assert_eq!(count(&world), 2);
    world.record_effective_decision(&withdraw("13"));
    assert_eq!(count(&world), 1);
    world.rate_all();
    assert_eq!(count(&world), 0);
    world.record_effective_decision(&restore("13"));
    assert_eq!(count(&world), 1);
}

#[test]
fn inserted_contests_replay_from_insertion() {
    let mut world = World::sample_rated();
    world.upsert_contest("club", round("late", 45, "h a new x"));
    world.assert_rating_replays(From("late"));
    world.upsert_contest("club", round("first", 1, "b a"));
    world.assert_rating_replays(From("first"));
}

#[test]
fn simultaneous_contests_keep_replay_order() {
    let mut world = World::sample_rated();
    // Texts sort after numbers, and an event after none.
    world.upsert_contest("club", round("5x", 60, "f a e"));
    world.assert_rating_replays(From("5x"));
    world.upsert_contest("club", round("0", 60, "h e"));
    world.assert_rating_replays(From("0"));
    for (id, ordinal) in [("71", 3), ("70", 1)] {
        let mut contest = round(id, 60, "g e c a");
        (contest.event, contest.ordinal) = (Some("cup".into()), Some(ordinal));
        world.upsert_contest("club", contest);
        world.assert_rating_replays(From(id));
    }
    // Only the order changes.
    world.edit_contest("70", |contest| contest.ordinal = Some(9));
    world.assert_rating_replays(From("7"));
}

#[test]
fn corrections_replay_from_corrected_contest() {
    let mut world = World::sample_rated();
    let day = |day: i64| ContestTime::new(day * DAY).unwrap();
    world.edit_contest("4", |contest| {
        contest.entrants = round("4", 1, "c d b h a").entrants;
    });
    world.assert_rating_replays(From("4"));
    world.edit_contest("8", |contest| contest.weight = 0.25);
    world.assert_rating_replays(From("8"));
    world.edit_contest("8", |contest| contest.performance_ceiling = Some(1400.0));
    world.assert_rating_replays(From("8"));
    world.edit_contest("10", |contest| drop(contest.entrants.pop()));
    world.assert_rating_replays(From("10"));
    world.edit_contest("11", |contest| {
        contest.entrants[2].outcome = EntrantOutcome::Disqualified;
    });
    world.assert_rating_replays(From("11"));
    // Moved earlier, moved later, and moved within its position.
    world.edit_contest("12", |contest| contest.ends_at = day(35));
    world.assert_rating_replays(From("12"));
    world.edit_contest("2", |contest| contest.ends_at = day(200));
    world.assert_rating_replays(From("3"));
    world.edit_contest("9", |contest| contest.ends_at = day(82));
    world.assert_rating_replays(From("9"));
    world.edit_contest("1", |contest| contest.ends_at = day(300));
    world.assert_rating_replays(From("3"));
    // Changed back, and changed there and back between two ratings.
    world.edit_contest("8", |contest| contest.weight = 1.0);
    world.assert_rating_replays(From("8"));
    world.edit_contest("8", |contest| contest.weight = 2.0);
    world.edit_contest("8", |contest| contest.weight = 1.0);
    world.assert_rating_replays(Nothing);
    world.edit_contest("8", |contest| {
        contest.url = Some("https://club.example/8".into());
    });
    world.assert_rating_replays(Nothing);
}

/// The contests are ten days apart: three or four of them are in a month.
#[test]
fn changed_contest_replays_from_its_period() {
    let mut world = World::sample_unrated();
    world.runs = period_runs()
        .into_iter()
        .filter(|run| run.parameters.get("period") == Some(&json!("month")))
        .collect();
    assert_eq!(world.runs.len(), 1);
    world.rate_all();
    // The months begin with contests 1, 4, 6 and 10.
    world.upsert_contest("club", round("late", 55, "b a"));
    world.assert_rating_replays(From("4"));
    world.edit_contest("8", |contest| contest.weight = 0.25);
    world.assert_rating_replays(From("6"));
    // Without their last contest, periods are as they were before it.
    world.record_effective_decision(&withdraw("late"));
    world.assert_rating_replays(From("6"));
    world.record_effective_decision(&merge("x", "y"));
    world.assert_rating_replays(From("6"));
    world.record_effective_decision(&withdraw("12"));
    world.assert_rating_replays(TruncatedEnd);
}

#[test]
fn overlapping_events_are_no_periods() {
    let mut world = World::new();
    for (id, day, event) in [
        ("1", 1, "cup"),
        ("2", 2, "league"),
        ("3", 3, "league"),
        ("4", 4, ""),
    ] {
        let event = Some(event.to_owned()).filter(|event| !event.is_empty());
        world.upsert_contest(
            "club",
            Contest {
                event,
                ..round(id, day, "a b")
            },
        );
    }
    let run = RunSpec {
        system: SystemName::find("glicko").unwrap(),
        ..RunSpec::elo_mmr(&json!({"period": "event"}))
    };
    run.rate(&mut world.store, &NoProgress).unwrap();
    world.upsert_contest(
        "club",
        Contest {
            event: Some("cup".into()),
            ..round("5", 3, "a b")
        },
    );
    let error = run.rate(&mut world.store, &NoProgress).unwrap_err().to_string();
    assert!(error.contains("\"cup\" ended after a contest of \"league\""), "{error}");
    assert!(error.contains("--period month"), "{error}");
}

#[test]
fn withdrawal_and_restoration_replay() {
    let mut world = World::sample_rated();
    for (id, next) in [("1", Some("2")), ("5", Some("6")), ("12", None)] {
        world.record_effective_decision(&withdraw(id));
        world.assert_rating_replays(next.map_or(TruncatedEnd, From));
        world.record_effective_decision(&restore(id));
        world.assert_rating_replays(From(id));
    }
    world.record_effective_decision(&withdraw("11"));
    world.record_effective_decision(&withdraw("12"));
    world.assert_rating_replays(TruncatedEnd);
    // A withdrawn contest can be corrected.
    world.edit_contest("11", |contest| contest.weight = 3.0);
    world.assert_rating_replays(Nothing);
    world.upsert_contest("club", round("13", 120, "a b"));
    world.record_effective_decision(&restore("11"));
    world.assert_rating_replays(From("11"));
}

#[test]
fn merge_with_shared_contests_replays() {
    let mut world = World::sample_rated();
    world.record_effective_decision(&merge("x", "y"));
    world.assert_rating_replays(From("9"));
    // The merge target did not finish where the merged account did.
    world.record_effective_decision(&merge("f", "g"));
    world.assert_rating_replays(From("2"));
    world.record_effective_decision(&split("f"));
    world.assert_rating_replays(From("2"));
    // The opposite direction.
    world.record_effective_decision(&merge("g", "f"));
    world.assert_rating_replays(From("2"));
    // The merge target has a single contest.
    world.record_effective_decision(&merge("a", "z"));
    world.assert_rating_replays(From("1"));
    world.upsert_contest("club", round("13", 120, "z a y x"));
    world.assert_rating_replays(From("13"));
    // A contest between two accounts of one person has no order.
    world.upsert_contest("club", round("14", 130, "x y"));
    world.assert_rating_replays(From("14"));
    world.record_effective_decision(&split("x"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn chained_merges_replay() {
    let mut world = World::sample_rated();
    world.record_effective_decision(&merge("x", "y"));
    world.record_effective_decision(&merge("y", "h"));
    world.assert_rating_replays(From("9"));
    world.upsert_contest("club", round("13", 120, "b x y"));
    world.assert_rating_replays(From("13"));
    world.record_effective_decision(&merge("h", "d"));
    // The first contest of h, which is now merged into d.
    world.assert_rating_replays(From("4"));
    world.upsert_contest("club", round("14", 130, "h a y z"));
    world.assert_rating_replays(From("14"));
    world.record_effective_decision(&split("y"));
    world.assert_rating_replays(From("9"));
    world.record_effective_decision(&split("h"));
    world.assert_rating_replays(From("4"));
}

#[test]
fn irrelevant_decisions_replay_nothing() {
    let mut world = World::sample_rated();
    world.record_effective_decision(&rename("a", "Ada"));
    world.assert_rating_replays(Nothing);
    // No competitor of that name has a standing.
    world.record_effective_decision(&merge("nobody", "a"));
    world.assert_rating_replays(Nothing);
    world.upsert_contest("club", round("13", 120, "nobody c"));
    world.assert_rating_replays(From("13"));
    world.record_effective_decision(&merge("z", "somebody"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn starting_rating_changes_replay() {
    let mut world = World::sample_rated();
    world.set_starting_rating("club", "y", 1800.0);
    world.assert_rating_replays(From("9"));
    world.set_starting_rating("club", "y", 1801.0);
    world.assert_rating_replays(From("9"));
    world.set_starting_rating("club", "nobody", 1801.0);
    world.assert_rating_replays(Nothing);
    world.set_starting_rating("club", "h", 1550.0);
    world.assert_rating_replays(From("4"));
    // A competitor's own rating takes precedence over that of a merged account.
    world.record_effective_decision(&merge("x", "y"));
    world.assert_rating_replays(From("9"));
    world.set_starting_rating("club", "x", 1300.0);
    world.assert_rating_replays(Nothing);
    // A competitor without one gets the lowest of its accounts.
    world.record_effective_decision(&merge("y", "d"));
    world.assert_rating_replays(From("1"));
    world.set_starting_rating("club", "d", 1500.0);
    world.assert_rating_replays(From("1"));
    world.upsert_contest("club", round("13", 120, "d e x"));
    world.assert_rating_replays(From("13"));
    world.record_effective_decision(&split("y"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn contests_without_order_replay() {
    let mut world = World::sample_rated();
    world.upsert_contest("club", round("13", 65, "a"));
    world.assert_rating_replays(From("13"));
    world.upsert_contest("club", round("14", 130, "a=b=c"));
    world.assert_rating_replays(From("14"));
    world.upsert_contest("club", round("15", 140, "!a !b"));
    world.upsert_contest("club", round("16", 150, "b a"));
    world.assert_rating_replays(From("15"));
    world.edit_contest("4", |contest| {
        contest.entrants = round("4", 1, "a=b=c").entrants;
    });
    world.assert_rating_replays(From("4"));
    world.edit_contest("3", |contest| {
        contest.entrants = round("3", 1, "a b=c").entrants;
    });
    world.assert_rating_replays(From("3"));
    world.edit_contest("16", |contest| drop(contest.entrants.pop()));
    world.assert_rating_replays(From("16"));
}

#[test]
fn runs_continue_independently() {
    let mut world = World::sample_unrated();
    let run = |selection: RunSelection| RunSpec {
        selection,
        ..all_system_runs().swap_remove(0)
    };
    let mut away = round("1", 55, "a b other");
    away.division = Some("A".into());
    world.upsert_contest("away", away);
    for id in ["2", "5", "8", "12"] {
        world.edit_contest(id, |contest| contest.division = Some("A".into()));
    }
    let (club, both) = (select_sources(&["club"]), select_sources(&["club", "away"]));
    world.runs = vec![
        run(club.clone()),
        run(both.clone()),
        run(RunSelection {
            division: Some("A".into()),
            ..both
        }),
        run(RunSelection {
            since: Some(contest_time(40 * DAY)),
            ..club.clone()
        }),
        run(RunSelection {
            until: Some(contest_time(80 * DAY)),
            ..club
        }),
    ];
    let replayed = |world: &mut World| -> Vec<u64> {
        let reports = world.rate_all();
        world.assert_same_as_from_scratch();
        reports.iter().map(|report| report.replayed).collect()
    };
    assert_eq!(replayed(&mut world), [11, 12, 5, 9, 7]);
    assert_eq!(replayed(&mut world), [0; 5]);
    world.upsert_contest("club", round("13", 120, "a b c"));
    assert_eq!(replayed(&mut world), [1, 1, 0, 1, 0]);
    world.edit_contest("5", |contest| contest.weight = 0.5);
    assert_eq!(replayed(&mut world), [9, 10, 4, 9, 4]);
    world.upsert_contest("away", round("2", 95, "other a"));
    assert_eq!(replayed(&mut world), [0, 4, 0, 0, 0]);
    world.record_effective_decision(&merge("d", "x"));
    assert_eq!(replayed(&mut world), [12, 14, 2, 10, 7]);
    world.record_effective_decision(&withdraw("8"));
    assert_eq!(replayed(&mut world), [5, 6, 1, 5, 0]);
}

#[test]
fn interrupted_continuation_changes_nothing() {
    let mut world = World::sample_rated();
    world.edit_contest("5", |contest| contest.weight = 0.5);
    let before = world.store.content_hash().unwrap();
    for patience in [0, 1, 4, 7] {
        for run in &world.runs {
            let watch = InterruptingProgress::after(patience);
            let error = run.rate(&mut world.store, &watch).unwrap_err();
            assert!(matches!(error, Error::Interrupted), "{error:?}");
        }
        assert_eq!(world.store.content_hash().unwrap(), before);
    }
    world.assert_rating_replays(From("5"));
}

#[test]
fn run_of_other_engine_is_replayed_entirely() {
    let mut world = World::sample_rated();
    let raw = world.open_raw();
    let changed_runs = [
        // Before contests of runs were recorded.
        "DELETE FROM run_contest; UPDATE rating_run SET fingerprint = zeroblob(32)",
        // Another engine with other numbers.
        "UPDATE run_contest SET chain = randomblob(32);
         UPDATE rating_run SET fingerprint = randomblob(32), engine = '0';
         UPDATE rating SET mu = mu + 1",
    ];
    for other in changed_runs {
        raw.execute_batch(other).unwrap();
        let mut batch = world.store.batch().unwrap();
        batch.restate_all_tables().unwrap();
        batch.commit().unwrap();
        world.upsert_contest("club", round("13", 120, "a b"));
        world.assert_rating_replays(From("1"));
    }
}

#[test]
fn run_survives_withdrawal_of_all_contests() {
    let mut world = World::sample_rated();
    world.runs.truncate(2);
    let ids: Vec<String> = (1..=12).map(|id| id.to_string()).collect();
    for id in &ids {
        world.record_effective_decision(&withdraw(id));
    }
    let before = world.store.content_hash().unwrap();
    for run in &world.runs {
        let error = run.rate(&mut world.store, &NoProgress).unwrap_err();
        assert!(matches!(error, Error::NoContests { .. }), "{error:?}");
    }
    assert_eq!(world.store.content_hash().unwrap(), before);
    for id in &ids {
        world.record_effective_decision(&restore(id));
    }
    for report in world.rate_all() {
        assert!(report.unchanged);
    }
}

#[test]
fn diverging_ratings_are_no_run() {
    let mut world = World::new();
    for id in 1..=9 {
        let order = ["a b c", "c b a"][id as usize % 2];
        world.upsert_contest("club", round(&id.to_string(), id, order));
    }
    let run = run_of("plackett-luce", &json!({"learning_rate": 1e6, "step": "plain"}));
    let error = run.rate(&mut world.store, &NoProgress).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("the ratings of plackett-luce diverge: in contest"),
        "{message}"
    );
    assert_eq!(world.store.runs().unwrap(), []);
    let bound = run_of("plackett-luce", &json!({"initial_mu": 1e5}));
    bound.rate(&mut world.store, &NoProgress).unwrap();
}

#[test]
fn initial_rating_of_a_million_points_is_no_divergence() {
    let mut world = World::new();
    world.upsert_contest("club", round("1", 1, "a=b"));
    let run = run_of("codeforces", &json!({"initial_mu": 1e6}));
    assert_eq!(run.rate(&mut world.store, &NoProgress).unwrap().contests, 1);
}

#[test]
fn interrupted_first_run_writes_nothing() {
    let mut world = World::new();
    for id in 0..30 {
        world.upsert_contest("club", random_contest(id, i64::from(id) * DAY, 5));
    }
    let run = all_system_runs().swap_remove(0);
    let before = world.store.content_hash().unwrap();
    for patience in [0, 1, 15, 29] {
        let watch = InterruptingProgress::after(patience);
        let error = run.rate(&mut world.store, &watch).unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error:?}");
        assert_eq!(world.store.content_hash().unwrap(), before);
    }
    let watch = InterruptingProgress::after(30);
    let report = run.rate(&mut world.store, &watch).unwrap();
    assert_eq!((report.contests, report.results), (30, 150));
    assert_eq!(*watch.messages(), ["rating 150"]);
    assert_eq!(watch.advances().last(), Some(&(150, 30, 150)));
}

#[test]
fn thousands_of_small_contests_match_rating_from_scratch() {
    // Contests reach the writer in messages of 4096 rows; here the ids descend in time, so that
    // they also wait for the last one.
    let mut world = World::new();
    for id in (0..1600).rev() {
        world.upsert_contest("club", random_contest(id, i64::from(id + 1) * DAY, 4));
    }
    world.runs = vec![RunSpec::elo_mmr(&Value::Null)];
    world.rate_all();
    let full_hash = world.store.content_hash().unwrap();
    world.record_effective_decision(&withdraw("800"));
    world.rate_all();
    assert_ne!(world.store.content_hash().unwrap(), full_hash);
    world.record_effective_decision(&restore("800"));
    assert_eq!(world.rate_all()[0].replayed, 800);
    world.assert_same_as_from_scratch();
}

/// Makes the oldest contest look changed, without counting a correction.
fn damage_oldest_contest(world: &mut World) {
    let raw = world.open_raw();
    let sql = "UPDATE contest SET content_hash = zeroblob(32) WHERE external_id = '1'";
    assert_eq!(raw.execute(sql, []).unwrap(), 1);
}

#[test]
fn appended_contests_are_rated_without_reading_earlier_ones() {
    let mut world = World::sample_unrated();
    world.runs = vec![
        RunSpec::elo_mmr(&Value::Null),
        run_of("glicko", &json!({ "period": "7d" })),
    ];
    world.rate_all();
    damage_oldest_contest(&mut world);
    world.upsert_contest("club", round("90", 1000, "a new b"));
    for report in world.rate_all() {
        assert_eq!((report.replayed, report.unchanged), (1, false));
    }
    // A correction leads to a comparison of all contests, which finds the damage.
    world.upsert_contest("club", round("90", 1000, "new a b"));
    for report in world.rate_all() {
        assert!(report.replayed > 1, "{report:?}");
    }
}

#[test]
fn long_run_stores_few_hashes_and_continues_between_them() {
    let mut world = World::new();
    world.runs = vec![run_of("elo", &Value::Null)];
    let game = |number: i64| {
        let (a, b) = (number % 7, number % 5 + 7);
        round(&format!("{number}"), number, &format!("p{a} p{b}"))
    };
    for number in 1..=1200 {
        world.upsert_contest("club", game(number));
    }
    world.rate_all();
    let raw = world.open_raw();
    let count = |condition: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM run_contest WHERE {condition}");
        raw.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    // 200 games of two results after the first 1,000, and the last.
    assert_eq!(count("length(chain) > 0"), 1000 + 200 / 32 + 1);
    assert_eq!(count("position = 1199 AND length(chain) = 32"), 1);
    drop(raw);
    world.upsert_contest("club", round("1100", 1100, "p1 p2"));
    let report = world.rate_all().remove(0);
    assert!((101..=132).contains(&report.replayed), "{report:?}");
    world.assert_same_as_from_scratch();
    world.upsert_contest("club", game(1201));
    assert_eq!(world.rate_all()[0].replayed, 1);
    world.assert_same_as_from_scratch();
}

fn run_of(system: &str, parameters: &Value) -> RunSpec {
    RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(parameters)
    }
}
