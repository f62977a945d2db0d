//! A site whose list has several pages, of which past ones are settled.

use std::borrow::Cow;
use std::cell::Cell;
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{MineReport, MineRequest, mine};
use ranklore_replay::NoProgress;
use ranklore_source::{
    Classification, Document, MediaKind, NameDisplay, Profile, Request, SiteListing, SiteReadError,
    SiteReading, Source, Stage, Terms,
};
use ranklore_test_support::{DAY, TempDatabase};
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

const START: i64 = 1_700_006_400;

thread_local! {
    /// The current time of a test.
    static NOW: Cell<i64> = const { Cell::new(START) };
}

fn clock() -> UnixSeconds {
    UnixSeconds::new(NOW.get()).unwrap()
}

/// A source with a list of pages; each page can have a settling time and lists contests by name.
struct Almanac;

/// Names are published as they are.
static PROFILE: Profile = Profile::new(
    "almanac",
    Terms {
        interval: Duration::ZERO,
        obeys_robots_txt: false,
        provisional_period: Duration::ZERO,
        names: NameDisplay::AsPublished,
        ..Terms::new("http://127.0.0.1")
    },
);

impl Source for Almanac {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn initial_requests(&self) -> Vec<Request> {
        vec![Request::get("pages", MediaKind::Json, "the pages")]
    }

    fn classify(&self, _: &Request, _: u16, _: &[u8]) -> Classification {
        Classification::Answer
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let value: Value = serde_json::from_slice(document.body).unwrap();
        let entries = value.as_array().unwrap();
        let mut reading = SiteReading::default();
        if document.request_key == "GET pages" {
            reading.follow = entries.iter().map(page).collect();
        } else {
            reading.listed = entries.iter().map(contest).collect();
        }
        Ok(reading)
    }
}

fn page(entry: &Value) -> Request {
    let path = entry["page"].as_str().unwrap();
    Request {
        settles_at: entry["settles_at"].as_i64().and_then(UnixSeconds::new),
        ..Request::get(path, MediaKind::Json, path)
    }
}

fn contest(name: &Value) -> SiteListing {
    let name = name.as_str().unwrap().to_owned();
    SiteListing {
        external_id: name.clone(),
        name,
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: UnixSeconds::new(START),
        site_weight: None,
        stage: Stage::Finished,
        rateable: false,
        results: Vec::new(),
    }
}

fn mine_on_day(server: &Server, scratch: &TempDatabase, day: i64) -> MineReport {
    NOW.set(START + day * DAY);
    let request = MineRequest {
        base_url: Some(server.url().to_owned()),
        interval: Some(Duration::ZERO),
        backoff: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    mine(&mut scratch.open_writer(), &Almanac, &request, clock, &NoProgress).unwrap()
}

#[test]
fn settled_list_page_is_not_requested_again() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    let pages = json!([
        {"page": "may", "settles_at": START - 30 * DAY},
        {"page": "june", "settles_at": START + DAY},
        {"page": "july"},
    ]);
    server.set_replies("GET /pages", [Reply::json(&pages)]);
    for (page, name) in [("may", "Mud Run"), ("june", "Jam Race"), ("july", "Jumps")] {
        let answer = Reply::json(&json!([name]));
        server.set_replies(&format!("GET /{page}"), [answer]);
    }
    let all = ["GET /pages", "GET /may", "GET /june", "GET /july"];
    mine_on_day(&server, &scratch, 0);
    assert_eq!(server.take_targets(), all);
    // June was requested too early, and July never settles.
    mine_on_day(&server, &scratch, 1);
    assert_eq!(server.take_targets(), ["GET /pages", "GET /june", "GET /july"]);
    mine_on_day(&server, &scratch, 2);
    assert_eq!(server.take_targets(), ["GET /pages", "GET /july"]);
    // Contests of settled pages are still stored.
    let store = scratch.open_writer();
    let source = store.sources().unwrap()[0].source_id;
    assert_eq!(store.contests_of_source(source).unwrap().len(), 3);
}
