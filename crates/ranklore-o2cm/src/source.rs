//! The `Source` implementation for O2CM.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, Archive, Assembly};
use ranklore_source::html::Page;
use ranklore_source::{
    Document, Listed, Profile, ReadError, Reading, Registration, Request, Source, Terms, Verdict,
};

use crate::ask::{self, Question};
use crate::minimise::without_competitors;
use crate::text::decode;
use crate::{classify, heats, minimise, month, months};

static PROFILE: Profile = Profile {
    team_name: |members| (members.len() == 2).then(|| heats::called(members)),
    ..Profile::new(
        "o2cm",
        Terms {
            interval: Duration::from_secs(2),
            // Months are renewed for this period, where a document has no period of its own.
            provisional: Duration::from_hours(61 * 24),
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
    open: |_| Ok(Box::new(O2cm)),
    of_archive: |_| Box::new(O2cm),
};

/// The source `o2cm`.
#[derive(Clone, Copy, Debug, Default)]
pub struct O2cm;

impl Source for O2cm {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Requests the list of months.
    fn start(&self) -> Vec<Request> {
        vec![ask::months()]
    }

    fn classify(&self, request: &Request, status: u16, body: &[u8]) -> Verdict {
        classify::classify(Question::parse(&request.key()).as_ref(), status, body)
    }

    fn minimise<'b>(&self, request_key: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        minimise::minimise(Question::parse(request_key).as_ref(), body)
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let key = document.request_key;
        let text = decode(document.body);
        let page = |text: &str| Page::read(key, text);
        match Question::parse(key) {
            Some(Question::Months) => months::read(key, &page(&text)?),
            Some(Question::Month(month)) => month::read(key, &page(&text)?, month),
            Some(Question::Competition(event)) => {
                heats::read(key, &page(&without_competitors(&text))?, &event)
            }
            Some(Question::Scoresheet) => Ok(Reading::default()),
            None => Err(ReadError::unasked(key, "O2CM")),
        }
    }

    /// Makes a contest of each heat of a competition.
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::event(listed, archive, |heat| {
            heats::rates(&heat.external_id, &heat.name)
        })
    }
}
