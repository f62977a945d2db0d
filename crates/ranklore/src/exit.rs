//! Exit codes: what scripts learn from a command.

use std::process::ExitCode;

use ranklore_ingest::{DatasetError, InvalidOption};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done; warnings included.
    Done = 0,
    /// Nothing came of it.
    Failed = 1,
    /// The command was not one: an option, a system or a parameter that there is not.
    Usage = 2,
    /// Something was refused, each named; the rest was done.
    InPart = 3,
    /// The site does not want to be asked now: later it may.
    Blocked = 4,
    /// Another process holds the file.
    InUse = 5,
    /// Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Returns [`Exit::Done`] if all went well, else this.
    pub(crate) const fn unless(self, well: bool) -> Self {
        if well { Self::Done } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A command that could not have been meant, for a reason that only its code knows: in words, with
/// what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUsage(pub(crate) String);

impl From<InvalidOption> for WrongUsage {
    fn from(invalid: InvalidOption) -> Self {
        Self(invalid.to_string())
    }
}

/// The code an error ends with.
pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
    if error.is::<WrongUsage>() {
        return Exit::Usage;
    }
    for cause in error.chain() {
        match cause.downcast_ref() {
            Some(ranklore_ingest::Error::Interrupted) => return Exit::Interrupted,
            Some(ranklore_ingest::Error::Dataset(
                DatasetError::SeveralSources | DatasetError::UnknownTerms { .. },
            )) => return Exit::Usage,
            Some(ranklore_ingest::Error::Store(ranklore_store::Error::InUse { .. })) => {
                return Exit::InUse;
            }
            _ => {}
        }
        let replay = match cause.downcast_ref() {
            Some(ranklore_ingest::Error::Replay(error)) => Some(error),
            _ => cause.downcast_ref(),
        };
        match replay {
            Some(ranklore_replay::Error::Interrupted) => return Exit::Interrupted,
            Some(
                ranklore_replay::Error::NoSystem { .. } | ranklore_replay::Error::Parameters { .. },
            ) => return Exit::Usage,
            Some(ranklore_replay::Error::Store(ranklore_store::Error::InUse { .. })) => {
                return Exit::InUse;
            }
            _ => {}
        }
        if let Some(ranklore_store::Error::InUse { .. }) = cause.downcast_ref() {
            return Exit::InUse;
        }
        let publish = match cause.downcast_ref() {
            Some(ranklore_ingest::Error::Dataset(DatasetError::Publish(error))) => Some(error),
            _ => cause.downcast_ref(),
        };
        match publish {
            Some(ranklore_publish::Error::Interrupted) => return Exit::Interrupted,
            Some(ranklore_publish::Error::Busy { .. }) => return Exit::InUse,
            _ => {}
        }
    }
    Exit::Failed
}

/// Whether the reader of the output has gone, as `| head` does: no error of ours.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
