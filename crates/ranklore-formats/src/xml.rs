//! Reads elements of XML one after the other. Document types are skipped, so that there are no
//! entities but those of XML.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{XmlVersion, errors::Error};
use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location, ReadLimits};

use crate::options::ReadOptions;
use crate::values::dates::{DateRules, find_date};

/// The most elements within each other.
const MAX_DEPTH: usize = 64;

/// The most elements within an element that is read whole.
const MAX_ELEMENTS: usize = 10_000;

/// An element with all that is in it.
#[derive(Default)]
pub(crate) struct Element {
    /// The line of its tag; the first line is 1.
    pub(crate) line: u64,
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the children of this name.
    pub(crate) fn children(&self, name: &'static str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first element at a path of names.
    pub(crate) fn find(&self, path: &[&str]) -> Option<&Self> {
        let Some((name, rest)) = path.split_first() else {
            return Some(self);
        };
        let mut children = self.children.iter().filter(|child| child.name == *name);
        children.find_map(|child| child.find(rest))
    }

    /// Returns the text of the first element at a path of names, without the white space around it.
    /// `None` if it is empty.
    pub(crate) fn text(&self, path: &[&str]) -> Option<&str> {
        let text = self.find(path)?.text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// Returns the value of an attribute, without the white space around it.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let attribute = self.attributes.iter().find(|(key, _)| key == name);
        attribute.map(|(_, value)| value.trim())
    }

    /// Returns the value of an attribute. Errors if it is missing or empty.
    pub(crate) fn required(&self, name: &str) -> Result<&str, FileReadError> {
        self.attribute(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| self.error(format!("the {} has no {name}; add it", self.name)))
    }

    /// Parses a day of this element.
    pub(crate) fn parse_day(
        &self,
        text: &str,
        options: &ReadOptions,
    ) -> Result<ContestTime, FileReadError> {
        // A date of XML may have a time or a time zone behind it.
        let date = text.get(..10).unwrap_or(text);
        match find_date(date, DateRules::new(options, ReadLimits::NEW)) {
            Some(Ok(day)) => Ok(day),
            Some(Err(error)) => Err(self.error(error.message(text))),
            None => Err(self.error(format!("{} is not a date such as 2024-03-01", Quoted(text)))),
        }
    }

    /// Returns an error at the line of this element.
    pub(crate) fn error(&self, reason: impl Into<String>) -> FileReadError {
        FileReadError::new(Location::Line(self.line), reason)
    }
}

/// Reads the elements of a document.
///
/// An element is opened by `next_tag`; then `next_tag` reads what is in it, unless `read_content` or
/// `skip_content` takes it whole.
pub(crate) struct XmlReader<'x> {
    text: &'x str,
    reader: Reader<&'x [u8]>,
    depth: usize,
    /// The lines before `counted`.
    lines: u64,
    counted: usize,
}

