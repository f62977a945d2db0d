//! An HTTP exchange: a request on the wire and its response.

use std::error::Error;
use std::time::Duration;

use ranklore_source::{MediaKind, Method, Request};
use reqwest::header::{
    ACCEPT, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName,
    HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, SET_COOKIE,
};
use reqwest::{RequestBuilder, Response, Url};
use tokio::time::timeout;

use crate::credentials::{Credentials, Secret, SessionCookie};
use crate::error::FetchError;
use crate::options::FetchOptions;
use crate::outcome::Validators;
use crate::redact::{error_chain, shown_url, single_line};

/// Content codings that compress a body, as servers name them.
const COMPRESSIONS: [&str; 7] = [
    "br",
    "compress",
    "deflate",
    "gzip",
    "x-compress",
    "x-gzip",
    "zstd",
];

/// Upper bound of a redirect target, in bytes. RFC 9110 recommends to support URLs of 8,000.
const MAX_LOCATION: usize = 8192;

/// A request as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct WireRequest {
    pub(crate) url: Url,
    /// The encoded form, if the request has one.
    form: Option<String>,
    headers: HeaderMap,
    /// Authorization; sent to this host only.
    authorization: Option<Authorization>,
    /// True if the request needs the session cookie.
    pub(crate) needs_cookie: bool,
    /// Upper bound of the response body, in bytes.
    max_body: usize,
    /// True if a longer body is truncated, false if it is an error.
    truncate: bool,
    /// Number of the attempt, from 1.
    pub(crate) attempt: u32,
}

/// Authorization of a request.
#[derive(Clone, Debug)]
pub(crate) enum Authorization {
    /// HTTP Basic with id and secret.
    Basic(Credentials),
    /// Bearer token, with the credentials it was issued for.
    Bearer(Secret, Credentials),
    /// Session cookie.
    Cookie(SessionCookie),
}

impl Authorization {
    fn apply(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Self::Basic(credentials) => {
                request.basic_auth(credentials.id(), Some(credentials.secret()))
            }
            Self::Bearer(token, _) => request.bearer_auth(token.reveal()),
            // The value is checked on creation, so the header is valid.
            Self::Cookie(cookie) => match HeaderValue::from_str(cookie.pair()) {
                Ok(mut pair) => {
                    pair.set_sensitive(true);
                    request.header(COOKIE, pair)
                }
                Err(_) => request,
            },
        }
    }

    /// True if a secret occurs in the bytes.
    fn occurs_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Basic(credentials) => credentials.occurs_in(bytes),
            Self::Bearer(token, credentials) => {
                token.occurs_in(bytes) || credentials.occurs_in(bytes)
            }
            Self::Cookie(cookie) => cookie.occurs_in(bytes),
        }
    }
}

/// A complete HTTP response.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    /// The requested URL, before redirects.
    pub(crate) requested_url: Url,
    /// The URL of the response.
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// True if the request carried an authorization.
    pub(crate) authorized: bool,
}

/// Result of one exchange.
pub(crate) enum Exchange {
    /// The request to send next.
    Redirect(Box<WireRequest>),
    /// The response.
    Response(Box<HttpResponse>),
}

/// Removes a byte order mark before JSON, which forbids it. Other text keeps it.
fn drop_mark_before_json(body: &mut Vec<u8>) {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let marked = body.strip_prefix(BYTE_ORDER_MARK).map(<[u8]>::trim_ascii_start);
    if marked.is_some_and(|text| matches!(text.first(), Some(b'{' | b'['))) {
        body.drain(..BYTE_ORDER_MARK.len());
    }
}

