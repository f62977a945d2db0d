//! Different layouts and spellings of the same results read as the same contests.

use super::{contest_lines, refused, table, table_with};
use proptest::prelude::*;
use ranklore_contest::Contest;
use ranklore_formats::{
    ColumnMeaning, DateOrder, FileFormat, FileReadError, FileReading, MemberSeparator, ReadOptions,
    StatedCells, read,
};

/// Scores by round and player, in tenths.
type Rounds = Vec<Vec<Option<u32>>>;

fn rounds() -> impl Strategy<Value = Rounds> {
    (2_usize..6).prop_flat_map(|players| {
        let score = prop::option::weighted(0.8, 0_u32..200_000);
        prop::collection::vec(prop::collection::vec(score, players), 1..5)
    })
}

const PLAYERS: [&str; 6] = [
    "Zoë Alder",
    "Bram, \"B\"",
    "Ida; Castle",
    " Dov",
    "é",
    "x\ty",
];

/// The writing style of a table.
#[derive(Clone, Debug)]
struct TableStyle {
    delimiter: char,
    comma_points: bool,
    grouped: bool,
    encoding: usize,
    line_end: &'static str,
}

fn style() -> impl Strategy<Value = TableStyle> {
    (
        prop::sample::select(vec![',', ';', '\t']),
        any::<bool>(),
        any::<bool>(),
        0_usize..5,
        prop::sample::select(vec!["\n", "\r\n", "\r"]),
    )
        .prop_map(|(delimiter, comma_points, grouped, encoding, line_end)| TableStyle {
            delimiter,
            comma_points,
            grouped,
            encoding,
            line_end,
        })
}

impl TableStyle {
    fn number(&self, tenths: u32) -> String {
        let (point, group) = if self.comma_points {
            (',', '.')
        } else {
            ('.', ',')
        };
        let integer = tenths / 10;
        let integer = if self.grouped && integer >= 1000 {
            format!("{}{group}{:03}", integer / 1000, integer % 1000)
        } else {
            integer.to_string()
        };
        format!("{integer}{point}{}", tenths % 10)
    }

    fn row(&self, cells: &[String]) -> String {
        let quoted: Vec<String> = cells
            .iter()
            .map(|cell| {
                if cell.contains([self.delimiter, '"', ',', ';', '\t']) {
                    format!("\"{}\"", cell.replace('"', "\"\""))
                } else {
                    cell.clone()
                }
            })
            .collect();
        quoted.join(&self.delimiter.to_string()) + self.line_end
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        let utf16 = |bytes: fn(u16) -> [u8; 2]| {
            let marked = format!("\u{feff}{text}");
            marked.encode_utf16().flat_map(bytes).collect()
        };
        match self.encoding {
            0 => text.as_bytes().to_vec(),
            1 => format!("\u{feff}{text}").into_bytes(),
            2 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
            3 => utf16(u16::to_le_bytes),
            _ => utf16(u16::to_be_bytes),
        }
    }

    fn read(&self, text: &str) -> FileReading {
        self.try_read(text).unwrap()
    }

    fn try_read(&self, text: &str) -> Result<FileReading, FileReadError> {
        let bytes = self.bytes(text);
        let options = ReadOptions {
            // "Ida; Castle" is one name.
            members: Some(MemberSeparator::OneName),
            cells: Some(StatedCells::Scores),
            ..ReadOptions::default()
        };
        read(FileFormat::Table, &bytes, "x.csv", &options)
    }
}

fn read_long(rounds: &Rounds, style: &TableStyle) -> FileReading {
    // Scores may rise with the rows.
    let stated = ReadOptions {
        columns: [("Score".to_owned(), ColumnMeaning::Score)].into(),
        members: Some(MemberSeparator::OneName),
        ..ReadOptions::default()
    };
    let mut text = style.row(&["Contest", "Date", "Score", "Player"].map(str::to_owned));
    for (round, scores) in rounds.iter().enumerate() {
        for (player, score) in scores.iter().enumerate() {
            if let Some(score) = score {
                text += &style.row(&[
                    format!("Round {round} (2024-03-{:02})", round + 1),
                    format!("2024-03-{:02}", round + 1),
                    style.number(*score),
                    PLAYERS[player].to_owned(),
                ]);
            }
        }
    }
    read(FileFormat::Table, style.bytes(&text), "x.csv", &stated).unwrap()
}

