//! Layout changes: each changed fixture is refused or reads as before.

use std::collections::BTreeSet;

use ranklore_conformance::layout::{self, LayoutChanges};
use ranklore_source::Request;

use crate::fixtures::{all_answers, bytes, month, source};

/// Changes that the reader cannot detect.
const UNDETECTED: &[&str] = &[];

/// Words of the layout and their replacements.
const LABELS: [(&str, &str); 17] = [
    ("----", "===="),
    (") ", ". "),
    ("&amp;", "und"),
    ("event=", "comp="),
    ("heatid=", "heat="),
    ("event3.asp", "comp.php"),
    ("event2.asp", "comp.php"),
    ("scoresheet3.asp", "sheet.php"),
    ("name='webfilter'", "name='filter'"),
    ("name=FilterList", "name=Liste"),
    ("name=\"inyear\"", "name=\"jahr\""),
    ("name=\"inmonth\"", "name=\"monat\""),
    ("name=event", "name=wettkampf"),
    ("Apr ", "Avr "),
    ("May ", "Mai "),
    ("Nov ", "11 "),
    ("</HTML>", ""),
];

/// Text before and after each number of the layout.
const NUMBERS: [(&str, &str); 7] = [
    ("class=t2b>", ") "),
    ("class=t2n>", ") "),
    ("Apr ", "<"),
    ("May ", "<"),
    ("class=h3 align=center>", "<"),
    ("min=\"", "\""),
    ("max=\"", "\""),
];

#[test]
fn changed_layout_is_detected() {
    let mut changes = LayoutChanges::default();
    let mut answers: Vec<(&str, Request)> =
        all_answers().into_iter().map(|answer| (answer.file, answer.request)).collect();
    // A page with headings of two years.
    answers.push(("default.html", month(2023, 4)));
    for (file, request) in answers {
        // Skips the page in Windows-1252, whose layout is that of another.
        let Ok(text) = String::from_utf8(bytes(file)) else {
            continue;
        };
        let page = file.split(['-', '.']).next().unwrap();
        check_page_changes(&mut changes, page, &request, &text);
    }
    assert!(changes.check(UNDETECTED) > 500);
}

fn check_page_changes(changes: &mut LayoutChanges, page: &str, request: &Request, text: &str) {
    let read = |text: &str| layout::read_changed_answer(&source(), request, 200, text.as_bytes());
    let original = read(text).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut check = |kind: &str, changed: String| {
        if changed != text {
            let reading = read(&changed);
            let example = || describe_difference(text, &changed);
            changes.record(&format!("{page}: {kind}"), &original, &reading, example);
        }
    };
    for (from, to) in LABELS {
        if page == "default" && from == "&amp;" {
            // `&amp;` is part of a name there.
            continue;
        }
        for (at, _) in text.match_indices(from) {
            check("a label translated", replace_range(text, at, from.len(), to));
        }
        check("a label translated everywhere", text.replace(from, to));
    }
    for (before, behind) in NUMBERS {
        for (at, _) in text.match_indices(before) {
            let at = at + before.len();
            let length = text[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            if length > 0 && text[at + length..].starts_with(behind) {
                check("a number of another type", replace_range(text, at, length, "one"));
                check("a number missing", replace_range(text, at, length, ""));
            }
        }
    }
    change_classes(text, &mut check);
    change_tags(text, &mut check);
    change_rows_and_cells(text, &mut check);
}

fn change_classes(text: &str, check: &mut impl FnMut(&str, String)) {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices("class=") {
        let value = at + "class=".len();
        let quoted = usize::from(text[value..].starts_with(['\'', '"']));
        let start = value + quoted;
        let end = text[start..].find(['\'', '"', ' ', '>']).unwrap_or(0);
        let name = &text[start..start + end];
        names.insert(name);
        check("a class renamed", replace_range(text, start, end, "neu"));
        check("a class missing", replace_range(text, at, start + end + quoted - at, ""));
    }
    for name in names {
        let renamed = text
            .replace(&format!("class={name}"), "class=neu")
            .replace(&format!("class='{name}'"), "class='neu'");
        check("a class renamed everywhere", renamed);
    }
}

fn change_tags(text: &str, check: &mut impl FnMut(&str, String)) {
    for tag in [
        "tr", "td", "a", "SELECT", "OPTION", "input", "form", "table",
    ] {
        let open = format!("<{tag} ");
        let bare = format!("<{tag}>");
        for (at, _) in text.match_indices(&open).chain(text.match_indices(&bare)) {
            check("a tag renamed", replace_range(text, at + 1, tag.len(), "div"));
            let end = text[at..].find('>').unwrap_or(0) + 1;
            check("a tag missing", replace_range(text, at, end, ""));
        }
        let renamed = text.replace(&open, "<div ").replace(&bare, "<div>");
        let renamed = renamed.replace(&format!("</{tag}>"), "</div>");
        check("a tag renamed everywhere", renamed);
    }
    for (name, other) in [("href=", "src="), ("VALUE=", "data="), ("value=", "data=")] {
        for (at, _) in text.match_indices(name) {
            check("an attribute renamed", replace_range(text, at, name.len(), other));
        }
        check("an attribute renamed everywhere", text.replace(name, other));
    }
}

/// Splits the text at each occurrence of a tag.
fn split_at_tag<'t>(text: &'t str, tag: &str) -> Vec<&'t str> {
    let mut starts: Vec<usize> = text.match_indices(tag).map(|(at, _)| at).collect();
    starts.push(text.len());
    starts.windows(2).map(|two| &text[two[0]..two[1]]).collect()
}

