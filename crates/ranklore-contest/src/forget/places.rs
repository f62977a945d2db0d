//! Where in a contest file a string stands, as its reader takes it.

use std::borrow::Cow;
use std::ops::Range;

use super::strings::{closing_quote, decode};

/// Members that the reader knows, and those of them that have texts which are nobody's name.
struct Members {
    known: &'static [&'static str],
    own: &'static [&'static str],
}

/// Of a contest.
const OF_CONTEST: Members = Members {
    known: &[
        "name",
        "id",
        "url",
        "time_seconds",
        "weight",
        "perf_ceiling",
        "event",
        "division",
        "ordinal",
        "starts_at",
        "site_weight",
        "standings",
        ENTRANTS,
        "state",
        "rated",
        COMPETITORS,
    ],
    own: &["name", "id", "url", "event", "division", "state"],
};

/// Of an entrant, in an array in a contest.
const OF_ENTRANT: Members = Members {
    known: &["kind", "status", "score", "penalty", "members"],
    own: &["kind", "status"],
};

/// Of a competitor, in an array in a contest.
const OF_COMPETITOR: Members = Members {
    known: &[
        COMPETITOR,
        KIND,
        NAME,
        "start_mu",
        "start_sigma",
        MERGED_INTO,
    ],
    own: &[KIND],
};

const ENTRANTS: &str = "entrants";
const COMPETITORS: &str = "competitors";
const COMPETITOR: &str = "competitor";
const KIND: &str = "kind";
const NAME: &str = "name";
const MERGED_INTO: &str = "merged_into";

/// How the reader takes a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// For something else than the name of a person.
    Claimed,
    /// It may be what identifies a person.
    Open,
    /// For what a competitor is called.
    Called,
    /// Not at all.
    Unread,
}

/// A string, be it a key or a value.
pub(super) struct Text<'b> {
    /// From its quote to behind its other quote.
    pub(super) range: Range<usize>,
    pub(super) string: Cow<'b, str>,
    pub(super) place: Place,
}

/// Somebody of whom a contest tells beside the results.
#[derive(Default)]
pub(super) struct Somebody {
    /// What identifies it: one, unless the file is wrong.
    pub(super) ids: Vec<String>,
    kinds: Vec<String>,
}

impl Somebody {
    /// Whether it is a person, as far as can be told.
    pub(super) fn is_person(&self) -> bool {
        self.kinds.is_empty()
            || self
                .kinds
                .iter()
                .any(|kind| kind != "team" && kind != "couple")
    }

    /// Reads the object that begins here.
    fn at(bytes: &[u8], begin: usize) -> Self {
        let mut found = Self::default();
        let (mut at, mut depth) = (begin, 0_usize);
        let mut member = None;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' if depth <= 1 => break,
                b']' | b'}' => depth -= 1,
                b'"' => {
                    let end = closing_quote(bytes, at + 1);
                    let string = decode(&bytes[at + 1..end]);
                    if depth > 1 {
                        // It says of something else.
                    } else if is_key(bytes, end) {
                        member = OF_COMPETITOR.known(&string);
                    } else if member == Some(COMPETITOR) {
                        found.ids.push(string.into_owned());
                    } else if member == Some(KIND) {
                        found.kinds.push(string.into_owned());
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }
}

impl Members {
    fn known(&self, key: &str) -> Option<&'static str> {
        self.known.iter().copied().find(|known| *known == key)
    }

    fn place_of_key(known: Option<&str>) -> Place {
        known.map_or(Place::Unread, |_| Place::Claimed)
    }

    fn place_of_value(&self, of: Option<&str>) -> Place {
        match of {
            None => Place::Unread,
            Some(member) if self.own.contains(&member) => Place::Claimed,
            Some(_) => Place::Open,
        }
    }
}

/// Tells of every string of what is known to be JSON, with whom it tells of, where it stands in
/// what is said of a competitor.
pub(super) fn each_string<'b>(bytes: &'b [u8], mut told: impl FnMut(Text<'b>, Option<&Somebody>)) {
    let begin = bytes.iter().find(|b| matches!(b, b'[' | b'{'));
    let of_contest = if begin == Some(&b'[') { 2 } else { 1 };
    let of_entry = of_contest + 2;
    let (mut at, mut depth) = (0, 0_usize);
    // The last member of the contest, and of the entrant or competitor.
    let (mut member, mut of_it) = (None, None);
    let mut somebody = None;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                if depth == of_contest {
                    member = None;
                } else if depth == of_entry {
                    of_it = None;
                    let is_somebody = *byte == b'{' && member == Some(COMPETITORS);
                    somebody = is_somebody.then(|| Somebody::at(bytes, at));
                }
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth < of_entry {
                    somebody = None;
                }
            }
            b'"' => {
                let end = closing_quote(bytes, at + 1);
                let string = decode(&bytes[at + 1..end]);
                let is_key = is_key(bytes, end);
                let entries = match member {
                    Some(ENTRANTS) => Some(OF_ENTRANT),
                    Some(COMPETITORS) => Some(OF_COMPETITOR),
                    _ => None,
                };
                let place = match entries {
                    _ if depth < of_contest => Place::Open,
                    _ if depth == of_contest && is_key => {
                        member = OF_CONTEST.known(&string);
                        Members::place_of_key(member)
                    }
                    _ if depth == of_contest => OF_CONTEST.place_of_value(member),
                    None if member.is_none() => Place::Unread,
                    Some(members) if depth == of_entry && is_key => {
                        of_it = members.known(&string);
                        Members::place_of_key(of_it)
                    }
                    Some(members) if depth >= of_entry => match (&somebody, of_it) {
                        (Some(_), Some(NAME)) => Place::Called,
                        (Some(of), Some(COMPETITOR | MERGED_INTO)) if !of.is_person() => {
                            Place::Claimed
                        }
                        _ if depth == of_entry => members.place_of_value(of_it),
                        (_, None) => Place::Unread,
                        _ => Place::Open,
                    },
                    _ => Place::Open,
                };
                let range = at..bytes.len().min(end + 1);
                let text = Text {
                    range,
                    string,
                    place,
                };
                told(text, somebody.as_ref());
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether the string with this closing quote is a key.
pub(super) fn is_key(bytes: &[u8], closing_quote: usize) -> bool {
    let mut next = bytes[closing_quote..].iter().skip(1);
    next.find(|b| !b.is_ascii_whitespace()) == Some(&b':')
}
