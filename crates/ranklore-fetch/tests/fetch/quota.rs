//! Request quotas in response headers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{BlockingClient, Client, FetchError, HostState};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{DISCARD_STATE, TestSource, fetch, json, options};
use crate::virtual_time::VirtualTimeClient;

fn quota_reply(remaining: &str, reset: &str) -> Reply {
    Reply::json("[1]")
        .header("X-Ratelimit-Remaining", remaining)
        .header("X-Ratelimit-Reset", reset)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() as i64
}

#[test]
fn exhausted_quota_delays_next_request() {
    let rest = Duration::from_secs(40);
    let server = Server::with_replies([quota_reply("0.0", "40"), quota_reply("99.0", "300")]);
    let mut lapse = VirtualTimeClient::new(&server, options(&server));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let client = lapse.client.client();
    client.on_wait(move |wait| {
        hears.lock().unwrap().push((wait.duration, wait.reason.to_string()));
    });
    lapse.fetch(&json()).unwrap();
    // A wait is reported only when the next request comes.
    assert!(heard.lock().unwrap().is_empty());
    for _ in 0..2 {
        lapse.fetch(&json()).unwrap();
    }
    let gaps = lapse.gaps();
    assert!(gaps[0] >= rest && gaps[1] < rest, "{gaps:?}");
    let heard = heard.lock().unwrap();
    let [(wait, reason)] = &heard[..] else {
        panic!("{heard:?}");
    };
    assert!(*wait <= rest && reason.contains("no more requests are allowed"));
}

#[test]
fn redirect_quota_is_honoured() {
    for to in ["/elsewhere", "http://elsewhere.invalid/"] {
        let spent = Reply::redirect(302, to)
            .header("X-Ratelimit-Remaining", "0")
            .header("X-Ratelimit-Reset", "300");
        let server = Server::with_replies([spent, Reply::json("[1]")]);
        let now_at = SystemTime::now();
        let mut client =
            BlockingClient::new(options(&server), HostState::default(), now_at).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        client.client().on_wait(move |wait| {
            hears.lock().unwrap().push(wait.reason.to_string());
        });
        let interrupted = || !heard.lock().unwrap().is_empty();
        let mut last = HostState::default();
        let mut keep = |state| {
            last = state;
            DISCARD_STATE(state)
        };
        let Ok(failed) = client.fetch(&TestSource, &json(), None, &interrupted, &mut keep);
        failed.unwrap_err();
        assert_eq!(server.request_count(), 1, "{to}");
        let until = last.not_before.map(UnixSeconds::get).unwrap();
        assert!((now() + 290..=now() + 301).contains(&until), "{until}");
        if to == "/elsewhere" {
            let heard = heard.lock().unwrap();
            assert!(heard[0].contains("/api/list limits the rate"), "{heard:?}");
        }
    }
}

#[test]
fn quota_reset_is_saved_and_honoured_by_next_run() {
    let server = Server::with_replies([quota_reply("0", "300")]);
    let now_at = SystemTime::now();
    let mut first = BlockingClient::new(options(&server), HostState::default(), now_at).unwrap();
    let mut states = Vec::new();
    let mut keep = |state| {
        states.push(state);
        DISCARD_STATE(state)
    };
    let Ok(answered) = first.fetch(&TestSource, &json(), None, &|| false, &mut keep);
    answered.unwrap();
    let last = *states.last().unwrap();
    assert_eq!(last, first.client().state());
    let until = last.not_before.map(UnixSeconds::get).unwrap();
    assert!((now() + 290..=now() + 301).contains(&until), "{until}");

    let next = BlockingClient::new(options(&server), last, SystemTime::now());
    let Ok(failed) = next
        .unwrap()
        .fetch(&TestSource, &json(), None, &|| false, &mut { DISCARD_STATE });
    assert!(matches!(failed, Err(FetchError::CoolingDown { .. })), "{failed:?}");
    assert_eq!(server.request_count(), 1);
}

#[test]
fn quota_wait_can_be_interrupted() {
    let server = Server::with_replies([quota_reply("0", "300")]);
    let now_at = SystemTime::now();
    let mut client = BlockingClient::new(options(&server), HostState::default(), now_at).unwrap();
    let waits = Arc::new(AtomicBool::new(false));
    let waiting = Arc::clone(&waits);
    client.client().on_wait(move |_| waiting.store(true, Ordering::Relaxed));
    let interrupted = || waits.load(Ordering::Relaxed);
    let mut fetch = || {
        let Ok(answered) =
            client.fetch(&TestSource, &json(), None, &interrupted, &mut { DISCARD_STATE });
        answered
    };
    fetch().unwrap();
    assert_eq!(fetch().unwrap_err(), FetchError::Interrupted);
    assert_eq!(server.request_count(), 1);
}

#[tokio::test]
async fn invalid_quota_headers_are_ignored() {
    for (remaining, reset) in [
        ("NaN", "300"),
        ("-1", "300"),
        ("0", "-300"),
        ("0", "inf"),
        ("0", "1e300"),
        ("0", "1700000000"),
        ("0", "\u{e9}"),
        ("1", "300"),
    ] {
        let server = Server::with_replies([quota_reply(remaining, reset)]);
        let mut client = Client::new(options(&server), HostState::default(), SystemTime::now());
        let client = client.as_mut().unwrap();
        fetch(client, &json()).await.unwrap();
        assert_eq!(client.state().not_before, None, "{remaining} {reset}");
    }
}
