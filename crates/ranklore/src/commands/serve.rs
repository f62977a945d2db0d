//! `ranklore serve`

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use clap::Args;
use ranklore_web::{HeaderValue, ServeOptions, Server};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{print_line, print_note};
use crate::{GlobalArgs, interruption, values};

/// The longest time of an answer.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Serve leaderboards, players and contests to browsers, as pages, JSON and CSV
///
/// Prints the address, and answers until Ctrl-C. Reads the database only, and does not block a
/// writer; new ratings are visible at once. By default only this machine can connect. There is no
/// login: whoever can connect can read everything that the pages show, with pseudonyms where the
/// terms of a site require them.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 is any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_address)]
    listen: SocketAddr,
    /// Answer under this host name too, for example behind a proxy; may be repeated
    #[arg(long, value_name = "NAME", value_parser = parse_host)]
    host: Vec<String>,
    /// Believe this proxy which client a request is of (X-Forwarded-For); may be repeated
    #[arg(long, value_name = "IP")]
    trusted_proxy: Vec<IpAddr>,
    /// Path below which a proxy shows the pages, such as /ratings/
    #[arg(long, value_name = "PATH", default_value = "/", value_parser = parse_base_path)]
    base_path: String,
    /// Let web pages of this origin (scheme and host) read the answers; * for all; may be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    cors: Vec<HeaderValue>,
    /// Address and port for the counters of the server at /metrics, such as 127.0.0.1:9090
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    metrics: Option<SocketAddr>,
}

/// Parses an address with a port, for clap.
fn parse_address(word: &str) -> Result<SocketAddr, String> {
    word.parse().map_err(|_| {
        "expected an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:80 or [::1]:8080"
            .to_owned()
    })
}

/// Parses a host name, for clap.
fn parse_host(word: &str) -> Result<String, String> {
    let is_name = !word.is_empty()
        && word.len() <= 253
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    if is_name {
        Ok(word.to_owned())
    } else {
        Err("expected a host name without port, such as ratings.example.org".to_owned())
    }
}

/// Parses a path of folders, for clap.
fn parse_base_path(word: &str) -> Result<String, String> {
    let is_folder = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        name.bytes().all(is_plain) && !matches!(name, "" | "." | "..")
    };
    let folders = word.strip_prefix('/').map(|path| path.strip_suffix('/').unwrap_or(path));
    match folders {
        Some("") if word == "/" => Ok("/".to_owned()),
        Some(folders) if folders.split('/').all(is_folder) => Ok(format!("/{folders}/")),
        _ => Err("expected a path of letters, digits and -._~, such as /ratings/".to_owned()),
    }
}

/// Parses the origin of web pages, for clap.
fn parse_origin(word: &str) -> Result<HeaderValue, String> {
    let host = ["https://", "http://"].into_iter().find_map(|scheme| word.strip_prefix(scheme));
    let is_host = |host: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(is_plain)
    };
    let origin = word.to_ascii_lowercase().parse().ok();
    origin.filter(|_| word == "*" || host.is_some_and(is_host)).ok_or_else(|| {
        "expected scheme and host without a path, such as https://club.example".to_owned()
    })
}

/// The address of the server.
#[derive(Serialize)]
struct Served {
    /// The address of the home page.
    url: String,
    /// The address of the counters; none without.
    metrics_url: Option<String>,
}

impl ServeArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        interruption::announce_server();
        let base_path = self.base_path.clone();
        let server = Server::bind(ServeOptions {
            database: global.db(),
            listen: self.listen,
            metrics: self.metrics,
            hosts: self.host,
            trusted_proxies: self.trusted_proxy,
            base_path: self.base_path,
            cors: self.cors,
            version: env!("RANKLORE_VERSION"),
            now: values::now,
            time_limit: TIME_LIMIT,
        });
        let server = server.map_err(|error| match error {
            // Commands that read have advice for these.
            ranklore_web::Error::Store(error) => anyhow::Error::from(error),
            error => error.into(),
        })?;
        let address = server.address();
        if !address.ip().is_loopback() {
            print_note(&format!(
                "warning: other machines can connect to {address} and read the results and names of \
                 this database; there is no login and no encryption"
            ));
        }
        let address_report = Served {
            url: format!("http://{address}{base_path}"),
            metrics_url: server
                .metrics_address()
                .map(|address| format!("http://{address}/metrics")),
        };
        global.print_result(&address_report, || {
            print_line(&format!("serving {} until Ctrl-C", address_report.url))?;
            match &address_report.metrics_url {
                Some(url) => print_line(&format!("counters at {url}")),
                None => Ok(()),
            }
        })?;
        server.run(interruption::is_interrupted)?;
        Ok(Exit::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_hosts_parse() {
        for word in ["127.0.0.1:8080", "[::1]:0", "0.0.0.0:80"] {
            assert!(parse_address(word).is_ok(), "{word}");
        }
        for word in ["", "8080", "localhost:8080", "127.0.0.1", "127.0.0.1:99999"] {
            assert!(parse_address(word).is_err(), "{word}");
        }
        assert!(parse_host("ratings.example.org").is_ok());
        for word in ["", "ratings.example.org:8080", "a b", "http://a", "a/b"] {
            assert!(parse_host(word).is_err(), "{word}");
        }
        for (word, path) in [
            ("/", "/"),
            ("/ratings", "/ratings/"),
            ("/a/b-c/", "/a/b-c/"),
        ] {
            assert_eq!(parse_base_path(word).as_deref(), Ok(path));
        }
        for word in [
            "", "ratings", "//", "/a//b", "/a/../b", "/a b", "/{a}", "/a?b",
        ] {
            assert!(parse_base_path(word).is_err(), "{word}");
        }
        for word in ["*", "https://club.example", "http://127.0.0.1:3000"] {
            assert!(parse_origin(word).is_ok(), "{word}");
        }
        for word in [
            "club.example",
            "https://club.example/",
            "https://",
            "null",
            "ftp://a",
        ] {
            assert!(parse_origin(word).is_err(), "{word}");
        }
    }
}
