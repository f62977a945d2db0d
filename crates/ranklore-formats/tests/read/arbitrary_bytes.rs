//! Reading arbitrary bytes never panics.

use parquet::basic::Compression;
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;
use ranklore_formats::{DateOrder, FileFormat, ReadOptions, StatedLayout, read};

use super::parquet::{sample, written};

const FORMATS: [FileFormat; 21] = [
    FileFormat::Parquet,
    FileFormat::JsonTable,
    FileFormat::JsonLines,
    FileFormat::Json,
    FileFormat::CtftimeFeed,
    FileFormat::Table,
    FileFormat::Xlsx,
    FileFormat::Xls,
    FileFormat::Ods,
    FileFormat::Pgn,
    FileFormat::Openfootball,
    FileFormat::Trf,
    FileFormat::H9,
    FileFormat::IofXml,
    FileFormat::OpenGotha,
    FileFormat::Lenex,
    FileFormat::HyTek,
    FileFormat::Markdown,
    FileFormat::Html,
    FileFormat::Yaml,
    FileFormat::FootballText,
];

fn read_all_ways(bytes: &[u8]) {
    let options = ReadOptions {
        dates: Some(DateOrder::Mdy),
        lower_is_better: true,
        start: ranklore_contest::ContestTime::new(0),
        every_days: Some(u32::MAX),
        ..ReadOptions::default()
    };
    let layouts = [
        StatedLayout::Rows,
        StatedLayout::Players,
        StatedLayout::Single,
        StatedLayout::Games,
    ];
    let mut all = vec![ReadOptions::default(), options.clone()];
    all.extend(layouts.map(|layout| ReadOptions {
        layout: Some(layout),
        ..options.clone()
    }));
    all.push(ReadOptions {
        same_name_by: Some("Born".to_owned()),
        ..options
    });
    for format in FORMATS {
        for options in &all {
            if let Ok(reading) = read(format, bytes, "x", options) {
                for contest in reading.contests.iter() {
                    assert_eq!(contest.validate(), Ok(()));
                }
            }
        }
    }
}

/// A cell with any value that tables contain.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-+=T]?[0-9]{1,4}[.,:]?[0-9]{0,3}(st|\\.|=)?",
        "[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}",
        "[0-9]{1,2} (Mar|mai|août) [0-9]{4}( [0-9]{2}:[0-9]{2})?(Z|\\+01:00)?",
        "[0-9]{4}[-/–.](W?[0-9]{1,2}|[0-9]{4})",
        "(KW|week|March|2024) [0-9]{1,2}[ /-][0-9]{4}",
        Just("DNF".to_owned()),
        Just("-".to_owned()),
        Just(String::new()),
        "\\PC{0,6}",
        "(Contest|Date|Place|Score|Time|Player|Team|Status|Rating|RD|Event|Division|Round 1|ID|Player ID|Team ID|Born)",
    ]
}

/// A heading of a table of games.
fn game_heading() -> impl Strategy<Value = String> {
    "(Result|Winner|Draw|Date|Time|Round|Event|Event ID|Match num|ID|White ID|Black ID|Loser ID|Winner ID|\
      White score|Black score|Score 1|Score 2|White pens|Black pens|Neutral|Status|Weight|Division|\\PC{0,3})"
}

/// A cell of a table of games.
fn game_cell() -> impl Strategy<Value = String> {
    prop_oneof![
        cell(),
        "(Ada|Bea|Cy|Ada / Bea|white|black|bye|x|0|1|2|-1|½)",
        "[-+*/:01½]{0,5}",
        "[0-9½]{0,3}[-:–][0-9½]{0,3}( ?(F|OT|\\([0-9]:[0-9]\\)))?",
        "(R16|R3|SF|F|Round 2|W/O|6-4 RET|2024-03-01|19:30)",
    ]
}

/// The bytes of a workbook, some of them changed.
fn broken_workbook(name: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/import");
    let good = std::fs::read(format!("{folder}/{name}")).unwrap();
    let size = good.len();
    prop::collection::vec((0..size, any::<u8>()), 1..6).prop_map(move |changes| {
        let mut bytes = good.clone();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes
    })
}

