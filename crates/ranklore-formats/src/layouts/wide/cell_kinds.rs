//! The meaning of the numbers in a wide table: places, or scores of which the highest or the lowest wins.

use super::WideTable;
use super::order::{OrderEvidence, cells_option, refuse_lowest};
use crate::layouts::race_points::PointsSurvey;
use crate::options::StatedCells;
use crate::values::cells::parse_place;
use crate::values::numbers::is_time;
use crate::values::rankings::{are_gapless_places, are_ranking};
use crate::vocabulary::rounds::is_place_of_round;
use ranklore_contest::Quoted;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The number from which on numbers below a heading of places are ratings rather than places.
const MAX_PLACE: f64 = 1_000.0;

/// The meaning of the numbers in the rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    Places,
    HighestScores,
    LowestScores,
}

impl CellKind {
    pub(super) const fn as_stated(self) -> StatedCells {
        match self {
            Self::Places => StatedCells::Places,
            Self::HighestScores | Self::LowestScores => StatedCells::Scores,
        }
    }

    const fn describe(self) -> &'static str {
        match self {
            Self::Places => "places",
            Self::HighestScores => "scores, highest first",
            Self::LowestScores => "scores, lowest first",
        }
    }
}

impl From<StatedCells> for CellKind {
    fn from(cells: StatedCells) -> Self {
        match cells {
            StatedCells::Places => Self::Places,
            StatedCells::Scores => Self::HighestScores,
        }
    }
}

/// The rounds by the kind of their cells.
#[derive(Default)]
struct RoundKinds<'t> {
    /// Rounds whose cells form a ranking ("1224").
    rankings: Vec<usize>,
    /// All other rounds with results.
    unranked: Vec<usize>,
    /// The unranked rounds that are rankings if ties count as one place.
    gapless: Vec<usize>,
    /// The number of rounds with fewer than three results.
    small: usize,
    /// The first round with a time.
    timed: Option<usize>,
    /// The first round with results, none of which is a time.
    untimed: Option<usize>,
    /// True if some place is no plain number: `T3`, `2nd`.
    has_marked_places: bool,
    /// The first cell that is no result of any kind, in a round that is a ranking without such cells.
    unreadable: Option<(usize, &'t str)>,
}

impl<'t> WideTable<'t> {
    /// Decides the meaning of the numbers, and notes it: places if each round forms a ranking, else
    /// scores. Errors if several are likely.
    pub(super) fn decide_cells(&self, notes: &mut Vec<String>) -> Result<CellKind, FileReadError> {
        let (cells, evidence) = if self.options.cells.is_none() && self.has_minus_discards {
            self.find_marked_points(notes)?;
            let evidence = "numbers with a minus are discards, which count for their round";
            (CellKind::LowestScores, evidence.to_owned())
        } else {
            self.find_kind(notes)?
        };
        let separator = if evidence.is_empty() { "" } else { ": " };
        notes.push(format!("the cells are {}{separator}{evidence}", cells.describe()));
        Ok(cells)
    }

    /// Returns the meaning of the numbers, and the evidence.
    fn find_kind(&self, notes: &mut Vec<String>) -> Result<(CellKind, String), FileReadError> {
        let table = self.table;
        let refuse_unless_lowest = |round, reason: String| {
            let lowest = [CommandOptions::lower_is_better()];
            table.refuse_column(round, Reason::from(reason).naming(lowest))
        };
        let marked = self.find_marked_points(notes)?;
        if self.options.lower_is_better || marked == Some(CellKind::LowestScores) {
            return Ok((CellKind::LowestScores, String::new()));
        }
        if let Some(cells) = self.options.cells {
            return Ok((cells.into(), "as stated".to_owned()));
        }
        let order = OrderEvidence::find(table, self.rounds, &self.players);
        if self.are_headed_as_places() {
            return self.find_headed_kind(&order);
        }
        let kinds = self.classify_rounds();
        if kinds.has_marked_places {
            return Ok((CellKind::Places, "some are marked as such".to_owned()));
        }
        let Some(&other) = kinds.unranked.first() else {
            let decision = order.decide(table, self.rounds[0])?;
            let each = || (StatedCells::Places, "each round forms a ranking".to_owned());
            let (cells, evidence) = decision.unwrap_or_else(each);
            return Ok((cells.into(), evidence));
        };
        // If ties count as one place, all rounds are rankings.
        if kinds.gapless.len() == kinds.unranked.len() {
            let reason = format!(
                "the numbers of {} can be places with ties, or scores: pass --lower-is-better if 1 is the best, or use one row per result with a score column",
                table.describe_column(other)
            );
            return Err(refuse_unless_lowest(other, reason));
        }
        // A ranking of three or more is hardly a coincidence; read as scores, it would be reversed.
        if kinds.rankings.len() > kinds.unranked.len() + kinds.small {
            let reason = format!(
                "most rounds hold places, such as {}, but those of {} are not a ranking: correct them, pass --lower-is-better to read them as scores where the lowest wins, or use one row per result with a score column",
                table.describe_column(kinds.rankings[0]),
                table.describe_column(other)
            );
            return Err(refuse_unless_lowest(other, reason));
        }
        self.check_readable(&kinds)?;
        self.check_times(&kinds, &order)?;
        notes.extend(kinds.rankings.first().map(|&ranking| {
            let ranking = table.describe_column(ranking);
            format!("{ranking} could be places; pass --lower-is-better if lower is better")
        }));
        match marked {
            Some(marked) => {
                Ok((marked, "points with a code or in brackets are the lowest".to_owned()))
            }
            None => self.find_direction(order, other),
        }
    }

