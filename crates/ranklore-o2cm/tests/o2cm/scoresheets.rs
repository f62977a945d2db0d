//! What judges gave whom.

use ranklore_o2cm::{Marks, O2cm, scoresheet};
use ranklore_source::{Document, Request, Source};

use crate::fixtures::{bytes, changed, competition, final_of, read, read_file, round_of};

const FINAL: &str = "scoresheet3-gls23-40328968.html";

#[test]
fn scoresheets_are_asked_for_only_with_the_option() {
    let request = competition("gls23");
    let reading = read_file(&request, "event3-gls23.html");
    let keys: Vec<String> = reading.follow.iter().map(Request::key).collect();
    assert_eq!(keys.len(), 7);
    assert_eq!(keys[0], "GET scoresheet3.asp?event=gls23&heatid=40328968");
    let without = O2cm::default().read(&Document {
        request_key: &request.key(),
        fetched_at: ranklore_contest::UnixSeconds::MIN,
        status: 200,
        body: &bytes("event3-gls23.html"),
    });
    assert_eq!(without.unwrap().follow, []);
}

#[test]
fn a_final_leads_to_the_rounds_before_it() {
    let reading = read_file(&final_of("gls23", "40328968"), FINAL);
    let keys: Vec<String> = reading.follow.iter().map(Request::key).collect();
    let key = |round| format!("POST scoresheet3.asp event=gls23&heatid=40328968&selCount={round}");
    assert_eq!(keys, [key(1), key(2)]);
    let round = round_of("gls23", "40328968", 1);
    let reading = read_file(&round, "scoresheet3-gls23-40328968-1.html");
    assert_eq!(reading.follow, []);
}

#[test]
fn marks_belong_to_judges_and_couples() {
    let request = final_of("gls23", "40328968");
    let sheet = scoresheet(&request.key(), &bytes(FINAL)).unwrap();
    assert_eq!((&*sheet.event, &*sheet.heat), ("gls23", "40328968"));
    assert_eq!(sheet.round, "Final");
    let labels: Vec<&str> = sheet.rounds.iter().map(|(_, label)| &**label).collect();
    assert_eq!(labels, ["Final", "Semi-Final", "Quarter-Final"]);
    let [waltz] = sheet.sections.as_slice() else {
        panic!("{sheet:?}");
    };
    assert_eq!(waltz.name, "Am. Waltz");
    assert_eq!(waltz.columns, ["10", "12", "13"]);
    assert_eq!(
        waltz.rows[1],
        Marks {
            couple: 101,
            marks: ["2", "3", "1"].map(str::to_owned).to_vec(),
            place: Some("2".to_owned()),
        }
    );
    assert_eq!(sheet.couples[1], (101, "Cyd Oar, Dot Fen".to_owned()));
    assert_eq!(sheet.judges[2], ("13".to_owned(), "Tia Flood".to_owned()));
}

#[test]
fn rounds_before_the_final_have_marks_and_no_places() {
    let request = round_of("gls23", "40328968", 1);
    let sheet = scoresheet(&request.key(), &bytes("scoresheet3-gls23-40328968-1.html")).unwrap();
    assert_eq!(sheet.round, "Semi-Final");
    let rows = &sheet.sections[0].rows;
    assert_eq!(rows[2].marks, ["X", "", "X"]);
    assert!(rows.len() == 5 && rows.iter().all(|row| row.place.is_none()));
}

#[test]
fn heats_of_several_dances_have_a_summary() {
    let request = final_of("gls23", "40328964");
    let sheet = scoresheet(&request.key(), &bytes("scoresheet3-gls23-40328964.html")).unwrap();
    let names: Vec<&str> = sheet.sections.iter().map(|of| &*of.name).collect();
    assert_eq!(names, ["Waltz", "Tango", "Summary"]);
    let summary = &sheet.sections[2];
    assert_eq!(summary.columns, ["Waltz", "Tango"]);
    assert_eq!(summary.rows[0].marks, ["1", "2"]);
    assert_eq!(summary.rows[0].place.as_deref(), Some("1"));
    assert_eq!(sheet.rounds, []);
}

#[test]
fn another_form_is_refused_and_says_where() {
    let request = final_of("gls23", "40328968");
    for (part, by, at) in [
        ("value=40328968", "value=40328964", "field heatid"),
        ("value=gls23", "value=mac23", "field event"),
        ("<OPTION VALUE=1 ", "<OPTION VALUE=one ", "field selCount"),
        (">Semi-Final<", ">Final<", "field selCount"),
        (">P</td>", ">Place</td>", "the marks of"),
        (
            "class=t1b>147</td><td>1</td>",
            "class=t1b>x</td><td>1</td>",
            "table 2, row 3",
        ),
        (
            "class=t1b>147</td><td>1</td>",
            "class=t1b>147</td>",
            "table 2, row 3",
        ),
        (">Couples<", ">Paare<", "table 3, row "),
        (">Judges<", ">Richter<", "table 3, row "),
        (
            "class=t1b>13</td><td>Tia",
            "class=t1b>14</td><td>Tia",
            "the marks of",
        ),
        ("class=h3>", "class=h2>", "table 2, row 1"),
        ("name=selectRound", "name=select", "form selectRound"),
    ] {
        let error = read(&request, &changed(FINAL, part, by)).unwrap_err();
        assert!(error.at.starts_with(at), "{by}: {error}");
    }
}
