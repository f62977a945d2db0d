//! Classification of responses before archiving.

use ranklore_source::Verdict;
use ranklore_source::json::{brief, classify as classify_object, no_answer};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::ask::{Question, id_number};
use crate::results::{HELD_UNTIL, Members};

#[derive(Deserialize)]
struct Page {
    #[expect(dead_code, reason = "only its presence matters")]
    limit: IgnoredAny,
    #[expect(dead_code, reason = "only its presence matters")]
    offset: IgnoredAny,
    result: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
}

pub(crate) fn classify(question: Option<&Question>, status: u16, body: &[u8]) -> Verdict {
    let Ok(text) = std::str::from_utf8(body) else {
        return no_answer(status, body);
    };
    match question {
        // The team does not exist.
        Some(Question::Team(_)) if status == 404 => match no_answer(status, body) {
            Verdict::Invalid(_) => Verdict::Answer,
            other => other,
        },
        _ if status != 200 => no_answer(status, body),
        Some(Question::Results(year)) => {
            match serde_json::from_str::<Members<'_, IgnoredAny>>(text) {
                Ok(Members(events)) if events.is_empty() && *year <= HELD_UNTIL => {
                    Verdict::Invalid(format!("no event in {year}, a year with events"))
                }
                Ok(Members(events)) => {
                    match events.iter().find(|(id, _)| id_number(id).is_none()) {
                        Some((id, _)) => {
                            Verdict::Invalid(format!("{} is not an event id", brief(id)))
                        }
                        None => Verdict::Answer,
                    }
                }
                Err(_) => no_answer(status, body),
            }
        }
        Some(Question::Events(_)) => match serde_json::from_str::<Vec<IgnoredAny>>(text) {
            Ok(_) => Verdict::Answer,
            Err(_) => no_answer(status, body),
        },
        Some(Question::Teams(_)) => match serde_json::from_str::<Page>(text) {
            Ok(page) if page.result.is_some() != page.results.is_some() => Verdict::Answer,
            _ => no_answer(status, body),
        },
        Some(Question::Team(_)) => classify_object(status, body, &["name"]),
        None => no_answer(status, body),
    }
}

#[cfg(test)]
mod tests {
    use ranklore_contest::UnixSeconds;

    use super::*;
    use crate::ask::Window;

    fn word(verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Answer => "answer",
            Verdict::RetryLater(_) => "later",
            Verdict::Blocked(_) => "blocked",
            Verdict::Invalid(_) => "bad",
        }
    }

    #[test]
    fn every_kind_of_body_has_its_verdict() {
        let (old, new) = (Question::Results(2024), Question::Results(2031));
        let (teams, team) = (Question::Teams(0), Question::Team(701));
        let events = Question::Events(Window {
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
            (
                &teams,
                200,
                r#"{"limit":1,"offset":0,"result":[]}"#,
                "answer",
            ),
            (
                &teams,
                200,
                r#"{"limit":1,"offset":0,"results":[]}"#,
                "answer",
            ),
            (
                &teams,
                200,
                r#"{"limit":1,"offset":0,"results":[],"result":[]}"#,
                "bad",
            ),
            (&teams, 200, r#"{"limit":1,"offset":0}"#, "bad"),
            (&team, 200, r#"{"id":701,"name":"x"}"#, "answer"),
            (&team, 200, r#"{"detail":"Not found."}"#, "bad"),
            (&team, 404, r#"{"detail":"Not found."}"#, "answer"),
            (&team, 404, "<html>Not found</html>", "answer"),
            (&team, 404, challenge, "blocked"),
            (&team, 503, "", "later"),
            (&old, 200, "", "bad"),
            (&old, 200, "<html>Sign in</html>", "bad"),
            (&old, 200, challenge, "blocked"),
            (&old, 503, challenge, "blocked"),
            (&old, 403, "<html>Forbidden</html>", "blocked"),
            (&old, 403, "Forbidden", "blocked"),
            (&old, 401, "", "blocked"),
            (&old, 429, "", "later"),
            (&old, 502, "<html>Bad gateway</html>", "later"),
            (&old, 404, "<html>Not found</html>", "bad"),
        ] {
            let found = classify(Some(question), status, body.as_bytes());
            assert_eq!(word(&found), verdict, "{status} {body}: {found:?}");
        }
        let not_text = classify(Some(&events), 200, b"[\"\xff\"]");
        assert_eq!(word(&not_text), "bad");
    }
}
