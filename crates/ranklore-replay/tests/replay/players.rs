//! One competitor against the rating rows and the leaderboard.

#![expect(
    clippy::float_cmp,
    reason = "what is said twice is the same number, to the last bit"
)]

use ranklore_contest::EntrantKind;
use ranklore_replay::{
    LeaderboardRequest, Player, PlayerRequest, SYSTEMS, Silent, Unrated, leaderboard, player, rate,
};
use ranklore_store::{Decision, Store};
use serde_json::{Map, Value, json};

use super::{DAY, Scratch, at, club, contest, random_club, request};

fn of(name: &str) -> PlayerRequest {
    PlayerRequest {
        source: club(),
        name: name.to_owned(),
        kind: None,
        run: None,
        as_of: None,
        pseudonyms: ranklore_replay::Pseudonyms::default(),
    }
}

fn find(scratch: &Scratch, name: &str) -> Player {
    player(&scratch.writer(), &of(name)).unwrap()
}

fn decide(scratch: &Scratch, decision: &Decision) {
    let mut store = scratch.writer();
    let source_id = store.source_id(&club()).unwrap().unwrap();
    let mut batch = store.batch().unwrap();
    assert!(batch.decide(source_id, decision, None, at(0)).unwrap());
    batch.commit().unwrap();
}

pub(super) fn merge(subject: &str, into: &str) -> Decision {
    Decision::Merge {
        kind: EntrantKind::Person,
        subject: subject.to_owned(),
        into: into.to_owned(),
    }
}

pub(super) fn names(names: &[&str]) -> Vec<Vec<String>> {
    names.iter().map(|name| vec![(*name).to_owned()]).collect()
}

