//! Benchmark of the readers: one long table of invented results in each format, and games of chess
//! with their moves, from their bytes to their contests:
//!
//! ```text
//! cargo bench -p ranklore-formats --bench formats -- [ROWS]
//! ```
//!
//! The default is 1,000,000 rows, with 100 entrants in each contest, and 50,000 games.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use ranklore_formats::{FileFormat, ReadOptions, read};

/// The number of people who take part in any contest, a prime number.
const PEOPLE: usize = 50_021;
const ENTRANTS: usize = 100;
const RUNS: usize = 5;
/// The rows of the table for each game, which takes as much space as 50 rows with its moves.
const GAME_ROWS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1);
    let mut numbers = words.filter(|word| !word.starts_with("--"));
    let rows: usize = numbers.next().map_or(Ok(1_000_000), |word| word.parse())?;
    let table: Vec<Row> = (0..rows).map(Row::new).collect();
    measure("CSV", FileFormat::Table, csv(&table)?, rows)?;
    measure("CSV, points", FileFormat::Table, points(&table)?, rows)?;
    let scored_games = rows.div_ceil(2);
    measure("CSV, games", FileFormat::Table, scores(scored_games)?, scored_games * 2)?;
    measure("JSON Lines", FileFormat::JsonLines, json(&table, "\n")?, rows)?;
    let array = format!("[{}]", json(&table, ",")?.trim_end_matches(','));
    measure("JSON", FileFormat::JsonTable, array, rows)?;
    for (name, compression) in [
        ("Parquet", Compression::UNCOMPRESSED),
        ("Parquet, zstd", Compression::ZSTD(ZstdLevel::default())),
    ] {
        measure(name, FileFormat::Parquet, parquet(&table, compression)?, rows)?;
    }
    let games = rows.div_ceil(GAME_ROWS);
    measure("PGN", FileFormat::Pgn, pgn(games)?, games * 2)?;
    Ok(())
}

/// Returns games of 80 half-moves with clocks, as chess servers publish them.
fn pgn(games: usize) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for game in 0..games {
        let (white, black) = (game * 7_919 % PEOPLE, (game * 104_729 + 1) % PEOPLE);
        let (day, hour, second) = (1 + game / 86_400 % 28, game / 3_600 % 24, game % 60);
        let minute = game / 60 % 60;
        let result = ["1-0", "0-1", "1/2-1/2"][game % 3];
        writeln!(
            text,
            "[Event \"Rated Blitz game\"]\n[Site \"https://games.example/{game:08x}\"]\n\
             [Date \"2024.05.{day:02}\"]\n[Round \"-\"]\n[White \"player {white}\"]\n\
             [Black \"player {black}b\"]\n[Result \"{result}\"]\n[UTCDate \"2024.05.{day:02}\"]\n\
             [UTCTime \"{hour:02}:{minute:02}:{second:02}\"]\n[WhiteElo \"1843\"]\n[BlackElo \"1790\"]\n\
             [ECO \"C50\"]\n[Opening \"Italian Game\"]\n[TimeControl \"180+2\"]\n\
             [Termination \"Normal\"]\n"
        )?;
        for number in 1..=40 {
            write!(
                text,
                "{number}. Nf3 {{ [%clk 0:03:{:02}] }} {number}... Qxd5+ {{ [%clk 0:02:{number:02}] }} ",
                number + 2
            )?;
        }
        writeln!(text, "{result}\n")?;
    }
    Ok(text)
}

struct Row {
    contest: String,
    date: String,
    place: usize,
    player: String,
    club: String,
}

impl Row {
    fn new(index: usize) -> Self {
        let (contest, place) = (index / ENTRANTS, 1 + index % ENTRANTS);
        // Multiples of a number without a common divisor are different people.
        let person = (contest * 7_919 + place * 104_729) % PEOPLE;
        Self {
            contest: format!("Round {contest}"),
            date: format!(
                "{}-{:02}-{:02}",
                2000 + contest / 336 % 200,
                1 + contest / 28 % 12,
                1 + contest % 28
            ),
            place,
            player: format!("player {person}"),
            club: format!("club {}", person % 300),
        }
    }
}

