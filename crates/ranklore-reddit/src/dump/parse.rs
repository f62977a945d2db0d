//! Parses one line of a dump.

use std::borrow::Cow;
use std::fmt;

use ranklore_contest::UnixSeconds;
use ranklore_source::{SiteReadError, json};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use super::record::{Record, RecordKey, RecordKind};
use crate::id::ThingId;
use crate::names::{DELETED_AUTHOR, is_author_name, is_subreddit_name, quote_short};
use crate::tally::check_score as score_of;
use crate::things::{BorrowedText, whole_seconds};
use crate::thread::check_created;

#[derive(Deserialize)]
struct LineJson<'a> {
    #[serde(borrow)]
    id: BorrowedText<'a>,
    #[serde(borrow)]
    subreddit: BorrowedText<'a>,
    /// Null or missing if the account was deleted long ago.
    #[serde(borrow)]
    author: Option<BorrowedText<'a>>,
    score: i64,
    /// Missing in older dumps.
    score_hidden: Option<bool>,
    created_utc: LineTime,
    /// The time of retrieval from the site; missing in some dumps.
    retrieved_on: Option<LineTime>,
    /// Comments only.
    #[serde(borrow)]
    link_id: Option<BorrowedText<'a>>,
}

/// Seconds since 1970: `1439797480`, `1439797480.0` or, in the oldest dumps, `"1439797480"`.
struct LineTime(UnixSeconds);

impl<'de> Deserialize<'de> for LineTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimeVisitor;
        impl Visitor<'_> for TimeVisitor {
            type Value = LineTime;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("whole seconds since 1970, up to the year 2199")
            }

            fn visit_u64<E: Error>(self, seconds: u64) -> Result<LineTime, E> {
                let at = i64::try_from(seconds).ok().and_then(UnixSeconds::new);
                at.map(LineTime).ok_or_else(|| {
                    E::invalid_value(serde::de::Unexpected::Unsigned(seconds), &self)
                })
            }

            fn visit_f64<E: Error>(self, seconds: f64) -> Result<LineTime, E> {
                let time = whole_seconds(seconds).map(LineTime);
                let value = serde::de::Unexpected::Float(seconds);
                time.ok_or_else(|| E::invalid_value(value, &self))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<LineTime, E> {
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let seconds = text.parse().ok().filter(|_| digits);
                let at = seconds.and_then(UnixSeconds::new);
                at.map(LineTime).ok_or_else(|| E::custom("a time in text has digits alone"))
            }
        }
        deserializer.deserialize_any(TimeVisitor)
    }
}

/// The error of an unreadable line.
pub(crate) enum LineError<'l> {
    /// Not a matching JSON object; parsing it again gives the place.
    Json(&'l [u8]),
    /// An invalid field, and what was expected.
    Field(&'static str, String),
}

impl LineError<'_> {
    /// Returns the error for the line named `document`.
    pub(crate) fn to_read_error(&self, document: &str) -> SiteReadError {
        match self {
            Self::Json(line) => match json::parse::<LineJson<'_>>(document, line) {
                Err(error) => error,
                Ok(_) => SiteReadError::whole_document(document, "a line of an archive"),
            },
            Self::Field(field, expected) => SiteReadError::new(document, *field, expected),
        }
    }
}

/// A thread or a comment on one line.
#[derive(Debug)]
pub(crate) struct ParsedLine<'l> {
    pub(crate) subreddit: Cow<'l, str>,
    thread: ThingId,
    comment: Option<ThingId>,
    author: Option<Cow<'l, str>>,
    score: i64,
    hidden: bool,
    created: UnixSeconds,
    retrieved: Option<UnixSeconds>,
}

/// Parses a line. Lines of threads have no `link_id`.
pub(crate) fn parse_line(line: &[u8]) -> Result<ParsedLine<'_>, LineError<'_>> {
    let raw: LineJson<'_> = serde_json::from_slice(line).map_err(|_| LineError::Json(line))?;
    let wrong = |field, expected: &str, text: &str| {
        LineError::Field(field, format!("{expected}, not {}", quote_short(text)))
    };
    let id =
        ThingId::parse(&raw.id.0).ok_or_else(|| wrong("id", "a number as 3hahrw", &raw.id.0))?;
    let (thread, comment) = match &raw.link_id {
        None => (id, None),
        Some(link) => {
            let thread = ThingId::from_full_name("t3_", &link.0)
                .ok_or_else(|| wrong("link_id", "a thread as t3_3hahrw", &link.0))?;
            (thread, Some(id))
        }
    };
    if !is_subreddit_name(&raw.subreddit.0) {
        return Err(wrong("subreddit", "a subreddit name", &raw.subreddit.0));
    }
    let score = score_of(raw.score).map_err(|expected| LineError::Field("score", expected))?;
    if comment.is_none() {
        check_created(Some(raw.created_utc.0))
            .map_err(|expected| LineError::Field("created_utc", expected.to_owned()))?;
    }
    let author = raw.author.map(|author| author.0);
    let author = author.filter(|author| author != DELETED_AUTHOR);
    if let Some(author) = author.as_deref().filter(|author| !is_author_name(author)) {
        return Err(wrong("author", "an author name", author));
    }
    Ok(ParsedLine {
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

impl ParsedLine<'_> {
    /// Returns the record to sort. `line` is the line number over all files.
    pub(crate) fn into_record(self, line: u64) -> Record {
        let (kind, text) = match (self.comment, self.author) {
            (None, _) => (RecordKind::Thread, self.subreddit),
            (Some(_), None) => (RecordKind::Deleted, Cow::Borrowed("")),
            (Some(_), Some(_)) if self.hidden => (RecordKind::Hidden, Cow::Borrowed("")),
            (Some(_), Some(author)) => (RecordKind::Comment, author),
        };
        Record {
            key: RecordKey {
                thread: self.thread.get(),
                comment: self.comment.map_or(0, ThingId::get),
                // Times are never before 1970.
                retrieved: self.retrieved.map_or(0, |at| at.get().cast_unsigned()),
                line,
            },
            kind,
            score: self.score,
            created: self.created.get(),
            text: text.into_owned(),
        }
    }
}
