//! What to ask of Codeforces.

/// What to ask for beyond the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to ask for the standings of each contest too: points, penalties and who stood in
    /// a team, at up to 15 MB a contest. Places and ratings come without.
    pub standings: bool,
}
