//! Threads that are in archives and other files too, and names that must not be stored anywhere.

use std::collections::HashSet;

use ranklore_contest::SourceName;
use ranklore_ingest::{DumpOptions, DumpReport, DumpRequest, mine_dump, rebuild};
use ranklore_replay::NoProgress;
use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, Thread, ThreadState, sample_thread};

use super::import_file;
use super::threads::{MinedSubreddit, clock, mine_around_change, rate_all};

fn reddit() -> SourceName {
    SourceName::new("reddit").unwrap()
}

/// Imports an archive in which these people commented on a thread.
fn import_archive(mined: &MinedSubreddit, thread: &Thread, people: &[&str]) -> DumpReport {
    let id = thread.external_id();
    let head = format!(
        r#"{{"id":"{id}","author":"op","score":9,"subreddit":"LanternTales","created_utc":1717246800}}"#
    );
    let comments = people.iter().zip(1000..).map(|(author, number)| {
        format!(
            r#"{{"id":"d{number}","author":"{author}","score":1,"subreddit":"LanternTales","created_utc":1717246900,"link_id":"t3_{id}"}}"#
        )
    });
    let lines: Vec<String> = std::iter::once(head).chain(comments).collect();
    mined.scratch.write("in/RC", lines.join("\n"));
    let path = mined.scratch.path("in/RC");
    let request = DumpRequest {
        paths: vec![path.clone()],
        source: reddit(),
        options: DumpOptions::default(),
    };
    let report = mine_dump(&mut mined.scratch.open_writer(), &request, clock, &NoProgress).unwrap();
    std::fs::remove_file(path).unwrap();
    report
}

fn import_json(mined: &MinedSubreddit, key: &str, json: &str) {
    import_file(&mined.scratch, reddit(), key, json.as_bytes(), clock);
}

const COUNT_FILES: &str = "SELECT count(*) FROM document WHERE status IS NULL";

#[test]
fn site_results_replace_archived_thread() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    import_archive(&mined, &thread, &["gil", "hal"]);
    assert_eq!(mined.sums(&thread).len(), 2);
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    assert_eq!(mined.sums(&thread), thread.author_scores());
    assert_eq!(mined.count(COUNT_FILES), 0);
    let again = import_archive(&mined, &thread, &["gil", "hal"]);
    assert_eq!((again.counts.threads.known, mined.count(COUNT_FILES)), (1, 0));
    mined.assert_rebuild_is_stable();
}

#[test]
fn archive_does_not_restore_deleted_author() {
    for change in [
        (|thread| thread.comments.clear()) as fn(&mut Thread),
        |thread| thread.state = ThreadState::Deleted,
    ] {
        let (mined, thread) = mine_around_change(change);
        let report = import_archive(&mined, &thread, &["Ada_L"]);
        assert_eq!((report.counts.threads.known, report.import.contests.added), (1, 0));
        assert!(!mined.database_contains("Ada_L"));
        mined.assert_rebuild_is_stable();
    }
}

#[test]
fn private_thread_can_come_from_archive() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    thread.state = ThreadState::Private;
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    let report = import_archive(&mined, &thread, &["gil", "hal"]);
    assert_eq!((report.counts.threads.known, report.import.contests.added), (0, 1));
    mined.assert_rebuild_is_stable();
}

#[test]
fn sync_removes_author_dropped_between_archives() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    import_archive(&mined, &thread, &["Victim_X", "hal"]);
    import_archive(&mined, &thread, &["hal"]);
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    assert!(!mined.database_contains("Victim_X"));
    mined.assert_rebuild_is_stable();
}

#[test]
fn unrelated_user_file_is_kept() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    let id = thread.external_id();
    let other = r#"[{"name":"Other","id":"other-1","time_seconds":1700000000,"standings":[["Zoe",0,0],["Yan",1,1]]}]"#;
    import_json(&mined, &format!("thread/{id}.json"), other);
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    assert_eq!(mined.count(COUNT_FILES), 1);
    mined.assert_rebuild_is_stable();
}

#[test]
fn site_overrides_user_file_of_same_contest() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    let mine = format!(
        r#"{{"name":"Mine","id":"{}","time_seconds":1717246800,"standings":[["Zoe",0,0],["Yan",1,1]]}}"#,
        thread.external_id()
    );
    import_json(&mined, "mine.json", &mine);
    mined.set_listed(&[&thread]);
    thread.state = ThreadState::Deleted;
    thread.publish_on(&mined.server);
    mined.sync();
    assert!(mined.sums(&thread).is_empty());
    mined.assert_rebuild_is_stable();
}

#[test]
fn thousands_of_deleted_names_leave_no_bytes() {
    let mut seed = 7_u64;
    let mut name = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        format!("V_{:012x}", seed >> 16)
    };
    let names: Vec<String> = (0..3000).map(|_| name()).collect();
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    let (of_archive, of_site) = names.split_at(1500);
    let of_archive: Vec<&str> = of_archive.iter().map(String::as_str).collect();
    import_archive(&mined, &thread, &of_archive);
    let comments = of_site.iter().zip(1..);
    thread.comments = comments.map(|(name, id)| Comment::new(id, None, name, 1)).collect();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    rate_all(&mined);
    rebuild(&mut mined.scratch.open_writer(), &[], clock, &NoProgress).unwrap();
    thread.comments.clear();
    thread.publish_on(&mined.server);
    mined.sync();
    let bytes = std::fs::read(mined.scratch.database()).unwrap();
    let names: HashSet<&[u8]> = names.iter().map(String::as_bytes).collect();
    let left = bytes.windows(14).filter(|part| names.contains(part));
    assert_eq!(left.count(), 0);
}

#[test]
fn repeated_unreadable_answers_do_not_accumulate() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    let before = thread.author_scores();
    for comment in &mut thread.comments {
        comment.score += 1;
    }
    thread.publish_on(&mined.server);
    let (target, answer) = thread.replies_by_target().pop().unwrap();
    let odd = String::from_utf8(answer.body).unwrap();
    let odd = odd.replace("\"score\":", "\"points\":");
    let odd = Reply::new(200, "application/json", odd);
    mined.server.set_replies(&target, [odd]);
    let documents = "SELECT count(*) FROM document WHERE request_key LIKE '%t0001%'";
    for _ in 0..3 {
        mined.sync();
        // The documents of the stored result, and those of the newest attempt.
        assert_eq!(mined.count(documents), 2 * thread.replies_by_target().len() as i64);
        assert_eq!(mined.sums(&thread), before);
    }
    mined.assert_rebuild_is_stable();
}
