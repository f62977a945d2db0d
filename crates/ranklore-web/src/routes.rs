//! The paths, the checks of every request, and the headers of every response.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CONTENT_SECURITY_POLICY, ETAG, HOST, HeaderName, IF_NONE_MATCH, LINK, REFERRER_POLICY,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use ranklore_contest::SourceName;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::answers::{App, Form, answer, fixed};
use crate::api;
use crate::assets::ASSETS;
use crate::content::Content;
use crate::failure::Failure;
use crate::hosts::Hosts;
use crate::pages::request::PageRequest;
use crate::pages::{self, ShowSource};
use crate::parameters::{ItemPath, SourcePath, item_of_path, source_of_path};
use crate::paths::{API, HOME, LEADERBOARD, METRICS, SourcePage};

/// Returns the routes with the checks of every request.
pub(crate) fn router(app: App, cors: &[HeaderValue]) -> Router {
    let router = Router::new()
        .route(HOME, page(pages::home::show))
        .route(LEADERBOARD, page(pages::leaderboard::show))
        .route("/player/{source}/{id}", page_of_item(pages::player::show))
        .route("/contest/{source}/{id}", page_of_item(pages::contest::show))
        .merge(pages_of_sources())
        .merge(assets())
        .nest(API, api::routes())
        .fallback(not_found)
        .layer(from_fn_with_state(Arc::clone(&app.hosts), guard))
        .with_state(app)
        .layer(CompressionLayer::new().quality(COMPRESSION));
    if cors.is_empty() {
        return router;
    }
    let origins = if cors.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(cors.iter().cloned())
    };
    let cors = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD])
        .allow_headers([IF_NONE_MATCH])
        .expose_headers([ETAG, LINK, RETRY_AFTER]);
    router.layer(cors)
}

/// Returns the route of the metrics, with the checks of every request.
pub(crate) fn metrics_router(page: MethodRouter, hosts: Arc<Hosts>) -> Router {
    Router::new().route(METRICS, page).layer(from_fn_with_state(hosts, guard))
}

/// A third of the size of a page of curves, in a millisecond or two.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

fn pages_of_sources() -> Router<App> {
    SourcePage::VARIANTS.into_iter().fold(Router::new(), |router, page| {
        router.route(&page.path("{source}"), page_of_source(pages::show_source(page)))
    })
}

fn assets() -> Router<App> {
    ASSETS.into_iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(move || fixed(asset.media_type, asset.body)))
    })
}

/// Makes a page from the database and the parameters of the request.
type ShowPage = fn(&PageRequest<'_>) -> Result<Content, Failure>;
type ShowItem = fn(&PageRequest<'_>, &SourceName, &str) -> Result<Content, Failure>;

fn page(show: ShowPage) -> MethodRouter<App> {
    get(move |State(app): State<App>, parts: Parts| async move {
        let (today, base) = (app.today(), app.base.clone());
        answer(&app, &parts, Form::Page, move |reader, parameters| {
            show(&PageRequest::to_server(reader, parameters, today, &base))
        })
        .await
    })
}

fn page_of_source(show: ShowSource) -> MethodRouter<App> {
    get(move |State(app): State<App>, path: SourcePath, parts: Parts| async move {
        let (today, base) = (app.today(), app.base.clone());
        answer(&app, &parts, Form::Page, move |reader, parameters| {
            let request = PageRequest::to_server(reader, parameters, today, &base);
            show(&request, &source_of_path(path)?)
        })
        .await
    })
}

fn page_of_item(show: ShowItem) -> MethodRouter<App> {
    get(move |State(app): State<App>, path: ItemPath, parts: Parts| async move {
        let (today, base) = (app.today(), app.base.clone());
        answer(&app, &parts, Form::Page, move |reader, parameters| {
            let (source, id) = item_of_path(path)?;
            let request = PageRequest::to_server(reader, parameters, today, &base);
            show(&request, &source, &id)
        })
        .await
    })
}

async fn not_found(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path();
    let form = if path.starts_with(API) {
        Form::Data
    } else {
        Form::Page
    };
    app.failure(form, &Failure::not_found("there is no such page"))
}

/// Scripts and styles are allowed from own files only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Pages of the contests at their sites do not learn what was read here.
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Refuses requests for other hosts and with other methods, and adds the headers to all responses.
async fn guard(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let mut response = match refuse(&hosts, &request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn refuse(hosts: &Hosts, request: &Request) -> Option<Response> {
    let mut headers = request.headers().get_all(HOST).iter();
    let header = headers.next().and_then(|host| host.to_str().ok());
    let is_single = headers.next().is_none();
    let in_line = request.uri().authority().map(Authority::as_str);
    let is_allowed = is_single
        && header.is_some_and(|host| hosts.allows(host))
        && in_line.is_none_or(|host| hosts.allows(host));
    if !is_allowed {
        let text = "This server does not answer under this host name. Start it with --host NAME \
                    to allow one.\n";
        return Some((StatusCode::MISDIRECTED_REQUEST, text).into_response());
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let text = "This server only answers GET and HEAD.\n";
        return Some(
            (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], text).into_response(),
        );
    }
    None
}
