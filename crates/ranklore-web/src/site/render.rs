//! Makes the pages of a site on several threads, all from one state of the database.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ranklore_contest::SourceName;
use ranklore_replay::Progress;
use ranklore_store::Store;
use ranklore_views::{ViewCache, ViewReader};

use crate::links::site::SitePages;
use crate::paths::SourcePage;
use crate::site::folder::OpenFolder;
use crate::site::pages::SitePage;
use crate::site::{SiteError, SiteSize};

/// The pages of each kind that an estimate makes: of one page each, lists, competitors, contests.
const SAMPLES: [usize; 4] = [1, 40, 40, 20];

/// The pages between two reports of progress.
const REPORT_PAGES: usize = 64;

/// The data of all pages.
pub(super) struct Rendering<'r> {
    pub(super) store: &'r Store,
    pub(super) source: &'r SourceName,
    pub(super) pages: &'r Arc<SitePages>,
    /// The state of the database that all pages show.
    pub(super) state: [u8; 32],
    pub(super) threads: NonZeroUsize,
    pub(super) progress: &'r dyn Progress,
}

impl Rendering<'_> {
    /// Estimates the size of pages from samples of each kind.
    pub(super) fn estimate(&self, pages: &[SitePage<'_>]) -> Result<SiteSize, SiteError> {
        let mut samples = Vec::new();
        let mut scales = [0.0; SAMPLES.len()];
        for (kind, scale) in scales.iter_mut().enumerate() {
            let same_kind: Vec<_> = pages.iter().filter(|page| page_kind(page) == kind).collect();
            let step = same_kind.len().div_ceil(SAMPLES[kind]).max(1);
            let sample = same_kind.iter().step_by(step);
            *scale = same_kind.len() as f64 / sample.len().max(1) as f64;
            samples.extend(sample.map(|page| **page));
        }
        self.progress.begin_task("measuring pages", samples.len() as u64);
        let sizes = Mutex::new([SiteSize::default(); SAMPLES.len()]);
        self.for_each_file(&samples, &ViewCache::default(), |page, _, body| {
            let mut sizes = sizes.lock().unwrap_or_else(PoisonError::into_inner);
            let size = &mut sizes[page_kind(page)];
            size.files += 1;
            size.bytes += body.len() as u64;
            Ok(())
        })?;
        let sizes = sizes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut total = SiteSize::default();
        for (size, scale) in sizes.iter().zip(scales) {
            total.files += (size.files as f64 * scale).round() as usize;
            total.bytes += (size.bytes as f64 * scale).round() as u64;
        }
        Ok(total)
    }

    /// Makes all pages and writes them to the folder.
    pub(super) fn write(
        &self,
        pages: &[SitePage<'_>],
        folder: &OpenFolder,
    ) -> Result<(), SiteError> {
        self.progress.begin_task("writing pages", pages.len() as u64);
        let cache = ViewCache::for_contests_in_order();
        self.for_each_file(pages, &cache, |_, path, body| folder.write(path, body))
    }

    /// Makes pages on several threads, and calls `each` with the page, the path and the bytes of
    /// every file.
    fn for_each_file<'p>(
        &self,
        pages: &'p [SitePage<'p>],
        cache: &ViewCache,
        each: impl Fn(&'p SitePage<'p>, &str, &[u8]) -> Result<(), SiteError> + Sync,
    ) -> Result<(), SiteError> {
        // The connection to the database stays on this thread.
        let source = self.source;
        let site_pages = self.pages;
        let state = self.state;
        let progress = self.progress;
        let next_page = AtomicUsize::new(0);
        let has_failed = AtomicBool::new(false);
        let work = |store: Store| -> Result<(), SiteError> {
            let snapshot = store.snapshot()?;
            if store.state_hash()? != state {
                return Err(SiteError::Changed);
            }
            let reader = ViewReader {
                store: &store,
                cache: Some(cache),
            };
            while !has_failed.load(Ordering::Relaxed) {
                let index = next_page.fetch_add(1, Ordering::Relaxed);
                let Some(page) = pages.get(index) else { break };
                let mut write_page = |path: &str, body: &[u8]| each(page, path, body);
                page.render(reader, source, site_pages, &mut write_page)?;
                if index.is_multiple_of(REPORT_PAGES) {
                    progress.advance(index as u64, 0, 0);
                }
            }
            drop(snapshot);
            Ok(())
        };
        let run = |store| work(store).inspect_err(|_| has_failed.store(true, Ordering::Relaxed));
        let stores = (0..self.threads.get()).map(|_| self.store.open_parallel_reader());
        let stores = stores.collect::<Result<Vec<Store>, _>>()?;
        thread::scope(|scope| {
            let threads: Vec<_> =
                stores.into_iter().map(|store| scope.spawn(move || run(store))).collect();
            let results = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            // All threads end, whichever failed.
            results.collect::<Vec<_>>().into_iter().collect()
        })
    }
}

/// Returns the index of the kind of a page in [`SAMPLES`].
const fn page_kind(page: &SitePage<'_>) -> usize {
    match page {
        SitePage::Leaderboard | SitePage::Source(SourcePage::Players | SourcePage::Contests) => 1,
        SitePage::Home | SitePage::Source(_) => 0,
        SitePage::Player(_) => 2,
        SitePage::Contest(_) => 3,
    }
}
