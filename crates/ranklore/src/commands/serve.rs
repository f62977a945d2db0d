//! `ranklore serve`

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use ranklore_web::{ServeOptions, Server};
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

/// The address of the server.
#[derive(Serialize)]
struct Served {
    /// The address of the home page.
    url: String,
}

impl ServeArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        interruption::announce_server();
        let server = Server::bind(ServeOptions {
            database: global.db(),
            listen: self.listen,
            hosts: self.host,
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
            url: format!("http://{address}/"),
        };
        global.print_result(&address_report, || {
            print_line(&format!("serving {} until Ctrl-C", address_report.url))
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
    }
}
