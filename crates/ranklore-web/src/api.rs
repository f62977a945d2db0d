//! The pages as JSON and CSV: the values of the command line with `--format json` and `csv`.

use std::io;

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::routing::get;
use ranklore_replay::{ViewReader, load_source_list};
use serde::Serialize;

use crate::answers::{App, Form, answer};
use crate::content::{Content, next_offset};
use crate::failure::Failure;
use crate::parameters::{ItemPath, Parameters, SourcePath, item_of_path, source_of_path};
use crate::views::statistics::{DISTRIBUTION_PARAMETERS, MOVERS_PARAMETERS, RECORDS_PARAMETERS};
use crate::views::{
    self, LEADERBOARD_PARAMETERS, PlayerKey, Rows, comparison, prediction, statistics,
};

/// The rows of a list.
const ROWS: Rows = Rows {
    usual: 100,
    max: 1_000,
};

/// Returns the routes below the prefix of the API.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/sources", get(sources))
        .route("/leaderboard", get(leaderboard))
        .route("/players/{source}", get(players))
        .route("/player/{source}/{id}", get(player))
        .route("/contests/{source}", get(contests))
        .route("/contest/{source}/{id}", get(contest))
        .route("/movers/{source}", get(movers))
        .route("/distribution/{source}", get(distribution))
        .route("/records/{source}", get(records))
        .route("/predict/{source}", get(predict))
        .route("/compare/{source}", get(compare))
}

const SOURCES_PARAMETERS: &[&str] = &["as-of", "limit", "offset"];

type Answer = axum::response::Response;

async fn sources(State(app): State<App>, parts: Parts) -> Answer {
    let csv = app.csv.sources;
    respond(app, parts, SOURCES_PARAMETERS, move |reader, query| {
        let page = query.page(ROWS.usual, ROWS.max)?;
        let list = load_source_list(reader.store, query.end_time("as-of")?, page)?;
        let next = next_offset(list.offset, list.rows.len(), list.total);
        Ok(data(query, &list, csv, "sources.csv")?.with_next(next))
    })
    .await
}

async fn leaderboard(State(app): State<App>, parts: Parts) -> Answer {
    let csv = app.csv.leaderboard;
    respond(app, parts, LEADERBOARD_PARAMETERS, move |reader, query| {
        let board = views::leaderboard(reader, query, ROWS)?;
        let next = next_offset(board.offset, board.rows.len(), board.total);
        Ok(data(query, &board, csv, "leaderboard.csv")?.with_next(next))
    })
    .await
}

async fn players(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.players;
    respond(app, parts, views::PLAYERS_PARAMETERS, move |reader, query| {
        let list = views::players(reader.store, source_of_path(path)?, query, ROWS)?;
        let next = next_offset(list.offset, list.rows.len(), list.total);
        Ok(data(query, &list, csv, "players.csv")?.with_next(next))
    })
    .await
}

async fn player(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    let csv = app.csv.player;
    respond(app, parts, views::PLAYER_PARAMETERS, move |reader, query| {
        let (source, id) = item_of_path(path)?;
        let key = PlayerKey::new(&source, &id, query.kind()?);
        let view = views::player(reader, &key, query, query.page(ROWS.usual, ROWS.max)?)?;
        let next = next_offset(view.offset, view.rows.len(), view.total);
        Ok(data(query, &view, csv, "player.csv")?.with_next(next))
    })
    .await
}

async fn contests(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.contests;
    respond(app, parts, views::CONTESTS_PARAMETERS, move |reader, query| {
        let list = views::contests(reader.store, source_of_path(path)?, query, ROWS)?;
        let next = next_offset(list.offset, list.rows.len(), list.total);
        Ok(data(query, &list, csv, "contests.csv")?.with_next(next))
    })
    .await
}

async fn contest(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    let csv = app.csv.contest;
    respond(app, parts, views::CONTEST_PARAMETERS, move |reader, query| {
        let (source, id) = item_of_path(path)?;
        let view = views::contest(reader, &source, &id, query, ROWS)?;
        let next = next_offset(view.offset, view.rows.entries.len(), view.total);
        Ok(data(query, &view, csv, "contest.csv")?.with_next(next))
    })
    .await
}

async fn movers(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.movers;
    respond(app, parts, MOVERS_PARAMETERS, move |reader, query| {
        let movers = statistics::movers(reader.store, source_of_path(path)?, query, ROWS)?;
        data(query, &movers, csv, "movers.csv")
    })
    .await
}

async fn distribution(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.distribution;
    respond(app, parts, DISTRIBUTION_PARAMETERS, move |reader, query| {
        let view = statistics::distribution(reader, &source_of_path(path)?, query)?;
        data(query, &view, csv, "distribution.csv")
    })
    .await
}

async fn records(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.records;
    respond(app, parts, RECORDS_PARAMETERS, move |reader, query| {
        let records = statistics::records(reader.store, source_of_path(path)?, query, ROWS)?;
        data(query, &records, csv, "records.csv")
    })
    .await
}

async fn predict(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.prediction;
    respond(app, parts, prediction::NAMES, move |reader, query| {
        let view = prediction::load(reader.store, &source_of_path(path)?, query)?;
        data(query, &view, csv, "prediction.csv")
    })
    .await
}

async fn compare(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.comparison;
    respond(app, parts, comparison::NAMES, move |reader, query| {
        let view = comparison::load(reader.store, &source_of_path(path)?, query)?;
        data(query, &view, |v| csv(&v.evaluations), "comparison.csv")
    })
    .await
}

/// Answers a request whose parameters all have one of these names, or are `format`, or in a list of
/// pages `tag`.
async fn respond(
    app: App,
    parts: Parts,
    names: &'static [&'static str],
    make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
) -> Answer {
    answer(&app, &parts, Form::Data, move |reader, parameters| {
        let mut names = [names, &["format"]].concat();
        if names.contains(&"offset") {
            names.insert(names.len() - 1, "tag");
        }
        parameters.check_names(&names)?;
        make(reader, parameters)
    })
    .await
}

/// Returns a view as JSON, or its rows as CSV.
fn data<V: Serialize>(
    parameters: &Parameters,
    view: &V,
    csv: impl FnOnce(&V) -> io::Result<Vec<u8>>,
    file_name: &'static str,
) -> Result<Content, Failure> {
    match parameters.text("format")? {
        None | Some("json") => Content::json(view),
        Some("csv") => {
            let body = csv(view).map_err(|error| Failure::internal(&error))?;
            Ok(Content::csv(body, file_name))
        }
        Some(format) => Err(Failure::bad_request(format!(
            "parameter \"format\" is \"{format}\": expected json or csv"
        ))),
    }
}
