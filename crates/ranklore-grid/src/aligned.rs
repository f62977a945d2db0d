//! Recognises text tables whose columns are aligned with blanks.

use std::ops::Range;

use crate::headings::Headings;

/// The fewest lines whose blanks hardly agree by chance, with the headings.
const MIN_LINES: usize = 4;

/// The longest line in characters.
const MAX_WIDTH: usize = 2_000;

/// The mark between cells of the text that [`split_aligned`] returns.
pub(crate) const MARK: u8 = b'|';

/// The most lines of titles above the headings.
const MAX_TITLES: usize = 5;

/// Returns the text with bars between its columns if all lines have the same gaps: of two blanks or
/// more, or those of a ruler of dashes below the headings. If headings are known, titles can stand above
/// them, the first column can number the rows without a heading (`#`), and gaps can be of any width if they
/// split each line alike. `None` if lines have delimiters.
pub(crate) fn split_aligned(text: &str, headings: &dyn Headings) -> Option<String> {
    let first = text.lines().find(|line| !is_blank(line))?;
    if first.contains(',') || has_mark(first) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let top = lines.iter().position(|line| !is_blank(line))?;
    let below_titles = find_below_titles(&lines[top..]).map(|line| top + line);
    let mut tops = [Some(top), below_titles].into_iter().flatten();
    tops.find_map(|top| {
        let (titles, table) = lines.split_at(top);
        let rows = split_rows(table, headings, titles.iter().all(|line| is_blank(line)))?;
        let titles = titles.iter().map(|line| format!("{line}\n"));
        Some(titles.chain(rows).collect())
    })
}

/// Returns the first line behind the last blank one, if what stands above are a few titles.
fn find_below_titles(lines: &[&str]) -> Option<usize> {
    let last = lines.iter().rposition(|line| !is_blank(line))?;
    let top = lines[..last].iter().rposition(|line| is_blank(line))? + 1;
    let mut titles = lines[..top].iter().filter(|line| !is_blank(line));
    let is_title = |line: &&str| split_gaps(line).len() == 1 && !has_mark(line);
    (titles.clone().count() <= MAX_TITLES && titles.all(is_title)).then_some(top)
}

/// Returns the rows of a table with bars, and blank lines for those that are no rows.
fn split_rows(lines: &[&str], headings: &dyn Headings, is_alone: bool) -> Option<Vec<String>> {
    let rows: Vec<&str> = lines.iter().copied().filter(|line| !is_blank(line)).collect();
    // Names can have commas: Lee, Cy.
    let with_comma = rows.iter().filter(|line| line.contains(',')).count();
    if rows.len() < MIN_LINES || rows.iter().any(|l| has_mark(l)) || 2 * with_comma > rows.len() {
        return None;
    }
    let has_ruler = rows.iter().any(|line| is_ruler(line));
    let columns = find_columns(&rows, if has_ruler { 1 } else { 2 });
    let rows: Vec<&str> = rows.into_iter().filter(|line| !is_ruler(line)).collect();
    let by_columns = columns
        .map(Gaps::Columns)
        .filter(|gaps| gaps.split_columns_below(&rows, headings, is_alone));
    let gaps = by_columns.or_else(|| are_alike(&rows, headings).then_some(Gaps::Uneven))?;
    let row = |(index, line): (usize, &&str)| {
        if is_ruler(line) || is_blank(line) {
            return "\n".to_owned();
        }
        let mut cells = gaps.split(line);
        if index == 0 && is_blank(&cells[0]) {
            "#".clone_into(&mut cells[0]);
        }
        cells.join("|") + "\n"
    };
    Some(lines.iter().enumerate().map(row).collect())
}

/// The gaps between the cells of a line.
enum Gaps {
    /// Gaps between these ranges of characters.
    Columns(Vec<Range<usize>>),
    /// Gaps of two blanks or more.
    Uneven,
}

impl Gaps {
    fn split(&self, line: &str) -> Vec<String> {
        match self {
            Self::Columns(columns) => split_columns(line, columns),
            Self::Uneven => split_gaps(line).into_iter().map(str::to_owned).collect(),
        }
    }

    /// True if the first row has the headings of the columns below it.
    fn split_columns_below(&self, rows: &[&str], headings: &dyn Headings, is_alone: bool) -> bool {
        let titles = self.split(rows[0]);
        let are_known = are_known(titles.iter().map(String::as_str), headings);
        match titles.iter().rposition(|title| is_blank(title)) {
            None => is_alone || are_known,
            Some(0) => are_known && are_ranks(rows[1..].iter().map(|line| self.split(line))),
            // A column without a heading is a gap within names.
            Some(_) => false,
        }
    }
}

/// True if all rows below known headings, which stand once, have as many cells, and columns of numbers
/// have no two in a cell.
fn are_alike(rows: &[&str], headings: &dyn Headings) -> bool {
    let titles = split_gaps(rows[0]);
    let mut numbers = vec![0_usize; titles.len()];
    let mut has_blanks = vec![false; titles.len()];
    for line in &rows[1..] {
        let cells = split_gaps(line);
        if cells.len() != titles.len() || cells == titles {
            return false;
        }
        for (column, cell) in cells.iter().enumerate() {
            numbers[column] += usize::from(!cell.contains(|c: char| c.is_alphabetic()));
            has_blanks[column] |= cell.contains(' ');
        }
    }
    let mut columns = numbers.into_iter().zip(has_blanks);
    are_known(titles.iter().copied(), headings)
        && columns.all(|(numbers, has_blanks)| 2 * numbers < rows.len() || !has_blanks)
}

