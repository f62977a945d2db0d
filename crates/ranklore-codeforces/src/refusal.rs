//! Errors of the API: comments of FAILED responses.

/// An error of the API, parsed from its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The contest is not rated.
    NotRated,
    /// The contest does not exist or is hidden.
    NoSuchContest,
    /// The contest has not started.
    NotStarted,
    /// The request needs authentication or another form.
    Closed,
    /// No user has this handle.
    NoSuchAccount(String),
    /// The call limit is exceeded.
    TooOften,
    /// Another error.
    Other,
}

impl Refusal {
    /// Parses a comment. Comments on several fields are joined by semicolons; the first known one
    /// counts.
    pub(crate) fn of(comment: &str) -> Self {
        if comment.starts_with("Call limit exceeded") {
            return Self::TooOften;
        }
        // An error about our API key says nothing about the contest.
        if comment.starts_with("apiKey:") || comment.starts_with("apiSig:") {
            return Self::Other;
        }
        let said = comment.split(';').map(str::trim);
        let mut known = said.filter_map(Self::of_field);
        known.next().unwrap_or(Self::Other)
    }

    fn of_field(comment: &str) -> Option<Self> {
        let (field, text) = comment.split_once(": ")?;
        match field {
            "contestId" if text.starts_with("Rating changes are unavailable") => {
                Some(Self::NotRated)
            }
            "contestId" if text.starts_with("Contest with id ") => {
                if text.ends_with(" not found") {
                    Some(Self::NoSuchContest)
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
                Some(Self::Closed)
            }
            "handles" => {
                let rest = text.strip_prefix("User with handle ")?;
                let handle = rest.strip_suffix(" not found")?;
                Some(Self::NoSuchAccount(handle.to_owned()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_mean_what_they_say() {
        let nobody = |handle: &str| Refusal::NoSuchAccount(handle.to_owned());
        for (comment, refusal) in [
            (
                "contestId: Rating changes are unavailable for this contest",
                Refusal::NotRated,
            ),
            (
                "contestId: Contest with id 99999 not found",
                Refusal::NoSuchContest,
            ),
            (
                "contestId: Contest with id 1007 has not started",
                Refusal::NotStarted,
            ),
            (
                "contestId: You have to be authenticated to use this method",
                Refusal::Closed,
            ),
            (
                "contestId: Non-gym contest standings for non-admin users are available only via anonymous GET requests with no extra parameters",
                Refusal::Closed,
            ),
            (
                "handles: User with handle no_one not found",
                nobody("no_one"),
            ),
            ("Call limit exceeded", Refusal::TooOften),
            (
                "apiKey: Incorrect API key;onlyOnline: You have to be authenticated to use this method",
                Refusal::Other,
            ),
            (
                "handles: Field should contain between 3 and 24 characters, inclusive",
                Refusal::Other,
            ),
            ("handle: User with handle no_one not found", Refusal::Other),
            ("", Refusal::Other),
            ("something new", Refusal::Other),
        ] {
            assert_eq!(Refusal::of(comment), refusal, "{comment}");
        }
    }
}
