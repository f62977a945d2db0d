//! The `Source` implementation for O2CM.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, AnswerArchive, Assembly};
use ranklore_source::html::HtmlPage;
use ranklore_source::{
    Classification, Document, Profile, Registration, Request, SiteListing, SiteReadError,
    SiteReading, Source, Terms,
};

use crate::minimise::strip_competitors;
use crate::requests::{self, O2cmRequest};
use crate::text::decode;
use crate::{classify, listing, minimise, months, standings};

static PROFILE: Profile = Profile {
    team_name: |members| (members.len() == 2).then(|| standings::couple_name(members)),
    ..Profile::new(
        "o2cm",
        Terms {
            interval: Duration::from_secs(2),
            // Months are renewed for this period, where a document has no period of its own.
            provisional_period: Duration::from_hours(61 * 24),
            attribution: "O2CM (https://results.o2cm.com)",
            licence: "The site names no licence; its pages ask robots neither to index nor to \
                      follow them.",
            ..Terms::new("https://results.o2cm.com")
        },
    )
};

/// The registration of the source `o2cm`.
pub static REGISTRATION: Registration = Registration {
    profile: &PROFILE,
    open: |_| Ok(Box::new(O2cmSource)),
    open_archive: |_| Box::new(O2cmSource),
};

/// The source `o2cm`.
#[derive(Clone, Copy, Debug, Default)]
pub struct O2cmSource;

impl Source for O2cmSource {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of months.
    fn initial_requests(&self) -> Vec<Request> {
        vec![requests::months()]
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Classification {
        classify::classify(O2cmRequest::parse(&request.key()).as_ref(), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(O2cmRequest::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let text = decode(document.body);
        let page = |text: &str| HtmlPage::parse(key, text);
        match O2cmRequest::parse(key) {
            Some(O2cmRequest::Months) => months::read(key, &page(&text)?),
            Some(O2cmRequest::Month(month)) => listing::read(key, &page(&text)?, month),
            Some(O2cmRequest::Competition(event)) => {
                standings::read(key, &page(&strip_competitors(&text))?, &event)
            }
            Some(O2cmRequest::Scoresheet) => Ok(SiteReading::default()),
            None => Err(SiteReadError::unknown_request(key, "O2CM")),
        }
    }

    /// Makes a contest of each heat of a competition.
    fn assemble(&self, listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
        assemble::event(listed, archive, |heat| standings::is_rated(&heat.external_id, &heat.name))
    }
}
