//! Runs that rate the members of teams.

use ranklore_contest::{Contest, EntrantKind, EntrantOutcome, Place};
use ranklore_rating::{EloMmr, EloMmrParameters, RatedEntrant, RatingRound, RatingSystem};
use ranklore_replay::{RunChoice, SystemName};
use ranklore_store::{RunId, RunRow};
use ranklore_test_support::{DAY, RunSpec, World, at, merge, round, select_sources, source};
use ranklore_views::{
    ContestRequest, ContestView, EvaluationSettings, Metric, NamesPolicy, Page, PlayerRequest,
    PlayerView, UnratedReason, evaluate, load_contest_view, load_player_view,
};
use serde_json::{Map, json};

fn rate_members(system: &str) -> RunSpec {
    RunSpec {
        selection: select_sources(&["club"]),
        system: SystemName::find(system).unwrap(),
        parameters: Map::from_iter([("teams".to_owned(), json!("members"))]),
    }
}

/// Creates a club with one contest per day, rated by Elo-MMR.
fn rated_club(orders: &[&str]) -> World {
    let mut world = World::new();
    for (day, order) in (1..).zip(orders) {
        world.upsert_contest("club", round(&day.to_string(), day, order));
    }
    world.runs = vec![rate_members("elo-mmr")];
    world.rate_all();
    world
}

fn last_run(world: &World) -> RunRow {
    world.store.runs().unwrap().pop().unwrap()
}

/// Returns the rating rows of a contest, ordered by name.
fn contest_rows(world: &World, id: &str) -> Vec<(String, f64, f64)> {
    let contest = world.store.contest(&source("club"), id).unwrap().unwrap();
    let mut all_rows = Vec::new();
    let run_id = last_run(world).run_id;
    world
        .store
        .for_each_rating(run_id, [contest.contest_id], |_, rows| {
            all_rows.extend_from_slice(rows);
        })
        .unwrap();
    let mut rows: Vec<_> = all_rows
        .iter()
        .map(|row| {
            let competitors = world.store.competitors_by_id([row.competitor_id]).unwrap();
            (competitors[0].name.clone(), row.mu, row.sigma)
        })
        .collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    rows
}

fn load_view(world: &World, id: &str) -> ContestView {
    let request = ContestRequest {
        run: RunChoice::default(),
        as_of: None,
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    };
    load_contest_view(&world.store, &source("club"), id, &request).unwrap()
}

fn load_player(world: &World, name: &str, run: Option<RunId>) -> PlayerView {
    let request = PlayerRequest {
        kind: Some(EntrantKind::Person),
        run: run.map(RunChoice::from).unwrap_or_default(),
        as_of: None,
        as_stored: false,
        opponents: Some(usize::MAX),
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    };
    load_player_view(&world.store, &source("club"), name, &request).unwrap()
}

#[test]
fn members_are_rated_by_team_rules() {
    let world = rated_club(&["a+b c+d e", "a+c=b+e !d+f", "c b d+a"]);
    let mut system = EloMmr::new(EloMmrParameters::default()).unwrap();
    let teams = |ends_at: i64, finishers, entrants, teams, groups| RatingRound {
        ends_at: ends_at * DAY,
        teams: Some(teams),
        finishers,
        ..RatingRound::new(entrants, groups)
    };
    let contests = [
        teams(1, 3, &[0, 1, 2, 3, 4], &[2, 4, 5], &[1, 2, 3]),
        teams(2, 2, &[0, 2, 1, 4, 3, 5], &[2, 4, 6], &[2, 3]),
        teams(3, 3, &[2, 1, 0, 3], &[1, 2, 4], &[1, 2, 3]),
    ];
    for (id, contest) in (1..).zip(contests) {
        let mut rated: Vec<RatedEntrant> = Vec::new();
        system.rate(&contest, &mut rated);
        let mut expected: Vec<(String, f64, f64)> = contest
            .entrants
            .iter()
            .zip(rated)
            .map(|(&person, entrant)| {
                (String::from(b"abcdef"[person as usize] as char), entrant.mu, entrant.sigma)
            })
            .collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(contest_rows(&world, &format!("{id}")), expected);
    }
    let run = last_run(&world);
    assert_eq!((run.contests, run.results), (3, 15));
}

