//! Credentials of a registered program, and session cookies.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use zeroize::Zeroizing;

/// Minimum length. Shorter texts occur by chance, so their echo could not be detected.
const MIN_CHARS: usize = 8;
/// Maximum length; no site issues longer ones.
const MAX_CHARS: usize = 4096;

/// A secret text. It has no `Display`, its `Debug` is `***`, and its memory is overwritten on drop.
/// (Copies made by the HTTP client are not overwritten.)
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(Zeroizing<String>);

impl Secret {
    /// Accepts printable ASCII without spaces, which is valid in a header.
    pub(crate) fn new(text: String) -> Result<Self, &'static str> {
        let text = Zeroizing::new(text);
        if text.len() < MIN_CHARS {
            Err("is shorter than 8 characters")
        } else if text.len() > MAX_CHARS {
            Err("is longer than 4096 characters")
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Err("has other characters than printable ASCII")
        } else {
            Ok(Self(text))
        }
    }

    /// Returns the text, to be sent.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// True if the secret occurs in the bytes.
    pub(crate) fn occurs_in(&self, bytes: &[u8]) -> bool {
        occurs(self.0.as_bytes(), bytes)
    }
}

/// True if a secret, which is not empty, occurs in the bytes.
fn occurs(secret: &[u8], bytes: &[u8]) -> bool {
    bytes.windows(secret.len().max(1)).any(|part| part == secret)
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Id and secret of a program registered at a site. `Debug` shows neither, and their memory is
/// overwritten on drop.
///
/// ```
/// use ranklore_fetch::Credentials;
///
/// let credentials = Credentials::new("p-jetty-id".into(), "lamp-oil-and-wicks".into())?;
/// assert_eq!(format!("{credentials:?}"), "Credentials(***)");
/// # Ok::<(), ranklore_fetch::InvalidCredentials>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    id: Secret,
    secret: Secret,
    /// Id and secret in Base64, as they are sent.
    encoded: Secret,
}

/// Error of an invalid id, secret or cookie. Quotes none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {name} {reason}: copy it again from the site")]
pub struct InvalidCredentials {
    name: &'static str,
    reason: &'static str,
}

impl Credentials {
    /// Creates credentials from id and secret as the site shows them: 8 to 4,096 printable
    /// characters each.
    ///
    /// # Errors
    /// [`InvalidCredentials`] if a text cannot be issued by a site.
    pub fn new(id: String, secret: String) -> Result<Self, InvalidCredentials> {
        let invalid = |name| move |reason| InvalidCredentials { name, reason };
        // Both are wrapped first, so that their memory is overwritten even on error.
        let id = Secret::new(id);
        let secret = Secret::new(secret);
        let id = id.map_err(invalid("id"))?;
        let secret = secret.map_err(invalid("secret"))?;
        if id.reveal().contains(':') {
            return Err(invalid("id")("has a colon"));
        }
        let both = Zeroizing::new(format!("{}:{}", id.reveal(), secret.reveal()));
        Ok(Self {
            id,
            secret,
            encoded: Secret(Zeroizing::new(STANDARD.encode(&*both))),
        })
    }

    pub(crate) fn id(&self) -> &str {
        self.id.reveal()
    }

    pub(crate) fn secret(&self) -> &str {
        self.secret.reveal()
    }

    /// True if the secret occurs in the bytes, plain or encoded. The id may occur: a site may name
    /// an unknown client.
    pub(crate) fn occurs_in(&self, bytes: &[u8]) -> bool {
        self.secret.occurs_in(bytes) || self.encoded.occurs_in(bytes)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(***)")
    }
}

/// Session cookie of a user who is logged in. `Debug` does not show it, and its memory is overwritten
/// on drop.
///
/// ```
/// use ranklore_fetch::SessionCookie;
///
/// let cookie = SessionCookie::new("SESSION", "lamp-oil-and-wicks".into())?;
/// assert_eq!(format!("{cookie:?}"), "SessionCookie(***)");
/// # Ok::<(), ranklore_fetch::InvalidCredentials>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SessionCookie {
    value: Secret,
    /// Name and value, as they are sent.
    pair: Secret,
    /// Other spellings of the value, which sites and addresses have: without percent encoding, and
    /// with one more.
    spellings: [Zeroizing<Vec<u8>>; 2],
}

