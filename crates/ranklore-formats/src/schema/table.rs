//! The grid with its headings, and the candidates of meaning for each column.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};

use crate::options::DecimalMark;
use crate::reading::{RecognisedColumn, TableLayout, TableShape};
use crate::schema::evidence::{Change, Evidence};
use crate::schema::header_row::{NAME_MEANINGS, find_meaning};
use crate::schema::people::unnamed::find_unnamed;
use crate::values::cells::is_blank;
use crate::values::numbers::{NumberRules, NumberStyle, is_even_par};
use crate::values::rankings::are_ranking;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::ends_in_place;
use crate::vocabulary::weekdays::is_weekday;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Location, Reason, column_letters};

/// The number of columns that a message lists.
const MAX_LISTED_COLUMNS: usize = 12;

/// The advice to name the column that decides.
pub(crate) const NAME_RESULT: &str =
    "name the column that decides with --column HEADING=place or --column HEADING=score";

/// The meanings of columns that name competitors, or identify them.
const ENTRANT_MEANINGS: [ColumnMeaning; 7] = [
    ColumnMeaning::Competitor,
    ColumnMeaning::CompetitorId,
    ColumnMeaning::GivenName,
    ColumnMeaning::Surname,
    ColumnMeaning::Team,
    ColumnMeaning::TeamId,
    ColumnMeaning::Members,
];

/// The columns that claim each meaning with the strength of the match, the best first.
type Claims = BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>>;

/// A grid with its headings and the candidates of their meanings.
pub(crate) struct HeaderTable {
    pub(crate) grid: CellGrid,
    /// The row of headings.
    pub(crate) header_row: usize,
    number_rules: NumberRules,
    /// The styles of columns that were asked for: each is found in all cells of its column.
    number_styles: RefCell<HashMap<usize, NumberStyle>>,
    /// The rows of each contest, once a rule has asked for them with the present meanings.
    contest_rows: OnceCell<Vec<Vec<usize>>>,
    claims: Claims,
    /// The columns without a known meaning, from left to right.
    pub(crate) unknown_columns: Vec<usize>,
    /// The columns that the user excludes.
    ignored_columns: Vec<usize>,
    /// The columns that are joined into others, with their meanings.
    joined_columns: HashMap<usize, ColumnMeaning>,
    /// The columns whose meaning the cells tell, and not the heading.
    meant_by_cells: Vec<usize>,
    /// The meaning that each heading proposes, for the user.
    pub(crate) proposals: BTreeMap<usize, String>,
    /// The finding that changed the meaning of a column, for the user.
    findings: BTreeMap<usize, String>,
}

impl HeaderTable {
    /// Creates a table of results with what its headings propose. `stated_meanings` are those by
    /// heading.
    pub(crate) fn new(
        grid: CellGrid,
        header_row: usize,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        let mut table = Self::without_meanings(grid, header_row, stated_meanings)?;
        for (column, heading) in table.grid.cells(header_row).enumerate() {
            match find_meaning(&table.grid, heading, stated_meanings) {
                Some((ColumnMeaning::Ignore, _)) => {}
                Some((meaning, strength)) => {
                    table.claims.entry(meaning).or_default().push((strength, column));
                }
                None => table.unknown_columns.push(column),
            }
        }
        let names_entrants = ENTRANT_MEANINGS.iter().any(|&meaning| table.has_column(meaning));
        let unnamed = find_unnamed(&table.grid, header_row, stated_meanings);
        if let Some(column) = unnamed.filter(|_| !names_entrants) {
            table.remove_claims(column);
            let claims = table.claims.entry(ColumnMeaning::Competitor).or_default();
            claims.push((MatchStrength::Vague, column));
        }
        for (meaning, columns) in &mut table.claims {
            columns.sort_unstable();
            for (strength, column) in columns {
                let proposal = format!("{} ({})", meaning.as_str(), strength.as_str());
                table.proposals.insert(*column, proposal);
            }
        }
        Ok(table)
    }

