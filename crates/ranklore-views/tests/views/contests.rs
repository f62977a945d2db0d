//! Contest views compared with rating rows and evaluations.

use ranklore_contest::Contest;
use ranklore_replay::{Error, NoProgress, RunChoice, SystemName, SystemSpec};
use ranklore_store::{RunId, Store};
use ranklore_test_support::{
    DAY, RunSpec, World, at, contest, contest_time, merge, random_contest, rename, round,
    select_sources, source, withdraw,
};
use ranklore_views::{
    ComparisonRequest, ContestRequest, ContestView, EvaluationSettings, Metric, NamesPolicy, Page,
    Train, UnratedReason, Upsets, ViewCache, ViewReader, compare_systems, evaluate,
    load_contest_view,
};
use serde_json::{Value, json};

use super::players::small_club;

fn contest_request() -> ContestRequest {
    ContestRequest {
        run: RunChoice::default(),
        as_of: None,
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    }
}

fn view<'s>(
    reader: impl Into<ViewReader<'s>>,
    contest: &str,
    request: &ContestRequest,
) -> Result<ContestView, Error> {
    load_contest_view(reader, &source("club"), contest, request)
}

fn load_view(world: &World, contest: &str) -> ContestView {
    view(&world.store, contest, &contest_request()).unwrap()
}

fn entry_name(store: &Store, view: &ContestView, entry: usize) -> String {
    let id = view.rows.entries[entry].competitor_id;
    store.competitors_by_id([id]).unwrap()[0].name.clone()
}

#[test]
fn ratings_before_and_after_match_rows() {
    let mut world = World::with_random_contests(40);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &world.store;
    let contests = store.all_contests().unwrap();
    for (position, row) in contests.iter().enumerate() {
        let view = view(store, &row.external_id, &contest_request()).unwrap();
        assert_eq!(view.rows.entries.len(), row.entrants as usize);
        let mut known = 0;
        let mut mus = Vec::new();
        for entry in &view.rows.entries {
            let after = [(row.contest_id, entry.competitor_id)];
            assert_eq!(store.ratings_at(run, after).unwrap(), [entry.after]);
            // Search all earlier rows.
            let keys = contests[..position].iter();
            let keys = keys.map(|contest| (contest.contest_id, entry.competitor_id));
            let before = store.ratings_at(run, keys).unwrap();
            let before = before.into_iter().flatten().next_back();
            assert_eq!(entry.predicted.is_some(), before.is_some());
            assert_eq!(entry.mu_before, Some(before.map_or(1500.0, |row| row.mu)));
            known += usize::from(before.is_some());
            mus.extend(before.map(|row| row.mu));
        }
        assert_eq!(view.rated_before, known);
        for entry in view.rows.entries.iter().filter(|entry| entry.predicted.is_some()) {
            let above = mus.iter().filter(|&&mu| Some(mu) > entry.mu_before);
            assert_eq!(entry.predicted, Some(above.count() as u32 + 1));
        }
    }
}

#[test]
fn ratings_before_a_game_of_a_long_run_match_rows() {
    // Above 100 contests per entrant, only the contests of the entrants are read.
    let mut world = World::new();
    for id in 1..=260_i64 {
        let players = ["a", "b", "c", "d", "e"];
        let order = [id % 5, (id + 1 + id % 3) % 5].map(|index| players[index as usize]);
        // Three games end at the same time.
        world.upsert_contest("club", contest(&id.to_string(), id / 3 * DAY, &order));
    }
    world.upsert_contest("club", contest("alone", 50 * DAY, &["a"]));
    world.record_effective_decision(&merge("e", "a"));
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &world.store;
    let contests = store.all_contests().unwrap();
    let mut compared = 0;
    for (position, row) in contests.iter().enumerate().skip(190) {
        let view = view(store, &row.external_id, &contest_request()).unwrap();
        assert!(!view.stale);
        for entry in view.rows.entries.iter().filter(|entry| entry.counted) {
            let keys = contests[..position].iter();
            let keys = keys.map(|contest| (contest.contest_id, entry.counts_as));
            let before = store.ratings_at(run, keys).unwrap();
            let before = before.into_iter().flatten().next_back();
            assert_eq!(entry.mu_before, before.map(|row| row.mu), "{position}");
            compared += 1;
        }
    }
    assert!(compared > 100, "too few to be conclusive");
}

