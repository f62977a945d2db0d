#![doc = include_str!("../README.md")]

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use ranklore_contest::{Entrant, Outcome, Place, UnixSeconds};
use ranklore_source::json::{self, Member};
use ranklore_source::{
    Asked, ContestOutcome, Document, Form, Listed, ReadError, Reading, Redacted, Request, Results,
    Source, Stage, Terms, Verdict,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

static TERMS: Terms = Terms {
    base_url: "https://lanternleague.example",
    interval: Duration::from_secs(5),
    robots: true,
    // Appeals are heard within a week.
    provisional: Duration::from_hours(7 * 24),
    attribution: "Lantern League (https://lanternleague.example)",
    licence: "Results may be used by anybody who says where they are from.",
    may_publish: true,
};

const ROUNDS: &str = "api/rounds";
const ROUND: &str = "api/rounds/";

/// The source `lanternleague`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanternleague;

impl Source for Lanternleague {
    fn name(&self) -> &'static str {
        "lanternleague"
    }

    fn terms(&self) -> &Terms {
        &TERMS
    }

    fn start(&self) -> Vec<Request> {
        vec![Request::get(ROUNDS, Form::Json, "the list of rounds")]
    }

    fn judge(&self, _request: &Request, status: u16, body: &[u8]) -> Verdict {
        let members: HashMap<String, IgnoredAny> = serde_json::from_slice(body).unwrap_or_default();
        match status {
            200 if members.contains_key("rounds") || members.contains_key("rows") => {
                Verdict::Answer
            }
            401 | 403 => Verdict::Blocked(format!("HTTP {status}")),
            429 | 500.. => Verdict::Later(format!("HTTP {status}")),
            _ => Verdict::Bad(format!("HTTP {status} without rounds or rows")),
        }
    }

    /// What is read, and nothing else: who lives where is nobody's business, and a count of views
    /// would make every answer a new one.
    fn kept<'b>(&self, _request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        json::trim(body, |path| match path {
            "rounds" | "rows" => Member::Look,
            "rounds.id" | "rounds.title" | "rounds.starts" | "rounds.minutes" | "rounds.state"
            | "round" | "rows.rank" | "rows.name" | "rows.points" => Member::Keep,
            _ => Member::Drop,
        })
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let (key, body) = (document.request_key, document.body);
        let path = Asked::parse(key).map_or("", |asked| asked.path);
        match path.strip_prefix(ROUND).map(str::parse) {
            None if path == ROUNDS => read_rounds(key, body),
            Some(Ok(round)) => read_round(key, body, round),
            _ => {
                let expected = "an answer to a question that is asked of the Lantern League";
                Err(ReadError::new(key, ReadError::WHOLE, expected))
            }
        }
    }

    fn redact<'d>(
        &self,
        document: &Document<'d>,
        blank: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Redacted<'d>> {
        json::redact_members(document.body, &["name"], blank).map(|body| Redacted {
            request_key: Cow::Borrowed(document.request_key),
            body: Cow::Owned(body),
        })
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
    starts: i64,
    minutes: u16,
    state: State,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Planned,
    Running,
    Over,
}

fn read_rounds(key: &str, body: &[u8]) -> Result<Reading, ReadError> {
    let (mut listed, mut ids) = (Vec::new(), HashSet::new());
    for (index, round) in json::parse::<Rounds>(key, body)?.rounds.iter().enumerate() {
        let wrong = |field: &str, expected: String| {
            ReadError::new(key, format!("rounds[{index}].{field}"), expected)
        };
        if !ids.insert(round.id) {
            return Err(wrong(
                "id",
                format!("another round, not {} again", round.id),
            ));
        }
        let starts_at = UnixSeconds::new(round.starts);
        let ends_at = UnixSeconds::new(round.starts.saturating_add(60 * i64::from(round.minutes)));
        if starts_at.is_none() || ends_at.is_none() {
            let expected = format!("a time from 1970 to 2199, not {}", round.starts);
            return Err(wrong("starts", expected));
        }
        listed.push(list(round, starts_at, ends_at));
    }
    if listed.is_empty() {
        let expected = "at least one round: the site has never had none";
        return Err(ReadError::new(key, "rounds", expected));
    }
    Ok(Reading {
        listed,
        lists_all: true,
        ..Reading::default()
    })
}

fn list(round: &Round, starts_at: Option<UnixSeconds>, ends_at: Option<UnixSeconds>) -> Listed {
    let path = format!("{ROUND}{}", round.id);
    Listed {
        external_id: round.id.to_string(),
        name: round.title.clone(),
        event: None,
        division: None,
        ordinal: None,
        url: Some(format!("{}/rounds/{}", TERMS.base_url, round.id)),
        starts_at,
        ends_at,
        site_weight: None,
        stage: match round.state {
            State::Planned => Stage::Announced,
            State::Running => Stage::Running,
            State::Over => Stage::Finished,
        },
        rateable: true,
        results: vec![Request::get(
            path,
            Form::Json,
            format!("round {}", round.id),
        )],
        several: false,
    }
}

#[derive(Deserialize)]
struct Standings {
    round: u32,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    // Null where somebody gave up. Without this line it could also be missing, and if the site
    // calls it otherwise one day, nobody would have finished anything.
    #[serde(deserialize_with = "Option::deserialize")]
    rank: Option<u32>,
    name: String,
    points: u32,
}

fn read_round(key: &str, body: &[u8], asked: u32) -> Result<Reading, ReadError> {
    let Standings { round, rows } = json::parse(key, body)?;
    if round != asked {
        let expected = format!("round {asked}, not {round}");
        return Err(ReadError::new(key, "round", expected));
    }
    // Whoever gave up stands below all others.
    let finished = rows.iter().filter(|row| row.rank.is_some()).count();
    let mut entrants: Vec<Entrant> = Vec::new();
    let mut names = HashSet::new();
    for (index, row) in rows.iter().enumerate() {
        let wrong = |field: &str, expected: String| {
            ReadError::new(key, format!("rows[{index}].{field}"), expected)
        };
        if row.name.is_empty() || !names.insert(&row.name) {
            return Err(wrong("name", format!("somebody else, not {:?}", row.name)));
        }
        let (above, here) = (entrants.last(), Place::below(index as u32));
        let outcome = match (row.rank, above.and_then(|above| above.outcome.place())) {
            (None, _) if index >= finished => Outcome::DidNotFinish,
            (Some(rank), _) if rank == here.get() => Outcome::Finished(here),
            (Some(rank), Some(tied)) if rank == tied.get() => Outcome::Finished(tied),
            (rank, _) => {
                let expected = format!("{} or the rank above, not {rank:?}", here.get());
                return Err(wrong("rank", expected));
            }
        };
        entrants.push(Entrant {
            score: Some(f64::from(row.points)),
            ..Entrant::person(&row.name, outcome)
        });
    }
    let outcome = if entrants.is_empty() {
        ContestOutcome::NothingYet
    } else {
        ContestOutcome::Stood {
            entrants,
            official: Vec::new(),
        }
    };
    let results = Results {
        external_id: round.to_string(),
        name: None,
        stood_at: None,
        outcome,
    };
    Ok(Reading {
        results: vec![results],
        ..Reading::default()
    })
}
