//! Classification of responses before archiving.

use ranklore_source::{Classification, json};
use serde::de::IgnoredAny;

use crate::requests::AtcoderRequest;

/// Accepts a complete array, or for standings an object with rows. A login page is neither.
pub(crate) fn classify(
    request: Option<AtcoderRequest<'_>>,
    status: u16,
    body: &[u8],
) -> Classification {
    match request {
        Some(AtcoderRequest::Standings(_)) => json::classify(status, body, &["StandingsData"]),
        Some(AtcoderRequest::ContestList | AtcoderRequest::Results(_))
            if status == 200 && is_array(body) =>
        {
            Classification::Answer
        }
        _ => json::classify_failure(status, body),
    }
}

fn is_array(body: &[u8]) -> bool {
    serde_json::from_slice::<Vec<IgnoredAny>>(body).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_other_pages() {
        let list = Some(AtcoderRequest::ContestList);
        let results = Some(AtcoderRequest::Results("abc901"));
        let standings = Some(AtcoderRequest::Standings("abc901"));
        let login = "<html><title>Sign In - AtCoder</title><input type=\"password\"></html>";
        for (request, status, body, verdict) in [
            (list, 200, "[{}]", "Answer"),
            (results, 200, "[]", "Answer"),
            (standings, 200, r#"{"Fixed":true,"StandingsData":[]}"#, "Answer"),
            (results, 200, r#"{"StandingsData":[]}"#, "Invalid"),
            (standings, 200, "[]", "Invalid"),
            (standings, 200, "null", "Invalid"),
            (results, 200, "null", "Invalid"),
            (results, 200, r#"[{"IsRated""#, "Invalid"),
            (results, 200, "", "Invalid"),
            (standings, 200, login, "Invalid"),
            (results, 404, "[]", "Invalid"),
            (results, 403, "[]", "Blocked"),
            (results, 429, "", "RetryLater"),
            (list, 502, "<html>Bad Gateway</html>", "Failed"),
            (list, 403, "<html><title>Just a moment...</title></html>", "Blocked"),
            (None, 200, "[]", "Invalid"),
        ] {
            let classification = format!("{:?}", classify(request, status, body.as_bytes()));
            assert!(
                classification.starts_with(verdict),
                "{request:?} {status} {body}: {classification}"
            );
        }
    }
}
