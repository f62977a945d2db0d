//! The site of the demo: saved answers about an invented league, served on 127.0.0.1.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The largest request head, in bytes.
const MAX_HEAD: u64 = 16 << 10;

/// The timeout of reads, writes and connections.
const TIMEOUT: Duration = Duration::from_secs(5);

macro_rules! answers {
    ($($round:literal)*) => {
        &[
            (
                "/api/contest.list?gym=false&lang=en",
                include_str!("../../../fixtures/demo/site/contest.list.json"),
            ),
            $((
                concat!("/api/contest.ratingChanges?contestId=", $round, "&lang=en"),
                include_str!(concat!(
                    "../../../fixtures/demo/site/contest.ratingChanges-", $round, ".json"
                )),
            ),)*
        ]
    };
}

/// The answers by the target of the request.
const RESPONSES: &[(&str, &str)] =
    answers!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);

/// The site. It closes when dropped.
pub(crate) struct BundledSite {
    address: SocketAddr,
    has_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BundledSite {
    /// Opens the site on a free port.
    pub(crate) fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let has_stopped = Arc::new(AtomicBool::new(false));
        let stop_flag = Arc::clone(&has_stopped);
        let thread =
            std::thread::Builder::new().name("bundled site".to_owned()).spawn(move || {
                for stream in listener.incoming() {
                    if stop_flag.load(Ordering::Relaxed) {
                        break;
                    }
                    // One thread per connection: a silent client delays no other.
                    if let Ok(stream) = stream {
                        std::thread::spawn(move || serve(&stream));
                    }
                }
            })?;
        Ok(Self {
            address,
            has_stopped,
            thread: Some(thread),
        })
    }

    /// Returns the root URL, without a trailing slash.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for BundledSite {
    fn drop(&mut self) {
        self.has_stopped.store(true, Ordering::Relaxed);
        // Wakes up the listener. If it cannot connect, the thread ends with the process.
        if TcpStream::connect_timeout(&self.address, TIMEOUT).is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

/// Answers one request and closes the connection.
fn serve(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut head = BufReader::new(stream.take(MAX_HEAD)).lines();
    let first_line = head.next().transpose()?.unwrap_or_default();
    for line in head {
        if line?.is_empty() {
            break;
        }
    }
    let (status, body) = match find_response(&first_line) {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", r#"{"status":"FAILED","comment":"there is nothing here"}"#),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json;charset=UTF-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}

/// Returns the answer to the first line of a request.
fn find_response(first_line: &str) -> Option<&'static str> {
    let target = first_line.strip_prefix("GET ")?.strip_suffix(" HTTP/1.1")?;
    let (_, body) = RESPONSES.iter().find(|(path, _)| *path == target)?;
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(address: SocketAddr, first_line: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{first_line}\r\nHost: here\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn site_serves_known_paths_until_dropped() {
        let site = BundledSite::open().unwrap();
        let address = site.address;
        assert!(address.ip().is_loopback());
        // A silent client delays no other.
        let silent = TcpStream::connect(address).unwrap();
        for (target, body) in RESPONSES {
            let answer = request(address, &format!("GET {target} HTTP/1.1"));
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
            assert!(answer.ends_with(&format!("\r\n\r\n{body}")), "{target}");
        }
        for other in [
            "GET / HTTP/1.1",
            "GET /api/contest.list HTTP/1.1",
            "POST /api/contest.list?gym=false&lang=en HTTP/1.1",
            "GET /../../etc/passwd HTTP/1.1",
            "",
        ] {
            let answer = request(address, other);
            assert!(answer.starts_with("HTTP/1.1 404 "), "{other:?}: {answer}");
        }
        drop(site);
        assert!(TcpStream::connect(address).is_err());
        drop(silent);
    }
}
