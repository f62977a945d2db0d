//! The pages in HTML. They show what the views return, and work without scripts.
//!
//! `layout` and `parts` import no page.

pub(crate) mod contest;
pub(crate) mod contests;
pub(crate) mod format;
pub(crate) mod home;
pub(crate) mod layout;
pub(crate) mod leaderboard;
pub(crate) mod parts;
pub(crate) mod player;
pub(crate) mod players;
pub(crate) mod predictions;
pub(crate) mod request;
pub(crate) mod statistics;
pub(crate) mod tables;

use ranklore_contest::SourceName;

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::request::PageRequest;
use crate::parameters::Rows;
use crate::paths::SourcePage;

/// The rows of a list on a page.
pub(crate) const ROWS: Rows = Rows {
    usual: 50,
    max: 200,
};

/// Makes a page about a source.
pub(crate) type ShowSource = fn(&PageRequest<'_>, &SourceName) -> Result<Content, Failure>;

/// Returns the function that makes a page about a source.
pub(crate) const fn show_source(page: SourcePage) -> ShowSource {
    match page {
        SourcePage::Contests => contests::show,
        SourcePage::Players => players::show,
        SourcePage::Movers => statistics::movers::show,
        SourcePage::Distribution => statistics::distribution::show,
        SourcePage::Records => statistics::records::show,
        SourcePage::Compare => predictions::systems::show,
        SourcePage::Predict => predictions::field::show,
    }
}
