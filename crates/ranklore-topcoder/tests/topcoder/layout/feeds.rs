//! Changes of feeds.

use ranklore_conformance::layout::LayoutChanges;
use ranklore_source::Request;

use super::change_recorder;
use crate::fixtures::{results, rounds, text};

/// Names and values of a row's fields, in order.
type EditableRow = Vec<(String, String)>;

struct EditableFeed {
    head: String,
    rows: Vec<EditableRow>,
    tail: String,
}

impl EditableFeed {
    fn parse(text: &str) -> Self {
        let (head, rest) = text.split_once("<row>").unwrap();
        let (rows, tail) = rest.rsplit_once("</row>").unwrap();
        Self {
            head: head.to_owned(),
            rows: rows.split("</row><row>").map(parse_row).collect(),
            tail: tail.to_owned(),
        }
    }

    fn text(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let fields = row.iter().map(|(name, value)| match value.as_str() {
                "" => format!("<{name}/>"),
                value => {
                    let end = name.split(' ').next().unwrap();
                    format!("<{name}>{value}</{end}>")
                }
            });
            format!("<row>{}</row>", fields.collect::<String>())
        });
        let rows: String = rows.collect();
        format!("{}{rows}{}", self.head, self.tail)
    }
}

fn parse_row(text: &str) -> EditableRow {
    let mut fields = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.strip_prefix('<') {
        let (name, behind) = open.split_once('>').unwrap();
        if let Some(name) = name.strip_suffix('/') {
            fields.push((name.to_owned(), String::new()));
            rest = behind;
        } else {
            let (value, behind) = behind.split_once(&format!("</{name}>")).unwrap();
            fields.push((name.to_owned(), value.to_owned()));
            rest = behind;
        }
    }
    fields
}

/// A feed with the fields that are read and others to swap them with.
struct FeedForm {
    file: &'static str,
    request: Request,
    fields: &'static [&'static str],
    other_fields: &'static [&'static str],
}

pub(super) fn changes(changed: &mut LayoutChanges) {
    for form in [
        FeedForm {
            file: "dd_round_list.xml",
            request: rounds(),
            fields: &["round_id", "full_name", "short_name", "date"],
            other_fields: &["round_type_desc"],
        },
        FeedForm {
            file: "dd_round_results-9601.xml",
            request: results(9601),
            fields: &[
                "coder_id",
                "handle",
                "old_rating",
                "new_rating",
                "new_vol",
                "num_ratings",
                "division_placed",
                "final_points",
                "division",
                "rated_flag",
            ],
            other_fields: &[
                "room_id",
                "room_name",
                "room_placed",
                "advanced",
                "submission_points",
                "level_one_language",
            ],
        },
    ] {
        change_feed(changed, &form);
    }
}

fn change_feed(changed: &mut LayoutChanges, form: &FeedForm) {
    let text = text(form.file);
    let name = form.file.split(['-', '.']).next().unwrap();
    let feed = || EditableFeed::parse(&text);
    assert_eq!(feed().text(), text);
    let mut record = change_recorder(changed, name, &form.request, &text);
    // Applies a change to every row, and to the second alone.
    let mut everywhere_and_once = |kind: &str, change: &dyn Fn(&mut EditableRow)| {
        let mut feed_text = feed();
        feed_text.rows.iter_mut().for_each(change);
        record(&format!("{kind}, everywhere"), feed_text.text());
        let mut one = feed();
        change(&mut one.rows[1]);
        record(&format!("{kind}, once"), one.text());
    };
    for field in form.fields {
        let position = |row: &EditableRow| row.iter().position(|(name, _)| name == field).unwrap();
        everywhere_and_once("a field missing", &|row| {
            row.remove(position(row));
        });
        everywhere_and_once("a field twice", &|row| {
            let again = row[position(row)].clone();
            row.push(again);
        });
        for renamed in [
            field.to_uppercase(),
            format!("{field}s"),
            field.replace('_', "-"),
            field.replace('_', ""),
            format!("tc:{field}"),
            "valeur".to_owned(),
        ] {
            everywhere_and_once("a field renamed", &|row| {
                let at = position(row);
                row[at].0.clone_from(&renamed);
            });
        }
        everywhere_and_once("an attribute added", &|row| {
            let at = position(row);
            row[at].0.push_str(" unit=\"x\"");
        });
        if *field != "short_name" && *field != "full_name" {
            everywhere_and_once(&format!("{field} empty"), &|row| {
                let at = position(row);
                row[at].1.clear();
            });
        }
        everywhere_and_once("a field with a field in it", &|row| {
            let at = position(row);
            row[at].1 = format!("<value>{}</value>", row[at].1);
        });
        for other in form.fields.iter().chain(form.other_fields) {
            if other == field {
                continue;
            }
            let mut two = [*field, *other];
            two.sort_unstable();
            let kind = format!("{} and {} swapped", two[0], two[1]);
            if form.fields.contains(other) && two[0] != *field {
                continue;
            }
            everywhere_and_once(&kind, &|row| {
                let one = position(row);
                let two = row.iter().position(|(name, _)| name == other).unwrap();
                let value = row[one].1.clone();
                row[one].1 = std::mem::replace(&mut row[two].1, value);
            });
        }
    }
    change_values(&mut everywhere_and_once);
    change_structure(&text, &feed, &mut record);
}

