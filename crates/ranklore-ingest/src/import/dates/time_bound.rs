//! Contests that end after the time of an import: mistyped dates, and fixtures without a result.

use ranklore_contest::{Contest, Quoted, UnixSeconds, format_plural, format_time};

/// The number of seconds after an import in which a contest may end, unless the user allows later
/// ones: a year.
const MAX_AHEAD: i64 = 366 * 86_400;

/// The time of an import, which bounds the ends of its contests.
#[derive(Clone, Copy, Debug)]
pub struct TimeBound {
    /// The current time.
    pub now: UnixSeconds,
    /// Accepts contests that end more than a year later.
    pub allows_future: bool,
}

/// The number of contests, and the first one.
#[derive(Default)]
struct LateContests {
    count: u64,
    first: String,
}

impl LateContests {
    fn add(&mut self, contest: &Contest) {
        if self.count == 0 {
            self.first = format!("{} on {}", Quoted(&contest.name), contest.ends_at);
        }
        self.count += 1;
    }

    /// Returns `2 contests such as "Final" on 2042-03-15`; `None` without contests.
    fn describe(&self) -> Option<String> {
        (self.count > 0)
            .then(|| format!("{} such as {}", format_plural(self.count, "contest"), self.first))
    }
}

/// The contests of a document that end after the time of its import.
pub(crate) struct FutureContests {
    bound: TimeBound,
    /// The external ids of the refused contests.
    pub(crate) refused_ids: Vec<String>,
    refused: LateContests,
    accepted: LateContests,
}

impl FutureContests {
    pub(crate) fn new(bound: TimeBound) -> Self {
        Self {
            bound,
            refused_ids: Vec::new(),
            refused: LateContests::default(),
            accepted: LateContests::default(),
        }
    }

    /// Returns true if a contest is accepted.
    pub(crate) fn accept(&mut self, contest: &Contest) -> bool {
        let ahead = contest.ends_at.get().saturating_sub(self.bound.now.get());
        if ahead > MAX_AHEAD && !self.bound.allows_future {
            self.refused.add(contest);
            self.refused_ids.push(contest.external_id.clone());
            return false;
        }
        if ahead > 0 {
            self.accepted.add(contest);
        }
        true
    }

    /// Returns the reason to refuse contests, if some are refused.
    pub(crate) fn refusal(&self) -> Option<String> {
        let contests = self.refused.describe()?;
        let now = format_time(self.bound.now.get(), "%Y-%m-%d");
        Some(format!(
            "{contests} end more than a year after now, {now}: correct the dates, or pass --future if \
             they are right"
        ))
    }

    /// Returns the warning about accepted contests, if there are any.
    pub(crate) fn warning(&self) -> Option<String> {
        let contests = self.accepted.describe()?;
        let now = format_time(self.bound.now.get(), "%Y-%m-%d");
        Some(format!("{contests} end after now, {now}, and are rated: check their dates"))
    }
}
