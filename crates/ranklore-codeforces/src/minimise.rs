//! Minimisation of responses before archiving.

use std::borrow::Cow;

use ranklore_source::json::{MemberAction, trim};

use crate::requests::CodeforcesRequest;

/// Removes the time since the start of a contest, which differs in every response, and names of
/// people. Keeps only handle and rating of an account.
pub(crate) fn minimise<'b>(question: Option<&CodeforcesRequest>, body: &'b [u8]) -> Cow<'b, [u8]> {
    match question {
        Some(CodeforcesRequest::ContestList) => trim(body, |path| match path {
            "result" => MemberAction::Descend,
            "result.relativeTimeSeconds" => MemberAction::Drop,
            _ => MemberAction::Keep,
        }),
        Some(CodeforcesRequest::Standings(_)) => trim(body, |path| match path {
            "result"
            | "result.contest"
            | "result.rows"
            | "result.rows.party"
            | "result.rows.party.members" => MemberAction::Descend,
            "result.contest.relativeTimeSeconds" | "result.rows.party.members.name" => {
                MemberAction::Drop
            }
            _ => MemberAction::Keep,
        }),
        Some(CodeforcesRequest::RatedUsers | CodeforcesRequest::UserInfo(_)) => {
            trim(body, |path| match path {
                "result" => MemberAction::Descend,
                "status" | "comment" | "result.handle" | "result.rating" => MemberAction::Keep,
                _ => MemberAction::Drop,
            })
        }
        Some(CodeforcesRequest::RatingChanges(_)) | None => Cow::Borrowed(body),
    }
}
