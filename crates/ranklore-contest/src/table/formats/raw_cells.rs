//! Where in a text its cells lie.

use std::ops::Range;

use csv_core::{ReadFieldResult, ReaderBuilder};

/// A cell and the text it was read from.
pub(crate) struct RawCell<'c> {
    pub(crate) column: usize,
    /// Where it lies in the text, with its quotes.
    pub(crate) range: Range<usize>,
    /// What it says: without quotes, and doubled quotes once.
    pub(crate) value: &'c str,
}

/// Goes through the cells of a text, split as the csv crate splits it.
pub(crate) fn each_cell(text: &str, delimiter: u8, mut found: impl FnMut(&RawCell<'_>)) {
    let bytes = text.as_bytes();
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    let mut value = vec![0; 1024];
    let (mut at, mut begin, mut filled, mut column) = (0, 0, 0, 0);
    loop {
        let (result, taken, written) = reader.read_field(&bytes[at..], &mut value[filled..]);
        at += taken;
        filled += written;
        match result {
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::OutputFull => value.resize(value.len() * 2, 0),
            ReadFieldResult::Field { record_end } => {
                // The last cell of the text ends without a delimiter, on a call that takes nothing.
                let end = at - usize::from(taken > 0);
                // Line ends and blank lines stand before the first cell of the next row.
                while column == 0 && begin < end && matches!(bytes[begin], b'\r' | b'\n') {
                    begin += 1;
                }
                found(&RawCell {
                    column,
                    range: begin..end,
                    value: std::str::from_utf8(&value[..filled]).unwrap_or_default(),
                });
                (begin, filled) = (at, 0);
                column = if record_end { 0 } else { column + 1 };
            }
            ReadFieldResult::End => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_where_they_stand() {
        let long = "x".repeat(5000);
        for line_end in ["\n", "\r\n", "\r"] {
            let lines = [
                "a,\"b, \"\"c\"\"\"".to_owned(),
                String::new(),
                format!(" d ,{long},"),
                "\"e".to_owned(),
            ];
            let text = lines.join(line_end);
            let mut cells = Vec::new();
            each_cell(&text, b',', |cell| {
                let raw = text[cell.range.clone()].to_owned();
                cells.push((cell.column, raw, cell.value.to_owned()));
            });
            let cell = |column, raw: &str, value: &str| (column, raw.to_owned(), value.to_owned());
            let expected = [
                cell(0, "a", "a"),
                cell(1, "\"b, \"\"c\"\"\"", "b, \"c\""),
                cell(0, " d ", " d "),
                cell(1, &long, &long),
                cell(2, "", ""),
                cell(0, "\"e", "e"),
            ];
            assert_eq!(cells, expected, "{line_end:?}");
        }
    }
}
