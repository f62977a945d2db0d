//! What a dataset says of its sources against its rows.

use std::collections::BTreeMap;

use super::Checked;
use crate::describe::Manifest;

/// How much there is of a source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) contests: u64,
    pub(super) standings: u64,
    pub(super) competitors: u64,
}

/// How much there is of each source.
#[derive(Debug, Default)]
pub(super) struct Counts(BTreeMap<String, Count>);

impl Counts {
    pub(super) fn of(&mut self, source: &str) -> &mut Count {
        self.0.entry(source.to_owned()).or_default()
    }

    /// Whoever reads a dataset back reads the sources that it tells of, and no others.
    pub(super) fn held_against(&self, manifest: &Manifest, checked: &mut Checked) {
        for source in &manifest.sources {
            let name = source.name.as_str();
            let is = self.0.get(name).copied().unwrap_or_default();
            for (what, is, said) in [
                ("contests", is.contests, source.contests),
                ("standings", is.standings, source.standings),
                ("competitors", is.competitors, source.competitors),
            ] {
                if is != said {
                    checked.problem(format!(
                        "it has {is} {what} of {name}, {said} are said to be there"
                    ));
                }
            }
        }
        let told = |name: &str| manifest.sources.iter().any(|of| of.name.as_str() == name);
        for name in self.0.keys().filter(|name| !told(name)) {
            checked.problem(format!(
                "it has results of {name}, and does not tell of this source"
            ));
        }
    }
}
