//! Requests that cannot be answered: the status, a message for people, and links to try instead.

use std::error::Error;
use std::fmt::Write as _;

use axum::http::StatusCode;
use ranklore_replay::{Error as ReplayError, RunSelection};
use ranklore_store::Error as StoreError;

use crate::paths::SourcePage;

/// The reason why a request has no answer. The message names no file of the server.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// Texts to choose from, some with a link.
    pub(crate) choices: Vec<Choice>,
}

/// An alternative to what was requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) text: String,
    pub(crate) link: Option<String>,
}

impl Choice {
    pub(crate) fn with_link(text: impl Into<String>, link: String) -> Self {
        Self {
            text: text.into(),
            link: Some(link),
        }
    }
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            choices: Vec::new(),
        }
    }

    /// Reports a parameter that cannot be parsed.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Reports a server that can answer later.
    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Reports a fault of the server. The cause goes to the log only, since it can name files.
    pub(crate) fn internal(cause: &dyn Error) -> Self {
        let mut causes = cause.to_string();
        let mut inner = cause.source();
        while let Some(cause) = inner {
            // Writing to a string does not fail.
            let _ = write!(causes, ": {cause}");
            inner = cause.source();
        }
        tracing::error!("a request failed: {causes}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the server cannot answer this request; its log has the reason",
        )
    }

    pub(crate) fn with_choices(mut self, choices: impl IntoIterator<Item = Choice>) -> Self {
        self.choices.extend(choices);
        self
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing { .. } | StoreError::Empty { .. } => {
                Self::unavailable("the database has no data yet; try again after the first import")
            }
            StoreError::InUse { .. } => Self::unavailable(
                "another program is rebuilding the database; try again in a minute",
            ),
            // Its client has the answer that the time is up.
            StoreError::Interrupted { .. } => Self::unavailable("the answer took too long"),
            error => Self::internal(&error),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        let status = match &error {
            ReplayError::NoSystem { .. }
            | ReplayError::InvalidParameters { .. }
            | ReplayError::InvalidSystemSpec { .. }
            | ReplayError::ConflictingSettings { .. }
            | ReplayError::FieldSize { .. }
            | ReplayError::NoWinModel { .. }
            | ReplayError::TeamOfMembers { .. }
            | ReplayError::SourceMismatch { .. } => StatusCode::BAD_REQUEST,
            ReplayError::NoRun { .. }
            | ReplayError::NotRated { .. }
            | ReplayError::NotRatedBySystem { .. }
            | ReplayError::OnlyPartialRuns { .. }
            | ReplayError::NoSlice { .. }
            | ReplayError::NotEnded { .. } => StatusCode::NOT_FOUND,
            // The message names the file.
            ReplayError::NoSource { name, .. } => {
                return Self::not_found(format!("there is no source \"{name}\""));
            }
            _ => match error {
                ReplayError::Store(error) => return error.into(),
                error => return Self::internal(&error),
            },
        };
        let candidates = error.candidates().into_iter();
        let candidates = candidates.map(|text| Choice { text, link: None });
        let failure = Self::new(status, error.to_string()).with_choices(candidates);
        match error {
            ReplayError::NotRated { selection }
            | ReplayError::OnlyPartialRuns { selection, .. } => {
                failure.with_choices(unrated_choices(&selection))
            }
            _ => failure,
        }
    }
}

/// Returns what there is of sources without a run over all contests.
fn unrated_choices(selection: &RunSelection) -> impl Iterator<Item = Choice> {
    let rate = format!("To rate: ranklore rate {}", selection.format_sources());
    let rate = Choice {
        text: rate,
        link: None,
    };
    let lists = selection.sources.iter().flat_map(|source| {
        let source = source.as_str();
        [
            Choice::with_link(format!("Contests of {source}"), SourcePage::Contests.path(source)),
            Choice::with_link(format!("Competitors of {source}"), SourcePage::Players.path(source)),
        ]
    });
    std::iter::once(rate).chain(lists)
}
