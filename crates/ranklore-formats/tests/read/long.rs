//! Long tables: one row per result.

use super::{contest_lines, dates, from_2024, lower_is_better, notes, refused, table, table_with};
use ranklore_contest::{EntrantKind, StartingRating};
use ranklore_formats::{DateOrder, DecimalMark, FileFormat, ReadOptions, read};

#[test]
fn columns_are_found_by_heading() {
    for text in [
        "contest,date,place,competitor\nA,2024-03-01,1,x\nA,2024-03-01,2,y",
        "Results of the club\n\nPlayer;Pos.;Tournament;Day;Shoe size\nx;1st;A;1.3.2024;44\ny;2nd;A;1.3.2024;43",
        "sep=|\nEVENT NAME|Datum|Rang|Spieler\nA|45352|1|x\nA|45352|2|y\n|||\n",
        "event,date,rank,name,x\nA,2024-03-01,2,y,\nA,2024-03-01,1,x\n",
    ] {
        let reading = table(text).unwrap();
        assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 x, 2 y"], "{text}");
    }
}

#[test]
fn dates_come_from_column_name_or_start() {
    let rows = "place,player,contest\n1,x,A\n1,x,B\n2,y,A\n1,x,C";
    let error = table(rows).unwrap_err();
    assert!(error.contains("--start 2024-01-31"), "{error}");
    let reading = table_with(rows, &from_2024(7)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "A 2024-01-01: 1 x, 2 y",
            "B 2024-01-08: 1 x",
            "C 2024-01-15: 1 x"
        ]
    );
    let named = "place,player,contest\n1,x,A 2024-03-01\n1,x,B (8 March 2024)";
    assert_eq!(
        contest_lines(&table_with(named, &from_2024(7)).unwrap()),
        [
            "A 2024-03-01 2024-03-01: 1 x",
            "B (8 March 2024) 2024-03-08: 1 x"
        ]
    );
    let dated = "place,player,date\n1,x,2024-03-01\n2,y,2024-03-01\n1,y,2024-03-08";
    assert_eq!(
        contest_lines(&table(dated).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 x, 2 y",
            "2024-03-08 2024-03-08: 1 y"
        ]
    );
    let single = "place,player\n1,x\n2,y";
    assert_eq!(
        contest_lines(&table_with(single, &from_2024(1)).unwrap()),
        ["Club night 2024-01-01: 1 x, 2 y"]
    );
    let last_first = "place,player,contest\n1,x,Round 10\n1,y,Round 2";
    let reading = table_with(last_first, &from_2024(7)).unwrap();
    assert_eq!(contest_lines(&reading), ["Round 10 2024-01-08: 1 x", "Round 2 2024-01-01: 1 y"]);
    assert!(notes(&reading).contains("in order of their numbers"));
    // Two series may alternate, and distances have no order.
    for contests in [["Cup 2", "Cup 1", "Open 1"], ["10 km", "5 km", "42 km"]] {
        let [first, second, third] = contests;
        let text = format!("place,player,contest\n1,x,{first}\n1,y,{second}\n1,x,{third}");
        let error = table_with(&text, &from_2024(7)).unwrap_err();
        assert!(error.contains("stands before"), "{error}");
    }
    let far = table_with(rows, &from_2024(u32::MAX)).unwrap();
    assert_eq!(far.contests.len(), 1);
    assert!(refused(&far)[0].contains("would lie after 2199"));
}

#[test]
fn ambiguous_date_needs_option() {
    let text = "contest,date,place,player\nA,03/04/2024,1,x\nB,2024-12-25,1,x";
    assert_eq!(
        table(text).unwrap_err(),
        "line 1: the date \"03/04/2024\" can begin with the day or the month, and no date of this form decides: pass --dates dmy if the day comes first, or --dates mdy if the month does"
    );
    let day = |order| contest_lines(&table_with(text, &dates(order)).unwrap())[0].clone();
    assert_eq!(day(DateOrder::Dmy), "A 2024-04-03: 1 x");
    assert_eq!(day(DateOrder::Mdy), "A 2024-03-04: 1 x");
}

