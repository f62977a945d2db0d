//! Games of chess in PGN.

use ranklore_contest::{Contest, Side};
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

use super::{contest_lines, refused};

fn pgn_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> FileReading {
    read(FileFormat::Pgn, text.as_ref(), "club.pgn", options).unwrap()
}

pub(super) fn pgn(text: impl AsRef<[u8]>) -> FileReading {
    pgn_with(text, &ReadOptions::default())
}

fn ids(reading: &FileReading) -> Vec<&str> {
    reading.contests.external_ids().collect()
}

/// Returns a game with these tags besides Event, Result and the moves.
pub(super) fn game(tags: &[(&str, &str)]) -> String {
    let mut text = "[Event \"Club Evening\"]\n".to_owned();
    for (name, value) in tags {
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    if !tags.iter().any(|(name, _)| *name == "Result") {
        text.push_str("[Result \"1-0\"]\n");
    }
    text.push_str("\n1. e4 e5 2. Nf3 1-0\n\n");
    text
}

const CLUB: &str = r#"[Event "Harbour Open"]
[Site "Harbour Town"]
[Date "2024.05.17"]
[Round "1"]
[White "Lark, Ada"]
[Black "Fox, Bea"]
[Result "1-0"]
[WhiteElo "1843"]

1. e4 e5 2. Nf3 Nc6 1-0

[Event "Harbour Open"]
[Site "Harbour Town"]
[Date "2024.05.17"]
[Round "1"]
[White "Gull, Cleo"]
[Black "Dov \"Ace\" Lind"]
[Result "0-1"]

1. d4 d5 0-1

[Event "Harbour Open"]
[Site "Harbour Town"]
[Date "2024.05.18"]
[Round "2.1"]
[White "Fox, Bea"]
[Black "Gull, Cleo"]
[Result "1/2-1/2"]

1. c4 1/2-1/2
"#;

#[test]
fn each_game_is_a_contest_of_two() {
    let reading = pgn(CLUB);
    assert_eq!(
        contest_lines(&reading),
        [
            "Lark, Ada – Fox, Bea 2024-05-17: 1 Lark, Ada, 2 Fox, Bea",
            "Gull, Cleo – Dov \"Ace\" Lind 2024-05-17: 1 Dov \"Ace\" Lind, 2 Gull, Cleo",
            "Fox, Bea – Gull, Cleo 2024-05-18: 1 Fox, Bea, 1 Gull, Cleo",
        ]
    );
    let second = reading.contests.get(1).unwrap();
    assert_eq!(second.event.as_deref(), Some("Harbour Open"));
    assert_eq!(second.entrants[0].side, Some(Side::Black));
    assert_eq!(second.entrants[1].side, Some(Side::White));
    assert_eq!(
        ids(&reading),
        [
            "2024-05-17 round 1 Lark, Ada – Fox, Bea",
            "2024-05-17 round 1 Gull, Cleo – Dov \"Ace\" Lind",
            "2024-05-18 round 2.1 Fox, Bea – Gull, Cleo",
        ]
    );
    let order = |contest: &Contest| contest.ordinal.unwrap();
    assert!(order(&reading.contests.get(0).unwrap()) < order(&second));
    assert_eq!((refused(&reading), reading.warnings), (vec![], vec![]));
}

#[test]
fn line_ends_encodings_and_layout_do_not_matter() {
    let expected = pgn(CLUB);
    let one_line = CLUB.replace("\"]\n[", "\"] [").replace("[Event", " [ Event ");
    let latin = CLUB.replace("Cleo", "Chloë");
    for text in [
        CLUB.replace('\n', "\r\n"),
        CLUB.replace('\n', "\r"),
        format!("\u{feff}{CLUB}"),
        format!("% exported\n; by hand\n\n{CLUB}"),
        CLUB.replace("\n\n1.", "\n1."),
        CLUB.replace("[White ", "[white\t"),
        one_line,
    ] {
        assert_eq!(pgn(&text), expected, "{text}");
    }
    let mut reading = pgn(encode_latin(&latin));
    assert!(reading.warnings[0].contains("Latin-1"), "{:?}", reading.warnings);
    reading.warnings.clear();
    assert_eq!(reading, pgn(&latin));
}

/// Encodes a text whose characters are all in Latin-1.
fn encode_latin(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    bytes.collect()
}

#[test]
fn comments_and_moves_start_no_game() {
    let comments = r#"[Event "Open"]
[Date "2024.05.17"]
[White "Ada"]
[Black "Bea"]
[Result "1-0"]

1. e4 {a comment with [White "x"] in it
[White "Cleo"]

[Black "Dov"]
} 1... e5 ; [White "Ida"] { not a comment
2. Nf3 { [%clk 0:01:00] } (2. d4 {; [}) Nc6
% [White "Zoe"] {
[%clk] [ "x"]
3. Bb5 1-0

[Event "Open"]
[Date "2024.05.18"]
[White "Bea"] { the host }
[Black "Ada"] ; late

[Result "0-1"]
0-1
"#;
    let reading = pgn(comments);
    assert_eq!(
        contest_lines(&reading),
        [
            "Ada – Bea 2024-05-17: 1 Ada, 2 Bea",
            "Bea – Ada 2024-05-18: 1 Ada, 2 Bea",
        ]
    );
    assert_eq!((refused(&reading), reading.warnings), (vec![], vec![]));
}

#[test]
fn unclosed_comments_are_reported() {
    let first = game(&[("Date", "2024.05.17"), ("White", "Ada"), ("Black", "Bea")]);
    let second = game(&[("Date", "2024.05.18"), ("White", "Ada"), ("Black", "Bea")]);
    let open = first.replace("Nf3", "{oh");
    let reading = pgn(format!("{open}{second}"));
    assert_eq!(reading.contests.len(), 2);
    assert_eq!(
        refused(&reading),
        ["line 7: the comment that begins here is not closed; write a } at its end"]
    );
    let reading = pgn(format!("{open}{second}{}", second.replace("Nf3", "{now}")));
    assert_eq!(reading.contests.len(), 1);
    let reason = &refused(&reading)[0];
    let expected =
        "line 7: the comment that begins here holds tags of games, which are not imported";
    assert!(reason.starts_with(expected), "{reason}");
}

#[test]
fn bad_games_are_refused_by_line() {
    let date = ("Date", "2024.05.17");
    let (ada, bea) = (("White", "Ada"), ("Black", "Bea"));
    for (tags, expected) in [
        (
            vec![date, ada, ("Black", "Ada")],
            "line 4: contest \"Ada – Ada\": \"Ada\" plays against itself; correct White or Black",
        ),
        (
            vec![date, ada],
            "line 1: the tag Black names nobody; write the player, such as [Black \"Ada Berg\"]",
        ),
        (vec![date, ("White", " "), bea], "line 3: the tag White names nobody"),
        (
            vec![ada, bea, ("Date", "2024.02.30")],
            "line 4: contest \"Ada – Bea\": date \"2024.02.30\" is not a day of the calendar",
        ),
        (
            vec![ada, bea, ("Date", "????.??.??")],
            "line 4: contest \"Ada – Bea\": the date is missing; write the day",
        ),
        (vec![ada, bea], "line 1: contest \"Ada – Bea\": the date is missing"),
        (
            vec![ada, bea, ("Date", "1492.05.17")],
            "line 4: contest \"Ada – Bea\": date 1492-05-17 lies outside 1583 to 2199",
        ),
        (
            vec![ada, bea, date, ("Time", "25:00:00")],
            "line 5: contest \"Ada – Bea\": time \"25:00:00\" is not a time such as 19:30:05",
        ),
        (
            vec![ada, bea, date, ("Result", "2-0")],
            "line 5: contest \"Ada – Bea\": result \"2-0\" is not 1-0, 0-1, 1/2-1/2 or *",
        ),
        (
            vec![ada, bea, date, ("White", "Cleo")],
            "line 5: contest \"Ada – Bea\": the tag White has two values; remove one",
        ),
        (
            vec![ada, bea, ("Date", "2024.05.17\" x")],
            "line 4: contest \"Ada – Bea\": this is not a tag such as [White \"Ada Berg\"]",
        ),
    ] {
        let good = game(&[date, ("White", "Cleo"), ("Black", "Dov")]);
        let reading = pgn(format!("{}{good}", game(&tags).replace(" x\"]", " x]")));
        assert_eq!(reading.contests.len(), 1, "{expected}");
        let reasons = refused(&reading);
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        assert!(reasons[0].starts_with(expected), "{}: {expected}", reasons[0]);
    }
    let long = "x".repeat(1_001);
    let reading = pgn(game(&[date, ada, ("Black", &long)]));
    assert!(refused(&reading)[0].contains("more than 1000"), "{:?}", refused(&reading));
}

#[test]
fn truncated_last_game_is_refused() {
    let two_games = CLUB
        .find("[Event \"Harbour Open\"]\n[Site \"Harbour Town\"]\n[Date \"2024.05.18")
        .unwrap();
    let tags_end = CLUB.rfind("[Result").unwrap() + "[Result \"1/2-1/2\"]".len();
    for end in two_games + "[Event \"".len()..tags_end - 1 {
        let reading = pgn(&CLUB[..end]);
        assert_eq!(reading.contests.len(), 2, "{}", &CLUB[two_games..end]);
        assert_eq!(reading.refused.len(), 1, "{}", &CLUB[two_games..end]);
    }
    assert_eq!(pgn(&CLUB[..tags_end]).contests.len(), 3);
}

#[test]
fn games_without_tags_or_moves_are_told_apart() {
    let tags = CLUB.lines().filter(|line| line.is_empty() || line.starts_with('['));
    let tags: Vec<&str> = tags.collect();
    assert_eq!(pgn(tags.join("\n")), {
        let mut expected = pgn(CLUB);
        expected.refused.clear();
        expected
    });
    let reading = pgn(format!("\n1. e4 {{x}} e5 1-0\n\n{CLUB}"));
    assert_eq!(reading.contests.len(), 3);
    let reason = &refused(&reading)[0];
    assert!(
        reason.starts_with("line 2: the text before the first tag is not read"),
        "{reason}"
    );
    for none in ["", "1. e4 e5 1-0\n", "{[White \"Ada\"]}\n"] {
        let error = read(FileFormat::Pgn, none.as_bytes(), "x.pgn", &ReadOptions::default());
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("the document has no games in PGN"), "{error}");
    }
}

#[test]
fn times_of_servers_are_in_utc() {
    let players = [("White", "ada_l"), ("Black", "bea_f")];
    for (tags, expected) in [
        (
            &[
                ("UTCDate", "2024.05.17"),
                ("UTCTime", "23:59:58"),
                ("Date", "2024.05.18"),
                ("Time", "01:59:58"),
            ][..],
            "2024-05-17T23:59:58Z",
        ),
        (&[("Date", "2024.05.17"), ("Time", "19:30")], "2024-05-17T19:30:00Z"),
        (
            &[
                ("Date", "2024.05.17"),
                ("UTCTime", "19:30:01"),
                ("Time", "21:30:01"),
            ],
            "2024-05-17T19:30:01Z",
        ),
        (&[("UTCDate", "????.??.??"), ("Date", "2024.05.17")], "2024-05-17"),
        (&[("Date", "2024.05.??"), ("Time", "19:30:00")], "2024-05-31"),
        (&[("Date", "2024.??.??")], "2024-12-31"),
    ] {
        let reading = pgn(game(&[&players[..], tags].concat()));
        let contest = &reading.contests.get(0).unwrap();
        assert_eq!(contest.ends_at.to_string(), expected, "{tags:?}");
        assert_eq!(contest.external_id, format!("{expected} ada_l – bea_f"));
    }
    let reading = pgn(game(&[&players[..], &[("Date", "1886.??.??")]].concat())
        + &game(&[&players[..], &[("Date", "1887.01.??")]].concat()));
    assert_eq!(
        reading.warnings,
        [
            "dates such as \"1886.??.??\" are years: each game is dated to their last day, 1886-12-31",
            "dates such as \"1887.01.??\" are months: each game is dated to their last day, 1887-01-31",
        ]
    );
}

#[test]
fn address_or_id_of_a_game_identifies_it() {
    let base = [("Date", "2024.05.17"), ("White", "Ada"), ("Black", "Bea")];
    let with = |tags: &[(&str, &str)]| game(&[&base[..], tags].concat());
    let site = ("Site", "https://lichess.org/abcd1234");
    for (tags, id, url) in [
        (&[site, ("GameId", "abcd1234")][..], site.1, Some(site.1)),
        (
            &[("Site", "chess club"), ("Link", "https://club.example/g/7")],
            "https://club.example/g/7",
            Some("https://club.example/g/7"),
        ),
        (
            &[("Site", "?"), ("GameURL", "https://club.example/g/8")],
            "https://club.example/g/8",
            Some("https://club.example/g/8"),
        ),
        (&[("GameId", "abcd1234")], "abcd1234", None),
        (&[("Site", "https://club.example")], "2024-05-17 Ada – Bea", None),
    ] {
        let reading = pgn(with(tags));
        let contest = &reading.contests.get(0).unwrap();
        assert_eq!((&*contest.external_id, contest.url.as_deref()), (id, url));
    }
    // The address of a tournament is that of no game.
    let open = ("Site", "https://club.example/open");
    let other = game(&[
        ("Date", "2024.05.17"),
        ("White", "Cleo"),
        ("Black", "Dov"),
        open,
    ]);
    let reading = pgn(with(&[open]) + &other);
    assert_eq!(ids(&reading), ["2024-05-17 Ada – Bea", "2024-05-17 Cleo – Dov"]);
    let reading = pgn(with(&[site]) + &with(&[site]));
    assert_eq!(reading.contests.len(), 1);
    let reason = &refused(&reading)[0];
    let expected =
        "line 10: contest \"Ada – Bea\": \"https://lichess.org/abcd1234\" is already the id";
    assert!(reason.starts_with(expected), "{reason}");
}

#[test]
fn repeated_pairings_are_numbered_with_unfinished_ones() {
    let base = [("Date", "2024.05.17"), ("White", "Ada"), ("Black", "Bea")];
    let game_with_result = |result| game(&[&base[..], &[("Result", result)]].concat());
    let reading = pgn(game_with_result("1-0") + &game_with_result("*") + &game_with_result("0-1"));
    assert_eq!(ids(&reading), ["2024-05-17 Ada – Bea", "2024-05-17 Ada – Bea 3"]);
    let ordinals: Vec<_> = reading.contests.iter().map(|contest| contest.ordinal).collect();
    assert_eq!(ordinals, [None, Some(2)]);
    assert_eq!(reading.warnings, ["games without a result (*) are left out: 1"]);
    assert_eq!(refused(&reading), [""; 0]);
    // Pairings that are not known yet.
    let reading = pgn(game_with_result("1-0") + &game(&[("White", "?"), ("Result", "*")]));
    assert_eq!((reading.contests.len(), refused(&reading)), (1, vec![]));
}

#[test]
fn byes_and_unknown_players_are_left_out_and_counted() {
    let date = ("Date", "2024.05.17");
    let ada = [("White", "Ada"), ("WhiteFideId", "1001")];
    let mut text = game(&[&[date, ("Black", "Bea"), ("BlackFideId", "1002")][..], &ada].concat());
    for nobody in ["BYE", "bye", "NN", "N.N.", "?", "Freilos"] {
        text += &game(&[&[date, ("Black", nobody)][..], &ada].concat());
    }
    let reading = pgn(text);
    assert_eq!(contest_lines(&reading), ["Ada – Bea 2024-05-17: 1 1001, 2 1002"]);
    assert_eq!(refused(&reading), [""; 0]);
    assert_eq!(reading.warnings, ["byes and games of unknown players (NN, ?) are left out: 6"]);
}

#[test]
fn event_behind_moves_opens_a_game() {
    let tags = |black: &str| {
        format!(
            "[Event \"Harbour Cup\"]\n[Date \"2024.05.17\"]\n[White \"Ada\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n"
        )
    };
    for end in [
        "1. e4 e5 1-0",
        "1. e4 {[%clk 0:01]} e5 {good} 1-0 ",
        "1. e4 (1. d4 [?]) 1-0\t",
    ] {
        let text = ["Bea", "Cy", "Dov"].map(|black| tags(black) + end).concat();
        let reading = pgn(text);
        let events: Vec<_> = reading.contests.iter().map(|contest| contest.event).collect();
        assert_eq!(
            events,
            [const { Some("Harbour Cup") }; 3].map(|e| e.map(str::to_owned)),
            "{end}"
        );
        assert_eq!((refused(&reading), reading.warnings), (vec![], vec![]));
    }
}

#[test]
fn variant_is_the_division() {
    let base = [("Date", "2024.05.17"), ("White", "Ada"), ("Black", "Bea")];
    for (variant, division) in [
        ("Standard", None),
        ("Chess960", Some("Chess960")),
        ("?", None),
    ] {
        let reading = pgn(game(&[&base[..], &[("Variant", variant)]].concat()));
        assert_eq!(reading.contests.get(0).unwrap().division.as_deref(), division);
    }
}

#[test]
fn fide_ids_identify_players_if_each_game_has_both() {
    let game_of = |date, white: (&str, &str), black: (&str, &str)| {
        game(&[
            ("Date", date),
            ("White", white.0),
            ("WhiteFideId", white.1),
            ("Black", black.0),
            ("BlackFideId", black.1),
        ])
    };
    let first = game_of("2024.05.17", ("Lark, Ada", "1001"), ("Fox, Bea", "1002"));
    let second = game_of("2024.05.18", ("Fox, B", "1002"), ("Lark, Ada", "1003"));
    let reading = pgn(first.clone() + &second);
    assert_eq!(
        contest_lines(&reading),
        [
            "Lark, Ada – Fox, Bea 2024-05-17: 1 1001, 2 1002",
            "Fox, B – Lark, Ada 2024-05-18: 1 1002, 2 1003",
        ]
    );
    let names: Vec<_> = reading
        .dated_names
        .iter()
        .map(|dated_name| {
            (&*dated_name.competitor, &*dated_name.name, dated_name.last_seen_at.to_string())
        })
        .collect();
    assert_eq!(
        names,
        [
            ("1001", "Lark, Ada", "2024-05-17".to_owned()),
            ("1002", "Fox, Bea", "2024-05-17".to_owned()),
            ("1002", "Fox, B", "2024-05-18".to_owned()),
            ("1003", "Lark, Ada", "2024-05-18".to_owned()),
        ]
    );
    let lacking = game_of("2024.05.19", ("Gull, Cleo", "0"), ("Lark, Ada", "1003"));
    let reading = pgn(first.clone() + &lacking);
    assert_eq!(reading.contests.get(0).unwrap().entrants[0].competitor, "Lark, Ada");
    assert_eq!(
        reading.warnings,
        ["players are identified by name, since only 1 of 2 games have the FIDE ids of both"]
    );
    let by_name = ReadOptions {
        columns: [("WhiteFideId".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let reading = pgn_with(first + &second, &by_name);
    assert_eq!(reading.contests.get(0).unwrap().entrants[0].competitor, "Lark, Ada");
    assert!(reading.warnings.is_empty() && reading.dated_names.is_empty());
    let same = game_of("2024.05.17", ("Lark, Ada", "1001"), ("Fox, Bea", "1001"));
    let reason = &refused(&pgn(same))[0];
    assert!(
        reason.starts_with("line 6: ") && reason.contains("the same FIDE id 1001"),
        "{reason}"
    );
}
