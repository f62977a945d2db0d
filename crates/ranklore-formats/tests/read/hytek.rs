//! Results of swimming meets in the .hy3 files of HY-TEK.

use ranklore_contest::ContestTime;
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, refused};

/// Returns a line with texts that begin in columns, which count from 1.
fn record(code: &str, fields: &[(usize, &str)]) -> String {
    overwrite_all(&format!("{code:128}00\r\n"), fields)
}

/// Returns a line with other text in columns.
pub(super) fn overwrite(line: &str, first: usize, text: &str) -> String {
    let mut columns: Vec<char> = line.chars().collect();
    for (at, c) in text.chars().enumerate() {
        columns[first - 1 + at] = c;
    }
    columns.into_iter().collect()
}

/// Returns a line with other texts in columns.
pub(super) fn overwrite_all(line: &str, fields: &[(usize, &str)]) -> String {
    fields
        .iter()
        .fold(line.to_owned(), |line, (first, text)| overwrite(&line, *first, text))
}

/// Returns a meet of one team.
pub(super) fn meet_file(content: &str) -> String {
    record("A107Results From MM to TM", &[(30, "Hy-Tek, Ltd"), (45, "MM5 8.0Fd")])
        + &record("B1Tide Cup", &[(93, "1104202311052023")])
        + &record("C1GULL Gulls", &[(38, "Gull")])
        + content
}

pub(super) fn swimmer(number: u32, first_name: &str) -> String {
    let number = format!("{number:>5}");
    record("D1F", &[(4, &number), (9, "Fir"), (29, first_name), (49, "Nick")])
}

/// Returns an entry in event 1, 100 free of women.
pub(super) fn entry(number: u32) -> String {
    let number = format!("{number:>5}");
    let fields = [
        (4, &*number),
        (14, "FW"),
        (16, "   100A  0109"),
        (39, "  1 "),
        (80, "NN"),
        (97, "N"),
    ];
    record("E1F", &fields)
}

fn relay_entry(letter: &str) -> String {
    let fields = [
        (8, letter),
        (13, "FFW"),
        (16, "   400A  0109"),
        (39, "  7 "),
        (85, "4"),
        (97, "N"),
    ];
    record("F1GULL", &fields)
}

/// Returns a result on 2023-11-04. `code` is the letter and the code of a disqualification.
pub(super) fn swim(round: &str, time: &str, code: &str, place: u32) -> String {
    swim_on("E2", (88, "11042023"), (round, time, code, place))
}

fn relay_swim(round: &str, time: &str, code: &str, place: u32) -> String {
    swim_on("F2", (103, "11042023"), (round, time, code, place))
}

fn swim_on(line: &str, day: (usize, &str), result: (&str, &str, &str, u32)) -> String {
    let (round, time, code, place) = result;
    let time = format!("{time:>8}");
    let place = format!("{place:>4}  0");
    record(
        line,
        &[
            (3, round),
            (4, &time),
            (12, "L"),
            (13, code),
            (21, "  1  4"),
            (30, &place),
            day,
        ],
    )
}

/// Returns the line F3 of a relay: the numbers and legs of its slots.
fn relay_members(round: &str, slots: &[(u32, &str)]) -> String {
    let slots = slots.iter().map(|(number, leg)| format!("F{number:>5}Name {round}{leg}"));
    record("F3", &[(3, &slots.collect::<String>())])
}

/// Returns the swimmers of event 1 in the order of their numbers, with their swims.
pub(super) fn event(swims: &[(&str, &str, u32)]) -> String {
    let names = ["Abe", "Bo", "Cal", "Dan", "Eli", "Fay", "Gil"];
    let lines = (1..).zip(names).zip(swims).map(|((number, name), (time, code, place))| {
        swimmer(number, name) + &entry(number) + &swim("F", time, code, *place)
    });
    lines.collect()
}

pub(super) fn read_meet(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    read(FileFormat::HyTek, text.as_bytes(), "in/tide.hy3", options).map_err(|e| e.to_string())
}

pub(super) fn meet(content: &str) -> FileReading {
    let text = meet_file(content);
    assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::HyTek);
    read_meet(&text, &ReadOptions::default()).unwrap()
}

pub(super) fn divisions(reading: &FileReading) -> Vec<String> {
    reading.contests.iter().filter_map(|contest| contest.division).collect()
}