#[test]
fn bad_row_refuses_whole_contest() {
    for (rows, expected) in [
        (
            "A,2024-03-01,1,x,\nA,2024-03-01,two,y,",
            "line 3: contest \"A\": place \"two\" is not a place such as 1, T3, 3= or dnf; if \"two\" is a status, pass --status two=dnf (dnf, dq, dns or finished)",
        ),
        (
            "A,2024-03-01,1,x,\nA,2024-03-01,,y,",
            "line 3: contest \"A\": there is no place, and no status (dnf, dq, dns) instead; to leave out competitors without a value of \"place\" (C), pass --where 'place!='",
        ),
        (
            "A,2024-03-01,1,x,\nA,2024-03-01,2,x,",
            "line 3: contest \"A\": \"x\" stands twice, on lines 2 and 3; if these are different competitors, add a column of ids headed \"competitor id\", or pass --same-name-by with a column that tells them apart",
        ),
        (
            "A,2024-03-01,1,\"x\n\",\nA,2024-03-02,2,y,",
            "line 4: contest \"A\": the date 2024-03-02 differs from 2024-03-01 on line 2; if these are several contests, give each its own name or contest id, or pass --column contest=ignore if each date is a contest",
        ),
        ("A,2024-03-01,1,,", "line 2: contest \"A\": the row names no competitor"),
        (
            "A,2024-03-01,1,x,\n,,2,y,",
            "line 3: contest \"A\": the row names a competitor and no contest",
        ),
        (
            "A,2024-03-01,,x,perhaps",
            "line 2: contest \"A\": status \"perhaps\" is not known; if \"perhaps\" is a status, pass --status perhaps=dnf (dnf, dq, dns or finished)",
        ),
        (
            "A,2024-03-01,0,x,\nA,soon,-1,y,",
            "line 2: contest \"A\": place \"0\" is not a place such as 1, T3, 3= or dnf: pass --status 0=dnf if such competitors did not finish, or --status 0=dns if they did not take part; line 3: \"soon\" is not a date; write it like 2024-03-01; line 3: place \"-1\" is not a place such as 1, T3, 3= or dnf: pass --status -1=dnf if such competitors did not finish, or --status -1=dns if they did not take part",
        ),
        ("A,2024-03-01,DNS,x,", "line 2: contest \"A\": no competitor took part"),
        ("A,,1,x,", "line 2: contest \"A\": no row has a date"),
    ] {
        let text = format!("contest,date,place,player,status\n{rows}\nB,2024-05-05,1,z,ok");
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading), ["B 2024-05-05: 1 z"], "{rows}");
        assert_eq!(refused(&reading), [expected.replace(NO_NAME, UNNAMED)], "{rows}");
    }
}

/// The reason to refuse a row without a competitor, and the options for it.
const NO_NAME: &str = "the row names no competitor";
const UNNAMED: &str = "the row names no competitor: pass --where 'player!=' if such rows are left out, \
                       or --anonymous if each is an entrant of its contest alone";

#[test]
fn places_and_statuses_are_read() {
    let text = "contest,date,place,player,status\n\
        A,2024-03-01,=1,a,\nA,2024-03-01,1=,b,finished\nA,2024-03-01,3.,c,\n\
        A,2024-03-01,DNF,d,\nA,2024-03-01,-,e,\nA,2024-03-01,4,f,DSQ\n\
        A,2024-03-01,,g,dns\nA,2024-03-01,,h,WD";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 a, 1 b, 3 c, dnf d, dq f, dnf h"]);
    assert!(!notes(&reading).contains("renumbered"));
    assert!(notes(&reading).contains("2 rows of absent competitors left out"));
}

#[test]
fn renumbered_places_are_noted() {
    let read_places = |places: [u32; 4]| {
        let mut text = "contest,date,place,player".to_owned();
        for (place, player) in places.into_iter().zip(["a", "b", "c", "d"]) {
            text += &format!("\nA,2024-03-01,{place},{player}");
        }
        let reading = table(&text).unwrap();
        (
            contest_lines(&reading)[0].clone(),
            notes(&reading).contains("renumbered (ties share the lowest, no gaps) in \"A\""),
        )
    };
    let ranked = "A 2024-03-01: 1 a, 2 b, 2 c, 4 d".to_owned();
    assert_eq!(read_places([1, 2, 2, 4]), (ranked.clone(), false));
    assert_eq!(read_places([1, 2, 2, 3]), (ranked.clone(), true));
    assert_eq!(read_places([3, 5, 5, 9]), (ranked, true));
}

