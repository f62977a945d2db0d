//! Reads the competitors of a game: names, ids and members.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::options::{MemberSeparator, ReadOptions};
use crate::schema::games::GameColumns;
use crate::schema::people::identities::{check_ids_hold_for_table, is_absent, strip_zero_fraction};
use crate::schema::people::separators::{
    MEMBER_SEPARATOR, Separator, TeamSpellings, check_single_names, identify_by_members,
};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::nobody::is_unknown_name;
use crate::vocabulary::seats::{Pairing, Seat};
use crate::vocabulary::words::has_word;
use ranklore_contest::{EntrantKind, Quoted, compare_naturally};
use ranklore_grid::FileReadError;

/// The competitors in the rows of a table.
pub(super) struct Competitors<'t> {
    table: &'t HeaderTable,
    columns: &'t GameColumns,
    separator: Option<Separator>,
    teams: TeamSpellings,
    /// If some rows have no id: the names that have one in other rows, with the first row.
    with_id: HashMap<&'t str, usize>,
    /// The number of names without an id.
    unidentified: usize,
    /// The note about ids with names that share no word.
    shared_ids: Option<String>,
}

/// A competitor of a game.
pub(super) struct Competitor<'t> {
    pub(super) kind: EntrantKind,
    /// The id, or else the name.
    pub(super) identity: Cow<'t, str>,
    pub(super) name: Cow<'t, str>,
    pub(super) members: Vec<String>,
}

impl Competitor<'_> {
    /// True if a text names both members of a team of two, in any order: `Ada Bea`, `Bea / Ada`.
    pub(super) fn has_pair(&self, text: &str) -> bool {
        let [one, two] = &self.members[..] else {
            return false;
        };
        [[one, two], [two, one]].iter().any(|[first, second]| {
            let rest = text.strip_prefix(first.as_str());
            let between = rest.and_then(|rest| rest.strip_suffix(second.as_str()));
            between.is_some_and(|text| {
                !text.is_empty() && has_word(" / & + , ; - and und et y", text.trim())
            })
        })
    }
}

