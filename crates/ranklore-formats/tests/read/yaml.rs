//! YAML, and JSON in files of other names.

use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, from_2024};

fn yaml(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    let reading = read(FileFormat::Yaml, text.as_bytes(), "cup 2024-05-04.yml", options);
    reading.map_err(|error| error.to_string())
}

#[test]
fn objects_are_rows_as_in_json() {
    let rows = "- position: 1\n  driver: Ada\n  time: \"2:02:53.7\"\n\
                - position: 2\n  driver: Bea\n  time:\n- position: DNF\n  driver: Cy\n";
    let expected = ["cup 2024-05-04 2024-05-04: 1 Ada (7373.7), 2 Bea, dnf Cy"];
    let reading = yaml(rows, &ReadOptions::default()).unwrap();
    assert_eq!(contest_lines(&reading), expected);
    let indented = rows.replace('\n', "\n  ");
    for text in [
        format!("version: 3\nresults:\n  {indented}\n"),
        format!("---\n{rows}"),
        "---\nposition: 1\ndriver: Ada\ntime: \"2:02:53.7\"\n---\nposition: 2\ndriver: Bea\n\
         ---\nposition: DNF\ndriver: Cy\n"
            .to_owned(),
    ] {
        let reading = yaml(&text, &ReadOptions::default()).unwrap();
        assert_eq!(contest_lines(&reading), expected, "{text}");
    }
}

#[test]
fn contest_files_and_matches_are_those_of_json() {
    let contest = "name: Cup\ntime_seconds: 1709251200\nstandings:\n- [ada, 0, 0]\n- [bea, 1, 1]\n";
    let reading = yaml(contest, &ReadOptions::default()).unwrap();
    assert_eq!(contest_lines(&reading), ["Cup 2024-03-01: 1 ada, 2 bea"]);
    let matches =
        "name: League\nmatches:\n- {date: 2024-03-01, team1: A, team2: B, score: {ft: [0, 2]}}\n";
    let reading = yaml(matches, &ReadOptions::default()).unwrap();
    assert_eq!(contest_lines(&reading), ["A – B 2024-03-01: 1 B (2), 2 A (0)"]);
}

#[test]
fn refusals_name_lines_and_paths() {
    for (text, error) in [
        ("- place: 1\n  name: [Ada\n", "line 3: this is not YAML: "),
        (
            "- &a {place: 1}\n- <<: *a\n  name: Ada\n",
            "line 2: merge keys (<<) are not read",
        ),
    ] {
        let refusal = yaml(text, &from_2024(1)).unwrap_err();
        assert!(refusal.starts_with(error), "{text}: {refusal}");
    }
    let latin = read(FileFormat::Yaml, &b"name: Zo\xeb"[..], "x", &ReadOptions::default());
    assert!(latin.unwrap_err().to_string().contains("not UTF-8"));
}
