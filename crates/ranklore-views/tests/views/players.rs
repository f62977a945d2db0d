//! Player views compared with rating rows and the leaderboard.

#![expect(
    clippy::float_cmp,
    reason = "equal values are bit-identical, not only close"
)]

use ranklore_replay::{Error, NoProgress, RunChoice, SYSTEMS};
use ranklore_store::Store;
use ranklore_test_support::{
    DAY, RunSpec, World, contest, contest_time, merge, rename, source, split, withdraw,
};
use ranklore_views::{
    LeaderboardRequest, NamesPolicy, Page, PlayerContest, PlayerRequest, PlayerView, UnratedReason,
    find_shown_competitors, load_leaderboard, load_player_view,
};
use serde_json::{Value, json};

fn player_request() -> PlayerRequest {
    PlayerRequest {
        kind: None,
        run: RunChoice::default(),
        as_of: None,
        as_stored: false,
        opponents: Some(usize::MAX),
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    }
}

fn load_view(world: &World, name: &str) -> PlayerView {
    load_player_view(&world.store, &source("club"), name, &player_request()).unwrap()
}

/// Creates a club with these contests, one per day from day 1 on.
pub(super) fn small_club(contests: &[&[&str]]) -> World {
    let mut world = World::new();
    for (id, order) in (1_i64..).zip(contests) {
        world.upsert_contest("club", contest(&id.to_string(), id * DAY, order));
    }
    world
}

#[test]
fn only_shown_names_find_competitors() {
    let mut world = small_club(&[&["ada", "bea", "cy"], &["bea", "ada"]]);
    world.record_effective_decision(&rename("bea", "Beatrix"));
    let find = |world: &World, text: &str| {
        let competitors =
            find_shown_competitors(&world.store, &source("club"), text, None).unwrap();
        competitors.into_iter().map(|competitor| competitor.name).collect::<Vec<_>>()
    };
    assert_eq!(find(&world, "ada"), ["ada"]);
    assert_eq!(find(&world, "bea"), ["Beatrix"]);
    assert_eq!(find(&world, "Beatrix"), ["Beatrix"]);
    for other in ["Ada", "ad", "adaa", "person-0123456789"] {
        assert_eq!(find(&world, other), [""; 0], "{other}");
    }
    let club = world.store.source_id(&source("club")).unwrap().unwrap();
    let mut batch = world.store.batch().unwrap();
    batch.require_pseudonyms(club).unwrap();
    batch.commit().unwrap();
    for hidden in ["ada", "bea", "Beatrix"] {
        assert_eq!(find(&world, hidden), [""; 0], "{hidden}");
        let view = PlayerRequest {
            names: NamesPolicy::Publishable,
            ..player_request()
        };
        world.rate_elo_mmr(&Value::Null);
        let pseudonym = load_player_view(&world.store, &source("club"), hidden, &view)
            .unwrap()
            .competitor
            .name;
        assert!(pseudonym.starts_with("person-"), "{pseudonym}");
        assert_eq!(find(&world, &pseudonym), [&*pseudonym]);
    }
    let person = find_shown_competitors(&world.store, &source("other"), "ada", None);
    assert!(matches!(person, Err(Error::NoSource { .. })));
}

#[test]
fn player_views_match_leaderboard_and_rows() {
    let mut world = World::with_random_contests(40);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &world.store;
    for as_of in [None, Some(contest_time(20 * 7 * DAY))] {
        for active in [true, false] {
            let request = LeaderboardRequest {
                as_of,
                inactive: !active,
                ..LeaderboardRequest::from_run(run)
            };
            let board = load_leaderboard(store, &request).unwrap();
            for row in board.rows.iter().map(|row| &row.standing) {
                let name = store.competitors_by_id([row.competitor_id]).unwrap();
                let request = PlayerRequest {
                    as_of,
                    ..player_request()
                };
                let player =
                    load_player_view(store, &source("club"), &name[0].name, &request).unwrap();
                let standing = player.standing.unwrap();
                assert_eq!((&standing.row, standing.active), (row, active));
                assert_eq!(standing.among, board.total);
                let steps = player.history.iter().filter_map(|appearance| appearance.rating);
                let steps: Vec<_> = steps.collect();
                let last = steps.last().unwrap();
                assert_eq!((last.mu, last.sigma), (row.mu, row.sigma));
                assert_eq!(last.change, row.last_change);
                assert_eq!(steps.len(), row.contests as usize);
                let run_says = &player.runs[0];
                assert_eq!((run_says.mu, run_says.sigma), (row.mu, row.sigma));
                assert_eq!(run_says.conservative, row.conservative);
                for appearance in &player.history {
                    let id = appearance.contest.contest_id;
                    let stored = store.ratings_at(run, [(id, row.competitor_id)]).unwrap();
                    let mu = appearance.rating.map(|step| step.mu);
                    assert_eq!(stored[0].map(|row| row.mu), mu);
                    assert!(
                        as_of.is_none_or(|until| appearance.contest.ends_at <= Some(until.get()))
                    );
                }
            }
        }
    }
}

