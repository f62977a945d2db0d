//! The width of the terminal, and text and tables that fit it.

use std::io::IsTerminal;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The smallest width that lines are made for, in columns.
const MIN_WIDTH: usize = 20;

/// The width below which text is not shortened as long as another column can be dropped.
const COMFORTABLE_TEXT: usize = 24;

/// The width below which text is not shortened as long as an important column can be dropped.
const READABLE_TEXT: usize = 10;

/// The first columns, which are never dropped.
const FIXED_COLUMNS: usize = 2;

/// The columns around a cell: one space on each side.
const PADDING: usize = 2;

/// Returns the columns that a line of the result may fill: those of the terminal, else `COLUMNS`.
/// `None` in files and pipes, whose lines may have any width.
pub(crate) fn line_width() -> Option<usize> {
    let out = std::io::stdout();
    let width = if out.is_terminal() {
        terminal_size::terminal_size_of(out).map(|(width, _)| usize::from(width.0))
    } else {
        std::env::var("COLUMNS").ok()?.parse().ok()
    };
    // A terminal that does not know its width reports 0.
    width.filter(|width| *width > 0).map(|width| width.max(MIN_WIDTH))
}

/// Breaks a line between words, and longer words anywhere. Further lines are indented by `indent`, or
/// by two columns more than the first.
/// A line with a command stays whole, so that the command can be copied.
pub(super) fn wrap(line: &str, width: usize, indent: usize) -> Vec<String> {
    if line.width() <= width || line.contains("ranklore ") {
        return vec![line.to_owned()];
    }
    let begin = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat(indent.max(begin + 2).min(width / 2));
    let mut lines = Vec::new();
    let mut current = line[..begin].to_owned();
    let mut is_first = true;
    for word in line[begin..].split(' ') {
        if !is_first && current.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut current, indent.clone()));
        } else if !is_first {
            current.push(' ');
        }
        for character in word.graphemes(true) {
            if current.width() + character.width() > width {
                lines.push(std::mem::replace(&mut current, indent.clone()));
            }
            current.push_str(character);
        }
        is_first = false;
    }
    lines.push(current);
    lines
}

/// A column that has to fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnWidth {
    /// The width of its widest cell or its heading.
    pub(super) natural: usize,
    /// True if its cells may be shortened.
    pub(super) is_text: bool,
    /// True if all other columns are dropped before it.
    pub(super) is_important: bool,
}

/// Returns the widths of columns in a table that fits `width`; `None` for a column to drop.
///
/// Columns are dropped from the right, important ones last, and the first two never. Text is
/// shortened to what remains, and before that only what is wider than a usual name.
pub(super) fn fit(columns: &[ColumnWidth], width: usize) -> Vec<Option<usize>> {
    // A column without texts has no width, and no spaces around it.
    let mut visible: Vec<bool> = columns.iter().map(|column| column.natural > 0).collect();
    for (text, drops_important) in [(COMFORTABLE_TEXT, false), (READABLE_TEXT, true)] {
        for at in (FIXED_COLUMNS..columns.len()).rev() {
            let is_droppable = visible[at] && (drops_important || !columns[at].is_important);
            if is_droppable && table_width(columns, &visible, text) > width {
                visible[at] = false;
            }
        }
    }
    let widest = columns.iter().map(|column| column.natural).max();
    let mut text = widest.unwrap_or(1);
    while text > 1 && table_width(columns, &visible, text) > width {
        text -= 1;
    }
    // Equal shares leave a rest, which goes to the first texts, a column each.
    let mut rest = width.saturating_sub(table_width(columns, &visible, text));
    let columns = columns.iter().zip(visible);
    columns
        .map(|(column, is_visible)| {
            let shortened = column.shortened(text);
            let cut = column.natural - shortened;
            let extra = rest.min(cut).min(usize::from(is_visible));
            rest -= extra;
            is_visible.then_some(shortened + extra)
        })
        .collect()
}

impl ColumnWidth {
    /// Returns the width with text of at most `text` columns.
    fn shortened(self, text: usize) -> usize {
        if self.is_text {
            self.natural.min(text)
        } else {
            self.natural
        }
    }
}