#[test]
fn contest_accuracy_matches_evaluation() {
    // With two contests an evaluation leaves out none, and predicts the second.
    let mut world = World::new();
    for id in [1, 2] {
        world.upsert_contest("club", random_contest(id, i64::from(id) * DAY, 40));
    }
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &mut world.store;
    let run = store.run(run).unwrap().unwrap();
    let settings = EvaluationSettings::default();
    let evaluated = evaluate(store, run, &settings, false, at(0)).unwrap();
    let view = view(&*store, "2", &contest_request()).unwrap();
    assert!(view.pair_inversion.is_some());
    let metrics = &evaluated.slices[0].metrics;
    assert_eq!(view.pair_inversion, metrics.get(Metric::PairInversion));
    assert_eq!(view.rank_deviation, metrics.get(Metric::RankDeviation));
}

#[test]
fn upsets_are_sorted_by_distance() {
    let order: Vec<String> = ('a'..='j').map(String::from).collect();
    let as_rated: Vec<&str> = order.iter().map(String::as_str).collect();
    let mut upset = as_rated.clone();
    // The last wins, and a newcomer is second.
    upset.rotate_right(1);
    upset.insert(1, "newcomer");
    // The first becomes last.
    let first = upset.remove(2);
    upset.push(first);
    let mut world = small_club(&[&as_rated, &as_rated, &upset]);
    world.rate_elo_mmr(&Value::Null);
    let store = &world.store;
    let third = view(store, "3", &contest_request()).unwrap();
    assert_eq!((third.rows.entries.len(), third.rated_before), (11, 10));
    assert_eq!(third.rows.entries[1].predicted, None);
    let above = &third.upsets.above[0];
    assert_eq!(entry_name(store, &third, above.entry), "j");
    assert_eq!((above.predicted, above.place), (10, 1));
    assert_eq!((above.reversed, above.rivals), (9, 9));
    let below = &third.upsets.below[0];
    assert_eq!(entry_name(store, &third, below.entry), "a");
    assert_eq!((below.predicted, below.place), (1, 10));
    assert_eq!((below.reversed, below.rivals), (9, 9));
    assert_eq!((third.upsets.above.len(), third.upsets.below.len()), (1, 1));
    // In the first contest no entrant is rated; the second went as predicted.
    for quiet in ["1", "2"] {
        let upsets = view(store, quiet, &contest_request()).unwrap().upsets;
        assert_eq!(upsets, Upsets::default());
    }
}

#[test]
fn better_of_two_accounts_counts() {
    let mut world = small_club(&[&["old", "b", "c"], &["new", "b", "old", "c"]]);
    world.record_effective_decision(&merge("old", "new"));
    world.rate_elo_mmr(&Value::Null);
    let view = load_view(&world, "2");
    let counted: Vec<bool> = view.rows.entries.iter().map(|entry| entry.counted).collect();
    assert_eq!(counted, [true, true, false, true]);
    assert_eq!(view.rows.entries[2].counts_as, view.rows.entries[0].competitor_id);
    assert_eq!((view.rows.entries[2].after, view.rows.entries[2].predicted), (None, None));
    // Earlier results of the other account count for the merge target.
    assert_eq!(view.rated_before, 3);
    assert_eq!(view.rows.entries[0].predicted, Some(1));
    let first = load_view(&world, "1");
    assert!(first.rows.entries[0].counted && first.rows.entries[0].after.is_some());
    assert_eq!(view.rows.entries[0].mu_before, first.rows.entries[0].after.map(|row| row.mu));
}

