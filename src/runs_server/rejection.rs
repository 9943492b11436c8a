//! The answers to requests that are rejected, or fail.

use std::string::String;

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::HeaderValue;

use crate::emit::AnyError;
use crate::protocols::runs::problem::{Code, RefusedRequest};

/// The reason why a request has no answer of its endpoint.
#[derive(Debug)]
pub(super) enum EndpointRejection {
    /// The client receives the refusal.
    Client(RefusedRequest),
    /// The store has failed.
    Store(AnyError),
    /// Something else has failed.
    Internal(AnyError),
}

impl From<RefusedRequest> for EndpointRejection {
    fn from(refusal: RefusedRequest) -> Self {
        EndpointRejection::Client(refusal)
    }
}

impl From<AnyError> for EndpointRejection {
    fn from(error: AnyError) -> Self {
        EndpointRejection::Store(error)
    }
}

/// Returns a refusal as an error.
pub(super) fn reject<T>(code: Code, detail: &'static str) -> Result<T, EndpointRejection> {
    Err(EndpointRejection::Client(RefusedRequest::new(code, detail)))
}

impl EndpointRejection {
    /// Returns the response; `report` receives the errors that clients do not.
    pub fn respond(self, report: impl FnOnce(&(dyn std::error::Error + 'static))) -> Response {
        let refusal = match self {
            EndpointRejection::Client(refusal) => refusal,
            EndpointRejection::Store(error) => {
                report(&*error);
                RefusedRequest::new(
                    Code::StorageUnavailable,
                    "the storage is not available, or is full",
                )
            }
            EndpointRejection::Internal(error) => {
                report(&*error);
                RefusedRequest::new(
                    Code::Internal,
                    "the request has failed; its `x-request-id` identifies the error",
                )
            }
        };
        let mut response = with(refusal.code.status(), "application/problem+json", refusal.body());
        let header = match refusal.code {
            Code::Unauthorized => ("www-authenticate", "Bearer"),
            Code::RunActive => ("retry-after", "1"),
            code if matches!(code.status(), 429 | 503) => ("retry-after", "5"),
            _ => return response,
        };
        response.headers_mut().insert(header.0, HeaderValue::from_static(header.1));
        response
    }
}

/// Returns a response that is not stored by caches.
pub(super) fn with(status: u16, kind: &'static str, body: String) -> Response {
    let mut response = Body::from(body).into_response();
    *response.status_mut() = status.try_into().unwrap_or_default();
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
    response
}
