//! Pages of long lists.

use ranklore_views::{Extent, Page};
use serde::Serialize;

use crate::output::{format_count, output_format, print_line};

/// The rows of a list for people without `--limit`.
const PAGE_ROWS: usize = 25;

/// Returns the part of a list to show: without `--limit` all rows, or those of a page for people.
pub(crate) fn shown_page(page: Page) -> Page {
    if output_format().is_data() {
        page
    } else {
        page.or_limit(PAGE_ROWS)
    }
}

/// Returns the page of a list, with the length of the list.
pub(crate) fn list_page<R>(page: Page, rows: Vec<R>) -> ListPage<R> {
    ListPage {
        total: rows.len(),
        offset: page.offset,
        rows: shown_page(page).select(rows),
    }
}

/// Returns the text about the rows after a page; `None` if there are none.
pub(crate) fn describe_rest(extent: Extent) -> Option<String> {
    let Extent { offset, total, .. } = extent;
    if extent.rows == 0 && offset < total {
        // An empty page has no next page.
        return Some(format!("{} more", format_count(total - offset)));
    }
    if offset > 0 && offset >= total {
        return Some(format!("{} in total", format_count(total)));
    }
    let next = extent.next_offset()?;
    Some(format!("{} more: --offset {next}", format_count(total - next)))
}

/// Prints the text about the rows after a page of a list, if there are any.
pub(crate) fn print_rest(extent: Option<Extent>) -> std::io::Result<()> {
    extent.and_then(describe_rest).map_or(Ok(()), |rest| print_line(&rest))
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

impl<R> ListPage<R> {
    pub(crate) const fn extent(&self) -> Extent {
        Extent::new(self.offset, self.rows.len(), self.total)
    }
}

#[cfg(test)]
mod tests {
    use ranklore_views::{Extent, Page};

    use super::{describe_rest, list_page};

    #[test]
    fn rest_of_list_is_described() {
        for (limit, offset, text) in [
            (usize::MAX, 0, Some("35 more: --offset 25")),
            (25, 0, Some("35 more: --offset 25")),
            (60, 0, None),
            (25, 50, None),
            (0, 0, Some("60 more")),
            (0, 20, Some("40 more")),
            (25, 60, Some("60 in total")),
        ] {
            let list = list_page(Page { offset, limit }, (0..60).collect());
            let rest = describe_rest(list.extent());
            assert_eq!(rest.as_deref(), text, "{limit:?} {offset}");
        }
        assert_eq!(describe_rest(Extent::new(0, 0, 0)), None);
    }
}