#[test]
fn unrated_contest_states_reason() {
    let mut world = small_club(&[&["a", "b"], &["a"], &["b", "a"]]);
    world.rate_elo_mmr(&Value::Null);
    let alone = load_view(&world, "2");
    assert_eq!(alone.unrated, Some(UnratedReason::NoOrder));
    assert_eq!((alone.pair_inversion, alone.rows.entries[0].after), (None, None));
    // The second contest has no rows: the rating before the third is that after the first.
    let (first, third) = (load_view(&world, "1"), load_view(&world, "3"));
    assert_eq!(third.unrated, None);
    let after = first.rows.entries[0].after.map(|row| row.mu);
    assert_eq!(third.rows.entries[1].mu_before, after);
    let source_id = world.store.source_id(&source("club")).unwrap().unwrap();
    let mut batch = world.store.batch().unwrap();
    assert!(batch.record_decision(source_id, &withdraw("3"), None, at(7)).unwrap());
    batch.commit().unwrap();
    let withdrawn = load_view(&world, "3");
    assert_eq!(withdrawn.unrated, Some(UnratedReason::Withdrawn));
    assert!(withdrawn.stale);
    assert_eq!(withdrawn.contest.withdrawn_at, Some(7));
    // The prediction of a withdrawn contest is still shown.
    assert_eq!(withdrawn.rows.entries[1].predicted, Some(1));
    // The rating row is still shown, too.
    assert_eq!(withdrawn.rows.entries[1].after, third.rows.entries[1].after);
}

#[test]
fn contest_is_found_by_id_then_name() {
    let mut world = World::new();
    for (id, name) in [(1, "Opening"), (2, "Spring"), (3, "Spring"), (4, "2")] {
        let contest = contest(&id.to_string(), id * DAY, &["a", "b"]);
        let name = name.to_owned();
        world.upsert_contest("club", Contest { name, ..contest });
    }
    world.rate_elo_mmr(&Value::Null);
    let id = |name| load_view(&world, name).contest.external_id;
    assert_eq!(id("2"), "2", "the id and not the name");
    assert_eq!(id("opening"), "1");
    assert_eq!(id("Openign"), "1");
    let store = &world.store;
    let error = view(store, "Spring", &contest_request()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"Spring\" does not identify one contest of club; use one of these names"
    );
    assert_eq!(
        error.candidates(),
        [
            "\"3\", called \"Spring\", of 1970-01-04",
            "\"2\", called \"Spring\", of 1970-01-03"
        ]
    );
    let error = view(store, "Round 7", &contest_request()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no contest like \"Round 7\" in club: give its id, or its name or a part of it"
    );
    let error = view(store, "zzz", &contest_request()).unwrap_err();
    assert!(matches!(error, Error::NoContest(_)));
    let early = ContestRequest {
        as_of: Some(contest_time(3 * DAY - 1)),
        ..contest_request()
    };
    let error = view(store, "3", &early).unwrap_err();
    assert!(matches!(error, Error::NotEnded { .. }), "{error}");
    let nowhere = ContestRequest {
        run: RunId::new(9).into(),
        ..contest_request()
    };
    assert!(matches!(view(store, "3", &nowhere), Err(Error::NoRun { .. })));
}

#[test]
fn contest_without_run_shows_standings() {
    let mut world = small_club(&[&["b", "a"], &["a", "b"]]);
    world.upsert_contest("club", contest("3", 3 * DAY, &["a"]));
    let view = load_view(&world, "2");
    assert!(view.run.is_none());
    assert_eq!((view.unrated, view.stale), (Some(UnratedReason::NotYet), false));
    assert_eq!((view.rated_before, &view.upsets), (0, &Upsets::default()));
    assert_eq!(entry_name(&world.store, &view, 0), "a");
    for entry in &view.rows.entries {
        assert!(entry.counted && entry.mu_before.is_none() && entry.mu().is_none());
    }
    assert_eq!(load_view(&world, "3").unrated, Some(UnratedReason::NoOrder));
    world.record_effective_decision(&withdraw("2"));
    assert_eq!(load_view(&world, "2").unrated, Some(UnratedReason::Withdrawn));
}

