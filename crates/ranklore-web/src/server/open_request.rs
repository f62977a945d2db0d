//! A request and its answer on a connection: the client, the memory that the answer takes, the log.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_ENCODING, ETAG};
use axum::http::{HeaderValue, Method, Request, StatusCode, Uri};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tokio::time::Instant;

use crate::content::ContentSize;
use crate::peer::Peer;
use crate::server::connections::Connection;
use crate::server::metrics::AnswerCounts;

/// The most bytes that are handed to a connection at a time: it takes more once these are sent.
const FRAME_BYTES: usize = 16 << 10;

/// A request that is being answered. It is logged when its answer is sent, or the client has gone.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    connection: Arc<Connection>,
    counts: Arc<AnswerCounts>,
    peer: Peer,
    method: Method,
    uri: Uri,
    start: Instant,
    status: Option<StatusCode>,
    bytes: u64,
}

impl OpenRequest {
    /// Begins with a request that has arrived.
    pub(crate) fn begin<B>(
        request: &Request<B>,
        peer: Peer,
        connection: Arc<Connection>,
        counts: Arc<AnswerCounts>,
    ) -> Self {
        connection.begin_answer();
        Self {
            connection,
            counts,
            peer,
            method: request.method().clone(),
            uri: request.uri().clone(),
            start: Instant::now(),
            status: None,
            bytes: 0,
        }
    }

    /// Returns the response, which ends the request once it is sent.
    pub(crate) fn send(mut self, mut response: Response) -> Response {
        weaken_tag(&mut response);
        self.status = Some(response.status());
        let size = response.extensions().get().map_or(0, |&ContentSize(size)| size);
        self.connection.send_answer(size);
        response.map(|body| {
            Body::new(SentBody {
                body,
                rest: Bytes::new(),
                request: self,
            })
        })
    }

    fn log(&self) {
        let Some(status) = self.status else { return };
        let (method, path, status) = (&self.method, self.uri.path(), status.as_u16());
        let (bytes, peer) = (self.bytes, self.peer);
        let duration_ms = self.start.elapsed().as_secs_f64() * 1_000.0;
        // Parameters can have names of people.
        let query = self
            .uri
            .query()
            .filter(|_| tracing::enabled!(target: TARGET, tracing::Level::DEBUG));
        match query {
            Some(query) => {
                tracing::debug!(target: TARGET, %method, path, query, status, duration_ms, bytes, %peer);
            }
            None => {
                tracing::info!(target: TARGET, %method, path, status, duration_ms, bytes, %peer);
            }
        }
    }
}

/// The target of the lines of the access log.
const TARGET: &str = "ranklore::access";

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.connection.end_answer();
        if let Some(status) = self.status {
            self.counts.add(status, self.bytes);
        }
        self.log();
    }
}

/// Marks the tag of a compressed answer as weak: its bytes are others than without compression.
fn weaken_tag(response: &mut Response) {
    let headers = response.headers_mut();
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok())
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{tag}"))
    {
        headers.insert(ETAG, weak);
    }
}

/// The body of an answer, in frames that a connection takes one after the other.
struct SentBody {
    body: Body,
    /// The part of the last frame that is not sent.
    rest: Bytes,
    request: OpenRequest,
}

impl hyper::body::Body for SentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return other,
            }
        }
        let length = self.rest.len().min(FRAME_BYTES);
        let data = self.rest.split_to(length);
        self.request.bytes += data.len() as u64;
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower() + rest);
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
