//! Hostile behaviour of a web server, as a function of a seed.
//!
//! The entry point is [`HostileBehaviour::from_seed`]. Give it to a reply with
//! [`Reply::hostile`](crate::Reply::hostile), or write it to a connection with
//! [`HostileBehaviour::send`]. Consecutive seeds have different kinds: any
//! [`HostileBehaviour::KINDS`] of them cover all. The same seed sends the same bytes.
//!
//! A client may only do one of two things: fail, or return exactly the valid body. No behaviour
//! sends another body that a reader could take for a valid one. Each ends by itself after at most
//! 64 MiB or 1 s.

use std::io::{Result, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A hostile behaviour of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostileBehaviour {
    /// The kind of the behaviour.
    pub kind: HostileKind,
    seed: u64,
}

/// The kind of a behaviour. Numbers and lengths depend on the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostileKind {
    /// A few interim responses (1xx) before a valid one: legal.
    FewInterimResponses,
    /// Up to 400,000 interim responses before a valid one.
    InterimFlood,
    /// Up to 100,000 headers.
    HeaderFlood,
    /// A header of up to 8 MiB.
    LongHeader,
    /// Up to 100,000 cookies.
    CookieFlood,
    /// A status text of up to 8 MiB, with control characters.
    LongStatusText,
    /// A status that is no number, unknown, or odd for this request.
    OddStatus,
    /// A length beyond the end of the body.
    LengthTooLong,
    /// A length before the end of the body; the rest follows as garbage.
    LengthTooShort,
    /// Two lengths that differ, or a length and chunks.
    TwoLengths,
    /// A length that is no number.
    InvalidLength,
    /// Chunks with wrong, huge or invalid sizes, or without an end.
    ChunkLies,
    /// Chunks of one byte with long extensions, and trailers: legal.
    TinyChunks,
    /// The connection ends within the head.
    TruncatedHead,
    /// The connection ends within the body.
    TruncatedBody,
    /// A byte now and then, and the connection ends before the body does.
    SlowDrip,
    /// A redirect to another scheme or host, to an overlong or an invalid address.
    OddRedirect,
    /// A compressed body up to 100,000 times its size.
    CompressionBomb,
    /// A compressed body that is garbage, truncated, or of an unknown coding.
    CompressedGarbage,
    /// A wrong, overlong or invalid type of content.
    ContentTypeLie,
    /// NUL bytes in the status line, a header or the body.
    NulBytes,
    /// Line breaks and other delimiters where they do not belong.
    HeaderInjection,
    /// Delays and quotas that are no numbers, or are impossible.
    OddDelays,
    /// Bytes that are invalid in UTF-8, within the body.
    InvalidUtf8,
    /// A body without a head, as in HTTP/0.9.
    Http09,
    /// The preface and frames of HTTP/2.
    Http2Frames,
    /// A valid response followed by further ones that nobody requested.
    PipelinedGarbage,
    /// Random bytes.
    RandomBytes,
    /// The connection ends without a byte.
    Silence,
}

const ALL: [HostileKind; HostileBehaviour::KINDS as usize] = {
    use HostileKind as K;
    [
        K::FewInterimResponses,
        K::InterimFlood,
        K::HeaderFlood,
        K::LongHeader,
        K::CookieFlood,
        K::LongStatusText,
        K::OddStatus,
        K::LengthTooLong,
        K::LengthTooShort,
        K::TwoLengths,
        K::InvalidLength,
        K::ChunkLies,
        K::TinyChunks,
        K::TruncatedHead,
        K::TruncatedBody,
        K::SlowDrip,
        K::OddRedirect,
        K::CompressionBomb,
        K::CompressedGarbage,
        K::ContentTypeLie,
        K::NulBytes,
        K::HeaderInjection,
        K::OddDelays,
        K::InvalidUtf8,
        K::Http09,
        K::Http2Frames,
        K::PipelinedGarbage,
        K::RandomBytes,
        K::Silence,
    ]
};

impl HostileBehaviour {
    /// Number of kinds.
    pub const KINDS: u64 = 29;

    /// Returns the behaviour of a seed.
    pub fn from_seed(seed: u64) -> Self {
        Self {
            kind: ALL[(seed % Self::KINDS) as usize],
            seed,
        }
    }