#[test]
fn scores_rank_without_places() {
    let text =
        "contest,date,score,player\nA,2024-03-01,9.5,a\nA,2024-03-01,10,b\nA,2024-03-01,9.50,c";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["A 2024-03-01: 1 b (10), 2 a (9.5), 2 c (9.5)"]
    );
    assert_eq!(
        contest_lines(&table_with(text, &lower_is_better()).unwrap()),
        ["A 2024-03-01: 1 a (9.5), 1 c (9.5), 3 b (10)"]
    );
    let times = "race,date,time,runner\nA,2024-03-01,1:02:03,a\nA,2024-03-01,59:03.5,b";
    let error = table(times).unwrap_err();
    assert!(error.starts_with("line 1: ") && error.contains("--lower-is-better"), "{error}");
    assert_eq!(
        contest_lines(&table_with(times, &lower_is_better()).unwrap()),
        ["A 2024-03-01: 1 b (3543.5), 2 a (3723)"]
    );
    let doubtful = "contest;date;score;player\nA;2024-03-01;1,234;a\nB;2024-03-01;12;a";
    let reading = table(doubtful).unwrap();
    assert_eq!(contest_lines(&reading), ["B 2024-03-01: 1 a (12)"]);
    assert!(
        refused(&reading)[0]
            .starts_with("line 2: contest \"A\": score \"1,234\" may be a thousand")
    );
    let thousands = "contest,date,score,player\nA,2024-03-01,998,a\nA,2024-03-01,1.234,b";
    let reading = table(thousands).unwrap();
    assert_eq!(contest_lines(&reading), [""; 0]);
    assert!(
        refused(&reading)[0].ends_with(
            "pass --decimal-mark comma if it is a thousand, or --decimal-mark point if it is a fraction"
        ),
        "{:?}",
        refused(&reading)
    );
    for (mark, line) in [
        (DecimalMark::Comma, "1 b (1234), 2 a (998)"),
        (DecimalMark::Point, "1 a (998), 2 b (1.234)"),
    ] {
        let options = ReadOptions {
            decimal_mark: Some(mark),
            ..ReadOptions::default()
        };
        let lines = contest_lines(&table_with(thousands, &options).unwrap());
        assert_eq!(lines, [format!("A 2024-03-01: {line}")]);
    }
    // Numbers of JSON have points.
    let json = r#"[{"date":"2024-03-01","score":998,"player":"a"},{"date":"2024-03-01","score":1.234,"player":"b"}]"#;
    let reading =
        read(FileFormat::JsonTable, json.as_bytes(), "a.json", &ReadOptions::default()).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 a (998), 2 b (1.234)"]);
}

#[test]
fn recurring_name_is_several_contests() {
    let cup = |rows: &str| table(&format!("contest,date,place,player\n{rows}")).unwrap();
    let reading =
        cup("Cup,2024-03-01,1,a\nCup,2024-03-01,2,b\nCup,2024-03-08,1,b\nCup,2024-03-08,2,c");
    assert_eq!(
        contest_lines(&reading),
        ["Cup 2024-03-01: 1 a, 2 b", "Cup 2024-03-08: 1 b, 2 c"]
    );
    assert!(notes(&reading).contains("\"Cup\" is read as 2 contests"));
    // Mistaken dates: no competitor recurs, or the first place is missing.
    for slip in [
        "Cup,2024-03-01,1,a\nCup,2024-03-01,2,b\nCup,2024-03-08,3,c",
        "Cup,2024-03-01,1,a\nCup,2024-03-01,2,b\nCup,2024-03-08,2,b\nCup,2024-03-08,3,c",
        "Cup,2024-03-01,1,a\nCup,2024-03-01,2,b\nCup,2024-03-08,1,c\nCup,2024-03-08,2,d",
    ] {
        let reading = cup(slip);
        assert_eq!(reading.contests.to_vec(), [], "{slip}");
        assert!(refused(&reading)[0].contains("the date 2024-03-08 differs"), "{slip}");
    }
}

