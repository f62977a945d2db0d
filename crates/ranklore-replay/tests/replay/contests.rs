//! One contest against the rating rows and the evaluation.

use ranklore_contest::Contest;
use ranklore_replay::{
    ContestRequest, ContestView, Error, Silent, SystemName, Unrated, Upsets, contest as view,
    evaluate,
};
use ranklore_store::{Decision, RunId, Store};
use serde_json::{Map, Value, json};

use super::players::{merge, small_club};
use super::world::{Run, World, round, select};
use super::{DAY, Scratch, at, club, contest, random_club};

fn of(contest: &str) -> ContestRequest {
    ContestRequest {
        source: club(),
        contest: contest.to_owned(),
        run: None,
        as_of: None,
    }
}

fn show(scratch: &Scratch, contest: &str) -> ContestView {
    view(&scratch.writer(), &of(contest)).unwrap()
}

fn name(store: &Store, view: &ContestView, entry: usize) -> String {
    let id = view.entries[entry].competitor_id;
    store.competitors_by_id([id]).unwrap()[0].name.clone()
}

#[test]
fn ratings_before_and_after_are_those_of_the_rows() {
    let scratch = random_club(40);
    let run = scratch.rate(&Value::Null).run_id;
    let store = scratch.writer();
    let contests = store.all_contests().unwrap();
    for (position, row) in contests.iter().enumerate() {
        let view = view(&store, &of(&row.external_id)).unwrap();
        assert_eq!(view.entries.len(), row.entrants as usize);
        let (mut known, mut mus) = (0, Vec::new());
        for entry in &view.entries {
            let after = [(row.contest_id, entry.competitor_id)];
            assert_eq!(store.ratings_at(run, after).unwrap(), [entry.after]);
            // From the beginning, row by row.
            let keys = contests[..position].iter();
            let keys = keys.map(|of| (of.contest_id, entry.competitor_id));
            let before = store.ratings_at(run, keys).unwrap();
            let before = before.into_iter().flatten().next_back();
            assert_eq!(entry.predicted.is_some(), before.is_some());
            assert_eq!(entry.mu_before, Some(before.map_or(1500.0, |row| row.mu)));
            known += usize::from(before.is_some());
            mus.extend(before.map(|row| row.mu));
        }
        assert_eq!(view.known, known);
        for entry in view.entries.iter().filter(|of| of.predicted.is_some()) {
            let above = mus.iter().filter(|&&mu| Some(mu) > entry.mu_before);
            assert_eq!(entry.predicted, Some(above.count() as u32 + 1));
        }
    }
}

