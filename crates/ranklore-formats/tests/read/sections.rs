//! Rows of one cell that head groups of rows.

use super::{contest_lines, from_2024, notes, refused, table_with};

fn lines(text: &str) -> Result<Vec<String>, String> {
    table_with(text, &from_2024(1)).map(|reading| contest_lines(&reading))
}

/// Returns the divisions and places of the contests.
fn divisions(text: &str) -> Vec<String> {
    let reading = table_with(text, &from_2024(1)).unwrap();
    let contests = reading.contests.iter();
    contests
        .map(|contest| {
            format!("{} {}", contest.division.unwrap_or_default(), contest.entrants.len())
        })
        .collect()
}

#[test]
fn titles_of_rankings_are_divisions() {
    for text in [
        "Pos,Name,Time\nMen,,\n1,Ann,12:00\n2,Bo,12:30\nWomen,,\n1,Cy,13:00\n2,Di,13:10\n3,Ed,14:00\n",
        "Pos,Name,Time\n,Men,\n1,Ann,12:00\n2,Bo,12:30\n,Women,\n1,Cy,13:00\n2,Di,13:10\n3,Ed,14:00\n",
        // The headings are repeated below each title.
        "Men,,\nPos,Name,Time\n1,Ann,12:00\n2,Bo,12:30\nWomen,,\nPos,Name,Time\n1,Cy,13:00\n2,Di,13:10\n3,Ed,14:00\n",
        "Club race 2023,,\nPos,Name,Time\nMen,,\n1,Ann,12:00\nDNF,Bo,\nWomen,,\n1,Cy,13:00\n2,Di,13:10\n3,Ed,14:00\n* Ed came late,,\n",
    ] {
        assert_eq!(divisions(text), ["Men 2", "Women 3"], "{text}");
    }
    let reading = table_with("Pos,Name\nMen,\n1,Ann\n2,Bo\nWomen,\n1,Cy\n2,Di\n", &from_2024(1));
    assert!(notes(&reading.unwrap()).contains("2 rows of one cell head rankings of their own"));
}

/// Rounds, dates, and rankings of the same people are no divisions of one contest.
#[test]
fn titles_of_contests_are_no_divisions() {
    for titles in [
        ["Round 1", "Round 2"],
        ["3. März 2024", "4. März 2025"],
        ["Heats", "Overall"],
    ] {
        for people in [["Ann", "Bo"], ["Cy", "Di"]] {
            let [one, two] = titles;
            let [third, fourth] = people;
            if titles[0] == "Heats" && third == "Cy" {
                continue;
            }
            let text = format!("Pos,Name\n{one},\n1,Ann\n2,Bo\n{two},\n1,{third}\n2,{fourth}\n");
            let reading = table_with(&text, &from_2024(1));
            assert!(reading.is_err() || reading.unwrap().contests.is_empty(), "{text}");
        }
    }
}

#[test]
fn other_rows_of_one_cell_are_no_sections() {
    // One ranking goes on below the titles.
    let overall =
        "Pos,Name,Time\nElite,,\n1,Ann,12:00\n2,Bo,12:30\nOpen,,\n3,Cy,13:00\n4,Di,13:10\n";
    let reading = table_with(overall, &from_2024(1));
    assert!(reading.is_err() || !refused(&reading.unwrap()).is_empty());
    // A title and a note of one ranking.
    let single = "Results,,\nPos,Name,Time\n1,Ann,12:00\n2,Bo,12:30\nTimes by the club,,\n";
    assert_eq!(lines(single).unwrap(), ["Club night 2024-01-01: 1 Ann (720), 2 Bo (750)"]);
    // A column divides the table.
    let divided = "Pos,Name,Class\nMen,,\n1,Ann,A\n2,Bo,A\nWomen,,\n1,Cy,B\n";
    let reading = table_with(divided, &from_2024(1));
    let has_men = reading.is_ok_and(|reading| {
        reading
            .contests
            .iter()
            .any(|contest| contest.division.as_deref() == Some("Men"))
    });
    assert!(!has_men);
}
