//! Invalid feeds, and XML beyond rows of fields.

use crate::fixtures::{
    read, read_all, read_file, replace_in_fixture, results, rounds, text, to_latin1,
};

const FILE: &str = "dd_round_list.xml";

fn error(text: &str) -> (String, String) {
    let error = read(&rounds(), &to_latin1(text)).unwrap_err();
    (error.at, error.expected)
}

#[test]
fn feed_with_wrong_root_is_refused() {
    for body in [
        "",
        " <dd_round_list/>",
        "{}",
        "\u{ef}\u{bb}\u{bf}<dd_round_list/>",
        "<html></html>",
        "<dd_round_results></dd_round_results>",
        "<dd_round_list x=\"1\"></dd_round_list>",
        "<!-- x --><dd_round_list/>",
    ] {
        assert_eq!(error(body).0, "the whole", "{body}");
    }
    for body in ["<dd_round_list/>", "<dd_round_list>"] {
        assert_eq!(error(body).0, "dd_round_list", "{body}");
    }
}

#[test]
fn doctype_and_entities_are_refused() {
    let head = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
    for doctype in [
        "<!DOCTYPE dd_round_list SYSTEM \"file:///etc/passwd\">",
        "<!DOCTYPE dd_round_list SYSTEM \"https://example.org/x.dtd\">",
        "<!DOCTYPE dd_round_list [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>",
    ] {
        let body = replace_in_fixture(FILE, head, &format!("{head}{doctype}"));
        let error = read(&rounds(), &body).unwrap_err();
        assert_eq!(error.at, "the whole", "{doctype}");
    }
    let entity = replace_in_fixture(FILE, "&amp;", "&lol;");
    let error = read(&rounds(), &entity).unwrap_err();
    assert_eq!(error.at, "row[8].short_name");
    assert_eq!(error.expected, "only references to characters");
}

#[test]
fn character_references_are_resolved() {
    let name = |by: &str| {
        let body = replace_in_fixture(FILE, "SRM 904", by);
        let reading = read_all(&rounds(), &body);
        reading.map(|reading| reading.listed[8].name.clone()).map_err(|error| error.at)
    };
    assert_eq!(name("&lt;&gt;&quot;&apos;&amp;").as_deref(), Ok("<>\"'&"));
    assert_eq!(name("SRM&#32;&#x41;&#9731;").as_deref(), Ok("SRM A☃"));
    for other in ["&#0;", "&#x110000;", "&#;", "&nbsp;", "&#7;"] {
        assert_eq!(name(other), Err("row[4].short_name".to_owned()), "{other}");
    }
    // An ampersand without a reference.
    assert!(name("a & b").is_err() && name("a &b").is_err());
}

#[test]
fn nested_fields_are_refused() {
    for by in [
        "<b>SRM 904</b>",
        "SRM <b/>904",
        "<![CDATA[SRM 904]]>",
        "SRM<!-- 904 -->",
        "<?x?>",
    ] {
        let (at, _) = error(&text(FILE).replace("SRM 904", by));
        assert_eq!(at, "row[4].short_name", "{by}");
    }
    let deep = "<a>".repeat(100_000);
    let (at, _) = error(&text(FILE).replace("SRM 904", &deep));
    assert_eq!(at, "row[4].short_name");
}

#[test]
fn unexpected_content_is_refused() {
    for (part, by, at) in [
        ("<row><round_id>801<", "<line/><row><round_id>801<", "dd_round_list"),
        ("<row><round_id>801<", "x<row><round_id>801<", "dd_round_list"),
        ("<row><round_id>801<", "<row a=\"1\"><round_id>801<", "dd_round_list"),
        ("<round_id>801<", "x<round_id>801<", "row[0]"),
        ("<round_id>801<", "<round_id a=\"1\">801<", "row[0]"),
        ("<round_id>801</round_id>", "<round_id>801</round>", "row[0]"),
        ("</dd_round_list>", "</dd_round_list>x", "the whole"),
        ("</dd_round_list>", "</dd_round_list><dd_round_list/>", "the whole"),
        ("</dd_round_list>", "", "dd_round_list"),
    ] {
        let (path, expected) = error(&text(FILE).replace(part, by));
        assert!(path == at, "{by}: {path}: {expected}");
    }
    let names = "<round_id>801</round_id>";
    let long = format!("<{0}/>{names}", "x".repeat(65));
    assert_eq!(error(&text(FILE).replace(names, &long)).0, "row[0]");
}

#[test]
fn feeds_are_iso_8859_1_or_utf_8() {
    let head = "encoding=\"ISO-8859-1\"";
    let utf8 = text(FILE).replace(head, "encoding=\"UTF-8\"");
    // The text has one character per byte.
    assert_eq!(read(&rounds(), utf8.as_bytes()).unwrap(), read_file(&rounds(), FILE));
    let error = read(&rounds(), &to_latin1(&utf8)).unwrap_err();
    assert_eq!(error.at, "row[8].short_name");
    for other in ["encoding=\"UTF-16\"", "encoding=\"EBCDIC\""] {
        assert_eq!(
            read(&rounds(), &replace_in_fixture(FILE, head, other)).unwrap_err().at,
            "the whole"
        );
    }
}

#[test]
fn large_feed_on_one_line_is_read() {
    let rows = text("dd_round_results-853.xml");
    let (head, rest) = rows.split_once("<row>").unwrap();
    let (row, _) = rest.split_once("</row>").unwrap();
    // All coders are first with the same points.
    let mut all = String::from(head);
    for coder in 1..=5_000 {
        let coder = format!("<coder_id>{coder}<");
        all.push_str("<row>");
        all.push_str(&row.replace("<coder_id>105001<", &coder));
        all.push_str("</row>");
    }
    all.push_str("</dd_round_results>");
    assert!(!all.contains('\n') && all.len() > 10_000_000);
    let reading = read(&results(853), &to_latin1(&all)).unwrap();
    assert_eq!(reading.named.len(), 5_000);
}
