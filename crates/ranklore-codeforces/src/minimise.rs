//! Minimisation of responses before archiving.

use std::borrow::Cow;

use ranklore_source::json::{Member, trim};

use crate::ask::Question;

/// Removes the time since the start of a contest, which differs in every response, and names of
/// people. Keeps only handle and rating of an account.
pub(crate) fn minimise<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match question {
        Some(Question::List) => trim(body, |path| match path {
            "result" => Member::Look,
            "result.relativeTimeSeconds" => Member::Drop,
            _ => Member::Keep,
        }),
        Some(Question::Standings(_)) => trim(body, |path| match path {
            "result"
            | "result.contest"
            | "result.rows"
            | "result.rows.party"
            | "result.rows.party.members" => Member::Look,
            "result.contest.relativeTimeSeconds" | "result.rows.party.members.name" => Member::Drop,
            _ => Member::Keep,
        }),
        Some(Question::Rated | Question::Info(_)) => trim(body, |path| match path {
            "result" => Member::Look,
            "status" | "comment" | "result.handle" | "result.rating" => Member::Keep,
            _ => Member::Drop,
        }),
        Some(Question::Changes(_)) | None => Cow::Borrowed(body),
    }
}
