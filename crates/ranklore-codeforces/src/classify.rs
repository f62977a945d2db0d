//! Classification of responses before archiving.

use ranklore_source::Verdict;
use ranklore_source::json::{self, brief};
use serde::de::IgnoredAny;

use crate::answer::Envelope;
use crate::ask::Question;
use crate::refusal::Refusal;

/// Bytes of a non-JSON response that are searched.
const SEARCHED: usize = 16 << 10;

pub(crate) fn classify(question: Option<&Question>, status: u16, body: &[u8]) -> Verdict {
    let envelope = std::str::from_utf8(body)
        .ok()
        .and_then(|text| serde_json::from_str::<Envelope<'_, IgnoredAny>>(text).ok());
    match envelope {
        Some(Envelope {
            status: said,
            comment,
            result,
        }) => match (&*said, comment) {
            ("OK", _) if status == 200 && result.is_some() => Verdict::Answer,
            ("FAILED", Some(comment)) => refused(question, status, &comment),
            _ => Verdict::Invalid(format!("status {}, HTTP {status}, no result", brief(&said))),
        },
        None => no_envelope(status, body),
    }
}

fn refused(question: Option<&Question>, status: u16, comment: &str) -> Verdict {
    use Question::{Changes, Info, Standings};
    match (Refusal::of(comment), question) {
        (Refusal::TooOften, _) => Verdict::RetryLater(comment.to_owned()),
        (Refusal::NoSuchAccount(_), Some(Info(_)))
        | (Refusal::NotRated, Some(Changes(_)))
        | (
            Refusal::NoSuchContest | Refusal::NotStarted | Refusal::Closed,
            Some(Changes(_) | Standings(_)),
        ) => Verdict::Answer,
        _ if overloaded(status) => {
            Verdict::RetryLater(format!("HTTP {status}: {}", brief(comment)))
        }
        _ => Verdict::Invalid(brief(comment)),
    }
}

fn overloaded(status: u16) -> bool {
    status == 429 || status >= 500
}

/// Classifies a response that is no API envelope: challenges, notices, truncated JSON.
fn no_envelope(status: u16, body: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(&body[..body.len().min(SEARCHED)]);
    let text = text.trim_start();
    let off = "temporarily blocked by administrator";
    if text.to_ascii_lowercase().contains(off) {
        return Verdict::RetryLater("the API is switched off temporarily".to_owned());
    }
    if status == 403 && !text.starts_with('<') {
        return Verdict::RetryLater(format!("rate limit exceeded, HTTP 403: {}", brief(text)));
    }
    json::no_answer(status, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &str =
        "<!DOCTYPE html><html lang=\"en-US\"><head><title>Just a moment...</title></head></html>";

    fn failed(comment: &str) -> String {
        format!(r#"{{"status":"FAILED","comment":"{comment}"}}"#)
    }

    fn word(verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Answer => "answer",
            Verdict::RetryLater(_) => "later",
            Verdict::Blocked(_) => "blocked",
            Verdict::Invalid(_) => "bad",
        }
    }

    #[test]
    fn every_known_body_has_its_verdict() {
        let (changes, standings) = (Question::Changes(1000), Question::Standings(1000));
        let info = Question::Info(vec!["ada".to_owned()]);
        let unrated = failed("contestId: Rating changes are unavailable for this contest");
        let gone = failed("contestId: Contest with id 1000 not found");
        let not_begun = failed("contestId: Contest with id 1000 has not started");
        let signed = failed("contestId: You have to be authenticated to use this method");
        let anonymous = failed(
            "contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters",
        );
        let nobody = failed("handles: User with handle ada not found");
        let limit = failed("Call limit exceeded");
        for (question, status, body, verdict) in [
            (&changes, 200, r#"{"status":"OK","result":[]}"#, "answer"),
            (&changes, 400, &unrated, "answer"),
            (&standings, 400, &unrated, "bad"),
            (&Question::List, 400, &unrated, "bad"),
            (&changes, 400, &gone, "answer"),
            (&changes, 400, &not_begun, "answer"),
            (&standings, 400, &signed, "answer"),
            (&standings, 400, &anonymous, "answer"),
            (&info, 400, &nobody, "answer"),
            (&changes, 400, &nobody, "bad"),
            (
                &info,
                400,
                &failed("handles: Field should contain between 3 and 24 characters, inclusive"),
                "bad",
            ),
            (
                &info,
                400,
                &failed("handle: User with handle ada not found"),
                "bad",
            ),
            (
                &changes,
                400,
                &failed(
                    "apiKey: Incorrect API key;onlyOnline: You have to be authenticated to use this method",
                ),
                "bad",
            ),
            (&changes, 503, &limit, "later"),
            (&changes, 400, &limit, "later"),
            (&changes, 500, &failed("Something broke"), "later"),
            (&changes, 403, "Too many requests, slow down", "later"),
            (&changes, 403, "", "later"),
            (&changes, 403, CHALLENGE, "blocked"),
            (&changes, 200, CHALLENGE, "blocked"),
            (&changes, 503, CHALLENGE, "blocked"),
            (
                &changes,
                403,
                "<html><body>Forbidden</body></html>",
                "blocked",
            ),
            (
                &changes,
                200,
                "The page is temporarily blocked by administrator.",
                "later",
            ),
            (
                &changes,
                403,
                "<html><p>The page is temporarily blocked by administrator.</p></html>",
                "later",
            ),
            (&changes, 401, "", "blocked"),
            (&changes, 429, "", "later"),
            (&changes, 502, "<html>Bad gateway</html>", "later"),
            (&changes, 404, "<html>Not found</html>", "bad"),
            (&changes, 200, "<html>Codeforces</html>", "bad"),
            (&changes, 200, "", "bad"),
            (
                &changes,
                200,
                r#"{"status":"OK","result":[{"contestId""#,
                "bad",
            ),
            (&changes, 200, r#"{"status":"OK","result":null}"#, "bad"),
            (&changes, 200, r#"{"status":"OK"}"#, "bad"),
            (&changes, 400, r#"{"status":"OK","result":[]}"#, "bad"),
            (&changes, 200, r#"{"status":"FAILED"}"#, "bad"),
            (&changes, 200, "[]", "bad"),
        ] {
            let found = classify(Some(question), status, body.as_bytes());
            assert_eq!(word(&found), verdict, "{status} {body}: {found:?}");
        }
        let not_text = classify(
            Some(&changes),
            200,
            b"{\"status\":\"OK\",\"result\":\"\xff\"}",
        );
        assert_eq!(word(&not_text), "bad");
    }
}
