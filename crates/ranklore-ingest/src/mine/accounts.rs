//! Accounts of a site: finds renamed accounts, so that one account stays one competitor, and
//! fetches display names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{AccountRename, Accounts, Request, SiteReading, Source};
use ranklore_store::{
    CompetitorId, ContestSync, Decision, DecisionAction, DocumentId, Error as StoreError, SourceId,
    Store, SyncOutcome,
};

use crate::derive::display_names::{
    DisplayNames, changed_documents, may_name_competitors, read_lookups, request_matcher,
};
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::due::settled_answer;
use crate::mine::listing::update_withdrawn;
use crate::mine::request::MineRequest;
use crate::mine::session::{Fetched, Session};

/// The interval between requests for all accounts, in seconds. Names change seldom, and the answer
/// is large.
const REFRESH_SECONDS: i64 = 30 * 86_400;

/// The wait after a failed request for all accounts, in seconds.
const RETRY_SECONDS: i64 = 86_400;

/// The number of failed name requests in a row after which the rest is left to the next sync.
const MAX_FAILURES: u32 = 3;

/// The note of decisions made by the program.
const RENAME_NOTE: &str = "renamed, says the site";

/// Returns the requests for all accounts of the site if they are due: 30 days after the last time,
/// one day after a failure, or when the user asks for names. A partial sync of a site with separate
/// names requests single names instead ([`due_name_requests`]).
pub(crate) fn due_account_lists(
    store: &Store,
    source: &dyn Source,
    source_id: SourceId,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let Some(accounts) = source.accounts() else {
        return Ok(Vec::new());
    };
    if request.names {
        return Ok(accounts.list());
    }
    let has_separate_names = has_separate_names(source);
    if has_separate_names && request.is_partial() {
        return Ok(Vec::new());
    }
    // The first sync is a snapshot without renamed accounts, unless names come separately.
    let last = match store.names_asked_at(source_id)? {
        Some(last) => Some(last),
        None if has_separate_names => None,
        None => store.fetch_time_range(source_id)?.map(|(first, _)| first),
    };
    // A time far in the future was written with a wrong clock, hence the absolute difference.
    if last.is_some_and(|last| (last - now.get()).abs() < REFRESH_SECONDS) {
        return Ok(Vec::new());
    }
    let is_about_names =
        request_matcher(&[accounts.list(), accounts.lookup(&["anybody"])].concat());
    let has_failed = store.contest_syncs(source_id)?.into_iter().any(|sync| {
        sync.is_failed()
            && (sync.tried_at - now.get()).abs() < RETRY_SECONDS
            && is_about_names(&sync.external_id)
    });
    Ok(if has_failed {
        Vec::new()
    } else {
        accounts.list()
    })
}

/// Returns the requests for names of competitors that have results but no name, most urgent first.
pub(crate) fn due_name_requests(
    store: &Store,
    site: &Site<'_>,
    full: bool,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let Some(accounts) = site.source.accounts() else {
        return Ok(Vec::new());
    };
    let unnamed = find_unnamed(store, site, accounts, full, now)?;
    if unnamed.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = unnamed.iter().map(String::as_str).collect();
    Ok(accounts.find_names(&ids, &load_account_pages(store, site, accounts)?))
}

/// Returns the competitors that have results, are identified by an id and have no name, except
/// those whose lookups are answered already.
fn find_unnamed(
    store: &Store,
    site: &Site<'_>,
    accounts: &dyn Accounts,
    full: bool,
    now: UnixSeconds,
) -> Result<BTreeSet<String>, Error> {
    let mut unnamed = BTreeSet::new();
    if !has_separate_names(site.source) {
        return Ok(unnamed);
    }
    for row in store.competitors_of_source(site.source_id)? {
        if row.name != row.external_id
            || site.forgotten.is_blank(&row.external_id)
            || !store.has_standing(row.competitor_id)?
        {
            continue;
        }
        let mut is_known = false;
        for request in accounts.lookup(&[&row.external_id]) {
            is_known |= settled_answer(store, site.source_id, &request, full, now)?.is_some()
                || (!full && is_still_unreadable(store, site.source_id, &request.key(), now)?);
        }
        if !is_known {
            unnamed.insert(row.external_id);
        }
    }
    Ok(unnamed)
}

