//! Names of people who are forgotten, wherever they stand in an answer.

use std::borrow::Cow;

use ranklore_source::{Document, Redacted};

use crate::ask::Question;
use crate::couple::{Couple, Entry, parts};
use crate::page::{Cell, Page};
use crate::scoresheet::BETWEEN;
use crate::text::decode;

pub(crate) fn redact<'d>(
    document: &Document<'d>,
    blank: &dyn Fn(&str) -> Option<String>,
) -> Option<Redacted<'d>> {
    let named = match Question::parse(document.request_key)? {
        Question::Competition(_) => Named::Row,
        Question::Scoresheet(_) => Named::Sheet,
        Question::Months | Question::Month(_) => return None,
    };
    let text = decode(document.body);
    let page = Page::read(&text);
    let mut redacted = String::new();
    let mut from = 0;
    // A table goes on behind one that stands within it: in the order of the text, not of tables.
    let mut cells: Vec<&Cell> = page.cells().collect();
    cells.sort_by_key(|cell| cell.range.start);
    for cell in cells {
        if let Some(by) = without(&cell.text, named, blank) {
            redacted.push_str(&text[from..cell.range.start]);
            redacted.push_str(&escaped(&by));
            from = cell.range.end;
        }
    }
    if from == 0 {
        return None;
    }
    redacted.push_str(&text[from..]);
    Some(Redacted {
        request_key: Cow::Borrowed(document.request_key),
        body: Cow::Owned(redacted.into_bytes()),
    })
}

/// Where names stand on a page.
#[derive(Clone, Copy)]
enum Named {
    /// In rows of results.
    Row,
    /// In the list of couples and judges of a scoresheet.
    Sheet,
}

/// What is shown in a cell, with blanks in place of names; nothing where none goes.
fn without(text: &str, named: Named, blank: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let pair = match named {
        Named::Row => Entry::parse(text).and_then(|entry| parts(entry.rest, " & ")),
        Named::Sheet => parts(text, BETWEEN),
    };
    let Some(Couple {
        leader, follower, ..
    }) = pair
    else {
        return blank(text);
    };
    let (leader_by, follower_by) = (blank(leader), blank(follower));
    if leader_by.is_none() && follower_by.is_none() {
        return None;
    }
    let mut redacted = String::with_capacity(text.len());
    let mut from = 0;
    for (name, by) in [(leader, leader_by), (follower, follower_by)] {
        // Names are slices of the text.
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        redacted.push_str(&text[from..start]);
        redacted.push_str(by.as_deref().unwrap_or(name));
        from = start + name.len();
    }
    redacted.push_str(&text[from..]);
    Some(redacted)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            other => escaped.push(other),
        }
    }
    escaped
}
