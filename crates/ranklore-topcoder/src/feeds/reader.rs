//! Streaming reader of XML feeds: rows of text fields.
//!
//! Refuses everything else: nested elements, document types (so there are no entities but those of
//! XML), comments, attributes.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesDecl, BytesRef, Event};
use ranklore_source::SiteReadError;

use crate::values::text::{Encoding, mask_letters};

/// Text of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldText<'a> {
    /// The bytes as in the document.
    Raw(&'a [u8]),
    /// The text with references resolved.
    Resolved(String),
}

impl FieldText<'_> {
    /// Returns the bytes, to parse numbers from.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Raw(bytes) => bytes,
            Self::Resolved(text) => text.as_bytes(),
        }
    }
}

/// A field of a row.
pub(crate) struct FeedField<'a> {
    pub(crate) name: &'a [u8],
    /// Empty if the site gives no value.
    pub(crate) text: FieldText<'a>,
    /// Byte range of the field in the document, tags included.
    pub(crate) range: Range<usize>,
}

/// An event of the reader.
pub(crate) enum FeedEvent<'a> {
    /// A row starts.
    RowStart,
    Field(FeedField<'a>),
    /// The row ends.
    RowEnd,
}

/// Position of the reader in the document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outside,
    Feed,
    Row,
    /// After the end of the feed.
    Finished,
}

/// Streaming reader of a feed.
pub(crate) struct FeedReader<'a> {
    key: &'a str,
    body: &'a [u8],
    root: &'static str,
    reader: Reader<&'a [u8]>,
    encoding: Encoding,
    depth: Depth,
    /// Number of rows started.
    rows: usize,
}

impl<'a> FeedReader<'a> {
    /// Opens a feed whose rows are in an element `root`.
    pub(crate) fn open(
        key: &'a str,
        body: &'a [u8],
        root: &'static str,
    ) -> Result<Self, SiteReadError> {
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
            return Err(feed.error(format!("XML that begins with <{root}>")));
        }
        feed.read_head()?;
        Ok(feed)
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns an error at the current row, or in the feed.
    pub(crate) fn error(&self, expected: impl Into<String>) -> SiteReadError {
        let at = match self.depth {
            Depth::Outside | Depth::Finished => SiteReadError::WHOLE_DOCUMENT.to_owned(),
            Depth::Feed => self.root.to_owned(),
            Depth::Row => format!("row[{}]", self.rows.saturating_sub(1)),
        };
        SiteReadError::new(self.key, at, expected)
    }

    /// Reads up to the first row.
    fn read_head(&mut self) -> Result<(), SiteReadError> {
        let mut first = true;
        loop {
            match self.read_event()? {
                Event::Decl(declared) if first => {
                    self.encoding = self.declared_encoding(&declared)?;
                }
                Event::Text(text) if is_blank(&text) => {}
                Event::Start(tag) if *tag == *self.root.as_bytes() => {
                    self.depth = Depth::Feed;
                    return Ok(());
                }
                Event::Empty(tag) if *tag == *self.root.as_bytes() => {
                    self.depth = Depth::Finished;
                    return Ok(());
                }
                _ => return Err(self.error(format!("<{}> and nothing before it", self.root))),
            }
            first = false;
        }
    }

    fn declared_encoding(&self, declared: &BytesDecl<'_>) -> Result<Encoding, SiteReadError> {
        let encoding = declared.encoding().transpose();
        let encoding = encoding.map_err(|error| self.error(format!("an encoding: {error}")))?;
        match encoding.as_deref() {
            None => Ok(Encoding::Utf8),
            Some(name) if name.eq_ignore_ascii_case(b"utf-8") => Ok(Encoding::Utf8),
            Some(name) if name.eq_ignore_ascii_case(b"iso-8859-1") => Ok(Encoding::Latin1),
            Some(name) => {
                Err(self.error(format!("text in ISO-8859-1 or UTF-8, not {}", mask_letters(name))))
            }
        }
    }

