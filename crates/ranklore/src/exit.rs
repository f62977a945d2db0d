//! Exit codes: what scripts learn from a command.

use std::error::Error;
use std::process::ExitCode;

use ranklore_ingest::{DatasetError, InvalidOption, StopReason};

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
    /// The code of requests to a site that ended before their end.
    pub(crate) fn of_stopped(interrupted: bool, stopped: Option<&StopReason>) -> Option<Self> {
        match stopped {
            _ if interrupted => Some(Self::Interrupted),
            Some(stopped) if stopped.blocked => Some(Self::Blocked),
            Some(_) => Some(Self::Failed),
            None => None,
        }
    }

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
    error.chain().find_map(of_cause).unwrap_or(Exit::Failed)
}

fn of_cause(cause: &(dyn Error + 'static)) -> Option<Exit> {
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
            // What passes on the words of another error is that error.
            Ingest::Store(error) => of_cause(error),
            Ingest::Replay(error) => of_cause(error),
            Ingest::Dataset(DatasetError::Publish(error)) => of_cause(error),
            _ => None,
        };
    }
    match cause.downcast_ref() {
        Some(Replay::Interrupted) => return Some(Exit::Interrupted),
        Some(Replay::NoSystem { .. } | Replay::InvalidParameters { .. }) => {
            return Some(Exit::Usage);
        }
        Some(Replay::Store(error)) => return of_cause(error),
        _ => {}
    }
    match cause.downcast_ref() {
        Some(Publish::Interrupted) => return Some(Exit::Interrupted),
        Some(Publish::Busy { .. }) => return Some(Exit::InUse),
        _ => {}
    }
    matches!(cause.downcast_ref(), Some(Store::InUse { .. })).then_some(Exit::InUse)
}

/// Whether the reader of the output has gone, as `| head` does: no error of ours.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
