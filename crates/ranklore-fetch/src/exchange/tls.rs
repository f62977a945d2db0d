//! The underlying HTTP client, with ring and the system's root certificates.

use reqwest::header::{HeaderMap, HeaderValue, USER_AGENT};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};

use crate::error::ClientError;
use crate::options::FetchOptions;
use crate::redact::{error_chain, single_line};

pub(crate) fn build_client(
    options: &FetchOptions,
    base: &Url,
) -> Result<reqwest::Client, ClientError> {
    // Fails only if the program has already installed a provider, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let agent = user_agent(&options.contact)?;
    let build = |builder: ClientBuilder| {
        let builder = builder
            .default_headers(HeaderMap::from_iter([(USER_AGENT, agent.clone())]))
            // The client follows redirects and retries itself, to keep the pace.
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .timeout(options.timeout);
        // A proxy would resolve 127.0.0.1 to itself.
        if is_loopback(base) {
            builder.no_proxy().build()
        } else {
            builder.build()
        }
    };
    match build(reqwest::Client::builder()) {
        Ok(client) => Ok(client),
        Err(error) if error_chain(&error).contains("No CA certificates") => {
            if base.scheme() == "https" {
                return Err(ClientError::NoRootCertificates);
            }
            // Plain http needs no certificates; an upgrade to https fails.
            build(reqwest::Client::builder().tls_certs_only([]))
                .map_err(|error| setup_error(&error))
        }
        Err(error) => Err(setup_error(&error)),
    }
}

fn setup_error(error: &reqwest::Error) -> ClientError {
    ClientError::Setup {
        reason: error_chain(error),
    }
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || literal.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the user agent: program, version, contact.
fn user_agent(contact: &str) -> Result<HeaderValue, ClientError> {
    let version = env!("CARGO_PKG_VERSION");
    let is_valid = !contact.is_empty()
        && contact.bytes().all(|byte| byte.is_ascii_graphic() && !b"()\\".contains(&byte));
    let value = HeaderValue::try_from(format!("Ranklore/{version} (+{contact})")).ok();
    value.filter(|_| is_valid).ok_or_else(|| ClientError::InvalidContact {
        contact: single_line(contact),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agent_names_version_and_contact() {
        let agent = user_agent("mail@example.org").unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(agent, format!("Ranklore/{version} (+mail@example.org)").as_str());
        for wrong in ["", "a b", "x)", "é", "a\nb"] {
            assert!(user_agent(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn loopback_addresses_are_recognised() {
        for (url, own) in [
            ("http://127.0.0.1:80/", true),
            ("http://[::1]/", true),
            ("http://localhost:1/", true),
            ("http://10.0.0.1/", false),
            ("https://localhost.example.org/", false),
        ] {
            assert_eq!(is_loopback(&url.parse().unwrap()), own, "{url}");
        }
    }
}
