//! Sends requests to a server at a fixed rate, and prints how long the answers take.
//!
//!     cargo run --release -p ranklore-web --example load -- ADDRESS FILE RATE SECONDS
//!
//! The file has a path in each line; they are requested in a fixed random order. A time begins when
//! the request was due, also if the server was too slow to get it then.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// The connections, each with a thread.
const CONNECTIONS: u32 = 48;

/// The longest time of an answer.
const PATIENCE: Duration = Duration::from_secs(20);

type Fault = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, file, rate, seconds] = &arguments[..] else {
        return Err("give ADDRESS FILE RATE SECONDS".into());
    };
    let (rate, seconds): (u32, u32) = (rate.parse()?, seconds.parse()?);
    let paths: Vec<String> = std::fs::read_to_string(file)?.lines().map(str::to_owned).collect();
    if paths.is_empty() || rate == 0 {
        return Err("the file has no paths, or the rate is 0".into());
    }
    let start = Instant::now();
    let results: Vec<(Vec<Duration>, u64)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..CONNECTIONS)
            .map(|first| {
                let paths = &paths;
                scope.spawn(move || {
                    let due = (first..rate * seconds).step_by(CONNECTIONS as usize);
                    send_all(address, paths, due, |index| {
                        start + Duration::from_secs(1) * index / rate
                    })
                })
            })
            .collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap_or_default());
        results.collect()
    });
    let mut times: Vec<Duration> = results.iter().flat_map(|(times, _)| times).copied().collect();
    let failed: u64 = results.iter().map(|(_, failed)| failed).sum();
    times.sort_unstable();
    let share = |percent: usize| match times.len() {
        0 => 0.0,
        count => times[(count * percent / 100).min(count - 1)].as_secs_f64() * 1_000.0,
    };
    println!(
        "{} answers in {:.1} s, {failed} failed; ms: median {:.1}, p90 {:.1}, p99 {:.1}, longest {:.1}",
        times.len(),
        start.elapsed().as_secs_f64(),
        share(50),
        share(90),
        share(99),
        share(100),
    );
    Ok(())
}

/// Sends the requests with these numbers. Returns the times of the answers, and the number of those
/// that failed.
fn send_all(
    address: &str,
    paths: &[String],
    numbers: impl Iterator<Item = u32>,
    due: impl Fn(u32) -> Instant,
) -> (Vec<Duration>, u64) {
    let (mut times, mut failed) = (Vec::new(), 0);
    let mut connection = None;
    for number in numbers {
        let due = due(number);
        thread::sleep(due.saturating_duration_since(Instant::now()));
        // A multiplicative generator, so that each run requests the same.
        let random = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let path = &paths[(random % paths.len() as u64) as usize];
        match request(&mut connection, address, path) {
            Ok(()) => times.push(due.elapsed()),
            Err(error) => {
                connection = None;
                if failed == 0 {
                    eprintln!("{path}: {error}");
                }
                failed += 1;
            }
        }
    }
    (times, failed)
}

/// Sends a request over a connection that is kept, and reads the answer.
fn request(
    connection: &mut Option<BufReader<TcpStream>>,
    address: &str,
    path: &str,
) -> Result<(), Fault> {
    if connection.is_none() {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        *connection = Some(BufReader::new(stream));
    }
    let Some(stream) = connection else {
        return Err("there is no connection".into());
    };
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.get_mut().write_all(head.as_bytes())?;
    let (mut status, mut length, mut closes) = (String::new(), 0, false);
    stream.read_line(&mut status)?;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(bytes) = line.strip_prefix("content-length:") {
            length = bytes.trim().parse()?;
        }
        closes |= line == "connection: close";
    }
    std::io::copy(&mut stream.by_ref().take(length), &mut std::io::sink())?;
    if closes {
        *connection = None;
    }
    if status.split(' ').nth(1) == Some("200") {
        Ok(())
    } else {
        Err(status.trim().to_owned().into())
    }
}
