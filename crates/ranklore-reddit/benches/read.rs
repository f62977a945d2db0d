//! Benchmark of classifying, minimising and reading large answers and of reading archives, in MB of
//! JSON per second on one core: `cargo bench -p ranklore-reddit`.

#[path = "../../../benches/answers.rs"]
mod answers;

use std::fmt::Write as _;
use std::time::Instant;

use ranklore_conformance as conformance;
use ranklore_reddit::{DumpError, DumpOptions, DumpReader, RedditSource, SubredditListing};
use ranklore_source::{InvalidOption, Request, Source};

/// The number of comments in one answer of the site.
const COMMENTS: usize = 500;

/// The number of comments in the archive, twenty per thread.
const ARCHIVE_COMMENTS: usize = 400_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure_answers()?;
    measure_archives()?;
    Ok(())
}

fn measure_answers() -> Result<(), InvalidOption> {
    let source = RedditSource::new(vec![SubredditListing::top("LanternTales", 1000)?]);
    answers::measure(
        &source,
        [
            ("a page of threads", source.initial_requests().into_iter().next(), page_json()),
            ("a thread", thread_request(&source), comment_tree_json()),
            ("comments by number", more_comments_request(&source), flat_comments_json()),
        ],
    );
    Ok(())
}

/// Returns the request that a page with the thread leads to.
fn thread_request(source: &RedditSource) -> Option<Request> {
    let first = source.initial_requests().into_iter().next()?;
    let page = listing_json(&[thread_head_json()]);
    let reading = conformance::read_answer(source, &first, 200, page.as_bytes()).ok()?;
    reading.listed.into_iter().next()?.results.into_iter().next()
}

/// Returns the request that a thread with 100 omitted comments leads to.
fn more_comments_request(source: &RedditSource) -> Option<Request> {
    let left_out: Vec<String> = (0..100).map(|index| format!("\"k{index}a\"")).collect();
    let left_out = format!(
        r#"{{"kind":"more","data":{{"id":"k0a","parent_id":"t3_1a2b3c","count":100,"children":[{}]}}}}"#,
        left_out.join(",")
    );
    let body = format!("[{},{}]", listing_json(&[thread_head_json()]), listing_json(&[left_out]));
    let reading =
        conformance::read_answer(source, &thread_request(source)?, 200, body.as_bytes()).ok()?;
    reading.parts.into_iter().next()
}

fn listing_json(things: &[String]) -> String {
    format!(
        r#"{{"kind":"Listing","data":{{"modhash":"","children":[{}],"after":null,"before":null}}}}"#,
        things.join(",")
    )
}

fn thread_head_json() -> String {
    thread_json("1a2b3c")
}

fn thread_json(id: &str) -> String {
    let text = "Bring a lamp, the harbour is dark. ".repeat(10);
    format!(
        r#"{{"kind":"t3","data":{{"subreddit":"LanternTales","selftext":"{text}","author_fullname":"t2_9lamp","gilded":0,"title":"Who lit the pier?","name":"t3_{id}","ups":412,"score":412,"edited":false,"is_self":true,"created":1717272000.0,"id":"{id}","author":"Keeper_Of_Lamps","num_comments":17,"permalink":"/r/LanternTales/comments/{id}/who_lit_the_pier/","url":"https://www.reddit.com/r/LanternTales/comments/{id}/who_lit_the_pier/","created_utc":1717243200.0}}}}"#
    )
}

fn page_json() -> String {
    let threads: Vec<String> = (0..100).map(|index| thread_json(&format!("1a{index}b"))).collect();
    listing_json(&threads)
}

fn comment_json(id: &str, author: usize, parent: &str, replies: &str) -> String {
    let text = "The harbour is dark without it. ".repeat(6);
    format!(
        r#"{{"kind":"t1","data":{{"subreddit_id":"t5_9lamp","link_id":"t3_1a2b3c","likes":null,"replies":{replies},"user_reports":[],"saved":false,"id":"{id}","gilded":0,"archived":true,"author":"Keeper_{author}","parent_id":"{parent}","score":{author},"controversiality":0,"body":"{text}","body_html":"<div>{text}</div>","edited":false,"downs":0,"subreddit":"LanternTales","name":"t1_{id}","score_hidden":false,"stickied":false,"created":1717272000.0,"created_utc":1717243200.0,"ups":1}}}}"#
    )
}

