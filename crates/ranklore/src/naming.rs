//! Names as they are, or pseudonyms.

use std::collections::HashMap;

use clap::Args;
use ranklore_replay::Pseudonyms;
use ranklore_store::{CompetitorId, CompetitorRow, Store};

use crate::output::complain;

/// Whether names are shown that are not to be published.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Naming {
    /// Show names as they are, also of sites (o2cm) whose people are otherwise called by pseudonyms
    #[arg(long)]
    pub(crate) names: bool,
}

/// Competitors by id, called as they may be shown.
pub(crate) struct Names(HashMap<CompetitorId, CompetitorRow>);

impl Names {
    pub(crate) fn get(&self, id: CompetitorId) -> Option<&CompetitorRow> {
        self.0.get(&id)
    }

    /// The name; a question mark if there is no such competitor.
    pub(crate) fn name(&self, id: CompetitorId) -> &str {
        self.get(id).map_or("?", |of| &of.name)
    }

    pub(crate) fn external_id(&self, id: CompetitorId) -> Option<&str> {
        self.get(id).map(|of| of.external_id.as_str())
    }
}

impl Naming {
    /// Loads competitors with names, or with pseudonyms in their place.
    pub(crate) fn load(
        self,
        store: &Store,
        ids: impl IntoIterator<Item = CompetitorId>,
    ) -> anyhow::Result<Names> {
        let mut rows = store.competitors_by_id(ids)?;
        self.apply(store, &mut rows)?;
        let by_id = rows.into_iter().map(|of| (of.competitor_id, of));
        Ok(Names(by_id.collect()))
    }

    /// Puts pseudonyms in place of names that are not to be shown. Says so where it did.
    pub(crate) fn apply<'c>(
        self,
        store: &Store,
        competitors: impl IntoIterator<Item = &'c mut CompetitorRow>,
    ) -> anyhow::Result<bool> {
        if self.names {
            return Ok(false);
        }
        let pseudonyms = Pseudonyms::load(store)?;
        let mut any = false;
        for competitor in competitors {
            any |= pseudonyms.put(competitor);
        }
        if any {
            complain(
                "people are called by pseudonyms, as on the terms of their site; --names shows names",
            );
        }
        Ok(any)
    }
}