/// True if several headings are known.
fn are_known<'t>(titles: impl Iterator<Item = &'t str>, headings: &dyn Headings) -> bool {
    titles.filter(|title| headings.role(title.trim()).is_some()).count() > 1
}

/// True if the first cells are places from 1 to at most the number of rows.
fn are_ranks(rows: impl Iterator<Item = Vec<String>>) -> bool {
    let rank = |row: Vec<String>| row[0].trim().trim_end_matches('.').parse().ok();
    let ranks: Option<Vec<usize>> = rows.map(rank).collect();
    ranks.is_some_and(|ranks| {
        ranks.contains(&1) && ranks.iter().all(|rank| (1..=ranks.len()).contains(rank))
    })
}

fn split_columns(line: &str, columns: &[Range<usize>]) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let cell = |range: &Range<usize>| -> String {
        chars.iter().skip(range.start).take(range.len()).collect()
    };
    columns.iter().map(cell).collect()
}

/// Splits a line at its gaps of two blanks or more.
fn split_gaps(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn has_mark(line: &str) -> bool {
    line.contains([';', '\t', '|', '"'])
}

/// Returns the ranges of characters between the gaps that all lines have; `None` if there are not
/// two.
fn find_columns(lines: &[&str], min_gap: usize) -> Option<Vec<Range<usize>>> {
    let width = lines.iter().map(|line| line.chars().count()).max()?;
    if width > MAX_WIDTH {
        return None;
    }
    let mut is_filled = vec![false; width];
    for line in lines {
        for (at, c) in line.chars().enumerate() {
            is_filled[at] |= !c.is_whitespace();
        }
    }
    let mut columns: Vec<Range<usize>> = Vec::new();
    for at in (0..width).filter(|&at| is_filled[at]) {
        match columns.last_mut().filter(|last| at < last.end + min_gap) {
            Some(last) => last.end = at + 1,
            None => columns.push(at..at + 1),
        }
    }
    (columns.len() > 1).then_some(columns)
}

/// True for a line of dashes.
fn is_ruler(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '-' | ' ' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headings::FieldRole;

    /// Knows the headings of the tests.
    struct FewHeadings;

    impl Headings for FewHeadings {
        fn role(&self, heading: &str) -> Option<FieldRole> {
            ["Pos", "Name", "Pts"].contains(&heading).then_some(FieldRole::Other)
        }

        fn field_role(&self, path: &str) -> Option<FieldRole> {
            self.role(path)
        }

        fn is_stated(&self, _heading: &str) -> bool {
            false
        }
    }

    /// Returns the trimmed cells of a text, joined by bars.
    fn split(text: &str) -> Option<String> {
        let split = split_aligned(text, &FewHeadings)?;
        let rows = split.lines().map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let rows: Vec<String> = rows.map(|row| row.join("|")).collect();
        Some(rows.join("\n"))
    }

    #[test]
    fn aligned_columns_are_split() {
        let text = "Pos  Name        Time\n  1  Ann Ash    12:34\n  2  Lee, Cy    12:50\n 10  Bo\n";
        let cells = "Pos|Name|Time\n1|Ann Ash|12:34\n2|Lee, Cy|12:50\n10|Bo|";
        assert_eq!(split(text).unwrap(), cells);
        let ruled = "rank name    pts\n---- ------- ---\n1    Ann Ash 9\n2    Bo      7\n";
        assert_eq!(split(ruled).unwrap(), "rank|name|pts\n\n1|Ann Ash|9\n2|Bo|7");
    }

    #[test]
    fn known_headings_allow_other_forms() {
        let ranked = "     Name     Pts\n1.   Ann Ash    9\n2.   Bo         7\n2.   Cy         7\n";
        assert_eq!(split(ranked).unwrap(), "#|Name|Pts\n1.|Ann Ash|9\n2.|Bo|7\n2.|Cy|7");
        let uneven = "Name  Pts\nAnn Ash  9\nBartholomew  7\nCy  5\n";
        assert_eq!(split(uneven).unwrap(), "Name|Pts\nAnn Ash|9\nBartholomew|7\nCy|5");
        let titled = "Harbour Open\n\nName  Pts\nAnn     9\nBo      7\nCy      5\n";
        assert_eq!(split(titled).unwrap(), "Harbour Open\n\nName|Pts\nAnn|9\nBo|7\nCy|5");
        for other in [
            "     Name     Pts\n11   Ann        9\n12   Bo         7\n13   Cy         5\n",
            "     Team     Wins\n1    Ann        9\n2    Bo         7\n3    Cy         5\n",
            "Name  Pts\nAnn Ash  9\nBartholomew\nCy  5\n",
            "Name  Pts\nAnn     9\nBo      7\n\nName  Pts\nCy      5\nDi  3\nEd  1\n",
            "Ann  9\n\nName  Pts\nAnn     9\nBo      7\nCy      5\n",
        ] {
            assert_eq!(split_aligned(other, &FewHeadings), None, "{other}");
        }
    }

    #[test]
    fn other_texts_are_not() {
        for text in [
            "",
            "Pos  Name\n1  Ann\n2  Bo\n",
            "Pos  Name\n1 Ann  Ash\n2  Bo\n3  Cy\n",
            "Pos,Name  x\n1,Ann  y\n2,Bo  y\n3,Cy  z\n",
            "Pos  Name\n1,Ann\n2,Bo\n3,Cy\n",
            "Pos  Name\n1;  Ann\n2;  Bo\n3;  Cy\n",
            "Results  of\nthe club race 2024\n1  Ann\n2  Bo\n",
        ] {
            assert_eq!(split_aligned(text, &FewHeadings), None, "{text}");
        }
    }
}
