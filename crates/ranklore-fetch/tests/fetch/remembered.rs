//! What is remembered of a host: in time, so that it holds though the process be killed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Answered, Blocking, Failed, HostState, Options};
use ranklore_test_support::{Reply, Server};

use crate::site::{NOWHERE, Site, json, options};

const GOOD: &str = "[1]";
/// What the server sees may be so much closer to each other than what the client does.
const JITTER: Duration = Duration::from_millis(100);

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() as i64
}

fn blocking(options: Options, state: HostState) -> Blocking {
    Blocking::new(options, state, SystemTime::now()).unwrap()
}

/// What comes of a request, and every state that was to be kept meanwhile, with how often the
/// server had been asked by then.
fn kept(
    client: &mut Blocking,
    server: &Server,
) -> (Result<Answered, Failed>, Vec<(usize, HostState)>) {
    let mut kept = Vec::new();
    let mut keep = |state| {
        kept.push((server.count(), state));
        NOWHERE(state)
    };
    let Ok(answered) = client.fetch(&Site, &json(), None, &|| false, &mut keep);
    (answered, kept)
}

#[test]
fn every_request_is_remembered_before_it_is_sent() {
    let server = Server::with_handler(|_, line| match line {
        "GET /robots.txt" => Reply::status(404),
        "GET /api/list" => Reply::redirect(302, "/elsewhere"),
        _ => Reply::json(GOOD),
    });
    let failing = Server::with_replies([Reply::status(503), Reply::json(GOOD)]);
    let obedient = Options {
        robots: true,
        ..options(&server)
    };
    for (server, options, times) in [(&server, obedient, 3), (&failing, options(&failing), 2)] {
        let mut client = blocking(options, HostState::default());
        let began = now();
        let (answered, kept) = kept(&mut client, server);
        answered.unwrap();
        let asked_before: Vec<usize> = kept.iter().map(|(asked, _)| *asked).collect();
        assert_eq!(asked_before, (0..times).collect::<Vec<_>>());
        assert_eq!(server.count(), times);
        for (_, state) in kept {
            assert!(state.last_request_at.unwrap().get() > began, "{state:?}");
            assert_eq!(state.not_before, None);
        }
    }
}

#[test]
fn what_cannot_be_remembered_is_not_asked() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let mut client = blocking(options(&server), HostState::default());
    let full = client.fetch(&Site, &json(), None, &|| false, &mut |_| Err("disk full"));
    assert_eq!(full.unwrap_err(), "disk full");
    assert_eq!(server.count(), 0);
    // Once it can be, all is well.
    kept(&mut client, &server).0.unwrap();
    assert_eq!(server.count(), 1);
}

#[test]
fn the_pace_counts_from_when_it_was_remembered() {
    let interval = Duration::from_millis(300);
    let server = Server::with_replies([Reply::json(GOOD)]);
    let paced = Options {
        interval,
        ..options(&server)
    };
    let mut client = blocking(paced, HostState::default());
    for wait in [Duration::from_millis(600), Duration::ZERO] {
        let mut slowly = |state| {
            std::thread::sleep(wait);
            NOWHERE(state)
        };
        let Ok(answered) = client.fetch(&Site, &json(), None, &|| false, &mut slowly);
        answered.unwrap();
    }
    assert!(server.gaps()[0] + JITTER >= interval);
}

#[test]
fn patience_asked_for_is_remembered_at_once() {
    let server = Server::with_replies([
        Reply::status(429).header("Retry-After", "1"),
        Reply::json(GOOD),
    ]);
    let mut client = blocking(options(&server), HostState::default());
    let began = now();
    let (answered, kept) = kept(&mut client, &server);
    answered.unwrap();
    let [(0, first), (1, resting), (1, second)] = kept[..] else {
        panic!("{kept:?}");
    };
    assert_eq!((first.not_before, second.not_before), (None, None));
    let until = resting.not_before.unwrap().get();
    assert!(until > began, "{until} {began}");
    assert_eq!(resting.last_request_at, first.last_request_at);
}

#[test]
fn that_a_host_is_set_aside_is_remembered_at_once() {
    let page = "<html><head><title>Just a moment...</title></head></html>";
    let busy = Server::with_replies([Reply::status(429).header("Retry-After", "3600")]);
    let walled = Server::with_replies([Reply::html(403, page)]);
    for (server, requests) in [(busy, 1), (walled, 2)] {
        let paced = Options {
            interval: Duration::from_millis(1),
            ..options(&server)
        };
        let mut client = blocking(paced, HostState::default());
        let (failed, last) = (0..requests)
            .map(|_| kept(&mut client, &server))
            .last()
            .unwrap();
        let Err(Failed::SetAside { not_before, .. }) = failed else {
            panic!("{failed:?}");
        };
        let (asked, state) = *last.last().unwrap();
        assert_eq!(asked, server.count());
        assert_eq!(state, client.client().state());
        assert_eq!(state.not_before, Some(not_before));
        // Nothing is asked any more, so there is nothing to be kept.
        assert_eq!(kept(&mut client, &server).1, []);
    }
}

#[test]
fn a_rest_that_is_over_within_a_minute_is_waited_for_by_the_next_run() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    let began = now();
    let state = |until: i64| HostState {
        last_request_at: UnixSeconds::new(began - 10),
        not_before: UnixSeconds::new(until),
    };
    let until = began + 2;
    let mut client = blocking(options(&server), state(until));
    assert_eq!(client.client().state(), state(until));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    (client.client()).on_wait(move |_, why| hears.lock().unwrap().push(why.to_string()));
    let (answered, _) = kept(&mut client, &server);
    answered.unwrap();
    let heard = heard.lock().unwrap();
    assert!(heard.len() == 1 && heard[0].contains("an earlier run was told so"));
    assert!(now() >= until);
    assert_eq!(server.count(), 1);
    // One that is not is left to a later run.
    let asked = Instant::now();
    let mut client = blocking(options(&server), state(now() + 90));
    let (failed, _) = kept(&mut client, &server);
    assert!(matches!(failed, Err(Failed::SetAside { .. })), "{failed:?}");
    assert_eq!(server.count(), 1);
    assert!(asked.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_clock_that_was_far_ahead_costs_one_interval() {
    let interval = Duration::from_millis(300);
    let server = Server::with_replies([Reply::json(GOOD)]);
    let years = 10 * 365 * 86_400;
    let state = HostState {
        last_request_at: UnixSeconds::new(now() + years),
        not_before: UnixSeconds::new(now() + years + 3_600),
    };
    let paced = Options {
        interval,
        ..options(&server)
    };
    let mut client = blocking(paced, state);
    let began = Instant::now();
    let (answered, kept) = kept(&mut client, &server);
    answered.unwrap();
    assert!(server.received()[0].at + JITTER >= began + interval);
    assert!(kept[0].1.last_request_at.unwrap().get() <= now() + 1);
}
