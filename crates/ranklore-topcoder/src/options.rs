//! What to ask Topcoder for.

/// In which form to ask for what the site has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Options {
    /// The feeds.
    #[default]
    Feeds,
    /// The pages that people read, in place of the feeds: for when the feeds are gone. Pages say on
    /// which day a round began and not when, and nothing of volatilities.
    Pages,
    /// Both: everything that was ever asked for.
    Both,
}
