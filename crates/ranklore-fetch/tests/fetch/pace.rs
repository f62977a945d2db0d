//! The pace, as the server sees it.

use std::time::{Duration, SystemTime};

use ranklore_fetch::{Client, HostState, Options};

use crate::server::{Reply, Server};
use crate::site::{ask, client, client_with, json, options};

/// The client's waits are never short; what the server sees of them may be, by the time that a
/// thread takes to start.
const JITTER: Duration = Duration::from_millis(30);

fn assert_paced(server: &Server, interval: Duration) {
    for gap in server.gaps() {
        assert!(gap + JITTER >= interval, "{:?}", server.gaps());
    }
}

#[tokio::test]
async fn starts_are_an_interval_apart_whatever_they_are() {
    let interval = Duration::from_millis(150);
    let server = Server::answering(|count, _| match count {
        0 => Reply::status(503),
        1 => Reply::to(302, "/elsewhere"),
        2 => Reply::json("[1").promising(9),
        3 => Reply::html(200, "<html>"),
        // It is the starts that count, not the ends.
        _ => Reply::json("[1]").after(Duration::from_millis(100)),
    });
    let mut client = client_with(Options {
        interval,
        ..options(&server)
    });
    for _ in 0..3 {
        ask(&mut client, &json()).await.unwrap();
    }
    assert_eq!(server.count(), 7);
    assert_paced(&server, interval);
    let last = *server.gaps().last().unwrap();
    assert!(last < Duration::from_millis(240), "{last:?}");
}

#[tokio::test]
async fn the_pace_of_one_run_goes_on_in_the_next() {
    let interval = Duration::from_millis(1_200);
    let server = Server::saying([Reply::json("[1]")]);
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
    let server = Server::saying([Reply::json("[1]")]);
    let mut client = client(&server);
    let began = std::time::Instant::now();
    for _ in 0..20 {
        ask(&mut client, &json()).await.unwrap();
    }
    assert!(began.elapsed() < Duration::from_secs(2));
}
