//! The options of the source: the threads to sync.

use ranklore_source::{InvalidOption, OptionKind, OptionValues, SourceOption};

use crate::listing::SubredditListing;

/// The number of threads that the site lists.
const MAX_LISTED: u32 = 1_000;

const SUBREDDIT: SourceOption = SourceOption {
    kind: OptionKind::Words("NAME"),
    flag: true,
    enables_lists: true,
    ..SourceOption::switch("subreddit", "Subreddit to sync; repeatable")
};

const TOP: SourceOption = SourceOption {
    kind: OptionKind::Number("N"),
    flag: true,
    ..SourceOption::switch(
        "top",
        "Threads per subreddit, all-time top first [default: all since --since, else 1,000]",
    )
};

pub(crate) static OPTIONS: [SourceOption; 2] = [SUBREDDIT, TOP];

/// Returns the listings to request; none if a sync updates known threads only.
pub(crate) fn parse_listings(
    values: &OptionValues,
) -> Result<Vec<SubredditListing>, InvalidOption> {
    let top = top_threads(values);
    if top.is_some() && !values.is_set(SUBREDDIT.name) {
        return Err(InvalidOption("--top needs a subreddit: add --subreddit NAME".to_owned()));
    }
    subreddits(values)
        .map(|name| match (top, values.since) {
            (None, Some(since)) => SubredditListing::since(name, since),
            (top, _) => SubredditListing::top(name, top.unwrap_or(MAX_LISTED)),
        })
        .collect()
}

/// Returns the subreddits without an `r/` prefix.
pub(crate) fn subreddits(values: &OptionValues) -> impl Iterator<Item = &str> {
    values.words(SUBREDDIT.name).iter().map(|name| {
        // The usual notation.
        let name = name.trim_start_matches('/');
        name.strip_prefix("r/").unwrap_or(name)
    })
}

/// Returns the number of threads per subreddit.
pub(crate) fn top_threads(values: &OptionValues) -> Option<u32> {
    values.number(TOP.name)
}
