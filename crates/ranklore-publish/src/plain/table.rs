//! Tables of plain columns and their values.

/// Bytes of the longest text that is written.
pub(super) const LONGEST_TEXT: usize = 1 << 20;

/// A table of plain columns.
#[derive(Clone, Copy, Debug)]
pub struct PlainTable<'a> {
    /// Any text; it does not begin with `sqlite_`.
    pub name: &'a str,
    /// In their order, at most 500.
    pub columns: &'a [PlainColumn<'a>],
    /// The columns of the primary key; none where it is empty. No two rows have the same.
    pub key: &'a [&'a str],
    /// Which columns refer to which other table.
    pub references: &'a [PlainReference<'a>],
    /// The columns of each further index.
    pub indices: &'a [&'a [&'a str]],
}

/// A column of a [`PlainTable`].
#[derive(Clone, Copy, Debug)]
pub struct PlainColumn<'a> {
    /// Any text but `rowid`, which is the place of the row in the table.
    pub name: &'a str,
    /// What it holds.
    pub kind: PlainKind,
    /// Whether it may hold [`PlainValue::Null`]. A column of the key may not.
    pub nullable: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// [`PlainValue::Text`].
    Text,
    /// [`PlainValue::Integer`].
    Integer,
    /// [`PlainValue::Real`], but for NaN.
    Real,
    /// [`PlainValue::Integer`], 0 or 1.
    Boolean,
}

/// That columns of a table name a row of another one.
#[derive(Clone, Copy, Debug)]
pub struct PlainReference<'a> {
    /// The columns that refer.
    pub columns: &'a [&'a str],
    /// The table referred to, before or after the one that refers.
    pub table: &'a str,
    /// Its key.
    pub to: &'a [&'a str],
}

/// What stands in a row and a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainValue<'v> {
    /// Nothing.
    Null,
    /// A text of at most 1 MiB; all of a row together stay under 16 MiB.
    Text(&'v str),
    /// A whole number, or a boolean as 0 or 1.
    Integer(i64),
    /// A number, as large or small as it may be. The sign of zero is not kept.
    Real(f64),
}
