//! The pace, as the server sees it.

use std::time::{Duration, SystemTime};

use ranklore_fetch::{Client, HostState, Options};
use ranklore_test_support::{Reply, Server};

use crate::site::{ask, client, client_with, json, options};

/// The client's waits are never short; what the server sees of one may be, by the time that a
/// thread of a busy machine takes to start. That of the first request alone shortens the whole.
const JITTER: Duration = Duration::from_millis(100);

fn assert_paced(server: &Server, interval: Duration) {
    let gaps = server.gaps();
    for gap in &gaps {
        assert!(*gap + JITTER >= interval, "{gaps:?}");
    }
    let whole: Duration = gaps.iter().sum();
    assert!(
        whole + JITTER >= interval * u32::try_from(gaps.len()).unwrap(),
        "{gaps:?}"
    );
}

#[tokio::test]
async fn starts_are_an_interval_apart_whatever_they_are() {
    let interval = Duration::from_millis(300);
    let server = Server::with_handler(|count, _| match count {
        0 => Reply::status(503),
        1 => Reply::redirect(302, "/elsewhere"),
        2 => Reply::json("[1").announce_length(9),
        3 => Reply::html(200, "<html>"),
        // It is the starts that count, not the ends.
        _ => Reply::json("[1]").delay(Duration::from_millis(250)),
    });
    let mut client = client_with(Options {
        interval,
        ..options(&server)
    });
    for _ in 0..5 {
        ask(&mut client, &json()).await.unwrap();
    }
    assert_eq!(server.count(), 9);
    assert_paced(&server, interval);
    // Counted from the ends it would be half a second and more, also for the quickest.
    let quickest = server.gaps()[4..].iter().min().copied().unwrap();
    assert!(quickest < Duration::from_millis(500), "{quickest:?}");
}

#[tokio::test]
async fn the_pace_of_one_run_goes_on_in_the_next() {
    let interval = Duration::from_millis(1_200);
    let server = Server::with_replies([Reply::json("[1]")]);
    let options = Options {
        interval,
        ..options(&server)
    };
    let mut state = HostState::default();
    for _ in 0..2 {
        let mut client = Client::new(options.clone(), state, SystemTime::now()).unwrap();
        ask(&mut client, &json()).await.unwrap();
        state = client.state();
        assert!(state.last_request_at.is_some());
    }
    assert_paced(&server, interval);
}

#[tokio::test]
async fn without_an_interval_nobody_waits() {
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut client = client(&server);
    let began = std::time::Instant::now();
    for _ in 0..20 {
        ask(&mut client, &json()).await.unwrap();
    }
    // With the shortest pace that anybody asks for it would be twenty seconds.
    assert!(began.elapsed() < Duration::from_secs(15));
}
