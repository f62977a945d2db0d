//! Benchmark of classifying, minimising and reading large answers and of reading archives, in MB of
//! JSON per second on one core: `cargo bench -p ranklore-reddit`.

#[path = "../../../benches/answers.rs"]
mod answers;

use std::fmt::Write as _;
use std::time::Instant;

use ranklore_reddit::{Dump, DumpError, DumpOptions, Listing, Reddit};
use ranklore_source::{InvalidOption, Request, Source, conformance};

/// The number of comments in one answer of the site.
const COMMENTS: usize = 500;

/// The number of comments in the archive, twenty per thread.
const LINES: usize = 400_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    of_answers()?;
    archives()?;
    Ok(())
}

fn of_answers() -> Result<(), InvalidOption> {
    let source = Reddit::new(vec![Listing::top("LanternTales", 1000)?]);
    answers::measure(
        &source,
        [
            (
                "a page of threads",
                source.start().into_iter().next(),
                page(),
            ),
            ("a thread", thread(&source), tree()),
            ("comments by number", more(&source), flat()),
        ],
    );
    Ok(())
}

/// Returns the request that a page with the thread leads to.
fn thread(source: &Reddit) -> Option<Request> {
    let first = source.start().into_iter().next()?;
    let page = list(&[head()]);
    let reading = conformance::answered(source, &first, 200, page.as_bytes()).ok()?;
    reading
        .listed
        .into_iter()
        .next()?
        .results
        .into_iter()
        .next()
}

/// Returns the request that a thread with 100 omitted comments leads to.
fn more(source: &Reddit) -> Option<Request> {
    let left_out: Vec<String> = (0..100).map(|index| format!("\"k{index}a\"")).collect();
    let left_out = format!(
        r#"{{"kind":"more","data":{{"id":"k0a","parent_id":"t3_1a2b3c","count":100,"children":[{}]}}}}"#,
        left_out.join(",")
    );
    let body = format!("[{},{}]", list(&[head()]), list(&[left_out]));
    let reading = conformance::answered(source, &thread(source)?, 200, body.as_bytes()).ok()?;
    reading.parts.into_iter().next()
}

fn list(things: &[String]) -> String {
    format!(
        r#"{{"kind":"Listing","data":{{"modhash":"","children":[{}],"after":null,"before":null}}}}"#,
        things.join(",")
    )
}

fn head() -> String {
    thing("1a2b3c")
}

fn thing(id: &str) -> String {
    let text = "Bring a lamp, the harbour is dark. ".repeat(10);
    format!(
        r#"{{"kind":"t3","data":{{"subreddit":"LanternTales","selftext":"{text}","author_fullname":"t2_9lamp","gilded":0,"title":"Who lit the pier?","name":"t3_{id}","ups":412,"score":412,"edited":false,"is_self":true,"created":1717272000.0,"id":"{id}","author":"Keeper_Of_Lamps","num_comments":17,"permalink":"/r/LanternTales/comments/{id}/who_lit_the_pier/","url":"https://www.reddit.com/r/LanternTales/comments/{id}/who_lit_the_pier/","created_utc":1717243200.0}}}}"#
    )
}

fn page() -> String {
    let threads: Vec<String> = (0..100)
        .map(|index| thing(&format!("1a{index}b")))
        .collect();
    list(&threads)
}

fn comment(id: &str, author: usize, parent: &str, replies: &str) -> String {
    let text = "The harbour is dark without it. ".repeat(6);
    format!(
        r#"{{"kind":"t1","data":{{"subreddit_id":"t5_9lamp","link_id":"t3_1a2b3c","likes":null,"replies":{replies},"user_reports":[],"saved":false,"id":"{id}","gilded":0,"archived":true,"author":"Keeper_{author}","parent_id":"{parent}","score":{author},"controversiality":0,"body":"{text}","body_html":"<div>{text}</div>","edited":false,"downs":0,"subreddit":"LanternTales","name":"t1_{id}","score_hidden":false,"stickied":false,"created":1717272000.0,"created_utc":1717243200.0,"ups":1}}}}"#
    )
}

/// Returns a thread with comments in chains of five.
fn tree() -> String {
    let chains: Vec<String> = (0..COMMENTS / 5)
        .map(|chain| {
            let id = |level: usize| format!("c{chain}x{level}");
            let mut replies = "\"\"".to_owned();
            for level in (1..5).rev() {
                let parent = format!("t1_{}", id(level - 1));
                replies = list(&[comment(
                    &id(level),
                    chain * 7 % 90 + level,
                    &parent,
                    &replies,
                )]);
            }
            comment(&id(0), chain, "t3_1a2b3c", &replies)
        })
        .collect();
    format!("[{},{}]", list(&[head()]), list(&chains))
}

fn flat() -> String {
    let things: Vec<String> = (0..100)
        .map(|index| comment(&format!("k{index}a"), index % 40, "t3_1a2b3c", "\"\""))
        .collect();
    format!(
        r#"{{"json":{{"errors":[],"data":{{"things":[{}]}}}}}}"#,
        things.join(",")
    )
}

fn archives() -> Result<(), Box<dyn std::error::Error>> {
    let (threads, comments) = dump();
    let packed = zstd::bulk::compress(comments.as_bytes(), 3)?;
    let size = comments.len() as f64 / 1e6;
    println!("\nan archive of {LINES} comments, {size:.0} MB, to the last contest");
    for (name, memory, file) in [
        ("in a buffer of 64 MiB", 64 << 20, comments.as_bytes()),
        ("of 4 MiB", 4 << 20, comments.as_bytes()),
        ("of 64 KiB", 64 << 10, comments.as_bytes()),
        ("packed, of 4 MiB", 4 << 20, &packed),
    ] {
        let start = Instant::now();
        let contests = contests(threads.as_bytes(), file, memory)?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:24} {:8.0} MB/s, {contests} contests", size / seconds);
    }
    Ok(())
}

fn contests(threads: &[u8], comments: &[u8], memory: usize) -> Result<usize, DumpError> {
    let mut dump = Dump::new(DumpOptions {
        memory,
        ..DumpOptions::default()
    });
    dump.take("RS", threads)?;
    dump.take("RC", comments)?;
    let mut count = 0;
    for contest in dump.threads()? {
        count += usize::from(!contest?.entrants.is_empty());
    }
    Ok(count)
}

/// Returns submissions and comments, ordered by comment id and not by thread.
fn dump() -> (String, String) {
    let count = LINES / 20;
    let (mut threads, mut comments) = (String::new(), String::new());
    let text = "The harbour is dark without it. ".repeat(6);
    // Writing to a String cannot fail.
    for index in 0..count {
        let _ = writeln!(
            threads,
            r#"{{"author":"Keeper_Of_Lamps","created_utc":1717243200,"id":"1{index}","score":3,"selftext":"{text}","subreddit":"LanternTales","title":"Who lit the pier?"}}"#
        );
    }
    for index in 0..LINES {
        let (thread, author) = (index * 7919 % count, index * 31 % 5000);
        let _ = writeln!(
            comments,
            r#"{{"author":"Keeper_{author}","author_flair_text":null,"body":"{text}","controversiality":0,"created_utc":1717243200,"distinguished":null,"edited":false,"gilded":0,"id":"c{index}","link_id":"t3_1{thread}","parent_id":"t3_1{thread}","permalink":"/r/LanternTales/comments/1{thread}/who_lit_the_pier/c{index}/","retrieved_on":1722470400,"score":{},"stickied":false,"subreddit":"LanternTales","subreddit_id":"t5_9lamp"}}"#,
            index % 40
        );
    }
    (threads, comments)
}