#[test]
fn optional_columns_are_read() {
    let text = "contest id,contest,event,date,url,weight,ordinal,penalty,place,player\n\
        7,Heat 1,Gala,2024-03-01,https://x.example/7,0.5,3,12,1,a\n\
        7,Heat 1,Gala,2024-03-01,,,,,2,b\n\
        8,Heat 2,Gala,2024-03-01,,0,,,1,a\n\
        9,Heat 3,Gala,2024-03-01,,1,,,1,a\n\
        9,Heat 4,Gala,2024-03-01,,2,,,2,b";
    let reading = table(text).unwrap();
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!(contest.external_id, "7");
    assert_eq!(contest.event.as_deref(), Some("Gala"));
    assert_eq!(contest.url.as_deref(), Some("https://x.example/7"));
    assert_eq!((contest.weight, contest.ordinal), (0.5, Some(3)));
    assert_eq!(contest.entrants[0].penalty, Some(12.0));
    assert_eq!(
        refused(&reading),
        [
            "line 4: contest \"Heat 2\": weight 0.0 lies outside 0.000001 to 1000000",
            "line 6: contest \"Heat 3\": the contest \"Heat 4\" differs from \"Heat 3\" on line 5; line 6: the weight \"2\" differs from \"1\" on line 5; pass --column weight=ignore if it is not the weight of the contest",
        ]
    );
}

#[test]
fn links_of_rows_identify_no_contest() {
    let read = |heading: &str, links: [&str; 3]| {
        let [one, two, three] = links;
        table(&format!(
            "date,pos,name,{heading}\n2024-01-31,1,Ann,{one}\n2024-01-31,2,Bo,{two}\n2024-01-31,3,Cy,{three}\n"
        ))
        .unwrap()
    };
    for links in [
        ["link", "link", "link"],
        ["[link](https://a.example/a)"; 3],
        ["https://a.example/a", "https://a.example/b", ""],
        ["see here", "", ""],
    ] {
        for heading in ["link", "url"] {
            let reading = read(heading, links);
            assert_eq!(refused(&reading), [""; 0], "{links:?}");
            let contest = reading.contests.get(0).unwrap();
            assert_eq!(contest.external_id, "2024-01-31@1706659200", "{links:?}");
            assert_eq!(contest.url, None, "{links:?}");
            assert!(notes(&reading).contains(", and is not read"), "{}", notes(&reading));
        }
    }
    for link in ["https://a.example/a", "a.example/1", "/races/1"] {
        let reading = read("link", [link; 3]);
        assert_eq!(reading.contests.get(0).unwrap().url.as_deref(), Some(link));
    }
    // One of them may be wrong.
    let reading = read("link", ["a.example/1", "a.example/1", "a.example/2"]);
    assert!(refused(&reading)[0].contains("differs from \"a.example/1\""));
    assert!(refused(&reading)[0].contains("--column link=ignore"), "{:?}", refused(&reading));
}

#[test]
fn disagreeing_team_members_are_refused() {
    let teams = |rows: &str| table(&format!("contest,date,place,player,team\n{rows}")).unwrap();
    // Members of most teams agree, so that one of T is wrong.
    let agreeing = "A,2024-03-01,3,c,U\nA,2024-03-01,3,d,U\nA,2024-03-01,4,e,V\nA,2024-03-01,4,f,V";
    let reading = teams(&format!("A,2024-03-01,1,a,T\nA,2024-03-01,2,b,T\n{agreeing}"));
    assert!(
        refused(&reading)[0].starts_with("line 3: contest \"A\": team \"T\" has another place")
    );
    let option = "if \"team\" (E) is only an affiliation, pass --column team=ignore";
    assert!(refused(&reading)[0].contains(option));
    let bibs = "contest,date,place,player,team,bib\nA,2024-03-01,1,a,T,7\nA,2024-03-01,1,a,T,8";
    let reading = table(bibs).unwrap();
    assert!(refused(&reading)[0].contains("\"a\" stands twice in team \"T\""));
    let reading = teams("A,2024-03-01,1,a,T\nA,2024-03-01,1,b,T\nA,2024-03-01,2,a,U");
    assert!(refused(&reading)[0].contains("\"a\" stands twice, on lines 2 and 4"));
}

