//! Makes the pages of a site on several threads, all from one state of the database.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ranklore_contest::SourceName;
use ranklore_replay::{Progress, ViewCache, ViewReader};
use ranklore_store::Store;

use crate::site::SiteError;
use crate::site::folder::OpenFolder;
use crate::site::links::SitePages;
use crate::site::pages::SitePage;

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

/// The size of pages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PagesSize {
    pub(super) files: usize,
    pub(super) bytes: u64,
}

impl Rendering<'_> {
    /// Estimates the size of pages from samples of each kind.
    pub(super) fn estimate(&self, pages: &[SitePage<'_>]) -> Result<PagesSize, SiteError> {
        let kind = |page: &SitePage<'_>| match page {
            SitePage::Home
            | SitePage::Compare
            | SitePage::Movers
            | SitePage::Distribution
            | SitePage::Records => 0,
            SitePage::Leaderboard | SitePage::Players | SitePage::Contests => 1,
            SitePage::Player(_) => 2,
            SitePage::Contest(_) => 3,
        };
        let mut samples = Vec::new();
        let scales = [0, 1, 2, 3].map(|wanted| {
            let of_kind: Vec<_> = pages.iter().filter(|of| kind(of) == wanted).collect();
            let step = of_kind.len().div_ceil(SAMPLES[wanted]).max(1);
            let sample = of_kind.iter().step_by(step);
            let scale = of_kind.len() as f64 / sample.len().max(1) as f64;
            samples.extend(sample.map(|of| **of));
            scale
        });
        self.progress
            .begin_task("measuring pages", samples.len() as u64);
        let sizes = Mutex::new([PagesSize::default(); SAMPLES.len()]);
        self.for_each_file(&samples, &ViewCache::default(), |page, _, body| {
            let mut sizes = sizes.lock().unwrap_or_else(PoisonError::into_inner);
            let size = &mut sizes[kind(page)];
            size.files += 1;
            size.bytes += body.len() as u64;
            Ok(())
        })?;
        let sizes = sizes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut all = PagesSize::default();
        for (size, scale) in sizes.iter().zip(scales) {
            all.files += (size.files as f64 * scale).round() as usize;
            all.bytes += (size.bytes as f64 * scale).round() as u64;
        }
        Ok(all)
    }

    /// Makes all pages and writes them to the folder.
    pub(super) fn write(
        &self,
        pages: &[SitePage<'_>],
        folder: &OpenFolder,
    ) -> Result<(), SiteError> {
        self.progress
            .begin_task("writing pages", pages.len() as u64);
        let cache = ViewCache::for_contests_in_order();
        self.for_each_file(pages, &cache, |_, path, body| folder.put(path, body))
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
        let Self {
            source,
            pages: site_pages,
            state,
            progress,
            ..
        } = self;
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |store: Store| -> Result<(), SiteError> {
            let snapshot = store.snapshot()?;
            if store.state_hash()? != *state {
                return Err(SiteError::Changed);
            }
            let reader = ViewReader {
                store: &store,
                cache: Some(cache),
            };
            while !failed.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(page) = pages.get(index) else { break };
                let mut put = |path: &str, body: &[u8]| each(page, path, body);
                page.render(reader, source, site_pages, &mut put)?;
                if index.is_multiple_of(REPORT_PAGES) {
                    progress.advance(index as u64, 0, 0);
                }
            }
            drop(snapshot);
            Ok(())
        };
        let run = |store| work(store).inspect_err(|_| failed.store(true, Ordering::Relaxed));
        let stores = (0..self.threads.get()).map(|_| self.store.open_parallel_reader());
        let stores: Vec<Store> = stores.collect::<Result<_, _>>()?;
        thread::scope(|scope| {
            let threads: Vec<_> = (stores.into_iter())
                .map(|store| scope.spawn(move || run(store)))
                .collect();
            let results = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            // All threads end, whichever failed.
            results.collect::<Vec<_>>().into_iter().collect()
        })
    }
}
