//! What a site knows a program by, and nobody else is to see.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// Shorter ones are found in texts by chance, so nobody could tell whether they are repeated.
const SHORTEST: usize = 8;
/// As much as any site gives.
const LONGEST: usize = 4096;

/// A text that is shown nowhere: it has no `Display`, its `Debug` tells nothing, and its memory
/// is overwritten when it is dropped. (What the HTTP client makes of it to send it is not.)
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes letters, digits and signs alone, as they can stand in a header.
    pub(crate) fn new(text: String) -> Result<Self, &'static str> {
        let text = Zeroizing::new(text);
        if text.len() < SHORTEST {
            Err("is shorter than 8 characters")
        } else if text.len() > LONGEST {
            Err("is longer than 4096 characters")
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Err("has other characters than plain letters, digits and signs")
        } else {
            Ok(Self(text))
        }
    }

    /// The text itself, to be sent.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it stands in something that a site said.
    pub(crate) fn is_in(&self, said: &[u8]) -> bool {
        let secret = self.0.as_bytes();
        said.windows(secret.len()).any(|part| part == secret)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What a site knows a program by that is registered there: an id, and a secret. Neither is ever
/// shown, in `Debug` neither, and their memory is overwritten when they are dropped.
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
    /// Both as they are sent: what may come back of them.
    sent: Secret,
}

/// Why an id and a secret can be none. Tells nothing of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {which} {reason}: copy it again from the site")]
pub struct InvalidCredentials {
    which: &'static str,
    reason: &'static str,
}

impl Credentials {
    /// As the site shows them to whoever registered the program: 8 to 4096 plain characters each.
    ///
    /// # Errors
    /// [`InvalidCredentials`], if they cannot be what a site gives.
    pub fn new(id: String, secret: String) -> Result<Self, InvalidCredentials> {
        let invalid = |which| move |reason| InvalidCredentials { which, reason };
        // Both are taken first, so that their memory is overwritten whatever is wrong.
        let (id, secret) = (Secret::new(id), Secret::new(secret));
        let id = id.map_err(invalid("id"))?;
        let secret = secret.map_err(invalid("secret"))?;
        if id.reveal().contains(':') {
            return Err(invalid("id")("has a colon"));
        }
        let both = Zeroizing::new(format!("{}:{}", id.reveal(), secret.reveal()));
        let sent = Secret(Zeroizing::new(STANDARD.encode(&*both)));
        Ok(Self { id, secret, sent })
    }

    pub(crate) fn id(&self) -> &str {
        self.id.reveal()
    }

    pub(crate) fn secret(&self) -> &str {
        self.secret.reveal()
    }

    /// Whether the secret stands in something that a site said, plainly or as it is sent. An id
    /// may stand there: a site may say whom it does not know.
    pub(crate) fn is_in(&self, said: &[u8]) -> bool {
        self.secret.is_in(said) || self.sent.is_in(said)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_no_credentials_is_refused_without_telling_it() {
        let new = |id: &str, secret: &str| Credentials::new(id.to_owned(), secret.to_owned());
        assert!(new("jetty-id", "lamp-oil").is_ok());
        let long = "x".repeat(LONGEST + 1);
        for (id, secret, which, why) in [
            ("", "lamp-oil", "id", "shorter"),
            ("jetty-id", "lamp", "secret", "shorter"),
            ("jetty-id", &*long, "secret", "longer"),
            ("jetty-id\r\nX: y", "lamp-oil", "id", "other characters"),
            (
                "jetty-id",
                "lamp oil of whales",
                "secret",
                "other characters",
            ),
            ("jetty-id", "lämp-oil", "secret", "other characters"),
            ("jetty:id", "lamp-oil", "id", "colon"),
        ] {
            let error = new(id, secret).unwrap_err();
            let said = format!("{error} {error:?}");
            assert!(said.contains(which) && said.contains(why), "{said}");
            assert!(!said.contains("lamp") && !said.contains("jetty"), "{said}");
        }
    }

    #[test]
    fn debug_tells_nothing() {
        let credentials = Credentials::new("jetty-id".into(), "lamp-oil".into()).unwrap();
        let said = format!("{credentials:?} {credentials:#?} {:?}", credentials.secret);
        assert!(!said.contains("jetty") && !said.contains("lamp"), "{said}");
    }
}
