//! Reads the names in a row: a person, a team, or several names in one cell.
//!
//! Several names in a column of members are a team. Elsewhere such cells may be names of teams
//! ("Salt & Pepper"): if they are usual, `--members` has to say what they are.

use std::borrow::Cow;

use super::columns::ColumnMeaning;
use super::header::HeaderTable;
use crate::options::{MemberSeparator, ReadOptions};
use crate::reading::{FileReadError, TableShape};
use crate::table::people::identities::{IdentityColumns, Whose};
use crate::table::people::second_person::check_second_person;
use crate::table::values::cells::is_blank;
use ranklore_contest::{EntrantKind, Quoted, quote_for_shell};

/// Marks between names. A comma may be part of a name ("Lark, Ada"), as a hyphen is.
const MARKS: [&str; 9] = [";", "|", "\n", "/", "&", "+", " - ", " – ", " — "];

/// Words between names. "Et" and "Y" may be parts of names.
const WORDS: [&str; 7] = ["and", "und", "et", "y", "AND", "UND", "ET"];

/// The columns of names, and how their cells are split.
#[derive(Clone)]
pub(super) struct NameColumns {
    /// The column of competitors or members.
    pub(super) people: Option<usize>,
    pub(super) team: Option<usize>,
    /// The meaning of `people`.
    pub(super) meaning: ColumnMeaning,
    pub(super) identities: IdentityColumns,
    separator: Option<Separator>,
}

/// The entrant that a row names.
pub(super) struct NamedEntrant<'t> {
    pub(super) kind: EntrantKind,
    /// The id, or else the name.
    pub(super) competitor: Cow<'t, str>,
    pub(super) name: &'t str,
    /// The name of each member, or the id of a single one.
    pub(super) members: Vec<String>,
    /// The name of a single member.
    pub(super) member_name: Option<&'t str>,
}

/// The text between two names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Separator {
    Text(String),
    /// A word between white space.
    Word(String),
}

impl NameColumns {
    /// Finds the columns. Errors if cells look like several names and no option says so.
    pub(super) fn from_table(
        table: &HeaderTable,
        shape: TableShape,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let competitor = table.find_column(ColumnMeaning::Competitor)?;
        let members = find_members_column(table)?;
        if let (Some(competitor), Some(members)) = (competitor, members) {
            return Err(table.refuse_column(members, format!(
                    "the columns {} and {} both name people: pass --column {} if it names the team, or exclude one: --column {}, --column {}",
                    table.describe_column(competitor),
                    table.describe_column(members),
                    table.column_option(competitor, ColumnMeaning::Team),
                    table.ignore_option(competitor),
                    table.ignore_option(members),
                ),
            ));
        }
        let mut columns = Self {
            people: members.or(competitor),
            // The team of a player of a wide table is an affiliation.
            team: match shape {
                TableShape::Wide if competitor.is_some() => None,
                _ => table.find_column(ColumnMeaning::Team)?,
            },
            meaning: if members.is_some() {
                ColumnMeaning::Members
            } else {
                ColumnMeaning::Competitor
            },
            identities: IdentityColumns::default(),
            separator: Separator::from_options(options),
        };
        if columns.people.or(columns.team).is_none() {
            let column = table.find_column(ColumnMeaning::Members)?;
            return Err(table.refuse_headings(format!(
                    "the column {} holds numbers and no names; name the competitors with --column HEADING=competitor",
                    table.describe_column(column.unwrap_or_default())
                ),
            ));
        }
        check_second_person(table)?;
        columns.identities = IdentityColumns::from_table(
            table,
            [columns.people, columns.team],
            columns.list_members(),
            options,
        )?;
        if options.members == Some(MemberSeparator::None) {
            return Ok(columns);
        }
        match members {
            Some(column) if columns.separator.is_none() => {
                columns.separator = find_separator(table, column)?;
            }
            _ => {
                if let Some(column) = columns.people.or(columns.team) {
                    let names = table.data_rows().map(|row| (row, columns.cell(table, row)));
                    let separator = columns.separator.as_ref();
                    check_single_names(table, column, names, separator)?;
                }
            }
        }
        Ok(columns)
    }

    /// True if a cell lists all members of a team.
    pub(super) fn list_members(&self) -> bool {
        self.meaning == ColumnMeaning::Members
    }

