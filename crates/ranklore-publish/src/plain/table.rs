//! Definitions of plain tables and their values.

/// Maximum bytes of a text that is written.
pub(super) const MAX_TEXT_BYTES: usize = 1 << 20;

/// A plain table.
#[derive(Clone, Copy, Debug)]
pub struct PlainTable<'a> {
    /// The table name: any text that does not begin with `sqlite_`.
    pub name: &'a str,
    /// The columns in order, at most 500.
    pub columns: &'a [PlainColumn<'a>],
    /// The primary key columns; empty for none. Keys are unique.
    pub key: &'a [&'a str],
    /// The foreign keys.
    pub references: &'a [PlainReference<'a>],
    /// The columns of each further index.
    pub indices: &'a [&'a [&'a str]],
}

/// A column of a [`PlainTable`].
#[derive(Clone, Copy, Debug)]
pub struct PlainColumn<'a> {
    /// The column name: any text but `rowid`, the position of the row in the table.
    pub name: &'a str,
    /// The type of the values.
    pub kind: PlainKind,
    /// True if the column may hold [`PlainValue::Null`]. Always false for key columns.
    pub nullable: bool,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// Holds [`PlainValue::Text`].
    Text,
    /// Holds [`PlainValue::Integer`].
    Integer,
    /// Holds [`PlainValue::Real`] except NaN.
    Real,
    /// Holds [`PlainValue::Integer`] 0 or 1.
    Boolean,
}

/// A foreign key of a [`PlainTable`].
#[derive(Clone, Copy, Debug)]
pub struct PlainReference<'a> {
    /// The referencing columns.
    pub columns: &'a [&'a str],
    /// The referenced table, defined before or after this one.
    pub table: &'a str,
    /// The referenced columns: its key.
    pub to: &'a [&'a str],
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainValue<'v> {
    /// No value.
    Null,
    /// A text of at most 1 MiB; all texts of a row total less than 16 MiB.
    Text(&'v str),
    /// An integer, or a boolean as 0 or 1.
    Integer(i64),
    /// A number of any size. The sign of zero is lost.
    Real(f64),
}
