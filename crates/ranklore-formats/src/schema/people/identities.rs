//! The columns that tell competitors apart whose names are equal.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, strip_brackets};
use ranklore_contest::{EntrantKind, MAX_NAME_CHARS, Quoted, is_name_too_long};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Texts of published tables in place of an absent id.
const NO_ID: &str = "0 n/a none null nan";

/// Headings of columns about a person that differ between namesakes and not between contests.
const PERSONAL: &str = "born birth birthyear yearofbirth yob dob dateofbirth birthdate birthday \
     geburtsjahr geburtsdatum jahrgang jg geboren naissance annee anneedenaissance nacimiento \
     anodenacimiento year jahr club verein vereinort team nation nationality nat country land noc \
     ioc fed federation pays pais city town ort home hometown ville ciudad school schule ecole \
     university sex gender geschlecht sexe sexo";

/// The number of columns that the advice about namesakes lists.
const MAX_ADVISED_COLUMNS: usize = 3;

/// The competitor whose identity is asked for.
#[derive(Clone, Copy)]
pub(crate) enum Whose {
    /// The person of a row, or else its only entrant.
    Competitor,
    Team,
}

/// The columns of ids, or the column of `--same-name-by`.
#[derive(Clone, Default)]
pub(crate) struct IdentityColumns {
    competitor: Option<IdentityColumn>,
    team: Option<IdentityColumn>,
    /// The columns with their meanings, for the layout.
    pub(crate) used: Vec<(usize, &'static str)>,
    /// The number of rows that are identified by the name alone.
    unidentified: usize,
    /// The note about ids with names that share no word.
    shared_ids: Option<String>,
}

#[derive(Clone)]
struct IdentityColumn {
    column: usize,
    /// True if the name is a part of the identity, as `--same-name-by` says.
    with_name: bool,
    /// If some rows have no value: the names that have one in other rows, and the values, with the
    /// first row of each.
    with_value: HashMap<String, usize>,
}

impl IdentityColumns {
    /// Finds the columns. `people` and `team` are those of names; `lists_members` is true if
    /// `people` has the names of all members of a team.
    pub(crate) fn from_table(
        table: &HeaderTable,
        [people, team]: [Option<usize>; 2],
        lists_members: bool,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let competitor_id = table.find_column(ColumnMeaning::CompetitorId)?;
        let mut ids = Self::default();
        if let Some(heading) = &options.same_name_by {
            let column = find_heading(table, heading)?;
            if let Some(id) = competitor_id {
                let ignore = table.ignore_option(id);
                let reason = format!(
                    "{} identifies the competitors, so --same-name-by has no use: leave it out, or exclude the ids with {ignore}",
                    table.describe_column(id),
                );
                return Err(table.refuse_column(id, Reason::from(reason).naming([ignore])));
            }
            ids.used.push((column, "same name by"));
            let names = people.filter(|_| !lists_members).or(team).or(people);
            ids.competitor = ids.read_column(table, column, names, true);
            return Ok(ids);
        }
        if let Some(column) = competitor_id {
            ids.used.push((column, ColumnMeaning::CompetitorId.as_str()));
            // The id beside a list of members is that of the team.
            let names = if lists_members {
                team.or(people)
            } else {
                people.or(team)
            };
            if let Some(names) = names {
                ids.shared_ids = check_ids_hold_for_table(table, &[(column, names)], options)?;
            }
            ids.competitor = ids.read_column(table, column, names, false);
        }
        if (team.is_some() || lists_members)
            && let Some(column) = table.find_column(ColumnMeaning::TeamId)?
        {
            ids.used.push((column, ColumnMeaning::TeamId.as_str()));
            ids.team = ids.read_column(table, column, team.or(people), false);
        }
        Ok(ids)
    }

    /// True if identities can differ from names.
    pub(crate) const fn are_read(&self) -> bool {
        self.competitor.is_some() || self.team.is_some()
    }

