//! Official ratings that do not continue the stored history of a handle.

use std::cell::Cell;
use std::sync::Mutex;
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{MineRequest, OptionValues, find_site, mine};
use ranklore_replay::Progress;
use ranklore_test_support::{DAY, Reply, Server, TempDatabase};
use serde_json::{Value, json};

const START: i64 = 1_700_006_400;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(START) };
}

fn clock() -> UnixSeconds {
    UnixSeconds::new(NOW.get()).unwrap()
}

/// Collects the notes about broken histories.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn begin_task(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64, _: u64, _: u64) {}

    fn note(&self, line: &str) {
        if line.contains("the ratings before it") {
            self.0.lock().unwrap().push(line.to_owned());
        }
    }

    fn is_interrupted(&self) -> bool {
        false
    }
}

/// A round with its rows: handle, rating before and after, best first.
type Round<'r> = (u32, i64, &'r [(&'r str, i32, i32)]);

/// Syncs with a site of these rounds on a day. Returns the notes.
fn sync(scratch: &TempDatabase, day: i64, rounds: &[Round<'_>], full: bool) -> Vec<String> {
    let server = Server::new();
    let ok = |result: &Value| Reply::json(&json!({"status": "OK", "result": result}));
    let list = rounds.iter().map(|(id, ended_on, _)| {
        json!({
            "id": id, "name": format!("Round {id}"), "type": "CF", "phase": "FINISHED",
            "frozen": false, "durationSeconds": 3600,
            "startTimeSeconds": START + ended_on * DAY - 3600,
        })
    });
    server.set_replies("GET /api/contest.list?gym=false&lang=en", [ok(&list.collect())]);
    for (id, _, rows) in rounds {
        let changes = rows.iter().zip(1..).map(|((handle, before, after), rank)| {
            json!({
                "contestId": id, "contestName": format!("Round {id}"), "handle": handle,
                "rank": rank, "ratingUpdateTimeSeconds": START, "oldRating": before,
                "newRating": after,
            })
        });
        let target = format!("GET /api/contest.ratingChanges?contestId={id}&lang=en");
        server.set_replies(&target, [ok(&changes.collect())]);
    }
    let users = "GET /api/user.ratedList?activeOnly=false&includeRetired=true";
    let handles = ["ada", "bea", "cyd"].map(|handle| json!({"handle": handle, "rating": 1}));
    server.set_replies(users, [ok(&json!(handles))]);
    NOW.set(START + day * DAY);
    let codeforces = (find_site("codeforces").unwrap().open)(&OptionValues::default()).unwrap();
    let request = MineRequest {
        base_url: Some(server.url().to_owned()),
        interval: Some(Duration::ZERO),
        backoff: Some(Duration::ZERO),
        full,
        ..MineRequest::default()
    };
    let notes = Notes::default();
    let report = mine(&mut scratch.open_writer(), &*codeforces, &request, clock, &notes).unwrap();
    assert_eq!((report.refused.len(), report.left), (0, 0));
    notes.0.into_inner().unwrap()
}

const OLD: [Round<'_>; 2] = [
    (1, -300, &[("ada", 1500, 1560), ("bea", 1500, 1440)]),
    (
        2,
        -200,
        &[
            ("bea", 1440, 1510),
            ("ada", 1560, 1490),
            ("cyd", 1500, 1450),
        ],
    ),
];

#[test]
fn handle_that_changed_hands_is_noticed() {
    let scratch = TempDatabase::new();
    assert_eq!(sync(&scratch, 0, &OLD, false), [""; 0]);
    // Ada and Bea swapped handles. The site has rewritten its past answers, the archive has not.
    let new: Round<'_> = (
        3,
        0,
        &[
            ("ada", 1510, 1530),
            ("bea", 1490, 1480),
            ("cyd", 1450, 1440),
        ],
    );
    let notes = sync(&scratch, 1, &[OLD[0], OLD[1], new], false);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("contest 3: "), "{notes:?}");
    assert!(notes[0].contains("\"ada\", \"bea\" are not"), "{notes:?}");
    assert!(notes[0].contains("ranklore mine codeforces --full"), "{notes:?}");
    // That command settles it.
    let rewritten: [Round<'_>; 3] = [
        (1, -300, &[("bea", 1500, 1560), ("ada", 1500, 1440)]),
        (
            2,
            -200,
            &[
                ("ada", 1440, 1510),
                ("bea", 1560, 1490),
                ("cyd", 1500, 1450),
            ],
        ),
        new,
    ];
    assert_eq!(sync(&scratch, 2, &rewritten, true), [""; 0]);
    let next: Round<'_> = (4, 3, &[("ada", 1530, 1540), ("bea", 1480, 1470)]);
    let all = [rewritten[0], rewritten[1], new, next];
    assert_eq!(sync(&scratch, 4, &all, false), [""; 0]);
}

#[test]
fn unknown_ratings_in_between_are_no_break() {
    let scratch = TempDatabase::new();
    assert_eq!(sync(&scratch, 0, &OLD, false), [""; 0]);
    // The ratings of round 3 are not out yet.
    let pending: Round<'_> = (3, 0, &[]);
    let new: Round<'_> = (4, 1, &[("ada", 1700, 1710), ("bea", 1300, 1290)]);
    assert_eq!(sync(&scratch, 2, &[OLD[0], OLD[1], pending, new], false), [""; 0]);
}
