//! Comparison of the row counts of each source with the manifest.

use std::collections::BTreeMap;

use super::VerifyReport;
use crate::describe::Manifest;

/// Row counts of one source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceCount {
    pub(super) contests: u64,
    pub(super) standings: u64,
    pub(super) competitors: u64,
}

/// Row counts by source.
#[derive(Debug, Default)]
pub(super) struct SourceCounts(BTreeMap<String, SourceCount>);

impl SourceCounts {
    pub(super) fn entry(&mut self, source: &str) -> &mut SourceCount {
        self.0.entry(source.to_owned()).or_default()
    }

    /// Compares the counts with the manifest. An import reads only the sources that the manifest
    /// lists, so each source must be listed.
    pub(super) fn verify_manifest(&self, manifest: &Manifest, report: &mut VerifyReport) {
        for source in &manifest.sources {
            let name = source.name.as_str();
            let counts = self.0.get(name).copied().unwrap_or_default();
            for (rows, count, listed) in [
                ("contests", counts.contests, source.contests),
                ("standings", counts.standings, source.standings),
                ("competitors", counts.competitors, source.competitors),
            ] {
                if count != listed {
                    report.add_problem(format!(
                        "source {name} has {count} {rows}, but the manifest lists {listed}"
                    ));
                }
            }
        }
        for name in self.0.keys() {
            if !manifest.sources.iter().any(|s| s.name.as_str() == name) {
                report.add_problem(format!(
                    "source {name} has results, but is missing from the manifest"
                ));
            }
        }
    }
}
