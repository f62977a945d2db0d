//! Failing servers and networks.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Client, FetchError, FetchOptions, HostState, Rejection};
use ranklore_test_support::{Reply, Server};
use tokio::time::timeout;

use crate::test_source::{client, client_with, failure, fetch, fetch_once, json, options, text};
use crate::virtual_time::VirtualTimeClient;

const GOOD: &str = "[1]";

#[tokio::test]
async fn slow_response_times_out_and_is_retried() {
    let slow = Reply::json(GOOD).delay(Duration::from_millis(600));
    let server = Server::with_replies([slow]);
    let mut client = client_with(FetchOptions {
        timeout: Duration::from_millis(150),
        max_attempts: 2,
        ..options(&server)
    });
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::TimedOut { .. }), "{failed:?}");
    assert!(failed.to_string().contains("within 0.15 s"), "{failed}");
    assert_eq!(server.request_count(), 2);
}

#[tokio::test]
async fn stalled_body_times_out() {
    let stuck = Reply::json("[1").announce_length(99);
    let server = Server::with_replies([stuck.hold(Duration::from_secs(5))]);
    let mut client = client_with(FetchOptions {
        timeout: Duration::from_millis(150),
        max_attempts: 1,
        ..options(&server)
    });
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::TimedOut { .. }), "{failed:?}");
}

#[tokio::test]
async fn refused_connection_is_reported_after_retries() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let waits = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut client = client_with(FetchOptions {
        base_url: format!("http://127.0.0.1:{port}"),
        max_attempts: 3,
        ..options(&Server::with_replies([Reply::json(GOOD)]))
    });
    let heard = waits.clone();
    client.on_wait(move |wait| {
        heard.lock().unwrap().push((wait.duration, wait.reason.to_string()));
    });
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::Unreachable { .. }), "{failed:?}");
    assert!(failed.to_string().contains("refused"), "{failed}");
    assert!(failed.concerns_host());
    let waits = waits.lock().unwrap();
    assert_eq!(waits.len(), 2);
    assert!(waits[0].0 >= Duration::from_millis(5) && waits[1].0 >= Duration::from_millis(10));
    assert_eq!(waits[0].1, failed.to_string());
}

#[tokio::test]
async fn connection_is_checked_twice_without_a_request() {
    let server = Server::with_replies([Reply::json(GOOD)]);
    client(&server).check_connection().await.unwrap();
    assert_eq!(server.request_count(), 0);

    for base_url in [
        "http://127.0.0.1:1",
        "http://[::1]:1",
        "http://host.invalid",
    ] {
        let client = client_with(FetchOptions {
            base_url: base_url.to_owned(),
            backoff: Duration::from_hours(1),
            max_attempts: 1,
            ..options(&server)
        });
        let failed = client.check_connection().await.unwrap_err();
        assert!(matches!(failed, FetchError::Unreachable { .. }), "{failed}");
        assert!(failed.to_string().contains(base_url), "{failed}");
        assert!(!failed.to_string().contains(": ;"), "{failed}");
        assert_eq!(client.state(), HostState::default());
    }
}

// Elsewhere a refusal takes time, which a paused clock skips.
#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn second_connection_waits_at_most_two_seconds() {
    let client = client_with(FetchOptions {
        base_url: "http://127.0.0.1:1".to_owned(),
        backoff: Duration::from_mins(1),
        ..options(&Server::new())
    });
    let start = tokio::time::Instant::now();
    client.check_connection().await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 2);
}

#[tokio::test]
async fn host_that_cools_down_is_not_connected_to() {
    let not_before = SystemTime::now() + Duration::from_hours(1);
    let since = not_before.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let state = HostState {
        not_before: UnixSeconds::new(since.as_secs() as i64),
        ..HostState::default()
    };
    let options = FetchOptions {
        base_url: "http://127.0.0.1:1".to_owned(),
        ..options(&Server::new())
    };
    let client = Client::new(options, state, SystemTime::now()).unwrap();
    client.check_connection().await.unwrap();
}

#[tokio::test]
async fn status_is_stated_once_in_message() {
    let reason = r#"{"status":"FAILED","comment":"Call limit exceeded"}"#;
    for (reply, words) in [
        (Reply::status(429), "(HTTP 429: no text)"),
        (Reply::new(429, "application/json", reason), "(HTTP 429: call limit exceeded)"),
        (Reply::status(503), "HTTP 503 (no text)"),
    ] {
        let (failed, _) = failure(&Server::with_replies([reply]), &json()).await;
        assert!(failed.to_string().contains(words), "{failed}");
    }
}