/// Returns the only refusal of a meet without contests.
pub(super) fn only_refusal(content: &str) -> String {
    let reading = meet(content);
    assert_eq!(contest_lines(&reading), [""; 0]);
    let [refusal] = &refused(&reading)[..] else {
        panic!("{:?}", refused(&reading));
    };
    refusal.clone()
}

const LENEX: &str = r#"<?xml version="1.0"?>
<LENEX version="3.0"><MEETS><MEET name="Tide Cup"><SESSIONS><SESSION date="2023-11-04"><EVENTS>
<EVENT eventid="1" number="1" gender="F" round="PRE"><SWIMSTYLE distance="100" stroke="FREE"/></EVENT>
<EVENT eventid="7" number="7" gender="F" round="TIM">
<SWIMSTYLE distance="100" relaycount="4" stroke="FREE"/></EVENT>
</EVENTS></SESSION><SESSION date="2023-11-05"><EVENTS>
<EVENT eventid="2" number="1" gender="F" round="FIN"><SWIMSTYLE distance="100" stroke="FREE"/></EVENT>
<EVENT eventid="3" number="50" gender="X" round="TIMETRIAL"><SWIMSTYLE distance="50" stroke="FLY"/></EVENT>
</EVENTS></SESSION></SESSIONS><CLUBS><CLUB name="Gulls"><ATHLETES>
<ATHLETE athleteid="1" firstname="Abe" lastname="Fir" license="L1"><RESULTS>
<RESULT eventid="1" resultid="11" swimtime="00:01:02.34"/>
<RESULT eventid="2" resultid="21" swimtime="00:01:01.50"/></RESULTS></ATHLETE>
<ATHLETE athleteid="2" firstname="Bo" lastname="Fir" license="L2"><RESULTS>
<RESULT eventid="1" resultid="12" swimtime="00:01:02.34"/>
<RESULT eventid="2" resultid="22" swimtime="00:01:00.10" status="DSQ"/></RESULTS></ATHLETE>
<ATHLETE athleteid="3" firstname="Zoë" lastname="Fir" license="L3"><RESULTS>
<RESULT eventid="1" resultid="13" swimtime="00:01:01.90"/>
<RESULT eventid="2" resultid="23" swimtime="NT" status="DNS"/>
<RESULT eventid="3" resultid="33" swimtime="00:00:31.00"/></RESULTS></ATHLETE>
<ATHLETE athleteid="4" firstname="Dan" lastname="Fir" license="L4"><RESULTS>
<RESULT eventid="1" resultid="14" swimtime="00:00:59.00" status="EXH"/>
<RESULT eventid="2" resultid="24" swimtime="NT" status="DNF"/></RESULTS></ATHLETE>
</ATHLETES><RELAYS>
<RELAY number="1"><RESULTS><RESULT eventid="7" resultid="71" swimtime="00:04:10.00"><RELAYPOSITIONS>
<RELAYPOSITION number="1" athleteid="2"/><RELAYPOSITION number="2" athleteid="1"/>
</RELAYPOSITIONS></RESULT></RESULTS></RELAY>
<RELAY number="2"><RESULTS><RESULT eventid="7" resultid="72" swimtime="00:04:09.50"><RELAYPOSITIONS>
<RELAYPOSITION number="1" athleteid="3"/><RELAYPOSITION number="2" athleteid="4"/>
</RELAYPOSITIONS></RESULT></RESULTS></RELAY>
</RELAYS></CLUB></CLUBS></MEET></MEETS></LENEX>
"#;

/// Returns the meet of [`LENEX`].
pub(super) fn same_meet() -> String {
    let final_swim = |time, code, place| swim_on("E2", (88, "11052023"), ("F", time, code, place));
    let with_id =
        |number: u32, name: &str| overwrite(&swimmer(number, name), 70, &format!("L{number}"));
    let time_trial = [(14, "XX"), (16, "    50D"), (39, " 50 "), (96, "T")];
    let time_trial = overwrite_all(&entry(3), &time_trial);
    let exhibition =
        overwrite(&entry(4), 84, "X") + &overwrite(&swim("P", "59.00", "", 0), 16, "X");
    meet_file(
        &[
            // The final precedes the prelim.
            with_id(1, "Abe") + &entry(1) + &final_swim("61.50", "", 1),
            entry(1) + &swim("P", "62.34", "", 2),
            with_id(2, "Bo") + &entry(2) + &final_swim("60.10", "Q3T", 0),
            record("H13TOther", &[]) + &entry(2) + &swim("P", "62.34", "", 2),
            with_id(3, "Zoë") + &entry(3) + &final_swim("0.00", "R", 0),
            // Swam the prelim and scratched the final.
            entry(3) + &swim("P", "61.90", "S", 1),
            time_trial + &final_swim("31.00", "", 1),
            with_id(4, "Dan") + &exhibition + &entry(4) + &final_swim("0.00", "D", 0),
            relay_entry("A") + &relay_swim("F", "250.00", "", 2),
            relay_members("F", &[(1, "2"), (2, "1"), (4, "5")]),
            relay_entry("B") + &relay_swim("F", "249.50", "", 1) + &record("G1F 2   60.00", &[]),
            relay_members("F", &[(3, "1"), (4, "2")]),
        ]
        .concat(),
    )
}

