//! What to ask of O2CM.

/// What to ask for beyond the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to ask for the scoresheets of every round of each heat too: the marks of the
    /// judges. Several hundred pages a competition.
    pub scoresheets: bool,
}