#[test]
fn a_contest_alone_is_predicted_as_in_an_evaluation() {
    // Of two contests the evaluation leaves out none, and predicts the second.
    let scratch = Scratch::new();
    for id in [1, 2] {
        let file = super::random_contest(id, i64::from(id) * DAY, 40);
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.import(&Silent);
    let run = scratch.rate(&Value::Null).run_id;
    let mut store = scratch.writer();
    let run = store.run(run).unwrap().unwrap();
    let evaluated = evaluate(&mut store, run, at(0)).unwrap();
    let view = view(&store, &of("2")).unwrap();
    assert!(view.pair_inversion.is_some());
    assert_eq!(view.pair_inversion, evaluated.slices[0].pair_inversion);
    assert_eq!(view.rank_deviation, evaluated.slices[0].rank_deviation);
}

#[test]
fn upsets_are_named_from_the_furthest_on() {
    let order: Vec<String> = ('a'..='j').map(String::from).collect();
    let as_rated: Vec<&str> = order.iter().map(String::as_str).collect();
    let mut upset = as_rated.clone();
    // The last wins, and a newcomer comes between.
    upset.rotate_right(1);
    upset.insert(1, "newcomer");
    // The first falls behind.
    let first = upset.remove(2);
    upset.push(first);
    let scratch = small_club(&[&as_rated, &as_rated, &upset]);
    scratch.rate(&Value::Null);
    let store = scratch.writer();
    let third = view(&store, &of("3")).unwrap();
    assert_eq!((third.entries.len(), third.known), (11, 10));
    assert_eq!(third.entries[1].predicted, None);
    let above = third.upsets.above[0];
    assert_eq!(name(&store, &third, above.entry), "j");
    assert_eq!((above.predicted, above.place), (10, 1));
    assert_eq!((above.reversed, above.rivals), (9, 9));
    let below = third.upsets.below[0];
    assert_eq!(name(&store, &third, below.entry), "a");
    assert_eq!((below.predicted, below.place), (1, 10));
    assert_eq!((below.reversed, below.rivals), (9, 9));
    assert_eq!((third.upsets.above.len(), third.upsets.below.len()), (1, 1));
    // Nobody is known in the first contest, and the second went as predicted.
    for quiet in ["1", "2"] {
        let upsets = view(&store, &of(quiet)).unwrap().upsets;
        assert_eq!(upsets, Upsets::default());
    }
}

#[test]
fn of_two_accounts_the_better_one_counts() {
    let scratch = small_club(&[&["old", "b", "c"], &["new", "b", "old", "c"]]);
    let mut store = scratch.writer();
    let source_id = store.source_id(&club()).unwrap().unwrap();
    let mut batch = store.batch().unwrap();
    let decided = batch.decide(source_id, &merge("old", "new"), None, at(0));
    assert!(decided.unwrap());
    batch.commit().unwrap();
    drop(store);
    scratch.rate(&Value::Null);
    let view = show(&scratch, "2");
    let counted: Vec<bool> = view.entries.iter().map(|entry| entry.counted).collect();
    assert_eq!(counted, [true, true, false, true]);
    assert_eq!(view.entries[2].counts_as, view.entries[0].competitor_id);
    assert_eq!(
        (view.entries[2].after, view.entries[2].predicted),
        (None, None)
    );
    // What the other account did before is theirs.
    assert_eq!(view.known, 3);
    assert_eq!(view.entries[0].predicted, Some(1));
    let first = show(&scratch, "1");
    assert!(first.entries[0].counted && first.entries[0].after.is_some());
    assert_eq!(
        view.entries[0].mu_before,
        first.entries[0].after.map(|row| row.mu)
    );
}

#[test]
fn a_contest_that_is_not_rated_says_why() {
    let scratch = small_club(&[&["a", "b"], &["a"], &["b", "a"]]);
    scratch.rate(&Value::Null);
    let alone = show(&scratch, "2");
    assert_eq!(alone.unrated, Some(Unrated::WithoutOrder));
    assert_eq!((alone.pair_inversion, alone.entries[0].after), (None, None));
    // It gave no row: the rating before the third is that after the first.
    let (first, third) = (show(&scratch, "1"), show(&scratch, "3"));
    assert_eq!(third.unrated, None);
    let after = first.entries[0].after.map(|row| row.mu);
    assert_eq!(third.entries[1].mu_before, after);
    let mut store = scratch.writer();
    let source_id = store.source_id(&club()).unwrap().unwrap();
    let mut batch = store.batch().unwrap();
    let withdraw = Decision::Withdraw {
        contest: "3".to_owned(),
    };
    assert!(batch.decide(source_id, &withdraw, None, at(7)).unwrap());
    batch.commit().unwrap();
    let withdrawn = view(&store, &of("3")).unwrap();
    assert_eq!(withdrawn.unrated, Some(Unrated::Withdrawn));
    assert!(withdrawn.stale);
    assert_eq!(withdrawn.contest.withdrawn_at, Some(7));
    // What had been predicted of it is still told.
    assert_eq!(withdrawn.entries[1].predicted, Some(1));
    // And what the run made of it when it still counted.
    assert_eq!(withdrawn.entries[1].after, third.entries[1].after);
}

#[test]
fn contests_are_found_by_id_then_by_name() {
    let scratch = Scratch::new();
    for (id, name) in [(1, "Opening"), (2, "Spring"), (3, "Spring"), (4, "2")] {
        let mut file = contest(id, i64::from(id) * DAY, &super::players::names(&["a", "b"]));
        file["name"] = json!(name);
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.import(&Silent);
    scratch.rate(&Value::Null);
    let id = |wanted| show(&scratch, wanted).contest.external_id;
    assert_eq!(id("2"), "2", "the id and not the name");
    assert_eq!(id("opening"), "1");
    assert_eq!(id("Openign"), "1");
    let store = scratch.writer();
    let error = view(&store, &of("Spring")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "which contest of club is \"Spring\"? There are \"2\", called \"Spring\", of 1970-01-03; \
         \"3\", called \"Spring\", of 1970-01-04: name one of them"
    );
    let error = view(&store, &of("zzz")).unwrap_err();
    assert!(matches!(error, Error::NoContest { .. }));
    let early = ContestRequest {
        as_of: Some(at(3 * DAY - 1)),
        ..of("3")
    };
    let error = view(&store, &early).unwrap_err();
    assert!(matches!(error, Error::NotHeld { .. }), "{error}");
    let nowhere = ContestRequest {
        run: Some(RunId::new(9)),
        ..of("3")
    };
    assert!(matches!(view(&store, &nowhere), Err(Error::NoRun { .. })));
}

#[test]
fn a_stale_run_is_shown_as_it_was_made() {
    let scratch = small_club(&[&["b", "a"], &["a", "b"], &["b", "c", "a"], &["d", "b"]]);
    scratch.rate(&Value::Null);
    let shown = |id: &str| {
        let view = show(&scratch, id);
        (view.known, view.pair_inversion, view.entries, view.upsets)
    };
    let before = ["2", "3", "4"].map(shown);
    let decide = |decision: &Decision| {
        let mut store = scratch.writer();
        let source_id = store.source_id(&club()).unwrap().unwrap();
        let mut batch = store.batch().unwrap();
        assert!(batch.decide(source_id, decision, None, at(7)).unwrap());
        batch.commit().unwrap();
    };
    decide(&merge("b", "a"));
    assert_eq!(["2", "3", "4"].map(shown), before);
    // In a contest that the run does not know, who is who now has been rated before.
    scratch.write(
        "5.json",
        contest(5, 5 * DAY, &super::players::names(&["e", "b"])).to_string(),
    );
    scratch.import(&Silent);
    let view = show(&scratch, "5");
    assert_eq!((view.known, view.unrated), (1, Some(Unrated::NotYet)));
    for contest in ["1", "2", "3", "4", "5"] {
        let contest = contest.to_owned();
        decide(&Decision::Withdraw { contest });
    }
    assert_eq!(["2", "3", "4"].map(shown), before);
    let view = show(&scratch, "2");
    assert_eq!(view.unrated, Some(Unrated::Withdrawn));
    assert!(view.stale);
}

#[test]
fn newcomers_begin_where_their_event_has_them_begin() {
    let mut world = World::new();
    for (id, event, order) in [
        ("1", "spring", "a b"),
        ("2", "spring", "c d"),
        ("3", "summer", "a b"),
        ("4", "autumn", "new a"),
    ] {
        let contest = round(id, id.parse().unwrap(), order);
        let event = Some(event.to_owned());
        world.put("club", Contest { event, ..contest });
    }
    world.runs = vec![Run {
        selection: select(&["club"]),
        system: SystemName::find("elo-srm2").unwrap(),
        parameters: Map::from_iter([("inflation".to_owned(), json!(7))]),
    }];
    world.rate_all();
    let before = |contest: &str| {
        let view = view(&world.store, &of(contest)).unwrap();
        let name = |entry| {
            (
                name(&world.store, &view, entry),
                view.entries[entry].mu_before,
            )
        };
        [name(0), name(1)]
    };
    assert_eq!(
        before("2"),
        [("c".into(), Some(1200.0)), ("d".into(), Some(1200.0))]
    );
    assert_eq!(before("4")[0], ("new".into(), Some(1214.0)));
}