fn table_width(columns: &[ColumnWidth], visible: &[bool], text: usize) -> usize {
    let columns = columns.iter().zip(visible).filter(|(_, v)| **v);
    let widths = columns.map(|(column, _)| column.shortened(text) + PADDING);
    let width: usize = widths.sum();
    // No space follows the last cell.
    width.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns columns: `n` a number, `t` a text, `!` an important one.
    fn columns(kinds: &[(usize, &str)]) -> Vec<ColumnWidth> {
        let column = |&(natural, kind): &(usize, &str)| ColumnWidth {
            natural,
            is_text: kind.contains('t'),
            is_important: kind.contains('!'),
        };
        kinds.iter().map(column).collect()
    }

    #[test]
    fn wide_enough_tables_are_unchanged() {
        let columns = columns(&[(5, "n"), (90, "t"), (3, "n")]);
        assert_eq!(fit(&columns, 103), [Some(5), Some(90), Some(3)]);
        assert_eq!(fit(&columns, 102), [Some(5), Some(89), Some(3)]);
        assert_eq!(fit(&[], 20), []);
    }

    #[test]
    fn columns_are_dropped_before_text_is_shortened() {
        let columns = columns(&[(5, "n"), (20, "t"), (6, "n!"), (4, "n"), (12, "n")]);
        let whole = 5 + 20 + 6 + 4 + 12 + 5 * 2 - 1;
        assert_eq!(fit(&columns, whole), [Some(5), Some(20), Some(6), Some(4), Some(12)]);
        assert_eq!(fit(&columns, whole - 1), [Some(5), Some(20), Some(6), Some(4), None]);
        assert_eq!(fit(&columns, 41), [Some(5), Some(20), Some(6), None, None]);
        assert_eq!(fit(&columns, 30), [Some(5), Some(14), Some(6), None, None]);
        assert_eq!(fit(&columns, 20), [Some(5), Some(12), None, None, None]);
    }

    #[test]
    fn long_text_does_not_drop_other_columns() {
        let columns = columns(&[(5, "n"), (300, "t"), (6, "n!"), (4, "n")]);
        assert_eq!(fit(&columns, 80), [Some(5), Some(58), Some(6), Some(4)]);
    }

    #[test]
    fn several_texts_share_the_width() {
        let columns = columns(&[(30, "t"), (8, "t"), (60, "t!")]);
        assert_eq!(fit(&columns, 64), [Some(26), Some(8), Some(25)]);
        // A number that does not fit remains: a part of it would be wrong.
        assert_eq!(fit(&[columns_number(40)], 20), [Some(40)]);
    }

    const fn columns_number(natural: usize) -> ColumnWidth {
        ColumnWidth {
            natural,
            is_text: false,
            is_important: false,
        }
    }

    #[test]
    fn lines_break_between_words() {
        let line = "run 1 by elo-mmr: 4 contests, the newest on 2023-11-16";
        let lines = wrap(line, 24, 0);
        assert_eq!(
            lines,
            [
                "run 1 by elo-mmr: 4",
                "  contests, the newest",
                "  on 2023-11-16"
            ]
        );
        assert_eq!(wrap(line, 60, 0), [line]);
        assert_eq!(wrap("", 20, 0), [""]);
        assert_eq!(wrap("  a b", 4, 0), ["  a", "  b"]);
    }

    #[test]
    fn long_words_break_between_graphemes() {
        let name = "e\u{301}".repeat(30);
        let lines = wrap(&format!("of {name}"), 20, 0);
        assert!(lines.iter().all(|line| line.width() <= 20), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), format!("of{name}"));
        assert!(wrap(&"王".repeat(50), 21, 0).iter().all(|line| line.width() <= 21));
    }

    #[test]
    fn commands_stay_whole() {
        let line = "run 1 is stale; update it: ranklore rate club --db elsewhere.sqlite";
        assert_eq!(wrap(line, 20, 0), [line]);
    }
}