#[test]
fn stale_run_is_shown_unchanged() {
    let mut world = small_club(&[&["b", "a"], &["a", "b"], &["b", "c", "a"], &["d", "b"]]);
    world.rate_elo_mmr(&Value::Null);
    let shown_rows = |world: &World, id: &str| {
        let view = load_view(world, id);
        (view.rated_before, view.pair_inversion, view.rows.entries, view.upsets)
    };
    let before = ["2", "3", "4"].map(|id| shown_rows(&world, id));
    world.record_effective_decision(&merge("b", "a"));
    assert_eq!(["2", "3", "4"].map(|id| shown_rows(&world, id)), before);
    // A contest newer than the run uses current merges.
    world.upsert_contest("club", contest("5", 5 * DAY, &["e", "b"]));
    let view = load_view(&world, "5");
    assert_eq!((view.rated_before, view.unrated), (1, Some(UnratedReason::NotYet)));
    for contest in ["1", "2", "3", "4", "5"] {
        world.record_effective_decision(&withdraw(contest));
    }
    assert_eq!(["2", "3", "4"].map(|id| shown_rows(&world, id)), before);
    let view = load_view(&world, "2");
    assert_eq!(view.unrated, Some(UnratedReason::Withdrawn));
    assert!(view.stale);
}

#[test]
fn newcomer_rating_depends_on_event() {
    let mut world = World::new();
    for (id, event, order) in [
        ("1", "spring", "a b"),
        ("2", "spring", "c d"),
        ("3", "summer", "a b"),
        ("4", "autumn", "new a"),
    ] {
        let contest = round(id, id.parse().unwrap(), order);
        let event = Some(event.to_owned());
        world.upsert_contest("club", Contest { event, ..contest });
    }
    world.runs = vec![RunSpec {
        system: SystemName::find("elo-srm2").unwrap(),
        ..RunSpec::elo_mmr(&json!({"inflation": 7}))
    }];
    world.rate_all();
    let before = |contest: &str| {
        let view = view(&world.store, contest, &contest_request()).unwrap();
        let name =
            |entry| (entry_name(&world.store, &view, entry), view.rows.entries[entry].mu_before);
        [name(0), name(1)]
    };
    assert_eq!(before("2"), [("c".into(), Some(1200.0)), ("d".into(), Some(1200.0))]);
    assert_eq!(before("4")[0], ("new".into(), Some(1214.0)));
}

#[test]
fn contest_that_is_left_out_inflates_no_newcomer() {
    let ratings = |with_left_out: bool| {
        let mut world = World::new();
        world.upsert_contest("club", round("1", 1, "a b"));
        if with_left_out {
            // Nobody finished.
            world.upsert_contest("club", round("2", 2, "!a !b"));
        }
        world.upsert_contest("club", round("3", 3, "b a c"));
        world.runs = vec![RunSpec {
            system: SystemName::find("elo-srm2").unwrap(),
            ..RunSpec::elo_mmr(&json!({"inflation": 7}))
        }];
        world.rate_all();
        // The run is continued.
        world.upsert_contest("club", round("4", 4, "new a other"));
        world.rate_all();
        let view = view(&world.store, "4", &contest_request()).unwrap();
        let entries = view.rows.entries.iter();
        let ratings: Vec<_> = entries
            .map(|entry| (entry.mu_before, entry.after.unwrap().mu.to_bits()))
            .collect();
        let run = world.store.run(RunId::new(1)).unwrap().unwrap();
        let settings = EvaluationSettings {
            train: Some(Train::Percent(0.0)),
            ..EvaluationSettings::default()
        };
        let evaluation = evaluate(&mut world.store, run, &settings, false, at(0)).unwrap();
        let all = evaluation.slice("all").unwrap().clone();
        let request = ComparisonRequest {
            selection: select_sources(&["club"]),
            systems: SystemSpec::parse_list("elo-srm2:inflation=7").unwrap(),
            settings,
            metric: Metric::Concordance,
            slice: None,
            against_official: false,
            now: at(7),
        };
        let comparison = compare_systems(&mut world.store, &request, &NoProgress).unwrap();
        let mut systems = comparison.systems.iter();
        let compared = systems.find(|system| system.parameters.is_some()).unwrap();
        let compared = compared.slice("all").unwrap();
        assert_eq!(compared.metrics, all.metrics);
        (ratings, all.metrics)
    };
    let (without, metrics) = ratings(false);
    assert_eq!(without[0].0, Some(1214.0));
    assert_eq!(ratings(true), (without, metrics));
}

