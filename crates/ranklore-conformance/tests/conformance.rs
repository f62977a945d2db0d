//! The suite passes conforming sources of JSON and HTML, and reports violations.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place};
use ranklore_source::json::{MemberAction, parse, trim};
use ranklore_source::{
    Classification, ContestOutcome, DisplayName, Document, ListingDetails, MediaKind, Profile,
    Request, RequestKey, Results, SiteListing, SiteReadError, SiteReading, Source, Stage, Terms,
};
use serde::Deserialize;

const TERMS: Terms = Terms::new("https://contests.example");

static JSON: Profile = Profile::new("json", TERMS);
static PAGES: Profile = Profile::new("page", TERMS);

/// A violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// Cuts ranks to 32 bits.
    Wraps,
    /// Reads an invalid rank as the first.
    Guesses,
    /// Refuses unknown fields.
    Strict,
    /// Errors have no location.
    Vague,
    /// Indexes without a bounds check.
    Panics,
    /// Minimising again changes the result.
    Grows,
    /// Minimising removes data that is read.
    Drops,
    /// Reads a truncated page as a complete one.
    Half,
    /// Does not validate places.
    Trusts,
    /// Sends one request twice.
    Repeats,
    /// Identifies a contest by its winner, who then cannot be forgotten.
    Quotes,
    /// Describes one contest twice.
    Describes,
    /// Gives a competitor an empty name.
    Blank,
}

fn results(id: &str, people: Vec<(String, u32)>) -> SiteReading {
    let entrants = people
        .into_iter()
        .filter_map(|(name, rank)| {
            let place = Place::new(rank)?;
            Some(Entrant::person(name, EntrantOutcome::Finished(place)))
        })
        .collect();
    SiteReading {
        results: vec![Results::new(
            id,
            ContestOutcome::Standings {
                entrants,
                official: Vec::new(),
            },
        )],
        ..SiteReading::default()
    }
}

struct JsonSource(Fault);

#[derive(Deserialize)]
struct Row {
    name: String,
    rank: u64,
}

#[derive(Deserialize)]
struct Answer {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only refuses unknown fields")]
struct Strict {
    rows: serde_json::Value,
    now: Option<u64>,
    winner: Option<String>,
}

impl JsonSource {
    fn request() -> Request {
        Request::get("api/standings", MediaKind::Json, "standings").with_parameter("id", 7)
    }
}

impl Source for JsonSource {
    fn profile(&self) -> &'static Profile {
        &JSON
    }

    fn initial_requests(&self) -> Vec<Request> {
        let times = if self.0 == Fault::Repeats { 2 } else { 1 };
        vec![Self::request(); times]
    }

    fn classify(&self, _: &Request, _: u16, body: &[u8]) -> Classification {
        match parse::<serde::de::IgnoredAny>("", body) {
            Ok(_) => Classification::Answer,
            Err(error) => Classification::Invalid(error.to_string()),
        }
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        match self.0 {
            Fault::Grows => Cow::Owned([body, b" "].concat()),
            fault => trim(body, |path| match path {
                "rows" => MemberAction::Descend,
                "rows.rank" if fault == Fault::Drops => MemberAction::Drop,
                "now" => MemberAction::Drop,
                _ => MemberAction::Keep,
            }),
        }
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        let wrong = |at: String, expected: &str| SiteReadError::new(key, at, expected);
        let id = RequestKey::parse(key).and_then(|request_key| request_key.parameter("id"));
        let id = id.ok_or_else(|| wrong("the whole".to_owned(), "standings of a contest"))?;
        if self.0 == Fault::Strict {
            parse::<Strict>(key, body)?;
        }
        if self.0 == Fault::Guesses {
            let value: serde_json::Value = parse(key, body)?;
            let rows = value["rows"].as_array().cloned().unwrap_or_default();
            if rows.is_empty() {
                return Err(wrong("rows".to_owned(), "rows"));
            }
            let people = rows.iter().map(|row| {
                let name = row["name"].as_str().unwrap_or("nobody").to_owned();
                (name, row["rank"].as_u64().unwrap_or(1) as u32)
            });
            return Ok(results(&id, people.collect()));
        }
        let answer: Answer = match parse(key, body) {
            Err(_) if self.0 == Fault::Vague => {
                return Err(wrong("the whole".to_owned(), "something else"));
            }
            other => other?,
        };
        if self.0 == Fault::Panics {
            assert_ne!(answer.rows[0].name, "NaN");
        }
        if answer.rows.is_empty() {
            return Err(wrong("rows".to_owned(), "at least one"));
        }
        let mut people: Vec<(String, u32)> = Vec::new();
        for (index, row) in answer.rows.into_iter().enumerate() {
            let rank = match u32::try_from(row.rank) {
                Ok(rank) => rank,
                Err(_) if self.0 == Fault::Wraps => row.rank as u32,
                Err(_) => return Err(wrong(format!("rows[{index}].rank"), "a rank")),
            };
            let twice = people.iter().any(|(name, _)| *name == row.name);
            if row.name.is_empty() || twice {
                return Err(wrong(format!("rows[{index}].name"), "a name of its own"));
            }
            if rank as usize != index + 1 {
                return Err(wrong(format!("rows[{index}].rank"), "the next rank"));
            }
            people.push((row.name, rank));
        }
        let mut reading = results(&id, people);
        if self.0 == Fault::Describes {
            let described = ListingDetails {
                external_id: id.into_owned(),
                name: None,
                division: None,
                starts_at: None,
                ends_at: None,
                site_weight: None,
            };
            reading.described = vec![described; 2];
        }
        if self.0 == Fault::Quotes {
            reading.listed.push(SiteListing::new("ada", "Round 1", Stage::Finished));
        }
        if self.0 == Fault::Blank {
            reading.named.push(DisplayName {
                kind: EntrantKind::Team,
                competitor: "7".to_owned(),
                name: String::new(),
            });
        }
        Ok(reading)
    }
}

