//! Collects the names of competitors whom an id identifies, with the contests that have them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::reading::DatedName;
use crate::table::header::HeaderTable;
use crate::table::members::NameColumns;
use ranklore_contest::{ContestTime, EntrantKind};

/// Collects names while contests are read.
#[derive(Default)]
pub(in crate::table) struct DatedNameCollector {
    found: Vec<DatedName>,
    /// The index in `found` of a competitor's name.
    index: HashMap<(EntrantKind, String), HashMap<String, usize>>,
}

impl DatedNameCollector {
    /// Adds the names in these rows of a contest.
    pub(in crate::table) fn add_rows(
        &mut self,
        table: &HeaderTable,
        columns: &NameColumns,
        rows: &[usize],
        ends_at: ContestTime,
    ) {
        for &row in rows {
            let Ok(Some(named)) = columns.entrant(table, row) else {
                continue;
            };
            if *named.competitor != *named.name {
                self.add(named.kind, &named.competitor, named.name, ends_at);
            }
            if let ([member], Some(name)) = (&named.members[..], named.member_name)
                && member != name
            {
                self.add(EntrantKind::Person, member, name, ends_at);
            }
        }
    }

    /// Returns the names, those of each competitor in the order of their last contests.
    pub(in crate::table) fn finish(mut self) -> Vec<DatedName> {
        self.found.sort_by(|a, b| {
            let key = |of: &DatedName| (of.kind.as_str(), of.last_seen_at, of.first_seen_at);
            (a.competitor.cmp(&b.competitor)).then_with(|| key(a).cmp(&key(b)))
        });
        self.found
    }

    fn add(&mut self, kind: EntrantKind, competitor: &str, name: &str, ends_at: ContestTime) {
        let names = self.index.entry((kind, competitor.to_owned())).or_default();
        match names.entry(name.to_owned()) {
            Entry::Occupied(index) => {
                let known = &mut self.found[*index.get()];
                known.first_seen_at = known.first_seen_at.min(ends_at);
                known.last_seen_at = known.last_seen_at.max(ends_at);
            }
            Entry::Vacant(vacant) => {
                vacant.insert(self.found.len());
                self.found.push(DatedName {
                    kind,
                    competitor: competitor.to_owned(),
                    name: name.to_owned(),
                    first_seen_at: ends_at,
                    last_seen_at: ends_at,
                });
            }
        }
    }
}