    /// Returns the meaning of numbers below headings of places. Errors if another column says otherwise.
    fn find_headed_kind(&self, order: &OrderEvidence) -> Result<(CellKind, String), FileReadError> {
        let Some(evidence) = order.evidence_of_scores() else {
            return Ok(if self.has_shared_places() {
                (CellKind::LowestScores, String::new())
            } else {
                (CellKind::Places, "the headings say so".to_owned())
            });
        };
        let round = self.rounds[0];
        let round_name = self.table.describe_column(round);
        let problem = format!("{round_name} is headed as places, and {evidence}");
        let cases = [
            (cells_option(StatedCells::Places), "if 1 is the best"),
            (cells_option(StatedCells::Scores), "if the highest is"),
        ];
        Err(self.table.refuse_column(round, Reason::with_options(problem, cases)))
    }

    /// True if some place is the mean of those that several share: 1.5.
    fn has_shared_places(&self) -> bool {
        let mut cells = self.rounds.iter().flat_map(|&round| self.table.values(round));
        cells.any(|cell| cell.parse::<f64>().is_ok_and(|number| number.fract() != 0.0))
    }

    /// True if each round is headed as places, `R1 Pos`, and all numbers can be some. Those of a larger
    /// field have gaps.
    fn are_headed_as_places(&self) -> bool {
        let is_place = |cell: &str| {
            let number: Option<f64> = cell.parse().ok();
            number.is_none_or(|number| (1.0..MAX_PLACE).contains(&number))
        };
        let mut rounds = self.rounds.iter();
        self.table.grid.limits().reader.refuses_doubts()
            && rounds.all(|&round| {
                is_place_of_round(self.table.heading(round))
                    && self.table.values(round).all(is_place)
            })
    }

    /// Returns the meaning of numbers that are no rankings, of which `round` is an example.
    fn find_direction(
        &self,
        order: OrderEvidence,
        round: usize,
    ) -> Result<(CellKind, String), FileReadError> {
        let (cells, evidence) = match order.decide_direction(self.table, round) {
            Ok(decision) => decision,
            Err(error) if self.table.grid.limits().reader.refuses_doubts() => return Err(error),
            Err(_) => (StatedCells::Scores, String::new()),
        };
        if cells == StatedCells::Scores {
            return Ok((CellKind::HighestScores, evidence));
        }
        // Numbers up to that of the players can be places of which some are missing.
        let is_place = |cell: &str| {
            parse_place(cell).is_some_and(|place| place as usize <= self.players.len())
        };
        if self.cells().all(|cell| !self.is_result(cell) || is_place(cell)) {
            return Err(refuse_lowest(self.table, round, &evidence));
        }
        Ok((CellKind::LowestScores, evidence))
    }

