//! Interruption of waits.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime};

use ranklore_fetch::{Blocking, Failed, HostState, Options};
use ranklore_test_support::{Reply, Server};

use crate::site::{NOWHERE, Site, ask, client_with, json, options};

const BEFORE: Duration = Duration::from_millis(200);
/// Half the shortest interrupted wait; allows for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Sets the stop signal after a while, and returns the time the client took to stop.
async fn stopped(options: Options) -> Duration {
    let mut client = client_with(options);
    let stop = client.stop();
    assert!(!stop.asked());
    let asked = std::thread::spawn(move || {
        std::thread::sleep(BEFORE);
        stop.now();
        Instant::now()
    });
    let _ = ask(&mut client, &json()).await;
    let failed = ask(&mut client, &json()).await.unwrap_err();
    assert_eq!(failed, Failed::Interrupted);
    let asked = asked.join().unwrap();
    // The signal stays set.
    assert_eq!(
        ask(&mut client, &json()).await.unwrap_err(),
        Failed::Interrupted
    );
    asked.elapsed()
}

#[tokio::test]
async fn whatever_is_waited_for() {
    let good = Reply::json("[1]");
    let pace = Server::with_replies([good.clone()]);
    let paced = Options {
        interval: Duration::from_mins(1),
        ..options(&pace)
    };
    let busy = Server::with_replies([Reply::status(429).header("Retry-After", "50")]);
    let failing = Server::with_replies([Reply::status(503)]);
    let backing_off = Options {
        backoff: Duration::from_secs(30),
        ..options(&failing)
    };
    let slow = Server::with_replies([good.delay(Duration::from_secs(10))]);
    for options in [paced, options(&busy), backing_off, options(&slow)] {
        let took = stopped(options.clone()).await;
        assert!(took < AT_ONCE, "{took:?} {options:?}");
    }
}

#[test]
fn callers_that_are_not_asynchronous_are_asked() {
    let server = Server::with_replies([
        Reply::json("[1]"),
        Reply::status(429).header("Retry-After", "50"),
    ]);
    let mut client =
        Blocking::new(options(&server), HostState::default(), SystemTime::now()).unwrap();
    let Ok(answered) = client.fetch(&Site, &json(), None, &|| false, &mut { NOWHERE });
    answered.unwrap();
    let began = Instant::now();
    let asked = Cell::new(None);
    let interrupted = || {
        let enough = began.elapsed() > BEFORE;
        if enough {
            asked.set(Some(Instant::now()));
        }
        enough
    };
    let Ok(answered) = client.fetch(&Site, &json(), None, &interrupted, &mut { NOWHERE });
    assert_eq!(answered.unwrap_err(), Failed::Interrupted);
    let asked: Instant = asked.get().unwrap();
    assert!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    assert!(asked - began < AT_ONCE, "{:?}", asked - began);
    // An interrupt does not set the stop signal.
    assert!(!client.client().stop().asked());
}

#[tokio::test]
async fn a_fetch_may_move_between_threads() {
    fn moves<T: Send>(value: T) -> T {
        value
    }
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut client = client_with(options(&server));
    moves(client.fetch(&Site, &json(), None)).await.unwrap();
}