#[test]
fn person_in_two_teams_counts_in_better_one() {
    let world = rated_club(&["a+b c+d", "b+d a+c d+a"]);
    let rows = contest_rows(&world, "2");
    let names: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    // All members of the last team count elsewhere, so the team is ignored.
    let without = rated_club(&["a+b c+d", "b+d a+c"]);
    assert_eq!(rows, self::contest_rows(&without, "2"));

    let view = load_view(&world, "2");
    let last = &view.rows.entries[2];
    assert!(!last.counted && last.members.iter().all(|member| !member.counted));
    assert_eq!((last.predicted, last.mu_before, last.mu()), (None, None, None));
    assert_eq!(load_player(&world, "a", None).history[1].outcome, placed(2));
}

fn placed(place: u32) -> EntrantOutcome {
    EntrantOutcome::Finished(Place::new(place).unwrap())
}

#[test]
fn contest_view_shows_team_sum_and_member_ratings() {
    let world = rated_club(&["a+b c", "c+b a", "a+d b+c"]);
    let view = load_view(&world, "3");
    let before = contest_rows(&world, "2");
    let after = contest_rows(&world, "3");
    let mu = |named_rows: &[(String, f64, f64)], name: &str| {
        named_rows.iter().find(|row| row.0 == name).unwrap().1
    };
    let [new, old] = &view.rows.entries[..] else {
        panic!("{:?}", view.rows.entries);
    };
    assert_eq!(view.rated_before, 1);
    assert_eq!((new.predicted, old.predicted), (None, Some(1)));
    assert_eq!(old.mu_before, Some(mu(&before, "b") + mu(&before, "c")));
    assert_eq!(old.mu(), Some(mu(&after, "b") + mu(&after, "c")));
    assert_eq!(old.change(), Some(old.mu().unwrap() - old.mu_before.unwrap()));
    assert_eq!(new.mu_before, Some(mu(&before, "a") + 1500.0));
    let [a, d] = &new.members[..] else {
        panic!("{:?}", new.members);
    };
    assert_eq!((a.rated_before, d.rated_before), (true, false));
    assert_eq!(a.mu_before, Some(mu(&before, "a")));
    assert_eq!(a.change(), Some(mu(&after, "a") - mu(&before, "a")));
    assert_eq!((d.mu_before, d.change()), (Some(1500.0), None));
    assert_eq!(d.after.map(|after| after.mu), Some(mu(&after, "d")));
}

#[test]
fn player_history_includes_team_contests() {
    let mut world = rated_club(&["a+b c", "c+b a", "a+d b+c"]);
    let a = load_player(&world, "a", None);
    let teams: Vec<Option<&str>> = a
        .history
        .iter()
        .map(|appearance| appearance.team.as_ref().map(|team| team.name.as_str()))
        .collect();
    assert_eq!(teams, [Some("a+b"), None, Some("a+d")]);
    assert!(a.history.iter().all(|appearance| appearance.rating.is_some()));
    assert_eq!(a.standing.unwrap().row.contests, 3);
    assert_eq!(a.runs.len(), 1);
    // A run that rates teams as a whole shows the person's contests without a team.
    let teams_run = RunSpec {
        parameters: Map::new(),
        ..rate_members("elo-mmr")
    };
    world.runs.push(teams_run);
    world.rate_all();
    let a = load_player(&world, "a", None);
    assert_eq!((a.history.len(), a.team_contests), (1, 2));
    assert_eq!(a.runs.len(), 2, "the other run is still listed");
    assert_eq!(load_player(&world, "a", Some(RunId::new(1))).history.len(), 3);
}

