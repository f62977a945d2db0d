//! Comparison of systems, against their runs.

use ranklore_replay::{ChosenSystem, Error, NoProgress, RunChoice, SystemSpec, find_run};
use ranklore_test_support::{
    DAY, InterruptingProgress, RunSpec, World, at, contest_time, merge, round, select_sources,
    source,
};
use ranklore_views::{
    ComparedSystem, Comparison, ComparisonRequest, EvaluationSettings, Metric, SliceBy, Train,
    compare_systems, evaluate,
};
use serde_json::json;

fn request(systems: &str) -> ComparisonRequest {
    ComparisonRequest {
        selection: select_sources(&["club"]),
        systems: SystemSpec::parse_list(systems).unwrap(),
        settings: EvaluationSettings::default(),
        metric: Metric::Concordance,
        slice: None,
        against_official: false,
        now: at(7),
    }
}

fn compare(world: &mut World, request: &ComparisonRequest) -> Comparison {
    compare_systems(&mut world.store, request, &NoProgress).unwrap()
}

#[test]
fn compared_systems_predict_like_their_runs() {
    let mut world = World::with_random_contests(40);
    assert!(world.record_decision("club", &merge("player 1", "player 2")).unwrap());
    let systems = "elo-mmr:rho=0.3,glicko,trueskill,topcoder-official,elo-mmx:dnf=drop";
    let settings = EvaluationSettings {
        slices: vec![
            SliceBy::Experience,
            SliceBy::Size,
            SliceBy::Year,
            SliceBy::Half,
        ],
        k: 0.5,
        train: Some(Train::Percent(25.0)),
        ..EvaluationSettings::default()
    };
    let comparison = ComparisonRequest {
        settings: settings.clone(),
        ..request(systems)
    };
    let compared = compare(&mut world, &comparison);
    assert_eq!(world.store.runs().unwrap(), []);
    assert_eq!((compared.trained, compared.predicted), (10, 30));
    for spec in &comparison.systems {
        let run = RunSpec {
            system: spec.system,
            parameters: spec.settings.clone(),
            ..RunSpec::elo_mmr(&json!({}))
        };
        run.rate(&mut world.store, &NoProgress).unwrap();
        let choice = RunChoice {
            system: Some(ChosenSystem::Computed(spec.clone())),
            ..RunChoice::default()
        };
        let run = find_run(&world.store, &[source("club")], &choice).unwrap();
        let from_rows = evaluate(&mut world.store, run, &settings, false, at(0)).unwrap();
        let name = spec.to_string();
        let system = compared.systems.iter().find(|system| system.system == name).unwrap();
        assert_eq!(system.slices.len(), from_rows.slices.len());
        for (live, stored) in system.slices.iter().zip(&from_rows.slices) {
            assert_eq!(live.slice, stored.slice);
            assert_eq!(live.metrics, stored.metrics, "{name}, {}", live.slice);
            assert_eq!(live.calibration, stored.calibration);
            assert!(live.contests > 0, "{}", live.slice);
        }
    }
}

#[test]
fn starting_rating_of_newcomers_is_not_inflated() {
    let mut world = World::new();
    for (day, order) in [(1, "a b"), (2, "a b"), (3, "a start")] {
        world.upsert_contest("club", round(&day.to_string(), day, order));
    }
    // That of newcomers of the system.
    world.set_starting_rating("club", "start", 1200.0);
    let mut comparison = request("elo-srm2:inflation=1000");
    comparison.settings.train = Some(Train::Until(contest_time(2 * DAY + DAY / 2)));
    let compared = compare(&mut world, &comparison);
    let system = compared.systems.iter().find(|system| system.parameters.is_some()).unwrap();
    let live = system.slice("all").unwrap().metrics;
    assert_eq!(live.get(Metric::Concordance), Some(100.0));
    let run = RunSpec {
        system: comparison.systems[0].system,
        ..RunSpec::elo_mmr(&json!({"inflation": 1000}))
    };
    run.rate(&mut world.store, &NoProgress).unwrap();
    let run = find_run(&world.store, &[source("club")], &RunChoice::default()).unwrap();
    let stored = evaluate(&mut world.store, run, &comparison.settings, false, at(0)).unwrap();
    assert_eq!(stored.slice("all").unwrap().metrics, live);
}

