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
    /// No older dataset exists.
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
    /// Compares the dataset in `folder` with the one in `baseline`, or else with the one in `to`
    /// that is about to be replaced.
    ///
    /// # Errors
    /// If the dataset in `baseline` cannot be read, or a file of the one in `to` exists and cannot
    /// be opened, as a retry may succeed.
    pub(crate) fn compare(
        to: &Path,
        baseline: Option<&Path>,
        folder: &Path,
        watch: &dyn ExportProgress,
    ) -> Result<Self, Error> {
        if has_newly_forgotten(baseline.unwrap_or(to), folder)? {
            return Ok(Self::Forgotten);
        }
        if let Some(old) = baseline {
            return DatasetChanges::between(old, folder, watch).map(Self::Compared);
        }
        let result = match Manifest::read(to) {
            Ok(_) => DatasetChanges::between(to, folder, watch),
            Err(Error::NoDataset { .. }) => return Ok(Self::NoBaseline),
            Err(error) => Err(error),
        };
        match result {
            Ok(changes) => Ok(Self::Compared(changes)),
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Err(Error::Io { path, error }) if error.kind() != NotFound => {
                Err(Error::Io { path, error })
            }
            // Replacing the dataset repairs it.
            Err(error) => Ok(Self::Unreadable(error)),
        }
    }

    /// Returns the reason if changes are unknown although an older dataset exists.
    pub(crate) fn remark(&self) -> Option<String> {
        match self {
            Self::NoBaseline | Self::Compared(_) => None,
            Self::Forgotten => Some(format!(
                "people were forgotten since the previous dataset: {CHANGELOG} starts over and lists \
                 no changes"
            )),
            Self::Unreadable(error) => Some(format!(
                "changes are unknown: the replaced dataset could not be read: {error}"
            )),
        }
    }

    /// Returns the changes, if they are known.
    pub(crate) fn into_changes(self) -> Option<DatasetChanges> {
        match self {
            Self::Compared(changes) => Some(changes),
            _ => None,
        }
    }

    /// Renders the changelog of the dataset in `old` with the new section on top.
    pub(crate) fn render_changelog(&self, old: &Path, snapshot: &Digest) -> String {
        let old_text = fs::read_to_string(old.join(CHANGELOG)).unwrap_or_default();
        let history = old_text.strip_prefix(HEADING).unwrap_or_default();
        let digest = snapshot.to_string();
        let to = short_digest(&digest);
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
    let old_count = match Manifest::read(old) {
        Ok(manifest) => manifest.forgotten_names,
        Err(Error::NoDataset { .. }) => return Ok(false),
        Err(_) => 0,
    };
    Ok(Manifest::read(new)?.forgotten_names > old_count)
}