    /// Returns a table with this row of headings, whose columns get their meanings elsewhere. Errors
    /// if no rows follow the headings, or if a stated heading is not among them.
    pub(crate) fn without_meanings(
        grid: CellGrid,
        header_row: usize,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        check_header_row(&grid, header_row, stated_meanings)?;
        let mut table = Self::from_row(grid, header_row);
        let is_ignored =
            |heading: &str| stated_meanings.get(heading) == Some(&ColumnMeaning::Ignore);
        let headings = table.grid.cells(header_row).enumerate();
        let ignored = headings.filter(|(_, heading)| is_ignored(heading));
        table.ignored_columns = ignored.map(|(column, _)| column).collect();
        Ok(table)
    }

    fn from_row(grid: CellGrid, header_row: usize) -> Self {
        Self {
            number_rules: NumberRules::from_grid(&grid),
            number_styles: RefCell::default(),
            contest_rows: OnceCell::new(),
            grid,
            header_row,
            claims: Claims::new(),
            unknown_columns: Vec::new(),
            ignored_columns: Vec::new(),
            joined_columns: HashMap::new(),
            meant_by_cells: Vec::new(),
            proposals: BTreeMap::new(),
            findings: BTreeMap::new(),
        }
    }

    /// Sets the decimal mark of all columns as the user states it.
    pub(crate) fn state_decimal_mark(&mut self, mark: Option<DecimalMark>) {
        self.number_rules.stated_mark = mark;
        self.number_styles.take();
    }

