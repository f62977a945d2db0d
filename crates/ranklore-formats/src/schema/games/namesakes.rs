//! Teams of one name in several divisions, and the column that tells them apart.

use std::collections::HashMap;

use super::GameColumns;
use crate::options::ReadOptions;
use crate::schema::people::identities::{find_heading, is_absent};
use crate::schema::table::HeaderTable;
use crate::vocabulary::genders::is_gender_word;
use crate::vocabulary::kinds::{is_age_group, is_level_heading, is_team_division_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_contest::{EntrantKind, Quoted, shorten};
use ranklore_grid::{CommandOptions, FileReadError, Reason};

impl GameColumns {
    /// Reads the column that tells competitors of one name apart, as the user says. Errors if ids or
    /// members identify them.
    pub(super) fn read_same_name_by(
        &mut self,
        table: &HeaderTable,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let Some(heading) = &options.same_name_by else {
            return Ok(());
        };
        if let Some(ids) = self.ids {
            let reason = format!(
                "{} identify the competitors, so --same-name-by has no use: leave it out, or exclude the ids",
                table.describe_columns(&ids)
            );
            return Err(table.refuse_column(ids[0], reason));
        }
        if self.partners.is_some() || self.list_members() {
            return Err(table.refuse_headings(
                "--same-name-by has no use for teams in games, whose members identify them",
            ));
        }
        let column = find_heading(table, heading)?;
        self.same_name_by = Some(column);
        self.used.entry(column).or_insert("same name by");
        Ok(())
    }

    /// Errors if a team plays in several divisions of a column that is not read: several teams may
    /// have its name.
    pub(super) fn check_namesakes(
        &self,
        table: &HeaderTable,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let are_told_apart = self.ids.is_some()
            || self.same_name_by.is_some()
            || options.columns.values().any(|meaning| *meaning == ColumnMeaning::Division);
        if are_told_apart
            || self.kind != EntrantKind::Team
            || self.partners.is_some()
            || self.list_members()
            || !table.grid.limits().reader.refuses_doubts()
        {
            return Ok(());
        }
        let is_unstated = |column: &usize| !options.columns.contains_key(table.heading(*column));
        let divisions = self.division.into_iter().chain(self.event).filter(is_unstated);
        let ages = divisions.filter(|&column| holds_ages_or_genders(table, column));
        let unread = table.unread_columns(&self.used).into_iter();
        let unread = unread.filter(|&column| self.may_divide_teams(table, column));
        for column in ages.chain(unread) {
            if let Some((name, divisions)) = self.find_divided_name(table, column) {
                return Err(refuse_namesakes(table, column, name, divisions));
            }
        }
        Ok(())
    }

    /// True if the teams of one name in several cells of a column can be different ones.
    fn may_divide_teams(&self, table: &HeaderTable, column: usize) -> bool {
        let heading = table.heading(column);
        is_team_division_heading(heading)
            || holds_ages_or_genders(table, column)
            || (is_level_heading(heading) && !self.describes_events(table, column))
    }

    /// True if there are several events, each with one cell of a column.
    fn describes_events(&self, table: &HeaderTable, column: usize) -> bool {
        let mut cells: HashMap<&str, &str> = HashMap::new();
        table.data_rows().all(|row| {
            let cell = table.grid.cell(row, column);
            *cells.entry(table.cell(row, self.event)).or_insert(cell) == cell
        }) && cells.len() > 1
    }

    /// Returns the first name that plays in two divisions, and these.
    fn find_divided_name<'t>(
        &self,
        table: &'t HeaderTable,
        column: usize,
    ) -> Option<(&'t str, [&'t str; 2])> {
        let mut divisions: HashMap<&str, &str> = HashMap::new();
        table.data_rows().find_map(|row| {
            let division = table.grid.cell(row, column);
            let cells = self.names.map(|names| table.grid.cell(row, names));
            let names = match self.versus {
                None => cells,
                Some(versus) => versus.split(cells[0])?,
            };
            // A number is the id of one team.
            let is_name = |name: &&str| !is_absent(name) && name.parse::<u64>().is_err();
            let mut names = names.into_iter().filter(is_name).filter(|_| !is_absent(division));
            names.find_map(|name| {
                let first = *divisions.entry(name).or_insert(division);
                (first != division).then_some((name, [first, division]))
            })
        })
    }
}

/// True if all cells of a column are age groups or genders.
fn holds_ages_or_genders(table: &HeaderTable, column: usize) -> bool {
    table.holds_only(column, |cell| is_age_group(cell) || is_gender_word(cell))
}

fn refuse_namesakes(
    table: &HeaderTable,
    column: usize,
    name: &str,
    divisions: [&str; 2],
) -> FileReadError {
    let [name, first, second] =
        [name, divisions[0], divisions[1]].map(|text| Quoted(&shorten(text)).to_string());
    let problem =
        format!("{name} plays in {first} and {second} of {}", table.describe_column(column));
    let namesakes = CommandOptions::new("--same-name-by", table.heading(column));
    let cases = [
        (namesakes, "if these are different teams of one name"),
        (table.column_option(column, ColumnMeaning::Division), "if they are one team"),
    ];
    table.refuse_column(column, Reason::with_options(problem, cases))
}
