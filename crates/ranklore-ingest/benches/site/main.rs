//! Benchmark of a rebuild: from archived answers to contests in the database, on invented answers
//! in the layout of Codeforces or of racetime.gg:
//!
//! ```text
//! cargo bench -p ranklore-ingest --bench site -- [CONTESTS [ROWS [standings|pages]]]
//! ```
//!
//! The default is 1,000 contests of 3,000 rows. The word `standings` adds the standings of each
//! contest, which are four times as large; `pages` has many small contests in each answer. The
//! first rebuild fills an empty database, the others replace the contests. On Linux it also prints the CPU time of both threads, which depends less
//! on other load than the wall time.

use std::error::Error;
use std::time::{Instant, SystemTime};

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::rebuild;
use ranklore_replay::NoProgress;
use ranklore_source::Request;
use ranklore_store::{Body, NewDocument, SourceId, Store, WriteBatch};

mod codeforces;
mod racetime;

const REBUILDS: usize = 3;

/// The time of the first contest, in Unix seconds.
const ARCHIVE_START: i64 = 1_400_000_000;

/// What was archived of a site.
struct ArchivedSite {
    id: SourceId,
    /// The `reading` of its documents.
    reading: String,
    answers: usize,
    bytes: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let has_word = |name: &str| words.iter().any(|word| word == name);
    let numbers = words.iter().filter(|word| !["standings", "pages"].contains(&word.as_str()));
    let numbers: Vec<usize> = numbers.map(|word| word.parse()).collect::<Result<_, _>>()?;
    let contests = numbers.first().copied().unwrap_or(1_000);
    let rows = numbers.get(1).copied().unwrap_or(3_000).min(codeforces::PEOPLE);

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bench.sqlite");
    let mut store = Store::open_writer(&path, "a bench")?;
    let begin = Instant::now();
    let mut batch = store.batch()?;
    let site = if has_word("pages") {
        racetime::archive_site(&mut batch, contests, rows)?
    } else {
        codeforces::archive_site(&mut batch, contests, rows, has_word("standings"))?
    };
    batch.commit()?;
    println!(
        "{contests} contests of {rows} rows in {} answers, {:.0} MB of JSON; archived in {:.1} s",
        site.answers,
        site.bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64()
    );
    let mut first_hash = None;
    for index in 1..=REBUILDS {
        let (begin, worked) = (Instant::now(), cpu_seconds());
        let report = rebuild(&mut store, &[], clock, &NoProgress)?;
        let seconds = begin.elapsed().as_secs_f64();
        let results: u64 = report.sources.iter().map(|source| source.results).sum();
        println!(
            "rebuild {index}: {seconds:6.2} s, {results} rows, {:.0} rows/s, {:.0} MB/s",
            results as f64 / seconds,
            site.bytes as f64 / 1e6 / seconds
        );
        if let (Some(before), Some(after)) = (worked, self::cpu_seconds()) {
            let (writing, all) = (after.0 - before.0, after.1 - before.1);
            println!("  writing {writing:.2} s, reading {:.2} s", all - writing);
        }
        if results != (contests * rows) as u64 {
            return Err(format!("{} rows were archived", contests * rows).into());
        }
        let hash = store.content_hash()?;
        if *first_hash.get_or_insert(hash) != hash {
            return Err("a rebuild has other contents".into());
        }
    }
    Ok(())
}

/// Returns the CPU seconds of this thread and of the whole process; `None` where the system has no
/// `/proc`.
fn cpu_seconds() -> Option<(f64, f64)> {
    let thread = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let thread: f64 = thread.split(' ').next()?.parse().ok()?;
    let all = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses, the 12th and 13th fields are user and system time in
    // hundredths of a second.
    let times = all.rsplit_once(") ")?.1.split(' ').skip(11).take(2);
    let all: f64 = times.filter_map(|time| time.parse::<f64>().ok()).sum();
    Some((thread / 1e9, all / 100.0))
}

fn clock() -> UnixSeconds {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.ok()
        .and_then(|since| UnixSeconds::new(since.as_secs() as i64))
        .unwrap_or(UnixSeconds::MIN)
}

impl ArchivedSite {
    fn new(batch: &mut WriteBatch<'_>, site: &str) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            id: batch.get_or_insert_source(&SourceName::new(site)?, UnixSeconds::MIN)?,
            reading: format!(r#"{{"site":"{site}"}}"#),
            answers: 0,
            bytes: 0,
        })
    }

    fn archive(
        &mut self,
        batch: &mut WriteBatch<'_>,
        request: &Request,
        body: &str,
    ) -> Result<(), Box<dyn Error>> {
        batch.archive_response(
            self.id,
            &NewDocument {
                request_key: &request.key(),
                url: None,
                fetched_at: clock(),
                status: Some(200),
                etag: None,
                last_modified: None,
                media_type: Some("application/json"),
                reading: Some(&self.reading),
                body: Body::Plain(body.as_bytes()),
                redacted_content: None,
            },
        )?;
        self.answers += 1;
        self.bytes += body.len();
        Ok(())
    }
}