    /// Returns the number style of cells of several columns.
    pub(crate) fn style_of<'c>(&self, cells: impl Iterator<Item = &'c str>) -> NumberStyle {
        NumberStyle::from_cells(cells, self.number_rules)
    }

    /// Applies what a rule found.
    pub(crate) fn apply(&mut self, evidence: Evidence) -> Result<(), FileReadError> {
        self.contest_rows.take();
        for change in evidence.changes {
            if let Some(column) = change.column() {
                self.findings.insert(column, evidence.observation.clone());
            }
            match change {
                Change::Means(meaning, column) => {
                    self.remove_claims(column);
                    self.claims.insert(meaning, vec![(MatchStrength::Synonym, column)]);
                    self.meant_by_cells.push(column);
                }
                Change::MeansNothing(column) => {
                    self.remove_claims(column);
                    self.unknown_columns.push(column);
                    self.unknown_columns.sort_unstable();
                }
                Change::IsNoContest(column) => {
                    self.unknown_columns.retain(|&unknown| unknown != column);
                }
                Change::Join(parts) => {
                    for &(column, meaning) in &parts.columns {
                        self.claims.remove(&meaning);
                        self.remove_claims(column);
                    }
                    self.grid = parts.join(&self.grid, self.header_row)?;
                    self.number_styles.take();
                    self.joined_columns.extend(parts.columns);
                }
                Change::Note(note) => self.grid.notes.push(note),
            }
        }
        Ok(())
    }

    fn remove_claims(&mut self, column: usize) {
        self.unknown_columns.retain(|&unknown| unknown != column);
        self.claims.retain(|_, columns| {
            columns.retain(|claim| claim.1 != column);
            !columns.is_empty()
        });
    }

    /// Returns the columns that claim a meaning, the best first.
    pub(crate) fn claims(&self, meaning: ColumnMeaning) -> &[(MatchStrength, usize)] {
        self.claims.get(&meaning).map_or(&[], Vec::as_slice)
    }

    /// True if the cells of a column tell its meaning, and not its heading.
    pub(crate) fn is_meant_by_cells(&self, column: usize) -> bool {
        self.meant_by_cells.contains(&column)
    }

    /// True if the cells of several columns are joined in this one, or this one in another.
    pub(crate) fn is_joined(&self, column: usize) -> bool {
        self.joined_columns.contains_key(&column)
    }

    /// True if some column has this meaning.
    pub(crate) fn has_column(&self, meaning: ColumnMeaning) -> bool {
        self.claims.contains_key(&meaning)
    }

    /// True if some column has this meaning by an unambiguous heading.
    pub(crate) fn has_definite_column(&self, meaning: ColumnMeaning) -> bool {
        self.claims(meaning)
            .first()
            .is_some_and(|claim| claim.0 != MatchStrength::Vague)
    }

    /// Returns the column with this meaning, the first of two that match equally well.
    pub(crate) fn first_column(&self, meaning: ColumnMeaning) -> Option<usize> {
        self.claims(meaning).first().map(|claim| claim.1)
    }

    /// Returns the columns of sums or averages, which can rank competitors, as counts cannot.
    pub(crate) fn total_columns(&self) -> impl Iterator<Item = usize> {
        let claims = self.claims(ColumnMeaning::Summary).iter();
        claims.filter(|claim| claim.0 != MatchStrength::Vague).map(|claim| claim.1)
    }

    /// Returns the column of names, of competitors, else of teams, else of members.
    pub(crate) fn name_column(&self) -> usize {
        let mut columns =
            NAME_MEANINGS.into_iter().filter_map(|meaning| self.first_column(meaning));
        columns.next().unwrap_or_default()
    }

    /// Returns the column with this meaning, if there is one. Errors if two match equally well.
    pub(crate) fn find_column(
        &self,
        meaning: ColumnMeaning,
    ) -> Result<Option<usize>, FileReadError> {
        match self.claims(meaning) {
            [] => Ok(None),
            &[(strength, column), (rival_strength, rival), ..] if rival_strength == strength => {
                Err(self.refuse_rivals(meaning.as_str(), [column, rival]))
            }
            &[(_, column), ..] => Ok(Some(column)),
        }
    }

    /// Returns the error for two columns with one meaning.
    pub(crate) fn refuse_rivals(&self, meaning: &str, columns: [usize; 2]) -> FileReadError {
        let [one, two] = columns.map(|column| self.describe_column(column));
        let problem = format!("the columns {one} and {two} both mean the {meaning}");
        let [heading, rival] = columns.map(|column| self.heading(column));
        self.refuse_headings(if heading == rival {
            Reason::from(format!("{problem}; give them different headings"))
        } else {
            let options = columns.map(|column| self.ignore_option(column));
            let [first, second] = &options;
            Reason::from(format!("{problem}; exclude one: {first} or {second}")).naming(options)
        })
    }

    /// Returns the error for a column, at its heading.
    pub(crate) fn refuse_column(&self, column: usize, reason: impl Into<Reason>) -> FileReadError {
        FileReadError::new(self.heading_location(column), reason)
    }

    pub(crate) fn heading_location(&self, column: usize) -> Location {
        self.grid.location(self.header_row, column)
    }

    /// Returns the error for the headings, at their row.
    pub(crate) fn refuse_headings(&self, reason: impl Into<Reason>) -> FileReadError {
        FileReadError::new(self.grid.row_location(self.header_row), reason)
    }

    /// Returns the heading of a column.
    pub(crate) fn heading(&self, column: usize) -> &str {
        self.grid.cell(self.header_row, column)
    }

    /// Returns the heading and letters of a column, for messages.
    pub(crate) fn describe_column(&self, column: usize) -> String {
        let heading = shorten(self.heading(column));
        format!("{heading} ({})", column_letters(column), heading = Quoted(&heading))
    }

    /// Returns the headings and letters of the first columns, for messages.
    pub(crate) fn describe_columns(&self, columns: &[usize]) -> String {
        let texts = columns.iter().map(|&column| self.describe_column(column));
        list_first(&texts.collect::<Vec<_>>(), ", ")
    }

    /// Returns the first headings, for messages.
    pub(crate) fn list_headings(&self) -> String {
        list_headings(&self.grid, self.header_row)
    }

    /// Returns the option that excludes a column.
    pub(crate) fn ignore_option(&self, column: usize) -> CommandOptions {
        self.column_option(column, ColumnMeaning::Ignore)
    }

    /// Returns the option that gives a column this meaning.
    pub(crate) fn column_option(&self, column: usize, meaning: ColumnMeaning) -> CommandOptions {
        let heading = self.heading(column);
        let heading = if heading == shorten(heading) {
            heading
        } else {
            "HEADING"
        };
        CommandOptions::new("--column", format!("{heading}={}", meaning.as_str()))
    }

    /// Returns the advice to give a column that decides this meaning. Places under a heading that says so are
    /// no scores.
    pub(crate) fn advise_meaning(&self, column: usize, meaning: ColumnMeaning) -> Reason {
        let is_place = meaning == ColumnMeaning::Score && ends_in_place(self.heading(column));
        let meaning = if is_place {
            ColumnMeaning::Place
        } else {
            meaning
        };
        let option = self.column_option(column, meaning);
        let column = self.describe_column(column);
        Reason::from(format!("pass {option} if {column} decides")).naming([option])
    }

    /// Returns the columns that are not read and may be: without a `used` meaning, and not excluded
    /// by the user.
    pub(crate) fn unread_columns(&self, used: &HashMap<usize, &'static str>) -> Vec<usize> {
        let headings = self.grid.cells(self.header_row).enumerate();
        let unread = headings.filter(|(column, _)| {
            !(used.contains_key(column)
                || self.ignored_columns.contains(column)
                || self.is_joined(*column)
                || self.has_ratings(*column))
        });
        unread.map(|(column, _)| column).collect()
    }

    /// True if the user excludes columns.
    pub(crate) fn excludes_columns(&self) -> bool {
        !self.ignored_columns.is_empty()
    }

    /// Returns the columns that the user excludes.
    pub(crate) fn ignored_columns(&self) -> &[usize] {
        &self.ignored_columns
    }

    fn has_ratings(&self, column: usize) -> bool {
        use ColumnMeaning::{
            RatingAfter, RatingBefore, RatingChange, StartingRating, StartingSigma,
        };
        [
            StartingRating,
            StartingSigma,
            RatingBefore,
            RatingAfter,
            RatingChange,
        ]
        .into_iter()
        .any(|meaning| self.first_column(meaning) == Some(column))
    }

    /// Returns the rows below the headings.
    pub(crate) fn data_rows(&self) -> std::ops::Range<usize> {
        self.header_row + 1..self.grid.row_count()
    }

    /// Returns the cell of a column, or an empty text without one.
    pub(crate) fn cell(&self, row: usize, column: Option<usize>) -> &str {
        column.map_or_else(|| self.grid.empty(), |column| self.grid.cell(row, column))
    }

    /// Returns the cells of a column below the headings.
    pub(crate) fn values(&self, column: usize) -> impl Iterator<Item = &str> {
        self.data_rows().map(move |row| self.grid.cell(row, column))
    }

    /// True if a column holds the places of a ranking of three or more.
    pub(crate) fn holds_ranking(&self, column: usize) -> bool {
        let places = || self.values(column).filter(|cell| !is_blank(cell));
        places().nth(2).is_some() && are_ranking(places())
    }

    /// True if all cells of a column that are not blank are of a kind, and some are not blank.
    pub(crate) fn holds_only(&self, column: usize, is_kind: impl Fn(&str) -> bool) -> bool {
        let mut cells = self.values(column).filter(|cell| !is_blank(cell)).peekable();
        cells.peek().is_some() && cells.all(is_kind)
    }

    /// True if a column has two different values.
    pub(crate) fn holds_several(&self, column: usize) -> bool {
        let mut values = self.values(column).filter(|cell| !is_blank(cell));
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    /// True if all cells of a column that are not blank are days of the week, and some are.
    pub(crate) fn holds_weekdays(&self, column: usize) -> bool {
        self.holds_only(column, is_weekday)
    }

    /// Returns the rows of each contest, as far as its id, name, event and date tell them apart.
    pub(crate) fn contest_rows(&self) -> &[Vec<usize>] {
        self.contest_rows.get_or_init(|| self.contest_rows_without(None))
    }

    /// Returns the rows of each contest as if a column were not read.
    pub(crate) fn contest_rows_without(&self, unread: Option<usize>) -> Vec<Vec<usize>> {
        use ColumnMeaning::{Contest, ContestId, Date, Event};
        let columns = [Contest, ContestId, Event, Date]
            .map(|meaning| self.first_column(meaning).filter(|&column| Some(column) != unread));
        let mut indices: HashMap<[&str; 4], usize> = HashMap::new();
        let mut contests: Vec<Vec<usize>> = Vec::new();
        for row in self.data_rows() {
            let key = columns.map(|column| self.cell(row, column));
            let index = *indices.entry(key).or_insert(contests.len());
            if index == contests.len() {
                contests.push(Vec::new());
            }
            contests[index].push(row);
        }
        contests
    }

    /// Returns the number style of a column.
    pub(crate) fn number_style(&self, column: Option<usize>) -> NumberStyle {
        let Some(column) = column else {
            return self.style_of(std::iter::empty());
        };
        let mut styles = self.number_styles.borrow_mut();
        *styles.entry(column).or_insert_with(|| {
            let style = self.style_of(self.values(column));
            let may_be_even =
                self.grid.limits().reader.refuses_doubts() && self.values(column).any(is_even_par);
            if may_be_even {
                style.with_even_par(self.values(column))
            } else {
                style
            }
        })
    }

    /// Returns the layout, with the meanings of the `used` columns.
    pub(crate) fn layout(
        &self,
        shape: TableShape,
        used: &HashMap<usize, &'static str>,
        notes: Vec<String>,
    ) -> TableLayout {
        let columns: Vec<RecognisedColumn> = self
            .grid
            .cells(self.header_row)
            .enumerate()
            .filter(|(column, heading)| !heading.is_empty() || used.contains_key(column))
            .map(|(column, heading)| RecognisedColumn {
                letters: column_letters(column),
                heading: heading.to_owned(),
                proposal: self.proposals.get(&column).cloned(),
                evidence: self.findings.get(&column).cloned(),
                // The column of joined cells keeps the meaning of its heading.
                meaning: self
                    .joined_columns
                    .get(&column)
                    .map(|meaning| meaning.as_str())
                    .or_else(|| used.get(&column).copied()),
            })
            .collect();
        let unused: Vec<String> = columns
            .iter()
            .filter(|column| column.meaning.is_none())
            .map(|column| Quoted(&column.heading).to_string())
            .collect();
        let mut all_notes = self.grid.notes.clone();
        all_notes.extend(notes);
        if !unused.is_empty() {
            all_notes.push(format!("columns not used: {}", list_first(&unused, ", ")));
        }
        TableLayout {
            shape,
            // Letters stand in no line.
            header_line: self.grid.line_number(self.header_row).filter(|_| !self.grid.has_letters),
            columns,
            notes: all_notes,
            cells: None,
            lower_is_better: false,
            best_first: false,
        }
    }
}

