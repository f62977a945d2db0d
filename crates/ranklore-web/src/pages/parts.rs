//! Parts of several pages: paging, notes, forms, colour bands.

use clap::Args;
use maud::{Markup, html};
use ranklore_replay::{RunSelection, describe_run};
use ranklore_store::{RunRow, Store};
use ranklore_views::Extent;

use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, short};
use crate::parameters::Parameters;
use crate::paths::{SEARCH_INDEX, SourcePage};

/// A page of a list.
#[derive(Clone, Debug)]
pub(crate) struct Paging<'p> {
    pub(crate) links: Links,
    pub(crate) path: String,
    pub(crate) parameters: &'p Parameters,
    pub(crate) limit: usize,
    pub(crate) extent: Extent,
}

impl Paging<'_> {
    /// Returns the path of the API with the same rows; none for a site without a server.
    pub(crate) fn data<R: Args>(&self) -> Option<String> {
        self.links.data::<R>(&self.path, self.parameters, &[])
    }

    /// Returns the links to the pages beside this one.
    pub(crate) fn links(&self) -> Markup {
        let Extent {
            offset,
            rows,
            total,
        } = self.extent;
        let end = self.extent.end();
        let step = self.limit.max(1);
        let links = &self.links;
        let link = |offset| links.list_page(&self.path, self.parameters, offset, step);
        let last = total.saturating_sub(1) / step * step;
        html! {
            nav.paging aria-label="Pages" {
                @if offset > 0 {
                    a href=(link(0)) { "First" }
                    a rel="prev" href=(link(offset.min(total).saturating_sub(step))) { "Previous" }
                }
                span {
                    @if rows == 0 {
                        "none of " (count(total))
                    } @else {
                        (count(offset + 1)) " to " (count(end)) " of " (count(total))
                    }
                }
                @if let Some(next) = self.extent.next_offset() {
                    a rel="next" href=(link(next)) { "Next" }
                    a href=(link(last.max(end))) { "Last" }
                }
            }
        }
    }
}

/// Says why a run may not show what the visitor expects: results are newer than it, or names are
/// pseudonyms.
pub(crate) fn notes(stale: bool, pseudonymised: bool) -> Markup {
    html! {
        @if stale {
            p.note role="note" { "Results have changed since these ratings were computed." }
        }
        @if pseudonymised {
            p.note role="note" { "Names are pseudonyms, as the terms of the site require." }
        }
    }
}

/// Says which run rated a list.
pub(crate) fn rated_by(run: Option<&RunRow>) -> Markup {
    html! {
        @match run {
            Some(run) => p { "Rated by run " (run_text(run)) "." },
            None => p.note role="note" { "This source is not rated yet." },
        }
    }
}

/// Describes a run: number, name, system, settings, filters.
pub(crate) fn run_text(run: &RunRow) -> Markup {
    html! { bdi { (describe_run(run)) } }
}

/// Returns the runs over at least one of these sources, newest first.
pub(crate) fn runs_over(store: &Store, sources: &[String]) -> Result<Vec<RunRow>, Failure> {
    let mut runs = store.runs()?;
    runs.retain(|run| {
        let selection = RunSelection::from_canonical_json(&run.selection);
        selection
            .sources
            .iter()
            .any(|source| sources.iter().any(|name| name == source.as_str()))
    });
    runs.reverse();
    Ok(runs)
}

/// Returns a field to choose a run, with its label.
pub(crate) fn run_field(runs: &[RunRow], selected: &RunRow) -> Markup {
    html! {
        div.field {
            label for="run" { "Ratings" }
            select id="run" name="run" {
                @for run in runs {
                    option value=(run.run_id) selected[run.run_id == selected.run_id] { (short(&describe_run(run))) }
                }
            }
        }
    }
}

/// Returns the form that searches the competitors of a source. On a static site a script shows it.
pub(crate) fn search_form(
    links: &Links,
    source: &str,
    text: Option<&str>,
    hidden: &Markup,
) -> Markup {
    html! {
        @if links.are_live() {
            form.inline role="search" action=(links.form(&SourcePage::Players.path(source))) {
                (hidden)
                (field("text", "Search a name", "search", text))
                button { "Search" }
            }
        } @else if links.are_rated() {
            form.inline.search role="search" data-index=(links.asset(SEARCH_INDEX)) hidden {
                (field("text", "Search a name", "search", None))
                ul class="found" aria-live="polite" {}
            }
        }
    }
}

