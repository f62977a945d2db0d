//! Client credentials and session cookies for sites: from the environment, otherwise from the user's
//! settings file.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ranklore_fetch::{Credentials, InvalidCredentials, SessionCookie};
use ranklore_source::Source;
use zeroize::Zeroizing;

/// The largest settings file that is read, in bytes.
const MAX_SETTINGS_BYTES: u64 = 64 << 10;

/// The reason why there are no credentials. Names places only; never quotes a value or a line of
/// the settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialsError {
    /// No credentials are set anywhere.
    #[error(
        "{site} requires a registered program: register one at {register}, then set {id} and {secret} to its id and secret{}",
        file.as_ref().map_or_else(String::new, |file| format!(
            ", or write them into {} (for you alone: chmod 600) as: [{site}] id = \"…\" secret = \"…\", on three lines", file.display()
        ))
    )]
    Missing {
        /// The site.
        site: String,
        /// The address where programs are registered.
        register: &'static str,
        /// The environment variable for the id.
        id: String,
        /// The environment variable for the secret.
        secret: String,
        /// The path of the settings file, if it can be determined.
        file: Option<PathBuf>,
    },
    /// A session cookie is required and set nowhere.
    #[error(
        "{site} shows these pages only to users who are logged in: log in at {login_url} with a browser, then set {variable} to the value of its cookie {cookie}{}",
        file.as_ref().map_or_else(String::new, |file| format!(
            ", or write it into {} (for you alone: chmod 600) as: [{site}] cookie = \"…\", on two lines", file.display()
        ))
    )]
    MissingCookie {
        /// The site.
        site: String,
        /// The page where users log in.
        login_url: &'static str,
        /// The name of the cookie.
        cookie: &'static str,
        /// The environment variable.
        variable: String,
        /// The path of the settings file, if it can be determined.
        file: Option<PathBuf>,
    },
    /// Only one of the two variables is set.
    #[error("{set} is set and {unset} is not: set both, or neither")]
    Incomplete {
        /// The variable that is set.
        set: String,
        /// The variable that is not set.
        unset: String,
    },
    /// The credentials are malformed.
    #[error("{place}: {invalid}")]
    Invalid {
        /// The variables or the file that they are from.
        place: String,
        /// The reason.
        invalid: InvalidCredentials,
    },
    /// A variable is not UTF-8.
    #[error("{variable} is not UTF-8: copy it again from the site")]
    NotUtf8 {
        /// The variable.
        variable: String,
    },
    /// The settings file cannot be opened or read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The path of the settings file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The settings file can be read or changed by other users.
    #[error(
        "{} can be read or changed by others (mode {mode:03o}), so nothing in it is secret",
        path.display()
    )]
    Exposed {
        /// The path of the settings file.
        path: PathBuf,
        /// The permissions of the file.
        mode: u32,
    },
    /// The settings file belongs to another user.
    #[error(
        "{} belongs to another user (number {owner}): make it yours, with chown, or run as that user",
        path.display()
    )]
    WrongOwner {
        /// The path of the settings file.
        path: PathBuf,
        /// The id of the owner.
        owner: u32,
    },
    /// The settings file is malformed or lacks credentials.
    #[error("{}: {what}", path.display())]
    InvalidSettings {
        /// The path of the settings file.
        path: PathBuf,
        /// The problem and its place.
        what: String,
    },
}

