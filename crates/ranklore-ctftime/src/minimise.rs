//! Minimisation of responses before archiving.

use std::borrow::Cow;

use ranklore_source::json::keep;
use serde::de::IgnoredAny;

use crate::requests::CtftimeRequest;

/// Fields kept of events. Removes descriptions, pictures and counts that change hourly.
const EVENTS: [&str; 11] = [
    "id",
    "title",
    "start",
    "finish",
    "weight",
    "format",
    "onsite",
    "ctf_id",
    "ctftime_url",
    "organizers.id",
    "organizers.name",
];

/// Fields kept of team pages: ids and names.
const TEAMS: [&str; 6] = [
    "limit",
    "offset",
    "result.id",
    "result.name",
    "results.id",
    "results.name",
];

/// Fields kept of a single team.
const TEAM: [&str; 2] = ["id", "name"];

/// Keeps results unchanged; of events and teams only the fields that are read.
pub(crate) fn minimise<'b>(question: Option<&CtftimeRequest>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match question {
        Some(CtftimeRequest::Events(_)) => keep(body, &EVENTS),
        Some(CtftimeRequest::Teams(_)) => keep(body, &TEAMS),
        // A page with status 404 means that the team does not exist.
        Some(CtftimeRequest::Team(_)) if serde_json::from_slice::<IgnoredAny>(body).is_err() => {
            Cow::Borrowed(b"")
        }
        Some(CtftimeRequest::Team(_)) => keep(body, &TEAM),
        Some(CtftimeRequest::Results(_)) | None => Cow::Borrowed(body),
    }
}
