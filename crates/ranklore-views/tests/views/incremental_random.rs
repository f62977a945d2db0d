//! Random changes between ratings yield the ratings of a replay from scratch.

use proptest::prelude::*;
use ranklore_contest::{Contest, Side, SourceName};
use ranklore_replay::{NoProgress, RunSelection, is_current};
use ranklore_store::{Decision, RunId};
use ranklore_test_support::{
    DAY, InterruptingProgress, RunSpec, World, all_system_runs, contest_time, merge, period_runs,
    rename, restore, round, select_sources, split, withdraw,
};
use ranklore_views::{
    ContestRequest, LeaderboardRequest, NamesPolicy, Page, ViewCache, ViewReader,
    load_contest_view, load_leaderboard,
};
use serde_json::Value;

#[derive(Clone, Debug)]
enum Step {
    Put(&'static str, Contest),
    Start(&'static str, &'static str, f64),
    Decide(&'static str, Decision),
    /// Makes one of the runs.
    Rate(prop::sample::Index),
    /// Makes one of the runs, and interrupts it after this number of contests.
    Interrupted(prop::sample::Index, u32),
}

const SOURCES: [&str; 2] = ["club", "away"];
const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

fn source_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&SOURCES[..])
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn id() -> impl Strategy<Value = String> {
    (1..12_u32).prop_map(|id| id.to_string())
}

/// Generates one to six entrants, some tied, the last ones perhaps without a place, some in teams
/// and perhaps in two.
fn order() -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(&NAMES[..], 1..=6).prop_shuffle();
    let partner = prop::option::weighted(0.3, name());
    let partners = prop::collection::vec(partner, 6);
    let ties = any::<[bool; 6]>();
    (names, partners, ties, 3..8_usize).prop_map(|(names, partners, tied, finished)| {
        let mut order = String::new();
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                let tied = tied[index] && index < finished;
                order.push(if tied { '=' } else { ' ' });
            }
            if index >= finished {
                order.push('!');
            }
            order.push_str(name);
            if let Some(partner) = partners[index].filter(|&partner| partner != name) {
                order.push('+');
                order.push_str(partner);
            }
        }
        order
    })
}

/// Generates a new contest or, since ids are few, a correction.
fn contest() -> impl Strategy<Value = Contest> {
    let weight = prop::sample::select(vec![1.0, 1.0, 0.25, 3.0]);
    let event = prop::option::of(prop::sample::select(vec!["cup", "league"]));
    let ordinal = prop::option::of(1..3_i64);
    let division = prop::option::of(Just("A".to_owned()));
    let sides = prop::option::of(prop::sample::select(vec![
        [Side::White, Side::Black],
        [Side::Away, Side::Home],
    ]));
    (id(), 1..8_i64, order(), weight, event, ordinal, division, sides).prop_map(
        |(id, day, order, weight, event, ordinal, division, sides)| {
            let mut contest = Contest {
                weight,
                event: event.map(str::to_owned),
                ordinal,
                division,
                ..round(&id, day, &order)
            };
            // Advantages count in games of two only.
            for (entrant, side) in contest.entrants.iter_mut().zip(sides.into_iter().flatten()) {
                entrant.side = Some(side);
            }
            contest
        },
    )
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        3 => (name(), name()).prop_map(|(subject, into)| merge(subject, into)),
        2 => name().prop_map(split),
        1 => name().prop_map(|subject| rename(subject, "somebody")),
        2 => id().prop_map(|id| withdraw(&id)),
        2 => id().prop_map(|id| restore(&id)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let start = prop::sample::select(vec![1300.0, 1500.0, 1650.5]);
    let run = any::<prop::sample::Index>;
    prop_oneof![
        6 => (source_name(), contest()).prop_map(|(source, contest)| Step::Put(source, contest)),
        1 => (source_name(), name(), start).prop_map(|(source, name, mu)| Step::Start(source, name, mu)),
        4 => (source_name(), decision()).prop_map(|(source, decision)| Step::Decide(source, decision)),
        3 => run().prop_map(Step::Rate),
        1 => (run(), 0..4_u32).prop_map(|(run, contests)| Step::Interrupted(run, contests)),
    ]
}

/// Creates runs over the club, both sources and parts of them, with systems of different states.
fn runs() -> Vec<RunSpec> {
    let mut runs = all_system_runs();
    // Systems that rate members come last.
    runs.drain(8..runs.len() - 3);
    runs.extend(period_runs());
    for (index, run) in runs.iter_mut().enumerate() {
        let both = select_sources(&SOURCES);
        run.selection = match index % 4 {
            0 => select_sources(&["club"]),
            1 => both,
            2 => RunSelection {
                since: Some(contest_time(3 * DAY)),
                ..both
            },
            _ => RunSelection {
                division: Some("A".into()),
                ..both
            },
        };
    }
    runs
}

/// Returns the views of the contests that a run covers.
fn contest_views(world: &World, run: RunId, cache: Option<&ViewCache>) -> Vec<Value> {
    let reader = ViewReader {
        store: &world.store,
        cache,
    };
    let contests = world.store.all_contests().unwrap().into_iter();
    let views = contests.filter_map(|listed| {
        let request = ContestRequest {
            run: run.into(),
            as_of: None,
            page: Page::ALL,
            names: NamesPolicy::Publishable,
        };
        let source = SourceName::new(&listed.source).unwrap();
        let view = load_contest_view(reader, &source, &listed.external_id, &request).ok()?;
        Some(serde_json::to_value(view).unwrap())
    });
    views.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn random_changes_match_rating_from_scratch(steps in prop::collection::vec(step(), 10..50)) {
        let mut world = World::new();
        world.runs = runs();
        let cache = ViewCache::default();
        // Never withdrawn, so that every run has a contest.
        for source in SOURCES {
            let division = Some("A".to_owned());
            world.upsert_contest(source, Contest { division, ..round("base", 4, "a b c") });
        }
        for step in steps {
            match step {
                Step::Put(source, contest) => world.upsert_contest(source, contest),
                Step::Start(source, name, mu) => world.set_starting_rating(source, name, mu),
                // Contradictory decisions fail.
                Step::Decide(source, decision) => drop(world.record_decision(source, &decision)),
                Step::Rate(run) => {
                    let runs: Vec<_> = world.store.runs().unwrap().into_iter()
                        .map(|run| (run.run_id, is_current(&world.store, &run).unwrap()))
                        .collect();
                    let report = run.get(&world.runs).rate(&mut world.store, &NoProgress).unwrap();
                    // Rating compares all inputs, whatever the change counters are.
                    let before = runs.into_iter().find(|run| run.0 == report.run_id);
                    prop_assert_eq!(before.is_some_and(|run| run.1), report.unchanged);
                    world.assert_current_ratings();
                    let request = LeaderboardRequest::from_run(report.run_id);
                    let board = |cache| {
                        let reader = ViewReader { store: &world.store, cache };
                        serde_json::to_value(load_leaderboard(reader, &request).unwrap()).unwrap()
                    };
                    prop_assert_eq!(board(Some(&cache)), board(None));
                    let contests = |cache| contest_views(&world, report.run_id, cache);
                    prop_assert_eq!(contests(Some(&cache)), contests(None));
                }
                Step::Interrupted(run, contests) => {
                    let watch = InterruptingProgress::after(contests);
                    let _ = run.get(&world.runs).rate(&mut world.store, &watch);
                }
            }
        }
        world.rate_all();
        world.assert_same_as_from_scratch();
    }
}
