//! A page to make: from which data, with which parameters, and where its links lead.

use std::ops::Range;

use ranklore_store::{CompetitorId, RunRow};
use ranklore_views::{Extent, Page, ViewReader};

use crate::failure::Failure;
use crate::links::Links;
use crate::links::site::SiteLinks;
use crate::pages::ROWS;
use crate::pages::parts::Paging;
use crate::parameters::{Parameters, Rows};
use crate::paths::BasePath;

/// The rows of a list on a page of a static site.
const SITE_ROWS: Rows = Rows {
    usual: 500,
    max: 500,
};

/// A request for a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageRequest<'r> {
    pub(crate) reader: ViewReader<'r>,
    pub(crate) parameters: &'r Parameters,
    /// The day, counted from 1970, in UTC; none for a page of a static site, which is read later.
    pub(crate) today: Option<i64>,
    /// The path of the server; empty for a static site.
    pub(crate) base: &'r BasePath,
    /// The links of a page of a static site; none for a page of the server.
    pub(crate) site: Option<&'r SiteLinks>,
    /// The competitor that the page is about, if it is known: its name is not searched.
    pub(crate) competitor: Option<CompetitorId>,
}

impl<'r> PageRequest<'r> {
    /// Requests a page of the server.
    pub(crate) const fn to_server(
        reader: ViewReader<'r>,
        parameters: &'r Parameters,
        today: i64,
        base: &'r BasePath,
    ) -> Self {
        Self {
            reader,
            parameters,
            today: Some(today),
            base,
            site: None,
            competitor: None,
        }
    }

    /// Returns the links of a page that shows a run.
    pub(crate) fn links(&self, run: Option<&RunRow>) -> Result<Links, Failure> {
        if let Some(site) = self.site {
            return Ok(Links::to_site(site.clone()));
        }
        let parameters = self.parameters;
        let is_chosen = parameters.run()?.run.is_some() || parameters.text("system")?.is_some();
        Ok(Links::to_server(self.base, run.filter(|_| is_chosen)))
    }

    /// Returns the rows of a list.
    pub(crate) const fn rows(&self) -> Rows {
        match self.site {
            Some(_) => SITE_ROWS,
            None => ROWS,
        }
    }

    /// Returns the most rows of a page.
    fn limit(&self) -> Result<usize, Failure> {
        Ok(self.parameters.list_request::<Page>(self.rows())?.limit)
    }

    /// Returns the page of a list that shows a run.
    pub(crate) fn paging(
        &self,
        path: String,
        run: Option<&RunRow>,
        extent: Extent,
    ) -> Result<Paging<'r>, Failure> {
        Ok(Paging {
            links: self.links(run)?,
            path,
            parameters: self.parameters,
            limit: self.limit()?,
            extent,
        })
    }

    /// Returns the rows of each page of a list; one without rows has a page, too.
    pub(crate) fn page_ranges(
        &self,
        rows: usize,
    ) -> Result<impl Iterator<Item = Range<usize>> + use<>, Failure> {
        let limit = self.limit()?.max(1);
        let starts = (0..rows.max(1)).step_by(limit);
        Ok(starts.map(move |start| start..rows.min(start + limit)))
    }
}
