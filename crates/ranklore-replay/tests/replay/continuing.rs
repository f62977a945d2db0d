//! Continued runs: bit-identical to runs from scratch, with no more replays than needed.

use ranklore_contest::{Outcome, UnixSeconds};
use ranklore_replay::{Error, RunSelection, Silent};
use ranklore_test_support::{
    DAY, Impatient,
    Replays::{Cut, From, Nothing},
    Run, World, at, every_system, merge, random_contest, rename, restore, round, select, split,
    withdraw,
};

#[test]
fn contests_at_the_end() {
    let mut world = World::of_twelve();
    world.assert_rating_replays(Nothing);
    world.put("club", round("13", 120, "b c a new"));
    world.assert_rating_replays(From("13"));
    world.put("club", round("15", 140, "new a=z !c"));
    world.put("club", round("14", 130, "g new"));
    world.put("club", round("16", 150, "p q"));
    world.assert_rating_replays(From("14"));
}

#[test]
fn contests_in_the_middle() {
    let mut world = World::of_twelve();
    world.put("club", round("late", 45, "h a new x"));
    world.assert_rating_replays(From("late"));
    world.put("club", round("first", 1, "b a"));
    world.assert_rating_replays(From("first"));
}

#[test]
fn contests_of_one_time() {
    let mut world = World::of_twelve();
    // Texts sort after numbers, and an event after none.
    world.put("club", round("5x", 60, "f a e"));
    world.assert_rating_replays(From("5x"));
    world.put("club", round("0", 60, "h e"));
    world.assert_rating_replays(From("0"));
    for (id, ordinal) in [("71", 3), ("70", 1)] {
        let mut contest = round(id, 60, "g e c a");
        (contest.event, contest.ordinal) = (Some("cup".into()), Some(ordinal));
        world.put("club", contest);
        world.assert_rating_replays(From(id));
    }
    // Only the order changes.
    world.change("70", |contest| contest.ordinal = Some(9));
    world.assert_rating_replays(From("7"));
}

#[test]
fn corrections() {
    let mut world = World::of_twelve();
    let day = |day: i64| UnixSeconds::new(day * DAY).unwrap();
    world.change("4", |contest| {
        contest.entrants = round("4", 1, "c d b h a").entrants;
    });
    world.assert_rating_replays(From("4"));
    world.change("8", |contest| contest.weight = 0.25);
    world.assert_rating_replays(From("8"));
    world.change("8", |contest| contest.performance_ceiling = Some(1400.0));
    world.assert_rating_replays(From("8"));
    world.change("10", |contest| drop(contest.entrants.pop()));
    world.assert_rating_replays(From("10"));
    world.change("11", |contest| {
        contest.entrants[2].outcome = Outcome::Disqualified;
    });
    world.assert_rating_replays(From("11"));
    // Moved earlier, moved later, and moved within its position.
    world.change("12", |contest| contest.ends_at = day(35));
    world.assert_rating_replays(From("12"));
    world.change("2", |contest| contest.ends_at = day(200));
    world.assert_rating_replays(From("3"));
    world.change("9", |contest| contest.ends_at = day(82));
    world.assert_rating_replays(From("9"));
    world.change("1", |contest| contest.ends_at = day(300));
    world.assert_rating_replays(From("3"));
    // Changed back, and changed there and back between two ratings.
    world.change("8", |contest| contest.weight = 1.0);
    world.assert_rating_replays(From("8"));
    world.change("8", |contest| contest.weight = 2.0);
    world.change("8", |contest| contest.weight = 1.0);
    world.assert_rating_replays(Nothing);
    world.change("8", |contest| {
        contest.url = Some("https://club.example/8".into());
    });
    world.assert_rating_replays(Nothing);
}

#[test]
fn withdrawn_and_restored() {
    let mut world = World::of_twelve();
    for (id, next) in [("1", Some("2")), ("5", Some("6")), ("12", None)] {
        world.decide_news(&withdraw(id));
        world.assert_rating_replays(next.map_or(Cut, From));
        world.decide_news(&restore(id));
        world.assert_rating_replays(From(id));
    }
    world.decide_news(&withdraw("11"));
    world.decide_news(&withdraw("12"));
    world.assert_rating_replays(Cut);
    // A withdrawn contest can be corrected.
    world.change("11", |contest| contest.weight = 3.0);
    world.assert_rating_replays(Nothing);
    world.put("club", round("13", 120, "a b"));
    world.decide_news(&restore("11"));
    world.assert_rating_replays(From("11"));
}

