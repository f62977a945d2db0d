//! The pages as JSON and CSV: the values of the command line with `--format json` and `csv`.

use std::io;

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::routing::get;
use ranklore_replay::ViewReader;
use serde::Serialize;

use crate::answers::{Content, Form, answer, next_offset};
use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::routes::{App, ItemPath, SourcePath, item_of_path, source_of_path};
use crate::views::comparison::{self, ComparisonView};
use crate::views::{self, PlayerName, Rows, prediction, statistics};

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

type Answer = axum::response::Response;

async fn sources(State(app): State<App>, parts: Parts) -> Answer {
    let csv = app.csv.sources;
    respond(
        &app,
        &parts,
        &["as-of", "limit", "offset"],
        move |reader, of| {
            let page = of.page(ROWS.usual, ROWS.max)?;
            let list = views::sources(reader.store, of.end_time("as-of")?, page)?;
            let next = next_offset(list.offset, list.rows.len(), list.total);
            Ok(data(of, &list, csv, "sources.csv")?.with_next(next))
        },
    )
    .await
}

async fn leaderboard(State(app): State<App>, parts: Parts) -> Answer {
    let csv = app.csv.leaderboard;
    respond(&app, &parts, views::LEADERBOARD_NAMES, move |reader, of| {
        let board = views::leaderboard(reader, of, ROWS)?;
        let next = next_offset(board.offset, board.rows.len(), board.total);
        Ok(data(of, &board, csv, "leaderboard.csv")?.with_next(next))
    })
    .await
}

async fn players(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.players;
    respond(&app, &parts, views::PLAYERS_NAMES, move |reader, of| {
        let list = views::players(reader.store, source_of_path(path)?, of, ROWS)?;
        let next = next_offset(list.offset, list.rows.len(), list.total);
        Ok(data(of, &list, csv, "players.csv")?.with_next(next))
    })
    .await
}

async fn player(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    let csv = app.csv.player;
    respond(&app, &parts, views::PLAYER_NAMES, move |reader, of| {
        let (source, id) = item_of_path(path)?;
        let name = PlayerName {
            source: &source,
            name: &id,
            kind: of.kind()?,
            found: None,
        };
        let view = views::player(reader, &name, of, of.page(ROWS.usual, ROWS.max)?)?;
        let next = next_offset(view.offset, view.rows.len(), view.total);
        Ok(data(of, &view, csv, "player.csv")?.with_next(next))
    })
    .await
}

async fn contests(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.contests;
    respond(&app, &parts, views::CONTESTS_NAMES, move |reader, of| {
        let list = views::contests(reader.store, source_of_path(path)?, of, ROWS)?;
        let next = next_offset(list.offset, list.rows.len(), list.total);
        Ok(data(of, &list, csv, "contests.csv")?.with_next(next))
    })
    .await
}

async fn contest(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    let csv = app.csv.contest;
    respond(&app, &parts, views::CONTEST_NAMES, move |reader, of| {
        let (source, id) = item_of_path(path)?;
        let view = views::contest(reader, &source, &id, of, ROWS)?;
        let next = next_offset(view.offset, view.rows.entries.len(), view.total);
        Ok(data(of, &view, csv, "contest.csv")?.with_next(next))
    })
    .await
}

async fn movers(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.movers;
    respond(&app, &parts, statistics::MOVERS_NAMES, move |reader, of| {
        let movers = statistics::movers(reader.store, source_of_path(path)?, of, ROWS)?;
        data(of, &movers, csv, "movers.csv")
    })
    .await
}

async fn distribution(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.distribution;
    respond(
        &app,
        &parts,
        statistics::DISTRIBUTION_NAMES,
        move |reader, of| {
            let view = statistics::distribution(reader, &source_of_path(path)?, of)?;
            data(of, &view, csv, "distribution.csv")
        },
    )
    .await
}

async fn records(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.records;
    respond(
        &app,
        &parts,
        statistics::RECORDS_NAMES,
        move |reader, of| {
            let records = statistics::records(reader.store, source_of_path(path)?, of, ROWS)?;
            data(of, &records, csv, "records.csv")
        },
    )
    .await
}

async fn predict(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.prediction;
    respond(&app, &parts, prediction::NAMES, move |reader, of| {
        let view = prediction::load(reader.store, &source_of_path(path)?, of)?;
        data(of, &view, csv, "prediction.csv")
    })
    .await
}

async fn compare(State(app): State<App>, path: SourcePath, parts: Parts) -> Answer {
    let csv = app.csv.comparison;
    respond(&app, &parts, comparison::NAMES, move |reader, of| {
        let view = comparison::load(reader.store, &source_of_path(path)?, of)?;
        let rows = |view: &ComparisonView| csv(&view.evaluations);
        data(of, &view, rows, "comparison.csv")
    })
    .await
}

/// Answers a request whose parameters all have one of these names, or are `format`, or in a list of
/// pages `tag`.
async fn respond(
    app: &App,
    parts: &Parts,
    names: &'static [&'static str],
    make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
) -> Answer {
    let checked = move |reader: ViewReader<'_>, parameters: &Parameters| {
        let tag: &[&str] = if names.contains(&"offset") {
            &["tag"]
        } else {
            &[]
        };
        parameters.check_names(&[names, tag, &["format"]].concat())?;
        make(reader, parameters)
    };
    answer(app, parts, Form::Data, checked).await
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
        Some(other) => Err(Failure::bad_request(format!(
            "parameter \"format\" is \"{other}\": expected json or csv"
        ))),
    }
}
