//! `CHANGELOG.md`: what changed from snapshot to snapshot, for people to read, the newest first.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::Path;

use crate::describe::Manifest;
use crate::digest::Digest;
use crate::error::Error;
use crate::export::changes::{Changes, short};
use crate::watch::Watch;

/// The name of the file.
pub(crate) const CHANGELOG: &str = "CHANGELOG.md";

const HEADING: &str = "# Changes\n\nThe newest first, by snapshot.\n";

/// The older dataset that a new one is compared with.
pub(crate) enum Before {
    /// There is none.
    None,
    /// There is one, against which this is new.
    Compared(Changes),
    /// People were forgotten since: the contests that changed, what contests were called, and even
    /// the hash of the older results would tell who.
    Forgotten,
    /// The one that is replaced is damaged or of a newer shape.
    Unread(Error),
}

impl Before {
    /// Compares what is in `folder` with the dataset `against`, or else with that in `to`, which is
    /// about to be replaced.
    ///
    /// # Errors
    /// When the dataset `against` cannot be read; when a file of that in `to` is there and cannot be
    /// opened, which another try may.
    pub(crate) fn of(
        to: &Path,
        against: Option<&Path>,
        folder: &Path,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        if forgotten_since(against.unwrap_or(to), folder)? {
            return Ok(Self::Forgotten);
        }
        if let Some(old) = against {
            return Changes::between(old, folder, watch).map(Self::Compared);
        }
        let compared = match Manifest::read(to) {
            Ok(_) => Changes::between(to, folder, watch),
            Err(Error::NoDataset { .. }) => return Ok(Self::None),
            Err(why) => Err(why),
        };
        match compared {
            Ok(changes) => Ok(Self::Compared(changes)),
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Err(Error::Io { path, why }) if why.kind() != NotFound => Err(Error::Io { path, why }),
            // To replace it is the way to have it whole again.
            Err(why) => Ok(Self::Unread(why)),
        }
    }

    /// The changes that the dataset `old` tells of, with those of now in front.
    pub(crate) fn changelog(&self, old: &Path, snapshot: &Digest) -> String {
        let history = fs::read_to_string(old.join(CHANGELOG)).unwrap_or_default();
        let history = history.strip_prefix(HEADING).unwrap_or_default();
        let to = snapshot.to_string();
        let to = short(&to);
        let section = match self {
            Self::None => return format!("{HEADING}\n## {to}\n\n- the first one\n"),
            Self::Forgotten => {
                return format!(
                    "{HEADING}\n## {to}\n\n- people were forgotten: what else is new, and what \
                     stood here before, is left out\n"
                );
            }
            Self::Compared(changes) if changes.is_none() && !history.is_empty() => String::new(),
            Self::Compared(changes) => format!("\n{}", changes.section()),
            Self::Unread(_) => format!(
                "\n## {to}\n\n- what is new is not known: the dataset before could not be read\n"
            ),
        };
        format!("{HEADING}{section}{history}")
    }
}

/// True if people were forgotten between the dataset in `old` and the one in `new`.
fn forgotten_since(old: &Path, new: &Path) -> Result<bool, Error> {
    let before = match Manifest::read(old) {
        Ok(before) => before.forgotten,
        Err(Error::NoDataset { .. }) => return Ok(false),
        Err(_) => 0,
    };
    Ok(Manifest::read(new)?.forgotten > before)
}
