//! Competitors who are identified by an id, or by their name and another column.

use super::{contest_lines, from_2024, notes, refused, scores, table, table_with};
use ranklore_contest::EntrantKind;
use ranklore_formats::{
    ArchivedBy, ColumnMeaning, FileFormat, FileReading, MemberSeparator, ReadOptions, read_archived,
};

fn same_name_by(heading: &str) -> ReadOptions {
    ReadOptions {
        same_name_by: Some(heading.to_owned()),
        ..ReadOptions::default()
    }
}

/// Returns the dated names, one line each: `id name first..last`.
fn names(reading: &FileReading) -> Vec<String> {
    let names = reading.dated_names.iter();
    names
        .map(|dated_name| {
            format!(
                "{} {} {}..{}",
                dated_name.competitor,
                dated_name.name,
                dated_name.first_seen_at,
                dated_name.last_seen_at
            )
        })
        .collect()
}

#[test]
fn ids_identify_competitors_and_names_are_dated() {
    for heading in [
        "competitor id",
        "player id",
        "AthleteID",
        "WCA ID",
        "FIDE ID",
        "user_id",
        "uid",
        "Licence",
        "License number",
        "Lizenznummer",
        "Startpass-ID",
        "N° de licence",
        "Número de licencia",
    ] {
        let text = format!(
            "contest,date,place,player,{heading}\n\
             A,2024-03-01,1,Ada Berg,17\nA,2024-03-01,2,Bo,4\n\
             B,2024-04-01,1,Ada Lind,17\nB,2024-04-01,2,Bo,4\nB,2024-04-01,3,Bo,5"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["A 2024-03-01: 1 17, 2 4", "B 2024-04-01: 1 17, 2 4, 3 5"],
            "{heading}"
        );
        assert_eq!(
            names(&reading),
            [
                "17 Ada Berg 2024-03-01..2024-03-01",
                "17 Ada Lind 2024-04-01..2024-04-01",
                "4 Bo 2024-03-01..2024-04-01",
                "5 Bo 2024-04-01..2024-04-01",
            ],
            "{heading}"
        );
        let layout = reading.layout.unwrap();
        assert_eq!(layout.columns[4].meaning, Some("competitor id"), "{heading}");
    }
    for heading in ["bib", "start number", "no", "Startnummer"] {
        let reading = table(&format!("date,place,player,{heading}\n2024-03-01,1,Ada,17")).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ada"]);
        assert_eq!(reading.dated_names, [], "{heading}");
    }
}

#[test]
fn wide_tables_and_starting_ratings_use_ids() {
    let text = "Name,Player ID,Elo,Round 1,Round 2\nAda,7,1600,3,2\nAda,8,1500,2,1";
    let reading = table_with(text, &scores(from_2024(7))).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Round 1 2024-01-01: 1 7 (3), 2 8 (2)",
            "Round 2 2024-01-08: 1 7 (2), 2 8 (1)"
        ]
    );
    assert_eq!(
        names(&reading),
        [
            "7 Ada 2024-01-01..2024-01-08",
            "8 Ada 2024-01-01..2024-01-08"
        ]
    );
    let rated: Vec<&str> = reading.starting_ratings.iter().map(|start| &*start.1).collect();
    assert_eq!(rated, ["7", "8"]);
}

