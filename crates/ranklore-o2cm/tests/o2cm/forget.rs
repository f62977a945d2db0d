//! Who is forgotten, wherever names stand.

use ranklore_contest::UnixSeconds;
use ranklore_o2cm::scoresheet;
use ranklore_source::{Document, Request, redact};

use crate::fixtures::{bytes, competition, entrants, final_of, heat, read, source};

fn without(request: &Request, body: &[u8], names: &[&str]) -> Option<String> {
    let key = request.key();
    let document = Document {
        request_key: &key,
        fetched_at: UnixSeconds::MAX,
        status: 200,
        body,
    };
    let blank = |name: &str| {
        let index = names.iter().position(|known| *known == name)?;
        Some(format!("forgotten-{index}"))
    };
    let redacted = redact(&source(), &document, &blank).unwrap().redacted?;
    Some(String::from_utf8(redacted.body.into_owned()).unwrap())
}

#[test]
fn a_couple_is_called_after_the_blank() {
    let request = competition("gls23");
    let body = without(&request, &bytes("event3-gls23.html"), &["Ada Vale"]).unwrap();
    let reading = read(&request, body.as_bytes()).unwrap();
    let first = &entrants(heat(&reading, "gls23/40328968"))[0];
    assert_eq!(first.competitor, "Bea Moor & forgotten-0");
    assert_eq!(first.members, ["Bea Moor", "forgotten-0"]);
}

#[test]
fn who_dances_with_a_placeholder_is_forgotten_as_well() {
    let request = competition("gls23");
    let body = without(&request, &bytes("event3-gls23.html"), &["Gus Weir"]).unwrap();
    assert!(
        body.contains("2) 124 forgotten-0 &amp; TBA01 TBA"),
        "{body}"
    );
}

#[test]
fn who_dances_with_nobody_is_forgotten_as_well() {
    for home in ["- CA", "-", "-  "] {
        let row =
            format!("<table><tr><td class=t2n>1) 143 Ada Vale &amp; {home}</td></tr></table>");
        let redacted = without(&competition("gls23"), row.as_bytes(), &["Ada Vale"]).unwrap();
        assert!(
            redacted.contains("1) 143 forgotten-0 &amp; -"),
            "{redacted}"
        );
    }
}

#[test]
fn scoresheets_name_couples_and_judges() {
    let (request, file) = (
        final_of("gls23", "40328968"),
        "scoresheet3-gls23-40328968.html",
    );
    let body = without(&request, &bytes(file), &["Cyd Oar", "Sam Ebb"]).unwrap();
    let sheet = scoresheet(&request.key(), body.as_bytes()).unwrap();
    assert_eq!(sheet.couples[1].1, "forgotten-0, Dot Fen");
    assert_eq!(sheet.judges[1].1, "forgotten-1");
}

#[test]
fn a_page_that_is_cut_off_is_redacted_as_well_as_can_be() {
    let request = competition("gls23");
    let body = b"<table><tr><td class=t2n>1) 7 Ada Vale &amp; Bea Moor - CA</td><td>2) 8 Ad";
    let redacted = without(&request, body, &["Bea Moor"]).unwrap();
    let due = "<table><tr><td class=t2n>1) 7 Ada Vale &amp; forgotten-0 - CA</td><td>2) 8 Ad";
    assert_eq!(redacted, due);
    assert_eq!(without(&request, body, &["Cyd Oar"]), None);
}

#[test]
fn names_before_in_and_behind_a_table_within_a_table_are_forgotten() {
    let body = "<table><tr><td class=t2n>1) 7 Ada Vale &amp; Bea Moor - CA<table><tr><td class=t2n>\
                2) 8 Cyd Oar &amp; Bea Moor</td></tr></table>3) 9 Bea Moor &amp; Dot Fen</td></tr>\
                <tr><td class=t2n>4) 10 Eve Reed &amp; Bea Moor</td></tr></table>";
    let redacted = without(&competition("gls23"), body.as_bytes(), &["Bea Moor"]).unwrap();
    assert_eq!(redacted, body.replace("Bea Moor", "forgotten-0"));
}
