//! Replies of the server.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use crate::HostileBehaviour;

/// A reply. It is complete and immediate by default.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// The body that is sent.
    pub body: Vec<u8>,
    headers: Vec<(String, String)>,
    framing: Framing,
    timing: Timing,
}

/// Framing of the body, which announces its end.
#[derive(Clone, Copy, Debug)]
enum Framing {
    /// Correct `Content-Length`.
    Length,
    /// Wrong `Content-Length`; the connection ends after the body.
    WrongLength(usize),
    /// Chunked, without the last chunk; the connection ends.
    UnfinishedChunks,
    /// Whatever a hostile server sends in place of the reply; the connection ends.
    Hostile(HostileBehaviour),
}

/// Timing of the reply.
#[derive(Clone, Copy, Debug)]
enum Timing {
    AtOnce,
    /// After a delay.
    Delayed(Duration),
    /// The body is sent in 20 pieces, 25 ms apart.
    Slow,
    /// The connection stays open for a time after the body, and then ends.
    Held(Duration),
    /// No reply until the client closes the connection.
    Never,
}

impl Reply {
    /// Creates an empty reply.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            body: Vec::new(),
            headers: Vec::new(),
            framing: Framing::Length,
            timing: Timing::AtOnce,
        }
    }

    /// Creates a reply with a media type.
    pub fn new(status: u16, media_type: &str, body: impl AsRef<[u8]>) -> Self {
        Self::status(status).header("Content-Type", media_type).body(body)
    }

    /// Creates a JSON reply, from text or from a value, with status 200.
    pub fn json(body: &(impl ToString + ?Sized)) -> Self {
        Self::new(200, "application/json; charset=utf-8", body.to_string())
    }

    /// Creates an HTML reply.
    pub fn html(status: u16, body: &str) -> Self {
        Self::new(status, "text/html", body)
    }

    /// Creates a redirect.
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

    /// Announces `length` bytes; the connection ends after the body.
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

    /// Sends the body as one chunk, and ends the connection without the last chunk.
    pub fn leave_chunks_unfinished(mut self) -> Self {
        self.framing = Framing::UnfinishedChunks;
        self
    }

    /// Sends what a hostile server sends in place of this reply; see [`HostileBehaviour`].
    pub fn hostile(mut self, behaviour: HostileBehaviour) -> Self {
        self.framing = Framing::Hostile(behaviour);
        self
    }

    /// Sends the reply after a delay.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.timing = Timing::Delayed(delay);
        self
    }

    /// Sends the body in pieces, over half a second.
    pub fn slowly(mut self) -> Self {
        self.timing = Timing::Slow;
        self
    }

    /// Keeps the connection open for a time after the body.
    pub fn hold(mut self, hold: Duration) -> Self {
        self.timing = Timing::Held(hold);
        self
    }

    /// Creates a missing reply: the connection stays open until the client closes it.
    pub fn never() -> Self {
        Self {
            timing: Timing::Never,
            ..Self::status(200)
        }
    }

    /// True if no reply is sent.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self.timing, Timing::Never)
    }

    /// Returns the reply to a request with `If-None-Match`: this one, or 304 if its `ETag` is the
    /// same.
    pub(crate) fn or_not_modified(self, known: Option<&str>) -> Self {
        let etag = self.headers.iter().find(|(name, _)| name == "ETag");
        match (etag, known) {
            (Some((_, etag)), Some(known)) if etag == known && self.status == 200 => {
                Self::status(304)
            }
            _ => self,
        }
    }

    /// Sends the reply. Returns true if the connection may be reused.
    pub(crate) fn send(&self, stream: &mut TcpStream) -> std::io::Result<bool> {
        if let Timing::Delayed(delay) = self.timing {
            std::thread::sleep(delay);
        }
        if let Framing::Hostile(behaviour) = self.framing {
            let media = self.headers.iter().find(|(name, _)| name == "Content-Type");
            let media = media.map_or("", |(_, media)| media);
            behaviour.send(stream, media, &self.body)?;
            return Ok(false);
        }
        write!(stream, "HTTP/1.1 {} so\r\n", self.status)?;
        for (name, value) in &self.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        let body = match self.framing {
            Framing::Length | Framing::Hostile(_) => {
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
