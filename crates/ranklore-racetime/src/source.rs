//! The `Source` implementation for racetime.gg.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use ranklore_source::assemble::{AnswerArchive, Assembly};
use ranklore_source::{
    Accounts, Classification, Document, Profile, Registration, Request, SiteListing, SiteReadError,
    SiteReading, Source, json,
};

use crate::options::{self, Selection};
use crate::profile::{FIELDS, PROFILE};
use crate::race::goal_of_division;
use crate::requests::RacePage;
use crate::{answers, page};

/// The registration of the source `racetime`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |values| Ok(Box::new(RacetimeSource::new(options::parse_pages(values)?))),
    open_archive: |keys| Box::new(RacetimeSource::from_archive(keys.iter().map(String::as_str))),
};

/// The source `racetime`.
#[derive(Clone, Debug, Default)]
pub struct RacetimeSource {
    /// The pages that a sync starts with, or all pages of an archive.
    pages: Vec<RacePage>,
    selection: Selection,
}

impl RacetimeSource {
    pub(crate) fn new(pages: Vec<RacePage>) -> Self {
        let mut selection = Selection::default();
        for page in &pages {
            selection.add(page);
        }
        Self { pages, selection }
    }

    /// Returns the source for an archive: it starts with every page that was ever requested, and
    /// selects the races that any sync selected.
    ///
    /// `request_keys` are those of all archived documents, in any order, with repetitions.
    #[must_use]
    pub fn from_archive<'k>(request_keys: impl IntoIterator<Item = &'k str>) -> Self {
        let keys: BTreeSet<&str> = request_keys.into_iter().collect();
        Self::new(keys.into_iter().filter_map(RacePage::parse).collect())
    }
}

impl Source for RacetimeSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the newest races of each category.
    fn initial_requests(&self) -> Vec<Request> {
        self.pages.iter().map(RacePage::to_request).collect()
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        match json::classify(status, body, &["races"]) {
            // The category does not exist.
            Classification::Invalid(_)
                if status == 404 && RacePage::parse(&request.key()).is_some() =>
            {
                Classification::Answer
            }
            classification => classification,
        }
    }

    fn minimise<'b>(&self, _request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        // The HTML page of an unknown category has no data.
        if body.trim_ascii_start().starts_with(b"{") {
            json::keep(body, &FIELDS)
        } else {
            Cow::Borrowed(b"")
        }
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let Some(page) = RacePage::parse(key) else {
            return Err(SiteReadError::unknown_request(key, "racetime.gg"));
        };
        if document.status == 404 {
            let category = &page.category;
            let expected = format!("a category in its URL, as smr; the site has no {category:?}");
            return Err(SiteReadError::whole_document(key, expected));
        }
        page::read(key, document.body, &page)
    }

    /// Drops the races whose goals were not selected.
    fn apply_options(&self, request_key: &str, reading: &mut SiteReading) {
        let Some(page) = RacePage::parse(request_key) else {
            return;
        };
        reading.listed.retain(|race| {
            let goal = race.division.as_deref().map_or("", goal_of_division);
            self.selection.has_goal(&page.category, goal)
        });
        let ids: HashSet<&str> = reading.listed.iter().map(|race| &*race.external_id).collect();
        reading.results.retain(|results| ids.contains(&*results.external_id));
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        Some(self)
    }

    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        let mut assembly = answers::assemble_race(listed, archive);
        let category = listed.external_id.split('/').next().unwrap_or_default();
        for race in &mut assembly.contests {
            let is_recorded = race.contest.site_weight.is_none();
            race.rated = is_recorded || self.selection.rates_unrecorded(category);
        }
        assembly
    }
}

impl Accounts for RacetimeSource {
    /// Pages identify users by id and give their names of today.
    fn may_name_competitors(&self, request_key: &str) -> bool {
        RacePage::parse(request_key).is_some()
    }
}
