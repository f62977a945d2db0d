//! Escapes in rows for programs.

use std::borrow::Cow;

use ranklore_publish::escape_formula;
use ranklore_views::Escape;

use super::{escape_json, escape_line};

/// The characters of texts that are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellEscape {
    None,
    /// Characters that control a terminal.
    Terminal,
    /// In CSV the beginning of texts that spreadsheets run as formulas.
    Formulas,
}

impl Escape for CellEscape {
    fn escape_cell(&self, cell: String, is_text: bool) -> String {
        match self {
            Self::Terminal => escape_line(&cell),
            Self::Formulas if is_text => escape_formula(&cell).into_owned(),
            Self::None | Self::Formulas => cell,
        }
    }

    fn escape_json<'l>(&self, line: &'l str) -> Cow<'l, str> {
        match self {
            Self::Terminal => escape_json(line).into(),
            Self::None | Self::Formulas => line.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ranklore_views::{write_csv, write_json_lines, write_report_csv};
    use serde_json::json;

    use super::*;

    #[test]
    fn control_characters_are_escaped_on_terminals() {
        let rows = json!([{"name": "a\u{1b}[2J\u{9b}\nb"}]);
        let mut table = Vec::new();
        let mut lines = Vec::new();
        write_csv(&rows, &["name"], &mut table, &CellEscape::Terminal).unwrap();
        write_json_lines(&rows, &mut lines, &CellEscape::Terminal).unwrap();
        assert_eq!(table, b"name\r\na\\u{1b}[2J\\u{9b}\\u{a}b\r\n");
        assert_eq!(lines, b"{\"name\":\"a\\u001b[2J\\u009b\\nb\"}\n");
        let mut plain = Vec::new();
        write_report_csv(&rows, &mut plain, &CellEscape::None).unwrap();
        assert_eq!(plain, "name\r\n\"a\u{1b}[2J\u{9b}\nb\"\r\n".as_bytes());
    }

    #[test]
    fn formulas_are_escaped_in_texts_only() {
        let rows = json!([{"=name": "=1+1", "change": -1.5, "plain": "a=1"}]);
        let mut table = Vec::new();
        write_report_csv(&rows, &mut table, &CellEscape::Formulas).unwrap();
        assert_eq!(table, b"'=name,change,plain\r\n'=1+1,-1.5,a=1\r\n");
    }
}