/// Errors if no rows follow the headings, or if a stated heading is not among them.
fn check_header_row(
    grid: &CellGrid,
    header: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<(), FileReadError> {
    let refuse = |reason| FileReadError::new(grid.row_location(header), reason);
    if header + 1 == grid.row_count() {
        return Err(refuse("there are no rows below the headings".to_owned()));
    }
    let mut headings = stated_meanings.keys();
    match headings.find(|heading| !grid.cells(header).any(|cell| cell == *heading)) {
        None => Ok(()),
        Some(absent) => Err(refuse(format!(
            "no column is headed {}, as --column says; the headings are {}",
            Quoted(absent),
            list_headings(grid, header)
        ))),
    }
}

/// The number of characters of a heading in messages.
const MAX_SHOWN_HEADING: usize = 80;

/// Returns the beginning of a long heading, for messages.
pub(crate) fn shorten(heading: &str) -> String {
    let mut chars = heading.chars();
    let mut short: String = chars.by_ref().take(MAX_SHOWN_HEADING).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// Joins the first [`MAX_LISTED_COLUMNS`] texts and the number of the others.
pub(crate) fn list_first(texts: &[impl AsRef<str>], separator: &str) -> String {
    let mut listed: Vec<&str> = texts.iter().take(MAX_LISTED_COLUMNS).map(AsRef::as_ref).collect();
    let omitted = texts.len() - listed.len();
    let ending = format!("and {omitted} more");
    if omitted > 0 {
        listed.push(&ending);
    }
    listed.join(separator)
}

pub(crate) fn list_headings(grid: &CellGrid, header: usize) -> String {
    let headings = grid.cells(header).filter(|heading| !heading.is_empty());
    list_first(&headings.map(shorten).collect::<Vec<_>>(), " | ")
}
