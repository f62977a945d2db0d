//! Several names in one cell: teams and their members.

use proptest::prelude::*;
use ranklore_contest::EntrantKind;
use ranklore_formats::{ColumnMeaning, FileReading, MemberSeparator, ReadOptions};

use super::{contest_lines, from_2024, notes, refused, scored_table, table, table_with};

fn members(separator: &str) -> ReadOptions {
    ReadOptions {
        members: Some(MemberSeparator::from(separator.to_owned())),
        ..ReadOptions::default()
    }
}

/// Returns the kind, name and members of each entrant.
fn entrants(reading: &FileReading) -> Vec<String> {
    let entrants = reading.contests.iter().flat_map(|contest| contest.entrants);
    let line = |kind: &str, name: &str, members: &[String]| {
        format!("{kind} {name} [{}]", members.join("|"))
    };
    entrants
        .map(|entrant| line(entrant.kind.as_str(), &entrant.competitor, &entrant.members))
        .collect()
}

fn with_names(heading: &str, names: &[&str]) -> String {
    let rows = (1..).zip(names);
    let rows = rows.map(|(place, name)| format!("2024-03-01\t{place}\t{name}\n"));
    format!("Date\tPlace\t{heading}\n{}", rows.collect::<String>())
}

#[test]
fn members_column_makes_teams() {
    for (names, expected) in [
        (&["ann;bob", "cy; di;eli"][..], ["ann|bob", "cy|di|eli"]),
        (&["Ann & Bo", "Cy & Di"], ["Ann|Bo", "Cy|Di"]),
        (&["Ann/Bo", "Cy/Di"], ["Ann|Bo", "Cy|Di"]),
        (&["Ann / AC/DC", "Cy / Di"], ["", ""]),
        (&["Ann und Bo", "Sand und Di"], ["Ann|Bo", "Sand|Di"]),
        (&["ann,bob", "cy,di,eli"], ["ann|bob", "cy|di|eli"]),
        (
            &["Lark, Ada; Roe, Bo", "Fox, Cy; Low, Di"],
            ["Lark, Ada|Roe, Bo", "Fox, Cy|Low, Di"],
        ),
        (&["Lee - Kim", "Roe - Fox-Low"], ["Lee|Kim", "Roe|Fox-Low"]),
        (&["ANN ET BO", "CY ET DI"], ["ANN|BO", "CY|DI"]),
        // A separator at the end separates nothing.
        (&["ann;bob;", "cy;di;"], ["ann|bob", "cy|di"]),
        // Each of these has two readings.
        (&["ann, bob", "cy, di"], ["", ""]),
        (&["Ann & Bo; Cy", "Di; Eli"], ["", ""]),
        (&["ann, bob & cy", "di & eli"], ["", ""]),
    ] {
        for heading in ["Members", "Team members", "Paar", "TeamMemberUserNames"] {
            match table(&with_names(heading, names)) {
                Ok(reading) => {
                    let lines = names
                        .iter()
                        .zip(expected)
                        .map(|(name, members)| format!("team {name} [{members}]"));
                    assert_eq!(entrants(&reading), lines.collect::<Vec<_>>(), "{heading}");
                }
                Err(error) => {
                    assert_eq!(expected, ["", ""], "{error}");
                    assert!(error.contains("separated in several ways: pass --members"));
                    assert!(error.contains("or --members none"), "{error}");
                }
            }
        }
    }
}

#[test]
fn ambiguous_members_name_each_separator() {
    let spaced = with_names("Members", &["Ann / AC/DC", "Cy / Di"]);
    let error = table(&spaced).unwrap_err();
    assert!(error.contains("--members ' / ' or --members /, or"), "{error}");
    let reading = table_with(&spaced, &members(" / ")).unwrap();
    assert_eq!(entrants(&reading)[0], "team Ann / AC/DC [Ann|AC/DC]");
    let commas = with_names("Members", &["ann, bob", "cy, di"]);
    let error = table(&commas).unwrap_err();
    assert!(error.contains("pass --members ',', or --members none"), "{error}");
    let reading = table_with(&commas, &members(",")).unwrap();
    assert_eq!(entrants(&reading)[1], "team cy, di [cy|di]");
    let reading = table_with(&commas, &members("none")).unwrap();
    assert_eq!(entrants(&reading)[1], "person cy, di []");
}

