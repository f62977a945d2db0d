//! Pseudonyms of people of sites whose terms forbid publishing their names. Sources with results of
//! such a site are marked when the results arrive, whatever the name of the source.

use std::collections::HashMap;

use ranklore_contest::EntrantKind;
use ranklore_store::{CompetitorRow, SearchedCompetitor, SourceId, Store, name_hash};

use ranklore_replay::Error;

/// The pseudonyms of one database. They are stable, and without the database nobody can derive a
/// name from one or test a guessed name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pseudonyms {
    /// The key of the pseudonyms of each source.
    keys: HashMap<SourceId, [u8; 32]>,
}

impl Pseudonyms {
    /// Loads the keys of all sources that need pseudonyms.
    pub(crate) fn load(store: &Store) -> Result<Self, Error> {
        let keys = store.pseudonym_keys()?;
        Ok(Self { keys })
    }

    /// True if people and couples of a source have pseudonyms.
    pub(crate) fn hides_people_of(&self, source_id: SourceId) -> bool {
        self.keys.contains_key(&source_id)
    }

    /// Returns the pseudonym of a person or couple; `None` if the name may be shown, as names of
    /// teams may.
    pub(crate) fn pseudonym_for(&self, competitor: &CompetitorRow) -> Option<String> {
        self.pseudonym_of_names(&SearchedCompetitor {
            competitor_id: competitor.competitor_id,
            source_id: competitor.source_id,
            external_id: &competitor.external_id,
            kind: competitor.kind,
            name: &competitor.name,
        })
    }

    /// Returns the pseudonym that a competitor is shown under; `None` if its names are shown.
    pub(crate) fn pseudonym_of_names(&self, competitor: &SearchedCompetitor<'_>) -> Option<String> {
        if competitor.kind == EntrantKind::Team {
            return None;
        }
        let key = self.keys.get(&competitor.source_id)?;
        let kind = competitor.kind.as_str();
        let text = format!("pseudonym of {kind} {}", competitor.external_id);
        // 40 bits: two of 100,000 competitors share a pseudonym with a probability of 0.5 %.
        let [a, b, c, d, e, ..] = name_hash(key, &text);
        let digits = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        Some(format!("{kind}-{digits:010x}"))
    }
}
