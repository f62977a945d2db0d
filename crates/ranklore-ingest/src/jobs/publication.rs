//! Facts needed to publish a source: the terms of its sites, and what could not be read.

use ranklore_contest::SourceName;
use ranklore_replay::find_source;
use ranklore_source::Terms;
use ranklore_store::{ContestRow, ContestSync, SourceId, Store};

use crate::error::Error;
use crate::jobs::status::load_refused;
use crate::reading_note::ReadingNote;
use crate::registry::find_site;

/// Facts needed to publish a source.
#[derive(Clone, Debug)]
pub struct PublicationInfo {
    /// The source.
    pub source_id: SourceId,
    /// The sites that its results are from, with their terms.
    pub sites: Vec<(String, Terms)>,
    /// True if persons are shown by pseudonyms.
    pub pseudonyms: bool,
    /// Contests that could not be fetched or read, in whole or in part.
    pub refused: Vec<ContestSync>,
    /// Contests of which much less arrived than the site announced.
    pub incomplete: Vec<ContestRow>,
    /// The times of the first and the last document, in Unix seconds.
    pub collected_at: Option<(i64, i64)>,
}

impl PublicationInfo {
    /// Loads the facts about a source.
    ///
    /// # Errors
    /// [`Error::Replay`] for an unknown source, [`Error::Store`].
    pub fn load(store: &Store, source: &SourceName) -> Result<Self, Error> {
        let source_id = find_source(store, source)?;
        // A source named after a site has imported files of that site.
        let mut names = vec![source.as_str().to_owned()];
        for note in store.distinct_readings(source_id)? {
            match ReadingNote::parse(Some(&note)) {
                Ok(ReadingNote::Answer { site, .. }) => names.push(site),
                Ok(ReadingNote::File(note)) => names.extend(note.sites),
                Err(_) => {}
            }
        }
        names.sort();
        names.dedup();
        Ok(Self {
            source_id,
            sites: names
                .into_iter()
                .filter_map(|name| find_site(&name).map(|site| (name, site.profile.terms)))
                .collect(),
            pseudonyms: store.pseudonym_keys()?.contains_key(&source_id),
            refused: load_refused(store, source_id)?.1,
            incomplete: store.incomplete_contests(source_id)?,
            collected_at: store.fetch_time_range(source_id)?,
        })
    }

    /// Returns the sites whose terms forbid publishing results.
    pub fn forbidding_sites(&self) -> impl Iterator<Item = &str> {
        let forbidding = self.sites.iter().filter(|(_, terms)| !terms.may_publish);
        forbidding.map(|(name, _)| &**name)
    }
}
