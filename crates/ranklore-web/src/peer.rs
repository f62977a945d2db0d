//! The clients as limits count them, also behind proxies.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{Extensions, HeaderMap, HeaderName};

/// The header in which proxies name the clients of their requests, each behind the earlier ones.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The part of an IPv6 address that a provider gives to one client.
const IPV6_NETWORK: u128 = u128::MAX << 64;

/// A client: an IPv4 address, or the IPv6 network of 64 bits that one client has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Peer(IpAddr);

impl Peer {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                Ipv6Addr::from_bits(address.to_bits() & IPV6_NETWORK).into()
            }
            address => address,
        })
    }

    /// Returns the client of a request, which the connection has noted.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Self {
        let peer = extensions.get().copied();
        peer.unwrap_or_else(|| Self::new(Ipv4Addr::UNSPECIFIED.into()))
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The proxies that are believed whose requests they pass on.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrustedProxies(Vec<IpAddr>);

impl TrustedProxies {
    pub(crate) fn new(addresses: &[IpAddr]) -> Self {
        Self(addresses.iter().map(IpAddr::to_canonical).collect())
    }

    /// True if connections from this address carry the requests of other clients.
    pub(crate) fn include(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// Returns the client of a request. Every proxy adds the address that connected to it, so that
    /// the last one that is no trusted proxy is the client: those before it may be invented.
    pub(crate) fn client(&self, connected: IpAddr, headers: &HeaderMap) -> Peer {
        if !self.include(connected) {
            return Peer::new(connected);
        }
        let values = headers.get_all(FORWARDED_FOR).iter().rev();
        let client = values
            .flat_map(|value| value.to_str().unwrap_or_default().rsplit(','))
            .map(|word| parse_address(word.trim()))
            .find(|address| address.is_none_or(|address| !self.include(address)));
        Peer::new(client.flatten().unwrap_or(connected))
    }
}

/// Parses an address, with or without port.
fn parse_address(word: &str) -> Option<IpAddr> {
    let with_port = || word.parse().map(|address: SocketAddr| address.ip());
    let bare = word.trim_start_matches('[').trim_end_matches(']');
    bare.parse().or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> Peer {
        Peer::new(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_client_are_one_peer() {
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:2"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_ne!(peer("::1"), peer("::2"));
        assert_eq!(peer("::1").to_string(), "::1");
        assert_eq!(peer("2001:db8::1").to_string(), "2001:db8::");
    }

    #[test]
    fn client_is_the_last_address_that_is_no_proxy() {
        let address = |word: &str| word.parse::<IpAddr>().unwrap();
        let proxies = TrustedProxies::new(&[address("127.0.0.1"), address("192.0.2.9")]);
        for (connected, forwarded, client) in [
            ("127.0.0.1", &["203.0.113.7"][..], "203.0.113.7"),
            ("::ffff:127.0.0.1", &["203.0.113.7"], "203.0.113.7"),
            // The client wrote the first address itself.
            ("127.0.0.1", &["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
            ("127.0.0.1", &["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
            ("127.0.0.1", &["203.0.113.7, 192.0.2.9"], "203.0.113.7"),
            ("127.0.0.1", &["203.0.113.7:5000"], "203.0.113.7"),
            ("127.0.0.1", &["[2001:db8::1]:5000"], "2001:db8::1"),
            ("127.0.0.1", &["2001:db8::1"], "2001:db8::1"),
            ("127.0.0.1", &["198.51.100.1, unknown"], "127.0.0.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
            // Whoever connects without a trusted proxy is the client.
            ("198.51.100.9", &["203.0.113.7"], "198.51.100.9"),
        ] {
            let values = forwarded.iter().map(|value| (FORWARDED_FOR, value.parse().unwrap()));
            let headers: HeaderMap = values.fold(HeaderMap::new(), |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            });
            assert_eq!(
                proxies.client(address(connected), &headers),
                peer(client),
                "{connected} {forwarded:?}"
            );
        }
    }
}