fn change_rows_and_cells(text: &str, check: &mut impl FnMut(&str, String)) {
    for (start, _) in text.match_indices("<table ") {
        let length = text[start..].find("</table>").unwrap_or(0);
        let table = &text[start..start + length];
        let rows = split_at_tag(table, "<tr");
        let Some(first) = rows.first() else { continue };
        let head = offset(table, first);
        let with_rows = |rows: &[String]| {
            let table = [&table[..head], &rows.concat()].concat();
            replace_range(text, start, length, &table)
        };
        let as_they_are: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        for at in 1..rows.len() {
            let mut swapped = as_they_are.clone();
            swapped.swap(at - 1, at);
            check("two rows swapped", with_rows(&swapped));
        }
        let mut reversed = as_they_are.clone();
        reversed.reverse();
        check("all rows reversed", with_rows(&reversed));
        let most = rows.iter().map(|row| split_at_tag(row, "<td").len()).max();
        for column in 0..most.unwrap_or(0) {
            let (mut dropped, mut swapped) = (as_they_are.clone(), as_they_are.clone());
            for at in 0..rows.len() {
                let (without, other) =
                    (edit_row(rows[at], column, false), edit_row(rows[at], column, true));
                let mut one = as_they_are.clone();
                one[at].clone_from(&without);
                check("a cell missing", with_rows(&one));
                one[at].clone_from(&other);
                check("two cells swapped", with_rows(&one));
                dropped[at] = without;
                swapped[at] = other;
            }
            check("a column missing", with_rows(&dropped));
            check("two columns swapped", with_rows(&swapped));
        }
    }
}

/// Returns a row without one of its cells, or with it swapped with the next.
fn edit_row(row: &str, column: usize, swap: bool) -> String {
    let cells = split_at_tag(row, "<td");
    if column >= cells.len() || (swap && column + 1 >= cells.len()) {
        return row.to_owned();
    }
    let start = offset(row, cells[column]);
    let end = row.rfind("</tr>").unwrap_or(row.len());
    let cell = &row[start..(start + cells[column].len()).min(end.max(start))];
    if swap {
        let next_start = start + cells[column].len();
        let next =
            &row[next_start..(next_start + cells[column + 1].len()).min(end.max(next_start))];
        let rest = &row[next_start + next.len()..];
        [&row[..start], next, cell, rest].concat()
    } else {
        [&row[..start], &row[start + cell.len()..]].concat()
    }
}

fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

fn replace_range(text: &str, at: usize, length: usize, by: &str) -> String {
    [&text[..at], by, &text[at + length..]].concat()
}

/// Returns the text around the first differing byte.
fn describe_difference(text: &str, changed: &str) -> String {
    let same = text.bytes().zip(changed.bytes()).take_while(|(a, b)| a == b);
    let from = same.count().saturating_sub(40);
    let excerpt: String = changed.chars().skip(from).take(160).collect();
    format!("{excerpt:?}")
}
