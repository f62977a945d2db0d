//! Results of swimming meets in Lenex.

use std::io::{Cursor, Write as _};

use ranklore_contest::ResultState;
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};
use zip::write::SimpleFileOptions;

use super::{contest_lines, refused};

fn meet_of(bytes: &[u8]) -> Result<FileReading, String> {
    let options = ReadOptions::default();
    read(FileFormat::Lenex, bytes, "in/tide.lef", &options).map_err(|e| e.to_string())
}

fn meet(text: &str) -> FileReading {
    assert_eq!(FileFormat::of_xml(text.as_bytes()), FileFormat::Lenex);
    meet_of(text.as_bytes()).unwrap()
}

fn lenex(events: &str, clubs: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<LENEX version=\"3.0\">\n<CONSTRUCTOR \
         name=\"x\"><CONTACT email=\"a@b.example\"/></CONSTRUCTOR>\n<MEETS><MEET name=\"Tide Cup\" \
         course=\"LCM\">\n<SESSIONS><SESSION number=\"1\" date=\"2023-11-04\"><EVENTS>\n\
         {events}</EVENTS></SESSION></SESSIONS>\n<CLUBS>\n{clubs}</CLUBS></MEET></MEETS></LENEX>\n"
    )
}

fn event(id: u32, round: &str, relay_count: u32, content: &str) -> String {
    format!(
        "<EVENT eventid=\"{id}\" number=\"{id}\" gender=\"F\" round=\"{round}\"><SWIMSTYLE \
         distance=\"100\" relaycount=\"{relay_count}\" stroke=\"FREE\"/>{content}</EVENT>\n"
    )
}

fn rankings(places: &[(i32, u32)]) -> String {
    let places: Vec<String> = places
        .iter()
        .map(|(place, id)| format!("<RANKING place=\"{place}\" resultid=\"{id}\"/>"))
        .collect();
    format!("<AGEGROUP><RANKINGS>{}</RANKINGS></AGEGROUP>", places.concat())
}

/// Returns the result of an athlete or a relay in an event; its resultid begins with the event.
fn result(event: u32, id: u32, time: &str, status: &str) -> String {
    format!(
        "<RESULT eventid=\"{event}\" resultid=\"{event}{id}\" swimtime=\"{time}\" \
         status=\"{status}\"><SPLITS><SPLIT distance=\"50\" swimtime=\"00:00:30.00\"/></SPLITS>\
         </RESULT>"
    )
}

fn athlete(id: u32, given: &str, results: &str) -> String {
    format!(
        "<ATHLETE athleteid=\"{id}\" firstname=\"{given}\" lastname=\"Fir\" license=\"\" \
         birthdate=\"2001-02-03\"><RESULTS>{results}</RESULTS></ATHLETE>\n"
    )
}

fn club(athletes: &str, relays: &str) -> String {
    format!(
        "<CLUB name=\"Gulls\"><ATHLETES>\n{athletes}</ATHLETES><RELAYS>{relays}</RELAYS></CLUB>\n"
    )
}

/// Returns the swimmers of an event in the order of their ids.
fn swimmers(event: u32, swims: &[(&str, &str)]) -> String {
    let names = ["Abe", "Bo", "Cal", "Dan", "Eli", "Fay", "Gil"];
    let swimmers: Vec<String> = (1..)
        .zip(names)
        .zip(swims)
        .map(|((id, name), (time, status))| athlete(id, name, &result(event, id, time, status)))
        .collect();
    club(&swimmers.concat(), "")
}

#[test]
fn events_are_divisions_with_times_and_statuses() {
    let swims = [
        ("00:01:02.34", ""),
        ("00:01:01.90", ""),
        ("00:01:02.34", ""),
        ("00:01:00.10", "DSQ"),
        ("NT", "DNS"),
        ("00:00:59.00", "EXH"),
        ("NT", "DNF"),
    ];
    let text = lenex(&event(1, "TIM", 1, ""), &swimmers(1, &swims));
    let reading = meet(&text);
    assert_eq!(
        contest_lines(&reading),
        [
            "Tide Cup 2023-11-04: 1 Bo Fir (61.9), 2 Abe Fir (62.34), 2 Cal Fir (62.34), \
          dq Dan Fir (60.1), dnf Gil Fir"
        ]
    );
    let contest = reading.contests.get(0).unwrap();
    assert_eq!(contest.division.as_deref(), Some("100 FREE, women"));
    assert_eq!(
        reading.warnings,
        [
            "results without a Position are ordered by Time",
            "results outside of the competition (such as NotCompeting or EXH) are left out: 1",
        ]
    );
    assert_eq!(reading, meet(&text.replace(" status=\"\"", "")));
}

