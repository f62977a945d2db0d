//! OAuth bearer tokens: requesting, renewing, and holding them in memory only.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::TokenTerms;
use reqwest::Url;
use serde::Deserialize;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::credentials::{Credentials, Secret};
use crate::error::{FetchError, REDACTED, Rejection};
use crate::exchange::challenge;
use crate::exchange::http::{Authorization, HttpResponse, WireRequest};
use crate::redact::shown_url;

/// Upper bound of a token response, in bytes.
const MAX_BODY: usize = 16 << 10;
/// Time before its expiry at which a token is renewed; at most half its lifetime.
const RENEWAL_MARGIN: Duration = Duration::from_mins(1);
/// Upper bound of a token's lifetime.
const MAX_LIFETIME: Duration = Duration::from_hours(24);
/// Upper bound of an error code's length.
const MAX_CODE_CHARS: usize = 40;

/// Requests and holds the token of one site.
pub(crate) struct TokenProvider {
    url: Url,
    terms: TokenTerms,
    credentials: Credentials,
    held_token: Option<HeldToken>,
}

struct HeldToken {
    token: Secret,
    renew_at: Instant,
}

/// Response with a token.
#[derive(Deserialize)]
struct TokenResponse<'a> {
    #[serde(borrow)]
    access_token: Cow<'a, str>,
    #[serde(borrow)]
    token_type: Cow<'a, str>,
    /// In seconds.
    expires_in: u64,
}

#[derive(Deserialize)]
struct ErrorResponse {
    error: serde_json::Value,
}

impl TokenProvider {
    pub(crate) fn new(url: Url, terms: TokenTerms, credentials: Credentials) -> Self {
        Self {
            url,
            terms,
            credentials,
            held_token: None,
        }
    }

    /// Returns the held token, unless it is about to expire.
    pub(crate) fn bearer(&self) -> Option<Authorization> {
        let HeldToken { token, renew_at } = self.held_token.as_ref()?;
        (Instant::now() < *renew_at)
            .then(|| Authorization::Bearer(token.clone(), self.credentials.clone()))
    }

    /// Returns the request for a token.
    pub(crate) fn request(&self) -> WireRequest {
        let basic = Authorization::Basic(self.credentials.clone());
        WireRequest::for_token(&self.url, self.terms.form, basic, MAX_BODY)
    }

    /// Drops the token after the site rejected it.
    pub(crate) fn drop_token(&mut self) {
        self.held_token = None;
    }

    /// Reads and holds the token of a response. Errors quote only its error code: a token may stand
    /// anywhere else.
    pub(crate) fn accept_response(
        &mut self,
        answer: &mut HttpResponse,
    ) -> Result<Authorization, FetchError> {
        let body = Zeroizing::new(std::mem::take(&mut answer.body));
        let (token, lifetime) = parse_token_response(answer, &body)?;
        self.held_token = Some(HeldToken {
            token: token.clone(),
            renew_at: Instant::now() + lifetime - RENEWAL_MARGIN.min(lifetime / 2),
        });
        Ok(Authorization::Bearer(token, self.credentials.clone()))
    }
}

/// Returns the token and its lifetime.
fn parse_token_response(
    answer: &HttpResponse,
    body: &[u8],
) -> Result<(Secret, Duration), FetchError> {
    let url = shown_url(&answer.url);
    let status = answer.status;
    let no_token = |reason: &str| FetchError::Unreadable {
        url: url.clone(),
        reason: format!("expected a token, but {reason}"),
        first_line: REDACTED.to_owned(),
    };
    let reply = |words: &str| Rejection {
        url: url.clone(),
        status,
        words: words.to_owned(),
    };
    if challenge::is_challenge(&answer.headers, body) {
        return Err(FetchError::Challenge(reply(REDACTED)));
    }
    match (status, parse_error_code(body)) {
        (429, _) => Err(FetchError::RateLimited(reply("no token for now"))),
        (500.., _) => Err(FetchError::ServerError(reply(REDACTED))),
        (200..300 | 400..500, Some(code)) => Err(FetchError::NotAuthorized { url, status, code }),
        (400 | 401, None) => Err(FetchError::NotAuthorized {
            url,
            status,
            code: "no reason given".to_owned(),
        }),
        (200..300, None) => {
            // Parser errors may quote the body.
            let response: TokenResponse<'_> = serde_json::from_slice(body)
                .map_err(|_| no_token("it is not JSON with token, type and lifetime"))?;
            if !response.token_type.eq_ignore_ascii_case("bearer") {
                return Err(no_token("its type is not bearer"));
            }
            if response.expires_in == 0 {
                return Err(no_token("it has expired already"));
            }
            let token = Secret::new(response.access_token.into_owned())
                .map_err(|reason| no_token(&format!("the token {reason}")))?;
            let lifetime = Duration::from_secs(response.expires_in).min(MAX_LIFETIME);
            Ok((token, lifetime))
        }
        _ => Err(FetchError::Refused(reply(REDACTED))),
    }
}