    /// Returns the identity of a competitor of a row. Errors if the row has none and its name has
    /// one elsewhere.
    pub(crate) fn identify<'t>(
        &self,
        table: &'t HeaderTable,
        row: usize,
        name: &'t str,
        whose: Whose,
    ) -> Result<Cow<'t, str>, String> {
        let id_column = match whose {
            Whose::Competitor => &self.competitor,
            Whose::Team => &self.team,
        };
        let Some(id_column) = id_column else {
            return Ok(name.into());
        };
        let cell = strip_zero_fraction(table.grid.cell(row, id_column.column));
        if is_absent(cell) {
            let Some(&other) = id_column.with_value.get(name) else {
                return Ok(name.into());
            };
            return Err(format!(
                "{} has no value of {} here, and one on {}: fill it in",
                Quoted(name),
                table.describe_column(id_column.column),
                table.grid.row_location(other)
            ));
        }
        let identity = if id_column.with_name {
            format!("{name} ({cell})").into()
        } else {
            Cow::from(cell)
        };
        if is_name_too_long(name) || is_name_too_long(&identity) {
            return Err(format!("the name or the id has more than {MAX_NAME_CHARS} characters"));
        }
        Ok(identity)
    }

    /// Returns the notes about rows without a value, and about ids of several names.
    pub(crate) fn notes(&self, table: &HeaderTable) -> impl Iterator<Item = String> {
        let unidentified = self.describe_unidentified(table);
        unidentified.into_iter().chain(self.shared_ids.clone())
    }

    fn describe_unidentified(&self, table: &HeaderTable) -> Option<String> {
        let rows = match self.unidentified {
            0 => return None,
            1 => "1 row is".to_owned(),
            count => format!("{count} rows are"),
        };
        let columns: Vec<usize> = self.used.iter().map(|used| used.0).collect();
        Some(format!(
            "{rows} without a value of {}: the name alone identifies these competitors",
            table.describe_columns(&columns)
        ))
    }

    /// Returns the advice about a competitor who stands twice in a contest, in these rows.
    pub(crate) fn advise(
        &self,
        table: &HeaderTable,
        rows: [usize; 2],
        kind: EntrantKind,
    ) -> Reason {
        let team = self.team.as_ref().filter(|_| kind == EntrantKind::Team);
        let id_column = team.or(self.competitor.as_ref());
        if let Some(&IdentityColumn { column, .. }) = id_column.filter(|i| !i.with_name) {
            let ignore = table.ignore_option(column);
            let column = table.describe_column(column);
            return Reason::from(format!(
                "if {column} does not identify competitors, pass {ignore}"
            ))
            .naming([ignore]);
        }
        let options: Vec<CommandOptions> = personal_differences(table, rows)
            .take(MAX_ADVISED_COLUMNS)
            .map(|column| CommandOptions::new("--same-name-by", table.heading(column)))
            .collect();
        let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
        let listed = match listed[..] {
            [] => "--same-name-by with a column that tells them apart".to_owned(),
            _ => listed.join(" or "),
        };
        let advice = format!(
            "if these are different competitors, add a column of ids headed \"competitor id\", or pass {listed}"
        );
        Reason::from(advice).naming(options)
    }

    /// Reads a column of ids, or of values that tell the same names apart.
    fn read_column(
        &mut self,
        table: &HeaderTable,
        column: usize,
        names: Option<usize>,
        with_name: bool,
    ) -> Option<IdentityColumn> {
        let names = names?;
        let value = |row| strip_zero_fraction(table.grid.cell(row, column));
        let name = |row| table.grid.cell(row, names);
        let rows = table.data_rows().filter(|&row| !is_blank(name(row)));
        let unidentified = rows.clone().filter(|&row| is_absent(value(row))).count();
        let mut with_value = HashMap::new();
        if unidentified > 0 {
            for row in rows.filter(|&row| !is_absent(value(row))) {
                with_value.entry(name(row).to_owned()).or_insert(row);
                // An id may be equal to the name of somebody else.
                if !with_name {
                    with_value.entry(value(row).to_owned()).or_insert(row);
                }
            }
        }
        self.unidentified += unidentified;
        Some(IdentityColumn {
            column,
            with_name,
            with_value,
        })
    }
}

/// Returns the columns about people in which two rows differ.
fn personal_differences(table: &HeaderTable, rows: [usize; 2]) -> impl Iterator<Item = usize> + '_ {
    (0..table.grid.width(table.header_row)).filter(move |&column| {
        let word = normalise_word(&strip_brackets(table.heading(column)));
        let [first, second] = rows.map(|row| table.grid.cell(row, column));
        let tells_apart = first != second && !is_absent(first) && !is_absent(second);
        tells_apart && has_word(PERSONAL, &word)
    })
}

/// The names of an id in the rows of a table.
struct IdNames<'t> {
    first: &'t str,
    first_row: usize,
    count: usize,
    /// The first name that shares no word with the first one, and its row.
    other: Option<(&'t str, usize)>,
}

/// The number of ids with different names that a note lists.
const MAX_LISTED_IDS: usize = 3;

