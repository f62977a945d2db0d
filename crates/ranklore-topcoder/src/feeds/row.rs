//! A row of a feed, with its fields by name.

use ranklore_source::SiteReadError;

use crate::feeds::reader::{FeedEvent, FeedReader, FieldText};
use crate::values::numbers::parse_whole;
use crate::values::text::{Encoding, is_name, mask_letters};

/// The fields read of a row. Other fields are ignored; the order does not matter.
pub(crate) struct FeedRow<'a, const N: usize> {
    key: &'a str,
    names: &'static [&'static str; N],
    values: [Option<FieldText<'a>>; N],
    encoding: Encoding,
    /// Number of rows read, including this one.
    rows_begun: usize,
}

impl<'a, const N: usize> FeedRow<'a, N> {
    pub(crate) fn new(key: &'a str, names: &'static [&'static str; N]) -> Self {
        Self {
            key,
            names,
            values: std::array::from_fn(|_| None),
            encoding: Encoding::Utf8,
            rows_begun: 0,
        }
    }

    /// Returns the index of the row in the feed, from 0.
    pub(crate) fn index(&self) -> usize {
        self.rows_begun.saturating_sub(1)
    }

    /// Reads the next row in place of this one. Returns false at the end of the feed.
    pub(crate) fn next(&mut self, feed: &mut FeedReader<'a>) -> Result<bool, SiteReadError> {
        self.values.fill(None);
        self.encoding = feed.encoding();
        // Fields mostly come in the order of the names.
        let mut due = 0;
        while let Some(part) = feed.next()? {
            match part {
                FeedEvent::RowStart => self.rows_begun += 1,
                FeedEvent::RowEnd => return Ok(true),
                FeedEvent::Field(field) => {
                    let mut slots = (due..N).chain(0..due);
                    let Some(slot) = slots.find(|&slot| self.names[slot].as_bytes() == field.name)
                    else {
                        continue;
                    };
                    if self.values[slot].replace(field.text).is_some() {
                        return Err(self.field_error(slot, "this field once"));
                    }
                    due = slot + 1;
                }
            }
        }
        Ok(false)
    }

    pub(crate) fn field_error(&self, slot: usize, expected: impl Into<String>) -> SiteReadError {
        let at = format!("row[{}].{}", self.index(), self.names[slot]);
        SiteReadError::new(self.key, at, expected)
    }

    /// Returns an error that shows the value with letters masked.
    pub(crate) fn value_error(&self, slot: usize, expected: &str) -> SiteReadError {
        let bytes = self.values[slot].as_ref().map_or(&b""[..], FieldText::bytes);
        self.field_error(slot, format!("{expected}, not {}", mask_letters(bytes)))
    }

    /// Errors if a field is missing. Empty fields are present.
    pub(crate) fn check_complete(&self) -> Result<(), SiteReadError> {
        match self.values.iter().position(Option::is_none) {
            Some(slot) => Err(self.field_error(slot, "this field, which is missing")),
            None => Ok(()),
        }
    }

    /// Returns the value of a field; `None` if it is empty.
    pub(crate) fn bytes(&self, slot: usize) -> Option<&[u8]> {
        let bytes = self.values[slot].as_ref().map(FieldText::bytes);
        bytes.filter(|bytes| !bytes.is_empty())
    }

    /// Parses the value of a field.
    pub(crate) fn parse_field<T>(
        &self,
        slot: usize,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<T, SiteReadError> {
        let value = self.bytes(slot).and_then(read);
        value.ok_or_else(|| self.value_error(slot, expected))
    }

    pub(crate) fn parse_whole(&self, slot: usize, max: u32) -> Result<u32, SiteReadError> {
        let expected = format!("a whole number from 0 to {max}");
        self.parse_field(slot, &expected, |bytes| parse_whole(bytes, max))
    }

    /// Returns the name in a field, verbatim.
    pub(crate) fn parse_name(&self, slot: usize) -> Result<String, SiteReadError> {
        let text = match self.values[slot].as_ref() {
            Some(FieldText::Raw(bytes)) => self.encoding.decode(bytes),
            Some(FieldText::Resolved(text)) => Some(text.into()),
            None => None,
        };
        let name = text.filter(|text| is_name(text));
        name.map(Into::into)
            .ok_or_else(|| self.value_error(slot, "a name of 1 to 200 characters"))
    }

    /// Returns the values, to compare with another row.
    pub(crate) fn values(&self) -> &[Option<FieldText<'a>>; N] {
        &self.values
    }
}
