//! The base URL of a site, other hosts, and the tokens for it.

use reqwest::Url;

use crate::error::ClientError;
use crate::exchange::tls;
use crate::exchange::token::TokenProvider;
use crate::options::FetchOptions;
use crate::redact::shown_url;

/// Creates the token provider, if the site requires tokens.
pub(crate) fn build_token_provider(
    options: &FetchOptions,
    base: &Url,
) -> Result<Option<TokenProvider>, ClientError> {
    let Some(terms) = options.token else {
        return Ok(None);
    };
    let official_url = parse_base_url(terms.url)?;
    let url = if *base == parse_base_url(options.site_url)? {
        official_url
    } else {
        let root = base.as_str().trim_end_matches('/');
        parse_base_url(&format!("{root}{}", official_url.path()))?
    };
    let Some(credentials) = options.credentials.clone() else {
        return Err(ClientError::MissingCredentials {
            register: terms.registration_url,
        });
    };
    check_encrypted(&url)?;
    check_encrypted(base)?;
    Ok(Some(TokenProvider::new(url, terms, credentials)))
}

/// Errors if secrets would be sent to this URL without encryption.
pub(crate) fn check_encrypted(url: &Url) -> Result<(), ClientError> {
    if url.scheme() == "https" || tls::is_loopback(url) {
        return Ok(());
    }
    Err(ClientError::Unencrypted {
        url: shown_url(url),
    })
}

/// Returns the beginnings of paths that other hosts answer, with the roots of these hosts. A mirror
/// has no other hosts.
pub(crate) fn parse_other_hosts(
    options: &FetchOptions,
    base: &Url,
) -> Result<Vec<(&'static str, Url)>, ClientError> {
    if *base != parse_base_url(options.site_url)? {
        return Ok(Vec::new());
    }
    let hosts = options.other_hosts.iter();
    hosts.map(|host| Ok((host.path, parse_base_url(host.base_url)?))).collect()
}

pub(crate) fn parse_base_url(text: &str) -> Result<Url, ClientError> {
    let wrong = |url: String, reason: &str| ClientError::InvalidBaseUrl {
        url,
        reason: reason.to_owned(),
    };
    // An unparsable URL may hold a password anywhere, so it is not quoted.
    let url = Url::parse(text).map_err(|error| wrong("the address".into(), &error.to_string()))?;
    let reason = match url.scheme() {
        "http" | "https" if url.query().is_some() || url.fragment().is_some() => {
            "it has parameters"
        }
        "http" | "https" => return Ok(url),
        _ => "it is neither http nor https",
    };
    Err(wrong(shown_url(&url), reason))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn base_url_is_http_without_parameters() {
        assert!(parse_base_url("https://codeforces.com").is_ok());
        assert!(parse_base_url("http://127.0.0.1:8080/mirror/").is_ok());
        for wrong in [
            "codeforces.com",
            "ftp://x.org",
            "https://x.org/?a=1",
            "",
            "file:///tmp",
        ] {
            assert!(parse_base_url(wrong).is_err(), "{wrong}");
        }
        let error = parse_base_url("ftp://me:secret@x.org").unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn token_url_follows_mirror_and_needs_https() {
        let terms = ranklore_source::TokenTerms {
            url: "https://www.example.org/api/token",
            form: &[],
            registration_url: "https://example.org",
        };
        let asked = |base_url: &str| {
            let options = FetchOptions {
                base_url: base_url.to_owned(),
                interval: Duration::ZERO,
                obey_robots: false,
                contact: crate::DEFAULT_CONTACT.to_owned(),
                max_body: 1,
                timeout: Duration::ZERO,
                head_timeout: Duration::ZERO,
                max_attempts: 1,
                backoff: Duration::ZERO,
                max_redirects: 0,
                allow_hosts: Vec::new(),
                cool_down: Duration::ZERO,
                max_requests: None,
                site_url: "https://oauth.example.org",
                token: Some(terms),
                credentials: crate::Credentials::new("x".repeat(8), "y".repeat(8)).ok(),
                cookie: None,
                other_hosts: &[],
            };
            let tokens = build_token_provider(&options, &parse_base_url(base_url).unwrap());
            tokens.map(|tokens| tokens.unwrap().request().url.to_string())
        };
        for (base_url, url) in [
            ("https://oauth.example.org", "https://www.example.org/api/token"),
            ("https://oauth.example.org/", "https://www.example.org/api/token"),
            ("https://mirror.example", "https://mirror.example/api/token"),
            ("http://127.0.0.1:81/of/", "http://127.0.0.1:81/of/api/token"),
        ] {
            assert_eq!(asked(base_url).unwrap(), url);
        }
        for open in ["http://oauth.example.org", "http://mirror.example"] {
            let error = asked(open).unwrap_err();
            assert!(matches!(error, ClientError::Unencrypted { .. }), "{error}");
        }
    }
}
