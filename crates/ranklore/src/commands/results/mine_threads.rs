//! `ranklore mine reddit`: which threads.

use anyhow::bail;
use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{Listing, was_listed};
use ranklore_store::Store;

use crate::Global;
use crate::exit::WrongUsage;

/// The site lists no more.
const ALL: u32 = 1_000;

/// Threads as contests, which a site has more of than anybody wants.
#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads of this subreddit (reddit); can be repeated
    #[arg(long, value_name = "NAME")]
    subreddit: Vec<String>,
    /// So many threads of each subreddit, the best of all times; without it those --since a day,
    /// or else the best 1,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
}

impl Threads {
    /// The names of the subreddits.
    pub(crate) fn subreddits(&self) -> impl Iterator<Item = &str> {
        self.subreddit.iter().map(|name| {
            // As it is mostly written.
            let name = name.trim_start_matches('/');
            name.strip_prefix("r/").unwrap_or(name)
        })
    }

    /// The lists of threads to ask for; none where it is to be about those that are known.
    pub(crate) fn listings(
        &self,
        source: &SourceName,
        since: Option<UnixSeconds>,
        global: &Global,
    ) -> anyhow::Result<Vec<Listing>> {
        if source.as_str() != "reddit" {
            if !self.subreddit.is_empty() || self.top.is_some() {
                let what = format!("{source} has no subreddits: leave --subreddit and --top out");
                bail!(WrongUsage(what));
            }
            return Ok(Vec::new());
        }
        if self.subreddit.is_empty() && self.top.is_some() {
            bail!(of_which("with --top"));
        }
        if self.subreddit.is_empty() && !is_known(source, global)? {
            bail!(of_which("such as --subreddit LanternTales"));
        }
        let listing = |name: &str| match (self.top, since) {
            (None, Some(since)) => Listing::since(name, since),
            (top, _) => Listing::top(name, top.unwrap_or(ALL)),
        };
        let listings: Result<Vec<Listing>, _> = self.subreddits().map(listing).collect();
        listings.map_err(|none| WrongUsage(none.to_string()).into())
    }
}

fn of_which(more: &str) -> WrongUsage {
    WrongUsage(format!("of which subreddit? give --subreddit NAME, {more}"))
}

fn is_known(source: &SourceName, global: &Global) -> anyhow::Result<bool> {
    match Store::open_reader(global.db()) {
        Ok(store) => Ok(was_listed(&store, source.as_str(), source)?),
        Err(ranklore_store::Error::Missing { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