#[test]
fn past_winners_are_of_earlier_contests_of_the_same_name() {
    let mut world = World::new();
    let contests = [
        ("2019", "Lake Open 2019", Some("A"), "a b c"),
        ("2020", "Lake Open 2020", Some("A"), "b=c a"),
        ("other", "Lake Cup 2020", Some("A"), "c b a"),
        ("juniors", "Lake Open 2020", Some("B"), "c b a"),
        ("open", "Lake Open 2020", None, "c b a"),
        ("game", "Lake Open 2020", Some("A"), "c b"),
        ("taken-back", "1st Lake Open 2020", Some("A"), "c b a"),
        ("2021", "Lake Open 2021", Some("A"), "!a !b !c"),
        ("2022", "LAKE OPEN 2022", Some("A"), "c a b"),
        ("now", "Lake Open 2023", Some("A"), "a b c"),
        ("later", "Lake Open 2024", Some("A"), "b a c"),
    ];
    for (day, (id, name, division, order)) in contests.into_iter().enumerate() {
        let mut contest = round(id, day as i64, order);
        contest.name = name.to_owned();
        contest.division = division.map(str::to_owned);
        world.upsert_contest("club", contest);
    }
    world.record_effective_decision(&withdraw("taken-back"));
    let past = load_view(&world, "now").past_winners;
    let actual: Vec<(&str, Vec<&str>)> = past
        .iter()
        .map(|contest| {
            let winners = contest.winners.iter().map(|winner| &*winner.name);
            (&*contest.external_id, winners.collect())
        })
        .collect();
    let expected = [
        ("2022", vec!["c"]),
        ("2020", vec!["b", "c"]),
        ("2019", vec!["a"]),
    ];
    assert_eq!(actual, expected);
    assert!(load_view(&world, "game").past_winners.is_empty());
    assert!(load_view(&world, "2019").past_winners.is_empty());
}

#[test]
fn kept_past_winners_follow_every_change() {
    let mut world = World::new();
    let cache = ViewCache::default();
    let open = |day: i64, order| {
        let name = format!("Lake Open {day}");
        Contest {
            name,
            ..round(&day.to_string(), day, order)
        }
    };
    let mut pages = Vec::new();
    let mut winners = |world: &World| {
        let reader = ViewReader {
            store: &world.store,
            cache: Some(&cache),
        };
        let request = contest_request();
        // The second view finds what the first one has loaded.
        let [first, second] = [(); 2].map(|()| view(reader, "9", &request).unwrap().past_winners);
        let fresh = view(&world.store, "9", &request).unwrap().past_winners;
        assert_eq!((&first, &second), (&fresh, &fresh));
        assert!(!pages.contains(&fresh));
        pages.push(fresh);
    };
    world.upsert_contest("club", open(9, "a b c"));
    winners(&world);
    world.upsert_contest("club", open(5, "a b c"));
    winners(&world);
    world.upsert_contest("club", open(5, "b a c"));
    winners(&world);
    world.upsert_contest("club", open(2, "c a b"));
    winners(&world);
    world.record_effective_decision(&rename("b", "Bea"));
    winners(&world);
    world.record_effective_decision(&withdraw("5"));
    winners(&world);
}
