//! Interim responses (1xx) and other bytes before the final response.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use ranklore_fetch::{FetchError, FetchOptions};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client_with, fetch, json, options};

const HINT: &[u8] = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n";
const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n";

/// Serves one response per connection, `connections` times.
fn serve(
    connections: usize,
    respond: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + 'static,
) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        for _ in 0..connections {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = BufReader::new(&stream);
            let mut line = String::new();
            while request.read_line(&mut line).unwrap() > 2 {
                line.clear();
            }
            respond(&mut stream).unwrap();
        }
    });
    (url, serving)
}

/// Sends bytes until the client closes the connection.
fn send_endlessly(stream: &mut TcpStream, bytes: &[u8]) {
    let bytes = bytes.repeat(1_000);
    while stream.write_all(&bytes).is_ok() {}
}

/// Waits for the server while the client runs on.
async fn join(serving: JoinHandle<()>) {
    let joined = tokio::task::spawn_blocking(|| serving.join());
    joined.await.unwrap().unwrap();
}

fn options_for(base_url: String, head_timeout: Duration) -> FetchOptions {
    FetchOptions {
        base_url,
        timeout: Duration::from_mins(2),
        head_timeout,
        ..options(&Server::with_replies([Reply::json("[]")]))
    }
}

#[tokio::test]
async fn up_to_100_interim_responses_are_skipped() {
    for count in [1, 100] {
        let (url, serving) =
            serve(1, move |stream| stream.write_all(&[&HINT.repeat(count), HEAD, b"[1]"].concat()));
        let mut client = client_with(options_for(url, Duration::from_mins(1)));
        assert_eq!(fetch(&mut client, &json()).await.unwrap().body, b"[1]");
        join(serving).await;
    }
}

#[tokio::test]
async fn endless_interim_responses_end_at_head_timeout() {
    let (url, serving) = serve(2, |stream| {
        send_endlessly(stream, HINT);
        Ok(())
    });
    let mut client = client_with(options_for(url, Duration::from_millis(200)));
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::NoFinalResponse { .. }), "{failed:?}");
    let message = failed.to_string();
    assert!(message.contains("sent no final response within 0.2 s"), "{message}");
    assert!(failed.is_busy() && !failed.concerns_host() && !failed.is_blocked());
    // The second attempt is the last, and its connection is closed.
    join(serving).await;
}

#[tokio::test]
async fn endless_head_is_refused() {
    let (url, serving) = serve(5, |stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
        send_endlessly(stream, b"Set-Cookie: a=b; Path=/\r\n");
        Ok(())
    });
    let mut client = client_with(options_for(url, Duration::from_mins(1)));
    let failed = fetch(&mut client, &json()).await.unwrap_err();
    assert!(matches!(failed, FetchError::Truncated { .. }), "{failed:?}");
    join(serving).await;
}

#[tokio::test]
async fn body_may_take_longer_than_head() {
    let head_timeout = Duration::from_secs(2);
    let (url, serving) = serve(1, move |stream| {
        stream.write_all(HEAD)?;
        sleep(head_timeout + Duration::from_millis(200));
        stream.write_all(b"[1]")
    });
    let mut client = client_with(options_for(url, head_timeout));
    assert_eq!(fetch(&mut client, &json()).await.unwrap().body, b"[1]");
    join(serving).await;
}
