//! Options of the source.

/// Documents to request beyond contests and rating changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeforcesOptions {
    /// Requests standings too: points, penalties and team members, up to 15 MB per contest. Places
    /// and ratings do not need them.
    pub standings: bool,
}
