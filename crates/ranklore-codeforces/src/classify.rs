//! Classification of responses before archiving.

use ranklore_source::Classification;
use ranklore_source::json::{self, quote_excerpt};
use serde::de::IgnoredAny;

use crate::api_error::ApiError;
use crate::requests::CodeforcesRequest;
use crate::response::Envelope;

/// Bytes of a non-JSON response that are searched.
const MAX_SEARCHED_BYTES: usize = 16 << 10;

pub(crate) fn classify(
    question: Option<&CodeforcesRequest>,
    status: u16,
    body: &[u8],
) -> Classification {
    let envelope = std::str::from_utf8(body)
        .ok()
        .and_then(|text| serde_json::from_str::<Envelope<'_, IgnoredAny>>(text).ok());
    match envelope {
        Some(Envelope {
            status: api_status,
            comment,
            result,
        }) => match (&*api_status, comment) {
            ("OK", _) if status == 200 && result.is_some() => Classification::Answer,
            ("FAILED", Some(comment)) => classify_error(question, status, &comment),
            _ => Classification::Invalid(format!(
                "status {}, HTTP {status}, no result",
                quote_excerpt(&api_status)
            )),
        },
        None => classify_non_json(status, body),
    }
}

fn classify_error(
    question: Option<&CodeforcesRequest>,
    status: u16,
    comment: &str,
) -> Classification {
    use CodeforcesRequest::{RatingChanges, Standings, UserInfo};
    match (ApiError::parse(comment), question) {
        (ApiError::CallLimitExceeded, _) => Classification::RetryLater(comment.to_owned()),
        (ApiError::UserNotFound(_), Some(UserInfo(_)))
        | (ApiError::NotRated, Some(RatingChanges(_)))
        | (
            ApiError::ContestNotFound | ApiError::NotStarted | ApiError::AccessDenied,
            Some(RatingChanges(_) | Standings(_)),
        ) => Classification::Answer,
        _ if status == 429 || status >= 500 => json::classify_failure(status, comment.as_bytes()),
        _ => Classification::Invalid(quote_excerpt(comment)),
    }
}

/// Classifies a response that is no API envelope: challenges, notices, truncated JSON.
fn classify_non_json(status: u16, body: &[u8]) -> Classification {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_SEARCHED_BYTES)]);
    let text = text.trim_start();
    let off = "temporarily blocked by administrator";
    if text.to_ascii_lowercase().contains(off) {
        return Classification::Failed("the API is switched off temporarily".to_owned());
    }
    if status == 403 && !text.starts_with('<') {
        return Classification::RetryLater(format!(
            "rate limit exceeded, HTTP 403: {}",
            quote_excerpt(text)
        ));
    }
    json::classify_failure(status, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &str =
        "<!DOCTYPE html><html lang=\"en-US\"><head><title>Just a moment...</title></head></html>";

    fn failed_response(comment: &str) -> String {
        format!(r#"{{"status":"FAILED","comment":"{comment}"}}"#)
    }

    fn classification_word(verdict: &Classification) -> &'static str {
        match verdict {
            Classification::Answer => "answer",
            Classification::RetryLater(_) => "later",
            Classification::Failed(_) => "failed",
            Classification::Blocked(_) => "blocked",
            Classification::Invalid(_) => "bad",
        }
    }

    #[test]
    fn known_bodies_are_classified() {
        let (changes, standings) =
            (CodeforcesRequest::RatingChanges(1000), CodeforcesRequest::Standings(1000));
        let info = CodeforcesRequest::UserInfo(vec!["ada".to_owned()]);
        let unrated = failed_response("contestId: Rating changes are unavailable for this contest");
        let gone = failed_response("contestId: Contest with id 1000 not found");
        let not_begun = failed_response("contestId: Contest with id 1000 has not started");
        let signed = failed_response("contestId: You have to be authenticated to use this method");
        let anonymous = failed_response(
            "contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters",
        );
        let nobody = failed_response("handles: User with handle ada not found");
        let limit = failed_response("Call limit exceeded");
        for (question, status, body, verdict) in [
            (&changes, 200, r#"{"status":"OK","result":[]}"#, "answer"),
            (&changes, 400, &unrated, "answer"),
            (&standings, 400, &unrated, "bad"),
            (&CodeforcesRequest::ContestList, 400, &unrated, "bad"),
            (&changes, 400, &gone, "answer"),
            (&changes, 400, &not_begun, "answer"),
            (&standings, 400, &signed, "answer"),
            (&standings, 400, &anonymous, "answer"),
            (&info, 400, &nobody, "answer"),
            (&changes, 400, &nobody, "bad"),
            (
                &info,
                400,
                &failed_response(
                    "handles: Field should contain between 3 and 24 characters, inclusive",
                ),
                "bad",
            ),
            (&info, 400, &failed_response("handle: User with handle ada not found"), "bad"),
            (
                &changes,
                400,
                &failed_response(
                    "apiKey: Incorrect API key;onlyOnline: You have to be authenticated to use this method",
                ),
                "bad",
            ),
            (&changes, 503, &limit, "later"),
            (&changes, 400, &limit, "later"),
            (&changes, 500, &failed_response("Something broke"), "failed"),
            (&changes, 403, "Too many requests, slow down", "later"),
            (&changes, 403, "", "later"),
            (&changes, 403, CHALLENGE, "blocked"),
            (&changes, 200, CHALLENGE, "blocked"),
            (&changes, 503, CHALLENGE, "blocked"),
            (&changes, 403, "<html><body>Forbidden</body></html>", "blocked"),
            (&changes, 200, "The page is temporarily blocked by administrator.", "failed"),
            (
                &changes,
                403,
                "<html><p>The page is temporarily blocked by administrator.</p></html>",
                "failed",
            ),
            (&changes, 401, "", "blocked"),
            (&changes, 429, "", "later"),
            (&changes, 502, "<html>Bad gateway</html>", "failed"),
            (&changes, 404, "<html>Not found</html>", "bad"),
            (&changes, 200, "<html>Codeforces</html>", "bad"),
            (&changes, 200, "", "bad"),
            (&changes, 200, r#"{"status":"OK","result":[{"contestId""#, "bad"),
            (&changes, 200, r#"{"status":"OK","result":null}"#, "bad"),
            (&changes, 200, r#"{"status":"OK"}"#, "bad"),
            (&changes, 400, r#"{"status":"OK","result":[]}"#, "bad"),
            (&changes, 200, r#"{"status":"FAILED"}"#, "bad"),
            (&changes, 200, "[]", "bad"),
        ] {
            let found = classify(Some(question), status, body.as_bytes());
            assert_eq!(classification_word(&found), verdict, "{status} {body}: {found:?}");
        }
        let not_text = classify(Some(&changes), 200, b"{\"status\":\"OK\",\"result\":\"\xff\"}");
        assert_eq!(classification_word(&not_text), "bad");
    }
}