impl WireRequest {
    pub(crate) fn from_request(
        base: &Url,
        request: &Request,
        known: Option<&Validators>,
        limit: usize,
    ) -> Result<Self, FetchError> {
        let root = base.as_str().trim_end_matches('/');
        let invalid = |reason: String| FetchError::InvalidRequest {
            url: format!(
                "{}/{}",
                shown_url(base).trim_end_matches('/'),
                single_line(&request.path)
            ),
            reason,
        };
        let mut url = Url::parse(&format!("{root}/{}", request.path))
            .map_err(|error| invalid(error.to_string()))?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(invalid("its path contains parameters".into()));
        }
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let accept = match request.expects {
            MediaKind::Json => "application/json",
            MediaKind::Html => "text/html,application/xhtml+xml",
            MediaKind::Text => "*/*",
        };
        let mut wire_request = Self::get(url, accept, limit);
        let headers = &mut wire_request.headers;
        // Sites in several languages are read in one.
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("en"));
        let etag = known.and_then(|known| known.etag.as_ref());
        let last_modified = known.and_then(|known| known.last_modified.as_ref());
        for (name, value) in [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)] {
            // A value invalid in a header never came from one: then the request is unconditional.
            if let Some(value) = value.and_then(|value| value.parse().ok()) {
                headers.insert(name, value);
            }
        }
        wire_request.form = (request.method == Method::Post).then(|| encode_form(&request.form));
        wire_request.needs_cookie = request.needs_cookie;
        Ok(wire_request)
    }

    fn get(url: Url, accept: &'static str, limit: usize) -> Self {
        Self {
            url,
            form: None,
            headers: HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]),
            authorization: None,
            needs_cookie: false,
            max_body: limit,
            truncate: false,
            attempt: 1,
        }
    }

    /// Creates a request for a token.
    pub(crate) fn for_token(
        url: &Url,
        form: &[(&str, &str)],
        authorization: Authorization,
        limit: usize,
    ) -> Self {
        Self {
            form: Some(encode_form(form)),
            authorization: Some(authorization),
            ..Self::get(url.clone(), "application/json", limit)
        }
    }

    /// Returns a copy with this authorization.
    pub(crate) fn with_authorization(&self, authorization: Option<Authorization>) -> Self {
        Self {
            authorization,
            ..self.clone()
        }
    }

    pub(crate) fn for_robots(url: &Url) -> Self {
        let mut url = url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        Self {
            truncate: true,
            ..Self::get(url, "text/plain,*/*", crate::robots::MAX_BYTES)
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        if self.form.is_some() { "POST" } else { "GET" }
    }

    /// True if the request is conditional.
    pub(crate) fn is_conditional(&self) -> bool {
        self.headers.contains_key(IF_NONE_MATCH) || self.headers.contains_key(IF_MODIFIED_SINCE)
    }

    /// Sends the request once. The response body is still to be read.
    pub(crate) async fn send(
        &self,
        client: &reqwest::Client,
        options: &FetchOptions,
    ) -> Result<Response, FetchError> {
        let request = match &self.form {
            None => client.get(self.url.clone()),
            Some(form) => client
                .post(self.url.clone())
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(form.clone()),
        };
        let mut request = request.headers(self.headers.clone());
        if let Some(authorization) = &self.authorization {
            request = authorization.apply(request);
        }
        // reqwest skips interim responses (1xx) without a limit and cannot count them.
        let response = timeout(options.head_timeout, request.send())
            .await
            .map_err(|_| FetchError::NoFinalResponse {
                url: shown_url(&self.url),
                after: options.head_timeout,
            })?
            .map_err(|error| self.to_fetch_error(&error, options.timeout))?;
        // A site may set the cookie again; the header is not stored.
        let headers = response.headers().iter().filter(|(name, _)| **name != SET_COOKIE);
        self.check_secrets(headers.map(|(_, value)| value.as_bytes()))?;
        Ok(response)
    }

    /// Reads the response: the redirect target, or the whole body.
    pub(crate) async fn read_response(
        &self,
        mut response: Response,
        options: &FetchOptions,
    ) -> Result<Exchange, FetchError> {
        if let Some(redirected) = self.redirect(&response, options)? {
            return Ok(Exchange::Redirect(Box::new(redirected)));
        }
        self.check_encoding(&response)?;
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.to_fetch_error(&error, options.timeout))?
        {
            let room = self.max_body - body.len();
            if chunk.len() > room {
                if self.truncate {
                    body.extend_from_slice(&chunk[..room]);
                    break;
                }
                return Err(FetchError::TooLarge {
                    url: shown_url(&self.url),
                    limit: self.max_body,
                });
            }
            body.extend_from_slice(&chunk);
        }
        self.check_secrets([&*body])?;
        drop_mark_before_json(&mut body);
        Ok(Exchange::Response(Box::new(HttpResponse {
            requested_url: self.url.clone(),
            url: self.url.clone(),
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body,
            authorized: self.authorization.is_some(),
        })))
    }

    /// Errors if the body has a coding that was not requested. The HTTP client removes the header
    /// of the codings it decodes.
    fn check_encoding(&self, response: &Response) -> Result<(), FetchError> {
        // Other responses are recognised by their status.
        if !response.status().is_success() {
            return Ok(());
        }
        let header = response.headers().get(CONTENT_ENCODING);
        let codings = header.map_or_else(String::new, |header| {
            String::from_utf8_lossy(header.as_bytes()).to_ascii_lowercase()
        });
        if codings.split(',').any(|coding| COMPRESSIONS.contains(&coding.trim())) {
            return Err(FetchError::Truncated {
                url: shown_url(&self.url),
                reason: "it has a content coding that was not requested".to_owned(),
            });
        }
        Ok(())
    }

    /// Returns the redirected request, if the response is an allowed redirect.
    fn redirect(
        &self,
        response: &Response,
        options: &FetchOptions,
    ) -> Result<Option<Self>, FetchError> {
        let status = response.status().as_u16();
        let location = response.headers().get(LOCATION);
        let (301 | 302 | 303 | 307 | 308, Some(location)) = (status, location) else {
            return Ok(None);
        };
        let location = String::from_utf8_lossy(location.as_bytes());
        let refused = |to: String, reason| FetchError::RedirectRefused {
            url: shown_url(&self.url),
            to,
            reason,
        };
        let unusable = |reason| Err(refused(single_line(&location), reason));
        if location.len() > MAX_LOCATION {
            return unusable("it is longer than 8,192 bytes");
        }
        let Ok(mut url) = self.url.join(&location) else {
            return unusable("it is not a URL");
        };
        url.set_fragment(None);
        if let Some(reason) = redirect_refusal(&self.url, &url, &options.allow_hosts) {
            return Err(refused(shown_url(&url), reason));
        }
        let mut redirected = Self {
            url,
            ..self.clone()
        };
        // Browsers continue with GET after these.
        if matches!(status, 301..=303) {
            redirected.form = None;
        }
        if !is_same_host(&self.url, &redirected.url) {
            redirected.authorization = None;
        }
        Ok(Some(redirected))
    }

    /// Errors if the bytes contain a secret of the request. The response is then discarded, so that
    /// no error or archive quotes it.
    fn check_secrets<'s>(
        &self,
        parts: impl IntoIterator<Item = &'s [u8]>,
    ) -> Result<(), FetchError> {
        if let Some(secret) = &self.authorization
            && parts.into_iter().any(|part| secret.occurs_in(part))
        {
            let url = shown_url(&self.url);
            return Err(FetchError::SecretEchoed { url });
        }
        Ok(())
    }

    fn to_fetch_error(&self, error: &reqwest::Error, after: Duration) -> FetchError {
        let url = shown_url(&self.url);
        // The error itself may name the URL with its secrets; the causes below do not. The first of
        // them only says that it is the client's.
        let first_cause = error.source();
        let cause = first_cause.and_then(Error::source).or(first_cause);
        let reason = cause.map_or_else(String::new, error_chain);
        if error.is_timeout() {
            FetchError::TimedOut { url, after }
        } else if error.is_builder() {
            FetchError::InvalidRequest { url, reason }
        } else if error.is_connect() {
            FetchError::Unreachable { url, reason }
        } else {
            FetchError::Truncated { url, reason }
        }
    }
}

