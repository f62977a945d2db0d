//! Interruption of waits.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime};

use ranklore_fetch::{BlockingClient, FetchError, FetchOptions, HostState};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{DISCARD_STATE, TestSource, client_with, json, options};

const STOP_AFTER: Duration = Duration::from_millis(200);
/// Half the shortest interrupted wait; allows for a busy machine.
const MAX_REACTION: Duration = Duration::from_secs(5);

/// Interrupts the second fetch of a client after a while.
fn fetch_until_interrupted(options: FetchOptions) {
    let mut client = BlockingClient::new(options, HostState::default(), SystemTime::now()).unwrap();
    let start = Instant::now();
    let interrupted = || start.elapsed() > STOP_AFTER;
    for _ in 0..2 {
        let Ok(answered) =
            client.fetch(&TestSource, &json(), None, &interrupted, &mut { DISCARD_STATE });
        if let Err(error) = answered {
            assert_eq!(error, FetchError::Interrupted);
            return;
        }
    }
    panic!("not interrupted");
}

#[test]
fn interrupt_ends_every_wait() {
    let good = Reply::json("[1]");
    let pace = Server::with_replies([good.clone()]);
    let paced = FetchOptions {
        interval: Duration::from_mins(1),
        ..options(&pace)
    };
    let limited = Server::with_replies([Reply::status(429).header("Retry-After", "50")]);
    let failing = Server::with_replies([Reply::status(503)]);
    let backing_off = FetchOptions {
        backoff: Duration::from_secs(30),
        ..options(&failing)
    };
    let slow = Server::with_replies([good.delay(Duration::from_secs(10))]);
    for options in [paced, options(&limited), backing_off, options(&slow)] {
        let start = Instant::now();
        fetch_until_interrupted(options.clone());
        let took = start.elapsed();
        assert!(took < STOP_AFTER + MAX_REACTION, "{took:?} {options:?}");
    }
}

#[test]
fn blocking_fetch_polls_interrupt() {
    let server = Server::with_replies([
        Reply::json("[1]"),
        Reply::status(429).header("Retry-After", "50"),
    ]);
    let mut client =
        BlockingClient::new(options(&server), HostState::default(), SystemTime::now()).unwrap();
    let Ok(answered) = client.fetch(&TestSource, &json(), None, &|| false, &mut { DISCARD_STATE });
    answered.unwrap();
    let start = Instant::now();
    let poll = Cell::new(None);
    let interrupted = || {
        let enough = start.elapsed() > STOP_AFTER;
        if enough {
            poll.set(Some(Instant::now()));
        }
        enough
    };
    let Ok(answered) =
        client.fetch(&TestSource, &json(), None, &interrupted, &mut { DISCARD_STATE });
    assert_eq!(answered.unwrap_err(), FetchError::Interrupted);
    let poll: Instant = poll.get().unwrap();
    assert!(poll.elapsed() < MAX_REACTION, "{:?}", poll.elapsed());
    assert!(poll - start < MAX_REACTION, "{:?}", poll - start);
}

#[tokio::test]
async fn fetch_future_is_send() {
    fn assert_send<T: Send>(value: T) -> T {
        value
    }
    let server = Server::with_replies([Reply::json("[1]")]);
    let mut client = client_with(options(&server));
    assert_send(client.fetch(&TestSource, &json(), None)).await.unwrap();
}
