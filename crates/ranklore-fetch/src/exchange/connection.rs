//! A first connection to a host, before any request.

use std::time::Duration;

use reqwest::Url;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::error::FetchError;
use crate::exchange::tls::is_loopback;
use crate::redact::{error_chain, shown_url};

/// Longest wait for a connection. A network that is slower may still answer a request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection that fails within this time has failed at once: there is no network, no such host,
/// or no server.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Connects to a host and closes the connection. Tries again after `backoff` if the connection
/// fails at once. Connects nowhere if a proxy does it for the client.
///
/// # Errors
/// [`FetchError::Unreachable`].
pub(crate) async fn check_connection(
    base: &Url,
    attempts: u32,
    backoff: Duration,
) -> Result<(), FetchError> {
    let Some((host, port)) = base.host_str().zip(base.port_or_known_default()) else {
        return Ok(());
    };
    if !is_loopback(base) && is_proxied(std::env::vars_os().map(|(name, _)| name)) {
        return Ok(());
    }
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let mut attempt = 1;
    loop {
        let begun_at = Instant::now();
        let connecting = TcpStream::connect((host, port));
        let Ok(Err(error)) = timeout(CONNECT_TIMEOUT, connecting).await else {
            // Connected, or so slow that the timeout of a request decides.
            return Ok(());
        };
        if attempt >= attempts.min(2) || begun_at.elapsed() > AT_ONCE {
            return Err(FetchError::Unreachable {
                url: shown_url(base),
                reason: error_chain(&error),
            });
        }
        attempt += 1;
        tokio::time::sleep(backoff).await;
    }
}

/// True if an environment variable names a proxy.
fn is_proxied(mut variables: impl Iterator<Item = std::ffi::OsString>) -> bool {
    variables.any(|name| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        matches!(name.as_str(), "http_proxy" | "https_proxy" | "all_proxy")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_variables_are_recognised() {
        for (name, proxied) in [
            ("HTTPS_PROXY", true),
            ("http_proxy", true),
            ("ALL_PROXY", true),
            ("NO_PROXY", false),
            ("PROXY", false),
        ] {
            assert_eq!(is_proxied([name.into()].into_iter()), proxied, "{name}");
        }
    }
}
