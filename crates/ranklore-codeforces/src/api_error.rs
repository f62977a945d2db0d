//! Errors of the API: comments of FAILED responses.

/// An error of the API, parsed from its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ApiError {
    /// The contest is not rated.
    NotRated,
    /// The contest does not exist or is hidden.
    ContestNotFound,
    /// The contest has not started.
    NotStarted,
    /// The request needs authentication or another form.
    AccessDenied,
    /// No user has this handle.
    UserNotFound(String),
    /// The call limit is exceeded.
    CallLimitExceeded,
    /// Another error.
    Other,
}

impl ApiError {
    /// Parses a comment. Comments on several fields are joined by semicolons; the first known one
    /// counts.
    pub(crate) fn parse(comment: &str) -> Self {
        if comment.starts_with("Call limit exceeded") {
            return Self::CallLimitExceeded;
        }
        // An error about our API key says nothing about the contest.
        if comment.starts_with("apiKey:") || comment.starts_with("apiSig:") {
            return Self::Other;
        }
        let mut parts = comment.split(';').map(str::trim);
        parts.find_map(Self::parse_field).unwrap_or(Self::Other)
    }

    fn parse_field(comment: &str) -> Option<Self> {
        let (field, text) = comment.split_once(": ")?;
        match field {
            "contestId" if text.starts_with("Rating changes are unavailable") => {
                Some(Self::NotRated)
            }
            "contestId" if text.starts_with("Contest with id ") => {
                if text.ends_with(" not found") {
                    Some(Self::ContestNotFound)
                } else if text.ends_with(" has not started") {
                    Some(Self::NotStarted)
                } else {
                    None
                }
            }
            "contestId"
                if text.starts_with("You have to be authenticated")
                    || text.contains("available only via anonymous GET") =>
            {
                Some(Self::AccessDenied)
            }
            "handles" => {
                let rest = text.strip_prefix("User with handle ")?;
                let handle = rest.strip_suffix(" not found")?;
                Some(Self::UserNotFound(handle.to_owned()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_comments_are_parsed() {
        let nobody = |handle: &str| ApiError::UserNotFound(handle.to_owned());
        for (comment, refusal) in [
            ("contestId: Rating changes are unavailable for this contest", ApiError::NotRated),
            ("contestId: Contest with id 99999 not found", ApiError::ContestNotFound),
            ("contestId: Contest with id 1007 has not started", ApiError::NotStarted),
            (
                "contestId: You have to be authenticated to use this method",
                ApiError::AccessDenied,
            ),
            (
                "contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters",
                ApiError::AccessDenied,
            ),
            ("handles: User with handle no_one not found", nobody("no_one")),
            ("Call limit exceeded", ApiError::CallLimitExceeded),
            (
                "apiKey: Incorrect API key;onlyOnline: You have to be authenticated to use this method",
                ApiError::Other,
            ),
            (
                "handles: Field should contain between 3 and 24 characters, inclusive",
                ApiError::Other,
            ),
            ("handle: User with handle no_one not found", ApiError::Other),
            ("", ApiError::Other),
            ("something new", ApiError::Other),
        ] {
            assert_eq!(ApiError::parse(comment), refusal, "{comment}");
        }
    }
}