#[test]
fn teams_have_ids_and_listed_members_have_names() {
    let text =
        "date,place,team id,team,members\n2024-03-01,1,7,Gulls,Ada;Bo\n2024-03-01,2,9,Gulls,Cy;Di";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 7 [Ada Bo], 2 9 [Cy Di]"]);
    let kinds: Vec<EntrantKind> =
        reading.dated_names.iter().map(|dated_name| dated_name.kind).collect();
    assert_eq!(kinds, [EntrantKind::Team; 2]);
    // Each row is a member: the person and the team have ids of their own.
    let text = "date,place,team id,team,player id,player\n\
                2024-03-01,1,7,Gulls,17,Ada\n2024-03-01,1,7,Gulls,18,Ada\n2024-03-01,2,9,Gulls,7,Bo";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 7 [17 18], 2 9 [7]"]);
    assert_eq!(names(&reading).len(), 5);
    // Several names in a cell are a team with the id of the row.
    let options = ReadOptions {
        members: Some(MemberSeparator::Text(" & ".to_owned())),
        ..ReadOptions::default()
    };
    let text = "date,place,player,entrant id\n2024-03-01,1,Ada & Bo,7\n2024-03-01,2,Cy,9";
    let reading = table_with(text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 7 [Ada Bo], 2 9"]);
    // Without a column of teams, their ids are of no use.
    let reading = table("date,place,player,team id\n2024-03-01,1,Ada,7").unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ada"]);
}

#[test]
fn absent_ids_are_names_unless_the_name_has_one() {
    let text = "contest,date,place,player,fide id\n\
                A,2024-03-01,1,Ada,17\nA,2024-03-01,2,Bo,0\nA,2024-03-01,3,Cy,";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 17, 2 Bo, 3 Cy"]);
    assert_eq!(names(&reading).len(), 1);
    assert!(
        notes(&reading).contains(
            "2 rows are without a value of \"fide id\" (E): the name alone identifies these competitors"
        ),
        "{}",
        notes(&reading)
    );
    // Some programs write numbers with a fraction if other cells are empty.
    let fractions = table(&text.replace("Ada,17", "Ada,17.0")).unwrap();
    assert_eq!(contest_lines(&fractions), contest_lines(&reading));
    let reading = table(&format!("{text}\nB,2024-04-01,1,Ada,n/a\nB,2024-04-01,2,17,-")).unwrap();
    assert_eq!(
        refused(&reading),
        [
            "line 5: contest \"B\": \"Ada\" has no value of \"fide id\" (E) here, and one on line 2: fill it in; line 6: \"17\" has no value of \"fide id\" (E) here, and one on line 2: fill it in"
        ]
    );
}

#[test]
fn repeated_id_names_the_column() {
    let text = "date,place,player,license\n2024-03-01,1,Ada,A\n2024-03-01,2,Bo,A";
    assert_eq!(
        refused(&table(text).unwrap()),
        [
            "line 3: contest \"2024-03-01\": \"A\" (\"Bo\") stands twice, on lines 2 and 3; if \"license\" (D) does not identify competitors, pass --column license=ignore"
        ]
    );
    let two = "date,place,player,wca id,user id\n2024-03-01,1,Ada,1,2\n2024-03-01,2,Bo,3,2";
    let error = table(two).unwrap_err();
    assert!(error.contains("both mean the competitor id"), "{error}");
    // A licence gives way to an id.
    let reading = table("date,place,player,licence,uci id\n2024-03-01,1,Ada,1,2").unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 2"]);
}

#[test]
fn bare_id_is_decided_by_its_values() {
    let read = |rows: &str| table(&format!("id,contest,date,place,player\n{rows}"));
    let recurs =
        "1,A,2024-03-01,1,Ada\n2,A,2024-03-01,2,Bo\n2,B,2024-04-01,1,Bo\n1,B,2024-04-01,2,Ada";
    let reading = read(recurs).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 1, 2 2", "B 2024-04-01: 1 2, 2 1"]);
    let numbers =
        "1,A,2024-03-01,1,Ada\n2,A,2024-03-01,2,Bo\n3,B,2024-04-01,1,Bo\n4,B,2024-04-01,2,Ada";
    let reading = read(numbers).unwrap();
    assert_eq!(contest_lines(&reading)[0], "A 2024-03-01: 1 Ada, 2 Bo");
    assert!(
        notes(&reading).contains("\"id\" (A) may number the rows and is not read"),
        "{}",
        notes(&reading)
    );
    for contests in [
        "1,A,2024-03-01,1,Ada\n1,A,2024-03-01,2,Bo",
        "1,A,2024-03-01,1,Ada\n2,A,2024-03-01,2,Bo\n1,B,2024-04-01,1,Bo",
        // Two people of one name, or one with two ids.
        "1,A,2024-03-01,1,Ada\n2,A,2024-03-01,2,Bo\n1,B,2024-04-01,1,Ada\n3,B,2024-04-01,2,Bo",
    ] {
        let error = read(contests).unwrap_err();
        assert_eq!(
            error,
            "line 1: \"id\" (A) repeats with different names, and does not say what it identifies: pass --column 'id=contest id' or --column 'id=competitor id' or --column id=ignore",
            "{contests}"
        );
    }
}

#[test]
fn archived_tables_are_read_by_name_unless_ids_are_stated() {
    let archived = |text: &str, options: &ReadOptions| {
        let read = read_archived(
            ArchivedBy::WithoutIds,
            FileFormat::Table,
            text.as_bytes(),
            "a.csv",
            options,
        );
        contest_lines(&read.unwrap())
    };
    for heading in ["player id", "licence", "id"] {
        let text = format!("date,place,player,{heading}\n2024-03-01,1,Ada,1\n2024-03-08,1,Ada,1");
        let by_name = [
            "2024-03-01 2024-03-01: 1 Ada",
            "2024-03-08 2024-03-08: 1 Ada",
        ];
        assert_eq!(archived(&text, &ReadOptions::default()), by_name, "{heading}");
        let options = ReadOptions {
            columns: [(heading.to_owned(), ColumnMeaning::CompetitorId)].into(),
            ..ReadOptions::default()
        };
        let by_id = contest_lines(&table(&text).unwrap());
        assert_eq!(by_id, ["2024-03-01 2024-03-01: 1 1", "2024-03-08 2024-03-08: 1 1"]);
        assert_eq!(archived(&text, &options), by_id, "{heading}");
    }
}

#[test]
fn namesakes_are_refused_with_both_remedies() {
    let text = "date,place,player,club,born,time\n\
                2024-03-01,1,Ada,North,1990,1:01\n2024-03-01,2,Ada,North,2004,1:02";
    assert_eq!(
        refused(&table(text).unwrap()),
        [
            "line 3: contest \"2024-03-01\": \"Ada\" stands twice, on lines 2 and 3; if these are different competitors, add a column of ids headed \"competitor id\", or pass --same-name-by born"
        ]
    );
    let clubs = text.replace("2,Ada,North", "2,Ada,South");
    let refusal = &refused(&table(&clubs).unwrap())[0];
    assert!(refusal.ends_with("--same-name-by club or --same-name-by born"), "{refusal}");
}

#[test]
fn same_name_by_identifies_by_name_and_value() {
    let text = "contest,date,place,player,born\nA,2024-03-01,1,Ada,1990\nA,2024-03-01,2,Ada,2004\nA,2024-03-01,3,Bo,1990";
    let reading = table_with(text, &same_name_by("born")).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["A 2024-03-01: 1 Ada (1990), 2 Ada (2004), 3 Bo (1990)"]
    );
    assert_eq!(names(&reading)[0], "Ada (1990) Ada 2024-03-01..2024-03-01");
    let layout = reading.layout.unwrap();
    assert_eq!(layout.columns[4].meaning, Some("same name by"));
    // The column is no contest, whatever it holds.
    let wide = "player,code,Round 1,Round 2\nAda,1,9,7\nAda,2,8,9";
    let options = ReadOptions {
        same_name_by: Some("code".to_owned()),
        ..scores(from_2024(7))
    };
    let reading = table_with(wide, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Round 1 2024-01-01: 1 Ada (1) (9), 2 Ada (2) (8)",
            "Round 2 2024-01-08: 1 Ada (2) (9), 2 Ada (1) (7)"
        ]
    );
    assert!(!notes(&reading).contains("columns left out"), "{}", notes(&reading));
    // A value is absent in every row of a name, or in none.
    let absent = format!("{text}\nB,2024-04-01,1,Cy,\nB,2024-04-01,2,Bo,1990");
    let reading = table_with(&absent, &same_name_by("born")).unwrap();
    assert_eq!(contest_lines(&reading)[1], "B 2024-04-01: 1 Cy, 2 Bo (1990)");
    let mixed = format!("{text}\nB,2024-04-01,1,Ada,");
    let reading = table_with(&mixed, &same_name_by("born")).unwrap();
    assert_eq!(
        refused(&reading),
        [
            "line 5: contest \"B\": \"Ada\" has no value of \"born\" (E) here, and one on line 2: fill it in"
        ]
    );
    let twice = format!("{text}\nA,2024-03-01,4,Ada,1990");
    let reading = table_with(&twice, &same_name_by("born")).unwrap();
    assert!(
        refused(&reading)[0].contains("\"Ada (1990)\" (\"Ada\") stands twice, on lines 2 and 5"),
        "{:?}",
        refused(&reading)
    );
}

