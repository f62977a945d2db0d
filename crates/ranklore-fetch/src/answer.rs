//! What comes of a request that went well.

use ranklore_contest::UnixSeconds;

/// What a site said about a document when it last sent it, to be asked only whether it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag`, verbatim.
    pub etag: Option<String>,
    /// The `Last-Modified`, verbatim.
    pub last_modified: Option<String>,
}

/// What comes of a request that went well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// An answer, whole and of the kind that was due, which its source takes for one.
    Fresh(Fresh),
    /// What the caller has is what the site has.
    NotModified {
        /// Which address said so, without secrets.
        url: String,
        /// When it said so.
        fetched_at: UnixSeconds,
    },
}

/// An answer that may be archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// Where it came from in the end, after redirects and without secrets.
    pub url: String,
    /// When the last of it came.
    pub fetched_at: UnixSeconds,
    /// The HTTP status: mostly 200, but a site may say no with 400 and mean it.
    pub status: u16,
    /// `ETag` and `Last-Modified`, for the next time.
    pub validators: Validators,
    /// The `Content-Type`, verbatim, with its charset.
    pub media_type: Option<String>,
    /// The decoded bytes.
    pub body: Vec<u8>,
}
