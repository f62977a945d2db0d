//! Accounts: current ratings and changed handles.

use std::borrow::Cow;
use std::collections::HashMap;

use ranklore_source::json::{Entry, valid_entries};
use ranklore_source::{Account, AccountRename, Request, SiteReadError, SiteReading};
use serde::Deserialize;

use crate::api_error::ApiError;
use crate::rating_changes::MAX_RATING;
use crate::requests;
use crate::response::{parse_response, parse_result, unexpected_error};

/// Maximum number of handles per request. The site accepts 10,000, but the key of the response
/// contains the whole request, and one unknown handle fails it.
pub const MAX_HANDLES_PER_REQUEST: usize = 1_000;

#[derive(Deserialize)]
struct User<'a> {
    #[serde(borrow)]
    handle: Cow<'a, str>,
    rating: Option<i32>,
}

/// Returns the requests for the current handles of these users: up to [`MAX_HANDLES_PER_REQUEST`]
/// each, every handle once, in order. Invalid handles (other than 3 to 24 letters, digits, `_`, `-`
/// and `.`) are left out, since one fails the whole request; team names are invalid.
///
/// The key of the response contains the whole request: ask only for users who are missing from
/// [`rated_users_request`](crate::rated_users_request).
///
/// Read as [`SiteReading::accounts`] and [`SiteReading::renamed`]. An unknown handle is read as
/// [`SiteReading::unknown`], and [`SiteReading::follow`] repeats the request without it.
#[must_use]
pub fn user_info_requests<'a>(handles: impl IntoIterator<Item = &'a str>) -> Vec<Request> {
    let mut handles: Vec<&str> = handles.into_iter().filter(|name| is_handle(name)).collect();
    handles.sort_unstable();
    handles.dedup();
    handles.chunks(MAX_HANDLES_PER_REQUEST).map(requests::user_info).collect()
}

fn is_handle(name: &str) -> bool {
    let mut bytes = name.bytes();
    (3..=24).contains(&name.len())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Returns the unknown handle as requested, and the request without it, unless no handle is left.
/// `None` if the handle was not requested: repeating the request would never end.
fn split_unknown_handle(handles: &[String], unknown: &str) -> Option<(String, Option<Request>)> {
    let (removed, remaining): (Vec<&str>, Vec<&str>) = handles
        .iter()
        .map(String::as_str)
        .partition(|handle| handle.eq_ignore_ascii_case(unknown));
    let request = (!remaining.is_empty()).then(|| requests::user_info(&remaining));
    Some(((*removed.first()?).to_owned(), request))
}

pub(crate) fn read_rated_users(key: &str, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    let mut reading = SiteReading::default();
    let accounts = parse_accounts(key, parse_result(key, body)?, &mut reading.refused)?;
    reading.accounts = accounts.into_iter().map(|(_, account)| account).collect();
    Ok(reading)
}

pub(crate) fn read_user_info(
    key: &str,
    body: &[u8],
    handles: &[String],
) -> Result<SiteReading, SiteReadError> {
    let users: Vec<Entry<User<'_>>> = match parse_response(key, body)? {
        Ok(users) => users,
        Err((refusal, comment)) => {
            // One unknown handle fails the whole request.
            let split = match &refusal {
                ApiError::UserNotFound(unknown) => split_unknown_handle(handles, unknown),
                _ => None,
            };
            let (unknown, request) = split.ok_or_else(|| unexpected_error(key, &comment))?;
            return Ok(SiteReading {
                unknown: vec![unknown],
                follow: request.into_iter().collect(),
                ..SiteReading::default()
            });
        }
    };
    let count = users.len();
    let requested = handles.len();
    if count != requested {
        let expected = format!("{requested} accounts, one for each handle, not {count}");
        return Err(SiteReadError::new(key, "result", expected));
    }
    let mut reading = SiteReading::default();
    let accounts = parse_accounts(key, users, &mut reading.refused)?;
    // Accounts come in the requested order: a requested handle that is still current must stand at
    // its own position.
    let position_of: HashMap<&str, usize> = handles.iter().map(String::as_str).zip(0..).collect();
    let names: HashMap<usize, &str> =
        accounts.iter().map(|(index, account)| (*index, &*account.name)).collect();
    for (index, Account { name, .. }) in &accounts {
        if let Some(position) = position_of.get(name.as_str())
            && names.get(position) != Some(&name.as_str())
        {
            let expected = format!("{name:?} at its requested position, result[{position}]");
            let at = format!("result[{index}].handle");
            return Err(SiteReadError::new(key, at, expected));
        }
    }
    reading.renamed = accounts
        .iter()
        .map(|(index, account)| (&handles[*index], account))
        .filter(|(from, account)| **from != account.name)
        .map(|(from, account)| AccountRename {
            from: from.clone(),
            to: account.name.clone(),
        })
        .collect();
    reading.accounts = accounts.into_iter().map(|(_, account)| account).collect();
    Ok(reading)
}

/// Returns the valid accounts with their indexes. Errors if no account is valid.
fn parse_accounts(
    key: &str,
    users: Vec<Entry<User<'_>>>,
    refused: &mut Vec<SiteReadError>,
) -> Result<Vec<(usize, Account)>, SiteReadError> {
    let mut accounts = Vec::with_capacity(users.len());
    for (index, user) in valid_entries(key, "result", users, refused) {
        match parse_account(user) {
            Ok(account) => accounts.push((index, account)),
            Err((field, expected)) => {
                let at = format!("result[{index}].{field}");
                refused.push(SiteReadError::new(key, at, expected));
            }
        }
    }
    if accounts.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    Ok(accounts)
}

/// Parses one account; errors with the invalid field and its expected form.
fn parse_account(user: User<'_>) -> Result<Account, (&'static str, String)> {
    if user.handle.is_empty() {
        return Err(("handle", "a handle, not an empty text".to_owned()));
    }
    if let Some(rating) = user.rating
        && !(-MAX_RATING..=MAX_RATING).contains(&rating)
    {
        let expected = format!("a rating within {MAX_RATING} of 0, not {rating}");
        return Err(("rating", expected));
    }
    Ok(Account {
        name: user.handle.into_owned(),
        rating: user.rating.map(f64::from),
    })
}