/// True if the answer to a name request could not be read within the last 30 days; a new one would
/// be the same.
fn is_still_unreadable(
    store: &Store,
    source_id: SourceId,
    key: &str,
    now: UnixSeconds,
) -> Result<bool, Error> {
    let last = store.contest_sync(source_id, key)?;
    Ok(last.is_some_and(|last| {
        last.outcome == SyncOutcome::Refused && (last.tried_at - now.get()).abs() < REFRESH_SECONDS
    }))
}

/// Returns the newest readable answers to requests for all accounts, by request key.
fn load_account_pages(
    store: &Store,
    site: &Site<'_>,
    accounts: &dyn Accounts,
) -> Result<Vec<(String, Arc<SiteReading>)>, Error> {
    let is_page = request_matcher(&accounts.list());
    // Rows are ordered oldest first, so the last one per key stays.
    let documents = store.documents(site.source_id)?.into_iter();
    let newest: BTreeMap<String, DocumentId> = documents
        .filter(|row| is_page(&row.request_key))
        .map(|row| (row.request_key, row.document_id))
        .collect();
    let mut pages = Vec::new();
    for (key, document_id) in newest {
        if let Ok(reading) = site.read(store, document_id)? {
            pages.push((key, Arc::new(reading)));
        }
    }
    Ok(pages)
}

/// True if results have ids only and the site has a list of names.
pub(crate) fn has_separate_names(source: &dyn Source) -> bool {
    source.accounts().is_some_and(|accounts| {
        let list = accounts.list();
        list.iter().any(|request| accounts.may_name_competitors(&request.key()))
    })
}

/// A search for the names of competitors that have results but no name.
struct NameSearch<'a> {
    accounts: &'a dyn Accounts,
    /// The ids of competitors without a name.
    unnamed: BTreeSet<String>,
    /// The newest answers to requests for all accounts, by request key.
    pages: Vec<(String, Arc<SiteReading>)>,
    /// The keys of the requests sent.
    sent_keys: HashSet<String>,
    /// The keys of requests that failed in earlier syncs.
    failed_keys: HashSet<String>,
}

impl NameSearch<'_> {
    /// Returns the next request, except those with `answered_keys`: an answer of this sync has no
    /// more to tell. Requests that failed before come last.
    fn next_request(&self, answered_keys: &HashSet<String>) -> Option<Request> {
        let ids: Vec<&str> = self.unnamed.iter().map(String::as_str).collect();
        let pages = self.accounts.find_names(&ids, &self.pages);
        let requests = pages.into_iter().chain(self.accounts.lookup(&ids));
        let open = requests.filter(|request| {
            let key = request.key();
            !self.sent_keys.contains(&key) && !answered_keys.contains(&key)
        });
        open.min_by_key(|request| self.failed_keys.contains(&request.key()))
    }

    /// Adds the names in the answer to a request.
    fn add_reading(&mut self, request: &Request, reading: Arc<SiteReading>) {
        let key = request.key();
        for named in &reading.named {
            self.unnamed.remove(&named.competitor);
        }
        if request_matcher(&self.accounts.list())(&key) {
            self.pages.retain(|(page_key, _)| *page_key != key);
            self.pages.push((key, reading));
        } else {
            // The site has no name for competitors still missing from their own lookup.
            let accounts = self.accounts;
            self.unnamed.retain(|name| !accounts.lookup(&[name]).contains(request));
        }
    }
}

impl Session<'_, '_> {
    /// Looks up every person whose name the site no longer lists, and merges those it knows by
    /// another name. Runs every 30 days, or when the user asks for it; then it also looks up names
    /// that were unknown before. Returns false if an answer is missing.
    pub(crate) fn sync_accounts(
        &mut self,
        request: &MineRequest,
        now: UnixSeconds,
    ) -> Result<bool, Error> {
        let site = &self.site;
        let list = due_account_lists(self.store, site.source, site.source_id, request, now)?;
        let Some(accounts) = site.source.accounts().filter(|_| !list.is_empty()) else {
            return Ok(true);
        };
        self.watch.begin_task("requesting names", 1);
        let Some(readings) = self.fetch_all(list, now)? else {
            return Ok(false);
        };
        let listed_names = readings
            .iter()
            .flat_map(|reading| &reading.accounts)
            .map(|account| &*account.name)
            .collect();
        let mut missing = self.missing_accounts(&listed_names)?;
        if !request.names {
            // The site answered that it does not know these names.
            let readings = read_lookups(&self.site, self.store)?.into_iter();
            let unknown: HashSet<String> = readings.flat_map(|r| r.unknown).collect();
            missing.retain(|name| !unknown.contains(name));
        }
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        let Some(readings) = self.fetch_all(accounts.lookup(&names), now)? else {
            return Ok(false);
        };
        let renamed = readings.iter().flat_map(|reading| &reading.renamed);
        self.merge_renamed(renamed.cloned().collect(), now)?;
        Ok(true)
    }

