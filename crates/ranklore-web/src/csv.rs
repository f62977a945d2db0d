//! Lists as CSV. The command line has the columns and the format of its own lists; pages use the
//! same functions.

use std::io;

use ranklore_replay::{
    ComparisonList, ContestList, ContestView, Distribution, Leaderboard, Movers, PlayerList,
    PlayerView, PredictionView, RunRecords, SourceList,
};

/// Functions that write the rows of each list as CSV.
#[derive(Clone, Copy, Debug)]
pub struct CsvTables {
    /// The rows of a leaderboard.
    pub leaderboard: fn(&Leaderboard) -> io::Result<Vec<u8>>,
    /// The contests of a competitor.
    pub player: fn(&PlayerView) -> io::Result<Vec<u8>>,
    /// The standings of a contest.
    pub contest: fn(&ContestView) -> io::Result<Vec<u8>>,
    /// The contests of a source.
    pub contests: fn(&ContestList) -> io::Result<Vec<u8>>,
    /// The competitors of a source.
    pub players: fn(&PlayerList) -> io::Result<Vec<u8>>,
    /// The rows of all lists of movers.
    pub movers: fn(&Movers) -> io::Result<Vec<u8>>,
    /// The ranges of ratings of a distribution.
    pub distribution: fn(&Distribution) -> io::Result<Vec<u8>>,
    /// The rows of all lists of records.
    pub records: fn(&RunRecords) -> io::Result<Vec<u8>>,
    /// The entrants of a predicted field.
    pub prediction: fn(&PredictionView) -> io::Result<Vec<u8>>,
    /// The metrics of evaluated systems.
    pub comparison: fn(&ComparisonList) -> io::Result<Vec<u8>>,
    /// The sources.
    pub sources: fn(&SourceList) -> io::Result<Vec<u8>>,
}
