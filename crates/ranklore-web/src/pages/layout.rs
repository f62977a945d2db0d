//! The frame of every page: head, navigation, footer; and the page of a failure.

use maud::{DOCTYPE, Markup, html};

use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::short;
use crate::paths::{
    BasePath, CURVE_SCRIPT, HOME, ICON, LEADERBOARD, SEARCH_SCRIPT, STYLE, SourcePage,
};

/// The policy of static sites, whose host sets no headers. The server has a stricter one.
const SITE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'";

/// The head of a page, and the source of its navigation.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// The title, which need not be safe text: names are made so here.
    pub(crate) title: String,
    /// A sentence for search engines and social cards.
    pub(crate) description: String,
    /// The source that the navigation leads to.
    pub(crate) source: Option<String>,
    pub(crate) links: Links,
    /// True if the page has a rating curve, to which a script adds zoom and hover.
    pub(crate) has_curve: bool,
    /// The path of the API with the same values; none for pages that several views make.
    pub(crate) data: Option<String>,
}

impl Head {
    /// Creates the head of a page about a source, without title and curve.
    pub(crate) fn new(source: &str, links: &Links) -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            source: Some(source.to_owned()),
            links: links.clone(),
            has_curve: false,
            data: None,
        }
    }
}

/// Returns a page with this content.
pub(crate) fn page(head: &Head, content: &Markup) -> Markup {
    let title = short(&head.title);
    let description = short_description(&head.description);
    let links = &head.links;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if !links.are_live() {
                    meta http-equiv="Content-Security-Policy" content=(SITE_POLICY);
                    script src=(links.asset(SEARCH_SCRIPT)) defer {}
                }
                title { (title) " · Ranklore" }
                meta name="description" content=(description);
                meta property="og:site_name" content="Ranklore";
                meta property="og:type" content="website";
                meta property="og:title" content=(title);
                meta property="og:description" content=(description);
                meta name="twitter:card" content="summary";
                link rel="icon" href=(links.asset(ICON)) type="image/svg+xml";
                link rel="stylesheet" href=(links.asset(STYLE));
                @if head.has_curve { script src=(links.asset(CURVE_SCRIPT)) defer {} }
                @if let Some(data) = &head.data {
                    link rel="alternate" type="application/json" href=(data);
                }
            }
            body {
                a.skip href="#content" { "Skip to content" }
                header.site {
                    a.brand href=(links.home(None)) { "Ranklore" }
                    (navigation(head))
                }
                main id="content" tabindex="-1" { (content) }
                footer.site {
                    p {
                        "Times are in UTC. "
                        @if let Some(data) = &head.data {
                            a href=(data) { "This page as JSON" }
                        }
                    }
                }
            }
        }
    }
}

fn navigation(head: &Head) -> Markup {
    let Some(source) = head.source.as_deref() else {
        return html! {};
    };
    let links = &head.links;
    html! {
        nav aria-label="Main" {
            ul {
                li { a href=(links.home(Some(source))) { (source) } }
                @if links.are_rated() { li { a href=(links.leaderboard(source)) { "Leaderboard" } } }
                @for (page, label) in NAVIGATION {
                    @if links.have(page) { li { a href=(links.page(page, source)) { (label) } } }
                }
            }
        }
    }
}

/// The pages of a source in the navigation.
const NAVIGATION: [(SourcePage, &str); 7] = [
    (SourcePage::Contests, "Contests"),
    (SourcePage::Players, "Competitors"),
    (SourcePage::Movers, "Movers"),
    (SourcePage::Distribution, "Distribution"),
    (SourcePage::Records, "Records"),
    (SourcePage::Compare, "Compare"),
    (SourcePage::Predict, "Predict"),
];

/// Returns the text without characters that change its direction, at a length that cards show.
fn short_description(text: &str) -> String {
    // Names in it are short already.
    text.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// Returns the page of a failure.
pub(crate) fn failure_page(failure: &Failure, base: &BasePath) -> Markup {
    let title = match failure.status.as_u16() {
        300 => "Several matches",
        400 => "Invalid request",
        404 => "Not found",
        503 => "Not available now",
        _ => "The server failed",
    };
    let head = Head {
        title: title.to_owned(),
        description: title.to_owned(),
        source: None,
        links: Links::to_server(base, None),
        has_curve: false,
        data: None,
    };
    let content = html! {
        h1 { (title) }
        p.message { bdi { (sentence(&failure.message)) } }
        @if !failure.choices.is_empty() {
            ul {
                @for choice in &failure.choices {
                    li {
                        @match &choice.link {
                            Some(link) => a href=(base.link(link)) { bdi { (choice.text) } },
                            None => bdi { (choice.text) },
                        }
                    }
                }
            }
        }
        p { a href=(base.link(HOME)) { "All sources" } " · " a href=(base.link(LEADERBOARD)) { "Leaderboard" } }
    };
    page(&head, &content)
}

/// Returns a message with a capital letter and a full stop.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", chars.as_str())
}
