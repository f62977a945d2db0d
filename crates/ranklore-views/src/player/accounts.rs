//! The accounts of a competitor, with their labels.

use std::collections::HashMap;
use std::sync::Arc;

use ranklore_store::{CompetitorId, CompetitorRow, ContestId, Store};

use crate::names::labels::{CompetitorLabel, Labeller};
use crate::player::appearances::Appearance;
use ranklore_replay::Error;

/// A competitor and the accounts that count for it.
pub(super) struct PlayerAccounts {
    /// The account that the request names.
    pub(super) account: CompetitorLabel,
    /// The competitor that its results count for.
    pub(super) competitor: CompetitorLabel,
    pub(super) root: CompetitorId,
    /// The accounts merged into the competitor, by external id.
    pub(super) merged: Vec<CompetitorLabel>,
    /// The labels of accounts and teams. Contests share them: a history can have hundreds of thousands.
    pub(super) labels: HashMap<CompetitorId, Arc<CompetitorLabel>>,
}

impl PlayerAccounts {
    pub(super) fn load(
        store: &Store,
        labeller: &mut Labeller,
        account: CompetitorRow,
    ) -> Result<Self, Error> {
        let root = store.merge_root(account.competitor_id)?;
        // In a damaged database the competitor may be missing.
        let competitor = store.competitors_by_id([root])?.pop();
        let competitor = labeller.label(competitor.unwrap_or_else(|| account.clone()));
        let mut merges = store.merges(account.source_id)?;
        merges.retain(|&(_, counts_as)| counts_as == root);
        let mut merged = store.competitors_by_id(merges.into_iter().map(|(id, _)| id))?;
        merged.sort_by(|a, b| a.external_id.cmp(&b.external_id));
        let merged = merged.into_iter().map(|row| labeller.label(row));
        let merged: Vec<CompetitorLabel> = merged.collect();
        Ok(Self {
            account: labeller.label(account),
            labels: merged
                .iter()
                .chain([&competitor])
                .map(|label| (label.competitor_id, Arc::new(label.clone())))
                .collect(),
            competitor,
            root,
            merged,
        })
    }

    /// Adds the labels of the teams of these appearances.
    pub(super) fn load_teams(
        &mut self,
        store: &Store,
        labeller: &mut Labeller,
        appearances: &HashMap<ContestId, Appearance>,
    ) -> Result<(), Error> {
        let teams = appearances.values().filter_map(|entry| entry.team);
        for (id, label) in labeller.load_labels(store, teams)? {
            self.labels.insert(id, Arc::new(label));
        }
        Ok(())
    }

    /// Returns the ids of all accounts.
    pub(super) fn ids(&self) -> Vec<CompetitorId> {
        let merged = self.merged.iter().map(|account| account.competitor_id);
        std::iter::once(self.root).chain(merged).collect()
    }
}
