//! Reading archives: the same threads as from the site, and every variant of their lines.

use ranklore_contest::{Contest, UnixSeconds};
use ranklore_reddit::{
    CommentCounts, DumpCounts, DumpError, DumpOptions, DumpReader, LineCounts, ThreadCounts,
};

use crate::comments::joined_thread;
use crate::fixtures::{bytes, entrants, read_file, standings, top_request};

fn options() -> DumpOptions {
    DumpOptions {
        subreddits: vec!["lanternTALES".to_owned()],
        ..DumpOptions::default()
    }
}

fn read_dump(options: DumpOptions, files: &[&[u8]]) -> (Vec<Contest>, DumpCounts) {
    let mut dump = DumpReader::new(options);
    for file in files {
        dump.add_file("a file", *file).unwrap();
    }
    let mut threads = dump.into_threads().unwrap();
    let contests: Vec<Contest> = threads.by_ref().map(Result::unwrap).collect();
    for contest in &contests {
        contest.validate().unwrap();
    }
    (contests, threads.counts())
}

fn read_fixtures(options: DumpOptions) -> (Vec<Contest>, DumpCounts) {
    let (threads, comments) = (bytes("RS_2024-06.ndjson"), bytes("RC_2024-06.ndjson"));
    read_dump(options, &[&threads, &comments])
}

fn ids(contests: &[Contest]) -> Vec<&str> {
    let ids = contests.iter().map(|contest| contest.external_id.as_str());
    ids.collect()
}

/// Returns the line of a thread with these additional members.
fn thread_line(members: &str) -> String {
    format!("{{\"id\":\"1a\",\"subreddit\":\"LanternTales\",\"score\":1,{members}}}\n")
}

fn comment_line(members: &str) -> String {
    format!("{{\"subreddit\":\"LanternTales\",\"link_id\":\"t3_1a\",{members}}}\n")
}

fn read_one_thread(comments: &str) -> (Vec<Contest>, DumpCounts) {
    let thread = thread_line("\"author\":\"Ada\",\"created_utc\":1717243200");
    read_dump(options(), &[thread.as_bytes(), comments.as_bytes()])
}

#[test]
fn archived_thread_equals_mined_contest() {
    let (contests, _) = read_fixtures(options());
    assert_eq!(ids(&contests), ["1a2b3c", "1a2b7k"]);
    let archived = &contests[0];
    let listed = read_file(&top_request(), "r-LanternTales-top.json").listed.remove(0);
    assert_eq!(archived.name, listed.name);
    assert_eq!(archived.division, listed.division);
    assert_eq!(archived.url, listed.url);
    assert_eq!(archived.starts_at, listed.starts_at.map(Into::into));
    assert_eq!(Some(archived.ends_at), listed.ends_at.map(Into::into));
    let joined = joined_thread("comments-1a2b3c.json");
    assert_eq!(standings(&archived.entrants), standings(entrants(&joined.outcome)));
}

#[test]
fn every_line_is_counted() {
    let (_, counts) = read_fixtures(options());
    assert_eq!(counts.lines.refused_first.len(), 1);
    let refused = &counts.lines.refused_first[0];
    assert!(refused.starts_with("a file, line "), "{refused}");
    assert!(refused.contains("is missing"), "{refused}");
    let expected = DumpCounts {
        lines: LineCounts {
            read: 27,
            elsewhere: 2,
            repeated: 1,
            refused: 1,
            refused_first: vec![refused.clone()],
        },
        comments: CommentCounts {
            counted: 13,
            deleted: 4,
            hidden: 1,
        },
        threads: ThreadCounts {
            read: 2,
            empty: 2,
            without_thread: 1,
            too_large: 0,
            known: 0,
        },
    };
    assert_eq!(counts, expected);
}

#[test]
fn file_order_does_not_matter() {
    let (threads, comments) = (bytes("RS_2024-06.ndjson"), bytes("RC_2024-06.ndjson"));
    let (expected, _) = read_dump(options(), &[&threads, &comments]);
    let both = [&comments[..], &threads].concat();
    assert_eq!(read_dump(options(), &[&comments, &threads]).0, expected);
    assert_eq!(read_dump(options(), &[&both]).0, expected);
}

