//! Pages of long lists.

/// The part of a list that a view returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows to skip.
    pub offset: usize,
    /// Rows to return at most.
    pub limit: usize,
}

impl Page {
    /// The whole list.
    pub const ALL: Self = Self {
        offset: 0,
        limit: usize::MAX,
    };

    /// Returns the rows of the page.
    pub fn select<I: IntoIterator>(self, rows: I) -> Vec<I::Item> {
        let rows = rows.into_iter().skip(self.offset);
        rows.take(self.limit).collect()
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::ALL
    }
}
