//! Incomplete contests: stored and labelled, and rated only after further syncs bring no more data.

use crate::support::{Scratch, contest};
use ranklore_contest::SourceName;
use ranklore_store::{Completeness, ContestState, ContestSync, Store, SyncOutcome};
use serde_json::json;

/// Returns two contests; the second got 476 of 543 comments in each of `syncs` syncs.
fn club_with_incomplete(syncs: u32, state: ContestState) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["ada"], &["bea"], &["cy"]]));
    scratch.write("2.json", contest(2, 1, &[&["bea"], &["ada"], &["cy"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    let mut store = Store::open_writer(scratch.db(), "a test").unwrap();
    let club = SourceName::new("club").unwrap();
    let source_id = store.source_id(&club).unwrap().unwrap();
    let contest_id = store.contest(&club, "2").unwrap().unwrap().contest_id;
    let mut completeness = None;
    for _ in 0..syncs {
        let before = completeness.as_ref();
        completeness = Some(Completeness::after_sync(before, "comments", 543, 476));
    }
    let mut batch = store.batch().unwrap();
    let sync = ContestSync {
        external_id: "2".to_owned(),
        outcome: SyncOutcome::Read,
        tried_at: 1_700_000_000,
        read_at: Some(1_700_000_000),
        due_at: Some(1_700_000_000),
        reason: None,
        completeness,
    };
    batch.upsert_contest_sync(source_id, &sync).unwrap();
    batch.set_contest_state(contest_id, state).unwrap();
    batch.commit().unwrap();
    scratch
}

#[test]
fn incomplete_contest_is_shown_and_not_rated() {
    let scratch = club_with_incomplete(1, ContestState::Incomplete);
    // The label is shown before anything is rated, too.
    let done = scratch.ok(&["contest", "club", "2"]);
    let text = "476 of 543 comments arrived";
    assert!(done.out.contains(text), "{}", done.out);
    let done = scratch.ok(&["rate", "club"]);
    assert!(done.out.contains("1 incomplete left out"), "{}", done.out);
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!((&rated[0]["contests"], &rated[0]["incomplete"]), (&json!(1), &json!(1)));
    assert_eq!(rated[0]["unchanged"], true);
    let done = scratch.ok(&["contest", "club", "2"]);
    for text in [
        "476 of 543 comments arrived",
        "not rated: incomplete",
        "bea",
    ] {
        assert!(done.out.contains(text), "no {text:?} in {}", done.out);
    }
    let view = scratch.json(&["contest", "club", "2"]);
    assert_eq!((&view["state"], &view["unrated"]), (&json!("incomplete"), &json!("incomplete")));
    assert_eq!(view["rows"].as_array().unwrap().len(), 3);
    let completeness = json!({
        "items": "comments",
        "announced": 543,
        "arrived": 476,
        "fruitless_syncs": 0,
        "incomplete": true,
    });
    assert_eq!(view["completeness"], completeness);
    let done = scratch.ok(&["player", "club", "bea"]);
    let remark = "incomplete, 476 of 543 comments arrived";
    assert!(done.out.contains(remark), "{}", done.out);
    let status = scratch.ok(&["status"]).out;
    for text in [
        "club: 1 incomplete, 1 final",
        "club: contest 2 is incomplete and not rated: 476 of 543 comments arrived",
        "club: request them again: ranklore mine club",
    ] {
        assert!(status.contains(text), "no {text:?} in {status}");
    }
    let status = scratch.json(&["status"]);
    assert_eq!(
        status["sources"][0]["incomplete"],
        json!([{"contest": "2", "state": "incomplete", "completeness": completeness}])
    );
}

#[test]
fn incomplete_contest_is_rated_after_three_syncs() {
    let scratch = club_with_incomplete(4, ContestState::Final);
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!((&rated[0]["contests"], &rated[0]["incomplete"]), (&json!(2), &json!(0)));
    let done = scratch.ok(&["contest", "club", "2"]);
    assert!(done.out.contains("476 of 543 comments arrived"), "{}", done.out);
    assert!(!done.out.contains("not rated"), "{}", done.out);
    let player = scratch.json(&["player", "club", "bea"]);
    let row = &player["rows"][0];
    assert_eq!((&row["contest"], &row["unrated"]), (&json!("2"), &json!(null)));
    assert_eq!(row["completeness"]["fruitless_syncs"], 3);
    assert_eq!(player["rows"][1]["completeness"], json!(null));
    let done = scratch.ok(&["player", "club", "bea"]);
    assert!(done.out.contains("476 of 543 comments arrived"), "{}", done.out);
    let status = scratch.ok(&["status"]).out;
    let text = "club: 1 contest rated although incomplete, since further syncs brought nothing \
                more; the first is 2 (476 of 543 comments arrived)";
    assert!(status.contains(text), "{status}");
    assert!(!status.contains("ranklore mine"), "{status}");
}

#[test]
fn selecting_only_incomplete_contests_is_reported() {
    let scratch = club_with_incomplete(1, ContestState::Incomplete);
    let done = scratch.run(&["rate", "club", "--since", "2023-11-16"]).exits(1);
    done.says("1 incomplete; the next sync of the site requests what is missing");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
}

#[test]
fn incomplete_contest_is_not_published() {
    let scratch = club_with_incomplete(1, ContestState::Incomplete);
    scratch.ok(&["export", "club", "--to", "data"]);
    let card = std::fs::read_to_string(scratch.path("data/README.md")).unwrap();
    let row = "| 2 | 476 of 543 comments arrived; left out |";
    assert!(card.contains(row), "{card}");
    scratch.ok(&["verify", "data"]);
    scratch.ok(&["import", "data", "--db", "other.sqlite"]);
    let contests = scratch.json(&["sources", "--db", "other.sqlite"]);
    assert_eq!(contests["rows"][0]["contests"], 1);
}