impl HttpResponse {
    /// Returns a header as text, unless it is empty or longer than 1,024 bytes.
    pub(crate) fn header_text(&self, name: &HeaderName) -> Option<String> {
        let value = self.headers.get(name)?.to_str().ok()?.trim();
        (!value.is_empty() && value.len() <= 1024).then(|| value.to_owned())
    }
}

/// Encodes a form as a body.
fn encode_form<P, K, V>(form: P) -> String
where
    P: IntoIterator,
    P::Item: std::borrow::Borrow<(K, V)>,
    K: AsRef<str>,
    V: AsRef<str>,
{
    form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
}

/// Returns the reason to refuse a redirect, if any.
fn redirect_refusal(from: &Url, to: &Url, allowed_hosts: &[String]) -> Option<&'static str> {
    if !matches!(to.scheme(), "http" | "https") {
        Some("it is neither http nor https")
    } else if from.scheme() == "https" && to.scheme() == "http" {
        Some("it leaves https")
    } else if !is_same_host(from, to) && !is_allowed_host(to, allowed_hosts) {
        Some("it is another host")
    } else {
        None
    }
}

/// True if both URLs have the same host and port. The default ports of http and https count as
/// equal.
pub(crate) fn is_same_host(one: &Url, other: &Url) -> bool {
    // Without a port in the URL, the port is the default of its scheme.
    one.host_str() == other.host_str() && one.port() == other.port()
}

