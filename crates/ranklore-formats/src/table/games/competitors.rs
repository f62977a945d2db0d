//! Reads the competitors of a game: names, ids and members.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Seat;
use super::columns::GameColumns;
use crate::options::{MemberSeparator, ReadOptions};
use crate::reading::FileReadError;
use crate::table::header::HeaderTable;
use crate::table::members::{Separator, check_single_names};
use crate::table::people::identities::{check_ids_hold_for_table, is_absent, strip_zero_fraction};
use crate::table::values::cells::is_blank;
use ranklore_contest::{EntrantKind, Quoted, compare_naturally};

/// The competitors in the rows of a table.
pub(super) struct Competitors<'t> {
    table: &'t HeaderTable,
    columns: &'t GameColumns,
    separator: Option<Separator>,
    /// If some rows have no id: the names that have one in other rows, with the first row.
    with_id: HashMap<&'t str, usize>,
    /// The number of names without an id.
    unidentified: usize,
}

/// One competitor of a game.
pub(super) struct Competitor<'t> {
    pub(super) kind: EntrantKind,
    /// The id, or else the name.
    pub(super) identity: Cow<'t, str>,
    pub(super) name: Cow<'t, str>,
    pub(super) members: Vec<String>,
}

impl<'t> Competitors<'t> {
    /// Errors if cells look like several names and no option says so, or if ids seem to hold for
    /// one game.
    pub(super) fn new(
        table: &'t HeaderTable,
        columns: &'t GameColumns,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let separator = Separator::from_options(options).filter(|_| columns.partners.is_none());
        if options.members != Some(MemberSeparator::None) && columns.partners.is_none() {
            let cells = |row| {
                columns
                    .names
                    .map(|column| (row, table.grid.cell(row, column)))
            };
            let names = table.data_rows().flat_map(cells);
            check_single_names(table, columns.names[0], names, separator.as_ref())?;
        }
        let mut found = Self {
            table,
            columns,
            separator,
            with_id: HashMap::new(),
            unidentified: 0,
        };
        if let Some(ids) = columns.ids {
            let pairs = [(ids[0], columns.names[0]), (ids[1], columns.names[1])];
            check_ids_hold_for_table(table, &pairs, options)?;
            found.find_unidentified();
        }
        Ok(found)
    }

    fn find_unidentified(&mut self) {
        let cells = || {
            let rows = self.table.data_rows();
            rows.flat_map(|row| Seat::BOTH.map(|seat| (row, seat)))
        };
        let is_unidentified = |&(row, seat): &(usize, Seat)| {
            self.id(row, seat).is_some_and(is_absent) && !is_blank(self.name(row, seat))
        };
        let unidentified = cells().filter(is_unidentified).count();
        let mut with_id = HashMap::new();
        if unidentified > 0 {
            for (row, seat) in cells() {
                let id = self.id(row, seat).unwrap_or_default();
                if !is_absent(id) {
                    with_id.entry(self.name(row, seat)).or_insert(row);
                    with_id.entry(id).or_insert(row);
                }
            }
        }
        (self.unidentified, self.with_id) = (unidentified, with_id);
    }

    /// Returns the cell with the name.
    pub(super) fn name(&self, row: usize, seat: Seat) -> &'t str {
        let column = self.columns.names[seat.index()];
        let cell = self.table.grid.cell(row, column);
        if self.columns.ids.is_none() {
            strip_zero_fraction(cell)
        } else {
            cell
        }
    }

    fn id(&self, row: usize, seat: Seat) -> Option<&'t str> {
        let ids = self.columns.ids?;
        Some(strip_zero_fraction(
            self.table.grid.cell(row, ids[seat.index()]),
        ))
    }

    fn partner(&self, row: usize, seat: Seat) -> Option<&'t str> {
        let partners = self.columns.partners?;
        Some(self.table.grid.cell(row, partners[seat.index()]))
    }

    /// Returns the cells that identify a competitor.
    pub(super) fn key(&self, row: usize, seat: Seat) -> (&'t str, &'t str) {
        let id = self.id(row, seat).filter(|id| !is_absent(id));
        let partner = self.partner(row, seat).unwrap_or_default();
        (id.unwrap_or_else(|| self.name(row, seat)), partner)
    }

    /// Returns the competitor at a seat. Errors if the id is missing, or a name between others.
    pub(super) fn read(&self, row: usize, seat: Seat) -> Result<Competitor<'t>, String> {
        let name = self.name(row, seat);
        let mut found = Competitor {
            kind: self.columns.kind,
            identity: Cow::Borrowed(name),
            name: Cow::Borrowed(name),
            members: Vec::new(),
        };
        if let Some(partner) = self.partner(row, seat) {
            if is_blank(partner) {
                let column = self.columns.partners.unwrap_or_default()[seat.index()];
                let column = self.table.describe_column(column);
                return Err(format!("{column} is blank: each team has two members"));
            }
            found.members = vec![name.to_owned(), partner.to_owned()];
            // The order of members has no meaning.
            found
                .members
                .sort_unstable_by(|a, b| compare_naturally(a, b));
            found.name = found.members.join(" / ").into();
            found.identity.clone_from(&found.name);
            return Ok(found);
        }
        if let Some(separator) = &self.separator {
            let names: Vec<String> = separator.split(name)?.map(str::to_owned).collect();
            if names.len() > 1 {
                (found.kind, found.members) = (EntrantKind::Team, names);
            }
        }
        match self.id(row, seat) {
            Some(id) if !is_absent(id) => found.identity = Cow::Borrowed(id),
            Some(_) => {
                if let Some(&other) = self.with_id.get(name) {
                    let ids = self.columns.ids.unwrap_or_default();
                    return Err(format!(
                        "{} has no value of {} here, and one on {}: fill it in",
                        Quoted(name),
                        self.table.describe_column(ids[seat.index()]),
                        self.table.grid.row_location(other)
                    ));
                }
            }
            None => {}
        }
        Ok(found)
    }

    /// Returns the note about competitors without an id.
    pub(super) fn note(&self) -> Option<String> {
        let names = match self.unidentified {
            0 => return None,
            1 => "1 competitor of a game has".to_owned(),
            more => format!("{more} competitors of games have"),
        };
        Some(format!("{names} no id: the name alone identifies them"))
    }
}
