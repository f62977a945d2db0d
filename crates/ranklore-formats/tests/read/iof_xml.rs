//! Results of races in IOF XML.

use ranklore_contest::ResultState;
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, refused};

fn iof_with(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    assert_eq!(FileFormat::from_file_name("in/forest.xml"), Some(FileFormat::IofXml));
    read(FileFormat::IofXml, text.as_bytes(), "in/forest.xml", options).map_err(|e| e.to_string())
}

fn iof(text: &str) -> FileReading {
    iof_with(text, &ReadOptions::default()).unwrap()
}

fn list(attributes: &str, event: &str, classes: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ResultList iofVersion=\"3.0\" \
         {attributes}>\n<Event><Name>Dune &amp; Pine</Name>{event}</Event>\n{classes}</ResultList>"
    )
}

const DAY: &str = "<StartTime><Date>2023-11-04</Date></StartTime>";

fn class(name: &str, results: &str) -> String {
    format!("<ClassResult><Class><Name>{name}</Name></Class>\n{results}</ClassResult>\n")
}

fn runner(id: &str, given: &str, results: &str) -> String {
    let id = if id.is_empty() {
        String::new()
    } else {
        format!("<Id>{id}</Id>")
    };
    format!(
        "<PersonResult><Person>{id}<Name><Family>Fir</Family><Given>{given}</Given></Name>\
         </Person>{results}</PersonResult>\n"
    )
}

fn ok(position: u32, time: u32) -> String {
    format!(
        "<Result><Time>{time}</Time><Position>{position}</Position><Status>OK</Status>\
         <SplitTime><ControlCode>31</ControlCode><Time>60</Time></SplitTime></Result>"
    )
}

fn status(word: &str) -> String {
    format!("<Result><Status>{word}</Status></Result>")
}

#[test]
fn classes_are_divisions_with_statuses() {
    let men = [
        runner("", "Abe", &ok(2, 1_900)),
        runner("", "Bo", &ok(1, 1_800)),
        runner("", "Cal", &status("MissingPunch")),
        runner("", "Dan", &status("DidNotStart")),
        runner("", "Eli", &status("OverTime")),
        runner("", "Fay", &status("NotCompeting")),
    ];
    let women = [
        runner("", "Gil", &ok(1, 2_000)),
        runner("", "Hal", &ok(1, 2_000)),
    ];
    let classes = class("M21", &men.concat()) + &class("W21", &women.concat());
    let reading = iof(&list("status=\"Complete\"", DAY, &classes));
    assert_eq!(
        contest_lines(&reading),
        [
            "Dune & Pine 2023-11-04: 1 Bo Fir (1800), 2 Abe Fir (1900), dq Cal Fir, dnf Eli Fir",
            "Dune & Pine 2023-11-04: 1 Gil Fir (2000), 1 Hal Fir (2000)",
        ]
    );
    let contest = reading.contests.get(1).unwrap();
    assert_eq!(contest.division.as_deref(), Some("W21"));
    assert_eq!(contest.event.as_deref(), Some("Dune & Pine"));
    assert_eq!(contest.external_id, "Dune & Pine/W21@1699056000");
    assert_eq!(
        reading.warnings,
        ["results outside of the competition (such as NotCompeting or EXH) are left out: 1"]
    );
}

#[test]
fn ids_identify_persons_if_all_have_one() {
    let all = runner("11", "Abe", &ok(1, 1_800)) + &runner("12", "Bo", &ok(2, 1_900));
    let absent = runner("", "Cal", &status("DidNotStart"));
    let text = list("", DAY, &class("M21", &(all.clone() + &absent)));
    let reading = iof(&text);
    assert!(contest_lines(&reading)[0].ends_with("1 11 (1800), 2 12 (1900)"));
    assert_eq!(reading.dated_names[0].name, "Abe Fir");
    assert!(reading.warnings[0].contains("--column \"Person Id=ignore\""));
    let mut options = ReadOptions::default();
    options.columns.insert("Person Id".to_owned(), ColumnMeaning::Ignore);
    let reading = iof_with(&text, &options).unwrap();
    assert!(contest_lines(&reading)[0].ends_with("1 Abe Fir (1800), 2 Bo Fir (1900)"));
    let some = runner("", "Dan", &ok(3, 2_000));
    let reading = iof(&list("", DAY, &class("M21", &(all + &some))));
    assert!(contest_lines(&reading)[0].contains("1 Abe Fir (1800)"));
    assert!(reading.warnings[0].contains("only 2 of 3 have a Person Id"));
}