    /// Fetches the names of competitors that have results but no name, with as few requests as
    /// possible, and sets them.
    pub(crate) fn fetch_missing_names(&mut self, now: UnixSeconds) -> Result<(), Error> {
        let site = &self.site;
        let Some(accounts) = site.source.accounts() else {
            return Ok(());
        };
        let unnamed = find_unnamed(self.store, site, accounts, self.full, now)?;
        if unnamed.is_empty() {
            return Ok(());
        }
        let pages = load_account_pages(self.store, site, accounts)?;
        let syncs = self.store.contest_syncs(site.source_id)?.into_iter();
        let failed_before = syncs.filter(ContestSync::is_failed);
        let total = unnamed.len();
        let mut search = NameSearch {
            accounts,
            unnamed,
            pages,
            sent_keys: HashSet::new(),
            failed_keys: failed_before.map(|sync| sync.external_id).collect(),
        };
        self.watch.begin_task("requesting names", total as u64);
        let mut failures = 0;
        while let Some(request) = search.next_request(&self.sent.documents) {
            search.sent_keys.insert(request.key());
            let answers_before = self.report.answers;
            if let Some(reading) = self.fetch_reading(&request, now)? {
                failures = 0;
                search.add_reading(&request, reading);
                let named = total - search.unnamed.len();
                self.watch.advance(named as u64, search.sent_keys.len() as u64, 0);
            } else {
                // An unreadable answer says nothing about the next request.
                let has_answer = self.report.answers > answers_before;
                failures = if has_answer { 0 } else { failures + 1 };
                if failures == MAX_FAILURES || !self.is_running() {
                    break;
                }
            }
        }
        self.update_display_names(now)
    }

