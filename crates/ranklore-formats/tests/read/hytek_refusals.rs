//! Uncertain results in .hy3 files are refused.

use ranklore_formats::ReadOptions;

use super::hytek::{
    divisions, entry, event, meet, meet_file, only_refusal, overwrite, overwrite_all, read_meet,
    same_meet, swim, swimmer,
};
use super::{contest_lines, refused};

/// Asserts that an event is refused at a line, and that another event is read.
fn assert_refused(event: &str, line: u64, expected: &str) {
    let content = swimmer(1, "Abe") + event;
    let refusal = only_refusal(&content);
    assert!(refusal.starts_with(&format!("line {line}: contest \"Tide Cup, ")), "{refusal}");
    assert!(refusal.contains(expected), "{expected}: {refusal}");
    let other_entry = overwrite_all(&entry(9), &[(39, "  2 "), (16, "   200")]);
    let other = swimmer(9, "Ida") + &other_entry + &swim("F", "130.00", "", 1);
    let reading = meet(&(content + &other));
    assert_eq!(contest_lines(&reading), ["Tide Cup 2023-11-04: 1 Ida Fir (130)"]);
    assert_eq!(reading.refused.len(), 1, "{expected}");
}

#[test]
fn uncertain_results_refuse_their_event() {
    let good = swim("F", "62.00", "", 1);
    for (entry, result, expected) in [
        (
            entry(1),
            overwrite_all(&good, &[(13, "Z")]),
            "the code \"Z\" in columns 13 to 15 is unknown",
        ),
        (
            entry(1),
            swim("F", "62.00", "S", 0),
            "the code \"S\" in columns 13 to 15 is unknown",
        ),
        (
            entry(1),
            swim("F", "0.00", "F7C", 0),
            "the code \"F7C\" in columns 13 to 15 is unknown",
        ),
        (
            entry(1),
            swim("F", "62.00", "Q", 1),
            "the place 1 although it does not count (code \"Q\"",
        ),
        (
            entry(1),
            overwrite_all(&good, &[(16, "X")]),
            "the place 1 although it does not count",
        ),
        (
            entry(1),
            overwrite_all(&good, &[(16, "Y")]),
            "the mark \"Y\" in column 16 is unknown",
        ),
        (
            entry(1),
            overwrite_all(&good, &[(3, "S")]),
            "the round \"S\" in column 3 is neither P nor F",
        ),
        (
            entry(1),
            overwrite_all(&good, &[(34, "  2")]),
            "two places, 1 in columns 30 to 33 and 2 in",
        ),
        (entry(1), swim("F", "0.00", "", 0), "neither a time nor a place nor a code"),
        (entry(1), swim("F", "1:02.00", "", 1), "the time \"1:02.00\" in columns 4 to 11"),
        (entry(1), swim("F", "-2.00", "", 1), "the time \"-2.00\" in columns 4 to 11"),
        (
            entry(1),
            overwrite_all(&good, &[(30, "  1a")]),
            "the place \"1a\" is not a whole number",
        ),
        (
            entry(1),
            overwrite_all(&good, &[(88, "13312023")]),
            "the date \"13312023\" in column 88",
        ),
        (entry(1), format!("{}\r\n", &good[..31]), "the line ends before the place"),
        (entry(2), good.clone(), "the number \"2\" is that of no swimmer"),
    ] {
        assert_refused(&(entry + &result), 6, expected);
    }
    let dives = overwrite(&entry(1), 16, "     6G") + &swim("F", "245.10", "", 0);
    assert_refused(&dives, 6, "the event has points and no places");
}

#[test]
fn unknown_events_are_refused() {
    for (first, text, expected) in [
        (96, "O", "the kind of event \"O\" in column 96 of the entry"),
        (22, "Q", "the stroke \"Q\" in column 22 of the entry"),
        (14, "XW", "the sex \"XW\" in columns 14 and 15 of the entry"),
        (16, "  1e02", "the distance \"1e02\" in columns 16 to 21 of the entry"),
        (39, "    ", "the entry has no event number in columns 39 to 42"),
    ] {
        let entry = overwrite(&entry(1), first, text);
        assert_refused(&(entry + &swim("F", "62.00", "", 1)), 5, expected);
    }
}

#[test]
fn orders_that_are_not_certain_are_refused() {
    let second = |lines: &str| swimmer(1, "Abe") + &entry(1) + &swim("F", "62.00", "", 0) + lines;
    let bo = swimmer(2, "Bo") + &entry(2);
    let heats = entry(1) + &swim("P", "62.00", "", 1);
    for (content, expected) in [
        (
            event(&[("62.00", "", 1), ("63.00", "", 1)]),
            "\"Bo Fir\" has the place 1 with 63, and another has it with 62",
        ),
        (
            event(&[("62.00", "", 1), ("63.00", "", 0)]),
            "\"Bo Fir\" has no place in columns 30 to 33",
        ),
        (
            second(&(bo.clone() + &overwrite(&swim("F", "60.00", "", 0), 12, "Y"))),
            "no places, and times of several courses",
        ),
    ] {
        assert!(only_refusal(&content).contains(expected), "{expected}");
    }
    let finals = second(&(heats + &bo + &overwrite(&swim("F", "60.00", "", 0), 21, "  2")));
    let reading = meet(&finals);
    assert_eq!(divisions(&reading), ["100 FREE, women, heats"]);
    assert!(refused(&reading)[0].contains("the event has several finals, and no places"));
}

#[test]
fn files_without_certain_results_are_refused() {
    let text = meet_file(&event(&[("62.00", "", 1), ("63.00", "", 2)]));
    for (from, to, expected) in [
        (
            "A107",
            "A102",
            "line 1: the document has no results of a meet: its type in columns 3 and 4 is \"02\"",
        ),
        ("A107", "Z107", "line 1: the document does not begin with A1"),
        ("\nE2", "\nE9", "the document has no results of a meet (lines E2 or F2)"),
        ("\nE1", "\nE9", "line 6: no entry (E1) precedes the result"),
        ("\nE1", "\nF1", "line 6: no entry (E1) precedes the result"),
        (
            "D1F    2",
            "D1F    1",
            "line 7: the number \"1\" in columns 4 to 8 is that of two swimmers",
        ),
        ("D1F    2", "D1F     ", "line 7: the swimmer has no number"),
        ("\nC1GULL", "\nB1GULL", "line 3: the document has two meets; export each"),
        ("11042023110", "13042023110", "line 2: the date \"13042023\" in column 93"),
        (
            "Fir                 Bo ",
            "                       ",
            "line 7: the swimmer has no name",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let error = read_meet(&text.replace(from, to), &ReadOptions::default()).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let namesakes = read_meet(&text.replace("Bo ", "Abe"), &ReadOptions::default()).unwrap();
    assert!(refused(&namesakes)[0].contains("Abe Fir"));
    assert!(namesakes.warnings[0].contains("export the file with the USS id of each"));
}

#[test]
fn truncated_files_do_not_panic() {
    let text = same_meet();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7) {
        if let Ok(reading) = read_meet(&text[..end], &ReadOptions::default()) {
            assert!(reading.contests.iter().all(|contest| contest.validate().is_ok()));
        }
    }
}
