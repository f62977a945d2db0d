//! Official ratings that do not continue the stored history of a competitor: an account took over a
//! handle of another one, or the site recalculated earlier contests.

use ranklore_contest::Quoted;
use ranklore_replay::RunSelection;
use ranklore_store::DocumentId;

use crate::derive::official::official_runs;
use crate::error::Error;
use crate::mine::accounts::has_separate_names;
use crate::mine::session::Session;

/// The number of contests of one sync that are compared with earlier ones, newest first. A first sync
/// brings thousands, all of one day.
const MAX_COMPARED: usize = 20;

/// The number of competitors that a note names.
const MAX_NAMED: usize = 5;

impl Session<'_, '_> {
    /// Notes new and revised contests in which the site has another rating of competitors before the
    /// contest than the stored one after their last contest. Only of sites that identify accounts by
    /// names that may change. `through` is the last document before the sync.
    pub(crate) fn note_broken_histories(&self, through: DocumentId) -> Result<(), Error> {
        let site = &self.site;
        let source = site.source;
        let runs = official_runs(self.store, &site.name)?;
        if runs.is_empty() || source.accounts().is_none() || has_separate_names(source) {
            return Ok(());
        }
        let mut contests = self.store.contests_of_source(site.source_id)?;
        contests.retain(|contest| self.altered_contests.contains(&contest.external_id));
        for contest in contests.iter().rev().take(MAX_COMPARED) {
            let mut covering = runs
                .iter()
                .filter(|run| RunSelection::from_canonical_json(&run.selection).covers(contest));
            let Some(run_id) = covering.next().map(|run| run.run_id) else {
                continue;
            };
            let contest_id = contest.contest_id;
            let broken = self.store.broken_official_histories(run_id, contest_id, through)?;
            let names = broken.iter().take(MAX_NAMED).map(|name| Quoted(name).to_string());
            let names = names.collect::<Vec<_>>().join(", ");
            let others = match broken.len() {
                0 => continue,
                1..=MAX_NAMED => String::new(),
                count => format!(" and {} more", count - MAX_NAMED),
            };
            self.watch.note(&format!(
                "contest {}: the ratings before it of {names}{others} are not those stored after their last \
                 contests; either other accounts have these names now, or earlier contests were \
                 recalculated: ranklore mine {} --full requests all contests again",
                contest.external_id, site.name
            ));
        }
        Ok(())
    }
}
