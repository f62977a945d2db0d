//! On which terms a site may be asked.

use std::time::Duration;

/// On which terms a site may be asked, and what may be done with its answers.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The root of the site, without a slash at the end: `https://codeforces.com`.
    pub base_url: &'static str,
    /// From the start of one request to the start of the next, at least.
    pub interval: Duration,
    /// Whether `robots.txt` is asked for and obeyed; sites with a documented interface have
    /// said what they allow.
    pub robots: bool,
    /// How long after its end a contest may still change, and is read again at every sync.
    pub provisional: Duration,
    /// Whom to name wherever the results are shown.
    pub attribution: &'static str,
    /// What the site says about using its data, in a sentence.
    pub licence: &'static str,
    /// Whether results may be published again.
    pub may_publish: bool,
    /// What people are called wherever results are shown or published.
    pub names: Names,
    /// What becomes of what people delete there.
    pub deletions: Deletions,
    /// How a program is let in; `None` where anybody may ask.
    pub token: Option<TokenTerms>,
}

impl Terms {
    /// The careful terms of a site of which nothing more is known than its root: a request every
    /// five seconds, as `robots.txt` allows, results that may change for 30 days, are not to be
    /// published, and show people by pseudonyms. Attribution and licence are empty.
    #[must_use]
    pub const fn new(base_url: &'static str) -> Self {
        Self {
            base_url,
            interval: Duration::from_secs(5),
            robots: true,
            provisional: Duration::from_hours(30 * 24),
            attribution: "",
            licence: "",
            may_publish: false,
            names: Names::Pseudonyms,
            deletions: Deletions::Kept,
            token: None,
        }
    }
}

/// What people of a site are called wherever its results are shown or published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// As the site calls them: by handles of their own choosing, say.
    AsTheyAre,
    /// By pseudonyms, unless names are asked for: people under the names they were born with, on a
    /// site that search engines are to stay away from.
    Pseudonyms,
}

/// What becomes of what people delete on a site, their accounts or what they wrote.
#[derive(Clone, Copy, Debug)]
pub enum Deletions {
    /// Older answers stay in the archive, and a contest that is gone keeps its results.
    Kept,
    /// It goes here as well, at the next sync. Every contest that is known is asked about again,
    /// whether or not a list still has it; once its newest answer is there in full, older documents
    /// about it are deleted, and so are results that the site has no more.
    Honoured {
        /// Returns the id of the contest that a document is about, an answer or a file of one
        /// contest, by its key. `None` where it lists contests, or tells of several.
        contest_of: fn(request_key: &str) -> Option<String>,
    },
}

/// Where a site gives tokens to programs that are registered there, as "client credentials" of
/// OAuth 2 (RFC 6749, section 4.4): the form is sent by POST with the program's id and secret
/// (HTTP Basic), and `access_token` of the answer goes with every request until it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenTerms {
    /// The whole address, perhaps of another host: `https://example.org/token`.
    pub url: &'static str,
    /// The fields of the form, not yet encoded.
    pub form: &'static [(&'static str, &'static str)],
    /// Where people register a program, and are given its id and secret.
    pub register: &'static str,
}
