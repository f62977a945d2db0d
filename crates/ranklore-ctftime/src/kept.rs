//! What of an answer is archived.

use std::borrow::Cow;

use ranklore_source::json::{Member, trim};

use crate::ask::Question;

/// Results as they came. Of events what is read of them, without descriptions, pictures and
/// counts that grow by the hour; of teams numbers and names.
pub(crate) fn kept<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match question {
        Some(Question::Events(_)) => trim(body, |path| match path {
            "organizers" => Member::Look,
            "id" | "title" | "start" | "finish" | "weight" | "format" | "onsite" | "ctf_id"
            | "ctftime_url" | "organizers.id" | "organizers.name" => Member::Keep,
            _ => Member::Drop,
        }),
        Some(Question::Teams(_)) => trim(body, |path| match path {
            "result" | "results" => Member::Look,
            "limit" | "offset" | "result.id" | "result.name" | "results.id" | "results.name" => {
                Member::Keep
            }
            _ => Member::Drop,
        }),
        Some(Question::Results(_)) | None => Cow::Borrowed(body),
    }
}
