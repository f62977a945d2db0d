//! Builds the standings of a contest from the results in rows.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use crate::reading::RefusedEntry;
use crate::schema::people::names::{NameColumns, NamedEntrant};
use crate::schema::table::HeaderTable;
use crate::values::cells::parse_place;
use crate::values::numbers::NumberStyle;
use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, Place, Quoted, check_weight};
use ranklore_grid::{Location, Reason};

/// Parses the weight of a contest, and checks its range.
pub(crate) fn parse_weight(cell: &str, style: NumberStyle) -> Result<f64, Reason> {
    let weight = style.parse(cell);
    let weight = weight.map_err(|error| error.reason("weight", cell))?;
    check_weight(weight).map_err(|error| error.to_string())?;
    Ok(weight)
}

/// The place, score or status of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowMark {
    /// A place in the numbering of the table.
    Place(u32),
    /// A score that decides the order.
    Score(f64),
    DidNotFinish,
    Disqualified,
}

impl RowMark {
    const fn is_unplaced(self) -> bool {
        matches!(self, Self::DidNotFinish | Self::Disqualified)
    }

    /// Parses a place, or a score if `scores` is the style of a score column.
    pub(crate) fn parse(cell: &str, scores: Option<NumberStyle>) -> Result<Self, Reason> {
        match scores {
            None => parse_place(cell).map(Self::Place).ok_or_else(|| {
                let cell = Quoted(cell);
                format!("place {cell} is not a place such as 1, T3, 3= or dnf").into()
            }),
            Some(style) => {
                style.parse(cell).map(Self::Score).map_err(|error| error.reason("score", cell))
            }
        }
    }
}

/// An entrant as given in the table.
#[derive(Clone, Debug)]
pub(crate) struct RowResult<'t> {
    /// The row of the grid.
    pub(crate) row: usize,
    pub(crate) competitor: Cow<'t, str>,
    pub(crate) kind: EntrantKind,
    pub(crate) members: Vec<String>,
    pub(crate) mark: RowMark,
    pub(crate) score: Option<f64>,
    pub(crate) penalty: Option<f64>,
}

impl<'t> RowResult<'t> {
    /// Returns the result of an entrant, with the score that is its mark.
    pub(crate) fn new(row: usize, entrant: NamedEntrant<'t>, mark: RowMark) -> Self {
        Self {
            row,
            competitor: entrant.competitor,
            kind: entrant.kind,
            members: entrant.members,
            mark,
            score: match mark {
                RowMark::Score(score) => Some(score),
                _ => None,
            },
            penalty: None,
        }
    }
}

/// Errors in a contest, by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems {
    listed: Vec<(Location, Reason)>,
    count: usize,
    advice: Option<Reason>,
}

/// The number of errors of one contest that are listed in full.
const MAX_LISTED_PROBLEMS: usize = 4;