#[test]
fn team_column_names_the_team() {
    let text = "Date,Place,Team,Members\n2024-03-01,1,Foxes,Ann;Bo\n2024-03-01,2,Owls,Cy\n2024-03-01,3,Gulls,\n";
    let reading = table(text).unwrap();
    assert_eq!(entrants(&reading), ["team Foxes [Ann|Bo]", "team Owls [Cy]", "team Gulls []"]);
    let one_each = "Date,Place,Team,Members\n2024-03-01,1,Foxes,Ann\n2024-03-01,1,Foxes,Bo\n";
    assert_eq!(entrants(&table(one_each).unwrap()), ["team Foxes [Ann|Bo]"]);
    // Each row has a whole team: two teams of one name are no team of four.
    let twice = "Date,Place,Team,Members\n2024-03-01,1,Foxes,Ann;Bo\n2024-03-01,1,Foxes,Cy;Di\n";
    let reading = table(twice).unwrap();
    assert!(refused(&reading)[0].contains("\"Foxes\" stands twice, on lines 2 and 3"));
}

#[test]
fn order_of_members_makes_no_other_team() {
    let text = "Date,Place,Pair\n2024-03-01,1,Ann & Bo\n2024-03-01,2,Cy & Di\n2024-03-08,1,Bo & Ann\n2024-03-08,2,Cy & Di\n";
    let reading = table_with(text, &members("&")).unwrap();
    let contests = reading.contests.to_vec();
    let winners: Vec<&str> =
        contests.iter().map(|contest| contest.entrants[0].competitor.as_str()).collect();
    assert_eq!(winners, ["Ann & Bo", "Ann & Bo"]);
    let games = "date,team 1,team 2,score 1,score 2\n2024-03-01,Ann & Bo,Cy & Di,2,1\n2024-03-08,Di & Cy,Bo & Ann,0,1\n";
    let reading = table_with(games, &members("&")).unwrap();
    let contests = reading.contests.to_vec();
    for contest in &contests {
        assert_eq!(contest.entrants[0].competitor, "Ann & Bo");
        assert_eq!(contest.entrants[1].competitor, "Cy & Di");
    }
}

#[test]
fn single_name_among_teams_is_a_person() {
    let names = ["Ann / Bo", "Cy", "Di / Eli"];
    let expected = [
        "team Ann / Bo [Ann|Bo]",
        "person Cy []",
        "team Di / Eli [Di|Eli]",
    ];
    let reading = table(&with_names("Members", &names)).unwrap();
    assert_eq!(entrants(&reading), expected);
    let reading = table_with(&with_names("Player", &names), &members("/")).unwrap();
    assert_eq!(entrants(&reading), expected);
}

#[test]
fn usual_pairs_elsewhere_are_refused_until_stated() {
    for (heading, kind) in [("Players", "person"), ("Team", "team")] {
        let text = with_names(heading, &["Salt & Pepper", "Owl Post", "Fish & Chips", "Gulls"]);
        let error = table(&text).unwrap_err();
        for message in [
            "\"Salt & Pepper\" and another cell look like several names, joined by \"&\"",
            "--members '&'",
            "--members none",
        ] {
            assert!(error.contains(message), "{error}");
        }
        let teams = table_with(&text, &members("none")).unwrap();
        assert_eq!(entrants(&teams)[0], format!("{kind} Salt & Pepper []"));
        let split = table_with(&text, &members("&")).unwrap();
        assert_eq!(entrants(&split)[0], "team Salt & Pepper [Salt|Pepper]");
        assert_eq!(entrants(&split)[1], format!("{kind} Owl Post []"));
    }
}

#[test]
fn names_with_marks_are_not_refused() {
    for names in [
        ["Lark, Ada", "Roe, Bo", "Fox, Cy", "Low, Di"],
        ["AC/DC", "Owls", "Foxes", "Terns"],
        ["Rock & Roll FC", "Owls", "Foxes", "Terns"],
        ["Gulls and the rest", "Owls", "Foxes", "Terns"],
        ["C++", "A+", "Team 1/2", "Fernand Sand"],
        ["de la Cruz, Ana", "Smith & Sons", "Hand in Hand", "Yves et"],
    ] {
        for heading in ["Player", "Team"] {
            let reading = table(&with_names(heading, &names)).unwrap();
            assert_eq!(reading.contests.get(0).unwrap().entrants.len(), 4, "{names:?}");
        }
    }
}

