//! Matches in football.txt.

use ranklore_contest::Side;
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

use super::contest_lines;

fn matches(text: &str) -> Result<FileReading, String> {
    let reading =
        read(FileFormat::FootballText, text.as_bytes(), "euro.txt", &ReadOptions::default());
    reading.map_err(|error| error.to_string())
}

const LEAGUE: &str = "\
= Harbour League 2023/24   # 4 teams

# Date  Fri Aug/11 2023 - Sat May/18 2024

▪ Matchday 1
  [Fri Aug/11]
    20.00  Gulls FC             v Lantern Town         0-3 (0-2)
  Sat Aug 12
    15:30  Brass 04 United  1-1 (1-0)  1. FC Ropewalk
           (Lark 7'; Roe 90+2' (pen.))
    15:30  Fen  v  Mill    [postponed]

▪ Matchday 20
  Sat Jan/6
    Lantern Town v Gulls FC  2-1
";

#[test]
fn league_has_home_and_away() {
    assert_eq!(FileFormat::of_text(LEAGUE.as_bytes()), FileFormat::FootballText);
    let reading = matches(LEAGUE).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Gulls FC – Lantern Town 2023-08-11: 1 Lantern Town (3), 2 Gulls FC (0)",
            "Brass 04 United – 1. FC Ropewalk 2023-08-12: 1 Brass 04 United (1), 1 1. FC Ropewalk (1)",
            "Lantern Town – Gulls FC 2024-01-06: 1 Lantern Town (2), 2 Gulls FC (1)",
        ]
    );
    let contest = reading.contests.get(2).unwrap();
    assert_eq!(contest.event.as_deref(), Some("Harbour League 2023/24"));
    assert_eq!(contest.ordinal, Some(20));
    assert_eq!(contest.entrants[0].side, Some(Side::Home));
    assert_eq!(reading.warnings, ["matches without a score are left out: 1"]);
}

const CUP: &str = "\
= Harbour Cup 1976

Group A  |  Gulls  Ropewalk  Fen

▪ Semi-finals
June 16 @ Quay, Old Ground
Gulls   3-1 a.e.t.  Ropewalk
    (Lark 20, Roe 114;
     Moe 76)
  Sent off: Lark 60
  Gulls: Ash, Bay (Elm 106), Oak,
         Fir 2-1 Yew, Box
  Ropewalk: Ivy

▪ Final
(4) Sun Jun 20 18:00 UTC+1   Gulls  2-2 a.e.t., 5-3 pen.  Fen   @ Quay
  Penalties: 1-0 Lark, 1-1 Moe;
             2-1 Roe, 2-2 Sand
";

#[test]
fn fixture_is_read_whole() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/games/cup-matches.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let reading = matches(&text).unwrap();
    assert_eq!((reading.contests.len(), reading.refused.len()), (3, 0));
}

#[test]
fn cup_has_extra_time_penalties_and_grounds() {
    assert_eq!(FileFormat::of_text(CUP.as_bytes()), FileFormat::FootballText);
    let reading = matches(CUP).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Gulls – Ropewalk 1976-06-16: 1 Gulls (3), 2 Ropewalk (1)",
            "Gulls – Fen 1976-06-20: 1 Gulls (2), 1 Fen (2)",
        ]
    );
    assert_eq!(reading.contests.get(0).unwrap().entrants[0].side, None);
    assert_eq!(reading.contests.get(1).unwrap().ordinal, Some(4));
    assert_eq!(reading.warnings, ["matches decided by penalties count as draws: 1"]);
}

#[test]
fn lines_that_are_not_understood_are_refused() {
    for (lines, error) in [
        ("Fri Aug 12\nA  2-1  B\n", "line 2: neither 2023 nor 2024 has such a day"),
        ("Jul 1\nA  2-1  B\n", "line 2: the day can be in 2023 or 2024"),
        ("A  2-1  B\n", "line 2: the day is missing"),
        ("Aug 12\n▪ Final\nA  2-1  B\n", "line 4: the day is missing"),
        ("Aug 12\nA  2-1 agg. B\n", "line 3: two blanks must stand between"),
        ("Aug 12\nA 2-1 agg. B\n", "line 3: \"agg\" can mean"),
        ("Aug 12\nA  2-1  B  C\n", "line 3: \"B  C\" is not the name of a team"),
        ("Aug 12\nA v B  2-1 x\n", "line 3: the score of"),
        ("Aug 12\nA  2-1 3-2 4-1  B\n", "line 3: the score"),
        ("Aug 12\nA  2-1  B [awarded]\n", "line 3: the note [awarded] is not known"),
        ("Aug 12\nA  2-1  B\nNote: awarded to B\n", "line 4: \"awarded\" can mean"),
        ("Aug 12\nA  2-1  B\n(awarded 3-0)\n", "line 4: "),
        ("Aug 12\nA  2-1\n", "line 3: a team is missing"),
        ("Aug 12\nA  2-1  A\n", "line 3: contest \"A – A\": \"A\" plays against itself"),
        ("Aug 12\nA  2-2 pen. 5-4  B\n", "line 3: the score"),
        ("Aug 12\nA  1-0 (2-1)  B\n", "line 3: the score"),
        ("Spieltag eins\n", "line 2: \"Spieltag eins\" is no round, day or match"),
    ] {
        let text = format!("= League 2023/24\n{lines}");
        let refusal = matches(&text).map_or_else(
            |refusal| refusal,
            |reading| {
                assert_eq!(reading.contests.len(), 0, "{lines}");
                reading.refused[0].to_string()
            },
        );
        assert!(refusal.starts_with(error), "{lines}: {refusal}");
    }
    // One year in the title, and a season that rolls over.
    let rolled = matches("= League 2023\nDec 30\nA  1-0  B\n▪ Matchday 2\nJan 2\nB  1-0  A\n");
    let rolled = rolled.unwrap_err();
    assert!(rolled.starts_with("line 5: the day is months before"), "{rolled}");
    let undated = matches("= League\nAug 12\nA  2-1  B\n").unwrap_err();
    assert!(undated.starts_with("line 2: the year is missing"), "{undated}");
}

#[test]
fn years_follow_the_first_day() {
    let text = "= League\nSat Aug 12 2023\nA  2-1  B\nSat Jan 6\nB  2-1  A\n";
    let reading = matches(text).unwrap();
    assert_eq!(reading.contests.get(1).unwrap().ends_at.to_string(), "2024-01-06");
}

#[test]
fn other_texts_are_not_football() {
    for text in [
        "= Title\n\nA text - with a dash.\n",
        "place,name\n1,Ada\n",
        "= Cup\nAug 12\n",
    ] {
        assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::Table, "{text}");
    }
}
