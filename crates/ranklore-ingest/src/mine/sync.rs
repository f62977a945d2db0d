//! Syncs a source with its site.

use ranklore_contest::UnixSeconds;
use ranklore_replay::Progress;
use ranklore_source::{NameDisplay, Request, Source};
use ranklore_store::Writer;

use crate::derive::official::refresh_official_ratings;
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::answers::saved_files::SavedAnswers;
use crate::mine::due::DueSelector;
use crate::mine::report::MineReport;
use crate::mine::request::MineRequest;
use crate::mine::session::{AnswerSource, Session, record_sync};
use crate::registry::find_site;

/// Syncs a source with its site: requests the lists and every contest that is due, archives each
/// answer and reads it. Each contest is committed separately, so that a killed sync can be resumed
/// by the next one.
///
/// # Errors
/// [`Error::Fetch`] if no request can be sent at all; [`Error::Store`].
pub fn mine(
    store: &mut Writer,
    source: &dyn Source,
    request: &MineRequest,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<MineReport, Error> {
    let name = request.source_name(source)?;
    let profile = source.profile();
    if request.from_files.is_some() && profile.saved_files.is_none() {
        return Err(Error::invalid_request(format!("saved files of {name} are not supported")));
    }
    let started_at = clock();
    let mut answer_source = match &request.from_files {
        Some(folder) => AnswerSource::Files(SavedAnswers::new(folder, started_at)),
        None => AnswerSource::connect_site(store, request.fetch_options(source), started_at)?,
    };
    // If the site cannot be reached, a new source is not created, nor the state of the host.
    if let Err(failure) = answer_source.check_connection(watch) {
        let report = MineReport::from_stop(&failure);
        if let Some(source_id) = store.source_id(&name)? {
            record_sync(store, source_id, &report, started_at, clock)?;
        }
        return Ok(report);
    }
    let mut batch = store.batch()?;
    let source_id = batch.get_or_insert_source(&name, started_at)?;
    if profile.terms.names == NameDisplay::Pseudonyms {
        batch.require_pseudonyms(source_id)?;
    }
    batch.commit()?;
    // Optional requests of earlier syncs and of this one count too, as in a rebuild.
    let mut request_keys = store.request_keys(source_id)?;
    request_keys.extend(source.initial_requests().iter().map(Request::key));
    let archived_source = find_site(profile.name).map(|site| (site.open_archive)(&request_keys));
    let reader = archived_source.as_deref().unwrap_or(source);
    let site = Site::open(store, reader, name, source_id)?;
    let refused_files = match &mut answer_source {
        AnswerSource::Files(saved) => saved.load(store, &site)?,
        AnswerSource::Site { .. } => Vec::new(),
    };
    // Saved files may have any of the forms.
    let planner = match answer_source {
        AnswerSource::Files(_) => reader,
        AnswerSource::Site { .. } => source,
    };
    let mut session = Session::new(store, site, planner, answer_source, watch);
    for file in refused_files {
        session.refuse(&file.document, file.what);
    }
    session.full = request.full;
    session.run(request, started_at, clock)?;
    session.finish(started_at, clock)
}

impl Session<'_, '_> {
    /// Requests the lists, then the due contests, then the names of competitors.
    fn run(
        &mut self,
        request: &MineRequest,
        started_at: UnixSeconds,
        clock: fn() -> UnixSeconds,
    ) -> Result<(), Error> {
        let through = self.store.last_document()?;
        if self.site.honours_deletions() {
            self.store.enable_secure_delete()?;
            self.superseded.keys = Some(self.site.keys_by_contest(self.store)?);
        }
        if let Some(contests) = self.sync_lists(request, started_at)? {
            let answerable = self.retain_answerable(contests)?;
            let selector = DueSelector {
                store: self.store,
                site: &self.site,
                lists: &self.catalogue.lists,
                request,
                now: started_at,
            };
            let due = selector.select(answerable)?;
            self.sync_contests(&due, request.limit.unwrap_or(usize::MAX), clock)?;
            self.merge_renamed_in_results(clock())?;
            let has_accounts = self.is_running()
                && request.from_files.is_none()
                && self.sync_accounts(request, clock())?;
            self.update_display_names(clock())?;
            if has_accounts && self.is_running() {
                self.fetch_missing_names(clock())?;
            }
        }
        let mut batch = self.store.batch()?;
        refresh_official_ratings(&mut batch, &self.site.name, self.site.source_id, None)?;
        batch.commit()?;
        if let Some(through) = through {
            self.note_broken_histories(through)?;
        }
        self.purge_deleted()
    }
}
