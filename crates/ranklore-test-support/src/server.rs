//! A server on 127.0.0.1 that says what a test wants, byte by byte. Its clock is not tokio's.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What to answer one request with.
#[derive(Clone, Default)]
pub(crate) struct Reply {
    status: u16,
    headers: String,
    body: Vec<u8>,
    length: Option<usize>,
    chunked: bool,
    after: Duration,
    hold: Duration,
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    pub(crate) fn json(body: &str) -> Self {
        Self::status(200)
            .header("Content-Type", "application/json; charset=utf-8")
            .body(body)
    }

    pub(crate) fn html(status: u16, body: &str) -> Self {
        Self::status(status)
            .header("Content-Type", "text/html")
            .body(body)
    }

    pub(crate) fn to(status: u16, location: &str) -> Self {
        Self::status(status).header("Location", location)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        for part in [name, ": ", value, "\r\n"] {
            self.headers.push_str(part);
        }
        self
    }

    pub(crate) fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    /// Promises more than comes.
    pub(crate) fn promising(mut self, length: usize) -> Self {
        self.length = Some(length);
        self
    }

    /// One chunk, and never the last.
    pub(crate) fn cut_chunks(mut self) -> Self {
        self.chunked = true;
        self
    }

    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.after = wait;
        self
    }

    /// Keeps the connection for a while, saying nothing more.
    pub(crate) fn holding(mut self, wait: Duration) -> Self {
        self.hold = wait;
        self
    }

    fn write(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        std::thread::sleep(self.after);
        let status = self.status;
        let framing = if self.chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            let length = self.length.unwrap_or(self.body.len());
            format!("Content-Length: {length}")
        };
        write!(
            stream,
            "HTTP/1.1 {status} so\r\n{}{framing}\r\nConnection: close\r\n\r\n",
            self.headers
        )?;
        if self.chunked {
            write!(stream, "{:x}\r\n", self.body.len())?;
        }
        stream.write_all(&self.body)?;
        if self.chunked {
            write!(stream, "\r\n")?;
        }
        stream.flush()?;
        std::thread::sleep(self.hold);
        Ok(())
    }
}

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    /// `GET /path`.
    pub(crate) line: String,
    /// Names in lower case, each on a line.
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

pub(crate) struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers in this order; the last answer again and again.
    pub(crate) fn saying(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<_> = replies.into_iter().collect();
        Self::answering(move |count, _| replies[count.min(replies.len() - 1)].clone())
    }

    /// Answers what it is told to for the request of this number and line.
    pub(crate) fn answering(reply: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&seen);
        let reply = Arc::new(reply);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, reply) = (Arc::clone(&heard), Arc::clone(&reply));
                std::thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    if let Some(ask) = read(&stream) {
                        let line = ask.line.clone();
                        let count = {
                            let mut seen = seen.lock().unwrap();
                            seen.push(ask);
                            seen.len() - 1
                        };
                        // A client that has gone does not concern the server.
                        let _ = reply(count, &line).write(&mut stream);
                    }
                });
            }
        });
        Self { port, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// From the start of each request to that of the next.
    pub(crate) fn gaps(&self) -> Vec<Duration> {
        let seen = self.seen();
        seen.windows(2).map(|two| two[1].at - two[0].at).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let at = Instant::now();
    let mut headers = String::new();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        let name = name.to_ascii_lowercase();
        if name == "content-length" {
            length = value.parse().ok()?;
        }
        for part in [name.as_str(), ": ", value, "\n"] {
            headers.push_str(part);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        at,
        line: line.rsplit_once(' ')?.0.to_owned(),
        headers,
        body: String::from_utf8(body).ok()?,
    })
}
