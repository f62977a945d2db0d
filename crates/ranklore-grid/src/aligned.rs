//! Recognises text tables whose columns are aligned with blanks.

/// The fewest lines whose blanks hardly agree by chance, with the headings.
const MIN_LINES: usize = 4;

/// The longest line in characters.
const MAX_WIDTH: usize = 2_000;

/// The mark between cells of the text that [`split_aligned`] returns.
pub(crate) const MARK: u8 = b'|';

/// Returns the text with bars between its columns if all lines have the same gaps: of two blanks or
/// more, or those of a ruler of dashes below the headings. `None` if lines have delimiters.
pub(crate) fn split_aligned(text: &str) -> Option<String> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let has_mark = |line: &str| line.contains([';', '\t', '|', '"', ',']);
    if has_mark(first) {
        return None;
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    // Names can have commas: Lee, Cy.
    let with_comma = lines.iter().filter(|line| line.contains(',')).count();
    if lines.iter().any(|line| line.contains([';', '\t', '|', '"'])) || 2 * with_comma > lines.len()
    {
        return None;
    }
    let min_gap = if lines.iter().any(|line| is_ruler(line)) {
        1
    } else {
        2
    };
    let columns = find_columns(&lines, min_gap)?;
    let cells = |line: &str| -> Vec<String> {
        let chars: Vec<char> = line.chars().collect();
        let cell = |range: &std::ops::Range<usize>| -> String {
            chars.iter().skip(range.start).take(range.len()).collect()
        };
        columns.iter().map(cell).collect()
    };
    // A column without a heading is a gap within names.
    if lines.len() < MIN_LINES || cells(first).iter().any(|cell| cell.trim().is_empty()) {
        return None;
    }
    let split = text.lines().map(|line| {
        if is_ruler(line) || line.trim().is_empty() {
            "\n".to_owned()
        } else {
            cells(line).join("|") + "\n"
        }
    });
    Some(split.collect())
}

/// Returns the ranges of characters between the gaps that all lines have; `None` if there are not
/// two.
fn find_columns(lines: &[&str], min_gap: usize) -> Option<Vec<std::ops::Range<usize>>> {
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
    let mut columns: Vec<std::ops::Range<usize>> = Vec::new();
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

    /// Returns the trimmed cells of a text, joined by bars.
    fn split(text: &str) -> Option<String> {
        let split = split_aligned(text)?;
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
            assert_eq!(split_aligned(text), None, "{text}");
        }
    }
}
