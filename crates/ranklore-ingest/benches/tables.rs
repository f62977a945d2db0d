//! Benchmark of an import: one long table of many rows, and a folder of many small tables, each of
//! one contest, both of invented results:
//!
//! ```text
//! cargo bench -p ranklore-ingest --bench tables -- [ROWS [FILES]]
//! ```
//!
//! The default is 1,000,000 rows and 10,000 files. The table has 100 entrants in each contest.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_formats::ReadOptions;
use ranklore_ingest::{ImportRequest, import};
use ranklore_replay::NoProgress;
use ranklore_store::Store;

/// The number of people who take part in any contest, a prime number.
const PEOPLE: usize = 50_021;
const ENTRANTS: usize = 100;
const IMPORTS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args().skip(1);
    let numbers: Result<Vec<usize>, _> =
        words.filter(|word| !word.starts_with("--")).map(|word| word.parse()).collect();
    let numbers = numbers?;
    let rows = numbers.first().copied().unwrap_or(1_000_000);
    let files = numbers.get(1).copied().unwrap_or(10_000);
    let folder = tempfile::tempdir()?;
    let table = folder.path().join("season.csv");
    std::fs::write(&table, long_table(rows / ENTRANTS)?)?;
    let small = folder.path().join("contests");
    std::fs::create_dir(&small)?;
    for contest in 0..files {
        let mut text = "place,player,date\n".to_owned();
        write_rows(&mut text, contest, 8, |text, place, person, date| {
            writeln!(text, "{place},player {person},{date}")
        })?;
        std::fs::write(small.join(format!("round {contest}.csv")), text)?;
    }
    measure("rows", rows / ENTRANTS * ENTRANTS, table, folder.path())?;
    measure("files", files, small, folder.path())
}

/// Imports a path into empty databases and prints the median time.
fn measure(what: &str, count: usize, path: PathBuf, folder: &Path) -> Result<(), Box<dyn Error>> {
    let request = ImportRequest {
        inputs: vec![path].into(),
        source: SourceName::new("club")?,
        options: ReadOptions::default(),
        replace: false,
        allows_future: true,
        clock: || UnixSeconds::MIN,
    };
    let mut seconds = Vec::new();
    for index in 0..IMPORTS {
        let database = folder.join(format!("{what}{index}.sqlite"));
        let mut store = Store::open_writer(&database, "a bench")?;
        let begin = Instant::now();
        let report = import(&mut store, &request, &NoProgress)?;
        seconds.push(begin.elapsed().as_secs_f64());
        if !report.refused.is_empty() {
            return Err(format!("refused: {:?}", report.refused.first()).into());
        }
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[IMPORTS / 2];
    let rate = count as f64 / median;
    println!("{count} {what}: {median:.2} s, {rate:.0} {what}/s");
    Ok(())
}

fn long_table(contests: usize) -> Result<String, std::fmt::Error> {
    let mut text = "contest,date,place,player,club\n".to_owned();
    for contest in 0..contests {
        write_rows(&mut text, contest, ENTRANTS, |text, place, person, date| {
            let club = person % 300;
            writeln!(text, "Round {contest},{date},{place},player {person},club {club}")
        })?;
    }
    Ok(text)
}

/// Writes a row for each entrant: place, person and date.
fn write_rows(
    text: &mut String,
    contest: usize,
    entrants: usize,
    write: impl Fn(&mut String, usize, usize, &str) -> std::fmt::Result,
) -> std::fmt::Result {
    let date = format!(
        "{}-{:02}-{:02}",
        2000 + contest / 336 % 200,
        1 + contest / 28 % 12,
        1 + contest % 28
    );
    for place in 1..=entrants {
        // Multiples of a number without a common divisor are different people.
        let person = (contest * 7_919 + place * 104_729) % PEOPLE;
        write(text, place, person, &date)?;
    }
    Ok(())
}