#[test]
fn members_of_a_named_team_are_split() {
    let text = "Date,Place,Team,Player\n2024-03-01,1,Foxes,Ann / Bo\n2024-03-01,2,Owls,Cy / Di\n";
    assert!(table(text).unwrap_err().contains("--members /"));
    let reading = table_with(text, &members("/")).unwrap();
    assert_eq!(entrants(&reading), ["team Foxes [Ann|Bo]", "team Owls [Cy|Di]"]);
}

#[test]
fn line_breaks_separate_names() {
    let text = "Date,Place,Player\n2024-03-01,1,\"Ann\nBo\"\n2024-03-01,2,\"Cy\r\nDi\"\n";
    let error = table(text).unwrap_err();
    let message = r"joined by a line break: pass --members '\n' if";
    assert!(error.contains(message), "{error}");
    let reading = table_with(text, &members("\n")).unwrap();
    let members_read: Vec<_> = reading
        .contests
        .get(0)
        .unwrap()
        .entrants
        .into_iter()
        .map(|entrant| entrant.members)
        .collect();
    assert_eq!(members_read, [&["Ann", "Bo"], &["Cy", "Di"]]);
}

#[test]
fn separator_must_occur() {
    let text = with_names("Player", &["Ann", "Bo"]);
    let error = table_with(&text, &members("/")).unwrap_err();
    assert!(
        error.contains("no name of \"Player\" (C) contains \"/\", as --members says"),
        "{error}"
    );
    // One of several separators leaves the other pairs whole.
    let mixed = with_names("Player", &["Ann / Bo", "Cy & Di", "Eli & Flo"]);
    let error = table_with(&mixed, &members("/")).unwrap_err();
    assert!(error.contains("\"Cy & Di\" and another cell look"), "{error}");
}

#[test]
fn faulty_lists_of_members_are_refused() {
    let refusal = |name: &str| {
        let reading = table(&with_names("Members", &[name, "x;y"])).unwrap();
        assert_eq!(reading.contests.to_vec(), []);
        refused(&reading).remove(0)
    };
    assert!(refusal("ann;;bob").contains("\"ann;;bob\" has an empty name beside \";\""));
    assert!(refusal("ann;bob;ann").ends_with("\"ann\" stands twice, on line 2"));
    assert!(refusal("x;bob").contains("\"x\" stands twice, on lines 2 and 3"));
}

#[test]
fn column_of_counts_is_not_read_as_members() {
    let text = "Date,Place,Team,Members\n2024-03-01,1,Foxes,3\n2024-03-01,2,Owls,4\n";
    assert_eq!(entrants(&table(text).unwrap()), ["team Foxes []", "team Owls []"]);
    let error = table("Date,Place,Members\n2024-03-01,1,3\n2024-03-01,2,4\n").unwrap_err();
    assert!(error.contains("holds numbers and no names"), "{error}");
}