impl<'x> XmlReader<'x> {
    pub(crate) fn new(text: &'x str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            text,
            reader,
            depth: 0,
            lines: 0,
            counted: 0,
        }
    }

    /// Returns the next element that begins, without what is in it, or `None` for the end of one.
    /// Errors at the end of the document.
    pub(crate) fn next_tag(&mut self) -> Result<Option<Element>, FileReadError> {
        loop {
            match self.next_event()? {
                Event::Start(tag) => return self.open_element(&tag).map(Some),
                Event::End(_) => return Ok(None),
                Event::Eof => return Err(self.error("the document ends within an element")),
                _ => {}
            }
        }
    }

    /// Reads what is in the element that has begun last.
    pub(crate) fn read_content(&mut self, element: Element) -> Result<Element, FileReadError> {
        let mut open = vec![element];
        let mut count = 0;
        loop {
            match self.next_event()? {
                Event::Start(tag) => {
                    count += 1;
                    if count > MAX_ELEMENTS {
                        let reason = format!("an element holds more than {MAX_ELEMENTS} others");
                        return Err(self.error(&reason));
                    }
                    open.push(self.open_element(&tag)?);
                }
                Event::End(_) => {
                    let Some(element) = open.pop() else {
                        return Err(self.error("an element ends twice"));
                    };
                    match open.last_mut() {
                        Some(parent) => parent.children.push(element),
                        None => return Ok(element),
                    }
                }
                Event::Eof => return Err(self.error("the document ends within an element")),
                event => {
                    let text = self.event_text(&event)?;
                    if let Some(element) = open.last_mut() {
                        element.text.push_str(&text);
                    }
                }
            }
        }
    }

    /// Skips what is in the element that has begun last.
    pub(crate) fn skip_content(&mut self) -> Result<(), FileReadError> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if matches!(self.next_event()?, Event::Eof) {
                return Err(self.error("the document ends within an element"));
            }
        }
        Ok(())
    }

    fn next_event(&mut self) -> Result<Event<'x>, FileReadError> {
        let event = match self.reader.read_event() {
            Ok(event) => event,
            Err(error) => return Err(self.syntax_error(&error)),
        };
        match event {
            Event::Start(_) if self.depth == MAX_DEPTH => {
                let reason = format!("more than {MAX_DEPTH} elements are within each other");
                return Err(self.error(&reason));
            }
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(event)
    }

    fn open_element(&mut self, tag: &BytesStart<'_>) -> Result<Element, FileReadError> {
        let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let Ok(attribute) = attribute else {
                return Err(self.error("an attribute is not like name=\"value\""));
            };
            let Ok(value) = attribute.normalized_value(XmlVersion::Implicit1_0) else {
                return Err(self.error("an attribute has an unknown entity"));
            };
            attributes.push((name(attribute.key.as_ref()), value.into_owned()));
        }
        Ok(Element {
            line: self.line(),
            name: name(tag.local_name().as_ref()),
            attributes,
            ..Element::default()
        })
    }

    /// Returns the text of an event. Comments and instructions have none.
    fn event_text<'e>(&mut self, event: &'e Event<'_>) -> Result<Cow<'e, str>, FileReadError> {
        let text = match event {
            Event::Text(text) => text.decode().ok(),
            Event::CData(text) => text.decode().ok(),
            Event::GeneralRef(reference) => resolve_reference(reference),
            _ => Some("".into()),
        };
        text.ok_or_else(|| self.error("the text has an unknown entity"))
    }

    /// Returns the line that is read.
    fn line(&mut self) -> u64 {
        let at = self.text.len().min(self.reader.buffer_position() as usize);
        let passed = self.text.get(self.counted..at).unwrap_or_default();
        self.lines += passed.matches('\n').count() as u64;
        self.counted = at;
        1 + self.lines
    }

    fn syntax_error(&mut self, error: &Error) -> FileReadError {
        self.error(&format!("the document is no valid XML: {error}"))
    }

    pub(crate) fn error(&mut self, reason: &str) -> FileReadError {
        let line = Location::Line(self.line());
        FileReadError::new(line, format!("{reason}; export the document again"))
    }
}

/// Returns the character of a reference such as `&amp;` or `&#228;`; `None` for other entities.
fn resolve_reference(reference: &BytesRef<'_>) -> Option<Cow<'static, str>> {
    match reference.resolve_char_ref().ok()? {
        Some(char) => Some(char.to_string().into()),
        None => resolve_xml_entity(&reference.decode().ok()?).map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Element, String> {
        let mut reader = XmlReader::new(text);
        let root = reader.next_tag().map_err(|error| error.to_string())?;
        reader.read_content(root.unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn texts_and_attributes_are_read() {
        let root = read(
            "<?xml version=\"1.0\"?>\n<a><!-- b --><x:b c=\"1 &lt; 2\"> A &amp; \
             <![CDATA[B <]]>&#33; </x:b><d/></a>",
        )
        .unwrap();
        assert_eq!(root.text(&["b"]), Some("A & B <!"));
        assert_eq!(root.find(&["b"]).unwrap().attribute("c"), Some("1 < 2"));
        assert_eq!(root.text(&["d"]), None);
        assert_eq!(root.find(&["d"]).unwrap().line, 2);
    }

    #[test]
    fn entities_and_depth_are_bounded() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>";
        assert!(read(bomb).err().unwrap().contains("unknown entity"));
        let deep = "<a>".repeat(100);
        assert!(read(&deep).err().unwrap().contains("more than 64 elements"));
        let wide = format!("<a>{}</a>", "<b/>".repeat(10_001));
        assert!(read(&wide).err().unwrap().contains("more than 10000 others"));
        assert!(read("<a><b></a>").is_err());
        assert!(read("<a>").is_err());
    }
}
