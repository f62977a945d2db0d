#![doc = include_str!("../README.md")]

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;

use ranklore_contest::{Entrant, EntrantOutcome, Place, UnixSeconds};
use ranklore_source::{
    Classification, Document, MediaKind, NameDisplay, Profile, Registration, Request, RequestKey,
    Results, SiteListing, SiteReadError, SiteReading, Source, Stage, Terms, json,
};
use serde::Deserialize;

static PROFILE: Profile = Profile::new(
    "lanternleague",
    Terms {
        // Appeals are heard within a week.
        provisional_period: Duration::from_hours(7 * 24),
        attribution: "Lantern League (https://lanternleague.example)",
        licence: "Results may be used by anybody who says where they are from.",
        may_publish: true,
        names: NameDisplay::AsPublished,
        ..Terms::new("https://lanternleague.example")
    },
);

/// The registration of the source `lanternleague`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |_| Ok(Box::new(Lanternleague)),
    open_archive: |_| Box::new(Lanternleague),
};

const ROUNDS: &str = "api/rounds";
const ROUND: &str = "api/rounds/";

/// The source `lanternleague`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanternleague;

impl Source for Lanternleague {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn initial_requests(&self) -> Vec<Request> {
        vec![Request::get(ROUNDS, MediaKind::Json, "the list of rounds")]
    }

    fn classify(&self, _request: &Request, status: u16, body: &[u8]) -> Classification {
        json::classify(status, body, &["rounds", "rows"])
    }

    /// Keeps only the fields that `read` uses: cities are personal data, and a view count would make
    /// every response a new one.
    fn minimise<'b>(&self, _request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        let list = ["rounds.id", "rounds.title", "rounds.ends", "rounds.state"];
        let standings = ["round", "rows.rank", "rows.name", "rows.points"];
        json::keep(body, &[list, standings].concat())
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let body = document.body;
        let path = RequestKey::parse(key).map_or("", |request| request.path);
        match path.strip_prefix(ROUND).map(str::parse) {
            None if path == ROUNDS => read_round_list(key, body),
            Some(Ok(round)) => read_round(key, body, round),
            _ => Err(SiteReadError::unknown_request(key, "the Lantern League")),
        }
    }
}

#[derive(Deserialize)]
struct Rounds {
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct Round {
    id: u32,
    title: String,
    ends: UnixSeconds,
    state: State,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Planned,
    Running,
    Over,
}

fn read_round_list(key: &str, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    let Rounds { rounds } = json::parse(key, body)?;
    let ids: HashSet<u32> = rounds.iter().map(|round| round.id).collect();
    if rounds.is_empty() || ids.len() < rounds.len() {
        let expected = "at least one round, and each once";
        return Err(SiteReadError::new(key, "rounds", expected));
    }
    Ok(SiteReading {
        listed: rounds.into_iter().map(listing).collect(),
        lists_all: true,
        ..SiteReading::default()
    })
}

fn listing(round: Round) -> SiteListing {
    let id = round.id;
    let stage = match round.state {
        State::Planned => Stage::Announced,
        State::Running => Stage::Running,
        State::Over => Stage::Finished,
    };
    let results = Request::get(format!("{ROUND}{id}"), MediaKind::Json, format!("round {id}"));
    SiteListing {
        url: Some(format!("{}/rounds/{id}", PROFILE.terms.base_url)),
        ends_at: Some(round.ends),
        results: vec![results],
        ..SiteListing::new(id.to_string(), round.title, stage)
    }
}

#[derive(Deserialize)]
struct Standings {
    round: u32,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    // Null for entrants who gave up. Without this line a missing field would also be accepted: if
    // the site renamed it, all entrants would be unfinished.
    #[serde(deserialize_with = "Option::deserialize")]
    rank: Option<Place>,
    name: String,
    points: u32,
}

fn read_round(key: &str, body: &[u8], requested: u32) -> Result<SiteReading, SiteReadError> {
    let Standings { round, rows } = json::parse(key, body)?;
    if round != requested {
        let expected = format!("round {requested}, not {round}");
        return Err(SiteReadError::new(key, "round", expected));
    }
    let entrants = rows.into_iter().map(|row| {
        let outcome = row.rank.map_or(EntrantOutcome::DidNotFinish, EntrantOutcome::Finished);
        Entrant {
            score: Some(f64::from(row.points)),
            ..Entrant::person(row.name, outcome)
        }
    });
    // Checks that entrants are unique, that ranks are consistent, and that unfinished come last.
    let results = Results::from_standings(round.to_string(), entrants.collect())
        .map_err(|invalid| SiteReadError::new(key, "rows", invalid.to_string()))?;
    Ok(SiteReading {
        results: vec![results],
        ..SiteReading::default()
    })
}