/// A club whose contests are these, a day apart from day 1 on.
pub(super) fn small_club(contests: &[&[&str]]) -> Scratch {
    let scratch = Scratch::new();
    for (id, order) in (1..).zip(contests) {
        let file = contest(id, i64::from(id) * DAY, &names(order));
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.import(&Silent);
    scratch
}

#[test]
fn everybody_is_as_on_the_leaderboard_and_in_the_rows() {
    let scratch = random_club(40);
    let run = scratch.rate(&Value::Null).run_id;
    let store = scratch.writer();
    for as_of in [None, Some(at(20 * 7 * DAY))] {
        let board = leaderboard(
            &store,
            &LeaderboardRequest {
                sources: vec![club()],
                run: None,
                as_of,
                min_contests: 1,
                inactive_after_days: 365,
                k: None,
            },
        )
        .unwrap();
        for (rows, active) in [(&board.active, true), (&board.inactive, false)] {
            for row in rows {
                let name = store.competitors_by_id([row.competitor_id]).unwrap();
                let asked = PlayerRequest {
                    as_of,
                    ..of(&name[0].name)
                };
                let player = player(&store, &asked).unwrap();
                let standing = player.standing.unwrap();
                assert_eq!((&standing.row, standing.active), (row, active));
                assert_eq!(standing.among, rows.len());
                let steps = player.history.iter().filter_map(|of| of.rating);
                let steps: Vec<_> = steps.collect();
                let last = steps.last().unwrap();
                assert_eq!((last.mu, last.sigma), (row.mu, row.sigma));
                assert_eq!(last.change, row.last_change);
                assert_eq!(steps.len(), row.contests as usize);
                let run_says = &player.runs[0];
                assert_eq!((run_says.mu, run_says.sigma), (row.mu, row.sigma));
                assert_eq!(run_says.conservative, row.conservative);
                for of in &player.history {
                    let id = of.contest.contest_id;
                    let there = store.ratings_at(run, [(id, row.competitor_id)]).unwrap();
                    let mu = of.rating.map(|step| step.mu);
                    assert_eq!(there[0].map(|row| row.mu), mu);
                    assert!(as_of.is_none_or(|until| of.contest.ends_at <= Some(until.get())));
                }
            }
        }
    }
}

#[test]
fn highlights_are_the_extremes() {
    let scratch = random_club(40);
    scratch.rate(&Value::Null);
    let player = find(&scratch, "player 7");
    let highlights = player.highlights.unwrap();
    let rated = || player.history.iter().filter_map(|of| of.rating);
    let at = |index: usize| player.history[index].rating.unwrap();
    let mus = || rated().map(|step| step.mu);
    let changes = || rated().filter_map(|step| step.change);
    assert_eq!(at(highlights.highest).mu, mus().fold(f64::MIN, f64::max));
    assert_eq!(at(highlights.lowest).mu, mus().fold(f64::MAX, f64::min));
    let gain = at(highlights.gain.unwrap()).change.unwrap();
    assert_eq!(gain, changes().fold(f64::MIN, f64::max));
    let loss = at(highlights.loss.unwrap()).change.unwrap();
    assert_eq!(loss, changes().fold(f64::MAX, f64::min));
    let place = |index: Option<usize>| player.history[index.unwrap()].outcome.place();
    let places = player.history.iter().map(|of| of.outcome.place());
    assert_eq!(place(highlights.best_place), places.min().unwrap());
}

#[test]
fn what_is_not_rated_says_why() {
    let scratch = small_club(&[&["a", "b"], &["b", "a"], &["a"], &["a", "c"]]);
    scratch.rate(&Value::Null);
    let why = || -> Vec<Option<Unrated>> {
        let history = find(&scratch, "a").history;
        history.iter().map(|of| of.unrated).collect()
    };
    let order = Some(Unrated::WithoutOrder);
    assert_eq!(why(), [None, None, order, None]);
    let withdraw = Decision::Withdraw {
        contest: "2".to_owned(),
    };
    decide(&scratch, &withdraw);
    assert_eq!(why(), [None, Some(Unrated::Withdrawn), order, None]);
    let withdrawn = find(&scratch, "a");
    assert!(withdrawn.stale);
    // What the run says is as it was made.
    assert_eq!(withdrawn.runs[0].contests, 3);
    assert!(withdrawn.history[1].rating.is_some());
    scratch.write(
        "5.json",
        contest(5, 5 * DAY, &names(&["c", "a"])).to_string(),
    );
    scratch.import(&Silent);
    assert_eq!(why()[4], Some(Unrated::NotYet));
    // A run over the beginning alone.
    let mut early = request(&Value::Null);
    early.selection.until = Some(at(2 * DAY));
    let run = rate(&mut scratch.writer(), early, &Silent).unwrap().run_id;
    let asked = PlayerRequest {
        run: Some(run),
        ..of("a")
    };
    let player = player(&scratch.writer(), &asked).unwrap();
    assert_eq!(player.history[3].unrated, Some(Unrated::NotSelected));
    assert_eq!(player.runs.len(), 2);
    assert_eq!(player.runs[1].settings, ["before 1970-01-03"]);
}

#[test]
fn a_merged_account_leads_to_whom_it_counts_as() {
    let scratch = small_club(&[&["old", "b"], &["b", "new"], &["new", "b", "old"]]);
    decide(&scratch, &merge("old", "new"));
    scratch.rate(&Value::Null);
    let player = find(&scratch, "old");
    assert_eq!(player.found.external_id, "old");
    assert_eq!(player.competitor.external_id, "new");
    assert_eq!(player.accounts.len(), 1);
    let places: Vec<_> = (player.history.iter())
        .map(|of| (of.account, of.outcome.place().unwrap().get()))
        .collect();
    let (old, new) = (player.found.competitor_id, player.competitor.competitor_id);
    assert_eq!(places, [(old, 1), (new, 2), (new, 1)]);
    assert!(player.history.iter().all(|of| of.rating.is_some()));
    assert_eq!(player.standing.unwrap().row.contests, 3);
}

#[test]
fn names_and_runs_stand_beside_each_other() {
    let scratch = small_club(&[&["a", "b"], &["b", "a"]]);
    scratch.rate(&Value::Null);
    scratch.rate(&json!({"rho": 0.5}));
    let mut other = request(&Value::Null);
    other.system = SYSTEMS[1].with(&Map::new()).unwrap();
    let newest = rate(&mut scratch.writer(), other, &Silent).unwrap().run_id;
    let rename = Decision::Rename {
        kind: EntrantKind::Person,
        subject: "a".to_owned(),
        name: "Anna".to_owned(),
    };
    decide(&scratch, &rename);
    let player = find(&scratch, "anna");
    assert_eq!(player.run.run_id, newest);
    let names: Vec<&str> = player.names.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&"a") && names.contains(&"Anna"));
    let settings: Vec<_> = player.runs.iter().map(|of| of.settings.clone()).collect();
    assert_eq!(settings, [vec![], vec!["rho=0.5".to_owned()], vec![]]);
    assert_eq!(player.runs[2].run.system, "elo-mmx");
    assert!(find(&scratch, "b").names.is_empty());
}

