//! Parses one line of an archive.

use std::borrow::Cow;
use std::fmt;

use ranklore_contest::UnixSeconds;
use ranklore_source::{ReadError, json};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use super::record::{Key, Record, What};
use crate::id::Id;
use crate::names::{DELETED, is_author, is_subreddit, shown};
use crate::tally::score as score_of;
use crate::thing::{Text, moment};
use crate::thread::created;

#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    subreddit: Text<'a>,
    /// Null or missing if the account was deleted long ago.
    #[serde(borrow)]
    author: Option<Text<'a>>,
    score: i64,
    /// Missing in older archives.
    score_hidden: Option<bool>,
    created_utc: Moment,
    /// The time when the archive retrieved it; missing in some archives.
    retrieved_on: Option<Moment>,
    /// Comments only.
    #[serde(borrow)]
    link_id: Option<Text<'a>>,
}

/// Seconds since 1970: `1439797480`, `1439797480.0` or, in the oldest archives, `"1439797480"`.
struct Moment(UnixSeconds);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyForm;
        impl Visitor<'_> for AnyForm {
            type Value = Moment;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("whole seconds since 1970, up to the year 2199")
            }

            fn visit_u64<E: Error>(self, seconds: u64) -> Result<Moment, E> {
                let at = i64::try_from(seconds).ok().and_then(UnixSeconds::new);
                at.map(Moment).ok_or_else(|| {
                    E::invalid_value(serde::de::Unexpected::Unsigned(seconds), &self)
                })
            }

            fn visit_f64<E: Error>(self, seconds: f64) -> Result<Moment, E> {
                let wrong = || E::invalid_value(serde::de::Unexpected::Float(seconds), &self);
                moment(seconds).map(Moment).ok_or_else(wrong)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Moment, E> {
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let seconds = text.parse().ok().filter(|_| digits);
                let at = seconds.and_then(UnixSeconds::new);
                at.map(Moment)
                    .ok_or_else(|| E::custom("a time in text has digits alone"))
            }
        }
        deserializer.deserialize_any(AnyForm)
    }
}

/// The error of an unreadable line.
pub(crate) enum Wrong<'l> {
    /// Not a matching JSON object; parsing it again gives the place.
    Form(&'l [u8]),
    /// An invalid field, and what was expected.
    Field(&'static str, String),
}

impl Wrong<'_> {
    /// Returns the error for the line named `document`.
    pub(crate) fn at(&self, document: &str) -> ReadError {
        match self {
            Self::Form(line) => match json::parse::<Raw<'_>>(document, line) {
                Err(error) => error,
                Ok(_) => ReadError::whole(document, "a line of an archive"),
            },
            Self::Field(field, expected) => ReadError::new(document, *field, expected),
        }
    }
}

/// A thread or a comment on one line.
#[derive(Debug)]
pub(crate) struct Found<'l> {
    pub(crate) subreddit: Cow<'l, str>,
    thread: Id,
    comment: Option<Id>,
    author: Option<Cow<'l, str>>,
    score: i64,
    hidden: bool,
    created: UnixSeconds,
    retrieved: Option<UnixSeconds>,
}

/// Parses a line. Lines of threads have no `link_id`.
pub(crate) fn read(line: &[u8]) -> Result<Found<'_>, Wrong<'_>> {
    let raw: Raw<'_> = serde_json::from_slice(line).map_err(|_| Wrong::Form(line))?;
    let wrong = |field, what: &str, found: &str| {
        Wrong::Field(field, format!("{what}, not {}", shown(found)))
    };
    let id = Id::parse(&raw.id.0).ok_or_else(|| wrong("id", "a number as 3hahrw", &raw.id.0))?;
    let (thread, comment) = match &raw.link_id {
        None => (id, None),
        Some(link) => {
            let thread = Id::of_name("t3_", &link.0);
            let thread =
                thread.ok_or_else(|| wrong("link_id", "a thread as t3_3hahrw", &link.0))?;
            (thread, Some(id))
        }
    };
    if !is_subreddit(&raw.subreddit.0) {
        return Err(wrong("subreddit", "a subreddit name", &raw.subreddit.0));
    }
    let score = score_of(raw.score).map_err(|expected| Wrong::Field("score", expected))?;
    if comment.is_none() {
        let wrong = |expected: &str| Wrong::Field("created_utc", expected.to_owned());
        created(Some(raw.created_utc.0)).map_err(wrong)?;
    }
    let author = raw.author.map(|author| author.0);
    let author = author.filter(|author| author != DELETED);
    if let Some(author) = author.as_deref().filter(|author| !is_author(author)) {
        return Err(wrong("author", "an author name", author));
    }
    Ok(Found {
        subreddit: raw.subreddit.0,
        thread,
        comment,
        author,
        score,
        hidden: raw.score_hidden == Some(true),
        created: raw.created_utc.0,
        retrieved: raw.retrieved_on.map(|at| at.0),
    })
}

impl Found<'_> {
    /// Returns the record to sort. `line` is the line number over all files.
    pub(crate) fn record(self, line: u64) -> Record {
        let (what, text) = match (self.comment, self.author) {
            (None, _) => (What::Thread, self.subreddit),
            (Some(_), None) => (What::Deleted, Cow::Borrowed("")),
            (Some(_), Some(_)) if self.hidden => (What::Hidden, Cow::Borrowed("")),
            (Some(_), Some(author)) => (What::Comment, author),
        };
        Record {
            key: Key {
                thread: self.thread.get(),
                comment: self.comment.map_or(0, Id::get),
                // Times are never before 1970.
                retrieved: self.retrieved.map_or(0, |at| at.get().cast_unsigned()),
                line,
            },
            what,
            score: self.score,
            created: self.created.get(),
            text: text.into_owned(),
        }
    }
}
