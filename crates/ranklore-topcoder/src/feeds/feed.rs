//! Streaming reader of XML feeds: rows of text fields.
//!
//! Refuses everything else: nested elements, document types (so there are no entities but those of
//! XML), comments, attributes.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesDecl, BytesRef, Event};
use ranklore_source::ReadError;

use crate::values::text::{Encoding, form};

/// Text of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text<'a> {
    /// The bytes as in the document.
    Raw(&'a [u8]),
    /// The text with references resolved.
    Resolved(String),
}

impl Text<'_> {
    /// Returns the bytes, to parse numbers from.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Raw(bytes) => bytes,
            Self::Resolved(text) => text.as_bytes(),
        }
    }
}

/// A field of a row.
pub(crate) struct Field<'a> {
    pub(crate) name: &'a [u8],
    /// Empty if the site gives no value.
    pub(crate) text: Text<'a>,
    /// Byte range of the field in the document, tags included.
    pub(crate) range: Range<usize>,
}

/// An event of the reader.
pub(crate) enum Part<'a> {
    /// A row starts.
    Row,
    Field(Field<'a>),
    /// The row ends.
    EndOfRow,
}

/// Position of the reader in the document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outside,
    Feed,
    Row,
    /// After the end of the feed.
    Behind,
}

/// Streaming reader of a feed.
pub(crate) struct Feed<'a> {
    key: &'a str,
    body: &'a [u8],
    root: &'static str,
    reader: Reader<&'a [u8]>,
    encoding: Encoding,
    depth: Depth,
    /// Number of rows started.
    rows: usize,
}

impl<'a> Feed<'a> {
    /// Opens a feed whose rows are in an element `root`.
    pub(crate) fn open(
        key: &'a str,
        body: &'a [u8],
        root: &'static str,
    ) -> Result<Self, ReadError> {
        let mut feed = Self {
            key,
            body,
            root,
            reader: Reader::from_reader(body),
            encoding: Encoding::Utf8,
            depth: Depth::Outside,
            rows: 0,
        };
        // A byte order mark would shift positions.
        if body.first() != Some(&b'<') {
            return Err(feed.wrong(format!("XML that begins with <{root}>")));
        }
        feed.begin()?;
        Ok(feed)
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns an error at the current row, or in the feed.
    pub(crate) fn wrong(&self, expected: impl Into<String>) -> ReadError {
        let at = match self.depth {
            Depth::Outside | Depth::Behind => ReadError::WHOLE.to_owned(),
            Depth::Feed => self.root.to_owned(),
            Depth::Row => format!("row[{}]", self.rows.saturating_sub(1)),
        };
        ReadError::new(self.key, at, expected)
    }

    /// Reads up to the first row.
    fn begin(&mut self) -> Result<(), ReadError> {
        let mut first = true;
        loop {
            match self.event()? {
                Event::Decl(declared) if first => self.encoding = self.declared(&declared)?,
                Event::Text(text) if is_blank(&text) => {}
                Event::Start(tag) if *tag == *self.root.as_bytes() => {
                    self.depth = Depth::Feed;
                    return Ok(());
                }
                Event::Empty(tag) if *tag == *self.root.as_bytes() => {
                    self.depth = Depth::Behind;
                    return Ok(());
                }
                _ => return Err(self.wrong(format!("<{}> and nothing before it", self.root))),
            }
            first = false;
        }
    }

    fn declared(&self, declared: &BytesDecl<'_>) -> Result<Encoding, ReadError> {
        let encoding = declared.encoding().transpose();
        let encoding = encoding.map_err(|error| self.wrong(format!("an encoding: {error}")))?;
        match encoding.as_deref() {
            None => Ok(Encoding::Utf8),
            Some(name) if name.eq_ignore_ascii_case(b"utf-8") => Ok(Encoding::Utf8),
            Some(name) if name.eq_ignore_ascii_case(b"iso-8859-1") => Ok(Encoding::Latin1),
            Some(name) => {
                Err(self.wrong(format!("text in ISO-8859-1 or UTF-8, not {}", form(name))))
            }
        }
    }

    /// Returns the next event; `None` at the end of the feed.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'a>>, ReadError> {
        loop {
            let start = self.position();
            let event = self.event()?;
            match (self.depth, event) {
                (_, Event::Text(text)) if is_blank(&text) => {}
                (Depth::Feed, Event::Start(tag)) if *tag == *b"row" => {
                    self.depth = Depth::Row;
                    self.rows += 1;
                    return Ok(Some(Part::Row));
                }
                (Depth::Feed, Event::End(_)) => self.depth = Depth::Behind,
                (Depth::Row, Event::Start(tag)) => {
                    let name = self.name(start, tag.len())?;
                    let text = self.text(name)?;
                    return Ok(Some(self.field(name, text, start)));
                }
                (Depth::Row, Event::Empty(tag)) => {
                    let name = self.name(start, tag.len())?;
                    return Ok(Some(self.field(name, Text::Raw(b""), start)));
                }
                (Depth::Row, Event::End(_)) => {
                    self.depth = Depth::Feed;
                    return Ok(Some(Part::EndOfRow));
                }
                (Depth::Behind, Event::Eof) => return Ok(None),
                (depth, event) => return Err(self.astray(depth, &event)),
            }
        }
    }

