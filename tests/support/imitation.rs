//! A site to mine: a server on this machine that answers as it is told, and counts.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What it answers.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The connection ends after so many bytes of the body.
    pub(crate) cut_after: Option<usize>,
    /// The body comes piece by piece, within half a second.
    pub(crate) slow: bool,
    /// Nothing comes, until whoever asked is gone.
    pub(crate) never: bool,
}

impl Answer {
    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self::of(200, "application/json", value.to_string())
    }

    pub(crate) fn of(status: u16, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), media_type.to_owned())],
            body: body.into(),
            cut_after: None,
            slow: false,
            never: false,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn slowly(mut self) -> Self {
        self.slow = true;
        self
    }

    pub(crate) fn never() -> Self {
        Self {
            never: true,
            ..Self::of(200, "application/json", "")
        }
    }

    pub(crate) fn cut(mut self, after: usize) -> Self {
        self.cut_after = Some(after);
        self
    }
}

#[derive(Default)]
struct Told {
    /// By method and target, and where several forms are sent to one, the form behind them: one
    /// after the other, and the last for ever.
    answers: HashMap<String, VecDeque<Answer>>,
    asked: Vec<(Instant, String)>,
}

/// The site.
pub(crate) struct Imitation {
    pub(crate) url: String,
    told: Arc<Mutex<Told>>,
}

impl Imitation {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let told = Arc::new(Mutex::new(Told::default()));
        let of_server = Arc::clone(&told);
        // It ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let told = Arc::clone(&of_server);
                std::thread::spawn(move || {
                    let _ = serve(stream, &told);
                });
            }
        });
        Self { url, told }
    }

    /// From now on it answers so.
    pub(crate) fn tell(&self, target: &str, answers: impl IntoIterator<Item = Answer>) {
        let mut told = self.told.lock().unwrap();
        told.answers
            .insert(target.to_owned(), answers.into_iter().collect());
    }

    /// What it answers next.
    pub(crate) fn answer(&self, target: &str) -> Answer {
        self.told.lock().unwrap().answers[target][0].clone()
    }

    /// What it was asked since the last time, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        let mut told = self.told.lock().unwrap();
        told.asked.drain(..).map(|(_, target)| target).collect()
    }

    /// Waits until it was asked so many times since the last time it was asked about them.
    pub(crate) fn is_asked(&self, times: usize) {
        let begun = Instant::now();
        while self.told.lock().unwrap().asked.len() < times {
            assert!(begun.elapsed().as_secs() < 60, "nobody asks");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// When each request began to come, since the last time it was asked about them.
    pub(crate) fn moments(&self) -> Vec<Instant> {
        let told = self.told.lock().unwrap();
        told.asked.iter().map(|(at, _)| *at).collect()
    }

    /// The shortest time between two requests since the last time it was asked about them.
    pub(crate) fn shortest_interval(&self) -> std::time::Duration {
        let moments = self.moments();
        let gaps = moments.windows(2).map(|pair| pair[1] - pair[0]);
        gaps.min().expect("at least two requests")
    }
}

fn serve(stream: TcpStream, told: &Mutex<Told>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    // What is written in pieces would wait for each to arrive.
    stream.set_nodelay(true)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let at = Instant::now();
        let mut words = line.split_whitespace();
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Ok(());
        };
        let target = format!("{method} {target}");
        let mut headers = HashMap::new();
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.trim_end().split_once(": ") else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = headers.get("content-length");
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let form = format!("{target} {}", String::from_utf8_lossy(&body));
        let answer = {
            let mut told = told.lock().unwrap();
            let target = if told.answers.contains_key(&form) {
                form
            } else {
                target
            };
            told.asked.push((at, target.clone()));
            match told.answers.get_mut(&target) {
                Some(answers) if answers.len() > 1 => answers.pop_front().unwrap(),
                Some(answers) => answers[0].clone(),
                None => Answer::of(404, "text/html", "<html>nothing here</html>"),
            }
        };
        if answer.never {
            reader.read_line(&mut line)?;
            return Ok(());
        }
        let etag = answer.headers.iter().find(|header| header.0 == "ETag");
        if let (Some((_, etag)), Some(known)) = (etag, headers.get("if-none-match"))
            && etag == known
        {
            write!(stream, "HTTP/1.1 304 Not Modified\r\n\r\n")?;
            continue;
        }
        write!(stream, "HTTP/1.1 {} Told\r\n", answer.status)?;
        for (name, value) in &answer.headers {
            write!(stream, "{name}: {value}\r\n")?;
        }
        write!(stream, "Content-Length: {}\r\n\r\n", answer.body.len())?;
        if let Some(after) = answer.cut_after {
            stream.write_all(&answer.body[..after])?;
            return Ok(());
        }
        if answer.slow {
            for piece in answer.body.chunks(answer.body.len().div_ceil(20)) {
                std::thread::sleep(std::time::Duration::from_millis(25));
                stream.write_all(piece)?;
            }
        } else {
            stream.write_all(&answer.body)?;
        }
    }
}