/// Returns a field with its label.
pub(crate) fn field(name: &str, label: &str, kind: &str, value: Option<&str>) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type=(kind) value=[value];
        }
    }
}

/// Returns a field to choose one of several values.
pub(crate) fn choice_field(
    name: &str,
    label: &str,
    choices: &[(&str, &str)],
    choice: Option<&str>,
) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            select id=(name) name=(name) {
                @for (value, text) in choices {
                    option value=(value) selected[choice == Some(value)] { (text) }
                }
            }
        }
    }
}

/// Returns hidden fields that keep parameters of the page.
pub(crate) fn hidden_fields(parameters: &Parameters, names: &[&str]) -> Markup {
    html! {
        @for name in names {
            @for value in parameters.all(name) {
                input type="hidden" name=(name) value=(value);
            }
        }
    }
}

/// A share of the established competitors by place, with a mark for those who see no colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaceBand {
    /// The class in the style sheet.
    class: &'static str,
    mark: &'static str,
    text: &'static str,
    /// The share of the competitors down to this band, in percent.
    percent: usize,
}

/// The bands, best first.
const BANDS: [PlaceBand; 5] = [
    band("band1", "★★★", "top 1 %", 1),
    band("band2", "★★", "top 5 %", 5),
    band("band3", "★", "top 20 %", 20),
    band("band4", "◆", "top 50 %", 50),
    band("band5", "◇", "other half", 100),
];

const fn band(
    class: &'static str,
    mark: &'static str,
    text: &'static str,
    percent: usize,
) -> PlaceBand {
    PlaceBand {
        class,
        mark,
        text,
        percent,
    }
}

impl PlaceBand {
    /// Returns the band of a place among established competitors; none beyond them.
    pub(crate) fn from_place(place: u32, established: usize) -> Option<Self> {
        let place = place as usize;
        BANDS
            .into_iter()
            .filter(|_| place <= established)
            .find(|band| 100 * place <= band.percent * established)
    }

    /// Returns the mark of a band, or a dash.
    pub(crate) fn cell(band: Option<Self>) -> Markup {
        html! {
            @match band {
                Some(band) => span class=(format!("band {}", band.class)) role="img" aria-label=(band.text) title=(band.text) { (band.mark) },
                None => span.band title="provisional" { "–" },
            }
        }
    }

    /// Returns the legend of all bands.
    pub(crate) fn legend() -> Markup {
        html! {
            ul.legend aria-label="Bands of established ratings" {
                @for band in BANDS {
                    li { span class=(format!("band {}", band.class)) aria-hidden="true" { (band.mark) } " " (band.text) }
                }
                li { span.band aria-hidden="true" { "–" } " provisional: too little is known" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::BasePath;

    #[test]
    fn bands_are_shares_of_the_established() {
        let text =
            |place, established| PlaceBand::from_place(place, established).map(|band| band.text);
        assert_eq!(text(1, 100), Some("top 1 %"));
        assert_eq!(text(2, 100), Some("top 5 %"));
        assert_eq!(text(20, 100), Some("top 20 %"));
        assert_eq!(text(51, 100), Some("other half"));
        assert_eq!(text(101, 100), None);
        assert_eq!(text(1, 4), Some("top 50 %"));
        assert_eq!(text(1, 0), None);
    }

    #[test]
    fn pages_link_to_their_neighbours() {
        let parameters = Parameters::parse(Some("source=club&offset=50")).unwrap();
        let paging = Paging {
            links: Links::to_server(&BasePath::default(), None),
            path: "/leaderboard".to_owned(),
            parameters: &parameters,
            limit: 50,
            extent: Extent::new(50, 50, 230),
        };
        let html = paging.links().into_string();
        for part in [
            "href=\"/leaderboard?source=club\">First",
            "href=\"/leaderboard?source=club\">Previous",
            "51 to 100 of 230",
            "offset=100\">Next",
            "offset=200\">Last",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        let beyond = Paging {
            extent: Extent::new(500, 0, 230),
            ..paging
        }
        .links()
        .into_string();
        assert!(beyond.contains("none of 230") && !beyond.contains("Next"), "{beyond}");
        assert!(beyond.contains("offset=180\">Previous"), "{beyond}");
    }
}
