//! The roles of headings, which the vocabulary of tables knows and readers of bytes ask for.

/// The most rows at the top of a table of which one has the headings.
pub const SEARCHED_ROWS: usize = 20;

/// The part of a column in the choice of rows and in the form of their cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// Excluded by the user.
    Ignored,
    /// The competitor or the team of a row.
    Competitor,
    /// Another name of people, such as those of the members of a team.
    PersonName,
    /// A place or a score.
    Result,
    /// The name of the contest.
    ContestName,
    /// An id, a date or an event, by which rows belong to a contest.
    ContestKey,
    /// Another property of the contest.
    ContestDetail,
    /// Anything else that is known.
    Other,
}

impl FieldRole {
    /// True if the cells name competitors.
    pub(crate) const fn names_people(self) -> bool {
        matches!(self, Self::Competitor | Self::PersonName)
    }

    /// True for what a field around the rows can say about all of them.
    pub(crate) const fn describes_contest(self) -> bool {
        matches!(self, Self::ContestName | Self::ContestKey | Self::ContestDetail)
    }
}

/// The part of a field in an object that is a game of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRole {
    /// One of the two competitors.
    Competitor,
    /// The winner: a competitor who decides the game.
    Winner,
    /// The score of one of them, or the result.
    Outcome,
}

/// The known headings of columns.
pub trait Headings {
    /// Returns the role of a column with this heading, `None` if it is not known.
    fn role(&self, heading: &str) -> Option<FieldRole>;

    /// Returns the role of a field with this path, such as `driver.name`: the one that the user
    /// states, else that of the known path.
    fn field_role(&self, path: &str) -> Option<FieldRole>;

    /// Returns the role of a field with this path in a game, `None` if it has none.
    fn game_role(&self, _path: &str) -> Option<GameRole> {
        None
    }

    /// True if the user states the meaning of a column with this heading.
    fn is_stated(&self, heading: &str) -> bool;
}
