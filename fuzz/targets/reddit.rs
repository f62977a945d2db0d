//! Responses of Reddit, and archives of it: the first byte selects the request, or an archive; the
//! rest is the response or the archive.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_conformance as conformance;
use ranklore_contest::{Contest, UnixSeconds};
use ranklore_reddit::{
    DumpCounts, DumpError, DumpOptions, DumpReader, RedditSource, SubredditListing,
};
use ranklore_source::{Document, Request, SiteReadError, SiteReading, Source};

static SOURCE: LazyLock<RedditSource> = LazyLock::new(|| {
    let top = SubredditListing::top("LanternTales", 5).expect("a listing");
    RedditSource::new(vec![top])
});

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let head = r#"{"kind":"t3","data":{"id":"1a2b3c","subreddit":"LanternTales","created_utc":1717243200.0}}"#;
    let list = |things: &str| {
        format!(r#"{{"kind":"Listing","data":{{"children":[{things}],"after":null}}}}"#)
    };
    let top = SOURCE.initial_requests().remove(0);
    let mut listed = read(&top, list(head).as_bytes()).expect("a page").listed;
    let thread = listed.remove(0).results.remove(0);
    let left_out = [
        r#"{"kind":"more","data":{"id":"k9f0a","parent_id":"t3_1a2b3c","children":["k9f0a","k9f0b","k9f0c"]}}"#,
        r#"{"kind":"t1","data":{"id":"k9f03","author":"Ada","score":1,"score_hidden":false,"subreddit":"LanternTales","link_id":"t3_1a2b3c","parent_id":"t3_1a2b3c","replies":{"kind":"Listing","data":{"after":null,"children":[{"kind":"more","data":{"id":"_","parent_id":"t1_k9f03","children":[]}}]}}}}"#,
    ];
    let tree = format!("[{},{}]", list(head), list(&left_out.join(",")));
    let parts = read(&thread, tree.as_bytes()).expect("a thread").parts;
    let [more, below] = <[Request; 2]>::try_from(parts).expect("both questions");
    vec![top, thread, below, more]
});

fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    SOURCE.read(&Document {
        request_key: &request.key(),
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    })
}

/// Reads the threads of an archive, sorted in a buffer of this size.
fn archive(body: &[u8], memory: usize) -> Result<(Vec<Contest>, DumpCounts), DumpError> {
    let mut dump = DumpReader::new(DumpOptions {
        memory,
        ..DumpOptions::default()
    });
    dump.add_file("an archive", body)?;
    let mut threads = dump.into_threads()?;
    let contests: Result<Vec<Contest>, DumpError> = threads.by_ref().collect();
    Ok((contests?, threads.counts()))
}

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0')) % (REQUESTS.len() + 1);
    if let Some(request) = REQUESTS.get(which) {
        conformance::check_any_answer(&*SOURCE, request, body);
        return;
    }
    let Ok(all_at_once) = archive(body, 1 << 20) else {
        return;
    };
    for contest in &all_at_once.0 {
        assert_eq!(contest.validate(), Ok(()));
    }
    let bit_by_bit = archive(body, 0).expect("as before");
    assert_eq!(bit_by_bit, all_at_once, "sorted bit by bit, it is another");
});
