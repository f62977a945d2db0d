//! Reading pages of threads.

use ranklore_contest::UnixSeconds;
use ranklore_reddit::{RedditSource, SubredditListing};
use ranklore_source::{Document, Request, SiteReading, Source, Stage};

use crate::fixtures::{
    bytes, newest_request, read, read_file, second_page_request, source, top_request,
};

fn read_page(source: &RedditSource, key: &str, threads: usize, after: &str) -> SiteReading {
    let thread = |index: usize| {
        format!(
            r#"{{"kind":"t3","data":{{"id":"1a{index}x","subreddit":"LanternTales","created_utc":1717243200.0}}}}"#
        )
    };
    let threads: Vec<String> = (0..threads).map(thread).collect();
    let body = format!(
        r#"{{"kind":"Listing","data":{{"children":[{}],"after":{after}}}}}"#,
        threads.join(",")
    );
    let document = Document {
        request_key: key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: body.as_bytes(),
    };
    let mut reading = source.read(&document).unwrap();
    source.apply_options(key, &mut reading);
    reading
}

fn top_source(threads: u32) -> RedditSource {
    RedditSource::new(vec![SubredditListing::top("LanternTales", threads).unwrap()])
}

#[test]
fn thread_is_a_contest_at_creation_time() {
    let reading = read_file(&top_request(), "r-LanternTales-top.json");
    assert_eq!(reading.listed.len(), 3);
    let thread = &reading.listed[0];
    assert_eq!(thread.external_id, "1a2b3c");
    assert_eq!(thread.division.as_deref(), Some("LanternTales"));
    let url = "https://www.reddit.com/r/LanternTales/comments/1a2b3c/";
    assert_eq!(thread.url.as_deref(), Some(url));
    assert_eq!(thread.stage, Stage::Finished);
    assert_eq!(
        thread.results[0].key(),
        "GET comments/1a2b3c?depth=10&limit=500&raw_json=1&sort=old"
    );
    assert!(!reading.lists_all);
}

#[test]
fn created_utc_is_read_instead_of_created() {
    let reading = read_file(&top_request(), "r-LanternTales-top.json");
    assert_eq!(reading.listed[0].ends_at, UnixSeconds::new(1_717_243_200));
    let body = String::from_utf8(bytes("r-LanternTales-top.json")).unwrap();
    assert!(body.contains("\"created\":1717272000.0"));
}

#[test]
fn contest_name_is_the_thread_id() {
    let reading = read_file(&top_request(), "r-LanternTales-top.json");
    assert_eq!(reading.listed[0].name, "r/LanternTales 1a2b3c");
}

#[test]
fn page_leads_to_next_page() {
    let reading = read_file(&top_request(), "r-LanternTales-top.json");
    let next: Vec<String> = reading.follow.iter().map(Request::key).collect();
    let key = "GET r/LanternTales/top?after=t3_19zz01&count=3&limit=2&raw_json=1&t=all";
    assert_eq!(next, [key]);
    let reading = read_file(&second_page_request(), "r-LanternTales-top-3.json");
    assert_eq!((reading.listed.len(), reading.follow.len()), (2, 0));
    assert_eq!(reading.warnings, Vec::<String>::new());
}

#[test]
fn last_page_requests_only_the_remaining_threads() {
    let source = top_source(250);
    let mut key = source.initial_requests().remove(0).key();
    for limit in [100, 100, 50] {
        assert!(key.contains(&format!("limit={limit}&")), "{key}");
        let reading = read_page(&source, &key, limit, "\"t3_zz\"");
        match reading.follow.first() {
            Some(next) => key = next.key(),
            None => assert_eq!(limit, 50),
        }
    }
    assert!(key.contains("count=200&"), "{key}");
}

#[test]
fn list_cut_by_site_gives_a_warning() {
    let source = top_source(2000);
    let key = "GET r/LanternTales/top?after=t3_zz&count=900&limit=100&raw_json=1&t=all";
    let reading = read_page(&source, key, 100, "null");
    assert_eq!(reading.follow, []);
    assert!(reading.warnings[0].contains("ends after 1000"), "{reading:?}");
}

