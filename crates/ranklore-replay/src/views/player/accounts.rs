//! The accounts of a competitor, and their labels.

use std::collections::HashMap;
use std::sync::Arc;

use ranklore_store::{CompetitorId, CompetitorRow, Store};

use crate::error::Error;
use crate::views::names::{CompetitorLabel, Labeller};

/// A competitor and the accounts that count for it.
pub(super) struct PlayerAccounts {
    /// The account that the request names.
    account: CompetitorRow,
    /// The competitor that its results count for.
    competitor: CompetitorRow,
    pub(super) root: CompetitorId,
    /// The accounts merged into the competitor, by external id.
    merged: Vec<CompetitorRow>,
}

impl PlayerAccounts {
    pub(super) fn load(store: &Store, account: CompetitorRow) -> Result<Self, Error> {
        let root = store.merge_root(account.competitor_id)?;
        let competitor = store.competitors_by_id([root])?.pop();
        Ok(Self {
            // In a damaged database the competitor may be missing.
            competitor: competitor.unwrap_or_else(|| account.clone()),
            merged: load_merged_accounts(store, &account, root)?,
            account,
            root,
        })
    }

    /// Returns the ids of all accounts.
    pub(super) fn ids(&self) -> Vec<CompetitorId> {
        let merged = self.merged.iter().map(|account| account.competitor_id);
        std::iter::once(self.root).chain(merged).collect()
    }

    /// True if the stored name or id of the account that the request names is exactly this.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.account.name == name || self.account.external_id == name
    }

    /// Labels the accounts, and the teams of their contests.
    pub(super) fn label(
        self,
        store: &Store,
        labeller: &mut Labeller,
        teams: impl Iterator<Item = CompetitorId>,
    ) -> Result<PlayerLabels, Error> {
        let teams = labeller.load_labels(store, teams)?.into_values();
        let account = labeller.label(self.account);
        let competitor = labeller.label(self.competitor);
        let merged = self.merged.into_iter().map(|row| labeller.label(row));
        let merged: Vec<CompetitorLabel> = merged.collect();
        let accounts = merged.iter().chain([&competitor]).cloned();
        Ok(PlayerLabels {
            shared: (teams.chain(accounts))
                .map(|label| (label.competitor_id, Arc::new(label)))
                .collect(),
            account,
            competitor,
            merged,
        })
    }
}

/// Returns the accounts that count as `root`, in the source of `account`.
fn load_merged_accounts(
    store: &Store,
    account: &CompetitorRow,
    root: CompetitorId,
) -> Result<Vec<CompetitorRow>, Error> {
    let mut merges = store.merges(account.source_id)?;
    merges.retain(|&(_, counts_as)| counts_as == root);
    let mut accounts = store.competitors_by_id(merges.into_iter().map(|(id, _)| id))?;
    accounts.sort_by(|a, b| a.external_id.cmp(&b.external_id));
    Ok(accounts)
}

/// The labels of the accounts of a competitor, and of its teams.
pub(super) struct PlayerLabels {
    /// The account that the request names.
    pub(super) account: CompetitorLabel,
    pub(super) competitor: CompetitorLabel,
    pub(super) merged: Vec<CompetitorLabel>,
    /// All accounts and teams, by id. Contests share them: a history can have hundreds of thousands.
    shared: HashMap<CompetitorId, Arc<CompetitorLabel>>,
}

impl PlayerLabels {
    /// Returns the label of an account or a team.
    pub(super) fn get(&self, id: CompetitorId) -> Option<Arc<CompetitorLabel>> {
        self.shared.get(&id).cloned()
    }
}
