//! The interval between the starts of requests.

use std::time::{Duration, Instant, SystemTime};

use ranklore_fetch::{FetchOptions, HostState};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client, fetch, json, options};
use crate::virtual_time::{VirtualTimeClient, gaps_between};

const INTERVAL: Duration = Duration::from_secs(2);

fn paced_options(server: &Server) -> FetchOptions {
    FetchOptions {
        interval: INTERVAL,
        ..options(server)
    }
}

#[test]
fn all_requests_keep_interval() {
    let late = Duration::from_millis(300);
    let server = Server::with_handler(move |count, _| match count {
        0 => Reply::status(503),
        1 => Reply::redirect(302, "/elsewhere"),
        2 => Reply::json("[1").announce_length(9),
        3 => Reply::html(200, "<html>"),
        // The interval counts from start to start.
        6 => Reply::json("[1]").delay(late),
        _ => Reply::json("[1]"),
    });
    let mut lapse = VirtualTimeClient::new(&server, paced_options(&server));
    for _ in 0..5 {
        lapse.fetch(&json()).unwrap();
    }
    assert_eq!(server.request_count(), 9);
    let gaps = lapse.gaps();
    assert_eq!(gaps.len(), 8);
    for gap in &gaps {
        assert!((INTERVAL..INTERVAL + late).contains(gap), "{gaps:?}");
    }
    // No request arrives before it starts.
    let arrived = lapse.take_saved().into_iter().map(|(arrived, _)| arrived);
    assert_eq!(arrived.collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
}

#[test]
fn next_run_keeps_interval() {
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut state = HostState::default();
    let mut now = SystemTime::now();
    let mut starts = Vec::new();
    for _ in 0..3 {
        let mut lapse = VirtualTimeClient::with_state(&server, paced_options(&server), state, now);
        lapse.fetch(&json()).unwrap();
        (state, now) = (lapse.client.client().state(), lapse.now());
        assert!(state.last_request_at.is_some());
        starts.extend(lapse.starts());
    }
    let gaps = gaps_between(&starts);
    assert_eq!(gaps.len(), 2);
    assert!(gaps.iter().all(|gap| *gap >= INTERVAL), "{gaps:?}");
}

#[test]
fn rate_holds_over_killed_and_next_run() {
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut first = VirtualTimeClient::new(&server, paced_options(&server));
    for _ in 0..13 {
        first.fetch(&json()).unwrap();
    }
    // The process is killed: the next one has the state saved before the last request.
    let (_, state) = first.take_saved().pop().unwrap();
    let mut second =
        VirtualTimeClient::with_state(&server, paced_options(&server), state, first.now());
    for _ in 0..34 {
        second.fetch(&json()).unwrap();
    }
    let starts = [first.starts(), second.starts()].concat();
    let gaps = gaps_between(&starts);
    assert!(gaps.iter().all(|gap| *gap >= INTERVAL), "{gaps:?}");
    // 31 starts fit into 60 s at an interval of 2 s.
    for (index, &first) in starts.iter().enumerate() {
        let within = starts[index..].iter();
        let within = within.filter(|at| at.duration_since(first).unwrap() <= 30 * INTERVAL);
        assert!(within.count() <= 31, "after {index} requests");
    }
    assert_eq!((starts.len(), server.request_count()), (47, 47));
}

#[tokio::test]
async fn zero_interval_does_not_wait() {
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut client = client(&server);
    let start = Instant::now();
    for _ in 0..20 {
        fetch(&mut client, &json()).await.unwrap();
    }
    // At an interval of 1 s it would take 20 s.
    assert!(start.elapsed() < Duration::from_secs(15));
}