#[test]
fn races_of_an_event_are_contests() {
    let event = "<Race><RaceNumber>1</RaceNumber><Name>Sprint</Name>\
                 <StartTime><Date>2023-11-04+01:00</Date></StartTime></Race>\
                 <Race><RaceNumber>2</RaceNumber><StartTime><Date>2023-11-05</Date></StartTime>\
                 </Race>";
    let in_race = |race: u32, result: String| {
        result.replacen("<Result>", &format!("<Result raceNumber=\"{race}\">"), 1)
    };
    let abe = in_race(1, ok(1, 900)) + &in_race(2, status("DidNotFinish"));
    let bo = in_race(1, ok(2, 950)) + &in_race(2, ok(1, 3_000));
    let runners = runner("", "Abe", &abe) + &runner("", "Bo", &bo);
    let reading = iof(&list("status=\"Snapshot\"", event, &class("M21", &runners)));
    assert_eq!(
        contest_lines(&reading),
        [
            "Dune & Pine, Sprint 2023-11-04: 1 Abe Fir (900), 2 Bo Fir (950)",
            "Dune & Pine, Race 2 2023-11-05: 1 Bo Fir (3000), dnf Abe Fir",
        ]
    );
    let id = reading.contests.get(0).unwrap().external_id;
    assert_eq!(reading.state_of(&id), (ResultState::Provisional, true));
}

#[test]
fn last_leg_decides_relays() {
    let leg = |leg: u32, given: &str, overall: &str| {
        format!(
            "<TeamMemberResult><Person><Name><Given>{given}</Given></Name></Person><Result>\
             <Leg>{leg}</Leg><Status>OK</Status><OverallResult>{overall}</OverallResult></Result>\
             </TeamMemberResult>"
        )
    };
    let placed =
        |place: u32| format!("<Time>99</Time><Position>{place}</Position><Status>OK</Status>");
    let team =
        |name: &str, legs: &str| format!("<TeamResult><Name>{name}</Name>{legs}</TeamResult>\n");
    let gulls = leg(2, "Ada", &placed(1)) + &leg(1, "Bea", &placed(2));
    let terns = leg(1, "Cy", &placed(1)) + &leg(2, "Dov", "<Status>MissingPunch</Status>");
    let teams = team("Gulls", &gulls) + &team("Terns", &terns);
    let reading = iof(&list("", DAY, &class("Relay", &teams)));
    assert_eq!(
        contest_lines(&reading),
        ["Dune & Pine 2023-11-04: 1 Gulls [Ada Bea] (99), dq Terns [Cy Dov]"]
    );
    let mut parts = teams.split("<Person>");
    let mut identified = parts.next().unwrap().to_owned();
    for (number, part) in (1..).zip(parts) {
        identified.push_str(&format!("<Person><Id type=\"DUNE\">{number}</Id>{part}"));
    }
    let reading = iof(&list("", DAY, &class("Relay", &identified)));
    assert!(contest_lines(&reading)[0].contains("1 Gulls [DUNE:1 DUNE:2] (99)"));
}

#[test]
fn results_without_positions_are_ordered_by_time() {
    let timed = |time: u32| format!("<Result><Time>{time}</Time></Result>");
    let runners = [
        runner("", "Abe", &timed(70)),
        runner("", "Bo", &timed(60)),
        runner("", "Cal", &timed(70)),
    ];
    let reading = iof(&list("", DAY, &class("M21", &runners.concat())));
    let line = &contest_lines(&reading)[0];
    assert!(line.ends_with("1 Bo Fir (60), 2 Abe Fir (70), 2 Cal Fir (70)"), "{line}");
    assert_eq!(reading.warnings, ["results without a Position are ordered by Time"]);
}

#[test]
fn incomplete_classes_are_refused() {
    let runners = runner("", "Abe", &ok(1, 60)) + &runner("", "Bo", &status("Active"));
    let complete = class("W21", &runner("", "Gil", &ok(1, 70)));
    let reading = iof(&list("", DAY, &(class("M21", &runners) + &complete)));
    assert_eq!(reading.contests.len(), 1);
    assert!(refused(&reading)[0].contains("\"Bo Fir\" has the status Active: the race goes on"));
    let unplaced = runner("", "Abe", &ok(1, 60)) + &runner("", "Bo", &status("OK"));
    let reading = iof(&list("", DAY, &class("M21", &unplaced)));
    assert!(refused(&reading)[0].contains("\"Bo Fir\" is OK and has no Position; add it"));
    let reading = iof(&list("", "", &complete));
    assert!(refused(&reading)[0].contains("pass --start 2024-01-31"));
    let unordered = complete.replace("<Class>", "<Class resultListMode=\"UnorderedNoTimes\">");
    let reading = iof(&list("", DAY, &unordered));
    assert_eq!(reading.warnings, ["classes without an order are left out: 1"]);
}

#[test]
fn other_xml_is_refused_with_its_kind() {
    for (text, expected) in [
        (
            "<ResultList><IOFVersion version=\"2.0.3\"/></ResultList>",
            "export it as IOF XML 3.0",
        ),
        (
            "<ResultList iofVersion=\"3.0\" status=\"Delta\"/>",
            "only the results that changed",
        ),
        ("<EntryList iofVersion=\"3.0\"/>", "whose first element is \"EntryList\""),
        ("<LENEX version=\"3.0\"/>", "whose first element is \"LENEX\""),
        ("<ResultList iofVersion=\"3.0\">", "the document ends within an element"),
        ("plain", "the document"),
        ("", "the document"),
    ] {
        let error = iof_with(text, &ReadOptions::default()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
