//! What a rating system is: a fold over contests in the order of time.

use std::ops::Range;

/// A competitor, as an index from 0. The caller keeps the names.
pub type CompetitorIndex = u32;

/// One contest as numbers, entrants in order of place.
///
/// [`Round::of`] is an ordinary one; what is special is set on it by its fields.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// When the result stood, in seconds; contests come in this order.
    pub ends_at: i64,
    /// Multiplies in the system; 1 is an ordinary contest. Finite and above 0.
    pub weight: f64,
    /// No performance counts above this; infinity when there is no ceiling. Systems that know no
    /// performance of their own pass it over.
    pub performance_ceiling: f64,
    /// How many events there were before the one it belongs to. Contests of one event (the
    /// divisions of a round) share a number; a contest that belongs to none is one of its own.
    pub event: u32,
    /// Who took part, best place first, nobody twice. Where people stand in teams, those of a
    /// team come one after the other.
    pub entrants: &'a [CompetitorIndex],
    /// Ends (exclusive) of the teams in `entrants`, increasing; none where everybody stands
    /// alone. Only for systems that support [teams](crate::Support::Teams).
    pub teams: Option<&'a [u32]>,
    /// Ends (exclusive) of the groups of tied entrants (of tied teams, where there are teams),
    /// increasing; the last is the number of entrants (teams). Those that did not finish are
    /// one group, the last.
    pub groups: &'a [u32],
    /// How many entrants (teams) finished; the others did not, and are unordered among
    /// themselves. See [`Unfinished`](crate::Unfinished).
    pub finishers: u32,
}

impl<'a> Round<'a> {
    /// An ordinary contest, the first of all, in which everybody stands alone and finished.
    #[must_use]
    pub const fn of(entrants: &'a [CompetitorIndex], groups: &'a [u32]) -> Self {
        Self {
            ends_at: 0,
            weight: 1.0,
            performance_ceiling: f64::INFINITY,
            event: 0,
            entrants,
            teams: None,
            groups,
            finishers: entrants.len() as u32,
        }
    }

    /// Whether there is anything to rate: at least two entrants, not all tied. Any other
    /// contest leaves every system as it was and does not count as an earlier contest.
    #[must_use]
    pub const fn has_order(&self) -> bool {
        self.groups.len() >= 2
    }

    /// Holds the round against what a system without teams can rate; to give it teams is a
    /// caller's mistake.
    pub(crate) fn assert_alone(&self) {
        assert!(self.teams.is_none(), "this system rates nobody in teams");
    }

    /// What `solve`, given the number of finishers, says of those who did not finish; nothing
    /// where everybody did.
    pub(crate) fn unfinished(&self, solve: impl FnOnce(usize) -> Vec<f64>) -> Vec<f64> {
        let all = self.groups.last().copied().unwrap_or(0);
        if self.finishers < all {
            solve(self.finishers as usize)
        } else {
            Vec::new()
        }
    }
}

/// The groups or teams that have these ends (exclusive), as ranges.
pub(crate) fn ranges(ends: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let end = end as usize;
        std::mem::replace(&mut start, end)..end
    })
}

/// One entrant's state after a contest, in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The rating.
    pub mu: f64,
    /// Its uncertainty, as a standard deviation.
    pub sigma: f64,
    /// The performance in this contest; the rating where the system knows none.
    pub performance: f64,
    /// How much the rating moves, in the system's own terms, where it keeps that beside sigma.
    pub volatility: Option<f64>,
}

/// One entrant of an earlier contest: the row that [`RatingSystem::rate`] gave, and what it
/// takes to know of the contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Past {
    /// When the result stood, as in [`Round::ends_at`].
    pub ends_at: i64,
    /// The weight of the contest, as in [`Round::weight`].
    pub weight: f64,
    /// The entrant's row, to the last bit.
    pub rated: Rated,
}

/// A rating before the first contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The rating.
    pub mu: f64,
    /// Its uncertainty, above 0; the system's own for newcomers where absent.
    pub sigma: Option<f64>,
}

/// A rating system with the state of all its competitors.
///
/// The same rounds in the same order give the same bits, on one thread or many.
pub trait RatingSystem: Send {
    /// Gives a competitor a rating before their first contest. Without one, competitors start
    /// at the system's own.
    fn start(&mut self, competitor: CompetitorIndex, start: Start);

    /// Folds in a row that an earlier run gave a competitor, so that this run can go on from
    /// there. Rows come after [`start`](Self::start) and before any [`rate`](Self::rate). Those
    /// of one competitor come all, in the order in which they were rated; the order among
    /// competitors is free. Parameters and starting ratings are those of the earlier run.
    ///
    /// After the last row of a competitor their state is, to the last bit, what it was when
    /// that contest had been rated. Rows are enough for this: a belief depends on performances,
    /// weights and times alone (paper, section 4), and on opponents only through performances.
    /// Nothing is solved again, for the rating that balances the belief stands in the row.
    ///
    /// A contest without order gave no rows and needs none. Competitors who take part in no
    /// later contest need not be recalled, unless their [`mu`](Self::mu) is asked for.
    fn recall(&mut self, competitor: CompetitorIndex, past: &Past);

    /// The rating of a competitor now, which predicts their next contest.
    fn mu(&self, competitor: CompetitorIndex) -> f64;

    /// The rating that somebody begins with whose first contest has so many events before its
    /// own ([`Round::event`]).
    fn newcomer_mu(&self, event: u32) -> f64 {
        let _ = event;
        // Nobody has this index, so it is somebody never met.
        self.mu(CompetitorIndex::MAX)
    }

    /// Rates one contest; `rated` becomes the entrants' new state, in their order, or empty
    /// for a contest without order ([`Round::has_order`]). No zero among them is negative, so
    /// that rows may be kept where there is but one zero.
    ///
    /// # Panics
    /// When the round's slices do not fit each other; that is the caller's mistake.
    fn rate(&mut self, round: &Round<'_>, rated: &mut Vec<Rated>);
}
