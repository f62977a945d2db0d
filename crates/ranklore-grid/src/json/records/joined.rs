//! Objects of other arrays, which rows name by their ids.

use super::{Level, RecordWriter};
use crate::document::FileReadError;
use crate::json::joins::Joins;

impl RecordWriter<'_, '_> {
    /// Joins the objects of the arrays beside that of the rows, where rows name them by their ids.
    pub(in crate::json) fn join_other_lists(&mut self) {
        let lists = std::mem::take(&mut self.lists);
        self.joins = Joins::new(lists, self.grid.limits());
    }

    /// Reads the object whose id this field of a row has, if there is one.
    pub(super) fn read_joined(
        &mut self,
        field: usize,
        id: &str,
        depth: usize,
    ) -> Result<(), FileReadError> {
        let Some((name, object)) = self.joins.find_object(&self.fields[field].key, id) else {
            return Ok(());
        };
        let name = name.to_owned();
        let joined = self.field(Level::Row as usize, &name, usize::MAX)?;
        // What the row itself says of the object is nearer; if it follows, it replaces the cells.
        if self.fields[joined].seen_in != self.row_object {
            self.joined = Some(joined);
            self.read_object(object, joined, depth)?;
            self.joined = None;
        }
        Ok(())
    }

    /// Reads the object that an object of a row names by its id, if there is one.
    pub(super) fn read_named(
        &mut self,
        id: usize,
        cell: &str,
        depth: usize,
    ) -> Result<(), FileReadError> {
        let side = self.fields[id].parent;
        if self.fields[side].parent != Level::Row as usize || self.joined.is_some() {
            return Ok(());
        }
        let Some(object) = self.joins.find_named(&self.fields[side].key, cell) else {
            return Ok(());
        };
        self.joined = Some(side);
        self.read_object(object, side, depth)?;
        self.joined = None;
        Ok(())
    }
}
