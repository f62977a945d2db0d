//! Names in views: each view applies the names policy before it is returned.

use std::collections::HashMap;

use ranklore_contest::EntrantKind;
use ranklore_store::{CompetitorId, CompetitorRow, Store};
use serde::{Serialize, Serializer};

use crate::names::pseudonyms::Pseudonyms;
use ranklore_replay::Error;

/// The rule for names of people in a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamesPolicy {
    /// Pseudonyms for people and couples of sources whose terms forbid publishing their names.
    #[default]
    Publishable,
    /// Names as stored, for private use.
    AsStored,
}

/// A competitor under the name that the policy allows. Serialises as `name` and `external_id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompetitorLabel {
    /// The row in the database.
    #[serde(skip)]
    pub competitor_id: CompetitorId,
    /// Person, team or couple.
    #[serde(skip)]
    pub kind: EntrantKind,
    /// The name, or the pseudonym.
    pub name: String,
    /// The id within the source, or the pseudonym.
    pub external_id: String,
}

impl CompetitorLabel {
    /// Serialises the external id alone, or null if there is no label.
    pub(crate) fn serialize_id<'a, S: Serializer>(
        label: impl Into<Option<&'a Self>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let label = label.into();
        label.map(|label| &label.external_id).serialize(serializer)
    }
}

/// Makes labels by one policy, and remembers whether a pseudonym was needed.
#[derive(Default)]
pub(crate) struct Labeller {
    pub(crate) pseudonyms: Pseudonyms,
    pub(crate) pseudonymised: bool,
}

impl Labeller {
    pub(crate) fn load(store: &Store, policy: NamesPolicy) -> Result<Self, Error> {
        if policy == NamesPolicy::AsStored {
            return Ok(Self::as_stored());
        }
        Ok(Self {
            pseudonyms: Pseudonyms::load(store)?,
            pseudonymised: false,
        })
    }

    /// Creates a labeller that shows all names as stored.
    pub(crate) fn as_stored() -> Self {
        Self::default()
    }

    pub(crate) fn label(&mut self, competitor: CompetitorRow) -> CompetitorLabel {
        let CompetitorRow {
            competitor_id,
            kind,
            ..
        } = competitor;
        let (name, external_id) = match self.pseudonyms.pseudonym_for(&competitor) {
            Some(pseudonym) => {
                self.pseudonymised = true;
                (pseudonym.clone(), pseudonym)
            }
            None => (competitor.name, competitor.external_id),
        };
        CompetitorLabel {
            competitor_id,
            kind,
            name,
            external_id,
        }
    }

    pub(crate) fn load_labels(
        &mut self,
        store: &Store,
        ids: impl IntoIterator<Item = CompetitorId>,
    ) -> Result<HashMap<CompetitorId, CompetitorLabel>, Error> {
        let mut ids: Vec<CompetitorId> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut labels = HashMap::with_capacity(ids.len());
        for competitor in store.competitors_by_id(ids.iter().copied())? {
            labels.insert(competitor.competitor_id, self.label(competitor));
        }
        // In a damaged database a competitor may be missing; its results are shown all the same.
        if labels.len() < ids.len() {
            for id in ids {
                labels.entry(id).or_insert_with(|| CompetitorLabel {
                    competitor_id: id,
                    kind: EntrantKind::Person,
                    name: "?".to_owned(),
                    external_id: "?".to_owned(),
                });
            }
        }
        Ok(labels)
    }
}
