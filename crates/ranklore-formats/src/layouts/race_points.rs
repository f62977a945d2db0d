//! Cells of sailing races: `(6.0 DNC)` are points of which a series does not count the worst, in
//! brackets, with a code behind or before them. Source: Racing Rules of Sailing, A5 and A11.

use crate::values::cells::CellStatus;
use crate::values::numbers::NumberStyle;
use crate::vocabulary::words::has_word;

/// Codes for points that are not those of a finish: of an organiser, or as redress.
const REDRESS_CODES: &str = "ood rdg rdga rdgb rdgc rdgd dut duty arb";

/// Codes for a boat that finished, with a penalty in its points.
const PENALTY_CODES: &str = "scp zfp dpi stp prp";

/// The parts of a cell.
#[derive(Clone, Copy)]
pub(crate) struct RaceCell<'c> {
    points: &'c str,
    code: &'c str,
    /// True if points are in brackets.
    is_discarded: bool,
}

impl<'c> RaceCell<'c> {
    /// Splits a cell. Points are the whole cell if no known code stands behind or before a number.
    pub(crate) fn parse(cell: &'c str) -> Self {
        let inside = [('(', ')'), ('[', ']')].iter().find_map(|&(open, close)| {
            let inside = cell.strip_prefix(open)?.strip_suffix(close)?;
            (!inside.contains([open, close])).then_some(inside.trim())
        });
        let text = inside.unwrap_or(cell);
        let is_discarded = inside.is_some();
        if let Some((points, code)) = split_code(text) {
            return Self {
                points,
                code,
                is_discarded,
            };
        }
        let has_points = text.starts_with(|c: char| c.is_ascii_digit());
        Self {
            points: if has_points { text } else { cell },
            code: "",
            is_discarded: is_discarded && has_points,
        }
    }

    /// Returns the part that is the result: a status, else the points.
    pub(crate) fn result(self) -> &'c str {
        if self.code.is_empty() || self.has_penalty() {
            self.points
        } else {
            self.code
        }
    }

    /// True if the code is a status.
    fn has_status(self) -> bool {
        !self.code.is_empty() && !self.has_penalty() && !self.is_redress()
    }

    fn has_penalty(self) -> bool {
        is_code(self.code, PENALTY_CODES)
    }

    /// True if the cell is no finish.
    fn is_redress(self) -> bool {
        is_code(self.result(), REDRESS_CODES)
    }
}

/// The marks on the points of a table: codes and brackets.
#[derive(Default)]
pub(crate) struct PointsSurvey<'c> {
    /// The marked points that are higher than all others, and those that are lower.
    highest: usize,
    lowest: usize,
    redress: usize,
    penalties: usize,
    /// The first cell in brackets.
    discard: Option<&'c str>,
}

impl<'c> PointsSurvey<'c> {
    /// Compares the points of a status with those of its round, and points in brackets with those of
    /// their row. `rounds` have the cells of each round by row.
    pub(crate) fn new(rounds: Vec<Vec<&'c str>>, style: NumberStyle) -> Self {
        let mut survey = Self::default();
        let points = |cell: RaceCell<'_>| style.parse(cell.points).ok();
        let mut rows: Vec<Vec<RaceCell<'_>>> = Vec::new();
        for texts in rounds {
            let cells: Vec<RaceCell<'_>> = texts.iter().map(|text| RaceCell::parse(text)).collect();
            let is_finish = |cell: &RaceCell<'_>| !cell.has_status() && !cell.is_redress();
            let finishes = cells.iter().copied().filter(is_finish).filter_map(points);
            let finishes: Vec<f64> = finishes.collect();
            let with_status = cells.iter().copied().filter(|cell| cell.has_status());
            for marked in with_status.filter_map(points) {
                survey.compare(marked, &finishes);
            }
            survey.redress += cells.iter().filter(|cell| cell.is_redress()).count();
            survey.penalties += cells.iter().filter(|cell| cell.has_penalty()).count();
            rows.resize_with(cells.len(), Vec::new);
            for ((row, cell), text) in rows.iter_mut().zip(cells).zip(texts) {
                survey.discard = survey.discard.or(cell.is_discarded.then_some(text));
                row.push(cell);
            }
        }
        for row in rows.iter().filter(|row| row.iter().any(|cell| cell.is_discarded)) {
            let cells = row.iter().copied();
            let counted: Vec<f64> =
                cells.clone().filter(|cell| !cell.is_discarded).filter_map(points).collect();
            for marked in cells.filter(|cell| cell.is_discarded).filter_map(points) {
                survey.compare(marked, &counted);
            }
        }
        survey
    }

    fn compare(&mut self, marked: f64, others: &[f64]) {
        if !others.is_empty() {
            self.highest += usize::from(others.iter().all(|other| marked > *other));
            self.lowest += usize::from(others.iter().all(|other| marked < *other));
        }
    }

    /// True if marked points are the highest, so that the lowest points win.
    pub(crate) const fn are_marked_highest(&self) -> bool {
        self.highest > 0
    }

    /// True if marked points are the lowest, so that the highest points win.
    pub(crate) const fn are_marked_lowest(&self) -> bool {
        self.lowest > 0
    }

    /// Returns what users must know about the marks.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.discard.map(|cell| {
            format!("cells in brackets, such as {cell}, are discards, which count for their round")
        }));
        for (count, what) in [
            (self.redress, "points without a finish (OOD, RDG) are left out"),
            (self.penalties, "points with a penalty (SCP, ZFP, DPI) count as they are"),
        ] {
            if count > 0 {
                notes.push(format!("{what}: {count}"));
            }
        }
        notes
    }
}

/// Returns the points and the code of `6.0 DNC` or `DNC-39`.
fn split_code(text: &str) -> Option<(&str, &str)> {
    let starts_with_code = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let (points, code) = if starts_with_code {
        let (code, points) = text.split_once(['-', ' '])?;
        (points.trim(), code)
    } else {
        let (points, code) = text.rsplit_once(' ')?;
        (points.trim(), code)
    };
    let are_points = points.starts_with(|c: char| c.is_ascii_digit())
        && points.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let is_status = || CellStatus::parse(code).is_some_and(|status| status != CellStatus::Finished);
    (are_points && (is_code(code, PENALTY_CODES) || is_status())).then_some((points, code))
}

fn is_code(code: &str, codes: &str) -> bool {
    !code.is_empty() && code.len() <= 4 && has_word(codes, &code.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_split() {
        for (cell, result, is_discarded) in [
            ("1.0", "1.0", false),
            ("(6.0 DNC)", "DNC", true),
            ("[4.0]", "4.0", true),
            ("6 OCS", "OCS", false),
            ("3.0 OOD", "OOD", false),
            ("7.4 SCP", "7.4", false),
            ("(DNF)", "(DNF)", false),
            ("12 laps", "12 laps", false),
            ("DNC-39", "DNC", false),
            ("(RET-39)", "RET", true),
            ("DNF 7", "DNF", false),
            ("SCP-7.4", "7.4", false),
            ("DNC-", "DNC-", false),
            ("XYZ-39", "XYZ-39", false),
            ("OK-1", "OK-1", false),
            ("6.0 XYZ", "6.0 XYZ", false),
            ("(1) (2)", "(1) (2)", false),
            ("", "", false),
        ] {
            let read = RaceCell::parse(cell);
            assert_eq!((read.result(), read.is_discarded), (result, is_discarded), "{cell}");
        }
    }
}
