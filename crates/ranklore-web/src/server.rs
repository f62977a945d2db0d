//! Connections: thousands, each with time limits, within a bound on memory; and a graceful stop.

mod connections;
mod metrics;
mod open_files;
mod open_request;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONNECTION, LOCATION};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Request, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use ranklore_contest::UnixSeconds;
use tokio::net::{TcpListener as AsyncListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use crate::answers::App;
use crate::database::{Database, THREADS};
use crate::hosts::Hosts;
use crate::paths::BasePath;
use crate::peer::{Peer, TrustedProxies};
use crate::routes::{metrics_router, router};
use crate::server::connections::{CONNECTION_BYTES, Connection, Connections, Limits};
use crate::server::metrics::{AnswerCounts, format_metrics};
use crate::server::open_files::raise_open_files;
use crate::server::open_request::OpenRequest;

/// The memory of all connections: of two clients, each with its share, or of many.
const MAX_BYTES: usize = 512 << 20;

/// The open files that are left for the database, and for what the program does besides.
const OTHER_FILES: usize = 64;

/// The most connections that read the metrics.
const METRICS_CONNECTIONS: usize = 16;

/// The connections that the system keeps until the server accepts them.
const BACKLOG: i32 = 4_096;

/// The time for the first line and the headers of a request, and between two requests.
const HEADER_TIME: Duration = Duration::from_secs(15);

/// The time after which the next answer is the last one of a connection.
const CONNECTION_TIME: Duration = Duration::from_mins(2);

/// The longest time of a connection: a client that reads slowly must not keep it for ever.
const MAX_CONNECTION_TIME: Duration = Duration::from_mins(3);

/// The time for answers that have begun when the server stops.
const STOP_TIME: Duration = Duration::from_millis(1_200);

/// The time between two looks at the condition that stops the server.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The time between two looks at what is not used any longer.
const UNUSED_INTERVAL: Duration = Duration::from_secs(5);

/// The most headers of a request.
const MAX_HEADERS: usize = 100;

/// The database to serve, and where.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The database file.
    pub database: PathBuf,
    /// The address to listen on; port 0 is any free port.
    pub listen: SocketAddr,
    /// The address of the metrics; none without.
    pub metrics: Option<SocketAddr>,
    /// Further host names under which the server answers.
    pub hosts: Vec<String>,
    /// The proxies whose `X-Forwarded-For` names the client.
    pub trusted_proxies: Vec<IpAddr>,
    /// The path below which a proxy shows the server, such as `/ratings/`; empty or `/` for all of
    /// the host.
    pub base_path: String,
    /// The origins whose pages may read the answers; `*` for all.
    pub cors: Vec<HeaderValue>,
    /// The version of the program; other versions make other pages.
    pub version: &'static str,
    /// Returns the current time.
    pub now: fn() -> UnixSeconds,
    /// The longest time of an answer.
    pub time_limit: Duration,
}

/// An error of the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// The address cannot be used.
    #[error("cannot listen on {address}; choose another address or port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
    /// The system does not provide what the server needs.
    #[error("cannot serve")]
    Serve(#[from] io::Error),
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct Server {
    pages: Listener,
    metrics: Option<Listener>,
    app: App,
}

/// An address, and what answers there.
#[derive(Debug)]
struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
}

/// The pages of an address, for the requests of all connections to it.
#[derive(Debug)]
struct Site {
    router: Router,
    connections: Arc<Connections>,
    counts: Arc<AnswerCounts>,
    proxies: TrustedProxies,
    base: BasePath,
}

impl Server {
    /// Opens the database and the addresses.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Listen`].
    pub fn bind(options: ServeOptions) -> Result<Self, Error> {
        let database = Arc::new(Database::open(options.database, options.time_limit)?);
        let (socket, address) = listen(options.listen)?;
        let base = BasePath::new(&options.base_path);
        let app = App {
            database,
            answer_cache: Arc::default(),
            tag: Arc::default(),
            hosts: Arc::new(Hosts::new(address.ip(), &options.hosts)),
            base: base.clone(),
            version: options.version,
            now: options.now,
        };
        let connections = Connections::new(Limits {
            connections: raise_open_files()
                .saturating_sub(OTHER_FILES + METRICS_CONNECTIONS)
                .max(1),
            bytes: MAX_BYTES,
        });
        let site = Site {
            router: router(app.clone(), &options.cors),
            connections,
            counts: Arc::default(),
            proxies: TrustedProxies::new(&options.trusted_proxies),
            base,
        };
        let metrics =
            options.metrics.map(|address| Listener::of_metrics(address, app.clone(), &site));
        Ok(Self {
            metrics: metrics.transpose()?,
            pages: Listener {
                socket,
                address,
                site: Arc::new(site),
            },
            app,
        })
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.pages.address
    }

    /// Returns the address of the metrics.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|metrics| metrics.address)
    }

    /// Answers requests until `is_stopped` returns true. Answers that have begun are completed if
    /// they take no longer than 1.2 s.
    ///
    /// # Errors
    /// [`Error::Serve`].
    pub fn run(self, is_stopped: impl Fn() -> bool) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS + 1)
            .build()?;
        let result = runtime.block_on(self.serve(is_stopped));
        // A query that still runs ends with the process.
        runtime.shutdown_background();
        result
    }

    async fn serve(self, is_stopped: impl Fn() -> bool) -> Result<(), Error> {
        let (stop, stopped) = watch::channel(());
        for listener in [Some(self.pages), self.metrics].into_iter().flatten() {
            let accepting = AsyncListener::from_std(listener.socket)?;
            tokio::spawn(listener.site.accept_all(accepting, stopped.clone()));
        }
        drop(stopped);
        let mut last_look = Instant::now();
        while !is_stopped() {
            sleep(POLL_INTERVAL).await;
            if last_look.elapsed() >= UNUSED_INTERVAL {
                last_look = Instant::now();
                self.app.answer_cache.drop_unused();
                let database = Arc::clone(&self.app.database);
                tokio::task::spawn_blocking(move || database.drop_unused());
            }
        }
        // Whoever accepts or answers has a receiver until it has ended.
        let _ = stop.send(());
        let _ = timeout(STOP_TIME, stop.closed()).await;
        Ok(())
    }
}

