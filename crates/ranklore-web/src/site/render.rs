//! Makes the pages of a site on several threads, all from one state of the database.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ranklore_contest::SourceName;
use ranklore_replay::{Progress, ViewCache, ViewReader};
use ranklore_store::Store;

use crate::site::SiteError;
use crate::site::folder::OpenFolder;
use crate::site::links::SitePages;
use crate::site::pages::SitePage;

/// The pages of each kind that an estimate makes.
const SAMPLE: usize = 40;

/// The pages between two reports of progress.
const REPORT_PAGES: usize = 64;

/// The data of all pages.
pub(super) struct Rendering<'r> {
    pub(super) database: &'r Path,
    pub(super) source: &'r SourceName,
    pub(super) pages: &'r Arc<SitePages>,
    /// The state of the database that all pages show.
    pub(super) state: [u8; 32],
    pub(super) threads: NonZeroUsize,
    pub(super) progress: &'r dyn Progress,
    pub(super) cache: ViewCache,
}

/// The size of pages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PagesSize {
    pub(super) files: usize,
    pub(super) bytes: u64,
}

impl Rendering<'_> {
    const fn reader<'s>(&'s self, store: &'s Store) -> ViewReader<'s> {
        ViewReader {
            store,
            cache: Some(&self.cache),
        }
    }

    /// Estimates the size of pages from samples of each kind.
    pub(super) fn estimate(
        &self,
        store: &Store,
        pages: &[SitePage<'_>],
    ) -> Result<PagesSize, SiteError> {
        let kind = |page: &SitePage<'_>| match page {
            SitePage::Player(_) => 1,
            SitePage::Contest(_) => 2,
            _ => 0,
        };
        let mut all = PagesSize::default();
        for wanted in 0..3 {
            let of_kind: Vec<_> = pages.iter().filter(|of| kind(of) == wanted).collect();
            let step = of_kind.len().div_ceil(SAMPLE).max(1);
            let sample = of_kind.iter().step_by(step);
            let scale = of_kind.len() as f64 / sample.len().max(1) as f64;
            let mut size = PagesSize::default();
            for page in sample {
                page.render(
                    self.reader(store),
                    self.source,
                    self.pages,
                    &mut |_, body| {
                        size.files += 1;
                        size.bytes += body.len() as u64;
                        Ok(())
                    },
                )?;
            }
            all.files += (size.files as f64 * scale).round() as usize;
            all.bytes += (size.bytes as f64 * scale).round() as u64;
        }
        Ok(all)
    }
}

/// Makes all pages and writes them to the folder.
pub(super) fn render_all(
    rendering: &Rendering<'_>,
    pages: &[SitePage<'_>],
    folder: &OpenFolder,
) -> Result<(), SiteError> {
    rendering
        .progress
        .begin_task("writing pages", pages.len() as u64);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || -> Result<(), SiteError> {
        let store = Store::open_reader(rendering.database)?;
        let snapshot = store.snapshot()?;
        if store.state_hash()? != rendering.state {
            return Err(SiteError::Changed);
        }
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(page) = pages.get(index) else { break };
            page.render(
                rendering.reader(&store),
                rendering.source,
                rendering.pages,
                &mut |path, body| folder.put(path, body),
            )?;
            if index.is_multiple_of(REPORT_PAGES) {
                rendering.progress.advance(index as u64, 0, 0);
            }
        }
        drop(snapshot);
        Ok(())
    };
    let run = || work().inspect_err(|_| failed.store(true, Ordering::Relaxed));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..rendering.threads.get())
            .map(|_| scope.spawn(run))
            .collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All threads end, whichever failed.
        results.collect::<Vec<_>>().into_iter().collect()
    })
}