    /// Errors if rounds have times: the lowest wins there, but hardly where others have other numbers.
    fn check_times(
        &self,
        kinds: &RoundKinds<'_>,
        order: &OrderEvidence,
    ) -> Result<(), FileReadError> {
        let Some(timed) = kinds.timed else {
            return Ok(());
        };
        if kinds.untimed.is_none() && order.has_places() {
            return Ok(());
        }
        let column = self.table.describe_column(timed);
        let lowest = CommandOptions::lower_is_better();
        let reason = match kinds.untimed {
            Some(other) => Reason::from(format!(
                "the column {column} holds times, and {} other numbers: pass {lowest} if the lowest wins in each, else import them one after the other, with --column HEADING=ignore for the others",
                self.table.describe_column(other)
            )),
            None => Reason::from(format!(
                "the column {column} holds times: pass {lowest} if the shortest wins, or write them in seconds if the longest does"
            ))
            .naming([lowest]),
        };
        Err(self.table.refuse_column(timed, reason))
    }

    /// Errors if a cell that is no result hides a ranking: the other rounds would be read as scores.
    fn check_readable(&self, kinds: &RoundKinds<'_>) -> Result<(), FileReadError> {
        let unreadable = kinds.unreadable;
        let Some((round, cell)) =
            unreadable.filter(|_| self.table.grid.limits().reader.refuses_doubts())
        else {
            return Ok(());
        };
        let problem = format!(
            "{} in {} is no place, score or status, and the others can be places or scores",
            Quoted(cell),
            self.table.describe_column(round)
        );
        let state = |cells: StatedCells| CommandOptions::new("--cells", cells.as_str());
        let cases = [
            (state(StatedCells::Places), "if they are places"),
            (state(StatedCells::Scores), "if the highest is the best"),
        ];
        let reason = Reason::with_options(problem, cases);
        let reason = reason.map_text(|text| format!("{text}; or correct the cell"));
        Err(self.table.refuse_column(round, reason))
    }

    fn classify_rounds(&self) -> RoundKinds<'t> {
        let mut kinds = RoundKinds::default();
        let style = self.number_style();
        for &round in self.rounds {
            let is_result =
                |cell: &&str| self.is_result(cell) && !self.statuses.is_unknown_word(cell);
            let results: Vec<&str> = self.round_cells(round).filter(is_result).collect();
            if results.is_empty() {
                continue;
            }
            if results.iter().any(|cell| is_time(cell)) {
                kinds.timed = kinds.timed.or(Some(round));
            } else {
                kinds.untimed = kinds.untimed.or(Some(round));
            }
            kinds.has_marked_places |= results.iter().any(|cell| {
                parse_place(cell).is_some()
                    && cell.contains(|c: char| !c.is_ascii_digit() && c != '.')
            });
            // Few results form a ranking by chance.
            kinds.small += usize::from(results.len() < 3);
            if are_ranking(results.iter().copied()) {
                kinds.rankings.push(round);
                continue;
            }
            kinds.unranked.push(round);
            let is_readable =
                |cell: &&str| parse_place(cell).is_some() || style.parse(cell).is_ok();
            let (readable, others): (Vec<&str>, _) = results.iter().copied().partition(is_readable);
            if readable.len() > 1 && are_ranking(readable.into_iter()) {
                let first = others.first().map(|&cell| (round, cell));
                kinds.unreadable = kinds.unreadable.or(first);
            }
            if results.len() > 2 && are_gapless_places(results.iter().copied()) {
                kinds.gapless.push(round);
            }
        }
        kinds
    }

    /// Returns the kind of points with codes or in brackets, as in sailing: of a low-point system they
    /// are the highest. Errors if some marked points are the highest, and some the lowest.
    fn find_marked_points(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<Option<CellKind>, FileReadError> {
        let is_marked =
            |cell: &str| cell.bytes().any(|b| b.is_ascii_alphabetic() || matches!(b, b'(' | b'['));
        if !self.rounds.iter().any(|&round| self.raw_cells(round).any(is_marked)) {
            return Ok(None);
        }
        let rounds = self.rounds.iter().map(|&round| self.raw_cells(round).collect());
        let survey = PointsSurvey::new(rounds.collect(), self.number_style());
        notes.extend(survey.notes());
        match (survey.are_marked_highest(), survey.are_marked_lowest()) {
            (true, true) if !self.options.lower_is_better => {
                let reason = Reason::from(
                    "of the points with a code or in brackets, some are the highest and some the lowest: pass --lower-is-better if the lowest points win, or write places",
                );
                let reason = reason.naming([CommandOptions::lower_is_better()]);
                Err(self.table.refuse_column(self.rounds[0], reason))
            }
            (true, _) => Ok(Some(CellKind::LowestScores)),
            (false, true) => Ok(Some(CellKind::HighestScores)),
            (false, false) => Ok(None),
        }
    }
}
