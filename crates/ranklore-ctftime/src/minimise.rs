//! What of an answer is archived.

use std::borrow::Cow;

use ranklore_source::json::keep;
use serde::de::IgnoredAny;

use crate::ask::Question;

/// Of events, without descriptions, pictures and counts that grow by the hour.
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

/// Of pages of teams: numbers and names.
const TEAMS: [&str; 6] = [
    "limit",
    "offset",
    "result.id",
    "result.name",
    "results.id",
    "results.name",
];

/// The questions about a team.
const TEAM: [&str; 2] = ["id", "name"];

/// Results as they came, of events and teams what is of use.
pub(crate) fn minimise<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match question {
        Some(Question::Events(_)) => keep(body, &EVENTS),
        Some(Question::Teams(_)) => keep(body, &TEAMS),
        // A page in its place says with its status that there is no such team.
        Some(Question::Team(_)) if serde_json::from_slice::<IgnoredAny>(body).is_err() => {
            Cow::Borrowed(b"")
        }
        Some(Question::Team(_)) => keep(body, &TEAM),
        Some(Question::Results(_)) | None => Cow::Borrowed(body),
    }
}