#[test]
fn licenses_identify_athletes_if_all_have_one() {
    let text = lenex(
        &event(1, "TIM", 1, ""),
        &swimmers(1, &[("00:01:02.00", ""), ("00:01:01.00", "")]),
    );
    let namesakes = text.replace("\"Bo\"", "\"Abe\"");
    assert!(refused(&meet(&namesakes))[0].contains("Abe Fir"));
    let identified = namesakes.replacen("license=\"\"", "license=\"L1\"", 1).replacen(
        "license=\"\"",
        "license=\"L2\"",
        1,
    );
    let reading = meet(&identified);
    assert!(contest_lines(&reading)[0].ends_with("1 L2 (61), 2 L1 (62)"));
    assert!(reading.warnings[0].contains("--column \"License=ignore\""));
}

#[test]
fn rounds_are_contests_of_their_own() {
    let heats = event(1, "PRE", 1, "<HEATS><HEAT heatid=\"1\" status=\"INOFFICIAL\"/></HEATS>");
    let events = heats + &event(2, "FIN", 1, "") + &event(3, "FIN", 1, "") + &event(4, "", 1, "");
    let swims = |abe: &str, bo: &str| {
        let swim = |id: u32, time: &str| {
            result(1, id, time, "") + &result(2, id, time, "") + &result(3, id, time, "")
        };
        club(&(athlete(1, "Abe", &swim(1, abe)) + &athlete(2, "Bo", &swim(2, bo))), "")
    };
    let reading = meet(&lenex(&events, &swims("00:01:02.00", "00:01:03.00")));
    let divisions: Vec<String> =
        reading.contests.iter().filter_map(|contest| contest.division).collect();
    assert_eq!(
        divisions,
        [
            "100 FREE, women, heats",
            "100 FREE, women, final, event 2",
            "100 FREE, women, final, event 3",
        ]
    );
    let id = reading.contests.get(0).unwrap().external_id;
    assert_eq!(reading.state_of(&id), (ResultState::Provisional, true));
}

#[test]
fn rankings_of_all_decide_else_they_must_follow_times() {
    let swims = [
        ("00:01:00.00", ""),
        ("00:01:01.00", ""),
        ("00:01:02.00", ""),
    ];
    let read_with = |content: &str| {
        let content = format!("<AGEGROUPS>{content}</AGEGROUPS>");
        meet(&lenex(&event(1, "FIN", 1, &content), &swimmers(1, &swims)))
    };
    // The B final ranks behind the A final, whatever its times are.
    let all = rankings(&[(3, 11), (1, 12), (2, 13)]);
    let reading = read_with(&all);
    assert_eq!(
        contest_lines(&reading),
        ["Tide Cup 2023-11-04: 1 Bo Fir (61), 2 Cal Fir (62), 3 Abe Fir (60)"]
    );
    let groups = rankings(&[(1, 11), (2, 13)]) + &rankings(&[(1, 12), (-1, 14)]);
    assert!(contest_lines(&read_with(&groups))[0].contains("1 Abe Fir (60), 2 Bo Fir (61)"));
    for (content, expected) in [
        (
            rankings(&[(2, 11), (1, 13)]),
            "the places of this AGEGROUP do not follow the times",
        ),
        (
            rankings(&[(1, 11), (1, 13)]),
            "the places of this AGEGROUP do not follow the times",
        ),
        (
            all.clone() + &rankings(&[(1, 11), (2, 12), (3, 13)]),
            "are not those of the one on line",
        ),
    ] {
        let reading = read_with(&content);
        assert_eq!(reading.contests.len(), 0);
        assert!(refused(&reading)[0].contains(expected), "{:?}", refused(&reading));
    }
    let heats = "<HEATS><HEAT final=\"A\"/><HEAT final=\"B\"/></HEATS>";
    let reading = meet(&lenex(&event(1, "FIN", 1, heats), &swimmers(1, &swims)));
    assert!(refused(&reading)[0].contains("has several finals, and no RANKINGS"));
}

