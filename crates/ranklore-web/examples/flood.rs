//! Floods a server in one of five ways, until it is killed.
//!
//!     cargo run --release -p ranklore-web --example flood -- ADDRESS KIND COUNT
//!
//! KIND is `headers` (slow ones), `idle`, `kept` (connections with a request every 3 to 10 s),
//! `records` (of any length), or `times` (leaderboards at any time). COUNT is the number of
//! connections at a time.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

type Fault = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, kind, count] = &arguments[..] else {
        return Err("give ADDRESS KIND COUNT".into());
    };
    let count: usize = count.parse()?;
    let second = Duration::from_secs(1);
    match &**kind {
        "headers" => hold(address, count, second, "X", "")?,
        "idle" => hold(address, count, 3_600 * second, "", "")?,
        "kept" => hold(address, count, 3 * second, "", &request(address, "/leaderboard"))?,
        "records" => ask(address, count, |n| format!("/api/v1/records/bench?limit={}", n % 1_001)),
        "times" => ask(address, count, |n| {
            let second = n * 7_919 % 86_400;
            let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
            format!("/leaderboard?source=bench&as-of=2017-08-20T{hour:02}:{minute:02}:{second:02}Z")
        }),
        kind => return Err(format!("there is no flood {kind}").into()),
    }
    Ok(())
}

fn request(address: &str, target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n")
}

/// Opens connections, and sends each one more of `text` or of `whole` requests at intervals. What was
/// closed is opened again.
fn hold(
    address: &str,
    count: usize,
    interval: Duration,
    text: &str,
    whole: &str,
) -> Result<(), Fault> {
    let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
    let mut answer = vec![0; 1 << 20];
    loop {
        for stream in &mut streams {
            if stream.is_none() {
                let mut new = TcpStream::connect(address)?;
                new.set_read_timeout(Some(Duration::from_millis(1)))?;
                if !text.is_empty() {
                    new.write_all(b"GET / HTTP/1.1\r\nX-Slow: ")?;
                }
                *stream = Some(new);
            }
            let sent = stream.as_mut().map(|stream| {
                // Answers that have come make room for others.
                let _ = stream.read(&mut answer);
                stream
                    .write_all(text.as_bytes())
                    .and_then(|()| stream.write_all(whole.as_bytes()))
            });
            if !matches!(sent, Some(Ok(()))) {
                *stream = None;
            }
        }
        thread::sleep(interval);
    }
}

/// Asks for other paths without end, on this number of threads.
fn ask(address: &str, count: usize, path: fn(usize) -> String) {
    thread::scope(|scope| {
        for first in 0..count {
            scope.spawn(move || {
                for number in (first..).step_by(count) {
                    let Ok(mut stream) = TcpStream::connect(address) else {
                        continue;
                    };
                    let close = "Connection: close\r\n\r\n";
                    let request = request(address, &path(number)).replacen("\r\n\r\n", "\r\n", 1);
                    let _ = write!(stream, "{request}{close}");
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            });
        }
    });
}