#[test]
fn compressed_file_reads_like_plain_file() {
    let (threads, comments) = (bytes("RS_2024-06.ndjson"), bytes("RC_2024-06.ndjson"));
    let (expected, _) = read_dump(options(), &[&threads, &comments]);
    let packed = [threads, comments].map(|file| zstd::bulk::compress(&file, 3).unwrap());
    assert_eq!(read_dump(options(), &[&packed[0], &packed[1]]).0, expected);
    // Truncated at any byte, it is an error.
    for at in 5..packed[1].len() {
        let mut dump = DumpReader::new(options());
        let error = dump.add_file("RC.zst", &packed[1][..at]).unwrap_err();
        assert!(matches!(error, DumpError::Read { .. }), "{error}");
        assert!(error.to_string().starts_with("RC.zst: after line "));
    }
}

#[test]
fn all_subreddits_are_read_by_default() {
    let (contests, counts) = read_fixtures(DumpOptions::default());
    assert_eq!(ids(&contests), ["1a2b3c", "1a2b7k", "1a2d00"]);
    assert_eq!(contests[2].division.as_deref(), Some("HarbourNews"));
    assert_eq!(counts.lines.elsewhere, 0);
}

#[test]
fn user_pages_are_left_out() {
    let page = thread_line("\"author\":\"Ada\",\"created_utc\":1717243200")
        .replace("LanternTales", "u_Ada");
    let below =
        comment_line("\"id\":\"c1\",\"author\":\"Bea\",\"score\":1,\"created_utc\":1717243300");
    let below = below.replace("LanternTales", "u_Ada");
    let all = DumpOptions::default();
    let (contests, counts) = read_dump(all, &[page.as_bytes(), below.as_bytes()]);
    assert_eq!((contests.len(), counts.lines.elsewhere, counts.lines.refused), (0, 2, 0));
}

#[test]
fn older_threads_are_left_out() {
    let since = UnixSeconds::new(1_717_300_000);
    let (contests, counts) = read_fixtures(DumpOptions { since, ..options() });
    assert_eq!(ids(&contests), ["1a2b7k"]);
    assert_eq!((counts.threads.read, counts.comments.counted), (1, 2));
}

#[test]
fn top_threads_have_the_highest_scores() {
    let top = |top| {
        let options = DumpOptions {
            top: Some(top),
            ..DumpOptions::default()
        };
        let (contests, _) = read_fixtures(options);
        let ids = contests.into_iter().map(|contest| contest.external_id);
        ids.collect::<Vec<_>>()
    };
    assert_eq!(top(0), Vec::<String>::new());
    assert_eq!(top(1), ["1a2d00"]);
    assert_eq!(top(2), ["1a2b3c", "1a2d00"]);
    assert_eq!(top(9), ["1a2b3c", "1a2b7k", "1a2d00"]);
}

#[test]
fn times_can_be_integer_float_or_string() {
    for (created, at) in [
        ("1717243200", Some(1_717_243_200)),
        ("1717243200.0", Some(1_717_243_200)),
        ("\"1717243200\"", Some(1_717_243_200)),
        ("1717243200.5", None),
        ("\"1717243200.0\"", None),
        ("\"+1\"", None),
        ("\"\"", None),
        ("-1", None),
        ("99999999999999", None),
        ("null", None),
        ("true", None),
    ] {
        let thread = thread_line(&format!("\"created_utc\":{created}"));
        let comment = comment_line("\"id\":\"c\",\"author\":\"Ada\",\"score\":1,\"created_utc\":1");
        let (contests, counts) = read_dump(options(), &[&[thread, comment].concat().into_bytes()]);
        let time = contests.first().map(|contest| contest.ends_at.get());
        assert_eq!(time, at, "{created}");
        assert_eq!(counts.lines.refused, u64::from(at.is_none()), "{created}");
    }
}

#[test]
fn deleted_author_can_be_marker_null_or_missing() {
    let lines: Vec<String> = ["\"author\":\"[deleted]\",", "\"author\":null,", ""]
        .iter()
        .zip(["c1", "c2", "c3"])
        .map(|(author, id)| {
            comment_line(&format!("{author}\"id\":\"{id}\",\"score\":1,\"created_utc\":1"))
        })
        .collect();
    let (contests, counts) = read_one_thread(&lines.concat());
    assert_eq!((contests.len(), counts.comments.deleted, counts.threads.empty), (0, 3, 1));
}

