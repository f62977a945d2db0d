//! The content of an answer: its type, its bytes, and the rows before the next page of a list.

use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use crate::failure::Failure;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";

/// The content of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    media_type: &'static str,
    pub(crate) body: Bytes,
    /// The name under which browsers save it; without, they show it.
    file_name: Option<&'static str>,
    /// The rows before the next page of a list; none on the last page.
    pub(crate) next_offset: Option<usize>,
}

/// The bytes of a content in memory, whatever a response makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentSize(pub(crate) usize);

impl Content {
    fn new(media_type: &'static str, mut body: Vec<u8>) -> Self {
        // Answers are kept, and must take no more memory than they are.
        body.shrink_to_fit();
        Self {
            media_type,
            body: body.into(),
            file_name: None,
            next_offset: None,
        }
    }

    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Self, Failure> {
        let body = serde_json::to_vec(value).map_err(|error| Failure::internal(&error))?;
        Ok(Self::new(JSON, body))
    }

    pub(crate) fn csv(body: Vec<u8>, file_name: &'static str) -> Self {
        let file_name = Some(file_name);
        Self {
            file_name,
            ..Self::new("text/csv; charset=utf-8", body)
        }
    }

    /// Adds the rows before the next page of the list.
    pub(crate) fn with_next(self, next_offset: Option<usize>) -> Self {
        Self {
            next_offset,
            ..self
        }
    }
}

impl From<Markup> for Content {
    fn from(page: Markup) -> Self {
        Self::new(HTML, page.into_string().into_bytes())
    }
}

impl IntoResponse for Content {
    fn into_response(self) -> Response {
        let size = self.body.len();
        let media_type = [(CONTENT_TYPE, self.media_type)];
        let mut response = (media_type, Body::from(self.body)).into_response();
        response.extensions_mut().insert(ContentSize(size));
        if let Some(name) = self.file_name {
            let value = format!("attachment; filename=\"{name}\"");
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(CONTENT_DISPOSITION, value);
            }
        }
        response
    }
}