    /// Returns the next event; `None` at the end of the feed.
    pub(crate) fn next(&mut self) -> Result<Option<FeedEvent<'a>>, SiteReadError> {
        loop {
            let start = self.position();
            let event = self.read_event()?;
            match (self.depth, event) {
                (_, Event::Text(text)) if is_blank(&text) => {}
                (Depth::Feed, Event::Start(tag)) if *tag == *b"row" => {
                    self.depth = Depth::Row;
                    self.rows += 1;
                    return Ok(Some(FeedEvent::RowStart));
                }
                (Depth::Feed, Event::End(_)) => self.depth = Depth::Finished,
                (Depth::Row, Event::Start(tag)) => {
                    let name = self.read_name(start, tag.len())?;
                    let text = self.read_text(name)?;
                    return Ok(Some(self.build_field(name, text, start)));
                }
                (Depth::Row, Event::Empty(tag)) => {
                    let name = self.read_name(start, tag.len())?;
                    return Ok(Some(self.build_field(name, FieldText::Raw(b""), start)));
                }
                (Depth::Row, Event::End(_)) => {
                    self.depth = Depth::Feed;
                    return Ok(Some(FeedEvent::RowEnd));
                }
                (Depth::Finished, Event::Eof) => return Ok(None),
                (depth, event) => return Err(self.unexpected_event(depth, &event)),
            }
        }
    }

    fn unexpected_event(&self, depth: Depth, event: &Event<'_>) -> SiteReadError {
        let end = matches!(event, Event::Eof);
        self.error(match depth {
            Depth::Outside | Depth::Finished => format!("nothing after </{}>", self.root),
            _ if end => format!("</{}> at the end, not a truncated feed", self.root),
            Depth::Feed => "rows and nothing else".to_owned(),
            Depth::Row => "fields and nothing else".to_owned(),
        })
    }

    fn position(&self) -> usize {
        // The position is at most the length of the body.
        self.reader.buffer_position() as usize
    }

    fn read_event(&mut self) -> Result<Event<'a>, SiteReadError> {
        self.reader.read_event().map_err(|error| {
            let error = error.to_string();
            self.error(format!("well-formed XML: {}", mask_letters(error.as_bytes())))
        })
    }

    /// Returns the name in a tag that begins at `start`; errors if the tag has attributes.
    fn read_name(&self, start: usize, length: usize) -> Result<&'a [u8], SiteReadError> {
        let tag = self.body.get(start + 1..start + 1 + length).unwrap_or(b"");
        let mut bytes = tag.iter();
        if (1..=64).contains(&tag.len())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        {
            return Ok(tag);
        }
        Err(self.error("the name of a field alone in its tag"))
    }

    fn build_field(&self, name: &'a [u8], text: FieldText<'a>, start: usize) -> FeedEvent<'a> {
        FeedEvent::Field(FeedField {
            name,
            text,
            range: start..self.position(),
        })
    }

    /// Reads the text of a field up to its end tag.
    fn read_text(&mut self, name: &[u8]) -> Result<FieldText<'a>, SiteReadError> {
        let mut text = FieldText::Raw(b"");
        loop {
            let start = self.position();
            match self.read_event()? {
                Event::Text(_) => {
                    let part = self.body.get(start..self.position()).unwrap_or(b"");
                    text = if let FieldText::Raw(b"") = text {
                        FieldText::Raw(part)
                    } else {
                        let before = self.resolve(name, text)?;
                        FieldText::Resolved(before + &self.decode(name, part)?)
                    };
                }
                Event::GeneralRef(reference) => {
                    let mut before = self.resolve(name, text)?;
                    before.push(self.resolve_reference(name, &reference)?);
                    text = FieldText::Resolved(before);
                }
                Event::End(_) => return Ok(text),
                _ => return Err(self.field_error(name, "text and nothing else")),
            }
        }
    }

    fn resolve(&self, name: &[u8], text: FieldText<'_>) -> Result<String, SiteReadError> {
        match text {
            FieldText::Raw(bytes) => self.decode(name, bytes),
            FieldText::Resolved(text) => Ok(text),
        }
    }

    fn decode(&self, name: &[u8], bytes: &[u8]) -> Result<String, SiteReadError> {
        let text = self.encoding.decode(bytes);
        text.map(Into::into)
            .ok_or_else(|| self.field_error(name, "text in the encoding of the feed"))
    }

    /// Resolves a reference: a character by number, or one of the five of XML.
    fn resolve_reference(
        &self,
        name: &[u8],
        reference: &BytesRef<'_>,
    ) -> Result<char, SiteReadError> {
        let character = match &**reference {
            b"amp" => Some('&'),
            b"lt" => Some('<'),
            b"gt" => Some('>'),
            b"quot" => Some('"'),
            b"apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        character.ok_or_else(|| self.field_error(name, "only references to characters"))
    }

    fn field_error(&self, name: &[u8], expected: &str) -> SiteReadError {
        let row = self.rows.saturating_sub(1);
        let name = String::from_utf8_lossy(name);
        SiteReadError::new(self.key, format!("row[{row}].{name}"), expected)
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}