/// Returns the `error` of a response: a lower-case code as in RFC 6749, or a number. Any other text
/// is not quoted.
fn parse_error_code(body: &[u8]) -> Option<String> {
    let refused: ErrorResponse = serde_json::from_slice(body).ok()?;
    let is_code = |text: &str| {
        (1..=MAX_CODE_CHARS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    Some(match refused.error {
        serde_json::Value::String(text) if is_code(&text) => text,
        serde_json::Value::Number(number) if number.is_u64() => number.to_string(),
        _ => "an error without a code".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;

    use super::*;

    fn answer(status: u16, body: &str) -> HttpResponse {
        let url: Url = "https://example.org/token".parse().unwrap();
        HttpResponse {
            requested_url: url.clone(),
            url,
            status,
            headers: HeaderMap::new(),
            body: body.as_bytes().to_vec(),
            authorized: true,
        }
    }

    fn parse_response(status: u16, body: &str) -> Result<(Secret, Duration), FetchError> {
        parse_token_response(&answer(status, body), body.as_bytes())
    }

    #[test]
    fn token_is_read_with_lifetime() {
        let (token, lifetime) = parse_response(
            200,
            r#"{"access_token":"oil.of_whales-1\/2","token_type":"Bearer","expires_in":3600,"scope":"*"}"#,
        )
        .unwrap();
        assert_eq!(token.reveal(), "oil.of_whales-1/2");
        assert_eq!(lifetime, Duration::from_hours(1));
        let (_, lifetime) = parse_response(
            200,
            r#"{"access_token":"oil.of_whales","token_type":"bearer","expires_in":18446744073709551615}"#,
        )
        .unwrap();
        assert_eq!(lifetime, MAX_LIFETIME);
    }

    #[test]
    fn invalid_responses_are_refused_unquoted() {
        let long = format!(
            r#"{{"access_token":"{}","token_type":"bearer","expires_in":9}}"#,
            "whale".repeat(1_000)
        );
        let deep = "[".repeat(10_000);
        for (body, word) in [
            ("", "not JSON"),
            ("whales", "not JSON"),
            ("<html>whales</html>", "not JSON"),
            (&*deep, "not JSON"),
            (r#"{"access_token":"whale-oil","token_ty"#, "not JSON"),
            (r#"{"access_token":"whale-oil","expires_in":9}"#, "not JSON"),
            (r#"{"access_token":"whale-oil","token_type":"bearer"}"#, "not JSON"),
            (
                r#"{"access_token":"whale-oil","token_type":"bearer","expires_in":"whale-oil"}"#,
                "not JSON",
            ),
            (
                r#"{"access_token":"whale-oil","token_type":"bearer","expires_in":-1}"#,
                "not JSON",
            ),
            (
                r#"{"access_token":"whale-oil","token_type":"bearer","expires_in":NaN}"#,
                "not JSON",
            ),
            (
                r#"{"access_token":"whale-oil","token_type":"bearer","expires_in":1e999}"#,
                "not JSON",
            ),
            (
                r#"{"access_token":"whale-oil","access_token":"whale-oil","token_type":"bearer","expires_in":9}"#,
                "not JSON",
            ),
            (
                r#"{"access_token":"whale-oil","token_type":"bearer","expires_in":0}"#,
                "expired",
            ),
            (
                r#"{"access_token":"whale-oil","token_type":"mac","expires_in":9}"#,
                "not bearer",
            ),
            (
                r#"{"access_token":"whale\r\nX: oil","token_type":"bearer","expires_in":9}"#,
                "other characters",
            ),
            (r#"{"access_token":"whale","token_type":"bearer","expires_in":9}"#, "shorter"),
            (&*long, "longer"),
        ] {
            let failed = parse_response(200, body).unwrap_err();
            assert!(matches!(failed, FetchError::Unreadable { .. }), "{failed:?}");
            let said = format!("{failed} {failed:?}");
            assert!(said.contains(word), "{body}: {said}");
            assert!(!said.contains("whale"), "{said}");
        }
    }

    #[test]
    fn refusals_are_classified_and_redacted() {
        for (status, body, name, told) in [
            (200, r#"{"error":"invalid_grant"}"#, "NotAuthorized", "invalid_grant"),
            (200, r#"{"error":"Whales!"}"#, "NotAuthorized", "without a code"),
            (200, r#"{"error":{"a":"whales"}}"#, "NotAuthorized", "without a code"),
            (200, r#"{"error":400}"#, "NotAuthorized", "400"),
            (401, r#"{"message":"Unauthorized","error":401}"#, "NotAuthorized", "401"),
            (401, "whales", "NotAuthorized", "no reason"),
            (400, r#"{"error":"invalid_client"}"#, "NotAuthorized", "invalid_client"),
            (403, "<html>whales</html>", "Refused", "403"),
            (404, "whales", "Refused", "404"),
            (429, r#"{"error":429}"#, "RateLimited", "no token for now"),
            (503, "whales", "ServerError", "503"),
            (403, "<title>Just a moment...</title>", "Challenge", "403"),
        ] {
            let failed = parse_response(status, body).unwrap_err();
            let said = format!("{failed} {failed:?}");
            assert!(said.contains(name) && said.contains(told), "{said}");
            assert!(!said.to_lowercase().contains("whales"), "{said}");
        }
    }
}
