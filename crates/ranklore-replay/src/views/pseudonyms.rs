//! What those are called whose names are not to be shown: people of sites whose terms say
//! so. Which sources have results of such sites is
//! noted when these come, whatever the source is called.

use std::collections::HashMap;

use ranklore_contest::EntrantKind;
use ranklore_store::{CompetitorRow, SourceId, Store, name_hash};

use crate::error::Error;
use crate::views::names::NamesPolicy;

/// Pseudonyms of one file: the same for one competitor whenever they are shown, and nobody's name
/// can be told from one, nor tried out on it, without the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pseudonyms {
    /// By source, the key that its pseudonyms are made with.
    keys: HashMap<SourceId, [u8; 32]>,
}

impl Pseudonyms {
    /// Loads the keys of all sources that need pseudonyms.
    pub(crate) fn load(store: &Store) -> Result<Self, Error> {
        let keys = store.pseudonym_keys()?;
        Ok(Self { keys })
    }

    /// Loads the keys of the sources whose people get pseudonyms by this policy.
    pub(crate) fn load_for(store: &Store, policy: NamesPolicy) -> Result<Self, Error> {
        match policy {
            NamesPolicy::Publishable => Self::load(store),
            NamesPolicy::AsStored => Ok(Self::default()),
        }
    }

    /// What a person or a couple is called instead; nothing where the name may be shown, as those
    /// of teams may.
    pub(crate) fn pseudonym_for(&self, competitor: &CompetitorRow) -> Option<String> {
        if competitor.kind == EntrantKind::Team {
            return None;
        }
        let key = self.keys.get(&competitor.source_id)?;
        let kind = competitor.kind.as_str();
        let text = format!("pseudonym of {kind} {}", competitor.external_id);
        // Among a hundred thousand competitors hardly ever two are the same.
        let [a, b, c, d, e, ..] = name_hash(key, &text);
        let digits = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        Some(format!("{kind}-{digits:010x}"))
    }
}
