//! Connections: a bounded number, each with time limits, and a graceful stop.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use ranklore_contest::UnixSeconds;
use tokio::net::TcpListener as AsyncListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::answers::App;
use crate::database::{CONNECTIONS, Database};
use crate::hosts::Hosts;
use crate::routes::router;

/// The most open connections; others wait in the queue of the system.
const MAX_CONNECTIONS: u32 = 256;

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

/// The largest first line with headers, in bytes.
const MAX_HEADER_BYTES: usize = 65_536;

/// The most headers of a request.
const MAX_HEADERS: usize = 100;

/// The database to serve, and where.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The database file.
    pub database: PathBuf,
    /// The address to listen on; port 0 is any free port.
    pub listen: SocketAddr,
    /// Further host names under which the server answers.
    pub hosts: Vec<String>,
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
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
}

impl Server {
    /// Opens the database and the address.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Listen`].
    pub fn bind(options: ServeOptions) -> Result<Self, Error> {
        let database = Database::open(options.database, options.time_limit)?;
        let (listener, address) = listen(options.listen).map_err(|source| Error::Listen {
            address: options.listen,
            source,
        })?;
        let app = App {
            database: Arc::new(database),
            answer_cache: Arc::default(),
            hosts: Arc::new(Hosts::new(address.ip(), &options.hosts)),
            version: options.version,
            now: options.now,
        };
        Ok(Self {
            listener,
            address,
            router: router(app),
        })
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `is_stopped` returns true. Answers that have begun are completed if
    /// they take no longer than 1.2 s.
    ///
    /// # Errors
    /// [`Error::Serve`].
    pub fn run(self, is_stopped: impl Fn() -> bool) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(CONNECTIONS + 1)
            .build()?;
        let result = runtime.block_on(self.serve(is_stopped));
        // A query that still runs ends with the process.
        runtime.shutdown_background();
        result
    }

    async fn serve(self, is_stopped: impl Fn() -> bool) -> Result<(), Error> {
        let listener = AsyncListener::from_std(self.listener)?;
        let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
        let (stop_sender, stop_receiver) = watch::channel(());
        while !is_stopped() {
            let connection = timeout(POLL_INTERVAL, accept(&listener, &slots)).await;
            let Ok(Some((stream, slot))) = connection else {
                continue;
            };
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(MAX_HEADER_BYTES)
                .max_headers(MAX_HEADERS)
                .serve_connection(TokioIo::new(stream), service(self.router.clone()));
            let mut stop_receiver = stop_receiver.clone();
            tokio::spawn(async move {
                let mut connection = pin!(connection);
                let result = tokio::select! {
                    result = timeout(MAX_CONNECTION_TIME, connection.as_mut()) => result,
                    // The server drops the other end when it stops.
                    _ = stop_receiver.changed() => {
                        connection.as_mut().graceful_shutdown();
                        timeout(STOP_TIME, connection).await
                    }
                };
                if let Ok(Err(error)) = result {
                    tracing::debug!("a connection failed: {error}");
                }
                drop(slot);
            });
        }
        drop((listener, stop_sender));
        // All slots are free once all connections have ended.
        let _ = timeout(STOP_TIME, slots.acquire_many(MAX_CONNECTIONS)).await;
        Ok(())
    }
}

/// Returns a listener that does not block, and its address.
fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Answers the requests of a connection. After a while an answer says that it is the last one: a
/// connection that ended between two answers could end while the next request arrives.
fn service(
    router: Router,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> {
    let router = TowerToHyperService::new(router);
    let start = Instant::now();
    service_fn(move |request| {
        let answer = router.call(request);
        async move {
            let mut response = answer.await?;
            if start.elapsed() > CONNECTION_TIME {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok(response)
        }
    })
}

/// Accepts a connection if there is a slot for it.
async fn accept(
    listener: &AsyncListener,
    slots: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, slot)),
        Err(error) => {
            // Too many open files, for example: the next attempt must not follow at once.
            tracing::warn!("a connection cannot be accepted: {error}");
            sleep(POLL_INTERVAL).await;
            None
        }
    }
}
