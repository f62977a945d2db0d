//! Collects the names of competitors whom an id identifies, with the contests that have them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::reading::DatedName;
use crate::schema::people::names::NameColumns;
use crate::schema::table::HeaderTable;
use ranklore_contest::{ContestTime, EntrantKind};

/// Collects names while contests are read.
#[derive(Default)]
pub(crate) struct DatedNameCollector<'t> {
    /// The times of the first and the last contest, by kind, id and name. A table can have millions
    /// of rows, so nothing is copied.
    names: HashMap<(EntrantKind, Cow<'t, str>, &'t str), (ContestTime, ContestTime)>,
}

impl<'t> DatedNameCollector<'t> {
    /// Adds the names in these rows of a contest, if ids can differ from names.
    pub(crate) fn add_rows(
        &mut self,
        table: &'t HeaderTable,
        columns: &NameColumns,
        rows: impl IntoIterator<Item = usize>,
        ends_at: ContestTime,
    ) {
        if !columns.identities.are_read() {
            return;
        }
        for row in rows {
            let Ok(Some(entrant)) = columns.entrant(table, row) else {
                continue;
            };
            if let Some(name) = entrant.member_name {
                let member = entrant.members.into_iter().next();
                if let Some(member) = member.filter(|member| member != name) {
                    self.add(EntrantKind::Person, member.into(), name, ends_at);
                }
            }
            if *entrant.competitor != *entrant.name {
                self.add(entrant.kind, entrant.competitor, entrant.name, ends_at);
            }
        }
    }

    /// Returns the names, those of each competitor in the order of their last contests.
    pub(crate) fn finish(self) -> Vec<DatedName> {
        let mut names: Vec<DatedName> = Vec::with_capacity(self.names.len());
        for ((kind, competitor, name), (first_seen_at, last_seen_at)) in self.names {
            names.push(DatedName {
                kind,
                competitor: competitor.into_owned(),
                name: name.to_owned(),
                first_seen_at,
                last_seen_at,
            });
        }
        names.sort_unstable_by(|a, b| {
            let key =
                |name: &DatedName| (name.kind.as_str(), name.last_seen_at, name.first_seen_at);
            a.competitor
                .cmp(&b.competitor)
                .then_with(|| key(a).cmp(&key(b)))
                .then_with(|| a.name.cmp(&b.name))
        });
        names
    }

    /// Adds a name of a competitor in a contest.
    pub(crate) fn add(
        &mut self,
        kind: EntrantKind,
        competitor: Cow<'t, str>,
        name: &'t str,
        ends_at: ContestTime,
    ) {
        let key = (kind, competitor, name);
        let times = self.names.entry(key).or_insert((ends_at, ends_at));
        *times = (times.0.min(ends_at), times.1.max(ends_at));
    }
}
