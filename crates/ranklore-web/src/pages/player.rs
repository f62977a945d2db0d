//! One competitor, or several beside each other: curve, contests, runs, names.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{PlayerContest, PlayerView};

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::{Links, player_path};
use crate::page_request::PageRequest;
use crate::pages::chart::{BAND_SIGMAS, Curve, CurvePoint, MAX_POINTS, draw, legend, thin_out};
use crate::pages::format::{
    count, day, day_element, name, optional_points, outcome, plural, points, short, signed,
};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, field, hidden_fields, notes, run_text};
use crate::pages::tables::{fault_notes, linked, player_link, rating};
use crate::parameters::Parameters;
use crate::views::{self, PlayerName};

/// The most competitors beside the first one.
const MAX_OTHERS: usize = 3;

/// Shows a competitor, and the curves of those that the parameter `with` names.
pub(crate) fn show(
    request: &PageRequest<'_>,
    source: &SourceName,
    id: &str,
) -> Result<Content, Failure> {
    let (reader, parameters) = (request.reader, request.parameters);
    let named = PlayerName {
        source,
        name: id,
        kind: parameters.kind()?,
        found: request.competitor,
    };
    let rows = parameters.page(request.rows().usual, request.rows().max)?;
    let view = views::player(reader, &named, parameters, rows)?;
    let (mut others, mut faults) = (Vec::new(), Vec::new());
    for with in parameters.all("with").take(MAX_OTHERS) {
        let named = PlayerName {
            source,
            name: with,
            kind: None,
            found: None,
        };
        let first_contest = ranklore_replay::Page {
            offset: 0,
            limit: 1,
        };
        match views::player(reader, &named, parameters, first_contest) {
            Ok(other) => others.push(other),
            // The page of the first one is still worth showing.
            Err(failure) if failure.status.as_u16() != 500 => faults.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    let shown = Shown {
        path: player_path(source.as_str(), id),
        source: source.as_str(),
        links: request.links(Some(&view.run))?,
        view: &view,
        others,
        faults,
        parameters,
        limit: rows.limit,
    };
    Ok(Content::from(shown.show()).with_next(shown.paging().next_offset()))
}

pub(super) struct Shown<'v> {
    pub(super) view: &'v PlayerView,
    pub(super) others: Vec<PlayerView>,
    /// The reasons why others cannot be shown.
    faults: Vec<Failure>,
    pub(super) parameters: &'v Parameters,
    pub(super) source: &'v str,
    pub(super) path: String,
    pub(super) links: Links,
    pub(super) limit: usize,
}

impl Shown<'_> {
    fn show(&self) -> Markup {
        let view = self.view;
        let called = short(&view.competitor.name);
        let curves = self.curves();
        let head = Head {
            title: format!("{called} – {}", self.source),
            description: format!("{called}: {}", self.describe()),
            source: Some(self.source.to_owned()),
            links: self.links.clone(),
            has_curve: curves.iter().any(|of| !of.points.is_empty()),
            data: (self.links).data(&self.path, self.parameters, views::PLAYER_NAMES, &[]),
        };
        let content = html! {
            h1 { (name(&view.competitor.name)) }
            (notes(view.stale, view.pseudonymised))
            @if view.found.competitor_id != view.competitor.competitor_id {
                p.note role="note" { (name(&view.found.external_id)) " counts as " (player_link(&self.links, self.source, &view.competitor)) "." }
            }
            (self.facts())
            (self.figure(&curves))
            (self.comparison())
            (self.history())
            @if let Some(games) = &view.games { (self.games(games)) }
            (self.runs())
            (self.names())
        };
        page(&head, &content)
    }

    pub(super) fn paging(&self) -> Paging<'_> {
        Paging {
            links: &self.links,
            path: &self.path,
            parameters: self.parameters,
            offset: self.view.offset,
            shown: self.view.rows.len(),
            limit: self.limit,
            total: self.view.total,
        }
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
                    _ if !self.links.are_live() => String::new(),
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
                        @if self.links.are_live() {
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
        let Some(of) = &self.view.highlights else {
            return html! {};
        };
        let mu = |of: &PlayerContest| optional_points(of.rating.map(|step| step.mu), decimals);
        let gain = |of: &PlayerContest| {
            let change = of.rating.and_then(|step| step.change);
            change.map_or_else(String::new, |by| signed(by, decimals))
        };
        let facts = [
            ("Highest mu", Some(&of.highest), mu(&of.highest)),
            ("Lowest mu", Some(&of.lowest), mu(&of.lowest)),
            (
                "Best place",
                of.best_place.as_ref(),
                of.best_place.as_ref().map_or_else(String::new, place),
            ),
            (
                "Largest gain",
                of.gain.as_ref(),
                of.gain.as_ref().map_or_else(String::new, gain),
            ),
            (
                "Largest loss",
                of.loss.as_ref(),
                of.loss.as_ref().map_or_else(String::new, gain),
            ),
        ];
        html! {
            @for (label, contest, value) in facts {
                @if let Some(contest) = contest {
                    dt { (label) }
                    dd { (value) " in " (self.contest_link(contest)) ", " (day_element(contest.contest.ends_at)) }
                }
            }
        }
    }

    pub(super) fn contest_link(&self, of: &PlayerContest) -> Markup {
        let link = self.links.contest(self.source, &of.contest.external_id);
        linked(link, &name(&of.contest.name))
    }

    /// Returns the curves: that of the competitor first.
    fn curves(&self) -> Vec<Curve> {
        let views = std::iter::once(self.view).chain(&self.others);
        let curves = views.map(|view| Curve {
            name: view.competitor.name.clone(),
            points: thin_out(curve_points(view)),
        });
        curves.collect()
    }

    fn figure(&self, curves: &[Curve]) -> Markup {
        let view = self.view;
        if curves[0].points.is_empty() {
            return html! { p.message { "There is no rating to draw." } };
        }
        let label = format!("Rating of {} over time", short(&view.competitor.name));
        let is_thinned = std::iter::once(view)
            .chain(&self.others)
            .any(|view| view.history.iter().filter(|of| of.rating.is_some()).count() > MAX_POINTS);
        html! {
            figure {
                (draw(curves, view.display.decimals, &label))
                figcaption {
                    "Rating mu after each contest; the band is mu ± " (BAND_SIGMAS) "·sigma"
                    @if curves.len() > 1 { " of " (name(&curves[0].name)) }
                    ". The table of contests has the numbers."
                    @if is_thinned { " Long curves show " (MAX_POINTS) " of their contests." }
                }
                @if curves.len() > 1 { (legend(curves)) }
            }
        }
    }

    /// Returns the form that adds a curve, and the numbers of the competitors that are shown.
    fn comparison(&self) -> Markup {
        html! {
            (fault_notes(&self.faults))
            @if self.links.are_live() && self.others.len() < MAX_OTHERS {
                form.inline action=(self.path) {
                    (hidden_fields(self.parameters, &["run", "system", "as-of", "as-stored", "kind", "with"]))
                    (field("with", "Compare with (name or id)", "text", None))
                    button { "Add" }
                }
            }
            @if !self.others.is_empty() { (self.comparison_table()) }
        }
    }

    fn names(&self) -> Markup {
        let view = self.view;
        html! {
            @if !view.names.is_empty() || !view.accounts.is_empty() {
                h2 { "Names" }
                ul {
                    @for of in &view.names {
                        li { (name(&of.name)) ", " (day_element(Some(of.first_seen_at))) " to " (day_element(Some(of.last_seen_at))) }
                    }
                    @for of in &view.accounts {
                        li { "merged account " (name(&of.external_id)) }
                    }
                }
            }
        }
    }
}