#[tokio::test]
async fn server_error_is_retried() {
    let server = Server::with_replies([
        Reply::html(503, "<html><title>Service Unavailable</title>"),
        Reply::status(502),
        Reply::json(GOOD),
    ]);
    assert_eq!(fetch_once(&server, &json()).await.unwrap().body, GOOD.as_bytes());
    assert_eq!(server.request_count(), 3);
}

#[tokio::test]
async fn persistent_server_error_is_reported() {
    let server =
        Server::with_replies([Reply::html(503, "<html><title>Service Unavailable</title>")]);
    let (failed, tries) = failure(&server, &json()).await;
    assert!(
        matches!(failed, FetchError::ServerError(Rejection { status: 503, .. })),
        "{failed:?}"
    );
    assert!(failed.to_string().contains("Service Unavailable"), "{failed}");
    assert_eq!(tries, 5);
}

#[tokio::test]
async fn plain_text_server_error_is_an_error() {
    let reply = Reply::status(500).header("Content-Type", "text/plain");
    let (failed, _) = failure(&Server::with_replies([reply.body("oops")]), &text()).await;
    assert!(
        matches!(failed, FetchError::ServerError(Rejection { status: 500, .. })),
        "{failed:?}"
    );
}

#[tokio::test]
async fn call_limit_is_retried() {
    let limit = r#"{"status":"FAILED","comment":"Call limit exceeded"}"#;
    let server = Server::with_replies([
        Reply::status(503).header("Content-Type", "application/json").body(limit),
        Reply::status(403)
            .header("Content-Type", "text/plain")
            .body("Call limit exceeded"),
        Reply::json(limit),
        Reply::status(429),
        Reply::json(GOOD),
    ]);
    assert_eq!(fetch_once(&server, &json()).await.unwrap().body, GOOD.as_bytes());
    assert_eq!(server.request_count(), 5);

    let server = Server::with_replies([Reply::json(limit)]);
    let (failed, tries) = failure(&server, &json()).await;
    assert!(
        matches!(failed, FetchError::RateLimited(Rejection { status: 200, .. })),
        "{failed:?}"
    );
    assert!(failed.is_blocked());
    assert_eq!(tries, 5);
}

#[test]
fn retry_after_is_honoured_in_both_formats() {
    let seconds = Reply::status(429).header("Retry-After", "1");
    let date = Reply::status(503)
        .header("Date", "Sat, 21 Nov 2026 16:00:00 GMT")
        .header("Retry-After", "Sat, 21 Nov 2026 16:00:01 GMT");
    let server = Server::with_replies([seconds, date, Reply::json(GOOD)]);
    let mut lapse = VirtualTimeClient::new(&server, options(&server));
    lapse.fetch(&json()).unwrap();
    let gaps = lapse.gaps();
    assert_eq!(gaps.len(), 2);
    for gap in &gaps {
        assert!(*gap >= Duration::from_secs(1), "{gaps:?}");
        assert!(*gap < Duration::from_millis(1_900), "{gaps:?}");
    }
}

#[test]
fn retry_after_delays_next_request() {
    let patience = Duration::from_secs(30);
    let server = Server::with_replies([
        Reply::status(429).header("Retry-After", "30"),
        Reply::json(GOOD),
    ]);
    let once = FetchOptions {
        max_attempts: 1,
        ..options(&server)
    };
    let mut lapse = VirtualTimeClient::new(&server, once);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let client = lapse.client.client();
    client.on_wait(move |wait| {
        hears.lock().unwrap().push((wait.duration, wait.reason.clone()));
    });
    let failed = lapse.fetch(&json()).unwrap_err();
    assert!(matches!(failed, FetchError::RateLimited { .. }), "{failed:?}");
    // A wait is reported only when the next request comes.
    assert!(heard.lock().unwrap().is_empty());
    lapse.fetch(&json()).unwrap();
    assert!(lapse.gaps()[0] >= patience);
    let heard = heard.lock().unwrap();
    let [(wait, reason)] = &heard[..] else {
        panic!("{heard:?}");
    };
    assert!(!wait.is_zero() && *wait <= patience);
    assert_eq!(*reason, failed);
}

