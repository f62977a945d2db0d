//! Rules for the names of subreddits and users.

/// The author of a comment whose account is deleted.
pub(crate) const DELETED_AUTHOR: &str = "[deleted]";

/// The longest author name that is accepted. Those of the site end at 20 characters.
const MAX_NAME: usize = 64;

/// True for a valid author name: letters, digits, `_` and `-`.
pub(crate) fn is_author_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_name_byte)
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// True for a valid subreddit name: letters, digits and `_`. User pages are `u_` and the user name.
pub(crate) fn is_subreddit_name(name: &str) -> bool {
    (2..=32).contains(&name.len())
        && !name.starts_with(['_', '-'])
        && name.bytes().all(is_name_byte)
        && (!name.contains('-') || name.starts_with("u_"))
}

/// True if a subreddit is the page of a user, whose name would be in every contest there.
pub(crate) fn is_user_page(name: &str) -> bool {
    name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("u_"))
}

/// Formats an unexpected value for an error: quoted if it is as short as an id or a name, otherwise
/// its length only, so that no user text is quoted.
pub(crate) fn quote_short(text: &str) -> String {
    if text.len() <= 24 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        format!("{text:?}")
    } else {
        format!("{} other characters", text.chars().count())
    }
}
