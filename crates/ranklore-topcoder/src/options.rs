//! Options of the source.

/// Formats to request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TopcoderOptions {
    /// XML feeds.
    #[default]
    Feeds,
    /// HTML pages in place of feeds, for when the feeds are gone. Pages give the day of a round but
    /// not the time, and no volatilities.
    Pages,
    /// Both formats, to read every archived response.
    Both,
}
