//! What sites know this program by: from the environment, else from the user's settings.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::PathBuf;

use ranklore_fetch::{Credentials, InvalidCredentials};
use ranklore_source::Source;
use zeroize::Zeroizing;

/// Settings are no longer.
const LONGEST: u64 = 64 << 10;

/// Why there are no credentials. Tells nothing of what was found but where, and no line of the
/// settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialsError {
    /// None are set anywhere.
    #[error(
        "{site} lets in registered programs alone: register one at {register}, then set {id} and {secret} to its id and secret{}",
        file.as_ref().map_or_else(String::new, |file| format!(
            ", or write them into {} (for you alone: chmod 600) as: [{site}] id = \"…\" secret = \"…\", on three lines", file.display()
        ))
    )]
    Missing {
        /// Which site.
        site: String,
        /// Where programs are registered.
        register: &'static str,
        /// The variable for the id.
        id: String,
        /// The variable for the secret.
        secret: String,
        /// Where the settings would be.
        file: Option<PathBuf>,
    },
    /// Of the two variables one is set.
    #[error("{set} is set and {unset} is not: set both, or neither")]
    Half {
        /// The one that is set.
        set: String,
        /// The one that is not.
        unset: String,
    },
    /// What is set or written can be none.
    #[error("{place}: {invalid}")]
    Invalid {
        /// The variables, or the file.
        place: String,
        /// Why not.
        invalid: InvalidCredentials,
    },
    /// A variable is no text.
    #[error("{variable} is no text in UTF-8: copy it again from the site")]
    NoText {
        /// Which.
        variable: String,
    },
    /// The settings cannot be opened or read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The settings.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Others than their owner can read or change the settings.
    #[error(
        "{} can be read or changed by others (mode {mode:03o}), so nothing in it is secret",
        path.display()
    )]
    Exposed {
        /// The settings.
        path: PathBuf,
        /// Their permissions.
        mode: u32,
    },
    /// The settings are somebody else's.
    #[error(
        "{} belongs to another user (number {owner}): make it yours, with chown, or run as that user",
        path.display()
    )]
    Foreign {
        /// The settings.
        path: PathBuf,
        /// Whose they are.
        owner: u32,
    },
    /// The settings are no settings, or the credentials in them none.
    #[error("{}: {what}", path.display())]
    Settings {
        /// The settings.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
}

/// The id and secret of the program that is registered at the site of a source; `None` where
/// anybody is let in. Nothing is opened then.
///
/// For the source `reddit` they are `RANKLORE_REDDIT_ID` and `RANKLORE_REDDIT_SECRET` of the
/// environment, else `id` and `secret` under `[reddit]` in `ranklore/config.toml` below
/// `XDG_CONFIG_HOME` or `~/.config` (on Windows, below `APPDATA`). That file is taken only if it
/// is the user's own and nobody else can read or change it, which is seen on the open file. On
/// Windows its permissions are not looked at: folders below `APPDATA` are their user's alone.
///
/// `variable` is the environment: [`std::env::var_os`] but in tests. What is empty there is not
/// set.
///
/// # Errors
/// [`CredentialsError`]: there are none, or not for us alone.
pub fn credentials(
    source: &dyn Source,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Option<Credentials>, CredentialsError> {
    let Some(token) = source.profile().terms.token else {
        return Ok(None);
    };
    let site = source.profile().name;
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let prefix = format!("RANKLORE_{}", site.to_ascii_uppercase().replace('-', "_"));
    let (id, secret) = (format!("{prefix}_ID"), format!("{prefix}_SECRET"));
    match (set(&id), set(&secret)) {
        (Some(id_value), Some(secret_value)) => {
            let found = Credentials::new(text(id_value, &id)?, text(secret_value, &secret)?);
            found
                .map(Some)
                .map_err(|invalid| CredentialsError::Invalid {
                    place: format!("{id} and {secret}"),
                    invalid,
                })
        }
        (Some(_), None) => Err(CredentialsError::Half {
            set: id,
            unset: secret,
        }),
        (None, Some(_)) => Err(CredentialsError::Half {
            set: secret,
            unset: id,
        }),
        (None, None) => {
            let file = settings(&set);
            if let Some(path) = &file
                && let Some(found) = of_settings(path, site)?
            {
                return Ok(Some(found));
            }
            Err(CredentialsError::Missing {
                site: site.to_owned(),
                register: token.register,
                id,
                secret,
                file,
            })
        }
    }
}

fn text(value: OsString, variable: &str) -> Result<String, CredentialsError> {
    value.into_string().map_err(|_| CredentialsError::NoText {
        variable: variable.to_owned(),
    })
}

/// Where the user's settings are, by the XDG Base Directory Specification: relative folders do
/// not count.
fn settings(set: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| set(name).map(PathBuf::from).filter(|of| of.is_absolute());
    let folder = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    folder.map(|folder| folder.join("ranklore").join("config.toml"))
}

/// What the settings say of a site; `None` where there are none, or they say nothing of it.
fn of_settings(path: &PathBuf, site: &str) -> Result<Option<Credentials>, CredentialsError> {
    let unreadable = |source| CredentialsError::Unreadable {
        path: path.clone(),
        source,
    };
    let wrong = |what: String| CredentialsError::Settings {
        path: path.clone(),
        what,
    };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(wrong("is no file".to_owned()));
    }
    is_ours_alone(path, &metadata)?;
    let mut bytes = Zeroizing::new(Vec::new());
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    if read.map_err(unreadable)? as u64 > LONGEST {
        return Err(wrong(format!("is longer than {LONGEST} bytes")));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong("is no text in UTF-8".to_owned()))?;
    // What the parser says may quote what it read.
    let mut table: toml::Table = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| 1 + before.matches('\n').count());
        wrong(format!(
            "line {line} is not TOML: texts stand in quotes, as in id = \"…\""
        ))
    })?;
    let Some(section) = table.get_mut(site) else {
        return Ok(None);
    };
    let mut member = |name: &str| match section.get_mut(name) {
        Some(toml::Value::String(text)) => Ok(std::mem::take(text)),
        Some(_) => Err(wrong(format!("{name} under [{site}] is no text in quotes"))),
        None => Err(wrong(format!("there is no {name} under [{site}]"))),
    };
    let found = Credentials::new(member("id")?, member("secret")?);
    found
        .map(Some)
        .map_err(|invalid| CredentialsError::Invalid {
            place: format!("{}, [{site}]", path.display()),
            invalid,
        })
}

/// Whether a file is the user's, and nobody else can read or change it.
#[cfg(unix)]
fn is_ours_alone(path: &std::path::Path, metadata: &Metadata) -> Result<(), CredentialsError> {
    use std::os::unix::fs::MetadataExt;

    let path = path.to_owned();
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o777);
    if owner != rustix::process::geteuid().as_raw() {
        Err(CredentialsError::Foreign { path, owner })
    } else if mode & 0o077 != 0 {
        Err(CredentialsError::Exposed { path, mode })
    } else {
        Ok(())
    }
}

/// Elsewhere who may read a file is no number that it has.
#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "there is something to check on Unix"
)]
fn is_ours_alone(_: &std::path::Path, _: &Metadata) -> Result<(), CredentialsError> {
    Ok(())
}