impl SessionCookie {
    /// Creates a cookie from its value as the browser shows it: 8 to 4,096 printable characters.
    ///
    /// # Errors
    /// [`InvalidCredentials`] if a site cannot set this value, or if it starts with the name.
    pub fn new(name: &'static str, value: String) -> Result<Self, InvalidCredentials> {
        let invalid = |reason| InvalidCredentials {
            name: "cookie",
            reason,
        };
        let value = Secret::new(value).map_err(invalid)?;
        // Octets that a value must not have (RFC 6265, section 4.1.1).
        if value.reveal().contains(['"', ',', ';', '\\']) {
            return Err(invalid("has a quote, a comma, a semicolon or a backslash"));
        }
        let rest = value.reveal().strip_prefix(name);
        if rest.is_some_and(|rest| rest.starts_with('=')) {
            return Err(invalid("starts with its name, and only its value is needed"));
        }
        let pair = Secret(Zeroizing::new(format!("{name}={}", value.reveal())));
        let decoded: Vec<u8> = percent_decode_str(value.reveal()).collect();
        let encoded = utf8_percent_encode(value.reveal(), NON_ALPHANUMERIC).to_string();
        let spellings = [decoded, encoded.into_bytes()].map(Zeroizing::new);
        Ok(Self {
            value,
            pair,
            spellings,
        })
    }

    /// Returns name and value, to be sent.
    pub(crate) fn pair(&self) -> &str {
        self.pair.reveal()
    }

    /// True if the value occurs in the bytes, in any spelling.
    pub(crate) fn occurs_in(&self, bytes: &[u8]) -> bool {
        let occurs = |spelling: &Zeroizing<Vec<u8>>| occurs(spelling, bytes);
        self.value.occurs_in(bytes) || self.spellings.iter().any(occurs)
    }
}

impl fmt::Debug for SessionCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionCookie(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_is_found_in_any_spelling() {
        let cookie = SessionCookie::new("SESSION", "abcd1234%3Alamp%00oil".into()).unwrap();
        for text in [
            "abcd1234%3Alamp%00oil",
            "abcd1234:lamp\0oil",
            "abcd1234%253Alamp%2500oil",
        ] {
            assert!(cookie.occurs_in(format!("<p>{text}</p>").as_bytes()), "{text}");
        }
        assert!(!cookie.occurs_in(b"abcd1234 lamp oil"));
    }

    #[test]
    fn invalid_cookies_are_refused_unquoted() {
        assert!(SessionCookie::new("SESSION", "lamp-oil%00".into()).is_ok());
        for (value, reason) in [
            ("lamp", "shorter"),
            ("lamp-oil; Path=/", "other characters"),
            ("lamp-oil;Path=/", "semicolon"),
            ("SESSION=lamp-oil", "its name"),
        ] {
            let error = SessionCookie::new("SESSION", value.to_owned()).unwrap_err();
            let message = format!("{error} {error:?}");
            assert!(message.contains("cookie") && message.contains(reason), "{message}");
            assert!(!message.contains("lamp"), "{message}");
        }
    }

    #[test]
    fn invalid_credentials_are_refused_unquoted() {
        let new = |id: &str, secret: &str| Credentials::new(id.to_owned(), secret.to_owned());
        assert!(new("jetty-id", "lamp-oil").is_ok());
        let long = "x".repeat(MAX_CHARS + 1);
        for (id, secret, which, why) in [
            ("", "lamp-oil", "id", "shorter"),
            ("jetty-id", "lamp", "secret", "shorter"),
            ("jetty-id", &*long, "secret", "longer"),
            ("jetty-id\r\nX: y", "lamp-oil", "id", "other characters"),
            ("jetty-id", "lamp oil of whales", "secret", "other characters"),
            ("jetty-id", "lämp-oil", "secret", "other characters"),
            ("jetty:id", "lamp-oil", "id", "colon"),
        ] {
            let error = new(id, secret).unwrap_err();
            let message = format!("{error} {error:?}");
            assert!(message.contains(which) && message.contains(why), "{message}");
            assert!(!message.contains("lamp") && !message.contains("jetty"), "{message}");
        }
    }

    #[test]
    fn debug_output_is_redacted() {
        let credentials = Credentials::new("jetty-id".into(), "lamp-oil".into()).unwrap();
        let message = format!("{credentials:?} {credentials:#?} {:?}", credentials.secret);
        assert!(!message.contains("jetty") && !message.contains("lamp"), "{message}");
    }
}
