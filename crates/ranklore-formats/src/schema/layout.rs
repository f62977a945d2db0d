//! Decides the layout of a table of results: rows, players, or one contest.
//!
//! A column without a date can be a contest or a part of one, such as a split time. A place or a
//! total beside it suggests a part, a heading such as "Round 3" a contest. If both are there, or
//! neither, the table is refused until the user states the layout.

mod refusals;
mod totals;

pub(crate) use refusals::refuse_several;

use std::cell::OnceCell;

use crate::options::{ReadOptions, StatedLayout};
use crate::reading::TableShape;
use crate::schema::long::LongColumns;
use crate::schema::people::crews::check_crews;
use crate::schema::people::genders::check_genders;
use crate::schema::people::names::{NameColumns, is_numeric};
use crate::schema::people::second_person::check_second_person;
use crate::schema::series::{
    ResultColumns, Series, find_date_row, find_month_columns, has_dated_headings,
};
use crate::schema::table::{HeaderTable, NAME_RESULT};
use crate::values::cells::{CellStatus, parse_place};
use crate::values::dates::describe_doubtful_days;
use crate::values::numbers::is_time;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{is_rate_heading, is_time_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::split_words;
use ranklore_contest::Quoted;
use ranklore_grid::{CommandOptions, FileReadError, Reason, Records};

/// The arrangement of results in a table, with the columns that it needs.
pub(crate) enum Layout {
    /// A row is a result.
    Long(Box<LongLayout>),
    /// A row is a player, with a column for each contest.
    Wide(Box<WideLayout>),
}

/// The columns of a table with one row per result.
pub(crate) struct LongLayout {
    pub(crate) columns: LongColumns,
    /// Columns of numbers that could be contests, and are none.
    pub(crate) other_results: Vec<usize>,
    /// True if the user states that the table is one contest.
    pub(crate) is_single: bool,
    /// The decisions, for the user.
    pub(crate) notes: Vec<String>,
}

/// The columns of a table with one row per player.
pub(crate) struct WideLayout {
    pub(crate) series: Series,
    pub(crate) names: NameColumns,
}

/// A rule about the layout. It returns the layout if it decides, nothing if it does not apply, and
/// an error with the options if there are several readings.
type Rule = fn(&LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError>;

/// All rules, in their order: the first that decides does. A new rule is a line here.
const LAYOUT_RULES: [(&str, Rule); 8] = [
    ("keys of objects name rows and columns", keys_of_objects),
    ("a column names the contest of each row", contests_of_rows),
    ("headings have dates", dated_columns),
    ("a ranking stands alone", ranking_alone),
    ("columns of numbers stand beside a ranking", parts_beside_ranking),
    ("rounds stand beside a ranking", rounds_beside_ranking),
    ("headings are months, weeks or seasons", periods),
    ("columns are rounds", rounds),
];

/// Decides the layout: the one that the user states, else by the rules.
pub(crate) fn decide_layout(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Layout, FileReadError> {
    let facts = LayoutFacts {
        table,
        options,
        results: OnceCell::new(),
    };
    match options.layout {
        Some(StatedLayout::Rows) => return facts.rows(),
        Some(StatedLayout::Players) => return facts.players(),
        Some(StatedLayout::Single) => return facts.single(),
        Some(StatedLayout::Games | StatedLayout::Contests) | None => {}
    }
    check_second_person(table)?;
    for (rule, decide) in LAYOUT_RULES {
        if let Some(layout) = decide(&facts)? {
            tracing::debug!("layout: {rule}");
            return Ok(layout);
        }
    }
    let layouts =
        ["rows", "players", "single"].map(|layout| CommandOptions::new("--layout", layout));
    let reason = Reason::from("no rule decides the layout: pass --layout rows, players or single");
    Err(facts.refuse(reason.naming(layouts)))
}

/// A column of contests or dates beside places, scores or statuses: a row is a result.
fn contests_of_rows(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let Some(column) = facts.contest_column().filter(|_| facts.has_results()) else {
        return Ok(None);
    };
    // Dated headings make columns contests, a column of contests makes rows results.
    if has_dated_headings(facts.table, facts.options) {
        let problem = format!(
            "{} says to which contest a row belongs, and other headings have dates",
            facts.table.describe_column(column)
        );
        let cases = [
            (CommandOptions::new("--layout", "rows"), "if one row is one result"),
            (CommandOptions::new("--layout", "players"), "if each dated column is a contest"),
        ];
        return Err(facts.refuse(Reason::with_options(problem, cases)));
    }
    facts.long(Vec::new()).map(Some)
}

/// Keys of objects within objects, with numbers: contests with competitors, or the other way round.
fn keys_of_objects(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let table = facts.table;
    let has_keys = matches!(&table.grid.records, Some(Records::Elements(paths)) if paths.has_keys);
    let columns = &table.unknown_columns;
    let are_numbers = columns.len() > 1 && columns.iter().all(|&c| is_numeric(table, c));
    let name = table.name_column();
    let width = table.grid.width(table.header_row);
    if !has_keys || !are_numbers || columns.len() + 1 != width {
        return Ok(None);
    }
    let is_dated = !ResultColumns::find(table, facts.options).dated.is_empty();
    if is_dated || facts.options.columns.contains_key(table.heading(name)) {
        return Ok(None);
    }
    let contests = CommandOptions::new("--layout", "contests")
        .and(table.column_option(name, ColumnMeaning::Contest));
    let players = CommandOptions::new("--layout", "players");
    let cases = [
        (contests, "if each key is a contest, with the numbers of its competitors"),
        (players, "if each key is a competitor"),
    ];
    let problem = "the keys of objects name contests or competitors";
    Err(facts.refuse(Reason::with_options(problem, cases)))
}

fn dated_columns(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let columns = &facts.results().columns;
    if columns.dated.is_empty() {
        return Ok(None);
    }
    facts.wide(columns.clone().into_dated_series()).map(Some)
}

/// No column can be a contest: the table is one, if places or scores decide it.
fn ranking_alone(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let results = facts.results();
    let has_contests = match results.ranking {
        Some(Ranking::Unstated(..)) => !results.possible_contests(facts.table).is_empty(),
        _ => results.first_undated().is_some(),
    };
    if has_contests {
        return Ok(None);
    }
    match results.ranking {
        Some(Ranking::Result(_)) => facts.long(Vec::new()).map(Some),
        ranking => Err(facts.refuse_unplaced(facts.name_result(ranking))),
    }
}

/// Beside a place or a total, other columns may be split times.
fn parts_beside_ranking(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let Results { columns, ranking } = facts.results();
    let (Some(ranking), Some(&first), []) = (*ranking, columns.parts.first(), &columns.rounds[..])
    else {
        return Ok(None);
    };
    // Months are hardly parts of one contest, and hardly contests if the total is no sum of them.
    let are_months = !find_month_columns(facts.table, facts.options).is_empty();
    if facts.decides_alone(ranking)
        && !are_months
        && !(facts.is_series_stated() && columns.parts.len() > 1)
    {
        facts.long(columns.clone().into_columns()).map(Some)
    } else {
        Err(facts.refuse_two_readings(first, ranking))
    }
}

fn rounds_beside_ranking(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let results = facts.results();
    match (results.ranking, results.first_undated()) {
        (Some(ranking), Some(first)) if !facts.is_series_stated() => {
            Err(facts.refuse_two_readings(first, ranking))
        }
        _ => Ok(None),
    }
}

/// Without a ranking, columns of numbers are contests only if their headings are dates of a kind.
fn periods(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let Results { columns, ranking } = facts.results();
    let (None, Some(&first), true) = (ranking, columns.parts.first(), columns.rounds.len() < 2)
    else {
        return Ok(None);
    };
    let headings = columns.parts.iter().map(|&column| facts.table.heading(column));
    if let Some(reason) = describe_doubtful_days(headings) {
        return Err(facts.table.refuse_column(first, reason));
    }
    match columns.to_period_series(facts.table, facts.options) {
        Some(series) if columns.rounds.is_empty() && facts.options.start.is_none() => {
            facts.wide(series).map(Some)
        }
        _ => Err(facts.refuse_unranked()),
    }
}

fn rounds(facts: &LayoutFacts<'_>) -> Result<Option<Layout>, FileReadError> {
    let results = facts.results();
    let Some(first) = results.first_undated() else {
        return Ok(None);
    };
    facts.check_no_contest_column(first)?;
    facts.wide(results.columns.clone().into_rounds()).map(Some)
}

/// The column that ranks the competitors of a table as a whole.
#[derive(Clone, Copy)]
enum Ranking {
    /// Places or scores.
    Result(usize),
    /// Sums, averages or places under a heading that does not say so. They decide only if the
    /// user gives the column this meaning.
    Unstated(usize, ColumnMeaning),
}

/// The columns that can be contests, and the one that can rank the competitors of all.
struct Results {
    columns: ResultColumns,
    ranking: Option<Ranking>,
}

impl Results {
    /// Returns the columns without a date whose headings do not say that they are no contests.
    fn possible_contests(&self, table: &HeaderTable) -> Vec<usize> {
        let parts = self.columns.possible_contests(table);
        [parts, self.columns.rounds.clone()].concat()
    }

    /// Returns the first column that can be a contest without a date.
    fn first_undated(&self) -> Option<usize> {
        self.columns.rounds.first().or(self.columns.parts.first()).copied()
    }
}

/// The facts that the rules look at.
struct LayoutFacts<'t> {
    table: &'t HeaderTable,
    options: &'t ReadOptions,
    /// Found once a rule needs it: a long table has many cells.
    results: OnceCell<Results>,
}

impl LayoutFacts<'_> {
    fn rows(&self) -> Result<Layout, FileReadError> {
        self.check_no_date_row("rows")?;
        if !self.has_results() {
            return Err(self.refuse(format!(
                "--layout rows needs a column of places or scores: {NAME_RESULT}"
            )));
        }
        self.long(Vec::new())
    }

    fn players(&self) -> Result<Layout, FileReadError> {
        let mut columns = ResultColumns::find(self.table, self.options);
        if !columns.dated.is_empty() {
            return self.wide(columns.into_dated_series());
        }
        columns.find_sums(self.table);
        let parts = columns.possible_contests(self.table);
        let Some(&first) = columns.rounds.first().or(parts.first()) else {
            return Err(self.refuse(
                "--layout players needs a column for each contest, with numbers or places; columns of places, scores and sums are not contests",
            ));
        };
        self.check_no_contest_column(first)?;
        self.wide(if columns.rounds.len() > 1 {
            columns.into_rounds()
        } else {
            columns.into_rounds_and_parts(self.table)
        })
    }

    fn single(&self) -> Result<Layout, FileReadError> {
        self.check_no_date_row("single")?;
        if !(self.has(ColumnMeaning::Place) || self.has(ColumnMeaning::Score)) {
            let advice = self.name_result(self.results().ranking);
            return Err(self.refuse(advice.map_text(|advice| {
                format!(
                    "--layout single needs a column of places or scores, which decides: {advice}"
                )
            })));
        }
        for meaning in DIVIDING_MEANINGS {
            let column = self.table.find_column(meaning)?;
            if let Some(column) = column.filter(|&column| self.table.holds_several(column)) {
                return Err(refuse_several(self.table, column));
            }
        }
        self.long_layout(self.results().columns.clone().into_columns(), true)
    }

    fn long(&self, other_results: Vec<usize>) -> Result<Layout, FileReadError> {
        self.long_layout(other_results, false)
    }

    fn long_layout(
        &self,
        other_results: Vec<usize>,
        is_single: bool,
    ) -> Result<Layout, FileReadError> {
        let columns = LongColumns::from_table(self.table, self.options)?;
        let mut notes = vec!["one row per result".to_owned()];
        columns.check_ranking_basis(self.table, self.options, &mut notes)?;
        match (columns.place, columns.score) {
            (None, Some(score)) if !is_single => check_genders(self.table, score)?,
            (None, None) => self.check_finishers(columns.status)?,
            _ => {}
        }
        if let Some(result) =
            columns.place.or(columns.score).filter(|_| columns.names.team.is_none())
        {
            check_crews(self.table, TableShape::Long, &[result])?;
        }
        Ok(Layout::Long(Box::new(LongLayout {
            columns,
            other_results,
            is_single,
            notes,
        })))
    }

    /// Errors if competitors finished, as the column of statuses says, and no column ranks them.
    fn check_finishers(&self, status: Option<usize>) -> Result<(), FileReadError> {
        let mut cells = status.into_iter().flat_map(|column| self.table.values(column));
        let finished = cells.find(|cell| CellStatus::parse(cell) == Some(CellStatus::Finished));
        let Some(word) = finished.filter(|_| self.table.grid.limits().reader.refuses_doubts())
        else {
            return Ok(());
        };
        let advice = self.name_result(self.results().ranking);
        Err(self.refuse(advice.map_text(|advice| {
            format!("no column ranks competitors with the status {}: {advice}", Quoted(word))
        })))
    }

    fn wide(&self, series: Series) -> Result<Layout, FileReadError> {
        series.check_single_columns(self.table)?;
        series.check_final(self.table)?;
        check_crews(self.table, TableShape::Wide, &series.columns)?;
        let names = NameColumns::from_table(self.table, TableShape::Wide, self.options)?;
        Ok(Layout::Wide(Box::new(WideLayout { series, names })))
    }

    fn results(&self) -> &Results {
        self.results.get_or_init(|| {
            let mut columns = ResultColumns::find(self.table, self.options);
            let ranking = self.find_ranking(&mut columns);
            Results { columns, ranking }
        })
    }

    /// True if the user states that there are several contests.
    fn is_series_stated(&self) -> bool {
        self.options.every_days.is_some()
    }

    fn has(&self, meaning: ColumnMeaning) -> bool {
        self.table.has_column(meaning)
    }

    fn has_results(&self) -> bool {
        use ColumnMeaning::{Place, Score, Status};
        [Place, Score, Status].iter().any(|&m| self.has(m))
    }

    /// Returns a column that says to which contest a row belongs.
    fn contest_column(&self) -> Option<usize> {
        use ColumnMeaning::{Contest, ContestId, Date, Event};
        let mut columns = [Contest, ContestId, Event, Date].into_iter();
        columns.find_map(|m| self.table.first_column(m))
    }

    fn find_ranking(&self, columns: &mut ResultColumns) -> Option<Ranking> {
        let result = self.table.first_column(ColumnMeaning::Place);
        if let Some(column) = result.or_else(|| self.table.first_column(ColumnMeaning::Score)) {
            return Some(Ranking::Result(column));
        }
        columns.find_sums(self.table);
        let totals: Vec<usize> =
            self.table.total_columns().chain(columns.totals.iter().copied()).collect();
        let is_sum = |&&total: &&usize| !is_rate_heading(self.table.heading(total));
        // The total of the best attempts stands beside each of these.
        let is_total = |total: &&usize| {
            is_sum(total) && split_words(self.table.heading(**total)).iter().any(|w| w == "total")
        };
        let best = totals.iter().find(is_total).or(totals.iter().find(is_sum));
        if let Some(&total) = best.or(totals.first()) {
            let total = self.find_largest_total(total, &totals, columns).unwrap_or(total);
            let meaning = if self.holds_places(total) {
                ColumnMeaning::Place
            } else {
                ColumnMeaning::Score
            };
            return Some(Ranking::Unstated(total, meaning));
        }
        let place = columns.unknown_places(self.table)?;
        Some(Ranking::Unstated(place, ColumnMeaning::Place))
    }

    /// True if a column headed as a total is a ranking, and its rows do not stand with the highest first.
    fn holds_places(&self, total: usize) -> bool {
        let places = self.table.values(total).filter_map(parse_place);
        let mut sums = self.table.claims(ColumnMeaning::Summary).iter();
        !sums.any(|claim| *claim == (MatchStrength::Stated, total))
            && self.table.grid.limits().reader.refuses_doubts()
            && self.table.holds_ranking(total)
            && !places.is_sorted_by(|a, b| a >= b)
    }

    /// True if columns that are not headed like rounds are no contests beside this one: an
    /// unambiguous place or score, or a time. A total may be that of a series, and "#" a number.
    fn decides_alone(&self, ranking: Ranking) -> bool {
        use ColumnMeaning::{Place, Score};
        let score = self.table.first_column(Score).filter(|&column| {
            is_time_heading(self.table.heading(column)) || self.table.values(column).any(is_time)
        });
        let has_both = self.has(Place) && self.has(Score);
        let is_definite = [Place, Score].into_iter().any(|m| self.table.has_definite_column(m));
        let is_ranked = is_definite || score.is_some() || has_both;
        matches!(ranking, Ranking::Result(_)) && is_ranked
    }

    /// Errors if a first row dates the columns, which makes them contests.
    fn check_no_date_row(&self, layout: &str) -> Result<(), FileReadError> {
        match find_date_row(self.table) {
            None => Ok(()),
            Some(row) => Err(FileReadError::new(
                self.table.grid.location(row, 0),
                format!(
                    "the row of dates makes columns contests, which --layout {layout} denies: pass --layout players, or remove the row"
                ),
            )),
        }
    }

    /// Errors if a column says to which contest a row belongs, although columns are contests.
    fn check_no_contest_column(&self, first: usize) -> Result<(), FileReadError> {
        match self.contest_column() {
            None => Ok(()),
            Some(column) => {
                let option = self.table.ignore_option(column);
                let reason = format!(
                    "{} says to which contest a row belongs, so columns such as {} are no contests: exclude it with {option}, or {NAME_RESULT}",
                    self.table.describe_column(column),
                    self.table.describe_column(first),
                );
                Err(self.refuse(Reason::from(reason).naming([option])))
            }
        }
    }
}

/// The meanings of columns that divide a table into contests.
const DIVIDING_MEANINGS: [ColumnMeaning; 5] = [
    ColumnMeaning::Contest,
    ColumnMeaning::ContestId,
    ColumnMeaning::Event,
    ColumnMeaning::Date,
    ColumnMeaning::Division,
];
