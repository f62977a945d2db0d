//! Pages of long lists.

use clap::Args;
use ranklore_replay::Page;
use serde::Serialize;

use crate::output::{format_count, output_format, print_line};

/// The rows of a list for people without `--limit`.
const PAGE_ROWS: usize = 25;

/// The part of a list to show.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PagingArgs {
    /// Rows to show [default: 25 in tables and Markdown, all in the other formats]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Rows to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,
}

impl PagingArgs {
    /// Returns the rows of the page.
    pub(crate) fn select<I: IntoIterator>(self, rows: I) -> Vec<I::Item> {
        self.page().select(rows)
    }

    /// Returns the part of the list: without `--limit` all rows, or those of a page for people.
    pub(crate) fn page(self) -> Page {
        let is_data = output_format().is_data();
        let default_limit = if is_data { usize::MAX } else { PAGE_ROWS };
        Page {
            offset: self.offset,
            limit: self.limit.unwrap_or(default_limit),
        }
    }

    /// Returns the page of a list, with the length of the list.
    pub(crate) fn list<R>(self, rows: Vec<R>) -> ListPage<R> {
        ListPage {
            total: rows.len(),
            offset: self.offset,
            rows: self.select(rows),
        }
    }

    /// Returns the text about the rows after a page of `row_count` rows; `None` if there are none.
    pub(crate) fn describe_rest(self, total: usize, row_count: usize) -> Option<String> {
        let next_offset = self.offset.saturating_add(row_count);
        if row_count == 0 && self.offset < total {
            // An empty page has no next page.
            let rest = format_count((total - self.offset) as u64);
            return Some(format!("{rest} more"));
        }
        if self.offset > 0 && self.offset >= total {
            Some(format!("{} in total", format_count(total as u64)))
        } else if total > next_offset {
            let rest = format_count((total - next_offset) as u64);
            Some(format!("{rest} more: --offset {next_offset}"))
        } else {
            None
        }
    }

    /// Prints the text about the rows after the page, if there are any.
    pub(crate) fn print_rest(self, total: usize, row_count: usize) -> std::io::Result<()> {
        self.describe_rest(total, row_count).map_or(Ok(()), |rest| print_line(&rest))
    }
}

/// A page of a list, as JSON.
#[derive(Serialize)]
pub(crate) struct ListPage<R> {
    /// The number of rows on all pages.
    pub(crate) total: usize,
    /// The number of rows before this page.
    pub(crate) offset: usize,
    /// The rows of this page.
    pub(crate) rows: Vec<R>,
}

#[cfg(test)]
mod tests {
    use super::PagingArgs;

    #[test]
    fn rest_of_list_is_described() {
        for (limit, offset, text) in [
            (None, 0, Some("35 more: --offset 25")),
            (Some(25), 0, Some("35 more: --offset 25")),
            (Some(60), 0, None),
            (Some(25), 50, None),
            (Some(0), 0, Some("60 more")),
            (Some(0), 20, Some("40 more")),
            (Some(25), 60, Some("60 in total")),
        ] {
            let paging = PagingArgs { limit, offset };
            let row_count = paging.select(0..60).len();
            assert_eq!(paging.describe_rest(60, row_count).as_deref(), text, "{limit:?} {offset}");
        }
        let none = PagingArgs {
            limit: Some(0),
            offset: 0,
        };
        assert_eq!(none.describe_rest(0, 0), None);
    }
}
