//! The pages as JSON and CSV: the values of the command line with `--format json` and `csv`.

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::routing::{MethodRouter, get};
use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::Error as ReplayError;
use ranklore_views::{
    ContestRequest, Extent, LeaderboardRequest, List, MoversRequest, PlayerRequest, RecordsRequest,
    SourceListRequest, ViewReader, load_contest_list, load_distribution, load_player_list,
    load_records, load_source_list, parameter_names, write_csv,
};
use serde::Serialize;

use crate::answers::{App, Form, answer};
use crate::content::Content;
use crate::failure::Failure;
use crate::parameters::{ItemPath, Parameters, Rows, SourcePath, item_of_path, source_of_path};
use crate::views::comparison::ComparisonParameters;
use crate::views::prediction::PredictionParameters;
use crate::views::{self, PlayerKey, comparison, prediction, statistics};

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
        .route("/player/{source}/{id}", get(player))
        .route("/contest/{source}/{id}", get(contest))
        .route(
            "/players/{source}",
            list_of_source("players.csv", |reader, source, request| {
                load_player_list(reader.store, source, request)
            }),
        )
        .route(
            "/contests/{source}",
            list_of_source("contests.csv", |reader, source, request| {
                load_contest_list(reader.store, source, request)
            }),
        )
        .route(
            "/distribution/{source}",
            list_of_source("distribution.csv", |reader, source, request| {
                load_distribution(reader, source, request)
            }),
        )
        .route(
            "/movers/{source}",
            by_source::<MoversRequest>(|reader, source, query| {
                let movers = statistics::movers(reader.store, source, query, ROWS)?;
                data(query, &movers, &movers.rows(), "movers.csv")
            }),
        )
        .route(
            "/records/{source}",
            by_source::<RecordsRequest>(|reader, source, query| {
                let records = load_records(reader, source, &query.list_request(ROWS)?)?;
                data(query, &records, &records.rows(), "records.csv")
            }),
        )
        .route(
            "/predict/{source}",
            by_source::<PredictionParameters>(|reader, source, query| {
                let view = prediction::load(reader.store, source, query)?;
                list_data(query, &view, "prediction.csv")
            }),
        )
        .route(
            "/compare/{source}",
            by_source::<ComparisonParameters>(|reader, source, query| {
                let view = comparison::load(reader.store, source, query)?;
                data(query, &view, &view.evaluations.metric_rows(), "comparison.csv")
            }),
        )
}

/// Returns the route of a view of the source in the path.
fn by_source<R: Args + 'static>(
    make: impl Fn(ViewReader<'_>, &SourceName, &Parameters) -> Result<Content, Failure>
    + Clone
    + Send
    + Sync
    + 'static,
) -> MethodRouter<App> {
    get(move |State(app): State<App>, path: SourcePath, parts: Parts| {
        respond::<R>(app, parts, move |reader, query| make(reader, &source_of_path(path)?, query))
    })
}

/// Loads a list of a source.
type LoadList<R, L> = fn(ViewReader<'_>, &SourceName, &R) -> Result<L, ReplayError>;

/// Returns the route of a list of the source in the path.
fn list_of_source<R: Args + 'static, L: Serialize + List + 'static>(
    file_name: &'static str,
    load: LoadList<R, L>,
) -> MethodRouter<App> {
    by_source::<R>(move |reader, source, query| {
        list_data(query, &load(reader, source, &query.list_request(ROWS)?)?, file_name)
    })
}

type Answer = axum::response::Response;

async fn sources(State(app): State<App>, parts: Parts) -> Answer {
    respond::<SourceListRequest>(app, parts, move |reader, query| {
        let list = load_source_list(reader.store, &query.list_request(ROWS)?)?;
        list_data(query, &list, "sources.csv")
    })
    .await
}

async fn leaderboard(State(app): State<App>, parts: Parts) -> Answer {
    respond::<LeaderboardRequest>(app, parts, move |reader, query| {
        list_data(query, &views::leaderboard(reader, query, ROWS)?, "leaderboard.csv")
    })
    .await
}

async fn player(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    respond::<PlayerRequest>(app, parts, move |reader, query| {
        let (source, id) = item_of_path(path)?;
        let key = PlayerKey::new(&source, &id, query.kind()?);
        let view = views::player(reader, &key, query, query.list_request(ROWS)?)?;
        list_data(query, &view, "player.csv")
    })
    .await
}

async fn contest(State(app): State<App>, path: ItemPath, parts: Parts) -> Answer {
    respond::<ContestRequest>(app, parts, move |reader, query| {
        let (source, id) = item_of_path(path)?;
        let view = views::contest(reader, &source, &id, query, ROWS)?;
        list_data(query, &&view, "contest.csv")
    })
    .await
}

/// Answers a request whose parameters are those of `R`, or `format`, or in a list of pages `tag`.
async fn respond<R: Args>(
    app: App,
    parts: Parts,
    make: impl FnOnce(ViewReader<'_>, &Parameters) -> Result<Content, Failure> + Send + 'static,
) -> Answer {
    answer(&app, &parts, Form::Data, move |reader, parameters| {
        let mut names = parameter_names::<R>();
        if names.iter().any(|name| name == "offset") {
            names.push("tag".to_owned());
        }
        names.push("format".to_owned());
        parameters.check_names(&names)?;
        make(reader, parameters)
    })
    .await
}

/// Returns a list as JSON or CSV.
fn list_data(
    parameters: &Parameters,
    list: &(impl Serialize + List),
    file_name: &'static str,
) -> Result<Content, Failure> {
    let content = data(parameters, list, list, file_name)?;
    Ok(content.with_next(list.extent().and_then(Extent::next_offset)))
}

/// Returns a view as JSON, or its rows as CSV.
fn data(
    parameters: &Parameters,
    view: &impl Serialize,
    rows: &(impl Serialize + List),
    file_name: &'static str,
) -> Result<Content, Failure> {
    match parameters.text("format")? {
        None | Some("json") => Content::json(view),
        Some("csv") => {
            let mut body = Vec::new();
            let written = write_csv(rows, &rows.columns().keys(), &mut body, &());
            written.map_err(|error| Failure::internal(&error))?;
            Ok(Content::csv(body, file_name))
        }
        Some(format) => Err(Failure::bad_request(format!(
            "parameter \"format\" is \"{format}\": expected json or csv"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use ranklore_views::Columns;

    use super::*;

    #[derive(Serialize)]
    struct Members {
        rows: [Member; 1],
    }

    #[derive(Serialize)]
    struct Member {
        name: &'static str,
        won: u32,
    }

    impl List for Members {
        type Row = Member;

        fn columns(&self) -> Columns<'_, Member> {
            Columns::new().left("name", |row: &Member| row.name).data(&["won"])
        }
    }

    #[test]
    fn lists_are_json_or_csv_by_their_columns() {
        let list = Members {
            rows: [Member {
                name: "Ada",
                won: 3,
            }],
        };
        let body = |format: &str| {
            let query = Parameters::from_pairs(&[("format", format)]);
            let content = list_data(&query, &list, "members.csv").unwrap();
            String::from_utf8(content.body.to_vec()).unwrap()
        };
        assert_eq!(body("csv"), "name,won\r\nAda,3\r\n");
        assert!(body("json").contains("\"won\""));
    }
}
