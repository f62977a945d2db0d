//! The sites that can be mined, by name.

use ranklore_codeforces::{Codeforces, Options};
use ranklore_ctftime::Ctftime;
use ranklore_source::Source;

/// Every site there is a reader for.
pub const SITES: &[&str] = &["codeforces", "ctftime"];

/// What to ask sites for beyond the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteOptions {
    /// Standings besides ratings: points, penalties, members of teams.
    pub standings: bool,
}

/// The reader of a site; none if there is none of this name.
#[must_use]
pub fn site(name: &str, options: SiteOptions) -> Option<Box<dyn Source>> {
    match name {
        "codeforces" => Some(Box::new(Codeforces::new(Options {
            standings: options.standings,
        }))),
        "ctftime" => Some(Box::new(Ctftime)),
        _ => None,
    }
}
