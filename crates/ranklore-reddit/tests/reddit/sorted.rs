//! Property test: any buffer size gives the same threads as a buffer that holds everything.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ranklore_contest::Contest;
use ranklore_reddit::{DumpOptions, DumpReader};

/// A comment line of an archive.
#[derive(Clone, Debug)]
struct Comment {
    thread: u64,
    id: u64,
    author: u8,
    score: i64,
    retrieved: Option<u32>,
}

const THREADS: u64 = 12;

fn comments() -> impl Strategy<Value = Vec<Comment>> {
    let comment = (1..=THREADS, 1..400_u64, 0..9_u8, -50..50_i64, prop::option::of(0..3_u32));
    let comment = comment.prop_map(|(thread, id, author, score, retrieved)| Comment {
        thread,
        // A comment id belongs to one thread only.
        id: id * THREADS + thread,
        author,
        score,
        retrieved,
    });
    prop::collection::vec(comment, 0..300)
}

/// Returns a number in base 36.
fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// Returns the name of an author; one in nine is deleted.
fn author_name(author: u8) -> String {
    if author == 0 {
        return "[deleted]".to_owned();
    }
    format!("Keeper_{}", "Of".repeat(usize::from(author)))
}

fn line(members: std::fmt::Arguments<'_>) -> String {
    format!("{members}\n")
}

fn archive_lines(comments: &[Comment]) -> String {
    let mut file = String::new();
    for comment in comments {
        let retrieved = comment
            .retrieved
            .map_or_else(String::new, |at| format!(r#""retrieved_on":{at},"#));
        file += &line(format_args!(
            r#"{{"id":"{}","link_id":"t3_{}","author":"{}","score":{},{retrieved}"subreddit":"LanternTales","created_utc":1}}"#,
            base36(comment.id),
            base36(comment.thread),
            author_name(comment.author),
            comment.score,
        ));
    }
    // Thread lines come after the comments of other threads.
    for thread in 1..=THREADS {
        file += &line(format_args!(
            r#"{{"id":"{}","author":"Ada","score":{thread},"subreddit":"LanternTales","created_utc":1717243200}}"#,
            base36(thread)
        ));
    }
    file
}

fn contests(file: &str, memory: usize) -> Vec<Contest> {
    let mut dump = DumpReader::new(DumpOptions {
        memory,
        ..DumpOptions::default()
    });
    dump.add_file("a file", file.as_bytes()).unwrap();
    dump.into_threads().unwrap().map(Result::unwrap).collect()
}

/// Sums the scores by thread and author with maps in memory.
fn sum_with_maps(comments: &[Comment]) -> BTreeMap<String, BTreeMap<String, i64>> {
    let mut newest: BTreeMap<(u64, u64), &Comment> = BTreeMap::new();
    for comment in comments {
        let newest_comment = newest.entry((comment.thread, comment.id)).or_insert(comment);
        if newest_comment.retrieved.unwrap_or(0) <= comment.retrieved.unwrap_or(0) {
            *newest_comment = comment;
        }
    }
    let mut sums: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
    for comment in newest.into_values().filter(|comment| comment.author > 0) {
        let thread = sums.entry(base36(comment.thread)).or_default();
        *thread.entry(author_name(comment.author)).or_default() += comment.score;
    }
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_buffer_size_gives_the_same_sums(comments in comments(), memory in 0..4000_usize) {
        let file = archive_lines(&comments);
        let actual = contests(&file, memory);
        let scores: BTreeMap<String, BTreeMap<String, i64>> = actual
            .iter()
            .map(|contest| {
                contest.validate().unwrap();
                let scores = contest.entrants.iter().map(|entrant| {
                    (entrant.competitor.clone(), entrant.score.unwrap() as i64)
                });
                (contest.external_id.clone(), scores.collect())
            })
            .collect();
        prop_assert_eq!(&scores, &sum_with_maps(&comments));
        prop_assert_eq!(actual, contests(&file, 64 << 20));
    }
}

#[test]
fn many_levels_of_files_are_merged() {
    // A buffer of two records gives hundreds of files on several levels.
    let comments: Vec<Comment> = (0..3000_u64)
        .map(|index| Comment {
            thread: index * 7 % THREADS + 1,
            id: (index * 7919 % 1500 + 1) * THREADS,
            author: (index % 8 + 1) as u8,
            score: index as i64 % 21 - 10,
            retrieved: None,
        })
        .collect();
    let file = archive_lines(&comments);
    let actual = contests(&file, 0);
    assert_eq!(actual.len(), THREADS as usize);
    assert_eq!(actual, contests(&file, 64 << 20));
}
