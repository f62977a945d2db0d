//! Columns that name both competitors of a game in one cell: `Ada Lark vs. Bea Sand`.

use crate::values::cells::is_blank;
use ranklore_grid::CellGrid;

/// The text between two competitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Versus {
    /// A word such as `vs.`.
    Word,
    /// A dash between spaces. Single names can have one, too.
    Dash,
}

impl Versus {
    /// Returns both names, if there is exactly one separator between them.
    pub(crate) fn split(self, cell: &str) -> Option<[&str; 2]> {
        let is_separator = |word: &str| match self {
            Self::Word => matches!(word, "vs" | "vs." | "VS" | "VS." | "Vs" | "Vs." | "v" | "v."),
            Self::Dash => matches!(word, "-" | "–" | "—"),
        };
        let mut separators = cell.split_whitespace().filter(|word| is_separator(word));
        let separator = separators.next().filter(|_| separators.next().is_none())?;
        // A word is part of the cell, so that their distance is its position.
        let start = separator.as_ptr() as usize - cell.as_ptr() as usize;
        let one = cell[..start].trim();
        let two = cell[start + separator.len()..].trim();
        (!is_blank(one) && !is_blank(two)).then_some([one, two])
    }
}

/// Returns the column below a row of headings in which each cell names two competitors.
pub(crate) fn find_joint_names(
    grid: &CellGrid,
    header_row: usize,
    is_candidate: impl Fn(usize) -> bool,
) -> Option<(usize, Versus)> {
    let rows = header_row + 1..grid.row_count();
    let holds_pairs = |column: usize, versus: Versus| {
        let cells = rows.clone().map(|row| grid.cell(row, column));
        let mut cells = cells.filter(|cell| !is_blank(cell)).peekable();
        cells.peek().is_some() && cells.all(|cell| versus.split(cell).is_some())
    };
    let candidates = || (0..grid.width(header_row)).filter(|&column| is_candidate(column));
    [Versus::Word, Versus::Dash].into_iter().find_map(|versus| {
        let column = candidates().find(|&column| holds_pairs(column, versus))?;
        Some((column, versus))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_names_are_split() {
        let names = Some(["Ada Lark", "Bea"]);
        for cell in [
            "Ada Lark vs. Bea",
            "Ada Lark vs Bea",
            "Ada Lark  v Bea",
            "Ada Lark VS Bea",
        ] {
            assert_eq!(Versus::Word.split(cell), names, "{cell}");
        }
        for cell in [
            "",
            "vs",
            "Ada vs",
            "vs. Bea",
            "Ada vs Bea vs Cy",
            "Ada-Bea",
            "Silvs Bea",
        ] {
            assert_eq!(Versus::Word.split(cell), None, "{cell}");
        }
        assert_eq!(Versus::Dash.split("Ada Lark – Bea"), names);
        assert_eq!(Versus::Dash.split("Jean-Luc"), None);
    }
}