fn read_wide(rounds: &Rounds, style: &TableStyle) -> FileReading {
    let headings = (0..rounds.len()).map(|r| format!("Round {r} (2024-03-{:02})", r + 1));
    let heading: Vec<String> = std::iter::once("Player".to_owned()).chain(headings).collect();
    let mut text = style.row(&heading);
    for player in 0..rounds[0].len() {
        let mut row = vec![PLAYERS[player].to_owned()];
        row.extend(
            rounds
                .iter()
                .map(|round| round[player].map_or(String::new(), |score| style.number(score))),
        );
        text += &style.row(&row);
    }
    style.read(&text)
}

fn plain_style() -> TableStyle {
    TableStyle {
        delimiter: ',',
        comma_points: false,
        grouped: false,
        encoding: 0,
        line_end: "\n",
    }
}

fn content_hashes(contests: &[Contest]) -> Vec<String> {
    contests.iter().map(|contest| format!("{:?}", contest.content_hash())).collect()
}

/// Results of a season: a round of one of three days, a division, a team and a place each.
fn season() -> impl Strategy<Value = Vec<[String; 7]>> {
    let contest = (1_usize..12, 0_usize..3, prop::collection::vec(1_u32..4, 1..6));
    prop::collection::btree_map(contest, 0_usize..2, 1..5).prop_map(|contests| {
        let mut rows = Vec::new();
        for ((round, division, places), team) in contests {
            for (index, place) in (1..).zip(places) {
                // Members of a team share a place.
                for person in 0..=team {
                    let team = if team == 1 {
                        format!("team {index}")
                    } else {
                        String::new()
                    };
                    rows.push([
                        format!("Round {round}"),
                        format!("2024-03-0{}", 1 + round % 3),
                        ["", "A", "B"][division].to_owned(),
                        place.to_string(),
                        team,
                        format!("p{index}.{person}, {round}"),
                        format!("note {index}"),
                    ]);
                }
            }
        }
        rows
    })
}

proptest! {
    #[test]
    fn order_of_rows_and_columns_does_not_matter(
        (rows, shuffled) in season().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        columns in Just([0, 1, 2, 3, 4, 5, 6]).prop_shuffle(),
        without_note in any::<bool>(),
    ) {
        let headings = ["contest", "date", "division", "place", "team", "member", "remark"];
        let read = |rows: &[[String; 7]], columns: &[usize]| {
            let style = plain_style();
            let mut text = style.row(&columns.iter().map(|&column| headings[column].to_owned()).collect::<Vec<_>>());
            for row in rows {
                text += &style.row(&columns.iter().map(|&column| row[column].clone()).collect::<Vec<_>>());
            }
            // Classes that divide one contest and not another refuse the table.
            let Ok(reading) = style.try_read(&text) else {
                return None;
            };
            let mut hashes = content_hashes(&reading.contests.to_vec());
            hashes.sort_unstable();
            let mut refused: Vec<_> =
                reading.refused.iter().map(|refusal| refusal.contest.clone()).collect();
            refused.sort_unstable();
            Some((hashes, refused))
        };
        let mut columns = columns.to_vec();
        columns.retain(|&column| !(without_note && column == 6));
        prop_assert_eq!(read(&shuffled, &columns), read(&rows, &[0, 1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn writing_style_does_not_matter(rounds in rounds(), style in style()) {
        prop_assume!(rounds.iter().flatten().flatten().count() > 0);
        let (expected, styled) = (read_long(&rounds, &plain_style()), read_long(&rounds, &style));
        prop_assert_eq!(refused(&styled), Vec::<String>::new());
        prop_assert_eq!(contest_lines(&styled), contest_lines(&expected));
        let results: usize = styled.contests.iter().map(|c| c.entrants.len()).sum();
        prop_assert_eq!(results, rounds.iter().flatten().flatten().count());
    }

    #[test]
    fn long_and_wide_read_the_same(rounds in rounds(), style in style()) {
        prop_assume!(rounds.iter().flatten().flatten().count() > 0);
        let long = read_long(&rounds, &plain_style());
        let wide = read_wide(&rounds, &style);
        prop_assert_eq!(contest_lines(&wide), contest_lines(&long));
        prop_assert_eq!(content_hashes(&wide.contests.to_vec()), content_hashes(&long.contests.to_vec()));
    }
}

#[test]
fn date_format_does_not_matter() {
    let expected = contest_lines(&table("contest,date,place,player\nA,2024-03-04,1,x").unwrap());
    let dmy = ReadOptions {
        dates: Some(DateOrder::Dmy),
        ..ReadOptions::default()
    };
    for date in [
        "04/03/2024",
        "4.3.2024",
        "4 March 2024",
        "\"Mar 4, 2024\"",
        "2024/3/4",
        "45355",
        "1709510400",
    ] {
        let text = format!("contest,date,place,player\nA,{date},1,x");
        assert_eq!(contest_lines(&table_with(&text, &dmy).unwrap()), expected, "{date}");
    }
}