#[test]
fn merged_accounts_are_one_person_in_teams() {
    let mut world = rated_club(&["a+b c", "c+b2 a", "a+d b2+c"]);
    world.record_effective_decision(&merge("b2", "b"));
    let before = last_run(&world);
    world.rate_all();
    assert_ne!(last_run(&world).fingerprint, before.fingerprint);
    let same = rated_club(&["a+b c", "c+b a", "a+d b+c"]);
    assert_eq!(contest_rows(&world, "3"), contest_rows(&same, "3"));
    let b = load_player(&world, "b", None);
    assert_eq!(b.history.len(), 3);
    let accounts = world
        .store
        .competitors_by_id(b.history.iter().map(|appearance| appearance.account.competitor_id));
    let accounts: Vec<String> = accounts.unwrap().into_iter().map(|account| account.name).collect();
    assert_eq!(accounts, ["b", "b2", "b2"]);
}

#[test]
fn tied_teams_count_by_name_in_any_insertion_order() {
    let tied = |first: &[usize]| {
        let contests = [
            round("1", 1, "a+b c"),
            round("2", 2, "a+c b"),
            round("3", 3, "x=a+b=a+c=y+z"),
            round("4", 4, "a+c b=a+b"),
        ];
        let mut world = World::new();
        for &index in first {
            world.upsert_contest("club", contests[index].clone());
        }
        world.runs = vec![rate_members("elo-mmr"), rate_members("trueskill")];
        world.rate_all();
        world
    };
    let (mut one, other) = (tied(&[0, 1, 2, 3]), tied(&[3, 1, 0, 2]));
    assert_eq!(one.store.content_hash().unwrap(), other.store.content_hash().unwrap());
    one.assert_same_as_from_scratch();
    let view = load_view(&one, "3");
    let counted = |name: &str| {
        let called = |id| one.store.competitors_by_id([id]).unwrap()[0].name == name;
        let entry = view.rows.entries.iter().find(|entry| called(entry.competitor_id));
        entry.unwrap().members.iter().map(|member| member.counted).collect::<Vec<_>>()
    };
    assert_eq!(counted("a+b"), [true, true]);
    assert_eq!(counted("a+c"), [false, true]);
}

#[test]
fn team_prediction_needs_all_members_rated() {
    let mut world = rated_club(&["a+b c+d", "a+c b+d", "a+d c+b", "d+e b+c"]);
    let run = last_run(&world);
    let evaluated =
        evaluate(&mut world.store, run, &EvaluationSettings::default(), false, at(100 * DAY))
            .unwrap();
    let everybody = &evaluated.slices[0];
    // A team with a newcomer is a newcomer, and the contest has no pair to compare.
    assert_eq!((everybody.contests, everybody.results), (2, 4));
    assert_eq!(everybody.metrics.get(Metric::PairInversion), Some(100.0));
}

/// Creates two databases with the same contests, inserted in opposite orders.
fn insert_in_both_orders(contests: &[Contest]) -> [World; 2] {
    let world = |order: Vec<&Contest>| {
        let mut world = World::new();
        for contest in order {
            world.upsert_contest("club", contest.clone());
        }
        world.runs = vec![rate_members("elo-mmr")];
        world.rate_all();
        world
    };
    [
        world(contests.iter().collect()),
        world(contests.iter().rev().collect()),
    ]
}