/// Changes values to other types and formats.
fn change_values(change: &mut impl FnMut(&str, &dyn Fn(&mut EditableRow))) {
    type NamedChange = (&'static str, fn(&str) -> String);
    let numbers: &[NamedChange] = &[
        ("as words", |_| "seven".to_owned()),
        ("below zero", |value| format!("-{value}")),
        ("with a fraction", |value| format!("{value}.5")),
        ("with a unit", |value| format!("{value} pts")),
        ("in hexadecimal", |value| format!("0x{value}")),
        ("with a space before", |value| format!(" {value}")),
        ("in quotes", |value| format!("\"{value}\"")),
        ("huge", |value| format!("{value}00000000000000000000")),
    ];
    let points: &[NamedChange] = &[
        ("with a comma", |value| value.replace('.', ",")),
        ("with thousands set apart", |value| format!("1,{value}")),
        ("as words", |_| "many".to_owned()),
        ("as a power", |value| format!("{value}e2")),
        ("NaN", |_| "NaN".to_owned()),
        ("a hundred times", |value| format!("{value}00")),
    ];
    let dates: &[NamedChange] = &[
        ("without a time", |value| value[..10].to_owned()),
        ("with seconds", |value| format!("{value}:00")),
        ("with a zone", |value| format!("{value}Z")),
        ("with a T", |value| value.replace(' ', "T")),
        ("the day first", |value| {
            format!("{}.{}.{} {}", &value[8..10], &value[5..7], &value[..4], &value[11..])
        }),
        ("in seconds since 1970", |_| "1526020200".to_owned()),
        ("in twelve hours", |value| format!("{value} PM")),
    ];
    let divisions: &[NamedChange] = &[
        ("in Roman", |value| value.replace('2', "II").replace('1', "I")),
        ("with a word", |value| format!("Division {value}")),
        ("from 0", |value| (value.parse::<u8>().unwrap() - 1).to_string()),
    ];
    let flags: &[NamedChange] = &[
        ("as a truth", |_| "true".to_owned()),
        ("as a letter", |_| "Y".to_owned()),
    ];
    let places: &[NamedChange] = &[
        ("from 0", |value| (value.parse::<u32>().unwrap() - 1).to_string()),
        ("as 1st", |value| format!("{value}st")),
        ("in decimals", |value| format!("{value}.0")),
    ];
    for (fields, forms) in [
        (
            &[
                "round_id",
                "coder_id",
                "old_rating",
                "new_rating",
                "new_vol",
                "num_ratings",
                "division_placed",
                "division",
            ][..],
            numbers,
        ),
        (&["final_points"], points),
        (&["date"], dates),
        (&["division"], divisions),
        (&["rated_flag"], flags),
        (&["division_placed"], places),
    ] {
        for field in fields {
            for (feed, form) in forms {
                change(&format!("{field} {feed}"), &|row| {
                    for (name, value) in row.iter_mut() {
                        if name == field && !value.is_empty() {
                            *value = form(value);
                        }
                    }
                });
            }
        }
    }
}

fn change_structure(
    text: &str,
    feed: &dyn Fn() -> EditableFeed,
    record: &mut dyn FnMut(&str, String),
) {
    let mut reversed = feed();
    reversed.rows.reverse();
    record("rows reversed", reversed.text());
    for at in 0..feed().rows.len() {
        let mut without = feed();
        without.rows.remove(at);
        record("a row missing", without.text());
        let mut twice = feed();
        let again = twice.rows[at].clone();
        twice.rows.push(again);
        record("a row twice", twice.text());
    }
    let root = text[text.find("<dd").unwrap() + 1..].split('>').next().unwrap();
    for (kind, from, to) in [
        ("the feed renamed", root, "rounds"),
        ("the feed renamed", root, "DD"),
        ("rows renamed", "row>", "item>"),
        ("rows renamed", "row>", "ROW>"),
        ("rows with an attribute", "<row>", "<row n=\"1\">"),
        ("rows without an end", "</row>", ""),
        ("rows in a group", "<row>", "<rows><row>"),
        ("another encoding", "ISO-8859-1", "UTF-16"),
        ("another encoding", "ISO-8859-1", "UTF-8"),
        ("another encoding", " encoding=\"ISO-8859-1\"", ""),
        ("fields in CDATA", "<handle>", "<handle><![CDATA[x]]>"),
        ("a document type", "?><", "?><!DOCTYPE x><"),
    ] {
        record(kind, text.replace(from, to));
    }
    record(
        "all fields as attributes",
        text.replace("<handle>", "<handle v=\"").replace("</handle>", "\"/>"),
    );
}
