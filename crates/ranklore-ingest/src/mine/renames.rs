//! Accounts that have another name in a newer answer about a contest.

use ranklore_contest::UnixSeconds;

use crate::derive::archive::distinct_answers;
use crate::error::Error;
use crate::mine::session::Session;

impl Session<'_, '_> {
    /// Merges accounts that the answers of this sync show under other names than the answers before
    /// them.
    pub(crate) fn merge_renamed_in_results(&mut self, now: UnixSeconds) -> Result<(), Error> {
        let site = &self.site;
        let Some(accounts) = site.source.accounts() else {
            return Ok(());
        };
        let mut keys: Vec<&String> = self.sent.about_contests.iter().collect();
        keys.sort_unstable();
        let mut renamed = Vec::new();
        for key in keys {
            let documents = self.store.documents_for_request(site.source_id, key)?;
            let mut readings = Vec::new();
            for answer in distinct_answers(documents).iter().take(2) {
                readings.extend(site.read(self.store, answer.newest.document_id)?);
            }
            if let [after, before] = readings.as_slice() {
                renamed.extend(accounts.find_renamed(before, after));
            }
        }
        if renamed.is_empty() {
            return Ok(());
        }
        self.merge_renamed(renamed, now)
    }
}