#[test]
fn relays_are_teams_with_members() {
    let athletes = ["Abe", "Bo", "Cal", "Dan"];
    let athletes: String = (1..)
        .zip(athletes)
        .map(|(id, name)| athlete(id, name, ""))
        .collect::<Vec<_>>()
        .concat();
    let relay = |number: u32, time: &str, members: [i32; 2]| {
        let [first, second] = members;
        let positions = format!(
            "<RELAYPOSITIONS><RELAYPOSITION number=\"1\" athleteid=\"{first}\"/><RELAYPOSITION \
             number=\"2\" athleteid=\"{second}\"/><RELAYPOSITION number=\"-1\" athleteid=\"9\"/>\
             </RELAYPOSITIONS></RESULT>"
        );
        let result = result(7, number, time, "").replace("</RESULT>", &positions);
        format!("<RELAY number=\"{number}\"><RESULTS>{result}</RESULTS></RELAY>\n")
    };
    let relays = relay(1, "00:02:10.00", [1, 2]) + &relay(2, "00:02:09.50", [3, 4]);
    let text = lenex(&event(7, "TIM", 4, ""), &club(&athletes, &relays));
    let reading = meet(&text);
    assert_eq!(
        contest_lines(&reading),
        [
            "Tide Cup 2023-11-04: 1 Gulls 2 [Cal Fir Dan Fir] (129.5), 2 Gulls [Abe Fir Bo Fir] (130)"
        ]
    );
    let contest = reading.contests.get(0).unwrap();
    assert_eq!(contest.division.as_deref(), Some("4x100 FREE, women"));
    let unknown = text.replace("number=\"1\" athleteid=\"3\"", "number=\"1\" athleteid=\"8\"");
    assert!(refused(&meet(&unknown))[0].contains("the athleteid \"8\" is no ATHLETE"));
    let empty = text.replace("RELAYPOSITION ", "X ");
    assert!(refused(&meet(&empty))[0].contains("\"Gulls\" has no members; add RELAYPOSITIONS"));
}

#[test]
fn lxf_is_a_zip_archive_of_one_lef() {
    let text = lenex(&event(1, "TIM", 1, ""), &swimmers(1, &[("00:01:02.00", "")]));
    let pack = |names: &[&str]| {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    };
    assert_eq!(FileFormat::from_file_name("tide.lxf"), Some(FileFormat::Lenex));
    assert_eq!(meet_of(&pack(&["Tide.LEF", "readme.txt"])).unwrap(), meet(&text));
    for (bytes, expected) in [
        (pack(&["a.lef", "b.lef"]), "does not have exactly one .lef file"),
        (pack(&["a.xml"]), "does not have exactly one .lef file"),
        (b"PK\x03\x04".to_vec(), "is no valid ZIP archive"),
    ] {
        let error = meet_of(&bytes).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn malformed_meets_are_refused() {
    let text = lenex(
        &event(1, "TIM", 1, ""),
        &swimmers(1, &[("00:01:02.00", ""), ("00:01:03.00", "DSQ")]),
    );
    for (from, to, expected) in [
        ("version=\"3.0\"", "version=\"2.0\"", "not of version 3 of Lenex"),
        ("00:01:02.00", "1:02.00", "line 10: the swimtime \"1:02.00\" is not like"),
        ("DSQ", "DISQ", "line 11: the status \"DISQ\" is not one of Lenex"),
        (
            "RESULT eventid=\"1\"",
            "RESULT eventid=\"2\"",
            "line 10: the eventid \"2\" is that of no",
        ),
        (
            "athleteid=\"2\"",
            "athleteid=\"1\"",
            "line 11: the athleteid \"1\" is that of two",
        ),
        ("stroke=\"FREE\"", "", "line 6: the SWIMSTYLE has no name"),
        ("2023-11-04", "soon", "line 5: \"soon\" is not a date"),
        ("<RESULT ", "<X ", "the document has no results of a meet"),
        ("</LENEX>", "", "the document ends within an element"),
        ("</MEET>", "</MEET><MEET name=\"b\"/>", "has two meets; export each"),
    ] {
        let text = text.replace(from, to).replace("</X>", "</RESULT>");
        let text = if from == "<RESULT " {
            text.replace("</RESULT>", "</X>")
        } else {
            text
        };
        let error = meet_of(text.as_bytes()).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let reading = meet(&text.replace("00:01:02.00", "NT"));
    assert!(refused(&reading)[0].contains("\"Abe Fir\" is OK and has no Position or Time"));
    let reading = meet(&text.replace("date=\"2023-11-04\"", ""));
    assert!(refused(&reading)[0].contains("pass --start 2024-01-31"));
}