#[test]
fn same_meet_in_lenex_has_equal_contests() {
    let options = ReadOptions::default();
    let lenex = read(FileFormat::Lenex, LENEX.as_bytes(), "tide.lef", &options).unwrap();
    let text = same_meet();
    let hytek = read_meet(&text, &options).unwrap();
    assert_eq!(refused(&hytek), [""; 0]);
    assert_eq!(
        contest_lines(&hytek),
        [
            "Tide Cup 2023-11-04: 1 L3 (61.9), 2 L1 (62.34), 2 L2 (62.34)",
            "Tide Cup 2023-11-04: 1 Gulls 2 [L3 L4] (249.5), 2 Gulls [L2 L1] (250)",
            "Tide Cup 2023-11-05: 1 L1 (61.5), dq L2 (60.1), dnf L4",
            "Tide Cup 2023-11-05: 1 L3 (31)",
        ]
    );
    assert_eq!(hytek.contests.to_vec(), lenex.contests.to_vec());
    assert_eq!(hytek.dated_names, lenex.dated_names);
    assert_eq!(
        divisions(&hytek),
        [
            "100 FREE, women, heats",
            "4x100 FREE, women",
            "100 FREE, women, final",
            "50 FLY, mixed, time trial",
        ]
    );
    assert!(hytek.warnings[0].contains("--column \"USS id=ignore\""), "{:?}", hytek.warnings);
    assert!(hytek.warnings[1].ends_with("(such as NotCompeting or EXH) are left out: 1"));
    assert_eq!(hytek.warnings.len(), 2);
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let old_code_page = read(FileFormat::HyTek, latin1, "tide.hy3", &options).unwrap();
    assert_eq!(old_code_page.contests.to_vec(), hytek.contests.to_vec());
    assert_eq!(old_code_page.dated_names, hytek.dated_names);
    assert_eq!(read_meet(&text.replace("\r\n", "\n"), &options), Ok(hytek.clone()));
    let columns = [("uss id".to_owned(), ColumnMeaning::Ignore)].into();
    let by_name = ReadOptions { columns, ..options };
    let reading = read_meet(&text, &by_name).unwrap();
    assert!(contest_lines(&reading)[0].contains("1 Zoë Fir (61.9), 2 Abe Fir"));
}

#[test]
fn places_decide_and_codes_are_statuses() {
    let reading = meet(&event(&[
        ("62.00", "", 2),
        ("63.00", "", 1),
        ("62.00", "", 2),
        ("0.00", "", 4),
        ("60.00", "Q", 0),
        ("0.00", "F7B", 0),
        ("DNF", "", 0),
    ]));
    assert_eq!(
        contest_lines(&reading),
        [
            "Tide Cup 2023-11-04: 1 Bo Fir (63), 2 Abe Fir (62), 2 Cal Fir (62), 4 Dan Fir, dq Eli Fir \
             (60), dnf Gil Fir"
        ]
    );
    assert_eq!(divisions(&reading), ["100 FREE, women"]);
    assert_eq!(reading.warnings, [""; 0]);
    let unplaced = meet(&event(&[
        ("62.00", "", 0),
        ("61.00", "", 0),
        ("NS", "", 0),
        ("0.00", "S", 0),
    ]));
    assert!(contest_lines(&unplaced)[0].ends_with("1 Bo Fir (61), 2 Abe Fir (62)"));
    assert_eq!(unplaced.warnings, ["results without a Position are ordered by Time"]);
    let some = meet(&event(&[("62.00", "", 3), ("63.00", "", 7)]));
    assert!(contest_lines(&some)[0].ends_with("1 Abe Fir (62), 2 Bo Fir (63)"));
    assert!(some.warnings[0].contains("places are missing"), "{:?}", some.warnings);
}