    /// True if the response is valid, so that the client must return the body.
    pub fn is_legal(self) -> bool {
        matches!(self.kind, HostileKind::FewInterimResponses | HostileKind::TinyChunks)
    }

    /// Sends the behaviour in place of a valid response with this body. The connection ends with
    /// it.
    ///
    /// # Errors
    /// Mostly if the client has closed the connection.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind")]
    pub fn send(self, stream: &mut impl Write, media_type: &str, body: &[u8]) -> Result<()> {
        let mut random = Random(self.seed);
        let valid = response(&format!("Content-Type: {media_type}\r\n"), body);
        let ok = "HTTP/1.1 200 OK\r\n";
        let media = format!("Content-Type: {media_type}\r\n");
        let length = format!("Content-Length: {}\r\n", body.len());
        match self.kind {
            HostileKind::FewInterimResponses => {
                for _ in 0..random.range(1, 6) {
                    let status =
                        random.choose(&["100 Continue", "102 Processing", "103 Early Hints"]);
                    write!(stream, "HTTP/1.1 {status}\r\nLink: </a>; rel=preload\r\n\r\n")?;
                }
                stream.write_all(&valid)
            }
            HostileKind::InterimFlood => {
                let status = random.choose(&["100 Continue", "102 Processing", "103 ", "199 x"]);
                let hint = format!("HTTP/1.1 {status}\r\nLink: </a>\r\n\r\n");
                repeat(stream, hint.as_bytes(), random.log_range(1_000, 400_000))?;
                stream.write_all(&valid)
            }
            HostileKind::HeaderFlood | HostileKind::CookieFlood => {
                let name = match self.kind {
                    HostileKind::CookieFlood => "Set-Cookie: a=b; Path=/; Secure\r\n",
                    _ => "X-Flood: yes\r\n",
                };
                stream.write_all(format!("{ok}{media}{length}").as_bytes())?;
                repeat(stream, name.as_bytes(), random.log_range(101, 100_000))?;
                stream.write_all(b"\r\n")?;
                stream.write_all(body)
            }
            HostileKind::LongHeader => {
                let name =
                    random.choose(&["X-Long", "ETag", "Last-Modified", "Retry-After", "Date"]);
                stream.write_all(format!("{ok}{media}{length}{name}: ").as_bytes())?;
                repeat(stream, b"7", random.log_range(8_192, 8 << 20))?;
                stream.write_all(b"\r\n\r\n")?;
                stream.write_all(body)
            }
            HostileKind::LongStatusText => {
                write!(stream, "HTTP/1.1 {} \x1b[31m", random.choose(&["200", "404", "503"]))?;
                repeat(stream, b"Fine\t", random.log_range(1_000, 8 << 20) / 5)?;
                send_with_head(stream, &format!("\r\n{media}{length}"), body)
            }
            HostileKind::OddStatus => {
                let status = random.choose(&[
                    "000", "101", "204", "205", "206", "299", "304", "306", "600", "999", "1000",
                    "-200", "abc", "",
                ]);
                let head = format!("HTTP/1.1 {status} OK\r\n{media}{length}");
                send_with_head(stream, &head, body)
            }
            HostileKind::LengthTooLong => {
                let length = body.len() as u64 + random.log_range(1, u64::MAX >> 2);
                let head = format!("{ok}{media}Content-Length: {length}\r\n");
                send_with_head(stream, &head, body)
            }
            HostileKind::LengthTooShort => {
                let length = random.range(0, body.len() as u64);
                let head = format!("{ok}{media}Content-Length: {length}\r\n");
                send_with_head(stream, &head, body)
            }
            HostileKind::TwoLengths => {
                let other =
                    random.choose(&["Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n"]);
                let both = [length.as_str(), other];
                let first = random.range(0, 2) as usize;
                let lengths = [both[first], both[1 - first]].concat();
                send_with_head(stream, &format!("{ok}{media}{lengths}"), body)
            }
            HostileKind::InvalidLength => {
                let length = random.choose(&[
                    "-1",
                    "0x10",
                    "1e3",
                    "",
                    "99999999999999999999999999",
                    "1, 2",
                    "+5",
                    "ten",
                ]);
                let head = format!("{ok}{media}Content-Length: {length}\r\n");
                send_with_head(stream, &head, body)
            }
            HostileKind::ChunkLies => {
                let size = random.choose(&[
                    "ffffffffffffffff",
                    "10000000000000000",
                    "7fffffff",
                    "-1",
                    "0x5",
                    "zz",
                    "",
                    "1",
                ]);
                let head = format!("{ok}{media}Transfer-Encoding: chunked\r\n");
                send_with_head(stream, &head, format!("{size}\r\n").as_bytes())?;
                stream.write_all(body)?;
                stream.write_all(b"\r\n")
            }
            HostileKind::TinyChunks => {
                let head = format!("{ok}{media}Transfer-Encoding: chunked\r\n");
                send_with_head(stream, &head, b"")?;
                let extension = "x".repeat(random.range(0, 20) as usize);
                let chunks = body.iter().flat_map(|byte| {
                    let head = format!("1;{extension}\r\n").into_bytes();
                    head.into_iter().chain([*byte, b'\r', b'\n'])
                });
                stream.write_all(&chunks.collect::<Vec<u8>>())?;
                stream.write_all(b"0\r\nX-Trailer: yes\r\n\r\n")
            }
            HostileKind::TruncatedHead => {
                let head = valid.len() - body.len();
                stream.write_all(&valid[..random.range(1, head as u64) as usize])
            }
            HostileKind::TruncatedBody => {
                let missing = random.range(1, body.len() as u64 + 1) as usize;
                stream.write_all(&valid[..valid.len() - missing])
            }
            HostileKind::SlowDrip => {
                let pieces = random.range(5, 50) as usize;
                let pause = Duration::from_millis(1_000 / pieces as u64);
                for byte in valid[..valid.len() - 1].iter().take(pieces) {
                    stream.write_all(&[*byte])?;
                    std::thread::sleep(pause);
                }
                Ok(())
            }
            HostileKind::OddRedirect => {
                let status = random.choose(&["301", "302", "303", "307", "308"]);
                let long = "a".repeat(random.log_range(4_000, 400_000) as usize);
                let location = match random.range(0, 12) {
                    0 => "file:///etc/hostname",
                    1 => "ftp://127.0.0.1/list",
                    2 => "javascript:alert(1)",
                    3 => "data:application/json,[]",
                    4 => "http://[",
                    5 => "//192.0.2.1/list",
                    6 => "http://127.0.0.1:1/list",
                    7 => "gopher://127.0.0.1\u{202e}/",
                    8 => "?",
                    9 => "\\\\127.0.0.1\\list",
                    _ => &long,
                };
                let head = format!("HTTP/1.1 {status} OK\r\nLocation: {location}\r\n{length}");
                send_with_head(stream, &head, body)
            }
            HostileKind::CompressionBomb => {
                let mut member = GzEncoder::new(Vec::new(), Compression::fast());
                member.write_all(&vec![b' '; 1 << 20])?;
                let bomb = member.finish()?.repeat(random.log_range(2, 400) as usize);
                let length = format!("Content-Length: {}\r\n", bomb.len());
                let head = format!("{ok}{media}{length}Content-Encoding: gzip\r\n");
                send_with_head(stream, &head, &bomb)
            }
            HostileKind::CompressedGarbage => {
                let coding =
                    random.choose(&["gzip", "zstd", "br", "deflate", "gzip, gzip", "rot13, zstd"]);
                let garbage = random.bytes(1_000);
                let head =
                    format!("{ok}{media}Content-Length: 1000\r\nContent-Encoding: {coding}\r\n");
                send_with_head(stream, &head, &garbage)
            }
            HostileKind::ContentTypeLie => {
                let long = format!("image/{}", "x".repeat(random.log_range(10, 60_000) as usize));
                let media = match random.range(0, 5) {
                    0 => "image/png",
                    1 => "text/html\x1b[2J",
                    2 => "application/pdf; charset=utf-7",
                    3 => "multipart/mixed; boundary=x",
                    _ => &long,
                };
                let head = format!("{ok}Content-Type: {media}\r\n{length}");
                send_with_head(stream, &head, body)
            }
            HostileKind::NulBytes => match random.range(0, 3) {
                0 => send_with_head(stream, &format!("HTTP/1.1 200 O\0K\r\n{media}{length}"), body),
                1 => send_with_head(stream, &format!("{ok}{media}X-Nul: a\0b\r\n{length}"), body),
                _ => {
                    let at = random.range(0, body.len() as u64) as usize;
                    let body = [&body[..at], b"\0", &body[at..]].concat();
                    stream.write_all(&response(&media, &body))
                }
            },
            HostileKind::HeaderInjection => {
                let line = random.choose(&[
                    "X-A: b\rSet-Cookie: c=d\r\n",
                    "X-A: b\n\nHTTP/1.1 200 OK\r\n",
                    "X-A : b\r\n",
                    " folded: b\r\n",
                    ": no name\r\n",
                    "no colon\r\n",
                    "X-\u{fc}: b\r\n",
                    "Content-Type: text/html\r\nContent-Type: image/png\r\n",
                ]);
                send_with_head(stream, &format!("{ok}{line}{length}"), body)
            }
            HostileKind::OddDelays => {
                let delay =
                    random.choose(&["-1", "NaN", "soon", "1e9", "Thu, 32 Jan 9999 25:00:00 GMT"]);
                let quota = format!(
                    "Retry-After: {delay}\r\nX-RateLimit-Remaining: {delay}\r\nX-RateLimit-Reset: {delay}\r\n"
                );
                let status = random.choose(&["200", "429", "503"]);
                let head = format!("HTTP/1.1 {status} OK\r\n{quota}{media}{length}");
                send_with_head(stream, &head, body)
            }
            HostileKind::InvalidUtf8 => {
                let quotes = body.iter().enumerate().filter(|(_, byte)| **byte == b'"');
                let inside: Vec<usize> = quotes.map(|(at, _)| at + 1).step_by(2).collect();
                let at = inside.get(random.range(0, inside.len().max(1) as u64) as usize);
                let at = at.copied().unwrap_or(0);
                let wrong =
                    random.choose(&[&b"\xff"[..], b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x82"]);
                let body = [&body[..at], wrong, &body[at..]].concat();
                stream.write_all(&response(&media, &body))
            }
            HostileKind::Http09 => stream.write_all(body),
            HostileKind::Http2Frames => {
                let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
                let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
                stream.write_all(if random.range(0, 2) == 0 {
                    preface
                } else {
                    b"HTTP/2 200\r\n\r\n"
                })?;
                stream.write_all(&settings.repeat(100))?;
                stream.write_all(body)
            }
            HostileKind::PipelinedGarbage => {
                stream.write_all(&valid)?;
                let more = random.log_range(1, 10_000);
                if random.range(0, 2) == 0 {
                    repeat(stream, &response(&media, b"[\"not requested\"]"), more)
                } else {
                    stream.write_all(&random.bytes(more as usize))
                }
            }
            HostileKind::RandomBytes => {
                let length = random.log_range(1, 1 << 20) as usize;
                stream.write_all(&random.bytes(length))
            }
            HostileKind::Silence => Ok(()),
        }
    }
}

/// Returns a valid response.
fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// Sends a head, without its last line break, and a body.
fn send_with_head(stream: &mut impl Write, head: &str, body: &[u8]) -> Result<()> {
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"\r\n")?;
    stream.write_all(body)
}

/// Writes bytes many times, in large pieces.
fn repeat(stream: &mut impl Write, bytes: &[u8], times: u64) -> Result<()> {
    let at_once = (65_536 / bytes.len() as u64).clamp(1, times.max(1));
    let piece = bytes.repeat(at_once as usize);
    for _ in 0..times / at_once {
        stream.write_all(&piece)?;
    }
    stream.write_all(&bytes.repeat((times % at_once) as usize))
}

/// Pseudorandom numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `from` to below `to`.
    fn range(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from)
    }

    /// Returns a number from `from` to below `to`, of any magnitude with like probability.
    fn log_range(&mut self, from: u64, to: u64) -> u64 {
        let bits = self.range(0, u64::from((to / from).ilog2()) + 1);
        self.range(from, (from << bits).saturating_mul(2).min(to))
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.range(0, choices.len() as u64) as usize]
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}
