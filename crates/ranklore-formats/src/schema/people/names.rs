//! Reads the names in a row: a person, a team, or several names in one cell.

use std::borrow::Cow;

use crate::options::{MemberSeparator, ReadOptions};
use crate::reading::TableShape;
use crate::schema::people::identities::{IdentityColumns, Whose};
use crate::schema::people::second_person::check_second_person;
use crate::schema::people::separators::{
    MEMBER_SEPARATOR, Separator, TeamSpellings, check_single_names, find_separator,
};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_nameless;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::EntrantKind;
use ranklore_grid::{FileReadError, Reason};

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
    teams: TeamSpellings,
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
            teams: TeamSpellings::default(),
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
                let column = (name_column, EntrantKind::Person);
                check_single_names(table, column, names, columns.separator.as_ref())?;
            }
        }
        columns.find_teams(table);
        Ok(columns)
    }

    /// Collects the spellings of teams, and finds out if clubs stand behind them.
    fn find_teams(&mut self, table: &HeaderTable) {
        if let Some(separator) = self.separator.take() {
            let names = table.data_rows().map(|row| self.cell(table, row));
            let separator = separator.before_clubs(table, names.clone());
            self.teams = TeamSpellings::from_cells(names, Some(&separator));
            self.separator = Some(separator);
        }
    }

    /// Returns the note about texts behind names that are no part of them.
    pub(crate) fn separator_note(&self) -> Option<String> {
        self.separator.as_ref()?.note()
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
        // A team without an id of its own has that of the row.
        let mut identities = [Whose::Team, Whose::Competitor].into_iter();
        if entrant.kind == EntrantKind::Person {
            identities.next();
        }
        for whose in identities {
            let identity = identify(entrant.name, whose)?;
            if *identity != *entrant.name {
                entrant.competitor = identity;
                break;
            }
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
            (Some(first), Some(second)) => {
                let members: Vec<String> =
                    [first, second].into_iter().chain(names).map(str::to_owned).collect();
                NamedEntrant {
                    competitor: self.teams.first(cell, &members),
                    members,
                    ..NamedEntrant::new(EntrantKind::Team, cell)
                }
            }
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

/// Returns the column of members. A column of numbers counts them, and is none.
pub(crate) fn find_members_column(table: &HeaderTable) -> Result<Option<usize>, FileReadError> {
    let column = table.find_column(ColumnMeaning::Members)?;
    Ok(column.filter(|&column| !is_numeric(table, column)))
}

/// True if all cells that are not blank are whole numbers.
pub(crate) fn is_numeric(table: &HeaderTable, column: usize) -> bool {
    table.holds_only(column, |cell| cell.bytes().all(|byte| byte.is_ascii_digit()))
}