    /// Fetches and reads a document about names. Returns `None` if it failed or is unreadable; the
    /// report has the reason.
    fn fetch_reading(
        &mut self,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<Option<Arc<SiteReading>>, Error> {
        match self.fetch_document(request, now)? {
            Fetched::Read(_, reading) => return Ok(Some(reading)),
            Fetched::Unreadable => {}
            Fetched::Failed(error) if error.concerns_host() => self.report.stop(&error),
            Fetched::Failed(error) => self.refuse(&request.key(), error.to_string()),
        }
        Ok(None)
    }

    /// Fetches and reads all these documents and those they lead to. Returns `None` if any of them
    /// failed.
    fn fetch_all(
        &mut self,
        requests: Vec<Request>,
        now: UnixSeconds,
    ) -> Result<Option<Vec<Arc<SiteReading>>>, Error> {
        let mut queue: VecDeque<Request> = requests.into();
        let mut requested = HashSet::new();
        let mut readings = Vec::new();
        while let Some(request) = queue.pop_front() {
            if !requested.insert(request.key()) {
                continue;
            }
            let Some(reading) = self.fetch_reading(&request, now)? else {
                return Ok(None);
            };
            queue.extend(reading.follow.iter().cloned());
            readings.push(reading);
        }
        Ok(Some(readings))
    }

    /// Returns the persons whose names the site does not list. Excludes merged accounts, accounts
    /// split off by the user and forgotten persons.
    fn missing_accounts(&self, listed_names: &HashSet<&str>) -> Result<Vec<String>, Error> {
        let source_id = self.site.source_id;
        let merges = self.store.merges(source_id)?.into_iter();
        let merged_ids: HashSet<_> = merges.map(|(account, _)| account).collect();
        let decisions = self.store.decisions(source_id)?.into_iter();
        let split: HashSet<String> = decisions
            .filter(|row| row.decision.action == DecisionAction::Split)
            .map(|row| row.decision.subject)
            .collect();
        let competitors = self.store.competitors_of_source(source_id)?.into_iter();
        let missing = competitors.filter(|row| {
            row.kind == EntrantKind::Person
                && !listed_names.contains(&*row.external_id)
                && !merged_ids.contains(&row.competitor_id)
                && !split.contains(&row.external_id)
                && !self.site.forgotten.is_blank(&row.external_id)
        });
        Ok(missing.map(|row| row.external_id).collect())
    }

    /// Merges each renamed account into the account with the new name. If no competitor has the new
    /// name yet, it becomes the display name, unless the user gave one. Stores the time of the
    /// request in the same transaction.
    pub(crate) fn merge_renamed(
        &mut self,
        renamed: Vec<AccountRename>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let competitors = self.store.competitors_of_source(source_id)?.into_iter();
        let known_ids: HashMap<String, CompetitorId> = competitors
            .filter(|row| row.kind == EntrantKind::Person)
            .map(|row| (row.external_id, row.competitor_id))
            .collect();
        let decisions = self.store.decisions(source_id)?.into_iter();
        let by_hand: HashSet<String> = decisions
            .filter(|row| row.note.as_deref() != Some(RENAME_NOTE))
            .filter(|row| row.decision.action == DecisionAction::Rename)
            .map(|row| row.decision.subject)
            .collect();
        let mut batch = self.store.batch()?;
        for AccountRename { from, to } in renamed {
            let Some(&account) = known_ids.get(&from).filter(|_| from != to) else {
                continue;
            };
            let action = if let Some(&other) = known_ids.get(&to) {
                if batch.share_contest(account, other)? {
                    self.watch.note(&format!(
                        "{from} is {to} today according to the site, but both took part in one \
                         contest: {to} was another account, and they are not merged; ranklore mine \
                         {} --full requests the results under the names of today",
                        self.site.name
                    ));
                    continue;
                }
                DecisionAction::Merge
            } else if by_hand.contains(&from) {
                self.watch.note(&format!(
                    "{from} is {to} today according to the site; the name given by the user stays"
                ));
                continue;
            } else {
                DecisionAction::Rename
            };
            let decision = Decision {
                action,
                kind: Some(EntrantKind::Person),
                subject: from,
                object: Some(to),
            };
            match batch.record_decision(source_id, &decision, Some(RENAME_NOTE), now) {
                Ok(changed) => self.report.renamed += u64::from(changed),
                // Decisions of the user take precedence over the site.
                Err(error @ StoreError::InvalidDecision { .. }) => {
                    self.watch.note(&error.to_string());
                }
                Err(error) => return Err(error.into()),
            }
        }
        batch.set_names_asked_at(source_id, now)?;
        batch.commit()?;
        Ok(())
    }

    /// Updates all display names, and the details of withdrawn contests, if any document with names
    /// is new. Where names come separately or contests have details, a new list counts too, because
    /// results may have moved to another competitor. Reads all these documents, except repeated
    /// ones.
    pub(crate) fn update_display_names(&mut self, now: UnixSeconds) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let documents = self.store.documents(source_id)?;
        let Some(through) = documents.iter().map(|row| row.document_id).max() else {
            return Ok(());
        };
        let named_through = self.store.named_through(source_id)?;
        let source = self.site.source;
        let lists_count = has_separate_names(source) || self.catalogue.has_details;
        let changed = changed_documents(documents, |key| {
            may_name_competitors(source, key)
                || (lists_count && self.catalogue.lists.contains_key(key))
        });
        let newest = changed.iter().map(|row| row.document_id).max();
        // Without a new document the names are up to date.
        if newest <= named_through {
            return Ok(());
        }
        let lists = self.site.load_lists(self.store, HashMap::new())?;
        let history = self.site.load_list_history(self.store, &lists)?;
        let names = DisplayNames::load(&self.site, self.store, history.merges)?;
        let mut batch = self.store.batch()?;
        update_withdrawn(&self.site, &mut batch, &history.withdrawn, now)?;
        self.report.renamed += names.write(&mut batch, source_id)?;
        batch.set_named_through(source_id, through)?;
        batch.commit()?;
        Ok(())
    }
}
