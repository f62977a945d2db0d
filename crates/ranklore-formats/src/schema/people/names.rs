//! Reads the names in a row: a person, a team, or several names in one cell.
//!
//! Several names in a column of members are a team. Elsewhere such cells may be names of teams
//! ("Salt & Pepper"): if they are usual, `--members` has to say what they are.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::options::{MemberSeparator, ReadOptions};
use crate::reading::TableShape;
use crate::schema::people::identities::{IdentityColumns, Whose};
use crate::schema::people::second_person::check_second_person;
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, is_nameless};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{EntrantKind, Quoted};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Marks between names. A comma may be part of a name ("Lark, Ada"), as a hyphen is.
const MARKS: [&str; 9] = [";", "|", "\n", "/", "&", "+", " - ", " – ", " — "];

/// The text between the members of a team whom several columns name.
pub(crate) const MEMBER_SEPARATOR: &str = " / ";

/// Words between names. "Et" and "Y" may be parts of names.
const WORDS: [&str; 7] = ["and", "und", "et", "y", "AND", "UND", "ET"];

/// The columns of names, and how their cells are split.
#[derive(Clone)]
pub(crate) struct NameColumns {
    /// The column of competitors or members.
    pub(crate) people: Option<usize>,
    pub(crate) team: Option<usize>,
    /// The meaning of `people`.
    pub(crate) meaning: ColumnMeaning,
    pub(crate) identities: IdentityColumns,
    separator: Option<Separator>,
}

/// The entrant that a row names.
pub(crate) struct NamedEntrant<'t> {
    pub(crate) kind: EntrantKind,
    /// The id, or else the name.
    pub(crate) competitor: Cow<'t, str>,
    pub(crate) name: &'t str,
    /// The name of each member, or the id of a single one.
    pub(crate) members: Vec<String>,
    /// The name of a single member.
    pub(crate) member_name: Option<&'t str>,
}

/// The text between two names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Separator {
    Text(String),
    /// A word between white space.
    Word(String),
}

impl NameColumns {
    /// Finds the columns. Errors if cells look like several names and no option says so.
    pub(crate) fn from_table(
        table: &HeaderTable,
        shape: TableShape,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let competitor = table.find_column(ColumnMeaning::Competitor)?;
        let members = find_members_column(table)?;
        if let (Some(competitor), Some(members)) = (competitor, members) {
            return Err(refuse_two_names(table, [competitor, members]));
        }
        let people = members.or(competitor);
        // The team of a player of a wide table is an affiliation.
        let team = match shape {
            TableShape::Wide if competitor.is_some() => None,
            _ => table.find_column(ColumnMeaning::Team)?,
        };
        let Some(name_column) = people.or(team) else {
            let column = table.find_column(ColumnMeaning::Members)?;
            let reason = format!(
                "the column {} holds numbers and no names; name the competitors with --column HEADING=competitor",
                table.describe_column(column.unwrap_or_default())
            );
            return Err(table.refuse_headings(reason));
        };
        check_second_person(table)?;
        let lists_members = members.is_some();
        let mut columns = Self {
            people,
            team,
            meaning: if lists_members {
                ColumnMeaning::Members
            } else {
                ColumnMeaning::Competitor
            },
            identities: IdentityColumns::from_table(table, [people, team], lists_members, options)?,
            separator: Separator::from_options(options),
        };
        if members.is_some_and(|column| table.is_joined(column)) {
            columns.separator = Some(Separator::Text(MEMBER_SEPARATOR.to_owned()));
            return Ok(columns);
        }
        if options.members == Some(MemberSeparator::OneName) {
            return Ok(columns);
        }
        match members {
            Some(column) if columns.separator.is_none() => {
                columns.separator = find_separator(table, column)?;
            }
            _ => {
                let rows = table.data_rows();
                let names = rows.map(|row| (row, columns.cell(table, row)));
                check_single_names(table, name_column, names, columns.separator.as_ref())?;
            }
        }
        Ok(columns)
    }

    /// True if a cell lists all members of a team.
    pub(crate) fn list_members(&self) -> bool {
        self.meaning == ColumnMeaning::Members
    }