fn is_allowed_host(url: &Url, hosts: &[String]) -> bool {
    let name = host(url);
    hosts.iter().any(|host| host.eq_ignore_ascii_case(&name))
}

/// Returns the host name, with the port if it is not the default.
pub(crate) fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_stays_on_allowed_hosts_and_https() {
        let named = [
            "Files.Example.org".to_owned(),
            "example.com:8443".to_owned(),
        ];
        for (from, to, reason) in [
            ("http://a.org/", "https://a.org/b", None),
            ("http://a.org:80/", "https://A.org:443/b", None),
            ("https://a.org/", "http://a.org/b", Some("it leaves https")),
            ("https://a.org/", "http://files.example.org/", Some("it leaves https")),
            ("https://a.org/", "https://files.example.org/b", None),
            ("https://a.org/", "https://example.com:8443/", None),
            ("https://a.org/", "https://example.com/", Some("it is another host")),
            ("https://a.org/", "https://www.a.org/", Some("it is another host")),
            ("https://a.org/", "https://a.org:8443/", Some("it is another host")),
            ("http://a.org:81/", "http://a.org/", Some("it is another host")),
            ("http://a.org/", "data:text/plain,x", Some("it is neither http nor https")),
        ] {
            let (from_url, to_url) = (from.parse().unwrap(), to.parse().unwrap());
            assert_eq!(redirect_refusal(&from_url, &to_url, &named), reason, "{from} {to}");
        }
    }

    #[test]
    fn path_is_appended_to_base_url() {
        let base = "https://me:hush@a.org/mirror/".parse().unwrap();
        let ask = |path: &str| {
            let request = Request::get(path, MediaKind::Json, "it").with_parameter("q", "a/b");
            WireRequest::from_request(&base, &request, None, 1).map(|ask| shown_url(&ask.url))
        };
        assert_eq!(ask("x/y").unwrap(), "https://a.org/mirror/x/y?q=a%2Fb");
        assert_eq!(ask("/b.org").unwrap(), "https://a.org/mirror//b.org?q=a%2Fb");
        for wrong in ["x?y=1", "x#y"] {
            let failed = ask(wrong).unwrap_err();
            assert!(matches!(failed, FetchError::InvalidRequest { .. }), "{failed:?}");
            assert!(!failed.to_string().contains("hush"), "{failed}");
        }
    }
}
