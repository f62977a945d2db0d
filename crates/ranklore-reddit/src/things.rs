//! The JSON types of the API: listings of things, each with a kind.

use std::borrow::Cow;
use std::fmt;

use ranklore_contest::UnixSeconds;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A string that borrows from the document; `Option<Cow>` would copy it.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct BorrowedText<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// `{"kind": "Listing", "data": {"children": […], "after": …}}`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(crate) struct ThingListing<'a, T> {
    #[serde(rename = "kind")]
    _kind: ListingKind,
    #[serde(borrow)]
    pub(crate) data: ListingData<'a, T>,
}

#[derive(Deserialize)]
enum ListingKind {
    Listing,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, 'de: 'a"))]
pub(crate) struct ListingData<'a, T> {
    pub(crate) children: Vec<T>,
    /// Null on the last page, never missing.
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    pub(crate) after: Option<BorrowedText<'a>>,
}

/// `{"kind": "t1", "data": {…}}`.
#[derive(Deserialize)]
pub(crate) struct Thing<D> {
    pub(crate) kind: ThingKind,
    pub(crate) data: D,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum ThingKind {
    /// A comment.
    #[serde(rename = "t1")]
    Comment,
    /// A thread.
    #[serde(rename = "t3")]
    Thread,
    /// Comments that are left out here.
    #[serde(rename = "more")]
    More,
}

impl ThingKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Comment => "t1",
            Self::Thread => "t3",
            Self::More => "more",
        }
    }
}

/// The fields of a thread on a page of threads. Only kept fields are read, so that a dropped one
/// cannot cause an error.
#[derive(Deserialize)]
pub(crate) struct ThreadHead<'a> {
    #[serde(borrow)]
    pub(crate) id: BorrowedText<'a>,
    #[serde(borrow)]
    pub(crate) subreddit: Option<BorrowedText<'a>>,
    pub(crate) created_utc: Option<f64>,
}

/// The fields of all kinds of things in a thread. The kind decides which of them are required.
#[derive(Deserialize)]
pub(crate) struct ThingData<'a> {
    #[serde(borrow)]
    pub(crate) id: BorrowedText<'a>,
    #[serde(borrow)]
    pub(crate) author: Option<BorrowedText<'a>>,
    #[serde(borrow)]
    pub(crate) subreddit: Option<BorrowedText<'a>>,
    #[serde(borrow)]
    pub(crate) link_id: Option<BorrowedText<'a>>,
    #[serde(borrow)]
    pub(crate) parent_id: Option<BorrowedText<'a>>,
    pub(crate) score: Option<i64>,
    pub(crate) score_hidden: Option<bool>,
    #[serde(borrow)]
    pub(crate) replies: Option<Replies<'a>>,
    #[serde(borrow)]
    pub(crate) children: Option<Vec<BorrowedText<'a>>>,
    /// The number of comments in the thread; missing in answers archived before it was kept.
    pub(crate) num_comments: Option<u32>,
}

/// A listing, or `""` if there are no replies.
pub(crate) struct Replies<'a>(pub(crate) Option<Box<CommentListing<'a>>>);

/// A listing of comments.
pub(crate) type CommentListing<'a> = ThingListing<'a, Thing<ThingData<'a>>>;

impl<'de: 'a, 'a> Deserialize<'de> for Replies<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Replies<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a listing, or \"\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                if text.is_empty() {
                    Ok(Replies(None))
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Str(text), &self))
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let listing = CommentListing::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Replies(Some(Box::new(listing))))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// `{"json": {"errors": [], "data": {"things": […]}}}`.
#[derive(Deserialize)]
pub(crate) struct MoreChildrenResponse<'a> {
    #[serde(borrow)]
    pub(crate) json: MoreChildrenBody<'a>,
}

#[derive(Deserialize)]
pub(crate) struct MoreChildrenBody<'a> {
    pub(crate) errors: Vec<IgnoredAny>,
    #[serde(borrow)]
    pub(crate) data: Option<MoreChildrenData<'a>>,
}

#[derive(Deserialize)]
pub(crate) struct MoreChildrenData<'a> {
    #[serde(borrow)]
    pub(crate) things: Vec<Thing<ThingData<'a>>>,
}

/// Converts a time that the site writes as a float with whole seconds, such as `1439797480.0`.
pub(crate) fn whole_seconds(seconds: f64) -> Option<UnixSeconds> {
    // Larger numbers are no times and not exact.
    let is_integer = seconds.fract() == 0.0 && (0.0..1e15).contains(&seconds);
    UnixSeconds::new(seconds as i64).filter(|_| is_integer)
}