#[test]
fn same_name_by_needs_one_column_and_no_ids() {
    let text = "date,place,player,born,born\n2024-03-01,1,Ada,1990,1990";
    for (text, heading, reason) in [
        (text, "club", "line 1: no column is headed \"club\", as --same-name-by says"),
        (text, "born", "line 1: two columns are headed \"born\", as --same-name-by says"),
        (
            "date,place,player,born,wca id\n2024-03-01,1,Ada,1990,1",
            "born",
            "line 1: \"wca id\" (E) identifies the competitors, so --same-name-by has no use",
        ),
    ] {
        let error = table_with(text, &same_name_by(heading)).unwrap_err();
        assert!(error.starts_with(reason), "{error}");
    }
}

#[test]
fn long_ids_are_refused() {
    let id = "7".repeat(1_001);
    for text in [
        format!("date,place,player,player id\n2024-03-01,1,Ada,{id}"),
        format!("player,player id,2024-03-01\nAda,{id},3"),
    ] {
        let reading = super::scored_table(&text).unwrap();
        assert_eq!(contest_lines(&reading), [""; 0]);
        assert!(refused(&reading)[0].contains("more than 1000 characters"));
    }
}

#[test]
fn ids_that_hold_for_one_contest_are_refused() {
    let text = "contest,date,place,player,participant id\n\
                M1,2024-03-01,1,Ann,1\nM1,2024-03-01,2,Bob,2\n\
                M2,2024-03-02,1,Bob,1\nM2,2024-03-02,2,Cy,2";
    let refused = table(text).unwrap_err();
    for words in [
        "line 4: \"1\" of \"participant id\" (E) is \"Ann\" and \"Bob\", and most of the ids",
        "--column 'participant id=competitor id'",
        "--column 'participant id=ignore'",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    let separate = text.replace("Bob,1", "Dov,1");
    assert!(table(&separate).is_err(), "nobody is in both contests");
    // A new name with the same id.
    let renamed = text.replace("Bob,1", "Ann Lind,1").replace("Cy,2", "Bob,2");
    assert_eq!(table(&renamed).unwrap().contests.len(), 2);
}

#[test]
fn numbers_headed_like_names_are_ids_beside_names() {
    let [ann, bo] = ["Ann,Lee", "Bo,Kim"];
    for (headings, numbers) in [
        ("Player,Name", ["17", "4"]),
        ("Athlete,Athlete name", ["17", "4"]),
        ("Driver,Driver fullname", ["P017", "P034"]),
        ("Runner,First name,Last name", ["17", "4"]),
    ] {
        let parts = headings.matches(',').count();
        let row = |number, name: &str| {
            format!("{number},{}", name.replacen(',', if parts > 1 { "," } else { " " }, 1))
        };
        let rows = [row(numbers[0], ann), row(numbers[1], bo)];
        let text = format!(
            "contest,date,place,{headings}\nA,2024-03-01,1,{}\nA,2024-03-01,2,{}\nB,2024-04-01,1,{}\nB,2024-04-01,2,{}",
            rows[0], rows[1], rows[1], rows[0]
        );
        let reading = table(&text).unwrap();
        let [one, two] = numbers;
        let lines = [
            format!("A 2024-03-01: 1 {one}, 2 {two}"),
            format!("B 2024-04-01: 1 {two}, 2 {one}"),
        ];
        assert_eq!(contest_lines(&reading), lines, "{headings}");
        assert_eq!(
            names(&reading),
            [
                format!("{one} Ann Lee 2024-03-01..2024-04-01"),
                format!("{two} Bo Kim 2024-03-01..2024-04-01"),
            ],
            "{headings}"
        );
    }
}

#[test]
fn numbers_of_one_contest_are_no_names() {
    let once = table("date,place,Player,Name\n2024-03-01,1,17,Ann\n2024-03-01,2,4,Bo").unwrap();
    assert_eq!(contest_lines(&once), ["2024-03-01 2024-03-01: 1 Ann, 2 Bo"]);
    assert!(
        notes(&once).contains("pass --column 'Player=competitor id' if"),
        "{}",
        notes(&once)
    );
    // Numbers of the participants of each race.
    let text = "contest,date,place,Runner,Name\nA,2024-03-01,1,1,Ann\nA,2024-03-01,2,2,Bo\n\
                B,2024-04-01,1,1,Bo\nB,2024-04-01,2,2,Ann";
    let error = table(text).unwrap_err();
    for option in ["'Runner=competitor id'", "Runner=ignore"] {
        assert!(error.contains(option) && !error.contains("contest id"), "{error}");
    }
    // Numbers without names beside them, and names of digits and letters, are names.
    for (headings, rows, expected) in [
        ("Player", ["17", "4"], "1 17, 2 4"),
        ("Player,Name", ["r2d2,Ann", "c3po,Bo"], "1 r2d2, 2 c3po"),
        ("Player,Name", ["ada,Ann", "17,Bo"], "1 ada, 2 17"),
    ] {
        let [one, two] = rows;
        let text = format!("date,place,{headings}\n2024-03-01,1,{one}\n2024-03-01,2,{two}");
        let line = format!("2024-03-01 2024-03-01: {expected}");
        assert_eq!(contest_lines(&table(&text).unwrap()), [line]);
    }
}