/// A site of the year 2000: takes a form, and does not close tags.
struct PageSource(Fault);

impl Source for PageSource {
    fn profile(&self) -> &'static Profile {
        &PAGES
    }

    fn initial_requests(&self) -> Vec<Request> {
        let request = Request::post("event3.asp", MediaKind::Html, "the spring ball");
        vec![request.with_form_field("event", "Ball 23").with_form_field("selDiv", "")]
    }

    fn classify(&self, _: &Request, status: u16, body: &[u8]) -> Classification {
        let is_complete = String::from_utf8_lossy(body).trim_end().ends_with("</html>");
        match status {
            200 if is_complete => Classification::Answer,
            _ => Classification::Invalid("cut off".to_owned()),
        }
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let text = String::from_utf8_lossy(document.body);
        let wrong =
            |at: &str, expected: &str| SiteReadError::new(document.request_key, at, expected);
        if self.0 != Fault::Half && !text.trim_end().ends_with("</html>") {
            return Err(wrong("its end", "</html>"));
        }
        let request_key = RequestKey::parse(document.request_key);
        let event = request_key.and_then(|request_key| request_key.parameter("event"));
        let event = event.ok_or_else(|| wrong("the whole", "an event"))?;
        let row = |line: &str| {
            let (place, name) = line.strip_prefix("<li>")?.split_once(") ")?;
            Some((name.to_owned(), place.parse().ok()?))
        };
        let people: Vec<(String, u32)> = text.lines().filter_map(row).collect();
        if people.is_empty() {
            return Err(wrong("its rows", "at least one"));
        }
        for (index, (name, place)) in people.iter().enumerate() {
            let above = &people[..index];
            let tied = above.last().is_some_and(|(_, above)| above == place);
            let twice = above.iter().any(|(other, _)| other == name);
            let follows = tied || *place as usize == index + 1;
            if name.is_empty() || twice || (!follows && self.0 != Fault::Trusts) {
                return Err(wrong("its rows", "people on their places"));
            }
        }
        Ok(results(&event, people))
    }
}

const ROWS: &[u8] =
    br#"{"now": 5, "winner": "ada", "rows": [{"name": "ada", "rank": 1}, {"name": "bea", "rank": 2}]}"#;
const PAGE: &[u8] =
    b"<html><td class=h4>Ball\r\n<li>1) Ada\r\n<li>2) Bea\r\n<li>2) Cleo\r\n</html>\r\n";

fn check(source: &dyn Source, body: &[u8]) {
    conformance::check_requests(source);
    let fixture = Fixture {
        name: "a fixture",
        request: &source.initial_requests()[0],
        status: 200,
        body,
        optional: &[],
    };
    conformance::check_fixture(source, &fixture);
}

#[test]
fn conforming_sources_pass() {
    check(&JsonSource(Fault::None), ROWS);
    check(&PageSource(Fault::None), PAGE);
}

/// Returns the message with which the suite fails for a source.
fn failure_message(source: &dyn Source, body: &[u8]) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| check(source, body))).unwrap_err();
    let text = panic.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
}

#[test]
fn violations_are_reported() {
    for (fault, message) in [
        (Fault::Wraps, "it wrapped"),
        (Fault::Guesses, "the reading changed without an error"),
        (Fault::Strict, "unknown fields added: it reads differently"),
        (Fault::Vague, "names another place or field"),
        (Fault::Panics, "reading panicked"),
        (Fault::Grows, "minimising twice changes the answer"),
        (Fault::Drops, "the minimised answer reads differently"),
        (Fault::Repeats, "duplicate request"),
        (Fault::Quotes, "\"ada\" still occurs after being forgotten"),
        (Fault::Describes, "is described twice"),
        (Fault::Blank, "empty name"),
    ] {
        let failure = failure_message(&JsonSource(fault), ROWS);
        assert!(failure.contains(message), "{fault:?}: {failure}");
    }
    let failure = failure_message(&PageSource(Fault::Half), PAGE);
    assert!(failure.contains("invented results"), "{failure}");
    let failure = failure_message(&PageSource(Fault::Trusts), PAGE);
    assert!(failure.contains("but 1 is expected"), "{failure}");
}

#[test]
fn panicking_key_is_reported() {
    let empty = br#"{"rows":[]}"#;
    let key = JsonSource::request().key();
    for key in ["", "GET", "?id=7", key.as_str()] {
        conformance::check_any_key(&JsonSource(Fault::None), key, empty);
    }
    catch_unwind(|| conformance::check_any_key(&JsonSource(Fault::Panics), &key, empty))
        .unwrap_err();
}
