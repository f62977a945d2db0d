//! A web server on 127.0.0.1 with scripted replies, byte by byte, which records requests. It uses
//! the real clock, even under tokio's paused time.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::Reply;

/// The time after which a test stops waiting for requests.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// A request that the server received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// Time of its first byte.
    pub at: Instant,
    /// Method and path with query, such as `GET /list?page=2`. If replies are set for one form, the
    /// form follows: `POST /token grant_type=password`.
    pub target: String,
    /// The body.
    pub body: String,
    headers: Vec<(String, String)>,
}

impl ReceivedRequest {
    /// Returns the value of a header; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(header, _)| header == name);
        header.map(|(_, value)| value.as_str())
    }
}

type Handler = dyn Fn(usize, &str) -> Reply + Send + Sync;

#[derive(Default)]
struct State {
    /// Replies by target: in order, and the last one repeatedly.
    replies: HashMap<String, VecDeque<Reply>>,
    received: Vec<ReceivedRequest>,
    replied: usize,
}

impl State {
    /// Records a request, and returns its reply if one is set for its target.
    fn record_request(&mut self, mut request: ReceivedRequest) -> (usize, String, Option<Reply>) {
        let form = format!("{} {}", request.target, request.body);
        if self.replies.contains_key(&form) {
            request.target = form;
        }
        let target = request.target.clone();
        self.received.push(request);
        let reply = self.replies.get_mut(&target).map(|replies| {
            if replies.len() > 1 {
                replies.pop_front().unwrap()
            } else {
                replies[0].clone()
            }
        });
        (self.received.len() - 1, target, reply)
    }
}

struct Shared {
    state: Mutex<State>,
    /// Notified of every request.
    arrived: Condvar,
    /// Computes the reply if none is set for the target.
    handler: Box<Handler>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

/// The server. It runs until the test process ends.
pub struct Server {
    url: String,
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts a server that replies 404 to every target without replies of its own.
    #[expect(clippy::new_without_default, reason = "it starts a thread")]
    pub fn new() -> Self {
        Self::with_handler(|_, _| Reply::html(404, "<html>nothing here</html>"))
    }

    /// Starts a server with these replies to any request, in order; the last one repeatedly.
    pub fn with_replies(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<_> = replies.into_iter().collect();
        Self::with_handler(move |count, _| replies[count.min(replies.len() - 1)].clone())
    }

    /// Starts a server that computes a reply from the number of earlier requests and the target.
    pub fn with_handler(handler: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            arrived: Condvar::new(),
            handler: Box::new(handler),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                // Errors of a connection do not concern the test.
                std::thread::spawn(move || drop(serve(stream, &shared)));
            }
        });
        Self {
            url: format!("http://127.0.0.1:{port}"),
            port,
            shared,
        }
    }

    /// Returns the root URL, without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets the replies to a target from now on, in order; the last one repeatedly.
    pub fn set_replies(&self, target: &str, replies: impl IntoIterator<Item = Reply>) {
        let replies = replies.into_iter().collect();
        self.shared.state().replies.insert(target.to_owned(), replies);
    }

    /// Returns the next reply set for a target.
    pub fn next_reply(&self, target: &str) -> Reply {
        self.shared.state().replies[target][0].clone()
    }

    /// Returns the requests received since they were last taken.
    pub fn received(&self) -> Vec<ReceivedRequest> {
        self.shared.state().received.clone()
    }

    /// Returns the number of requests received since they were last taken.
    pub fn request_count(&self) -> usize {
        self.shared.state().received.len()
    }

    /// Returns the number of replies sent completely since the start of the server; the client may
    /// not have read them yet.
    pub fn reply_count(&self) -> usize {
        self.shared.state().replied
    }

    /// Returns the targets of the requests received since they were last taken.
    pub fn targets(&self) -> Vec<String> {
        let received = self.received().into_iter();
        received.map(|request| request.target).collect()
    }

    /// Takes the targets of the received requests; counting restarts at zero.
    pub fn take_targets(&self) -> Vec<String> {
        let received = std::mem::take(&mut self.shared.state().received).into_iter();
        received.map(|request| request.target).collect()
    }

    /// Returns the times at which the requests began to arrive.
    pub fn request_times(&self) -> Vec<Instant> {
        let received = self.received().into_iter();
        received.map(|request| request.at).collect()
    }

    /// Returns the times between the starts of consecutive requests.
    pub fn request_gaps(&self) -> Vec<Duration> {
        let times = self.request_times();
        times.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Waits until `count` requests have been received since they were last taken.
    pub fn wait_for_requests(&self, count: usize) {
        let state = self.shared.state();
        let arrived = &self.shared.arrived;
        let waited =
            arrived.wait_timeout_while(state, WAIT_TIMEOUT, |state| state.received.len() < count);
        assert!(!waited.unwrap().1.timed_out(), "no request arrived");
    }
}

/// Serves one connection.
fn serve(stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    // A reply is written in pieces; Nagle's algorithm would delay them.
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader)? {
        let etag = request.header("if-none-match").map(str::to_owned);
        let (count, target, reply) = shared.state().record_request(request);
        shared.arrived.notify_all();
        let reply = reply.unwrap_or_else(|| (shared.handler)(count, &target));
        if reply.is_never() {
            reader.read_line(&mut String::new())?;
            break;
        }
        let reply = reply.or_not_modified(etag.as_deref());
        if !reply.send(reader.get_mut())? {
            // The connection ends with the reply. Closing it while requests are unread would reset
            // it, and the client could lose what it has not read yet.
            // Fails if the client has ended it first.
            let _ = reader.get_mut().shutdown(Shutdown::Write);
            shared.state().replied += 1;
            reader.get_mut().set_read_timeout(Some(WAIT_TIMEOUT))?;
            std::io::copy(&mut reader, &mut std::io::sink())?;
            break;
        }
        shared.state().replied += 1;
    }
    Ok(())
}

/// Reads a request; `None` if the client has closed the connection.
fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<ReceivedRequest>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let at = Instant::now();
    // Request line: method, target and version.
    let Some((target, _)) = line.rsplit_once(' ') else {
        return Ok(None);
    };
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, length)| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Some(ReceivedRequest {
        at,
        target: target.to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
        headers,
    }))
}
