//! Classification of responses before archiving.

use ranklore_source::Classification;
use ranklore_source::json::{classify as classify_object, classify_failure, quote_excerpt};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::requests::{CtftimeRequest, parse_id};
use crate::results::{LAST_KNOWN_YEAR, OrderedMembers};

#[derive(Deserialize)]
struct Page {
    #[expect(dead_code, reason = "only its presence matters")]
    limit: IgnoredAny,
    #[expect(dead_code, reason = "only its presence matters")]
    offset: IgnoredAny,
    result: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
}

pub(crate) fn classify(
    question: Option<&CtftimeRequest>,
    status: u16,
    body: &[u8],
) -> Classification {
    let Ok(text) = std::str::from_utf8(body) else {
        return classify_failure(status, body);
    };
    match question {
        // The team does not exist.
        Some(CtftimeRequest::Team(_)) if status == 404 => match classify_failure(status, body) {
            Classification::Invalid(_) => Classification::Answer,
            other => other,
        },
        _ if status != 200 => classify_failure(status, body),
        Some(CtftimeRequest::Results(year)) => {
            match serde_json::from_str::<OrderedMembers<'_, IgnoredAny>>(text) {
                Ok(OrderedMembers(events)) if events.is_empty() && *year <= LAST_KNOWN_YEAR => {
                    Classification::Invalid(format!("no event in {year}, a year with events"))
                }
                Ok(OrderedMembers(events)) => {
                    match events.iter().find(|(id, _)| parse_id(id).is_none()) {
                        Some((id, _)) => Classification::Invalid(format!(
                            "{} is not an event id",
                            quote_excerpt(id)
                        )),
                        None => Classification::Answer,
                    }
                }
                Err(_) => classify_failure(status, body),
            }
        }
        Some(CtftimeRequest::Events(_)) => match serde_json::from_str::<Vec<IgnoredAny>>(text) {
            Ok(_) => Classification::Answer,
            Err(_) => classify_failure(status, body),
        },
        Some(CtftimeRequest::Teams(_)) => match serde_json::from_str::<Page>(text) {
            Ok(page) if page.result.is_some() != page.results.is_some() => Classification::Answer,
            _ => classify_failure(status, body),
        },
        Some(CtftimeRequest::Team(_)) => classify_object(status, body, &["name"]),
        None => classify_failure(status, body),
    }
}

#[cfg(test)]
mod tests {
    use ranklore_contest::UnixSeconds;

    use super::*;
    use crate::requests::TimeWindow;

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
        let (old, new) = (CtftimeRequest::Results(2024), CtftimeRequest::Results(2031));
        let (teams, team) = (CtftimeRequest::Teams(0), CtftimeRequest::Team(701));
        let events = CtftimeRequest::Events(TimeWindow {
            start: UnixSeconds::MIN,
            finish: UnixSeconds::MAX,
        });
        let challenge = "<html><head><title>Just a moment...</title></head></html>";
        for (question, status, body, verdict) in [
            (&old, 200, r#"{"1401":{}}"#, "answer"),
            (&old, 200, "{}", "bad"),
            (&new, 200, "{}", "answer"),
            (&old, 200, r#"{"error":"gone"}"#, "bad"),
            (&old, 200, r#"{"detail":{}}"#, "bad"),
            (&old, 200, "[]", "bad"),
            (&old, 200, r#"{"1401":{"#, "bad"),
            (&old, 404, r#"{"1401":{}}"#, "bad"),
            (&events, 200, "[]", "answer"),
            (&events, 200, "{}", "bad"),
            (&teams, 200, r#"{"limit":1,"offset":0,"result":[]}"#, "answer"),
            (&teams, 200, r#"{"limit":1,"offset":0,"results":[]}"#, "answer"),
            (&teams, 200, r#"{"limit":1,"offset":0,"results":[],"result":[]}"#, "bad"),
            (&teams, 200, r#"{"limit":1,"offset":0}"#, "bad"),
            (&team, 200, r#"{"id":701,"name":"x"}"#, "answer"),
            (&team, 200, r#"{"detail":"Not found."}"#, "bad"),
            (&team, 404, r#"{"detail":"Not found."}"#, "answer"),
            (&team, 404, "<html>Not found</html>", "answer"),
            (&team, 404, challenge, "blocked"),
            (&team, 503, "", "failed"),
            (&old, 200, "", "bad"),
            (&old, 200, "<html>Sign in</html>", "bad"),
            (&old, 200, challenge, "blocked"),
            (&old, 503, challenge, "blocked"),
            (&old, 403, "<html>Forbidden</html>", "blocked"),
            (&old, 403, "Forbidden", "blocked"),
            (&old, 401, "", "blocked"),
            (&old, 429, "", "later"),
            (&old, 502, "<html>Bad gateway</html>", "failed"),
            (&old, 404, "<html>Not found</html>", "bad"),
        ] {
            let found = classify(Some(question), status, body.as_bytes());
            assert_eq!(classification_word(&found), verdict, "{status} {body}: {found:?}");
        }
        let not_text = classify(Some(&events), 200, b"[\"\xff\"]");
        assert_eq!(classification_word(&not_text), "bad");
    }
}