impl<'t> Competitors<'t> {
    /// Errors if cells look like several names and no option says so, or if ids seem to hold for
    /// one game.
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'t GameColumns,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let has_columns = columns.partners.is_some() || columns.list_members();
        let separator = if columns.list_members() {
            Some(Separator::Text(MEMBER_SEPARATOR.to_owned()))
        } else {
            Separator::from_options(options).filter(|_| !has_columns)
        };
        if options.members != Some(MemberSeparator::OneName) && !has_columns {
            let names = table
                .data_rows()
                .flat_map(|row| Seat::BOTH.map(|seat| (row, name_cell(table, columns, row, seat))));
            // People are at home and away too.
            let kind = match columns.pairing {
                Pairing::HomeAway => EntrantKind::Person,
                _ => columns.kind,
            };
            let column = (columns.names[0], kind);
            check_single_names(table, column, names, separator.as_ref())?;
        }
        let cells = table
            .data_rows()
            .flat_map(|row| Seat::BOTH.map(|seat| name_cell(table, columns, row, seat)));
        let separator = separator.map(|separator| {
            if has_columns {
                separator
            } else {
                separator.before_clubs(table, cells.clone())
            }
        });
        let mut competitors = Self {
            table,
            columns,
            teams: TeamSpellings::from_cells(cells, separator.as_ref()),
            separator,
            with_id: HashMap::new(),
            unidentified: 0,
            shared_ids: None,
        };
        if let Some(ids) = columns.ids {
            let pairs = [(ids[0], columns.names[0]), (ids[1], columns.names[1])];
            competitors.shared_ids = check_ids_hold_for_table(table, &pairs, options)?;
        }
        if columns.ids.is_some() || columns.same_name_by.is_some() {
            competitors.find_unidentified();
        }
        Ok(competitors)
    }

    fn find_unidentified(&mut self) {
        let rows = self.table.data_rows();
        let seats = || rows.clone().flat_map(|row| Seat::BOTH.map(|seat| (row, seat)));
        self.unidentified = seats()
            .filter(|&(row, seat)| self.id(row, seat).is_some_and(is_absent))
            .filter(|&(row, seat)| !is_blank(self.name(row, seat)))
            .count();
        if self.unidentified == 0 {
            return;
        }
        for (row, seat) in seats() {
            let id = self.id(row, seat).unwrap_or_default();
            if !is_absent(id) {
                let name = self.name(row, seat);
                self.with_id.entry(name).or_insert(row);
                // An id may be equal to the name of another competitor.
                if self.columns.ids.is_some() {
                    self.with_id.entry(id).or_insert(row);
                }
            }
        }
    }

    /// True if two games or more name an unknown competitor, such as "Unknown", without an id.
    pub(super) fn have_unknown_names(&self) -> bool {
        let is_unknown = |row| Seat::BOTH.iter().any(|&seat| is_unknown_name(self.name(row, seat)));
        let games = self.table.data_rows().filter(|&row| is_unknown(row));
        self.columns.ids.is_none() && games.take(2).count() == 2
    }

    /// Returns the cell with the name.
    pub(super) fn name(&self, row: usize, seat: Seat) -> &'t str {
        let mut cell = name_cell(self.table, self.columns, row, seat);
        // One person may stand in the column of the second member.
        if is_blank(cell) {
            cell = self.partner_cell(row, seat).unwrap_or(cell);
        }
        // Without names, these columns hold ids.
        if self.columns.ids.is_none() {
            strip_zero_fraction(cell)
        } else {
            cell
        }
    }

    /// Returns the column of ids, or the one that tells competitors of one name apart.
    fn id_column(&self, seat: Seat) -> Option<usize> {
        let ids = self.columns.ids.map(|ids| ids[seat.index()]);
        ids.or(self.columns.same_name_by)
    }

    fn id(&self, row: usize, seat: Seat) -> Option<&'t str> {
        let column = self.id_column(seat)?;
        Some(strip_zero_fraction(self.table.grid.cell(row, column)))
    }

    fn partner_cell(&self, row: usize, seat: Seat) -> Option<&'t str> {
        let partners = self.columns.partners?;
        Some(self.table.grid.cell(row, partners[seat.index()]))
    }

    /// Returns the cell with the second member, or an empty text for one person.
    fn partner(&self, row: usize, seat: Seat) -> Option<&'t str> {
        let partner = self.partner_cell(row, seat)?;
        let is_pair = !is_blank(name_cell(self.table, self.columns, row, seat));
        Some(if is_pair {
            partner
        } else {
            self.table.grid.empty()
        })
    }

    /// Returns the cells that identify a competitor.
    pub(super) fn key(&self, row: usize, seat: Seat) -> (&'t str, &'t str) {
        let id = self.id(row, seat).filter(|id| !is_absent(id));
        if self.columns.same_name_by.is_some() {
            return (self.name(row, seat), id.unwrap_or_default());
        }
        let partner = self.partner(row, seat).unwrap_or_default();
        (id.unwrap_or_else(|| self.name(row, seat)), partner)
    }

    /// Returns the competitor at a seat. Errors if the id is missing, or a name between others.
    pub(super) fn read(&self, row: usize, seat: Seat) -> Result<Competitor<'t>, String> {
        let name = self.name(row, seat);
        let mut competitor = Competitor {
            kind: self.columns.kind,
            identity: Cow::Borrowed(name),
            name: Cow::Borrowed(name),
            members: Vec::new(),
        };
        let partners = Seat::BOTH.map(|seat| self.partner(row, seat));
        // Beside doubles, a game without partners is one of two people.
        if partners.map(|partner| partner.is_some_and(is_blank)) == [true, true] {
            competitor.kind = EntrantKind::Person;
        } else if let Some(partner) = partners[seat.index()] {
            if is_blank(partner) {
                let is_second = self.partner_cell(row, seat).is_some_and(is_blank);
                let pair =
                    self.columns.partners.filter(|_| is_second).unwrap_or(self.columns.names);
                let column = pair[seat.index()];
                let column = self.table.describe_column(column);
                return Err(format!("{column} is blank: each team has two members"));
            }
            competitor.name = identify_by_members([name, partner]).into();
            competitor.identity.clone_from(&competitor.name);
            competitor.members = vec![name.to_owned(), partner.to_owned()];
            competitor.members.sort_unstable_by(|one, two| compare_naturally(one, two));
            return Ok(competitor);
        }
        if let Some(separator) = &self.separator {
            let names: Vec<String> = separator.split(name)?.map(str::to_owned).collect();
            if names.len() > 1 {
                competitor.kind = EntrantKind::Team;
                competitor.identity = self.teams.first(name, &names);
                competitor.name.clone_from(&competitor.identity);
                competitor.members = names;
            }
        }
        match self.id(row, seat) {
            Some(value) if !is_absent(value) && self.columns.same_name_by.is_some() => {
                competitor.identity = format!("{} ({value})", competitor.identity).into();
            }
            Some(id) if !is_absent(id) => competitor.identity = Cow::Borrowed(id),
            Some(_) => {
                if let Some(&other) = self.with_id.get(name) {
                    let column = self.id_column(seat).unwrap_or_default();
                    return Err(format!(
                        "{} has no value of {} here, and one on {}: fill it in",
                        Quoted(name),
                        self.table.describe_column(column),
                        self.table.grid.row_location(other)
                    ));
                }
            }
            None => {}
        }
        Ok(competitor)
    }

    /// Returns the notes about competitors without an id, and about ids of several names.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let clubs = self.separator.as_ref().and_then(Separator::note);
        self.describe_unidentified()
            .into_iter()
            .chain(self.shared_ids.clone())
            .chain(clubs)
    }

    fn describe_unidentified(&self) -> Option<String> {
        let names = match self.unidentified {
            0 => return None,
            1 => "1 competitor of a game has".to_owned(),
            count => format!("{count} competitors of games have"),
        };
        let value = match self.columns.same_name_by {
            Some(column) => format!("value of {}", self.table.describe_column(column)),
            None => "id".to_owned(),
        };
        Some(format!("{names} no {value}: the name alone identifies them"))
    }
}

/// Returns the part of a row that names a competitor: a cell, or one side of a cell with both.
fn name_cell<'t>(table: &'t HeaderTable, columns: &GameColumns, row: usize, seat: Seat) -> &'t str {
    let cell = table.grid.cell(row, columns.names[seat.index()]);
    match columns.versus {
        None => cell,
        Some(versus) => versus.split(cell).map_or(table.grid.empty(), |names| names[seat.index()]),
    }
}