impl Listener {
    /// Listens on the address of the metrics of a site.
    fn of_metrics(address: SocketAddr, app: App, site: &Site) -> Result<Self, Error> {
        let (socket, address) = listen(address)?;
        let hosts = Arc::new(app.hosts.with_listen(address.ip()));
        let (connections, counts) = (Arc::clone(&site.connections), Arc::clone(&site.counts));
        let page = get(move || {
            let metrics = format_metrics(&app, &connections, &counts);
            async move { metrics }
        });
        let site = Site {
            router: metrics_router(page, hosts),
            connections: Connections::new(Limits {
                connections: METRICS_CONNECTIONS,
                bytes: METRICS_CONNECTIONS * CONNECTION_BYTES * 2,
            }),
            counts: Arc::default(),
            proxies: TrustedProxies::default(),
            base: BasePath::default(),
        };
        Ok(Self {
            socket,
            address,
            site: Arc::new(site),
        })
    }
}

impl Site {
    /// Accepts connections until the server stops.
    async fn accept_all(
        self: Arc<Self>,
        listener: AsyncListener,
        mut stopped: watch::Receiver<()>,
    ) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopped.changed() => return,
            };
            match accepted {
                Ok((stream, address)) => {
                    let address = address.ip().to_canonical();
                    let peer = Peer::new(address);
                    let connection = if self.proxies.include(address) {
                        self.connections.open_of_proxy(peer)
                    } else {
                        self.connections.open(peer)
                    };
                    let Some(connection) = connection else {
                        tracing::debug!("no room for a connection of {peer}");
                        continue;
                    };
                    let site = Arc::clone(&self);
                    let answers = site.answer_all(stream, address, connection, stopped.clone());
                    tokio::spawn(answers);
                }
                Err(error) => {
                    // Too many open files, for example: the next attempt must not follow at once.
                    tracing::warn!("a connection cannot be accepted: {error}");
                    sleep(POLL_INTERVAL).await;
                }
            }
        }
    }

    /// Answers the requests of a connection. After a while an answer says that it is the last one: a
    /// connection that ended between two answers could end while the next request arrives.
    async fn answer_all(
        self: Arc<Self>,
        stream: TcpStream,
        address: IpAddr,
        connection: Connection,
        mut stopped: watch::Receiver<()>,
    ) {
        // An answer is written as a whole: waiting for more would delay its end.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(connection);
        let start = Instant::now();
        let service = service_fn(|request: Request<Incoming>| {
            let answer = self.answer(request, address, &connection);
            async move {
                let mut response = answer.await;
                if start.elapsed() > CONNECTION_TIME {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(CONNECTION, close);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let answers = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIME)
            .max_buf_size(CONNECTION_BYTES)
            .max_headers(MAX_HEADERS)
            .serve_connection(TokioIo::new(stream), service);
        let mut answers = pin!(answers);
        let result = tokio::select! {
            result = timeout(MAX_CONNECTION_TIME, answers.as_mut()) => result,
            () = connection.dropped() => return,
            _ = stopped.changed() => {
                answers.as_mut().graceful_shutdown();
                timeout(STOP_TIME, answers).await
            }
        };
        if let Ok(Err(error)) = result {
            tracing::debug!("a connection failed: {error}");
        }
    }

    /// Answers a request that came from an address.
    async fn answer(
        &self,
        mut request: Request<Incoming>,
        address: IpAddr,
        connection: &Arc<Connection>,
    ) -> Response {
        let peer = self.proxies.client(address, request.headers());
        let (connection, counts) = (Arc::clone(connection), Arc::clone(&self.counts));
        let open_request = OpenRequest::begin(&request, peer, connection, counts);
        request.extensions_mut().insert(peer);
        let response = match self.base.strip(request.uri().path()) {
            Some(path) => {
                if let Some(uri) = with_path(request.uri(), path) {
                    *request.uri_mut() = uri;
                }
                let router = TowerToHyperService::new(self.router.clone());
                // The router answers every request, also with an error.
                let answer = hyper::service::Service::call(&router, request).await;
                answer.unwrap_or_else(|never| match never {})
            }
            None => outside(&self.base),
        };
        open_request.send(response)
    }
}

/// Returns an address with another path and the same parameters.
fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let path = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).ok()?);
    Uri::from_parts(parts).ok()
}

/// Answers a request for a path outside the base path, with the way to the pages.
fn outside(base: &BasePath) -> Response {
    let Ok(location) = HeaderValue::from_str(&base.link("/")) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, location)], Body::empty()).into_response()
}

/// Returns a listener that does not block, and its address.
fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Error> {
    let listen = || {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        // A flood of connections must not make the system refuse those of others.
        #[cfg(unix)]
        rustix::net::listen(&listener, BACKLOG)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    listen().map_err(|source| Error::Listen { address, source })
}