#[test]
fn empty_page_ends_the_list() {
    let source = top_source(2000);
    let key = source.initial_requests().remove(0).key();
    let reading = read_page(&source, &key, 0, "\"t3_zz\"");
    assert_eq!(reading.follow, []);
    assert_eq!(reading.warnings.len(), 1);
}

#[test]
fn newest_pages_are_followed_back_to_since() {
    // The last thread of the page is newer than the limit.
    let reading = read_file(&newest_request(), "r-LanternTales-new.json");
    let next = reading.follow[0].key();
    let key = "GET r/LanternTales/new?after=t3_1a2b7k&count=3&limit=100&raw_json=1";
    assert_eq!(next, key);
    // The last thread of the next page is older.
    let reading = read_page(&source(), &next, 100, "\"t3_zz\"");
    assert_eq!((reading.listed.len(), reading.follow.len()), (100, 0));
    assert_eq!(reading.warnings, Vec::<String>::new());
}

#[test]
fn archived_source_starts_with_all_its_pages() {
    let keys = [
        top_request().key(),
        second_page_request().key(),
        newest_request().key(),
    ];
    let documents = keys.iter().chain([&keys[0]]);
    let other_names = ["GET comments/1a2b3c", "fixtures/x.json"];
    let source = RedditSource::from_archive(documents.map(String::as_str).chain(other_names));
    let start: Vec<String> = source.initial_requests().iter().map(Request::key).collect();
    let mut expected = keys.to_vec();
    expected.sort();
    assert_eq!(start, expected);
    let reading = read_page(&source, &keys[0], 3, "\"t3_zz\"");
    assert_eq!((reading.listed.len(), reading.follow.len()), (3, 0));
}

#[test]
fn page_of_another_subreddit_is_refused() {
    let body = String::from_utf8(bytes("r-LanternTales-top.json")).unwrap();
    let body = body.replace("\"subreddit\":\"LanternTales\"", "\"subreddit\":\"Fog\"");
    let error = read(&top_request(), body.as_bytes()).unwrap_err();
    assert_eq!(error.at, "data.children[0].data.subreddit");
    // The case of a subreddit's name does not matter.
    let body = body.replace("\"Fog\"", "\"lanterntales\"");
    let reading = read(&top_request(), body.as_bytes()).unwrap();
    assert_eq!(reading.listed[0].name, "r/lanterntales 1a2b3c");
}

#[test]
fn more_threads_than_asked_for_are_refused() {
    let thread =
        r#"{"kind":"t3","data":{"id":"ID","subreddit":"LanternTales","created_utc":1717243200.0}}"#;
    let threads: Vec<String> =
        (1..=6).map(|index| thread.replace("ID", &index.to_string())).collect();
    let body = |threads: &[String]| {
        let threads = threads.join(",");
        format!(r#"{{"kind":"Listing","data":{{"children":[{threads}],"after":null}}}}"#)
    };
    assert!(read(&top_request(), body(&threads[..5]).as_bytes()).is_ok());
    let error = read(&top_request(), body(&threads).as_bytes()).unwrap_err();
    assert!(error.expected.contains("at most 5"), "{error}");
}

#[test]
fn duplicate_thread_on_page_is_refused_alone() {
    let thread =
        r#"{"kind":"t3","data":{"id":"1a","subreddit":"LanternTales","created_utc":1717243200.0}}"#;
    let body =
        format!(r#"{{"kind":"Listing","data":{{"children":[{thread},{thread}],"after":null}}}}"#);
    let reading = read(&top_request(), body.as_bytes()).unwrap();
    assert_eq!(reading.listed.len(), 1);
    assert_eq!(reading.refused[0].at, "data.children[1].data.id");
}

#[test]
fn invalid_subreddit_name_is_refused() {
    for name in [
        "",
        "x",
        "r/LanternTales",
        "a+b",
        "LanternTales/top",
        "ü",
        "_x",
        "a-b",
        // The page of a user.
        "u_Brass-Bell",
        "U_Brass",
    ] {
        assert!(SubredditListing::top(name, 10).is_err(), "{name}");
        assert!(SubredditListing::since(name, UnixSeconds::MIN).is_err(), "{name}");
    }
    for name in ["LanternTales", "u2_fans", "de"] {
        assert!(SubredditListing::top(name, 10).is_ok(), "{name}");
    }
    assert!(SubredditListing::top("LanternTales", 0).is_err());
}
