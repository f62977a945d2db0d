//! The sites that can be mined, by name.

use ranklore_codeforces::{Codeforces, Options};
use ranklore_ctftime::Ctftime;
use ranklore_o2cm::O2cm;
use ranklore_reddit::{Listing, Reddit};
use ranklore_source::Source;
use ranklore_store::{SourceId, Store};
use ranklore_topcoder::{Options as RoundsAs, Topcoder};

use crate::error::Error;

/// Every site there is a reader for.
pub const SITES: &[&str] = &["codeforces", "ctftime", "o2cm", "reddit", "topcoder"];

/// What to ask sites for beyond the least.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteOptions {
    /// Standings besides ratings: points, penalties, members of teams.
    pub standings: bool,
    /// Scoresheets besides places: the marks of judges.
    pub scoresheets: bool,
    /// In which form to ask for rounds: as feeds, as pages.
    pub rounds: RoundsAs,
    /// Which threads there are: of which subreddits.
    pub threads: Vec<Listing>,
}

impl SiteOptions {
    /// Everything that can be asked for, whatever it is about.
    pub const ALL: Self = Self {
        standings: true,
        scoresheets: true,
        rounds: RoundsAs::Both,
        threads: Vec::new(),
    };
}

/// The reader of a site; none if there is none of this name.
#[must_use]
pub fn site(name: &str, options: SiteOptions) -> Option<Box<dyn Source>> {
    match name {
        "codeforces" => Some(Box::new(Codeforces::new(Options {
            standings: options.standings,
        }))),
        "ctftime" => Some(Box::new(Ctftime)),
        "o2cm" => Some(Box::new(O2cm::new(ranklore_o2cm::Options {
            scoresheets: options.scoresheets,
        }))),
        "reddit" => Some(Box::new(Reddit::new(options.threads))),
        "topcoder" => Some(Box::new(Topcoder::new(options.rounds))),
        _ => None,
    }
}

/// The reader of everything that was ever asked of a site, by the archive; none if there is none of
/// this name.
pub(crate) fn archived_site(
    name: &str,
    store: &Store,
    source_id: SourceId,
) -> Result<Option<Box<dyn Source>>, Error> {
    if name == "reddit" {
        let keys = store.request_keys(source_id)?;
        let reddit = Reddit::of_archive(keys.iter().map(String::as_str));
        return Ok(Some(Box::new(reddit)));
    }
    Ok(site(name, SiteOptions::ALL))
}
