//! The page of a contest: standings, predictions, rating changes, upsets, provenance.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{ContestEntry, ContestView, Upset, find_display};
use ranklore_store::{CompetitorId, DocumentRow};

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{
    count, day_element, minute, name, optional_points, outcome, plural, short,
};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{change, headings, linked, player_link, table, table_section};
use crate::parameters::Parameters;
use crate::paths::contest_path;
use crate::views::{self, CONTEST_PARAMETERS, Rows};

/// Shows a contest.
pub(crate) fn show(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Content, Failure> {
    let view = load(request, source, id, request.rows())?;
    let contest_page = ContestPage::new(request, source, id, &view)?;
    Ok(Content::from(contest_page.show()).with_next(contest_page.paging().next_offset()))
}

/// Shows all pages of a contest, which is loaded once.
pub(crate) fn show_all(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Vec<Content>, Failure> {
    let view = load(request, source, id, Rows::ALL)?;
    let mut contest_page = ContestPage::new(request, source, id, &view)?;
    let mut pages = Vec::new();
    let mut entries = view.rows.entries.chunks(contest_page.limit.max(1));
    // A contest without standings has a page, too.
    contest_page.entries = entries.next().unwrap_or_default();
    loop {
        pages.push(contest_page.show().into());
        contest_page.offset += contest_page.entries.len();
        match entries.next() {
            Some(next) => contest_page.entries = next,
            None => return Ok(pages),
        }
    }
}

fn load(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
    rows: Rows,
) -> Result<ContestView, Failure> {
    views::contest(request.reader, source, id, request.parameters, rows)
}

/// The columns of the standings besides those of every contest.
#[derive(Clone, Copy)]
struct Columns {
    has_run: bool,
    is_rated: bool,
    has_performances: bool,
}

struct ContestPage<'v> {
    view: &'v ContestView,
    /// The rows of this page.
    entries: &'v [ContestEntry],
    /// The number of rows before this page.
    offset: usize,
    parameters: &'v Parameters,
    source: &'v str,
    path: String,
    links: Links,
    decimals: u8,
    document: Option<DocumentRow>,
    limit: usize,
}

impl<'v> ContestPage<'v> {
    fn new(
        request: &PageRequest<'v>,
        source: &'v SourceName,
        id: &str,
        view: &'v ContestView,
    ) -> Result<Self, Failure> {
        let run = view.run.as_ref();
        let document = match view.contest.document_id {
            Some(document) => request.reader.store.document_row(document)?,
            None => None,
        };
        Ok(Self {
            links: request.links(run)?,
            decimals: run.map_or(0, |run| find_display(run).decimals),
            path: contest_path(source.as_str(), id),
            source: source.as_str(),
            document,
            view,
            offset: view.offset,
            entries: &view.rows.entries,
            parameters: request.parameters,
            limit: request.limit()?,
        })
    }

    fn show(&self) -> Markup {
        let view = self.view;
        let contest = &view.contest;
        let links = &self.links;
        let head = Head {
            title: format!("{} – {}", short(&contest.name), self.source),
            description: format!(
                "Standings of {} with {}: places, predictions, rating changes",
                short(&contest.name),
                plural(contest.entrants, "entrant")
            ),
            data: links.data(&self.path, self.parameters, CONTEST_PARAMETERS, &[]),
            ..Head::new(self.source, links)
        };
        let content = html! {
            h1 { (name(&contest.name)) }
            (notes(view.stale, view.pseudonymised))
            (self.facts())
            @if self.entries.is_empty() {
                p.message {
                    @if view.total > 0 { "The standings end before this page." }
                    @else { "The contest has no standings yet." }
                }
            } @else {
                (self.standings())
            }
            (self.paging().links())
            (self.upsets("Better than predicted", &view.upsets.above))
            (self.upsets("Worse than predicted", &view.upsets.below))
            (self.past_winners())
            (self.provenance())
        };
        page(&head, &content)
    }

    fn paging(&self) -> Paging<'_> {
        Paging {
            links: &self.links,
            path: &self.path,
            parameters: self.parameters,
            offset: self.offset,
            row_count: self.entries.len(),
            limit: self.limit,
            total: self.view.total,
        }
    }

    fn facts(&self) -> Markup {
        let view = self.view;
        let contest = &view.contest;
        html! {
            dl.facts {
                dt { "Source" } dd { a href=(self.links.contests(self.source)) { (self.source) } }
                @if let Some(event) = contest.event.as_deref().filter(|event| *event != contest.name) {
                    dt { "Event" } dd { (name(event)) }
                }
                @if let Some(division) = &contest.division { dt { "Division" } dd { (name(division)) } }
                dt { "Date" }
                dd {
                    @if contest.ends_at.is_some() { (day_element(contest.ends_at)) } @else { "none" }
                }
                dt { "State" }
                dd {
                    (contest.state.as_str())
                    @if contest.withdrawn_at.is_some() { ", withdrawn" }
                }
                dt { "Entrants" }
                dd {
                    (count(contest.entrants))
                    @if view.run.is_some() && view.total > 0 { ", " (count(view.rated_before as u64)) " of them rated before" }
                }
                dt { "Ratings" }
                dd {
                    @match &view.run {
                        Some(run) => (run_text(run)),
                        None => "none",
                    }
                    @if let Some(reason) = view.unrated { "; " (reason.as_str()) }
                }
                @if let Some(probability) = view.result_probability {
                    dt { "Result" } dd { "expected with " (format!("{:.1} %", 100.0 * probability)) }
                }
                @if let (Some(concordance), Some(deviation)) = (view.concordance, view.rank_deviation) {
                    dt { "Prediction" }
                    dd { (format!("concordance {concordance:.1} %, rank deviation {deviation:.1} %")) }
                }
            }
        }
    }

    fn standings(&self) -> Markup {
        let view = self.view;
        let is_rated = view.run.is_some() && view.is_rated;
        let columns = Columns {
            has_run: view.run.is_some(),
            is_rated,
            has_performances: is_rated && view.rows.has_performances(),
        };
        let head = html! {
            (headings(&[("number", "Place"), ("", "Name")]))
            @if columns.has_run {
                th.number scope="col" { abbr title="place by rating among those rated before" { "Predicted" } }
                th.number scope="col" { "Before" }
            }
            @if is_rated {
                (headings(&[("number", "After"), ("number", "Change")]))
            }
            @if columns.has_performances {
                (headings(&[("number wide", "Performance")]))
            }
            (headings(&[("wide", "Note")]))
        };
        let rows = html! {
            @for entry in self.entries {
                (self.row(entry, None, columns))
                @for member in &entry.members {
                    (self.row(member, Some(entry), columns))
                }
            }
        };
        table("Standings", &head, &rows)
    }

    fn row(&self, entry: &ContestEntry, team: Option<&ContestEntry>, columns: Columns) -> Markup {
        let decimals = self.decimals;
        let is_single = entry.members.is_empty();
        let predicted = match entry.predicted {
            Some(place) => place.to_string(),
            None if entry.counted && !entry.rated_before && is_single => "new".to_owned(),
            None => String::new(),
        };
        let has_change = is_single && entry.mu().is_some();
        html! {
            tr.member[team.is_some()] {
                td.number { @if team.is_none() { (outcome(entry.outcome)) } }
                th scope="row" { (self.link(entry.competitor_id)) }
                @if columns.has_run {
                    td.number { (predicted) }
                    td.number { (optional_points(entry.mu_before, decimals)) }
                }
                @if columns.is_rated {
                    td.number { (optional_points(entry.mu(), decimals)) }
                    td.number { @if has_change { (change(entry.change(), decimals)) } }
                }
                @if columns.has_performances {
                    td.number.wide { (optional_points(entry.after.and_then(|after| after.performance), decimals)) }
                }
                td.wide { (self.remark(entry, team)) }
            }
        }
    }

    /// Returns a link to a competitor in the rows or upsets.
    fn link(&self, id: CompetitorId) -> Markup {
        html! {
            @if let Some(label) = self.view.rows.labels.get(&id) {
                (player_link(&self.links, self.source, label))
            } @else { "?" }
        }
    }

    /// Says under which name or in which row a result counts, if not here.
    fn remark(&self, entry: &ContestEntry, team: Option<&ContestEntry>) -> Markup {
        let is_other = entry.counts_as != entry.competitor_id;
        html! {
            @if entry.counted && entry.members.is_empty() && is_other {
                "counts as " (self.link(entry.counts_as))
            } @else if entry.counted {
            } @else if !entry.members.is_empty() {
                "all members count elsewhere"
            } @else if team.is_some_and(|team| team.competitor_id == entry.counts_in) {
                "listed twice"
            } @else if entry.counts_in_team {
                "counts in " (self.link(entry.counts_in))
            } @else if team.is_some() {
                "counts alone"
            } @else {
                "another account did better, which counts"
            }
        }
    }

    fn upsets(&self, title: &str, upsets: &[Upset]) -> Markup {
        if upsets.is_empty() {
            return html! {};
        }
        html! {
            h2 { (title) }
            p { "Among the " (count(self.view.rated_before as u64)) " entrants who were rated before." }
            ul {
                @for upset in upsets {
                    li {
                        @match &upset.competitor {
                            Some(competitor) => (player_link(&self.links, self.source, competitor)),
                            None => "?",
                        }
                        @match upset.status {
                            None => { ": place " (upset.place) },
                            Some("dq") => " was disqualified",
                            Some(_) => " did not finish",
                        }
                        ", predicted " (upset.predicted)
                    }
                }
            }
        }
    }

    fn past_winners(&self) -> Markup {
        let contests = &self.view.past_winners;
        if contests.is_empty() {
            return html! {};
        }
        let caption = "Past winners";
        let head = headings(&[("", "Date"), ("", "Contest"), ("", "Winner")]);
        let rows = html! {
            @for contest in contests {
                tr {
                    td { (day_element(contest.ends_at)) }
                    th scope="row" { (linked(self.links.contest(self.source, &contest.external_id), &name(&contest.name))) }
                    td {
                        @for (index, winner) in contest.winners.iter().enumerate() {
                            @if index > 0 { ", " }
                            (player_link(&self.links, self.source, winner))
                        }
                    }
                }
            }
        };
        let text = "First places of earlier contests of the same name, apart from numbers.";
        table_section(caption, text, &head, &rows)
    }

    fn provenance(&self) -> Markup {
        let contest = &self.view.contest;
        let url = contest.url.as_deref().filter(|url| is_web_address(url));
        html! {
            h2 { "Provenance" }
            dl.facts {
                dt { "Id" } dd { (name(&contest.external_id)) }
                dt { "Revision" } dd { (contest.revision) }
                @if let Some(url) = url {
                    dt { "Web page" } dd { a href=(url) rel="noopener noreferrer external" { (name(url)) } }
                }
                @if let Some(document) = &self.document {
                    dt { "Document" }
                    dd {
                        "number " (document.document_id) " of the archive, received on " (minute(document.fetched_at))
                        @if document.redacted { ", redacted" }
                    }
                }
            }
        }
    }
}

/// True for addresses that a browser requests; others, such as `javascript:`, run code.
fn is_web_address(url: &str) -> bool {
    let lower = url.trim_start().to_ascii_lowercase();
    lower.starts_with("https://") || lower.starts_with("http://")
}