#[test]
fn highlights_are_the_extremes() {
    let mut world = World::with_random_contests(40);
    world.rate_elo_mmr(&Value::Null);
    let player = load_view(&world, "player 7");
    let highlights = player.highlights.unwrap();
    let rated = || player.history.iter().filter_map(|appearance| appearance.rating);
    let at = |appearance: &PlayerContest| appearance.rating.unwrap();
    let mus = || rated().map(|step| step.mu);
    let changes = || rated().filter_map(|step| step.change);
    assert_eq!(at(&highlights.highest).mu, mus().fold(f64::MIN, f64::max));
    assert_eq!(at(&highlights.lowest).mu, mus().fold(f64::MAX, f64::min));
    let gain = at(&highlights.gain.unwrap()).change.unwrap();
    assert_eq!(gain, changes().fold(f64::MIN, f64::max));
    let loss = at(&highlights.loss.unwrap()).change.unwrap();
    assert_eq!(loss, changes().fold(f64::MAX, f64::min));
    let best_place = highlights.best_place.unwrap().outcome.place();
    let places = player.history.iter().map(|appearance| appearance.outcome.place());
    assert_eq!(best_place, places.min().unwrap());
}

#[test]
fn unrated_contests_state_reason() {
    let mut world = small_club(&[&["a", "b"], &["b", "a"], &["a"], &["a", "c"]]);
    world.rate_elo_mmr(&Value::Null);
    let reasons = |world: &World| -> Vec<Option<UnratedReason>> {
        let history = load_view(world, "a").history;
        history.iter().map(|appearance| appearance.unrated).collect()
    };
    let order = Some(UnratedReason::NoOrder);
    assert_eq!(reasons(&world), [None, None, order, None]);
    world.record_effective_decision(&withdraw("2"));
    assert_eq!(reasons(&world), [None, Some(UnratedReason::Withdrawn), order, None]);
    let withdrawn = load_view(&world, "a");
    assert!(withdrawn.stale);
    // The run is shown as it was made.
    assert_eq!(withdrawn.runs[0].contests, 3);
    assert!(withdrawn.history[1].rating.is_some());
    world.upsert_contest("club", contest("5", 5 * DAY, &["c", "a"]));
    assert_eq!(reasons(&world)[4], Some(UnratedReason::NotYet));
    // A run over the first contests only.
    let mut early = RunSpec::elo_mmr(&Value::Null);
    early.selection.until = Some(contest_time(2 * DAY));
    let run = early.rate(&mut world.store, &NoProgress).unwrap().run_id;
    let request = PlayerRequest {
        run: run.into(),
        ..player_request()
    };
    let player = load_player_view(&world.store, &source("club"), "a", &request).unwrap();
    assert_eq!(player.history[3].unrated, Some(UnratedReason::NotSelected));
    assert_eq!(player.runs.len(), 2);
    assert_eq!(player.runs[1].settings, ["before 1970-01-03"]);
}

#[test]
fn merged_account_finds_its_merge_root() {
    let mut world = small_club(&[&["old", "b"], &["b", "new"], &["new", "b", "old"]]);
    world.record_effective_decision(&merge("old", "new"));
    world.rate_elo_mmr(&Value::Null);
    let player = load_view(&world, "old");
    assert_eq!(player.found_account.external_id, "old");
    assert_eq!(player.competitor.external_id, "new");
    assert_eq!(player.accounts.len(), 1);
    let places: Vec<_> = player
        .history
        .iter()
        .map(|appearance| {
            (appearance.account.competitor_id, appearance.outcome.place().unwrap().get())
        })
        .collect();
    let (old, new) = (player.found_account.competitor_id, player.competitor.competitor_id);
    assert_eq!(places, [(old, 1), (new, 2), (new, 1)]);
    assert!(player.history.iter().all(|appearance| appearance.rating.is_some()));
    assert_eq!(player.standing.unwrap().row.contests, 3);
}

