//! The meanings of columns.

use ranklore_contest::word_enum;

word_enum! {
    /// The meaning of a table column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ColumnMeaning {
        /// The name of the contest.
        Contest = "contest",
        /// The id of the contest.
        ContestId = "contest id",
        /// Groups contests held together.
        Event = "event",
        /// The date of the contest.
        Date = "date",
        /// The division, class or age group: each is a contest of its own.
        Division = "division",
        /// The order within the event.
        Ordinal = "ordinal",
        /// The web page of the contest.
        Url = "url",
        /// The weight of the contest.
        Weight = "weight",
        /// The place.
        Place = "place",
        /// The score.
        Score = "score",
        /// The penalty.
        Penalty = "penalty",
        /// The name of the competitor.
        Competitor = "competitor",
        /// The id of the competitor, or of the person in a row of a team.
        CompetitorId = "competitor id",
        /// The given name of the competitor, beside a column of surnames.
        GivenName = "given name",
        /// The surname of the competitor, beside a column of given names.
        Surname = "surname",
        /// The name of the team.
        Team = "team",
        /// The id of the team.
        TeamId = "team id",
        /// The names of all members of a team, in one cell.
        Members = "members",
        /// The status, such as dnf.
        Status = "status",
        /// The rating before the first contest.
        StartingRating = "starting rating",
        /// The uncertainty of that rating.
        StartingSigma = "starting sigma",
        /// A published rating before the contest.
        RatingBefore = "rating before",
        /// The published change of the rating in the contest.
        RatingChange = "rating change",
        /// A published rating after the contest.
        RatingAfter = "rating after",
        /// A sum or count over other columns, without data of its own.
        Summary = "summary",
        // The meanings below are those of tables of games.
        /// The competitor with the white pieces.
        White = "white",
        /// The competitor with the black pieces.
        Black = "black",
        /// The team that plays at home.
        Home = "home",
        /// The team that plays away.
        Away = "away",
        /// The competitor who moves first.
        First = "first",
        /// The competitor who moves second.
        Second = "second",
        /// The one competitor, without an order of play.
        Player1 = "player 1",
        /// The other competitor.
        Player2 = "player 2",
        /// The one team, without an order of play.
        Team1 = "team 1",
        /// The other team.
        Team2 = "team 2",
        /// The winner: the competitor, or a word for one of two other columns.
        Winner = "winner",
        /// The loser.
        Loser = "loser",
        /// The id of the competitor who is named first.
        Id1 = "id 1",
        /// The id of the competitor who is named second.
        Id2 = "id 2",
        /// The second member of the team that is named first.
        Partner1 = "partner 1",
        /// The second member of the other team.
        Partner2 = "partner 2",
        /// The score of the competitor who is named first.
        Score1 = "score 1",
        /// The score of the competitor who is named second.
        Score2 = "score 2",
        /// The penalties that decided a tied game, of the competitor who is named first.
        Shootout1 = "shootout 1",
        /// The penalties of the competitor who is named second.
        Shootout2 = "shootout 2",
        /// The result of the game: `1-0`, `½`, `3:1`.
        Outcome = "outcome",
        /// True if the game was drawn.
        Draw = "draw",
        /// True if neither team played at home.
        Neutral = "neutral",
        /// The time of day, beside a date.
        TimeOfDay = "time of day",
        /// The id of the event, beside the number of the game.
        EventId = "event id",
        /// The number of the game within the event.
        GameNumber = "game number",
        /// Not read, because the user says so.
        Ignore = "ignore",
    }
}

impl ColumnMeaning {
    /// True for what a field around the rows can say about all of them.
    pub(crate) const fn describes_contest(self) -> bool {
        matches!(
            self,
            Self::Contest
                | Self::ContestId
                | Self::Date
                | Self::Division
                | Self::Event
                | Self::Ordinal
                | Self::Url
                | Self::Weight
        )
    }
}
