//! A host of static files on the loopback.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

/// A host that runs until the tests end.
pub(crate) struct StaticServer {
    pub(crate) address: String,
}

impl StaticServer {
    pub(crate) fn start(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let folder = folder.clone();
                // A browser may open connections that it does not use.
                thread::spawn(move || drop(answer(&stream.unwrap(), &folder)));
            }
        });
        Self { address }
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let path = path.trim_start_matches('/').split('?').next().unwrap_or_default();
    let media_type = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, body) = match fs::read(folder.join(path)) {
        Ok(body) => ("200 OK", body),
        // Browsers ask for it on their own.
        Err(_) if path == "favicon.ico" => ("204 No Content", Vec::new()),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}
