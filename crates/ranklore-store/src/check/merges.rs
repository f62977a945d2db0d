//! Check of merges: no cycles, and only within a source and a kind.

use std::collections::{BTreeMap, HashMap};

use crate::check::MAX_PROBLEMS_PER_KIND;
use crate::check::problem::Problem;
use crate::error::Result;
use crate::file::open::Store;
use crate::ids::CompetitorId;

impl Store {
    pub(super) fn check_merges(&self, problems: &mut Vec<Problem>) -> Result<()> {
        self.for_each(
            "SELECT source.name, competitor.external_id
             FROM competitor JOIN source USING (source_id)
                 JOIN competitor AS root ON root.competitor_id = competitor.merged_into
             WHERE (root.source_id, root.kind) <> (competitor.source_id, competitor.kind)
             ORDER BY competitor.competitor_id LIMIT ?1",
            [MAX_PROBLEMS_PER_KIND as i64],
            |(source_name, external_id)| {
                problems.push(Problem::InvalidMerge {
                    source_name,
                    external_id,
                });
            },
        )?;
        let merged: BTreeMap<CompetitorId, (CompetitorId, String, String)> = self.query(
            "SELECT competitor_id, merged_into, source.name, external_id
             FROM competitor JOIN source USING (source_id)
             WHERE merged_into IS NOT NULL ORDER BY competitor_id",
            [],
        )?;
        // Each chain is walked once, up to a competitor that another walk has visited.
        let mut walk_starts: HashMap<CompetitorId, CompetitorId> = HashMap::new();
        for &start in merged.keys() {
            let mut at = start;
            while let Some((target, source, external_id)) = merged.get(&at) {
                match walk_starts.get(&at) {
                    None => walk_starts.insert(at, start),
                    Some(&walk) if walk == start => {
                        problems.push(Problem::MergeCycle {
                            source_name: source.clone(),
                            external_id: external_id.clone(),
                        });
                        break;
                    }
                    Some(_) => break,
                };
                at = *target;
            }
        }
        Ok(())
    }
}
