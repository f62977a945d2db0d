//! Generated Reddit dumps.
#![allow(
    dead_code,
    reason = "compiled into every test file, each of which needs some of it"
)]

use std::fmt::Write as _;

/// Returns so many threads, a day apart.
pub(crate) fn threads(count: u32) -> String {
    (1..=count).fold(String::new(), |mut lines, thread| {
        let created = 1_700_006_400 + i64::from(thread) * 86_400;
        let _ = writeln!(
            lines,
            r#"{{"id":"1a{thread}","subreddit":"LanternTales","author":"MossyGull","score":1,"created_utc":{created},"title":"Somebody spoke"}}"#
        );
        lines
    })
}

/// Returns comments of so many people in each thread, round-robin by thread, with deterministic
/// pseudo-random scores.
pub(crate) fn comments(threads: u32, people: u32) -> String {
    let mut seed = 1_u64;
    let mut lines = String::new();
    for person in 1..=people {
        for thread in 1..=threads {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let score = i64::from(person) - (seed >> 56) as i64;
            let _ = writeln!(
                lines,
                r#"{{"id":"{thread}x{person}","link_id":"t3_1a{thread}","subreddit":"LanternTales","author":"Keeper{person}","score":{score},"created_utc":1700006400,"body":"I spoke of the lamp."}}"#
            );
        }
    }
    lines
}