    /// Returns the cell with the names of a row: of the competitor, or else of the team.
    pub(super) fn cell<'t>(&self, table: &'t HeaderTable, row: usize) -> &'t str {
        let grid = &table.grid;
        let cell =
            |column: Option<usize>| column.map_or_else(|| grid.empty(), |of| grid.cell(row, of));
        match cell(self.people) {
            "" => cell(self.team),
            who => who,
        }
    }

    /// Returns the entrant of a row, or `None` if the row names none. Errors if a cell has an
    /// empty name between others, or if the id is missing.
    pub(super) fn entrant<'t>(
        &self,
        table: &'t HeaderTable,
        row: usize,
    ) -> Result<Option<NamedEntrant<'t>>, String> {
        let grid = &table.grid;
        let cell =
            |column: Option<usize>| column.map_or_else(|| grid.empty(), |of| grid.cell(row, of));
        let (who, team) = (cell(self.people), cell(self.team));
        let named = match (who, team) {
            ("", "") => return Ok(None),
            ("", team) if self.list_members() => NamedEntrant::new(EntrantKind::Team, team),
            ("", team) => self.split_entrant(team, EntrantKind::Team)?,
            (who, "") => self.split_entrant(who, EntrantKind::Person)?,
            (who, team) => {
                let mut named = NamedEntrant::new(EntrantKind::Team, team);
                match &self.separator {
                    None => named.members.push(who.to_owned()),
                    Some(separator) => named
                        .members
                        .extend(separator.split(who)?.map(str::to_owned)),
                }
                if named.members.len() == 1 && !self.list_members() {
                    named.member_name = Some(who);
                }
                named
            }
        };
        self.identify(table, row, named).map(Some)
    }

    /// Sets the ids of the entrant of a row, and of a single member.
    fn identify<'t>(
        &self,
        table: &'t HeaderTable,
        row: usize,
        mut named: NamedEntrant<'t>,
    ) -> Result<NamedEntrant<'t>, String> {
        if !self.identities.are_read() {
            return Ok(named);
        }
        let identify = |name, whose| self.identities.identify(table, row, name, whose);
        if let Some(member) = named.member_name {
            named.members = vec![identify(member, Whose::Competitor)?.into_owned()];
            named.competitor = identify(named.name, Whose::Team)?;
            return Ok(named);
        }
        if named.kind == EntrantKind::Team {
            named.competitor = identify(named.name, Whose::Team)?;
        }
        if *named.competitor == *named.name {
            named.competitor = identify(named.name, Whose::Competitor)?;
        }
        Ok(named)
    }

    /// Returns a team of the names in a cell, or an entrant of this kind if there is one name.
    fn split_entrant<'t>(
        &self,
        cell: &'t str,
        kind: EntrantKind,
    ) -> Result<NamedEntrant<'t>, String> {
        let Some(separator) = &self.separator else {
            return Ok(NamedEntrant::new(kind, cell));
        };
        let mut names = separator.split(cell)?;
        Ok(match (names.next(), names.next()) {
            (Some(name), None) => NamedEntrant::new(kind, name),
            (None, _) => NamedEntrant::new(kind, cell),
            (Some(first), Some(second)) => NamedEntrant {
                members: [first, second]
                    .into_iter()
                    .chain(names)
                    .map(str::to_owned)
                    .collect(),
                ..NamedEntrant::new(EntrantKind::Team, cell)
            },
        })
    }
}

impl<'t> NamedEntrant<'t> {
    /// Returns an entrant without members, whom the name identifies.
    fn new(kind: EntrantKind, name: &'t str) -> Self {
        Self {
            kind,
            competitor: name.into(),
            name,
            members: Vec::new(),
            member_name: None,
        }
    }
}

impl Separator {
    /// Returns the separator that the user states.
    pub(super) fn from_options(options: &ReadOptions) -> Option<Self> {
        match &options.members {
            Some(MemberSeparator::Text(text)) if !text.is_empty() => Some(Self::from_option(text)),
            _ => None,
        }
    }

    fn from_option(text: &str) -> Self {
        let word = text.trim();
        if !word.is_empty() && word.chars().all(char::is_alphanumeric) {
            Self::Word(word.to_owned())
        } else {
            Self::Text(text.to_owned())
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Word(text) => text,
        }
    }

    /// Returns the range of the first separator of a cell.
    fn find(&self, cell: &str) -> Option<std::ops::Range<usize>> {
        match self {
            Self::Text(text) => cell.find(text).map(|at| at..at + text.len()),
            Self::Word(word) => find_word(cell, word),
        }
    }

