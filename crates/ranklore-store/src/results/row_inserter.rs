//! Multi-row inserts. During one statement SQLite keeps its cursor at the end of the table, so rows
//! in primary-key order need no search.

use rusqlite::{CachedStatement, Connection, Statement};

/// Rows per statement; more gain little.
const ROWS_PER_STATEMENT: usize = 64;

/// Inserts rows whose first columns are the same for all.
pub struct RowInserter<'c> {
    connection: &'c Connection,
    /// The table and its columns: first the fixed, then the varying ones.
    into: &'c str,
    /// Numbers of columns with one value for all rows, and of the others.
    fixed: usize,
    varying: usize,
    one: Option<CachedStatement<'c>>,
    many: Option<CachedStatement<'c>>,
}

impl<'c> RowInserter<'c> {
    /// Creates an inserter; statements are prepared on first use. `into` is the table with its
    /// columns, such as `t (a, b, c)`: first the `fixed` ones, with one value for all rows, then
    /// the varying ones.
    #[must_use]
    pub const fn new(
        connection: &'c Connection,
        into: &'c str,
        fixed: usize,
        varying: usize,
    ) -> Self {
        Self {
            connection,
            into,
            fixed,
            varying,
            one: None,
            many: None,
        }
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
        let (many, rest) = rows.split_at(rows.len() - rows.len() % ROWS_PER_STATEMENT);
        for (rows, at_once) in [(many, ROWS_PER_STATEMENT), (rest, 1)] {
            if rows.is_empty() {
                continue;
            }
            let mut statement = match self.prepared(at_once).take() {
                Some(statement) => statement,
                None => self.connection.prepare_cached(&self.sql(at_once))?,
            };
            for (index, value) in fixed.iter().enumerate() {
                statement.raw_bind_parameter(index + 1, value)?;
            }
            for chunk in rows.chunks(at_once) {
                for (index, row) in chunk.iter().enumerate() {
                    bind(&mut statement, 1 + self.fixed + index * self.varying, row)?;
                }
                statement.raw_execute()?;
            }
            *self.prepared(at_once) = Some(statement);
        }
        Ok(())
    }

    const fn prepared(&mut self, rows: usize) -> &mut Option<CachedStatement<'c>> {
        if rows == 1 {
            &mut self.one
        } else {
            &mut self.many
        }
    }

    fn sql(&self, rows: usize) -> String {
        let mut sql = format!("INSERT INTO {} VALUES ", self.into);
        for row in 0..rows {
            sql += if row == 0 { "(" } else { ",(" };
            let first = 1 + self.fixed + row * self.varying;
            let parameters = (1..=self.fixed).chain(first..first + self.varying);
            for (index, parameter) in parameters.enumerate() {
                sql += if index == 0 { "?" } else { ",?" };
                sql += &parameter.to_string();
            }
            sql += ")";
        }
        sql
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_rows_is_inserted() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE t (a, b, c)")
            .unwrap();
        for count in [
            0,
            1,
            ROWS_PER_STATEMENT - 1,
            ROWS_PER_STATEMENT,
            ROWS_PER_STATEMENT + 1,
            3 * ROWS_PER_STATEMENT + 5,
        ] {
            let rows: Vec<_> = (0..count as i64).collect();
            RowInserter::new(&connection, "t (a, b, c)", 1, 2)
                .insert(&[7], &rows, |row, at, &x| {
                    row.raw_bind_parameter(at, x)?;
                    row.raw_bind_parameter(at + 1, -x)
                })
                .unwrap();
            let mut query = connection
                .prepare("SELECT a, b, c FROM t ORDER BY b")
                .unwrap();
            let found: Vec<(i64, i64, i64)> = query
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            let expected: Vec<_> = rows.iter().map(|&x| (7, x, -x)).collect();
            assert_eq!(found, expected);
            connection.execute("DELETE FROM t", []).unwrap();
        }
    }
}
