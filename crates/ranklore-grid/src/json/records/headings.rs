//! Headings of the columns of objects: paths of fields, and the name of the contest around the rows.

use std::collections::HashSet;

use super::{Level, RecordWriter};
use crate::headings::FieldRole;

impl RecordWriter<'_, '_> {
    /// Returns the headings of the columns, all different.
    pub(super) fn headings(&self, holders: &[&str]) -> Vec<String> {
        let mut unique = HashSet::new();
        let mut headings = vec![String::new(); self.columns.len()];
        // Rows first: they keep their headings.
        for level in [Level::Row, Level::Subgroup, Level::Group, Level::Document] {
            for (column, heading) in self.columns.iter().zip(&mut headings) {
                if column.level != level {
                    continue;
                }
                let path = self.path(column.field);
                *heading = match holders.get(level as usize) {
                    None => path,
                    Some(holder) => self.outer_heading(&path, holder),
                };
                while !unique.insert(heading.clone()) {
                    heading.insert_str(0, "outer.");
                }
            }
        }
        headings
    }

    /// Returns the heading of a field around the rows, without the path of their object. A name that
    /// would not describe the contest must not be taken for a column of the rows.
    fn outer_heading(&self, path: &str, holder: &str) -> String {
        let name = path.strip_prefix(holder).and_then(|p| p.strip_prefix('.'));
        let name = name.unwrap_or(path);
        let may_describe_contest = self.known_headings.is_stated(name)
            || self.role(name).is_none_or(FieldRole::describes_contest);
        let prefix = if may_describe_contest { "" } else { "outer." };
        format!("{prefix}{name}")
    }

    /// Makes the innermost name or title around the rows that of the contest, if the rows name
    /// competitors, and another column than the contest says that they belong to contests.
    pub(super) fn name_contest(&self, headings: &mut [String]) {
        let roles: Vec<_> = headings.iter().filter_map(|heading| self.role(heading)).collect();
        if !self.has_people(Level::Row)
            || roles.contains(&FieldRole::ContestName)
            || !roles.contains(&FieldRole::ContestKey)
        {
            return;
        }
        let has_event = headings.iter().any(|heading| heading == "event");
        let names = self.columns.iter().zip(headings).filter_map(|(column, heading)| {
            let is_outer = column.level != Level::Row && !self.known_headings.is_stated(heading);
            let name = heading.trim_start_matches("outer.").to_ascii_lowercase();
            (is_outer && matches!(name.as_str(), "name" | "title")).then_some((
                column.level,
                name == "name",
                heading,
            ))
        });
        let mut names: Vec<_> = names.collect();
        names.sort_unstable_by_key(|&(level, is_name, _)| (level, is_name));
        let Some((innermost, is_name, heading)) = names.pop() else {
            return;
        };
        *heading = format!("contest.{}", if is_name { "name" } else { "title" });
        // A tournament has several events.
        let tournament = names.pop().filter(|&(level, ..)| level == Level::Group);
        if let Some((level, _, heading)) = tournament.filter(|_| !has_event)
            && level < innermost
        {
            "event".clone_into(heading);
        }
    }
}
