//! Classification of a response before archiving.

use ranklore_source::Classification;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::nesting::is_too_deep;
use crate::requests::RedditRequest;

/// The bytes of a non-JSON body that are searched for words.
const MAX_SEARCHED_BYTES: usize = 16 << 10;

/// `{"kind": "Listing", "data": …}`.
#[derive(Deserialize)]
struct ListingShape<'a> {
    #[serde(borrow)]
    kind: &'a str,
    #[expect(dead_code, reason = "only that it is there matters")]
    data: IgnoredAny,
}

#[derive(Deserialize)]
struct MoreChildrenShape {
    json: MoreChildrenStatus,
}

#[derive(Deserialize)]
struct MoreChildrenStatus {
    errors: Vec<Vec<Option<String>>>,
    data: Option<IgnoredAny>,
}

/// An error response of the API.
#[derive(Deserialize)]
pub(crate) struct ErrorBody {
    /// The HTTP status; a word if it concerns a token.
    error: serde_json::Value,
    reason: Option<String>,
}

impl ErrorBody {
    /// Parses an error response whose code matches the HTTP status.
    pub(crate) fn parse(status: u16, body: &[u8]) -> Option<Self> {
        let refusal: Self = serde_json::from_slice(body).ok()?;
        (refusal.error.as_u64() == Some(status.into())).then_some(refusal)
    }

    fn reason_text(&self) -> String {
        match &self.reason {
            Some(reason) => truncate(reason),
            None => "no reason given".to_owned(),
        }
    }
}

pub(crate) fn classify(
    question: Option<&RedditRequest>,
    status: u16,
    body: &[u8],
) -> Classification {
    if std::str::from_utf8(body).is_err() {
        return classify_non_answer(status, body);
    }
    if is_too_deep(body) {
        return Classification::Invalid("nested deeper than requested".to_owned());
    }
    match (question, status) {
        (Some(question), 200) if is_answer(question, body) => Classification::Answer,
        (Some(RedditRequest::MoreComments { .. }), 200) => classify_more_children(body),
        (Some(question), 403 | 404) => match (question, ErrorBody::parse(status, body)) {
            (_, None) => classify_non_answer(status, body),
            // The subreddit of the thread is private now, or the thread is removed.
            (
                RedditRequest::Thread(_)
                | RedditRequest::CommentTree { .. }
                | RedditRequest::MoreComments { .. },
                Some(_),
            ) => Classification::Answer,
            (RedditRequest::Page(page), Some(refusal)) => Classification::Invalid(format!(
                "r/{} is closed or does not exist: HTTP {status}, {}",
                page.subreddit,
                refusal.reason_text()
            )),
        },
        _ => classify_non_answer(status, body),
    }
}

fn is_answer(question: &RedditRequest, body: &[u8]) -> bool {
    match question {
        RedditRequest::Page(_) => serde_json::from_slice::<ListingShape<'_>>(body)
            .is_ok_and(|page| page.kind == "Listing"),
        RedditRequest::Thread(_) | RedditRequest::CommentTree { .. } => {
            serde_json::from_slice::<[ListingShape<'_>; 2]>(body)
                .is_ok_and(|both| both.iter().all(|listing| listing.kind == "Listing"))
        }
        RedditRequest::MoreComments { .. } => serde_json::from_slice::<MoreChildrenShape>(body)
            .is_ok_and(|more| more.json.errors.is_empty() && more.json.data.is_some()),
    }
}

/// Classifies errors sent with status 200: `[["RATELIMIT", "you are doing that too much", null]]`.
fn classify_more_children(body: &[u8]) -> Classification {
    let Ok(more) = serde_json::from_slice::<MoreChildrenShape>(body) else {
        return classify_non_answer(200, body);
    };
    let first = more.json.errors.into_iter().flatten().flatten().next();
    match first {
        Some(code) if code == "RATELIMIT" => {
            Classification::RetryLater("asked too often".to_owned())
        }
        Some(code) => {
            Classification::Invalid(format!("the site answers with an error: {}", truncate(&code)))
        }
        None => Classification::Invalid("neither comments nor an error".to_owned()),
    }
}

/// Classifies bodies that are no API response: challenges, notices, truncated JSON.
fn classify_non_answer(status: u16, body: &[u8]) -> Classification {
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_SEARCHED_BYTES)]);
    let text = text.trim_start();
    match status {
        // Nothing is available without a valid token.
        401 => {
            Classification::Blocked(format!("the site rejects its own token: {}", truncate(text)))
        }
        403 => Classification::Blocked(truncate(text)),
        429 => Classification::RetryLater(truncate(text)),
        500.. => Classification::Failed(truncate(text)),
        _ => Classification::Invalid(format!(
            "HTTP {status}, no whole answer of the interface: {}",
            truncate(text)
        )),
    }
}

