//! Benchmark of a rebuild: from archived answers to contests in the database, on invented answers
//! in the layout of Codeforces:
//!
//! ```text
//! cargo bench -p ranklore-ingest --bench site -- [CONTESTS [ROWS [standings]]]
//! ```
//!
//! The default is 1,000 contests of 3,000 rows. The word `standings` adds the standings of each
//! contest, which are four times as large. The first rebuild fills an empty database, the others
//! replace the contests. On Linux it also prints the CPU time of both threads, which depends less
//! on other load than the wall time.

use std::error::Error;
use std::time::{Instant, SystemTime};

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{OptionValues, find_site, rebuild};
use ranklore_replay::NoProgress;
use ranklore_source::{Document, Request, SiteListing, Source};
use ranklore_store::{Body, NewDocument, SourceId, Store, WriteBatch};

const SITE: &str = "codeforces";

/// The number of people who take part in any contest.
const PEOPLE: usize = 100_000;

const REBUILDS: usize = 3;

const START: i64 = 1_400_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let standings = words.iter().any(|word| word == "standings");
    let numbers: Result<Vec<usize>, _> = words
        .iter()
        .filter(|word| *word != "standings")
        .map(|word| word.parse())
        .collect();
    let numbers = numbers?;
    let contests = numbers.first().copied().unwrap_or(1_000);
    let rows = numbers.get(1).copied().unwrap_or(3_000).min(PEOPLE);

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bench.sqlite");
    let mut store = Store::open_writer(&path, "a bench")?;
    let begin = Instant::now();
    let mut batch = store.batch()?;
    let bytes = archive_site(&mut batch, contests, rows, standings)?;
    batch.commit()?;
    println!(
        "{contests} contests of {rows} rows, {:.0} MB of JSON; archived in {:.1} s",
        bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64()
    );
    let mut said = None;
    for index in 1..=REBUILDS {
        let (begin, worked) = (Instant::now(), cpu_seconds());
        let report = rebuild(&mut store, &[], clock, &NoProgress)?;
        let seconds = begin.elapsed().as_secs_f64();
        let results: u64 = report.sources.iter().map(|source| source.results).sum();
        println!(
            "rebuild {index}: {seconds:6.2} s, {results} rows, {:.0} rows/s, {:.0} MB/s",
            results as f64 / seconds,
            bytes as f64 / 1e6 / seconds
        );
        if let (Some(before), Some(after)) = (worked, self::cpu_seconds()) {
            let (writing, all) = (after.0 - before.0, after.1 - before.1);
            println!("  writing {writing:.2} s, reading {:.2} s", all - writing);
        }
        if results != (contests * rows) as u64 {
            return Err(format!("{} rows were archived", contests * rows).into());
        }
        let hash = store.content_hash()?;
        if said.replace(hash).is_some_and(|before| before != hash) {
            return Err("a rebuild says something else".into());
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

/// Archives a list and the answers about its contests. Returns the bytes of JSON.
fn archive_site(
    batch: &mut WriteBatch<'_>,
    contests: usize,
    rows: usize,
    standings: bool,
) -> Result<usize, Box<dyn Error>> {
    let site = find_site(SITE).ok_or("no such site")?;
    let mut options = OptionValues::default();
    if standings {
        options.set(site.profile, "standings", None)?;
    }
    let source = (site.open)(&options)?;
    let source_id = batch.get_or_insert_source(&SourceName::new(SITE)?, UnixSeconds::MIN)?;
    let list = list_json(contests);
    let first = source.initial_requests().remove(0);
    archive_answer(batch, source_id, &first, &list)?;
    let mut bytes = list.len();
    for (contest, listed) in (1..).zip(read_list(&*source, &first, &list)?) {
        let order = shuffled_people(contest, rows);
        for (request, body) in
            listed.results.iter().zip([rating_changes_json, self::standings_json])
        {
            let body = body(contest, &order);
            archive_answer(batch, source_id, request, &body)?;
            bytes += body.len();
        }
    }
    Ok(bytes)
}

fn archive_answer(
    batch: &mut WriteBatch<'_>,
    source_id: SourceId,
    request: &Request,
    body: &str,
) -> Result<(), Box<dyn Error>> {
    batch.archive_response(
        source_id,
        &NewDocument {
            request_key: &request.key(),
            url: None,
            fetched_at: clock(),
            status: Some(200),
            etag: None,
            last_modified: None,
            media_type: Some("application/json"),
            reading: Some(r#"{"site":"codeforces"}"#),
            body: Body::Plain(body.as_bytes()),
            redacted_content: None,
        },
    )?;
    Ok(())
}

fn read_list(
    source: &dyn Source,
    request: &Request,
    body: &str,
) -> Result<Vec<SiteListing>, Box<dyn Error>> {
    let reading = source.read(&Document {
        request_key: &request.key(),
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: body.as_bytes(),
    })?;
    let mut listed = reading.listed;
    listed.sort_by_key(|contest| contest.starts_at);
    Ok(listed)
}

/// Returns the start time of a contest: one contest a day.
fn start_time(contest: usize) -> i64 {
    START + 86_400 * contest as i64
}

fn list_json(contests: usize) -> String {
    let row = |id: usize| {
        format!(
            r#"{{"id":{id},"name":"Lantern Round {id}","type":"CF","phase":"FINISHED","frozen":false,"durationSeconds":7200,"startTimeSeconds":{}}}"#,
            start_time(id)
        )
    };
    response_json((1..=contests).rev().map(row))
}

fn response_json(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.collect();
    format!(r#"{{"status":"OK","result":[{}]}}"#, rows.join(","))
}

/// Returns the participants, best first: a part of all people, shuffled by a linear congruential
/// generator with full period.
fn shuffled_people(contest: usize, rows: usize) -> Vec<usize> {
    let mut at = contest * 7_919 % PEOPLE;
    let next = || {
        at = (at * 21 + 54_321) % PEOPLE;
        at
    };
    std::iter::repeat_with(next).take(rows).collect()
}

fn handle(person: usize) -> String {
    let word = ["gull", "Tide_Table", "lamp.", "oar-lock"][person % 4];
    format!("{word}{person:05}")
}

fn rating_changes_json(contest: usize, order: &[usize]) -> String {
    let updated = start_time(contest) + 9_000;
    response_json(order.iter().enumerate().map(|(index, person)| {
        let rank = index - index % 3 + 1;
        format!(
            r#"{{"contestId":{contest},"contestName":"Lantern Round {contest}","handle":"{}","rank":{rank},"ratingUpdateTimeSeconds":{updated},"oldRating":{},"newRating":{}}}"#,
            handle(*person),
            3_000 - index as i64 / 2,
            2_990 - index as i64 / 2
        )
    }))
}

fn standings_json(contest: usize, order: &[usize]) -> String {
    let row = |(index, person): (usize, &usize)| {
        let problems: Vec<String> = (0..6)
            .map(|problem| {
                format!(
                    r#"{{"points":{}.0,"rejectedAttemptCount":{},"type":"FINAL","bestSubmissionTimeSeconds":{}}}"#,
                    500 * problem,
                    index % 3,
                    600 * problem + 17
                )
            })
            .collect();
        format!(
            r#"{{"party":{{"contestId":{contest},"members":[{{"handle":"{}"}}],"participantType":"CONTESTANT","ghost":false,"room":{},"startTimeSeconds":{}}},"rank":{},"points":{}.5,"penalty":0,"successfulHackCount":0,"unsuccessfulHackCount":0,"problemResults":[{}]}}"#,
            handle(*person),
            index % 400,
            start_time(contest),
            index - index % 3 + 1,
            order.len() - index + index % 3,
            problems.join(",")
        )
    };
    let rows: Vec<String> = order.iter().enumerate().map(row).collect();
    format!(
        r#"{{"status":"OK","result":{{"contest":{{"id":{contest},"name":"Lantern Round {contest}","type":"CF","phase":"FINISHED","frozen":false,"durationSeconds":7200,"startTimeSeconds":{}}},"problems":[],"rows":[{}]}}}}"#,
        start_time(contest),
        rows.join(",")
    )
}