#[test]
fn later_retrieval_of_comment_counts() {
    let line = |author: &str, score: i64, retrieved: &str| {
        comment_line(&format!(
            "\"id\":\"c\",\"author\":\"{author}\",\"score\":{score},{retrieved}\"created_utc\":1"
        ))
    };
    let (early, late) = ("\"retrieved_on\":5,", "\"retrieved_on\":9,");
    for (first, second, expected) in [
        (line("Ada", 1, late), line("Bea", 2, early), ("Ada", 1.0)),
        (line("Ada", 1, early), line("Bea", 2, late), ("Bea", 2.0)),
        (line("Ada", 1, ""), line("Bea", 2, ""), ("Bea", 2.0)),
        (line("Ada", 1, early), line("Bea", 2, ""), ("Ada", 1.0)),
    ] {
        let (contests, counts) = read_one_thread(&[first, second].concat());
        let actual = standings(&contests[0].entrants);
        assert_eq!(actual, [(expected.0, 1, expected.1)]);
        assert_eq!(counts.lines.repeated, 1);
    }
    // An account deleted by then is no entrant.
    let deleted = [line("Ada", 1, early), line("[deleted]", 1, late)].concat();
    assert_eq!(read_one_thread(&deleted).0, []);
}

#[test]
fn comments_without_thread_line_are_left_out() {
    let comment = comment_line("\"id\":\"c\",\"author\":\"Ada\",\"score\":1,\"created_utc\":1");
    let (contests, counts) = read_dump(options(), &[comment.as_bytes()]);
    assert_eq!((contests.len(), counts.threads.without_thread), (0, 1));
}

#[test]
fn unreadable_line_does_not_affect_others() {
    let good = comment_line("\"id\":\"c\",\"author\":\"Ada\",\"score\":1,\"created_utc\":1");
    for bad in [
        "{",
        "[]",
        "7",
        "not json",
        "{\"id\":\"c\"}",
        &comment_line("\"id\":\"C\",\"author\":\"Ada\",\"score\":1,\"created_utc\":1"),
        &comment_line("\"id\":\"0\",\"author\":\"Ada\",\"score\":1,\"created_utc\":1"),
        &comment_line("\"id\":\"d\",\"author\":\"A da\",\"score\":1,\"created_utc\":1"),
        &comment_line("\"id\":\"d\",\"author\":\"Ada\",\"score\":1.5,\"created_utc\":1"),
        &comment_line("\"id\":\"d\",\"author\":\"Ada\",\"score\":null,\"created_utc\":1"),
        &comment_line("\"id\":\"d\",\"author\":\"Ada\",\"score\":9999999999,\"created_utc\":1"),
        &comment_line(
            "\"id\":\"d\",\"author\":\"Ada\",\"score\":-9223372036854775808,\"created_utc\":1",
        ),
        &comment_line("\"id\":\"d\",\"author\":7,\"score\":1,\"created_utc\":1"),
        &good.replace("t3_1a", "1a"),
        &good.replace("LanternTales", "not a name"),
    ] {
        let (contests, counts) = read_one_thread(&format!("{}\n{good}", bad.trim_end()));
        assert_eq!((counts.lines.refused, counts.threads.read), (1, 1), "{bad}");
        assert_eq!(standings(&contests[0].entrants), [("Ada", 1, 1.0)]);
    }
}

#[test]
fn non_archive_file_is_an_error() {
    for (file, message) in [
        (&b"<html>not here</html>\n"[..], "JSON"),
        (b"a,b,c\n1,2,3\n", "JSON"),
        (b"{\"title\":\"x\"}\n{\"title\":\"y\"}\n", "is missing"),
    ] {
        let mut dump = DumpReader::new(options());
        let error = dump.add_file("x.html", file).unwrap_err();
        assert!(matches!(error, DumpError::NotADump { .. }), "{error}");
        let error = error.to_string();
        assert!(error.contains("x.html, line 1") && error.contains(message), "{error}");
    }
    // An empty file is valid.
    assert_eq!(read_dump(options(), &[b""]).0, []);
}

#[test]
fn read_failure_is_an_error() {
    struct Failing(usize);
    impl std::io::Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let line = b"\n{\"id\":1}";
            self.0 += 1;
            if self.0 > 300_000 {
                return Err(std::io::Error::other("the disk is gone"));
            }
            into[0] = line[self.0 % line.len()];
            Ok(1)
        }
    }
    let error = DumpReader::new(options()).add_file("RC", Failing(0)).unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
}

#[test]
fn unusable_folder_is_named_in_error() {
    let folder = std::path::PathBuf::from("/nowhere/at/all");
    let mut dump = DumpReader::new(DumpOptions {
        folder,
        ..options()
    });
    dump.add_file("RS", &*bytes("RS_2024-06.ndjson")).unwrap();
    let error = dump.into_threads().unwrap_err();
    assert!(matches!(error, DumpError::Folder { .. }), "{error}");
    assert!(error.to_string().starts_with("/nowhere/at/all: "), "{error}");
}