    /// Splits a cell into names. Errors if one before the last is empty.
    pub(super) fn split<'c>(&self, cell: &'c str) -> Result<impl Iterator<Item = &'c str>, String> {
        let mut names = Vec::new();
        let mut rest = cell;
        while let Some(found) = self.find(rest) {
            names.push(rest[..found.start].trim());
            rest = &rest[found.end..];
        }
        // A separator at the end separates nothing.
        names.extend(Some(rest.trim()).filter(|last| !last.is_empty()));
        if names.iter().any(|name| name.is_empty()) {
            let cell: String = cell.chars().take(80).collect();
            return Err(format!(
                "{cell} has an empty name beside {:?}; fill it in, or remove the separator",
                self.text(),
                cell = Quoted(&cell)
            ));
        }
        Ok(names.into_iter())
    }
}

/// Errors if at least half of the names of a column, which are given with their rows, look like
/// several names that stay one, or if none has the stated separator.
pub(super) fn check_single_names<'t>(
    table: &HeaderTable,
    column: usize,
    names: impl Iterator<Item = (usize, &'t str)>,
    separator: Option<&Separator>,
) -> Result<(), FileReadError> {
    let (mut cells, mut separated) = (0, 0);
    let mut several: Option<(usize, &str, String)> = None;
    let mut count = 0;
    for (row, cell) in names {
        if is_blank(cell) {
            continue;
        }
        cells += 1;
        if separator.is_some_and(|separator| separator.find(cell).is_some()) {
            separated += 1;
        } else if let Some(seen) = separator_in_name(cell) {
            count += 1;
            several.get_or_insert((row, cell, seen));
        }
    }
    if let Some(separator) = separator.filter(|_| separated == 0) {
        return Err(table.refuse_column(
            column,
            format!(
                "no name of {} contains {:?}, as --members says",
                table.describe_column(column),
                separator.text()
            ),
        ));
    }
    let Some((row, cell, seen)) = several.filter(|_| count * 2 >= cells) else {
        return Ok(());
    };
    let cell: String = cell.chars().take(80).collect();
    let others = match count {
        1 => "looks".to_owned(),
        2 => "and another cell look".to_owned(),
        n => format!("and {} other cells look", n - 1),
    };
    Err(FileReadError::new(
        table.grid.location(row, column),
        format!(
            "{cell} {others} like several names, joined by {joint}: pass --members {} if they are members of a team, or --members none if each cell is one name",
            quote_separator(&seen),
            cell = Quoted(&cell),
            joint = match &*seen {
                "\n" => "a line break".to_owned(),
                _ => Quoted(&seen).to_string(),
            }
        ),
    ))
}

/// Returns the value of `--members` for a separator.
fn quote_separator(text: &str) -> String {
    match text {
        "\n" => r"'\n'".to_owned(),
        _ => quote_for_shell(text),
    }
}

/// Returns the column of members. A column of numbers counts them, and is none.
pub(super) fn find_members_column(table: &HeaderTable) -> Result<Option<usize>, FileReadError> {
    let column = table.find_column(ColumnMeaning::Members)?;
    Ok(column.filter(|&column| !is_numeric(table, column)))
}

/// Returns the range of a word between white space.
fn find_word(cell: &str, word: &str) -> Option<std::ops::Range<usize>> {
    let begins = cell.char_indices().filter(|(_, c)| c.is_whitespace());
    let mut begins = begins.map(|(at, c)| at + c.len_utf8());
    let begin = begins.find(|&begin| {
        let rest = &cell[begin..];
        let after = rest.strip_prefix(word);
        after.is_some_and(|after| after.starts_with(char::is_whitespace))
    })?;
    Some(begin..begin + word.len())
}

/// Returns the separator of a column of members. Errors if there are several readings.
fn find_separator(table: &HeaderTable, column: usize) -> Result<Option<Separator>, FileReadError> {
    let mut seen: Vec<Separator> = Vec::new();
    let (mut commas, mut odd, mut uneven) = (false, false, false);
    for cell in table.values(column) {
        if cell.contains(',') {
            commas = true;
            // "Lark, Ada" has two parts, "Lark, Ada, Elm, Bo" four.
            let parts = cell.split(',').filter(|part| !part.trim().is_empty());
            odd |= parts.count() % 2 == 1;
        }
        let found = separators_of_members(cell);
        if let Some(found) = found.first() {
            // Each name is "Lark, Ada", or none is.
            let mut names = found.split(cell).into_iter().flatten();
            uneven |= names.any(|name| name.matches(',').count() != 1);
        }
        for found in found {
            if !seen.contains(&found) {
                seen.push(found);
            }
        }
    }
    let comma = Separator::Text(",".to_owned());
    let readings = match (&seen[..], commas) {
        ([], false) => return Ok(None),
        ([], true) if odd => return Ok(Some(comma)),
        ([separator], commas) if !(commas && uneven) => return Ok(Some(separator.clone())),
        (_, true) => {
            seen.push(comma);
            seen
        }
        _ => seen,
    };
    let options: Vec<String> = readings
        .iter()
        .map(|of| format!("--members {}", quote_separator(of.text())))
        .collect();
    Err(table.refuse_column(column, format!(
            "the names in {} can be separated in several ways: pass {}, or --members none if each cell is one name",
            table.describe_column(column),
            options.join(" or ")
        ),
    ))
}