#[test]
fn first_starting_rating_is_kept() {
    let text = "contest,date,place,player,rating,rd\n\
        A,2024-03-01,1,a,1500,80\nA,2024-03-01,2,b,99999,\nA,2024-03-01,3,c,1400,0\n\
        B,2024-03-08,1,a,1510,80\nB,2024-03-08,2,d,1300,";
    let reading = table(text).unwrap();
    assert_eq!(reading.contests.len(), 2);
    let rating = |mu, sigma| StartingRating { mu, sigma };
    assert_eq!(
        reading.starting_ratings,
        [
            (EntrantKind::Person, "a".to_owned(), rating(1500.0, Some(80.0))),
            (EntrantKind::Person, "d".to_owned(), rating(1300.0, None)),
        ]
    );
    assert_eq!(
        refused(&reading),
        [
            "line 3: \"b\": starting rating \"99999\" lies outside -10000 to 10000",
            "line 4: \"c\": starting sigma \"0\" lies outside 1 to 10000",
            "line 5: \"a\" has another starting rating here than on line 2: 1510 and 1500; the first is kept",
        ]
    );
}

#[test]
fn unreadable_table_error_says_why() {
    for (text, expected) in [
        ("", "the table is empty"),
        ("a,b\n1,2", "line 1: no column is headed competitor"),
        ("contest,date,place,player", "line 1: there are no rows below the headings"),
        (
            "player,participant,place,date\na,b,1,2024-03-01",
            "line 1: the columns \"player\" (A) and \"participant\" (B) both mean the competitor",
        ),
        ("player,club\na,North", "line 1: no column holds places or scores"),
    ] {
        let error = table(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let many = format!("player,place{}\n", ",x".repeat(2000));
    assert!(table(&many).unwrap_err().contains("more than 2000 columns"));
}

#[test]
fn summary_rows_are_skipped() {
    for (text, expected) in [
        (
            "contest,date,score,player\nA,2024-03-01,5,a\nA,2024-03-01,4,b\nTotal,,9,",
            "A 2024-03-01: 1 a (5), 2 b (4)",
        ),
        (
            "contest,date,place,score,player\nA,2024-03-01,1,5,a\n,,,-,\nA,2024-03-01,2,4,b\n,,,9,",
            "A 2024-03-01: 1 a (5), 2 b (4)",
        ),
        (
            "date,place,player,comment\n2024-03-01,1,a,\n,,,windy\n2024-03-01,2,b,",
            "2024-03-01 2024-03-01: 1 a, 2 b",
        ),
        (
            "place,date,player\n1,2024-03-01,a\n2,2024-03-01,b\n\nNotes:,,\nTie break 1: wins,,\n",
            "2024-03-01 2024-03-01: 1 a, 2 b",
        ),
    ] {
        let reading = table(text).unwrap();
        assert_eq!(contest_lines(&reading), [expected], "{text}");
        assert_eq!(reading.refused, [], "{text}");
        assert!(notes(&reading).contains("a summary or empty row left out"));
    }
}

#[test]
fn result_without_competitor_refuses_contest() {
    for (text, expected) in [
        (
            "place,player\n1,a\n3rd or 4th,\n2,c",
            "line 3: contest \"Club night\": the row names no competitor",
        ),
        (
            "place,player\n1,a\n2,b\nT 3,",
            "line 4: contest \"Club night\": the row names no competitor",
        ),
        (
            "place,player\n1,a\n2,b\ndid not finish,",
            "line 4: contest \"Club night\": the row names no competitor",
        ),
        (
            "place,player\n1,a\n2,\n3,c",
            "line 3: contest \"Club night\": the row names no competitor",
        ),
        (
            "place,player\n1,a\n2,b\n3,",
            "line 4: contest \"Club night\": the row names no competitor",
        ),
        (
            "score,player\n9,a\n8,\n7,c",
            "line 3: contest \"Club night\": the row names no competitor",
        ),
        (
            "place,status,player\n1,,a\n,dnf,\n",
            "line 3: contest \"Club night\": the row names no competitor",
        ),
        (
            "contest,place,player\nA,1,a\n,2,\nA,3,c",
            "line 3: contest \"A\": the row has a result and names neither competitor nor contest",
        ),
        (
            "contest,score,player\nA,9,a\n,8,",
            "line 3: contest \"A\": the row has a result and names neither competitor nor contest",
        ),
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        assert_eq!(reading.contests.to_vec(), [], "{text}");
        assert_eq!(refused(&reading), [expected.replace(NO_NAME, UNNAMED)], "{text}");
    }
}

#[test]
fn out_of_range_weights_are_refused() {
    let text = "contest,date,place,player,contest weight\nA,2024-03-01,1,a,0.0000001\n\
        B,2024-03-02,1,a,2000000\nC,2024-03-03,1,a,1000000";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["C 2024-03-03: 1 a"]);
    assert_eq!(
        refused(&reading),
        [
            "line 2: contest \"A\": weight 1e-7 lies outside 0.000001 to 1000000",
            "line 3: contest \"B\": weight 2000000.0 lies outside 0.000001 to 1000000",
        ]
    );
}

#[test]
fn starting_rating_belongs_to_its_entrant() {
    let rating = |mu, sigma| StartingRating { mu, sigma };
    let teams = table("date,place,team,rating,rd\n2024-03-01,1,T,1600,0.5\n2024-03-01,2,U,1700,1");
    let teams = teams.unwrap();
    assert_eq!(
        teams.starting_ratings,
        [(EntrantKind::Team, "U".to_owned(), rating(1700.0, Some(1.0)))]
    );
    assert_eq!(
        refused(&teams),
        ["line 2: \"T\": starting sigma \"0.5\" lies outside 1 to 10000"]
    );
    let both = "date,place,team,player,rating\n2024-03-01,1,T,a,1600\n2024-03-01,1,T,b,1500\n\
        2024-03-01,2,U,,1700\n2024-03-01,3,,U,1400";
    let both = table(both).unwrap();
    assert_eq!(
        both.starting_ratings,
        [
            (EntrantKind::Person, "a".to_owned(), rating(1600.0, None)),
            (EntrantKind::Person, "b".to_owned(), rating(1500.0, None)),
            (EntrantKind::Team, "U".to_owned(), rating(1700.0, None)),
            (EntrantKind::Person, "U".to_owned(), rating(1400.0, None)),
        ]
    );
    let wide = super::scored_table("team,rating,2024-03-01\nT,1600,5\nU,1500,4").unwrap();
    assert_eq!(wide.starting_ratings[0].0, EntrantKind::Team);
}

#[test]
fn extra_number_columns_are_not_contests() {
    for extra in ["Bib", "Age", "Born", "Solved", "Laps", "A", "Checkpoint"] {
        let text = format!("place,player,{extra}\n1,a,31\n2,b,12");
        let options = ReadOptions::default();
        let reading = read(FileFormat::Table, text.as_bytes(), "run 2024-03-01.csv", &options);
        let expected = "run 2024-03-01 2024-03-01: 1 a, 2 b";
        assert_eq!(contest_lines(&reading.unwrap()), [expected], "{extra}");
        let reading = table_with(&text, &from_2024(1)).unwrap();
        assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 a, 2 b"], "{extra}");
    }
}

#[test]
fn dated_name_disables_numbering() {
    let text = "contest,place,player\nA 2024-05-01,1,a\nB,1,a\nC 2024-06-01,1,a";
    let expected = [
        "A 2024-05-01 2024-05-01: 1 a",
        "C 2024-06-01 2024-06-01: 1 a",
    ];
    for options in [ReadOptions::default(), from_2024(7)] {
        let reading = table_with(text, &options).unwrap();
        assert_eq!(contest_lines(&reading), expected);
        assert_eq!(
            refused(&reading),
            [
                "line 3: contest \"B\": the date is missing, but other contests of the table have one; add it here too"
            ]
        );
    }
}

#[test]
fn reading_time_is_linear_in_contests() {
    let mut text = "contest,date,place,player,weight\n".to_owned();
    for contest in 0..20_000 {
        for place in 1..=5 {
            text += &format!("C{contest},2024-03-01,{place},p{place},2\n");
        }
    }
    let start = std::time::Instant::now();
    assert_eq!(table(&text).unwrap().contests.len(), 20_000);
    // Takes 1 s in release; scanning a column for each contest would take minutes.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn ranges_of_places_are_shared_places() {
    let text = "date,place,player\n2024-01-06,1,a\n2024-01-06,2,b\n2024-01-06,3-4,c\n\
                2024-01-06,3–4,d\n2024-01-06,5th-8th,e\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-01-06 2024-01-06: 1 a, 2 b, 3 c, 3 d, 5 e"]);
    for place in ["4-3", "3-x", "3-4-5"] {
        let text = text.replace("5th-8th", place);
        assert_eq!(table(&text).unwrap().contests.to_vec(), [], "{place}");
    }
    // In a score column it is the score of a game.
    let scores = table(&text.replace("place", "points")).unwrap();
    assert_eq!(scores.contests.to_vec(), []);
}
