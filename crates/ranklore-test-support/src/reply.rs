//! Replies of the server.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// A reply. It is complete and comes at once, unless the test says otherwise.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body that is sent.
    pub body: Vec<u8>,
    headers: Vec<(String, String)>,
    framing: Framing,
    timing: Timing,
}

/// How the end of the body is announced.
#[derive(Clone, Copy, Debug)]
enum Framing {
    /// By the length of the body.
    Length,
    /// By another length; the connection ends after the body.
    WrongLength(usize),
    /// By a last chunk, which never comes; the connection ends.
    UnfinishedChunks,
}

/// When the reply comes.
#[derive(Clone, Copy, Debug)]
enum Timing {
    AtOnce,
    /// After a delay.
    Delayed(Duration),
    /// The body comes in 20 pieces, 25 ms apart.
    Slow,
    /// The connection stays open for a time after the body, and then ends.
    Held(Duration),
    /// Nothing comes until the client has gone.
    Never,
}

impl Reply {
    /// An empty reply.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            body: Vec::new(),
            headers: Vec::new(),
            framing: Framing::Length,
            timing: Timing::AtOnce,
        }
    }

    /// A reply with a media type.
    pub fn new(status: u16, media_type: &str, body: impl AsRef<[u8]>) -> Self {
        Self::status(status)
            .header("Content-Type", media_type)
            .body(body)
    }

    /// JSON, from text or from a value, with status 200.
    pub fn json(body: &(impl ToString + ?Sized)) -> Self {
        Self::new(200, "application/json; charset=utf-8", body.to_string())
    }

    /// A web page.
    pub fn html(status: u16, body: &str) -> Self {
        Self::new(status, "text/html", body)
    }

    /// A redirect.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::status(status).header("Location", location)
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    /// Announces `length` bytes; the connection ends after those that the body has.
    pub fn announce_length(mut self, length: usize) -> Self {
        self.framing = Framing::WrongLength(length);
        self
    }

    /// Announces the whole body and ends the connection after `sent` bytes of it.
    pub fn cut_after(self, sent: usize) -> Self {
        let mut cut = Self {
            framing: Framing::WrongLength(self.body.len()),
            ..self
        };
        cut.body.truncate(sent);
        cut
    }

    /// Sends the body as one chunk, and ends the connection without the last one.
    pub fn leave_chunks_unfinished(mut self) -> Self {
        self.framing = Framing::UnfinishedChunks;
        self
    }

    /// Waits before it replies.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.timing = Timing::Delayed(delay);
        self
    }

    /// Sends the body in pieces, within half a second.
    pub fn slowly(mut self) -> Self {
        self.timing = Timing::Slow;
        self
    }

    /// Keeps the connection open for a time after the body, without another byte.
    pub fn hold(mut self, hold: Duration) -> Self {
        self.timing = Timing::Held(hold);
        self
    }

    /// No reply at all: the connection stays open until the client closes it.
    pub fn never() -> Self {
        Self {
            timing: Timing::Never,
            ..Self::status(200)
        }
    }

    /// True if there is to be no reply.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self.timing, Timing::Never)
    }

    /// The reply to a request with `If-None-Match`: this one, or 304 if its `ETag` is the same.
    pub(crate) fn unless_known(self, known: Option<&str>) -> Self {
        let etag = self.headers.iter().find(|(name, _)| name == "ETag");
        match (etag, known) {
            (Some((_, etag)), Some(known)) if etag == known && self.status == 200 => {
                Self::status(304)
            }
            _ => self,
        }
    }

    /// Sends the reply. Returns true if another request may follow on the connection.
    pub(crate) fn send(&self, stream: &mut TcpStream) -> std::io::Result<bool> {
        if let Timing::Delayed(delay) = self.timing {
            std::thread::sleep(delay);
        }
        write!(stream, "HTTP/1.1 {} so\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        let body = match self.framing {
            Framing::Length => {
                write!(stream, "Content-Length: {}\r\n\r\n", self.body.len())?;
                &self.body
            }
            Framing::WrongLength(length) => {
                write!(stream, "Content-Length: {length}\r\n\r\n")?;
                &self.body
            }
            Framing::UnfinishedChunks => {
                let size = self.body.len();
                write!(stream, "Transfer-Encoding: chunked\r\n\r\n{size:x}\r\n")?;
                &[&self.body[..], b"\r\n"].concat()
            }
        };
        if let Timing::Slow = self.timing {
            for piece in body.chunks(body.len().div_ceil(20).max(1)) {
                std::thread::sleep(Duration::from_millis(25));
                stream.write_all(piece)?;
            }
        } else {
            stream.write_all(body)?;
        }
        if let Timing::Held(hold) = self.timing {
            std::thread::sleep(hold);
            return Ok(false);
        }
        Ok(matches!(self.framing, Framing::Length))
    }
}
