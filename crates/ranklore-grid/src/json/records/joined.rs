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

    /// Sets the name of a side whose id an object of a row has, if it has no name itself. One that follows
    /// replaces it.
    pub(super) fn read_name(&mut self, id: usize, cell: &str) -> Result<(), FileReadError> {
        let side = self.fields[id].parent;
        if self.fields[side].parent != Level::Row as usize || self.joined.is_some() {
            return Ok(());
        }
        let Some(name) = self.joins.find_name(&self.fields[side].key, cell) else {
            return Ok(());
        };
        let field = self.field(side, "name", usize::MAX)?;
        if self.fields[field].seen_in == self.fields[id].seen_in {
            return Ok(());
        }
        self.set_cell(field, name)
    }
}