    fn astray(&self, depth: Depth, event: &Event<'_>) -> ReadError {
        let end = matches!(event, Event::Eof);
        self.wrong(match depth {
            Depth::Outside | Depth::Behind => format!("nothing after </{}>", self.root),
            _ if end => format!("</{}> at the end, not a truncated feed", self.root),
            Depth::Feed => "rows and nothing else".to_owned(),
            Depth::Row => "fields and nothing else".to_owned(),
        })
    }

    fn position(&self) -> usize {
        // The position is at most the length of the body.
        self.reader.buffer_position() as usize
    }

    fn event(&mut self) -> Result<Event<'a>, ReadError> {
        (self.reader.read_event()).map_err(|error| {
            let error = error.to_string();
            self.wrong(format!("well-formed XML: {}", form(error.as_bytes())))
        })
    }

    /// Returns the name in a tag that begins at `start`; errors if the tag has attributes.
    fn name(&self, start: usize, length: usize) -> Result<&'a [u8], ReadError> {
        let tag = self.body.get(start + 1..start + 1 + length).unwrap_or(b"");
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if (1..=64).contains(&tag.len()) && tag.iter().all(plain) {
            return Ok(tag);
        }
        Err(self.wrong("the name of a field alone in its tag"))
    }

    fn field(&self, name: &'a [u8], text: Text<'a>, start: usize) -> Part<'a> {
        Part::Field(Field {
            name,
            text,
            range: start..self.position(),
        })
    }

    /// Reads the text of a field up to its end tag.
    fn text(&mut self, name: &[u8]) -> Result<Text<'a>, ReadError> {
        let mut text = Text::Raw(b"");
        loop {
            let start = self.position();
            match self.event()? {
                Event::Text(_) => {
                    let part = self.body.get(start..self.position()).unwrap_or(b"");
                    text = match text {
                        Text::Raw(b"") => Text::Raw(part),
                        Text::Raw(before) => self.resolved(name, before, part)?,
                        Text::Resolved(mut before) => {
                            before.push_str(&self.decoded(name, part)?);
                            Text::Resolved(before)
                        }
                    };
                }
                Event::GeneralRef(reference) => {
                    let mut before = match text {
                        Text::Raw(before) => self.decoded(name, before)?,
                        Text::Resolved(before) => before,
                    };
                    before.push(self.character(name, &reference)?);
                    text = Text::Resolved(before);
                }
                Event::End(_) => return Ok(text),
                _ => return Err(self.wrong_in(name, "text and nothing else")),
            }
        }
    }

    fn resolved(&self, name: &[u8], one: &[u8], two: &[u8]) -> Result<Text<'a>, ReadError> {
        let mut text = self.decoded(name, one)?;
        text.push_str(&self.decoded(name, two)?);
        Ok(Text::Resolved(text))
    }

    fn decoded(&self, name: &[u8], bytes: &[u8]) -> Result<String, ReadError> {
        let text = self.encoding.decode(bytes);
        text.map(Into::into)
            .ok_or_else(|| self.wrong_in(name, "text in the encoding of the feed"))
    }

    /// Resolves a reference: a character by number, or one of the five of XML.
    fn character(&self, name: &[u8], reference: &BytesRef<'_>) -> Result<char, ReadError> {
        let character = match &**reference {
            b"amp" => Some('&'),
            b"lt" => Some('<'),
            b"gt" => Some('>'),
            b"quot" => Some('"'),
            b"apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        character.ok_or_else(|| self.wrong_in(name, "only references to characters"))
    }

    fn wrong_in(&self, name: &[u8], expected: &str) -> ReadError {
        let row = self.rows.saturating_sub(1);
        let name = String::from_utf8_lossy(name);
        ReadError::new(self.key, format!("row[{row}].{name}"), expected)
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}
