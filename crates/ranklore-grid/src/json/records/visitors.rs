//! Visits the objects that become rows, while the document is parsed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::super::row_lists::KeyText;
use super::{Level, RecordWriter};

/// Reads the entries of an object.
pub(super) struct ObjectVisitor<'w, 'd, 'o> {
    pub(super) writer: &'w mut RecordWriter<'d, 'o>,
    pub(super) parent: usize,
    pub(super) depth: usize,
}

impl<'d> DeserializeSeed<'d> for ObjectVisitor<'_, 'd, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'d>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'d> Visitor<'d> for ObjectVisitor<'_, 'd, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<(), A::Error> {
        let writer = self.writer;
        writer.objects += 1;
        let object = writer.objects;
        if self.parent == Level::Row as usize {
            writer.row_object = object;
        }
        let mut expected = 0;
        while let Some(KeyText(key)) = map.next_key()? {
            let field = writer.field(self.parent, &key, expected).map_err(|e| writer.stop(e))?;
            expected += 1;
            if std::mem::replace(&mut writer.fields[field].seen_in, object) == object {
                let error = writer.field_error(field, "the object has this key twice: remove one");
                return Err(writer.stop(error));
            }
            let value: &'d RawValue = map.next_value()?;
            writer.read_value(field, value.get(), self.depth).map_err(|e| writer.stop(e))?;
        }
        Ok(())
    }
}

/// Visits the elements of an array of rows.
pub(super) struct RowsVisitor<'w, 'd, 'o>(pub(super) &'w mut RecordWriter<'d, 'o>);

impl<'d> Visitor<'d> for RowsVisitor<'_, 'd, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut seq: A) -> Result<(), A::Error> {
        let writer = self.0;
        let has_index = writer.paths().is_some();
        if has_index {
            writer.index = 0;
        }
        while seq.next_element_seed(writer.object(Level::Row as usize, 0))?.is_some() {
            writer.end_row().map_err(|error| writer.stop(error))?;
            writer.index += u32::from(has_index);
        }
        Ok(())
    }
}

/// Visits the values of an object, which are rows.
pub(super) struct KeyedRowsVisitor<'w, 'd, 'o, 'h> {
    pub(super) writer: &'w mut RecordWriter<'d, 'o>,
    pub(super) heading: &'h str,
}

impl<'d> Visitor<'d> for KeyedRowsVisitor<'_, 'd, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<(), A::Error> {
        let writer = self.writer;
        while let Some(KeyText(key)) = map.next_key()? {
            let value: &'d RawValue = map.next_value()?;
            let row = writer.read_keyed_row(self.heading, key, value.get());
            row.map_err(|error| writer.stop(error))?;
            writer.index += 1;
        }
        Ok(())
    }
}