#[test]
fn all_names_and_runs_are_listed() {
    let mut world = small_club(&[&["a", "b"], &["b", "a"]]);
    world.rate_elo_mmr(&Value::Null);
    world.rate_elo_mmr(&json!({"rho": 0.5}));
    let other = RunSpec {
        system: SYSTEMS[1],
        ..RunSpec::elo_mmr(&Value::Null)
    };
    other.rate(&mut world.store, &NoProgress).unwrap();
    world.record_effective_decision(&rename("a", "Anna"));
    let player = load_view(&world, "anna");
    assert_eq!(player.run.run_id, player.runs[0].run.run_id, "defaults");
    let names: Vec<&str> = player.names.iter().map(|name| name.name.as_str()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&"a") && names.contains(&"Anna"));
    let settings: Vec<_> = player.runs.iter().map(|run| run.settings.clone()).collect();
    assert_eq!(settings, [vec![], vec!["rho=0.5".to_owned()], vec![]]);
    assert_eq!(player.runs[2].run.system, "elo-mmx");
    assert!(load_view(&world, "b").names.is_empty());
}

#[test]
fn unrated_player_is_shown() {
    let mut world = small_club(&[&["a", "b"], &["lonely"]]);
    world.rate_elo_mmr(&Value::Null);
    let store = Store::open_reader(world.store.path()).unwrap();
    let player = load_player_view(&store, &source("club"), "lonely", &player_request()).unwrap();
    assert!(player.standing.is_none() && player.highlights.is_none());
    assert!(player.runs.is_empty());
    assert_eq!(player.history.len(), 1);
}

/// Returns the parts of a view that depend on the run only.
fn run_dependent_parts(player: &PlayerView) -> (Vec<Option<ranklore_views::RatingStep>>, String) {
    let steps = player.history.iter().map(|appearance| appearance.rating).collect();
    // The reason why a contest is not rated now, and its withdrawal, are no part of the run.
    let highlights = player.highlights.as_ref().map(|highlight| {
        let all = [
            &highlight.best_place,
            &highlight.worst_place,
            &highlight.gain,
            &highlight.loss,
        ];
        let all = [&highlight.highest, &highlight.lowest]
            .into_iter()
            .chain(all.into_iter().flatten());
        let all = all.map(|appearance| {
            (appearance.contest.contest_id, appearance.outcome, appearance.rating)
        });
        all.collect::<Vec<_>>()
    });
    let rest = format!("{highlights:?} {:?} {:?}", player.standing, player.runs);
    (steps, rest)
}

#[test]
fn stale_run_is_shown_unchanged() {
    let mut world = small_club(&[&["a", "b"], &["b", "a"], &["a", "b"]]);
    world.rate_elo_mmr(&Value::Null);
    let before = run_dependent_parts(&load_view(&world, "a"));
    world.record_effective_decision(&withdraw("1"));
    let player = load_view(&world, "a");
    assert!(player.stale);
    assert_eq!(run_dependent_parts(&player), before);
    assert_eq!(player.history[0].unrated, Some(UnratedReason::Withdrawn));
    assert!(player.history[1].rating.unwrap().change.is_some());
    assert_eq!(player.standing.unwrap().row.contests, 3);
    // Even if no contest is left to rate.
    world.record_effective_decision(&withdraw("2"));
    world.record_effective_decision(&withdraw("3"));
    let player = load_view(&world, "a");
    assert_eq!(run_dependent_parts(&player), before);
    let whys: Vec<_> = player.history.iter().map(|appearance| appearance.unrated).collect();
    assert_eq!(whys, [Some(UnratedReason::Withdrawn); 3]);
}

#[test]
fn places_belong_to_rated_account() {
    let mut world = small_club(&[&["x", "b", "a"], &["b", "x"], &["a", "x"]]);
    world.rate_elo_mmr(&Value::Null);
    let before = load_view(&world, "a");
    world.record_effective_decision(&merge("b", "a"));
    let player = load_view(&world, "a");
    let accounts: Vec<_> = player
        .history
        .iter()
        .map(|appearance| {
            (
                appearance.account.competitor_id,
                appearance.outcome.place().unwrap().get(),
                appearance.rating,
            )
        })
        .collect();
    let (a, b) = (player.competitor.competitor_id, player.accounts[0].competitor_id);
    let [first, last] = [0, 1].map(|index| before.history[index].rating);
    assert_eq!(accounts, [(a, 3, first), (b, 1, None), (a, 1, last)]);
    assert_eq!(player.history[1].unrated, Some(UnratedReason::NotYet));
    assert_eq!(player.standing.unwrap().row.contests, 2);
    // After another rating the better one counts.
    world.rate_elo_mmr(&Value::Null);
    let player = load_view(&world, "a");
    assert_eq!(player.history[0].account.competitor_id, b);
    assert!(player.history.iter().all(|appearance| appearance.rating.is_some()));
    // After a split the run is still shown as it was made.
    world.record_effective_decision(&split("b"));
    let player = load_view(&world, "a");
    assert_eq!(player.standing.unwrap().row.contests, 3);
    assert!(player.history[1].rating.unwrap().change.is_some());
}
