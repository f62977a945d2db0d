//! Cells that hold several names, and the text that separates them.
//!
//! Several names in a column of members are a team. Elsewhere such cells may be names of teams
//! ("Salt & Pepper"): if they are usual, `--members` has to say what they are.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::options::{MemberSeparator, ReadOptions};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use ranklore_contest::{EntrantKind, Quoted, compare_naturally};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The text between the members of a team without a name of its own.
pub(crate) const MEMBER_SEPARATOR: &str = " / ";

/// Marks between names. A comma may be part of a name ("Lark, Ada"), as a hyphen is.
const MARKS: [&str; 9] = [";", "|", "\n", "/", "&", "+", " - ", " – ", " — "];

/// Words between names. "Et" and "Y" may be parts of names.
const WORDS: [&str; 7] = ["and", "und", "et", "y", "AND", "UND", "ET"];

/// The value of `--members` for cells that are one name each.
const NO_SEPARATOR: &str = "none";

/// Returns the option that separates names at a text.
fn members_option(separator: &str) -> CommandOptions {
    CommandOptions::new("--members", separator.replace('\n', r"\n"))
}

/// The text between two names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Separator {
    Text(String),
    /// A word between white space.
    Word(String),
    /// A separator of cells that end in a text in brackets, such as the club of all: `Ann / Bo (Owls)`.
    BeforeClub(Box<Self>),
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
            Self::BeforeClub(separator) => separator.text(),
        }
    }

    /// Returns the separator that leaves texts in brackets out of the last names, if all of several
    /// cells with more than one name end so, and no other name does. Different texts behind one name
    /// tell people apart, and several names in brackets are those of the people.
    pub(crate) fn before_clubs<'t>(
        self,
        table: &HeaderTable,
        mut cells: impl Iterator<Item = &'t str>,
    ) -> Self {
        let mut count = 0;
        let mut clubs = HashMap::new();
        let have_clubs = cells.all(|cell| match (self.find(cell), split_club(cell)) {
            (None, club) => club.is_none(),
            (Some(_), None) => false,
            (Some(_), Some((names, club))) => {
                count += 1;
                let are_names = !names.contains('(') && self.find(names).is_some();
                let last = self.split(names).ok().and_then(Iterator::last);
                let is_only_club =
                    last.is_some_and(|last| *clubs.entry(last).or_insert(club) == club);
                are_names && is_only_club && self.find(club).is_none()
            }
        });
        if have_clubs && count > 1 && table.grid.limits().reader.refuses_doubts() {
            Self::BeforeClub(Box::new(self))
        } else {
            self
        }
    }

    /// Returns the note about texts in brackets that are no part of names.
    pub(crate) fn note(&self) -> Option<String> {
        matches!(self, Self::BeforeClub(_))
            .then(|| "brackets behind the last of several names are no part of it".to_owned())
    }

    /// Returns the range of the first separator of a cell.
    fn find(&self, cell: &str) -> Option<std::ops::Range<usize>> {
        match self {
            Self::Text(text) => cell.find(text).map(|at| at..at + text.len()),
            Self::Word(word) => find_word(cell, word),
            Self::BeforeClub(separator) => separator.find(cell),
        }
    }

    /// Splits a cell into names. Errors if one before the last is empty.
    pub(crate) fn split<'c>(&self, cell: &'c str) -> Result<impl Iterator<Item = &'c str>, String> {
        let mut names = Vec::new();
        let mut rest = match self {
            Self::BeforeClub(_) if self.find(cell).is_some() => {
                split_club(cell).map_or(cell, |(names, _)| names)
            }
            _ => cell,
        };
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

/// Returns the text before the brackets at the end of a cell, and that in them.
fn split_club(cell: &str) -> Option<(&str, &str)> {
    let (names, club) = cell.strip_suffix(')')?.rsplit_once('(')?;
    (!club.trim().is_empty() && !club.contains(')')).then(|| (names.trim_end(), club.trim()))
}

/// Returns the members of a team in an order of their own: that in which they are named has no meaning.
pub(crate) fn identify_by_members<'n>(members: impl IntoIterator<Item = &'n str>) -> String {
    let mut members: Vec<&str> = members.into_iter().collect();
    members.sort_unstable_by(|one, two| compare_naturally(one, two));
    members.join(MEMBER_SEPARATOR)
}

/// The first spelling of each team of several members in a table: their order makes no other team.
#[derive(Clone, Default)]
pub(crate) struct TeamSpellings(HashMap<String, String>);

impl TeamSpellings {
    /// Collects the cells that a separator splits into several names.
    pub(crate) fn from_cells<'c>(
        cells: impl Iterator<Item = &'c str>,
        separator: Option<&Separator>,
    ) -> Self {
        let mut first = HashMap::new();
        let Some(separator) = separator else {
            return Self(first);
        };
        for cell in cells {
            let names: Vec<&str> = separator.split(cell).into_iter().flatten().collect();
            if names.len() > 1 {
                first.entry(identify_by_members(names)).or_insert_with(|| cell.to_owned());
            }
        }
        Self(first)
    }

    /// Returns the first spelling of the team in a cell with these members.
    pub(crate) fn first<'c>(&self, cell: &'c str, members: &[String]) -> Cow<'c, str> {
        let key = identify_by_members(members.iter().map(String::as_str));
        match self.0.get(&key) {
            Some(first) if first != cell => Cow::Owned(first.clone()),
            _ => Cow::Borrowed(cell),
        }
    }
}

/// Errors if at least half of the names of a column, which are given with their rows, look like
/// several names that stay one, or one has several lines, or if none has the stated separator. Two parts
/// around a comma are two members of a team, and one person.
pub(crate) fn check_single_names<'t>(
    table: &HeaderTable,
    (column, kind): (usize, EntrantKind),
    names: impl Iterator<Item = (usize, &'t str)>,
    separator: Option<&Separator>,
) -> Result<(), FileReadError> {
    let mut name_count = 0;
    let mut has_separated = false;
    let mut joint_count = 0;
    let mut first_joint: Option<(usize, &str, String)> = None;
    let mut has_lines = false;
    let names: Vec<(usize, &str)> = names.filter(|(_, cell)| !is_blank(cell)).collect();
    let splits_commas = separator.is_none()
        && table.grid.limits().reader.refuses_doubts()
        && (kind == EntrantKind::Team || swap_parts(names.iter().map(|&(_, cell)| cell)));
    for (row, cell) in names {
        name_count += 1;
        if separator.is_some_and(|separator| separator.find(cell).is_some()) {
            has_separated = true;
        } else if let Some(joint) = separator_in_name(cell)
            .or_else(|| (splits_commas && cell.contains(',')).then(|| ",".to_owned()))
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
pub(super) fn find_separator(
    table: &HeaderTable,
    column: usize,
) -> Result<Option<Separator>, FileReadError> {
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

/// True if most names have two parts around a comma, and the parts of most of these stand on both sides, as
/// those of a surname and a given name seldom do: `Ann, Bo`, `Bo, Cy`.
fn swap_parts<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let names: Vec<&str> = names.collect();
    let parts = names.iter().filter_map(|name| name.split_once(','));
    let parts = parts.filter(|(_, two)| !two.contains(','));
    let joint: Vec<(&str, &str)> = parts.map(|(one, two)| (one.trim(), two.trim())).collect();
    let (firsts, seconds): (HashSet<&str>, HashSet<&str>) = joint.iter().copied().unzip();
    let swapped = joint
        .iter()
        .filter(|(one, two)| one != two && (seconds.contains(one) || firsts.contains(two)));
    2 * joint.len() >= names.len() && 2 * swapped.count() > joint.len()
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