fn csv(table: &[Row]) -> Result<String, std::fmt::Error> {
    let mut text = "contest,date,place,player,club\n".to_owned();
    for row in table {
        let (contest, date, place) = (&row.contest, &row.date, row.place);
        let (player, club) = (&row.player, &row.club);
        writeln!(text, "{contest},{date},{place},{player},{club}")?;
    }
    Ok(text)
}

/// Returns the table with points beside the places, and with classes that stand in both.
fn points(table: &[Row]) -> Result<String, std::fmt::Error> {
    let mut text = "contest,date,place,player,club,points,category\n".to_owned();
    for row in table {
        let (contest, date, place) = (&row.contest, &row.date, row.place);
        let (player, club) = (&row.player, &row.club);
        let points = 3 * (ENTRANTS - place) + 100;
        let category = ["Juniors", "Seniors", "Masters"][place % 3];
        writeln!(text, "{contest},{date},{place},{player},{club},{points},{category}")?;
    }
    Ok(text)
}

/// Returns games of a league of 400 teams, with their scores.
fn scores(games: usize) -> Result<String, std::fmt::Error> {
    let mut text = "date,home_team,away_team,home_score,away_score,tournament\n".to_owned();
    for game in 0..games {
        let (home, away) = (game * 7_919 % 400, (game * 7_919 + 1 + game % 398) % 400);
        let (scored, conceded) = (game % 5, game / 5 % 4);
        let round = Row::new(game).date;
        let tournament = ["Cup", "League"][game % 2];
        writeln!(text, "{round},team {home},team {away},{scored},{conceded},{tournament}")?;
    }
    Ok(text)
}

fn json(table: &[Row], end: &str) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for row in table {
        let (contest, date, place) = (&row.contest, &row.date, row.place);
        let (player, club) = (&row.player, &row.club);
        write!(
            text,
            r#"{{"contest":"{contest}","date":"{date}","place":{place},"player":"{player}","club":"{club}"}}{end}"#
        )?;
    }
    Ok(text)
}

fn parquet(table: &[Row], compression: Compression) -> Result<Vec<u8>, Box<dyn Error>> {
    let texts = |text: fn(&Row) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(table.iter().map(text)))
    };
    let places = Int64Array::from_iter_values(table.iter().map(|row| row.place as i64));
    let batch = RecordBatch::try_from_iter([
        ("contest", texts(|row| &row.contest)),
        ("date", texts(|row| &row.date)),
        ("place", Arc::new(places) as ArrayRef),
        ("player", texts(|row| &row.player)),
        ("club", texts(|row| &row.club)),
    ])?;
    let properties = WriterProperties::builder().set_compression(compression);
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build()))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(bytes)
}

/// Reads a document several times and prints the median time.
fn measure(
    name: &str,
    format: FileFormat,
    document: impl Into<Vec<u8>>,
    rows: usize,
) -> Result<(), Box<dyn Error>> {
    let document: Vec<u8> = document.into();
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let bytes = document.clone();
        let begin = Instant::now();
        let reading = read(format, bytes, "season", &ReadOptions::default())?;
        seconds.push(begin.elapsed().as_secs_f64());
        let results: usize = reading.contests.iter().map(|of| of.entrants.len()).sum();
        if results != rows {
            return Err(format!("{name}: {results} of {rows} results were read").into());
        }
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    let (megabytes, rate) = (document.len() >> 20, rows as f64 / median);
    let speed = document.len() as f64 / 1e6 / median;
    println!("{name}: {megabytes} MiB, {median:.2} s, {rate:.0} rows/s, {speed:.0} MB/s");
    Ok(())
}