#[test]
fn systems_are_ordered_and_stored_with_intervals() {
    let mut world = World::with_random_contests(30);
    for metric in [Metric::Concordance, Metric::LogLoss] {
        let comparison = ComparisonRequest {
            metric,
            ..request("elo-mmr,glicko,codeforces,elo")
        };
        let compared = compare(&mut world, &comparison);
        let [left_out] = &compared.left_out[..] else {
            panic!("{:?}", compared.left_out);
        };
        assert_eq!(left_out.system, "elo");
        assert!(left_out.reason.contains("at most 2 entrants"), "{}", left_out.reason);
        let names: Vec<&str> = compared.systems.iter().map(|system| &*system.system).collect();
        assert_eq!(names.len(), 5);
        assert!(names.contains(&"coin toss") && names.contains(&"previous place"));
        let values: Vec<_> =
            compared.systems.iter().filter_map(|system| system.metric(metric)).collect();
        for pair in values.windows(2) {
            assert!(!metric.is_better(pair[1].value, pair[0].value));
        }
        // Random results: a baseline can be better, but is never the reference.
        let best = compared.systems.iter().find(|system| system.parameters.is_some()).unwrap();
        let reference = best.metric(metric).unwrap();
        assert_eq!((reference.difference, reference.difference_low), (0.0, Some(0.0)));
        assert_eq!(best.contests_won, None);
        for value in &values {
            let (low, high) = (value.low.unwrap(), value.high.unwrap());
            assert!(low <= value.value && value.value <= high);
            let (low, high) = (value.difference_low.unwrap(), value.difference_high.unwrap());
            assert!(low <= value.difference && value.difference <= high);
        }
        let stored = world.store.comparison(&compared.selection).unwrap();
        assert_eq!(stored.len(), 5, "the last comparison replaces earlier ones");
        let best = stored.iter().find(|listed| listed.system == best.system).unwrap();
        let mut rows = best.metrics.iter();
        let row = rows.find(|row| row.slice == compared.slice && row.metric == metric.as_str());
        let row = row.unwrap();
        assert!((row.value - reference.value).abs() < 1e-9);
        assert_eq!((row.low, row.high), (reference.low, reference.high));
    }
    let coin = compare(&mut world, &request("elo-mmr"));
    let coin = coin.systems.iter().find(|system| system.system == "coin toss").unwrap();
    let everybody = coin.slice("everybody").unwrap();
    assert_eq!(everybody.metrics.get(Metric::Concordance), Some(50.0));
    assert_eq!(everybody.metrics.get(Metric::KendallTau), Some(0.0));
    assert_eq!(everybody.metrics.get(Metric::PairInversion), None);
}

#[test]
fn coin_toss_is_not_best_by_surprise() {
    let mut world = World::with_random_contests(30);
    let comparison = ComparisonRequest {
        metric: Metric::Surprise,
        ..request("elo-mmr,glicko")
    };
    let compared = compare(&mut world, &comparison);
    let are_systems = compared.systems.iter().map(|system| system.parameters.is_some());
    assert_eq!(are_systems.collect::<Vec<_>>(), [true, true, false, false]);
    for baseline in &compared.systems[2..] {
        assert_eq!(baseline.metric(Metric::Surprise), None);
        assert_eq!(baseline.slice("everybody").unwrap().metrics.get(Metric::Surprise), None);
    }
}

