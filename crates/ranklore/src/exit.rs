//! Exit codes.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use ranklore_ingest::{DatasetError, InvalidOption, StopReason};

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success, also with warnings.
    Done = 0,
    /// Failure.
    Failed = 1,
    /// Wrong usage: an unknown option, system or parameter.
    Usage = 2,
    /// Partial success: the refused items were named, the rest was done.
    Partial = 3,
    /// The site blocks or limits requests; try again later.
    Blocked = 4,
    /// Another process has locked the database.
    InUse = 5,
    /// Interrupted by Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Returns the outcome of a sync that stopped early; `None` if it did not.
    pub(crate) fn from_stopped(interrupted: bool, stop: Option<&StopReason>) -> Option<Self> {
        match stop {
            _ if interrupted => Some(Self::Interrupted),
            Some(reason) if reason.blocked => Some(Self::Blocked),
            Some(_) => Some(Self::Failed),
            None => None,
        }
    }

    /// Returns [`Exit::Done`] if `is_success`, else `self`.
    pub(crate) const fn unless(self, is_success: bool) -> Self {
        if is_success { Self::Done } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A usage error that clap cannot detect: the text with the advice.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUsage(pub(crate) String);

impl From<InvalidOption> for WrongUsage {
    fn from(invalid: InvalidOption) -> Self {
        Self(invalid.to_string())
    }
}

/// Returns the exit code for an error.
pub(crate) fn for_error(error: &anyhow::Error) -> Exit {
    if error.is::<WrongUsage>() {
        return Exit::Usage;
    }
    error.chain().find_map(for_cause).unwrap_or(Exit::Failed)
}

fn for_cause(cause: &(dyn Error + 'static)) -> Option<Exit> {
    use ranklore_ingest::Error as Ingest;
    use ranklore_publish::Error as Publish;
    use ranklore_replay::Error as Replay;
    use ranklore_store::Error as Store;
    if let Some(error) = cause.downcast_ref() {
        return match error {
            Ingest::Interrupted => Some(Exit::Interrupted),
            Ingest::Dataset(DatasetError::SeveralSources | DatasetError::UnknownTerms { .. }) => {
                Some(Exit::Usage)
            }
            // Transparent errors have the code of their source.
            Ingest::Store(error) => for_cause(error),
            Ingest::Replay(error) => for_cause(error),
            Ingest::Dataset(DatasetError::Publish(error)) => for_cause(error),
            _ => None,
        };
    }
    match cause.downcast_ref() {
        Some(Replay::Interrupted) => return Some(Exit::Interrupted),
        Some(
            Replay::NoSystem { .. }
            | Replay::InvalidParameters { .. }
            | Replay::InvalidSystemSpec { .. }
            | Replay::ConflictingSettings { .. }
            | Replay::MixedTeamModes { .. }
            | Replay::MixedAllTied { .. }
            | Replay::OverlappingEvents { .. }
            | Replay::NoSlice { .. },
        ) => return Some(Exit::Usage),
        Some(Replay::Store(error)) => return for_cause(error),
        _ => {}
    }
    match cause.downcast_ref() {
        Some(Publish::Interrupted) => return Some(Exit::Interrupted),
        Some(Publish::Busy { .. }) => return Some(Exit::InUse),
        _ => {}
    }
    matches!(cause.downcast_ref(), Some(Store::InUse { .. })).then_some(Exit::InUse)
}

/// True if the reader of the output has closed it, as `head` does. That is no error.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