#[test]
fn two_columns_of_people_are_refused_until_one_is_the_team() {
    let text = "Date,Place,Name,Members\n2024-03-01,1,Foxes,Ann;Bo\n";
    let error = table(text).unwrap_err();
    for message in [
        "--column Name=team",
        "--column Name=ignore",
        "--column Members=ignore",
    ] {
        assert!(error.contains(message), "{error}");
    }
    let options = ReadOptions {
        columns: [("Name".to_owned(), ColumnMeaning::Team)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(entrants(&reading), ["team Foxes [Ann|Bo]"]);
}

#[test]
fn rows_below_a_team_name_its_members() {
    let text = "place,team,team id,score,member name,member id,member score\n\
                1,Terns,12,90,,,\n,,,,ivy,31,50\n,,,,oda,32,40\n2,Moles,18,70,,,\n\
                3,Voles,17,60,,,\n,,,,pike,33,60\n";
    let options = from_2024(1);
    let reading = table_with(text, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["Club night 2024-01-01: 1 12 [31 32] (90), 2 18 (70), 3 17 [33] (60)"]
    );
    let names: Vec<&str> = reading.dated_names.iter().map(|name| &*name.name).collect();
    assert_eq!(names, ["Terns", "Voles", "Moles", "ivy", "oda", "pike"]);
    let text = "place,team,score,member name\n1,Terns,90,\n,,,ivy\n,,,oda\n2,Moles,70,\n\
                3,Voles,60,\n,,,pike\n";
    let reading = table_with(text, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["Club night 2024-01-01: 1 Terns [ivy oda] (90), 2 Moles (70), 3 Voles [pike] (60)"]
    );
    // A person below a person is a row without a result.
    let text = "place,team,score,member name\n1,Terns,90,ivy\n,,,oda\n2,Moles,70,pike\n";
    let reading = table_with(text, &options).unwrap();
    assert!(refused(&reading)[0].contains("line 3"), "{:?}", refused(&reading));
}

#[test]
fn wide_table_has_teams_with_members() {
    let text = "Players,A 2024-03-01,B 2024-03-08\nAnn / Bo,9,5\nCy / Di,7,8\n";
    assert!(table(text).unwrap_err().contains("--members /"));
    let expected = [
        "A 2024-03-01 2024-03-01: 1 Ann / Bo [Ann Bo] (9), 2 Cy / Di [Cy Di] (7)",
        "B 2024-03-08 2024-03-08: 1 Cy / Di [Cy Di] (8), 2 Ann / Bo [Ann Bo] (5)",
    ];
    let reading = table_with(text, &super::scores(members("/"))).unwrap();
    assert_eq!(contest_lines(&reading), expected);
    let reading = scored_table(&text.replace("Players", "Members")).unwrap();
    assert_eq!(contest_lines(&reading), expected);
    let named = "Team,Members,A 2024-03-01\nFoxes,Ann;Bo,9\nOwls,,7\n";
    assert_eq!(
        contest_lines(&scored_table(named).unwrap()),
        ["A 2024-03-01 2024-03-01: 1 Foxes [Ann Bo] (9), 2 Owls (7)"]
    );
}

#[test]
fn starting_rating_of_listed_members_belongs_to_the_team() {
    let text = "Date,Place,Team,Members,Start rating\n2024-03-01,1,Foxes,Ann;Bo,1700\n2024-03-01,2,Owls,Cy,1600\n";
    let reading = table(text).unwrap();
    let rated: Vec<_> = reading
        .starting_ratings
        .iter()
        .map(|(kind, name, rating)| (*kind, name.as_str(), rating.mu))
        .collect();
    assert_eq!(
        rated,
        [
            (EntrantKind::Team, "Foxes", 1700.0),
            (EntrantKind::Team, "Owls", 1600.0)
        ]
    );
}

#[test]
fn names_that_are_surnames_and_given_names_are_no_pairs() {
    let text = with_names("Player", &["James, LeBron", "Lee, James", "Roe, Bo", "Fox, Cy"]);
    assert_eq!(entrants(&table(&text).unwrap())[1], "person Lee, James []");
    let pairs = with_names("Player", &["Ann, Bo", "Bo, Cy", "Di, Eli"]);
    assert!(table(&pairs).unwrap_err().contains("--members ','"));
}

#[test]
fn team_of_a_wide_player_is_an_affiliation() {
    let text = "Player,Team,A 2024-03-01\nAnn,Foxes,9\nBo,Foxes,7\n";
    assert_eq!(entrants(&scored_table(text).unwrap()), ["person Ann []", "person Bo []"]);
}

/// A first name and a surname.
fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-z'.-]{1,8}( [A-ZÅÉ][a-zäé]{1,8}){0,2}"
}

proptest! {
    #[test]
    fn names_without_separators_are_never_refused(
        names in prop::collection::hash_set(name(), 1..12),
        reversed in any::<bool>(),
        heading in prop::sample::select(vec!["Player", "Team", "Members"]),
    ) {
        let names: Vec<String> = names
            .into_iter()
            .map(|name| match name.rsplit_once(' ') {
                Some((first, last)) if reversed && heading != "Members" => format!("{last}, {first}"),
                _ => name,
            })
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let reading = table(&with_names(heading, &names)).unwrap();
        let entrants = reading.contests.get(0).unwrap().entrants;
        let read_names: Vec<&str> = entrants.iter().map(|entrant| entrant.competitor.as_str()).collect();
        prop_assert_eq!(read_names, names);
    }

    #[test]
    fn joined_names_are_members_again(
        teams in prop::collection::vec(prop::collection::vec(name(), 2..5), 2..6),
        separator in prop::sample::select(vec![";", "; ", " / ", "/", " & ", " + ", " and ", " und "]),
    ) {
        let numbered: Vec<Vec<String>> = teams.iter().enumerate()
            .map(|(team, names)| {
                names.iter().enumerate().map(|(i, name)| format!("{name} {team}{i}")).collect()
            })
            .collect();
        let cells: Vec<String> = numbered.iter().map(|names| names.join(separator)).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let listed = table(&with_names("Members", &cells)).unwrap();
        let with_separator = table_with(&with_names("Player", &cells), &members(separator)).unwrap();
        for reading in [listed, with_separator] {
            let members_read: Vec<_> = reading.contests.get(0).unwrap().entrants.iter()
                .map(|entrant| entrant.members.clone())
                .collect();
            prop_assert_eq!(&members_read, &numbered);
        }
        prop_assert!(table(&with_names("Player", &cells)).unwrap_err().contains("--members none"));
    }
}

#[test]
fn clubs_behind_pairs_are_no_part_of_names() {
    let pairs = "Date,Place,Pair\n2024-03-01,1,Ann / Bo (Owls)\n2024-03-01,2,Cy / Di (SV South)\n2024-03-02,1,Bo / Ann (Owls)\n2024-03-02,2,Ed\n";
    let reading = table(pairs).unwrap();
    let lines = contest_lines(&reading);
    assert_eq!(
        lines[0],
        "2024-03-01 2024-03-01: 1 Ann / Bo (Owls) [Ann Bo], 2 Cy / Di (SV South) [Cy Di]"
    );
    assert!(lines[1].contains("1 Ann / Bo (Owls) [Bo Ann], 2 Ed"), "{lines:?}");
    assert!(notes(&reading).contains("brackets behind the last of several names"));
    let games = "Date,Team 1,Team 2,Score\n2024-03-01,Ann / Bo (Owls),Cy / Di (Terns),6-3\n";
    let lines = contest_lines(&table_with(games, &members("/")).unwrap());
    assert!(lines[0].contains("[Ann Bo] (6), 2 Cy / Di (Terns) [Cy Di]"), "{lines:?}");
    // Other brackets are those of each person.
    for pair in ["Ed / Fay", "Ed (FRA) / Fay (GER)", "Ed / Fay (Owls) jun."] {
        let lines = contest_lines(&table(&pairs.replace("Cy / Di (SV South)", pair)).unwrap());
        assert!(lines[0].contains("[Ann Bo (Owls)]"), "{lines:?}");
    }
    // So are those behind a single name, those of one name that differ, and several names.
    for (pairs, expected) in [
        (
            [
                "Ann / Bo (Owls)",
                "Ed (Owls)",
                "Bo (Owls)",
                "Cy / Di (Owls)",
            ],
            "[Ann Bo (Owls)]",
        ),
        (
            [
                "Ann / Tom (jun.)",
                "Cy / Tom (sen.)",
                "Ed / Bo (jun.)",
                "Fay / Di (jun.)",
            ],
            "[Ann Tom (jun.)]",
        ),
    ] {
        let [one, two, three, four] = pairs;
        let text = format!(
            "Date,Place,Pair\n2024-03-01,1,{one}\n2024-03-01,2,{two}\n2024-03-02,1,{three}\n2024-03-02,2,{four}\n"
        );
        let lines = contest_lines(&table_with(&text, &members("/")).unwrap());
        assert!(lines[0].contains(expected), "{lines:?}");
    }
    let families = "Date,Place,Pair\n2024-03-01,1,Smith / Jones (Ann / Bo)\n2024-03-01,2,Moss / Ford (Cy / Di)\n2024-03-02,1,Smith / Jones (Ed / Fay)\n2024-03-02,2,Moss / Ford (Cy / Di)\n";
    let lines = contest_lines(&table_with(families, &members("/")).unwrap());
    assert!(!lines[0].contains("[Smith Jones]"), "{lines:?}");
}

#[test]
fn two_names_around_a_comma_may_be_members_of_a_team() {
    let text = "Date,Team 1,Team 2,Winner\n2020-01-01,\"Ann, Bo\",\"Cy, Di\",1\n2020-01-02,\"Ed, Flo\",\"Gus, Hal\",2\n";
    let choice = ["--members ','", "--members none"];
    assert_eq!(super::proposals(text, &ReadOptions::default()), choice);
    // A person has a surname and a given name.
    for heading in ["Player ", "Home,Away"] {
        let people = match heading {
            "Home,Away" => text.replace("Team 1,Team 2", heading),
            _ => text.replace("Team ", heading),
        };
        let people = people.replace(",1\n", ",1-0\n").replace(",2\n", ",0-1\n");
        let people = people.replace("Winner", "Result");
        assert!(table(&people).is_ok(), "{people}");
    }
}