#[test]
fn exhibition_and_swim_offs_are_left_out() {
    let swim_off =
        overwrite(&overwrite(&entry(1), 39, "  1S"), 96, "S") + &swim("F", "61.00", "", 1);
    let marked = overwrite(&entry(2), 84, "X") + &swim("F", "58.00", "", 0);
    let disqualified = entry(2) + &overwrite(&swim("F", "58.00", "Q1A", 0), 16, "X");
    let content = event(&[("62.00", "", 1)]) + &swim_off + &swimmer(2, "Bo");
    for exhibition in [marked, disqualified] {
        let reading = meet(&(content.clone() + &exhibition));
        assert_eq!(contest_lines(&reading), ["Tide Cup 2023-11-04: 1 Abe Fir (62)"]);
        assert_eq!(
            reading.warnings,
            [
                "results outside of the competition (such as NotCompeting or EXH) are left out: 1",
                "results of swim-offs are left out, since they only settle ties: 1",
            ]
        );
    }
}

#[test]
fn relays_have_the_swimmers_of_their_legs() {
    let swimmers: String = (1..)
        .zip(["Abe", "Bo", "Cal", "Dan", "Eli"])
        .map(|(number, name)| swimmer(number, name))
        .collect();
    let relay = |members: &str| {
        swimmers.clone() + &relay_entry("C") + &relay_swim("F", "251.00", "", 1) + members
    };
    let slots = [(5, "6"), (4, "3"), (1, "1"), (3, "4"), (2, "2")];
    let reading = meet(&relay(&relay_members("F", &slots)));
    assert_eq!(
        contest_lines(&reading),
        ["Tide Cup 2023-11-04: 1 Gulls 3 [Abe Fir Bo Fir Dan Fir Cal Fir] (251)"]
    );
    for (members, expected) in [
        (String::new(), "the relay \"Gulls 3\" has no members; add its line F3"),
        (relay_members("F", &[(1, "5")]), "has no members"),
        (relay_members("F", &[(1, "1"), (2, "1")]), "has two swimmers on a leg"),
        (
            relay_members("F", &[(1, "1")]) + &relay_members("F", &[(2, "2")]),
            "a second line F3 of the relay",
        ),
        (relay_members("F", &[(1, "1"), (2, "?")]), "has no leg of the swimmer \"2\""),
        (
            relay_members("F", &[(1, "1"), (8, "2")]),
            "the number \"8\" is that of no swimmer",
        ),
    ] {
        assert!(only_refusal(&relay(&members)).contains(expected), "{expected}");
    }
    // A relay that did not start has no members.
    let absent = relay_entry("A") + &relay_swim("F", "0.00", "R", 0);
    let with_absent = meet(&(relay(&relay_members("F", &slots)) + &absent));
    assert_eq!(contest_lines(&with_absent), contest_lines(&reading));
    let medley = [(14, "XX"), (16, "   200E")];
    let medley = medley.iter().fold(relay(&relay_members("F", &slots)), |text, (first, field)| {
        let lines = text.split_inclusive('\n').map(|line| {
            if line.starts_with("F1") {
                overwrite(line, *first, field)
            } else {
                line.to_owned()
            }
        });
        lines.collect()
    });
    assert_eq!(divisions(&meet(&medley)), ["4x50 MEDLEY, mixed"]);
}

#[test]
fn numbers_then_ages_tell_events_apart() {
    let in_event = |number: u32, name: &str, columns: &[(usize, &str)], place| {
        let entry = overwrite_all(&entry(number), columns);
        swimmer(number, name) + &entry + &swim("F", "62.00", "", place)
    };
    let content = in_event(1, "Abe", &[(39, " 10 ")], 1) + &in_event(2, "Bo", &[(39, "  9A")], 1);
    assert_eq!(
        divisions(&meet(&content)),
        ["100 FREE, women, event 9A", "100 FREE, women, event 10"]
    );
    let content = in_event(1, "Abe", &[(23, "  0 10")], 1)
        + &in_event(2, "Bo", &[(14, "FG"), (23, " 11 12")], 1);
    assert_eq!(
        divisions(&meet(&content)),
        ["100 FREE, women, 10 and under", "100 FREE, women, 11-12"]
    );
    let dives = in_event(1, "Abe", &[(14, "MB"), (16, "     6F")], 1);
    assert_eq!(divisions(&meet(&dives)), ["1 m diving, 6 dives, men"]);
}

