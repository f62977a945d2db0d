//! Multi-row inserts. During one statement SQLite keeps its cursor at the end of the table, so rows
//! in primary-key order need no search.

use rusqlite::{CachedStatement, Connection, Statement};

use crate::file::row_hash::TableRow;

/// Rows per statement, in descending order: more than 64 gain little, and games have two.
const ROWS_PER_STATEMENT: [usize; 3] = [64, 2, 1];

/// The statements that insert rows into a table, of which some columns are the same for all.
#[derive(Debug)]
pub struct RowInserts {
    /// Numbers of columns with one value for all rows, and of the others.
    fixed: usize,
    varying: usize,
    /// The statement for each number of rows.
    sql: [String; ROWS_PER_STATEMENT.len()],
}

impl RowInserts {
    /// Creates the statements. `into` is the table with its columns, such as `t (a, b, c)`: first the
    /// `fixed` ones, with one value for all rows, then the varying ones.
    #[must_use]
    pub fn new(into: &str, fixed: usize, varying: usize) -> Self {
        let sql = ROWS_PER_STATEMENT.map(|rows| {
            let mut sql = format!("INSERT INTO {into} VALUES ");
            for row in 0..rows {
                sql += if row == 0 { "(" } else { ",(" };
                let first = 1 + fixed + row * varying;
                let parameters = (1..=fixed).chain(first..first + varying);
                for (index, parameter) in parameters.enumerate() {
                    sql += if index == 0 { "?" } else { ",?" };
                    sql += &parameter.to_string();
                }
                sql += ")";
            }
            sql
        });
        Self {
            fixed,
            varying,
            sql,
        }
    }

    /// Creates the statements for rows of a table: after the columns `before`, of which the first
    /// `fixed` have one value for all rows, come those of the row.
    pub(crate) fn for_rows<T: TableRow>(before: &[&str], fixed: usize) -> Self {
        let columns = [before, T::COLUMNS].concat();
        let into = format!("{} ({})", T::TABLE, columns.join(", "));
        Self::new(&into, fixed, columns.len() - fixed)
    }
}

/// Inserts rows; statements are prepared on first use.
pub struct RowInserter<'c> {
    connection: &'c Connection,
    inserts: &'c RowInserts,
    statements: [Option<CachedStatement<'c>>; ROWS_PER_STATEMENT.len()],
}

impl<'c> RowInserter<'c> {
    /// Creates an inserter of rows by these statements.
    #[must_use]
    pub const fn new(connection: &'c Connection, inserts: &'c RowInserts) -> Self {
        Self {
            connection,
            inserts,
            statements: [None, None, None],
        }
    }

    /// Inserts rows of a table.
    pub(crate) fn insert_rows<T: TableRow>(
        &mut self,
        fixed: &[i64],
        rows: &[T],
    ) -> rusqlite::Result<()> {
        self.insert(fixed, rows, |statement, first, row| row.bind(statement, first))
    }

    /// Inserts `rows`. `bind` binds the varying columns of a row, from the given parameter on.
    ///
    /// # Errors
    /// The errors of `bind`, and of SQLite if it rejects a row.
    pub fn insert<T>(
        &mut self,
        fixed: &[i64],
        rows: &[T],
        bind: impl Fn(&mut Statement<'_>, usize, &T) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut rest = rows;
        for (size, at_once) in ROWS_PER_STATEMENT.into_iter().enumerate() {
            let (rows, fewer) = rest.split_at(rest.len() - rest.len() % at_once);
            rest = fewer;
            if rows.is_empty() {
                continue;
            }
            let statement = match &mut self.statements[size] {
                Some(statement) => statement,
                unprepared => {
                    unprepared.insert(self.connection.prepare_cached(&self.inserts.sql[size])?)
                }
            };
            for (index, value) in fixed.iter().enumerate() {
                statement.raw_bind_parameter(index + 1, value)?;
            }
            let first = 1 + self.inserts.fixed;
            for chunk in rows.chunks(at_once) {
                for (index, row) in chunk.iter().enumerate() {
                    bind(statement, first + index * self.inserts.varying, row)?;
                }
                statement.raw_execute()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_rows_is_inserted() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a, b, c)").unwrap();
        let inserts = RowInserts::new("t (a, b, c)", 1, 2);
        for count in [0, 1, 2, 3, 63, 64, 65, 66, 67, 3 * 64 + 5] {
            let rows: Vec<_> = (0..count).collect();
            RowInserter::new(&connection, &inserts)
                .insert(&[7], &rows, |row, at, &x| {
                    row.raw_bind_parameter(at, x)?;
                    row.raw_bind_parameter(at + 1, -x)
                })
                .unwrap();
            let mut query = connection.prepare("SELECT a, b, c FROM t ORDER BY b").unwrap();
            let stored: Vec<(i64, i64, i64)> = query
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            let expected: Vec<_> = rows.iter().map(|&x| (7, x, -x)).collect();
            assert_eq!(stored, expected);
            connection.execute("DELETE FROM t", []).unwrap();
        }
    }
}