/// Returns the points of a curve, oldest first.
fn curve_points(view: &PlayerView) -> Vec<CurvePoint> {
    let decimals = view.display.decimals;
    let rated = view.history.iter().filter_map(|of| {
        let (step, at) = (of.rating?, of.contest.ends_at?);
        let mut lines = vec![
            format!("{}, {}", short(&of.contest.name), day(at)),
            place(of),
        ];
        let performance = step.performance;
        lines.extend(performance.map(|of| format!("performance {}", points(of, decimals))));
        let after = points(step.mu, decimals);
        lines.push(match step.change {
            Some(change) => {
                let before = points(step.mu - change, decimals);
                format!("{before} → {after} ({})", signed(change, decimals))
            }
            None => format!("new → {after}"),
        });
        Some(CurvePoint {
            at,
            mu: step.mu,
            sigma: step.sigma,
            text: lines.join("\n"),
        })
    });
    rated.collect()
}

/// Returns `3 / 120`, or `dnf`.
pub(super) fn place(of: &PlayerContest) -> String {
    match of.outcome.place() {
        Some(_) => format!("{} / {}", outcome(of.outcome), of.contest.entrants),
        None => outcome(of.outcome),
    }
}

/// Returns the share of the others that are ranked lower, in percent.
fn share_below(place: u32, among: usize) -> String {
    let below = among.saturating_sub(place as usize);
    format!("{:.1}\u{a0}%", 100.0 * below as f64 / among as f64)
}