/// Returns the client id and secret for the site of a source, or `None` if the site needs none;
/// then nothing is opened.
///
/// For the source `reddit` these are `RANKLORE_REDDIT_ID` and `RANKLORE_REDDIT_SECRET` in the
/// environment, otherwise `id` and `secret` under `[reddit]` in `ranklore/config.toml` below
/// `XDG_CONFIG_HOME` or `~/.config` (on Windows, below `APPDATA`). The file must belong to the
/// user, and no other user may read or change it; this is checked on the open file. On Windows
/// permissions are not checked, since folders below `APPDATA` are private.
///
/// `variable` reads the environment: [`std::env::var_os`], except in tests. An empty variable
/// counts as unset.
///
/// # Errors
/// [`CredentialsError`] if there are none, or if they are not private.
pub fn load_credentials(
    source: &dyn Source,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Option<Credentials>, CredentialsError> {
    let Some(token) = source.profile().terms.token else {
        return Ok(None);
    };
    let site = source.profile().name;
    let id = variable_name(site, "ID");
    let secret = variable_name(site, "SECRET");
    let read_variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    match (read_variable(&id), read_variable(&secret)) {
        (Some(id_value), Some(secret_value)) => {
            let id_value = to_utf8(id_value, &id)?;
            let secret_value = to_utf8(secret_value, &secret)?;
            new_credentials(id_value, secret_value, format!("{id} and {secret}")).map(Some)
        }
        (Some(_), None) => Err(CredentialsError::Incomplete {
            set: id,
            unset: secret,
        }),
        (None, Some(_)) => Err(CredentialsError::Incomplete {
            set: secret,
            unset: id,
        }),
        (None, None) => {
            let file = settings_path(&read_variable);
            if let Some(path) = &file
                && let Some([id, secret]) = read_settings(path, site, ["id", "secret"])?
            {
                return new_credentials(id, secret, settings_place(path, site)).map(Some);
            }
            Err(CredentialsError::Missing {
                site: site.to_owned(),
                register: token.registration_url,
                id,
                secret,
                file,
            })
        }
    }
}

/// Returns the session cookie for the site of a source, or `None` if no request of this sync needs
/// one; then nothing is opened.
///
/// For the source `atcoder` this is `RANKLORE_ATCODER_COOKIE` in the environment, otherwise `cookie`
/// under `[atcoder]` in the settings file of [`load_credentials`].
///
/// # Errors
/// [`CredentialsError`] if there is none, or if it is not private.
pub fn load_cookie(
    source: &dyn Source,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Option<SessionCookie>, CredentialsError> {
    let Some(terms) = source.profile().terms.cookie.filter(|_| source.requires_cookie()) else {
        return Ok(None);
    };
    let site = source.profile().name;
    let name = variable_name(site, "COOKIE");
    let new_cookie = |value: String, place: String| {
        SessionCookie::new(terms.name, value)
            .map(Some)
            .map_err(|invalid| CredentialsError::Invalid { place, invalid })
    };
    let read_variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(value) = read_variable(&name) {
        return new_cookie(to_utf8(value, &name)?, name);
    }
    let file = settings_path(&read_variable);
    if let Some(path) = &file
        && let Some([value]) = read_settings(path, site, ["cookie"])?
    {
        return new_cookie(value, settings_place(path, site));
    }
    Err(CredentialsError::MissingCookie {
        site: site.to_owned(),
        login_url: terms.login_url,
        cookie: terms.name,
        variable: name,
        file,
    })
}

/// Returns the name of an environment variable for a site: `RANKLORE_REDDIT_ID`.
fn variable_name(site: &str, suffix: &str) -> String {
    format!("RANKLORE_{}_{suffix}", site.to_ascii_uppercase().replace('-', "_"))
}

/// Returns the validated credentials from a place: two variables or a file.
fn new_credentials(
    id: String,
    secret: String,
    place: String,
) -> Result<Credentials, CredentialsError> {
    Credentials::new(id, secret).map_err(|invalid| CredentialsError::Invalid { place, invalid })
}

fn to_utf8(value: OsString, variable: &str) -> Result<String, CredentialsError> {
    value.into_string().map_err(|_| CredentialsError::NotUtf8 {
        variable: variable.to_owned(),
    })
}

/// Returns the path of the settings file by the XDG Base Directory Specification, which ignores
/// relative folders.
fn settings_path(read_variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder_of = |name: &str| {
        let folder = read_variable(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let folder = if cfg!(windows) {
        folder_of("APPDATA")
    } else {
        folder_of("XDG_CONFIG_HOME").or_else(|| folder_of("HOME").map(|home| home.join(".config")))
    };
    folder.map(|folder| folder.join("ranklore").join("config.toml"))
}

/// Returns the place of settings in messages.
fn settings_place(path: &Path, site: &str) -> String {
    format!("{}, [{site}]", path.display())
}

/// Reads these strings from the section for a site; `None` without a settings file or the section.
fn read_settings<const N: usize>(
    path: &Path,
    site: &str,
    names: [&str; N],
) -> Result<Option<[String; N]>, CredentialsError> {
    let Some(bytes) = read_private_file(path)? else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| invalid_settings(path, "is not UTF-8".to_owned()))?;
    // The parser's own message may quote the secret.
    let mut table: toml::Table = toml::from_str(text).map_err(|error| {
        let start = error.span().and_then(|span| text.get(..span.start));
        let line = start.map_or(1, |start| 1 + start.matches('\n').count());
        let reason = format!("line {line} is not TOML: put strings in quotes, as in id = \"…\"");
        invalid_settings(path, reason)
    })?;
    let Some(section) = table.get_mut(site) else {
        return Ok(None);
    };
    let mut take_string = |name: &str| match section.get_mut(name) {
        Some(toml::Value::String(text)) => Ok(std::mem::take(text)),
        Some(_) => Err(invalid_settings(
            path,
            format!("{name} under [{site}] is not a string: put it in quotes"),
        )),
        None => Err(invalid_settings(path, format!("{name} is missing under [{site}]"))),
    };
    let mut values = names.map(|_| String::new());
    for (value, name) in values.iter_mut().zip(names) {
        *value = take_string(name)?;
    }
    Ok(Some(values))
}

/// Reads the settings file if it belongs to the user alone; `None` if there is no file.
fn read_private_file(path: &Path) -> Result<Option<Zeroizing<Vec<u8>>>, CredentialsError> {
    let unreadable = |source| CredentialsError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let irregular = || invalid_settings(path, "is not a regular file".to_owned());
    // Opening a pipe would block.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(irregular());
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(irregular());
    }
    check_permissions(path, &metadata)?;
    let mut bytes = Zeroizing::new(Vec::new());
    let length = file.take(MAX_SETTINGS_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if length as u64 > MAX_SETTINGS_BYTES {
        let reason = format!("is longer than {MAX_SETTINGS_BYTES} bytes");
        return Err(invalid_settings(path, reason));
    }
    Ok(Some(bytes))
}

fn invalid_settings(path: &Path, reason: String) -> CredentialsError {
    CredentialsError::InvalidSettings {
        path: path.to_owned(),
        what: reason,
    }
}

/// Checks that a file belongs to the user and that no other user can read or change it.
#[cfg(unix)]
fn check_permissions(path: &Path, metadata: &Metadata) -> Result<(), CredentialsError> {
    use std::os::unix::fs::MetadataExt;

    let path = path.to_owned();
    let owner = metadata.uid();
    let mode = metadata.mode() & 0o777;
    if owner != rustix::process::geteuid().as_raw() {
        Err(CredentialsError::WrongOwner { path, owner })
    } else if mode & 0o077 != 0 {
        Err(CredentialsError::Exposed { path, mode })
    } else {
        Ok(())
    }
}

/// Other systems have no owner and mode to check.
#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "there is something to check on Unix"
)]
fn check_permissions(_: &Path, _: &Metadata) -> Result<(), CredentialsError> {
    Ok(())
}
