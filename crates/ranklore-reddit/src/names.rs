//! What subreddits and people can be called.

/// Stands in the place of an author whose account is deleted.
pub(crate) const DELETED: &str = "[deleted]";

/// The longest name that is read. Those of the site end at 20.
const MAX_NAME: usize = 64;

/// Letters, digits, `_` and `-`.
pub(crate) fn is_author(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(allowed)
}

/// Letters, digits and `_`; pages of people are `u_` and their name.
pub(crate) fn is_subreddit(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (2..=32).contains(&name.len())
        && !name.starts_with(['_', '-'])
        && name.bytes().all(allowed)
        && (!name.contains('-') || name.starts_with("u_"))
}

/// Whether a subreddit is the page of a person, under whose name everything there would stand.
pub(crate) fn is_page_of_somebody(name: &str) -> bool {
    name.get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("u_"))
}

/// What stands where a number or a name is due, for an error: as it is if it is as short as one,
/// and what somebody wrote never.
pub(crate) fn shown(text: &str) -> String {
    if text.len() <= 24 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        format!("{text:?}")
    } else {
        format!("{} characters of something else", text.chars().count())
    }
}