/// Returns the separators other than commas in a cell of a column of members. Some marks can also
/// be part of a name ("AC/DC"); between spaces they are not the same separator.
fn separators_of_members(cell: &str) -> Vec<Separator> {
    let mut found = Vec::new();
    if !may_be_several(cell) {
        return found;
    }
    for mark in MARKS {
        for (at, _) in cell.match_indices(mark) {
            let may_be_in_name = matches!(mark, "/" | "&" | "+");
            let spaced = cell[..at].ends_with(' ') && cell[at + mark.len()..].starts_with(' ');
            let text = if may_be_in_name && spaced {
                format!(" {mark} ")
            } else {
                mark.to_owned()
            };
            let separator = Separator::Text(text);
            if !found.contains(&separator) {
                found.push(separator);
            }
        }
    }
    let words = WORDS.iter().filter(|word| find_word(cell, word).is_some());
    found.extend(words.map(|&word| Separator::Word(word.to_owned())));
    found
}

/// Returns the text between names if a cell outside columns of members looks like several names.
fn separator_in_name(cell: &str) -> Option<String> {
    if !may_be_several(cell) {
        return None;
    }
    let is_name = |part: &str| part.chars().any(char::is_alphabetic);
    let joins = |mark: &str, least: usize| {
        if !cell.contains(mark) {
            return false;
        }
        let parts = cell.trim_end_matches(mark).split(mark);
        cell.matches(mark).count() + 1 >= least && {
            let mut parts = parts.map(is_name);
            parts.next() == Some(true) && parts.next() == Some(true) && parts.all(|name| name)
        }
    };
    let mark = MARKS.into_iter().find(|mark| joins(mark, 2));
    // Two parts can be one name: "Lark, Ada".
    let mark = mark.or_else(|| Some(",").filter(|mark| joins(mark, 3)));
    let word = || {
        let known = |of: &str| WORDS.iter().find(|word| of == **word);
        let word = cell.split_whitespace().find_map(known)?;
        find_word(cell, word).map(|_| (*word).to_owned())
    };
    mark.map(String::from).or_else(word)
}

/// True if a cell has a mark between names, or three words or parts. Most cells have none.
fn may_be_several(cell: &str) -> bool {
    let (mut spaces, mut commas) = (0, 0);
    cell.bytes().any(|byte| {
        match byte {
            b';' | b'|' | b'\n' | b'/' | b'&' | b'+' => return true,
            b',' => commas += 1,
            // The last byte of a no-break space, and of some letters.
            b' ' | b'\t' | 0xA0 => spaces += 1,
            _ => {}
        }
        spaces > 1 || commas > 1
    })
}

/// True if all cells that are not blank are whole numbers.
fn is_numeric(table: &HeaderTable, column: usize) -> bool {
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    let is_number = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
    cells.next().is_some_and(is_number) && cells.all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_several_names_are_recognised() {
        for (cell, separator) in [
            ("Ann Lee / Bo Kim", "/"),
            ("ann;bob", ";"),
            ("Ann & Bo & Cy", "&"),
            ("Ann und Bo", "und"),
            ("ann, bo, cy", ","),
            ("Lee – Kim", " – "),
            ("Ann\u{a0}et\u{a0}Bo", "et"),
        ] {
            assert_eq!(
                separator_in_name(cell).as_deref(),
                Some(separator),
                "{cell}"
            );
        }
        for cell in [
            "Ann Lee",
            "Lark, Ada",
            "Fernand",
            "Ann",
            "C++",
            "Table 1/2",
            "and Co",
            "The Hand Band",
            "Ana Y Lee",
            "Anne-Marie Lee",
        ] {
            assert_eq!(separator_in_name(cell), None, "{cell}");
        }
    }

    #[test]
    fn words_separate_only_between_spaces() {
        let word = Separator::from_option(" and ");
        assert_eq!(word, Separator::Word("and".into()));
        let names: Vec<&str> = word.split("andy Sand and Bo").unwrap().collect();
        assert_eq!(names, ["andy Sand", "Bo"]);
    }
}
