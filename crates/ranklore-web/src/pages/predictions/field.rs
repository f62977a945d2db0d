//! A field to predict: the form, the expected order, and the win probabilities of pairs.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::{List as _, PredictionView};

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{day_element, plural};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_field, run_text, runs_over};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, fault_notes, player_link};
use crate::parameters::Parameters;
use crate::paths::SourcePage;
use crate::views::prediction::{self, MAX_ENTRANTS, PredictionParameters};

/// The fields for names: at least so many, and so many empty ones.
const MIN_FIELDS: usize = 4;
const EMPTY_FIELDS: usize = 2;

/// Shows the form, and the prediction if two competitors or more are named.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let store = request.reader.store;
    let parameters = request.parameters;
    // Errors if there is no such source.
    ranklore_replay::find_source(store, source)?;
    let mut entrants = Vec::new();
    let mut faults = Vec::new();
    for result in prediction::find_entrants(store, source, parameters)? {
        match result {
            Ok(entrant) => entrants.push(entrant),
            // The other names are still worth keeping.
            Err(failure) if failure.status.as_u16() != 500 => faults.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    entrants.sort_unstable_by_key(|entrant| entrant.competitor_id);
    entrants.dedup();
    let is_complete = faults.is_empty() && entrants.len() > 1;
    let view = is_complete
        .then(|| prediction::predict(store, source, parameters, &entrants))
        .transpose()?;
    let links = request.links(view.as_ref().map(|view| &view.run))?;
    let runs = match &view {
        Some(view) => Some(run_field(&runs_over(store, &[source.to_string()])?, &view.run)),
        None => None,
    };
    let path = SourcePage::Predict.path(source.as_str());
    let data = links.data::<PredictionParameters>(&path, parameters, &[]);
    let head = Head {
        title: format!("Prediction – {source}"),
        description: format!("Expected order and win probabilities of competitors of {source}"),
        data: data.filter(|_| view.is_some()),
        ..Head::new(source.as_str(), &links)
    };
    let content = html! {
        h1 { "Prediction" }
        p { "Name 2 to " (MAX_ENTRANTS) " competitors of " bdi { (source) } " to get their expected order and the win probability of each pair." }
        (form(parameters, &links.form(&path), runs.as_ref())?)
        (fault_notes(&faults))
        @if let Some(view) = &view {
            (prediction(view, source.as_str(), &links))
        } @else if faults.is_empty() && !entrants.is_empty() {
            p.message { "Name one more competitor: a prediction needs two different ones." }
        }
    };
    Ok(page(&head, &content).into())
}

fn form(parameters: &Parameters, path: &str, runs: Option<&Markup>) -> Result<Markup, Failure> {
    let names: Vec<&str> = parameters.all("name").collect();
    let fields = (names.len() + EMPTY_FIELDS).clamp(MIN_FIELDS, MAX_ENTRANTS);
    let as_of = parameters.text("as-of")?;
    Ok(html! {
        form.filters action=(path) {
            @for index in 0..fields {
                @let id = format!("name{}", index + 1);
                div.field {
                    label for=(id) { "Name or id " (index + 1) }
                    input id=(id) name="name" type="text" maxlength="1000" value=[names.get(index)];
                }
            }
            (hidden_fields(parameters, &["kind"]))
            @match runs {
                Some(runs) => (runs),
                None => (hidden_fields(parameters, &["run", "system"])),
            }
            (field("as-of", "Ratings at the end of", "date", as_of))
            button { "Predict" }
        }
    })
}

fn prediction(view: &PredictionView, source: &str, links: &Links) -> Markup {
    let entrants = plural(view.rows.len() as u64, "competitor");
    let order = ListTable::new(view.columns())
        .with("name", |row| player_link(links, source, &row.competitor));
    html! {
        p { "Predicted by run " (run_text(&view.run))
            @if let Some(at) = view.before { ", from contests that ended before " (day_element(Some(at))) }
            @if let Some(at) = view.sigma_as_of { ", sigma as of " (day_element(Some(at))) }
            "."
        }
        (notes(view.stale, view.pseudonymised))
        h2 { "Expected order" }
        p { "The expected place is 1 plus the probability of each other to place above; a tie counts one half." }
        (order.show(&entrants, &view.rows))
        h2 { "Pairs" }
        (ListTable::new(view.pairs.columns()).show(&plural(view.pairs.len() as u64, "pair"), &view.pairs))
    }
}
