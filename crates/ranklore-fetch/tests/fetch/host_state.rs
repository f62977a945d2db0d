//! Saved host state, which must survive a killed process.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{BlockingClient, FetchError, FetchOptions, HostState};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{DISCARD_STATE, TestSource, json, options};
use crate::virtual_time::VirtualTimeClient;

const GOOD: &str = "[1]";
const INTERVAL: Duration = Duration::from_secs(10);

fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() as i64
}

#[test]
fn state_is_saved_before_each_request() {
    let server = Server::with_handler(|_, line| match line {
        "GET /robots.txt" => Reply::status(404),
        "GET /api/list" => Reply::redirect(302, "/elsewhere"),
        _ => Reply::json(GOOD),
    });
    let failing = Server::with_replies([Reply::status(503), Reply::json(GOOD)]);
    let obedient = FetchOptions {
        obey_robots: true,
        ..options(&server)
    };
    for (server, options, times) in [(&server, obedient, 3), (&failing, options(&failing), 2)] {
        let mut lapse = VirtualTimeClient::new(server, options);
        let start = seconds(lapse.now());
        lapse.fetch(&json()).unwrap();
        let saved = lapse.take_saved();
        let request_counts: Vec<usize> =
            saved.iter().map(|(request_count, _)| *request_count).collect();
        assert_eq!(request_counts, (0..times).collect::<Vec<_>>());
        assert_eq!(server.request_count(), times);
        for (_, state) in saved {
            assert!(state.last_request_at.unwrap().get() > start, "{state:?}");
            assert_eq!(state.not_before, None);
        }
    }
}

#[test]
fn failed_save_sends_no_request() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let state = HostState::default();
    let mut client = BlockingClient::new(options(&server), state, SystemTime::now()).unwrap();
    let full = client.fetch(&TestSource, &json(), None, &|| false, &mut |_| Err("disk full"));
    assert_eq!(full.unwrap_err(), "disk full");
    assert_eq!(server.request_count(), 0);
    // The client works again once saving succeeds.
    let Ok(answered) = client.fetch(&TestSource, &json(), None, &|| false, &mut { DISCARD_STATE });
    answered.unwrap();
    assert_eq!(server.request_count(), 1);
}

#[test]
fn interval_begins_after_save() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let paced = FetchOptions {
        interval: INTERVAL,
        ..options(&server)
    };
    let mut lapse = VirtualTimeClient::new(&server, paced);
    lapse.save_delay = Duration::from_millis(200);
    for _ in 0..2 {
        lapse.fetch(&json()).unwrap();
    }
    let gap = lapse.gaps()[0];
    assert!(gap >= INTERVAL + lapse.save_delay, "{gap:?}");
}

#[test]
fn retry_after_is_saved_at_once() {
    let server = Server::with_replies([
        Reply::status(429).header("Retry-After", "1"),
        Reply::json(GOOD),
    ]);
    let mut lapse = VirtualTimeClient::new(&server, options(&server));
    let start = seconds(lapse.now());
    lapse.fetch(&json()).unwrap();
    let saved = lapse.take_saved();
    let [(0, first), (1, resting), (1, second)] = saved[..] else {
        panic!("{saved:?}");
    };
    assert_eq!((first.not_before, second.not_before), (None, None));
    let until = resting.not_before.unwrap().get();
    assert!(until > start, "{until} {start}");
    assert_eq!(resting.last_request_at, first.last_request_at);
}

#[test]
fn cool_down_is_saved_at_once() {
    let page = "<html><head><title>Just a moment...</title></head></html>";
    let limited = Server::with_replies([Reply::status(429).header("Retry-After", "3600")]);
    let walled = Server::with_replies([Reply::html(403, page)]);
    for (server, requests) in [(limited, 1), (walled, 2)] {
        let paced = FetchOptions {
            interval: Duration::from_millis(1),
            ..options(&server)
        };
        let mut lapse = VirtualTimeClient::new(&server, paced);
        let failed = (0..requests).map(|_| lapse.fetch(&json())).last().unwrap();
        let Err(FetchError::CoolingDown { not_before, .. }) = failed else {
            panic!("{failed:?}");
        };
        let (request_count, state) = *lapse.take_saved().last().unwrap();
        assert_eq!(request_count, server.request_count());
        assert_eq!(state, lapse.client.client().state());
        assert_eq!(state.not_before, Some(not_before));
        // No request is sent, so no state is saved.
        lapse.fetch(&json()).unwrap_err();
        assert_eq!(lapse.take_saved(), []);
    }
}

#[test]
fn next_run_waits_for_short_delay() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let now = SystemTime::now();
    let state = |until: i64| HostState {
        last_request_at: UnixSeconds::new(seconds(now) - 10),
        not_before: UnixSeconds::new(until),
    };
    let until = seconds(now) + 50;
    let mut lapse = VirtualTimeClient::with_state(&server, options(&server), state(until), now);
    assert_eq!(lapse.client.client().state(), state(until));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    lapse
        .client
        .client()
        .on_wait(move |wait| hears.lock().unwrap().push(wait.reason.to_string()));
    lapse.fetch(&json()).unwrap();
    let heard = heard.lock().unwrap();
    assert!(heard.len() == 1 && heard[0].contains("an earlier run received this delay"));
    assert!((until..until + 2).contains(&seconds(lapse.starts()[0])));
    assert_eq!(server.request_count(), 1);
    // A longer delay is left to a later run.
    let start = Instant::now();
    let mut lapse =
        VirtualTimeClient::with_state(&server, options(&server), state(until + 40), now);
    let failed = lapse.fetch(&json());
    assert!(matches!(failed, Err(FetchError::CoolingDown { .. })), "{failed:?}");
    assert_eq!(server.request_count(), 1);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn state_from_future_clock_costs_one_interval() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let now = SystemTime::now();
    let years = 10 * 365 * 86_400;
    let state = HostState {
        last_request_at: UnixSeconds::new(seconds(now) + years),
        not_before: UnixSeconds::new(seconds(now) + years + 3_600),
    };
    let paced = FetchOptions {
        interval: INTERVAL,
        ..options(&server)
    };
    let mut lapse = VirtualTimeClient::with_state(&server, paced, state, now);
    lapse.fetch(&json()).unwrap();
    let waited = lapse.starts()[0].duration_since(now).unwrap();
    let about = INTERVAL..INTERVAL + Duration::from_secs(1);
    assert!(about.contains(&waited), "{waited:?}");
    let (_, saved) = lapse.take_saved()[0];
    assert!(saved.last_request_at.unwrap().get() <= seconds(lapse.now()) + 1);
}
