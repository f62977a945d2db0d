//! The host names under which the server answers.
//!
//! A page of another site can name this server by a host name of its own, which resolves to
//! 127.0.0.1, and read the answers (DNS rebinding). Its requests have that name in `Host`.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::uri::Authority;

/// The host names under which the server answers, on any port.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    listen: IpAddr,
    names: Vec<String>,
}

impl Hosts {
    /// Allows the names of the loopback, the address that the server listens on, and `names`.
    pub(crate) fn new(listen: IpAddr, names: &[String]) -> Self {
        let names = names.iter().map(|name| normalise(name));
        Self {
            listen,
            names: names.collect(),
        }
    }

    /// Returns the same names for another address to listen on.
    pub(crate) fn with_listen(&self, listen: IpAddr) -> Self {
        Self {
            listen,
            names: self.names.clone(),
        }
    }

    /// True if a `Host` header names this server.
    pub(crate) fn allows(&self, header: &str) -> bool {
        let Ok(authority) = header.parse::<Authority>() else {
            return false;
        };
        if authority.as_str().contains('@') {
            return false;
        }
        let host = authority.host();
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let address = match address {
            Some(address) => address.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
            None => host.parse().ok(),
        };
        if let Some(address) = address {
            // No name resolves to an address: it cannot be rebound.
            return address.is_loopback() || address == self.listen || self.listen.is_unspecified();
        }
        let name = normalise(host);
        name == "localhost" || self.names.contains(&name)
    }
}

/// Returns a name in lower case, without the dot that can end it.
fn normalise(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_are_refused() {
        let hosts = Hosts::new(IpAddr::from([127, 0, 0, 1]), &["Ratings.example".to_owned()]);
        for host in [
            "localhost",
            "LOCALHOST.:80",
            "127.0.0.1:8080",
            "127.8.0.1",
            "[::1]:8080",
            "ratings.example",
            "ratings.example:8080",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.example:8080",
            "localhost@evil.example",
            "evil.example@localhost",
            "192.0.2.1",
            "[2001:db8::1]",
            "[::1",
            "localhost/evil.example",
            "a b",
        ] {
            assert!(!hosts.allows(host), "{host}");
        }
    }

    #[test]
    fn addresses_are_allowed_on_all_interfaces() {
        let all = Hosts::new(IpAddr::from([0, 0, 0, 0]), &[]);
        assert!(all.allows("192.0.2.1:8080") && all.allows("[2001:db8::1]"));
        assert!(!all.allows("evil.example"));
        let one = Hosts::new(IpAddr::from([192, 0, 2, 1]), &[]);
        assert!(one.allows("192.0.2.1") && one.allows("localhost"));
        assert!(!one.allows("192.0.2.2"));
    }
}
