//! Names as they are, or pseudonyms.

use clap::Args;
use ranklore_replay::Pseudonyms;
use ranklore_store::{CompetitorRow, Store};

use crate::output::complain;

/// Whether names are shown that are not to be published.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Naming {
    /// Show names as they are, also of sites (o2cm) whose people are otherwise called by pseudonyms
    #[arg(long)]
    pub(crate) names: bool,
}

impl Naming {
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