#[test]
fn days_are_of_the_swim_else_of_the_meet() {
    let undated = |round| overwrite(&swim(round, "62.00", "", 1), 88, "        ");
    let content = swimmer(1, "Abe") + &entry(1) + &undated("F");
    let reading = meet(&content);
    assert_eq!(contest_lines(&reading), ["Tide Cup 2023-11-04: 1 Abe Fir (62)"]);
    assert_eq!(
        reading.warnings,
        ["events without a date are dated to the first day of the meet: 1"]
    );
    let later = overwrite(&swim("F", "63.00", "", 2), 88, "11052023");
    let reading = meet(&(content.clone() + &swimmer(2, "Bo") + &entry(2) + &later));
    assert!(contest_lines(&reading)[0].starts_with("Tide Cup 2023-11-05: "));
    assert_eq!(reading.warnings, [""; 0]);
    let without_day = meet_file(&content).replace("1104202311052023", "                ");
    let reading = read_meet(&without_day, &ReadOptions::default()).unwrap();
    assert!(refused(&reading)[0].contains("pass --start 2024-01-31"));
    let start = ContestTime::new(1_704_067_200);
    let reading = read_meet(
        &without_day,
        &ReadOptions {
            start,
            ..ReadOptions::default()
        },
    )
    .unwrap();
    assert!(contest_lines(&reading)[0].starts_with("Tide Cup 2024-01-01: "));
}

fn fixture(name: &str) -> FileReading {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/swimming");
    let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
    assert_eq!(FileFormat::of_text(&bytes), FileFormat::HyTek);
    read(FileFormat::HyTek, bytes, name, &ReadOptions::default()).unwrap()
}

#[test]
fn files_with_all_columns_are_read() {
    let reading = fixture("invitational.hy3");
    let lines = contest_lines(&reading);
    let titled: Vec<String> = divisions(&reading)
        .iter()
        .zip(&lines)
        .map(|(division, line)| format!("{division}, {}", &line[34..]))
        .collect();
    assert_eq!(
        titled,
        [
            "100 FREE, women, heats, 2025-03-15: 1 Marigold Quillfeather (59.4)",
            "100 BREAST, women, heats, 2025-03-15: 1 Marigold Quillfeather (77.85)",
            "200 MEDLEY, men, heats, 2025-03-15: 1 Ignatius Vantablack (119.55)",
            "100 FREE, women, final, 2025-03-15: 1 Marigold Quillfeather (58.91)",
            "100 BREAST, women, final, 2025-03-15: dq Marigold Quillfeather (77.02)",
            "100 FLY, men, heats, 2025-03-16: 1 Caspian Zephyrwood (54.99)",
            "500 FREE, men, 2025-03-16: dnf Ignatius Vantablack",
            "1650 FREE, mixed, 2025-03-16: 1 Ignatius Vantablack (1059.09)",
            "100 FLY, men, final, 2025-03-16: 1 Caspian Zephyrwood (54.2), 1 Perrin Underbough (54.2)",
            "50 FREE, women, time trial, 2025-03-16: 1 Marigold Quillfeather (27.01)",
        ]
    );
    assert_eq!(
        refused(&reading),
        [
            "line 56: contest \"2025 Invented Spring Invitational, 50 FREE, men, event 22B\": the swim has two \
             places, 8 in columns 30 to 33 and 9 in columns 34 to 36; export the results of the \
             event as CSV"
        ]
    );
    let meet = "2025 Invented Relay Carnival 2025-03";
    assert_eq!(
        contest_lines(&fixture("relays.hy3")),
        [
            format!(
                "{meet}-15: 1 Alpha Example Swim Club [Juno Thistlewick Odette Brambleton Saffron Li \
                 Wren D'Aubergine] (130.01)"
            ),
            format!(
                "{meet}-15: dq Beta Made Up Aquatics [Ignatius Vantablack Caspian Zephyrwood Perrin \
                 Underbough Delphine Marrowby] (112.3)"
            ),
            format!(
                "{meet}-16: 1 Alpha Example Swim Club [Marigold Quillfeather Odette Brambleton \
                 Saffron Li Wren D'Aubergine] (128.44)"
            ),
        ]
    );
}
