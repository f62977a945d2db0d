//! O2CM, as a sync sees it.

use std::borrow::Cow;
use std::time::Duration;

use ranklore_source::assemble::{self, Archive, Assembly};
use ranklore_source::{
    Document, Listed, Profile, ReadError, Reading, Registration, Request, Source, SourceOption,
    Terms, Verdict,
};

use crate::ask::{self, Question};
use crate::options::Options;
use crate::page::Page;
use crate::text::decode;
use crate::{classify, heats, minimise, month, months, scoresheet};

static PROFILE: Profile = Profile {
    options: &[SourceOption {
        flag: true,
        ..SourceOption::switch(
            "scoresheets",
            "Ask for scoresheets too: the marks of judges",
        )
    }],
    team_name: |members| (members.len() == 2).then(|| heats::called(members)),
    ..Profile::new(
        "o2cm",
        Terms {
            interval: Duration::from_secs(2),
            // As long as months are looked at again, where a document does not say.
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
    open: |values| {
        Ok(Box::new(O2cm::new(Options {
            scoresheets: values.is_set("scoresheets"),
        })))
    },
    of_archive: |_| Box::new(O2cm::new(Options { scoresheets: true })),
};

/// The source `o2cm`.
#[derive(Clone, Copy, Debug, Default)]
pub struct O2cm {
    options: Options,
}

impl O2cm {
    /// The source with these options.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        Self { options }
    }
}

impl Source for O2cm {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Which months there are.
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
        let Some(question) = Question::parse(key) else {
            return Err(ReadError::unasked(key, "O2CM"));
        };
        let text = decode(document.body);
        let page = Page::read(&text);
        page.check_whole(key)?;
        match question {
            Question::Months => months::read(key, &page),
            Question::Month(month) => month::read(key, &page, month),
            Question::Competition(event) => heats::read(key, &page, &event, self.options),
            Question::Scoresheet(sheet) => scoresheet::read(key, &page, &sheet),
        }
    }

    /// Each heat of a competition is a contest.
    fn assemble(&self, listed: &Listed, archive: &dyn Archive) -> Assembly {
        assemble::event(listed, archive, |heat| {
            heats::rates(&heat.external_id, &heat.name)
        })
    }
}