#[test]
fn somebody_whom_the_run_has_not_rated_is_shown_all_the_same() {
    let scratch = small_club(&[&["a", "b"], &["lonely"]]);
    scratch.rate(&Value::Null);
    let store = Store::open_reader(scratch.path("ranklore.sqlite")).unwrap();
    let player = player(&store, &of("lonely")).unwrap();
    assert!(player.standing.is_none() && player.highlights.is_none());
    assert!(player.runs.is_empty());
    assert_eq!(player.history.len(), 1);
}

fn withdraw(scratch: &Scratch, contest: &str) {
    let contest = contest.to_owned();
    decide(scratch, &Decision::Withdraw { contest });
}

/// What a view says of ratings, without what is now.
fn of_the_run(player: &Player) -> (Vec<Option<ranklore_replay::Step>>, String) {
    let steps = player.history.iter().map(|of| of.rating).collect();
    let rest = format!(
        "{:?} {:?} {:?}",
        player.highlights, player.standing, player.runs
    );
    (steps, rest)
}

#[test]
fn a_stale_run_is_shown_as_it_was_made() {
    let scratch = small_club(&[&["a", "b"], &["b", "a"], &["a", "b"]]);
    scratch.rate(&Value::Null);
    let before = of_the_run(&find(&scratch, "a"));
    withdraw(&scratch, "1");
    let player = find(&scratch, "a");
    assert!(player.stale);
    assert_eq!(of_the_run(&player), before);
    assert_eq!(player.history[0].unrated, Some(Unrated::Withdrawn));
    assert!(player.history[1].rating.unwrap().change.is_some());
    assert_eq!(player.standing.unwrap().row.contests, 3);
    // Even if nothing is left to rate.
    withdraw(&scratch, "2");
    withdraw(&scratch, "3");
    let player = find(&scratch, "a");
    assert_eq!(of_the_run(&player), before);
    let whys: Vec<_> = player.history.iter().map(|of| of.unrated).collect();
    assert_eq!(whys, [Some(Unrated::Withdrawn); 3]);
}

#[test]
fn places_are_those_of_the_account_that_was_rated() {
    let scratch = small_club(&[&["x", "b", "a"], &["b", "x"], &["a", "x"]]);
    scratch.rate(&Value::Null);
    let before = find(&scratch, "a");
    decide(&scratch, &merge("b", "a"));
    let player = find(&scratch, "a");
    let shown: Vec<_> = (player.history.iter())
        .map(|of| (of.account, of.outcome.place().unwrap().get(), of.rating))
        .collect();
    let (a, b) = (
        player.competitor.competitor_id,
        player.accounts[0].competitor_id,
    );
    let [first, last] = [0, 1].map(|index| before.history[index].rating);
    assert_eq!(shown, [(a, 3, first), (b, 1, None), (a, 1, last)]);
    assert_eq!(player.history[1].unrated, Some(Unrated::NotYet));
    assert_eq!(player.standing.unwrap().row.contests, 2);
    // Rated anew, the better one counts.
    scratch.rate(&Value::Null);
    let player = find(&scratch, "a");
    assert_eq!(player.history[0].account, b);
    assert!(player.history.iter().all(|of| of.rating.is_some()));
    // Split again, the run still says what it says.
    let split = Decision::Split {
        kind: EntrantKind::Person,
        subject: "b".to_owned(),
    };
    decide(&scratch, &split);
    let player = find(&scratch, "a");
    assert_eq!(player.standing.unwrap().row.contests, 3);
    assert!(player.history[1].rating.unwrap().change.is_some());
}
