//! `CHANGELOG.md`: changes between snapshots, newest first.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::Path;

use crate::describe::Manifest;
use crate::digest::Digest;
use crate::error::Error;
use crate::export::changes::{DatasetChanges, short_digest};
use crate::progress::ExportProgress;

/// The file name.
pub(crate) const CHANGELOG: &str = "CHANGELOG.md";

const HEADING: &str = "# Changes\n\nThe newest first, by snapshot.\n";

/// Comparison of a new dataset with an older one.
pub(crate) enum BaselineComparison {
    /// There is no older dataset.
    NoBaseline,
    /// The changes against the older dataset.
    Compared(DatasetChanges),
    /// People were forgotten since. Changed contests, contest names and even the older snapshot
    /// would reveal them.
    Forgotten,
    /// The replaced dataset is damaged or has a newer format version.
    Unreadable(Error),
}

impl BaselineComparison {
    /// Compares the dataset in `folder` with the one in `against`, or else with the one in `to`
    /// that is about to be replaced.
    ///
    /// # Errors
    /// If the dataset in `against` cannot be read, or a file of the one in `to` exists and cannot
    /// be opened, as a retry may succeed.
    pub(crate) fn compare(
        to: &Path,
        against: Option<&Path>,
        folder: &Path,
        watch: &dyn ExportProgress,
    ) -> Result<Self, Error> {
        if has_newly_forgotten(against.unwrap_or(to), folder)? {
            return Ok(Self::Forgotten);
        }
        if let Some(old) = against {
            return DatasetChanges::between(old, folder, watch).map(Self::Compared);
        }
        let compared = match Manifest::read(to) {
            Ok(_) => DatasetChanges::between(to, folder, watch),
            Err(Error::NoDataset { .. }) => return Ok(Self::NoBaseline),
            Err(why) => Err(why),
        };
        match compared {
            Ok(changes) => Ok(Self::Compared(changes)),
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Err(Error::Io { path, why }) if why.kind() != NotFound => Err(Error::Io { path, why }),
            // Replacing the dataset repairs it.
            Err(why) => Ok(Self::Unreadable(why)),
        }
    }

    /// Renders the changelog of the dataset in `old` with the new section on top.
    pub(crate) fn render_changelog(&self, old: &Path, snapshot: &Digest) -> String {
        let history = fs::read_to_string(old.join(CHANGELOG)).unwrap_or_default();
        let history = history.strip_prefix(HEADING).unwrap_or_default();
        let to = snapshot.to_string();
        let to = short_digest(&to);
        let section = match self {
            Self::NoBaseline => return format!("{HEADING}\n## {to}\n\n- first export\n"),
            Self::Forgotten => {
                return format!(
                    "{HEADING}\n## {to}\n\n- people were forgotten: other changes and earlier \
                     entries are omitted\n"
                );
            }
            Self::Compared(changes) if changes.is_empty() && !history.is_empty() => String::new(),
            Self::Compared(changes) => format!("\n{}", changes.to_markdown()),
            Self::Unreadable(_) => format!(
                "\n## {to}\n\n- changes are unknown: the previous dataset could not be read\n"
            ),
        };
        format!("{HEADING}{section}{history}")
    }
}

/// True if people were forgotten between the dataset in `old` and the one in `new`.
fn has_newly_forgotten(old: &Path, new: &Path) -> Result<bool, Error> {
    let before = match Manifest::read(old) {
        Ok(before) => before.forgotten_names,
        Err(Error::NoDataset { .. }) => return Ok(false),
        Err(_) => 0,
    };
    Ok(Manifest::read(new)?.forgotten_names > before)
}
