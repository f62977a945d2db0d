//! A running `ranklore serve`, and a client that sends one request per connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Scratch, send_signal};

/// A server that runs until it is dropped.
pub(crate) struct Served {
    child: Child,
    /// The address with the port.
    pub(crate) address: String,
    /// Standard output up to the line with the address.
    pub(crate) line: String,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Served {
    /// Serves the database of a folder on a free port of the loopback.
    pub(crate) fn start(scratch: &Scratch) -> Self {
        Self::start_with(scratch, &["--listen", "127.0.0.1:0"])
    }

    pub(crate) fn start_with(scratch: &Scratch, options: &[&str]) -> Self {
        let mut child = scratch
            .command(&[&["serve"], options].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut read = 1;
        let mut out = BufReader::new(child.stdout.as_mut().unwrap());
        // JSON has the addresses on further lines.
        let is_json = options.contains(&"--json");
        while read > 0 && (!line.contains("http://") || (is_json && !line.contains('}'))) {
            read = out.read_line(&mut line).unwrap();
        }
        let url = line.split(['"', ' ']).find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("no address in {line:?}"));
        let address = url.trim_start_matches("http://").split('/').next().unwrap();
        Self {
            child,
            address: address.to_owned(),
            line,
        }
    }

    /// Sends a GET request, which must be answered.
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.get_with(target, &[])
    }

    pub(crate) fn get_with(&self, target: &str, headers: &[(&str, &str)]) -> Answer {
        let host = [("Host", &*self.address)];
        let has_host = headers.iter().any(|(name, _)| *name == "Host");
        let host = host.iter().filter(|_| !has_host);
        let lines = host.chain(headers).map(|(name, value)| format!("{name}: {value}\r\n"));
        let lines: String = lines.collect();
        self.send(&format!("GET {target} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n"))
    }

    /// Returns the answer at the address of the counters, which standard output names second.
    pub(crate) fn metrics(&self, target: &str) -> String {
        let mut urls = self.line.split('"').filter(|word| word.starts_with("http://"));
        let url = urls
            .next_back()
            .unwrap_or_else(|| panic!("no second address in {:?}", self.line));
        let address = url.trim_start_matches("http://").trim_end_matches("/metrics");
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    /// Sends a request as it is.
    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::parse(&String::from_utf8(bytes).unwrap())
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }

    /// Returns the body of a page, which must exist.
    #[track_caller]
    pub(crate) fn page(&self, target: &str) -> String {
        let answer = self.get(target);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.body
    }

    /// Returns the JSON of a path below `/api/v1`, which must exist.
    #[track_caller]
    pub(crate) fn json(&self, target: &str) -> Value {
        serde_json::from_str(&self.page(&format!("/api/v1{target}"))).unwrap()
    }

    /// Sends Ctrl-C, and returns the exit status and standard error.
    pub(crate) fn stop(mut self) -> (ExitStatus, String) {
        send_signal(&self.child, "-INT");
        let status = self.child.wait().unwrap();
        let mut err = String::new();
        let stderr = self.child.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut err).unwrap();
        (status, err)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status.unwrap_or_else(|| panic!("no status in {text:?}"));
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        });
        Self {
            status: status.parse().unwrap(),
            headers: headers.collect(),
            body: body.to_owned(),
        }
    }

    /// Returns the value of a header, in lower case; empty without.
    pub(crate) fn header(&self, name: &str) -> &str {
        let header = self.headers.iter().find(|(key, _)| key == name);
        header.map_or("", |(_, value)| value)
    }
}