/// Returns a thread with comments in chains of five.
fn comment_tree_json() -> String {
    let chains: Vec<String> = (0..COMMENTS / 5)
        .map(|chain| {
            let id = |level: usize| format!("c{chain}x{level}");
            let mut replies = "\"\"".to_owned();
            for level in (1..5).rev() {
                let parent = format!("t1_{}", id(level - 1));
                replies = listing_json(&[comment_json(
                    &id(level),
                    chain * 7 % 90 + level,
                    &parent,
                    &replies,
                )]);
            }
            comment_json(&id(0), chain, "t3_1a2b3c", &replies)
        })
        .collect();
    format!("[{},{}]", listing_json(&[thread_head_json()]), listing_json(&chains))
}

fn flat_comments_json() -> String {
    let things: Vec<String> = (0..100)
        .map(|index| comment_json(&format!("k{index}a"), index % 40, "t3_1a2b3c", "\"\""))
        .collect();
    format!(r#"{{"json":{{"errors":[],"data":{{"things":[{}]}}}}}}"#, things.join(","))
}

fn measure_archives() -> Result<(), Box<dyn std::error::Error>> {
    let (threads, comments) = archive_json();
    let packed = zstd::bulk::compress(comments.as_bytes(), 3)?;
    let size = comments.len() as f64 / 1e6;
    println!("\nan archive of {ARCHIVE_COMMENTS} comments, {size:.0} MB, to the last contest");
    for (name, memory, file) in [
        ("in a buffer of 64 MiB", 64 << 20, comments.as_bytes()),
        ("of 4 MiB", 4 << 20, comments.as_bytes()),
        ("of 64 KiB", 64 << 10, comments.as_bytes()),
        ("packed, of 4 MiB", 4 << 20, &packed),
    ] {
        let start = Instant::now();
        let contests = count_contests(threads.as_bytes(), file, memory)?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:24} {:8.0} MB/s, {contests} contests", size / seconds);
    }
    Ok(())
}

fn count_contests(threads: &[u8], comments: &[u8], memory: usize) -> Result<usize, DumpError> {
    let mut dump = DumpReader::new(DumpOptions {
        memory,
        ..DumpOptions::default()
    });
    dump.add_file("RS", threads)?;
    dump.add_file("RC", comments)?;
    let mut count = 0;
    for contest in dump.into_threads()? {
        count += usize::from(!contest?.entrants.is_empty());
    }
    Ok(count)
}

/// Returns submissions and comments, ordered by comment id and not by thread.
fn archive_json() -> (String, String) {
    let count = ARCHIVE_COMMENTS / 20;
    let (mut threads, mut comments) = (String::new(), String::new());
    let text = "The harbour is dark without it. ".repeat(6);
    // Writing to a String cannot fail.
    for index in 0..count {
        let _ = writeln!(
            threads,
            r#"{{"author":"Keeper_Of_Lamps","created_utc":1717243200,"id":"1{index}","score":3,"selftext":"{text}","subreddit":"LanternTales","title":"Who lit the pier?"}}"#
        );
    }
    for index in 0..ARCHIVE_COMMENTS {
        let (thread, author) = (index * 7919 % count, index * 31 % 5000);
        let _ = writeln!(
            comments,
            r#"{{"author":"Keeper_{author}","author_flair_text":null,"body":"{text}","controversiality":0,"created_utc":1717243200,"distinguished":null,"edited":false,"gilded":0,"id":"c{index}","link_id":"t3_1{thread}","parent_id":"t3_1{thread}","permalink":"/r/LanternTales/comments/1{thread}/who_lit_the_pier/c{index}/","retrieved_on":1722470400,"score":{},"stickied":false,"subreddit":"LanternTales","subreddit_id":"t5_9lamp"}}"#,
            index % 40
        );
    }
    (threads, comments)
}