/// Returns a note about ids with names that share no word. `columns` are those of ids, each with that
/// of the names. Errors if ids seem to hold for one contest, such as the numbers of the participants
/// of a match: most of those with several rows have such names. Not if the user states the columns.
pub(crate) fn check_ids_hold_for_table(
    table: &HeaderTable,
    columns: &[(usize, usize)],
    options: &ReadOptions,
) -> Result<Option<String>, FileReadError> {
    let mut names: HashMap<&str, IdNames<'_>> = HashMap::new();
    // The ids with different names, each with its column.
    let mut contradicted = Vec::new();
    for row in table.data_rows() {
        for &(column, name_column) in columns {
            let id = strip_zero_fraction(table.grid.cell(row, column));
            let name = table.grid.cell(row, name_column);
            if is_absent(id) || is_blank(name) {
                continue;
            }
            let id_names = names.entry(id).or_insert(IdNames {
                first: name,
                first_row: row,
                count: 0,
                other: None,
            });
            id_names.count += 1;
            if id_names.other.is_none() && !share_word(id_names.first, name) {
                id_names.other = Some((name, row));
                contradicted.push((id, column));
            }
        }
    }
    let Some(&(id, column)) = contradicted.first() else {
        return Ok(None);
    };
    let mut id_columns = columns.iter().map(|&(column, _)| column);
    let is_stated = id_columns.any(|column| options.columns.contains_key(table.heading(column)));
    let recurring = names.values().filter(|names| names.count > 1).count();
    // One competitor may have a new name.
    if is_stated || contradicted.len() == 1 || 2 * contradicted.len() <= recurring {
        return Ok(Some(describe_shared_ids(table, &names, &contradicted)));
    }
    let (first, other, row) = names
        .get(id)
        .and_then(|names| names.other.map(|(other, row)| (names.first, other, row)))
        .unwrap_or_default();
    let problem = format!(
        "{} of {} is {} and {}, and most of the ids have such different names",
        Quoted(id),
        table.describe_column(column),
        Quoted(first),
        Quoted(other),
    );
    let ids = table.column_option(column, ColumnMeaning::CompetitorId);
    let cases = [
        (ids, "if they identify competitors in all contests"),
        (table.ignore_option(column), "if not"),
    ];
    let reason = Reason::with_options(problem, cases);
    Err(FileReadError::new(table.grid.row_location(row), reason))
}

/// Returns the note about ids whose names share no word.
fn describe_shared_ids(
    table: &HeaderTable,
    names: &HashMap<&str, IdNames<'_>>,
    ids: &[(&str, usize)],
) -> String {
    let listed = ids.iter().take(MAX_LISTED_IDS).filter_map(|(id, _)| {
        let id_names = names.get(id)?;
        let (other, row) = id_names.other?;
        Some(format!(
            "{} is {} ({}) and {} ({})",
            Quoted(id),
            Quoted(id_names.first),
            table.grid.row_location(id_names.first_row),
            Quoted(other),
            table.grid.row_location(row)
        ))
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let unlisted = match ids.len().saturating_sub(MAX_LISTED_IDS) {
        0 => String::new(),
        count => format!(", and {count} more"),
    };
    format!(
        "one competitor has names that share no word: {listed}{unlisted}; if they are two, give each an id of its own"
    )
}

/// True if two names are equal or have a word in common, in any case.
fn share_word(first: &str, second: &str) -> bool {
    first == second || {
        let first = first.to_lowercase();
        let second = second.to_lowercase();
        let mut words = split_words(&second);
        words.any(|word| split_words(&first).any(|other| other == word))
    }
}

fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// True if a cell has no id or value.
pub(crate) fn is_absent(cell: &str) -> bool {
    // The longest of these texts has four letters.
    is_blank(cell) || (cell.len() <= 4 && has_word(NO_ID, &cell.to_ascii_lowercase()))
}

/// Returns a whole number without a fraction of zero: some programs write `17.0` if other cells of
/// the column are empty.
pub(crate) fn strip_zero_fraction(cell: &str) -> &str {
    let integer = cell
        .strip_suffix(".0")
        .filter(|integer| !integer.is_empty() && integer.bytes().all(|byte| byte.is_ascii_digit()));
    integer.unwrap_or(cell)
}

/// Returns the column with this heading. Errors if there is none, or several.
pub(crate) fn find_heading(table: &HeaderTable, heading: &str) -> Result<usize, FileReadError> {
    let headings = table.grid.cells(table.header_row).enumerate();
    let mut columns = headings.filter(|(_, cell)| *cell == heading);
    let reason = match (columns.next(), columns.next()) {
        (Some((column, _)), None) => return Ok(column),
        (None, _) => format!(
            "no column is headed {}, as --same-name-by says; the headings are {}",
            Quoted(heading),
            table.list_headings()
        ),
        _ => format!(
            "two columns are headed {}, as --same-name-by says: give them different headings",
            Quoted(heading)
        ),
    };
    Err(table.refuse_headings(reason))
}
