//! The scoreboard of one contest, as platforms for capture-the-flag events publish it for CTFtime.
//!
//! `{"standings": [{"pos": 1, "team": "…", "score": 100}, …]}`: neither a name nor a date.

use serde::Deserialize;

use crate::contest::id_by_name;
use crate::contest::{Contest, Entrant, EntrantKind, Outcome, Place};
use crate::options::ReadOptions;
use crate::reading::Candidates;
use crate::reading::{At, ReadError, Refusal};
use crate::table::{date_in_name, stem};
use crate::time::UnixSeconds;

/// Unknown fields are ignored, such as what each team solved.
#[derive(Deserialize)]
struct Feed {
    standings: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    pos: u32,
    team: String,
    #[serde(default)]
    score: Option<f64>,
}

const NO_DATE: &str = "nothing says when it was held; pass --start, or write the date into the \
                       name of the file, such as \"Harbour CTF 2024-06-01.json\"";

/// Reads the one contest of a feed: its name is that of the file, its time a date in that name,
/// or else the start of the options. Places are counted anew: ties stay, gaps are closed.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let name = stem(file_name);
    let mut found = Candidates::default();
    match feed(bytes)?.and_then(|feed| contest(feed, name, options)) {
        Ok(contest) => found.contests.push((At::Whole, contest)),
        Err((at, why)) => found.refused.push(Refusal {
            at,
            contest: Some(name.to_owned()),
            why,
        }),
    }
    Ok(found)
}

type Found<T> = Result<T, (At, String)>;

fn feed(bytes: &[u8]) -> Result<Found<Feed>, ReadError> {
    // Serde would take the elements of an array for the fields in their order.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        let why = "a feed is an object with standings, and this is an array".to_owned();
        return Ok(Err((At::Whole, why)));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize::<_, Feed>(&mut deserializer);
    let error = match parsed {
        Ok(feed) => {
            return match deserializer.end() {
                Ok(()) => Ok(Ok(feed)),
                Err(error) => Err(not_json(&error)),
            };
        }
        Err(error) if error.inner().is_data() => error,
        Err(error) => return Err(not_json(error.inner())),
    };
    let at = match error.path().to_string().as_str() {
        "." => At::Whole,
        path => At::JsonPath(path.to_owned()),
    };
    Ok(Err((at, error.inner().to_string())))
}

fn not_json(error: &serde_json::Error) -> ReadError {
    ReadError::new(
        At::Line(error.line() as u64),
        format!("this is not JSON: {error}"),
    )
}

fn contest(feed: Feed, name: &str, options: &ReadOptions) -> Found<Contest> {
    let ends_at = held_at(name, options).map_err(|why| (At::Whole, why))?;
    let mut rows = feed.standings;
    if let Some(index) = rows.iter().position(|row| row.pos == 0) {
        let why = "pos counts from 1".to_owned();
        return Err((At::JsonPath(format!("standings[{index}].pos")), why));
    }
    rows.sort_by_key(|row| row.pos);
    let mut above: Option<(u32, Place)> = None;
    let mut entrants = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let place = match above {
            Some((pos, place)) if pos == row.pos => place,
            _ => Place::below(index as u32),
        };
        above = Some((row.pos, place));
        entrants.push(Entrant {
            competitor: row.team,
            kind: EntrantKind::Team,
            outcome: Outcome::Finished(place),
            score: row.score,
            penalty: None,
            members: Vec::new(),
        });
    }
    Ok(Contest {
        external_id: id_by_name(name, ends_at),
        name: name.to_owned(),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at,
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants,
    })
}

fn held_at(name: &str, options: &ReadOptions) -> Result<UnixSeconds, String> {
    match date_in_name(name, options.dates) {
        Some(dated) => dated,
        None => options.start.ok_or_else(|| NO_DATE.to_owned()),
    }
}