#[test]
fn predictions_ignore_ids_and_member_order() {
    // Three of each rating, in individual contests first.
    let equals = ["a=e=i", "b=f=j", "c=g=k", "d=h=l"];
    let mut contests: Vec<Contest> = (1..9)
        .map(|day| {
            let mut order = equals.to_vec();
            order.rotate_left(day as usize % 3);
            order.swap(1, 3);
            round(&day.to_string(), day, &order.join(" "))
        })
        .collect();
    // All teams are tied, so that no rating changes much.
    let listed = [
        "b+c+d+a=e+f+g+h=l+i+k+j",
        "a+b+c+d=h+g+f+e=k+i+l+j",
        "d+b+a+c=f+h+e+g=i+k+j+l",
        "c+a+d+b=g+f+h+e=j+l+i+k",
    ];
    for (day, order) in (20..).zip(listed) {
        contests.push(round(&format!("t{day}"), day, order));
    }
    contests.push(round("t30", 30, "d+a+c+b h+g+f+e l+i+k+j"));
    let [mut one, mut other] = insert_in_both_orders(&contests);
    let evaluated = [&mut one, &mut other].map(|world| {
        let run = last_run(world);
        evaluate(&mut world.store, run, &EvaluationSettings::default(), false, at(100 * DAY))
            .unwrap()
            .slices
    });
    assert_eq!(evaluated[0], evaluated[1]);
    for id in ["t20", "t21", "t22", "t23", "t30"] {
        let predicted = |world: &World| -> Vec<_> {
            let view = load_view(world, id);
            view.rows.entries.iter().map(|entry| entry.predicted).collect()
        };
        assert_eq!(predicted(&one), [Some(1); 3], "{id}");
        assert_eq!(predicted(&other), [Some(1); 3], "{id}");
    }
}

#[test]
fn stale_run_keeps_shown_team_history() {
    let mut world = rated_club(&["ann cid x", "ann+bob cid+dan", "x+cid ann"]);
    let before = load_player(&world, "cid", None);
    let of_contest = load_view(&world, "3").rows.entries[0].clone();
    world.record_effective_decision(&merge("ann", "cid"));
    let after = load_player(&world, "cid", None);
    assert!(after.stale);
    let appearances = |player: &PlayerView| -> Vec<_> {
        let history = player.history.iter();
        history
            .map(|appearance| {
                (
                    appearance.account.competitor_id,
                    appearance.team.as_ref().map(|team| team.name.clone()),
                    appearance.outcome,
                    appearance.rating,
                )
            })
            .collect()
    };
    assert_eq!(appearances(&after), appearances(&before));
    // The contest view is unchanged, too.
    assert_eq!(load_view(&world, "3").rows.entries[0], of_contest);
}

#[test]
fn player_history_shows_team_that_counted() {
    let mut world = rated_club(&["bob+fay+fay2=bob2+gil+hal x", "gil x"]);
    world.record_effective_decision(&merge("fay2", "fay"));
    world.record_effective_decision(&merge("bob2", "bob"));
    world.rate_all();
    let bob = load_player(&world, "bob", None);
    // Two members in one team, three in the other.
    let team = bob.history[0].team.clone().unwrap();
    assert_eq!(team.name, "bob+fay+fay2");
    let view = load_view(&world, "1");
    let counted: Vec<Vec<bool>> = view
        .rows
        .entries
        .iter()
        .map(|entry| entry.members.iter().map(|member| member.counted).collect())
        .collect();
    assert!(counted.contains(&vec![true, true, false]), "{counted:?}");
    assert!(counted.contains(&vec![false, true, true]), "{counted:?}");
    let everybody = view.rows.entries.iter().flat_map(|entry| &entry.members);
    let mut bobs =
        everybody.filter(|competitor| competitor.counts_as == bob.competitor.competitor_id);
    assert!(bobs.all(|row| row.counts_in == team.competitor_id));
}

#[test]
fn skipped_competitors_state_reason() {
    let world = rated_club(&["a+b c", "c+b a"]);
    let team = PlayerRequest {
        kind: Some(EntrantKind::Team),
        run: RunChoice::default(),
        as_of: None,
        as_stored: false,
        opponents: Some(usize::MAX),
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    };
    let team = load_player_view(&world.store, &source("club"), "a+b", &team).unwrap();
    assert_eq!(team.history[0].unrated, Some(UnratedReason::MembersRated));
    let mut world = rated_club(&["a b !c", "c a b"]);
    world.runs = vec![RunSpec {
        parameters: Map::from_iter([("dnf".to_owned(), json!("drop"))]),
        ..rate_members("elo-mmr")
    }];
    world.rate_all();
    let c = load_player(&world, "c", None);
    let unrated: Vec<_> = c.history.iter().map(|appearance| appearance.unrated).collect();
    assert_eq!(unrated, [Some(UnratedReason::Excluded), None]);
}
