//! The page of a competitor, or of several beside each other: curve, contests, runs, names.

mod curves;
mod tables;

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::{Extent, Page, PlayerContest, PlayerRequest, PlayerView};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{
    count, day, day_element, name, optional_points, plural, points, short, signed,
};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{fault_notes, linked, player_link, rating};
use crate::paths::player_path;
use crate::views::{self, PlayerKey};

/// The most competitors beside the first one.
const MAX_OTHERS: usize = 3;

/// Shows a competitor, and the curves of those that the parameter `with` names.
pub(crate) fn show(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Content, Failure> {
    let reader = request.reader;
    let parameters = request.parameters;
    let player_key = PlayerKey {
        known_id: request.competitor,
        ..PlayerKey::new(source, id, parameters.kind()?)
    };
    let page = parameters.list_request(request.rows())?;
    let view = views::player(reader, &player_key, parameters, page)?;
    let mut other_views = Vec::new();
    let mut faults = Vec::new();
    for name in parameters.all("with").take(MAX_OTHERS) {
        let other_key = PlayerKey::new(source, name, None);
        let first_contest = Page {
            offset: 0,
            limit: 1,
        };
        match views::player(reader, &other_key, parameters, first_contest) {
            Ok(other) => other_views.push(other),
            // The page of the first one is still worth showing.
            Err(failure) if failure.status.as_u16() != 500 => faults.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    let player_page = PlayerPage {
        paging: request.paging(
            player_path(source.as_str(), id),
            Some(&view.run),
            Extent::new(view.offset, view.rows.len(), view.total),
        )?,
        source: source.as_str(),
        view: &view,
        other_views,
        faults,
    };
    Ok(Content::from(player_page.show()).with_next(player_page.paging.extent.next_offset()))
}

struct PlayerPage<'v> {
    view: &'v PlayerView,
    other_views: Vec<PlayerView>,
    /// The reasons why others cannot be shown.
    faults: Vec<Failure>,
    paging: Paging<'v>,
    source: &'v str,
}

impl PlayerPage<'_> {
    fn show(&self) -> Markup {
        let view = self.view;
        let links = &self.paging.links;
        let short_name = short(&view.competitor.name);
        let figure = curves::figure(&self.views().collect::<Vec<_>>());
        let head = Head {
            title: format!("{short_name} – {}", self.source),
            description: format!("{short_name}: {}", self.describe()),
            has_curve: figure.is_some(),
            data: self.paging.data::<PlayerRequest>(),
            ..Head::new(self.source, links)
        };
        let content = html! {
            h1 { (name(&view.competitor.name)) }
            (notes(view.stale, view.pseudonymised))
            @if view.found_account.competitor_id != view.competitor.competitor_id {
                p.note role="note" { (name(&view.found_account.external_id)) " counts as " (player_link(&self.paging.links, self.source, &view.competitor)) "." }
            }
            (self.facts())
            @match figure {
                Some(figure) => (figure),
                None => p.message { "There is no rating to draw." },
            }
            (self.comparison())
            (self.history())
            @if let Some(games) = &view.games { (self.games(games)) }
            (self.runs())
            (self.names())
        };
        page(&head, &content)
    }

    /// Describes the rating in a sentence, without markup.
    fn describe(&self) -> String {
        let view = self.view;
        match &view.standing {
            None => "not rated".to_owned(),
            Some(standing) => {
                let rating = points(standing.row.rating, view.display.rating_decimals());
                let place = match standing.active {
                    // The place changes with each contest of others.
                    _ if !self.paging.links.are_live() => String::new(),
                    true => format!(
                        "place {} of {}, ",
                        standing.row.place,
                        count(standing.among as u64)
                    ),
                    false => "inactive, ".to_owned(),
                };
                let contests = plural(standing.row.contests, "contest");
                format!("rating {rating}, {place}{contests} of {}", self.source)
            }
        }
    }

    fn facts(&self) -> Markup {
        let view = self.view;
        let decimals = view.display.decimals;
        html! {
            dl.facts {
                @if view.competitor.external_id != view.competitor.name {
                    dt { "Id" } dd { (name(&view.competitor.external_id)) }
                }
                dt { "Kind" } dd { (view.kind.as_str()) " of " (self.source) }
                dt { "Ratings" } dd { (run_text(&view.run)) }
                @match &view.standing {
                    None => { dt { "Rating" } dd { "none in this run" } },
                    Some(standing) => {
                        @if self.paging.links.are_live() {
                            dt { "Place" }
                            dd {
                                @if standing.active {
                                    (standing.row.place) " of " (count(standing.among as u64)) " active"
                                    @if standing.among > 1 { "; better than " (share_below(standing.row.place, standing.among)) }
                                } @else {
                                    "inactive since " (day_element(Some(standing.row.last_contest_at)))
                                }
                            }
                        } @else {
                            dt { "Last contest" }
                            dd { (day_element(Some(standing.row.last_contest_at))) }
                        }
                        dt { "Rating" }
                        dd {
                            (rating(&view.display, standing.row.rating, standing.row.provisional))
                            @if standing.row.provisional { " provisional" }
                        }
                        @if let Some(title) = standing.row.title { dt { "Title" } dd { (title) } }
                        @if view.k > 0.0 {
                            dt { "Conservative" }
                            dd {
                                (points(standing.row.conservative, decimals)) " = mu " (points(standing.row.mu, decimals))
                                " − " (view.k) "·sigma " (points(standing.row.sigma, decimals))
                                @if let Some(at) = view.sigma_as_of { " as of " (day(at)) }
                            }
                        }
                        dt { "Contests" } dd { (count(standing.row.contests)) }
                    },
                }
                (self.highlights())
            }
        }
    }

    fn highlights(&self) -> Markup {
        let decimals = self.view.display.decimals;
        let Some(highlights) = &self.view.highlights else {
            return html! {};
        };
        let mu: &dyn Fn(&PlayerContest) -> String =
            &|appearance| optional_points(appearance.rating.map(|step| step.mu), decimals);
        let change = |appearance: &PlayerContest| {
            let change = appearance.rating.and_then(|step| step.change);
            change.map_or_else(String::new, |by| signed(by, decimals))
        };
        let facts = [
            ("Highest mu", Some(&highlights.highest), mu),
            ("Lowest mu", Some(&highlights.lowest), mu),
            ("Best place", highlights.best_place.as_ref(), &PlayerContest::place),
            ("Largest gain", highlights.gain.as_ref(), &change),
            ("Largest loss", highlights.loss.as_ref(), &change),
        ];
        html! {
            @for (label, appearance, value) in facts {
                @if let Some(appearance) = appearance {
                    dt { (label) }
                    dd { (value(appearance)) " in " (self.contest_link(appearance)) ", " (day_element(appearance.contest.ends_at)) }
                }
            }
        }
    }

    fn contest_link(&self, appearance: &PlayerContest) -> Markup {
        let contest = &appearance.contest;
        let link = self.paging.links.contest(self.source, &contest.external_id);
        linked(link, &name(&contest.name))
    }

    /// Returns the views of all competitors of the page, the first one first.
    fn views(&self) -> impl Iterator<Item = &PlayerView> {
        std::iter::once(self.view).chain(&self.other_views)
    }

    /// Returns the form that adds a curve, and the numbers of the competitors that are shown.
    fn comparison(&self) -> Markup {
        html! {
            (fault_notes(&self.faults))
            @if self.paging.links.are_live() && self.other_views.len() < MAX_OTHERS {
                form.inline action=(self.paging.links.form(&self.paging.path)) {
                    (hidden_fields(self.paging.parameters, &["run", "system", "as-of", "as-stored", "kind", "with"]))
                    (field("with", "Compare with (name or id)", "text", None))
                    button { "Add" }
                }
            }
            @if !self.other_views.is_empty() { (self.comparison_table()) }
        }
    }

    fn names(&self) -> Markup {
        let view = self.view;
        html! {
            @if !view.names.is_empty() || !view.accounts.is_empty() {
                h2 { "Names" }
                ul {
                    @for alias in &view.names {
                        li { (name(&alias.name)) ", " (day_element(Some(alias.first_seen_at))) " to " (day_element(Some(alias.last_seen_at))) }
                    }
                    @for account in &view.accounts {
                        li { "merged account " (name(&account.external_id)) }
                    }
                }
            }
        }
    }
}

/// Returns the share of the others that are ranked lower, in percent.
fn share_below(place: u32, among: usize) -> String {
    let below = among.saturating_sub(place as usize);
    format!("{:.1}\u{a0}%", 100.0 * below as f64 / among as f64)
}