impl Problems {
    pub(crate) fn push(&mut self, at: Location, reason: impl Into<Reason>) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED_PROBLEMS {
            self.listed.push((at, reason.into()));
        }
    }

    /// Adds what to do about some of the errors, once.
    pub(crate) fn advise(&mut self, advice: Option<&Reason>) {
        if self.advice.is_none() {
            self.advice = advice.cloned();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Combines the errors into one refused entry.
    pub(crate) fn into_refused_entry(self, contest: &str) -> RefusedEntry {
        let count = self.count;
        let mut listed = self.listed.into_iter();
        let (at, mut reason) = listed.next().unwrap_or((Location::Whole, Reason::from("")));
        for (at, other) in listed {
            reason.append(other.map_text(|text| format!("{at}: {text}")));
        }
        if count > MAX_LISTED_PROBLEMS {
            reason.append(format!("and {} more", count - MAX_LISTED_PROBLEMS).into());
        }
        if let Some(advice) = self.advice {
            reason.append(advice);
        }
        RefusedEntry::new(at, Some(contest.to_owned()), reason)
    }
}

/// Reports competitors and members that occur twice in a contest.
pub(crate) fn find_duplicates(
    results: &[RowResult<'_>],
    table: &HeaderTable,
    names: &NameColumns,
    at: impl Fn(usize) -> Location,
    problems: &mut Problems,
) {
    // An id of a person may be that of a team too, a name may not.
    let has_ids = names.identities.are_read();
    let mut first_rows: HashMap<(bool, &str), usize> = HashMap::with_capacity(results.len());
    for result in results {
        let competitor = &*result.competitor;
        let members = result.members.iter().map(|member| (false, member.as_str()));
        let is_team = has_ids && result.kind == EntrantKind::Team;
        for key in members.chain(std::iter::once((is_team, competitor))) {
            let Some(&first_row) = first_rows.get(&key) else {
                first_rows.insert(key, result.row);
                continue;
            };
            let (_, person) = key;
            let is_competitor = person == competitor;
            // A team of one may have the name of its member.
            if is_competitor && result.members.iter().any(|member| member == person) {
                continue;
            }
            let rows = table.grid.describe_rows(first_row, result.row);
            let name = match names.entrant(table, result.row) {
                Ok(Some(entrant)) if is_competitor && entrant.name != person => {
                    format!(" ({})", Quoted(entrant.name))
                }
                _ => String::new(),
            };
            let reason = format!("{}{name} stands twice, on {rows}", Quoted(person));
            problems.push(at(result.row), reason);
            if first_row != result.row && is_competitor {
                let rows = [first_row, result.row];
                let advice = names.identities.advise(table, rows, result.kind);
                problems.advise(Some(&advice));
            }
        }
    }
}

/// Orders the better of two marks first, and the unplaced last.
fn compare_marks(a: RowMark, b: RowMark, lower_is_better: bool) -> Ordering {
    match (a, b) {
        (RowMark::Place(a), RowMark::Place(b)) => a.cmp(&b),
        // Scores are finite. Adding 0.0 ties minus zero with zero.
        (RowMark::Score(a), RowMark::Score(b)) if lower_is_better => {
            (a + 0.0).total_cmp(&(b + 0.0))
        }
        (RowMark::Score(a), RowMark::Score(b)) => (b + 0.0).total_cmp(&(a + 0.0)),
        (a, b) => a.is_unplaced().cmp(&b.is_unplaced()),
    }
}

/// True if marks stand in the order of their result, the best first. Of negative scores either end can
/// be the best.
pub(crate) fn stand_best_first(
    marks: impl Iterator<Item = RowMark> + Clone,
    lower_is_better: bool,
) -> bool {
    let is_negative = |mark| matches!(mark, RowMark::Score(score) if score < 0.0);
    !marks.clone().any(is_negative)
        && marks.is_sorted_by(|a, b| compare_marks(*a, *b, lower_is_better).is_le())
}

/// Ranks results by place or by score, with renumbered places and the unplaced last. Also returns
/// true if the table's places were different ("1223", or gaps).
pub(crate) fn rank_entrants(
    mut results: Vec<RowResult<'_>>,
    lower_is_better: bool,
) -> (Vec<Entrant>, bool) {
    let compare = |a, b| compare_marks(a, b, lower_is_better);
    results.sort_by(|a, b| compare(a.mark, b.mark));
    let mut is_renumbered = false;
    let mut entrants: Vec<Entrant> = Vec::with_capacity(results.len());
    let mut last: Option<(RowMark, Place)> = None;
    for result in results {
        let outcome = match result.mark {
            RowMark::DidNotFinish => EntrantOutcome::DidNotFinish,
            RowMark::Disqualified => EntrantOutcome::Disqualified,
            mark => {
                // Ties share the place of the first of them.
                let place = match last {
                    Some((above, place)) if compare(above, mark) == Ordering::Equal => place,
                    _ => Place::from_entrants_above(entrants.len() as u32),
                };
                last = Some((mark, place));
                is_renumbered |= matches!(mark, RowMark::Place(number) if number != place.get());
                EntrantOutcome::Finished(place)
            }
        };
        entrants.push(Entrant {
            competitor: result.competitor.into_owned(),
            kind: result.kind,
            outcome,
            score: result.score,
            penalty: result.penalty,
            side: None,
            members: result.members,
        });
    }
    (entrants, is_renumbered)
}

/// Returns a note that the places of these contests were renumbered.
pub(crate) fn renumbered_note(contests: &[String]) -> Option<String> {
    if contests.is_empty() {
        return None;
    }
    let names = contests.iter().take(MAX_LISTED_PROBLEMS);
    let mut names: Vec<String> = names.map(|name| Quoted(name).to_string()).collect();
    if contests.len() > MAX_LISTED_PROBLEMS {
        names.push(format!("and {} more", contests.len() - MAX_LISTED_PROBLEMS));
    }
    Some(format!(
        "places were renumbered (ties share the lowest, no gaps) in {}",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(row: usize, mark: RowMark) -> RowResult<'static> {
        RowResult {
            row,
            competitor: ["p0", "p1", "p2", "p3", "p4", "p5", "p6"][row].into(),
            kind: EntrantKind::Person,
            members: Vec::new(),
            mark,
            score: None,
            penalty: None,
        }
    }

    fn places(marks: &[RowMark], lower_is_better: bool) -> (Vec<(String, Option<u32>)>, bool) {
        let results = (1..).zip(marks).map(|(line, &mark)| result(line, mark));
        let (entrants, renumbered) = rank_entrants(results.collect(), lower_is_better);
        let places = entrants.into_iter();
        (
            places.map(|e| (e.competitor, e.outcome.place().map(Place::get))).collect(),
            renumbered,
        )
    }

    #[test]
    fn places_are_recounted() {
        use RowMark::{DidNotFinish, Disqualified, Place, Score};
        let p = |line: u64, place: u32| (format!("p{line}"), Some(place));
        let out = |line: u64| (format!("p{line}"), None);
        let dense = [Place(2), Place(1), Place(2), Place(3)];
        assert_eq!(places(&dense, false), (vec![p(2, 1), p(1, 2), p(3, 2), p(4, 4)], true));
        let standard = [
            Place(1),
            Place(2),
            Place(2),
            DidNotFinish,
            Place(4),
            Disqualified,
        ];
        let expected = vec![p(1, 1), p(2, 2), p(3, 2), p(5, 4), out(4), out(6)];
        assert_eq!(places(&standard, true), (expected, false));
        let scores = [Score(1.0), Score(3.0), Score(0.0), Score(-0.0)];
        assert_eq!(places(&scores, false).0, [p(2, 1), p(1, 2), p(3, 3), p(4, 3)]);
        assert_eq!(places(&scores, true).0, [p(3, 1), p(4, 1), p(1, 3), p(2, 4)]);
    }

    #[test]
    fn refusal_lists_first_problems() {
        let mut problems = Problems::default();
        for line in 2..9 {
            problems.push(Location::Line(line), "bad");
        }
        let refusal = problems.into_refused_entry("R").to_string();
        assert_eq!(
            refusal,
            "line 2: contest \"R\": bad; line 3: bad; line 4: bad; line 5: bad; and 3 more"
        );
    }
}