/// The bytes of a Parquet file, some of them changed.
fn broken_parquet() -> impl Strategy<Value = Vec<u8>> {
    let plain = WriterProperties::builder().set_dictionary_enabled(false).build();
    let second = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::SNAPPY)
        .build();
    let files = [WriterProperties::default(), plain, second]
        .map(|properties| written(&sample(), properties));
    (
        0..files.len(),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    )
        .prop_map(move |(file, changes)| {
            let mut bytes = files[file].clone();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes
        })
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all_ways(&bytes);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "[\\[\\]{}\",:a-z0-9\n\r;\t ]{0,200}") {
        read_all_ways(text.as_bytes());
    }

    #[test]
    fn arbitrary_tags_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "\"", "\\", "{", "}", ";", "%", "\n", "\n", "\r\n", " ", "é", "1. e4", "?",
            "[White \"Ada\"]", "[Black \"Bea\"]", "[Date \"2024.05.17\"]", "[Result \"1-0\"]",
            "[Event \"x\"]", "[Site \"https://a.example/b\"]", "[Round \"1.2\"]", "[Date \"", "*",
        ]), 0..40),
    ) {
        read_all_ways(pieces.concat().as_bytes());
    }

    #[test]
    fn arbitrary_tournaments_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "012 x\n", "042 2024/05/18\n", "052 2024/05/1", "132", "\n", "\r", " ", "é", "    ",
            "001    1      Ada                              1000 XXX           1             1.0    1",
            "001    2      Bea                              1000 XXX           2             1.0    2",
            "     2 w 1", "     1 b 0", "  0000 - U", "; EV[x]\n", "; DT[2024-05-18]\n",
            "1 Ada 3D XX ", "2 Bea 12k XX ", "2+/w0 ", "1-/b0 ", "0- ", "3?/h2! ", "|123\n",
        ]), 0..30),
    ) {
        read_all_ways(pieces.concat().as_bytes());
    }

    #[test]
    fn arbitrary_matches_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "= Cup 2023/24\n", "▪ Final\n", "Fri Aug/11", "[Sat Aug 12]", "Jun 31 2024", "\n", "\n  ",
            "  ", " ", "é", "(4) ", "18:00 UTC+1 ", "Gulls", "Fen United", " v ", "  2-1  ", "0-0",
            " a.e.t., 5-3 pen. ", "(1-0)", "(Lark 7'", ")", "[", "]", " @ Quay", "Referee: x,", "|", "#",
        ]), 0..40),
    ) {
        read_all_ways(pieces.concat().as_bytes());
    }

    #[test]
    fn arbitrary_pages_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<table>", "</table>", "<tr>", "<td>", "<th colspan=3>", "<td rowspan=0>", "<td rowspan=2>",
            "<sup>", "<a href=x>", "</a>", "<br>", "<i hidden>", "</i>", "<caption>", "<h2>", "</h2>",
            "<script>", "</script>", "<!--", "-->", "&amp;", "Place", "Name", "1", "Ada", " ", "\n",
            "<tbody>", "</td>", "é", "# ", "<meta charset=utf-16>",
        ]), 0..60),
    ) {
        read_all_ways(pieces.concat().as_bytes());
    }

    #[test]
    fn arbitrary_elements_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<ClassResult>", "</ClassResult>", "<Class><Name>M</Name></Class>", "<Time>", "</Time>",
            "<PersonResult>", "</PersonResult>", "<Person><Name><Given>A</Given></Name></Person>",
            "<Result raceNumber=\"2\">", "<Result>", "</Result>", "<Position>1</Position>", "7",
            "<TeamResult><Name>T</Name>", "</TeamResult>", "<TeamMemberResult>", "&amp;", "&x;",
            "<Event><StartTime><Date>2024-05-04</Date></StartTime></Event>", "</ResultList>", "<",
        ]), 0..30),
    ) {
        let text = format!("<ResultList iofVersion=\"3.0\">{}", pieces.concat());
        read_all_ways(text.as_bytes());
        read_all_ways(format!("{text}</ResultList>").as_bytes());
    }

    #[test]
    fn arbitrary_go_tournaments_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<Players>", "</Players>", "<Games>", "</Games>", "<ByePlayers>", "</ByePlayers>",
            "<Player name=\"Ada\" firstName=\"B\" egfPin=\"1\"/>", "<Player name=\"Cy\"/>", "<Player ",
            "<ByePlayer/>", "<Game roundNumber=\"1\" whitePlayer=\"ADAB\" blackPlayer=\"CY\" ",
            "<Game roundNumber=\"7\" whitePlayer=\"CY\" blackPlayer=\"CY\" ", "handicap=\"2\" ",
            "knownColor=\"true\" ", "result=\"RESULT_EQUAL\"/>", "result=\"RESULT_BOTHWIN\"/>", "<",
            "<TournamentParameterSet><GeneralParameterSet endDate=\"2024-05-18\"/>",
            "</TournamentParameterSet>", "/>", "</Tournament>",
        ]), 0..30),
    ) {
        let text = format!("<Tournament>{}", pieces.concat());
        read_all_ways(text.as_bytes());
        read_all_ways(format!("{text}</Tournament>").as_bytes());
    }

    #[test]
    fn arbitrary_meets_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<SESSIONS>", "<SESSION date=\"2024-05-18\">", "<EVENTS>", "<EVENT eventid=\"1\">", "</EVENT>",
            "<SWIMSTYLE distance=\"50\" stroke=\"FREE\" relaycount=\"4\"/>", "</SESSIONS>", "</SESSION>",
            "<AGEGROUPS><AGEGROUP><RANKINGS><RANKING place=\"1\" resultid=\"2\"/></RANKINGS></AGEGROUP>",
            "</AGEGROUPS>", "</EVENTS>", "<CLUBS>", "<CLUB name=\"C\">", "<ATHLETES>", "</ATHLETES>", "</CLUBS>",
            "<ATHLETE athleteid=\"1\" lastname=\"A\">", "</ATHLETE>", "<RESULTS>", "</RESULTS>", "<RELAYS>",
            "<RESULT eventid=\"1\" resultid=\"2\" swimtime=\"00:00:1.2\"/>", "<RELAY>", "</RELAY>", "</CLUB>",
            "<RESULT eventid=\"1\" status=\"DSQ\"/>", "<RELAYPOSITIONS><RELAYPOSITION athleteid=\"1\"/>",
        ]), 0..40),
    ) {
        let text = format!("<LENEX version=\"3.0\"><MEETS><MEET name=\"M\">{}", pieces.concat());
        read_all_ways(text.as_bytes());
        read_all_ways(format!("{text}</MEET></MEETS></LENEX>").as_bytes());
    }

    #[test]
    fn arbitrary_columns_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "\nB1Cup", "\r\nC1", "\nC1GULL Gulls", "\nD1F    1Fir                 Ada", "\nD1M    2Oak", "\n",
            "\nE1F    1Fir  FW   100A  0109  0S  0.00  1 ", "\nE1M    2Oak  XX     6F  0109  0S  0.00  2 ",
            "\nE2F   62.34L       0  1  4  1   1  0", "\nE2P   62.34LS      0  1  4  1   0  0", "\nE2F",
            "\nE2F    0.00LQ3T  X 0  1  4  0   0  9", "\nF1GULL A   0FFW   200E  0109  0S  0.00 17 ",
            "\nF2F  171.48L       0  2  6  0   1  0", "\nF3F    1Fir  F1M    2Oak  F2", "\nF3", " ", "é", "9",
            "                                                   X           T", "13152025",
        ]), 0..40),
    ) {
        let text = format!("A107Results From MM to TM    Hy-Tek, Ltd{}", pieces.concat());
        read_all_ways(text.as_bytes());
    }

    #[test]
    fn arbitrary_rows_do_not_panic(
        header in prop::collection::vec(cell(), 1..7),
        rows in prop::collection::vec(prop::collection::vec(cell(), 0..7), 0..8),
        delimiter in prop::sample::select(vec![",", ";", "\t"]),
    ) {
        let mut text = format!("Player{delimiter}{}", header.join(delimiter));
        for row in rows {
            text.push('\n');
            text.push_str(&row.join(delimiter));
        }
        read_all_ways(text.as_bytes());
    }

    #[test]
    fn arbitrary_games_do_not_panic(
        pair in prop::sample::select(vec![
            "White;Black",
            "winner;loser",
            "Player 1a;Player 1b;Player 2a;Player 2b",
        ]),
        header in prop::collection::vec(game_heading(), 0..8),
        rows in prop::collection::vec(prop::collection::vec(game_cell(), 0..10), 0..8),
    ) {
        let mut text = format!("{pair};{}", header.join(";"));
        for row in rows {
            text.push('\n');
            text.push_str(&row.join(";"));
        }
        read_all_ways(text.as_bytes());
    }

    #[test]
    fn arbitrary_file_names_do_not_panic(
        name in "([0-9]{1,8}|[-_. /T]|may|ß|\\PC){0,12}",
    ) {
        let table = b"Place,Player\n1,Zoe\n2,Bram\n";
        if let Ok(reading) = read(FileFormat::Table, &table[..], &name, &ReadOptions::default()) {
            prop_assert_eq!(reading.contests.len() + reading.refused.len(), 1);
        }
    }

    #[test]
    fn corrupt_workbooks_do_not_panic(
        bytes in prop_oneof![
            broken_workbook("races.xlsx"),
            broken_workbook("races.xls"),
            broken_workbook("races.ods"),
        ]
    ) {
        read_all_ways(&bytes);
        let _ = ranklore_formats::any_text(&bytes, &|_| false);
    }

    #[test]
    fn corrupt_parquet_files_do_not_panic(bytes in broken_parquet()) {
        read_all_ways(&bytes);
    }
}