#[test]
fn merged_with_contests_in_common() {
    let mut world = World::of_twelve();
    world.decide_news(&merge("x", "y"));
    world.assert_rating_replays(From("9"));
    // The merge target did not finish where the merged account did.
    world.decide_news(&merge("f", "g"));
    world.assert_rating_replays(From("2"));
    world.decide_news(&split("f"));
    world.assert_rating_replays(From("2"));
    // The opposite direction.
    world.decide_news(&merge("g", "f"));
    world.assert_rating_replays(From("2"));
    // The merge target has a single contest.
    world.decide_news(&merge("a", "z"));
    world.assert_rating_replays(From("1"));
    world.put("club", round("13", 120, "z a y x"));
    world.assert_rating_replays(From("13"));
    // A contest between two accounts of one person has no order.
    world.put("club", round("14", 130, "x y"));
    world.assert_rating_replays(From("14"));
    world.decide_news(&split("x"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn merged_in_chains() {
    let mut world = World::of_twelve();
    world.decide_news(&merge("x", "y"));
    world.decide_news(&merge("y", "h"));
    world.assert_rating_replays(From("9"));
    world.put("club", round("13", 120, "b x y"));
    world.assert_rating_replays(From("13"));
    world.decide_news(&merge("h", "d"));
    // The first contest of h, which is now merged into d.
    world.assert_rating_replays(From("4"));
    world.put("club", round("14", 130, "h a y z"));
    world.assert_rating_replays(From("14"));
    world.decide_news(&split("y"));
    world.assert_rating_replays(From("9"));
    world.decide_news(&split("h"));
    world.assert_rating_replays(From("4"));
}

#[test]
fn decisions_that_no_rating_depends_on() {
    let mut world = World::of_twelve();
    world.decide_news(&rename("a", "Ada"));
    world.assert_rating_replays(Nothing);
    // No competitor of that name has a standing.
    world.decide_news(&merge("nobody", "a"));
    world.assert_rating_replays(Nothing);
    world.put("club", round("13", 120, "nobody c"));
    world.assert_rating_replays(From("13"));
    world.decide_news(&merge("z", "somebody"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn starting_ratings() {
    let mut world = World::of_twelve();
    world.start("club", "y", 1800.0);
    world.assert_rating_replays(From("9"));
    world.start("club", "y", 1801.0);
    world.assert_rating_replays(From("9"));
    world.start("club", "nobody", 1801.0);
    world.assert_rating_replays(Nothing);
    world.start("club", "h", 1550.0);
    world.assert_rating_replays(From("4"));
    // A competitor's own rating takes precedence over that of a merged account.
    world.decide_news(&merge("x", "y"));
    world.assert_rating_replays(From("9"));
    world.start("club", "x", 1300.0);
    world.assert_rating_replays(Nothing);
    // A competitor without one gets the lowest of its accounts.
    world.decide_news(&merge("y", "d"));
    world.assert_rating_replays(From("1"));
    world.start("club", "d", 1500.0);
    world.assert_rating_replays(From("1"));
    world.put("club", round("13", 120, "d e x"));
    world.assert_rating_replays(From("13"));
    world.decide_news(&split("y"));
    world.assert_rating_replays(From("9"));
}

#[test]
fn contests_without_an_order() {
    let mut world = World::of_twelve();
    world.put("club", round("13", 65, "a"));
    world.assert_rating_replays(From("13"));
    world.put("club", round("14", 130, "a=b=c"));
    world.assert_rating_replays(From("14"));
    world.put("club", round("15", 140, "!a !b"));
    world.put("club", round("16", 150, "b a"));
    world.assert_rating_replays(From("15"));
    world.change("4", |contest| {
        contest.entrants = round("4", 1, "a=b=c").entrants;
    });
    world.assert_rating_replays(From("4"));
    world.change("3", |contest| {
        contest.entrants = round("3", 1, "a b=c").entrants;
    });
    world.assert_rating_replays(From("3"));
    world.change("16", |contest| drop(contest.entrants.pop()));
    world.assert_rating_replays(From("16"));
}

#[test]
fn runs_go_on_each_for_itself() {
    let mut world = World::of_twelve_unrated();
    let run = |selection: RunSelection| Run {
        selection,
        ..every_system().swap_remove(0)
    };
    let mut away = round("1", 55, "a b other");
    away.division = Some("A".into());
    world.put("away", away);
    for id in ["2", "5", "8", "12"] {
        world.change(id, |contest| contest.division = Some("A".into()));
    }
    let (club, both) = (select(&["club"]), select(&["club", "away"]));
    world.runs = vec![
        run(club.clone()),
        run(both.clone()),
        run(RunSelection {
            division: Some("A".into()),
            ..both
        }),
        run(RunSelection {
            since: Some(at(40 * DAY)),
            ..club.clone()
        }),
        run(RunSelection {
            until: Some(at(80 * DAY)),
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
    world.put("club", round("13", 120, "a b c"));
    assert_eq!(replayed(&mut world), [1, 1, 0, 1, 0]);
    world.change("5", |contest| contest.weight = 0.5);
    assert_eq!(replayed(&mut world), [9, 10, 4, 9, 4]);
    world.put("away", round("2", 95, "other a"));
    assert_eq!(replayed(&mut world), [0, 4, 0, 0, 0]);
    world.decide_news(&merge("d", "x"));
    assert_eq!(replayed(&mut world), [12, 14, 2, 10, 7]);
    world.decide_news(&withdraw("8"));
    assert_eq!(replayed(&mut world), [5, 6, 1, 5, 0]);
}

#[test]
fn interrupted_it_is_as_it_was() {
    let mut world = World::of_twelve();
    world.change("5", |contest| contest.weight = 0.5);
    let before = world.store.content_hash().unwrap();
    for patience in [0, 1, 4, 7] {
        for run in &world.runs {
            let watch = Impatient::after(patience);
            let error = run.rate(&mut world.store, &watch).unwrap_err();
            assert!(matches!(error, Error::Interrupted), "{error:?}");
        }
        assert_eq!(world.store.content_hash().unwrap(), before);
    }
    world.assert_rating_replays(From("5"));
}

#[test]
fn a_run_of_another_make_is_made_from_the_beginning() {
    let mut world = World::of_twelve();
    let raw = world.open_raw();
    let others = [
        // Before contests of runs were recorded.
        "DELETE FROM run_contest; UPDATE rating_run SET fingerprint = zeroblob(32)",
        // Another engine with other numbers.
        "UPDATE run_contest SET chain = randomblob(32);
         UPDATE rating_run SET fingerprint = randomblob(32), engine = '0';
         UPDATE rating SET mu = mu + 1",
    ];
    for other in others {
        raw.execute_batch(other).unwrap();
        world.put("club", round("13", 120, "a b"));
        world.assert_rating_replays(From("1"));
    }
}

#[test]
fn when_every_contest_is_withdrawn_the_run_stays_until_one_is_back() {
    let mut world = World::of_twelve();
    world.runs.truncate(2);
    let ids: Vec<String> = (1..=12).map(|id| id.to_string()).collect();
    for id in &ids {
        world.decide_news(&withdraw(id));
    }
    let before = world.store.content_hash().unwrap();
    for run in &world.runs {
        let error = run.rate(&mut world.store, &Silent).unwrap_err();
        assert!(matches!(error, Error::NoContests { .. }), "{error:?}");
    }
    assert_eq!(world.store.content_hash().unwrap(), before);
    for id in &ids {
        world.decide_news(&restore(id));
    }
    for report in world.rate_all() {
        assert!(report.unchanged);
    }
}

#[test]
fn an_interrupted_run_writes_nothing() {
    let mut world = World::new();
    for id in 0..30 {
        world.put("club", random_contest(id, i64::from(id) * DAY, 5));
    }
    let run = every_system().swap_remove(0);
    let before = world.store.content_hash().unwrap();
    for patience in [0, 1, 15, 29] {
        let watch = Impatient::after(patience);
        let error = run.rate(&mut world.store, &watch).unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error:?}");
        assert_eq!(world.store.content_hash().unwrap(), before);
    }
    let watch = Impatient::after(30);
    let report = run.rate(&mut world.store, &watch).unwrap();
    assert_eq!((report.contests, report.results), (30, 150));
    assert_eq!(*watch.told(), ["rating 150"]);
    assert_eq!(watch.advanced().last(), Some(&(150, 30, 150)));
}
