//! Outcome of a successful fetch.

use ranklore_contest::UnixSeconds;

/// Cache validators of a document, for a conditional request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag`, verbatim.
    pub etag: Option<String>,
    /// The `Last-Modified`, verbatim.
    pub last_modified: Option<String>,
}

/// Outcome of a successful fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchOutcome {
    /// A complete response of the expected kind that its source accepts.
    Fresh(FetchedDocument),
    /// The caller's copy is current (HTTP 304).
    NotModified {
        /// The URL of the response, redacted.
        url: String,
        /// The time of the response.
        fetched_at: UnixSeconds,
    },
}

/// A response that may be archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedDocument {
    /// The final URL after redirects, redacted.
    pub url: String,
    /// The time of the last byte.
    pub fetched_at: UnixSeconds,
    /// The HTTP status: mostly 200, but a site may answer a valid request with 400.
    pub status: u16,
    /// `ETag` and `Last-Modified`, for the next request.
    pub validators: Validators,
    /// The `Content-Type`, verbatim, with its charset.
    pub media_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}