/// Returns the beginning of a text. The caller adds the status and removes control characters.
fn truncate(text: &str) -> String {
    const CHARS: usize = 60;
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.is_empty() => "nothing said".to_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ThingId;
    use crate::requests::{ListingPage, ThreadOrder};

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
    fn every_kind_of_body_is_classified() {
        let id = ThingId::new(36);
        let thread = RedditRequest::Thread(id);
        let page = RedditRequest::Page(ListingPage {
            subreddit: "LanternTales".to_owned(),
            order: ThreadOrder::Top,
            limit: 100,
            after: None,
        });
        let more = RedditRequest::MoreComments {
            thread: id,
            comments: vec![id],
        };
        let below = RedditRequest::CommentTree {
            thread: id,
            comment: id,
        };
        let list = r#"{"kind":"Listing","data":{}}"#;
        let two = format!("[{list},{list}]");
        let three = format!("[{list},{list},{list}]");
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        let missing = r#"{"message":"Not Found","error":404}"#;
        let private = r#"{"reason":"private","message":"Forbidden","error":403}"#;
        for (question, status, body, verdict) in [
            (&page, 200, list, "answer"),
            (&page, 200, &two, "bad"),
            (&page, 200, "{}", "bad"),
            (&page, 200, r#"{"kind":"t3","data":{}}"#, "bad"),
            (&page, 200, r#"{"kind":"Listing","data""#, "bad"),
            (&page, 404, r#"{"reason":"banned","message":"Not Found","error":404}"#, "bad"),
            (&page, 403, private, "bad"),
            (&thread, 200, &two, "answer"),
            (&thread, 200, &three, "bad"),
            (&thread, 200, list, "bad"),
            (&thread, 200, &deep, "bad"),
            (&thread, 404, missing, "answer"),
            (&thread, 403, private, "answer"),
            (&thread, 404, private, "bad"),
            (&below, 200, &two, "answer"),
            (&below, 404, missing, "answer"),
            (&more, 200, r#"{"json":{"errors":[],"data":{"things":[]}}}"#, "answer"),
            (&more, 200, r#"{"json":{"errors":[]}}"#, "bad"),
            (
                &more,
                200,
                r#"{"json":{"errors":[["RATELIMIT","you are doing that too much",null]]}}"#,
                "later",
            ),
            (
                &more,
                200,
                r#"{"json":{"errors":[["NO_THING_ID","id not specified","link_id"]]}}"#,
                "bad",
            ),
            (&more, 200, "{", "bad"),
            // About the token, not about the request.
            (&thread, 200, r#"{"error":"invalid_grant"}"#, "bad"),
            (&thread, 401, r#"{"message":"Unauthorized","error":401}"#, "blocked"),
            (&thread, 403, "<html>whoa there, pardner!</html>", "blocked"),
            (&thread, 403, "", "blocked"),
            (&thread, 404, "<html>not here</html>", "bad"),
            (&thread, 429, r#"{"message":"Too Many Requests","error":429}"#, "later"),
            (&thread, 429, "<html>whoa there, pardner!</html>", "later"),
            (&thread, 500, "", "failed"),
            (&thread, 503, "", "failed"),
            (&thread, 520, "", "failed"),
            (&thread, 522, "", "failed"),
            (&thread, 200, "", "bad"),
            (&thread, 200, "<html>Log in to reddit</html>", "bad"),
        ] {
            let found = classify(Some(question), status, body.as_bytes());
            assert_eq!(classification_word(&found), verdict, "{status} {body}: {found:?}");
        }
        assert_eq!(classification_word(&classify(Some(&page), 200, b"{\"kind\":\"\xff\"}")), "bad");
        assert_eq!(classification_word(&classify(None, 200, list.as_bytes())), "bad");
    }
}
