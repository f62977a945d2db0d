//! Reads long tables: one row per result.

use std::collections::HashMap;

use crate::contest::EntrantKind;
use crate::options::ReadOptions;
use crate::reading::{At, Candidates, ReadError, Refusal, Refusals, Shape};
use crate::table::columns::{Meaning, is_summary_label, is_time_heading};
use crate::table::header::Table;
use crate::table::lines::{Columns, Group, Line};
use crate::table::parts;
use crate::table::rated::StartingRatings;
use crate::table::standings::{Mark, Problems, Result as Row};
use crate::table::values::cells::{Status, is_blank};
use crate::table::values::dates::{self, NoDate};
use crate::table::values::numbers::{Style, is_time};
use crate::time::UnixSeconds;

type Key<'t> = (&'t str, &'t str, &'t str, &'t str, Option<UnixSeconds>);

pub(in crate::table) fn read(
    table: &Table,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, ReadError> {
    let columns = Columns::of(table, options)?;
    let mut notes = vec!["one row per result".to_owned()];
    columns.decide(table, options, &mut notes)?;
    let mut reader = Reader::new(table, &columns, options);
    let mut ratings = StartingRatings::of(table)?;
    for row in table.data_rows() {
        reader.read_row(row);
        if reader.is_summary(row) {
            continue;
        }
        let who = reader.cell(row, columns.competitor);
        match (who, reader.cell(row, columns.team)) {
            ("", team) => ratings.read_row(table, row, EntrantKind::Team, team),
            // A team member's rating belongs to the person and not to the team.
            (who, _) => ratings.read_row(table, row, EntrantKind::Person, who),
        }
    }
    notes.extend(reader.notes());
    let mut found = Candidates {
        refused: std::mem::take(&mut reader.refused),
        ..Candidates::default()
    };
    let groups = reader.groups;
    parts::contests(
        groups, table, &columns, file_name, options, &mut found, &mut notes,
    )?;
    let mut used = columns.used;
    ratings.finish(&mut found, &mut used);
    found.layout = Some(table.layout(Shape::Long, &used, notes));
    Ok(found)
}

impl Columns {
    fn of(table: &Table, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut used = HashMap::new();
        let mut find = |meaning: Meaning| -> Result<Option<usize>, ReadError> {
            let column = table.column(meaning)?;
            used.extend(column.map(|column| (column, meaning.word())));
            Ok(column)
        };
        let mut columns = Self {
            contest: find(Meaning::Contest)?,
            id: find(Meaning::ContestId)?,
            event: find(Meaning::Event)?,
            date: find(Meaning::Date)?,
            division: find(Meaning::Division)?,
            ordinal: find(Meaning::Ordinal)?,
            url: find(Meaning::Url)?,
            weight: find(Meaning::Weight)?,
            place: find(Meaning::Place)?,
            score: find(Meaning::Score)?,
            penalty: find(Meaning::Penalty)?,
            competitor: find(Meaning::Competitor)?,
            team: find(Meaning::Team)?,
            status: find(Meaning::Status)?,
            lower_is_better: options.lower_is_better,
            used: HashMap::new(),
        };
        if columns.contest.is_none() {
            // An "event" column without a contest column names the contest.
            columns.contest = columns.event.take();
            used.extend(
                columns
                    .contest
                    .map(|column| (column, Meaning::Contest.word())),
            );
        }
        columns.used = used;
        Ok(columns)
    }

    /// Notes if places or scores decide the order. Errors if the scores are times and no option
    /// says which end is better.
    fn decide(
        &self,
        table: &Table,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Result<(), ReadError> {
        let times = self
            .score
            .is_some_and(|column| table.values(column).any(is_time));
        match (self.place, self.score) {
            (Some(place), _) => {
                notes.push(format!("the places in {} decide", table.named(place)));
                if options.lower_is_better {
                    notes.push("--lower-is-better has no effect on places".to_owned());
                }
            }
            (None, Some(score)) => {
                let heading = table.named(score);
                if is_time_heading(table.heading(score)) && !options.lower_is_better {
                    return Err(ReadError::new(
                        table.grid.at(table.header, score),
                        format!(
                            "the column {heading} holds times: pass --lower-is-better if the shortest wins, or head it \"score\" if the longest does"
                        ),
                    ));
                }
                notes.push(format!(
                    "the scores in {heading} decide, {} first",
                    if options.lower_is_better {
                        "lowest"
                    } else {
                        "highest"
                    }
                ));
                if times && !options.lower_is_better {
                    notes.push(
                        "times are read as seconds; pass --lower-is-better if the shortest wins"
                            .to_owned(),
                    );
                }
            }
            (None, None) => {}
        }
        if times {
            notes.push("times are kept in seconds".to_owned());
        }
        Ok(())
    }
}

/// Reads the rows and groups them by contest.
struct Reader<'t> {
    table: &'t Table,
    columns: &'t Columns,
    options: &'t ReadOptions,
    score: Style,
    penalty: Style,
    groups: Vec<Group<'t>>,
    known: HashMap<Key<'t>, usize>,
    /// The last date cell and its value: consecutive rows mostly share a date.
    last_date: Option<(&'t str, Result<UnixSeconds, NoDate>)>,
    refused: Refusals,
    /// The group of the last row that belongs to one.
    above: Option<usize>,
    without_competitor: Vec<u64>,
    without_score: Vec<u64>,
    absent: usize,
}

impl<'t> Reader<'t> {
    fn new(table: &'t Table, columns: &'t Columns, options: &'t ReadOptions) -> Self {
        let style = |column| table.style(column);
        Self {
            table,
            columns,
            options,
            score: style(columns.score),
            penalty: style(columns.penalty),
            groups: Vec::new(),
            known: HashMap::new(),
            last_date: None,
            refused: Refusals::default(),
            above: None,
            without_competitor: Vec::new(),
            without_score: Vec::new(),
            absent: 0,
        }
    }

    fn cell(&self, row: usize, column: Option<usize>) -> &'t str {
        column.map_or("", |column| self.table.grid.cell(row, column))
    }

    fn date(&mut self, row: usize) -> Option<(&'t str, Result<UnixSeconds, NoDate>)> {
        let cell = self.cell(row, self.columns.date);
        if is_blank(cell) {
            return None;
        }
        match self.last_date {
            Some((last, date)) if last == cell => Some((cell, date)),
            _ => {
                self.last_date = Some((cell, dates::in_cell(cell, self.options.dates)));
                self.last_date
            }
        }
    }

    /// True if a row has no data of its own: no competitor, contest or result; or it is the last
    /// row and sums up the others.
    fn is_summary(&self, row: usize) -> bool {
        let columns = self.columns;
        let who = self.cell(row, columns.competitor);
        let nobody = who.is_empty() && self.cell(row, columns.team).is_empty();
        let contest = [columns.contest, columns.id, columns.date];
        let nowhere = contest.iter().all(|&c| self.cell(row, c).is_empty());
        let blank = |column| is_blank(self.cell(row, column));
        // A place or a status belongs to a competitor; a score may be a sum.
        if !(blank(columns.place) && blank(columns.status)) {
            return false;
        }
        if nobody && nowhere && blank(columns.score) {
            return true;
        }
        let last = row + 1 == self.table.grid.rows();
        if !last || Status::of(self.cell(row, columns.score)).is_some() {
            return false;
        }
        let mut cells = self.table.grid.cells(row).filter(|cell| !cell.is_empty());
        let labelled = is_summary_label(who) || cells.next().is_some_and(is_summary_label);
        let label_alone = (nobody || is_summary_label(who)) && blank(columns.date);
        // Without places, a score without a name and a label may be a result.
        (labelled && label_alone) || (nobody && nowhere && columns.place.is_some())
    }

    fn read_row(&mut self, row: usize) {
        let (table, columns) = (self.table, self.columns);
        if self.is_summary(row) {
            self.without_competitor.push(table.grid.line(row));
            return;
        }
        let (id, contest) = (self.cell(row, columns.id), self.cell(row, columns.contest));
        let date = self.date(row);
        let names = columns.contest.is_some() || columns.id.is_some();
        let unnamed = names && id.is_empty() && contest.is_empty();
        if unnamed || (!names && columns.date.is_some() && date.is_none()) {
            self.refuse_unnamed(row);
            return;
        }
        let moment = date.and_then(|(_, date)| date.ok());
        let key_date = moment.filter(|_| !names);
        let (event, name) = match (id, names) {
            ("", true) => (self.cell(row, columns.event), contest),
            ("", false) => ("", date.filter(|d| d.1.is_err()).map_or("", |d| d.0)),
            _ => ("", ""),
        };
        let division = self.cell(row, columns.division);
        let groups = &mut self.groups;
        let group = *self
            .known
            .entry((id, event, name, division, key_date))
            .or_insert_with(|| {
                groups.push(Group {
                    id,
                    event: table.grid.cell(row, columns.event.unwrap_or(usize::MAX)),
                    name: if id.is_empty() { name } else { contest },
                    division,
                    rows: Vec::new(),
                    problems: Problems::default(),
                });
                groups.len() - 1
            });
        self.above = Some(group);
        let mut problems = std::mem::take(&mut self.groups[group].problems);
        if let (Some((text, Err(error))), Some(column)) = (date, columns.date) {
            problems.push(table.grid.at(row, column), error.why(text));
        }
        let result = match self.result(row, &mut problems) {
            Ok(result) => result,
            Err((column, why)) => {
                let at = column.map_or_else(
                    || At::Line(table.grid.line(row)),
                    |column| table.grid.at(row, column),
                );
                problems.push(at, why);
                None
            }
        };
        let group = &mut self.groups[group];
        group.problems = problems;
        group.rows.push(Line {
            row,
            date: moment,
            result,
        });
    }

    /// Refuses a row that has a result and no contest. The result may be missing from the contest
    /// above, which is refused too.
    fn refuse_unnamed(&mut self, row: usize) {
        let at = At::Line(self.table.grid.line(row));
        let named = [self.columns.competitor, self.columns.team];
        let why = if named.iter().all(|&c| self.cell(row, c).is_empty()) {
            "the row has a result and names neither competitor nor contest".to_owned()
        } else {
            "the row names a competitor and no contest".to_owned()
        };
        match self.above {
            Some(group) => self.groups[group].problems.push(at, why),
            None => self.refused.push(Refusal {
                at,
                contest: None,
                why,
            }),
        }
    }

    /// Returns the result of a row, or `None` if the competitor did not take part. An error is the
    /// column and the reason.
    fn result(
        &mut self,
        row: usize,
        problems: &mut Problems,
    ) -> Result<Option<Row>, (Option<usize>, String)> {
        let (grid, columns) = (&self.table.grid, self.columns);
        let who = self.cell(row, columns.competitor);
        let team = self.cell(row, columns.team);
        if who.is_empty() && team.is_empty() {
            return Err((columns.competitor, "the row names no competitor".to_owned()));
        }
        for name in [who, team] {
            if crate::reading::is_too_long(name) {
                let why = format!(
                    "the name has more than {} characters",
                    crate::MAX_NAME_CHARS
                );
                return Err((columns.competitor, why));
            }
        }
        let Some(mark) = self.mark(row)? else {
            self.absent += 1;
            return Ok(None);
        };
        let score_cell = self.cell(row, columns.score);
        let score = match mark {
            Mark::Score(score) => Some(score),
            _ if is_blank(score_cell) || Status::of(score_cell).is_some() => None,
            _ => {
                let score = self.score.number(score_cell).ok();
                if score.is_none() {
                    self.without_score.push(grid.line(row));
                }
                score
            }
        };
        let penalty_cell = self.cell(row, columns.penalty);
        let penalty = if is_blank(penalty_cell) {
            None
        } else {
            match self.penalty.number(penalty_cell) {
                Ok(penalty) => Some(penalty),
                Err(error) => {
                    let column = columns.penalty.unwrap_or_default();
                    problems.push(grid.at(row, column), error.why("penalty", penalty_cell));
                    None
                }
            }
        };
        let (competitor, kind) = match team {
            "" => (who, EntrantKind::Person),
            team => (team, EntrantKind::Team),
        };
        let member = kind == EntrantKind::Team && !who.is_empty();
        Ok(Some(Row {
            at: At::Line(grid.line(row)),
            line: grid.line(row),
            competitor: competitor.to_owned(),
            kind,
            members: member.then(|| who.to_owned()).into_iter().collect(),
            mark,
            score,
            penalty,
        }))
    }

    /// Returns the status if it is not "finished", else the place, else the score.
    fn mark(&self, row: usize) -> Result<Option<Mark>, (Option<usize>, String)> {
        let columns = self.columns;
        let status_cell = self.cell(row, columns.status);
        let stated = if is_blank(status_cell) {
            None
        } else {
            Some(Status::of(status_cell).ok_or_else(|| {
                (
                    columns.status,
                    format!("status {status_cell:?} is not known; use finished, dnf, dq or dns"),
                )
            })?)
        };
        let (place_cell, score_cell) =
            (self.cell(row, columns.place), self.cell(row, columns.score));
        let statuses = [stated, Status::of(place_cell), Status::of(score_cell)];
        let mut statuses = statuses.into_iter().flatten();
        match statuses.find(|&status| status != Status::Finished) {
            Some(Status::DidNotStart) => return Ok(None),
            Some(Status::DidNotFinish) => return Ok(Some(Mark::DidNotFinish)),
            Some(Status::Disqualified) => return Ok(Some(Mark::Disqualified)),
            Some(Status::Finished) | None => {}
        }
        let (column, cell) = match columns.place {
            Some(place) => (Some(place), place_cell),
            None => (columns.score, score_cell),
        };
        if is_blank(cell) {
            // A dash means absent; an empty cell may be a mistake.
            return if !cell.is_empty() && is_blank(score_cell) && stated.is_none() {
                Ok(None)
            } else {
                let what = if columns.place.is_some() {
                    "place"
                } else {
                    "score"
                };
                let why = format!("there is no {what}, and no status (dnf, dq, dns) instead");
                Err((column, why))
            };
        }
        let scores = columns.place.is_none().then_some(self.score);
        let mark = Mark::read(cell, scores).map_err(|why| (column, why))?;
        Ok(Some(mark))
    }

    fn notes(&self) -> Vec<String> {
        let lines = |what: &str, lines: &[u64]| {
            let first = lines.first()?;
            Some(match lines.len() {
                1 => format!("{what} on line {first}"),
                n => format!("{what} on {n} lines, first on line {first}"),
            })
        };
        let absent = (self.absent > 0).then(|| {
            let rows = if self.absent == 1 { "row" } else { "rows" };
            format!("{} {rows} of absent competitors left out", self.absent)
        });
        [
            lines("a summary or empty row left out,", &self.without_competitor),
            lines(
                "a score that is not a number left out,",
                &self.without_score,
            ),
            absent,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