#[test]
fn days_of_one_event_are_resampled_and_one_day_is_not() {
    for (games_a_day, has_interval) in [(4, true), (40, false)] {
        let mut world = World::new();
        for id in 0..40 {
            let order = ["a b", "b c", "a c", "c a", "b a"][id as usize % 5];
            let mut contest = round(&id.to_string(), 100 + id / games_a_day, order);
            contest.event = Some("the season".to_owned());
            contest.ordinal = Some(id);
            world.upsert_contest("club", contest);
        }
        let compared = compare(&mut world, &request("elo,glicko"));
        for system in &compared.systems {
            for metric_value in &system.compared {
                let intervals = [
                    metric_value.low,
                    metric_value.high,
                    metric_value.difference_low,
                    metric_value.difference_high,
                ];
                assert!(
                    intervals.iter().all(|bound| bound.is_some() == has_interval),
                    "{metric_value:?}"
                );
            }
        }
    }
}

#[test]
fn members_are_compared_with_members_only() {
    let mut world = World::new();
    for day in 1..=8 {
        let order = if day % 3 == 0 {
            "b+c a+d e"
        } else {
            "a+d e b+c"
        };
        world.upsert_contest("club", round(&day.to_string(), day, order));
    }
    let members = "elo-mmr:teams=members,trueskill:teams=members";
    let compared = compare(&mut world, &request(members));
    assert_eq!(compared.systems.len(), 4);
    let mixed = request("elo-mmr:teams=members,trueskill");
    let error = compare_systems(&mut world.store, &mixed, &NoProgress).unwrap_err();
    assert!(matches!(error, Error::MixedTeamModes { .. }), "{error}");
}

#[test]
fn nothing_to_predict_is_an_error_of_its_own() {
    let mut world = World::with_random_contests(12);
    let mut error = |change: fn(&mut ComparisonRequest)| {
        let mut changed = request("elo-mmr");
        change(&mut changed);
        let error = compare_systems(&mut world.store, &changed, &NoProgress).unwrap_err();
        error.to_string()
    };
    let message = error(|request| request.settings.train = Some(Train::Until(contest_time(0))));
    assert!(message.starts_with("no contest trains"), "{message}");
    let message = error(|request| request.settings.train = Some(Train::Percent(1.0)));
    assert!(message.starts_with("no contest trains"), "{message}");
    let late = |request: &mut ComparisonRequest| {
        request.settings.train = Some(Train::Until(contest_time(4_000_000_000)));
    };
    let message = error(late);
    assert!(message.starts_with("nothing is left to predict"), "{message}");
    let large = |request: &mut ComparisonRequest| {
        request.settings.slices = vec![SliceBy::Size];
        request.slice = Some("size 800+".to_owned());
    };
    let message = error(large);
    assert!(message.contains("\"size 800+\" has no two entrants"), "{message}");
    let message = error(|request| request.slice = Some("size 800+".to_owned()));
    assert!(message.contains("there is no slice \"size 800+\""), "{message}");
    assert!(message.contains("everybody, experienced, top100"), "{message}");
    let message = error(|request| request.systems = SystemSpec::parse_list("elo").unwrap());
    assert!(message.starts_with("no system can be compared: elo"), "{message}");
    let message = error(|request| request.against_official = true);
    assert!(message.contains("no official ratings"), "{message}");
    let interrupted = InterruptingProgress::after(3);
    let comparison = request("elo-mmr");
    let error = compare_systems(&mut world.store, &comparison, &interrupted).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    assert_eq!(world.store.comparison(&comparison.selection.canonical_json()).unwrap(), []);
}

#[test]
fn systems_that_drop_entrants_predict_the_same_ones() {
    let mut world = World::new();
    for day in 1..=12 {
        let order = if day % 2 == 0 {
            "a b d !c"
        } else {
            "b a !d !c"
        };
        world.upsert_contest("club", round(&day.to_string(), day, order));
    }
    let compared = compare(&mut world, &request("elo-mmr,elo-mmr:dnf=drop,trueskill"));
    for slice in ["everybody", "experienced"] {
        let counts = |system: &ComparedSystem| {
            let system = system.slice(slice).unwrap();
            (system.contests, system.results)
        };
        let first = counts(&compared.systems[0]);
        assert!(first.1 > 20, "{first:?}");
        for system in &compared.systems {
            assert_eq!(counts(system), first, "{}, {slice}", system.system);
        }
    }
}
