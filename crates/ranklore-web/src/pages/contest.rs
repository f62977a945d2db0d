//! The page of a contest: standings, predictions, rating changes, upsets, provenance.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_store::{CompetitorId, DocumentRow};
use ranklore_views::{
    CellValue, Columns, ContestEntry, ContestRequest, ContestView, Extent, List as _, PastContest,
    StandingsLine, Upset,
};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{count, day_element, minute, name, plural, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, linked, player_link};
use crate::parameters::Rows;
use crate::paths::{SourcePage, contest_path};
use crate::views;

/// Shows a contest.
pub(crate) fn show(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Content, Failure> {
    let view = load(request, source, id, request.rows())?;
    let contest_page = ContestPage::new(request, source, id, &view)?;
    Ok(Content::from(contest_page.show()).with_next(contest_page.paging.extent.next_offset()))
}

/// Shows all pages of a contest, which is loaded once.
pub(crate) fn show_all(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Vec<Content>, Failure> {
    let view = load(request, source, id, Rows::ALL)?;
    let mut contest_page = ContestPage::new(request, source, id, &view)?;
    let pages = request.page_ranges(view.rows.entries.len())?.map(|range| {
        contest_page.paging.extent = Extent::new(range.start, range.len(), view.total);
        contest_page.entries = &view.rows.entries[range];
        contest_page.show().into()
    });
    Ok(pages.collect())
}

fn load(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
    rows: Rows,
) -> Result<ContestView, Failure> {
    views::contest(request.reader, source, id, request.parameters, rows)
}

struct ContestPage<'v> {
    view: &'v ContestView,
    /// The rows of this page.
    entries: &'v [ContestEntry],
    paging: Paging<'v>,
    source: &'v str,
    document: Option<DocumentRow>,
}

impl<'v> ContestPage<'v> {
    fn new(
        request: &PageRequest<'v>,
        source: &'v SourceName,
        id: &str,
        view: &'v ContestView,
    ) -> Result<Self, Failure> {
        let run = view.run.as_ref();
        let extent = Extent::new(view.offset, view.rows.entries.len(), view.total);
        let document = match view.contest.document_id {
            Some(document) => request.reader.store.document_row(document)?,
            None => None,
        };
        Ok(Self {
            paging: request.paging(contest_path(source.as_str(), id), run, extent)?,
            source: source.as_str(),
            document,
            view,
            entries: &view.rows.entries,
        })
    }

    fn show(&self) -> Markup {
        let view = self.view;
        let contest = &view.contest;
        let links = &self.paging.links;
        let head = Head {
            title: format!("{} – {}", short(&contest.name), self.source),
            description: format!(
                "Standings of {} with {}: places, predictions, rating changes",
                short(&contest.name),
                plural(contest.entrants, "entrant")
            ),
            data: self.paging.data::<ContestRequest>(),
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
            (self.paging.links())
            (self.upsets("Better than predicted", &view.upsets.above))
            (self.upsets("Worse than predicted", &view.upsets.below))
            (self.past_winners())
            (self.provenance())
        };
        page(&head, &content)
    }

    fn facts(&self) -> Markup {
        let view = self.view;
        let contest = &view.contest;
        html! {
            dl.facts {
                dt { "Source" } dd { a href=(self.paging.links.page(SourcePage::Contests, self.source)) { (self.source) } }
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
        let table = ListTable::new(self.view.columns())
            .with("name", |line: &StandingsLine<'_>| self.link(line.entry.competitor_id))
            .with("remark", |line| self.remark(line.entry, line.team))
            .with_row_class(|line| line.team.map(|_| "member"));
        table.show("Standings", &StandingsLine::from_entries(self.entries))
    }

    /// Returns a link to a competitor in the rows or upsets.
    fn link(&self, id: CompetitorId) -> Markup {
        html! {
            @if let Some(label) = self.view.rows.labels.get(&id) {
                (player_link(&self.paging.links, self.source, label))
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
                            Some(competitor) => (player_link(&self.paging.links, self.source, competitor)),
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
        let columns = Columns::new()
            .left("date", |contest: &PastContest| contest.ends_at.map(CellValue::Day))
            .left(("name", "contest"), |_| CellValue::Empty)
            .left("winner", |_| CellValue::Empty);
        let link = |contest: &PastContest| {
            let link = self.paging.links.contest(self.source, &contest.external_id);
            linked(link, &name(&contest.name))
        };
        let winners = |contest: &PastContest| {
            html! {
                @for (index, winner) in contest.winners.iter().enumerate() {
                    @if index > 0 { ", " }
                    (player_link(&self.paging.links, self.source, winner))
                }
            }
        };
        let text = "First places of earlier contests of the same name, apart from numbers.";
        let table = ListTable::new(columns).with("name", link).with("winner", winners);
        table.show_section("Past winners", text, &self.view.past_winners)
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