    /// Returns the cell with the names of a row: of the competitor, or else of the team.
    pub(crate) fn cell<'t>(&self, table: &'t HeaderTable, row: usize) -> &'t str {
        match table.cell(row, self.people) {
            "" => table.cell(row, self.team),
            name => name,
        }
    }

    /// True if a row has neither a name nor an id.
    pub(crate) fn is_anonymous(&self, table: &HeaderTable, row: usize) -> bool {
        let mut ids = self.identities.used.iter();
        self.cell(table, row).is_empty() && ids.all(|&(id, _)| table.grid.cell(row, id).is_empty())
    }

    /// Returns the entrant of a row, or `None` if the row names none. Errors if a cell has an
    /// empty name between others, or if the id is missing.
    pub(crate) fn entrant<'t>(
        &self,
        table: &'t HeaderTable,
        row: usize,
    ) -> Result<Option<NamedEntrant<'t>>, String> {
        let name = |column| Some(table.cell(row, column)).filter(|name| !is_nameless(name));
        let names = [self.people, self.team].map(|column| name(column).unwrap_or(""));
        let entrant = match names.into() {
            ("", "") => return Ok(None),
            ("", team) if self.list_members() => NamedEntrant::new(EntrantKind::Team, team),
            ("", team) => self.split_entrant(team, EntrantKind::Team)?,
            (person, "") => self.split_entrant(person, EntrantKind::Person)?,
            (people, team) => {
                let mut entrant = NamedEntrant::new(EntrantKind::Team, team);
                match &self.separator {
                    None => entrant.members.push(people.to_owned()),
                    Some(separator) => {
                        entrant.members.extend(separator.split(people)?.map(str::to_owned));
                    }
                }
                if entrant.members.len() == 1 && !self.list_members() {
                    entrant.member_name = Some(people);
                }
                entrant
            }
        };
        self.identify(table, row, entrant).map(Some)
    }

    /// Sets the ids of the entrant of a row, and of a single member.
    fn identify<'t>(
        &self,
        table: &'t HeaderTable,
        row: usize,
        mut entrant: NamedEntrant<'t>,
    ) -> Result<NamedEntrant<'t>, String> {
        if !self.identities.are_read() {
            return Ok(entrant);
        }
        let identify = |name, whose| self.identities.identify(table, row, name, whose);
        // A row of a single member has the ids of the member and of the team.
        if let Some(member) = entrant.member_name {
            entrant.members = vec![identify(member, Whose::Competitor)?.into_owned()];
            entrant.competitor = identify(entrant.name, Whose::Team)?;
            return Ok(entrant);
        }
        if entrant.kind == EntrantKind::Team {
            entrant.competitor = identify(entrant.name, Whose::Team)?;
        }
        // A team without an id of its own has that of the row.
        if *entrant.competitor == *entrant.name {
            entrant.competitor = identify(entrant.name, Whose::Competitor)?;
        }
        Ok(entrant)
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
                members: [first, second].into_iter().chain(names).map(str::to_owned).collect(),
                ..NamedEntrant::new(EntrantKind::Team, cell)
            },
        })
    }
}

