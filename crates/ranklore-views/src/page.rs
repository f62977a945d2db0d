//! Pages of long lists.

use clap::Args;

/// The part of a list that a view returns.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows to show [default: 25 in tables and Markdown, all in the other formats]
    #[arg(
        long,
        alias = "top",
        value_name = "N",
        default_value_t = usize::MAX,
        hide_default_value = true,
        display_order = 800
    )]
    pub limit: usize,
    /// Rows to skip
    #[arg(long, value_name = "N", default_value_t = 0, display_order = 801)]
    pub offset: usize,
}

impl Page {
    /// The whole list.
    pub const ALL: Self = Self {
        offset: 0,
        limit: usize::MAX,
    };

    /// Returns the page with a limit if it has none.
    #[must_use]
    pub const fn or_limit(self, limit: usize) -> Self {
        match self.limit {
            usize::MAX => Self { limit, ..self },
            _ => self,
        }
    }

    /// Returns the rows of the page.
    pub fn select<I: IntoIterator>(self, rows: I) -> Vec<I::Item> {
        let rows = rows.into_iter().skip(self.offset);
        rows.take(self.limit).collect()
    }
}

/// The rows of a page, and the number of those on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of rows before the page.
    pub offset: usize,
    /// The number of rows of the page.
    pub rows: usize,
    /// The number of rows on all pages.
    pub total: usize,
}

impl Extent {
    /// Creates the extent of a page.
    #[must_use]
    pub const fn new(offset: usize, rows: usize, total: usize) -> Self {
        Self {
            offset,
            rows,
            total,
        }
    }

    /// Returns the number of rows up to the end of the page.
    #[must_use]
    pub const fn end(self) -> usize {
        self.offset.saturating_add(self.rows)
    }

    /// Returns the rows before the next page; none on the last page.
    #[must_use]
    pub fn next_offset(self) -> Option<usize> {
        Some(self.end()).filter(|end| self.rows > 0 && *end < self.total)
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::ALL
    }
}
