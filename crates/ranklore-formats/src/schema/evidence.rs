//! What a rule finds in the cells and headings of a table, and what follows from it.

use std::fmt;

use crate::schema::joined_columns::JoinedColumns;
use crate::vocabulary::meanings::ColumnMeaning;

/// The finding of a rule.
pub(crate) struct Evidence {
    /// The observation, for people: `"Overall" (C) holds a ranking beside times`.
    pub(crate) observation: String,
    pub(crate) changes: Vec<Change>,
}

/// A change of the candidates.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// The column alone has this meaning.
    Means(ColumnMeaning, usize),
    /// The column has none of the meanings that its heading proposes.
    MeansNothing(usize),
    /// The column has no known meaning, and its cells are no results.
    IsNoContest(usize),
    /// The columns are read as one, the left of them.
    Join(JoinedColumns),
    /// The column stays as it is, which the user should know.
    Note(String),
}

impl Change {
    /// Returns the column whose meaning changes, if it is one.
    pub(crate) const fn column(&self) -> Option<usize> {
        match self {
            Self::Means(_, column) | Self::MeansNothing(column) | Self::IsNoContest(column) => {
                Some(*column)
            }
            Self::Join(_) | Self::Note(_) => None,
        }
    }
}

impl Evidence {
    pub(crate) fn new(observation: impl Into<String>, changes: Vec<Change>) -> Self {
        Self {
            observation: observation.into(),
            changes,
        }
    }

    /// Returns the finding that columns are one with this meaning, which the user should know.
    pub(crate) fn join(
        columns: &[usize],
        meaning: ColumnMeaning,
        join: fn(&[&str]) -> String,
        note: String,
    ) -> Self {
        let joined = JoinedColumns {
            columns: columns.iter().map(|&column| (column, meaning)).collect(),
            join,
        };
        let left = joined.left();
        let changes = vec![
            Change::Join(joined),
            Change::Means(meaning, left),
            Change::Note(note.clone()),
        ];
        Self::new(note, changes)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.observation)
    }
}
