//! A page to make: from which data, with which parameters, and where its links lead.

use ranklore_replay::ViewReader;
use ranklore_store::{CompetitorId, RunRow};

use crate::failure::Failure;
use crate::links::Links;
use crate::links::site::SiteLinks;
use crate::pages::ROWS;
use crate::parameters::Parameters;
use crate::views::Rows;

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
    ) -> Self {
        Self {
            reader,
            parameters,
            today: Some(today),
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
        Ok(Links::to_server(run.filter(|_| is_chosen)))
    }

    /// Returns the rows of a list.
    pub(crate) const fn rows(&self) -> Rows {
        match self.site {
            Some(_) => SITE_ROWS,
            None => ROWS,
        }
    }

    /// Returns the most rows of a page.
    pub(crate) fn limit(&self) -> Result<usize, Failure> {
        let rows = self.rows();
        Ok(self.parameters.page(rows.usual, rows.max)?.limit)
    }
}