#[test]
fn retry_after_one_minute_is_honoured() {
    let server = Server::with_replies([
        Reply::status(429).header("Retry-After", "60"),
        Reply::json(GOOD),
    ]);
    let mut lapse = VirtualTimeClient::new(&server, options(&server));
    lapse.fetch(&json()).unwrap();
    let gaps = lapse.gaps();
    assert_eq!(gaps.len(), 1);
    assert!((60..62).contains(&gaps[0].as_secs()), "{gaps:?}");
}

#[tokio::test]
async fn retry_after_one_hour_cools_host_down() {
    let server = Server::with_replies([Reply::status(429).header("Retry-After", "3600")]);
    let mut client = client(&server);
    let start = Instant::now();
    let request = json();
    let asking = timeout(Duration::from_mins(1), fetch(&mut client, &request));
    let failed = asking.await.unwrap().unwrap_err();
    let FetchError::CoolingDown {
        not_before,
        ref reason,
        ..
    } = failed
    else {
        panic!("{failed:?}");
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let ahead = not_before.get().unsigned_abs() - now;
    assert!((3_540..=3_602).contains(&ahead), "{ahead}");
    assert!(reason.contains("HTTP 429"), "{reason}");
    assert!(failed.is_blocked() && failed.concerns_host());
    assert_eq!(client.state().not_before, Some(not_before));
    // No request is sent until then, in this run …
    assert!(matches!(fetch(&mut client, &json()).await, Err(FetchError::CoolingDown { .. })));
    // … or the next.
    let state = client.state();
    let mut next = ranklore_fetch::Client::new(options(&server), state, SystemTime::now()).unwrap();
    assert_eq!(next.state(), state);
    assert!(matches!(fetch(&mut next, &json()).await, Err(FetchError::CoolingDown { .. })));
    assert_eq!(server.request_count(), 1);
    assert!(start.elapsed() < Duration::from_mins(1));
    // The host is available after the cool-down.
    let later = SystemTime::now() + Duration::from_secs(3_602);
    let next = ranklore_fetch::Client::new(options(&server), state, later).unwrap();
    assert_eq!(next.state().not_before, None);
}

#[tokio::test]
async fn truncated_body_is_retried() {
    let half = Reply::json("[1, 2").announce_length(100);
    let chunk = Reply::json("[1, 2]").leave_chunks_unfinished();
    let server = Server::with_replies([half.clone(), chunk.clone(), Reply::json(GOOD)]);
    assert_eq!(fetch_once(&server, &json()).await.unwrap().body, GOOD.as_bytes());
    for reply in [half, chunk] {
        let server = Server::with_replies([reply]);
        let (failed, tries) = failure(&server, &json()).await;
        assert!(matches!(failed, FetchError::Truncated { .. }), "{failed:?}");
        assert_eq!(tries, 5);
    }
}

#[tokio::test]
async fn broken_compressed_body_is_truncated() {
    let packed = zstd::encode_all([7_u8; 1000].as_slice(), 3).unwrap();
    for (coding, body) in [("zstd", &packed[..packed.len() / 2]), ("gzip", b"not gzip")] {
        let reply = Reply::json("").header("Content-Encoding", coding).body(body);
        let (failed, _) = failure(&Server::with_replies([reply]), &json()).await;
        assert!(matches!(failed, FetchError::Truncated { .. }), "{failed:?}");
    }
}

#[tokio::test]
async fn oversized_body_is_refused() {
    let server = Server::with_replies([Reply::json("[1,2,3,4,5,6]")]);
    for (max_body, fits) in [(13, true), (12, false)] {
        let mut client = client_with(FetchOptions {
            max_body,
            ..options(&server)
        });
        let answered = fetch(&mut client, &json()).await;
        assert_eq!(answered.is_ok(), fits, "{answered:?}");
    }
    assert_eq!(server.request_count(), 2);
}

#[tokio::test]
async fn decompression_bomb_is_refused() {
    // 1 GiB of zeros, as 64 gzip members.
    let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    member.write_all(&vec![0; 16 << 20]).unwrap();
    let bomb = member.finish().unwrap().repeat(64);
    assert!(bomb.len() < 16 << 20);
    let server =
        Server::with_replies([Reply::json("").header("Content-Encoding", "gzip").body(bomb)]);
    let mut client = client_with(FetchOptions {
        max_body: 1 << 20,
        ..options(&server)
    });
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(
        matches!(
            failed,
            FetchError::TooLarge {
                limit: 1_048_576,
                ..
            }
        ),
        "{failed:?}"
    );
    assert_eq!(server.request_count(), 1);
    // Peak memory of this process with all its tests.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kib < 256 << 10, "{kib} KiB");
    }
}