impl<'t> NamedEntrant<'t> {
    /// Returns an entrant without members, whom the name identifies.
    pub(crate) fn new(kind: EntrantKind, name: &'t str) -> Self {
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
    pub(crate) fn from_options(options: &ReadOptions) -> Option<Self> {
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
    pub(crate) fn split<'c>(&self, cell: &'c str) -> Result<impl Iterator<Item = &'c str>, String> {
        let mut names = Vec::new();
        let mut rest = cell;
        while let Some(range) = self.find(rest) {
            names.push(rest[..range.start].trim());
            rest = &rest[range.end..];
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
/// several names that stay one, or one has several lines, or if none has the stated separator.
pub(crate) fn check_single_names<'t>(
    table: &HeaderTable,
    column: usize,
    names: impl Iterator<Item = (usize, &'t str)>,
    separator: Option<&Separator>,
) -> Result<(), FileReadError> {
    let mut name_count = 0;
    let mut has_separated = false;
    let mut joint_count = 0;
    let mut first_joint: Option<(usize, &str, String)> = None;
    let mut has_lines = false;
    let names: Vec<(usize, &str)> = names.filter(|(_, cell)| !is_blank(cell)).collect();
    let swaps_parts = separator.is_none()
        && table.grid.limits().reader.refuses_doubts()
        && swap_parts(names.iter().map(|&(_, cell)| cell));
    for (row, cell) in names {
        name_count += 1;
        if separator.is_some_and(|separator| separator.find(cell).is_some()) {
            has_separated = true;
        } else if let Some(joint) = separator_in_name(cell)
            .or_else(|| (swaps_parts && cell.contains(',')).then(|| ",".to_owned()))
        {
            joint_count += 1;
            if joint == "\n" && !has_lines && table.grid.limits().reader.refuses_doubts() {
                has_lines = true;
                first_joint = Some((row, cell, joint));
            } else {
                first_joint.get_or_insert((row, cell, joint));
            }
        }
    }
    if let Some(separator) = separator.filter(|_| !has_separated) {
        let reason = format!(
            "no name of {} contains {:?}, as --members says",
            table.describe_column(column),
            separator.text()
        );
        return Err(table.refuse_column(column, reason));
    }
    let Some((row, cell, joint)) =
        first_joint.filter(|_| has_lines || joint_count * 2 >= name_count)
    else {
        return Ok(());
    };
    let reason = refuse_joint_names(cell, &joint, joint_count);
    Err(FileReadError::new(table.grid.location(row, column), reason))
}

/// Returns the reason to refuse a column of which this number of cells look like several names.
fn refuse_joint_names(cell: &str, joint: &str, count: usize) -> Reason {
    let cell: String = cell.chars().take(80).collect();
    let other_cells = match count {
        1 => "looks".to_owned(),
        2 => "and another cell look".to_owned(),
        n => format!("and {} other cells look", n - 1),
    };
    let problem = format!(
        "{cell} {other_cells} like several names, joined by {joint}",
        cell = Quoted(&cell),
        joint = match joint {
            "\n" => "a line break".to_owned(),
            _ => Quoted(joint).to_string(),
        }
    );
    let cases = [
        (members_option(joint), "if they are members of a team"),
        (members_option(NO_SEPARATOR), "if each cell is one name"),
    ];
    Reason::with_options(problem, cases)
}

/// Returns the error for two columns of people.
fn refuse_two_names(table: &HeaderTable, [competitor, members]: [usize; 2]) -> FileReadError {
    let [one, two] = [competitor, members].map(|column| table.describe_column(column));
    let cases = [
        (
            table.column_option(competitor, ColumnMeaning::Team),
            format!("if {one} names the team"),
        ),
        (table.ignore_option(competitor), format!("if {two} competes")),
        (table.ignore_option(members), format!("if {one} does")),
    ];
    let problem = format!("the columns {one} and {two} both name people");
    table.refuse_column(members, Reason::with_options(problem, cases))
}

/// The value of `--members` for cells that are one name each.
const NO_SEPARATOR: &str = "none";

/// Returns the option that separates names at a text.
fn members_option(separator: &str) -> CommandOptions {
    CommandOptions::new("--members", separator.replace('\n', r"\n"))
}

/// Returns the column of members. A column of numbers counts them, and is none.
pub(crate) fn find_members_column(table: &HeaderTable) -> Result<Option<usize>, FileReadError> {
    let column = table.find_column(ColumnMeaning::Members)?;
    Ok(column.filter(|&column| !is_numeric(table, column)))
}

/// Returns the range of a word between white space.
fn find_word(cell: &str, word: &str) -> Option<std::ops::Range<usize>> {
    let spaces = cell.char_indices().filter(|(_, c)| c.is_whitespace());
    let mut starts = spaces.map(|(at, c)| at + c.len_utf8());
    let start = starts.find(|&start| {
        let rest = cell[start..].strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    })?;
    Some(start..start + word.len())
}

/// The commas in the cells of a column of members: between names, or between surname and given name.
#[derive(Default)]
struct CommaUse {
    occur: bool,
    /// True if some cell has an odd number of parts: "Lark, Ada" has two, "Lark, Ada, Elm, Bo" four.
    split_oddly: bool,
    /// True if some name between other separators has not exactly one comma: each name is
    /// "Lark, Ada", or none is.
    split_unevenly: bool,
}

impl CommaUse {
    fn add(&mut self, cell: &str, separator: Option<&Separator>) {
        if cell.contains(',') {
            self.occur = true;
            let parts = cell.split(',').filter(|part| !part.trim().is_empty());
            self.split_oddly |= parts.count() % 2 == 1;
        }
        if let Some(separator) = separator {
            let mut names = separator.split(cell).into_iter().flatten();
            self.split_unevenly |= names.any(|name| name.matches(',').count() != 1);
        }
    }
}

/// Returns the separator of a column of members. Errors if there are several readings.
fn find_separator(table: &HeaderTable, column: usize) -> Result<Option<Separator>, FileReadError> {
    let mut separators: Vec<Separator> = Vec::new();
    let mut commas = CommaUse::default();
    for cell in table.values(column) {
        let cell_separators = separators_of_members(cell);
        commas.add(cell, cell_separators.first());
        for separator in cell_separators {
            if !separators.contains(&separator) {
                separators.push(separator);
            }
        }
    }
    let comma = Separator::Text(",".to_owned());
    match &separators[..] {
        [] if !commas.occur || recur_whole(table, column) => return Ok(None),
        [] if commas.split_oddly => return Ok(Some(comma)),
        [separator] if !(commas.occur && commas.split_unevenly) => {
            return Ok(Some(separator.clone()));
        }
        _ => separators.extend(commas.occur.then_some(comma)),
    }
    let options: Vec<CommandOptions> =
        separators.iter().map(|separator| members_option(separator.text())).collect();
    let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
    let none = members_option(NO_SEPARATOR);
    let reason = format!(
        "the names in {} can be separated in several ways: pass {}, or {none} if each cell is one name",
        table.describe_column(column),
        listed.join(" or ")
    );
    Err(table.refuse_column(column, Reason::from(reason).naming(options).naming([none])))
}

/// True if the cells with commas are names, such as "Hong Kong, China": few, each in several rows, and no
/// part of one is a cell.
fn recur_whole(table: &HeaderTable, column: usize) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for cell in table.values(column).filter(|cell| !is_blank(cell)) {
        *counts.entry(cell).or_default() += 1;
    }
    let joint: Vec<(&str, usize)> = counts
        .iter()
        .map(|(&cell, &count)| (cell, count))
        .filter(|(cell, _)| cell.contains(','))
        .collect();
    2 * joint.len() < counts.len()
        && joint.iter().all(|(cell, count)| {
            *count > 1 && !cell.split(',').any(|part| counts.contains_key(part.trim()))
        })
}

/// Returns the separators other than commas in a cell of a column of members. Some marks can also
/// be part of a name ("AC/DC"); between spaces they are not the same separator.
fn separators_of_members(cell: &str) -> Vec<Separator> {
    let mut separators = Vec::new();
    if !may_be_several(cell) {
        return separators;
    }
    for mark in MARKS {
        for (at, _) in cell.match_indices(mark) {
            let may_be_in_name = matches!(mark, "/" | "&" | "+");
            let is_spaced = cell[..at].ends_with(' ') && cell[at + mark.len()..].starts_with(' ');
            let separator = Separator::Text(if may_be_in_name && is_spaced {
                format!(" {mark} ")
            } else {
                mark.to_owned()
            });
            if !separators.contains(&separator) {
                separators.push(separator);
            }
        }
    }
    let words = WORDS.iter().filter(|word| find_word(cell, word).is_some());
    separators.extend(words.map(|&word| Separator::Word(word.to_owned())));
    separators
}

/// Returns the text between names if a cell outside columns of members looks like several names.
fn separator_in_name(cell: &str) -> Option<String> {
    if !may_be_several(cell) {
        return None;
    }
    // Two parts can be one name: "Lark, Ada".
    let commas = Some(",").filter(|comma| joins_names(cell, comma, 3));
    let mut marks = MARKS.into_iter();
    if let Some(mark) = marks.find(|mark| joins_names(cell, mark, 2)).or(commas) {
        return Some(mark.to_owned());
    }
    let mut words = cell.split_whitespace();
    let word = words.find(|word| WORDS.contains(word))?;
    find_word(cell, word).map(|_| word.to_owned())
}

/// True if the parts of most names before and behind a comma change their places, as those of a surname
/// and a given name do not: `Ann, Bo`, `Bo, Cy`.
fn swap_parts<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut count = 0;
    let mut parts: [HashSet<&str>; 2] = [HashSet::new(), HashSet::new()];
    let mut joint_count = 0;
    for name in names {
        count += 1;
        if let Some((one, two)) = name.split_once(',').filter(|(_, two)| !two.contains(',')) {
            joint_count += 1;
            parts[0].insert(one.trim());
            parts[1].insert(two.trim());
        }
    }
    joint_count * 2 >= count && !parts[0].is_disjoint(&parts[1])
}

/// True if a mark joins this number of names or more. A mark at the end joins nothing.
fn joins_names(cell: &str, mark: &str, least: usize) -> bool {
    if !cell.contains(mark) || cell.matches(mark).count() + 1 < least {
        return false;
    }
    let parts = cell.trim_end_matches(mark).split(mark);
    // Numbers of teams, as JSON lists them.
    let is_name = |c: char| c.is_alphabetic() || (mark == ";" && c.is_ascii_digit());
    let mut are_names = parts.map(|part| part.chars().any(is_name));
    if mark == "\n" {
        // Numbers can stand on lines between names.
        return are_names.next() == Some(true) && are_names.any(|name| name);
    }
    are_names.next() == Some(true) && are_names.next() == Some(true) && are_names.all(|name| name)
}

/// True if a cell has a mark between names, or three words or parts. Most cells have none.
fn may_be_several(cell: &str) -> bool {
    let mut spaces = 0;
    let mut commas = 0;
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
pub(crate) fn is_numeric(table: &HeaderTable, column: usize) -> bool {
    table.holds_only(column, |cell| cell.bytes().all(|byte| byte.is_ascii_digit()))
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
            assert_eq!(separator_in_name(cell).as_deref(), Some(separator), "{cell}");
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
