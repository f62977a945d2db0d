//! Changes of HTML pages.

use ranklore_conformance::layout::LayoutChanges;

use super::change_recorder;
use crate::fixtures::{matches, stats, text};

/// Words of the layout and their replacements.
const LABELS: [(&str, &str); 21] = [
    (">Coders<", ">Teilnehmer<"),
    ("Coding<br>Phase", "Coding"),
    ("Challenge<br>Phase", "Hack"),
    ("Testing<br>Phase", "Tests"),
    ("Final<br>Points", "Total"),
    ("Final<br>Points", "Final Score"),
    ("Old<br>Rating", "Alt"),
    ("Rating<br>Change", "Diff"),
    ("New<br>Rating", "Neu"),
    ("Statistics for", "Statistik von"),
    ("Division-I<", "Div. 1<"),
    ("There were no", "Es gab keine"),
    (" coders in this round", " members in this round"),
    ("cr=", "member="),
    ("rd=", "round="),
    ("rm=", "room="),
    ("c=room_stats", "c=rooms"),
    ("c=round_overview", "c=round"),
    ("&lt;&lt; previous", "first"),
    ("href=", "data-href="),
    ("</HTML>", ""),
];

/// Text before and after each number of the layout.
const NUMBERS: [(&str, &str); 4] = [
    ("ALIGN=\"right\">", "</TD>"),
    ("cr=", "\""),
    ("rd=", "\""),
    ("<td class=\"valueC\">", "</td>"),
];

pub(super) fn changes(changed: &mut LayoutChanges) {
    for (file, request) in [
        ("MatchList.html", matches()),
        ("round_stats-9601-1.html", stats(9601, 1)),
        ("round_stats-9513-1.html", stats(9513, 1)),
        ("round_stats-853-2.html", stats(853, 2)),
    ] {
        let text = text(file);
        let name = file.split(['-', '.']).next().unwrap();
        let mut record = change_recorder(changed, name, &request, &text);
        change_words(&text, &mut record);
        change_tags(&text, &mut record);
        change_rows_and_cells(&text, &mut record);
    }
}

fn change_words(text: &str, record: &mut dyn FnMut(&str, String)) {
    for (from, to) in LABELS {
        for (at, _) in text.match_indices(from) {
            record("a label translated", replace_range(text, at, from.len(), to));
        }
        record("a label translated everywhere", text.replace(from, to));
    }
    for (before, behind) in NUMBERS {
        for (at, _) in text.match_indices(before) {
            let at = at + before.len();
            let Some(length) = text[at..].find(behind) else {
                continue;
            };
            let number = &text[at..at + length];
            if number.is_empty()
                || !number.bytes().all(|b| b.is_ascii_digit() || b"-.".contains(&b))
            {
                continue;
            }
            for by in ["seven", "1e5", "99999999999999999999"] {
                record("a number of another type", replace_range(text, at, length, by));
            }
            let comma = number.replace('.', ",");
            record("a number with a comma", replace_range(text, at, length, &comma));
            record("a number missing", replace_range(text, at, length, ""));
        }
    }
}

fn change_tags(text: &str, record: &mut dyn FnMut(&str, String)) {
    for tag in ["TR", "tr", "TD", "td", "A", "a", "TABLE", "table"] {
        let (open, bare) = (format!("<{tag} "), format!("<{tag}>"));
        for (at, _) in text.match_indices(&open).chain(text.match_indices(&bare)) {
            record("a tag renamed", replace_range(text, at + 1, tag.len(), "span"));
            let end = text[at..].find('>').unwrap() + 1;
            record("a tag missing", replace_range(text, at, end, ""));
        }
        let renamed = text.replace(&open, "<span ").replace(&bare, "<span>");
        let renamed = renamed.replace(&format!("</{tag}>"), "</span>");
        record("a tag renamed everywhere", renamed);
    }
}

/// Splits the text at each occurrence of a tag.
fn split_at_tag<'t>(text: &'t str, tag: &str) -> Vec<&'t str> {
    let lower = text.to_ascii_lowercase();
    let mut starts: Vec<usize> = lower.match_indices(tag).map(|(at, _)| at).collect();
    starts.push(text.len());
    starts.windows(2).map(|two| &text[two[0]..two[1]]).collect()
}

fn change_rows_and_cells(text: &str, record: &mut dyn FnMut(&str, String)) {
    let lower = text.to_ascii_lowercase();
    // The innermost table.
    let start = lower.rfind("<table").unwrap();
    let length = lower[start..].find("</table>").unwrap();
    let table = &text[start..start + length];
    let rows = split_at_tag(table, "<tr");
    let head = table.len() - rows.concat().len();
    let with_rows = |rows: &[String]| {
        let table = [&table[..head], &rows.concat()].concat();
        replace_range(text, start, length, &table)
    };
    let as_they_are: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    for at in 1..rows.len() {
        let mut swapped = as_they_are.clone();
        swapped.swap(at - 1, at);
        record("two rows swapped", with_rows(&swapped));
    }
    let mut reversed = as_they_are.clone();
    reversed.reverse();
    record("all rows reversed", with_rows(&reversed));
    let most = rows.iter().map(|row| split_at_tag(row, "<td").len()).max();
    for column in 0..most.unwrap_or(0) {
        let (mut dropped, mut swapped) = (as_they_are.clone(), as_they_are.clone());
        for at in 0..rows.len() {
            let (without, other) =
                (edit_row(rows[at], column, false), edit_row(rows[at], column, true));
            let mut one = as_they_are.clone();
            one[at].clone_from(&without);
            record("a cell missing", with_rows(&one));
            one[at].clone_from(&other);
            record("two cells swapped", with_rows(&one));
            dropped[at] = without;
            swapped[at] = other;
        }
        record("a column missing", with_rows(&dropped));
        record("two columns swapped", with_rows(&swapped));
    }
}

/// Returns a row without one of its cells, or with it swapped with the next non-empty one.
fn edit_row(row: &str, column: usize, swap: bool) -> String {
    let end = row.to_ascii_lowercase().rfind("</tr>").unwrap_or(row.len());
    let (cells, tail) = row.split_at(end);
    let parts = split_at_tag(cells, "<td");
    let head = &cells[..cells.len() - parts.concat().len()];
    let mut parts = parts;
    if column >= parts.len() {
        return row.to_owned();
    }
    if swap {
        let has_text = |part: &&str| !part.contains("clear.gif");
        let next = parts[column + 1..].iter().position(has_text);
        let Some(next) = next.filter(|_| has_text(&parts[column])) else {
            return row.to_owned();
        };
        parts.swap(column, column + 1 + next);
    } else {
        parts.remove(column);
    }
    [head, &parts.concat(), tail].concat()
}

fn replace_range(text: &str, at: usize, length: usize, by: &str) -> String {
    [&text[..at], by, &text[at + length..]].concat()
}
